//! What the TLS handshakes of a network capture say in the clear, and what the numbers in them mean.

use super::meaning::{self, Meaning, Question};
use crate::output::{BAD, BOLD, DIM, GOOD, Output, WARN, counted, printable};
use grille_tls::codepoints::{suite_name, version_name};
use grille_tls::error::alert_name;
use grille_tls::hello::{Hello, Kind};
use grille_tls::scan::{OTHER_GROUPS, OTHER_SCHEMES};
use grille_tls_capture::{Capture, Conversation};
use rustls::{CipherSuite, ProtocolVersion};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// RFC 8446 section 4.2.3: of before TLS 1.3, and for certificates.
const LEGACY_SCHEMES: [(u16, &str); 5] = [
    (0x0201, "rsa_pkcs1_sha1"),
    (0x0203, "ecdsa_sha1"),
    (0x0401, "rsa_pkcs1_sha256"),
    (0x0501, "rsa_pkcs1_sha384"),
    (0x0601, "rsa_pkcs1_sha512"),
];

/// What was heard.
#[derive(Serialize)]
pub(super) struct Heard {
    packets: usize,
    /// Whether the file ends within a packet, or is damaged behind the last one that was read.
    damaged: bool,
    connections: Vec<Connection>,
    /// Every number with a meaning, once.
    numbers: Vec<Number>,
}

#[derive(Serialize)]
struct Connection {
    client: String,
    server: String,
    /// Whether all is there that was said in the clear.
    complete: bool,
    hellos: Vec<Said>,
    /// The group of the server's share; absent before TLS 1.3, and if it never answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    key_exchange: Option<String>,
    /// Whether the key exchange withstands a quantum computer; absent if the server never chose.
    #[serde(skip_serializing_if = "Option::is_none")]
    quantum_safe: Option<bool>,
    /// Who gave up in the clear, and with which alert.
    alerts: Vec<String>,
}

#[derive(Serialize)]
struct Said {
    message: &'static str,
    bytes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    server_name: Option<String>,
    versions: Vec<String>,
    cipher_suites: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    groups: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    key_shares: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    signature_schemes: Vec<String>,
}

#[derive(Serialize)]
struct Number {
    code: String,
    meanings: Vec<Meaning>,
}

impl Heard {
    pub(super) fn of(capture: &Capture) -> Self {
        let hellos = capture.conversations.iter().flat_map(|talk| &talk.hellos).map(|(hello, _)| hello);
        let book = Book::of(hellos);
        Self {
            packets: capture.packets,
            damaged: capture.damaged,
            connections: capture.conversations.iter().map(|talk| Connection::of(talk, &book)).collect(),
            numbers: book.into_numbers(),
        }
    }
}

/// What each number of a capture means, looked up once: many clients offer the same.
#[derive(Default)]
struct Book {
    groups: BTreeMap<u16, Vec<Meaning>>,
    schemes: BTreeMap<u16, Vec<Meaning>>,
}

impl Book {
    fn of<'a>(hellos: impl Iterator<Item = &'a Hello>) -> Self {
        let mut book = Self::default();
        for hello in hellos {
            for code in hello.groups.iter().chain(hello.shares.iter().map(|(code, _)| code)) {
                book.groups.entry(*code).or_insert_with(|| meanings(*code, meaning::GROUP));
            }
            for code in &hello.schemes {
                book.schemes.entry(*code).or_insert_with(|| meanings(*code, meaning::SCHEME));
            }
        }
        book
    }

    fn group(&self, code: u16) -> String {
        name(code, &self.groups[&code], &[&OTHER_GROUPS])
    }

    fn scheme(&self, code: u16) -> String {
        name(code, &self.schemes[&code], &[&OTHER_SCHEMES, &LEGACY_SCHEMES])
    }

    fn is_quantum_safe(&self, group: u16) -> bool {
        self.groups[&group].iter().any(Meaning::is_quantum_safe)
    }

    /// Those with a meaning.
    fn into_numbers(self) -> Vec<Number> {
        let all = self.groups.into_iter().chain(self.schemes);
        let number = |(code, meanings)| Number { code: format!("0x{code:04X}"), meanings };
        all.filter(|(_, meanings)| !meanings.is_empty()).map(number).collect()
    }
}

/// What a number means as a group, or as a scheme.
fn meanings(code: u16, kind: &str) -> Vec<Meaning> {
    let mut meanings = meaning::all(Question::Code(code));
    meanings.retain(|meaning| meaning.kind == kind);
    meanings
}

impl Connection {
    fn of(talk: &Conversation, book: &Book) -> Self {
        let chosen =
            talk.hellos.iter().map(|(hello, _)| hello).rfind(|hello| hello.kind == Kind::ServerHello);
        let group = chosen.and_then(|hello| hello.shares.first()).map(|(group, _)| *group);
        let alert = |who, code: Option<u8>| Some(format!("the {who} gave up: {}", alert_name(code?.into())));
        Self {
            client: talk.client.to_string(),
            server: talk.server.to_string(),
            complete: talk.complete,
            hellos: talk.hellos.iter().map(|(hello, bytes)| Said::of(hello, *bytes, book)).collect(),
            key_exchange: group.map(|code| book.group(code)),
            quantum_safe: chosen.map(|_| group.is_some_and(|code| book.is_quantum_safe(code))),
            alerts: [alert("client", talk.client_alert), alert("server", talk.server_alert)]
                .into_iter()
                .flatten()
                .collect(),
        }
    }
}

