//! Transcripts, DSP0274: what is signed and what is authenticated.
//!
//! | transcript | content, in order | closed by |
//! |---|---|---|
//! | VCA | GET_VERSION, VERSION, GET_CAPABILITIES, CAPABILITIES, NEGOTIATE_ALGORITHMS, ALGORITHMS | |
//! | M1/M2 | VCA, B: all of DIGESTS and CERTIFICATE since the last GET_DIGESTS, C: CHALLENGE, CHALLENGE_AUTH | CHALLENGE_AUTH's signature |
//! | L1/L2 | VCA (since 1.2), all GET_MEASUREMENTS, MEASUREMENTS since the last signed one | MEASUREMENTS' signature |
//! | TH | VCA, DIGESTS (multi-key connections), Hash(responder's chain), KEY_EXCHANGE, KEY_EXCHANGE_RSP without signature | KEY_EXCHANGE_RSP's signature |
//! | TH1 | TH, that signature | handshake keys, the responder's VerifyData |
//! | | TH1, VerifyData, requester's DIGESTS (multi-key, if told in this handshake), Hash(requester's chain), FINISH without signature | FINISH's signature (mutual authentication) |
//! | | the same, that signature | the requester's VerifyData |
//! | TH2 | the same, that VerifyData, FINISH_RSP | application keys |
//! | IL1/IL2 | VCA, GET_ENDPOINT_INFO, ENDPOINT_INFO | ENDPOINT_INFO's signature |
//! | TH of PSK | VCA, PSK_EXCHANGE, PSK_EXCHANGE_RSP, PSK_FINISH, PSK_FINISH_RSP | the same keys and VerifyData |
//!
//! Only VCA is kept, until the hash is known; the rest is hashed as it comes, but for short messages of B, which wait for
//! the next. A message that came in chunks goes in whole.

use crate::hash::{Digest, Hash, Running};
use alloc::vec::Vec;

/// Which transcript a request and its response go into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feeds {
    /// VCA.
    Vca,
    /// B of M1/M2.
    B,
    /// C of M1/M2, which closes it.
    C,
    /// L1/L2.
    L,
    /// IL1/IL2, which is VCA and this pair alone.
    Il,
    /// TH of a session, fed by those who open and finish it.
    Th,
    /// None, and it ends B if nothing was authenticated.
    Other,
    /// None.
    Nothing,
}

/// Whose certificates and whose challenge: the responder's, or the requester's in encapsulated requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prover {
    /// M1/M2.
    Responder,
    /// The same for mutual authentication: before 1.2 without VCA.
    Requester,
}

/// What a connection remembers of its messages outside sessions.
#[derive(Default)]
pub struct Transcript {
    vca: Vec<u8>,
    begun: Option<Begun>,
    b: [B; 2],
}

/// After ALGORITHMS.
struct Begun {
    hash: &'static Hash,
    since_1_2: bool,
    vca: Running,
    l: Measured,
    /// The responder's last DIGESTS outside sessions.
    digests: Vec<u8>,
}

/// B of M1/M2.
#[derive(Default)]
struct B {
    /// `None`: nothing yet but VCA.
    hashed: Option<Running>,
    /// What is hashed together with what comes next, at most [`B::WORTH_HASHING`] bytes.
    waiting: Vec<u8>,
}

impl B {
    /// A pair of GET_DIGESTS and DIGESTS is shorter, and costs less to copy than a hash costs to begin.
    const WORTH_HASHING: usize = 512;

    /// `before`: what B follows.
    fn push(&mut self, messages: &[&[u8]], before: impl FnOnce() -> Running) {
        let len = messages.iter().map(|message| message.len()).sum::<usize>();
        if self.waiting.len() + len <= Self::WORTH_HASHING {
            self.waiting.reserve(len);
            messages.iter().for_each(|message| self.waiting.extend_from_slice(message));
            return;
        }
        let hashed = self.hashed.get_or_insert_with(before);
        hashed.update(&self.waiting);
        self.waiting.clear();
        messages.iter().for_each(|message| hashed.update(message));
    }

    /// The memory stays for the next.
    fn clear(&mut self) {
        self.hashed = None;
        self.waiting.clear();
    }

    /// M1/M2 up to here.
    fn all(&self, before: impl FnOnce() -> Running) -> Running {
        let mut all = self.hashed.clone().unwrap_or_else(before);
        all.update(&self.waiting);
        all
    }
}

impl Begun {
    /// VCA; before 1.2 nothing.
    fn start(&self) -> Running {
        if self.since_1_2 { self.vca.clone() } else { self.hash.start() }
    }

