//! The `grille spdm perf` subcommand.

mod columns;
mod configurations;
mod flow;
#[cfg(feature = "measure-memory")]
mod memory;
mod options;
mod report;
mod suite;
mod svg;
mod unsupported;

use self::configurations::{PROTOTYPE, standard};
use self::options::Configuration;
use self::report::{Measured, Row, Table};
use self::suite::Suite;
use crate::error::Error;
use crate::files::{self, NewFile};
use crate::output::Output;
use indicatif::ProgressBar;
use std::path::PathBuf;

/// Measure the cryptography of a whole SPDM flow on both sides, as spdm_perf_emu of openspdm-pqc does.
///
/// The options and their values are those of spdm_perf_emu: replace `spdm_perf_emu.exe` by `grille spdm perf`. The flow
/// is negotiation, digests and certificates (unless --slot-id is 0xFF), challenge, and a session. Requester and
/// responder run in memory on one thread, and the requester's clock stops while the responder works. Each number is
/// the median of all runs in microseconds.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille spdm perf --pqc-kem KYBER_768 --pqc-sig DILITHIUM_3 --slot-id 0xFF
  grille spdm perf --all --svg perf.svg
  grille spdm perf --all --standard --runs 101 --json")]
pub(super) struct Args {
    #[command(flatten)]
    configuration: Configuration,
    /// Measure the 43 configurations of openspdm-pqc.
    #[arg(long, conflicts_with_all = ["configuration", "dialect_algorithms", "unsupported"])]
    all: bool,
    /// Measure the configurations of SPDM 1.4: with --all in addition to those of openspdm-pqc, without --all only
    /// these.
    #[arg(long, conflicts_with_all = ["configuration", "dialect_algorithms", "unsupported"])]
    standard: bool,
    /// Repeat each flow this many times.
    #[arg(long, value_name = "N", default_value_t = 31, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    runs: u32,
    /// Measure stack and heap of each algorithm and of the whole flow, instead of times. Needs a program that was built
    /// with `--features measure-memory`.
    #[arg(long, conflicts_with_all = ["runs", "svg"])]
    memory: bool,
    /// Also draw stacked bars to this SVG file; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Replace an existing SVG file.
    #[arg(long, requires = "svg")]
    force: bool,
}

/// Measures the configurations, and prints their tables.
///
/// # Errors
/// Returns an error if an option is invalid, a flow fails, or an output cannot be written.
pub(super) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    let silent = files::claims_stdout(args.svg.as_deref(), out.is_json())?;
    if let Some(path) = &args.svg {
        files::refuse_existing(path, args.force)?;
    }
    let suites = suites(args)?;
    if args.memory {
        return measure_memory(&suites, out);
    }
    let bar = out.bar(u64::from(args.runs) * suites.len() as u64);
    let rows = measure(&suites, args.runs, &bar);
    bar.finish_and_clear();
    let measured = Measured { runs: args.runs, rows: rows? };
    if !silent {
        out.print(&measured)?;
    }
    match &args.svg {
        Some(path) => {
            files::write(&[NewFile::public(path, svg::draw(&measured.rows).as_bytes())], args.force)
        }
        None => Ok(()),
    }
}

/// Measures the memory of the configurations, and prints it.
#[cfg(feature = "measure-memory")]
fn measure_memory(suites: &[(Table, Suite)], out: &mut Output) -> Result<(), Error> {
    let bar = out.bar(suites.len() as u64);
    memory::run(suites, &bar, out)
}

/// Refuses `--memory`: only a program that was built with memory counters can measure memory.
#[cfg(not(feature = "measure-memory"))]
fn measure_memory(_suites: &[(Table, Suite)], _out: &mut Output) -> Result<(), Error> {
    let advice = "build the program again with `--features measure-memory`";
    Err(Error::usage("this program was built without memory counters").with_place("--memory").advise(advice))
}

/// Returns the configurations that the command line selects, each with the table that lists it.
fn suites(args: &Args) -> Result<Vec<(Table, Suite)>, Error> {
    if !args.all && !args.standard {
        return Ok(vec![(Table::for_configuration(&args.configuration), args.configuration.suite()?)]);
    }
    let mut suites = Vec::new();
    if args.all {
        for (table, line) in PROTOTYPE {
            suites.push((*table, Configuration::parse(line)?.suite()?));
        }
    }
    if args.standard {
        suites.extend(standard()?.into_iter().map(|suite| (Table::Standard, suite)));
    }
    Ok(suites)
}

/// Runs each configuration `runs` times, and returns a row of medians for each.
fn measure(suites: &[(Table, Suite)], runs: u32, bar: &ProgressBar) -> Result<Vec<Row>, Error> {
    let mut rows = Vec::new();
    for (number, (table, suite)) in (1..).zip(suites) {
        let parties = suite.parties()?;
        let run = |_| {
            let times = flow::run(suite, &parties);
            bar.inc(1);
            times
        };
        let times: Result<Vec<_>, _> = (0..runs).map(run).collect();
        rows.push(Row::new(number, *table, suite, &times.map_err(|error| error.with_subject(&suite.name))?));
    }
    Ok(rows)
}
