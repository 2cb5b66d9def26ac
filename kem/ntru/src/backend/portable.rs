//! The kernels in plain Rust, in constant time.

use super::slices::Slices;
use crate::params::Params;
use core::array;
use grille_core::{Array, ct, secret};
use grille_hash::Level;

/// The portable backend.
#[derive(Clone, Copy)]
pub(crate) struct Portable {
    /// The level for hash functions.
    pub(crate) level: Level,
}

/// Bit slices in plain Rust. A slice has as many words as the longest vectors, so the compiler may vectorise
/// the operations.
impl Slices for Portable {
    type V = [u64; 8];
    type Mask = u64;
    const WORDS: usize = 8;

    #[inline(always)]
    fn load_words(self, words: &[u64]) -> [u64; 8] {
        *words.first_chunk().expect("8 words")
    }

    #[inline(always)]
    fn store_words(self, words: &mut [u64], v: [u64; 8]) {
        words.copy_from_slice(&v);
    }

    #[inline(always)]
    fn splat(self, word: u64) -> [u64; 8] {
        [word; 8]
    }

    #[inline(always)]
    fn mask(self, word: u64) -> u64 {
        ct::opaque(word)
    }

    #[inline(always)]
    fn apply_mask(self, mask: u64, v: [u64; 8]) -> [u64; 8] {
        v.map(|word| word & mask)
    }

    #[inline(always)]
    fn first(self, v: [u64; 8]) -> u64 {
        v[0]
    }

    #[inline(always)]
    fn rotate_up(self, [a, b, c, d, e, f, g, h]: [u64; 8]) -> [u64; 8] {
        [h << 1, a, b, c, d, e, f, g]
    }

    #[inline(always)]
    fn rotate_down(self, [a, b, c, d, e, f, g, h]: [u64; 8]) -> [u64; 8] {
        [b, c, d, e, f, g, h, a >> 1]
    }

    #[inline(always)]
    fn xor(self, a: [u64; 8], b: [u64; 8]) -> [u64; 8] {
        array::from_fn(|i| a[i] ^ b[i])
    }

    #[inline(always)]
    fn and(self, a: [u64; 8], b: [u64; 8]) -> [u64; 8] {
        array::from_fn(|i| a[i] & b[i])
    }

    #[inline(always)]
    fn and_not(self, a: [u64; 8], b: [u64; 8]) -> [u64; 8] {
        array::from_fn(|i| a[i] & !b[i])
    }
}

/// The largest padded length.
const MAX_PADDED_LEN: usize = 1408;

/// Implements [`Backend::multiply`](super::Backend::multiply), exactly modulo 2¹⁶.
pub(crate) fn multiply<P: Params>(a: &P::Coefficients, b: &P::Coefficients, c: &mut P::Coefficients) {
    const { assert!(P::Coefficients::LEN <= MAX_PADDED_LEN) };
    let (mut product, mut scratch) = ([0; 2 * MAX_PADDED_LEN], [0; 4 * MAX_PADDED_LEN]);
    let product = &mut product[..2 * P::Coefficients::LEN];
    karatsuba(a.as_ref(), b.as_ref(), product, &mut scratch);
    fold::<P>(product, c);
    secret::erase(product);
    secret::erase(&mut scratch);
}

/// Reduces a product modulo xⁿ − 1.
#[inline(always)]
pub(super) fn fold<P: Params>(product: &[u16], c: &mut P::Coefficients) {
    let (low, high) = product.split_at(P::N);
    for (c, (low, high)) in c.as_mut()[..P::N].iter_mut().zip(low.iter().zip(high)) {
        *c = low.wrapping_add(*high);
    }
}

/// Computes c ← a·b. Splits the operands in halves with Karatsuba's method while their length is even and at
/// least 64. `c` is twice as long as `a` and `b`, and `scratch` is four times as long as `a`.
fn karatsuba(a: &[u16], b: &[u16], c: &mut [u16], scratch: &mut [u16]) {
    if a.len() < 64 || !a.len().is_multiple_of(2) {
        return schoolbook(a, b, c);
    }
    let half = a.len() / 2;
    let ((a0, a1), (b0, b1)) = (a.split_at(half), b.split_at(half));
    let (sums, rest) = scratch.split_at_mut(4 * half);
    let (sums, middle) = sums.split_at_mut(2 * half);
    let (a01, b01) = sums.split_at_mut(half);
    add(a0, a1, a01);
    add(b0, b1, b01);
    karatsuba(a01, b01, middle, rest);
    let (low, high) = c.split_at_mut(2 * half);
    karatsuba(a0, b0, low, rest);
    karatsuba(a1, b1, high, rest);
    for (middle, (low, high)) in middle.iter_mut().zip(low.iter().zip(high.iter())) {
        *middle = middle.wrapping_sub(*low).wrapping_sub(*high);
    }
    c[half..].iter_mut().zip(&*middle).for_each(|(c, middle)| *c = c.wrapping_add(*middle));
}

