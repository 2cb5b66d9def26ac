//! One word at a time, in plain Rust.

use super::Lanes;
use crate::field::{self, Element, Field};

/// Plain Rust.
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

    #[inline(never)]
    fn product<F: Field>(self, a: &Element<u64>, b: &Element<u64>) -> Element<u64> {
        field::product::<F, _>(self, a, b)
    }

    #[inline(never)]
    fn products<F: Field>(self, factors: [&Element<u64>; 4]) -> Element<u64> {
        field::products::<F, _>(self, factors)
    }
}
