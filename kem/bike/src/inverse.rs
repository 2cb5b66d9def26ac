//! Inverses in R: a^(2^(r−1) − 2), because 2 is a primitive root of the prime r (Itoh and Tsujii).

use crate::params::{Code, Vector};
use alloc::vec;
use alloc::vec::Vec;
use grille_gf2x::Workspace;
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
    from: Zeroizing<Vec<u8>>,
    to: Zeroizing<Vec<u8>>,
    set: core::marker::PhantomData<P>,
}

/// The number of sequences of indices that are followed in parallel. Within a sequence, each index depends on the
/// previous one.
const PARALLEL_INDICES: usize = 8;

impl<P: Code> Permuter<P> {
    fn new() -> Self {
        let bytes = || Zeroizing::new(vec![0; Vector::<P>::WORDS * 64]);
        Self { from: bytes(), to: bytes(), set: core::marker::PhantomData }
    }

    /// Computes a^(2^k). `a` and the result are secret; k is public.
    fn raise(&mut self, a: &Vector<P>, k: usize, workspace: &mut Workspace<P>) -> Vector<P> {
        if k <= MAX_SQUARES {
            return (0..k).fold(a.clone(), |power, _| power.square(workspace));
        }
        unpack(a.words(), &mut self.from);
        self.permute(power_of_half(P::N, k));
        let mut raised = Vector::zeroed();
        pack(&self.to, raised.words_mut());
        raised
    }

    /// Permutes the bits: bit i of the result is bit i·step of the argument, modulo r.
    fn permute(&mut self, step: usize) {
        let mut indices: [usize; PARALLEL_INDICES] = core::array::from_fn(|path| path * step % P::N);
        let stride = PARALLEL_INDICES * step % P::N;
        for bytes in self.to.as_chunks_mut::<PARALLEL_INDICES>().0 {
            for (byte, index) in bytes.iter_mut().zip(&mut indices) {
                *byte = self.from[*index];
                let next = *index + stride;
                *index = next - if next >= P::N { P::N } else { 0 };
            }
        }
        self.to[P::N..].fill(0);
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

/// Packs bytes, each 0 or 1, to one bit each.
fn pack(bytes: &[u8], words: &mut [u64]) {
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<64>().0) {
        let eights = bytes.as_chunks::<8>().0.iter().map(|eight| {
            // byte i moves to bit 56 + i
            (u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
        });
        let mut packed = [0; 8];
        packed.iter_mut().zip(eights).for_each(|(packed, bits)| *packed = bits);
        *word = u64::from_le_bytes(packed);
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
    use grille_hash::Level;

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
    fn pack_inverts_unpack() {
        let words = [0x0123_4567_89AB_CDEF, !0, 1 << 63];
        let (mut bytes, mut packed) = (vec![9; 192], [0; 3]);
        unpack(&words, &mut bytes);
        assert!((0..192).all(|i| u64::from(bytes[i]) == words[i / 64] >> (i % 64) & 1));
        pack(&bytes, &mut packed);
        assert_eq!(packed, words);
    }

    #[test]
    fn raising_is_repeated_squaring() {
        let mut workspace = Workspace::new(Level::detect());
        let a = sparse::<L1>(71);
        let mut square = a.clone();
        for k in 1..2 * MAX_SQUARES {
            square = square.times(&square.clone(), &mut workspace);
            assert_eq!(Permuter::new().raise(&a, k, &mut workspace).words(), square.words(), "k = {k}");
        }
    }
}
