//! `grille encap`: a fresh shared secret for the holder of a KEM key.

use crate::cert::read_chain;
use crate::era::Era;
use crate::error::Error;
use crate::files::{self, NewFile};
use crate::hex;
use crate::keys::{self, Keyed};
use crate::output::{Output, Report};
use grille_core::{DynEncapsKey, SystemRng};
use grille_pki::verify::{Demand, Purpose, Root, Trust, check_purpose, webpki_algorithms};
use grille_registry::{KemRow, Numbers};
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
    /// The receiver's public key, PEM or DER; `-` is standard input.
    #[arg(long = "pub", value_name = "FILE", group = "receiver")]
    public: Option<PathBuf>,
    /// The receiver's certificate; further ones in the same file are intermediates. Its key usage must allow
    /// encapsulation; its issuer is checked with --ca only.
    #[arg(long, value_name = "FILE", group = "receiver", conflicts_with = "alg")]
    cert: Option<PathBuf>,
    /// The roots that the receiver's certificate must come from.
    #[arg(long, value_name = "FILE", requires = "cert")]
    ca: Vec<PathBuf>,
    /// The public key is the raw key of this algorithm.
    #[arg(long, value_name = "NAME", value_parser = crate::algorithm::usable_kem)]
    alg: Option<&'static KemRow>,
    /// Where the ciphertext goes; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    ct: PathBuf,
    /// Where the shared secret goes, readable by you only.
    #[arg(long, value_name = "FILE")]
    secret: PathBuf,
    /// Write both in hexadecimal instead of raw bytes.
    #[arg(long)]
    hex: bool,
    /// Replace existing files.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    era: Era,
}

/// Encapsulates.
///
/// # Errors
/// Those of the key and the files.
pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    let inputs = || args.public.iter().chain(&args.cert).chain(&args.ca).map(PathBuf::as_path);
    files::one_stdin(inputs())?;
    for output in [&args.ct, &args.secret] {
        files::keep_inputs(inputs(), output)?;
    }
    let silent = files::claims_stdout([&*args.ct, &*args.secret], out.is_json())?;
    let public = match (&args.public, &args.cert) {
        (Some(path), _) => keys::encaps_key(path, args.alg, args.era.profile, out)?,
        (None, Some(path)) => certified_key(path, &args.ca, args.era.profile, out)?,
        (None, None) => return Err(Error::usage("nobody to encapsulate for").advise("give --pub or --cert")),
    };
    let sent = public.key.encapsulate(&mut SystemRng);
    let ciphertext = encoded(&sent.ciphertext, args.hex);
    let secret = encoded(sent.secret.as_ref(), args.hex);
    let new = [NewFile::public(&args.ct, &ciphertext), NewFile::private(&args.secret, &secret)];
    files::write(&new, args.force)?;
    if silent {
        return Ok(());
    }
    out.print(&Sent {
        algorithm: public.row.kem.info().name,
        ciphertext: args.ct.display().to_string(),
        ciphertext_len: sent.ciphertext.len(),
        secret: args.secret.display().to_string(),
        secret_len: sent.secret.as_ref().len(),
    })
}

/// The key of the first certificate in `path`, which must be for encapsulation and come from one of these roots, if there are
/// any.
fn certified_key(
    path: &Path,
    roots: &[PathBuf],
    numbers: Numbers,
    out: &Output,
) -> Result<Keyed<KemRow, dyn DynEncapsKey>, Error> {
    let chain = read_chain(path, numbers)?;
    let (own, between) = chain.split_first().expect("a file without a certificate was refused");
    let refused = |error: grille_pki::Error| Error::from(error).at(path);
    let purpose = Purpose::KeyEncapsulation;
    if roots.is_empty() {
        check_purpose(own, purpose).map_err(refused)?;
    } else {
        let mut trusted = Vec::new();
        for root in roots {
            trusted.extend(read_chain(root, numbers)?);
        }
        let anchors: Vec<Root> = trusted.iter().map(Root::from).collect();
        let trust = Trust { roots: &anchors, algorithms: webpki_algorithms(numbers), numbers, crls: &[] };
        let demand = Demand { time: grille_pki::now(), purpose, name: None };
        trust.verify_chain(own, between, &demand).map_err(|error| Error::mismatch(error).at(path))?;
    }
    let key = own.kem_key().map_err(refused)?;
    crate::algorithm::warn_if_old(key.row(), out);
    Ok(Keyed { row: key.row(), key: key.encaps_key().map_err(refused)? })
}

/// The bytes themselves, or a line of hexadecimal digits.
pub(crate) fn encoded(bytes: &[u8], hex: bool) -> Zeroizing<Vec<u8>> {
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
struct Sent {
    algorithm: &'static str,
    ciphertext: String,
    ciphertext_len: usize,
    secret: String,
    secret_len: usize,
}

impl Report for Sent {
    fn human(&self, out: &mut Output) -> io::Result<()> {
        writeln!(
            out,
            "{}: ciphertext in {}, {} bytes",
            self.algorithm, self.ciphertext, self.ciphertext_len
        )?;
        writeln!(out, "{}: shared secret in {}, {} bytes", self.algorithm, self.secret, self.secret_len)
    }
}
