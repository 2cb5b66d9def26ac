//! `grille spdm responder`.

use super::advice::{REQUESTER_LISTENS, unavailable, unreachable};
use super::algorithms::signers;
use super::appraisal::device_mode::{DeviceMode, Modes};
use super::capture::Capture;
use super::contradictions::settle;
use super::device::EMULATED_RESPONDER;
use super::devices::{Crowd, Unit, Units};
use super::door::Door;
use super::emulation::{Emulation, REQUESTERS, without};
use super::events::Events;
use super::fault::{Fault, Faults};
use super::link::{serve, tapped};
use super::listening;
use super::options::Options;
use super::own::{self, Own, Place};
use super::provisioning::Provisioned;
use super::refusals::Refusals;
use super::state::State;
use super::timed::Timed;
use super::workers::share;
use crate::arguments::{self, host_and_address};
use crate::error::Error;
use crate::output::Output;
use clap::builder::PossibleValuesParser;
use grille_pki::PublicKey;
use grille_spdm_codec::capabilities::{CapabilityFlags as Caps, ExtCapabilityFlags};
use grille_spdm_engine::config::{Config, Packet, Role};
use grille_spdm_engine::identity::{Identity, PROVISIONED};
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::transcript::Prover;
use grille_spdm_engine::trust::Judge;
use grille_spdm_transport::connection::Connection;
use grille_spdm_transport::stream::StreamError;
use grille_tls::transport::dial;
use std::fmt::Display;
use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Emulate a device: prove what it is, say what it measures, serve sessions.
///
/// A requester that says nothing is waited for --timeout seconds; with a session open whose heartbeat it is to send every 240 seconds, at
/// least 480, and a session that is silent for so long is over. Without --cert and --key it makes new keys, ML-DSA-87 unless --pqc_asym names others, ECDSA P-384 unless --asym does,
/// and --root saves the roots that `grille spdm attest --ca` is to trust. Requesters are served one after the other, or --jobs at a time.
/// Of what it refuses it warns, with the reason if it has one, inside sessions only then, and of requesters that have to prove
/// themselves and do not; at most 20 times for each connection, and then how many more there were.
/// With --json the first line of standard output says where it listens and how it speaks there, unless --tcp_sub RI has it
/// connect to a requester; of an error a document follows.
/// Options of DMTF's that say what a requester does are taken, and do nothing here.
#[derive(clap::Args)]
#[command(
    mut_args(|arg| without(&REQUESTERS, arg)),
    after_help = "\
Examples:
  grille spdm responder --root root.pem
  grille spdm responder --trans PCI_DOE --asym ECDSA_P384 --pqc_asym NONE --slot_count 3
  grille spdm responder --cert chain.pem --key device.key --mut_auth W_ENCAP --ca hosts.pem
  grille spdm responder --bind 0.0.0.0 --jobs 64
  grille spdm responder --bind 0.0.0.0 --jobs 8 --devices 1000 --root root.pem
  grille spdm responder --pcap said.pcap --key_log said.keys
  grille spdm responder --root root.pem --fault measurement"
)]
pub(super) struct Args {
    /// The address to listen on; 0.0.0.0 or :: for all. With --tcp_sub RI the requester's.
    #[arg(long, visible_alias = "ip", value_name = "ADDRESS", default_value = "127.0.0.1", value_parser = arguments::address)]
    bind: String,
    /// The port to listen on, 2323 or for TCP 4194; 0 takes a free one.
    #[arg(long, value_parser = arguments::port)]
    port: Option<u16>,
    /// Stop after one connection.
    #[arg(long)]
    once: bool,
    /// How many requesters are served at once; with more than one, SHUTDOWN ends its own connection only, and there is no
    /// --pcap.
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, conflicts_with = "once", value_parser = clap::value_parser!(u16).range(1..=4096))]
    jobs: u16,
    /// How many devices there are. With more than one each has an address of this machine (--bind 0.0.0.0 listens on all), keys of its
    /// own and a chain below the roots of --root; it is made when somebody first comes there.
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with_all = ["cert", "key", "once"], allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    devices: u32,
    /// Roots of requesters that prove themselves too (PEM); may be given more than once.
    #[arg(long, value_name = "FILE")]
    ca: Vec<PathBuf>,
    /// Have a fault on purpose, to rehearse how attestation fails; may be given more than once, or with commas between.
    #[arg(long, value_name = "FAULT", value_enum, value_delimiter = ',')]
    fault: Vec<Fault>,
    /// Measure a device mode too, in these modes, separated by commas: normal, or one of attest's --allow-mode
    /// [default: the device measures no mode].
    #[arg(long = "device-mode", alias = "device_mode", value_name = "MODES", value_delimiter = ',', value_parser = modes())]
    device_mode: Vec<String>,
    #[command(flatten)]
    own: Own,
    #[command(flatten)]
    emulation: Emulation,
    #[command(flatten)]
    options: Options,
}

