//! Prints attestations of the demo: costs as for sessions, and the device's measurements.

use super::attestation::{Attestation, Step};
use super::table::{LINE_LENGTH, Row, table};
use crate::output::{BOLD, DIM, GOOD, Output};
use crate::spdm::algorithms::version_name;
use crate::spdm::measured::{Entry, kind_name};
use serde::Serialize;
use std::io::{self, Write};

/// The number of digits shown of a digest.
const DIGITS: usize = 16;

/// Prints a quantum-safe attestation next to a classical one.
pub(super) fn comparison(
    out: &mut Output,
    title: &str,
    quantum_safe: &Attestation,
    classical: &Attestation,
) -> io::Result<()> {
    writeln!(out, "\n{BOLD}{title}{BOLD:#}\n{DIM}{}{DIM:#}", "─".repeat(LINE_LENGTH))?;
    let algorithms = &quantum_safe.algorithms;
    let aead = algorithms.aead.map_or("", |aead| aead.name);
    writeln!(out, "SPDM {}, {}, {aead}", version_name(quantum_safe.version), algorithms.hash.name)?;
    writeln!(out, "{:<15} {GOOD}{:<25}{GOOD:#}{BOLD}classical{BOLD:#}", "", "quantum-safe")?;
    let name = |out: &mut Output, label: &str, left: &str, right: &str| {
        writeln!(out, "{DIM}{label:<15}{DIM:#} {left:<25}{right}")
    };
    name(out, "key exchange", quantum_safe.key_exchange_name(), classical.key_exchange_name())?;
    name(out, "device signs", quantum_safe.signature_name(), classical.signature_name())?;
    table(out, &rows(quantum_safe), &rows(classical))?;
    measurements(out, quantum_safe)?;
    for verified in [
        "certificate chain and challenge verified",
        "measurements verified, and as expected",
        "session opened, measurements repeated inside, closed",
    ] {
        writeln!(out, "{GOOD}✓{GOOD:#} {verified}")?;
    }
    let (left, right) = (quantum_safe.total(), classical.total());
    #[expect(clippy::cast_precision_loss, reason = "shown with one digit")]
    let bytes = left.bytes as f64 / right.bytes as f64;
    let times = left.time.as_secs_f64() / right.time.as_secs_f64();
    writeln!(out, "{DIM}  quantum-safe costs {bytes:.1} × the bytes and {times:.1} × the time{DIM:#}")
}

fn rows(attestation: &Attestation) -> Vec<Row> {
    let row = |step: &Step| Row::timed(step.label, step.bytes, step.time);
    let (before, session) =
        attestation.steps.split_at(Attestation::FIRST_SESSION_STEP.min(attestation.steps.len()));
    let mut rows = vec![Row::heading("before the connection")];
    rows.push(Row::message("device certificate chain", attestation.chain_bytes));
    rows.push(Row::step("generate and issue", Some(attestation.setup_time)));
    rows.push(Row::heading("attestation"));
    rows.extend(before.iter().map(row));
    rows.push(Row::heading("secured session"));
    rows.extend(session.iter().map(row));
    let Step { label, bytes, time } = attestation.total();
    rows.push(Row::total(label, bytes, time));
    rows
}

/// Prints the device's measurements.
fn measurements(out: &mut Output, attestation: &Attestation) -> io::Result<()> {
    writeln!(out, "{BOLD}measurements{BOLD:#}")?;
    for block in &attestation.measurements {
        let entry = Entry::new(block);
        let begin = entry.value.get(..DIGITS).filter(|begin| *begin != entry.value);
        let shown = begin.map_or_else(|| entry.text(), |begin| format!("{begin}…"));
        let kind = kind_name(block.kind);
        writeln!(out, "{DIM}{:>4}{DIM:#}  {kind:<26} {shown}", block.index)?;
    }
    Ok(())
}

/// An attestation in JSON.
#[derive(Serialize)]
pub(super) struct AttestationItem {
    quantum_safe: bool,
    version: String,
    signature: &'static str,
    key_exchange: &'static str,
    hash: &'static str,
    chain_bytes: usize,
    made_microseconds: u128,
    steps: Vec<StepItem>,
    measurements: Vec<Entry>,
}

#[derive(Serialize)]
struct StepItem {
    label: &'static str,
    bytes: u64,
    microseconds: u128,
}

impl From<&Attestation> for AttestationItem {
    fn from(attestation: &Attestation) -> Self {
        let step = |step: &Step| StepItem {
            label: step.label,
            bytes: step.bytes,
            microseconds: step.time.as_micros(),
        };
        let algorithms = &attestation.algorithms;
        Self {
            quantum_safe: algorithms
                .key_exchange
                .is_some_and(grille_spdm_engine::algorithms::KeyExchange::is_post_quantum),
            version: version_name(attestation.version),
            signature: attestation.signature_name(),
            key_exchange: attestation.key_exchange_name(),
            hash: algorithms.hash.name,
            chain_bytes: attestation.chain_bytes,
            made_microseconds: attestation.setup_time.as_micros(),
            steps: attestation.steps.iter().map(step).collect(),
            measurements: attestation.measurements.iter().map(Entry::new).collect(),
        }
    }
}
