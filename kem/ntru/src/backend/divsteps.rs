//! Inverses modulo (2, Φₙ) and (3, Φₙ) with the divsteps of Bernstein and Yang. Polynomials are bit-sliced: a
//! vector holds one bit of many coefficients.
//!
//! Initially, f = Φₙ, g = a, v = 0, r = 1 and δ = 1. With c = g₀/f₀, each step replaces v with x·v, g with
//! ±(g − c·f) and r with ±(r − c·v), with the same sign in both. If δ > 0 and c ≠ 0, f and v take the old
//! values of g and r, and δ becomes −δ. Then δ increases by one, and g, whose constant term is now zero, is
//! divided by x. After 2·(n − 1) − 1 steps, f is constant. Reversing the coefficients of v/f gives the inverse
//! of xⁿ⁻²·a(1/x). Because Φₙ is its own reversal, v/f itself is x⁻⁴·a⁻¹, so the last step multiplies it by
//! x⁴. The number of steps and the operations in them do not depend on a (constant time). The inverse of zero
//! is zero.

use super::lowest::{Word, known_coefficients, lowest_bits};
use super::slices::Slices;
use crate::params::Params;
use grille_core::{ct, secret};
use zeroize::optimization_barrier;

/// Some coefficients of a polynomial, with one vector for each of their bits.
trait SlicedCoefficients<S: Slices>: Copy {
    /// The type of the lowest coefficients, with a 64-bit word instead of a vector for each bit.
    type Lowest: SlicedCoefficients<Word<S>>;

    /// Returns the lowest coefficients of a polynomial; [`known_coefficients`] states their number.
    fn lowest<const R: usize>(s: S, polynomial: &[Self; R]) -> Self::Lowest;
    /// Creates coefficients from their lower and upper bits.
    fn from_bits(s: S, bits: [S::V; 2]) -> Self;
    /// Multiplies by the first coefficient of `other`. Returns the lower and the upper bits of the products.
    fn multiply_by_first(self, s: S, other: Self) -> [S::V; 2];
    /// Compares the first coefficients f₀, which must not be zero, and g₀. The lowest bit of the first result
    /// is one if g₀ ≠ 0. In this case, the lowest bit of the second result is one if −g₀/f₀ is −1.
    fn ratio(s: S, f: Self, g: Self) -> [u64; 2];
    /// Returns f and g after a step, except that g is not yet divided by x.
    fn combine(s: S, f: Self, g: Self, control: &Control<S>) -> [Self; 2];
    /// Moves words up; see [`Slices::rotate_up`].
    fn up(self, s: S) -> Self;
    /// Moves words down; see [`Slices::rotate_down`].
    fn down(self, s: S) -> Self;
}

/// The actions of a step, as masks.
struct Control<S: Slices> {
    /// Whether c ≠ 0.
    nonzero: S::Mask,
    /// Whether −c is −1. Arbitrary if c is zero.
    negative: S::V,
    /// Whether f and v take the old values of g and r.
    swap: S::Mask,
}

/// A polynomial whose coefficients are trits: 0, 1 or −1.
#[derive(Clone, Copy)]
struct Trits<V> {
    /// A mask of the coefficients that are not zero.
    nonzero: V,
    /// A mask of the coefficients that are −1. Its bits are arbitrary for zero coefficients.
    negative: V,
}

impl<S: Slices> SlicedCoefficients<S> for Trits<S::V> {
    type Lowest = Trits<u64>;

    #[inline(always)]
    fn lowest<const R: usize>(s: S, polynomial: &[Self; R]) -> Trits<u64> {
        let (mut nonzero, mut negative) = (0, 0);
        for (r, digits) in polynomial.iter().enumerate() {
            nonzero |= lowest_bits::<S, R>(s, digits.nonzero) << r;
            negative |= lowest_bits::<S, R>(s, digits.negative) << r;
        }
        Trits { nonzero, negative }
    }

    #[inline(always)]
    fn from_bits(s: S, [low, high]: [S::V; 2]) -> Self {
        Self { nonzero: s.xor(low, high), negative: high }
    }

