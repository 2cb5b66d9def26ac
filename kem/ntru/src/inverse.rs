//! S2_inverse, S3_inverse and Sq_inverse of NTRU round 3.
//!
//! 2 and 3 are primitive roots modulo n, so S/2 and S/3 are fields of pⁿ⁻¹ elements, and a power inverts (Itoh and
//! Tsujii): with a₍ₖ₎ = a^(1 + p + … + pᵏ⁻¹), a₍ⱼ₊ₖ₎ = a₍ⱼ₎^(pᵏ)·a₍ₖ₎. Raising to the power pᵏ moves coefficients:
//! that of xⁱ goes to x^(i·pᵏ). Everything is the same for all inputs; zero has the inverse zero.
//! Differs from the submission, whose divisions are Euclid's; the results are the same. The constant-time Euclid of
//! Bernstein and Yang takes 2·n steps of n digits each; a chain of twelve products is fewer instructions, and the
//! more so the faster the products are.

use crate::backend::Backend;
use crate::binary::S2;
use crate::params::Params;
use crate::ring::{Rq, S3, mod3};
use alloc::vec::Vec;
use zeroize::{Zeroize, Zeroizing};

/// The longest addition chain, with its beginning.
const MAX_CHAIN: usize = 14;

/// S3_inverse: a⁻¹ modulo (3, Φₙ), reduced. Secret: all.
#[inline(always)]
pub(crate) fn s3_inverse<P: Params, B: Backend>(backend: B, a: &S3<P>) -> S3<P> {
    let norm = along_chain::<P, _>(a, |a: &S3<P>, k, b: &S3<P>| {
        let power = Zeroizing::new(frobenius_3(backend, k, a));
        S3::product(backend, &power, b)
    });
    // a₍ₙ₋₁₎ = a·a₍ₙ₋₂₎³ is an element of F₃, and so ±1: a⁻¹ = a₍ₙ₋₁₎·a₍ₙ₋₂₎³
    let mut inverse = frobenius_3(backend, 1, &norm);
    let sign = constant_of_product(a, &inverse);
    inverse.0.as_mut().iter_mut().for_each(|x| *x = mod3(*x * sign));
    inverse.reduce_phi();
    inverse
}

/// The constant coefficient of a·b modulo (3, Φₙ).
#[inline(always)]
fn constant_of_product<P: Params>(a: &S3<P>, b: &S3<P>) -> u16 {
    let mut reversed = Zeroizing::new(S3::<P>(b.0.clone()));
    let reversed = &mut reversed.0.as_mut()[..P::N];
    reversed.reverse();
    let (a, b) = (&a.0.as_ref()[..P::N], b.0.as_ref());
    // Σ aᵢ·b₋ᵢ − Σ aᵢ·bₙ₋₁₋ᵢ
    let constant = a[0] * b[0] + dot(&a[1..], reversed);
    let last = dot(a, reversed);
    mod3(mod3(constant) + 2 * mod3(last))
}

/// Σ aᵢ·bᵢ of trits, as far as both go: below 4·n.
#[inline(always)]
fn dot(a: &[u16], b: &[u16]) -> u16 {
    a.iter().zip(b).fold(0, |sum, (a, b)| sum + a * b)
}

/// Sq_inverse: a⁻¹ modulo (q, Φₙ), any representative, from the inverse modulo 2. Secret: all.
#[inline(always)]
pub(crate) fn sq_inverse<P: Params, B: Backend>(backend: B, a: &Rq<P>) -> Rq<P> {
    let mut v = s2_inverse(backend, a);
    for bits in [1, 2, 4] {
        lift(bits, &Zeroizing::new(Rq::small_product(backend, a, &v)), backend, &mut v);
    }
    const { assert!(P::LOG_Q <= 16, "what lifting from 2⁸ gives") };
    lift(8, &Zeroizing::new(Rq::product(backend, a, &v)), backend, &mut v);
    Rq::clone(&v)
}

