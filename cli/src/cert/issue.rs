//! `grille cert issue`: issues an intermediate or an end-entity certificate.

use super::documents::{read_certificate, read_key, read_request};
use super::names::{Options, end_entity, purpose};
use super::progress::sign_with_progress;
use super::root;
use crate::algorithm::warn_about_each_old;
use crate::documents;
use crate::error::Error;
use crate::input_checks::{at_most_one_stdin, refuse_replacing_inputs};
use crate::keys::document_error;
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
  grille cert issue --key sub.key --ca root.crt --ca-key root.key --path-len 0 \\
      --subject CN=Sub --out sub.crt")]
#[command(group = clap::ArgGroup::new("subject_key").required(true))]
pub(crate) struct Args {
    /// Certify the key in this file: a public key, or the public half of a private key, of a signature algorithm or a
    /// KEM.
    #[arg(long, value_name = "FILE", group = "subject_key")]
    key: Option<PathBuf>,
    /// Certify the key and the subject of the certificate request in this file, and its names unless --san is given.
    #[arg(long, alias = "request", value_name = "FILE", group = "subject_key")]
    csr: Option<PathBuf>,
    /// Read the issuer's certificate from this file.
    #[arg(long, value_name = "FILE")]
    ca: PathBuf,
    /// Read the issuer's private key from this file.
    #[arg(long, value_name = "FILE")]
    ca_key: PathBuf,
    /// Certify this name: DNS:host, IP:address, email:name@host or URI:uri; without a prefix, a host name unless it
    /// is an IP address; may be repeated.
    #[arg(long, value_name = "NAME", conflicts_with = "path_len")]
    san: Vec<String>,
    /// Restrict the key to this purpose (extended key usage): serverAuth, clientAuth, codeSigning, emailProtection,
    /// timeStamping, OCSPSigning or an object identifier; may be repeated [default: serverAuth and clientAuth for
    /// signature keys, none for KEM keys].
    #[arg(long, value_name = "PURPOSE", conflicts_with = "path_len", value_delimiter = ',', value_parser = purpose)]
    eku: Vec<ObjectIdentifier>,
    /// Issue an intermediate CA that allows this many further intermediates below it.
    #[arg(long, value_name = "N")]
    path_len: Option<u8>,
    /// Write the certificate, as PEM, to this file; `-` is standard output.
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
    /// Replace an existing file.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    options: Options,
}

/// Issues the certificate.
///
/// # Errors
/// Returns an error if a key, a name or the issuer is not acceptable, or a file cannot be read or written.
pub(crate) fn run(args: &Args, numbers: Numbers, out: &mut Output) -> Result<(), Error> {
    let inputs = [args.key.as_deref(), args.csr.as_deref(), Some(&args.ca), Some(&args.ca_key)];
    at_most_one_stdin(inputs.into_iter().flatten())?;
    refuse_replacing_inputs(inputs.into_iter().flatten(), &args.out)?;
    let (ca, mut ca_key) = (read_certificate(&args.ca, numbers)?, read_key(&args.ca_key, numbers)?);
    if !ca.is_ca() {
        return Err(Error::failure("this certificate may not issue others")
            .at(&args.ca)
            .advise("make a CA with `grille cert root`, or with `grille cert issue --path-len 0`"));
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
            return Err(Error::usage("the subject comes from the request").advise("leave out --subject"));
        }
        (Some(csr), _) => {
            let request = read_request(csr, numbers)?;
            request.verify().map_err(|error| document_error(error, &request.to_der(), csr, numbers))?;
            warn_about_each_old([ca_key.row() as &dyn Row, request.requested_key()?.row()], out);
            sign_with_progress(out, &mut ca_key, |ca_key| {
                issue_from_csr(&template, &request, &ca, ca_key, &mut SystemRng)
            })?
        }
        (None, Some(key)) => {
            let key = public_key(key, numbers)?;
            warn_about_each_old([ca_key.row() as &dyn Row, key.row()], out);
            sign_with_progress(out, &mut ca_key, |ca_key| {
                issue(&template, &key, &ca, ca_key, &mut SystemRng)
            })?
        }
        (None, None) => return Err(Error::usage("nothing to certify").advise("give --key or --csr")),
    };
    root::write_and_report(&issued, &args.out, args.force, out)
}

/// Reads a public key, or the public half of a private key, of a signature algorithm or a KEM.
fn public_key(path: &Path, numbers: Numbers) -> Result<RequestedKey, Error> {
    use grille_pki::Error as E;
    let bytes = documents::read(path, Kind::PrivateKey)?;
    let signature = PrivateKey::from_pem_or_der_in(&bytes, numbers).map(|key| key.public_key().clone());
    let signature = signature.or_else(|refused| {
        PublicKey::from_pem_or_der_in(&bytes, numbers).map_err(|error| match error {
            // a public key that cannot be certified: its own error says more than "not a private key"
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
        E::Label { found, .. } if found.starts_with("CERTIFICATE") => not_a_key(&found).at(path),
        error => document_error(error, &bytes, path, numbers),
    })
}

/// Returns the error for a PEM document with this label in place of a key.
fn not_a_key(found: &str) -> Error {
    let error = Error::failure(format_args!("found PEM of \"{found}\", expected a public or private key"));
    match found {
        "CERTIFICATE REQUEST" => error.advise("give the request with --csr"),
        _ => error.advise("extract the public key with `openssl x509 -pubkey -noout`"),
    }
}
