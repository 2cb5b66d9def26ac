//! The negotiated parameters and the costs of a connection, as text and JSON.

use crate::output::{BOLD, DIM, Output, Report, format_count, printable};
use grille_registry::{Numbers, Row};
use grille_tls::EarlyData;
use grille_tls::codepoints::{group_name, scheme_name};
use grille_tls::report::Chain;
use grille_tls::trace::Step;
use serde::Serialize;
use std::io::{self, Write};

/// One connection as a JSON document.
#[derive(Serialize)]
pub(crate) struct Connection {
    peer: String,
    version: String,
    cipher_suite: String,
    group: Option<Codepoint>,
    handshake: &'static str,
    own_signature: Option<Codepoint>,
    peer_signature: Option<Codepoint>,
    own_chain: Vec<CertificateSummary>,
    peer_chain: Vec<CertificateSummary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    alpn: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    early_data: Option<EarlyDataSummary>,
    handshake_microseconds: u128,
    handshake_bytes: Directions,
    data_bytes: Directions,
    /// The handshake messages with their plaintext lengths, in the order of the transcript.
    messages: Vec<Message>,
    steps: Vec<TimedStep>,
    /// The peer's data after the handshake, in which invalid UTF-8 is replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    received: Option<String>,
}

#[derive(Serialize)]
struct Codepoint {
    name: String,
    code: u16,
}

/// Bytes on the wire in both directions, record headers included.
#[derive(Serialize)]
struct Directions {
    sent: u64,
    received: u64,
}

#[derive(Serialize)]
struct Message {
    name: String,
    bytes: usize,
    /// For compressed certificates: the length of the Certificate message before compression.
    #[serde(skip_serializing_if = "Option::is_none")]
    uncompressed_bytes: Option<usize>,
}

impl Message {
    fn text(&self) -> String {
        let Self { name, bytes, uncompressed_bytes } = self;
        match uncompressed_bytes {
            Some(before) => format!("{name} {bytes} bytes, {before} before compression"),
            None => format!("{name} {bytes} bytes"),
        }
    }
}

impl From<&grille_tls::trace::Message> for Message {
    fn from(message: &grille_tls::trace::Message) -> Self {
        Self { name: message.name(), bytes: message.len, uncompressed_bytes: message.uncompressed_len }
    }
}

#[derive(Serialize)]
struct TimedStep {
    step: &'static str,
    microseconds: u128,
}

/// The length of the early data, and whether the server accepted it.
#[derive(Serialize)]
struct EarlyDataSummary {
    bytes: usize,
    accepted: bool,
    /// On a server, the client's early data, in which invalid UTF-8 is replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

impl EarlyDataSummary {
    const fn new(data: EarlyData) -> Option<Self> {
        match data {
            EarlyData::None => None,
            EarlyData::Accepted(bytes) => Some(Self { bytes, accepted: true, text: None }),
            EarlyData::Refused(bytes) => Some(Self { bytes, accepted: false, text: None }),
        }
    }
}

/// A certificate of a chain.
#[derive(Serialize)]
struct CertificateSummary {
    subject: String,
    key: String,
    bytes: usize,
}

impl Connection {
    /// Adds the early data that a client sent.
    pub(super) fn with_received_early(mut self, bytes: &[u8]) -> Self {
        if let Some(early) = &mut self.early_data {
            early.text = Some(String::from_utf8_lossy(bytes).into_owned());
        }
        self
    }