/// Reads a mode that a device can be in.
fn modes() -> PossibleValuesParser {
    let names = Modes::NAMES.into_iter().map(|(name, _)| name).filter(|name| *name != "unknown");
    PossibleValuesParser::new(["normal"].into_iter().chain(names))
}

impl Args {
    fn faults(&self) -> Faults {
        Faults::new(&self.fault)
    }

    /// That a fault of certificates has new certificates to be in.
    ///
    /// # Errors
    /// If they come from files, or there are none.
    fn check_faults(&self, place: Place) -> Result<(), Error> {
        let Some(fault) = self.faults().of_certificates() else { return Ok(()) };
        if !self.own.has_files() && matches!(place, Place::Slots(_)) {
            return Ok(());
        }
        let what = format!("--fault {fault} takes a certificate that is made for it");
        Err(Error::usage(what).advise("leave out --cert and --key"))
    }

    /// What the device says of its mode, if it does.
    fn mode(&self) -> Option<[u8; 16]> {
        let names = self.device_mode.iter().map(String::as_str);
        (!self.device_mode.is_empty()).then(|| DeviceMode::encode(Modes::by_names(names)))
    }
}

/// Serves until a requester shuts it down, or for ever; a connection that fails is a warning, unless it was the only.
///
/// # Errors
/// If there is no key or port, or with `--once` if the connection fails.
pub(super) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    args.emulation.check(args.options.binding())?;
    args.options.check_jobs(args.jobs)?;
    let inputs: Vec<&Path> = args.ca.iter().map(PathBuf::as_path).chain(args.own.inputs()).collect();
    args.options.check_outputs(args.emulation.kept.output().into_iter().chain(args.own.output()), &inputs)?;
    if let Some(slot) = args.emulation.empty_slot() {
        out.warn(format_args!(
            "--slot_id: slot {slot} has no chain, and requesters say which they ask; --slot_count fills more"
        ));
    }
    if args.emulation.counts_in_vain() {
        out.warn("--slot_count: slot 0xFF has one key and no chain, and there are no other slots; this has no effect");
    }
    let kept = &args.emulation.kept;
    let place = Place::of(args.emulation.slot_id, args.emulation.slot_count);
    let flags = Caps(place.able(EMULATED_RESPONDER).0 & !unnamed_psk(args)?.0) | kept.needs();
    let config = args.emulation.apply(args.options.config(flags)?);
    kept.check(config.limits.flags)?;
    let config = settle(config, Role::Responder, &args.options, out)?;
    check_signers(&config)?;
    check_devices(args, place)?;
    args.own.check(place)?;
    args.check_faults(place)?;
    check_peer(&args.emulation, args.own.has_peer_key())?;
    // an emulated device is where it is provisioned
    let mut config = Config { trusted_environment: true, ..config };
    config.limits.ext_flags = ExtCapabilityFlags::SLOT_MGMT;
    let peer_key = args.own.peer_key()?;
    let judge = own::judge(&args.ca, peer_key.is_some())?;
    let state = kept.load()?;
    // before anything is written
    let (host, port) = (args.bind.as_str(), args.port.unwrap_or_else(|| args.options.port()));
    let failed = |error: io::Error| unavailable(&error).at_place(format_args!("{host} port {port}"));
    let listener = (!args.emulation.inquires_role()).then(|| TcpListener::bind((host, port)));
    let listener = listener.transpose().map_err(failed)?;
    let units = units(args, &config, place, out)?;
    match (args.emulation.is_mutual(), args.ca.is_empty()) {
        (true, true) if peer_key.is_none() => {
            out.warn("every requester's chain is believed; --ca says which roots to trust");
        }
        (false, false) => out.warn(
            "--ca: no requester is asked for its chain; --mut_auth W_ENCAP asks in sessions, --basic_mut_auth BASIC with CHALLENGE",
        ),
        _ => {}
    }
    let mut server = Server { args, config, units, peer_key, judge, capture: None, state };
    if !args.fault.is_empty() {
        out.warn("--fault: this device is wrong on purpose; no gate may let it pass");
    }
    out.serve()?;
    let Some(listener) = listener else { return server.inquire(&host_and_address(host, port).1, out) };
    server.record()?;
    warn_of_unreachable(args.devices, &listener, out);
    let door = Door::new(listener);
    listening::tell(door.listener(), &args.options, &server.config.versions, out)?;
    if args.jobs > 1 { server.serve_many(&door, out) } else { server.serve_one_by_one(&door, out) }
}

