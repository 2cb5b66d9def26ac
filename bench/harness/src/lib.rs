//! Measures grille and its peers alternately in one process.
//!
//! | question | file |
//! |---|---|
//! | how is time measured? | `clock`, `measure` |
//! | which operations are measured, and in which libraries? | `cases` |
//! | which operations does grille run? | `grille`, `prepared` |
//! | where does randomness come from? | `rng` |
//! | what is in a report? | `report` |
//! | which options are there? | `options` |
#![forbid(unsafe_code)]

#[cfg(feature = "time")]
pub mod cases;
#[cfg(feature = "time")]
pub mod clock;
pub mod grille;
#[cfg(feature = "time")]
pub mod measure;
#[cfg(feature = "time")]
pub mod options;
pub mod prepared;
#[cfg(feature = "time")]
pub mod report;
pub mod rng;

#[cfg(feature = "time")]
use options::Options;
#[cfg(feature = "time")]
use report::Report;

/// Measures every selected operation in grille and these peers, on one core. `alone`: include operations that no peer
/// has.
#[cfg(feature = "time")]
#[must_use]
pub fn run(peers: &[cases::Peer], options: &Options, alone: bool) -> Report {
    let mut report = Report::begin(peers);
    clock::pin_to_one_core();
    let plans = cases::plans(peers, options, alone);
    let progress = options::progress(plans.len());
    for plan in plans {
        progress.set_message(format!("{} {}", plan.algorithm, plan.operation));
        report.results.push(measure::run(plan.case(peers), options.effort()));
        progress.inc(1);
    }
    progress.finish_and_clear();
    report.end()
}
