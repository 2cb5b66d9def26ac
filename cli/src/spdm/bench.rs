//! The `grille spdm bench` subcommand.

use super::algorithms::{Choice, names, signers, version_name};
use super::device::{Credential, Emulated, REQUESTER, RESPONDER};
use super::emulation::HEARTBEAT;
use super::local_identity::{KeyFiles, add_to_slot};
use super::signed::Signed;
use crate::error::Error;
use crate::output::{DIM, Output, Progress, Report, format_count};
use crate::table::{self, Column};
use grille_registry::Numbers;
use grille_spdm_codec::Version;
use grille_spdm_engine::algorithms::Bits;
use grille_spdm_engine::config::{Config, Packet};
use grille_spdm_engine::error::Error as EngineError;
use grille_spdm_engine::identity::Identity;
use grille_spdm_engine::operation::Operation;
use grille_spdm_engine::operations::{
    ChallengeResponder, Connect, End, FetchCertificate, FetchDigests, Measure, OpenSession, SendHeartbeat,
};
use grille_spdm_engine::requester::{Carrier, Requester};
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::trust::Roots;
use serde::Serialize;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Measure both sides of an SPDM flow, step by step, in memory.
///
/// Use this command to compare the CPU cost of SPDM versions and algorithms; no network is involved. The flow extends
/// that of DMTF's performance tool: negotiation, digests and certificates, challenge, measurements, and a session with
/// a heartbeat. Each number is the median of all runs. The requester's time excludes the responder's. By default the
/// responder gets a new chain of two certificates.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille spdm bench
  grille spdm bench --runs 5 --only post-quantum")]
pub(super) struct Args {
    /// Repeat each flow this many times.
    #[arg(long, value_name = "N", default_value_t = 31, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    runs: u32,
    /// Run only this flow.
    #[arg(long, value_name = "NAME", value_parser = [FLOWS[0].name, FLOWS[1].name])]
    only: Option<String>,
    #[command(flatten)]
    files: KeyFiles,
}

/// Runs the flows, and prints the medians.
///
/// # Errors
/// Returns an error if a flow fails, or the system provides no randomness.
pub(super) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    if args.files.are_given() && args.only.is_none() {
        return Err(Error::usage("a chain fits only one flow")
            .with_place("--cert")
            .advise("name the flow with --only"));
    }
    let is_selected = |flow: &&Flow| args.only.as_deref().is_none_or(|only| only == flow.name);
    let measured = out.while_running("flows", |done| {
        FLOWS.iter().filter(is_selected).map(|flow| flow.measure(args, done)).collect::<Result<Vec<_>, _>>()
    })?;
    out.print(&BenchReport { runs: args.runs, flows: measured })
}

/// An SPDM version and the offered algorithms.
struct Flow {
    name: &'static str,
    version: Version,
    choice: Choice<'static>,
}

static FLOWS: [Flow; 2] = [
    Flow { name: "classical", version: Version::V1_2, choice: Choice::CLASSICAL },
    Flow { name: "post-quantum", version: Version::V1_4, choice: Choice::POST_QUANTUM },
];

impl Flow {
    fn measure(&self, args: &Args, done: &Progress) -> Result<FlowTimes, Error> {
        let bits = self.choice.bits()?;
        let signed = self.credentials(&args.files, &bits)?;
        let config = |flags| Config {
            versions: vec![self.version],
            algorithms: bits,
            heartbeat: HEARTBEAT,
            ..Config::with(flags)
        };
        // One identity serves all connections, as on a real device.
        let identity = add_to_slot(Identity::default(), 0, 1, &signed);
        // Restart the progress bar for the next flow.
        done.update(0, 0);
        let runs = (0..args.runs)
            .map(|run| {
                done.update(run, args.runs);
                let responder = Responder::new(config(RESPONDER), identity.clone(), Box::new(Emulated));
                let roots = Box::new(Roots::new(signed.chain[..1].to_vec()));
                let requester = Requester::new(config(REQUESTER), Identity::default(), roots);
                Bench { requester, memory: InMemoryResponder::new(responder), steps: Vec::new() }.run()
            })
            .collect::<Result<Vec<_>, _>>()?;
        let mut steps: Vec<Step> =
            (0..runs[0].len()).map(|i| Step::median(runs.iter().map(|run| &run[i]))).collect();
        let wholes: Vec<Step> = runs.iter().map(|run| Step::sum(run)).collect();
        steps.push(Step::median(wholes.iter()));
        let algorithms = names(&bits).join(", ");
        let chain_bytes = signed.chain.iter().map(|certificate| certificate.to_der().len()).sum();
        let version = version_name(self.version);
        Ok(FlowTimes { name: self.name, version, algorithms, chain_bytes, steps })
    }

    /// Returns the responder's credentials.
    fn credentials(&self, files: &KeyFiles, bits: &Bits) -> Result<Signed, Error> {
        if let Some(read) = files.read(&signers(bits), Numbers::default())? {
            return Ok(read);
        }
        let [asym] = signers(bits)[..] else {
            return Err(
                Error::failure("the flow must have exactly one signature algorithm").with_place(self.name)
            );
        };
        Ok(Credential::new(asym)?.into_signed())
    }
}

/// A responder in memory, without a transport.
pub(super) struct InMemoryResponder {
    responder: Responder,
    time: Duration,
    messages: u64,
    bytes: u64,
}

