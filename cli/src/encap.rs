//! `grille encap`: makes a fresh shared secret for the holder of a KEM key.

use crate::cert::{read_chain, read_crls};
use crate::era::Era;
use crate::error::Error;
use crate::files::{self, NewFile};
use crate::hex;
use crate::input_checks::{at_most_one_stdin, refuse_replacing_inputs};
use crate::keys::{self, KeyWithRow};
use crate::output::{Output, Report};
use grille_core::{DynEncapsKey, SystemRng};
use grille_pki::verify::{Purpose, Requirements, Root, Trust, check_purpose, webpki_algorithms};
use grille_registry::KemRow;
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// Make a shared secret and the ciphertext that carries it to the holder of a KEM key.
#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("receiver").required(true))]
#[command(after_help = "\
Examples:
  grille encap --pub bob.pub --ct to-bob.ct --secret alice.secret
  grille encap --pub bob.pub --secret alice.secret --ct - \\
      | ssh bob 'grille decap --key bob.key --ct - --secret s'
  grille encap --pub bob.raw --alg X25519MLKEM768 --ct to-bob.ct \\
      --secret alice.secret
  grille encap --cert bob.crt --ca root.crt --ct to-bob.ct \\
      --secret alice.secret")]
pub(crate) struct Args {
    /// Read the receiver's public key, PEM or DER, from this file; `-` is standard input.
    #[arg(long = "pub", value_name = "FILE", group = "receiver")]
    public: Option<PathBuf>,
    /// Read the receiver's certificate from this file; further certificates in it are intermediates. Its key usage
    /// must allow encapsulation. Its issuer is checked only with --ca.
    #[arg(long, value_name = "FILE", group = "receiver", conflicts_with = "alg")]
    cert: Option<PathBuf>,
    /// Require the receiver's certificate to chain to one of the roots in this file; may be repeated.
    #[arg(long, value_name = "FILE", requires = "cert")]
    ca: Vec<PathBuf>,
    /// Refuse a certificate on the revocation lists in this file (PEM or DER); may be repeated. Every CA of the chain,
    /// the root included, then needs a current list.
    #[arg(long, value_name = "FILE", requires = "ca")]
    crl: Vec<PathBuf>,
    /// Read the public key as a raw key of this algorithm.
    #[arg(long, value_name = "NAME", value_parser = crate::algorithm::parse_usable_kem)]
    alg: Option<&'static KemRow>,
    /// Write the ciphertext to this file; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    ct: PathBuf,
    /// Write the shared secret to this file, readable by you only.
    #[arg(long, value_name = "FILE")]
    secret: PathBuf,
    /// Write ciphertext and secret in hexadecimal instead of raw bytes.
    #[arg(long)]
    hex: bool,
    /// Replace existing files.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    era: Era,
}

/// Encapsulates and writes ciphertext and secret.
///
/// # Errors
/// Returns an error if the key or the certificate is not acceptable, or a file cannot be read or written.
pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    let inputs =
        || args.public.iter().chain(&args.cert).chain(&args.ca).chain(&args.crl).map(PathBuf::as_path);
    at_most_one_stdin(inputs())?;
    for output in [&args.ct, &args.secret] {
        refuse_replacing_inputs(inputs(), output)?;
    }
    let silent = files::claims_stdout([&*args.ct, &*args.secret], out.is_json())?;
    let public = match (&args.public, &args.cert) {
        (Some(path), _) => keys::encaps_key(path, args.alg, args.era.profile, out)?,
        (None, Some(path)) => certified_key(path, args, out)?,
        (None, None) => return Err(Error::usage("no receiver").advise("give --pub or --cert")),
    };
    let sent = public.key.encapsulate(&mut SystemRng);
    let ciphertext = encode(&sent.ciphertext, args.hex);
    let secret = encode(sent.secret.as_ref(), args.hex);
    let new = [NewFile::public(&args.ct, &ciphertext), NewFile::private(&args.secret, &secret)];
    files::write(&new, args.force)?;
    if silent {
        return Ok(());
    }
    out.print(&EncapReport {
        algorithm: public.row.kem.info().name,
        ciphertext: args.ct.display().to_string(),
        ciphertext_len: sent.ciphertext.len(),
        secret: args.secret.display().to_string(),
        secret_len: sent.secret.as_ref().len(),
    })
}

/// Returns the key of the first certificate in `path`.
///
/// The certificate must allow key encapsulation and, with --ca, chain to one of the roots without a revoked
/// certificate.
fn certified_key(
    path: &Path,
    args: &Args,
    out: &Output,
) -> Result<KeyWithRow<KemRow, dyn DynEncapsKey>, Error> {
    let numbers = args.era.profile;
    let chain = read_chain(path, numbers)?;
    let (own, between) = chain.split_first().expect("read_chain rejects files without a certificate");
    let refused = |error: grille_pki::Error| Error::from(error).at(path);
    let purpose = Purpose::KeyEncapsulation;
    if args.ca.is_empty() {
        check_purpose(own, purpose).map_err(refused)?;
    } else {
        let mut trusted = Vec::new();
        for root in &args.ca {
            trusted.extend(read_chain(root, numbers)?);
        }
        let anchors: Vec<Root> = trusted.iter().map(Root::from).collect();
        let crls = read_crls(&args.crl)?;
        let trust = Trust { roots: &anchors, algorithms: webpki_algorithms(numbers), numbers, crls: &crls };
        let requirements = Requirements { time: grille_pki::now(), purpose, name: None };
        trust.verify_chain(own, between, &requirements).map_err(|error| Error::mismatch(error).at(path))?;
    }
    let key = own.kem_key().map_err(refused)?;
    crate::algorithm::warn_if_old(key.row(), out);
    Ok(KeyWithRow { row: key.row(), key: key.encaps_key().map_err(refused)? })
}

/// Returns the bytes themselves, or a line of hexadecimal digits.
pub(crate) fn encode(bytes: &[u8], hex: bool) -> Zeroizing<Vec<u8>> {
    if !hex {
        return Zeroizing::new(bytes.to_vec());
    }
    let digits = hex::encode(bytes);
    let mut line = Zeroizing::new(Vec::with_capacity(digits.len() + 1));
    line.extend_from_slice(digits.as_bytes());
    line.push(b'\n');
    line
}

#[derive(Serialize)]
struct EncapReport {
    algorithm: &'static str,
    ciphertext: String,
    ciphertext_len: usize,
    secret: String,
    secret_len: usize,
}

impl Report for EncapReport {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        writeln!(
            out,
            "{}: ciphertext in {}, {} bytes",
            self.algorithm, self.ciphertext, self.ciphertext_len
        )?;
        writeln!(out, "{}: shared secret in {}, {} bytes", self.algorithm, self.secret, self.secret_len)
    }
}
