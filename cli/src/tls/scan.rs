//! `grille tls scan`.

mod sarif;
mod text;

use crate::arguments::{host, host_and_address};
use crate::error::Error;
use crate::output::Output;
use clap::ValueEnum;
use clap::builder::TypedValueParser;
use grille_registry::{KemRow, Row, SignatureRow, Status};
use grille_tls::report::Chain;
use grille_tls::scan::{self, Found, Meaning, Order, Preference, Scan, meanings_of_scheme};
use serde::Serialize;
use std::num::{NonZeroU16, NonZeroUsize};
use std::time::{Duration, Instant};

/// Find out which groups, signature schemes and certificates a server has, in every era.
///
/// Groups are asked for without key shares, in batches; each that is accepted costs a connection, and each batch one. Four
/// connections offer a classical and a quantum-safe group in either order. For each signature scheme there is one
/// handshake. A number that several algorithms had in turn is told by a key share where grille has one of them; all its
/// meanings are shown where nothing tells. Ask only servers that you may ask.
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
    #[arg(long, value_name = "N", default_value = "48", value_parser = clap::value_parser!(u16).range(1..=512).try_map(NonZeroU16::try_from))]
    batch: NonZeroU16,
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
        batch: NonZeroUsize::from(args.batch),
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
    /// It takes a group whose number is that of a standard and of something else, and which of the two it means is unknown.
    Undecided,
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
            Self::Undecided => "undecided: its quantum-safe group may be of a standard or of none",
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
    /// Whether it has a chain of certificates that all have quantum-safe signatures; absent if that is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    quantum_safe_certificate: Option<bool>,
    /// Whether it signs handshakes with a quantum-safe scheme, which is that of a certificate's key; absent if that is
    /// unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    quantum_safe_handshake_signature: Option<bool>,
    groups: Vec<Group>,
    signatures: Vec<Signature>,
    /// Why there may be signatures or certificates that were not seen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unknown_signatures: Vec<String>,
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

/// What a number may stand for.
#[derive(Serialize)]
struct Means {
    name: &'static str,
    /// The word of the registry, `experimental` for what it does not have, or `classical`.
    status: &'static str,
}

#[derive(Serialize)]
struct Group {
    /// All names that it may have.
    name: String,
    code: u16,
    /// As of its meaning; `ambiguous` if it may have several of other statuses.
    status: &'static str,
    /// If nothing tells which of several it is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    meanings: Vec<Means>,
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
    #[serde(skip_serializing_if = "Vec::is_empty")]
    meanings: Vec<Means>,
    /// Whether the scheme is, which signs the handshake.
    quantum_safe: bool,
    /// Whether all certificates have quantum-safe signatures; absent if that is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    quantum_safe_certificates: Option<bool>,
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
        let groups: Vec<Group> =
            found.groups.iter().map(|group| Group::new(group, found.preferred)).collect();
        let signatures: Vec<Signature> =
            found.signatures.iter().map(|(code, chain)| Signature::new(*code, chain)).collect();
        let of_any = |is: fn(&Signature) -> Option<bool>| {
            let answers: Vec<_> = signatures.iter().map(is).collect();
            any(&answers, found.failures.is_empty())
        };
        Self {
            address,
            verdict: verdict(found, &groups),
            prefers_quantum_safe: groups.iter().find(|group| group.preferred).map(|group| group.quantum_safe),
            order: found.order.as_ref().map(|order| Decides::of(order, &groups)),
            quantum_safe_certificate: of_any(|signature| signature.quantum_safe_certificates),
            quantum_safe_handshake_signature: of_any(|signature| {
                signature.is_known().then_some(signature.quantum_safe)
            }),
            unknown_signatures: unknown(found, &signatures),
            groups,
            signatures,
            connections: found.connections,
        }
    }
}

/// Whether any answer is yes; `None` if none is, and some are missing.
fn any(answers: &[Option<bool>], complete: bool) -> Option<bool> {
    match () {
        () if answers.contains(&Some(true)) => Some(true),
        () if !complete || answers.is_empty() || answers.contains(&None) => None,
        () => Some(false),
    }
}

/// Why there may be more signatures, or other certificates.
fn unknown(found: &Found, signatures: &[Signature]) -> Vec<String> {
    let mut reasons: Vec<_> =
        found.failures.iter().map(|failure| format!("a handshake failed {failure}")).collect();
    if found.old_version.is_none() && !found.signatures_asked {
        reasons.push("they were not asked for: none of these groups is implemented here".to_owned());
    } else if found.old_version.is_none() && signatures.is_empty() && reasons.is_empty() {
        reasons.push("it refuses every signature scheme".to_owned());
    }
    if !signatures.iter().all(Signature::is_known) {
        reasons.push("it signs with a scheme that is unknown here".to_owned());
    }
    if signatures.iter().any(|signature| signature.quantum_safe_certificates.is_none()) {
        reasons.push("a certificate cannot be read, or its signature is of an unknown algorithm".to_owned());
    }
    reasons
}

fn verdict(found: &Found, groups: &[Group]) -> Verdict {
    let standard = |group: &&Group| group.quantum_safe && group.status == Status::Standard.name();
    let may_be_standard = |means: &Means| means.status == Status::Standard.name();
    match () {
        () if found.old_version.is_some() => Verdict::NoTls13,
        () if groups.iter().filter(standard).any(|group| group.hybrid) => Verdict::Ready,
        () if groups.iter().any(|group| standard(&group)) => Verdict::ReadyWithoutHybrid,
        () if groups.iter().any(|group| group.meanings.iter().any(may_be_standard)) => Verdict::Undecided,
        () if groups.iter().any(|group| group.quantum_safe) => Verdict::Obsolete,
        () => Verdict::NotReady,
    }
}

