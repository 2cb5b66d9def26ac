//! SPONGE\[KECCAK-p, pad10*1, r\], FIPS 202 section 4, on `N` inputs of equal length at once.
//!
//! ```
//! use grille_hash::{Level, Shake128};
//!
//! let mut xof = Shake128::<4>::new(Level::detect());
//! xof.absorb_all(b"seed");                              // the same bytes for every sponge
//! xof.absorb([&[0], &[1], &[2], &[3]]);                 // one different byte for each sponge
//! let mut blocks = [[0; 168]; 4];
//! xof.squeeze_blocks(&mut blocks);
//! assert_ne!(blocks[0], blocks[1]);
//! ```

use crate::lanes::{Function, Lanes};
use grille_cpu::Level;

/// The type of `N` SHAKE128 sponges, FIPS 202 section 6.2.
pub type Shake128<const N: usize> = Sponge<168, 0x1F, N>;
/// The type of `N` SHAKE256 sponges, FIPS 202 section 6.2.
pub type Shake256<const N: usize> = Sponge<136, 0x1F, N>;
/// The type of `N` SHA3-256 sponges, FIPS 202 section 6.1.
pub type Sha3_256<const N: usize> = Sponge<136, 0x06, N>;
/// The type of `N` SHA3-512 sponges, FIPS 202 section 6.1.
pub type Sha3_512<const N: usize> = Sponge<72, 0x06, N>;

/// Computes SHA3-256 of the concatenated `parts`.
#[must_use]
pub fn sha3_256(level: Level, parts: &[&[u8]]) -> [u8; 32] {
    let mut digest = [0; 32];
    Sha3_256::hash(level, parts, &mut digest);
    digest
}

/// Computes SHA3-512 of the concatenated `parts`.
#[must_use]
pub fn sha3_512(level: Level, parts: &[&[u8]]) -> [u8; 64] {
    let mut digest = [0; 64];
    Sha3_512::hash(level, parts, &mut digest);
    digest
}

/// Fills `out` with SHAKE256 of the concatenated `parts`.
pub fn shake256(level: Level, parts: &[&[u8]], out: &mut [u8]) {
    Shake256::hash(level, parts, out);
}

/// `N` sponges with a rate of `RATE` bytes and the domain separation bits `SUFFIX`. Erased on drop.
///
/// Absorb any number of times, then squeeze any number of times.
#[derive(Clone)]
pub struct Sponge<const RATE: usize, const SUFFIX: u8, const N: usize> {
    lanes: Lanes<N>,
    /// The number of bytes of the current block that were absorbed or squeezed; `RATE` after a squeezed block.
    position: usize,
    squeezing: bool,
}

impl<const RATE: usize, const SUFFIX: u8> Sponge<RATE, SUFFIX, 1> {
    /// Fills `out` with the hash of the concatenated `parts`.
    pub fn hash(level: Level, parts: &[&[u8]], out: &mut [u8]) {
        let mut sponge = Self::new(level);
        parts.iter().for_each(|part| sponge.absorb_all(part));
        sponge.squeeze([out]);
    }
}

impl<const RATE: usize, const SUFFIX: u8, const N: usize> Sponge<RATE, SUFFIX, N> {
    /// Creates sponges that have absorbed nothing.
    #[must_use]
    pub const fn new(level: Level) -> Self {
        Self { lanes: Lanes::new(level), position: 0, squeezing: false }
    }

    /// Absorbs the same bytes into every sponge.
    pub fn absorb_all(&mut self, input: &[u8]) {
        let words = self.position.is_multiple_of(8) && input.len().is_multiple_of(8);
        if words && !self.squeezing && self.position + input.len() < RATE {
            self.lanes.absorb_words(self.position, input);
            self.position += input.len();
        } else {
            self.absorb([input; N]);
        }
    }

    /// Absorbs one input into each sponge. All inputs must have the same length.
    ///
    /// # Panics
    /// Panics if the lengths differ, or after the first squeeze.
    pub fn absorb(&mut self, mut inputs: [&[u8]; N]) {
        assert!(!self.squeezing, "a sponge absorbs before it squeezes");
        assert_equal_lengths(inputs.map(<[u8]>::len));
        while !inputs[0].is_empty() {
            if self.position == 0 {
                inputs[0] = self.lanes.absorb_blocks(RATE, inputs[0]);
            }
            let take = inputs[0].len().min(RATE - self.position);
            for (n, input) in inputs.iter_mut().enumerate() {
                let (now, later) = input.split_at(take);
                self.lanes.absorb(n, self.position, now);
                *input = later;
            }
            self.position += take;
            if self.position == RATE {
                self.lanes.permute();
                self.position = 0;
            }
        }
    }

    /// Squeezes the next bytes of each sponge. All outputs must have the same length.
    ///
    /// # Panics
    /// Panics if the lengths differ.
    pub fn squeeze(&mut self, mut outputs: [&mut [u8]; N]) {
        assert_equal_lengths(outputs.each_ref().map(|output| output.len()));
        self.pad();
        while !outputs[0].is_empty() {
            if self.position == RATE {
                self.lanes.permute();
                self.position = 0;
            }
            let take = outputs[0].len().min(RATE - self.position);
            self.copy(outputs.each_mut().map(|output| output.split_off_mut(..take).expect("take ≤ length")));
            self.position += take;
        }
    }

