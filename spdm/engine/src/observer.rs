//! The transcripts of an observed connection, for third parties such as the reader of a capture.
//!
//! [`Observer`] appends whole requests and responses, as both sides do, and returns the hash that a signature in a response
//! covers. It decodes no message and has no keys. The caller matches requests and responses.

use crate::encapsulated_responder;
use crate::hash::{Digest, Hash};
use crate::messages;
use crate::session::SessionId;
use crate::transcript::{Feeds, MeasurementTranscript, Prover, Th, Transcript};
use alloc::collections::BTreeMap;
use grille_spdm_codec::Code;
use grille_spdm_codec::error::ErrorCode;

/// The transcripts of one connection: VCA, M1/M2 of both sides, and L1/L2 outside sessions and in each session.
#[derive(Default)]
pub struct Observer {
    transcript: Transcript,
    authenticated: bool,
    sessions: BTreeMap<SessionId, MeasurementTranscript>,
}

/// A request with its response.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'m> {
    /// The session; `None` outside sessions.
    pub session: Option<SessionId>,
    /// The whole request.
    pub request: &'m [u8],
    /// The response; without its signature where a signature is verified.
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
    /// Appends a pair to VCA. GET_VERSION starts a new connection. `algorithms`: the hash and version selected by ALGORITHMS,
    /// which starts the other transcripts; `None` with every other pair.
    pub fn negotiated(&mut self, pair: Pair<'_>, algorithms: Option<(&'static Hash, u8)>) {
        if pair.code() == Code::GET_VERSION {
            *self = Self::default();
        }
        pair.parts().iter().for_each(|message| self.transcript.push_vca(message));
        if let Some((hash, version)) = algorithms {
            self.transcript.begin(hash, version);
        }
    }

    /// Returns the hash that the signature of CHALLENGE_AUTH, MEASUREMENTS or ENDPOINT_INFO covers; `None` before ALGORITHMS.
    #[must_use]
    pub fn signed(&self, pair: Pair<'_>) -> Option<Digest> {
        let measured = pair.session.and_then(|id| self.sessions.get(&id));
        match messages::feeds(pair.code()) {
            Feeds::C => self.transcript.m(Prover::Responder, &pair.parts()),
            // a session without measurements has no L1/L2 yet; it starts empty
            Feeds::L if pair.session.is_some() && measured.is_none() => {
                self.transcript.l(Some(&MeasurementTranscript::default()), &pair.parts())
            }
            Feeds::L => self.transcript.l(measured, &pair.parts()),
            _ => self.transcript.il(&pair.parts()),
        }
    }

    /// Appends an answered request and its whole response. `signed`: the response ends with a signature. `multi_key`: the
    /// responder uses a multi-key connection, so its DIGESTS is part of TH.
    pub fn answered(&mut self, pair: Pair<'_>, signed: bool, multi_key: bool) {
        let (code, outside) = (pair.code(), pair.session.is_none());
        let measured = pair.session.map(|id| self.sessions.entry(id).or_default());
        messages::update_after_response(code, self.authenticated, &mut self.transcript, measured);
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

    /// Updates transcripts after a request was answered with ERROR.
    pub fn refused(&mut self, session: Option<SessionId>, request: Code, error: ErrorCode) {
        let measured = session.map(|id| self.sessions.entry(id).or_default());
        messages::update_after_error(request, error, self.authenticated, &mut self.transcript, measured);
    }

    /// Returns the hash that the signature of an encapsulated response covers; `None` before ALGORITHMS.
    #[must_use]
    pub fn encapsulated_signed(&self, pair: Pair<'_>) -> Option<Digest> {
        encapsulated_responder::signed_content(&self.transcript, pair.code(), &pair.parts())
    }

    /// Appends an encapsulated request and the requester's whole response. In sessions neither is part of M1/M2.
    pub fn encapsulated(&mut self, pair: Pair<'_>) {
        match messages::feeds(pair.code()) {
            Feeds::B if pair.session.is_none() => {
                encapsulated_responder::append_to_b(&mut self.transcript, pair.parts());
            }
            Feeds::C => self.transcript.reset_b(Prover::Requester),
            _ => {}
        }
    }

    /// Returns TH of a new session, up to KEY_EXCHANGE or PSK_EXCHANGE; `None` before ALGORITHMS. `chain`: the hash of the
    /// responder's certificate chain or public key; `None` for PSK. `multi_key`: as in [`Observer::answered`].
    #[must_use]
    pub fn th(&self, chain: Option<&Digest>, multi_key: bool) -> Option<Th> {
        let digests = (multi_key && chain.is_some()).then(|| self.transcript.digests());
        Some(Th::new(self.transcript.vca()?, digests, chain))
    }

    /// Removes the L1/L2 of an ended session, because its ID may be reused.
    pub fn ended(&mut self, session: SessionId) {
        self.sessions.remove(&session);
    }
}
