//! Decode: finds the error of weight t for a given syndrome.

use crate::backend::{Kernel, Lanes, at_level};
use crate::benes::Network;
use crate::fft::{COEFFICIENT_WORDS, Coefficients, coefficients, evaluate, power_sums};
use crate::field::{
    Field, MAX_M, inverse, invert, load, product, products, splat, splat_masks, square, store, sum, words,
};
use crate::params::{Code, Params, code};
use crate::tables::position;
use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;
use grille_core::ct;
use grille_hash::Level;
use zeroize::Zeroizing;

/// The parts of a key that decoding uses, in expanded form.
pub(crate) struct Decoder {
    network: Network,
    /// The values 1/g(x)² for all elements x, bitsliced in the order of the FFT.
    weights: Zeroizing<Vec<u64>>,
}

/// An error vector, and whether it is valid: it has weight t and the given syndrome.
pub(crate) struct Decoded {
    /// The n bits of the error vector, in bytes.
    pub(crate) error: Zeroizing<Vec<u8>>,
    /// All ones if the error vector is valid, or zero if there is no error of weight t with this syndrome.
    pub(crate) is_valid: u64,
}

impl Decoder {
    /// Expands g and the control bits. Returns `None` if g is zero at an element. All arguments and results
    /// are secret.
    pub(crate) fn new<P: Params>(level: Level, g: &[u16], control: &[u8]) -> Option<Self> {
        let weights = at_level(level, Weights::<P::Field> { g, field: PhantomData })?;
        Some(Self { network: Network::new::<P::Field>(control), weights })
    }

    /// Decodes a syndrome of m·t bits. The key and the result are secret.
    pub(crate) fn decode<P: Params>(&self, level: Level, syndrome: &[u8]) -> Decoded {
        at_level(level, Decode::<P::Field> { decoder: self, syndrome, code: code::<P>(), field: PhantomData })
    }

    /// Returns π, the permutation of the network. The result is secret.
    pub(crate) fn permutation<P: Params>(&self) -> Zeroizing<Vec<u16>> {
        let mut pi = Zeroizing::new(vec![0; 1 << P::Field::M]);
        for b in 0..P::Field::M {
            let mut bits = Zeroizing::new(vec![0u64; words::<P::Field>()]);
            (0..1 << P::Field::M).for_each(|i: usize| bits[i / 64] |= (i as u64 >> b & 1) << (i % 64));
            self.network.permute::<P::Field>(&mut bits);
            for (i, index) in pi.iter_mut().enumerate() {
                *index |= ((bits[i / 64] >> (i % 64) & 1) as u16) << b;
            }
        }
        pi
    }
}

struct Weights<'a, F> {
    g: &'a [u16],
    field: PhantomData<fn() -> F>,
}

impl<F: Field> Kernel for Weights<'_, F> {
    type Output = Option<Zeroizing<Vec<u64>>>;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Self::Output {
        let w = words::<F>();
        let mut g = coefficients::<F>(self.g);
        let monic = self.g.len() == w;
        if !monic {
            g[0][self.g.len() / 64] |= 1 << (self.g.len() % 64);
        }
        let mut weights = evaluate::<F, L>(l, g, monic);
        let mut zeros = 0;
        for word in 0..w {
            zeros |= !weights.chunks_exact(w).fold(0, |any, bits| any | bits[word]);
        }
        // the validity of a key may become public
        if ct::public(zeros) != 0 {
            return None;
        }
        for at in (0..w).step_by(L::WORDS) {
            let value = load::<F, L>(l, &weights, w, at);
            let inverse = inverse::<F, L>(l, &square::<F, L>(l, &value));
            store::<F, L>(l, &inverse, &mut weights, w, at);
        }
        Some(weights)
    }
}

struct Decode<'a, F> {
    decoder: &'a Decoder,
    syndrome: &'a [u8],
    code: Code,
    field: PhantomData<fn() -> F>,
}

/// One bit for each element of the larger field.
type Bits = Zeroizing<[u64; 128]>;

