//! Formats scan results as text.

use super::document::{CertificateSummary, ScanResult, Signature, UNKNOWN, Verdict};
use crate::output::{BAD, BOLD, DIM, GOOD, Output, Report, WARN, format_count, printable};
use std::io::{self, Write};

/// Formats an answer that may be unknown.
const fn yes_no(answer: Option<bool>) -> &'static str {
    match answer {
        Some(true) => "yes",
        Some(false) => "no",
        None => UNKNOWN,
    }
}

/// The blank line between two servers.
#[derive(serde::Serialize)]
pub(super) struct BlankLine;

impl Report for BlankLine {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        writeln!(out)
    }
}

impl Report for ScanResult {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        let style = match self.verdict {
            verdict if verdict.is_ready() => GOOD,
            Verdict::Obsolete | Verdict::Undecided => WARN,
            _ => BAD,
        };
        writeln!(out, "{BOLD}{}{BOLD:#} {style}{}{style:#}", self.address, self.verdict.description())?;
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
                let CertificateSummary { key, key_status, signature, signature_status, bytes, .. } =
                    certificate;
                writeln!(
                    out,
                    "{DIM}certificate{DIM:#}   {}: {key} key ({key_status}), {signature} signature ({signature_status}), \
                     {bytes} bytes",
                    printable(&certificate.subject)
                )?;
            }
            match (&signature.trusted, &signature.distrust) {
                (Some(_), Some(reason)) => {
                    writeln!(out, "{DIM}trust      {DIM:#}  {BAD}no{BAD:#}: {}", printable(reason))?;
                }
                (Some(_), None) => {
                    writeln!(out, "{DIM}trust      {DIM:#}  yes: the chain leads to a given root")?;
                }
                (None, _) => {}
            }
        }
        if self.verdict != Verdict::NoTls13 {
            writeln!(
                out,
                "{DIM}quantum-safe{DIM:#} handshake signature: {}, certificates: {}",
                yes_no(self.quantum_safe_handshake_signature),
                yes_no(self.quantum_safe_certificate)
            )?;
        }
        for reason in &self.unknown_signatures {
            writeln!(out, "{DIM}unknown    {DIM:#}signatures: {}", printable(reason))?;
        }
        writeln!(out, "{DIM}{}{DIM:#}", format_count(self.connections, "connection"))
    }
}
