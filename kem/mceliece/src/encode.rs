//! Encode and FixedWeight: an error of weight t, and its syndrome.

use crate::backend::{Kernel, Lanes, at_level};
use crate::params::{Code, Params, q};
use alloc::vec;
use alloc::vec::Vec;
use grille_core::{CryptoRng, ct};
use grille_gf2x::support;
use grille_hash::Level;
use zeroize::Zeroizing;

/// Runs FixedWeight: samples n bits with t bits set, as words. Samples 2·t bytes if n = q, or 4·t bytes otherwise.
/// Repeats this until the first t positions below n are all different. The result is secret.
pub(crate) fn fixed_weight<P: Params>(level: Level, rng: &mut dyn CryptoRng) -> Zeroizing<Vec<u64>> {
    // the number of samples, τ in the standard
    let numbers = if P::N == q::<P>() { P::T } else { 2 * P::T };
    let mut bytes = Zeroizing::new(vec![0; 2 * numbers]);
    let mut positions = Zeroizing::new(Vec::with_capacity(P::T));
    loop {
        rng.fill_bytes(&mut bytes);
        positions.clear();
        for bytes in bytes.as_chunks::<2>().0 {
            let position = u32::from(u16::from_le_bytes(*bytes)) & (q::<P>() - 1) as u32;
            // a rejected number reveals nothing about the other numbers
            if positions.len() < P::T && ct::public(position < P::N as u32) {
                positions.push(position);
            }
        }
        if positions.len() == P::T && are_distinct(&positions) {
            let mut error = Zeroizing::new(vec![0; P::N.div_ceil(64)]);
            support::set_bits(level, &positions, &mut error);
            return error;
        }
    }
}

/// Checks whether all positions are different. The positions are secret.
fn are_distinct(positions: &[u32]) -> bool {
    let repeated = (1..positions.len())
        .fold(0, |repeated, i| repeated | support::contains(&positions[..i], positions[i]));
    // rejected positions reveal nothing about the next ones
    ct::public(repeated) == 0
}

/// Encode in progress: computes C = H·e, where H is the identity matrix followed by T. Rows of T arrive in order.
pub(crate) struct Encoder {
    code: Code,
    /// The error e (secret).
    error: Zeroizing<Vec<u64>>,
    /// The last k bits of e, which T is multiplied by, padded with zeros to blocks of 512 bits (secret).
    tail: Zeroizing<Vec<u64>>,
    /// The number of rows that have arrived.
    row: usize,
}

impl Encoder {
    pub(crate) fn new(code: Code, error: Zeroizing<Vec<u64>>) -> Self {
        let Code { n, rows: mt, .. } = code;
        let mut tail = Zeroizing::new(vec![0; (n - mt).div_ceil(64).next_multiple_of(8)]);
        let word = |i: usize| error.get(i).copied().unwrap_or(0);
        for (i, tail) in tail.iter_mut().enumerate() {
            let at = mt / 64 + i;
            // shifts in two steps, because a shift by 64 is not defined
            *tail = word(at) >> (mt % 64) | word(at + 1) << 1 << (63 - mt % 64);
        }
        Self { code, error, tail, row: 0 }
    }

    /// Returns the number of rows that have arrived.
    pub(crate) const fn row(&self) -> usize {
        self.row
    }

    /// Returns the error e. Secret.
    pub(crate) fn error(&self) -> &[u64] {
        &self.error
    }

    /// Encodes the next rows of T, and sets their bits of C in `syndrome`, which has zeros there. `t` must consist of
    /// whole rows.
    pub(crate) fn encode(&mut self, level: Level, t: &[u8], syndrome: &mut [u8]) {
        at_level(level, Encode { encoder: self, t, syndrome });
        self.row += t.len() / self.code.row_len();
    }
}

struct Encode<'a> {
    encoder: &'a Encoder,
    t: &'a [u8],
    syndrome: &'a mut [u8],
}

impl Kernel for Encode<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Encoder { code, error, tail, row: first } = self.encoder;
        let row_len = code.row_len();
        let mut last = vec![0; 8 * tail.len()];
        for at in 0..self.t.len() / row_len {
            let row = first + at;
            let mut bytes = &self.t[at * row_len..];
            // each row is read beyond its end, where the zeros in `tail` cancel the extra bits; the last rows are
            // copied, so that these reads stay in bounds
            if bytes.len() < last.len() {
                last[..row_len].copy_from_slice(&bytes[..row_len]);
                bytes = &last;
            }
            let mut sum = l.zero();
            for at in (0..tail.len()).step_by(L::WORDS) {
                sum = l.and_xor(sum, l.load_bytes(&bytes[8 * at..]), l.load(&tail[at..]));
            }
            let mut sums = [0; 8];
            l.store(sum, &mut sums);
            let sum = sums.iter().fold(0, |sum, word| sum ^ word);
            let bit = sum.count_ones() as u8 & 1 ^ (error[row / 64] >> (row % 64)) as u8 & 1;
            self.syndrome[row / 8] |= bit << (row % 8);
        }
    }
}
