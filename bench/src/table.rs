//! The Markdown tables.

use crate::families::{Family, families};
use crate::floors::{Floors, Verdict};
use grille_bench_harness::report::{Figure, Outcome, Renewal, Report};
use std::fmt::Write;

/// Formats the header, one table per family, and the number of floors reached.
pub fn markdown(report: &Report, floors: &Floors) -> String {
    let mut text = header(report);
    for family in families(&report.results) {
        text.push_str(&table(report, &family, floors));
    }
    if report.results.iter().any(Outcome::is_disturbed) {
        line(&mut text, format_args!("\n{}", Outcome::DISTURBED_NOTE));
    }
    text.push_str(&summary(report, floors));
    text
}

/// Formats the circumstances of the measurement.
fn header(report: &Report) -> String {
    let mut text = format!(
        "# grille at level {}\n\n\
         Machine: {} {}\n\n\
         Times are CPU times of the thread in microseconds: medians of many batches, which the libraries run in turns, with half \
         the distance between the quartiles. For signing and for Falcon's key generation they are means with their standard errors. \
         A spread of more than 3 % is bold. In parentheses: the time divided by grille's in the same process; above 1 the library is slower. Cycles are \
         core cycles.\n\n\
         | library | version | build |\n|---|---|---|\n",
        report.level,
        report.machine.describe(),
        commit(&report.tree)
    );
    for library in &report.peers {
        line(&mut text, format_args!("| {} | {} | {} |", library.name, library.version, library.build));
    }
    for Renewal { filters, tree, load: [before, after] } in &report.renewals {
        let named = filters.join(" and ");
        line(
            &mut text,
            format_args!(
                "\nMeasured again after the rest, loads {before} and {after}: operations with {named} in their names. {}",
                commit(tree)
            ),
        );
    }
    text
}

/// Formats the measured commit, if it is known.
fn commit(tree: &str) -> String {
    if tree.is_empty() { String::new() } else { format!("Commit {tree}.") }
}

fn table(report: &Report, family: &Family<'_>, floors: &Floors) -> String {
    let libraries = family.libraries();
    let mut text = format!("\n## {}\n\n| algorithm | operation | grille | cycles |", family.name);
    libraries[1..].iter().for_each(|library| text.push_str(&format!(" {library} |")));
    text.push_str(" floor |\n|---|---|--:|--:|");
    text.push_str(&"--:|".repeat(libraries.len() - 1));
    text.push_str("---|\n");
    for outcome in &family.outcomes {
        line(&mut text, format_args!("{}", row(report, outcome, &libraries, floors)));
    }
    let lacking: Vec<_> =
        report.peers.iter().filter(|peer| !libraries.contains(&peer.name.as_str())).collect();
    if !lacking.is_empty() {
        let names: Vec<_> = lacking.iter().map(|peer| peer.name.as_str()).collect();
        line(&mut text, format_args!("\nLibraries without these algorithms: {}.", names.join(", ")));
    }
    text
}

fn row(report: &Report, outcome: &Outcome, libraries: &[&str], floors: &Floors) -> String {
    let own = &outcome.figures[0];
    let cycles = own.cycles.map_or_else(|| "–".to_owned(), |cycles| format!("{cycles:.0}"));
    let bold = if own.is_unsteady() { "**" } else { "" };
    let (time, spread) = (own.time / 1e3, own.spread / 1e3);
    let (algorithm, operation) = (&outcome.algorithm, outcome.marked_operation());
    let mut text = format!("| {algorithm} | {operation} | {time:.2} {bold}±{spread:.2}{bold} | {cycles} |");
    for library in &libraries[1..] {
        let figure = outcome.figures.iter().find(|figure| figure.peer == *library);
        text.push_str(&figure.map_or_else(|| " – |".to_owned(), cell));
    }
    let verdict = match floors.verdict(&report.level, outcome) {
        Verdict::None => String::new(),
        Verdict::Reached(best, least) => format!("reached: {best:.2} ≥ {least}"),
        Verdict::Missed(best, least) => format!("**not reached**: {best:.2} < {least}"),
        Verdict::Untested(least) => format!("untested: {least}"),
    };
    text.push_str(&format!(" {verdict} |"));
    text
}

