//! The `grille spdm responder` subcommand.

use super::advice::{START_REQUESTER_ADVICE, connect_error, listen_error};
use super::algorithms::signers;
use super::appraisal::device_mode::{DeviceMode, Modes};
use super::capability_conflicts::remove_contradictory_versions;
use super::capture::Capture;
use super::credential_place::CredentialPlace;
use super::device::{Authority, EMULATED_RESPONDER};
use super::devices::{DevicePool, EmulatedDevice, EmulatedDevices};
use super::emulation::{Emulation, REQUESTER_ONLY, hide_other_side};
use super::events::Events;
use super::fault::{Fault, Faults};
use super::link::{serve, with_capture};
use super::listener::Listener;
use super::listening;
use super::local_identity::LocalIdentity;
use super::options::Options;
use super::peer_trust;
use super::pqc2021::dialect::Dialect;
use super::provisioning::Provisioned;
use super::refusals::Refusals;
use super::signed::Signed;
use super::state::State;
use super::timed::TimedSocket;
use super::workers::serve_in_threads;
use crate::arguments::{self, host_and_address};
use crate::error::Error;
use crate::output::Output;
use clap::builder::PossibleValuesParser;
use grille_pki::PublicKey;
use grille_spdm_codec::capabilities::{CapabilityFlags as Caps, ExtCapabilityFlags};
use grille_spdm_engine::config::{Config, Packet, Role};
use grille_spdm_engine::identity::{Identity, PROVISIONED};
use grille_spdm_engine::pqc2021::PeerKeys;
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::transcript::Prover;
use grille_spdm_engine::trust::ChainVerifier;
use grille_spdm_transport::connection::Connection;
use grille_spdm_transport::stream::StreamError;
use grille_tls::transport::dial;
use std::fmt::Display;
use std::io;
use std::mem;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Emulate a device that authenticates itself, reports its measurements and serves sessions.
///
/// Without --cert and --key the device gets new keys: ML-DSA-87 unless --pqc-asym names others, and ECDSA P-384
/// unless --asym does. --root saves their roots for `grille spdm attest --ca`. Requesters are served one after the
/// other, or --jobs at a time.
///
/// A silent requester is disconnected after --timeout seconds. While a session with a heartbeat is open, the limit is
/// at least 480 seconds: the heartbeat period is 240 seconds, and a session ends after two periods without a request.
///
/// Refused requests are reported as warnings, with the reason if it is known. In a session, a refusal is reported only
/// if its reason is known. Failed mutual authentications are reported, too. After 20 warnings about a connection,
/// further refusals are counted, and their number is reported when the connection ends.
///
/// With --json the first line of standard output is the listening address and transport, unless --tcp-sub RI makes
/// this side connect. After an error a second document follows. Options of DMTF's emulators for requesters are
/// accepted, and have no effect.
#[derive(clap::Args)]
#[command(
    mut_args(|arg| hide_other_side(&REQUESTER_ONLY, arg)),
    after_help = "\
Examples:
  grille spdm responder --root root.pem
  grille spdm responder --bind 0.0.0.0 --jobs 8 --devices 1000 --root fleet.pem
  grille spdm responder --root faulty.pem --fault measurement"
)]
pub(super) struct Args {
    /// Listen on this address; 0.0.0.0 or :: for all. With --tcp-sub RI, connect to this address.
    #[arg(long, visible_alias = "ip", value_name = "ADDRESS", default_value = "127.0.0.1", value_parser = arguments::address)]
    bind: String,
    /// Listen on this port; 0 picks a free one [default: 2323, or 4194 with --trans TCP].
    #[arg(long, value_parser = arguments::port)]
    port: Option<u16>,
    /// Stop after one connection.
    #[arg(long)]
    once: bool,
    /// Serve this many requesters at once. With more than one, SHUTDOWN ends only its own connection, and --pcap is
    /// not available.
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, conflicts_with = "once", value_parser = clap::value_parser!(u16).range(1..=4096))]
    jobs: u16,
    /// Emulate this many devices. With more than one, each device has an address of this machine (--bind 0.0.0.0
    /// listens on all), its own keys, and a chain under the roots of --root. A device is created on the first
    /// connection to its address.
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with_all = ["cert", "key", "once"], allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    devices: u32,
    /// Trust these roots for mutual authentication (PEM); repeatable.
    #[arg(long, value_name = "FILE")]
    ca: Vec<PathBuf>,
    /// Simulate a fault, to rehearse failing attestations; repeatable or comma-separated.
    #[arg(long, value_name = "FAULT", value_enum, value_delimiter = ',')]
    fault: Vec<Fault>,
    /// Measure a device mode with these modes, comma-separated: normal, or a mode of `grille spdm attest
    /// --allow-mode` [default: no device mode is measured].
    #[arg(long = "device-mode", alias = "device_mode", value_name = "MODES", value_delimiter = ',', value_parser = modes())]
    device_mode: Vec<String>,
    #[command(flatten)]
    own: LocalIdentity,
    #[command(flatten)]
    emulation: Emulation,
    #[command(flatten)]
    options: Options,
}

