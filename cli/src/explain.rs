//! `grille explain`: the meanings of a number, a name or a file in every profile.

mod capture;
mod meaning;
mod suite;

use crate::algorithm::Algorithm;
use crate::error::Error;
use crate::files;
use crate::keys::may_be_raw;
use crate::lengths::{Candidates, candidates};
use crate::output::{BOLD, DIM, Output, Report, format_count, printable};
use capture::CaptureSummary;
use grille_pki::Document;
use grille_registry::UnknownAlgorithm;
use grille_registry::lookup;
use meaning::{Meaning, Question};
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;
use suite::Suite;

/// Explain a TLS codepoint, a cipher suite, an object identifier, a name or a file.
///
/// Before the standards, numbers were reassigned several times. `explain` lists every meaning with the releases and
/// months in which it was valid, sizes, security category and status.
///
/// PEM and DER files: each algorithm that they name is explained. Raw files: the algorithms that have keys,
/// ciphertexts or signatures of this length are listed. Network captures (pcap, pcapng): the offers and choices of each
/// TLS handshake are shown, and whether its key exchange is quantum-safe.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille explain 0x023D               a TLS codepoint in hexadecimal; 573 is the same
  grille explain 1.3.9999.6.7.4       an object identifier
  grille explain P521_KYBER_LEVEL5    an algorithm, by any of its names
  grille explain server.pem           the algorithms of a certificate or key
  grille explain network.pcapng       the TLS handshakes of a capture")]
pub(crate) struct Args {
    /// Explain this number (decimal, 0x…, or four hexadecimal digits), object identifier, name or file; `-` is standard
    /// input.
    #[arg(value_name = "WHAT", required = true, allow_negative_numbers = true)]
    subject: Vec<String>,
}

/// Explains each argument. If one is unknown, the others are explained nevertheless.
///
/// # Errors
/// Returns the error of the last unknown argument. Earlier errors are reported while the subcommand runs.
pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    let mut failed: Option<Error> = None;
    for text in &args.subject {
        match explain(text) {
            Ok(explained) => out.print(&explained)?,
            Err(error) => {
                if let Some(before) = failed.replace(error) {
                    out.fail(&before);
                }
            }
        }
    }
    failed.map_or(Ok(()), Err)
}

fn explain(text: &str) -> Result<Explained, Error> {
    if let Some(code) = lookup::parse_tls_code(text) {
        let bare = || parse_hex_code(text).and_then(Explained::for_code);
        return Explained::for_code(code).or_else(bare).ok_or_else(|| unknown_number(text));
    }
    if is_oid(text) {
        let oid = text.trim();
        return Explained::for_question(oid.to_owned(), Question::Oid(oid), None)
            .ok_or_else(|| unknown_number(text));
    }
    match Explained::for_question(text.to_owned(), Question::Name(text), Suite::by_name(text)) {
        Some(explained) => Ok(explained),
        None if text == "-" || Path::new(text).exists() => file(Path::new(text)),
        None => parse_hex_code(text).and_then(Explained::for_code).ok_or_else(|| unknown_text(text)),
    }
}

/// Returns whether `explain` has a meaning for a TLS codepoint.
pub(crate) fn is_explained(code: u16) -> bool {
    Explained::for_code(code).is_some()
}

/// Parses four hexadecimal digits without a prefix, the form of many codepoint lists.
fn parse_hex_code(text: &str) -> Option<u16> {
    let digits =
        Some(text.trim()).filter(|text| text.len() == 4 && text.bytes().all(|c| c.is_ascii_hexdigit()));
    u16::from_str_radix(digits?, 16).ok()
}

/// Returns whether the text has the form of a number.
fn is_number(text: &str) -> bool {
    let text = text.trim();
    let hexadecimal = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    match hexadecimal {
        Some(digits) => digits.bytes().all(|c| c.is_ascii_hexdigit()),
        None => !text.is_empty() && text.trim_start_matches('-').bytes().all(|c| c.is_ascii_digit()),
    }
}

/// Returns the error for an unknown number.
fn unknown_number(text: &str) -> Error {
    Error::failure("no known algorithm has this number")
        .with_place(text)
        .advise("list all numbers with `grille list --all`")
}

