//! Hashes that are computed one after the other within an operation.

use grille_core::erase;
use grille_hash::lanes::{Function, Lanes};

/// The state of the hash H of a message that may still grow. The hash is computed block by block. While the hash waits
/// for data, it does not occupy a lane.
pub(crate) struct ResumableHash {
    /// The number of message bytes absorbed so far.
    absorbed: usize,
    padded: bool,
    /// The Keccak state while the hash waits.
    state: [u8; 200],
}

/// The result of a step of a [`ResumableHash`].
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// A block was absorbed. A permutation call must follow.
    Absorbed,
    /// No whole block is available yet.
    Waiting,
    /// Nothing was left to absorb. The lane holds the output.
    Finished,
}

impl ResumableHash {
    pub(crate) const fn new() -> Self {
        Self { absorbed: 0, padded: false, state: [0; 200] }
    }

    /// Checks whether a step would absorb something.
    pub(crate) fn can_absorb(&self, parts: &[&[u8]], complete: bool) -> bool {
        let len: usize = parts.iter().map(|part| part.len()).sum();
        !self.padded && (complete || len - self.absorbed >= H_RATE)
    }

    /// Copies the state into lane `n`.
    pub(crate) fn copy_to_lane<const N: usize>(&self, lanes: &mut Lanes<N>, n: usize) {
        lanes.restart(n);
        lanes.absorb(n, 0, &self.state);
    }

    /// Copies the state out of lane `n`.
    pub(crate) fn copy_from_lane<const N: usize>(&mut self, lanes: &Lanes<N>, n: usize) {
        lanes.copy(n, &mut self.state);
    }

    /// Absorbs the next block of the message `parts`. `complete` is true if `parts` are the whole message.
    pub(crate) fn step<const N: usize>(
        &mut self,
        lanes: &mut Lanes<N>,
        n: usize,
        parts: &[&[u8]],
        complete: bool,
    ) -> Step {
        if self.padded {
            return Step::Finished;
        }
        if !self.can_absorb(parts, complete) {
            return Step::Waiting;
        }
        let (mut skip, mut position) = (self.absorbed, 0);
        for part in parts {
            let rest = &part[skip.min(part.len())..];
            skip -= part.len() - rest.len();
            let take = rest.len().min(H_RATE - position);
            lanes.absorb(n, position, &rest[..take]);
            position += take;
        }
        self.absorbed += position;
        if position < H_RATE {
            lanes.pad(n, Function::SHAKE256, position);
            self.padded = true;
        }
        Step::Absorbed
    }
}

/// The number of bytes in a SHAKE256 block.
pub(crate) const H_RATE: usize = Function::SHAKE256.rate();

impl Drop for ResumableHash {
    fn drop(&mut self) {
        erase(&mut self.state);
    }
}
