//! `grille spdm responder`.

use super::algorithms::{key_name, signers};
use super::device::{Credential, Emulated, RESPONDER};
use super::link::serve;
use super::options::{Options, certificates};
use crate::error::Error;
use crate::files::{self, NewFile};
use crate::output::{DIM, Output};
use grille_pki::{Certificate, PrivateKey};
use grille_registry::Row;
use grille_spdm_engine::algorithms::{Asym, Bits};
use grille_spdm_engine::config::Config;
use grille_spdm_engine::identity::{Identity, Slot};
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::signatures::LocalSigner;
use grille_spdm_transport::stream::StreamError;
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Emulate a device: prove what it is, say what it measures, serve sessions.
///
/// Without --cert and --key it makes new keys, ML-DSA-87 and ECDSA P-384 unless --pqc_asym or --asym name others,
/// and --root saves the roots that `grille spdm attest --ca` is to trust. One requester is served at a time.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The device's chain (PEM), from the root to the device.
    #[arg(long, value_name = "FILE", requires = "key")]
    cert: Option<PathBuf>,
    /// The device's private key.
    #[arg(long, value_name = "FILE", requires = "cert")]
    key: Option<PathBuf>,
    /// Save the roots of new keys here (PEM).
    #[arg(long, value_name = "FILE", conflicts_with = "cert")]
    root: Option<PathBuf>,
    /// Replace the file of --root.
    #[arg(long, requires = "root")]
    force: bool,
    /// The address to listen on; 0.0.0.0 or :: for all.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    bind: String,
    /// The port to listen on, 2323 or for TCP 4194; 0 takes a free one.
    #[arg(long)]
    port: Option<u16>,
    /// Stop after one connection.
    #[arg(long)]
    once: bool,
    #[command(flatten)]
    options: Options,
}

/// Serves until a requester shuts it down, or for ever; a connection that fails is a warning, unless it was the only.
///
/// # Errors
/// If there is no key or port, or with `--once` if the connection fails.
pub(super) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    let config = args.options.config(RESPONDER)?;
    let identity = identity(args, &config.algorithms)?;
    let (host, port) = (args.bind.as_str(), args.port.unwrap_or_else(|| args.options.port()));
    let failed = |error: std::io::Error| Error::failure(error).at_place(format_args!("{host} port {port}"));
    let listener = TcpListener::bind((host, port)).map_err(failed)?;
    if !out.is_json() {
        writeln!(out, "{DIM}listening on {}{DIM:#}", listener.local_addr().map_err(failed)?)?;
        out.flush()?;
    }
    loop {
        let (socket, peer) = listener.accept().map_err(failed)?;
        match (visit(args, &config, &identity, socket), args.once) {
            (Ok(shut_down), once) if shut_down || once => return Ok(()),
            (Ok(_), _) => {}
            (Err(error), true) => return Err(Error::from(error).at_place(peer)),
            (Err(error), false) => out.warn(Error::from(error).at_place(peer)),
        }
    }
}

fn visit(args: &Args, config: &Config, identity: &Identity, socket: TcpStream) -> Result<bool, StreamError> {
    let mut responder = Responder::new(config.clone(), identity.clone(), Box::new(Emulated));
    serve(&mut args.options.connection(socket)?, &mut responder)
}

fn identity(args: &Args, bits: &Bits) -> Result<Identity, Error> {
    if let (Some(cert), Some(key)) = (&args.cert, &args.key) {
        return from_files(cert, key, bits);
    }
    let wanted = signers(bits);
    let of_default = |asym: &Asym| ["ML-DSA-87", "ECDSA-P384"].contains(&key_name(*asym).as_str());
    let any = args.options.any_signature();
    let credentials: Vec<Credential> = wanted
        .into_iter()
        .filter(|asym| !any || of_default(asym))
        .map(Credential::new)
        .collect::<Result<_, _>>()?;
    if let Some(path) = &args.root {
        let roots: String = credentials.iter().map(|made| made.root.to_pem()).collect::<Result<_, _>>()?;
        files::write(&[NewFile::public(path, roots.as_bytes())], args.force)?;
    }
    Ok(credentials.iter().fold(Identity::default(), |identity, made| identity.with(made.slot(0))))
}

fn from_files(cert: &Path, key: &Path, bits: &Bits) -> Result<Identity, Error> {
    let chain: Vec<Certificate> = certificates(&[cert.to_owned()])?;
    let key_file = files::read(key)?;
    let private = PrivateKey::from_pem_or_der(&key_file).map_err(|error| Error::from(error).at(key))?;
    if let Some(leaf) = chain.last() {
        grille_pki::verify::check_key_matches(leaf, &private).map_err(|error| Error::from(error).at(key))?;
    }
    let row = private.row().name();
    let asym = signers(bits).into_iter().find(|asym| key_name(*asym) == row).ok_or_else(|| {
        Error::usage(format_args!("SPDM cannot sign with {row}, or --asym and --pqc_asym leave it out"))
            .at(key)
    })?;
    let signer = LocalSigner::new(asym, private).map_err(|error| Error::from(error).at(key))?;
    Ok(Identity::default().with(Slot::new(0, chain, Arc::new(signer))))
}