/// Returns the error for a text that is neither a number nor the name of an algorithm or a file.
fn unknown_text(text: &str) -> Error {
    if is_number(text) {
        return Error::usage("TLS codepoints are numbers from 0 to 65535 (0x0000 to 0xFFFF)")
            .with_place(text);
    }
    match Algorithm::parse(text) {
        Err(UnknownAlgorithm { other_use: Some(reason), suggestions, .. }) => {
            Error::usage(reason).advise(format_args!("use {}", suggestions.join(" or ")))
        }
        Err(UnknownAlgorithm { suggestions, .. }) if !suggestions.is_empty() => {
            Error::usage(format_args!("\"{text}\" is not a number, a name or a file"))
                .advise(format_args!("did you mean {}?", suggestions.join(" or ")))
        }
        _ => Error::usage(format_args!("\"{text}\" is not a number, a name or a file"))
            .advise("list all names with `grille list --all`"),
    }
}

fn is_oid(text: &str) -> bool {
    let mut arcs = text.trim().split('.');
    arcs.clone().count() > 1 && arcs.all(|arc| !arc.is_empty() && arc.bytes().all(|c| c.is_ascii_digit()))
}

/// The maximum length in bytes of the contents of a pipe or device.
const MAX_STREAM: usize = 256 << 20;

fn file(path: &Path) -> Result<Explained, Error> {
    // a capture in a regular file may have any length; a device may have no end
    let bytes = if files::can_be_read_again(path) {
        files::read(path)?
    } else {
        files::read_at_most(path, MAX_STREAM, "a pipe or device")?
    };
    if grille_tls_capture::is_capture(&bytes) {
        return capture(path, &bytes);
    }
    let at = |error| Error::from(error).at(path);
    let named = |documents: Vec<Document>| {
        documents.iter().map(ExplainedDocument::new).collect::<Result<Vec<_>, _>>()
    };
    let documents = match Document::all(&bytes).and_then(named) {
        Ok(documents) => documents,
        Err(error) => return raw(path, &bytes).ok_or_else(|| at(error)),
    };
    if documents.iter().all(|document| document.algorithms.is_empty()) {
        let protected = documents.iter().find_map(ExplainedDocument::protection_name);
        let error = match protected {
            Some(protected) => {
                Error::failure(format_args!("the file is {protected}; its algorithm is encrypted, too"))
            }
            None => Error::failure("the file names no known algorithm"),
        };
        let error = error.at(path);
        let advice = documents.iter().find_map(ExplainedDocument::advice);
        return Err(advice.map_or(error.clone(), |advice| error.advise(advice)));
    }
    Ok(Explained { documents, ..Explained::empty(path.display().to_string()) })
}

/// Explains raw bytes by their length; `None` if no known key, ciphertext or signature has that length.
fn raw(path: &Path, bytes: &[u8]) -> Option<Explained> {
    let raw = RawBytes { bytes: bytes.len(), may_be: candidates(bytes) };
    (may_be_raw(bytes) && !raw.may_be.is_empty())
        .then(|| Explained { raw: Some(raw), ..Explained::empty(path.display().to_string()) })
}

fn capture(path: &Path, bytes: &[u8]) -> Result<Explained, Error> {
    let capture = grille_tls_capture::read(bytes);
    match (capture.conversations.is_empty(), capture.unsupported_link) {
        (true, Some(link)) => {
            Err(Error::failure(format_args!("packets of link type {link} cannot be searched for TLS"))
                .at(path)
                .advise(format_args!("show a capture of SPDM with `grille spdm dump {}`", path.display())))
        }
        (true, None) => Err(Error::failure(format_args!(
            "no connection in {} begins with a TLS ClientHello",
            format_count(capture.packets, "packet")
        ))
        .at(path)),
        (false, _) => {
            let capture = Some(CaptureSummary::new(&capture));
            Ok(Explained { capture, ..Explained::empty(path.display().to_string()) })
        }
    }
}

/// The explanation of one argument.
#[derive(Serialize)]
struct Explained {
    #[serde(rename = "what")]
    subject: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    meanings: Vec<Meaning>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cipher_suite: Option<Suite>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    documents: Vec<ExplainedDocument>,
    #[serde(skip_serializing_if = "Option::is_none")]
    raw: Option<RawBytes>,
    #[serde(skip_serializing_if = "Option::is_none")]
    capture: Option<CaptureSummary>,
}

impl Explained {
    const fn empty(subject: String) -> Self {
        Self {
            subject,
            meanings: Vec::new(),
            cipher_suite: None,
            documents: Vec::new(),
            raw: None,
            capture: None,
        }
    }

    /// Explains a TLS codepoint; `None` if it is unknown.
    fn for_code(code: u16) -> Option<Self> {
        Self::for_question(format!("0x{code:04X} ({code})"), Question::Code(code), Suite::by_code(code))
    }