/// Computes c ← a + b.
fn add(a: &[u16], b: &[u16], c: &mut [u16]) {
    c.iter_mut().zip(a.iter().zip(b)).for_each(|(c, (a, b))| *c = a.wrapping_add(*b));
}

/// Computes c ← a·b, term by term.
fn schoolbook(a: &[u16], b: &[u16], c: &mut [u16]) {
    c.fill(0);
    for (i, a) in a.iter().enumerate() {
        c[i..].iter_mut().zip(b).for_each(|(c, b)| *c = c.wrapping_add(a.wrapping_mul(*b)));
    }
}

/// Implements [`Backend::unpack`](super::Backend::unpack).
pub(crate) fn unpack<P: Params>(bytes: &[u8], a: &mut [u16]) {
    let (groups, last) = a.as_chunks_mut::<8>();
    let mut strings = bytes.chunks_exact(P::LOG_Q);
    for (a, bytes) in groups.iter_mut().zip(&mut strings) {
        let string = |bytes: &[u8]| u64::from_le_bytes(*bytes.first_chunk().expect("8 bytes of 11 or more"));
        let (low, high) = (string(bytes), string(&bytes[P::LOG_Q - 8..]) >> (64 - 4 * P::LOG_Q));
        a[..4].copy_from_slice(&unpack_coefficients::<P>(low));
        a[4..].copy_from_slice(&unpack_coefficients::<P>(high));
    }
    let mut string = [0; 8];
    string.iter_mut().zip(strings.remainder()).for_each(|(to, byte)| *to = *byte);
    last.copy_from_slice(&unpack_coefficients::<P>(u64::from_le_bytes(string))[..last.len()]);
}

/// Returns the four coefficients at the start of a bit string.
#[inline(always)]
fn unpack_coefficients<P: Params>(string: u64) -> [u16; 4] {
    let (mask, pair) = ((1 << P::LOG_Q) - 1, (1 << (2 * P::LOG_Q)) - 1);
    // moves each pair of coefficients to one half of the word, then each coefficient to one quarter
    let pairs = string & pair | (string >> (2 * P::LOG_Q) & pair) << 32;
    let a = pairs & (mask | mask << 32) | (pairs << (16 - P::LOG_Q)) & (mask << 16 | mask << 48);
    [a as u16, (a >> 16) as u16, (a >> 32) as u16, (a >> 48) as u16]
}

/// Implements [`Backend::pack`](super::Backend::pack).
pub(crate) fn pack<P: Params>(a: &[u16], bytes: &mut [u8]) {
    let (a, last) = a.as_chunks::<8>();
    let (bytes, last_bytes) = bytes.split_at_mut(P::LOG_Q * a.len());
    for (a, bytes) in a.iter().zip(bytes.chunks_exact_mut(P::LOG_Q)) {
        let [low, high] = [pack_4::<P>(&a[..4]), pack_4::<P>(&a[4..])];
        let (first, rest) = bytes.split_at_mut(8);
        first.copy_from_slice(&(low | high << (4 * P::LOG_Q)).to_le_bytes());
        rest.copy_from_slice(&(high >> (64 - 4 * P::LOG_Q)).to_le_bytes()[..P::LOG_Q - 8]);
    }
    last_bytes.copy_from_slice(&pack_4::<P>(last).to_le_bytes()[..last_bytes.len()]);
}

/// Packs up to four coefficients into a bit string.
#[inline(always)]
fn pack_4<P: Params>(a: &[u16]) -> u64 {
    let a = first_4_as_word(a);
    // joins the two coefficients of each pair, then the two pairs
    let mask = (1 << P::LOG_Q) - 1;
    let pairs = a & (mask | mask << 32) | (a & (mask << 16 | mask << 48)) >> (16 - P::LOG_Q);
    pairs & u64::from(u32::MAX) | pairs >> 32 << (2 * P::LOG_Q)
}

