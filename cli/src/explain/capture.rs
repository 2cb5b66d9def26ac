//! The unencrypted parts of TLS handshakes in a network capture, with the meanings of their numbers.

use super::meaning::{self, Meaning, Question};
use crate::output::{BAD, BOLD, DIM, GOOD, Output, WARN, format_count, printable};
use grille_tls::codepoints::{suite_name, version_name};
use grille_tls::error::alert_name;
use grille_tls::hello::{Hello, Kind};
use grille_tls::scan::{OTHER_GROUPS, OTHER_SCHEMES};
use grille_tls_capture::{Capture, Conversation};
use rustls::{CipherSuite, ProtocolVersion};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Signature schemes for TLS 1.2 and for certificates, RFC 8446 section 4.2.3.
const LEGACY_SCHEMES: [(u16, &str); 5] = [
    (0x0201, "rsa_pkcs1_sha1"),
    (0x0203, "ecdsa_sha1"),
    (0x0401, "rsa_pkcs1_sha256"),
    (0x0501, "rsa_pkcs1_sha384"),
    (0x0601, "rsa_pkcs1_sha512"),
];

/// The TLS connections of a capture.
#[derive(Serialize)]
pub(super) struct CaptureSummary {
    packets: usize,
    /// Whether the file ends within a packet, or is damaged after the last packet that was read.
    damaged: bool,
    connections: Vec<Connection>,
    /// The numbers that have a known meaning, without duplicates.
    numbers: Vec<Number>,
}

#[derive(Serialize)]
struct Connection {
    client: String,
    server: String,
    /// Whether the capture contains all unencrypted messages of the connection.
    complete: bool,
    hellos: Vec<HelloSummary>,
    /// The group of the server's key share; absent before TLS 1.3, and if the server never answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    key_exchange: Option<String>,
    /// Whether the key exchange is quantum-safe; absent if the server never chose one.
    #[serde(skip_serializing_if = "Option::is_none")]
    quantum_safe: Option<bool>,
    /// The unencrypted alerts, with the side that sent them.
    alerts: Vec<String>,
}

#[derive(Serialize)]
struct HelloSummary {
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

impl CaptureSummary {
    pub(super) fn new(capture: &Capture) -> Self {
        let hellos = capture
            .conversations
            .iter()
            .flat_map(|conversation| &conversation.hellos)
            .map(|(hello, _)| hello);
        let table = CodepointTable::new(hellos);
        Self {
            packets: capture.packets,
            damaged: capture.damaged,
            connections: capture
                .conversations
                .iter()
                .map(|conversation| Connection::new(conversation, &table))
                .collect(),
            numbers: table.into_numbers(),
        }
    }
}

/// The meanings of the numbers in a capture, looked up once because many clients offer the same ones.
#[derive(Default)]
struct CodepointTable {
    groups: BTreeMap<u16, Vec<Meaning>>,
    schemes: BTreeMap<u16, Vec<Meaning>>,
}

impl CodepointTable {
    fn new<'a>(hellos: impl Iterator<Item = &'a Hello>) -> Self {
        let mut table = Self::default();
        for hello in hellos {
            for code in hello.groups.iter().chain(hello.shares.iter().map(|(code, _)| code)) {
                table.groups.entry(*code).or_insert_with(|| meanings(*code, meaning::GROUP));
            }
            for code in &hello.schemes {
                table.schemes.entry(*code).or_insert_with(|| meanings(*code, meaning::SCHEME));
            }
        }
        table
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

    /// Returns the numbers with a known meaning.
    fn into_numbers(self) -> Vec<Number> {
        let all = self.groups.into_iter().chain(self.schemes);
        let number = |(code, meanings)| Number { code: format!("0x{code:04X}"), meanings };
        all.filter(|(_, meanings)| !meanings.is_empty()).map(number).collect()
    }
}

/// Returns the meanings of a number of one kind: as a group, or as a signature scheme.
fn meanings(code: u16, kind: &str) -> Vec<Meaning> {
    let mut meanings = meaning::find_meanings(Question::Code(code));
    meanings.retain(|meaning| meaning.kind == kind);
    meanings
}

impl Connection {
    fn new(conversation: &Conversation, table: &CodepointTable) -> Self {
        let chosen =
            conversation.hellos.iter().map(|(hello, _)| hello).rfind(|hello| hello.kind == Kind::ServerHello);
        let group = chosen.and_then(|hello| hello.shares.first()).map(|(group, _)| *group);
        let alert =
            |side, code: Option<u8>| Some(format!("the {side} sent alert {}", alert_name(code?.into())));
        Self {
            client: conversation.client.to_string(),
            server: conversation.server.to_string(),
            complete: conversation.complete,
            hellos: conversation
                .hellos
                .iter()
                .map(|(hello, bytes)| HelloSummary::new(hello, *bytes, table))
                .collect(),
            key_exchange: group.map(|code| table.group(code)),
            quantum_safe: chosen.map(|_| group.is_some_and(|code| table.is_quantum_safe(code))),
            alerts: [alert("client", conversation.client_alert), alert("server", conversation.server_alert)]
                .into_iter()
                .flatten()
                .collect(),
        }
    }
}

impl HelloSummary {
    fn new(hello: &Hello, bytes: usize, table: &CodepointTable) -> Self {
        let group = |code: &u16| table.group(*code);
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
            signature_schemes: hello.schemes.iter().map(|code| table.scheme(*code)).collect(),
        }
    }
}

