//! Prints the same lines as wolfSSL's example server and client.

use super::options::Options;
use crate::error::Error;
use crate::output::{Output, printable};
use grille_pki::Certificate;
use grille_registry::{KemRow, Row, kem_by_name};
use grille_tls::report::{Chain, Kind};
use grille_tls::{Report, codepoints};
use std::io::{self, Write};

/// Prints the quantum-safe groups that the command line names.
///
/// # Errors
/// Returns an error if a group is unknown, or writing fails.
pub(super) fn write_groups(options: &Options, out: &mut Output) -> Result<(), Error> {
    for group in options.offer.groups()?.iter().filter(|group| group.category > 0) {
        writeln!(out, "Using Post-Quantum KEM: {}", wolfssl_name(group))?;
    }
    Ok(out.flush()?)
}

/// Prints the peer's certificates and the negotiated parameters after a handshake.
pub(super) fn write_connected(report: &Report, out: &mut Output) -> io::Result<()> {
    write_peer(&report.peer_chain, out)?;
    writeln!(out, "SSL version is {}", report.version_name())?;
    writeln!(out, "SSL cipher suite is {}", report.suite_name())?;
    let group = report.group.map_or_else(
        || "none".to_owned(),
        |code| {
            let name = codepoints::group_name(code, report.numbers);
            kem_by_name(&name).map_or(name, wolfssl_name)
        },
    );
    writeln!(out, "SSL curve name is {group}")?;
    match report.kind {
        Kind::Resumed => writeln!(out, "SSL reused session"),
        Kind::Full | Kind::Retried => Ok(()),
    }
}

/// Prints the peer's own certificate, then the others of its chain.
fn write_peer(chain: &Chain, out: &mut Output) -> io::Result<()> {
    let mut certificates = chain.certificates();
    let Some(own) = certificates.next() else { return writeln!(out, "peer has no cert!") };
    write_certificate("peer's cert info:", &own, out)?;
    certificates.try_for_each(|issuer| write_certificate("session cert info:", &issuer, out))
}

fn write_certificate(heading: &str, certificate: &Certificate, out: &mut Output) -> io::Result<()> {
    writeln!(out, "{heading}")?;
    writeln!(out, " issuer : {}", printable(&certificate.issuer()))?;
    writeln!(out, " subject: {}", printable(&certificate.subject()))?;
    for name in certificate.names() {
        writeln!(out, " altname = {}", printable(&name))?;
    }
    let serial = certificate.serial();
    let bytes: Vec<&str> = (0..serial.len() / 2).map(|n| &serial[2 * n..2 * n + 2]).collect();
    writeln!(out, " serial number:{}", bytes.join(":"))
}

/// Returns wolfSSL's name of a group: an alias with `_LEVEL`, or a curve in upper case, or else the registry's name.
pub(super) fn wolfssl_name(row: &KemRow) -> String {
    let alias = row.aliases.iter().find(|alias| alias.contains("_LEVEL"));
    match (row.category, alias) {
        (0, _) => row.name().to_uppercase(),
        (_, Some(alias)) => (*alias).to_owned(),
        (_, None) => row.name().to_owned(),
    }
}
