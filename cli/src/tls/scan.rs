//! `grille tls scan`.

mod sarif;

use crate::arguments::{host, host_and_address};
use crate::error::Error;
use crate::output::{BAD, BOLD, DIM, GOOD, Output, Report, WARN, printable};
use clap::ValueEnum;
use grille_registry::era::{Entry, Kind};
use grille_registry::{Row, SignatureRow, Status};
use grille_tls::report::Chain;
use grille_tls::scan::{Found, OTHER_GROUPS, OTHER_SCHEMES, Order, Preference, Scan, kem_of, signature_of};
use serde::Serialize;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Find out which groups, signature schemes and certificates a server has, in every era.
///
/// Groups are asked for without key shares, in batches; each that is accepted costs a connection, and each batch one. Four
/// connections offer a classical and a quantum-safe group in either order. For each signature scheme there is one
/// handshake. Ask only servers that you may ask.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille tls scan example.org:443
  grille tls scan example.org:443 --json | jq .verdict
  grille tls scan 10.0.0.7:8443 --servername service --format sarif > scan.sarif")]
pub(super) struct Args {
    /// Host and port of the server; port 443 if none is given.
    #[arg(value_name = "HOST[:PORT]", value_parser = host)]
    address: String,
    /// The name to ask for; the host's if not given.
    #[arg(long, value_name = "NAME")]
    servername: Option<String>,
    /// How many connections per second at most.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rate: u32,
    /// How many groups or schemes in one question.
    #[arg(long, value_name = "N", default_value_t = 48, value_parser = clap::value_parser!(u16).range(1..=512))]
    batch: u16,
    /// How many seconds to wait for an answer.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = crate::bench::seconds)]
    timeout: Duration,
    /// How the answer is written; --json is `--format json`.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
    /// For tools that show findings: SARIF 2.1.0
    Sarif,
}

/// The port of HTTPS: what is scanned is out there.
const PORT: u16 = 443;

/// Scans and prints; a server that is not ready is an answer, not a failure.
///
/// # Errors
/// If the server cannot be reached, or does not speak TLS.
pub(super) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    let (host, address) = host_and_address(&args.address, PORT);
    let scan = Scan {
        address,
        name: args.servername.clone().unwrap_or_else(|| host.to_owned()),
        interval: Duration::from_secs(1) / args.rate,
        batch: args.batch.into(),
        timeout: args.timeout,
    };
    let start = Instant::now();
    let found = scan.run(|done, all| out.progress(start, format_args!("{done} of {all} numbers")));
    out.end_progress();
    let scanned = Scanned::new(scan.address, &found?);
    match args.format {
        Format::Sarif => out.document(&sarif::document(&scanned)),
        Format::Json if !out.is_json() => {
            let mut json = Output::new(true, true);
            json.print(&scanned)
        }
        _ => out.print(&scanned),
    }
}

/// Whether a recorded connection stays secret when there are quantum computers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Verdict {
    /// It takes a hybrid of RFC 10024.
    Ready,
    /// It takes ML-KEM, but no hybrid of RFC 10024, which is what most clients offer.
    ReadyWithoutHybrid,
    /// It takes quantum-safe groups, but only such as no standard has.
    Obsolete,
    /// It takes classical groups only.
    NotReady,
    /// It does not speak TLS 1.3, without which there is nothing quantum-safe.
    NoTls13,
}

impl Verdict {
    const fn words(self) -> &'static str {
        match self {
            Self::Ready => "ready: hybrid key exchange of RFC 10024",
            Self::ReadyWithoutHybrid => "ready, but without the hybrids of RFC 10024 that most clients offer",
            Self::Obsolete => "obsolete: its quantum-safe groups are of no standard",
            Self::NotReady => "not ready: key exchange that a quantum computer breaks",
            Self::NoTls13 => "not ready: no TLS 1.3",
        }
    }

    const fn is_ready(self) -> bool {
        matches!(self, Self::Ready | Self::ReadyWithoutHybrid)
    }
}

/// What is printed.
#[derive(Serialize)]
struct Scanned {
    address: String,
    verdict: Verdict,
    /// Whether the group that the server prefers is quantum-safe; absent if it follows the client's order.
    #[serde(skip_serializing_if = "Option::is_none")]
    prefers_quantum_safe: Option<bool>,
    /// Whose order decides between a classical and a quantum-safe group; absent if it has not both.
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<Decides>,
    /// Whether it has a certificate with a quantum-safe signature; absent if that could not be asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    quantum_safe_certificate: Option<bool>,
    groups: Vec<Group>,
    signatures: Vec<Signature>,
    connections: u32,
}

