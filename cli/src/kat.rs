//! `grille kat`: regenerates known answers and compares them with the stored ones.

use crate::algorithm::{Algorithm, warn_in_one_line};
use crate::error::Error;
use crate::output::{BAD, GOOD, Output};
use grille_kat::{Answers, algorithms, load, regenerate, release_name, sources};
use grille_registry::lookup::{is_named, is_same_name};
use std::io::Write;

/// Regenerate known answers as NIST's generator does, and compare them with the stored ones.
///
/// Regenerating all known answers takes minutes. With --json, the records are printed in the format of the vector
/// files.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille kat
  grille kat --source liboqs-0.16.0 ML-KEM-768 --count 100 --json
  grille kat --source liboqs-0.5.0 SPHINCS+-SHA256-128f-simple")]
pub(crate) struct Args {
    /// Compare with the records of this implementation [default: all implementations].
    #[arg(long, value_name = "NAME", value_parser = clap::builder::PossibleValuesParser::new(sources()))]
    source: Option<String>,
    /// The algorithms, by any name; with --source also by the names of that release [default: all algorithms].
    #[arg(value_name = "ALGORITHM")]
    algorithms: Vec<String>,
    /// Make this many records of each algorithm, from 1 to 100.
    #[arg(long, value_name = "N", default_value_t = 10, allow_negative_numbers = true, value_parser = clap::value_parser!(u8).range(1..=100))]
    count: u8,
}

/// Regenerates the records and compares them.
///
/// # Errors
/// Returns an error if an algorithm is unknown, or a record differs from the stored one.
pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    let mut made = Vec::new();
    let pairs = requested_pairs(args)?;
    let named = pairs.iter().filter(|_| !args.algorithms.is_empty());
    let named = named.filter_map(|(_, algorithm)| Algorithm::parse(algorithm).ok());
    warn_in_one_line("", named.map(Algorithm::row), out);
    let width = pairs.iter().map(|(_, algorithm)| algorithm.len()).max().unwrap_or_default();
    for (source, algorithm) in pairs {
        let answers = regenerate(source, &algorithm, args.count.into())
            .ok_or_else(|| Error::usage(format!("{source} does not have {algorithm}")))?;
        if !out.is_json() {
            print_line(&answers, width, out)?;
        }
        made.push(answers);
    }
    if out.is_json() {
        out.print_json(&made)?;
    }
    let wrong: Vec<&str> =
        made.iter().filter(|a| matches_stored(a) == Some(false)).map(|a| &*a.algorithm).collect();
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(Error::mismatch(format!("answers differ from the stored ones: {}", wrong.join(", "))))
    }
}

/// Returns the requested pairs of source and algorithm.
fn requested_pairs(args: &Args) -> Result<Vec<(&'static str, String)>, Error> {
    let all = sources().into_iter();
    let all = all.flat_map(|source| algorithms(source).into_iter().map(move |name| (source, name)));
    let chosen =
        |(source, _): &(&'static str, String)| args.source.as_deref().is_none_or(|name| name == *source);
    let (pairs, others): (Vec<_>, Vec<_>) = all.partition(chosen);
    if args.algorithms.is_empty() {
        return Ok(pairs);
    }
    let mut found = Vec::new();
    for name in &args.algorithms {
        if let Some(own) = args.source.as_ref().and_then(|_| find_in_release(name, &pairs)) {
            found.push(own);
            continue;
        }
        let row = Algorithm::parse(name).map_err(Error::usage)?.row();
        let before = found.len();
        found.extend(pairs.iter().filter(|(_, known)| is_named(row, known)).cloned());
        if found.len() == before {
            let elsewhere =
                others.iter().filter(|(_, known)| is_named(row, known)).map(|(source, _)| *source);
            return Err(missing_answers_error(
                row.name(),
                args.source.as_deref(),
                &elsewhere.collect::<Vec<_>>(),
            ));
        }
    }
    Ok(found)
}

/// Finds the algorithm by its name in the chosen source's release. Today the name may belong to another algorithm.
fn find_in_release(name: &str, pairs: &[(&'static str, String)]) -> Option<(&'static str, String)> {
    pairs.iter().find(|(_, known)| is_same_name(release_name(known), name)).cloned()
}

/// Returns the error for an algorithm without known answers in the chosen source, or in any source.
fn missing_answers_error(algorithm: &str, chosen: Option<&str>, others: &[&str]) -> Error {
    match (chosen, others) {
        (Some(source), [_, ..]) => {
            Error::usage(format_args!("{source} has no known answers for {algorithm}"))
                .advise(format_args!("give --source {}, which has them", others.join(" or ")))
        }
        _ => Error::usage(format_args!("liboqs has no known answers for {algorithm}"))
            .advise("run the tests of the algorithm's crate, which use other known answers"),
    }
}

/// Returns whether the regenerated answers match the stored ones; `None` if none are stored.
fn matches_stored(made: &Answers) -> Option<bool> {
    let known = load(&made.source, &made.algorithm)?;
    let both = made.records.iter().zip(&known.records).all(|(made, known)| made == known);
    Some(both && made.lengths == known.lengths && made.random_draws == known.random_draws)
}

fn print_line(made: &Answers, width: usize, out: &mut Output) -> Result<(), Error> {
    let compared = load(&made.source, &made.algorithm).map_or(0, |known| known.records.len());
    let compared = compared.min(made.records.len());
    let (style, verdict) = match matches_stored(made) {
        Some(true) => (GOOD, "match"),
        _ => (BAD, "DIFFER"),
    };
    let count = made.records.len();
    writeln!(
        out,
        "{:<16} {:<width$} {count:>3} generated, {compared} compared: {style}{verdict}{style:#}",
        made.source, made.algorithm
    )?;
    Ok(out.flush()?)
}