    /// Explains a number, a name or a cipher suite; `None` if it is unknown.
    fn for_question(subject: String, question: Question<'_>, cipher_suite: Option<Suite>) -> Option<Self> {
        let meanings = meaning::find_meanings(question);
        let known = cipher_suite.is_some() || !meanings.is_empty();
        known.then(|| Self { meanings, cipher_suite, ..Self::empty(subject) })
    }
}

/// Raw bytes, with the algorithms that their length suggests.
#[derive(Serialize)]
struct RawBytes {
    bytes: usize,
    may_be: Vec<Candidates>,
}

impl RawBytes {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        writeln!(out, "  {} bytes, neither PEM nor DER; by length, possibly", self.bytes)?;
        self.may_be.iter().try_for_each(|candidates| writeln!(out, "    {}", candidates.text(MAX_SHOWN)))?;
        writeln!(out, "  {DIM}name the algorithm with --alg where a command reads raw files{DIM:#}")
    }
}

/// Maximum number of names shown for one length.
const MAX_SHOWN: usize = 8;

/// A PEM or DER document, and the algorithms that it names.
#[derive(Serialize)]
struct ExplainedDocument {
    /// The PEM label; absent for DER.
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    bytes: usize,
    /// Whether encryption hides the algorithm.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    encrypted: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pkcs12: bool,
    algorithms: Vec<IdentifiedAlgorithms>,
}

#[derive(Serialize)]
struct IdentifiedAlgorithms {
    oid: String,
    meanings: Vec<Meaning>,
}

impl ExplainedDocument {
    fn new(document: &Document) -> Result<Self, grille_pki::Error> {
        let own = document.algorithms();
        let known = |oid: String| {
            let mut meanings = meaning::find_meanings(Question::Oid(&oid));
            // Algorithms of several sizes may share an identifier; the key or the signature then shows the size.
            if meanings.iter().any(|meaning| own.contains(&meaning.name)) {
                meanings.retain(|meaning| !meaning.current || own.contains(&meaning.name));
            }
            (!meanings.is_empty()).then_some(IdentifiedAlgorithms { oid, meanings })
        };
        Ok(Self {
            label: document.label().map(str::to_owned),
            bytes: document.der().len(),
            encrypted: document.is_encrypted(),
            pkcs12: document.is_pkcs12(),
            algorithms: document.identifiers()?.into_iter().filter_map(known).collect(),
        })
    }

    /// Returns a name for the kind of document, if a passphrase protects it.
    const fn protection_name(&self) -> Option<&'static str> {
        match (self.encrypted, self.pkcs12) {
            (true, _) => Some("an encrypted private key"),
            (false, true) => Some("PKCS#12"),
            (false, false) => None,
        }
    }

    /// Returns advice with the command that reads the file, or converts it into one that names its algorithm.
    fn advice(&self) -> Option<&'static str> {
        if self.protection_name().is_some() {
            return Some("open it with `grille key inspect` and its passphrase");
        }
        match self.label.as_deref()? {
            "RSA PRIVATE KEY" => Some("convert it to PKCS#8 with `openssl pkcs8 -topk8 -nocrypt`"),
            "RSA PUBLIC KEY" => Some("convert it to SPKI with `openssl rsa -RSAPublicKey_in -pubout`"),
            _ => None,
        }
    }
}

impl Report for Explained {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        writeln!(out, "{BOLD}{}{BOLD:#}", printable(&self.subject))?;
        self.meanings.iter().try_for_each(|meaning| meaning.write_text(out, "  "))?;
        self.cipher_suite.iter().try_for_each(|suite| suite.write_text(out))?;
        for document in &self.documents {
            let label = document.label.as_deref().unwrap_or("DER");
            writeln!(out, "  {} {DIM}{} bytes{DIM:#}", printable(label), document.bytes)?;
            if let Some(protected) = document.protection_name() {
                writeln!(out, "    {protected}; its algorithm is encrypted, too")?;
            }
            for named in &document.algorithms {
                writeln!(out, "    {BOLD}{}{BOLD:#}", named.oid)?;
                named.meanings.iter().try_for_each(|meaning| meaning.write_text(out, "      "))?;
            }
        }
        self.raw.iter().try_for_each(|raw| raw.write_text(out))?;
        self.capture.iter().try_for_each(|capture| capture.write_text(out))?;
        writeln!(out)
    }
}
