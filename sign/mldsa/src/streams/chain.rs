//! The serial hash of an operation.

use grille_core::erase;
use grille_hash::lanes::{Function, Lanes};

/// H of a message that may still grow, a block at a time; it leaves its lane while it waits.
pub(crate) struct Chain {
    /// Bytes of the message.
    absorbed: usize,
    padded: bool,
    /// While it waits.
    state: [u8; 200],
}

/// What became of the next step of a [`Chain`].
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// A block is absorbed; a call must follow.
    Absorbed,
    /// There is no whole block yet.
    Waits,
    /// Nothing was left: the lane holds the output.
    Finished,
}

impl Chain {
    pub(crate) const fn new() -> Self {
        Self { absorbed: 0, padded: false, state: [0; 200] }
    }

    /// Whether a step would absorb something.
    pub(crate) fn can_go_on(&self, parts: &[&[u8]], complete: bool) -> bool {
        let len: usize = parts.iter().map(|part| part.len()).sum();
        !self.padded && (complete || len - self.absorbed >= H_RATE)
    }

    /// Puts the state into lane `n`.
    pub(crate) fn enter<const N: usize>(&self, lanes: &mut Lanes<N>, n: usize) {
        lanes.restart(n);
        lanes.absorb(n, 0, &self.state);
    }

    /// Takes the state out of lane `n`.
    pub(crate) fn leave<const N: usize>(&mut self, lanes: &Lanes<N>, n: usize) {
        lanes.copy(n, &mut self.state);
    }

    /// The next block of the message `parts`, which is `complete` or will grow.
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
        if !self.can_go_on(parts, complete) {
            return Step::Waits;
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

/// The bytes of a block of SHAKE256.
pub(crate) const H_RATE: usize = Function::SHAKE256.rate();

impl Drop for Chain {
    fn drop(&mut self) {
        erase(&mut self.state);
    }
}
