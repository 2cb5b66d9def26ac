//! Measures Go's crypto/mlkem with a separate program that prints medians. Its runs are not interleaved with grille's.

use grille_bench_harness::report::{Figure, Library, Report};
use serde::Deserialize;
use std::path::Path;
use std::process::Command;

/// The output of the program.
#[derive(Deserialize)]
struct ProgramOutput {
    version: String,
    results: Vec<Median>,
}

/// Times in nanoseconds per operation.
#[derive(Deserialize)]
struct Median {
    algorithm: String,
    operation: String,
    time: f64,
    spread: f64,
}

/// Runs the program and adds its figures to the operations that were measured.
///
/// # Errors
/// Returns an error if the program cannot be run or prints invalid output.
pub fn add(report: &mut Report, program: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let output = Command::new(program).output()?;
    let printed: ProgramOutput = serde_json::from_slice(&output.stdout)?;
    merge(report, printed);
    Ok(())
}

fn merge(report: &mut Report, printed: ProgramOutput) {
    report.peers.push(Library {
        name: "Go".to_owned(),
        version: format!("crypto/mlkem of {}", printed.version),
        build: "go build; not in turns with grille".to_owned(),
    });
    for Median { algorithm, operation, time, spread } in printed.results {
        let mut outcomes = report.results.iter_mut();
        if let Some(outcome) = outcomes.find(|o| o.algorithm == algorithm && o.operation == operation) {
            let ratio = time / outcome.figures[0].time;
            let peer = "Go".to_owned();
            outcome.figures.push(Figure { peer, time, spread, cycles: None, ratio, interleaved: false });
        }
    }
}
