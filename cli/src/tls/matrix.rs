//! `grille tls matrix`: the costs of a connection for each combination of authentication and key establishment.

#[cfg(feature = "measure-memory")]
mod documented;
#[cfg(feature = "measure-memory")]
mod memory;
#[cfg(feature = "measure-memory")]
mod memory_use;
mod options;

pub(crate) use options::Args;

#[cfg(feature = "measure-memory")]
use memory::run as measure_memory;

use super::loopback::{WOLFSSL_MESSAGES, run_loopback, wolfssl_preferences};
use super::test_identity::{NAME, TestIdentity};
use crate::algorithm::warn_in_one_line;
use crate::error::Error;
use crate::output::{DIM, Output, Report};
use crate::table::{self, Column};
use grille_registry::{KemRow, Numbers, Row, SignatureRow, kem_by_name, signature_by_name};
use grille_tls::codepoints::message_name;
use serde::Serialize;
use std::io::{self, Write};
use std::time::Instant;

/// Measures each row and prints the table.
///
/// # Errors
/// Returns an error if a connection fails.
pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    let named = args.groups.iter().map(|group| *group as &dyn Row);
    warn_in_one_line("", named.chain(args.sig.iter().map(|row| *row as &dyn Row)), out);
    if args.memory {
        return measure_memory(args, out);
    }
    let (rows, missing) = combinations(args);
    let start = Instant::now();
    let mut party: Option<(&str, TestIdentity)> = None;
    let mut measured = Vec::new();
    for (n, combination) in rows.iter().enumerate() {
        out.progress(start, format_args!("{} of {}: {}", n + 1, rows.len(), combination.signature.name()));
        if party.as_ref().is_none_or(|(name, _)| *name != combination.signature.name()) {
            party = Some((combination.signature.name(), TestIdentity::generate(combination.signature)?));
        }
        if let Some((_, party)) = &party {
            measured.push(measure(combination, party, args)?);
        }
    }
    out.end_progress();
    if !missing.is_empty() {
        out.warn(format_args!("not implemented: {}", missing.join(", ")));
    }
    out.print(&Matrix { rows: measured, bytes: args.bytes, time: args.time })
}

/// Refuses `--memory`: only a program that was built with memory counters can measure memory.
#[cfg(not(feature = "measure-memory"))]
fn measure_memory(_args: &Args, _out: &mut Output) -> Result<(), Error> {
    let advice = "build the program again with `--features measure-memory`";
    Err(Error::usage("this program was built without memory counters").advise(advice))
}

/// A row to be measured.
struct Combination {
    signature: &'static SignatureRow,
    group: &'static KemRow,
    /// The number of bytes in wolfSSL's documents.
    documented: Option<u64>,
    /// Whether the client presents a certificate.
    mutual: bool,
}

/// Returns the rows to measure, and the names in wolfSSL's documents that are not implemented.
fn combinations(args: &Args) -> (Vec<Combination>, Vec<&'static str>) {
    if !args.sig.is_empty() {
        let mutual = !args.anonymous;
        let groups = |&signature| {
            let combinations = move |&group| Combination { signature, group, documented: None, mutual };
            args.groups.iter().map(combinations)
        };
        return (args.sig.iter().flat_map(groups).collect(), Vec::new());
    }
    let (mut rows, mut missing) = (Vec::new(), Vec::new());
    for (signature, group, bytes, mutual) in DOCUMENTED {
        match (signature_by_name(signature), kem_by_name(group)) {
            (Ok(signature), Ok(group)) => {
                let (documented, mutual) = (Some(*bytes), *mutual && !args.anonymous);
                rows.push(Combination { signature, group, documented, mutual });
            }
            (Err(_), _) => missing.push(*signature),
            (_, Err(_)) => missing.push(*group),
        }
    }
    missing.dedup();
    (rows, missing)
}

/// The number of connections for the median time.
const CONNECTIONS_FOR_MEDIAN: usize = 9;

