//! Reads `floors.toml`, which contains the minimum ratios of peers' times to grille's, and compares results with them.

use grille_bench_harness::report::Outcome;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The floors of all peers and levels.
#[derive(Deserialize)]
pub struct Floors {
    floor: Vec<Floor>,
}

/// Floors of some algorithms: for each level and operation, the minimum ratio of the best peer's time to grille's time.
/// `peers`: the candidates for the best peer.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Floor {
    algorithms: Vec<String>,
    peers: Vec<String>,
    #[serde(default)]
    avx512: BTreeMap<String, f64>,
    #[serde(default)]
    avx2: BTreeMap<String, f64>,
}

/// Result of the comparison of an outcome with its floor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// The outcome has no floor.
    None,
    /// The floor is reached. Contains the best peer's ratio, and the floor.
    Reached(f64, f64),
    /// The floor is missed. Contains the best peer's ratio, and the floor.
    Missed(f64, f64),
    /// None of the floor's peers was measured. Contains the floor.
    Untested(f64),
}

impl Floors {
    /// Reads the `floors.toml` of this crate.
    ///
    /// # Panics
    /// Panics if the file is invalid. A test checks that it is valid.
    pub fn load() -> Self {
        toml::from_str(include_str!("../floors.toml")).expect("floors.toml is valid")
    }

    /// Compares an outcome that was measured at this level with its floor.
    pub fn verdict(&self, level: &str, outcome: &Outcome) -> Verdict {
        let floors = self.floor.iter().filter(|floor| floor.algorithms.contains(&outcome.algorithm));
        let found =
            floors.filter_map(|floor| Some((floor, *floor.at(level).get(&outcome.operation)?))).next();
        let Some((floor, least)) = found else { return Verdict::None };
        let peers = outcome.figures.iter().filter(|figure| floor.peers.contains(&figure.peer));
        match peers.map(|figure| figure.ratio).reduce(f64::min) {
            None => Verdict::Untested(least),
            Some(best) if best >= least => Verdict::Reached(best, least),
            Some(best) => Verdict::Missed(best, least),
        }
    }
}

impl Floor {
    fn at(&self, level: &str) -> &BTreeMap<String, f64> {
        static NONE: BTreeMap<String, f64> = BTreeMap::new();
        match level {
            "avx512" => &self.avx512,
            "avx2" => &self.avx2,
            _ => &NONE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grille_bench_harness::report::Figure;
    use std::collections::BTreeSet;

    fn outcome(peers: &[(&str, f64)]) -> Outcome {
        let figure = |&(peer, ratio): &(&str, f64)| Figure {
            peer: peer.into(),
            time: ratio,
            spread: 0.0,
            cycles: None,
            ratio,
            interleaved: true,
        };
        Outcome {
            algorithm: "ML-KEM-768".into(),
            operation: "keygen".into(),
            mean: false,
            cpu_share: 1.0,
            figures: peers.iter().map(figure).collect(),
        }
    }

    #[test]
    fn compares_with_the_best_of_the_named_peers() {
        let verdict = |peers: &[(&str, f64)]| Floors::load().verdict("avx512", &outcome(peers));
        assert_eq!(
            verdict(&[("grille", 1.0), ("liboqs", 2.5), ("libcrux", 1.5)]),
            Verdict::Reached(2.5, 2.0)
        );
        assert_eq!(
            verdict(&[("grille", 1.0), ("liboqs", 2.5), ("aws-lc-rs", 1.9)]),
            Verdict::Missed(1.9, 2.0)
        );
        assert_eq!(verdict(&[("grille", 1.0), ("libcrux", 9.0)]), Verdict::Untested(2.0));
    }

    #[test]
    fn has_floors_per_level_but_none_for_portable() {
        let outcome = outcome(&[("grille", 1.0), ("liboqs", 1.5)]);
        let verdict = |level| Floors::load().verdict(level, &outcome);
        assert_eq!(verdict("avx2"), Verdict::Reached(1.5, 1.3));
        assert_eq!(verdict("portable"), Verdict::None);
    }

    #[test]
    fn names_existing_operations_and_peers_only() {
        let mut peers: Vec<_> = crate::peers::all().iter().map(|peer| peer.name.to_owned()).collect();
        peers.push("liboqs 0.7".into());
        for floor in Floors::load().floor {
            assert!(floor.peers.iter().all(|peer| peers.contains(peer)), "{:?}", floor.peers);
            for name in &floor.algorithms {
                let measured = grille_bench_harness::grille::operations(name);
                for operation in floor.avx512.keys().chain(floor.avx2.keys()) {
                    assert!(measured.iter().any(|own| own.name == operation), "{name}: {operation}");
                }
            }
        }
    }

    #[test]
    fn has_no_duplicate_floors() {
        let mut stated = BTreeSet::new();
        for floor in Floors::load().floor {
            for name in &floor.algorithms {
                for (level, operations) in [("avx512", &floor.avx512), ("avx2", &floor.avx2)] {
                    for operation in operations.keys() {
                        let once = stated.insert((level, name.clone(), operation.clone()));
                        assert!(once, "{level}: {name}: {operation}");
                    }
                }
            }
        }
    }
}
