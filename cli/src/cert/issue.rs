//! `grille cert issue`: an intermediate or an end entity.

use super::names::{Options, end_entity, purpose};
use super::{read_certificate, read_key, read_request, root, while_signing};
use crate::algorithm::warn_of_old;
use crate::documents;
use crate::error::Error;
use crate::files;
use crate::keys::misread;
use crate::output::Output;
use grille_core::SystemRng;
use grille_pki::issue::{Profile, issue, issue_from_csr};
use grille_pki::verify::check_key_matches;
use grille_pki::{KemPrivateKey, KemPublicKey, Kind, ObjectIdentifier, PrivateKey, PublicKey, RequestedKey};
use grille_registry::{Numbers, Row};
use std::path::{Path, PathBuf};

/// Issue a certificate for a key or for a request.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille cert issue --key host.key --ca root.crt --ca-key root.key \\
      --san DNS:host.example --out host.crt
  grille cert issue --csr host.csr --ca root.crt --ca-key root.key \\
      --out host.crt
  grille cert issue --key kem.pub --ca root.crt --ca-key root.key \
      --san DNS:host.example --out kem.crt
  grille cert issue --key sub.key --ca root.crt --ca-key root.key --path-len 0 \\
      --subject CN=Sub --out sub.crt")]
#[command(group = clap::ArgGroup::new("whose").required(true))]
pub(crate) struct Args {
    /// The key to certify, for signatures or of a KEM: a public key, or a private key whose public half is taken.
    #[arg(long, value_name = "FILE", group = "whose")]
    key: Option<PathBuf>,
    /// A certificate request: its key and subject are taken, and its names if --san gives no others.
    #[arg(long, alias = "request", value_name = "FILE", group = "whose")]
    csr: Option<PathBuf>,
    /// The issuer's certificate.
    #[arg(long, value_name = "FILE")]
    ca: PathBuf,
    /// The issuer's private key.
    #[arg(long, value_name = "FILE")]
    ca_key: PathBuf,
    /// A name the certificate is for: DNS:host, IP:address, email:name@host or URI:uri; without its kind, an address if
    /// it can be read as one, else a host; may be repeated.
    #[arg(long, value_name = "NAME", conflicts_with = "path_len")]
    san: Vec<String>,
    /// What the key may be used for (extended key usage): serverAuth, clientAuth, codeSigning, emailProtection,
    /// timeStamping, OCSPSigning or an object identifier; may be repeated [default: serverAuth and clientAuth for keys
    /// that sign, none for keys of KEMs].
    #[arg(long, value_name = "PURPOSE", conflicts_with = "path_len", value_delimiter = ',', value_parser = purpose)]
    eku: Vec<ObjectIdentifier>,
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
pub(crate) fn run(args: &Args, numbers: Numbers, out: &mut Output) -> Result<(), Error> {
    let inputs = [args.key.as_deref(), args.csr.as_deref(), Some(&args.ca), Some(&args.ca_key)];
    files::one_stdin(inputs.into_iter().flatten())?;
    files::keep_inputs(inputs.into_iter().flatten(), &args.out)?;
    let (ca, mut ca_key) = (read_certificate(&args.ca, numbers)?, read_key(&args.ca_key, numbers)?);
    if !ca.is_ca() {
        return Err(Error::failure("this certificate may not issue others").at(&args.ca));
    }
    check_key_matches(&ca, &ca_key).map_err(|error| Error::from(error).at(&args.ca_key))?;
    let profile = match args.path_len {
        Some(path_len) => Profile::Intermediate { path_len },
        None => end_entity(&args.san)?,
    };
    let mut template = args.options.template(profile)?;
    if !args.eku.is_empty() {
        template = template.purposes(args.eku.clone());
    }
    let issued = match (&args.csr, &args.key) {
        (Some(_), _) if args.options.has_subject() => {
            return Err(Error::usage("the request says whom it is for").advise("leave out --subject"));
        }
        (Some(csr), _) => {
            let request = read_request(csr, numbers)?;
            request.verify().map_err(|error| misread(error, &request.to_der(), csr, numbers))?;
            warn_of_old([ca_key.row() as &dyn Row, request.requested_key()?.row()], out);
            while_signing(out, &mut ca_key, |ca_key| {
                issue_from_csr(&template, &request, &ca, ca_key, &mut SystemRng)
            })?
        }
        (None, Some(key)) => {
            let key = public_key(key, numbers)?;
            warn_of_old([ca_key.row() as &dyn Row, key.row()], out);
            while_signing(out, &mut ca_key, |ca_key| issue(&template, &key, &ca, ca_key, &mut SystemRng))?
        }
        (None, None) => return Err(Error::usage("nothing to certify").advise("give --key or --csr")),
    };
    root::print(&issued, &args.out, args.force, out)
}

/// The public key in a file, or the public half of the private key there; for signatures, or of a KEM.
fn public_key(path: &Path, numbers: Numbers) -> Result<RequestedKey, Error> {
    use grille_pki::Error as E;
    let bytes = documents::read(path, Kind::PrivateKey)?;
    let signature = PrivateKey::from_pem_or_der_in(&bytes, numbers).map(|key| key.public_key().clone());
    let signature = signature.or_else(|refused| {
        PublicKey::from_pem_or_der_in(&bytes, numbers).map_err(|error| match error {
            // a public key, and nothing to certify: what it is says more than that it is no private one
            E::OtherUse { .. } | E::UnknownAlgorithm { .. } => error,
            _ => refused,
        })
    });
    let of_kem = || {
        let private = KemPrivateKey::from_pem_or_der_in(&bytes, numbers).map(|key| key.public_key().clone());
        private.or_else(|_| KemPublicKey::from_pem_or_der_in(&bytes, numbers))
    };
    let key = match signature {
        Ok(key) => Ok(RequestedKey::Signature(key)),
        Err(error @ (E::OtherUse { .. } | E::UnknownAlgorithm { .. })) => {
            of_kem().map(RequestedKey::Kem).map_err(|_| error)
        }
        Err(error) => Err(error),
    };
    key.map_err(|error| match error {
        E::Label { found, .. } if found.starts_with("CERTIFICATE") => no_key(&found).at(path),
        error => misread(error, &bytes, path, numbers),
    })
}

/// That something with this label is neither a public key nor a private one.
fn no_key(found: &str) -> Error {
    let error =
        Error::failure(format_args!("this is PEM of \"{found}\" where a key is wanted, public or private"));
    match found {
        "CERTIFICATE REQUEST" => error.advise("give the request with --csr"),
        _ => error.advise("`openssl x509 -pubkey -noout` takes the public key out of a certificate"),
    }
}