impl<F: Field> Kernel for Decode<'_, F> {
    type Output = Decoded;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Decoded {
        let w = words::<F>();
        let Self { decoder, code: Code { n, t, rows }, .. } = self;
        // v = (C, 0, …, 0), permuted to the order of the field elements
        let mut received = Bits::default_bits();
        for (i, byte) in self.syndrome.iter().enumerate() {
            received[i / 8] |= u64::from(*byte) << (8 * (i % 8));
        }
        received[rows / 64] &= (1 << (rows % 64)) - 1;
        decoder.network.permute_back::<F>(&mut received[..w]);
        let received = to_fft_order::<F>(&received);
        let syndromes = weighted_sums::<F, L>(l, decoder, &received, t);
        let locator = locator::<F, L>(l, &syndromes, t);
        let values = evaluate::<F, L>(l, locator, t == w);
        // the errors are at the elements where the locator is zero
        let mut errors = Bits::default_bits();
        for (at, error) in errors[..w].iter_mut().enumerate() {
            let mut any = 0;
            for b in 0..F::M {
                any |= values[b * w + at];
            }
            *error = !any;
        }
        // the syndrome of the error must equal the syndrome of v
        let again = weighted_sums::<F, L>(l, decoder, &errors, t);
        let mut wrong = 0;
        for (a, b) in again.as_flattened().iter().zip(syndromes.as_flattened()) {
            wrong |= a ^ b;
        }
        let mut errors = from_fft_order::<F>(&errors);
        decoder.network.permute::<F>(&mut errors[..w]);
        // the error must have weight t; its n bits are returned
        let mut error = Zeroizing::new(vec![0; n / 8]);
        for (bytes, word) in error.chunks_mut(8).zip(errors.iter()) {
            bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]);
        }
        let weight = error.iter().fold(0, |weight, byte| weight + u64::from(byte.count_ones()));
        wrong |= weight ^ t as u64;
        Decoded { error, is_valid: ct::opaque(((wrong | wrong.wrapping_neg()) >> 63).wrapping_sub(1)) }
    }
}

/// A substitute for `Default`, which arrays of this length do not implement.
trait DefaultBits {
    fn default_bits() -> Self;
}

impl DefaultBits for Bits {
    fn default_bits() -> Self {
        Zeroizing::new([0; 128])
    }
}

/// Moves the words to their positions in the order of the FFT.
#[inline(always)]
fn to_fft_order<F: Field>(bits: &Bits) -> Bits {
    let mut ordered = Bits::default_bits();
    for word in 0..words::<F>() {
        ordered[position::<F>(word)] = bits[word];
    }
    ordered
}

/// Reverses [`to_fft_order`].
#[inline(always)]
fn from_fft_order<F: Field>(bits: &Bits) -> Bits {
    let mut ordered = Bits::default_bits();
    for word in 0..words::<F>() {
        ordered[word] = bits[position::<F>(word)];
    }
    ordered
}

/// Computes the 2t syndromes of a word: the sums of xⁱ/g(x)² over the elements x whose bits are set. All
/// arguments and results are secret.
#[inline(always)]
fn weighted_sums<F: Field, L: Lanes>(l: L, decoder: &Decoder, bits: &Bits, t: usize) -> Coefficients {
    let w = words::<F>();
    let mut values = decoder.weights.clone();
    for values in values.chunks_exact_mut(w) {
        for (value, bits) in values.iter_mut().zip(bits.iter()) {
            *value &= bits;
        }
    }
    let mut sums = power_sums::<F, L>(l, values);
    for bits in sums.iter_mut() {
        for (word, bits) in bits.iter_mut().enumerate() {
            let count = (2 * t).saturating_sub(64 * word).min(64);
            *bits &= u64::MAX.checked_shr(64 - count as u32).unwrap_or(0);
        }
    }
    sums
}

