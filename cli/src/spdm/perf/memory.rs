//! `grille spdm perf --memory`: stack and heap of each algorithm, and of the whole flow. Allocations of C libraries,
//! which implement the classical algorithms, are not counted.

use super::flow;
use super::report::Table;
use super::suite::Suite;
use crate::error::Error;
use crate::output::{DIM, Output, Report};
use crate::table::{self, Column};
use grille_core::SystemRng;
use grille_meter::{Usage, measure};
use grille_registry::{KemRow, Row as _, SignatureRow};
use indicatif::ProgressBar;
use serde::Serialize;
use std::io::{self, Write};

/// The memory of all algorithms and flows.
#[derive(Serialize)]
pub(super) struct Memory {
    algorithms: Vec<MeasuredOperation>,
    flows: Vec<MeasuredFlow>,
}

/// The memory of one operation of an algorithm.
#[derive(Serialize)]
struct MeasuredOperation {
    algorithm: String,
    operation: &'static str,
    #[serde(flatten)]
    used: Bytes,
}

/// The memory that one flow uses. Requester and responder run on the same thread, so the numbers are for both
/// together.
#[derive(Serialize)]
struct MeasuredFlow {
    configuration: String,
    #[serde(flatten)]
    used: Bytes,
}

/// The memory that one measured call uses; all numbers except `allocations` are bytes.
#[derive(Clone, Copy, Serialize)]
struct Bytes {
    stack: u64,
    heap_peak: u64,
    heap_total: u64,
    allocations: u64,
}

impl From<Usage> for Bytes {
    fn from(Usage { allocations, heap_total, heap_peak, stack }: Usage) -> Self {
        Self { stack, heap_peak, heap_total, allocations }
    }
}

impl Bytes {
    fn cells(self) -> [String; 4] {
        [self.stack, self.heap_peak, self.heap_total, self.allocations].map(|number| number.to_string())
    }
}

/// Measures each algorithm once, even if several configurations use it, and the flow of each configuration.
///
/// # Errors
/// Returns an error if an operation or a flow fails, or the system cannot start a thread.
pub(super) fn run(suites: &[(Table, Suite)], bar: &ProgressBar, out: &mut Output) -> Result<(), Error> {
    let (mut algorithms, mut flows) = (Vec::new(), Vec::new());
    for (_, suite) in suites {
        let is_new = |name: &str, known: &[MeasuredOperation]| known.iter().all(|one| one.algorithm != name);
        for row in suite.signatures()? {
            if is_new(row.name(), &algorithms) {
                algorithms.extend(signature(row)?);
            }
        }
        for row in suite.kems() {
            if is_new(row.name(), &algorithms) {
                algorithms.extend(kem(row)?);
            }
        }
        flows.push(measured_flow(suite)?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    out.print(&Memory { algorithms, flows })
}

fn measured_flow(suite: &Suite) -> Result<MeasuredFlow, Error> {
    let parties = suite.parties()?;
    let (times, used) = measure(|| flow::run(suite, &parties)).map_err(Error::failure)?;
    times.map_err(|error| error.with_subject(&suite.name))?;
    Ok(MeasuredFlow { configuration: suite.name.clone(), used: used.into() })
}

fn signature(row: &'static SignatureRow) -> Result<[MeasuredOperation; 3], Error> {
    let scheme = row.signature;
    let (key, generated) = measure(|| scheme.generate(&mut SystemRng)).map_err(Error::failure)?;
    let (signature, signed) = measure(|| key.sign(MESSAGE, &[], &mut SystemRng)).map_err(Error::failure)?;
    let signature = signature?;
    let public = key.verifying_key_bytes();
    let verify = || scheme.verifying_key(&public)?.verify(MESSAGE, &[], &signature);
    let (valid, verified) = measure(verify).map_err(Error::failure)?;
    valid?;
    let uses = [("keygen", generated), ("sign", signed), ("verify", verified)];
    Ok(uses.map(|(operation, used)| MeasuredOperation::new(row.name(), operation, used)))
}

fn kem(row: &'static KemRow) -> Result<[MeasuredOperation; 3], Error> {
    let scheme = row.kem;
    let (key, generated) = measure(|| scheme.generate(&mut SystemRng)).map_err(Error::failure)?;
    let public = key.encaps_key_bytes();
    let encapsulate = || Ok::<_, grille_core::Error>(scheme.encaps_key(&public)?.encapsulate(&mut SystemRng));
    let (sent, encapsulated) = measure(encapsulate).map_err(Error::failure)?;
    let ciphertext = sent?.ciphertext;
    let (secret, decapsulated) = measure(|| key.decapsulate(&ciphertext)).map_err(Error::failure)?;
    secret?;
    let uses = [("keygen", generated), ("encap", encapsulated), ("decap", decapsulated)];
    Ok(uses.map(|(operation, used)| MeasuredOperation::new(row.name(), operation, used)))
}

/// The signed message: as long as the digest of SHA-512.
const MESSAGE: &[u8] = &[0x5A; 64];

impl MeasuredOperation {
    fn new(algorithm: &str, operation: &'static str, used: Usage) -> Self {
        Self { algorithm: algorithm.to_owned(), operation, used: used.into() }
    }
}

/// The columns of memory, in the order of [`Bytes::cells`].
const BYTES: [Column; 4] = [
    Column::number("STACK", 4),
    Column::number("HEAP PEAK", 3),
    Column::number("HEAP TOTAL", 2),
    Column::number("ALLOCATIONS", 1),
];

impl Report for Memory {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        let columns = [&[Column::text("ALGORITHM", 0), Column::text("OPERATION", 0)][..], &BYTES].concat();
        let cells = |one: &MeasuredOperation| {
            let names = [one.algorithm.clone(), one.operation.to_owned()];
            names.into_iter().chain(one.used.cells()).collect()
        };
        table::print(out, &columns, &self.algorithms.iter().map(cells).collect::<Vec<_>>())?;
        writeln!(out)?;
        let columns = [&[Column::text("CONFIGURATION", 0)][..], &BYTES].concat();
        let cells =
            |one: &MeasuredFlow| [one.configuration.clone()].into_iter().chain(one.used.cells()).collect();
        table::print(out, &columns, &self.flows.iter().map(cells).collect::<Vec<_>>())?;
        writeln!(out)?;
        writeln!(out, "{DIM}Bytes, each in a new thread; a flow is both sides in one thread.{DIM:#}")
    }
}