/// Returns a parser for the modes that a device can be in.
fn modes() -> PossibleValuesParser {
    let names = Modes::NAMES.into_iter().map(|(name, _)| name).filter(|name| *name != "unknown");
    PossibleValuesParser::new(["normal"].into_iter().chain(names))
}

impl Args {
    fn faults(&self) -> Faults {
        Faults::new(&self.fault)
    }

    /// Checks that the device gets new certificates if a fault needs them.
    ///
    /// # Errors
    /// Returns an error if a fault needs new certificates, and the certificates come from files or the device has none.
    fn check_faults(&self, place: CredentialPlace) -> Result<(), Error> {
        let Some(fault) = self.faults().certificate_fault() else { return Ok(()) };
        if !self.own.has_files() && matches!(place, CredentialPlace::Slots(_)) {
            return Ok(());
        }
        let problem = format!("--fault {fault} needs a new certificate");
        Err(Error::usage(problem).advise("omit --cert and --key"))
    }

    /// Returns the device mode to measure, if one is requested.
    fn mode(&self) -> Option<[u8; 16]> {
        let names = self.device_mode.iter().map(String::as_str);
        (!self.device_mode.is_empty()).then(|| DeviceMode::encode(Modes::by_names(names)))
    }
}

/// Serves until a requester shuts the responder down, or forever; with `--once` or `--tcp-sub RI`, serves only one
/// connection and returns its failure as an error. Otherwise, a failed connection only causes a warning.
///
/// # Errors
/// Returns an error if an option or a file is invalid, the port cannot be used, or the only connection fails.
pub(super) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    args.emulation.check(args.options.binding())?;
    args.options.check_jobs(args.jobs)?;
    let inputs: Vec<&Path> = args.ca.iter().map(PathBuf::as_path).chain(args.own.inputs()).collect();
    args.options
        .check_outputs(args.emulation.state_files.output().into_iter().chain(args.own.output()), &inputs)?;
    warn_about_unused_slots(&args.emulation, out);
    let mut dialect = args.options.dialect(Role::Responder)?;
    dialect.warn(out);
    let raw_keys_bound = dialect.binds_keys();
    let place = CredentialPlace::new(args.emulation.slot_id, args.emulation.slot_count);
    let place = args.options.place(place);
    let mut config = configuration(args, &dialect, place, out)?;
    check_devices(args, place)?;
    args.own.check(place)?;
    args.check_faults(place)?;
    check_peer(args)?;
    let peer_key = args.own.peer_key()?;
    let has_peer_key = peer_key.is_some() || args.options.spec.has_peer_keys();
    let judge = peer_trust::judge(&args.ca, has_peer_key, dialect.numbers(), out)?;
    let state = args.emulation.state_files.load()?;
    // Bind before writing any file.
    let (host, port) = (args.bind.as_str(), args.port.unwrap_or_else(|| args.options.port()));
    let failed = |error: io::Error| listen_error(&error).with_place(format_args!("{host} port {port}"));
    let listener = (!args.emulation.inquires_role()).then(|| TcpListener::bind((host, port)));
    let listener = listener.transpose().map_err(failed)?;
    let devices = emulated_devices(args, &mut config, &mut dialect, place, out)?;
    match (args.emulation.is_mutual(), args.ca.is_empty()) {
        (true, true) if !has_peer_key => {
            out.warn("every requester's chain is trusted; name the trusted roots with --ca");
        }
        (false, false) => out.warn(
            "--ca has no effect without mutual authentication; require it with --mut-auth W_ENCAP in sessions, or --basic-mut-auth BASIC with CHALLENGE",
        ),
        _ => {}
    }
    let peer_keys = dialect.peer.keys();
    let mut server = Server { args, config, devices, peer_key, peer_keys, judge, capture: None, state };
    if !args.fault.is_empty() {
        out.warn("--fault: this device is faulty on purpose; no verifier may trust it");
    }
    out.queue_warnings()?;
    let Some(listener) = listener else { return server.inquire(&host_and_address(host, port).1, out) };
    server.record()?;
    warn_about_unreachable(args.devices, &listener, out);
    let listener = Listener::new(listener);
    listening::report(listener.socket(), &args.options, &server.config, raw_keys_bound, out)?;
    if args.jobs > 1 { server.serve_many(&listener, out) } else { server.serve_one_by_one(&listener, out) }
}