impl InMemoryResponder {
    /// Creates a carrier that passes packets to this responder.
    pub(super) const fn new(responder: Responder) -> Self {
        Self { responder, time: Duration::ZERO, messages: 0, bytes: 0 }
    }

    /// Returns the time that the responder has worked so far.
    pub(super) const fn time(&self) -> Duration {
        self.time
    }
}

impl Carrier for InMemoryResponder {
    type Error = EngineError;

    fn exchange(&mut self, packet: Packet) -> Result<Packet, EngineError> {
        let start = Instant::now();
        let answer = self.responder.receive(&packet);
        self.time += start.elapsed();
        self.messages += 2;
        for Packet::Message(bytes) | Packet::Secured(bytes) in [&packet, &answer] {
            self.bytes += bytes.len() as u64;
        }
        Ok(answer)
    }
}

/// One run of a flow.
struct Bench {
    requester: Requester,
    memory: InMemoryResponder,
    steps: Vec<Step>,
}

impl Bench {
    fn run(mut self) -> Result<Vec<Step>, Error> {
        self.step("VERSION, CAPABILITIES, ALGORITHMS", Connect::new())?;
        self.step("DIGESTS", FetchDigests)?;
        self.step("CERTIFICATE", FetchCertificate::new(0))?;
        self.step("CHALLENGE_AUTH", ChallengeResponder::new(0, 0xFF))?;
        self.step("MEASUREMENTS", Measure::all_signed(0))?;
        let session = self.step("KEY_EXCHANGE_RSP, FINISH_RSP", OpenSession::new(0).with_summary(0xFF))?;
        self.step("HEARTBEAT_ACK", SendHeartbeat(session))?;
        self.step("END_SESSION_ACK", End(session))?;
        Ok(self.steps)
    }

    fn step<O: Operation>(&mut self, name: &'static str, operation: O) -> Result<O::Output, Error> {
        let InMemoryResponder { time, messages, bytes, .. } = self.memory;
        let start = Instant::now();
        let output = self.requester.run(operation, &mut self.memory)?;
        let (all, responder) = (start.elapsed(), self.memory.time - time);
        self.steps.push(Step {
            name,
            messages: self.memory.messages - messages,
            bytes: self.memory.bytes - bytes,
            requester_microseconds: all.saturating_sub(responder).as_secs_f64() * 1e6,
            responder_microseconds: responder.as_secs_f64() * 1e6,
        });
        Ok(output)
    }
}

#[derive(Serialize)]
struct BenchReport {
    runs: u32,
    flows: Vec<FlowTimes>,
}

#[derive(Serialize)]
struct FlowTimes {
    name: &'static str,
    version: String,
    algorithms: String,
    /// Total length of the certificates in the responder's chain.
    chain_bytes: usize,
    /// The steps; the last one is their sum.
    steps: Vec<Step>,
}

/// The cost of one step.
#[derive(Clone, Serialize)]
struct Step {
    name: &'static str,
    /// Number of requests and responses, with every chunk counted.
    messages: u64,
    bytes: u64,
    requester_microseconds: f64,
    responder_microseconds: f64,
}

impl Step {
    fn sum(steps: &[Self]) -> Self {
        Self {
            name: "the whole flow",
            messages: steps.iter().map(|step| step.messages).sum(),
            bytes: steps.iter().map(|step| step.bytes).sum(),
            requester_microseconds: steps.iter().map(|step| step.requester_microseconds).sum(),
            responder_microseconds: steps.iter().map(|step| step.responder_microseconds).sum(),
        }
    }

    /// Returns the median cost of a step over all runs. There must be at least one run. Byte counts come from the
    /// first run: signature lengths are fixed, but padding is random.
    fn median<'a>(runs: impl Iterator<Item = &'a Self>) -> Self {
        let runs: Vec<&Self> = runs.collect();
        let median = |of: fn(&Self) -> f64| {
            let mut all: Vec<f64> = runs.iter().map(|step| of(step)).collect();
            all.sort_by(f64::total_cmp);
            all[all.len() / 2]
        };
        let (requester, responder) =
            (median(|step| step.requester_microseconds), median(|step| step.responder_microseconds));
        Self { requester_microseconds: requester, responder_microseconds: responder, ..runs[0].clone() }
    }
}

impl Report for BenchReport {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        const COLUMNS: &[Column] = &[
            Column::text("STEP", 0),
            Column::number("MESSAGES", 1),
            Column::number("BYTES", 2),
            Column::number("REQUESTER µs", 4),
            Column::number("RESPONDER µs", 3),
        ];
        for flow in &self.flows {
            let FlowTimes { name, version, algorithms, chain_bytes, steps } = flow;
            writeln!(out, "{name}: SPDM {version}, {algorithms}, {chain_bytes}-byte chain")?;
            let row = |step: &Step| {
                vec![
                    step.name.to_owned(),
                    step.messages.to_string(),
                    step.bytes.to_string(),
                    format!("{:.1}", step.requester_microseconds),
                    format!("{:.1}", step.responder_microseconds),
                ]
            };
            table::print(out, COLUMNS, &steps.iter().map(row).collect::<Vec<_>>())?;
            writeln!(out)?;
        }
        writeln!(out, "{DIM}Medians of {}, in memory, on one thread.{DIM:#}", format_count(self.runs, "run"))
    }
}
