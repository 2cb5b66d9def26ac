//! `grille speed`: speeds in the output formats of other tools, for comparison with them.

use crate::algorithm::{Algorithm, Unusable, warn_in_one_line};
use crate::bench::seconds;
use crate::error::Error;
use crate::operations::{self, Operation};
use crate::output::{Output, SCHEMA};
use clap::ValueEnum;
use clap::builder::ValueParser;
use grille_registry::{Row, Status};
use serde::Serialize;
use std::io::Write;
use std::time::{Duration, Instant};

/// Measure speeds and print them in the format of liboqs, of wolfCrypt or as CSV.
///
/// Each operation runs repeatedly on one thread, and each run is timed: the mean and the population standard
/// deviation are those of single runs. Cycles are computed from the frequency in /proc/cpuinfo.
///
/// Use `grille speed` to compare grille with liboqs or wolfCrypt, and `grille bench` to compare algorithms on this
/// machine, with medians and quartiles. `grille tls bench` measures TLS handshakes and throughput, `grille tls matrix`
/// the bytes and the memory of TLS connections.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille speed kem                            all standard KEMs in liboqs' format
  grille speed kem --all --format wolfcrypt   also old KEMs, in wolfCrypt's format
  grille speed ML-DSA-65 KYBER_LEVEL5 --seconds 3 --format csv > speed.csv")]
pub(crate) struct Args {
    /// `kem`, `sig`, or names as in `grille list` [default: all standard algorithms].
    #[arg(value_name = "ALGORITHM", value_parser = ValueParser::new(selection))]
    algorithms: Vec<Selection>,
    /// With `kem` and `sig`: measure candidates and retired algorithms, too.
    #[arg(long)]
    all: bool,
    /// Print the numbers in this format.
    #[arg(long, value_enum, default_value_t = Format::Liboqs)]
    format: Format,
    /// Measure each operation for this many seconds, from 0 to 3600.
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, default_value = "1", value_parser = seconds)]
    seconds: Duration,
}

/// The algorithms that one word on the command line selects.
#[derive(Clone, Copy)]
enum Selection {
    Kems,
    Signatures,
    One(Algorithm),
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The table of liboqs' speed_kem and speed_sig
    Liboqs,
    /// The lines of wolfCrypt's benchmark
    Wolfcrypt,
    /// Comma-separated values with a header line
    Csv,
}

fn selection(word: &str) -> Result<Selection, Unusable> {
    match word {
        "kem" => Ok(Selection::Kems),
        "sig" => Ok(Selection::Signatures),
        name => Algorithm::parse_usable(name).map(Selection::One),
    }
}

/// Measures and prints each operation.
///
/// # Errors
/// Returns an error if writing fails, or if an algorithm fails its self-check: the shared secrets of a KEM differ, or a
/// signature does not verify.
pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    let (algorithms, start, mhz) = (algorithms(args), Instant::now(), megahertz());
    warn_in_one_line("", algorithms.iter().map(|algorithm| algorithm.row()), out);
    let width = algorithms.iter().map(|algorithm| algorithm.row().name().len()).max().unwrap_or(0).max(17);
    let mut results = Vec::new();
    if !out.is_json() {
        title(args.format, width, out)?;
    }
    for (n, &algorithm) in algorithms.iter().enumerate() {
        if args.format == Format::Liboqs && !out.is_json() {
            writeln!(
                out,
                "{}",
                cells(width, algorithm.row().name(), &["", "", "", "", "", ""].map(String::from))
            )?;
        }
        operations::measure_each(algorithm, args.format.operations(algorithm), &mut |operation, run| {
            let label = format_args!("{} of {}: {}", n + 1, algorithms.len(), algorithm.row().name());
            out.progress(start, label);
            let result = measure(algorithm, operation, args.seconds, mhz, run);
            out.end_progress();
            if !out.is_json() {
                writeln!(out, "{}", args.format.line(width, algorithm, &result))?;
                out.flush()?;
            }
            results.push(result);
            Ok(())
        })?;
    }
    match out.is_json() {
        true => out.print_json(&Results { schema: SCHEMA, results }),
        false => Ok(()),
    }
}

