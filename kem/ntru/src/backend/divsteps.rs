//! Inverses modulo (2, Φₙ) and (3, Φₙ) by Bernstein's and Yang's divsteps, on polynomials in slices: vectors of one bit
//! of many coefficients.
//!
//! With f = Φₙ, g = a, v = 0, r = 1 and δ = 1, each step takes v to x·v and, with c = g₀/f₀, g to ±(g − c·f) and r to
//! ±(r − c·v), with one sign for both. Where δ > 0 and c ≠ 0, f and v become what g and r were, and δ becomes −δ. Then
//! δ grows by one, and g, of which no constant is left, is divided by x. After 2·(n − 1) − 1 steps f is constant, and
//! v/f is the inverse of xⁿ⁻²·a(1/x), reversed; as Φₙ reads the same from both ends, that is x⁻⁴·a⁻¹. All steps are the
//! same, whatever a is; of zero the inverse is zero.

use super::lowest::{Word, known, lowest_bits};
use crate::params::Params;
use grille_core::{ct, secret};
use zeroize::optimization_barrier;

/// What the vectors of a level do with bits. The coefficient of xⁱ stands in word i modulo the number of words that a
/// polynomial has, so that times x is nearly a permutation of words.
pub(super) trait Slices: Copy {
    /// A vector.
    type V: Copy;
    /// All bits of a vector, or none.
    type Mask: Copy;
    /// Words of 64 bits in a vector.
    const WORDS: usize;

    /// From as many words.
    fn load_words(self, words: &[u64]) -> Self::V;
    /// To as many words.
    fn store_words(self, words: &mut [u64], v: Self::V);
    /// The same word everywhere.
    fn splat(self, word: u64) -> Self::V;
    /// The first word.
    fn first(self, v: Self::V) -> u64;
    /// Each word goes to the place of the next, and the last, one bit up, to that of the first.
    fn up(self, v: Self::V) -> Self::V;
    /// Each word goes to the place of the one before, and the first, one bit down, to that of the last.
    fn down(self, v: Self::V) -> Self::V;
    /// a ⊕ b.
    fn xor(self, a: Self::V, b: Self::V) -> Self::V;
    /// a ∧ b.
    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    /// a ∧ ¬b.
    fn and_not(self, a: Self::V, b: Self::V) -> Self::V;

    /// The same word, but the compiler does not know that: it would put pairs of words into vectors at each step.
    #[inline(always)]
    fn opaque(self, word: u64) -> u64 {
        ct::opaque(word)
    }

    /// From all bits of a word, or none.
    fn mask(self, word: u64) -> Self::Mask;
    /// v or zero.
    fn masked(self, mask: Self::Mask, v: Self::V) -> Self::V;

    /// a, or b if the mask is set.
    #[inline(always)]
    fn select(self, mask: Self::Mask, a: Self::V, b: Self::V) -> Self::V {
        self.xor(a, self.masked(mask, self.xor(a, b)))
    }

    /// a, or a ⊕ b if the mask is set.
    #[inline(always)]
    fn xor_masked(self, mask: Self::Mask, a: Self::V, b: Self::V) -> Self::V {
        self.xor(a, self.masked(mask, b))
    }

    /// a, or a + b if the mask is set, of trits: of each which are not zero, of a which are negative; `differ`: where
    /// the signs do.
    #[inline(always)]
    fn sum_masked(
        self,
        mask: Self::Mask,
        [a, negative]: [Self::V; 2],
        b: Self::V,
        differ: Self::V,
    ) -> [Self::V; 2] {
        // the sign is that of the one that is not zero, and of two with the same sign the other one
        let b = self.masked(mask, b);
        let changes = self.and(b, self.xor(differ, a));
        [self.xor(a, self.and_not(b, self.and(a, changes))), self.xor(negative, changes)]
    }
}

/// Some coefficients of a polynomial: a vector of each of their bits.
trait Digits<S: Slices>: Copy {
    /// Such coefficients in words.
    type Lowest: Digits<Word<S>>;

    /// The lowest coefficients of a polynomial, as many as [`known`] says.
    fn lowest<const R: usize>(s: S, polynomial: &[Self; R]) -> Self::Lowest;
    /// From the lower and the upper bits of digits.
    fn from_bits(s: S, bits: [S::V; 2]) -> Self;
    /// The lower and the upper bits after multiplication by the first digit of another.
    fn times_first_of(self, s: S, other: Self) -> [S::V; 2];
    /// Of the first digits f₀ ≠ 0 and g₀, in the lowest bits: whether g₀ ≠ 0; if so, whether −g₀/f₀ is −1.
    fn ratio(s: S, f: Self, g: Self) -> [u64; 2];
    /// What f and g become, but for the division by x.
    fn combined(s: S, f: Self, g: Self, control: &Control<S>) -> [Self; 2];
    /// See [`Slices::up`].
    fn up(self, s: S) -> Self;
    /// See [`Slices::down`].
    fn down(self, s: S) -> Self;
}

