//! The summary: compares grille's standardised algorithms, at two vector levels, with the fastest peer.

use grille_bench_harness::report::{Figure, Outcome, Report};
use std::fmt::Write;

/// The levels in the table; a level without results has empty cells.
pub const LEVELS: [&str; 2] = ["avx512", "avx2"];

const ALGORITHMS: [&str; 2] = ["ML-KEM-", "ML-DSA-"];
#[rustfmt::skip]
const OPERATIONS: &[&str] = &[
    "keygen", "encaps", "encaps (prepared)", "decaps", "decaps (encoded)",
    "sign", "sign (encoded)", "sign (trusted)", "sign (prepared)", "verify", "verify (prepared)",
];

/// Formats one line per operation of a standard as Markdown. `reports`: the reports of [`LEVELS`], in order, if they
/// exist.
pub fn markdown(reports: &[Option<Report>]) -> String {
    let Some(first) = reports.iter().flatten().next() else {
        return String::new();
    };
    let machine = &first.machine;
    let again =
        if first.renewals.is_empty() { "" } else { "; the tables mark parts that were measured again" };
    let mut text = format!(
        "Time per operation in microseconds, on one core of an {} (load {}{again}). In parentheses: how many times as long the \
         fastest peer takes in the same run at the same instruction level. The last column is the fastest peer's time at the \
         first level. Peers: {}. `bench/results/` has all numbers and the other algorithms; `bench/README.md` explains the \
         method.\n\n![ML-KEM](bench/results/ml-kem-{}.svg)\n\n\
         | algorithm | operation | grille, {} | grille, {} | fastest peer |\n|---|---|--:|--:|--:|\n",
        machine.cpu,
        machine.load[0],
        first.peers.iter().map(|peer| peer.version.as_str()).collect::<Vec<_>>().join(", "),
        first.level,
        LEVELS[0],
        LEVELS[1]
    );
    for outcome in first.results.iter().filter(|outcome| is_shown(outcome)) {
        let cells: Vec<String> = reports.iter().map(|report| format_own(report.as_ref(), outcome)).collect();
        let peer =
            fastest(outcome).map_or_else(String::new, |peer| format!("{} {:.2}", peer.peer, peer.time / 1e3));
        writeln!(text, "| {} | {} | {} | {peer} |", outcome.algorithm, outcome.operation, cells.join(" | "))
            .expect("writing to a String never fails");
    }
    text
}

fn is_shown(outcome: &Outcome) -> bool {
    ALGORITHMS.iter().any(|start| outcome.algorithm.starts_with(start))
        && OPERATIONS.contains(&outcome.operation.as_str())
}

/// Formats grille's time and the fastest peer's ratio for the algorithm and operation of `like`; empty if the report
/// lacks them.
fn format_own(report: Option<&Report>, like: &Outcome) -> String {
    let same =
        |outcome: &&Outcome| outcome.algorithm == like.algorithm && outcome.operation == like.operation;
    let outcome = report.and_then(|report| report.results.iter().find(same));
    outcome.map_or_else(String::new, |outcome| {
        let ratio = fastest(outcome).map_or_else(String::new, |peer| format!(" ({:.2}×)", peer.ratio));
        format!("{:.2}{ratio}", outcome.figures[0].time / 1e3)
    })
}

fn fastest(outcome: &Outcome) -> Option<&Figure> {
    outcome.figures[1..].iter().min_by(|a, b| a.ratio.total_cmp(&b.ratio))
}

#[cfg(test)]
mod tests {
    use super::*;
    use grille_bench_harness::report::Renewal;

    fn report(level: &str, time: f64) -> Report {
        let figure = |peer: &str, time: f64, ratio| Figure {
            peer: peer.into(),
            time,
            spread: 0.0,
            cycles: None,
            ratio,
            interleaved: true,
        };
        let outcome = |algorithm: &str| Outcome {
            algorithm: algorithm.into(),
            operation: "keygen".into(),
            mean: false,
            cpu_share: 1.0,
            figures: vec![
                figure("grille", time, 1.0),
                figure("slow", 9000.0, 9000.0 / time),
                figure("fast", 8000.0, 8000.0 / time),
            ],
        };
        let mut report = Report::begin(&[]).end();
        report.level = level.into();
        report.results = vec![outcome("ML-KEM-768"), outcome("Kyber768")];
        report
    }

    #[test]
    fn compares_both_levels_with_the_fastest_peer() {
        let text = markdown(&[Some(report("avx512", 4000.0)), Some(report("avx2", 5000.0))]);
        assert!(
            text.contains("| ML-KEM-768 | keygen | 4.00 (2.00×) | 5.00 (1.60×) | fast 8.00 |\n"),
            "{text}"
        );
        assert!(!text.contains("Kyber768"));
    }

    #[test]
    fn mentions_parts_that_were_measured_again() {
        let mut report = report("avx512", 4000.0);
        assert!(!markdown(&[Some(report.clone()), None]).contains("again"));
        let load = ["1".into(), "2".into()];
        report.renewals.push(Renewal { filters: vec!["ml-kem".into()], tree: String::new(), load });
        assert!(markdown(&[Some(report), None]).contains("measured again"));
    }

    #[test]
    fn leaves_cells_of_missing_levels_empty() {
        let text = markdown(&[Some(report("avx512", 4000.0)), None]);
        assert!(text.contains("| 4.00 (2.00×) |  | fast 8.00 |"), "{text}");
        assert!(markdown(&[None, None]).is_empty());
    }
}