fn measure(combination: &Combination, party: &TestIdentity, args: &Args) -> Result<RowResult, Error> {
    let times = if args.time { CONNECTIONS_FOR_MEDIAN } else { 1 };
    let mut reports = Vec::new();
    for _ in 0..times {
        reports.push(connect(combination, party, args.profile)?);
    }
    reports.sort_by_key(|report| report.handshake_time);
    let report = reports.swap_remove(times / 2);
    let messages: Vec<Message> = report
        .trace
        .messages
        .iter()
        .map(|message| Message { code: message.code, bytes: message.len as u64 })
        .collect();
    let bytes_of = |codes: &[u8]| messages.iter().filter(|m| codes.contains(&m.code)).map(|m| m.bytes).sum();
    let total = report.total_bytes();
    let (shares, certificates, signatures) =
        (bytes_of(&HELLOS), bytes_of(&[CERTIFICATE]), bytes_of(&[CERTIFICATE_VERIFY]));
    Ok(RowResult {
        authentication: combination.signature.name(),
        key_establishment: combination.group.name(),
        mutual: combination.mutual,
        total_bytes: total,
        documented_bytes: combination.documented,
        hello_bytes: shares,
        certificate_bytes: certificates,
        signature_bytes: signatures,
        other_bytes: total - shares - certificates - signatures,
        messages,
        handshake_milliseconds: args.time.then_some(report.handshake_time.as_secs_f64() * 1e3),
    })
}

/// ClientHello and ServerHello, which contain the key shares, RFC 8446 section 4.
const HELLOS: [u8; 2] = [1, 2];
const CERTIFICATE: u8 = 11;
const CERTIFICATE_VERIFY: u8 = 15;

fn connect(
    combination: &Combination,
    party: &TestIdentity,
    numbers: Numbers,
) -> Result<grille_tls::Report, Error> {
    let run = party
        .server_and_client(wolfssl_preferences(combination.group, numbers), combination.mutual)
        .and_then(|(server, client)| run_loopback(server, &client, NAME, WOLFSSL_MESSAGES));
    let place = || format!("{} with {}", combination.signature.name(), combination.group.name());
    Ok(run.map_err(|error| error.with_place(place()))?.client)
}

#[derive(Serialize)]
struct Matrix {
    rows: Vec<RowResult>,
    #[serde(skip)]
    bytes: bool,
    #[serde(skip)]
    time: bool,
}

#[derive(Serialize)]
struct RowResult {
    authentication: &'static str,
    key_establishment: &'static str,
    /// Whether the client also presented a certificate.
    mutual: bool,
    /// The bytes of all records in both directions.
    total_bytes: u64,
    /// The total in wolfSSL's documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    documented_bytes: Option<u64>,
    hello_bytes: u64,
    certificate_bytes: u64,
    signature_bytes: u64,
    /// Other handshake messages, record headers and tags, the two application messages, and the closing alerts.
    other_bytes: u64,
    /// The handshake messages in the order of the transcript.
    messages: Vec<Message>,
    #[serde(skip_serializing_if = "Option::is_none")]
    handshake_milliseconds: Option<f64>,
}

/// A handshake message before encryption.
struct Message {
    code: u8,
    bytes: u64,
}

impl Serialize for Message {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("name", &message_name(self.code))?;
        map.serialize_entry("bytes", &self.bytes)?;
        map.end()
    }
}

const NOTES: &str = "BYTES: all TLS bytes in both directions: handshake, one message each, closing. *: only the server presents \
                     a certificate.\nCertificates have the contents of wolfSSL's scripts without the e-mail address; those with \
                     RSA or elliptic curves have Dilithium's serial numbers.";

impl Report for Matrix {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        let mut columns = vec![Column::text("AUTHENTICATION", 0), Column::text("KEY ESTABLISHMENT", 0)];
        if self.bytes {
            columns.extend([Column::number("BYTES", 0), Column::number("WOLFSSL", 6)]);
            columns.extend(
                ["HELLOS", "CERTIFICATES", "SIGNATURES", "OTHER"].map(|title| Column::number(title, 4)),
            );
        }
        if self.time {
            columns.push(Column::number("MS", 0));
        }
        let rows: Vec<_> = self.rows.iter().map(|row| row.cells(self)).collect();
        table::print(out, &columns, &rows)?;
        if self.bytes {
            writeln!(out, "{DIM}{NOTES}{DIM:#}")?;
        }
        Ok(())
    }
}

