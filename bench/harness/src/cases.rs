//! The operations to measure, and the libraries that take part in each.

use crate::grille::{self, OwnOperation, Run};
use crate::options::Options;
use grille_registry::{KEMS, Row, SIGNATURES, kem_by_name};

/// The operations that a peer has for an algorithm.
pub type Operations = Vec<(&'static str, Run)>;

/// A library that is compared with grille.
pub struct Peer {
    /// The library's name in the tables.
    pub name: &'static str,
    /// The library's version.
    pub version: String,
    /// The library's build, and its choice of instructions.
    pub build: String,
    /// Returns the library's operations for the algorithm with this canonical name; empty if the library lacks the
    /// algorithm.
    pub operations: fn(&str) -> Operations,
}

/// One operation of one library.
pub struct Contender {
    /// The name of the library.
    pub peer: &'static str,
    /// Number of operations per run; more than one for batches.
    pub count: u32,
    /// Runs the operation once.
    pub run: Run,
}

/// One operation of one algorithm in every library that has it, grille first.
pub struct Case {
    /// The algorithm's canonical name.
    pub algorithm: String,
    /// The operation's name, such as `encaps` or `sign (prepared)`.
    pub operation: String,
    /// Whether the time depends on chance, so that the figure is the mean instead of the median.
    pub mean: bool,
    /// The libraries that have the operation.
    pub contenders: Vec<Contender>,
}

/// A case whose keys and messages have not been made yet.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The algorithm's canonical name.
    pub algorithm: &'static str,
    /// The operation's name, such as `encaps` or `sign (prepared)`.
    pub operation: &'static str,
}

/// Lists every selected operation of every post-quantum algorithm and hybrid of the registry. `alone`: includes
/// operations that no peer has. Classical algorithms are not compared, because grille's own come from aws-lc-rs.
#[must_use]
pub fn plans(peers: &[Peer], options: &Options, alone: bool) -> Vec<Plan> {
    let kems = KEMS.iter().filter(|row| row.category() > 0).map(Row::name);
    let signatures = SIGNATURES.iter().filter(|row| row.category() > 0).map(Row::name);
    let names: Vec<&'static str> = kems.chain(signatures).collect();
    let selected: Vec<_> = names.iter().copied().filter(|name| options.may_want(name, &names)).collect();
    let names = selected
        .into_iter()
        .filter(|name| alone || peers.iter().any(|peer| !(peer.operations)(name).is_empty()));
    let plans = names.flat_map(|algorithm| {
        grille::operations(algorithm).into_iter().map(move |own| Plan { algorithm, operation: own.name })
    });
    plans.filter(|plan| options.wants(plan.algorithm, plan.operation)).collect()
}

impl Plan {
    /// Returns `operation()`. For a KEM, returns an operation that alternates between many keys instead, because the time
    /// may depend on the key. For example, if a matrix of ML-KEM-1024 needs one block more than most matrices, a
    /// decapsulation takes a tenth longer. Returns `None` if `operation()` is `None`.
    fn alternate_keys(&self, operation: impl Fn() -> Option<Run>) -> Option<Run> {
        const KEYS: usize = 16;
        const RUNS_PER_KEY: usize = 16;
        if kem_by_name(self.algorithm).is_err() {
            return operation();
        }
        let mut each: Vec<Run> = (0..KEYS).map(|_| operation()).collect::<Option<_>>()?;
        let mut ran = 0;
        Some(Box::new(move || {
            each[ran / RUNS_PER_KEY % KEYS]();
            ran += 1;
        }))
    }

    /// Makes the keys and messages for all libraries.
    ///
    /// # Panics
    /// Panics if grille does not have the operation, which is impossible for a plan made by [`plans`].
    #[must_use]
    pub fn case(self, peers: &[Peer]) -> Case {
        let own = || grille::operations(self.algorithm).into_iter().find(|own| own.name == self.operation);
        let OwnOperation { against, count, .. } = own().expect("a plan of grille's operations");
        let run = self.alternate_keys(|| Some(own()?.run)).expect("a plan of grille's operations");
        let mut contenders = vec![Contender { peer: "grille", count, run }];
        for peer in peers {
            let operation =
                || (peer.operations)(self.algorithm).into_iter().find(|(name, _)| *name == against);
            let run = self.alternate_keys(|| Some(operation()?.1));
            contenders.extend(run.map(|run| Contender { peer: peer.name, count: 1, run }));
        }
        Case {
            algorithm: self.algorithm.to_owned(),
            operation: self.operation.to_owned(),
            mean: depends_on_chance(self.algorithm, self.operation),
            contenders,
        }
    }
}

/// Returns whether the operation may reject attempts, as all signing and Falcon's key generation do.
fn depends_on_chance(algorithm: &str, operation: &str) -> bool {
    operation.starts_with("sign") || algorithm.starts_with("Falcon") && operation == "keygen"
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::rc::Rc;

    #[test]
    fn runs_operations_of_kems_with_all_keys_in_turns() {
        let (made, runs) = (Cell::new(0), Rc::new(Cell::new([0; 16])));
        let operation = || {
            let (key, runs) = (made.replace(made.get() + 1), Rc::clone(&runs));
            let run = move || runs.set(std::array::from_fn(|i| runs.get()[i] + usize::from(i == key)));
            Some(Box::new(run) as Run)
        };
        let plan = Plan { algorithm: "ML-KEM-768", operation: "encaps" };
        let mut run = plan.alternate_keys(operation).expect("an operation");
        (0..8 * 16).for_each(|_| run());
        assert_eq!(runs.get()[..], [[16; 8], [0; 8]].concat());
        (0..8 * 16).for_each(|_| run());
        assert_eq!(runs.get(), [16; 16]);
    }

    fn has_only_keygen(name: &str) -> Operations {
        if name == "ML-KEM-768" { vec![("keygen", Box::new(|| ()))] } else { Vec::new() }
    }

    fn build_plans(filter: &str, alone: bool) -> Vec<Plan> {
        let peer =
            Peer { name: "p", version: String::new(), build: String::new(), operations: has_only_keygen };
        plans(&[peer], &Options { filters: vec![filter.into()], quick: true }, alone)
    }

    #[test]
    fn plans_every_algorithm_except_classical_ones() {
        assert!(build_plans("ML-KEM-512", true).len() >= 4);
        assert!(build_plans("Dilithium5", true).len() >= 4);
        assert!(build_plans("Ed25519", true).iter().all(|plan| plan.algorithm != "Ed25519"));
    }

    #[test]
    fn omits_operations_without_a_peer_on_demand() {
        assert!(build_plans("ML-KEM-512", false).is_empty());
        assert!(build_plans("ML-KEM-768", false).len() >= 4);
    }

    #[test]
    fn includes_peers_that_have_the_operation() {
        let peers = || {
            [Peer { name: "p", version: String::new(), build: String::new(), operations: has_only_keygen }]
        };
        let contenders =
            |operation| Plan { algorithm: "ML-KEM-768", operation }.case(&peers()).contenders.len();
        assert_eq!((contenders("keygen"), contenders("encaps")), (2, 1));
    }
}