/// From v = a⁻¹ modulo (2ᵇⁱᵗˢ, Φₙ) to twice as many bits; `product` is a·v, of which as many must be right.
///
/// With a·v = 1 + 2ᵇⁱᵗˢ·e it is v − 2ᵇⁱᵗˢ·v·e, where no more than `bits` ≤ 8 bits of v·e count.
#[inline(always)]
fn lift<P: Params, B: Backend>(bits: usize, product: &Rq<P>, backend: B, v: &mut Rq<P>) {
    let mut e = Zeroizing::new(product.clone());
    e.0.as_mut()[0] = e.0.as_ref()[0].wrapping_sub(1);
    e.reduce_phi();
    e.0.as_mut().iter_mut().for_each(|e| *e >>= bits);
    let correction = Zeroizing::new(Rq::small_product(backend, v, &e));
    for (v, correction) in v.0.as_mut().iter_mut().zip(correction.0.as_ref()) {
        *v = v.wrapping_sub(correction << bits);
    }
}

/// S2_inverse: a⁻¹ modulo (2, Φₙ), any representative with coefficients 0 and 1. Secret: all.
#[inline(always)]
fn s2_inverse<P: Params, B: Backend>(backend: B, a: &Rq<P>) -> Zeroizing<Rq<P>> {
    let a = Zeroizing::new(S2::from_rq(a));
    let norm = along_chain::<P, _>(&*a, |a: &S2<P>, k, b: &S2<P>| {
        let power = Zeroizing::new(a.permuted(backend, inverse_power::<P>(2, k)));
        S2::product(backend, &power, b)
    });
    // a⁻¹ = a^(2ⁿ⁻¹ − 2) = a₍ₙ₋₂₎²
    let inverse = Zeroizing::new(norm.permuted(backend, inverse_power::<P>(2, 1)));
    Zeroizing::new(inverse.to_rq())
}

/// Elements of a ring, and their inverses.
pub(crate) trait Invertible: Clone + Zeroize {
    /// self·b.
    fn times<B: Backend>(&self, backend: B, b: &Self) -> Self;
    /// The inverse, any representative.
    fn inverse<B: Backend>(&self, backend: B) -> Self;
}

impl<P: Params> Invertible for S3<P> {
    #[inline(always)]
    fn times<B: Backend>(&self, backend: B, b: &Self) -> Self {
        Self::product(backend, self, b)
    }

    #[inline(always)]
    fn inverse<B: Backend>(&self, backend: B) -> Self {
        s3_inverse(backend, self)
    }
}

impl<P: Params> Invertible for Rq<P> {
    #[inline(always)]
    fn times<B: Backend>(&self, backend: B, b: &Self) -> Self {
        Self::product(backend, self, b)
    }

    #[inline(always)]
    fn inverse<B: Backend>(&self, backend: B) -> Self {
        sq_inverse(backend, self)
    }
}

/// The inverses of all, from that of their product: Montgomery's trick. Three products each instead of an inversion.
/// If one has none, no result is right; of f and G·f that happens once in 2ⁿ⁻¹ keys. Secret: all.
#[inline(always)]
pub(crate) fn invert_all<'a, T: Invertible + 'a, B: Backend>(
    backend: B,
    elements: impl DoubleEndedIterator<Item = &'a T> + ExactSizeIterator + Clone,
) -> Vec<Zeroizing<T>> {
    // results[i] = a₀·…·aᵢ
    let mut results: Vec<Zeroizing<T>> = Vec::with_capacity(elements.len());
    for a in elements.clone() {
        let product = results.last().map_or_else(|| a.clone(), |before| before.times(backend, a));
        results.push(Zeroizing::new(product));
    }
    let Some(all) = results.last() else { return results };
    let mut inverse = Zeroizing::new(all.inverse(backend));
    // aᵢ⁻¹ = (a₀·…·aᵢ)⁻¹·a₀·…·aᵢ₋₁
    for (i, a) in elements.enumerate().rev() {
        let Some(before) = i.checked_sub(1) else { break };
        results[i] = Zeroizing::new(inverse.times(backend, &results[before]));
        inverse = Zeroizing::new(inverse.times(backend, a));
    }
    results[0] = inverse;
    results
}