impl RowResult {
    fn cells(&self, matrix: &Matrix) -> Vec<String> {
        let star = if self.mutual { "" } else { " *" };
        let mut cells = vec![format!("{}{star}", self.authentication), self.key_establishment.to_owned()];
        if matrix.bytes {
            cells.push(self.total_bytes.to_string());
            cells.push(self.documented_bytes.map_or_else(String::new, |bytes| bytes.to_string()));
            let parts = [self.hello_bytes, self.certificate_bytes, self.signature_bytes, self.other_bytes];
            cells.extend(parts.map(|bytes| bytes.to_string()));
        }
        if matrix.time {
            cells.push(self.handshake_milliseconds.map_or_else(String::new, |time| format!("{time:.3}")));
        }
        cells
    }
}

/// Authentication, key establishment, bytes, and whether the client shows a certificate, in the order of wolfSSL's
/// appendix on TLS 1.3 data transmission sizes.
///
/// The appendix does not give the last column. It is `false` for Dilithium, because two certificates and two signatures
/// alone would already exceed the documented bytes.
#[rustfmt::skip]
const DOCUMENTED: &[(&str, &str, u64, bool)] = &[
    ("RSA-2048", "secp256r1", 5455, true),
    ("RSA-2048", "KYBER_LEVEL1", 6633, true),
    ("RSA-2048", "KYBER_LEVEL3", 7337, true),
    ("RSA-2048", "KYBER_LEVEL5", 8201, true),
    ("RSA-2048", "KYBER_90S_LEVEL1", 6633, true),
    ("RSA-2048", "KYBER_90S_LEVEL3", 7337, true),
    ("RSA-2048", "KYBER_90S_LEVEL5", 8201, true),
    ("RSA-2048", "NTRU_HPS_LEVEL1", 6463, true),
    ("RSA-2048", "NTRU_HPS_LEVEL3", 6925, true),
    ("RSA-2048", "NTRU_HPS_LEVEL5", 7525, true),
    ("RSA-2048", "NTRU_HRSS_LEVEL3", 7341, true),
    ("RSA-2048", "SABER_LEVEL1", 6473, true),
    ("RSA-2048", "SABER_LEVEL3", 7145, true),
    ("RSA-2048", "SABER_LEVEL5", 7849, true),
    ("RSA-2048", "P256_KYBER_LEVEL1", 6763, true),
    ("RSA-2048", "P384_KYBER_LEVEL3", 7531, true),
    ("RSA-2048", "P521_KYBER_LEVEL5", 8467, true),
    ("RSA-2048", "P256_KYBER90S_LEVEL1", 6763, true),
    ("RSA-2048", "P384_KYBER90S_LEVEL3", 7531, true),
    ("RSA-2048", "P521_KYBER90S_LEVEL5", 8467, true),
    ("RSA-2048", "P256_NTRU_HPS_LEVEL1", 6593, true),
    ("RSA-2048", "P384_NTRU_HPS_LEVEL3", 7119, true),
    ("RSA-2048", "P521_NTRU_HPS_LEVEL5", 7791, true),
    ("RSA-2048", "P384_NTRU_HRSS_LEVEL3", 7535, true),
    ("RSA-2048", "P256_SABER_LEVEL1", 6603, true),
    ("RSA-2048", "P384_SABER_LEVEL3", 7339, true),
    ("RSA-2048", "P521_SABER_LEVEL5", 8115, true),
    ("FALCON_LEVEL1", "secp256r1", 6997, true),
    ("FALCON_LEVEL5", "secp256r1", 11248, true),
    ("FALCON_LEVEL1", "KYBER_LEVEL1", 8180, true),
    ("FALCON_LEVEL1", "P256_KYBER_LEVEL1", 8308, true),
    ("FALCON_LEVEL5", "KYBER_LEVEL5", 14007, true),
    ("FALCON_LEVEL5", "P521_KYBER_LEVEL5", 14257, true),
    ("DILITHIUM_LEVEL2", "secp256r1", 7918, false),
    ("DILITHIUM_LEVEL3", "secp256r1", 10233, false),
    ("DILITHIUM_LEVEL5", "secp256r1", 13477, false),
    ("DILITHIUM_AES_LEVEL2", "secp256r1", 7918, false),
    ("DILITHIUM_AES_LEVEL3", "secp256r1", 10233, false),
    ("DILITHIUM_AES_LEVEL5", "secp256r1", 13477, false),
];
