//! The checked-in records, which `grille-vectors` embeds in the program.

use crate::record::Answers;
use grille_vectors::FILES;

/// Lists the sources without duplicates.
#[must_use]
pub fn sources() -> Vec<&'static str> {
    let mut sources: Vec<_> = FILES.iter().map(|(source, _)| *source).collect();
    sources.dedup();
    sources
}

/// Returns the name under which a release shipped an algorithm of [`algorithms`]. If a later release used the name for
/// another algorithm, the registry and the vector files append the year or the round to it.
#[must_use]
pub fn release_name(algorithm: &str) -> &str {
    let suffixes = ["-round2", "-round3", "-2020"].iter();
    suffixes.filter_map(|suffix| algorithm.strip_suffix(suffix)).next().unwrap_or(algorithm)
}

/// Lists the names of the algorithms with records from a source.
#[must_use]
pub fn algorithms(source: &str) -> Vec<String> {
    all(source).map(|answers| answers.algorithm).collect()
}

/// Returns the records of one algorithm from one source.
#[must_use]
pub fn load(source: &str, algorithm: &str) -> Option<Answers> {
    all(source).find(|answers| answers.algorithm == algorithm)
}

fn all(source: &str) -> impl Iterator<Item = Answers> {
    let texts = FILES.iter().filter(move |(name, _)| *name == source);
    texts.flat_map(|(_, text)| {
        serde_json::from_str::<Vec<Answers>>(text).expect("vector files are parsed by the tests")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn has_distinct_release_names_within_a_source() {
        for source in sources() {
            let all = algorithms(source);
            let names: BTreeSet<_> = all.iter().map(|algorithm| release_name(algorithm)).collect();
            assert_eq!(names.len(), all.len(), "{source}");
        }
        assert_eq!(release_name("Falcon-512-2020"), "Falcon-512");
        assert_eq!(release_name("ML-KEM-768"), "ML-KEM-768");
    }
}
