//! `grille spdm dump`.

mod checked;
mod message;

use super::inputs::Input;
use super::own::{public_key, shared_key};
use super::parts::fields;
use super::state;
use super::tree::Node;
use crate::error::Error;
use crate::hex;
use crate::output::{BAD, BOLD, DIM, GOOD, Message, Output, Report, WARN, counted, printable};
use checked::{Checked, Verified};
use grille_spdm_codec::{Code, CodecError, Header};
use grille_spdm_dump::secrets::Secrets;
use grille_spdm_dump::{Closed, Content, Dump, Lost, Said, Sessions, Side, Within};
use grille_spdm_engine::session::SessionId;
use grille_spdm_transport::binding::{Binding, Kind};
use grille_spdm_transport::mctp::MessageType;
use grille_spdm_transport::pcap::{self, Capture};
use grille_spdm_transport::{doe, tcp};
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Show what a capture says: ours, and those of DMTF's spdm-emu.
///
/// Large messages are put together from their chunks. Records are opened where --keys has the secrets of their session:
/// a key log of --key_log, or the log that libspdm prints; for sessions with a key that both sides had beforehand,
/// --psk is enough. If these open no session, or a record does not open with the secrets of its session, all else is shown and
/// the exit code is 1.
///
/// With --verify the exit code is also 1 if a certificate chain does not have the digest that DIGESTS announced, or if a signature
/// or a MAC is wrong; the error names the first. Roots are not checked: `grille spdm attest` decides whom to trust.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille spdm requester --pcap said.pcap --key_log said.keys
  grille spdm dump said.pcap --keys said.keys
  grille spdm dump said.pcap --keys said.keys --all
  grille spdm dump said.pcap --keys said.keys --verify
  grille spdm dump emulator.pcap --keys requester.log --json | jq '.said[].name'")]
pub(super) struct Args {
    /// The capture (pcap).
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// A key log, or what libspdm printed.
    #[arg(long, value_name = "FILE")]
    keys: Option<PathBuf>,
    /// A key that both sides had beforehand, as bytes; may be given more than once.
    #[arg(long, value_name = "FILE")]
    psk: Vec<PathBuf>,
    /// What was negotiated before the capture begins: a file of --save_state, of either side.
    #[arg(long = "load_state", value_name = "FILE")]
    load_state: Option<PathBuf>,
    /// Check certificate chains against DIGESTS, the signatures of CHALLENGE_AUTH, MEASUREMENTS, KEY_EXCHANGE_RSP, FINISH and
    /// ENDPOINT_INFO, and the MACs of handshakes whose secrets are known.
    #[arg(long)]
    verify: bool,
    /// The responder's public key (PEM or DER), or a certificate with it, where the capture has no chain of the responder.
    #[arg(long = "peer_key", value_name = "FILE", requires = "verify")]
    peer_key: Option<PathBuf>,
    /// The requester's public key (PEM or DER), or a certificate with it, where the capture has no chain of the requester.
    #[arg(long = "requester_key", value_name = "FILE", requires = "verify")]
    requester_key: Option<PathBuf>,
    /// Show every field of every message.
    #[arg(long, short)]
    all: bool,
    /// Show the bytes too.
    #[arg(long, short = 'x')]
    hex: bool,
}

impl Args {
    /// The dump, with checks if they are asked for.
    ///
    /// # Errors
    /// What the files of keys have wrong.
    fn verified<'d>(&self, dump: Dump<'d>) -> Result<Dump<'d>, Error> {
        if !self.verify {
            return Ok(dump);
        }
        let [requester, responder] =
            [&self.requester_key, &self.peer_key].map(|path| path.as_deref().map(public_key).transpose());
        Ok(dump.verified([requester?, responder?]))
    }

    /// The option that gives secrets, if one does.
    fn given(&self) -> Option<&'static str> {
        self.keys.as_ref().map(|_| "--keys").or_else(|| self.psk.first().map(|_| "--psk"))
    }
}

/// Whether the record is of a session that no secret is of.
const fn is_strange(said: &Said) -> bool {
    matches!(said.content, Content::Record { why: Closed::NoSecret, .. })
}

/// That the secrets of this option are of no session. `strange`: the packet of the first record that no secret is of; `late`: the
/// capture lacks its negotiation.
fn opens_nothing(given: &str, strange: usize, late: bool) -> Error {
    if late {
        let what = format_args!("packet {strange}: {given} opens nothing: {LATE}");
        return Error::failure(what).advise(KEPT);
    }
    let what = format_args!("packet {strange}: {given} has the secrets of no session of this capture");
    Error::failure(what).advise("all that is not sealed is shown")
}