    #[inline(always)]
    fn multiply_by_first(self, s: S, other: Self) -> [S::V; 2] {
        let sign = s.splat(ct::mask((s.first(other.negative) & 1).wrapping_neg()));
        let negative = s.xor(self.negative, sign);
        [s.and_not(self.nonzero, negative), s.and(self.nonzero, negative)]
    }

    #[inline(always)]
    fn ratio(s: S, f: Self, g: Self) -> [u64; 2] {
        [s.first(g.nonzero), !s.first(s.xor(f.negative, g.negative))]
    }

    #[inline(always)]
    fn combine(s: S, f: Self, g: Self, control: &Control<S>) -> [Self; 2] {
        let next_f = Self {
            nonzero: s.select(control.swap, f.nonzero, g.nonzero),
            negative: s.select(control.swap, f.negative, g.negative),
        };
        // computes g + (−c)·f
        let differ = s.xor(s.xor(f.negative, g.negative), control.negative);
        let [nonzero, negative] = s.sum_masked(control.nonzero, [g.nonzero, g.negative], f.nonzero, differ);
        let next_g = Self { nonzero, negative };
        [next_f, next_g]
    }

    #[inline(always)]
    fn up(self, s: S) -> Self {
        Self { nonzero: s.rotate_up(self.nonzero), negative: s.rotate_up(self.negative) }
    }

    #[inline(always)]
    fn down(self, s: S) -> Self {
        Self { nonzero: s.rotate_down(self.nonzero), negative: s.rotate_down(self.negative) }
    }
}

/// A polynomial whose coefficients are bits: 0 or 1.
#[derive(Clone, Copy)]
struct Bits<V>(V);

impl<S: Slices> SlicedCoefficients<S> for Bits<S::V> {
    type Lowest = Bits<u64>;

    #[inline(always)]
    fn lowest<const R: usize>(s: S, polynomial: &[Self; R]) -> Bits<u64> {
        let mut lowest = 0;
        for (r, digits) in polynomial.iter().enumerate() {
            lowest |= lowest_bits::<S, R>(s, digits.0) << r;
        }
        Bits(lowest)
    }

    #[inline(always)]
    fn from_bits(_: S, [low, _]: [S::V; 2]) -> Self {
        Self(low)
    }

    #[inline(always)]
    fn multiply_by_first(self, s: S, _: Self) -> [S::V; 2] {
        [self.0, s.splat(0)]
    }

    #[inline(always)]
    fn ratio(s: S, _: Self, g: Self) -> [u64; 2] {
        [s.first(g.0), 0]
    }

    #[inline(always)]
    fn combine(s: S, f: Self, g: Self, control: &Control<S>) -> [Self; 2] {
        [Self(s.select(control.swap, f.0, g.0)), Self(s.xor_masked(control.nonzero, g.0, f.0))]
    }

    #[inline(always)]
    fn up(self, s: S) -> Self {
        Self(s.rotate_up(self.0))
    }

    #[inline(always)]
    fn down(self, s: S) -> Self {
        Self(s.rotate_down(self.0))
    }
}

/// Computes the inverse of `a` modulo (3, Φₙ). The result may be any representative of its residue class. The
/// inverse of 0 is 0. The coefficients of `a` are 0, 1 or 2, and that of xⁿ⁻¹ is zero.
#[inline(always)]
pub(super) fn invert_mod3<P: Params, S: Slices>(s: S, a: &P::Coefficients, inverse: &mut P::Coefficients) {
    invert::<P, S, Trits<S::V>>(s, a.as_ref(), inverse.as_mut());
}

/// Computes the inverse of `a` modulo (2, Φₙ). The result may be any representative of its residue class. The
/// inverse of 0 is 0. The coefficients of `a` are 0 or 1, and that of xⁿ⁻¹ is zero.
#[inline(always)]
pub(super) fn invert_mod2<P: Params, S: Slices>(s: S, a: &P::Coefficients, inverse: &mut P::Coefficients) {
    invert::<P, S, Bits<S::V>>(s, a.as_ref(), inverse.as_mut());
}