/// Warns about slots that are empty, or are not used.
fn warn_about_unused_slots(emulation: &Emulation, out: &Output) {
    if let Some(slot) = emulation.empty_slot() {
        out.warn(format_args!(
            "--slot-id: slot {slot} has no chain, and requesters choose the slot; fill more slots with --slot-count"
        ));
    }
    if emulation.slot_count_is_unused() {
        out.warn("--slot-count has no effect: slot 0xFF is the only slot, and it has no chain");
    }
}

/// Returns the configuration that the options describe.
///
/// # Errors
/// Returns an error if options contradict each other.
fn configuration(
    args: &Args,
    dialect: &Dialect,
    place: CredentialPlace,
    out: &Output,
) -> Result<Config, Error> {
    let state_files = &args.emulation.state_files;
    let flags = Caps(place.adapt_capabilities(EMULATED_RESPONDER).0 & !unwanted_psk_capabilities(args)?.0)
        | state_files.required_capabilities();
    let config = args.emulation.apply(args.options.config(flags)?);
    let config = dialect.configure(config, args.emulation.slot_id, args.options.named().classical)?;
    state_files.check(config.limits.flags)?;
    let config = remove_contradictory_versions(config, Role::Responder, &args.options, out)?;
    check_signers(&config, dialect)?;
    let expects_chain = !args.ca.is_empty() || args.options.requester_named().classical;
    if args.emulation.is_basic_mutual() && !expects_chain {
        dialect.check_encapsulated_challenge()?;
    }
    // An emulated device counts as being in a trusted environment, as in its factory.
    let mut config = Config { trusted_environment: true, ..config };
    config.limits.ext_flags = ExtCapabilityFlags::SLOT_MGMT;
    Ok(config)
}

/// Returns the capabilities to leave out: those of PSK if the responder requires mutual authentication and no option
/// names the pre-shared key, otherwise none. With the published test key, anyone could open a session without
/// authentication.
///
/// # Errors
/// Returns an error if --cap names a PSK capability.
fn unwanted_psk_capabilities(args: &Args) -> Result<Caps, Error> {
    const PSK: Caps = Caps(Caps::PSK.0 | Caps::PSK_WITH_CONTEXT.0);
    if !args.emulation.is_mutual() || args.own.psk.is_named() {
        return Ok(Caps::NONE);
    }
    let named = args.options.config(Caps::NONE)?.limits.flags.intersects(PSK);
    args.own.psk.check_named(named).map(|()| PSK)
}

/// Creates the emulated devices. In CERT mode of the dialect, limits `config` to the algorithm of the chain.
///
/// # Errors
/// Returns an error if a file is invalid, or the system provides no randomness.
fn emulated_devices(
    args: &Args,
    config: &mut Config,
    dialect: &mut Dialect,
    place: CredentialPlace,
    out: &Output,
) -> Result<EmulatedDevices, Error> {
    let (own, slots, faults) = (&args.own, args.emulation.slot_count, args.faults());
    let chains = dialect.chains(Role::Responder, &config.algorithms)?;
    let (signs, named) = dialect.allowed_algorithms(&chains, args.options.named(), own.has_files());
    let (overwrite, algorithms) = (args.options.overwrites(), signers(&config.algorithms).into());
    if args.devices == 1 {
        let mut provided = own.provide(&signs, named, place, overwrite, &faults, dialect.numbers())?;
        provided.keys.iter().for_each(|signed| signed.warn(Prover::Responder, out));
        let has_raw_keys = !dialect.own.is_empty();
        peer_trust::warn_about_test_key(own, has_raw_keys, provided.test_psk, config.limits.flags, out);
        dialect.limit(config, Role::Responder, &chains, provided.keys.first().map(Signed::asym));
        let identity = mem::take(&mut dialect.own).add_to(provided.identity);
        provided.identity = faults.apply_to_signers(identity.prepared(config.algorithms.hash));
        return Ok(EmulatedDevices::One(Arc::new(EmulatedDevice::new(provided, slots, algorithms))));
    }
    // Read inputs before writing roots.
    let (identity, test_psk) = own.psk.checked_identity()?;
    peer_trust::warn_about_test_key(own, false, test_psk, config.limits.flags, out);
    let saved = own.authorities(&signs, named, overwrite, dialect.numbers())?;
    let authorities = Authority::apply_faults(saved, &faults)?;
    let most = usize::try_from(args.devices).unwrap_or(usize::MAX);
    let pool = DevicePool::new(most, authorities, identity, slots, algorithms).with_faults(faults);
    Ok(EmulatedDevices::Many(Box::new(pool)))
}