/// That they are of some sessions and not of all.
fn opens_some(given: &str, strange: usize, Sessions { sealed, opened, partly }: Sessions) -> String {
    let closed = format_args!("{} of {sealed} sessions stay closed", sealed - opened - partly);
    format!("packet {strange}: {closed}: {given} has no secret of theirs")
}

/// Records that no key of their session opens.
#[derive(Default)]
struct Shut {
    count: usize,
    /// The packet of the first.
    first: usize,
}

impl Shut {
    fn see(&mut self, said: &Said) {
        if matches!(said.content, Content::Record { why: Closed::WrongKey, .. }) {
            self.first = if self.count == 0 { said.packet } else { self.first };
            self.count += 1;
        }
    }

    /// What is wrong, if any is. `lacking`: the secrets that the key log has not of some sessions.
    fn error(&self, lacking: &[(SessionId, Vec<&'static str>)]) -> Option<Error> {
        let (why, advice) = match lacking.first() {
            Some((session, names)) => (
                format!("the key log has no {} of session {session:#010x}", names.join(", ")),
                "all else is shown",
            ),
            None => (
                closed(Closed::WrongKey).to_owned(),
                "all else is shown; of several connections at once nobody can tell whose a record is",
            ),
        };
        let what = match self.count {
            0 => return None,
            1 => "a record does not open".to_owned(),
            count => format!("{count} records do not open, this is the first"),
        };
        Some(Error::failure(format_args!("packet {}: {what}: {why}", self.first)).advise(advice))
    }
}

/// Why little can be read of a capture without its negotiation, and what brings it.
const LATE: &str = "the capture begins after GET_VERSION: how long hashes and signatures are, and how records are sealed, \
     is not known";
const KEPT: &str = "--load_state names the file in which either side kept it";

/// Shows it, as far as it can be read.
///
/// # Errors
/// If the file is no capture, or is damaged, or secrets were given that do not open what they should.
pub(super) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    let read = Input::Capture.read(&args.file)?;
    let mut secrets = args.keys.as_deref().map(|path| key_log(path, out)).transpose()?.unwrap_or_default();
    for psk in &args.psk {
        secrets = secrets.with_psk(shared_key(psk)?.as_ref());
    }
    let kept = args.load_state.as_deref().map(state::messages).transpose()?;
    let dump = Dump::new(&read, secrets).map_err(|error| no_capture(&read, &error, &args.file))?;
    let mut dump = args.verified(dump)?.after(kept.iter().flatten().map(Vec::as_slice));
    let binding = dump.binding();
    let (mut begin, mut lacks, mut strange, mut said) = (None, None::<Error>, None, Vec::new());
    let (mut shut, mut verified) = (Shut::default(), Verified::default());
    for one in dump.by_ref() {
        shut.see(&one);
        strange = strange.or_else(|| is_strange(&one).then_some(one.packet));
        lacks = lacks.or_else(|| lacking(&one));
        begin = begin.or_else(|| begins(&one.content));
        let line = Line::of(&one, binding, args);
        verified.see(&one, &line.name);
        said.push(line);
    }
    let sessions = dump.sessions();
    let late = kept.is_none() && begin == Some(false);
    let closed = args.given().zip(strange);
    let nothing = closed.filter(|_| sessions.opened + sessions.partly == 0);
    let wrong = args.verify.then(|| verified.error()).flatten();
    let wrong = wrong.or(lacks).or_else(|| shut.error(dump.lacking()));
    let error = wrong.or_else(|| nothing.map(|(given, packet)| opens_nothing(given, packet, late)));
    let error = error.or_else(|| args.verify.then(|| verified.nothing()).flatten());
    let error = error.map(|error| error.at(&args.file));
    if let (None, Some((given, packet))) = (&error, closed)
        && sessions.opened + sessions.partly < sessions.sealed
    {
        out.warn(format_args!("{}: {}", args.file.display(), opens_some(given, packet, sessions)));
    }
    if late && error.is_none() {
        out.warn(format_args!("{}: {LATE}; {KEPT}", args.file.display()));
    }
    if let Some(open) = verified.warning().filter(|_| error.is_none()) {
        out.warn(format_args!("{}: {open}", args.file.display()));
    }
    let (sessions, verified) = (Counted::of(sessions), args.verify.then_some(verified));
    let message = error.clone().map(Message::of);
    out.print(&Dumped { transport: binding.name(), said, sessions, verified, error: message })?;
    error.map_or(Ok(()), |error| Err(error.documented()))
}

/// What is wrong with a packet that cannot be read, or a message that lacks packets.
fn lacking(said: &Said) -> Option<Error> {
    let (packet, what, advice) = match &said.content {
        Content::Broken(error) => {
            let advice = match error.what {
                Capture::KEPT => "all else is shown; whoever captured it had too small a snapshot length",
                _ => "all that can be read is shown; the file was cut off or altered",
            };
            (said.packet, error.to_string(), advice)
        }
        Content::Unfinished { first, why, .. } => {
            let what = format!("the message that begins here lacks its end: {}", lost(*why));
            (*first, what, "all else is shown, and with --hex what there is of it")
        }
        _ => return None,
    };
    Some(Error::failure(format_args!("packet {packet}: {what}")).advise(advice))
}

/// Why a message has no end.
const fn lost(why: Lost) -> &'static str {
    match why {
        Lost::Replaced => "another began in its place",
        Lost::OutOfTurn => "a packet is missing, or came out of turn",
        Lost::AtTheEnd => "the capture ends before it does",
    }
}