impl Said {
    fn of(hello: &Hello, bytes: usize, book: &Book) -> Self {
        let group = |code: &u16| book.group(*code);
        Self {
            message: match hello.kind {
                Kind::ClientHello => "ClientHello",
                Kind::ServerHello => "ServerHello",
                Kind::HelloRetryRequest => "HelloRetryRequest",
            },
            bytes,
            server_name: hello.server_name.clone(),
            versions: hello.versions.iter().map(|code| protocol(*code)).collect(),
            cipher_suites: hello.suites.iter().map(|code| suite(*code)).collect(),
            groups: hello.groups.iter().map(group).collect(),
            key_shares: hello
                .shares
                .iter()
                .map(|(code, len)| match len {
                    0 => group(code),
                    len => format!("{} {len} bytes", group(code)),
                })
                .collect(),
            signature_schemes: hello.schemes.iter().map(|code| book.scheme(*code)).collect(),
        }
    }
}

/// RFC 8701: numbers that mean nothing, so that servers get used to them.
const fn is_grease(code: u16) -> bool {
    let [high, low] = code.to_be_bytes();
    high == low && low & 0xF == 0xA
}

/// All names of a number with these meanings, or the number.
fn name(code: u16, meanings: &[Meaning], others: &[&[(u16, &str)]]) -> String {
    if is_grease(code) {
        return "GREASE".to_owned();
    }
    // RSA's schemes say nothing of the length of keys, by which the registry tells them apart
    if let Some((_, name)) = others.iter().copied().flatten().find(|(known, _)| *known == code) {
        return (*name).to_owned();
    }
    let mut names: Vec<_> = meanings.iter().map(|meaning| meaning.name).collect();
    names.dedup();
    match names.is_empty() {
        true => format!("0x{code:04X}"),
        false => names.join(" or "),
    }
}

fn suite(code: u16) -> String {
    match CipherSuite::from(code) {
        _ if is_grease(code) => "GREASE".to_owned(),
        CipherSuite::Unknown(code) => format!("0x{code:04X}"),
        suite => suite_name(suite),
    }
}

fn protocol(code: u16) -> String {
    match ProtocolVersion::from(code) {
        _ if is_grease(code) => "GREASE".to_owned(),
        ProtocolVersion::Unknown(code) => format!("0x{code:04X}"),
        version => version_name(version),
    }
}

impl Heard {
    pub(super) fn human(&self, out: &mut Output) -> io::Result<()> {
        let connections = counted(self.connections.len(), "TLS connection");
        writeln!(out, "  {connections} {DIM}in {}{DIM:#}", counted(self.packets, "packet"))?;
        if self.damaged {
            writeln!(out, "  {WARN}the capture ends within a packet{WARN:#}")?;
        }
        self.connections.iter().try_for_each(|connection| connection.human(out))?;
        if !self.numbers.is_empty() {
            writeln!(out, "\n{BOLD}the numbers{BOLD:#}")?;
        }
        let mut meanings = self.numbers.iter().flat_map(|number| &number.meanings);
        meanings.try_for_each(|meaning| meaning.human(out, "  "))
    }
}

impl Connection {
    fn human(&self, out: &mut Output) -> io::Result<()> {
        writeln!(out, "\n  {BOLD}{}{BOLD:#} to {BOLD}{}{BOLD:#}", self.client, self.server)?;
        self.hellos.iter().try_for_each(|said| said.human(out))?;
        for alert in &self.alerts {
            writeln!(out, "    {BAD}{alert}{BAD:#}")?;
        }
        if !self.complete {
            writeln!(out, "    {WARN}packets are missing, or were cut short{WARN:#}")?;
        }
        let exchange = self.key_exchange.as_deref().unwrap_or("of before TLS 1.3");
        match self.quantum_safe {
            Some(true) => writeln!(out, "    {GOOD}quantum-safe{GOOD:#}: the key exchange is {exchange}"),
            Some(false) => {
                writeln!(
                    out,
                    "    {BAD}a quantum computer can read it{BAD:#}: the key exchange is {exchange}"
                )
            }
            None => writeln!(out, "    {WARN}no key exchange{WARN:#}: the server never chose one"),
        }
    }
}

impl Said {
    fn human(&self, out: &mut Output) -> io::Result<()> {
        let name = self.server_name.as_deref().map(|name| format!(" for {}", printable(name)));
        writeln!(out, "    {}{} {DIM}{} bytes{DIM:#}", self.message, name.unwrap_or_default(), self.bytes)?;
        let lists = [
            ("version", &self.versions),
            ("suites", &self.cipher_suites),
            ("groups", &self.groups),
            ("key shares", &self.key_shares),
            ("signatures", &self.signature_schemes),
        ];
        lists
            .iter()
            .filter(|(_, list)| !list.is_empty())
            .try_for_each(|(what, list)| writeln!(out, "      {DIM}{what:<10}{DIM:#} {}", list.join(", ")))
    }
}
