//! A Markdown table, or JSON.

use crate::measure::{Figure, Outcome};
use serde_json::{Value, json};
use std::fmt::Write;

/// One line an operation: grille's time, and each peer's with its ratio to grille's.
pub fn table(outcomes: &[Outcome]) -> String {
    let mut text = format!(
        "Level: {}. Medians in microseconds; in brackets the ratio to grille's: above 1 the peer is slower.\n\n",
        grille_cpu::Level::detect().name()
    );
    text.push_str("| algorithm | operation | grille | peers |\n|---|---|--:|---|\n");
    for outcome in outcomes {
        let (own, peers) = outcome.figures.split_first().expect("grille is always there");
        let peers: Vec<String> = peers.iter().map(|peer| against(own, peer)).collect();
        writeln!(
            text,
            "| {} | {} | {:.2} ±{:.2} | {} |",
            outcome.algorithm,
            outcome.operation,
            own.median / 1e3,
            own.spread / 1e3,
            peers.join(" · ")
        )
        .expect("a String takes all");
    }
    text
}

fn against(own: &Figure, peer: &Figure) -> String {
    format!("{} {:.2} ({:.2}×)", peer.peer, peer.median / 1e3, peer.median / own.median)
}

/// The same numbers for machines, in nanoseconds.
pub fn json(outcomes: &[Outcome]) -> Value {
    let figure = |f: &Figure| json!({ "peer": f.peer, "median_ns": f.median, "spread_ns": f.spread });
    let outcome = |o: &Outcome| {
        let figures: Vec<Value> = o.figures.iter().map(figure).collect();
        json!({ "algorithm": o.algorithm, "operation": o.operation, "figures": figures })
    };
    json!({
        "schema": 1,
        "level": grille_cpu::Level::detect().name(),
        "results": outcomes.iter().map(outcome).collect::<Vec<_>>(),
    })
}
