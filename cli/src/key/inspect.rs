//! `grille key inspect`: what is in a private key.

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

/// Say of which algorithm and in which form a private key is, and whether its parts agree.
///
/// Nothing secret is printed.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille key inspect my.key
  grille key inspect --passphrase-file store.txt store.p12
  grille key inspect --alg KYBER_LEVEL5 raw.key   no wrapping names it")]
pub(crate) struct Args {
    /// PEM, DER or PKCS#12, or with --alg a raw key.
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
    /// The file is a raw key of this algorithm.
    #[arg(long, value_name = "NAME", value_parser = ValueParser::new(Algorithm::parse))]
    alg: Option<Algorithm>,
}

/// Reads, checks and tells.
///
/// # Errors
/// What is wrong with the key.
pub(crate) fn run(args: &Args, numbers: Numbers, out: &mut Output) -> Result<(), Error> {
    let (key, container) = super::read(&args.file, args.alg, numbers)?;
    let row = key.algorithm().row();
    warn_if_old(row, out);
    if !key.is_a_pair() {
        let error =
            grille_core::Error::InvalidPrivateKey { reason: "does not open what its public key seals" };
        return Err(Error::from(error).at(&args.file));
    }
    let (layout, is_raw) = (key.layout(), args.alg.is_some());
    // a key that this profile does not know may have been read by the registry's own numbers
    let oid = key.oid(key.numbers());
    out.print(&Inspected {
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
        knows_its_seed: key.knows_its_seed(),
        public_key_len: key.public_bytes().len(),
    })
}

/// What bytes are that no document holds: their form is the algorithm's own, and no standard's for documents.
const fn raw_description(layout: Layout) -> &'static str {
    match layout {
        Layout::BareSeed => "the seed",
        Layout::BareExpanded => "the private key as the algorithm's own specification encodes it",
        Layout::BarePair => "private and public key in one",
        other => other.description(),
    }
}

/// In which profiles the identifier names such keys.
fn profiles(key: &Private, oid: &str) -> Vec<&'static str> {
    let names = |profile: &Profile| key.oid(Numbers::of(*profile)) == Some(oid);
    Profile::ALL.into_iter().filter(names).map(Profile::name).collect()
}

#[derive(Serialize)]
struct Inspected {
    file: String,
    algorithm: &'static str,
    oid: Option<&'static str>,
    /// In which it is this one.
    profiles: Vec<&'static str>,
    spec: &'static str,
    status: &'static str,
    category: u8,
    container: &'static str,
    /// As `--form` has it, where it can be written.
    form: &'static str,
    /// As OpenSSL's `output_formats` have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    openssl_form: Option<&'static str>,
    form_is: &'static str,
    knows_its_seed: bool,
    public_key_len: usize,
}

impl Report for Inspected {
    fn human(&self, out: &mut Output) -> io::Result<()> {
        let category = match self.category {
            0 => "classical: falls to a quantum computer".to_owned(),
            category => format!("security category {category}"),
        };
        let oid = match self.oid {
            Some(oid) if self.profiles.len() == Profile::ALL.len() => format!("{oid} in every profile"),
            Some(oid) => format!("{oid} in the profiles {}", self.profiles.join(", ")),
            None => "none".to_owned(),
        };
        let openssl = self.openssl_form.map(|name| format!("; OpenSSL: {name}")).unwrap_or_default();
        let seed = if self.knows_its_seed { "known: every form can be written" } else { "not known" };
        writeln!(out, "{BOLD}{}{BOLD:#}: private key in {}", self.algorithm, self.file)?;
        let lines = [
            ("standard", format!("{}, {}, {category}", self.spec, self.status)),
            ("OID", oid),
            ("form", format!("{} {}: {}{openssl}", self.container, self.form, self.form_is)),
            ("seed", seed.to_owned()),
            ("public", format!("{} bytes; all parts agree", self.public_key_len)),
        ];
        lines.iter().try_for_each(|(title, text)| writeln!(out, "  {DIM}{title:<10}{DIM:#}{text}"))
    }
}