/// Checks that the requester's public key is given if and only if requesters must authenticate with it: with --peer-key
/// in the standard, and with --peer-raw-keys in the dialect of openspdm-pqc.
///
/// # Errors
/// Returns an error if the key is missing, would never be used, or is named with the wrong option.
fn check_peer(args: &Args) -> Result<(), Error> {
    let (emulation, is_dialect) = (&args.emulation, args.options.spec.is_dialect());
    let (known, option) = match is_dialect {
        true => (args.options.spec.has_peer_keys(), "--peer-raw-keys"),
        false => (args.own.has_peer_key(), "--peer-key"),
    };
    args.options.spec.check_peer_key(args.own.has_peer_key())?;
    if emulation.req_slot_id == PROVISIONED && !known {
        let problem = Error::usage("slot 0xFF needs the requester's public key");
        return Err(problem
            .with_place("--req-slot-id")
            .advise(format_args!("name the file of the public key with {option}")));
    }
    if known && emulation.req_slot_id != PROVISIONED && !emulation.is_mutual() {
        let problem = Error::usage("this key has no effect without mutual authentication").with_place(option);
        return Err(problem.advise(
            "add --req-slot-id 0xFF to require the key in sessions, or --basic-mut-auth BASIC to require the key with CHALLENGE",
        ));
    }
    Ok(())
}

/// Checks that several devices can have their own keys and addresses.
///
/// # Errors
/// Returns an error if there is only one key or one connection.
fn check_devices(args: &Args, place: CredentialPlace) -> Result<(), Error> {
    let one_key = matches!(place, CredentialPlace::Provisioned | CredentialPlace::Raw);
    [
        (one_key, "slot 0xFF has one key, but each device needs its own"),
        (
            args.options.spec.has_own_keys(),
            "all devices would share the keys of --raw-keys, but each needs its own",
        ),
        (args.emulation.inquires_role(), "only one device can connect with --tcp-sub RI"),
    ]
    .into_iter()
    .find(|(is_so, _)| args.devices > 1 && *is_so)
    .map_or(Ok(()), |(_, problem)| Err(Error::usage(problem).with_place("--devices")))
}

/// Warns if some devices have addresses where this side does not listen.
fn warn_about_unreachable(devices: u32, listener: &TcpListener, out: &Output) {
    if let Some(here) = listener.local_addr().ok().map(|here| here.ip()).filter(|ip| !ip.is_unspecified())
        && devices > 1
    {
        let all = if here.is_ipv4() { "0.0.0.0" } else { "::" };
        out.warn(format_args!(
            "--devices: only the device at {here} is reachable; listen on all addresses with --bind {all}"
        ));
    }
}

/// Checks that a signature algorithm remains if a capability needs signatures.
///
/// # Errors
/// Returns an error if no signature algorithm remains, because then no negotiation could succeed.
fn check_signers(config: &Config, dialect: &Dialect) -> Result<(), Error> {
    const SIGNS: Caps = Caps(Caps::CHAL.0 | Caps::MEAS_SIG.0 | Caps::KEY_EX.0);
    let can_sign =
        !signers(&config.algorithms).is_empty() || !dialect.own.is_empty() || dialect.uses_certificates();
    if !config.limits.flags.intersects(SIGNS) || can_sign {
        return Ok(());
    }
    if dialect.options.is_some() {
        let problem = Error::usage("this slot has no key").with_place("--slot-id");
        return Err(problem.advise("name the folder of its keys with --raw-keys"));
    }
    let problem = "no signature algorithm is left";
    let advice =
        "offer SPDM 1.4 with --ver so that --pqc-asym applies, or omit CHAL, MEAS_SIG and KEY_EX from --cap";
    Err(Error::usage(problem).with_place("--asym").advise(advice))
}

/// State shared by all connections.
struct Server<'a> {
    args: &'a Args,
    config: Config,
    devices: EmulatedDevices,
    /// The public key of requesters without a chain.
    peer_key: Option<PublicKey>,
    /// The keys without certificates of requesters, in the dialect.
    peer_keys: PeerKeys,
    judge: Arc<dyn ChainVerifier + Sync>,
    capture: Option<Capture>,
    /// The loaded state with which every connection starts.
    state: Option<State<'a>>,
}

