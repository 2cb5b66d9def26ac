//! Transcripts, DSP0274: what is signed and what is authenticated.
//!
//! | transcript | content, in order | closed by |
//! |---|---|---|
//! | VCA | GET_VERSION, VERSION, GET_CAPABILITIES, CAPABILITIES, NEGOTIATE_ALGORITHMS, ALGORITHMS | |
//! | M1/M2 | VCA, B: all of DIGESTS and CERTIFICATE since the last GET_DIGESTS, C: CHALLENGE, CHALLENGE_AUTH | CHALLENGE_AUTH's signature |
//! | L1/L2 | VCA (since 1.2), all GET_MEASUREMENTS, MEASUREMENTS since the last signed one | MEASUREMENTS' signature |
//! | TH | VCA, DIGESTS (multi-key connections), Hash(responder's chain), KEY_EXCHANGE, KEY_EXCHANGE_RSP without signature | KEY_EXCHANGE_RSP's signature |
//! | TH1 | TH, that signature | handshake keys, the responder's VerifyData |
//! | | TH1, VerifyData, requester's DIGESTS (multi-key), Hash(requester's chain), FINISH without signature | FINISH's signature (mutual authentication) |
//! | | the same, that signature | the requester's VerifyData |
//! | TH2 | the same, that VerifyData, FINISH_RSP | application keys |
//! | TH of PSK | VCA, PSK_EXCHANGE, PSK_EXCHANGE_RSP, PSK_FINISH, PSK_FINISH_RSP | the same keys and VerifyData |
//!
//! Only VCA is kept, until the hash is known; the rest is hashed as it comes. A message that came in chunks goes in whole.

use crate::hash::{Digest, Hash, Running};

/// What a connection remembers of its messages outside sessions.
#[derive(Default)]
pub struct Transcript {
    vca: Vec<u8>,
    begun: Option<Begun>,
}

/// After ALGORITHMS.
struct Begun {
    hash: &'static Hash,
    measurements_have_vca: bool,
    vca: Running,
    b: Option<Running>,
    l: Measured,
}

impl Transcript {
    /// Appends a message to VCA.
    pub fn push_vca(&mut self, message: &[u8]) {
        self.vca.extend_from_slice(message);
    }

    /// VCA is complete, and the hash known.
    pub fn begin(&mut self, hash: &'static Hash, version: u8) {
        let mut vca = hash.start();
        vca.update(&self.vca);
        let measurements_have_vca = version >= 0x12;
        self.begun = Some(Begun { hash, measurements_have_vca, vca, b: None, l: Measured::default() });
    }

    /// Appends a message to B.
    pub fn push_b(&mut self, message: &[u8]) {
        if let Some(begun) = &mut self.begun {
            begun.b.get_or_insert_with(|| begun.vca.clone()).update(message);
        }
    }

    /// Forgets B.
    pub fn reset_b(&mut self) {
        if let Some(begun) = &mut self.begun {
            begun.b = None;
        }
    }

    /// M1/M2 with C, and forgets B; `None` before ALGORITHMS.
    pub fn close_m(&mut self, challenge: &[u8], challenge_auth: &[u8]) -> Option<Digest> {
        let begun = self.begun.as_mut()?;
        let mut m = begun.b.take().unwrap_or_else(|| begun.vca.clone());
        m.update(challenge);
        m.update(challenge_auth);
        Some(m.digest())
    }

    /// VCA hashed, the beginning of TH and of what sessions measure; `None` before ALGORITHMS.
    #[must_use]
    pub fn vca(&self) -> Option<Running> {
        Some(self.begun.as_ref()?.vca.clone())
    }

    /// Appends messages to L1/L2; `measured` is a session's own, `None` means outside sessions.
    pub fn push_l(&mut self, measured: Option<&mut Measured>, messages: &[&[u8]]) {
        let Some(begun) = &mut self.begun else { return };
        let start = if begun.measurements_have_vca { begun.vca.clone() } else { begun.hash.start() };
        let l = measured.unwrap_or(&mut begun.l).0.get_or_insert(start);
        messages.iter().for_each(|message| l.update(message));
    }

    /// L1/L2, and forgets it; `None` if nothing was measured.
    pub fn close_l(&mut self, measured: Option<&mut Measured>) -> Option<Digest> {
        let l = measured.unwrap_or(&mut self.begun.as_mut()?.l);
        l.0.take().map(|running| running.digest())
    }

    /// Forgets L1/L2 outside sessions.
    pub fn reset_l(&mut self) {
        if let Some(begun) = &mut self.begun {
            begun.l = Measured::default();
        }
    }
}

/// L1/L2 of one session, or of what is outside.
#[derive(Default)]
pub struct Measured(Option<Running>);

/// TH of one session.
#[derive(Clone)]
pub struct Th(Running);

impl Th {
    /// `vca`: [`Transcript::vca`]. `digests`: DIGESTS of a multi-key connection. `chain`: the hash of the responder's
    /// certificate chain, or of its public key; PSK has neither.
    #[must_use]
    pub fn new(vca: Running, digests: Option<&[u8]>, chain: Option<&Digest>) -> Self {
        let mut th = Self(vca);
        digests.into_iter().for_each(|digests| th.push(digests));
        chain.into_iter().for_each(|chain| th.push(chain.as_ref()));
        th
    }

    /// Appends a message or a part of one.
    pub fn push(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The hash of all so far.
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.0.digest()
    }
}
