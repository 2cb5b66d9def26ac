//! `grille explain`: what a number, a name or a file means, in every year.

mod capture;
mod meaning;
mod suite;

use crate::algorithm::Algorithm;
use crate::error::Error;
use crate::files;
use crate::keys::may_be_raw;
use crate::lengths::{Candidates, candidates};
use crate::output::{BOLD, DIM, Output, Report, counted, printable};
use capture::Heard;
use grille_pki::Document;
use grille_registry::UnknownAlgorithm;
use grille_registry::lookup;
use meaning::{Meaning, Question};
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;
use suite::Suite;

/// Explain a TLS codepoint or cipher suite, an object identifier, a name or a file.
///
/// Numbers were given out anew several times before there were standards: every meaning is listed, with the releases
/// and months in which it stood, sizes, security category and status. A file may be PEM or DER of any kind: each
/// algorithm that it names is explained. Of a raw one it is said whose key, ciphertext or signature has that length. Or
/// it is a network capture, pcap or pcapng: what clients offered and servers chose in TLS handshakes is shown and
/// explained, and whether the key exchange withstands a quantum computer.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille explain 0x023D               a TLS codepoint, in hexadecimal
  grille explain 573                  the same in decimal
  grille explain FE0B                 hexadecimal too, where nothing else has this name
  grille explain 1.3.9999.6.7.4       an object identifier
  grille explain P521_KYBER_LEVEL5    an algorithm, by any of its names
  grille explain TLS_AES_256_GCM_SHA384
  grille explain server.pem           what a certificate or key names
  grille explain network.pcapng       the TLS handshakes of a capture")]
pub(crate) struct Args {
    /// A number, an object identifier, a name, or a file; `-` is standard input.
    #[arg(value_name = "WHAT", required = true, allow_negative_numbers = true)]
    what: Vec<String>,
}