/// Why a record is not opened.
const fn closed(why: Closed) -> &'static str {
    match why {
        Closed::NoSecret => "no secret of its session is known",
        Closed::WrongKey => "no secret of its session opens it, or it was altered",
    }
}

/// Whether a conversation begins with this; nothing of what is no part of one, such as PCI DOE's discovery.
fn begins(content: &Content) -> Option<bool> {
    match content {
        Content::Message { bytes, .. } => {
            Some(Header::decode(bytes).is_ok_and(|header| header.code == Code::GET_VERSION))
        }
        Content::Record { .. } | Content::Application(_) => Some(false),
        Content::Other { .. } | Content::Broken(_) | Content::Unfinished { .. } => None,
    }
}

/// Why a file cannot be shown, and what can be done.
fn no_capture(read: &[u8], error: &CodecError, path: &Path) -> Error {
    let advise = |what: &dyn std::fmt::Display, advice: &str| Error::failure(what).at(path).advise(advice);
    match error.what {
        _ if read.is_empty() => Error::failure("is empty: nothing was captured").at(path),
        what if what != "magic" && read.len() < pcap::Header::LEN => {
            Error::failure("is cut off in the 24 bytes that a capture begins with").at(path)
        }
        "magic" if read.starts_with(&PCAPNG) => advise(
            &"is a capture of the newer format, pcapng",
            "`editcap -F pcap` makes one of the older of it",
        ),
        "magic" => advise(
            &"is no capture in the format of pcap",
            "--pcap of `grille spdm requester` and of DMTF's emulators writes one",
        ),
        "link type" => advise(error, "`grille explain` shows what a capture of a network says of TLS"),
        _ => Error::failure(error).at(path),
    }
}

/// What files of pcapng begin with.
const PCAPNG: [u8; 4] = [0x0A, 0x0D, 0x0D, 0x0A];

/// The secrets in a key log, which has some; of a line that lacks a part of one it warns.
fn key_log(path: &Path, out: &Output) -> Result<Secrets, Error> {
    let read = Input::KeyLog.read(path)?;
    if read.trim_ascii().is_empty() {
        let error = Error::failure("the key log holds no secrets").at(path);
        return Err(error.advise(
            "no session was opened while it was written; without --keys all that is not sealed is shown",
        ));
    }
    let secrets = Secrets::parse(&String::from_utf8_lossy(&read));
    for number in secrets.malformed() {
        let path = path.display();
        out.warn(format_args!(
            "{path}: line {number}: the secret is not whole bytes in hexadecimal, and is passed over"
        ));
    }
    if secrets.is_empty() {
        let error = Error::failure("this is no key log: no line of it is a secret of a session").at(path);
        return Err(error.advise("--key_log of `grille spdm requester` writes one"));
    }
    Ok(secrets)
}

#[derive(Serialize)]
struct Dumped {
    transport: &'static str,
    said: Vec<Line>,
    sessions: Counted,
    /// With --verify.
    #[serde(skip_serializing_if = "Option::is_none")]
    verified: Option<Verified>,
    /// What is the first that is wrong with the capture.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Message>,
}

/// How many sessions have records, and of how many all or some were opened.
#[derive(Serialize)]
struct Counted {
    sealed: usize,
    opened: usize,
    partly: usize,
}

impl Counted {
    const fn of(Sessions { sealed, opened, partly }: Sessions) -> Self {
        Self { sealed, opened, partly }
    }
}

