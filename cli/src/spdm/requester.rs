//! The `grille spdm requester` subcommand.

use super::advice::listen_error;
use super::capability_conflicts::remove_contradictory_versions;
use super::credential_place::CredentialPlace;
use super::device::{EMULATED_REQUESTER, MUTUAL};
use super::emulation::{Emulation, Mode, RESPONDER_ONLY, hide_other_side};
use super::events::{Host, Subscriptions};
use super::fault::Faults;
use super::hybrid_options;
use super::link::Link;
use super::listening;
use super::local_identity::{self, LocalIdentity};
use super::options::Options;
use super::peer_trust;
use super::pqc2021::dialect::Dialect;
use super::signed::Signed;
use super::slot_trust::{SlotErrors, SlotJudge};
use super::step_runner::StepRunner;
use super::tree::Node;
use crate::arguments::{self, endpoint_port, host_and_address};
use crate::error::Error;
use crate::output::{Message, Output, Report};
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_engine::config::{Config, Role};
use grille_spdm_engine::identity::Identity;
use grille_spdm_engine::pqc2021::PeerKeys;
use grille_spdm_engine::requester::Requester;
use grille_spdm_engine::transcript::Prover;
use serde::Serialize;
use std::io;
use std::net::TcpListener;
use std::path::{Path, PathBuf};

/// Query a device like DMTF's spdm_requester_emu, and show its responses.
///
/// The options have the names and values of DMTF's emulators, so grille can replace either side; names may also be
/// written with underscores. Steps that were not negotiated are skipped, and options of the responder have no effect.
///
/// With --cert, --req-asym or --req-pqc-asym, this side supports mutual authentication. Without --ca, every
/// certificate chain is trusted, and the output says so. With --peer-key or --peer-raw-keys, no chain is trusted without
/// --ca.
#[derive(clap::Args)]
#[command(
    mut_args(|arg| hide_other_side(&RESPONDER_ONLY, arg)),
    after_help = "\
Examples (start `grille spdm responder --jobs 2 --root root.pem` first):
  grille spdm requester --ca root.pem
  grille spdm requester --ver 1.2 --asym ECDSA_P384 --pqc-asym NONE --exe-session KEY_EX,HEARTBEAT
  grille spdm requester --ca root.pem --pcap session.pcap --key-log session.keys"
)]
pub(super) struct Args {
    /// Connect to the device at this address; HOST:PORT also works.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1", value_parser = arguments::host)]
    ip: String,
    /// Connect to the device at this port [default: 2323, or 4194 with --trans TCP].
    #[arg(long, value_parser = arguments::port)]
    port: Option<u16>,
    /// Trust these roots (PEM); repeatable.
    #[arg(long, value_name = "FILE")]
    ca: Vec<PathBuf>,
    #[command(flatten)]
    own: LocalIdentity,
    #[command(flatten)]
    emulation: Emulation,
    #[command(flatten)]
    options: Options,
}

impl Args {
    /// Returns the device's address with its port.
    ///
    /// # Errors
    /// Returns an error if --ip and --port both name a port.
    fn address(&self) -> Result<String, Error> {
        let (_, address) = host_and_address(&self.ip, self.port.unwrap_or_else(|| self.options.port()));
        match (endpoint_port(&self.ip), self.port) {
            (Ok(Some(named)), Some(port)) if named != port => {
                Err(Error::usage(format_args!("--ip already has a port: {address}"))
                    .with_place("--port")
                    .advise("omit one of the two ports"))
            }
            _ => Ok(address),
        }
    }

    /// Returns the input files, except the state, which --save-state may replace.
    fn inputs(&self) -> impl Iterator<Item = &Path> {
        let paths = self.ca.iter().chain(&self.emulation.new_chain).map(PathBuf::as_path);
        paths.chain(self.own.inputs())
    }
}

/// The offer of this side, before its credentials are read.
struct Offer {
    config: Config,
    dialect: Dialect,
    place: CredentialPlace,
}

/// This side's configuration and credentials.
struct LocalSide {
    config: Config,
    identity: Identity,
    /// Whether the pre-shared key is the published test key.
    test_psk: bool,
    /// The device's keys without certificates.
    peer_keys: PeerKeys,
    /// Whether keys without certificates are bound into transcripts; `None` if neither side has such keys.
    raw_keys_bound: Option<bool>,
}

impl Offer {
    /// Reads the options, and the keys of the dialect.
    ///
    /// # Errors
    /// Returns an error if options contradict each other, or a key is missing or malformed.
    fn new(args: &Args, emulation: &Emulation, out: &Output) -> Result<Self, Error> {
        let options = &args.options;
        let dialect = options.dialect(Role::Requester)?;
        dialect.warn(out);
        let place = place(args, &dialect);
        let has_keys = args.own.has_files()
            || options.requester_named().has_any()
            || dialect.needs_requester_chain()
            || !dialect.own.is_empty();
        // The peer would reject an offered authentication that it cannot verify.
        let mutual = if has_keys { MUTUAL } else { Caps::NONE };
        let listens = if emulation.accepts_encapsulated_requests() { Caps::ENCAP } else { Caps::NONE };
        if dialect.needs_requester_chain() && matches!(place, CredentialPlace::Raw) {
            let problem = Error::usage("slot 0xFF has no certificate").with_place("--req-slot-id");
            return Err(problem.advise("omit --pqc-pub-key-mode CERT, or give a slot from 0 to 7"));
        }
        let config = options.config(place.adapt_capabilities(EMULATED_REQUESTER | mutual | listens))?;
        let config = dialect.configure(config, emulation.slot_id, options.named().classical)?;
        let config = remove_contradictory_versions(config, Role::Requester, options, out)?;
        Ok(Self { config, dialect, place })
    }