fn algorithms(args: &Args) -> Vec<Algorithm> {
    let chosen = |algorithm: &Algorithm| {
        let row = algorithm.row();
        row.status() == Status::Standard || (args.all && row.status() != Status::Broken)
    };
    let of_kind = |kems: bool| {
        let of_kind = move |algorithm: &Algorithm| matches!(algorithm, Algorithm::Kem(_)) == kems;
        Algorithm::all().filter(of_kind).filter(chosen).collect::<Vec<_>>()
    };
    let all = [Selection::Kems, Selection::Signatures];
    let words = if args.algorithms.is_empty() { &all[..] } else { &args.algorithms };
    words
        .iter()
        .flat_map(|word| match word {
            Selection::Kems => of_kind(true),
            Selection::Signatures => of_kind(false),
            Selection::One(algorithm) => vec![*algorithm],
        })
        .collect()
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
    iterations: u64,
    total_seconds: f64,
    mean_microseconds: f64,
    /// The population standard deviation.
    deviation_microseconds: f64,
    operations_per_second: f64,
    /// The mean number of processor cycles; `None` if the processor's frequency is unknown.
    mean_cycles: Option<f64>,
    deviation_cycles: Option<f64>,
}

/// Runs the operation until the time is over, but at least twice, and times each run separately.
fn measure(
    algorithm: Algorithm,
    operation: Operation,
    time: Duration,
    mhz: Option<f64>,
    run: &mut dyn FnMut(),
) -> Speed {
    // warms the caches and runs one-time initialisation
    run();
    let start = Instant::now();
    let (mut iterations, mut mean, mut squares) = (0u64, 0.0, 0.0);
    while iterations < 2 || start.elapsed() < time {
        let begin = Instant::now();
        run();
        let microseconds = begin.elapsed().as_secs_f64() * 1e6;
        iterations += 1;
        // Welford's recurrence avoids the subtraction of large sums
        let before = microseconds - mean;
        mean += before / iterations as f64;
        squares += before * (microseconds - mean);
    }
    let deviation = (squares / iterations as f64).sqrt();
    Speed {
        algorithm: algorithm.row().name(),
        operation: operation.name(),
        iterations,
        total_seconds: start.elapsed().as_secs_f64(),
        mean_microseconds: mean,
        deviation_microseconds: deviation,
        operations_per_second: 1e6 / mean,
        mean_cycles: mhz.map(|mhz| mean * mhz),
        deviation_cycles: mhz.map(|mhz| deviation * mhz),
    }
}

/// Reads the processor's frequency from Linux' /proc/cpuinfo.
fn megahertz() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("cpu MHz"))?;
    line.split(':').nth(1)?.trim().parse().ok()
}

impl Format {
    /// Returns the operations to measure. wolfCrypt measures encapsulation and decapsulation together, and one side of
    /// a classical key agreement.
    fn operations(self, algorithm: Algorithm) -> &'static [Operation] {
        use Operation::{Decaps, EncapsDecaps, Keygen, Sign, Verify};
        match self {
            Self::Wolfcrypt if is_classical(algorithm) => &[Keygen, Decaps, Sign, Verify],
            Self::Wolfcrypt => &[Keygen, EncapsDecaps, Sign, Verify],
            Self::Liboqs | Self::Csv => &Operation::MEASURED_SEPARATELY,
        }
    }

    fn line(self, width: usize, algorithm: Algorithm, speed: &Speed) -> String {
        match self {
            Self::Liboqs => {
                let cycles =
                    |cycles: Option<f64>| cycles.map_or("-".to_owned(), |cycles| format!("{cycles:.0}"));
                let numbers = [
                    speed.iterations.to_string(),
                    format!("{:.3}", speed.total_seconds),
                    format!("{:.3}", speed.mean_microseconds),
                    format!("{:.3}", speed.deviation_microseconds),
                    cycles(speed.mean_cycles),
                    cycles(speed.deviation_cycles),
                ];
                cells(width, speed.operation, &numbers)
            }
            Self::Wolfcrypt => format_wolfcrypt(algorithm, speed),
            Self::Csv => {
                let cycles =
                    |cycles: Option<f64>| cycles.map_or(String::new(), |cycles| format!("{cycles:.0}"));
                format!(
                    "{},{},{},{:.6},{:.3},{:.3},{:.3},{},{}",
                    speed.algorithm,
                    speed.operation,
                    speed.iterations,
                    speed.total_seconds,
                    speed.mean_microseconds,
                    speed.deviation_microseconds,
                    speed.operations_per_second,
                    cycles(speed.mean_cycles),
                    cycles(speed.deviation_cycles)
                )
            }
        }
    }
}

