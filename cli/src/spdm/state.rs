//! Saved negotiation state: --save-state and --load-state of DMTF's emulators.
//!
//! A state file holds the packets from GET_VERSION to ALGORITHMS, from which a side derives all its information about
//! the other. Loading replays them, and requires the original responses. A file without packets is a state that must
//! not be reused.

use super::inputs::Input;
use super::link::{ExchangeError, Link};
use crate::error::Error;
use crate::files::{self, NewFile};
use crate::hex;
use grille_spdm_codec::Code;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_engine::config::Packet;
use grille_spdm_engine::connection::Phase;
use grille_spdm_engine::operations::Connect;
use grille_spdm_engine::requester::{Carrier, Requester};
use grille_spdm_engine::responder::Responder;
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// Options for the negotiation state.
#[derive(Clone, clap::Args)]
pub(super) struct StateFiles {
    /// Save the negotiated state to this file if the responder allows caching; a responder then offers CACHE unless
    /// --cap omits it.
    #[arg(long = "save-state", alias = "save_state", value_name = "FILE")]
    save_state: Option<PathBuf>,
    /// Start with the state in this file instead of negotiating; the other side must load its own state of that
    /// negotiation. Repeat the options that were used with --save-state.
    #[arg(long = "load-state", alias = "load_state", value_name = "FILE")]
    load_state: Option<PathBuf>,
}

/// A request and its response.
type Pair = [Vec<u8>; 2];

impl StateFiles {
    /// Returns whether --save-state is given. Like DMTF's requester, a requester with --save-state does not make
    /// the responder clear its negotiated state at the end of a session.
    pub(super) const fn saves_state(&self) -> bool {
        self.save_state.is_some()
    }

    /// Returns whether --load-state is given.
    pub(super) const fn loads_state(&self) -> bool {
        self.load_state.is_some()
    }

    /// Returns the file of --save-state.
    pub(super) fn output(&self) -> Option<&Path> {
        self.save_state.as_deref()
    }

    /// Returns the capabilities that a responder needs to save or load its state.
    pub(super) const fn required_capabilities(&self) -> Caps {
        if self.save_state.is_some() || self.load_state.is_some() { Caps::CACHE } else { Caps::NONE }
    }

    /// Checks that a responder with these capabilities allows caching if the state is to be saved.
    ///
    /// # Errors
    /// Returns an error if the state is to be saved and the responder does not allow caching.
    pub(super) fn check(&self, flags: Caps) -> Result<(), Error> {
        if self.saves_state() && !flags.contains(Caps::CACHE) { Err(caching_error()) } else { Ok(()) }
    }

    /// Reads the file of --load-state.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or holds no state.
    pub(super) fn load(&self) -> Result<Option<State<'_>>, Error> {
        self.load_state.as_deref().map(|path| Ok(State { path, pairs: read(path)? })).transpose()
    }

    /// Negotiates over the link, or replays the negotiation in `before`.
    ///
    /// # Errors
    /// Returns an error if the negotiation fails, the responder forbids caching although the state is to be saved, or
    /// the file of --save-state cannot be written.
    pub(super) fn connect(
        &self,
        before: Option<&State<'_>>,
        requester: &mut Requester,
        link: &mut Link,
    ) -> Result<(), Error> {
        let mut recorder = Recorder { link, pairs: Vec::new() };
        let pairs = if let Some(State { path, pairs }) = before {
            let mut player = Replayer { path, pairs: pairs.iter() };
            requester.run(Connect::new(), &mut player)?;
            pairs
        } else {
            requester.run(Connect::new(), &mut recorder)?;
            &recorder.pairs
        };
        let Some(path) = &self.save_state else { return Ok(()) };
        self.check(requester.connection().responder().flags)?;
        write(path, pairs)
    }

    /// Returns the recorder of a responder's state. `before`: the state that the responder loaded, if there is one.
    pub(super) fn recorder(&self, before: Option<&State<'_>>) -> StateRecorder<'_> {
        let pairs = before.map_or_else(Vec::new, |state| state.pairs.clone());
        StateRecorder { path: self.save_state.as_deref(), pairs, written: before.map(|_| false) }
    }
}

/// A loaded state, and its file.
pub(super) struct State<'p> {
    path: &'p Path,
    pairs: Vec<Pair>,
}

impl State<'_> {
    /// Replays the negotiation to a responder.
    ///
    /// # Errors
    /// Returns an error if the responder's responses differ from the recorded ones.
    pub(super) fn restore(&self, responder: &mut Responder) -> Result<(), Error> {
        for [request, response] in &self.pairs {
            if responder.receive(&Packet::Message(request.clone())) != Packet::Message(response.clone()) {
                return Err(other_options_error().at(self.path));
            }
        }
        Ok(())
    }
}

