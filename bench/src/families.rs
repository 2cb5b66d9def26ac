//! Groups algorithms into families, with one table and one picture each.

use grille_bench_harness::report::Outcome;

/// The results of one family of algorithms, in the registry's order.
pub struct Family<'a> {
    /// The family's name.
    pub name: &'static str,
    /// One entry per operation of an algorithm.
    pub outcomes: Vec<&'a Outcome>,
}

const FAMILIES: &[&str] = &[
    "ML-KEM",
    "Kyber",
    "Kyber-90s",
    "ML-DSA",
    "Dilithium",
    "Dilithium-AES",
    "NTRU",
    "SABER",
    "Falcon",
    "SLH-DSA",
    "SPHINCS+",
    "Hybrids and others",
];

/// Returns the families that have results.
pub fn families(outcomes: &[Outcome]) -> Vec<Family<'_>> {
    let family = |&name| Family {
        name,
        outcomes: outcomes.iter().filter(|outcome| family_name(&outcome.algorithm) == name).collect(),
    };
    FAMILIES.iter().map(family).filter(|family| !family.outcomes.is_empty()).collect()
}

/// Returns the family of the algorithm with this canonical name.
fn family_name(algorithm: &str) -> &'static str {
    let is = |start: &str, end: &str| algorithm.starts_with(start) && algorithm.ends_with(end);
    match () {
        () if is("ML-KEM-", "") => "ML-KEM",
        () if is("Kyber", "-90s") => "Kyber-90s",
        () if is("Kyber", "") => "Kyber",
        () if is("ML-DSA-", "") => "ML-DSA",
        () if is("Dilithium", "-AES") => "Dilithium-AES",
        () if is("Dilithium", "") => "Dilithium",
        () if is("NTRU-", "") => "NTRU",
        () if is("", "Saber-KEM") => "SABER",
        () if is("Falcon-", "") => "Falcon",
        () if is("SLH-DSA-", "") => "SLH-DSA",
        () if is("SPHINCS+-", "") => "SPHINCS+",
        () => "Hybrids and others",
    }
}

impl<'a> Family<'a> {
    /// Returns the libraries that have an algorithm of the family, grille first, in the order of measurement.
    pub fn libraries(&self) -> Vec<&'a str> {
        let mut libraries = Vec::new();
        for figure in self.outcomes.iter().flat_map(|outcome| &outcome.figures) {
            if !libraries.contains(&figure.peer.as_str()) {
                libraries.push(figure.peer.as_str());
            }
        }
        libraries
    }

    /// Returns the results of each algorithm.
    pub fn algorithms(&self) -> Vec<(&'a str, Vec<&'a Outcome>)> {
        let mut algorithms: Vec<(&str, Vec<&Outcome>)> = Vec::new();
        for outcome in &self.outcomes {
            match algorithms.last_mut().filter(|(name, _)| *name == outcome.algorithm) {
                Some((_, outcomes)) => outcomes.push(outcome),
                None => algorithms.push((&outcome.algorithm, vec![outcome])),
            }
        }
        algorithms
    }

    /// Returns the family's name for file names.
    pub fn file_name(&self) -> String {
        self.name.to_lowercase().replace(' ', "-")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_families_by_name() {
        let all = [
            "ML-KEM-768",
            "Kyber512",
            "Kyber512-90s",
            "ML-DSA-44",
            "Dilithium2",
            "Dilithium5-AES",
            "NTRU-HRSS-701",
            "LightSaber-KEM",
            "Falcon-512",
            "SLH-DSA-SHA2-128f",
            "SPHINCS+-Haraka-128f-simple",
        ];
        for (name, family) in all.iter().zip(FAMILIES) {
            assert_eq!(family_name(name), *family);
        }
        assert_eq!(family_name("X25519MLKEM768"), "Hybrids and others");
    }
}