/// One message.
#[derive(Serialize)]
struct Line {
    packet: usize,
    /// Seconds since 1970.
    time: f64,
    from: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    /// Whether it was put together from chunks, or was in another message.
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

impl Line {
    fn of(said: &Said, binding: Binding, args: &Args) -> Self {
        let line = Self {
            packet: said.packet,
            time: said.time.as_secs_f64(),
            from: if said.from == Side::Requester { "requester" } else { "responder" },
            session: said.session.map(|id| format!("{id:#010x}")),
            within: "packet",
            name: String::new(),
            text: String::new(),
            broken: false,
            checks: said.checks.iter().map(Checked::of).collect(),
            fields: Vec::new(),
            bytes: None,
        };
        let shown = |bytes: &[u8]| args.hex.then(|| hex::encode(bytes).to_string());
        match &said.content {
            Content::Message { bytes, sizes, within } => {
                let (fields, wrong) = fields(bytes, sizes);
                Self {
                    within: match within {
                        Within::Packet => "packet",
                        Within::Chunks => "chunks",
                        Within::Message => "message",
                    },
                    name: name(bytes),
                    text: wrong.unwrap_or_else(|| message::line(bytes, sizes)),
                    fields: if args.all { fields } else { Vec::new() },
                    bytes: shown(bytes),
                    ..line
                }
            }
            Content::Record { len, why } => {
                let text = format!("{len} bytes, {}", closed(*why));
                Self { name: "secured message".to_owned(), text, ..line }
            }
            Content::Application(bytes) => {
                let text = hex::encode(bytes).to_string();
                Self { name: "application".to_owned(), text, bytes: shown(bytes), ..line }
            }
            Content::Other { kind, bytes } => {
                let text = hex::encode(bytes).to_string();
                Self { name: other_name(binding, *kind), text, bytes: shown(bytes), ..line }
            }
            Content::Broken(error) => {
                Self { name: "damaged".to_owned(), text: error.to_string(), broken: true, ..line }
            }
            Content::Unfinished { first, bytes, why } => {
                let name = format!("unfinished {}", begun(binding, bytes));
                let len = counted(bytes.len(), "byte");
                let text = format!("{len} from packet {first} on: {}", lost(*why));
                Self { name, text, bytes: shown(bytes), broken: true, ..line }
            }
        }
    }
}

impl Report for Dumped {
    fn human(&self, out: &mut Output) -> io::Result<()> {
        writeln!(out, "{BOLD}{}{BOLD:#}", self.transport)?;
        for line in &self.said {
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
                "chunks" => format!("= {}", line.name),
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
            line.fields.iter().try_for_each(|field| show(field, 0, out))?;
            if let Some(bytes) = &line.bytes {
                writeln!(out, "{:20}{DIM}{bytes}{DIM:#}", "")?;
            }
        }
        let Counted { sealed, opened, partly } = self.sessions;
        if sealed > 0 {
            let rest = if partly > 0 { format!(", {partly} partly") } else { String::new() };
            writeln!(out, "{DIM}{opened} of {} opened{rest}{DIM:#}", counted(sealed, "session"))?;
        }
        self.verified.iter().try_for_each(|verified| verified.show(out))
    }
}

/// A field, and its parts a little to the right.
fn show(field: &Node, depth: usize, out: &mut Output) -> io::Result<()> {
    let indent = 20 + 2 * depth;
    let width = 28_usize.saturating_sub(2 * depth);
    write!(out, "{:indent$}{DIM}{:<width$}{DIM:#}", "", field.name)?;
    writeln!(out, " {}", printable(&field.value))?;
    field.children.iter().try_for_each(|part| show(part, depth + 1, out))
}

/// What a message is of which there is only the begin.
fn begun(binding: Binding, bytes: &[u8]) -> String {
    match binding.decode(bytes) {
        Ok((Kind::Spdm, message)) => name(message),
        Ok((Kind::Secured, _)) => "secured message".to_owned(),
        Ok((Kind::Other(kind), _)) => other_name(binding, kind),
        Err(_) => "message".to_owned(),
    }
}

/// What a frame carries that is none of SPDM's.
fn other_name(binding: Binding, kind: u8) -> String {
    let known = match (binding, MessageType(kind)) {
        (Binding::PciDoe, _) if kind == doe::DISCOVERY => "DOE discovery",
        (Binding::Mctp, MessageType::CONTROL) => "MCTP control",
        (Binding::Mctp, MessageType::PLDM) => "PLDM",
        (Binding::Mctp, MessageType::VENDOR_PCI | MessageType::VENDOR_IANA) => "vendor's message",
        (Binding::Tcp, _) => tcp::MessageType(kind).name().unwrap_or_default(),
        _ => "",
    };
    if known.is_empty() { format!("type {kind:#04x} of the transport") } else { known.to_owned() }
}

/// The standard's name, and the version.
fn name(bytes: &[u8]) -> String {
    Header::decode(bytes).map_or_else(|_| "no message".to_owned(), |header| header.code.to_string())
}
