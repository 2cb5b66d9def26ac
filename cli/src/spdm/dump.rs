//! The `grille spdm dump` subcommand.

mod checked;
mod decode;
mod dialect;
mod inputs;
mod message;
mod message_name;

use super::inputs::Input;
use super::local_identity::{public_key, shared_key};
use super::message_fields::fields;
use super::pqc2021::spec::Spec;
use super::state;
use super::tree::Node;
use crate::error::Error;
use crate::hex;
use crate::output::{BAD, BOLD, DIM, GOOD, Message, Output, Report, WARN, format_count, printable};
use checked::{Checked, Verified};
use grille_core::SecretBytes;
use grille_spdm_codec::{Code, Header};
use grille_spdm_dump::secrets::Secrets;
use grille_spdm_dump::{
    Container, Content, Dump, Entry, IncompleteReason, Sessions, Side, UndecryptedReason,
};
use grille_spdm_engine::session::SessionId;
use grille_spdm_transport::binding::Binding;
use grille_spdm_transport::pcap::Capture;
use inputs::{capture_error, key_log, shared_secret};
use message_name::{incomplete_name, message_name, other_name};
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;

/// Show the messages in a capture of grille or of DMTF's spdm-emu.
///
/// Chunked messages are reassembled. Records are decrypted if --keys holds the secrets of their session: a key log of
/// --key-log, or the log that libspdm prints. For sessions with a pre-shared key, --psk is enough. If the keys match
/// no session, or a record does not decrypt with the secrets of its session, the rest is shown and the exit code is
/// 1.
///
/// Captures of the dialect of openspdm-pqc are recognized by their negotiation; if a capture lacks it, name the dialect
/// with --spec. Their messages in fragments are reassembled, and records decrypted with --keys or with --dhe-secret and
/// --pqc-secret. --psk decrypts none of their sessions, and --verify lists their chains, signatures and MACs as not
/// checked.
///
/// With --verify the exit code is also 1 if a certificate chain does not match its digest in DIGESTS, or if a
/// signature or a MAC is wrong; the error names the first problem. Roots are not checked: use `grille spdm attest` to
/// decide whether to trust a device.
#[derive(clap::Args)]
#[command(after_help = "\
Examples (start `grille spdm responder` first):
  grille spdm requester --pcap session.pcap --key-log session.keys
  grille spdm dump session.pcap --keys session.keys --verify
  grille spdm dump session.pcap --keys session.keys --json | jq '.said[].name'")]
pub(super) struct Args {
    /// Capture file to show (pcap).
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Decrypt records with the secrets in this key log, or in libspdm's printed log.
    #[arg(long, value_name = "FILE")]
    keys: Option<PathBuf>,
    /// Decrypt records with this pre-shared key (raw bytes); repeatable.
    #[arg(long, value_name = "FILE")]
    psk: Vec<PathBuf>,
    /// Decrypt a session of KEY_EXCHANGE with the shared secret of its DHE group, in hexadecimal; repeatable. The capture
    /// must contain the negotiation, the chains and the handshake.
    #[arg(long = "dhe-secret", alias = "dhe_secret", value_name = "HEX", value_parser = shared_secret)]
    dhe_secret: Vec<SecretBytes>,
    /// Decrypt a session of KEY_EXCHANGE with the shared secret of its KEM, in hexadecimal; repeatable. If a session has
    /// a group and a KEM, give both secrets; the first --pqc-secret belongs to the first --dhe-secret.
    #[arg(long = "pqc-secret", alias = "pqc_secret", value_name = "HEX", value_parser = shared_secret)]
    pqc_secret: Vec<SecretBytes>,
    /// Decode messages according to this specification if the capture lacks the negotiation; otherwise the negotiation
    /// decides.
    #[arg(long, value_name = "SPEC", value_enum, default_value = "standard")]
    spec: Spec,
    /// Take the negotiated state from this file of --save-state, written by either side, if the capture starts after
    /// the negotiation.
    #[arg(long = "load-state", alias = "load_state", value_name = "FILE")]
    load_state: Option<PathBuf>,
    /// Verify certificate chains against DIGESTS, the signatures of CHALLENGE_AUTH, MEASUREMENTS, KEY_EXCHANGE_RSP,
    /// FINISH and ENDPOINT_INFO, and the MACs of handshakes whose secrets are known.
    #[arg(long)]
    verify: bool,
    /// Verify the responder's signatures with this public key (PEM or DER), or a certificate with it, if the capture
    /// lacks the responder's chain.
    #[arg(long = "peer-key", alias = "peer_key", value_name = "FILE", requires = "verify")]
    peer_key: Option<PathBuf>,
    /// Verify the requester's signatures with this public key (PEM or DER), or a certificate with it, if the capture
    /// lacks the requester's chain.
    #[arg(long = "requester-key", alias = "requester_key", value_name = "FILE", requires = "verify")]
    requester_key: Option<PathBuf>,
    /// Show every field of every message.
    #[arg(long, short)]
    all: bool,
    /// Show the bytes of each message.
    #[arg(long, short = 'x')]
    hex: bool,
}

