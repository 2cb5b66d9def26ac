//! Compares grille with liboqs 0.7 in one run and prints a report as JSON, which `grille-bench` merges.

#[path = "../../src/peers/liboqs.rs"]
mod liboqs;

use clap::Parser;
use grille_bench_harness::cases::{Operations, Peer};
use grille_bench_harness::options::Options;
use grille_bench_harness::report::locked_version;

/// The options that `grille-bench` passes to this program.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    options: Options,
}

fn main() -> serde_json::Result<()> {
    let peer = Peer {
        name: "liboqs 0.7",
        version: format!("oqs-sys {}", locked_version(include_str!("../Cargo.lock"), "oqs-sys")),
        build: liboqs::build(),
        operations,
    };
    let report = grille_bench_harness::run(&[peer], &Arguments::parse().options, false);
    serde_json::to_writer(std::io::stdout(), &report)
}

/// Returns the operations of liboqs 0.7 for an algorithm. This release has Falcon in its version of 2020.
fn operations(name: &str) -> Operations {
    match name.strip_suffix("-2020") {
        Some(set) => liboqs::operations(set),
        None if name.starts_with("Falcon-") => Operations::new(),
        None => liboqs::operations(name),
    }
}
