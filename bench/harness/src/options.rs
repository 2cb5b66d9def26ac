//! What can be asked for on the command line.

use crate::measure::Effort;
use indicatif::{ProgressBar, ProgressStyle};

/// What every program of the bench understands.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// Parts of names, such as `ml-kem-768` or `sign`: what contains all of them is measured
    pub filters: Vec<String>,
    /// Few and short batches: a first look, not to be quoted
    #[arg(long)]
    pub quick: bool,
}

impl Options {
    /// Whether an operation of an algorithm is asked for.
    #[must_use]
    pub fn wants(&self, algorithm: &str, operation: &str) -> bool {
        let name = format!("{algorithm} {operation}").to_lowercase();
        self.filters.iter().all(|filter| name.contains(&filter.to_lowercase()))
    }

    /// Whether an operation of the algorithm may be asked for: what is part of any of these `names` must be part of its
    /// own. Planning the others would make keys for nothing.
    #[must_use]
    pub fn may_want(&self, algorithm: &str, names: &[&str]) -> bool {
        let is_part = |filter: &str, name: &str| name.to_lowercase().contains(&filter.to_lowercase());
        self.filters
            .iter()
            .all(|filter| is_part(filter, algorithm) || !names.iter().any(|name| is_part(filter, name)))
    }

    /// How much is measured.
    #[must_use]
    pub const fn effort(&self) -> Effort {
        if self.quick { Effort::QUICK } else { Effort::FULL }
    }

    /// Whether the whole is measured, with care.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.filters.is_empty() && !self.quick
    }

    /// The same, for a program beside this one.
    #[must_use]
    pub fn arguments(&self) -> Vec<String> {
        let quick = self.quick.then(|| "--quick".to_owned());
        quick.into_iter().chain(self.filters.iter().cloned()).collect()
    }
}

/// A bar on a terminal, nothing elsewhere.
#[must_use]
pub fn progress(cases: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len}  {eta:>4} left  {msg}")
        .expect("a template in order");
    ProgressBar::new(cases as u64).with_style(style)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(filters: &[&str]) -> Options {
        Options { filters: filters.iter().map(|&filter| filter.into()).collect(), quick: false }
    }

    #[test]
    fn an_algorithm_may_be_wanted_if_no_part_names_another() {
        let names = ["ML-KEM-512", "ML-KEM-768"];
        assert!(options(&["768", "encaps"]).may_want("ML-KEM-768", &names));
        assert!(!options(&["768", "encaps"]).may_want("ML-KEM-512", &names));
        assert!(options(&[]).may_want("ML-KEM-512", &names));
    }

    #[test]
    fn a_filter_is_a_part_of_the_name_and_all_filters_must_fit() {
        assert!(options(&[]).wants("ML-KEM-768", "keygen"));
        assert!(options(&["ml-kem"]).wants("ML-KEM-768", "keygen"));
        assert!(options(&["768", "keygen"]).wants("ML-KEM-768", "keygen"));
        assert!(!options(&["768", "encaps"]).wants("ML-KEM-768", "keygen"));
    }

    #[test]
    fn only_everything_with_full_effort_is_complete() {
        assert!(options(&[]).is_complete());
        assert!(!options(&["sign"]).is_complete());
        assert!(!Options { filters: vec![], quick: true }.is_complete());
    }
}