/// The preference that a server should have.
const QUANTUM_SAFE: &str = "quantum-safe";
const EXPERIMENTAL: &str = "experimental";
const CLASSICAL: &str = "classical";
/// What has several statuses, because it may be one thing or another.
const AMBIGUOUS: &str = "ambiguous";

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
    ![Status::Standard.name(), Status::Draft.name(), CLASSICAL, AMBIGUOUS].contains(&status)
}

impl Means {
    fn of<R: Row>(meaning: &Meaning<R>) -> Self {
        let row = meaning.known.map(|(row, _)| row as &dyn Row);
        Self { name: meaning.name, status: status(row, meaning.is_classical) }
    }

    /// The names and the status of what is one of these.
    fn joined(meanings: &[Self]) -> (String, &'static str) {
        let Some(first) = meanings.first() else { return (UNKNOWN.to_owned(), UNKNOWN) };
        let names: Vec<_> = meanings.iter().map(|means| means.name).collect();
        let is_one = meanings.iter().all(|means| means.status == first.status);
        (names.join(" or "), if is_one { first.status } else { AMBIGUOUS })
    }

    /// Whether what is one of these is quantum-safe, whichever it is.
    fn are_quantum_safe(meanings: &[Self]) -> bool {
        !meanings.is_empty() && meanings.iter().all(|means| means.status != CLASSICAL)
    }
}

/// These if there are several: what is certain has a name and a status.
fn if_several(meanings: Vec<Means>) -> Vec<Means> {
    if meanings.len() > 1 { meanings } else { Vec::new() }
}

impl Decides {
    fn of(order: &Order, groups: &[Group]) -> Self {
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
        let name = |code: &u16| {
            let group = groups.iter().find(|group| group.code == *code);
            group.map_or_else(|| format!("0x{code:04X}"), |group| group.name.clone())
        };
        let named = |codes: &[u16]| codes.iter().map(name).collect();
        let tried = order.trials.iter().map(|trial| Tried {
            groups: named(&trial.groups),
            key_shares: named(&trial.shares),
            taken: trial.taken.as_ref().map(name),
        });
        Self { preference, words, trials: tried.collect() }
    }
}

impl Group {
    fn new(group: &scan::Group, preferred: Option<u16>) -> Self {
        let meanings: Vec<_> = group.meanings.iter().map(Means::of).collect();
        let (name, status) = Means::joined(&meanings);
        let is_hybrid = |meaning: &Meaning<KemRow>| meaning.known.is_some_and(|(row, _)| row.kem.is_hybrid());
        Self {
            name,
            code: group.code,
            status,
            quantum_safe: Means::are_quantum_safe(&meanings),
            hybrid: group.meanings.iter().all(is_hybrid),
            preferred: preferred == Some(group.code),
            meanings: if_several(meanings),
        }
    }
}

impl Signature {
    fn new(code: u16, chain: &Chain) -> Self {
        let meanings: Vec<_> = meanings_of_scheme(code, chain).iter().map(Means::of).collect();
        let (scheme, status) = Means::joined(&meanings);
        let certificates: Vec<_> = chain.certificates().map(|certificate| Shown::of(&certificate)).collect();
        Self {
            scheme,
            code,
            status,
            quantum_safe: Means::are_quantum_safe(&meanings),
            meanings: if_several(meanings),
            quantum_safe_certificates: match () {
                () if certificates.iter().any(|shown| shown.signature_status == CLASSICAL) => Some(false),
                () if certificates.iter().any(|shown| shown.signature_status == UNKNOWN) => None,
                () => (!certificates.is_empty() && certificates.len() == chain.0.len()).then_some(true),
            },
            certificates,
        }
    }

    fn is_known(&self) -> bool {
        self.status != UNKNOWN
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_seen_is_unknown() {
        for (answers, complete, all) in [
            (&[Some(false), Some(true), None][..], false, Some(true)),
            (&[Some(false)], true, Some(false)),
            (&[Some(false)], false, None),
            (&[Some(false), None], true, None),
            (&[], true, None),
        ] {
            assert_eq!(any(answers, complete), all, "{answers:?}");
        }
        let strange = Signature::new(0x1234, &Chain::default());
        assert_eq!((strange.scheme.as_str(), strange.is_known()), (UNKNOWN, false));
        assert!(!strange.quantum_safe && strange.quantum_safe_certificates.is_none());
    }

    #[test]
    fn the_verdict_counts_only_what_is_certain() {
        let group = |code, meanings: &[&str]| {
            let mut meanings_of = scan::meanings_of_group(code);
            meanings_of.retain(|meaning| meanings.contains(&meaning.name));
            Group::new(&scan::Group { code, meanings: meanings_of }, None)
        };
        let (own, other) = ("ML-KEM-512", "frodo640aes");
        for (meanings, expected, status) in [
            (&[own, other][..], Verdict::Undecided, AMBIGUOUS),
            (&[own], Verdict::ReadyWithoutHybrid, "standard"),
            (&[other], Verdict::Obsolete, EXPERIMENTAL),
        ] {
            let group = group(0x0200, meanings);
            assert_eq!((group.status, group.name.as_str()), (status, meanings.join(" or ").as_str()));
            assert_eq!(group.meanings.len(), if meanings.len() > 1 { 2 } else { 0 });
            assert_eq!(verdict(&Found::default(), &[group]), expected);
        }
    }
}