    /// Adds the data that the peer sent after the handshake.
    pub(super) fn with_received(mut self, bytes: &[u8]) -> Self {
        self.received = Some(String::from_utf8_lossy(bytes).into_owned());
        self
    }
}

impl From<&grille_tls::Report> for Connection {
    fn from(report: &grille_tls::Report) -> Self {
        let scheme =
            |code: Option<u16>| code.map(|code| Codepoint { name: scheme_name(code, report.numbers), code });
        let steps = report.trace.steps.iter();
        Self {
            peer: report.peer.clone(),
            version: report.version_name(),
            cipher_suite: report.suite_name(),
            group: report.group.map(|code| Codepoint { name: group_name(code, report.numbers), code }),
            handshake: report.kind.name(),
            own_signature: scheme(report.trace.signed_with),
            peer_signature: scheme(report.trace.peer_signed_with),
            own_chain: summarise_chain(&report.own_chain, report.numbers),
            peer_chain: summarise_chain(&report.peer_chain, report.numbers),
            alpn: report.alpn.as_ref().map(|alpn| String::from_utf8_lossy(alpn).into_owned()),
            early_data: EarlyDataSummary::new(report.early_data),
            handshake_microseconds: report.handshake_time.as_micros(),
            handshake_bytes: Directions {
                sent: report.handshake_sent.total(),
                received: report.handshake_received.total(),
            },
            data_bytes: Directions { sent: report.sent.total(), received: report.received.total() },
            messages: report.trace.messages.iter().map(Message::from).collect(),
            steps: steps
                .map(|(step, time)| TimedStep { step: step_name(*step), microseconds: time.as_micros() })
                .collect(),
            received: None,
        }
    }
}

impl Report for Connection {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        line(out, "peer", &self.peer)?;
        line(out, "version", &format!("{}, {}", self.version, self.cipher_suite))?;
        line(out, "group", &self.group.as_ref().map_or_else(|| "none".to_owned(), Codepoint::text))?;
        line(out, "handshake", &format!("{}, {} µs", self.handshake, self.handshake_microseconds))?;
        for (whose, signature) in [("this side's", &self.own_signature), ("the peer's", &self.peer_signature)]
        {
            if let Some(signature) = signature {
                line(out, "signature", &format!("{} ({whose})", signature.text()))?;
            }
        }
        for (i, certificate) in self.peer_chain.iter().enumerate() {
            let text =
                format!("{i} {}: {}, {} bytes", certificate.subject, certificate.key, certificate.bytes);
            line(out, "peer chain", &text)?;
        }
        if let Some(alpn) = &self.alpn {
            line(out, "protocol", alpn)?;
        }
        if let Some(EarlyDataSummary { bytes, accepted, .. }) = &self.early_data {
            line(
                out,
                "early data",
                &format!(
                    "{}, {}",
                    format_count(bytes, "byte"),
                    if *accepted { "accepted" } else { "refused" }
                ),
            )?;
        }
        for message in &self.messages {
            line(out, "message", &message.text())?;
        }
        for timed in &self.steps {
            line(out, "step", &format!("{} {} µs", timed.step, timed.microseconds))?;
        }
        for (label, ways) in [("handshake", &self.handshake_bytes), ("data", &self.data_bytes)] {
            if ways.sent + ways.received == 0 {
                // No data has been transferred yet.
                continue;
            }
            line(out, "bytes", &format!("{label}: {} sent, {} received", ways.sent, ways.received))?;
        }
        Ok(())
    }
}

impl Codepoint {
    fn text(&self) -> String {
        format!("{} (0x{:04X})", self.name, self.code)
    }
}

fn line(out: &mut Output, title: &str, text: &str) -> io::Result<()> {
    writeln!(out, "{DIM}{title:<10}{DIM:#} {BOLD}{}{BOLD:#}", printable(text))
}

fn summarise_chain(chain: &Chain, numbers: Numbers) -> Vec<CertificateSummary> {
    let key = |certificate: &grille_pki::Certificate| {
        certificate.public_key().map_or_else(|_| "unknown key".to_owned(), |key| key.row().name().to_owned())
    };
    if let Some(own) = chain.raw_public_key(numbers) {
        return vec![CertificateSummary {
            subject: "raw public key".to_owned(),
            key: own.row().name().to_owned(),
            bytes: chain.len(),
        }];
    }
    chain
        .certificates()
        .map(|certificate| certificate.in_era(numbers))
        .map(|certificate| CertificateSummary {
            subject: certificate.subject().to_string(),
            key: key(&certificate),
            bytes: certificate.to_der().len(),
        })
        .collect()
}

/// Returns a short name of a step for text and JSON.
pub(crate) const fn step_name(step: Step) -> &'static str {
    match step {
        Step::KeyShare => "make the key share",
        Step::Encapsulate => "encapsulate",
        Step::Decapsulate => "decapsulate",
        Step::Sign => "sign",
        Step::VerifyChain => "verify the chain",
        Step::VerifySignature => "verify the signature",
    }
}
