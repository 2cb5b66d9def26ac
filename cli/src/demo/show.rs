//! Prints the demo: two columns of measured numbers, in lines of at most 60 characters.

use super::attestation::Attestation;
use super::attestation_display;
use super::peers::IdentityCosts;
use super::session::{RUNS, Session};
use super::table::{LINE_LENGTH, Row, table};
use crate::output::{BOLD, DIM, GOOD, Output};
use crate::tls::loopback::DEMO_MESSAGES;
use crate::tls::report::{Connection, step_name};
use grille_tls::Report;
use grille_tls::codepoints::{group_name, scheme_name};
use grille_tls::trace::Step;
use serde::Serialize;
use std::io::{self, Write};

/// Prints the introduction.
pub(super) fn introduction(out: &mut Output) -> io::Result<()> {
    writeln!(out, "\n{BOLD}grille demo{BOLD:#}")?;
    writeln!(out, "Quantum-safe connections next to classical ones: TLS 1.3")?;
    writeln!(out, "with certificates on both sides, first with today's")?;
    writeln!(out, "standards, then as in 2021. Last, SPDM 1.4: a device")?;
    writeln!(out, "proves its identity and its firmware.")?;
    writeln!(out)?;
    writeln!(out, "All numbers are measured now, on this machine: the")?;
    writeln!(out, "fastest of {RUNS} runs, each with new keys.")?;
    writeln!(out, "{DIM}  bytes{DIM:#}  size of a message or certificate")?;
    writeln!(out, "{DIM}  µs{DIM:#}     time of a step in microseconds")?;
    writeln!(out, "{DIM}  → ←{DIM:#}    sent by the client, sent by the server")?;
    writeln!(out, "Totals include record headers (bytes) and waiting (µs).")
}

/// Prints the summary.
pub(super) fn summary(out: &mut Output) -> io::Result<()> {
    writeln!(out, "\n{GOOD}✓ all signatures and certificate chains verified{GOOD:#}")?;
    writeln!(out, "Each × line compares totals: quantum-safe connections")?;
    writeln!(out, "cost more bytes, mostly for keys and signatures; the time")?;
    writeln!(out, "depends on the algorithms. No files were left behind.")?;
    writeln!(out, "{DIM}Next: grille list, grille tls server --help,{DIM:#}")?;
    writeln!(out, "{DIM}      grille tls scan example.org{DIM:#}\n")?;
    out.flush()
}

/// Prints a quantum-safe session next to a classical one.
pub(super) fn comparison(
    out: &mut Output,
    title: &str,
    quantum_safe: &Session,
    classical: &Session,
) -> io::Result<()> {
    writeln!(out, "\n{BOLD}{title}{BOLD:#}\n{DIM}{}{DIM:#}", "─".repeat(LINE_LENGTH))?;
    let (left, right) = (&quantum_safe.client, &classical.client);
    writeln!(out, "{}, {}", left.version_name(), left.suite_name())?;
    writeln!(out, "{:<15} {GOOD}{:<25}{GOOD:#}{BOLD}classical{BOLD:#}", "", "quantum-safe")?;
    let group =
        |report: &Report| report.group.map_or_else(String::new, |code| group_name(code, report.numbers));
    names(out, "key exchange", &group(left), &group(right))?;
    let scheme = |code: Option<u16>| code.map_or_else(String::new, |code| scheme_name(code, left.numbers));
    let server = |report: &Report| scheme(report.trace.peer_signed_with);
    names(out, "server signs", &server(left), &server(right))?;
    let client = |report: &Report| scheme(report.trace.signed_with);
    names(out, "client signs", &client(left), &client(right))?;
    let codes = |report: &Report| {
        let codes = [report.group, report.trace.peer_signed_with, report.trace.signed_with];
        codes.map(|code| code.map_or_else(String::new, |code| format!("{code:04X}"))).join(" ")
    };
    names(out, "codepoints", &codes(left), &codes(right))?;
    table(out, &rows(quantum_safe), &rows(classical))?;
    write_verdict(out, quantum_safe, classical)
}

fn names(out: &mut Output, label: &str, left: &str, right: &str) -> io::Result<()> {
    writeln!(out, "{DIM}{label:<15}{DIM:#} {left:<25}{right}")
}