/// The capabilities that a responder lacks which asks requesters to prove themselves, if no option names the key that both sides
/// have: with the published test key anybody could open a session without proof.
///
/// # Errors
/// If --cap names one of them.
fn unnamed_psk(args: &Args) -> Result<Caps, Error> {
    const PSK: Caps = Caps(Caps::PSK.0 | Caps::PSK_WITH_CONTEXT.0);
    if !args.emulation.is_mutual() || args.own.psk.is_named() {
        return Ok(Caps::NONE);
    }
    let named = args.options.config(Caps::NONE)?.limits.flags.intersects(PSK);
    args.own.psk.check_named(named).map(|()| PSK)
}

/// What there is to be emulated.
///
/// # Errors
/// What files have wrong, or no randomness.
fn units(args: &Args, config: &Config, place: Place, out: &Output) -> Result<Units, Error> {
    let (own, bits, slots) = (&args.own, &config.algorithms, args.emulation.slot_count);
    let faults = args.faults();
    let (named, overwrite) = (args.options.named(), args.options.force());
    let algorithms = signers(bits).into();
    if args.devices == 1 {
        let mut provided = own.provide(bits, named, place, overwrite, &faults)?;
        provided.keys.iter().for_each(|signed| signed.warn(Prover::Responder, out));
        provided.identity = faults.signing(provided.identity.prepared(bits.hash));
        return Ok(Units::One(Arc::new(Unit::new(provided, slots, algorithms))));
    }
    // read before roots are written
    let identity = own.psk.identity()?;
    let authorities = faults.authorities(own.authorities(bits, named, overwrite)?)?;
    let most = usize::try_from(args.devices).unwrap_or(usize::MAX);
    let crowd = Crowd::new(most, authorities, identity, slots, algorithms).with_faults(faults);
    Ok(Units::Many(Box::new(crowd)))
}

/// That the key of requesters is known where they are asked for it, and asked for where it is known.
///
/// # Errors
/// If whatever they show would be believed, or nothing asked for.
fn check_peer(emulation: &Emulation, known: bool) -> Result<(), Error> {
    if emulation.req_slot_id == PROVISIONED && !known {
        let what = Error::usage("slot 0xFF of requesters has a key that is known beforehand");
        return Err(what.at_place("--req_slot_id").advise("missing: --peer_key <FILE>, its public half"));
    }
    if known && emulation.req_slot_id != PROVISIONED && !emulation.is_mutual() {
        let what = Error::usage("no requester is asked to prove that it has this key").at_place("--peer_key");
        return Err(what.advise(
            "add --req_slot_id 0xFF, which asks in sessions, or --basic_mut_auth BASIC, which asks with CHALLENGE",
        ));
    }
    Ok(())
}

/// That each of so many devices can have keys of its own, and somebody can come to more than one.
///
/// # Errors
/// If there is one key for all, or one connection.
fn check_devices(args: &Args, place: Place) -> Result<(), Error> {
    let one_key = matches!(place, Place::Provisioned);
    [
        (one_key, "slot 0xFF has one key, and each device one of its own"),
        (args.emulation.inquires_role(), "with --tcp_sub RI one device connects, and nobody comes to others"),
    ]
    .into_iter()
    .find(|(is_so, _)| args.devices > 1 && *is_so)
    .map_or(Ok(()), |(_, what)| Err(Error::usage(what).at_place("--devices")))
}

/// Warns of devices at addresses where nobody is listened to.
fn warn_of_unreachable(devices: u32, listener: &TcpListener, out: &Output) {
    if let Some(here) = listener.local_addr().ok().map(|here| here.ip()).filter(|ip| !ip.is_unspecified())
        && devices > 1
    {
        let all = if here.is_ipv4() { "0.0.0.0" } else { "::" };
        out.warn(format_args!(
            "--devices: only the one at {here} can be reached; --bind {all} listens on all addresses"
        ));
    }
}

/// That something is left to sign with, where the capabilities take signatures.
///
/// # Errors
/// If no requester could negotiate anything.
fn check_signers(config: &Config) -> Result<(), Error> {
    const SIGNS: Caps = Caps(Caps::CHAL.0 | Caps::MEAS_SIG.0 | Caps::KEY_EX.0);
    if !config.limits.flags.intersects(SIGNS) || !signers(&config.algorithms).is_empty() {
        return Ok(());
    }
    let what = "nothing is left to sign with, and requesters could check nothing";
    let advice =
        "--pqc_asym takes SPDM 1.4 (--ver); --cap without CHAL, MEAS_SIG and KEY_EX takes no signatures";
    Err(Error::usage(what).at_place("--asym").advise(advice))
}

