//! Hashes in the same calls of Keccak as the stream of the matrix.
//!
//! The matrix is one stream of SHAKE128: 10, 23 or 40 calls that wait for each other. With AVX-512 a call for four
//! states costs what a call for one costs, so H(pk), the secret's stream and what else is hashed meanwhile come along
//! in another lane, for nothing. Elsewhere each hash is alone.

use grille_hash::lanes::{Chain, Function, Lanes};
use grille_hash::{Level, Shake128, sha3_256, sha3_512};

/// SHAKE128(seed_A), as far as it has come.
pub(crate) struct MatrixStream<'a> {
    level: Level,
    /// The stream in lane 0, who comes along in lane 1.
    lanes: Lanes<2>,
    /// The bytes that are missing.
    out: &'a mut [u8],
}

/// The lane of who comes along.
const RIDER: usize = 1;

impl<'a> MatrixStream<'a> {
    /// At its beginning.
    pub(crate) fn new(level: Level, seed_a: &[u8], out: &'a mut [u8]) -> Self {
        let mut lanes = Lanes::new(level);
        lanes.absorb_last(0, Function::SHAKE128, seed_a);
        Self { level, lanes, out }
    }

    /// SHA3-256 of the concatenated `parts`.
    pub(crate) fn sha3_256(&mut self, parts: &[&[u8]]) -> [u8; 32] {
        if !self.shares() {
            return sha3_256(self.level, parts);
        }
        let mut digest = [0; 32];
        self.absorb(Chain::new(Function::SHA3_256, parts));
        self.lanes.copy(RIDER, &mut digest);
        digest
    }

    /// SHA3-512 of the concatenated `parts`.
    pub(crate) fn sha3_512(&mut self, parts: &[&[u8]]) -> [u8; 64] {
        if !self.shares() {
            return sha3_512(self.level, parts);
        }
        let mut digest = [0; 64];
        self.absorb(Chain::new(Function::SHA3_512, parts));
        self.lanes.copy(RIDER, &mut digest);
        digest
    }

    /// SHAKE128(seed), as many bytes as `out` holds.
    pub(crate) fn shake128(&mut self, seed: &[u8], out: &mut [u8]) {
        if !self.shares() {
            return shake128(self.level, seed, out);
        }
        self.lanes.restart(RIDER);
        self.lanes.absorb_last(RIDER, Function::SHAKE128, seed);
        for block in out.chunks_mut(Function::SHAKE128.rate()) {
            self.call();
            self.lanes.copy(RIDER, block);
        }
    }

    /// All bytes that are missing.
    pub(crate) fn finish(mut self) {
        let mut alone = Lanes::<1>::new(self.level);
        alone.put(0, &self.lanes.take(0));
        while !self.out.is_empty() {
            alone.permute();
            alone.copy(0, next_block(&mut self.out));
        }
    }

    /// Whether a second state costs nothing.
    const fn shares(&self) -> bool {
        matches!(self.level, Level::Avx512(_))
    }

    fn absorb(&mut self, mut chain: Chain<'_>) {
        self.lanes.restart(RIDER);
        while chain.absorb(&mut self.lanes, RIDER) {
            self.call();
        }
    }

    fn call(&mut self) {
        self.lanes.permute();
        if !self.out.is_empty() {
            self.lanes.copy(0, next_block(&mut self.out));
        }
    }
}

/// The next block of SHAKE128, or what is wanted of it.
fn next_block<'a>(out: &mut &'a mut [u8]) -> &'a mut [u8] {
    let len = out.len().min(Function::SHAKE128.rate());
    out.split_off_mut(..len).expect("len ≤ length")
}

/// SHAKE128(seed), as many bytes as `out` holds.
pub(crate) fn shake128(level: Level, seed: &[u8], out: &mut [u8]) {
    let mut xof = Shake128::<1>::new(level);
    xof.absorb_all(seed);
    xof.squeeze([out]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;

    #[test]
    fn riding_along_changes_nothing() {
        let message: [u8; 1472] = core::array::from_fn(|i| (i * 7) as u8);
        for level in Level::all() {
            for len in [1664, 3744, 6656] {
                let (mut stream, mut expected) = (vec![0; len], vec![0; len]);
                shake128(Level::Portable, b"seed", &mut expected);
                let mut matrix = MatrixStream::new(level, b"seed", &mut stream);
                for end in [0, 135, 136, 672, 1472] {
                    let (a, b) = message[..end].split_at(end / 3);
                    let digest = sha3_256(Level::Portable, &[&message[..end]]);
                    assert_eq!(matrix.sha3_256(&[a, b]), digest, "{} bytes, {}", end, level.name());
                    let digest = sha3_512(Level::Portable, &[&message[..end]]);
                    assert_eq!(matrix.sha3_512(&[a, b]), digest, "{} bytes, {}", end, level.name());
                }
                let (mut out, mut alone) = ([0; 640], [0; 640]);
                matrix.shake128(b"other", &mut out);
                shake128(Level::Portable, b"other", &mut alone);
                assert_eq!(out, alone, "{}", level.name());
                matrix.finish();
                assert!(stream == expected, "{len} bytes, {}", level.name());
            }
        }
    }
}
