//! The Markdown table.

use grille_bench_harness::report::{Figure, Outcome, Report};

/// Formats the circumstances and results of a run.
pub fn markdown(report: &Report) -> String {
    let names: Vec<&str> = report.peers.iter().map(|peer| peer.name.as_str()).collect();
    let mut lines = vec![header(report)];
    lines.push("| library | version | build |\n|---|---|---|".into());
    lines.extend(
        report.peers.iter().map(|peer| format!("| {} | {} | {} |", peer.name, peer.version, peer.build)),
    );
    lines.push(format!("\n| group | certificate | {} | floor |", names.join(" | ")));
    lines.push(format!("|---|---|{}---|", "--:|".repeat(names.len())));
    lines.extend(report.results.iter().map(|outcome| row(outcome, &names)));
    if report.results.iter().any(Outcome::is_disturbed) {
        lines.push(format!("\n{}", Outcome::DISTURBED_NOTE));
    }
    let count = |reached| verdicts(report).filter(|verdict| verdict.reached == reached).count();
    lines.push(format!("\nFloors: {} reached, {} not reached.\n", count(true), count(false)));
    lines.join("\n")
}

fn header(report: &Report) -> String {
    format!(
        "# Handshakes per second\n\n\
         Machine: {} grille at level {}.\n\n\
         Full TLS 1.3 handshakes with TLS_AES_256_GCM_SHA384, both sides in one thread, in memory; the client checks the \
         server's certificate, which its root signed with the same algorithm. No tickets. The libraries run in turns; \
         figures come from the fastest tenth of many batches, with half the distance between the quartiles of all. With ML-DSA, whose number of \
         signing attempts depends on chance, they are means with standard errors. In parentheses: how many times faster grille is.\n",
        report.machine.describe(),
        report.level
    )
}

fn row(outcome: &Outcome, names: &[&str]) -> String {
    let cell = |name: &&str| {
        let figure = outcome.figures.iter().find(|figure| figure.peer == *name);
        figure.map_or_else(|| "–".to_owned(), cell)
    };
    let cells: Vec<String> = names.iter().map(cell).collect();
    let verdict = Verdict::new(outcome);
    let words = if verdict.reached { "reached" } else { "**not reached**" };
    format!(
        "| {} | {} | {} | {words}: {} |",
        outcome.algorithm,
        outcome.marked_operation(),
        cells.join(" | "),
        verdict.against
    )
}

fn cell(figure: &Figure) -> String {
    let (per_second, spread) = (1e9 / figure.time, 1e9 / figure.time * figure.spread / figure.time);
    match figure.ratio {
        1.0 => format!("{per_second:.0} ±{spread:.0}"),
        ratio => format!("{per_second:.0} ±{spread:.0} ({ratio:.2}×)"),
    }
}

/// Whether grille reaches its floor relative to each peer.
struct Verdict {
    reached: bool,
    /// The peer whose ratio is lowest relative to its floor, as text with the ratio and the floor.
    against: String,
}

impl Verdict {
    fn new(outcome: &Outcome) -> Self {
        let share = |figure: &&Figure| figure.ratio / floor(&figure.peer, &outcome.operation);
        let nearest = outcome.figures[1..].iter().min_by(|a, b| share(a).total_cmp(&share(b)));
        let nearest = nearest.expect("at least one peer");
        let floor = floor(&nearest.peer, &outcome.operation);
        Self {
            reached: share(&nearest) >= 1.0,
            against: format!("{} {:.2} of {floor:.1}", nearest.peer, nearest.ratio),
        }
    }
}

fn verdicts(report: &Report) -> impl Iterator<Item = Verdict> {
    report.results.iter().map(Verdict::new)
}

/// Returns the minimum ratio to a peer: 1 for all, and 1.5 for rustls with ML-DSA-65 signatures.
fn floor(peer: &str, signature: &str) -> f64 {
    if (peer, signature) == ("rustls", "ML-DSA-65") { 1.5 } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(signature: &str, ratios: &[(&str, f64)]) -> Outcome {
        let figure = |(peer, ratio): &(&str, f64)| Figure {
            peer: (*peer).into(),
            time: 2e5 * ratio,
            spread: 2e4 * ratio,
            cycles: None,
            ratio: *ratio,
            interleaved: true,
        };
        let figures = [("grille", 1.0)].iter().chain(ratios).map(figure).collect();
        Outcome { algorithm: "G".into(), operation: signature.into(), mean: false, cpu_share: 1.0, figures }
    }

    #[test]
    fn has_a_higher_floor_for_rustls_with_ml_dsa_65() {
        let ratios = [("rustls", 1.2), ("OpenSSL", 1.3)];
        assert!(Verdict::new(&outcome("ECDSA-P256-SHA256", &ratios)).reached);
        let missed = Verdict::new(&outcome("ML-DSA-65", &ratios));
        assert_eq!((missed.reached, missed.against.as_str()), (false, "rustls 1.20 of 1.5"));
        assert!(!Verdict::new(&outcome("ML-DSA-65", &[("OpenSSL", 0.9)])).reached);
    }

    #[test]
    fn formats_handshakes_per_second_and_a_dash_for_missing_peers() {
        let row = row(&outcome("Ed25519", &[("OpenSSL", 2.0)]), &["grille", "rustls", "OpenSSL"]);
        assert_eq!(row, "| G | Ed25519 | 5000 ±500 | – | 2500 ±250 (2.00×) | reached: OpenSSL 2.00 of 1.0 |");
    }
}