fn cell(figure: &Figure) -> String {
    let apart = if figure.interleaved { "" } else { ", not in turns" };
    format!(" {:.2} ({:.2}×{apart}) |", figure.time / 1e3, figure.ratio)
}

fn summary(report: &Report, floors: &Floors) -> String {
    let verdicts: Vec<_> =
        report.results.iter().map(|outcome| floors.verdict(&report.level, outcome)).collect();
    let count = |of: fn(&Verdict) -> bool| verdicts.iter().filter(|verdict| of(verdict)).count();
    format!(
        "\nFloors: {} reached, {} not reached, {} untested.\n",
        count(|verdict| matches!(verdict, Verdict::Reached(..))),
        count(|verdict| matches!(verdict, Verdict::Missed(..))),
        count(|verdict| matches!(verdict, Verdict::Untested(..)))
    )
}

fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("writing to a String never fails");
}

#[cfg(test)]
mod tests {
    use super::*;
    use grille_bench_harness::report::{Library, Machine};

    fn figure(peer: &str, time: f64) -> Figure {
        Figure {
            peer: peer.into(),
            time,
            spread: 10.0,
            cycles: Some(3.0 * time),
            ratio: time / 1000.0,
            interleaved: true,
        }
    }

    fn report() -> Report {
        let library = |name: &str| Library { name: name.into(), version: "1".into(), build: "b".into() };
        let outcome = |operation: &str, figures| Outcome {
            algorithm: "ML-KEM-768".into(),
            operation: operation.into(),
            mean: false,
            cpu_share: 1.0,
            figures,
        };
        Report {
            schema: 2,
            tree: "abc of 2026-11-22".into(),
            level: "avx512".into(),
            machine: Machine {
                cpu: "C".into(),
                cores: 2,
                load: ["0".into(), "1".into()],
                governor: String::new(),
                hardware_threads: "0".into(),
            },
            peers: vec![library("liboqs"), library("libcrux"), library("Go")],
            renewals: vec![Renewal {
                filters: vec!["ml-kem".into()],
                tree: String::new(),
                load: ["2".into(), "3".into()],
            }],
            results: vec![
                outcome(
                    "keygen",
                    vec![figure("grille", 1000.0), figure("liboqs", 1900.0), figure("libcrux", 5000.0)],
                ),
                outcome("encaps", vec![figure("grille", 1000.0), figure("liboqs", 2500.0)]),
            ],
        }
    }

    #[test]
    fn formats_times_ratios_and_the_verdict() {
        let text = markdown(&report(), &Floors::load());
        let row = "| ML-KEM-768 | keygen | 1.00 ±0.01 | 3000 | 1.90 (1.90×) | 5.00 (5.00×) | **not reached**: 1.90 < 2 |";
        assert!(text.contains(row), "{text}");
        assert!(text.contains("1 reached, 1 not reached"), "{text}");
    }

    #[test]
    fn formats_wide_spreads_in_bold_and_names_the_commit() {
        let mut report = report();
        report.results[0].figures[0].spread = 40.0;
        let text = markdown(&report, &Floors::load());
        assert!(text.contains("| keygen | 1.00 **±0.04** |"), "{text}");
        assert!(text.contains("| encaps | 1.00 ±0.01 |"), "{text}");
        assert!(!text.contains(Outcome::DISTURBED_MARK), "{text}");
        assert!(text.contains("Commit abc of 2026-11-22."), "{text}");
    }

    #[test]
    fn marks_and_explains_disturbed_rows() {
        let mut report = report();
        report.results[0].cpu_share = 0.8;
        let text = markdown(&report, &Floors::load());
        assert!(text.contains("| keygen† |") && text.contains("| encaps |"), "{text}");
        assert!(text.contains(Outcome::DISTURBED_NOTE), "{text}");
    }

    #[test]
    fn marks_missing_operations_and_families() {
        let text = markdown(&report(), &Floors::load());
        assert!(text.contains("| 2.50 (2.50×) | – | reached: 2.50 ≥ 2.4 |"), "{text}");
        assert!(text.contains("Libraries without these algorithms: Go."), "{text}");
    }
}