/// Computes the error locator from 2t syndromes. Its zeros are the elements of the error. If t is 2^m/64, the
/// locator is monic and its highest coefficient is not stored. All arguments and results are secret.
///
/// Uses the Berlekamp–Massey algorithm without inversions in the form of Sarwate and Shanbhag ("RiBM"). The
/// discrepancies and the locator are parts of one vector, whose first element is always the next discrepancy.
#[inline(always)]
fn locator<F: Field, L: Lanes>(l: L, syndromes: &Coefficients, t: usize) -> Coefficients {
    let m = F::M;
    let used = (3 * t + 1).div_ceil(64);
    let mut delta = Coefficients::default();
    delta.copy_from_slice(&syndromes[..]);
    delta[0][3 * t / 64] |= 1 << (3 * t % 64);
    let mut theta = delta.clone();
    let mut gamma = Zeroizing::new([0u64; MAX_M]);
    gamma[0] = u64::MAX;
    let mut k = 0i64;
    for _ in 0..2 * t {
        let (mut first, mut any) = ([0; MAX_M], 0);
        for b in 0..m {
            first[b] = (delta[b][0] & 1).wrapping_neg();
            any |= first[b];
        }
        // all ones if there is a discrepancy and k ≥ 0
        let swap = ct::opaque(any) & !ct::opaque(k >> 63).cast_unsigned();
        let (gammas, firsts) = (splat_masks::<F, L>(l, &gamma), splat_masks::<F, L>(l, &first));
        let swaps = l.splat(swap);
        for at in (0..used).step_by(L::WORDS) {
            let mut x = load::<F, L>(l, delta.as_flattened(), COEFFICIENT_WORDS, at);
            let mut after = [l.zero(); MAX_M];
            if at + L::WORDS < used {
                after = load::<F, L>(l, delta.as_flattened(), COEFFICIENT_WORDS, at + L::WORDS);
            }
            for b in 0..m {
                x[b] = l.shift_down(x[b], after[b]);
            }
            let y = load::<F, L>(l, theta.as_flattened(), COEFFICIENT_WORDS, at);
            let next = products::<F, L>(l, [[&x, &gammas], [&y, &firsts]]);
            store::<F, L>(l, &next, delta.as_flattened_mut(), COEFFICIENT_WORDS, at);
            let difference = sum::<F, L>(l, &x, &y);
            let mut selected = y;
            for b in 0..m {
                selected[b] = l.and_xor(y[b], difference[b], swaps);
            }
            store::<F, L>(l, &selected, theta.as_flattened_mut(), COEFFICIENT_WORDS, at);
        }
        for (gamma, first) in gamma.iter_mut().zip(first) {
            *gamma ^= (*gamma ^ first) & swap;
        }
        // −k − 1 equals the complement of k
        k = (k ^ swap.cast_signed()) + 1 + swap.cast_signed();
    }
    let mut locator = reverse::<F>(&delta, t);
    if t == words::<F>() {
        let highest = (0..m).fold(0, |highest, b| highest | ((delta[b][t / 64] >> (t % 64) & 1) as u16) << b);
        let factor = splat::<F, L>(l, invert::<F>(highest));
        for at in (0..t.div_ceil(64)).step_by(L::WORDS) {
            let scaled =
                product::<F, L>(l, &load::<F, L>(l, locator.as_flattened(), COEFFICIENT_WORDS, at), &factor);
            store::<F, L>(l, &scaled, locator.as_flattened_mut(), COEFFICIENT_WORDS, at);
        }
    }
    locator
}

/// Returns the coefficients of the reversed polynomial: coefficient j is element 2t − j. Returns as many
/// coefficients as the FFT uses.
#[inline(always)]
fn reverse<F: Field>(delta: &Coefficients, t: usize) -> Coefficients {
    const BITS: usize = 64 * COEFFICIENT_WORDS;
    let mut result = Coefficients::default();
    let shift = BITS - 1 - 2 * t;
    let limit = words::<F>().min(t + 1);
    for (result, delta) in result.iter_mut().zip(delta.iter()) {
        // element i of the reversed vector was element 511 − i
        let word = |i: usize| {
            if i < COEFFICIENT_WORDS { delta[COEFFICIENT_WORDS - 1 - i].reverse_bits() } else { 0 }
        };
        for (i, result) in result.iter_mut().enumerate().take(limit.div_ceil(64)) {
            let at = i + shift / 64;
            // 2t is even, so the shift is never a whole number of words
            *result = word(at) >> (shift % 64) | word(at + 1) << (64 - shift % 64);
            let count = (limit - 64 * i).min(64);
            *result &= u64::MAX >> (64 - count);
        }
    }
    result
}