impl Args {
    /// Configures the dump for verification, if --verify is given.
    ///
    /// # Errors
    /// Returns an error if a key file is missing or invalid.
    fn with_verification<'d>(&self, dump: Dump<'d>) -> Result<Dump<'d>, Error> {
        if !self.verify {
            return Ok(dump);
        }
        let [requester, responder] =
            [&self.requester_key, &self.peer_key].map(|path| path.as_deref().map(public_key).transpose());
        Ok(dump.with_verification([requester?, responder?]))
    }

    /// Returns the option that provides secrets, if there is one.
    fn option(&self) -> Option<&'static str> {
        let options = [
            (self.keys.is_some(), "--keys"),
            (!self.psk.is_empty(), "--psk"),
            (!self.dhe_secret.is_empty(), "--dhe-secret"),
            (!self.pqc_secret.is_empty(), "--pqc-secret"),
        ];
        options.into_iter().find_map(|(is_given, option)| is_given.then_some(option))
    }

    /// Reads the secrets that the options name.
    ///
    /// # Errors
    /// Returns an error if a file is missing or holds no secret.
    fn secrets(&self, out: &Output) -> Result<Secrets, Error> {
        let log = self.keys.as_deref().map(|path| key_log(path, out)).transpose()?;
        let mut secrets = log.unwrap_or_default();
        for psk in &self.psk {
            secrets = secrets.with_psk(shared_key(psk)?.as_ref());
        }
        let count = self.dhe_secret.len().max(self.pqc_secret.len());
        Ok((0..count).fold(secrets, |secrets, at| {
            let [dhe, kem] = [&self.dhe_secret, &self.pqc_secret]
                .map(|all| all.get(at).map(AsRef::as_ref).unwrap_or_default());
            secrets.with_shared_secret(dhe, kem)
        }))
    }
}

/// Returns whether the entry is a record of a session without known secrets.
const fn is_unmatched(entry: &Entry) -> bool {
    matches!(entry.content, Content::Record { reason: UndecryptedReason::NoSecret, .. })
}

/// Returns the error for secrets that match no session. `unmatched`: the packet of the first record without a secret.
/// `lacks_negotiation`: whether the capture lacks its negotiation.
fn no_match_error(option: &str, unmatched: usize, lacks_negotiation: bool) -> Error {
    if lacks_negotiation {
        let problem = format_args!("packet {unmatched}: {option} decrypts nothing: {NO_NEGOTIATION}");
        return Error::failure(problem).advise(STATE_ADVICE);
    }
    let problem =
        format_args!("packet {unmatched}: {option} has no secrets for the sessions in this capture");
    Error::failure(problem).advise("look for the key log of this capture; unencrypted messages are shown")
}

/// Returns the warning for secrets that match some sessions, but not all.
fn partial_warning(option: &str, unmatched: usize, Sessions { sealed, opened, partly }: Sessions) -> String {
    let encrypted = format_args!("{} of {sealed} sessions stay encrypted", sealed - opened - partly);
    format!("packet {unmatched}: {encrypted}: {option} has no secrets for them")
}