    /// Reads or generates the credentials.
    ///
    /// # Errors
    /// Returns an error if a file is invalid, or the system provides no randomness.
    fn load_credentials(self, args: &Args, emulation: &Emulation, out: &Output) -> Result<LocalSide, Error> {
        let Self { mut config, dialect, place } = self;
        let bits = hybrid_options::requester_algorithms(&config.algorithms);
        let chains = dialect.chains(Role::Requester, &bits)?;
        let (signs, named) =
            dialect.allowed_algorithms(&chains, args.options.requester_named(), args.own.has_files());
        let overwrites = args.options.overwrites();
        let provided =
            args.own.provide(&signs, named, place, overwrites, &Faults::default(), dialect.numbers())?;
        provided.keys.iter().for_each(|signed| signed.warn(Prover::Requester, out));
        if emulation.opens_with_psk() {
            let has_raw_keys = !dialect.own.is_empty();
            peer_trust::warn_about_test_key(
                &args.own,
                has_raw_keys,
                provided.test_psk,
                config.limits.flags,
                out,
            );
        }
        dialect.limit(&mut config, Role::Requester, &chains, provided.keys.first().map(Signed::asym));
        Ok(LocalSide {
            config,
            test_psk: provided.test_psk,
            peer_keys: dialect.peer.keys(),
            raw_keys_bound: dialect.binds_keys(),
            identity: dialect.own.add_to(provided.identity),
        })
    }
}

/// Returns the place of this side's credentials. In the dialect, this side has a chain only if options ask for one.
fn place(args: &Args, dialect: &Dialect) -> CredentialPlace {
    let place = args.options.place(CredentialPlace::new(args.emulation.req_slot_id, 1));
    let has_chain =
        args.own.has_files() || args.options.requester_named().classical || dialect.needs_requester_chain();
    if args.options.spec.is_dialect() && !has_chain { CredentialPlace::Raw } else { place }
}

/// Runs the steps, and prints the tree; if a step fails, prints the results up to it.
///
/// # Errors
/// Returns an error if the device cannot be reached, or a step fails.
pub(super) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    let emulation = &args.emulation.clone().with_psk(args.own.psk.is_named());
    emulation.check(args.options.binding())?;
    emulation.check_files()?;
    emulation.check_psk(args.own.psk.named_option())?;
    args.own.psk.check_named(emulation.opens_with_psk())?;
    args.options.spec.check_peer_key(args.own.has_peer_key())?;
    args.options.warn_requesters(out);
    let address = args.address()?;
    let inputs: Vec<&Path> = args.inputs().collect();
    args.options.check_outputs(emulation.outputs().chain(args.own.output()), &inputs)?;
    let offer = Offer::new(args, emulation, out)?;
    let numbers = offer.dialect.numbers();
    let peer_key = args.own.peer_key()?;
    let has_peer_key = peer_key.is_some() || args.options.spec.has_peer_keys();
    let judge = peer_trust::judge(&args.ca, has_peer_key, numbers, out)?;
    let before = emulation.state_files.load()?;
    let new_chain = emulation.new_chain.as_deref().map(local_identity::chain_from_root).transpose()?;
    // Read all inputs before writing roots.
    let LocalSide { mut config, identity, test_psk, peer_keys, raw_keys_bound } =
        offer.load_credentials(args, emulation, out)?;
    let mut link = if emulation.inquires_role() {
        let listener = TcpListener::bind(&address).map_err(|e| listen_error(&e).with_place(&address))?;
        listening::report(&listener, &args.options, &config, raw_keys_bound, out)?;
        Link::accept(&args.options, &listener).map_err(|error| error.or_place(&address))?
    } else {
        Link::connect(&args.options, address.clone(), None)?
    };
    config.key_log = args.options.key_log()?;
    let slot_errors = SlotErrors::default();
    let judge = SlotJudge { judge, slot: emulation.slot_id, slot_errors: slot_errors.clone() };
    let own = Subscriptions::default();
    let mut requester =
        Requester::new(config, identity, Box::new(judge)).with_device(Box::new(Host(own.clone())));
    if let Some(key) = peer_key {
        requester.provision(key);
    }
    requester.provision_raw(peer_keys);
    let psk_hint = args.own.psk.hint()?;
    let slot_errors = (!args.ca.is_empty()).then_some(&slot_errors);
    let mut runner = StepRunner::new(emulation, new_chain, &psk_hint, &own, slot_errors);
    runner.set_uses_test_psk(test_psk);
    runner.use_numbers(numbers);
    let outcome = runner.run(&mut requester, &mut link, before.as_ref());
    let outcome = outcome.map_err(|error| error.or_place(&address).mark_in_json_output());
    let error = outcome.clone().err().map(Message::new);
    // The failure determines the exit code even if printing fails.
    let printed =
        out.print(&RequesterReport { endpoint: &address, raw_keys_bound, lines: runner.finish(), error });
    outcome?;
    printed?;
    match emulation.exe_mode {
        Mode::Shutdown => link.shut_down(),
        Mode::Continue => link.disconnect_emulator(),
    }
}

#[derive(Serialize)]
struct RequesterReport<'a> {
    endpoint: &'a str,
    /// Whether keys without certificates are bound into transcripts; `None` if neither side has such keys.
    #[serde(skip_serializing_if = "Option::is_none")]
    raw_keys_bound: Option<bool>,
    #[serde(rename = "said")]
    lines: Vec<Node>,
    /// The error of the failed step, if a step failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Message>,
}

impl Report for RequesterReport<'_> {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        Node::new(self.endpoint, "").with_all(self.lines.iter().cloned()).draw(out)
    }
}
