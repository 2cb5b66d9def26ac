//! `grille bench`: operations per second on one thread, as the median of batches.

use crate::algorithm::{Algorithm, warn_in_one_line};
use crate::error::Error;
use crate::operations::{self, Operation};
use crate::output::{BOLD, DIM, Output, SCHEMA};
use clap::builder::ValueParser;
use grille_registry::Status;
use serde::Serialize;
use std::io::Write;
use std::time::{Duration, Instant};

/// Measure how many operations per second each algorithm performs.
///
/// Each number is the median over batches of about 2 ms on one thread. JSON adds the quartiles and the counts.
/// ML-DSA repeats signing until a bound holds, so its time depends on key and message: every batch signs new messages.
///
/// Use `grille bench` to compare algorithms on this machine, and `grille speed` to compare grille with liboqs or
/// wolfCrypt in their own output formats. Use `grille tls bench` for whole TLS handshakes and throughput, and
/// `grille tls matrix` for the bytes and the memory of a TLS connection.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille bench                        measure all standard algorithms
  grille bench ML-KEM-768 X25519
  grille bench ML-DSA-65 --seconds 2 --json | jq .results[].median_ns")]
pub(crate) struct Args {
    /// Names, as in `grille list` [default: all standard algorithms].
    #[arg(value_name = "ALGORITHM", value_parser = ValueParser::new(Algorithm::parse_usable))]
    algorithms: Vec<Algorithm>,
    /// Measure each operation for this many seconds, from 0 to 3600.
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, default_value = "0.3", value_parser = seconds)]
    seconds: Duration,
}

/// Measures the algorithms and prints one row for each.
///
/// # Errors
/// Returns an error if writing fails, or if an algorithm fails its self-check: the shared secrets of a KEM differ, or a
/// signature does not verify.
pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    let algorithms = match args.algorithms.as_slice() {
        [] => Algorithm::all().filter(|algorithm| algorithm.row().status() == Status::Standard).collect(),
        given => given.to_vec(),
    };
    warn_in_one_line("", algorithms.iter().map(|algorithm| algorithm.row()), out);
    let width = algorithms.iter().map(|algorithm| algorithm.row().name().len()).max().unwrap_or(0);
    let mut results = Vec::new();
    for (i, &algorithm) in algorithms.iter().enumerate() {
        let speeds = speeds(algorithm, args.seconds)?;
        if !out.is_json() {
            let new_kind = i == 0 || is_kem(algorithms[i - 1]) != is_kem(algorithm);
            print_row(out, width, &speeds, new_kind)?;
        }
        results.extend(speeds);
    }
    if out.is_json() {
        return out.print_json(&Results { schema: SCHEMA, results });
    }
    writeln!(out, "{DIM}Operations per second on one thread, median of batches.{DIM:#}")?;
    Ok(out.flush()?)
}

const fn is_kem(algorithm: Algorithm) -> bool {
    matches!(algorithm, Algorithm::Kem(_))
}

#[derive(Serialize)]
struct Results {
    schema: u32,
    results: Vec<Speed>,
}

/// The speed of one operation.
#[derive(Serialize)]
struct Speed {
    algorithm: &'static str,
    operation: &'static str,
    ops_per_second: f64,
    /// Nanoseconds per operation: the median over the batches.
    median_ns: f64,
    lower_quartile_ns: f64,
    upper_quartile_ns: f64,
    batches: usize,
    /// Operations in each batch.
    batch: u32,
}

fn speeds(algorithm: Algorithm, time: Duration) -> Result<Vec<Speed>, Error> {
    let mut speeds = Vec::new();
    operations::measure_each(algorithm, &Operation::MEASURED_SEPARATELY, &mut |operation, run| {
        speeds.push(measure(algorithm.row().name(), operation.name(), time, run));
        Ok(())
    })?;
    Ok(speeds)
}

/// Runs batches of equal length until the time is over, but at least five batches.
fn measure(algorithm: &'static str, operation: &'static str, time: Duration, run: &mut dyn FnMut()) -> Speed {
    let batch = batch_len(run);
    let start = Instant::now();
    let mut times = Vec::new();
    while times.len() < 5 || start.elapsed() < time {
        times.push(run_batch(batch, run).as_secs_f64() * 1e9 / f64::from(batch));
    }
    times.sort_by(f64::total_cmp);
    let quantile = |quarters: usize| times[(times.len() - 1) * quarters / 4];
    Speed {
        algorithm,
        operation,
        ops_per_second: 1e9 / quantile(2),
        median_ns: quantile(2),
        lower_quartile_ns: quantile(1),
        upper_quartile_ns: quantile(3),
        batches: times.len(),
        batch,
    }
}

/// Returns a number of runs that together take at least 2 ms, so that the clock's resolution does not matter. Also
/// warms the caches.
fn batch_len(run: &mut dyn FnMut()) -> u32 {
    let mut batch = 1;
    while run_batch(batch, run) < Duration::from_millis(2) && batch < 1 << 24 {
        batch *= 2;
    }
    batch
}

fn run_batch(batch: u32, run: &mut dyn FnMut()) -> Duration {
    let start = Instant::now();
    (0..batch).for_each(|_| run());
    start.elapsed()
}

fn print_row(out: &mut Output, width: usize, speeds: &[Speed], titles: bool) -> Result<(), Error> {
    if titles {
        let titles: String =
            speeds.iter().map(|speed| format!("{:>12}", format!("{}/s", speed.operation))).collect();
        writeln!(out, "{BOLD}{:<width$}{titles}{BOLD:#}", "")?;
    }
    let name = speeds.first().map_or("", |speed| speed.algorithm);
    let numbers: String =
        speeds.iter().map(|speed| format!("{:>12}", format_rate(speed.ops_per_second))).collect();
    writeln!(out, "{name:<width$}{numbers}")?;
    Ok(out.flush()?)
}

/// Formats a rate; rates below 100 keep one digit after the point.
fn format_rate(number: f64) -> String {
    if number < 100.0 { format!("{number:.1}") } else { format!("{number:.0}") }
}

/// Parses `--seconds`.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds
        .filter(|time| time.as_secs() <= 3600)
        .ok_or_else(|| "give a number of seconds from 0 to 3600".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    #[test]
    fn makes_batches_long_enough_for_the_clock() {
        let mut runs = 0u64;
        let mut speed =
            || measure("none", "count", Duration::from_millis(20), &mut || runs = black_box(runs + 1));
        // an interrupt can make the first run look long, hence the retries
        let speed = (0..10).map(|_| speed()).find(|speed| speed.batch > 1).unwrap();
        assert!(speed.batches >= 5);
        assert!(speed.lower_quartile_ns <= speed.median_ns && speed.median_ns <= speed.upper_quartile_ns);
        assert!(runs >= u64::from(speed.batch) * speed.batches as u64);
    }

    #[test]
    fn rejects_negative_infinite_and_huge_times() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for wrong in ["-1", "x", "inf", "NaN", "1e9"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }
}