/// Returns the rows of a session in chronological order.
fn rows(session: &Session) -> Vec<Row> {
    let mut rows = vec![Row::heading("before the connection")];
    add_identity_rows(&mut rows, "server", &session.server_made);
    add_identity_rows(&mut rows, "client", &session.client_made);
    rows.push(Row::heading("handshake"));
    add_handshake_rows(&mut rows, &session.client, &session.server);
    let client = &session.client;
    let wire = client.handshake_sent.total() + client.handshake_received.total();
    rows.push(Row::total("handshake on the wire", wire, client.handshake_time));
    rows.push(Row::heading("application data"));
    rows.push(Row::message(format!("→ {}", DEMO_MESSAGES.request), DEMO_MESSAGES.request.len()));
    rows.push(Row::message(format!("← {}", DEMO_MESSAGES.response), DEMO_MESSAGES.response.len()));
    let wire = client.sent.total() + client.received.total();
    rows.push(Row::total("data, tickets, closing", wire, session.exchange_time));
    rows
}

fn add_identity_rows(rows: &mut Vec<Row>, side: &str, made: &IdentityCosts) {
    rows.push(Row::message(format!("{side}'s certificate"), made.certificate_bytes));
    rows.push(Row::step("generate the key", Some(made.key_time)));
    rows.push(Row::step("issue it", Some(made.certificate_time)));
}

/// Adds a row for each message of the handshake, followed by rows for the computations that either side makes for the
/// message.
fn add_handshake_rows(rows: &mut Vec<Row>, client: &Report, server: &Report) {
    let mut from_server = false;
    for (i, message) in client.trace.messages.iter().enumerate() {
        from_server = if i == 0 { false } else { i == 1 || from_server };
        let arrow = if from_server { "←" } else { "→" };
        rows.push(Row::message(format!("{arrow} {}", message.name()), message.len));
        let (sender, receiver) = if from_server { (server, client) } else { (client, server) };
        let (of_sender, of_receiver): (&[Step], &[Step]) = match message.name().as_str() {
            "ClientHello" => (&[Step::KeyShare], &[]),
            "ServerHello" => (&[Step::Encapsulate], &[Step::Decapsulate]),
            "Certificate" => (&[], &[Step::VerifyChain]),
            "CertificateVerify" => (&[Step::Sign], &[Step::VerifySignature]),
            _ => (&[], &[]),
        };
        let sent = of_sender.iter().map(|step| (*step, sender));
        for (step, side) in sent.chain(of_receiver.iter().map(|step| (*step, receiver))) {
            rows.push(Row::step(step_name(step), side.trace.time(step)));
        }
        if message.name() == "Finished" {
            from_server = false;
        }
    }
}

fn write_verdict(out: &mut Output, quantum_safe: &Session, classical: &Session) -> io::Result<()> {
    let wire =
        |session: &Session| session.client.handshake_sent.total() + session.client.handshake_received.total();
    #[expect(clippy::cast_precision_loss, reason = "shown with one digit")]
    let ratio = wire(quantum_safe) as f64 / wire(classical) as f64;
    let times =
        quantum_safe.client.handshake_time.as_secs_f64() / classical.client.handshake_time.as_secs_f64();
    writeln!(out, "{GOOD}✓{GOOD:#} both certificate chains verified, messages received")?;
    writeln!(out, "{DIM}  quantum-safe costs {ratio:.1} × the bytes and {times:.1} × the time{DIM:#}")
}

/// All sessions and attestations in JSON.
#[derive(Serialize)]
pub(super) struct Document {
    verified: bool,
    runs: usize,
    sessions: Vec<Item>,
    attestations: Vec<attestation_display::AttestationItem>,
}

#[derive(Serialize)]
struct Item {
    quantum_safe: bool,
    server_made: IdentityCostsItem,
    client_made: IdentityCostsItem,
    server: Connection,
    client: Connection,
    talk_microseconds: u128,
}

#[derive(Serialize)]
struct IdentityCostsItem {
    key_microseconds: u128,
    certificate_microseconds: u128,
    certificate_bytes: usize,
}

impl Document {
    pub(super) fn new(sessions: &[Session], attestations: &[Attestation]) -> Self {
        let made = |made: &IdentityCosts| IdentityCostsItem {
            key_microseconds: made.key_time.as_micros(),
            certificate_microseconds: made.certificate_time.as_micros(),
            certificate_bytes: made.certificate_bytes,
        };
        let item = |session: &Session| Item {
            quantum_safe: session.quantum_safe,
            server_made: made(&session.server_made),
            client_made: made(&session.client_made),
            server: Connection::from(&session.server),
            client: Connection::from(&session.client),
            talk_microseconds: session.exchange_time.as_micros(),
        };
        let sessions = sessions.iter().map(item).collect();
        let attestations = attestations.iter().map(attestation_display::AttestationItem::from).collect();
        Self { verified: true, runs: RUNS, sessions, attestations }
    }
}

impl crate::output::Report for Document {
    /// Writes nothing, because as text the sessions are printed one by one.
    fn write_text(&self, _out: &mut Output) -> io::Result<()> {
        Ok(())
    }
}
