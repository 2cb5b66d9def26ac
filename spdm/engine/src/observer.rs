//! The transcripts of a connection that a third party watches, such as the reader of a capture.
//!
//! [`Observer`] appends whole pairs of requests and responses, as both sides of the connection do, and returns the hash that a signature
//! in a response covers. It decodes no message and holds no keys: the caller says which request a response answers.

use crate::encapsulated;
use crate::hash::{Digest, Hash};
use crate::messages;
use crate::session::SessionId;
use crate::transcript::{Feeds, Measured, Prover, Th, Transcript};
use alloc::collections::BTreeMap;
use grille_spdm_codec::Code;
use grille_spdm_codec::error::ErrorCode;

/// The transcripts of one connection: VCA, M1/M2 of both sides, L1/L2 outside sessions and in each of them.
#[derive(Default)]
pub struct Observer {
    transcript: Transcript,
    authenticated: bool,
    sessions: BTreeMap<SessionId, Measured>,
}

/// Where a pair of messages was exchanged, and which one it is.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'m> {
    /// The session; `None` outside sessions.
    pub session: Option<SessionId>,
    /// The whole request.
    pub request: &'m [u8],
    /// The response, without its signature where a signature is checked.
    pub response: &'m [u8],
}

impl Pair<'_> {
    fn code(&self) -> Code {
        messages::code_of(self.request)
    }

    fn parts(&self) -> [&[u8]; 2] {
        [self.request, self.response]
    }
}

impl Observer {
    /// Appends a pair of VCA. GET_VERSION begins a new connection. `hash` and `version`: what ALGORITHMS negotiated, after which the
    /// other transcripts begin; `None` with every other pair.
    pub fn negotiated(&mut self, pair: Pair<'_>, algorithms: Option<(&'static Hash, u8)>) {
        if pair.code() == Code::GET_VERSION {
            *self = Self::default();
        }
        pair.parts().iter().for_each(|message| self.transcript.push_vca(message));
        if let Some((hash, version)) = algorithms {
            self.transcript.begin(hash, version);
        }
    }

    /// Returns the hash that the signature at the end of CHALLENGE_AUTH, MEASUREMENTS or ENDPOINT_INFO covers; `None` before ALGORITHMS.
    #[must_use]
    pub fn signed(&self, pair: Pair<'_>) -> Option<Digest> {
        let measured = pair.session.and_then(|id| self.sessions.get(&id));
        match messages::feeds(pair.code()) {
            Feeds::C => self.transcript.m(Prover::Responder, &pair.parts()),
            // an empty L1/L2 of a session is none of its own yet
            Feeds::L if pair.session.is_some() && measured.is_none() => {
                self.transcript.l(Some(&Measured::default()), &pair.parts())
            }
            Feeds::L => self.transcript.l(measured, &pair.parts()),
            _ => self.transcript.il(&pair.parts()),
        }
    }

    /// Appends an answered request and its whole response. `signed`: the response ends with a signature. `multi_key`: the responder
    /// has several keys, and its DIGESTS goes into TH.
    pub fn answered(&mut self, pair: Pair<'_>, signed: bool, multi_key: bool) {
        let (code, outside) = (pair.code(), pair.session.is_none());
        let measured = pair.session.map(|id| self.sessions.entry(id).or_default());
        messages::forget(code, self.authenticated, &mut self.transcript, measured);
        let measured = pair.session.and_then(|id| self.sessions.get_mut(&id));
        match messages::feeds(code) {
            Feeds::B if outside => {
                self.transcript.push_b(Prover::Responder, &pair.parts());
                if code == Code::GET_DIGESTS && multi_key {
                    self.transcript.push_digests(pair.response);
                }
            }
            Feeds::C => {
                self.transcript.reset_b(Prover::Responder);
                self.authenticated = true;
            }
            Feeds::L if signed => self.transcript.reset_l(measured),
            Feeds::L => self.transcript.push_l(measured, &pair.parts()),
            _ => {}
        }
    }

    /// Ends what a request ends that was answered with ERROR.
    pub fn refused(&mut self, session: Option<SessionId>, request: Code, error: ErrorCode) {
        let measured = session.map(|id| self.sessions.entry(id).or_default());
        messages::refused(request, error, self.authenticated, &mut self.transcript, measured);
    }

    /// Returns the hash that the signature in the requester's response to an encapsulated request covers; `None` before ALGORITHMS.
    #[must_use]
    pub fn encapsulated_signed(&self, pair: Pair<'_>) -> Option<Digest> {
        encapsulated::signed_content(&self.transcript, pair.code(), &pair.parts())
    }

    /// Appends an encapsulated request and the requester's whole response; in sessions neither is part of M1/M2.
    pub fn encapsulated(&mut self, pair: Pair<'_>) {
        match messages::feeds(pair.code()) {
            Feeds::B if pair.session.is_none() => {
                encapsulated::show_outside(&mut self.transcript, pair.parts());
            }
            Feeds::C => self.transcript.reset_b(Prover::Requester),
            _ => {}
        }
    }

    /// Returns TH of a new session, up to KEY_EXCHANGE or PSK_EXCHANGE; `None` before ALGORITHMS. `chain`: the hash of the responder's
    /// certificate chain or public key, which PSK has not; `multi_key` as in [`Observer::answered`].
    #[must_use]
    pub fn th(&self, chain: Option<&Digest>, multi_key: bool) -> Option<Th> {
        let digests = (multi_key && chain.is_some()).then(|| self.transcript.digests());
        Some(Th::new(self.transcript.vca()?, digests, chain))
    }

    /// Forgets what a session measured: its number may be given out again.
    pub fn ended(&mut self, session: SessionId) {
        self.sessions.remove(&session);
    }
}