const COLUMNS: [&str; 6] =
    ["Iterations", "Total time (s)", "Time (us): mean", "pop. stdev", "CPU cycles: mean", "pop. stdev"];

const CSV_HEADER: &str = "algorithm,operation,iterations,total_seconds,mean_microseconds,deviation_microseconds,\
                   operations_per_second,mean_cycles,deviation_cycles";

fn title(format: Format, width: usize, out: &mut Output) -> Result<(), Error> {
    match format {
        Format::Liboqs => {
            writeln!(out, "{}", cells(width, "Operation", &COLUMNS.map(String::from)))?;
            let dashes = COLUMNS.map(|title| "-".repeat(title.len()));
            writeln!(out, "{}", cells(width, &"-".repeat(width), &dashes))?;
        }
        Format::Csv => writeln!(out, "{CSV_HEADER}")?,
        Format::Wolfcrypt => (),
    }
    Ok(())
}

/// Formats a row of liboqs' table.
fn cells(width: usize, first: &str, numbers: &[String; 6]) -> String {
    let numbers: String = COLUMNS
        .iter()
        .zip(numbers)
        .map(|(title, number)| format!(" | {number:>width$}", width = title.len()))
        .collect();
    format!("{first:<width$}{numbers}").trim_end().to_owned()
}

/// Formats a line of wolfCrypt: `NAME op N ops took S sec, avg X ms, Y ops/sec`; N ends in the 32nd column.
fn format_wolfcrypt(algorithm: Algorithm, speed: &Speed) -> String {
    let left = match (algorithm, speed.operation) {
        (_, operation) if is_classical(algorithm) => format_classical(algorithm, operation),
        (Algorithm::Kem(row), "keygen") => format!("{}-kg", kem_name(row)),
        (Algorithm::Kem(row), _) => format!("{}-ed", kem_name(row)),
        (Algorithm::Signature(row), "keygen") => format!("{:<15} key gen", signature_name(row)),
        (Algorithm::Signature(row), operation) => format!("{:<15} {operation}", signature_name(row)),
    };
    let room = 31_usize.saturating_sub(left.chars().count());
    format!(
        "{left} {:>room$} ops took {:.3} sec, avg {:.3} ms, {:.3} ops/sec",
        speed.iterations,
        speed.total_seconds,
        speed.mean_microseconds / 1e3,
        speed.operations_per_second
    )
}

fn is_classical(algorithm: Algorithm) -> bool {
    algorithm.row().category() == 0
}

/// Formats wolfCrypt's label of a classical operation: `ECDHE SECP256R1 agree`, `CURVE  25519 key gen`, `RSA     2048
/// sign`.
fn format_classical(algorithm: Algorithm, operation: &str) -> String {
    let row = algorithm.row();
    let operation = match operation {
        "keygen" => "key gen",
        "decaps" => "agree",
        other => other,
    };
    let names = std::iter::once(row.name()).chain(row.aliases().iter().copied());
    if let Some(curve) = names.flat_map(|name| name.split('_')).find(|word| word.starts_with("secp")) {
        let kind = match operation {
            "key gen" => "ECC",
            "agree" => "ECDHE",
            _ => "ECDSA",
        };
        return format!("{kind:<5} {} {operation}", curve.to_uppercase());
    }
    let digits = row.name().find(|c: char| c.is_ascii_digit()).unwrap_or(0);
    let (kind, bits) = row.name().split_at(digits);
    let kind = match algorithm {
        Algorithm::Kem(_) => "CURVE".to_owned(),
        Algorithm::Signature(_) => kind.trim_end_matches('-').to_uppercase(),
    };
    format!("{kind:<6} {bits:>5} {operation}")
}