/// Explains one thing after the other, also after one that cannot be.
///
/// # Errors
/// If one is nothing that is known here: the last of them, after those before it were told.
pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    let mut failed: Option<Error> = None;
    for what in &args.what {
        match explain(what) {
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

fn explain(what: &str) -> Result<Explained, Error> {
    if let Some(code) = lookup::code(what) {
        let bare = || bare_code(what).and_then(Explained::of_code);
        return Explained::of_code(code).or_else(bare).ok_or_else(|| number(what));
    }
    if is_oid(what) {
        let oid = what.trim();
        return Explained::of(oid.to_owned(), Question::Oid(oid), None).ok_or_else(|| number(what));
    }
    match Explained::of(what.to_owned(), Question::Name(what), Suite::by_name(what)) {
        Some(explained) => Ok(explained),
        None if what == "-" || Path::new(what).exists() => file(Path::new(what)),
        None => bare_code(what).and_then(Explained::of_code).ok_or_else(|| neither(what)),
    }
}

/// Whether there is something to say of a TLS codepoint.
pub(crate) fn is_explained(code: u16) -> bool {
    Explained::of_code(code).is_some()
}

/// Four hexadecimal digits, as lists of codepoints write them.
fn bare_code(what: &str) -> Option<u16> {
    let digits =
        Some(what.trim()).filter(|text| text.len() == 4 && text.bytes().all(|c| c.is_ascii_hexdigit()));
    u16::from_str_radix(digits?, 16).ok()
}

/// Whether it is written as a number.
fn is_number(what: &str) -> bool {
    let what = what.trim();
    let hexadecimal = what.strip_prefix("0x").or_else(|| what.strip_prefix("0X"));
    match hexadecimal {
        Some(digits) => digits.bytes().all(|c| c.is_ascii_hexdigit()),
        None => !what.is_empty() && what.trim_start_matches('-').bytes().all(|c| c.is_ascii_digit()),
    }
}

/// The error for a number that means nothing.
fn number(what: &str) -> Error {
    Error::failure("this number means no algorithm that is known here")
        .at_place(what)
        .advise("`grille list --all` shows all of them")
}

fn neither(what: &str) -> Error {
    if is_number(what) {
        return Error::usage("TLS codepoints are numbers from 0 to 65535, 0x0000 to 0xFFFF").at_place(what);
    }
    match Algorithm::parse(what) {
        Err(UnknownAlgorithm { other_use: Some(reason), near, .. }) => {
            Error::usage(reason).advise(format_args!("take {}", near.join(" or ")))
        }
        Err(UnknownAlgorithm { near, .. }) if !near.is_empty() => {
            Error::usage(format_args!("\"{what}\" is no number, no name and no file"))
                .advise(format_args!("did you mean {}?", near.join(" or ")))
        }
        _ => Error::usage(format_args!("\"{what}\" is no number, no name and no file"))
            .advise("`grille list --all` shows all names"),
    }
}

fn is_oid(text: &str) -> bool {
    let mut arcs = text.trim().split('.');
    arcs.clone().count() > 1 && arcs.all(|arc| !arc.is_empty() && arc.bytes().all(|c| c.is_ascii_digit()))
}

fn file(path: &Path) -> Result<Explained, Error> {
    let bytes = files::read(path)?;
    if grille_tls_capture::is_capture(&bytes) {
        return capture(path, &bytes);
    }
    let at = |error| Error::from(error).at(path);
    let named = |documents: Vec<Document>| documents.iter().map(Named::of).collect::<Result<Vec<_>, _>>();
    let documents = match Document::all(&bytes).and_then(named) {
        Ok(documents) => documents,
        Err(error) => return raw(path, &bytes).ok_or_else(|| at(error)),
    };
    if documents.iter().all(|document| document.algorithms.is_empty()) {
        let protected = documents.iter().find_map(Named::protected);
        let error = match protected {
            Some(protected) => {
                Error::failure(format_args!("it is {protected}, and names its algorithm only inside"))
            }
            None => Error::failure("it names no algorithm that is known here"),
        };
        let error = error.at(path);
        return Err(documents.iter().find_map(Named::advice).map_or(error.clone(), |way| error.advise(way)));
    }
    Ok(Explained { documents, ..Explained::nothing(path.display().to_string()) })
}

/// What may be meant by bytes that name nothing; `None` if nothing that is known here is so long.
fn raw(path: &Path, bytes: &[u8]) -> Option<Explained> {
    let raw = Raw { bytes: bytes.len(), may_be: candidates(bytes) };
    (may_be_raw(bytes) && !raw.may_be.is_empty())
        .then(|| Explained { raw: Some(raw), ..Explained::nothing(path.display().to_string()) })
}

fn capture(path: &Path, bytes: &[u8]) -> Result<Explained, Error> {
    let capture = grille_tls_capture::read(bytes);
    match (capture.conversations.is_empty(), capture.unread_link) {
        (true, Some(link)) => Err(Error::failure(format_args!(
            "its packets, of link type {link}, carry no TLS that is known here"
        ))
        .at(path)
        .advise(format_args!("`grille spdm dump {}` shows captures of SPDM", path.display()))),
        (true, None) => Err(Error::failure(format_args!(
            "no connection in its {} begins with a ClientHello of TLS",
            counted(capture.packets, "packet")
        ))
        .at(path)),
        (false, _) => {
            let capture = Some(Heard::of(&capture));
            Ok(Explained { capture, ..Explained::nothing(path.display().to_string()) })
        }
    }
}

/// All there is to say about one thing.
#[derive(Serialize)]
struct Explained {
    what: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    meanings: Vec<Meaning>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cipher_suite: Option<Suite>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    documents: Vec<Named>,
    #[serde(skip_serializing_if = "Option::is_none")]
    raw: Option<Raw>,
    #[serde(skip_serializing_if = "Option::is_none")]
    capture: Option<Heard>,
}

impl Explained {
    const fn nothing(what: String) -> Self {
        Self {
            what,
            meanings: Vec::new(),
            cipher_suite: None,
            documents: Vec::new(),
            raw: None,
            capture: None,
        }
    }

    /// `None` if the number means nothing.
    fn of_code(code: u16) -> Option<Self> {
        Self::of(format!("0x{code:04X} ({code})"), Question::Code(code), Suite::by_code(code))
    }

    /// `None` if there is no answer.
    fn of(what: String, question: Question<'_>, cipher_suite: Option<Suite>) -> Option<Self> {
        let meanings = meaning::all(question);
        let known = cipher_suite.is_some() || !meanings.is_empty();
        known.then(|| Self { meanings, cipher_suite, ..Self::nothing(what) })
    }
}

/// Bytes that name nothing.
#[derive(Serialize)]
struct Raw {
    bytes: usize,
    may_be: Vec<Candidates>,
}

impl Raw {
    fn human(&self, out: &mut Output) -> io::Result<()> {
        writeln!(out, "  {} bytes, neither PEM nor DER; raw, by their length, they may be", self.bytes)?;
        self.may_be.iter().try_for_each(|candidates| writeln!(out, "    {}", candidates.text(SHOWN)))?;
        writeln!(out, "  {DIM}commands that read raw files are told the algorithm with --alg{DIM:#}")
    }
}

/// No more names than this are shown of those that share a length.
const SHOWN: usize = 8;

/// A document, and the algorithms that it names.
#[derive(Serialize)]
struct Named {
    /// PEM's word for it; DER has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    bytes: usize,
    /// What it names is inside.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    encrypted: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pkcs12: bool,
    algorithms: Vec<Identified>,
}

#[derive(Serialize)]
struct Identified {
    oid: String,
    meanings: Vec<Meaning>,
}

impl Named {
    fn of(document: &Document) -> Result<Self, grille_pki::Error> {
        let own = document.algorithms();
        let known = |oid: String| {
            let mut meanings = meaning::all(Question::Oid(&oid));
            // where sizes share an identifier the key or the signature says which is meant
            if meanings.iter().any(|meaning| own.contains(&meaning.name)) {
                meanings.retain(|meaning| !meaning.current || own.contains(&meaning.name));
            }
            (!meanings.is_empty()).then_some(Identified { oid, meanings })
        };
        Ok(Self {
            label: document.label().map(str::to_owned),
            bytes: document.der().len(),
            encrypted: document.is_encrypted(),
            pkcs12: document.is_pkcs12(),
            algorithms: document.identifiers()?.into_iter().filter_map(known).collect(),
        })
    }

    /// What it is, if a passphrase protects it.
    const fn protected(&self) -> Option<&'static str> {
        match (self.encrypted, self.pkcs12) {
            (true, _) => Some("an encrypted private key"),
            (false, true) => Some("PKCS#12"),
            (false, false) => None,
        }
    }

    /// How a file becomes one that names its algorithm.
    fn advice(&self) -> Option<&'static str> {
        if self.protected().is_some() {
            return Some("`grille key inspect` opens it with its passphrase");
        }
        match self.label.as_deref()? {
            "RSA PRIVATE KEY" => Some("`openssl pkcs8 -topk8 -nocrypt` makes PKCS#8 of it, which names RSA"),
            "RSA PUBLIC KEY" => {
                Some("`openssl rsa -RSAPublicKey_in -pubout` makes a key of it that names RSA")
            }
            _ => None,
        }
    }
}

impl Report for Explained {
    fn human(&self, out: &mut Output) -> io::Result<()> {
        writeln!(out, "{BOLD}{}{BOLD:#}", printable(&self.what))?;
        self.meanings.iter().try_for_each(|meaning| meaning.human(out, "  "))?;
        self.cipher_suite.iter().try_for_each(|suite| suite.human(out))?;
        for document in &self.documents {
            let label = document.label.as_deref().unwrap_or("DER");
            writeln!(out, "  {} {DIM}{} bytes{DIM:#}", printable(label), document.bytes)?;
            if let Some(protected) = document.protected() {
                writeln!(out, "    {protected}, which names its algorithm only inside")?;
            }
            for named in &document.algorithms {
                writeln!(out, "    {BOLD}{}{BOLD:#}", named.oid)?;
                named.meanings.iter().try_for_each(|meaning| meaning.human(out, "      "))?;
            }
        }
        self.raw.iter().try_for_each(|raw| raw.human(out))?;
        self.capture.iter().try_for_each(|capture| capture.human(out))?;
        writeln!(out)
    }
}