/// Returns whether a number is reserved by GREASE (RFC 8701), which tests that peers ignore unknown numbers.
const fn is_grease(code: u16) -> bool {
    let [high, low] = code.to_be_bytes();
    high == low && low & 0xF == 0xA
}

/// Returns the name of a number: its name in the tables `others`, all names in `meanings`, or the number itself if it
/// has no name.
fn name(code: u16, meanings: &[Meaning], others: &[&[(u16, &str)]]) -> String {
    if is_grease(code) {
        return "GREASE".to_owned();
    }
    // the registry distinguishes RSA schemes by key length, which the codepoint does not contain
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

impl CaptureSummary {
    pub(super) fn write_text(&self, out: &mut Output) -> io::Result<()> {
        let connections = format_count(self.connections.len(), "TLS connection");
        writeln!(out, "  {connections} {DIM}in {}{DIM:#}", format_count(self.packets, "packet"))?;
        if self.damaged {
            writeln!(out, "  {WARN}the capture ends within a packet{WARN:#}")?;
        }
        self.connections.iter().try_for_each(|connection| connection.write_text(out))?;
        if !self.numbers.is_empty() {
            writeln!(out, "\n{BOLD}the numbers{BOLD:#}")?;
        }
        let mut meanings = self.numbers.iter().flat_map(|number| &number.meanings);
        meanings.try_for_each(|meaning| meaning.write_text(out, "  "))
    }
}

impl Connection {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        writeln!(out, "\n  {BOLD}{}{BOLD:#} to {BOLD}{}{BOLD:#}", self.client, self.server)?;
        self.hellos.iter().try_for_each(|hello| hello.write_text(out))?;
        for alert in &self.alerts {
            writeln!(out, "    {BAD}{alert}{BAD:#}")?;
        }
        if !self.complete {
            writeln!(out, "    {WARN}packets are missing or truncated{WARN:#}")?;
        }
        let exchange = self.key_exchange.as_deref().unwrap_or("older than TLS 1.3");
        match self.quantum_safe {
            Some(true) => writeln!(out, "    {GOOD}quantum-safe{GOOD:#}: the key exchange is {exchange}"),
            Some(false) => {
                writeln!(out, "    {BAD}not quantum-safe{BAD:#}: the key exchange is {exchange}")
            }
            None => writeln!(out, "    {WARN}no key exchange{WARN:#}: the server did not choose a group"),
        }
    }
}

impl HelloSummary {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
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
            .try_for_each(|(label, list)| writeln!(out, "      {DIM}{label:<10}{DIM:#} {}", list.join(", ")))
    }
}
