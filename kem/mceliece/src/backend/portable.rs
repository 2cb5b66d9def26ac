//! Vectors of one word, in plain Rust.

use super::{Lanes, Work};
use grille_core::ct;

/// The portable vector operations, in plain Rust.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

impl Lanes for Portable {
    type V = u64;
    const WORDS: usize = 1;

    #[inline(always)]
    fn splat(self, word: u64) -> u64 {
        word
    }

    #[inline(always)]
    fn load(self, words: &[u64]) -> u64 {
        words[0]
    }

    #[inline(always)]
    fn load_bytes(self, bytes: &[u8]) -> u64 {
        u64::from_le_bytes(*bytes.first_chunk().expect("a whole word"))
    }

    #[inline(always)]
    fn store(self, v: u64, words: &mut [u64]) {
        words[0] = v;
    }

    #[inline(always)]
    fn xor(self, a: u64, b: u64) -> u64 {
        a ^ b
    }

    #[inline(always)]
    fn and(self, a: u64, b: u64) -> u64 {
        a & b
    }

    #[inline(always)]
    fn and_xor(self, sum: u64, a: u64, b: u64) -> u64 {
        sum ^ (a & b)
    }

    #[inline(always)]
    fn shift_down(self, v: u64, after: u64) -> u64 {
        v >> 1 | after << 63
    }

    const KEYS: usize = 1;

    #[inline(always)]
    fn load_keys(self, keys: &[u32]) -> u64 {
        u64::from(keys[0])
    }

    #[inline(always)]
    fn store_keys(self, v: u64, keys: &mut [u32]) {
        keys[0] = v as u32;
    }

    #[inline(always)]
    fn order_keys(self, a: u64, b: u64) -> [u64; 2] {
        self.order_words(a, b)
    }

    #[inline(always)]
    fn order_words(self, a: u64, b: u64) -> [u64; 2] {
        // all ones if b is smaller
        let swap = ct::mask((b.wrapping_sub(a) >> 63).wrapping_neg());
        let difference = (a ^ b) & swap;
        [a ^ difference, b ^ difference]
    }

    // A vector holds only one key, so there is no other position to exchange with.

    #[inline(always)]
    fn partner_keys(self, v: u64, _: usize) -> u64 {
        v
    }

    #[inline(always)]
    fn partner_words(self, v: u64, _: usize) -> u64 {
        v
    }

    #[inline(always)]
    fn select_keys(self, a: u64, _: u64, _: usize) -> u64 {
        a
    }

    #[inline(always)]
    fn select_words(self, a: u64, _: u64, _: usize) -> u64 {
        a
    }

    #[inline(never)]
    fn call<W: Work<Self>>(self, work: W) -> W::Output {
        work.run(self)
    }
}