/// What every connection needs.
struct Server<'a> {
    args: &'a Args,
    config: Config,
    units: Units,
    /// The public key of requesters that have no chain.
    peer_key: Option<PublicKey>,
    judge: Arc<dyn Judge + Sync>,
    capture: Option<Capture>,
    /// What every connection begins with.
    state: Option<State<'a>>,
}

impl Server<'_> {
    fn serve_one_by_one(&self, door: &Door, out: &Output) -> Result<(), Error> {
        loop {
            let (socket, peer) = door.next(|what| out.warn(what))?;
            match (self.visited(socket, peer, None, out), self.args.once) {
                (Ok(false), false) => {}
                (Ok(true), false) => {
                    out.warn(format_args!("{peer} asked to end; {GO_ON}"));
                    return Ok(());
                }
                (visited, true) => return visited.map(|_| ()),
                (Err(error), false) => out.warn(error),
            }
        }
    }

    fn serve_many(&self, door: &Door, out: &Output) -> Result<(), Error> {
        let serve = |(socket, peer), ends: &AtomicBool| {
            if let Err(error) = self.visited(socket, peer, Some(ends), out) {
                out.warn(error);
            }
        };
        share(self.args.jobs, || door.next(|what| out.warn(what)), serve, |fewer| out.warn(fewer))
    }

    /// Serves the requester that came in, as long as `ends` is not set; whether it said that nobody will come again.
    ///
    /// # Errors
    /// If the connection failed.
    fn visited(
        &self,
        socket: TcpStream,
        peer: SocketAddr,
        ends: Option<&AtomicBool>,
        out: &Output,
    ) -> Result<bool, Error> {
        let failed = |error| Error::from(StreamError::from(error));
        let here = socket.local_addr().map_err(failed).and_then(|here| self.units.at(here.ip()));
        let served = here.and_then(|unit| {
            let connection = self.args.options.accepted(socket).map_err(failed)?;
            self.serve(connection, &unit, &peer, ends, out)
        });
        served.map_err(|error| error.or_at_place(peer))
    }

    /// Connects to a requester that waits for a responder, and serves it.
    fn inquire(&mut self, address: &str, out: &Output) -> Result<(), Error> {
        let options = &self.args.options;
        let failed = |error: io::Error| unreachable(&error, REQUESTER_LISTENS).at_place(address);
        let socket = dial(address, options.patience()).map_err(failed)?;
        let unit = self.units.at(socket.local_addr().map_err(failed)?.ip())?;
        let mut connection = options.connection(socket, None).map_err(failed)?;
        connection.inquire_role().map_err(|error| Error::from(error).at_place(address))?;
        self.record()?;
        self.serve(connection, &unit, &address, None, out)
            .map(|_| ())
            .map_err(|error| error.or_at_place(address))
    }

    /// Begins the capture and the key log.
    fn record(&mut self) -> Result<(), Error> {
        self.capture = self.args.options.capture()?;
        self.config.key_log = self.args.options.key_log()?;
        Ok(())
    }

    /// `peer`: for messages.
    fn serve(
        &self,
        connection: Connection<Timed>,
        unit: &Unit,
        peer: &dyn Display,
        ends: Option<&AtomicBool>,
        out: &Output,
    ) -> Result<bool, Error> {
        let events = Events::default();
        let faults = self.args.faults();
        let device = Provisioned::new(unit.keys.clone(), events.clone());
        let device = device.with_mode(self.args.mode()).with_faults(faults.clone());
        let mut seen = unit.identity().clone();
        let responder = Responder::new(self.config.clone(), Identity::clone(&seen), Box::new(device));
        let mut responder = responder.with_judge(Box::new(self.judge.clone()));
        if let Some(key) = &self.peer_key {
            responder.provision(key.clone());
        }
        if let Some(before) = &self.state {
            before.restore(&mut responder)?;
        }
        let mut keeper = self.args.emulation.kept.keeper(self.state.as_ref());
        let mut connection = tapped(connection, self.capture.as_ref());
        let mut refusals = Refusals::new(peer, out);
        let answer = |request: &Packet, answer| faults.answer(request, answer);
        serve(&mut connection, &mut responder, ends, answer, |responder, packets| {
            refusals.see(responder, packets);
            if responder.device_mut().is_some_and(Provisioned::take_changed) {
                let now = Arc::new(responder.identity().clone());
                Arc::make_mut(&mut unit.identity()).follow(&seen, &now);
                seen = now;
                events.told.tell(responder);
            }
            events.heard.see(responder, peer, out);
            keeper.see(responder, packets)
        })
    }
}

/// What a responder that was told to end might have had instead.
const GO_ON: &str = "a requester's --exe_mode CONTINUE, or --jobs 2 here, goes on";
