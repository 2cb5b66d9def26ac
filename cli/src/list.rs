//! `grille list`: prints the registry of algorithms as a table.

use crate::algorithm::Algorithm;
use crate::error::Error;
use crate::output::{BOLD, DIM, Output, Report};
use crate::table::{self, Column};
use clap::ValueEnum;
use grille_registry::{KemRow, Row, SignatureRow, Status};
use serde::Serialize;
use std::io::{self, Write};

/// List the algorithms with their security categories, sizes and identifiers.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille list                    standards and deployed drafts
  grille list kem --all          every KEM, hybrid and classical key exchange
  grille list sig --json | jq .signatures[].name")]
pub(crate) struct Args {
    /// List only this kind.
    kind: Option<Kind>,
    /// List candidates, retired and broken algorithms, too.
    #[arg(long)]
    all: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// Key encapsulation, hybrids, classical key exchange
    Kem,
    /// Signatures
    Sig,
}

/// Prints the rows.
///
/// # Errors
/// Returns an error if writing fails.
pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    let listed = |row: &dyn Row| args.all || matches!(row.status(), Status::Standard | Status::Draft);
    let is_listed = |kind| args.kind.is_none_or(|only| only == kind);
    let mut listing = Listing::default();
    for algorithm in Algorithm::all() {
        match algorithm {
            Algorithm::Kem(row) if is_listed(Kind::Kem) && listed(row) => listing.kems.push(Kem::new(row)),
            Algorithm::Signature(row) if is_listed(Kind::Sig) && listed(row) => {
                listing.signatures.push(Signature::new(row));
            }
            Algorithm::Kem(_) if is_listed(Kind::Kem) => listing.left_out += 1,
            Algorithm::Signature(_) if is_listed(Kind::Sig) => listing.left_out += 1,
            Algorithm::Kem(_) | Algorithm::Signature(_) => {}
        }
    }
    out.print(&listing)
}

#[derive(Default, Serialize)]
struct Listing {
    kems: Vec<Kem>,
    signatures: Vec<Signature>,
    /// The number of further rows that `--all` would show.
    left_out: usize,
}

/// The columns that KEMs and signatures share; the field names are part of the JSON schema.
#[derive(Serialize)]
struct Common {
    name: &'static str,
    category: u8,
    status: &'static str,
    spec: &'static str,
    oid: Option<&'static str>,
    /// The TLS codepoint in hexadecimal, such as `0x11EC`.
    tls_code: Option<String>,
    aliases: &'static [&'static str],
}

#[derive(Serialize)]
struct Kem {
    #[serde(flatten)]
    common: Common,
    public_key_len: usize,
    private_key_len: usize,
    seed_len: Option<usize>,
    ciphertext_len: usize,
    shared_secret_len: usize,
    spdm_bit: Option<u8>,
}

#[derive(Serialize)]
struct Signature {
    #[serde(flatten)]
    common: Common,
    public_key_len: usize,
    private_key_len: usize,
    seed_len: Option<usize>,
    signature_len: usize,
    context_len: usize,
    spdm_bit: Option<u8>,
}

impl Common {
    fn new(row: &dyn Row) -> Self {
        Self {
            name: row.name(),
            category: row.category(),
            status: row.status().name(),
            spec: row.spec(),
            oid: row.oid(),
            tls_code: row.tls_code().map(|code| format!("0x{code:04X}")),
            aliases: row.aliases(),
        }
    }

    /// Returns the cells before the lengths: name, category and status.
    fn left_cells(&self) -> Vec<String> {
        let category = if self.category == 0 { "-".into() } else { self.category.to_string() };
        vec![self.name.into(), category, self.status.into()]
    }

    /// Returns the cells after the lengths: TLS code, OID and aliases.
    fn right_cells(&self) -> Vec<String> {
        let code = self.tls_code.clone().unwrap_or_default();
        vec![code, self.oid.unwrap_or_default().into(), self.aliases.join(" ")]
    }
}

impl Kem {
    fn new(row: &KemRow) -> Self {
        let info = row.kem.info();
        Self {
            common: Common::new(row),
            public_key_len: info.encaps_key_len,
            private_key_len: info.decaps_key_len,
            seed_len: info.seed_len,
            ciphertext_len: info.ciphertext_len,
            shared_secret_len: info.shared_secret_len,
            spdm_bit: row.spdm_bit,
        }
    }
}

impl Signature {
    fn new(row: &SignatureRow) -> Self {
        let info = row.signature.info();
        Self {
            common: Common::new(row),
            public_key_len: info.verifying_key_len,
            private_key_len: info.signing_key_len,
            seed_len: info.seed_len,
            signature_len: info.signature_len,
            context_len: info.context_len,
            spdm_bit: row.spdm_bit,
        }
    }
}

const LEFT_COLUMNS: [Column; 3] =
    [Column::text("NAME", 0), Column::number("CAT", 7), Column::text("STATUS", 4)];
const RIGHT_COLUMNS: [Column; 3] =
    [Column::text("TLS", 5), Column::text("OID", 2), Column::text("ALIASES", 1)];

impl Report for Listing {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        const KEM: [Column; 4] = [
            Column::number("PUBLIC", 6),
            Column::number("PRIVATE", 3),
            Column::number("CIPHERTEXT", 6),
            Column::number("SECRET", 3),
        ];
        const SIGNATURE: [Column; 3] =
            [Column::number("PUBLIC", 6), Column::number("PRIVATE", 3), Column::number("SIGNATURE", 6)];
        let kems = self.kems.iter().map(|kem| {
            let lengths =
                [kem.public_key_len, kem.private_key_len, kem.ciphertext_len, kem.shared_secret_len];
            cells(&kem.common, &lengths)
        });
        let signatures = self.signatures.iter().map(|scheme| {
            let lengths = [scheme.public_key_len, scheme.private_key_len, scheme.signature_len];
            cells(&scheme.common, &lengths)
        });
        section(out, "Key encapsulation", &KEM, &kems.collect::<Vec<_>>())?;
        section(out, "Signatures", &SIGNATURE, &signatures.collect::<Vec<_>>())?;
        writeln!(
            out,
            "{DIM}Sizes in bytes. CAT: NIST security category; -: a quantum computer breaks it.{DIM:#}"
        )?;
        if self.kems.iter().any(|kem| kem.public_key_len > usize::from(u16::MAX)) {
            writeln!(
                out,
                "{DIM}No TLS code: a TLS key share holds at most 65,535 bytes, and keys of Classic McEliece are longer.{DIM:#}"
            )?;
        }
        if self.left_out > 0 {
            writeln!(out, "{DIM}--all lists {} more: candidates, retired, broken.{DIM:#}", self.left_out)?;
        }
        Ok(())
    }
}

fn cells(common: &Common, lengths: &[usize]) -> Vec<String> {
    let lengths = lengths.iter().map(usize::to_string);
    common.left_cells().into_iter().chain(lengths).chain(common.right_cells()).collect()
}

fn section(out: &mut Output, title: &str, lengths: &[Column], rows: &[Vec<String>]) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(out, "{BOLD}{title}{BOLD:#}")?;
    table::print(out, &[&LEFT_COLUMNS[..], lengths, &RIGHT_COLUMNS[..]].concat(), rows)?;
    writeln!(out)
}
