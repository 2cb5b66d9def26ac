//! Transcripts, DSP0274: the messages that signatures and MACs cover.
//!
//! | transcript | content, in order | closed by |
//! |---|---|---|
//! | VCA | GET_VERSION, VERSION, GET_CAPABILITIES, CAPABILITIES, NEGOTIATE_ALGORITHMS, ALGORITHMS | |
//! | M1/M2 | VCA, B: all of DIGESTS and CERTIFICATE since the last GET_DIGESTS, C: CHALLENGE, CHALLENGE_AUTH | CHALLENGE_AUTH's signature |
//! | L1/L2 | VCA (since 1.2), all GET_MEASUREMENTS, MEASUREMENTS since the last signed one | MEASUREMENTS' signature |
//! | TH | VCA, DIGESTS (multi-key connections), Hash(responder's chain), KEY_EXCHANGE, KEY_EXCHANGE_RSP without signature | KEY_EXCHANGE_RSP's signature |
//! | TH1 | TH, that signature | handshake keys, the responder's VerifyData |
//! | | TH1, VerifyData, requester's DIGESTS (multi-key, if sent in this handshake), Hash(requester's chain), FINISH without signature | FINISH's signature (mutual authentication) |
//! | | the line above, FINISH's signature | the requester's VerifyData |
//! | TH2 | the line above, the requester's VerifyData, FINISH_RSP | application keys |
//! | IL1/IL2 | VCA, GET_ENDPOINT_INFO, ENDPOINT_INFO | ENDPOINT_INFO's signature |
//! | TH of PSK | VCA, PSK_EXCHANGE, PSK_EXCHANGE_RSP, PSK_FINISH, PSK_FINISH_RSP | handshake keys, VerifyData and application keys, as for TH |
//!
//! Only VCA is stored, until the hash is negotiated. The other transcripts are hashed as messages arrive, except that short
//! messages of B are collected first. A chunked message is appended as a whole.

use crate::hash::{Digest, Hash};
use crate::rules::Rules;
pub use crate::transcript_record::{Covered, Record};
use alloc::vec::Vec;

/// The transcript that a request and its response are part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TranscriptPart {
    /// VCA.
    Vca,
    /// B of M1/M2.
    B,
    /// C of M1/M2, which closes M1/M2.
    C,
    /// L1/L2.
    L,
    /// IL1/IL2, which consists of VCA and this pair only.
    Il,
    /// TH of a session, which contains the messages that open and finish it.
    Th,
    /// No transcript. The request ends B, unless the responder has already authenticated itself with CHALLENGE_AUTH.
    Other,
    /// No transcript.
    Nothing,
}

/// The side whose certificates and challenge M1/M2 covers: the responder, or the requester with encapsulated requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prover {
    /// M1/M2.
    Responder,
    /// M1/M2 of mutual authentication, which before 1.2 has no VCA.
    Requester,
}

/// The transcripts of a connection outside sessions.
#[derive(Default)]
pub struct Transcript {
    vca: Vec<u8>,
    active: Option<ActiveTranscripts>,
    b: [B; 2],
    /// Whether the responder authenticated itself with CHALLENGE_AUTH in this connection.
    pub(crate) authenticated: bool,
}

/// The transcripts that exist only after ALGORITHMS.
struct ActiveTranscripts {
    hash: &'static Hash,
    rules: &'static Rules,
    vca: Record,
    l: MeasurementTranscript,
    /// The responder's last DIGESTS outside sessions.
    digests: Vec<u8>,
}

/// B of M1/M2.
#[derive(Default)]
struct B {
    /// The running hash; `None` while it contains only VCA.
    hashed: Option<Record>,
    /// Messages that are not hashed yet, at most [`B::MAX_WAITING`] bytes.
    waiting: Vec<u8>,
}

impl B {
    /// The maximum length of messages that wait to be hashed, in bytes. GET_DIGESTS with DIGESTS is shorter, and copying
    /// these two messages is cheaper than starting a hash.
    const MAX_WAITING: usize = 512;

