//! Options of the command line.

use crate::measure::Effort;
use indicatif::{ProgressBar, ProgressStyle};

/// Options of every program of the bench.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// Measure operations whose name contains all of these parts, such as `ml-kem-768` or `sign` [default: all]
    pub filters: Vec<String>,
    /// Run few and short batches, for a quick look; do not publish these figures
    #[arg(long)]
    pub quick: bool,
}

impl Options {
    /// Returns whether an operation of an algorithm is selected.
    #[must_use]
    pub fn wants(&self, algorithm: &str, operation: &str) -> bool {
        let name = format!("{algorithm} {operation}").to_lowercase();
        self.filters.iter().all(|filter| name.contains(&filter.to_lowercase()))
    }

    /// Returns whether an operation of the algorithm may be selected, so that no keys are made for other algorithms. A
    /// filter that is part of any of `names` must be part of this algorithm's name. Any other filter may be part of an
    /// operation's name.
    #[must_use]
    pub fn may_want(&self, algorithm: &str, names: &[&str]) -> bool {
        let is_part = |filter: &str, name: &str| name.to_lowercase().contains(&filter.to_lowercase());
        self.filters
            .iter()
            .all(|filter| is_part(filter, algorithm) || !names.iter().any(|name| is_part(filter, name)))
    }

    /// Returns the durations and the number of batches in a measurement.
    #[must_use]
    pub const fn effort(&self) -> Effort {
        if self.quick { Effort::QUICK } else { Effort::FULL }
    }

    /// Returns whether all operations are measured with full effort.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.filters.is_empty() && !self.quick
    }

    /// Returns the arguments with which another program of the bench gets these options.
    #[must_use]
    pub fn arguments(&self) -> Vec<String> {
        let quick = self.quick.then(|| "--quick".to_owned());
        quick.into_iter().chain(self.filters.iter().cloned()).collect()
    }
}

/// Returns a progress bar, which is hidden unless standard error is a terminal.
#[must_use]
pub fn progress(cases: usize) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{bar:30} {pos}/{len}  {eta:>4} left  {msg}").expect("a valid template");
    ProgressBar::new(cases as u64).with_style(style)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(filters: &[&str]) -> Options {
        Options { filters: filters.iter().map(|&filter| filter.into()).collect(), quick: false }
    }

    #[test]
    fn selects_algorithms_unless_a_filter_names_another() {
        let names = ["ML-KEM-512", "ML-KEM-768"];
        assert!(options(&["768", "encaps"]).may_want("ML-KEM-768", &names));
        assert!(!options(&["768", "encaps"]).may_want("ML-KEM-512", &names));
        assert!(options(&[]).may_want("ML-KEM-512", &names));
    }

    #[test]
    fn requires_all_filters_to_match() {
        assert!(options(&[]).wants("ML-KEM-768", "keygen"));
        assert!(options(&["ml-kem"]).wants("ML-KEM-768", "keygen"));
        assert!(options(&["768", "keygen"]).wants("ML-KEM-768", "keygen"));
        assert!(!options(&["768", "encaps"]).wants("ML-KEM-768", "keygen"));
    }

    #[test]
    fn is_complete_without_filters_and_quick() {
        assert!(options(&[]).is_complete());
        assert!(!options(&["sign"]).is_complete());
        assert!(!Options { filters: vec![], quick: true }.is_complete());
    }
}