/// Counts records that do not decrypt with the keys of their session.
#[derive(Default)]
struct UndecryptedRecords {
    count: usize,
    /// The number of the packet that contains the first of these records.
    first: usize,
}

impl UndecryptedRecords {
    fn count(&mut self, entry: &Entry) {
        if matches!(entry.content, Content::Record { reason: UndecryptedReason::WrongKey, .. }) {
            self.first = if self.count == 0 { entry.packet } else { self.first };
            self.count += 1;
        }
    }

    /// Returns the error for the counted records; `None` if there are none. `missing` lists the sessions whose secrets
    /// are incomplete in the key log, each with the names of the missing secrets.
    fn error(&self, missing: &[(SessionId, Vec<&'static str>)]) -> Option<Error> {
        let (reason, advice) = match missing.first() {
            Some((session, names)) => (
                format!("the key log lacks {} of session {session:#010x}", names.join(", ")),
                "look for the missing secrets; all other messages are shown",
            ),
            None => (
                undecrypted_reason(UndecryptedReason::WrongKey).to_owned(),
                "capture one connection at a time: records of parallel connections are indistinguishable; all other messages are shown",
            ),
        };
        let problem = match self.count {
            0 => return None,
            1 => "cannot decrypt a record".to_owned(),
            count => format!("cannot decrypt this record and {} more", count - 1),
        };
        Some(Error::failure(format_args!("packet {}: {problem}: {reason}", self.first)).advise(advice))
    }
}

/// Why a capture without its negotiation is hard to decode.
const NO_NEGOTIATION: &str = "the capture starts after GET_VERSION, so the lengths of hashes and signatures, and the encryption of records, \
     are unknown";
/// Advice on how to supply the negotiation.
const STATE_ADVICE: &str = "name the file of either side's --save-state with --load-state";

/// Shows the capture, as far as it can be decoded.
///
/// # Errors
/// Returns an error if the file is not a capture, is damaged, or the given secrets do not decrypt the records.
pub(super) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    let read = Input::Capture.read(&args.file)?;
    let secrets = args.secrets(out)?;
    let state = args.load_state.as_deref().map(state::messages).transpose()?;
    let dump = Dump::new(&read, secrets).map_err(|error| capture_error(&read, &error, &args.file))?;
    let dump = args.with_verification(dump)?.with_dialect(args.spec.is_dialect());
    let mut dump = dump.with_negotiation(state.iter().flatten().map(Vec::as_slice));
    let binding = dump.binding();
    let (mut begin, mut lacks, mut unmatched, mut lines) = (None, None::<Error>, None, Vec::new());
    let (mut undecrypted, mut verified) = (UndecryptedRecords::default(), Verified::default());
    for one in dump.by_ref() {
        undecrypted.count(&one);
        unmatched = unmatched.or_else(|| is_unmatched(&one).then_some(one.packet));
        lacks = lacks.or_else(|| incomplete_error(&one));
        begin = begin.or_else(|| starts_conversation(&one.content));
        let line = MessageLine::new(&one, binding, args);
        verified.count(&one, &line.name);
        lines.push(line);
    }
    let sessions = dump.sessions();
    let lacks_negotiation = state.is_none() && begin == Some(false);
    let unmatched_option = args.option().zip(unmatched);
    let useless_option = unmatched_option.filter(|_| sessions.opened + sessions.partly == 0);
    let wrong = args.verify.then(|| verified.error()).flatten();
    let wrong = wrong.or(lacks).or_else(|| undecrypted.error(dump.missing_secrets()));
    let error = wrong
        .or_else(|| useless_option.map(|(option, packet)| no_match_error(option, packet, lacks_negotiation)));
    let error = error.or_else(|| args.verify.then(|| verified.no_checks_error()).flatten());
    let error = error.map(|error| error.at(&args.file));
    if let (None, Some((option, packet))) = (&error, unmatched_option)
        && sessions.opened + sessions.partly < sessions.sealed
    {
        out.warn(format_args!("{}: {}", args.file.display(), partial_warning(option, packet, sessions)));
    }
    if lacks_negotiation && error.is_none() {
        out.warn(format_args!("{}: {NO_NEGOTIATION}; {STATE_ADVICE}", args.file.display()));
    }
    if let Some(open) = verified.warning().filter(|_| error.is_none()) {
        out.warn(format_args!("{}: {open}", args.file.display()));
    }
    let (sessions, verified) = (SessionCounts::new(sessions), args.verify.then_some(verified));
    let message = error.clone().map(Message::new);
    out.print(&DumpReport { transport: binding.name(), lines, sessions, verified, error: message })?;
    error.map_or(Ok(()), |error| Err(error.mark_in_json_output()))
}

/// Returns the error for an unreadable packet, or a message with missing packets.
fn incomplete_error(entry: &Entry) -> Option<Error> {
    let (packet, problem, advice) = match &entry.content {
        Content::Broken(error) => {
            let advice = match error.name {
                Capture::TRUNCATED => "capture with a larger snapshot length; all other messages are shown",
                _ => "check whether the file was truncated or altered; all readable messages are shown",
            };
            (entry.packet, error.to_string(), advice)
        }
        Content::Unfinished { first, reason, .. } => {
            let problem =
                format!("the message that starts here is incomplete: {}", incomplete_reason(*reason));
            (*first, problem, "show its bytes with --hex; all other messages are shown")
        }
        _ => return None,
    };
    Some(Error::failure(format_args!("packet {packet}: {problem}")).advise(advice))
}

/// Explains why a message is incomplete.
const fn incomplete_reason(reason: IncompleteReason) -> &'static str {
    match reason {
        IncompleteReason::Replaced => "another message started before its end",
        IncompleteReason::OutOfTurn => "a packet is missing or out of order",
        IncompleteReason::AtTheEnd => "the capture ends before the last packet of the message",
    }
}