    /// Appends messages to B. `before`: returns the hash of the transcript before B.
    fn push(&mut self, messages: &[&[u8]], before: impl FnOnce() -> Record) {
        let len = messages.iter().map(|message| message.len()).sum::<usize>();
        if self.waiting.len() + len <= Self::MAX_WAITING {
            self.waiting.reserve(len);
            messages.iter().for_each(|message| self.waiting.extend_from_slice(message));
            return;
        }
        let hashed = self.hashed.get_or_insert_with(before);
        hashed.update(&self.waiting);
        self.waiting.clear();
        messages.iter().for_each(|message| hashed.update(message));
    }

    /// Clears B and keeps its allocation.
    fn clear(&mut self) {
        self.hashed = None;
        self.waiting.clear();
    }

    /// Returns M1/M2 up to the end of B.
    fn all(&self, before: impl FnOnce() -> Record) -> Record {
        let mut all = self.hashed.clone().unwrap_or_else(before);
        all.update(&self.waiting);
        all
    }
}

impl ActiveTranscripts {
    /// Returns the hash of VCA; before 1.2 an empty hash.
    fn start(&self) -> Record {
        if self.rules.every_transcript_has_vca {
            self.vca.clone()
        } else {
            Record::new(self.hash, self.rules)
        }
    }

    /// Returns the hash of the transcript before B.
    fn before_b(&self, prover: Prover) -> Record {
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

    /// Starts every transcript except VCA. Call this when VCA is complete and the hash is negotiated.
    /// `rules`: the version or its rules.
    pub fn begin(&mut self, hash: &'static Hash, rules: impl Into<&'static Rules>) {
        let rules = rules.into();
        let mut vca = Record::new(hash, rules);
        vca.update(&self.vca);
        self.b.iter_mut().for_each(B::clear);
        self.active = Some(ActiveTranscripts {
            hash,
            rules,
            vca,
            l: MeasurementTranscript::default(),
            digests: Vec::new(),
        });
    }

    /// Appends messages to B.
    pub fn push_b(&mut self, prover: Prover, messages: &[&[u8]]) {
        if let Some(active) = &self.active {
            self.b[prover as usize].push(messages, || active.before_b(prover));
        }
    }

    /// Clears B.
    pub fn reset_b(&mut self, prover: Prover) {
        self.b[prover as usize].clear();
    }

    /// Stores the responder's DIGESTS of a multi-key connection.
    pub fn push_digests(&mut self, digests: &[u8]) {
        if let Some(active) = &mut self.active {
            active.digests = digests.to_vec();
        }
    }

    /// Returns the last DIGESTS of [`Transcript::push_digests`]; empty if there is none.
    #[must_use]
    pub fn digests(&self) -> &[u8] {
        self.active.as_ref().map_or(&[], |active| &active.digests)
    }

    /// Returns M1/M2 with this C; `None` before ALGORITHMS.
    #[must_use]
    pub fn m1_m2(&self, prover: Prover, c: &[&[u8]]) -> Option<Covered> {
        let active = self.active.as_ref()?;
        let mut m = self.b[prover as usize].all(|| active.before_b(prover));
        c.iter().for_each(|part| m.update(part));
        Some(m.finish())
    }

    /// Returns the running hash of VCA, which TH and the sessions' L1/L2 start with; `None` before ALGORITHMS.
    #[must_use]
    pub fn vca(&self) -> Option<Record> {
        Some(self.active.as_ref()?.vca.clone())
    }

    /// Returns IL1/IL2 of these messages; `None` before ALGORITHMS.
    #[must_use]
    pub fn il1_il2(&self, messages: &[&[u8]]) -> Option<Covered> {
        let mut il = self.vca()?;
        messages.iter().for_each(|message| il.update(message));
        Some(il.finish())
    }

    /// Appends messages to L1/L2. `measured`: L1/L2 of a session; `None` outside sessions.
    pub fn push_l(&mut self, measured: Option<&mut MeasurementTranscript>, messages: &[&[u8]]) {
        let Some(active) = &mut self.active else { return };
        let start = active.start();
        let l = measured.unwrap_or(&mut active.l).l.get_or_insert(start);
        messages.iter().for_each(|message| l.update(message));
    }

    /// Returns L1/L2 with these messages appended; `None` before ALGORITHMS. `measured`: as in [`Transcript::push_l`].
    #[must_use]
    pub fn l1_l2(&self, measured: Option<&MeasurementTranscript>, messages: &[&[u8]]) -> Option<Covered> {
        let active = self.active.as_ref()?;
        let mut l = measured.unwrap_or(&active.l).l.clone().unwrap_or_else(|| active.start());
        messages.iter().for_each(|message| l.update(message));
        Some(l.finish())
    }

    /// Returns the measurement blocks in L1/L2; `None` before ALGORITHMS. `measured`: as in [`Transcript::push_l`].
    pub(crate) fn reported_blocks<'a>(
        &'a self,
        measured: Option<&'a MeasurementTranscript>,
    ) -> Option<&'a ReportedBlocks> {
        measured.or(self.active.as_ref().map(|active| &active.l)).map(|measured| &measured.log)
    }

    /// Replaces the measurement blocks in L1/L2. `measured`: as in [`Transcript::push_l`].
    pub(crate) fn set_reported_blocks(
        &mut self,
        measured: Option<&mut MeasurementTranscript>,
        log: ReportedBlocks,
    ) {
        if let Some(measured) = measured.or(self.active.as_mut().map(|active| &mut active.l)) {
            measured.log = log;
        }
    }

    /// Clears L1/L2. `measured`: as in [`Transcript::push_l`].
    pub fn reset_l(&mut self, measured: Option<&mut MeasurementTranscript>) {
        match (measured, &mut self.active) {
            (Some(measured), _) => *measured = MeasurementTranscript::default(),
            (None, Some(active)) => active.l = MeasurementTranscript::default(),
            (None, None) => {}
        }
    }
}