/// Whether it prefers quantum-safe groups.
#[derive(Serialize)]
struct Decides {
    preference: &'static str,
    #[serde(skip)]
    words: &'static str,
    trials: Vec<Tried>,
}

/// What it took of what was offered.
#[derive(Serialize)]
struct Tried {
    groups: Vec<String>,
    key_shares: Vec<String>,
    taken: Option<String>,
}

#[derive(Serialize)]
struct Group {
    name: String,
    code: u16,
    /// The word of the registry, `experimental` for what it does not have, or `classical`.
    status: &'static str,
    quantum_safe: bool,
    hybrid: bool,
    preferred: bool,
}

#[derive(Serialize)]
struct Signature {
    scheme: String,
    code: u16,
    /// As of groups.
    status: &'static str,
    quantum_safe: bool,
    certificates: Vec<Shown>,
}

/// A certificate of a chain.
#[derive(Serialize)]
struct Shown {
    subject: String,
    key: String,
    key_status: &'static str,
    signature: String,
    signature_status: &'static str,
    bytes: usize,
}

impl Scanned {
    fn new(address: String, found: &Found) -> Self {
        let groups: Vec<Group> = found.groups.iter().map(|code| Group::new(*code, found.preferred)).collect();
        let signatures: Vec<Signature> =
            found.signatures.iter().map(|(code, chain)| Signature::new(*code, chain)).collect();
        Self {
            address,
            verdict: verdict(found, &groups),
            prefers_quantum_safe: groups.iter().find(|group| group.preferred).map(|group| group.quantum_safe),
            order: found.order.as_ref().map(Decides::of),
            quantum_safe_certificate: found
                .signatures_asked
                .then(|| signatures.iter().any(|signature| signature.quantum_safe)),
            groups,
            signatures,
            connections: found.connections,
        }
    }
}

fn verdict(found: &Found, groups: &[Group]) -> Verdict {
    let standard = |group: &&Group| group.quantum_safe && group.status == Status::Standard.name();
    match () {
        () if found.old_version.is_some() => Verdict::NoTls13,
        () if groups.iter().filter(standard).any(|group| group.hybrid) => Verdict::Ready,
        () if groups.iter().any(|group| standard(&group)) => Verdict::ReadyWithoutHybrid,
        () if groups.iter().any(|group| group.quantum_safe) => Verdict::Obsolete,
        () => Verdict::NotReady,
    }
}

/// The preference that a server should have.
const QUANTUM_SAFE: &str = "quantum-safe";
const EXPERIMENTAL: &str = "experimental";
const CLASSICAL: &str = "classical";

/// The word of the registry, `experimental` for what it does not have, or `classical`.
fn status(row: Option<&dyn Row>, is_classical: bool) -> &'static str {
    match row {
        Some(row) if row.category() > 0 => row.status().name(),
        None if !is_classical => EXPERIMENTAL,
        _ => CLASSICAL,
    }
}

/// Neither a standard nor its draft, and nothing that came before quantum computers were feared.
fn is_of_no_standard(status: &str) -> bool {
    ![Status::Standard.name(), Status::Draft.name(), CLASSICAL].contains(&status)
}

/// The registry's name of a group, or what releases called it.
fn group_name(code: u16) -> String {
    let row = kem_of(code).map(|(row, _)| row.name());
    let other = || OTHER_GROUPS.iter().find(|(other, _)| *other == code).map(|(_, name)| *name);
    row.or_else(other).map_or_else(|| names(Kind::Group, code), str::to_owned)
}

impl Decides {
    fn of(order: &Order) -> Self {
        let (preference, words) = match (order.preference(), order.spares_retries()) {
            (Preference::QuantumSafe, _) => {
                (QUANTUM_SAFE, "it prefers quantum-safe groups, whatever the client's order")
            }
            (Preference::QuantumSafeIfShared, _) => (
                "quantum-safe-if-shared",
                "it prefers quantum-safe groups, but only where the client has sent their key share",
            ),
            (Preference::ClientsOrder, true) => (
                "clients-order",
                "no preference for quantum-safe groups: the client's order decides, and a classical key share without another",
            ),
            (Preference::ClientsOrder, false) => {
                ("clients-order", "no preference for quantum-safe groups: the client's order decides")
            }
            (Preference::Classical, _) => {
                ("classical", "it prefers classical groups, even to the client's first")
            }
        };
        let named = |codes: &[u16]| codes.iter().map(|code| group_name(*code)).collect();
        let tried = order.trials.iter().map(|trial| Tried {
            groups: named(&trial.groups),
            key_shares: named(&trial.shares),
            taken: trial.taken.map(group_name),
        });
        Self { preference, words, trials: tried.collect() }
    }
}

