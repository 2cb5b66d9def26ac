//! Which operations are measured, and who takes part in each.

use crate::grille::{self, Own, Run};
use crate::options::Options;
use grille_registry::{KEMS, Row, SIGNATURES, kem_by_name};

/// The operations that a peer has for an algorithm.
pub type Operations = Vec<(&'static str, Run)>;

/// A library beside grille.
pub struct Peer {
    /// Its name in the tables.
    pub name: &'static str,
    /// Its version.
    pub version: String,
    /// How it was built, and how it chooses its instructions.
    pub build: String,
    /// Its operations for an algorithm of this canonical name; none if it lacks the algorithm.
    pub operations: fn(&str) -> Operations,
}

/// One operation of one library.
pub struct Contender {
    /// The library.
    pub peer: &'static str,
    /// How many operations one run is: more than one for batches.
    pub count: u32,
    /// Runs the operation.
    pub run: Run,
}

/// One operation of one algorithm, by every library that has it; grille comes first.
pub struct Case {
    /// The algorithm's canonical name.
    pub algorithm: String,
    /// The operation's name.
    pub operation: String,
    /// Whether its time depends on luck, so that the mean counts and not the median.
    pub mean: bool,
    /// Who runs it.
    pub contenders: Vec<Contender>,
}

/// The name of a case that is yet to be made.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The algorithm's canonical name.
    pub algorithm: &'static str,
    /// The operation's name.
    pub operation: &'static str,
}

/// Every operation of every post-quantum algorithm and hybrid of the registry that the options ask for; `alone`: also
/// what no peer has. Classical algorithms are aws-lc-rs' own here, and there is nothing to compare.
#[must_use]
pub fn plans(peers: &[Peer], options: &Options, alone: bool) -> Vec<Plan> {
    let kems = KEMS.iter().filter(|row| row.category() > 0).map(Row::name);
    let signatures = SIGNATURES.iter().filter(|row| row.category() > 0).map(Row::name);
    let names: Vec<&'static str> = kems.chain(signatures).collect();
    let wanted: Vec<_> = names.iter().copied().filter(|name| options.may_want(name, &names)).collect();
    let names = wanted
        .into_iter()
        .filter(|name| alone || peers.iter().any(|peer| !(peer.operations)(name).is_empty()));
    let plans = names.flat_map(|algorithm| {
        grille::operations(algorithm).into_iter().map(move |own| Plan { algorithm, operation: own.name })
    });
    plans.filter(|plan| options.wants(plan.algorithm, plan.operation)).collect()
}

impl Plan {
    /// An operation with many keys, each for a while, if its time depends on their luck: a matrix of ML-KEM-1024 that takes
    /// a block more than most costs a tenth of a decapsulation. `None` if there is no such operation.
    fn in_turns(&self, operation: impl Fn() -> Option<Run>) -> Option<Run> {
        const KEYS: usize = 16;
        const RUNS: usize = 16;
        if kem_by_name(self.algorithm).is_err() {
            return operation();
        }
        let mut each: Vec<Run> = (0..KEYS).map(|_| operation()).collect::<Option<_>>()?;
        let mut ran = 0;
        Some(Box::new(move || {
            each[ran / RUNS % KEYS]();
            ran += 1;
        }))
    }

    /// Makes the keys and messages of everybody who takes part.
    ///
    /// # Panics
    /// If grille does not have the operation; it does if [`plans`] made this.
    #[must_use]
    pub fn case(self, peers: &[Peer]) -> Case {
        let own = || grille::operations(self.algorithm).into_iter().find(|own| own.name == self.operation);
        let Own { against, count, .. } = own().expect("a plan of grille's operations");
        let run = self.in_turns(|| Some(own()?.run)).expect("the same");
        let mut contenders = vec![Contender { peer: "grille", count, run }];
        for peer in peers {
            let operation =
                || (peer.operations)(self.algorithm).into_iter().find(|(name, _)| *name == against);
            let run = self.in_turns(|| Some(operation()?.1));
            contenders.extend(run.map(|run| Contender { peer: peer.name, count: 1, run }));
        }
        Case {
            algorithm: self.algorithm.to_owned(),
            operation: self.operation.to_owned(),
            mean: depends_on_luck(self.algorithm, self.operation),
            contenders,
        }
    }
}

/// Whether attempts are rejected: signatures everywhere, and keys of Falcon.
fn depends_on_luck(algorithm: &str, operation: &str) -> bool {
    operation.starts_with("sign") || algorithm.starts_with("Falcon") && operation == "keygen"
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::rc::Rc;

    #[test]
    fn operations_of_kems_run_with_each_of_their_keys_in_turns() {
        let (made, runs) = (Cell::new(0), Rc::new(Cell::new([0; 16])));
        let operation = || {
            let (key, runs) = (made.replace(made.get() + 1), Rc::clone(&runs));
            let run = move || runs.set(std::array::from_fn(|i| runs.get()[i] + usize::from(i == key)));
            Some(Box::new(run) as Run)
        };
        let plan = Plan { algorithm: "ML-KEM-768", operation: "encaps" };
        let mut run = plan.in_turns(operation).expect("an operation");
        (0..8 * 16).for_each(|_| run());
        assert_eq!(runs.get()[..], [[16; 8], [0; 8]].concat());
        (0..8 * 16).for_each(|_| run());
        assert_eq!(runs.get(), [16; 16]);
    }

    fn has_only_keygen(name: &str) -> Operations {
        if name == "ML-KEM-768" { vec![("keygen", Box::new(|| ()))] } else { Vec::new() }
    }

    fn plans_of(filter: &str, alone: bool) -> Vec<Plan> {
        let peer =
            Peer { name: "p", version: String::new(), build: String::new(), operations: has_only_keygen };
        plans(&[peer], &Options { filters: vec![filter.into()], quick: true }, alone)
    }

    #[test]
    fn every_algorithm_is_planned_and_classical_ones_are_not() {
        assert!(plans_of("ML-KEM-512", true).len() >= 4);
        assert!(plans_of("Dilithium5", true).len() >= 4);
        assert!(plans_of("Ed25519", true).iter().all(|plan| plan.algorithm != "Ed25519"));
    }

    #[test]
    fn what_no_peer_has_is_left_out_on_demand() {
        assert!(plans_of("ML-KEM-512", false).is_empty());
        assert!(plans_of("ML-KEM-768", false).len() >= 4);
    }

    #[test]
    fn a_peer_takes_part_in_what_it_has() {
        let peers = || {
            [Peer { name: "p", version: String::new(), build: String::new(), operations: has_only_keygen }]
        };
        let contenders =
            |operation| Plan { algorithm: "ML-KEM-768", operation }.case(&peers()).contenders.len();
        assert_eq!((contenders("keygen"), contenders("encaps")), (2, 1));
    }
}