/// Explains why a record is not decrypted.
const fn undecrypted_reason(reason: UndecryptedReason) -> &'static str {
    match reason {
        UndecryptedReason::NoSecret => "the secrets of its session are unknown",
        UndecryptedReason::WrongKey => "the secrets of its session do not match, or the record was altered",
    }
}

/// Returns whether a conversation starts with this message. Returns `None` for messages outside conversations, such as
/// PCI DOE discovery, and for broken and unfinished messages.
fn starts_conversation(content: &Content) -> Option<bool> {
    match content {
        Content::Message { bytes, .. } => {
            Some(Header::decode(bytes).is_ok_and(|header| header.code == Code::GET_VERSION))
        }
        Content::Record { .. } | Content::Application(_) => Some(false),
        Content::Other { .. } | Content::Broken(_) | Content::Unfinished { .. } => None,
    }
}

#[derive(Serialize)]
struct DumpReport {
    transport: &'static str,
    #[serde(rename = "said")]
    lines: Vec<MessageLine>,
    sessions: SessionCounts,
    /// Results of --verify.
    #[serde(skip_serializing_if = "Option::is_none")]
    verified: Option<Verified>,
    /// The first problem in the capture.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Message>,
}

/// Counts of sessions with records, and of those that were decrypted in full or in part.
#[derive(Serialize)]
struct SessionCounts {
    sealed: usize,
    opened: usize,
    partly: usize,
}

impl SessionCounts {
    const fn new(Sessions { sealed, opened, partly }: Sessions) -> Self {
        Self { sealed, opened, partly }
    }
}

/// One message, or another entry of the capture.
#[derive(Serialize)]
struct MessageLine {
    packet: usize,
    /// Seconds since 1970-01-01 UTC.
    time: f64,
    from: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    /// The kind of container: a packet, reassembled chunks or fragments, or another message.
    within: &'static str,
    name: String,
    text: String,
    #[serde(skip)]
    broken: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    checks: Vec<Checked>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fields: Vec<Node>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<String>,
}

