//! The transcripts of an observed connection, for third parties such as the reader of a capture.
//!
//! [`Observer`] appends whole requests and responses, as both sides do, and returns the hash that a signature in a response
//! covers. It decodes no message and has no keys. The caller matches requests and responses.

use crate::hash::{Digest, Hash};
use crate::messages;
use crate::rules::Rules;
use crate::session::SessionId;
use crate::transcript::{MeasurementTranscript, Th, Transcript};
use alloc::collections::BTreeMap;
use grille_spdm_codec::Code;
use grille_spdm_codec::error::ErrorCode;

/// The transcripts of one connection: VCA, M1/M2 of both sides, and L1/L2 outside sessions and in each session.
#[derive(Default)]
pub struct Observer {
    transcript: Transcript,
    sessions: BTreeMap<SessionId, MeasurementTranscript>,
}

/// A request with its response.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'m> {
    /// The session; `None` outside sessions.
    pub session: Option<SessionId>,
    /// The whole request.
    pub request: &'m [u8],
    /// The whole response. [`Observer::signed`] and [`Observer::encapsulated_signed`] take it without its signature.
    pub response: &'m [u8],
}

impl Pair<'_> {
    fn code(&self) -> Code {
        messages::message_code(self.request)
    }

    fn parts(&self) -> [&[u8]; 2] {
        [self.request, self.response]
    }
}

impl Observer {
    /// Appends a pair to VCA. GET_VERSION starts a new connection. `algorithms`: with ALGORITHMS, the selected hash and
    /// the rules of the negotiated version, which start the other transcripts; `None` with other pairs.
    pub fn negotiated(&mut self, pair: Pair<'_>, algorithms: Option<(&'static Hash, &'static Rules)>) {
        if pair.code() == Code::GET_VERSION {
            *self = Self::default();
        }
        self.transcript.append(None, pair.parts(), false, false);
        if let Some((hash, rules)) = algorithms {
            self.transcript.begin(hash, rules);
        }
    }

    /// Returns the hash that the signature of CHALLENGE_AUTH, MEASUREMENTS or ENDPOINT_INFO covers; `None` before ALGORITHMS.
    #[must_use]
    pub fn signed(&self, pair: Pair<'_>) -> Option<Digest> {
        let none = MeasurementTranscript::default();
        // a session without measurements has no L1/L2 yet; it starts empty
        let measured = pair.session.map(|id| self.sessions.get(&id).unwrap_or(&none));
        self.transcript.signed_content(measured, pair.parts()).map(|covered| covered.digest())
    }

    /// Appends an answered request and its whole response. `signed`: the response ends with a signature. `multi_key`: the
    /// responder uses a multi-key connection, so its DIGESTS is part of TH.
    pub fn answered(&mut self, pair: Pair<'_>, signed: bool, multi_key: bool) {
        let measured = pair.session.map(|id| self.sessions.entry(id).or_default());
        self.transcript.update_after_response(pair.code(), measured);
        let measured = pair.session.and_then(|id| self.sessions.get_mut(&id));
        self.transcript.append(measured, pair.parts(), signed, multi_key);
    }

    /// Updates transcripts after a request was answered with ERROR.
    pub fn refused(&mut self, session: Option<SessionId>, request: Code, error: ErrorCode) {
        let measured = session.map(|id| self.sessions.entry(id).or_default());
        self.transcript.update_after_error(request, error, measured);
    }

    /// Returns the hash that the signature of an encapsulated response covers; `None` before ALGORITHMS.
    #[must_use]
    pub fn encapsulated_signed(&self, pair: Pair<'_>) -> Option<Digest> {
        self.transcript.signed_by_requester(pair.parts()).map(|covered| covered.digest())
    }

    /// Appends an encapsulated request and the requester's whole response. In a session nothing is appended, because
    /// neither is part of M1/M2 there.
    pub fn encapsulated(&mut self, pair: Pair<'_>) {
        if pair.session.is_none() {
            self.transcript.append_encapsulated(pair.parts());
        }
    }

    /// Returns the part of TH before KEY_EXCHANGE or PSK_EXCHANGE of a new session; `None` before ALGORITHMS. `chain`:
    /// the hash of the responder's certificate chain or public key; `None` for PSK. `multi_key`: as in
    /// [`Observer::answered`].
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