/// Implements [`Backend::pack_trits`](super::Backend::pack_trits).
#[inline(always)]
pub(crate) fn pack_trits(a: &[u16], bytes: &mut [u8]) {
    let (groups, last) = a.as_chunks::<5>();
    let (bytes, last_byte) = bytes.split_at_mut(groups.len());
    for (a, byte) in groups.iter().zip(bytes) {
        // starting at bit 48, the product of these words is a₀ + 3·a₁ + 9·a₂ + 27·a₃; lower bits produce no
        // carries
        let powers = first_4_as_word(&[27, 9, 3, 1]);
        *byte = (first_4_as_word(a).wrapping_mul(powers) >> 48) as u8 + 81 * a[4] as u8;
    }
    for byte in last_byte {
        *byte = last.iter().rev().fold(0, |byte, a| 3 * byte + *a as u8);
    }
}

/// Returns the first four coefficients in a word, the first one lowest.
#[inline(always)]
fn first_4_as_word(a: &[u16]) -> u64 {
    let coefficient = |i: usize| u64::from(a[i]) << (16 * i);
    coefficient(0) | coefficient(1) | coefficient(2) | coefficient(3)
}

/// Implements [`Backend::read_sort_keys`](super::Backend::read_sort_keys).
#[inline(always)]
pub(crate) fn read_sort_keys(bytes: &[u8], per_sign: usize, keys: &mut [i32]) {
    for (keys, bytes) in keys.as_chunks_mut::<4>().0.iter_mut().zip(bytes.as_chunks::<15>().0) {
        let word = |i: usize| u64::from_le_bytes(*bytes[i..].first_chunk().expect("8 of 15 bytes"));
        // reads two keys at a time; bits beyond their 30 bits are shifted out
        let (first, second) = (word(0), word(7) >> 4);
        *keys = [first, first >> 30, second, second >> 30].map(|bits| (bits as i32) << 2);
    }
    // uses a separate loop over all keys, because vector loads that overlap two of these stores would wait
    // for memory
    for (i, key) in keys.iter_mut().enumerate() {
        *key |= i32::from(i < per_sign) | i32::from(i >= per_sign && i < 2 * per_sign) << 1;
    }
}

/// Implements [`Backend::sort_signs`](super::Backend::sort_signs).
pub(crate) fn sort_signs(keys: &mut [i32], v: &mut [u16]) {
    sort(keys);
    v.iter_mut().zip(keys).for_each(|(v, key)| *v = (*key & 3) as u16);
}

/// Sorts in ascending order with Batcher's merge exchange, TAOCP 5.2.2 Algorithm M.
fn sort(keys: &mut [i32]) {
    let top = keys.len().next_power_of_two() / 2;
    let mut p = top;
    while p > 0 {
        let (mut q, mut r, mut d) = (top, 0, p);
        loop {
            exchange(keys, p, r, d);
            if q == p {
                break;
            }
            (d, q, r) = (q - p, q / 2, p);
        }
        p /= 2;
    }
}

/// Orders the keys i and i + d for all i whose bit p equals that of r.
fn exchange(keys: &mut [i32], p: usize, r: usize, d: usize) {
    let mut start = r;
    while start + d < keys.len() {
        let (lower, upper) = keys[start..].split_at_mut(d);
        for (a, b) in lower.iter_mut().zip(upper).take(p) {
            (*a, *b) = order(*a, *b);
        }
        start += 2 * p;
    }
}

/// Returns the smaller number, then the larger one (secret). Does not use a comparison, because compilers
/// turn it into a branch if the processor has no minimum instruction.
#[inline(always)]
fn order(a: i32, b: i32) -> (i32, i32) {
    let difference = b.wrapping_sub(a);
    // the sign of b − a, inverted if the subtraction has overflowed
    let is_less = ct::mask((difference ^ ((a ^ b) & (difference ^ b))) >> 31);
    let swap = (a ^ b) & is_less;
    (a ^ swap, b ^ swap)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn orders_two_keys_of_any_sign_and_size() {
        let ends = [0, 1, -1, 4, -4, i32::MAX, i32::MIN, i32::MAX - 3, i32::MIN + 3, 1 << 30, -(1 << 30)];
        for (a, b) in ends.iter().flat_map(|a| ends.map(|b| (*a, b))) {
            assert_eq!(order(a, b), (a.min(b), a.max(b)));
        }
    }

    #[test]
    fn sorts_every_length() {
        let mut state = 1u32;
        for len in 1..600 {
            let mut keys: Vec<i32> = (0..len)
                .map(|_| {
                    state = state.wrapping_mul(0x9E37_79B1).wrapping_add(12345);
                    (state ^ state >> 15) as i32
                })
                .collect();
            let mut expected = keys.clone();
            expected.sort_unstable();
            sort(&mut keys);
            assert_eq!(keys, expected, "{len} keys");
        }
    }
}