/// L1/L2 of one session, or outside sessions.
#[derive(Default)]
pub struct MeasurementTranscript {
    l: Option<Record>,
    log: ReportedBlocks,
}

/// The measurement blocks in a responder's L1/L2, and whether one of them has changed.
#[derive(Clone, Default)]
pub(crate) struct ReportedBlocks {
    reported: Vec<ReportedBlock>,
    pub(crate) changed: bool,
}

/// A block sent to the requester.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct ReportedBlock {
    /// Whether the requester asked for the value after the next reset.
    pub(crate) pending: bool,
    /// Index.
    pub(crate) index: u8,
    /// The hash of the raw block.
    pub(crate) digest: Digest,
}

impl ReportedBlocks {
    /// Returns whether there are blocks with this value of `pending`.
    pub(crate) fn has(&self, pending: bool) -> bool {
        self.reported.iter().any(|reported| reported.pending == pending)
    }

    /// Adds a block, or compares it with its earlier version.
    pub(crate) fn add(&mut self, block: ReportedBlock) {
        match self
            .reported
            .iter()
            .find(|reported| (reported.pending, reported.index) == (block.pending, block.index))
        {
            Some(reported) => self.changed |= *reported != block,
            None => self.reported.push(block),
        }
    }

    /// Compares the reported blocks that have this value of `pending` with all blocks as they are now.
    pub(crate) fn compare(&mut self, pending: bool, all: &[ReportedBlock]) {
        let mut reported = self.reported.iter().filter(|reported| reported.pending == pending);
        self.changed |= !reported.all(|reported| all.contains(reported));
    }
}

/// TH of one session.
#[derive(Clone)]
pub struct Th(Record);

impl Th {
    /// Starts TH. `vca`: from [`Transcript::vca`]. `digests`: DIGESTS of a multi-key connection. `chain`: the hash of the
    /// responder's certificate chain or public key. For PSK, `digests` and `chain` are `None`.
    #[must_use]
    pub fn new(vca: Record, digests: Option<&[u8]>, chain: Option<&Digest>) -> Self {
        let mut th = Self(vca);
        digests.into_iter().for_each(|digests| th.push(digests));
        chain.into_iter().for_each(|chain| th.push(chain.as_ref()));
        th
    }

    /// Appends a message or part of a message.
    pub fn push(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Returns the hash of the transcript so far.
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.0.digest()
    }

    /// Returns the transcript so far, in the form that a signature or MAC covers: its hash, and its bytes if they are
    /// recorded.
    #[must_use]
    pub fn covered(&self) -> Covered {
        self.0.clone().finish()
    }
}