    /// Squeezes the next whole block of each sponge. Call this function only if all earlier outputs were
    /// whole blocks.
    pub fn squeeze_blocks(&mut self, blocks: &mut [[u8; RATE]; N]) {
        self.squeeze(blocks.each_mut().map(<[u8; RATE]>::as_mut_slice));
    }

    /// Copies bytes of the current block of each sponge. All outputs have the same length.
    fn copy(&self, mut outputs: [&mut [u8]; N]) {
        if self.position == 0 {
            return self.lanes.copy_all(outputs);
        }
        for (n, output) in outputs.iter_mut().enumerate() {
            self.lanes.copy_from(n, self.position, output);
        }
    }

    /// Applies pad10*1 after the domain separation bits, FIPS 202 section 5.1 and Table 6. Later calls have
    /// no effect.
    fn pad(&mut self) {
        if self.squeezing {
            return;
        }
        let function = Function::new(RATE, SUFFIX);
        (0..N).for_each(|n| self.lanes.pad(n, function, self.position));
        self.squeezing = true;
        self.position = RATE;
    }
}

fn assert_equal_lengths<const N: usize>(lengths: [usize; N]) {
    assert!(lengths.iter().all(|len| *len == lengths[0]), "inputs and outputs of a batch have equal lengths");
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    /// Returns `len` bytes that depend on `seed` and on their position.
    fn bytes(seed: usize, len: usize) -> Vec<u8> {
        (0..len).map(|i| (i * 131 + seed * 29 + (i >> 3)) as u8).collect()
    }

    fn hex(bytes: &[u8]) -> std::string::String {
        bytes.iter().map(|byte| std::format!("{byte:02x}")).collect()
    }

    #[test]
    fn matches_the_standards_examples_at_every_level() {
        // NIST's example values: the empty message, "abc", and 1600 bits of 0xA3
        let long = [0xA3; 200];
        for level in Level::all() {
            let sha3 = |message: &[u8]| hex(&sha3_256(level, &[message]));
            assert_eq!(sha3(b""), "a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a");
            assert_eq!(sha3(b"abc"), "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532");
            assert_eq!(sha3(&long), "79f38adec5c20307a98ef76e8324afbfd46cfd81b22e3973c65fa1bd9de31787");
            let abc = hex(&sha3_512(level, &[b"abc"]));
            assert!(abc.starts_with("b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e"));
            let mut out = [0; 32];
            shake256(level, &[b""], &mut out);
            assert_eq!(hex(&out), "46b9dd2b0ba88d13233b3feb743eeb243fcd52ea62b81b82b50c27646ed5762f");
            let mut xof = Shake128::<1>::new(level);
            xof.squeeze([&mut out]);
            assert_eq!(hex(&out), "7f9c2ba4e88f827d616045507605853ed73b8093f6efbc88eb1a6eacfa66ef26");
        }
    }

    fn check_batch<const N: usize>(level: Level, len: usize) {
        let inputs: [Vec<u8>; N] = core::array::from_fn(|n| bytes(n, len));
        let mut outputs = [[0; 400]; N];
        let mut batch = Shake128::<N>::new(level);
        batch.absorb(inputs.each_ref().map(Vec::as_slice));
        batch.squeeze(outputs.each_mut().map(<[u8; 400]>::as_mut_slice));
        for (input, output) in inputs.iter().zip(outputs) {
            let mut single = Shake128::<1>::new(Level::Portable);
            single.absorb_all(input);
            let mut expected = [0; 400];
            single.squeeze([&mut expected]);
            assert_eq!(output, expected, "{} x{N}, {len} bytes", level.name());
        }
    }

    #[test]
    fn batch_matches_single_inputs_for_every_length_width_and_level() {
        for level in Level::all() {
            for len in 0..=340 {
                check_batch::<1>(level, len);
                check_batch::<2>(level, len);
                check_batch::<4>(level, len);
                check_batch::<8>(level, len);
            }
        }
    }

    #[test]
    fn absorbing_in_pieces_matches_absorbing_at_once() {
        let input = bytes(7, 700);
        let mut whole = [0; 700];
        shake256(Level::detect(), &[&input], &mut whole);
        for piece in 1..=140 {
            let mut sponge = Shake256::<1>::new(Level::detect());
            input.chunks(piece).for_each(|chunk| sponge.absorb_all(chunk));
            let mut out = [0; 700];
            out.chunks_mut(piece).for_each(|chunk| sponge.squeeze([chunk]));
            assert_eq!(out, whole, "in pieces of {piece}");
        }
    }

    #[test]
    #[should_panic = "equal lengths"]
    fn batch_of_unequal_lengths_panics() {
        Shake128::<2>::new(Level::Portable).absorb([b"a", b"bc"]);
    }

    #[test]
    #[should_panic = "absorbs before it squeezes"]
    fn absorbing_after_squeezing_panics() {
        let mut sponge = Shake128::<1>::new(Level::Portable);
        sponge.squeeze([&mut [0; 1]]);
        sponge.absorb_all(b"late");
    }
}