fn caching_error() -> Error {
    let problem = "cannot save the state: the responder forbids caching";
    Error::failure(problem).with_place("--save-state").advise("add CACHE to the responder's --cap")
}

fn other_options_error() -> Error {
    Error::failure("the state was saved with other options, or by the other side")
        .advise("repeat the options that were used with --save-state")
}

/// Records a responder's negotiation, and empties the file when the state must no longer be reused.
pub(super) struct StateRecorder<'p> {
    path: Option<&'p Path>,
    pairs: Vec<Pair>,
    /// Whether the file contains `pairs`; `None` while the negotiation in `pairs` is incomplete.
    written: Option<bool>,
}

impl StateRecorder<'_> {
    /// Processes a request and its response. `responder` has already answered the request.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub(super) fn record(&mut self, responder: &Responder, packets: [&Packet; 2]) -> Result<(), Error> {
        let Some(path) = self.path else { return Ok(()) };
        if let [Packet::Message(request), Packet::Message(response)] = packets {
            if request.get(1) == Some(&Code::GET_VERSION.0) {
                (self.pairs, self.written) = (Vec::new(), None);
            }
            // A refused request negotiates nothing, and may be repeated.
            if self.written.is_none() && response.get(1) != Some(&Code::ERROR.0) {
                self.pairs.push([request.clone(), response.clone()]);
            }
        }
        let (negotiated, keeps) =
            (responder.connection().phase() == Phase::Negotiated, responder.may_cache_state());
        if negotiated && self.written != Some(keeps) {
            write(path, if keeps { &self.pairs } else { &[] })?;
            self.written = Some(keeps);
        }
        Ok(())
    }
}

/// A carrier that replays recorded responses to identical requests.
struct Replayer<'s> {
    path: &'s Path,
    pairs: core::slice::Iter<'s, Pair>,
}

impl Carrier for Replayer<'_> {
    type Error = ExchangeError;

    fn exchange(&mut self, packet: Packet) -> Result<Packet, ExchangeError> {
        match (self.pairs.next(), packet) {
            (Some([recorded, response]), Packet::Message(request)) if *recorded == request => {
                Ok(Packet::Message(response.clone()))
            }
            _ => Err(other_options_error().at(self.path).into()),
        }
    }
}

/// A carrier that records all packets of a link.
struct Recorder<'l> {
    link: &'l mut Link,
    pairs: Vec<Pair>,
}

impl Carrier for Recorder<'_> {
    type Error = ExchangeError;

    fn exchange(&mut self, packet: Packet) -> Result<Packet, ExchangeError> {
        let answer = self.link.exchange(packet.clone())?;
        if let (Packet::Message(request), Packet::Message(response)) = (packet, &answer) {
            self.pairs.push([request, response.clone()]);
        }
        Ok(answer)
    }
}

/// The file format: each packet in hexadecimal.
#[derive(Serialize, Deserialize)]
struct Document {
    packets: Vec<[String; 2]>,
}

fn write(path: &Path, pairs: &[Pair]) -> Result<(), Error> {
    let text = |bytes: &Vec<u8>| hex::encode(bytes).to_string();
    let packets = pairs.iter().map(|pair| pair.each_ref().map(text)).collect();
    let document = serde_json::to_vec_pretty(&Document { packets })?;
    files::write(&[NewFile::public(path, &document)], true)
}

/// Reads the saved messages: requests and responses.
///
/// # Errors
/// Returns an error if the file cannot be read, or holds no state.
pub(super) fn messages(path: &Path) -> Result<Vec<Vec<u8>>, Error> {
    Ok(read(path)?.into_iter().flatten().collect())
}

fn read(path: &Path) -> Result<Vec<Pair>, Error> {
    let broken = |why: &dyn Display| {
        let problem = format_args!("not a negotiation state: {why}");
        Error::failure(problem).at(path).advise("write one with --save-state")
    };
    let document: Document =
        serde_json::from_slice(&Input::State.read(path)?).map_err(|error| broken(&error))?;
    let pair = |[request, response]: &[String; 2]| Some([hex::decode(request)?, hex::decode(response)?]);
    let pairs: Option<Vec<Pair>> = document.packets.iter().map(pair).collect();
    let pairs = pairs.ok_or_else(|| broken(&"a packet is not hexadecimal"))?;
    if pairs.is_empty() {
        let problem = "the state is empty: the responder keeps no state, or a requester cleared it";
        return Err(Error::failure(problem).at(path).advise("add CACHE to the responder's --cap"));
    }
    Ok(pairs)
}