/// a₍ₙ₋₂₎ along the addition chain; `step(a₍ⱼ₎, k, a₍ₖ₎)` is a₍ⱼ₊ₖ₎.
#[inline(always)]
fn along_chain<P: Params, T: Clone + Zeroize>(a: &T, step: impl Fn(&T, usize, &T) -> T) -> Zeroizing<T> {
    let mut powers: [Zeroizing<T>; MAX_CHAIN] = core::array::from_fn(|_| Zeroizing::new(a.clone()));
    let mut exponents = [1; MAX_CHAIN];
    for (i, &with) in P::CHAIN.iter().enumerate() {
        powers[i + 1] = Zeroizing::new(step(&powers[i], exponents[with], &powers[with]));
        exponents[i + 1] = exponents[i] + exponents[with];
    }
    powers[P::CHAIN.len()].clone()
}

/// a^(3ᵏ) modulo 3: the coefficient of xⁱ becomes that of x^(i·3ᵏ).
#[inline(always)]
fn frobenius_3<P: Params, B: Backend>(backend: B, k: usize, a: &S3<P>) -> S3<P> {
    let mut power = S3::<P>::zero();
    backend.permute_trits::<P>(inverse_power::<P>(3, k), &a.0, &mut power.0);
    power
}

/// p⁻ᵏ modulo n: pᵏ moves to the coefficient of xⁱ that of this power of xⁱ.
#[inline(always)]
fn inverse_power<P: Params>(p: usize, k: usize) -> usize {
    // p⁻¹ is (n + 1)/2 for 2; for 3, (n + 1)/3, as n is 2 modulo 3, or (2n + 1)/3
    let inverse = if (P::N + 1).is_multiple_of(p) { (P::N + 1) / p } else { (2 * P::N + 1) / p };
    let (mut power, mut square, mut rest) = (1, inverse, k);
    while rest > 0 {
        if !rest.is_multiple_of(2) {
            power = power * square % P::N;
        }
        square = square * square % P::N;
        rest /= 2;
    }
    power
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::portable::Portable;
    use crate::params::{Hps2048509, Hps2048677, Hps4096821, Hps40961229, Hrss701, Hrss1373};
    use grille_core::Array;
    use grille_hash::Level;

    const BACKEND: Portable = Portable { level: Level::Portable };

    /// Digits below `bound`, up to that of xⁿ⁻².
    fn some<P: Params>(seed: u32, bound: u32) -> P::Coefficients {
        let mut state = seed;
        P::Coefficients::from_fn(|i| {
            state = state.wrapping_mul(0x9E37_79B1).wrapping_add(12345);
            if i < P::N - 1 { ((state >> 8) % bound) as u16 } else { 0 }
        })
    }

    fn products_with_inverses_are_1<P: Params>() {
        for seed in 1..4 {
            let a = S3::<P>(some::<P>(seed, 3));
            let mut one = S3::product(BACKEND, &a, &s3_inverse(BACKEND, &a));
            one.reduce_phi();
            assert!(one.0.as_ref().iter().enumerate().all(|(i, x)| *x == u16::from(i == 0)), "{}", P::NAME);
            let a = Rq::<P>(some::<P>(seed, 1 << P::LOG_Q));
            let mut one = Rq::product(BACKEND, &a, &sq_inverse(BACKEND, &a));
            one.reduce_phi();
            let one = one.0.as_ref()[..P::N].iter().map(|x| x & ((1 << P::LOG_Q) - 1));
            assert!(one.enumerate().all(|(i, x)| x == u16::from(i == 0)), "{}", P::NAME);
        }
        let zero = s3_inverse(BACKEND, &S3::<P>::zero());
        assert!(zero.0.as_ref().iter().all(|x| *x == 0), "{}", P::NAME);
    }

    #[test]
    fn an_element_times_its_inverse_is_1() {
        products_with_inverses_are_1::<Hps2048509>();
        products_with_inverses_are_1::<Hps2048677>();
        products_with_inverses_are_1::<Hps4096821>();
        products_with_inverses_are_1::<Hps40961229>();
        products_with_inverses_are_1::<Hrss701>();
        products_with_inverses_are_1::<Hrss1373>();
    }
}