/// Computes an inverse, with the smallest number of vectors that can hold one bit of n coefficients.
#[inline(always)]
fn invert<P: Params, S: Slices, D: SlicedCoefficients<S>>(s: S, a: &[u16], inverse: &mut [u16]) {
    match P::N.div_ceil(64 * S::WORDS) {
        1 => invert_in::<S, D, 1>(s, P::N, a, inverse),
        2 => invert_in::<S, D, 2>(s, P::N, a, inverse),
        3 => invert_in::<S, D, 3>(s, P::N, a, inverse),
        4 => invert_in::<S, D, 4>(s, P::N, a, inverse),
        5 => invert_in::<S, D, 5>(s, P::N, a, inverse),
        6 => invert_in::<S, D, 6>(s, P::N, a, inverse),
        r => unreachable!("no set needs {r} vectors"),
    }
}

/// The largest number of words for one bit of all coefficients.
const MAX_WORDS: usize = 24;
/// The lower and the upper bits of a polynomial.
type Planes = [[u64; MAX_WORDS]; 2];
/// The bits of the zero polynomial.
const ZERO: Planes = [[0; MAX_WORDS]; 2];

/// Computes an inverse with `R` vectors for each bit of a polynomial.
#[inline(always)]
fn invert_in<S: Slices, D: SlicedCoefficients<S>, const R: usize>(
    s: S,
    n: usize,
    a: &[u16],
    inverse: &mut [u16],
) {
    let words = const { R * S::WORDS };
    let mut planes = ZERO;
    // Φₙ has n coefficients 1
    for (w, word) in planes[0][..words].iter_mut().enumerate() {
        *word = u64::MAX >> (64 - (n - w).div_ceil(words));
    }
    let f: [D; R] = load(s, &planes);
    slice(words, &a[..n], &mut planes);
    // rounds the number of steps up to a multiple of R; each additional step multiplies v by x
    let steps = 2 * (n - 1) - 1;
    let extra_steps = steps.next_multiple_of(R) - steps;
    assert!(n + extra_steps <= 64 * words);
    let mut state = State::new(s, f, load(s, &planes));
    state.run(s, steps + extra_steps);
    for r in 0..R {
        let bits = state.vr[0][r].multiply_by_first(s, state.fg[0][0]);
        for (plane, bits) in planes.iter_mut().zip(bits) {
            let mut vector = [0; MAX_WORDS];
            s.store_words(&mut vector[..S::WORDS], bits);
            plane[r..].iter_mut().step_by(R).zip(&vector[..S::WORDS]).for_each(|(to, word)| *to = *word);
            secret::erase(&mut vector);
        }
    }
    state.erase(s);
    // multiplies by x⁴
    let mut digits = [0; 64 * MAX_WORDS];
    unslice(words, &planes, &mut digits);
    let v = &digits[extra_steps..][..n];
    inverse[4..n].copy_from_slice(&v[..n - 4]);
    inverse[..4].copy_from_slice(&v[n - 4..]);
    secret::erase(&mut digits);
    secret::erase(planes.as_flattened_mut());
}

/// Updates δ, and returns all ones if f and g are exchanged in this step, else zero. `nonzero` is all ones if
/// the lowest coefficient of g is nonzero, else zero.
#[inline(always)]
pub(super) fn update_delta(nonzero: u64, delta: &mut i64) -> u64 {
    let swap = nonzero & ct::mask((-*delta >> 63).cast_unsigned());
    *delta = (*delta ^ swap.cast_signed()) - swap.cast_signed() + 1;
    swap
}

/// The polynomials f and g, v and r, and the number δ. All fields are secret.
struct State<D, const R: usize> {
    delta: i64,
    fg: [[D; R]; 2],
    vr: [[D; R]; 2],
}

impl<D, const R: usize> State<D, R> {
    /// Returns the state before the first step.
    #[inline(always)]
    fn new<S: Slices>(s: S, f: [D; R], g: [D; R]) -> Self
    where
        D: SlicedCoefficients<S>,
    {
        let mut one = ZERO;
        one[0][0] = 1;
        let zero = [D::from_bits(s, [s.splat(0); 2]); R];
        Self { delta: 1, fg: [f, g], vr: [zero, load(s, &one)] }
    }

