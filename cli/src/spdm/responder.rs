//! `grille spdm responder`.

use super::capture::Capture;
use super::device::{EMULATED_RESPONDER, Emulated};
use super::emulation::Emulation;
use super::link::{serve, tapped};
use super::options::Options;
use super::own::{self, Own};
use crate::error::Error;
use crate::output::{DIM, Output};
use grille_spdm_engine::config::Config;
use grille_spdm_engine::identity::Identity;
use grille_spdm_engine::responder::Responder;
use grille_spdm_transport::stream::StreamError;
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;

/// Emulate a device: prove what it is, say what it measures, serve sessions.
///
/// Without --cert and --key it makes new keys, ML-DSA-87 and ECDSA P-384 unless --pqc_asym or --asym name others,
/// and --root saves the roots that `grille spdm attest --ca` is to trust. One requester is served at a time.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The address to listen on; 0.0.0.0 or :: for all.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    bind: String,
    /// The port to listen on, 2323 or for TCP 4194; 0 takes a free one.
    #[arg(long)]
    port: Option<u16>,
    /// Stop after one connection.
    #[arg(long)]
    once: bool,
    /// Roots of requesters that prove themselves too (PEM); may be given more than once.
    #[arg(long, value_name = "FILE")]
    ca: Vec<PathBuf>,
    #[command(flatten)]
    own: Own,
    #[command(flatten)]
    emulation: Emulation,
    #[command(flatten)]
    options: Options,
}

/// Serves until a requester shuts it down, or for ever; a connection that fails is a warning, unless it was the only.
///
/// # Errors
/// If there is no key or port, or with `--once` if the connection fails.
pub(super) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    args.emulation.check()?;
    let config = args.emulation.apply(args.options.config(EMULATED_RESPONDER)?);
    let slots = args.emulation.slot_count;
    let identity = args.own.identity(&config.algorithms, args.options.any_signature(), slots)?;
    let capture = args.options.capture()?;
    own::judge(&args.ca)?;
    if args.emulation.is_mutual() && args.ca.is_empty() {
        out.warn("every requester's chain is believed; --ca says which roots to trust");
    }
    let (host, port) = (args.bind.as_str(), args.port.unwrap_or_else(|| args.options.port()));
    let failed = |error: std::io::Error| Error::failure(error).at_place(format_args!("{host} port {port}"));
    let listener = TcpListener::bind((host, port)).map_err(failed)?;
    if !out.is_json() {
        writeln!(out, "{DIM}listening on {}{DIM:#}", listener.local_addr().map_err(failed)?)?;
        out.flush()?;
    }
    loop {
        let (socket, peer) = listener.accept().map_err(failed)?;
        match (visit(args, &config, &identity, capture.as_ref(), socket), args.once) {
            (Ok(shut_down), once) if shut_down || once => return Ok(()),
            (Ok(_), _) => {}
            (Err(error), true) => return Err(error.at_place(peer)),
            (Err(error), false) => out.warn(error.at_place(peer)),
        }
    }
}

fn visit(
    args: &Args,
    config: &Config,
    identity: &Identity,
    capture: Option<&Capture>,
    socket: TcpStream,
) -> Result<bool, Error> {
    let responder = Responder::new(config.clone(), identity.clone(), Box::new(Emulated));
    let mut responder = responder.with_judge(own::judge(&args.ca)?);
    let connection = args.options.accepted(socket).map_err(StreamError::from)?;
    Ok(serve(&mut tapped(connection, capture), &mut responder)?)
}
