//! `grille cert issue`: an intermediate or an end entity.

use super::names::{Options, end_entity};
use super::{read_certificate, read_key, root};
use crate::error::Error;
use crate::files;
use crate::output::Output;
use grille_core::SystemRng;
use grille_pki::issue::{Profile, issue};
use grille_pki::{PrivateKey, PublicKey};
use std::path::PathBuf;

/// Issue a certificate for a key.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille cert issue --key host.key --ca root.crt --ca-key root.key --san DNS:host.example --out host.crt
  grille cert issue --key sub.key --ca root.crt --ca-key root.key --path-len 0 --subject CN=Sub --out sub.crt")]
pub(crate) struct Args {
    /// The key to certify: a public key, or a private key whose public half is taken.
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// The issuer's certificate.
    #[arg(long, value_name = "FILE")]
    ca: PathBuf,
    /// The issuer's private key.
    #[arg(long, value_name = "FILE")]
    ca_key: PathBuf,
    /// A name the certificate is for: DNS:host or IP:address; may be repeated.
    #[arg(long, value_name = "NAME", conflicts_with = "path_len")]
    san: Vec<String>,
    /// Make an intermediate that may stand behind this many others.
    #[arg(long, value_name = "N")]
    path_len: Option<u8>,
    /// Where the certificate goes, as PEM.
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
    /// Replace an existing file.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    options: Options,
}

/// Issues it.
///
/// # Errors
/// Those of the keys, the names and the files.
pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    files::one_stdin([&args.key, &args.ca, &args.ca_key].map(PathBuf::as_path))?;
    let (ca, ca_key) = (read_certificate(&args.ca)?, read_key(&args.ca_key)?);
    if !ca.is_ca() {
        return Err(Error::failure("this certificate may not issue others").at(&args.ca));
    }
    let profile = match args.path_len {
        Some(path_len) => Profile::Intermediate { path_len },
        None => end_entity(&args.san)?,
    };
    let key = public_key(&args.key)?;
    let issued = issue(&args.options.template(profile)?, &key, &ca, &ca_key, &mut SystemRng)?;
    root::print(&issued, &args.out, args.force, out)
}

/// The public key in a file, or the public half of the private key there.
fn public_key(path: &std::path::Path) -> Result<PublicKey, Error> {
    let bytes = files::read(path)?;
    let private = PrivateKey::from_pem_or_der(&bytes).map(|key| key.public_key().clone());
    private
        .or_else(|error| PublicKey::from_pem_or_der(&bytes).map_err(|_| error))
        .map_err(|e| Error::from(e).at(path))
}