impl MessageLine {
    fn new(entry: &Entry, binding: Binding, args: &Args) -> Self {
        let line = Self {
            packet: entry.packet,
            time: entry.time.as_secs_f64(),
            from: if entry.from == Side::Requester { "requester" } else { "responder" },
            session: entry.session.map(|id| format!("{id:#010x}")),
            within: "packet",
            name: String::new(),
            text: String::new(),
            broken: false,
            checks: entry.checks.iter().map(Checked::new).collect(),
            fields: Vec::new(),
            bytes: None,
        };
        let hex_bytes = |bytes: &[u8]| args.hex.then(|| hex::encode(bytes).to_string());
        match &entry.content {
            Content::Message { bytes, sizes, dialect, within } => {
                let (fields, wrong) = fields(bytes, sizes, dialect.as_ref());
                Self {
                    within: match within {
                        Container::Packet => "packet",
                        Container::Chunks => "chunks",
                        Container::Fragments => "fragments",
                        Container::Message => "message",
                    },
                    name: message_name(bytes, dialect.is_some()),
                    text: wrong.unwrap_or_else(|| message::line(bytes, sizes, dialect.as_ref())),
                    fields: if args.all { fields } else { Vec::new() },
                    bytes: hex_bytes(bytes),
                    ..line
                }
            }
            Content::Record { len, reason } => {
                let text = format!("{len} bytes, {}", undecrypted_reason(*reason));
                Self { name: "secured message".to_owned(), text, ..line }
            }
            Content::Application(bytes) => {
                let text = hex::encode(bytes).to_string();
                Self { name: "application".to_owned(), text, bytes: hex_bytes(bytes), ..line }
            }
            Content::Other { kind, bytes } => {
                let text = hex::encode(bytes).to_string();
                Self { name: other_name(binding, *kind), text, bytes: hex_bytes(bytes), ..line }
            }
            Content::Broken(error) => {
                Self { name: "damaged".to_owned(), text: error.to_string(), broken: true, ..line }
            }
            Content::Unfinished { first, bytes, reason, is_dialect } => {
                let name = format!("unfinished {}", incomplete_name(binding, bytes, *is_dialect));
                let len = format_count(bytes.len(), "byte");
                let text = format!("{len} since packet {first}: {}", incomplete_reason(*reason));
                Self { name, text, bytes: hex_bytes(bytes), broken: true, ..line }
            }
        }
    }
}

impl Report for DumpReport {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        writeln!(out, "{BOLD}{}{BOLD:#}", self.transport)?;
        for line in &self.lines {
            let arrow = if line.from == "requester" { "→" } else { "←" };
            let session = line.session.as_deref().unwrap_or("");
            let style = if line.broken {
                BAD
            } else if line.session.is_some() {
                GOOD
            } else {
                BOLD
            };
            let name = match line.within {
                "chunks" | "fragments" => format!("= {}", line.name),
                "message" => format!("└ {}", line.name),
                _ => line.name.clone(),
            };
            let number = line.packet;
            write!(
                out,
                "{DIM}{number:>5} {arrow}{DIM:#} {WARN}{session:<10}{WARN:#} {style}{name:<32}{style:#}"
            )?;
            writeln!(out, " {}", printable(&line.text))?;
            line.checks.iter().try_for_each(|check| check.show(out))?;
            line.fields.iter().try_for_each(|field| write_field(field, 0, out))?;
            if let Some(bytes) = &line.bytes {
                writeln!(out, "{:20}{DIM}{bytes}{DIM:#}", "")?;
            }
        }
        let SessionCounts { sealed, opened, partly } = self.sessions;
        if sealed > 0 {
            let rest = if partly > 0 { format!(", {partly} partly") } else { String::new() };
            writeln!(out, "{DIM}{opened} of {} decrypted{rest}{DIM:#}", format_count(sealed, "session"))?;
        }
        self.verified.iter().try_for_each(|verified| verified.show(out))
    }
}

/// Prints a field, and its parts indented below it.
fn write_field(field: &Node, depth: usize, out: &mut Output) -> io::Result<()> {
    let indent = 20 + 2 * depth;
    let width = 28_usize.saturating_sub(2 * depth);
    write!(out, "{:indent$}{DIM}{:<width$}{DIM:#}", "", field.name)?;
    writeln!(out, " {}", printable(&field.value))?;
    field.children.iter().try_for_each(|part| write_field(part, depth + 1, out))
}
