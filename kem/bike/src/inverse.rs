//! Inverses in R: a^(2^(r−1) − 2), because 2 is a primitive root of the prime r (Itoh and Tsujii).

use crate::code::{Code, Vector};
use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;
use grille_gf2x::{Kernel, Workspace, at_level};
use grille_hash::Level;
use zeroize::Zeroizing;

/// Computes a⁻¹. `a` must have an odd number of ones. `a` and the result are secret.
pub(crate) fn invert<P: Code>(a: &Vector<P>, workspace: &mut Workspace<P>) -> Vector<P> {
    let mut permuter = Permuter::<P>::new();
    // a^(2^k − 1), where k grows to r − 2 bit by bit
    let exponent = P::N - 2;
    let (mut power, mut k) = (a.clone(), 1);
    for bit in (0..exponent.ilog2()).rev() {
        let raised = permuter.raise(&power, k, workspace);
        power = raised.times(&power, workspace);
        k *= 2;
        if exponent >> bit & 1 == 1 {
            power = power.square(workspace).times(a, workspace);
            k += 1;
        }
    }
    power.square(workspace)
}

/// The largest number of squarings that take less time together than one permutation.
const MAX_SQUARES: usize = 8;

/// Raises elements to the power 2^k, which permutes their bits: the bit of x^i becomes the bit of x^(i·2^k).
struct Permuter<P: Code> {
    /// One byte for each bit of the argument.
    bits: Zeroizing<Vec<u8>>,
    set: PhantomData<P>,
}

impl<P: Code> Permuter<P> {
    fn new() -> Self {
        Self { bits: Zeroizing::new(vec![0; Vector::<P>::WORDS * 64]), set: PhantomData }
    }

    /// Computes a^(2^k). `a` and the result are secret; k is public.
    fn raise(&mut self, a: &Vector<P>, k: usize, workspace: &mut Workspace<P>) -> Vector<P> {
        if k <= MAX_SQUARES {
            return (0..k).fold(a.clone(), |power, _| power.square(workspace));
        }
        unpack(a.words(), &mut self.bits);
        let mut raised = Vector::zeroed();
        let words = &mut raised.words_mut()[..Vector::<P>::WORDS];
        permute(workspace.level(), &self.bits[..P::N], power_of_half(P::N, k), words);
        words[P::N / 64] &= (1 << (P::N % 64)) - 1;
        raised
    }
}

/// Permutes r bits: bit i of the result is bit i·step of the argument, modulo r. The indices are public.
fn permute(level: Level, bits: &[u8], step: usize, words: &mut [u64]) {
    let r = bits.len();
    // the indices of the bits of a word
    let mut indices = core::array::from_fn(|i| (i * step % r) as u32);
    for word in words {
        *word = 0;
        for (byte, indices) in indices.as_chunks::<8>().0.iter().enumerate() {
            let pack = |packed, index: &u32| 2 * packed + u64::from(bits[*index as usize]);
            *word |= indices.iter().rev().fold(0, pack) << (8 * byte);
        }
        at_level(level, Advance { indices: &mut indices, stride: (64 * step % r) as u32, r: r as u32 });
    }
}

/// Adds the stride to each index, modulo r.
struct Advance<'a> {
    indices: &'a mut [u32; 64],
    stride: u32,
    r: u32,
}

impl Kernel for Advance<'_> {
    #[inline(always)]
    fn run(self) {
        for index in self.indices {
            let next = *index + self.stride;
            // the difference wraps around to a large number if it is negative
            *index = next.min(next.wrapping_sub(self.r));
        }
    }
}

/// Unpacks bits to one byte each. `bytes` has as many elements as the used words have bits.
fn unpack(words: &[u64], bytes: &mut [u8]) {
    for (bytes, word) in bytes.as_chunks_mut::<64>().0.iter_mut().zip(words) {
        for (eight, bits) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(word.to_le_bytes()) {
            let bits = u64::from(bits);
            // copies the lower seven bits seven times, each seven places from the previous copy, so that bit i becomes
            // the lowest bit of byte i
            let spread = ((bits & 0x7F) * 0x0002_0408_1020_4081) & 0x0101_0101_0101_0101;
            *eight = (spread | bits >> 7 << 56).to_le_bytes();
        }
    }
}

/// Computes 2^−k modulo the odd number r.
fn power_of_half(r: usize, k: usize) -> usize {
    let (mut result, mut square, mut k) = (1, r.div_ceil(2), k);
    while k > 0 {
        if k & 1 == 1 {
            result = result * square % r;
        }
        square = square * square % r;
        k /= 2;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{L1, L3, L5};
    use grille_gf2x::support;

    /// Returns an element with `ones` ones, an odd number.
    fn sparse<P: Code>(ones: u32) -> Vector<P> {
        let positions: Vec<u32> = (0..ones).map(|i| (i * i * 7919 + i) % P::N as u32).collect();
        let mut element = Vector::zeroed();
        support::set_bits(Level::detect(), &positions, element.words_mut());
        element
    }

    fn check_inverse<P: Code>() {
        let mut workspace = Workspace::new(Level::detect());
        let a = sparse::<P>(P::D as u32);
        let ones: u32 = a.words().iter().map(|word| word.count_ones()).sum();
        assert_eq!(ones % 2, 1, "an odd number has an inverse");
        let product = invert(&a, &mut workspace).times(&a, &mut workspace);
        assert_eq!((product.words()[0], product.words()[1..].iter().fold(0, |or, word| or | word)), (1, 0));
    }

    #[test]
    fn inverses_are_inverses() {
        check_inverse::<L1>();
        check_inverse::<L3>();
        check_inverse::<L5>();
    }

    #[test]
    fn unpacks_each_bit_to_a_byte() {
        let words = [0x0123_4567_89AB_CDEF, !0, 1 << 63];
        let mut bytes = [9; 192];
        unpack(&words, &mut bytes);
        assert!((0..192).all(|i| u64::from(bytes[i]) == words[i / 64] >> (i % 64) & 1));
    }

    #[test]
    fn raising_is_repeated_squaring() {
        for level in Level::all() {
            let mut workspace = Workspace::new(level);
            let a = sparse::<L1>(71);
            let mut square = a.clone();
            for k in 1..2 * MAX_SQUARES {
                square = square.times(&square.clone(), &mut workspace);
                let raised = Permuter::new().raise(&a, k, &mut workspace);
                assert_eq!(raised.words(), square.words(), "k = {k}, {}", level.name());
            }
        }
    }
}
