//! What two sides negotiated, kept for another connection: --save_state and --load_state of DMTF's emulators.
//!
//! A file has the packets from GET_VERSION to ALGORITHMS. All that a side knows of the other follows from them: they are
//! played to it once more, and it has to say what it said then. A file without packets is a state that nobody may keep.

use super::inputs::Input;
use super::link::{Fault, Link};
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

/// The options about it.
#[derive(Clone, clap::Args)]
pub(super) struct Kept {
    /// Keep what is negotiated in this file, if the responder lets it be kept: it has CACHE then, unless --cap leaves it out.
    #[arg(long = "save_state", value_name = "FILE")]
    save_state: Option<PathBuf>,
    /// Begin with what --save_state kept, on both sides, in place of negotiating. Its other options must be given again.
    #[arg(long = "load_state", value_name = "FILE")]
    load_state: Option<PathBuf>,
}

/// A request and its response.
type Pair = [Vec<u8>; 2];

impl Kept {
    /// Whether the responder is to keep the state after the session: DMTF's requester asks so if it keeps it itself.
    pub(super) const fn is_kept(&self) -> bool {
        self.save_state.is_some()
    }

    /// Whether this side begins with what was kept.
    pub(super) const fn is_loaded(&self) -> bool {
        self.load_state.is_some()
    }

    /// The file of --save_state.
    pub(super) fn output(&self) -> Option<&Path> {
        self.save_state.as_deref()
    }

    /// What a responder needs for its state to be kept.
    pub(super) const fn needs(&self) -> Caps {
        if self.save_state.is_some() || self.load_state.is_some() { Caps::CACHE } else { Caps::NONE }
    }

    /// That a responder with these capabilities lets its state be kept, where it is to be.
    ///
    /// # Errors
    /// If it does not.
    pub(super) fn check(&self, flags: Caps) -> Result<(), Error> {
        if self.is_kept() && !flags.contains(Caps::CACHE) { Err(kept_by_nobody()) } else { Ok(()) }
    }

    /// What --load_state names.
    ///
    /// # Errors
    /// If the file cannot be read, or keeps nothing.
    pub(super) fn load(&self) -> Result<Option<State<'_>>, Error> {
        self.load_state.as_deref().map(|path| Ok(State { path, pairs: read(path)? })).transpose()
    }

    /// Negotiates over the link, or as it was negotiated in `before`.
    ///
    /// # Errors
    /// If the responder does not please the requester, or lets no state be kept that is to be, or the file of --save_state
    /// cannot be written.
    pub(super) fn connect(
        &self,
        before: Option<&State<'_>>,
        requester: &mut Requester,
        link: &mut Link,
    ) -> Result<(), Error> {
        let mut recorder = Recorder { link, pairs: Vec::new() };
        let pairs = if let Some(State { path, pairs }) = before {
            let mut player = Player { path, pairs: pairs.iter() };
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

    /// Who keeps the state of a responder that begins with `before`.
    pub(super) fn keeper(&self, before: Option<&State<'_>>) -> Keeper<'_> {
        let pairs = before.map_or_else(Vec::new, |state| state.pairs.clone());
        Keeper { path: self.save_state.as_deref(), pairs, written: before.map(|_| false) }
    }
}

/// What was kept, and where.
pub(super) struct State<'p> {
    path: &'p Path,
    pairs: Vec<Pair>,
}

impl State<'_> {
    /// Brings a responder to where it was.
    ///
    /// # Errors
    /// If it would say something else.
    pub(super) fn restore(&self, responder: &mut Responder) -> Result<(), Error> {
        for [request, response] in &self.pairs {
            if responder.receive(&Packet::Message(request.clone())) != Packet::Message(response.clone()) {
                return Err(other_options().at(self.path));
            }
        }
        Ok(())
    }
}

fn kept_by_nobody() -> Error {
    let what = "the responder lets no state be kept, and the file is not written";
    Error::failure(what).at_place("--save_state").advise("the responder needs --cap with CACHE")
}

fn other_options() -> Error {
    Error::failure("the state was negotiated with other options, or by the other side")
        .advise("give the options that were given with --save_state")
}

/// Writes down what a responder negotiates, and empties the file when a requester says that it is over.
pub(super) struct Keeper<'p> {
    path: Option<&'p Path>,
    pairs: Vec<Pair>,
    /// Whether `pairs` are whole, and if so, whether they are in the file.
    written: Option<bool>,
}

impl Keeper<'_> {
    /// Sees a request, and the response of a responder that is as it is after it.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn see(&mut self, responder: &Responder, packets: [&Packet; 2]) -> Result<(), Error> {
        let Some(path) = self.path else { return Ok(()) };
        if let [Packet::Message(request), Packet::Message(response)] = packets {
            if request.get(1) == Some(&Code::GET_VERSION.0) {
                (self.pairs, self.written) = (Vec::new(), None);
            }
            // what was refused negotiates nothing, however often it is tried
            if self.written.is_none() && response.get(1) != Some(&Code::ERROR.0) {
                self.pairs.push([request.clone(), response.clone()]);
            }
        }
        let (negotiated, keeps) =
            (responder.connection().phase() == Phase::Negotiated, responder.keeps_state());
        if negotiated && self.written != Some(keeps) {
            write(path, if keeps { &self.pairs } else { &[] })?;
            self.written = Some(keeps);
        }
        Ok(())
    }
}

/// Says what a responder said before, to whoever asks the same.
struct Player<'s> {
    path: &'s Path,
    pairs: core::slice::Iter<'s, Pair>,
}

impl Carrier for Player<'_> {
    type Error = Fault;

    fn exchange(&mut self, packet: Packet) -> Result<Packet, Fault> {
        match (self.pairs.next(), packet) {
            (Some([asked, response]), Packet::Message(request)) if *asked == request => {
                Ok(Packet::Message(response.clone()))
            }
            _ => Err(other_options().at(self.path).into()),
        }
    }
}

/// A link that writes down what goes over it.
struct Recorder<'l> {
    link: &'l mut Link,
    pairs: Vec<Pair>,
}

impl Carrier for Recorder<'_> {
    type Error = Fault;

    fn exchange(&mut self, packet: Packet) -> Result<Packet, Fault> {
        let answer = self.link.exchange(packet.clone())?;
        if let (Packet::Message(request), Packet::Message(response)) = (packet, &answer) {
            self.pairs.push([request, response.clone()]);
        }
        Ok(answer)
    }
}

/// The file: each packet in hexadecimal.
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

/// The messages that were kept, requests and responses.
///
/// # Errors
/// If the file cannot be read, or keeps nothing.
pub(super) fn messages(path: &Path) -> Result<Vec<Vec<u8>>, Error> {
    Ok(read(path)?.into_iter().flatten().collect())
}

fn read(path: &Path) -> Result<Vec<Pair>, Error> {
    let broken = |why: &dyn Display| {
        let what = format_args!("is no state of negotiation: {why}");
        Error::failure(what).at(path).advise("--save_state writes one")
    };
    let document: Document =
        serde_json::from_slice(&Input::State.read(path)?).map_err(|error| broken(&error))?;
    let pair = |[request, response]: &[String; 2]| Some([hex::decode(request)?, hex::decode(response)?]);
    let pairs: Option<Vec<Pair>> = document.packets.iter().map(pair).collect();
    let pairs = pairs.ok_or_else(|| broken(&"a packet is not hexadecimal"))?;
    if pairs.is_empty() {
        let nothing = "is empty: the responder keeps no state, or a requester ended it";
        return Err(Error::failure(nothing).at(path).advise("the responder needs --cap with CACHE"));
    }
    Ok(pairs)
}