    /// Runs `steps` steps, a multiple of `R`.
    #[inline(always)]
    fn run<S: Slices>(&mut self, s: S, steps: usize)
    where
        D: SlicedCoefficients<S>,
    {
        let mut left = steps;
        while left > 0 {
            let count = left.min(const { known_coefficients(R * S::WORDS) });
            // the lowest coefficients determine the next steps, so that no step waits for the vectors of the
            // previous one
            let mut lowest = [D::lowest(s, &self.fg[0]), D::lowest(s, &self.fg[1])];
            for _ in 0..count / R {
                // after as many steps as there are vectors, each vector is in its original place again
                for _ in 0..R {
                    self.step(s, &mut lowest);
                }
            }
            let zero = D::Lowest::from_bits(Word(s), [0; 2]);
            lowest = [zero; 2];
            optimization_barrier(&lowest);
            left -= count;
        }
    }

    #[inline(always)]
    fn erase<S: Slices>(&mut self, s: S)
    where
        D: SlicedCoefficients<S>,
    {
        let zero = [[D::from_bits(s, [s.splat(0); 2]); R]; 2];
        *self = Self { delta: 0, fg: zero, vr: zero };
        optimization_barrier(self);
    }

    #[inline(always)]
    fn step<S: Slices>(&mut self, s: S, lowest: &mut [D::Lowest; 2])
    where
        D: SlicedCoefficients<S>,
    {
        let [nonzero, negative] =
            D::Lowest::ratio(Word(s), lowest[0], lowest[1]).map(|bit| ct::mask((bit & 1).wrapping_neg()));
        let swap = update_delta(nonzero, &mut self.delta);
        *lowest = D::Lowest::combine(Word(s), lowest[0], lowest[1], &Control { nonzero, negative, swap });
        lowest[1] = lowest[1].down(Word(s));
        let control = Control { nonzero: s.mask(nonzero), negative: s.splat(negative), swap: s.mask(swap) };
        // each vector is written to its place after the division of g by x and the multiplication of v by x
        let [f, g] = &mut self.fg;
        let first;
        [f[0], first] = D::combine(s, f[0], g[0], &control);
        for i in 1..R {
            [f[i], g[i - 1]] = D::combine(s, f[i], g[i], &control);
        }
        g[R - 1] = first.down(s);
        let [v, r] = &mut self.vr;
        let last = v[R - 1].up(s);
        for i in (1..R).rev() {
            [v[i], r[i]] = D::combine(s, v[i - 1], r[i], &control);
        }
        [v[0], r[0]] = D::combine(s, last, r[0], &control);
    }
}

/// Loads the vectors of a polynomial: lane l of vector r is word R·l + r.
#[inline(always)]
fn load<S: Slices, D: SlicedCoefficients<S>, const R: usize>(s: S, planes: &Planes) -> [D; R] {
    let mut vectors = [D::from_bits(s, [s.splat(0); 2]); R];
    for (r, vector) in vectors.iter_mut().enumerate() {
        let mut bits = [s.splat(0); 2];
        for (bits, plane) in bits.iter_mut().zip(planes) {
            let mut words = [0; MAX_WORDS];
            words.iter_mut().zip(plane[r..].iter().step_by(R)).for_each(|(to, word)| *to = *word);
            *bits = s.load_words(&words[..S::WORDS]);
            secret::erase(&mut words);
        }
        *vector = D::from_bits(s, bits);
    }
    vectors
}

/// Slices coefficients into their lower and upper bits: the bits of coefficient i go to bit ⌊i/words⌋ of word i
/// mod words.
#[inline(always)]
fn slice(words: usize, digits: &[u16], planes: &mut Planes) {
    *planes = ZERO;
    let [low, high] = planes;
    for (bit, digits) in digits.chunks(words).enumerate() {
        for ((low, high), digit) in low.iter_mut().zip(&mut *high).zip(digits) {
            *low |= u64::from(digit & 1) << bit;
            *high |= u64::from(digit >> 1) << bit;
        }
    }
}

/// Reverses [`slice`].
#[inline(always)]
fn unslice(words: usize, [low, high]: &Planes, digits: &mut [u16]) {
    for (bit, digits) in digits.chunks_exact_mut(words).take(64).enumerate() {
        for ((low, high), digit) in low.iter().zip(high).zip(digits) {
            *digit = (low >> bit & 1) as u16 + 2 * (high >> bit & 1) as u16;
        }
    }
}