/// What a step does, as masks.
struct Control<S: Slices> {
    /// c ≠ 0.
    nonzero: S::Mask,
    /// −c is −1; anything where c is zero.
    negative: S::V,
    /// f becomes what g was.
    swap: S::Mask,
}

/// Trits.
#[derive(Clone, Copy)]
struct Trits<V> {
    /// Which are not zero.
    nonzero: V,
    /// Which are −1; anything for those that are zero.
    negative: V,
}

impl<S: Slices> Digits<S> for Trits<S::V> {
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
    fn times_first_of(self, s: S, other: Self) -> [S::V; 2] {
        let sign = s.splat((s.first(other.negative) & 1).wrapping_neg());
        let negative = s.xor(self.negative, sign);
        [s.and_not(self.nonzero, negative), s.and(self.nonzero, negative)]
    }

    #[inline(always)]
    fn ratio(s: S, f: Self, g: Self) -> [u64; 2] {
        [s.first(g.nonzero), !s.first(s.xor(f.negative, g.negative))]
    }

    #[inline(always)]
    fn combined(s: S, f: Self, g: Self, control: &Control<S>) -> [Self; 2] {
        let next_f = Self {
            nonzero: s.select(control.swap, f.nonzero, g.nonzero),
            negative: s.select(control.swap, f.negative, g.negative),
        };
        // g + (−c)·f
        let differ = s.xor(s.xor(f.negative, g.negative), control.negative);
        let [nonzero, negative] = s.sum_masked(control.nonzero, [g.nonzero, g.negative], f.nonzero, differ);
        let next_g = Self { nonzero, negative };
        [next_f, next_g]
    }

    #[inline(always)]
    fn up(self, s: S) -> Self {
        Self { nonzero: s.up(self.nonzero), negative: s.up(self.negative) }
    }

    #[inline(always)]
    fn down(self, s: S) -> Self {
        Self { nonzero: s.down(self.nonzero), negative: s.down(self.negative) }
    }
}

/// Bits.
#[derive(Clone, Copy)]
struct Bits<V>(V);

impl<S: Slices> Digits<S> for Bits<S::V> {
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
    fn times_first_of(self, s: S, _: Self) -> [S::V; 2] {
        [self.0, s.splat(0)]
    }

    #[inline(always)]
    fn ratio(s: S, _: Self, g: Self) -> [u64; 2] {
        [s.first(g.0), 0]
    }

    #[inline(always)]
    fn combined(s: S, f: Self, g: Self, control: &Control<S>) -> [Self; 2] {
        [Self(s.select(control.swap, f.0, g.0)), Self(s.xor_masked(control.nonzero, g.0, f.0))]
    }

    #[inline(always)]
    fn up(self, s: S) -> Self {
        Self(s.up(self.0))
    }

    #[inline(always)]
    fn down(self, s: S) -> Self {
        Self(s.down(self.0))
    }
}

/// The inverse of a modulo (3, Φₙ), any representative; digits 0, 1 and 2, and no xⁿ⁻¹ in `a`.
#[inline(always)]
pub(super) fn invert_mod3<P: Params, S: Slices>(s: S, a: &P::Coefficients, inverse: &mut P::Coefficients) {
    invert::<P, S, Trits<S::V>>(s, a.as_ref(), inverse.as_mut());
}

/// The same modulo (2, Φₙ), with digits 0 and 1.
#[inline(always)]
pub(super) fn invert_mod2<P: Params, S: Slices>(s: S, a: &P::Coefficients, inverse: &mut P::Coefficients) {
    invert::<P, S, Bits<S::V>>(s, a.as_ref(), inverse.as_mut());
}

