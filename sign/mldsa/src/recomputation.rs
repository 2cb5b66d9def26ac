//! Computes c~′ from an encoded key, FIPS 204 Algorithm 8, in one run of an engine.

use crate::backend::Backend;
use crate::commitment::{Commitment, compare};
use crate::encode::{SignatureParts, sig_decode};
use crate::message::Message;
use crate::params::Params;
use crate::poly::{NttPoly, Zero};
use crate::sample::Matrix;
use crate::streams::{ResumableHash, Step, Stream, Work};
use crate::verifying_key::VerifyingKey;
use crate::version::Version;
use grille_core::Error;
use grille_hash::lanes::{Function, Lanes};

/// The recomputation of c~′, which uses Â row by row. The engine run that samples Â also samples c, and computes tr, μ
/// and c~′ one after the other.
pub(crate) struct Recomputation<'a, 'f, P: Params, B> {
    backend: B,
    sigma: SignatureParts<'a>,
    matrix: Matrix<'a, P>,
    commitment: &'a mut Commitment<'f, P>,
    /// The polynomial NTT(−t1) of one row.
    t1_hat: NttPoly,
    ball_stream_is_open: bool,
    chain: ResumableHash,
    serial: SerialHashes<'a, P>,
}

/// The inputs of the serial hashes.
struct SerialHashes<'a, P: Params> {
    key: &'a VerifyingKey<P>,
    message: Message<'a>,
    stage: Stage,
    tr: Option<[u8; 64]>,
}

/// The serial hash that is being computed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The stage that computes tr = H(pk).
    Tr,
    /// The stage that computes μ = H(tr ‖ M′).
    Mu,
    /// The stage that computes c~′ = H(μ ‖ w1Encode(w1′)).
    CTilde,
    Done,
}

impl Stage {
    /// Returns the stage of the first hash whose value is not known yet.
    const fn first(message: Message<'_>, tr: Option<[u8; 64]>) -> Self {
        match (message, tr) {
            (Message::Representative(_), _) => Self::CTilde,
            (Message::Parts(_), Some(_)) => Self::Mu,
            (Message::Parts(_), None) => Self::Tr,
        }
    }

    const fn next(self) -> Self {
        match self {
            Self::Tr => Self::Mu,
            Self::Mu => Self::CTilde,
            Self::CTilde | Self::Done => Self::Done,
        }
    }
}

impl<P: Params> SerialHashes<'_, P> {
    /// Returns the available part of the current stage's input, and whether this part is the whole input.
    fn input<'i>(&'i self, commitment: &'i Commitment<'_, P>) -> ([&'i [u8]; 5], bool) {
        match (self.stage, self.message, &self.tr) {
            (Stage::Tr, ..) => ([self.key.bytes.as_ref(), &[], &[], &[], &[]], true),
            (Stage::Mu, Message::Parts(message), Some(tr)) => {
                let [a, b, c, d] = message.parts();
                ([&tr[..P::Version::TR_LEN], a, b, c, d], true)
            }
            _ => ([commitment.bytes(), &[], &[], &[], &[]], commitment.rows == P::K),
        }
    }
}

impl<'a, 'f, P: Params, B: Backend> Recomputation<'a, 'f, P, B> {
    /// The id of the stream from which c is sampled. It follows the ids of the streams of the matrix.
    const BALL_STREAM: usize = Matrix::<P>::STREAMS;

