//! SPONGE\[KECCAK-p, pad10*1, r\], FIPS 202 section 4, on `N` inputs of equal length at once.
//!
//! ```
//! use grille_hash::{Level, Shake128};
//!
//! let mut xof = Shake128::<4>::new(Level::detect());
//! xof.absorb_all(b"seed");                              // the same bytes for everyone
//! xof.absorb([&[0], &[1], &[2], &[3]]);                 // and one of their own
//! let mut blocks = [[0; 168]; 4];
//! xof.squeeze_blocks(&mut blocks);
//! assert_ne!(blocks[0], blocks[1]);
//! ```

use crate::keccak::{self, States};
use grille_cpu::Level;
use zeroize::Zeroize;

/// `N` SHAKE128 at once, FIPS 202 section 6.2.
pub type Shake128<const N: usize> = Sponge<168, 0x1F, N>;
/// `N` SHAKE256 at once, FIPS 202 section 6.2.
pub type Shake256<const N: usize> = Sponge<136, 0x1F, N>;
/// `N` SHA3-256 at once, FIPS 202 section 6.1.
pub type Sha3_256<const N: usize> = Sponge<136, 0x06, N>;
/// `N` SHA3-512 at once, FIPS 202 section 6.1.
pub type Sha3_512<const N: usize> = Sponge<72, 0x06, N>;

/// SHA3-256 of the concatenated `parts`.
#[must_use]
pub fn sha3_256(level: Level, parts: &[&[u8]]) -> [u8; 32] {
    hash::<136, 0x06, 32>(level, parts)
}

/// SHA3-512 of the concatenated `parts`.
#[must_use]
pub fn sha3_512(level: Level, parts: &[&[u8]]) -> [u8; 64] {
    hash::<72, 0x06, 64>(level, parts)
}

/// SHAKE256 of the concatenated `parts`, as many bytes as `out` holds.
pub fn shake256(level: Level, parts: &[&[u8]], out: &mut [u8]) {
    let mut sponge = Shake256::<1>::new(level);
    parts.iter().for_each(|part| sponge.absorb_all(part));
    sponge.squeeze([out]);
}

fn hash<const RATE: usize, const SUFFIX: u8, const LEN: usize>(level: Level, parts: &[&[u8]]) -> [u8; LEN] {
    let mut sponge = Sponge::<RATE, SUFFIX, 1>::new(level);
    parts.iter().for_each(|part| sponge.absorb_all(part));
    let mut out = [0; LEN];
    sponge.squeeze([&mut out]);
    out
}

/// `N` sponges with a rate of `RATE` bytes and the domain separation bits `SUFFIX`, erased on drop.
///
/// Absorb as often as needed, then squeeze as often as needed.
#[derive(Clone)]
pub struct Sponge<const RATE: usize, const SUFFIX: u8, const N: usize> {
    states: States<N>,
    level: Level,
    /// Bytes of the current block absorbed or squeezed; `RATE` after a squeezed block.
    position: usize,
    squeezing: bool,
}

impl<const RATE: usize, const SUFFIX: u8, const N: usize> Sponge<RATE, SUFFIX, N> {
    /// Nothing absorbed yet.
    #[must_use]
    pub const fn new(level: Level) -> Self {
        Self { states: [[0; N]; 25], level, position: 0, squeezing: false }
    }

    /// Absorbs the same bytes into every sponge.
    pub fn absorb_all(&mut self, input: &[u8]) {
        self.absorb([input; N]);
    }

    /// Absorbs one input into each sponge; all of the same length.
    ///
    /// # Panics
    /// If the lengths differ, or if squeezing has begun.
    pub fn absorb(&mut self, mut inputs: [&[u8]; N]) {
        assert!(!self.squeezing, "a sponge absorbs before it squeezes");
        assert_equal_lengths(inputs.map(<[u8]>::len));
        while !inputs[0].is_empty() {
            let take = inputs[0].len().min(RATE - self.position);
            for (n, input) in inputs.iter_mut().enumerate() {
                let (now, later) = input.split_at(take);
                self.xor_bytes(n, now);
                *input = later;
            }
            self.position += take;
            if self.position == RATE {
                keccak::permute(self.level, &mut self.states);
                self.position = 0;
            }
        }
    }

    /// Squeezes the next bytes of each sponge; all outputs of the same length.
    ///
    /// # Panics
    /// If the lengths differ.
    pub fn squeeze(&mut self, mut outputs: [&mut [u8]; N]) {
        assert_equal_lengths(outputs.each_ref().map(|output| output.len()));
        self.pad();
        while !outputs[0].is_empty() {
            if self.position == RATE {
                keccak::permute(self.level, &mut self.states);
                self.position = 0;
            }
            let take = outputs[0].len().min(RATE - self.position);
            for (n, output) in outputs.iter_mut().enumerate() {
                let (now, later) = core::mem::take(output).split_at_mut(take);
                self.copy_bytes(n, now);
                *output = later;
            }
            self.position += take;
        }
    }

    /// Squeezes the next whole block of each sponge; only after whole blocks.
    pub fn squeeze_blocks(&mut self, blocks: &mut [[u8; RATE]; N]) {
        self.squeeze(blocks.each_mut().map(<[u8; RATE]>::as_mut_slice));
    }

    /// pad10*1 behind the domain separation bits, FIPS 202 section 5.1 and Table 6; once.
    fn pad(&mut self) {
        if self.squeezing {
            return;
        }
        for n in 0..N {
            self.states[self.position / 8][n] ^= u64::from(SUFFIX) << (8 * (self.position % 8));
            self.states[RATE / 8 - 1][n] ^= 0x80 << 56;
        }
        self.squeezing = true;
        self.position = RATE;
    }

    /// Exclusive-ors bytes into the current block of sponge `n`.
    fn xor_bytes(&mut self, n: usize, bytes: &[u8]) {
        for (i, byte) in (self.position..).zip(bytes) {
            self.states[i / 8][n] ^= u64::from(*byte) << (8 * (i % 8));
        }
    }

    /// Copies bytes out of the current block of sponge `n`.
    fn copy_bytes(&self, n: usize, bytes: &mut [u8]) {
        for (i, byte) in (self.position..).zip(bytes) {
            *byte = self.states[i / 8][n].to_le_bytes()[i % 8];
        }
    }
}

impl<const RATE: usize, const SUFFIX: u8, const N: usize> Drop for Sponge<RATE, SUFFIX, N> {
    fn drop(&mut self) {
        self.states.zeroize();
    }
}

fn assert_equal_lengths<const N: usize>(lengths: [usize; N]) {
    assert!(lengths.iter().all(|len| *len == lengths[0]), "inputs and outputs of a batch have equal lengths");
}