/// The same with the fewest vectors that hold n digits.
#[inline(always)]
fn invert<P: Params, S: Slices, D: Digits<S>>(s: S, a: &[u16], inverse: &mut [u16]) {
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

/// The words of a bit of all coefficients, at most.
const MAX_WORDS: usize = 24;
/// The lower and the upper bits of a polynomial.
type Planes = [[u64; MAX_WORDS]; 2];
/// Of zero.
const ZERO: Planes = [[0; MAX_WORDS]; 2];

/// The same with `R` vectors for each bit of a polynomial.
#[inline(always)]
fn invert_in<S: Slices, D: Digits<S>, const R: usize>(s: S, n: usize, a: &[u16], inverse: &mut [u16]) {
    let words = const { R * S::WORDS };
    let mut planes = ZERO;
    // Φₙ: n ones
    for (w, word) in planes[0][..words].iter_mut().enumerate() {
        *word = u64::MAX >> (64 - (n - w).div_ceil(words));
    }
    let f: [D; R] = load(s, &planes);
    slice(words, &a[..n], &mut planes);
    // each step beyond the last takes v to x·v
    let steps = 2 * (n - 1) - 1;
    let beyond = steps.next_multiple_of(R) - steps;
    assert!(n + beyond <= 64 * words);
    let mut state = State::new(s, f, load(s, &planes));
    state.run(s, steps + beyond);
    for r in 0..R {
        let bits = state.vr[0][r].times_first_of(s, state.fg[0][0]);
        for (plane, bits) in planes.iter_mut().zip(bits) {
            let mut vector = [0; MAX_WORDS];
            s.store_words(&mut vector[..S::WORDS], bits);
            plane[r..].iter_mut().step_by(R).zip(&vector[..S::WORDS]).for_each(|(to, word)| *to = *word);
            secret::erase(&mut vector);
        }
    }
    state.erase(s);
    // times x⁴
    let mut digits = [0; 64 * MAX_WORDS];
    unslice(words, &planes, &mut digits);
    let v = &digits[beyond..][..n];
    inverse[4..n].copy_from_slice(&v[..n - 4]);
    inverse[..4].copy_from_slice(&v[n - 4..]);
    secret::erase(&mut digits);
    secret::erase(planes.as_flattened_mut());
}

/// Whether f and g change places in a step, as a mask, and δ after it. `nonzero`: a mask of whether g has a lowest digit.
#[inline(always)]
pub(super) fn exchange(nonzero: u64, delta: &mut i64) -> u64 {
    let swap = nonzero & ct::mask((-*delta >> 63).cast_unsigned());
    *delta = (*delta ^ swap.cast_signed()) - swap.cast_signed() + 1;
    swap
}

/// δ, f and g, v and r. Secret.
struct State<D, const R: usize> {
    delta: i64,
    fg: [[D; R]; 2],
    vr: [[D; R]; 2],
}

impl<D, const R: usize> State<D, R> {
    /// Before the first step.
    #[inline(always)]
    fn new<S: Slices>(s: S, f: [D; R], g: [D; R]) -> Self
    where
        D: Digits<S>,
    {
        let mut one = ZERO;
        one[0][0] = 1;
        let zero = [D::from_bits(s, [s.splat(0); 2]); R];
        Self { delta: 1, fg: [f, g], vr: [zero, load(s, &one)] }
    }

    /// So many steps, a multiple of `R`.
    #[inline(always)]
    fn run<S: Slices>(&mut self, s: S, steps: usize)
    where
        D: Digits<S>,
    {
        let mut left = steps;
        while left > 0 {
            let count = left.min(const { known(R * S::WORDS) });
            // what decides about so many steps, so that no step waits for the vectors of the one before
            let mut lowest = [D::lowest(s, &self.fg[0]), D::lowest(s, &self.fg[1])];
            for _ in 0..count / R {
                // after as many steps as there are vectors each is in its place again
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
        D: Digits<S>,
    {
        let zero = [[D::from_bits(s, [s.splat(0); 2]); R]; 2];
        *self = Self { delta: 0, fg: zero, vr: zero };
        optimization_barrier(self);
    }

    #[inline(always)]
    fn step<S: Slices>(&mut self, s: S, lowest: &mut [D::Lowest; 2])
    where
        D: Digits<S>,
    {
        let [nonzero, negative] =
            D::Lowest::ratio(Word(s), lowest[0], lowest[1]).map(|bit| (bit & 1).wrapping_neg());
        let swap = exchange(nonzero, &mut self.delta);
        *lowest = D::Lowest::combined(Word(s), lowest[0], lowest[1], &Control { nonzero, negative, swap });
        lowest[1] = lowest[1].down(Word(s));
        let control = Control { nonzero: s.mask(nonzero), negative: s.splat(negative), swap: s.mask(swap) };
        // each vector is written where it belongs after the division of g by x and the product of x and v
        let [f, g] = &mut self.fg;
        let first;
        [f[0], first] = D::combined(s, f[0], g[0], &control);
        for i in 1..R {
            [f[i], g[i - 1]] = D::combined(s, f[i], g[i], &control);
        }
        g[R - 1] = first.down(s);
        let [v, r] = &mut self.vr;
        let last = v[R - 1].up(s);
        for i in (1..R).rev() {
            [v[i], r[i]] = D::combined(s, v[i - 1], r[i], &control);
        }
        [v[0], r[0]] = D::combined(s, last, r[0], &control);
    }
}

/// The vectors of a polynomial: lane l of vector r has word R·l + r.
#[inline(always)]
fn load<S: Slices, D: Digits<S>, const R: usize>(s: S, planes: &Planes) -> [D; R] {
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

/// Digits to their lower and upper bits: that of index i to bit ⌊i/words⌋ of word i mod words.
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

/// The inverse of [`slice`].
#[inline(always)]
fn unslice(words: usize, [low, high]: &Planes, digits: &mut [u16]) {
    for (bit, digits) in digits.chunks_exact_mut(words).take(64).enumerate() {
        for ((low, high), digit) in low.iter().zip(high).zip(digits) {
            *digit = (low >> bit & 1) as u16 + 2 * (high >> bit & 1) as u16;
        }
    }
}
