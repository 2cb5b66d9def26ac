//! How grille and its peers are measured beside each other in one process.
//!
//! | question | file |
//! |---|---|
//! | how is time taken? | `clock`, `measure` |
//! | which operations are measured, and who takes part? | `cases` |
//! | what does grille run? | `grille` |
//! | where does randomness come from? | `rng` |
//! | what comes out? | `report` |
//! | what can be asked for? | `options` |
#![forbid(unsafe_code)]

pub mod cases;
pub mod clock;
pub mod grille;
pub mod measure;
pub mod options;
pub mod report;
pub mod rng;

use options::Options;
use report::Report;

/// Measures every operation that the options ask for against these peers, on one core; `alone`: also what no peer has.
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