impl Group {
    fn new(code: u16, preferred: Option<u16>) -> Self {
        let row = kem_of(code).map(|(row, _)| row);
        let is_classical = OTHER_GROUPS.iter().any(|(other, _)| *other == code);
        let status = status(row.map(|row| row as &dyn Row), is_classical);
        Self {
            name: group_name(code),
            code,
            status,
            quantum_safe: status != CLASSICAL,
            hybrid: row.is_some_and(|row| row.kem.is_hybrid()),
            preferred: preferred == Some(code),
        }
    }
}

impl Signature {
    fn new(code: u16, chain: &Chain) -> Self {
        let row = signature_of(code);
        let other = OTHER_SCHEMES.iter().find(|(other, _)| *other == code);
        let name = row.map(Row::name).or_else(|| other.map(|(_, name)| *name));
        let status = status(row.map(|row| row as &dyn Row), other.is_some());
        Self {
            scheme: name.map_or_else(|| names(Kind::Scheme, code), str::to_owned),
            code,
            status,
            quantum_safe: status != CLASSICAL,
            certificates: chain.certificates().map(|certificate| Shown::of(&certificate)).collect(),
        }
    }
}

impl Shown {
    fn of(certificate: &grille_pki::Certificate) -> Self {
        let key = certificate.public_key().ok().map(|key| key.row());
        let signature = certificate.signature_row();
        let name = |row: Option<&'static SignatureRow>| row.map_or(UNKNOWN, Row::name).to_owned();
        let status = |row: Option<&'static SignatureRow>| row.map_or(UNKNOWN, |row| status(Some(row), false));
        Self {
            subject: certificate.subject(),
            key: name(key),
            key_status: status(key),
            signature: name(signature),
            signature_status: status(signature),
            bytes: certificate.to_der().len(),
        }
    }
}

const UNKNOWN: &str = "unknown";

/// What releases called a number, each name once.
fn names(kind: Kind, code: u16) -> String {
    let mut names: Vec<&str> = Vec::new();
    for entry in Entry::all().iter().filter(|entry| (entry.kind, entry.code) == (kind, code)) {
        if !names.contains(&entry.name) {
            names.push(entry.name);
        }
    }
    names.join(" or ")
}

impl Report for Scanned {
    fn human(&self, out: &mut Output) -> io::Result<()> {
        let style = match self.verdict {
            verdict if verdict.is_ready() => GOOD,
            Verdict::Obsolete => WARN,
            _ => BAD,
        };
        writeln!(out, "{BOLD}{}{BOLD:#} {style}{}{style:#}", self.address, self.verdict.words())?;
        for group in &self.groups {
            let preferred = if group.preferred { ", preferred" } else { "" };
            writeln!(
                out,
                "{DIM}group      {DIM:#}{} (0x{:04X}) {}{preferred}",
                group.name, group.code, group.status
            )?;
        }
        if let Some(order) = &self.order {
            writeln!(out, "{DIM}order      {DIM:#}{}", order.words)?;
        }
        for signature in &self.signatures {
            let Signature { scheme, code, status, .. } = signature;
            writeln!(out, "{DIM}signature  {DIM:#}{scheme} (0x{code:04X}) {status}")?;
            for certificate in &signature.certificates {
                let Shown { key, key_status, signature, signature_status, bytes, .. } = certificate;
                writeln!(
                    out,
                    "{DIM}certificate{DIM:#}   {}: {key} key ({key_status}), {signature} signature ({signature_status}), \
                     {bytes} bytes",
                    printable(&certificate.subject)
                )?;
            }
        }
        if self.quantum_safe_certificate.is_none() && self.verdict != Verdict::NoTls13 {
            writeln!(
                out,
                "{DIM}signatures were not asked for: none of these groups is implemented here{DIM:#}"
            )?;
        }
        writeln!(out, "{DIM}{} connections{DIM:#}", self.connections)
    }
}