    /// Creates a recomputation that starts with the first hash whose value is not known yet. `rows` is space for some
    /// rows of Â.
    ///
    /// # Errors
    /// Returns [`Error::InvalidSignature`] if the signature is malformed, or if z is too large.
    #[inline(always)]
    pub(crate) fn new(
        backend: B,
        key: &'a VerifyingKey<P>,
        message: Message<'a>,
        signature: &'a [u8],
        rows: &'a mut [P::NttVectorL],
        commitment: &'a mut Commitment<'f, P>,
    ) -> Result<Self, Error> {
        // (c~, z, h) ← sigDecode(σ); refuses the signature if h = ⊥
        let sigma = sig_decode::<P>(signature).ok_or(Error::InvalidSignature)?;
        commitment.set_response(backend, sigma.z)?;
        if let Message::Representative(mu) = message {
            commitment.bytes[..64].copy_from_slice(mu.as_bytes());
        }
        Ok(Self {
            serial: SerialHashes { key, message, stage: Stage::first(message, key.tr), tr: key.tr },
            sigma,
            ball_stream_is_open: false,
            chain: ResumableHash::new(),
            commitment,
            matrix: Matrix::new(key.rho(), rows),
            t1_hat: NttPoly::ZERO,
            backend,
        })
    }

    /// Returns the result of the verification.
    ///
    /// # Errors
    /// Returns [`Error::InvalidSignature`] if the signature is invalid.
    pub(crate) fn result(&self) -> Result<(), Error> {
        compare::<P>(&self.sigma, &self.commitment.c_tilde)
    }

    /// Computes w1′ of each row that is complete.
    fn add_complete_rows(&mut self) {
        while self.commitment.has_challenge()
            && let Some(i) = self.matrix.next_row()
        {
            self.serial.key.minus_t1_hat(self.backend, i, &mut self.commitment.w, &mut self.t1_hat);
            self.commitment.add_row(self.backend, self.matrix.row(i), &self.t1_hat, &self.sigma.h[i]);
        }
    }

    /// Stores the output of the current stage.
    fn finish_stage<const N: usize>(&mut self, lanes: &Lanes<N>, n: usize) {
        match self.serial.stage {
            Stage::Tr => lanes.copy(n, self.serial.tr.insert([0; 64])),
            Stage::Mu => lanes.copy(n, &mut self.commitment.bytes[..64]),
            Stage::CTilde => lanes.copy(n, &mut self.commitment.c_tilde),
            Stage::Done => {}
        }
        self.serial.stage = self.serial.stage.next();
        self.chain = ResumableHash::new();
    }
}

impl<P: Params, B: Backend> Work for Recomputation<'_, '_, P, B> {
    fn is_done(&self) -> bool {
        self.serial.stage == Stage::Done
    }

    fn stream(&mut self) -> Option<Stream<'_>> {
        if !core::mem::replace(&mut self.ball_stream_is_open, true) {
            let seed = self.sigma.c_tilde;
            return Some(Stream {
                id: Self::BALL_STREAM,
                seed,
                nonce: None,
                function: Function::SHAKE256,
                blocks: 1,
            });
        }
        self.matrix.stream()
    }

    fn receive(&mut self, id: usize, bytes: &[u8]) -> bool {
        let more = id != Self::BALL_STREAM && self.matrix.receive(self.backend, id, bytes);
        if id == Self::BALL_STREAM {
            let block = bytes.first_chunk().expect("the engine delivers a whole block");
            self.commitment.set_challenge(self.backend, self.sigma.c_tilde, block);
        }
        if !more {
            self.add_complete_rows();
        }
        more
    }

    fn resume_hash<const N: usize>(&mut self, lanes: &mut Lanes<N>, n: usize) -> bool {
        let (parts, complete) = self.serial.input(self.commitment);
        let can_absorb = self.chain.can_absorb(&parts, complete);
        if can_absorb {
            self.chain.copy_to_lane(lanes, n);
            self.continue_hash(lanes, n);
        }
        can_absorb
    }

    fn continue_hash<const N: usize>(&mut self, lanes: &mut Lanes<N>, n: usize) -> bool {
        loop {
            let (parts, complete) = self.serial.input(self.commitment);
            match self.chain.step(lanes, n, &parts, complete) {
                Step::Absorbed => return true,
                Step::Waiting => {
                    self.chain.copy_from_lane(lanes, n);
                    return false;
                }
                Step::Finished => self.finish_stage(lanes, n),
            }
            if self.is_done() {
                return false;
            }
            lanes.restart(n);
        }
    }
}