impl Server<'_> {
    fn serve_one_by_one(&self, listener: &Listener, out: &Output) -> Result<(), Error> {
        loop {
            let (socket, peer) = listener.next(|problem| out.warn(problem))?;
            match (self.serve_connected(socket, peer, None, out), self.args.once) {
                (Ok(false), false) => {}
                (Ok(true), false) => {
                    out.warn(format_args!("{peer} shut this responder down; {CONTINUE_ADVICE}"));
                    return Ok(());
                }
                (serve_connected, true) => return serve_connected.map(|_| ()),
                (Err(error), false) => out.warn(error),
            }
        }
    }

    fn serve_many(&self, listener: &Listener, out: &Output) -> Result<(), Error> {
        let serve = |(socket, peer), ends: &AtomicBool| {
            if let Err(error) = self.serve_connected(socket, peer, Some(ends), out) {
                out.warn(error);
            }
        };
        serve_in_threads(
            self.args.jobs,
            || listener.next(|problem| out.warn(problem)),
            serve,
            |fewer| out.warn(fewer),
        )
    }

    /// Serves a connected requester until it is done or `ends` is set. Returns whether the requester shut the
    /// responder down.
    ///
    /// # Errors
    /// Returns an error if the connection fails.
    fn serve_connected(
        &self,
        socket: TcpStream,
        peer: SocketAddr,
        ends: Option<&AtomicBool>,
        out: &Output,
    ) -> Result<bool, Error> {
        let failed = |error| Error::from(StreamError::from(error));
        let here = socket.local_addr().map_err(failed).and_then(|here| self.devices.at(here.ip()));
        let served = here.and_then(|device| {
            let connection = self.args.options.wrap_accepted(socket).map_err(failed)?;
            self.serve(connection, &device, &peer, ends, out)
        });
        served.map_err(|error| error.or_place(peer))
    }

    /// Connects to a requester that waits for a responder, and serves it.
    fn inquire(&mut self, address: &str, out: &Output) -> Result<(), Error> {
        let options = &self.args.options;
        let failed = |error: io::Error| connect_error(&error, START_REQUESTER_ADVICE).with_place(address);
        let socket = dial(address, options.message_timeout()).map_err(failed)?;
        let device = self.devices.at(socket.local_addr().map_err(failed)?.ip())?;
        let mut connection = options.connection(socket, None).map_err(failed)?;
        connection.inquire_role().map_err(|error| Error::from(error).with_place(address))?;
        self.record()?;
        self.serve(connection, &device, &address, None, out)
            .map(|_| ())
            .map_err(|error| error.or_place(address))
    }

    /// Creates the capture and the key log.
    fn record(&mut self) -> Result<(), Error> {
        self.capture = self.args.options.capture()?;
        self.config.key_log = self.args.options.key_log()?;
        Ok(())
    }

    /// Serves a connection. `peer` names the requester in messages.
    fn serve(
        &self,
        connection: Connection<TimedSocket>,
        emulated: &EmulatedDevice,
        peer: &dyn Display,
        ends: Option<&AtomicBool>,
        out: &Output,
    ) -> Result<bool, Error> {
        let events = Events::default();
        let faults = self.args.faults();
        let device = Provisioned::new(emulated.keys.clone(), events.clone());
        let device = device.with_mode(self.args.mode()).with_faults(faults.clone());
        let mut seen = emulated.identity().clone();
        let responder = Responder::new(self.config.clone(), Identity::clone(&seen), Box::new(device));
        let mut responder = responder.with_chain_verifier(Box::new(self.judge.clone()));
        if let Some(key) = &self.peer_key {
            responder.provision(key.clone());
        }
        responder.provision_raw(self.peer_keys.clone());
        if let Some(before) = &self.state {
            before.restore(&mut responder)?;
        }
        let mut recorder = self.args.emulation.state_files.recorder(self.state.as_ref());
        let mut connection = with_capture(connection, self.capture.as_ref());
        let mut refusals = Refusals::new(peer, out);
        let answer = |request: &Packet, answer| faults.answer(request, answer);
        serve(&mut connection, &mut responder, ends, answer, |responder, packets| {
            refusals.check(responder, packets);
            if responder.device_mut().is_some_and(Provisioned::take_changed) {
                let now = Arc::new(responder.identity().clone());
                Arc::make_mut(&mut emulated.identity()).adopt_changes(&seen, &now);
                seen = now;
                events.outgoing.deliver(responder);
            }
            events.incoming.process(responder, peer, out);
            recorder.record(responder, packets)
        })
    }
}

/// Advice if a requester shut the responder down.
const CONTINUE_ADVICE: &str = "to continue, use --exe-mode CONTINUE on the requester or --jobs 2 here";