    /// What B follows.
    fn before_b(&self, prover: Prover) -> Running {
        match prover {
            Prover::Responder => self.vca.clone(),
            Prover::Requester => self.start(),
        }
    }
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
        let since_1_2 = version >= 0x12;
        self.b.iter_mut().for_each(B::clear);
        self.begun = Some(Begun { hash, since_1_2, vca, l: Measured::default(), digests: Vec::new() });
    }

    /// Appends messages to B.
    pub fn push_b(&mut self, prover: Prover, messages: &[&[u8]]) {
        if let Some(begun) = &self.begun {
            self.b[prover as usize].push(messages, || begun.before_b(prover));
        }
    }

    /// Forgets B.
    pub fn reset_b(&mut self, prover: Prover) {
        self.b[prover as usize].clear();
    }

    /// The responder's DIGESTS of a multi-key connection.
    pub fn push_digests(&mut self, digests: &[u8]) {
        if let Some(begun) = &mut self.begun {
            begun.digests = digests.to_vec();
        }
    }

    /// The last of these; empty if there was none.
    #[must_use]
    pub fn digests(&self) -> &[u8] {
        self.begun.as_ref().map_or(&[], |begun| &begun.digests)
    }

    /// M1/M2 with this C; `None` before ALGORITHMS.
    #[must_use]
    pub fn m(&self, prover: Prover, c: &[&[u8]]) -> Option<Digest> {
        let begun = self.begun.as_ref()?;
        let mut m = self.b[prover as usize].all(|| begun.before_b(prover));
        c.iter().for_each(|part| m.update(part));
        Some(m.finish())
    }

    /// VCA hashed, the beginning of TH and of what sessions measure; `None` before ALGORITHMS.
    #[must_use]
    pub fn vca(&self) -> Option<Running> {
        Some(self.begun.as_ref()?.vca.clone())
    }

    /// IL1/IL2 of these messages; `None` before ALGORITHMS.
    #[must_use]
    pub fn il(&self, messages: &[&[u8]]) -> Option<Digest> {
        let mut il = self.vca()?;
        messages.iter().for_each(|message| il.update(message));
        Some(il.finish())
    }

    /// Appends messages to L1/L2; `measured` is a session's own, `None` means outside sessions.
    pub fn push_l(&mut self, measured: Option<&mut Measured>, messages: &[&[u8]]) {
        let Some(begun) = &mut self.begun else { return };
        let start = begun.start();
        let l = measured.unwrap_or(&mut begun.l).l.get_or_insert(start);
        messages.iter().for_each(|message| l.update(message));
    }

    /// L1/L2 with these messages at its end; `None` before ALGORITHMS.
    #[must_use]
    pub fn l(&self, measured: Option<&Measured>, messages: &[&[u8]]) -> Option<Digest> {
        let begun = self.begun.as_ref()?;
        let mut l = measured.unwrap_or(&begun.l).l.clone().unwrap_or_else(|| begun.start());
        messages.iter().for_each(|message| l.update(message));
        Some(l.finish())
    }

    /// The blocks in L1/L2; `measured` as in [`Transcript::push_l`]. `None` before ALGORITHMS.
    pub(crate) fn log<'a>(&'a self, measured: Option<&'a Measured>) -> Option<&'a MeasurementLog> {
        measured.or(self.begun.as_ref().map(|begun| &begun.l)).map(|measured| &measured.log)
    }

    /// These are the blocks in L1/L2; `measured` as in [`Transcript::push_l`].
    pub(crate) fn set_log(&mut self, measured: Option<&mut Measured>, log: MeasurementLog) {
        if let Some(measured) = measured.or(self.begun.as_mut().map(|begun| &mut begun.l)) {
            measured.log = log;
        }
    }

    /// Forgets L1/L2; `measured` as in [`Transcript::push_l`].
    pub fn reset_l(&mut self, measured: Option<&mut Measured>) {
        match (measured, &mut self.begun) {
            (Some(measured), _) => *measured = Measured::default(),
            (None, Some(begun)) => begun.l = Measured::default(),
            (None, None) => {}
        }
    }
}

/// L1/L2 of one session, or of what is outside.
#[derive(Default)]
pub struct Measured {
    l: Option<Running>,
    log: MeasurementLog,
}

/// The blocks in a responder's L1/L2, and whether one of them is told otherwise than before.
#[derive(Clone, Default)]
pub(crate) struct MeasurementLog {
    told: Vec<Told>,
    pub(crate) changed: bool,
}

/// A block.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Told {
    /// Whether it was asked for as one that the next reset brings.
    pub(crate) pending: bool,
    /// Index.
    pub(crate) index: u8,
    /// Of all that is known of it.
    pub(crate) digest: Digest,
}

impl MeasurementLog {
    /// Whether there are blocks of this kind.
    pub(crate) fn has(&self, pending: bool) -> bool {
        self.told.iter().any(|told| told.pending == pending)
    }

    /// A block is told.
    pub(crate) fn tell(&mut self, block: Told) {
        match self.told.iter().find(|told| (told.pending, told.index) == (block.pending, block.index)) {
            Some(told) => self.changed |= *told != block,
            None => self.told.push(block),
        }
    }

    /// All blocks of this kind that there are: those that were told have to be among them.
    pub(crate) fn compare(&mut self, pending: bool, all: &[Told]) {
        let mut told = self.told.iter().filter(|told| told.pending == pending);
        self.changed |= !told.all(|told| all.contains(told));
    }
}

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