/// Returns wolfCrypt's name of a KEM: `kyber_level1` for KYBER_LEVEL1, `ntruHPS_level1` for NTRU_HPS_LEVEL1.
fn kem_name(row: &dyn Row) -> String {
    const WORDS: [(&str, &str); 3] =
        [("KYBER_90S", "kyber90s"), ("NTRU_HPS", "ntruHPS"), ("NTRU_HRSS", "ntruHRSS")];
    let Some((stem, level)) = level_name(row) else { return row.name().to_owned() };
    let stem = WORDS
        .iter()
        .find(|(word, _)| *word == stem)
        .map_or_else(|| stem.to_lowercase(), |word| word.1.into());
    format!("{stem}_level{level}")
}

/// Returns wolfCrypt's name of a signature scheme, such as `DILITHIUM_level2`.
fn signature_name(row: &dyn Row) -> String {
    level_name(row).map_or_else(|| row.name().to_owned(), |(stem, level)| format!("{stem}_level{level}"))
}

/// Splits wolfSSL's name of the algorithm at `_LEVEL`.
fn level_name(row: &dyn Row) -> Option<(&'static str, &'static str)> {
    row.aliases().iter().find_map(|alias| alias.split_once("_LEVEL"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn speed(operation: &'static str) -> Speed {
        Speed {
            algorithm: "A",
            operation,
            iterations: 6600,
            total_seconds: 1.001,
            mean_microseconds: 152.0,
            deviation_microseconds: 2.0,
            operations_per_second: 6590.957,
            mean_cycles: Some(42.4),
            deviation_cycles: None,
        }
    }

    fn row(name: &str) -> Algorithm {
        Algorithm::parse(name).expect("a registered name")
    }

    #[test]
    fn formats_lines_as_wolfcrypt_does() {
        let line = |name, operation| format_wolfcrypt(row(name), &speed(operation));
        let rest = "6600 ops took 1.001 sec, avg 0.152 ms, 6590.957 ops/sec";
        assert_eq!(line("DILITHIUM_AES_LEVEL2", "verify"), format!("DILITHIUM_AES_level2 verify {rest}"));
        assert_eq!(line("KYBER_90S_LEVEL1", "keygen"), format!("kyber90s_level1-kg          {rest}"));
        assert_eq!(line("KYBER_LEVEL5", "encaps and decaps"), format!("kyber_level5-ed             {rest}"));
        assert_eq!(line("secp256r1", "decaps"), format!("ECDHE SECP256R1 agree       {rest}"));
        assert_eq!(line("RSA-3072", "sign"), format!("RSA     3072 sign           {rest}"));
        assert_eq!(line("ML-KEM-768", "keygen"), format!("ML-KEM-768-kg               {rest}"));
    }

    #[test]
    fn aligns_columns_with_their_titles() {
        let title = cells(17, "Operation", &COLUMNS.map(String::from));
        let line = Format::Liboqs.line(17, row("KYBER_LEVEL1"), &speed("keygen"));
        let bars = |text: &str| text.match_indices('|').map(|(at, _)| at).collect::<Vec<_>>();
        assert_eq!(bars(&title), bars(&line));
        assert!(
            line.starts_with("keygen            |       6600 |          1.001 |         152.000 |"),
            "{line}"
        );
        assert!(line.ends_with("42 |          -"), "{line}");
    }

    #[test]
    fn computes_mean_and_deviation_of_single_runs() {
        let mut runs = 0u64;
        let speed =
            measure(row("X25519"), Operation::Keygen, Duration::from_millis(5), Some(1000.0), &mut || {
                runs += 1;
            });
        assert_eq!(speed.iterations + 1, runs);
        assert!(speed.mean_microseconds > 0.0 && speed.deviation_microseconds >= 0.0);
        assert_eq!(speed.mean_cycles, Some(speed.mean_microseconds * 1000.0));
    }
}
