//! `grille key inspect`: shows the properties of a private key.

use super::input;
use crate::algorithm::{Algorithm, warn_if_old};
use crate::error::Error;
use crate::output::{BOLD, DIM, Output, Report};
use crate::private::Private;
use clap::builder::ValueParser;
use grille_pki::Layout;
use grille_registry::{Numbers, Profile};
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;

/// Show the algorithm and the form of a private key, and check that its parts agree.
///
/// Nothing secret is printed.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille key inspect my.key
  grille key inspect --passphrase-file store.txt store.p12
  grille key inspect --alg KYBER_LEVEL5 raw.key")]
pub(crate) struct Args {
    /// Inspect the key in this file: PEM, DER or PKCS#12, or with --alg a raw key; `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
    /// Read the file as a raw key of this algorithm.
    #[arg(long, value_name = "NAME", value_parser = ValueParser::new(Algorithm::parse))]
    alg: Option<Algorithm>,
}

/// Reads, checks and describes the key.
///
/// # Errors
/// Returns an error if the key is invalid.
pub(crate) fn run(args: &Args, numbers: Numbers, out: &mut Output) -> Result<(), Error> {
    let (key, container) = input::read(&args.file, args.alg, numbers)?;
    let row = key.algorithm().row();
    warn_if_old(row, out);
    if !key.is_consistent_pair() {
        let error = grille_core::Error::InvalidPrivateKey { reason: "does not match its public key" };
        return Err(Error::from(error).at(&args.file));
    }
    let (layout, is_raw) = (key.layout(), args.alg.is_some());
    // a key that is unknown in this profile may have been read with the registry's own identifiers
    let oid = key.oid(key.profile_set());
    out.print(&InspectReport {
        file: args.file.display().to_string(),
        algorithm: row.name(),
        oid,
        profiles: oid.map_or_else(Vec::new, |oid| profiles(&key, oid)),
        spec: row.spec(),
        status: row.status().name(),
        category: row.category(),
        container,
        form: layout.map_or("unknown", Layout::name),
        openssl_form: layout.filter(|_| !is_raw).and_then(Layout::openssl_name),
        form_is: layout.map_or("unknown", if is_raw { raw_description } else { Layout::description }),
        knows_its_seed: key.has_seed(),
        public_key_len: key.public_bytes().len(),
    })
}

/// Describes the form of a raw key. Raw keys have the algorithm's own encoding rather than a form of PKCS#8.
const fn raw_description(layout: Layout) -> &'static str {
    match layout {
        Layout::BareSeed => "the seed",
        Layout::BareExpanded => "the private key as the algorithm's own specification encodes it",
        Layout::BarePair => "private and public key concatenated",
        other => other.description(),
    }
}

/// Returns the profiles in which the identifier names keys of this key's algorithm.
fn profiles(key: &Private, oid: &str) -> Vec<&'static str> {
    let names = |profile: &Profile| key.oid(Numbers::for_profile(*profile)) == Some(oid);
    Profile::ALL.into_iter().filter(names).map(Profile::name).collect()
}

#[derive(Serialize)]
struct InspectReport {
    file: String,
    algorithm: &'static str,
    oid: Option<&'static str>,
    /// The profiles in which the algorithm has this object identifier.
    profiles: Vec<&'static str>,
    spec: &'static str,
    status: &'static str,
    category: u8,
    container: &'static str,
    /// The name in `--form`, if this form can be written.
    form: &'static str,
    /// The name in OpenSSL's `output_formats`.
    #[serde(skip_serializing_if = "Option::is_none")]
    openssl_form: Option<&'static str>,
    form_is: &'static str,
    knows_its_seed: bool,
    public_key_len: usize,
}

impl Report for InspectReport {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        let category = match self.category {
            0 => "classical: a quantum computer breaks it".to_owned(),
            category => format!("security category {category}"),
        };
        let oid = match self.oid {
            Some(oid) if self.profiles.len() == Profile::ALL.len() => format!("{oid} in every profile"),
            Some(oid) => format!("{oid} in the profiles {}", self.profiles.join(", ")),
            None => "none".to_owned(),
        };
        let openssl = self.openssl_form.map(|name| format!("; OpenSSL: {name}")).unwrap_or_default();
        let seed =
            if self.knows_its_seed { "known, so the key can be written in every form" } else { "unknown" };
        writeln!(out, "{BOLD}{}{BOLD:#}: private key in {}", self.algorithm, self.file)?;
        let lines = [
            ("standard", format!("{}, {}, {category}", self.spec, self.status)),
            ("OID", oid),
            ("form", format!("{} {}: {}{openssl}", self.container, self.form, self.form_is)),
            ("seed", seed.to_owned()),
            ("public", format!("{} bytes; matches the private key", self.public_key_len)),
        ];
        lines.iter().try_for_each(|(title, text)| writeln!(out, "  {DIM}{title:<10}{DIM:#}{text}"))
    }
}
