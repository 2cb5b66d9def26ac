//! The functions S2_inverse, S3_inverse and Sq_inverse of NTRU round 3.
//!
//! 2 and 3 are primitive roots modulo n, so S/2 and S/3 are fields, and divsteps compute inverses in them.
//! Modulo q, Newton's iteration lifts the inverse modulo 2. The sequence of operations is the same for all
//! inputs. Modulo 3, the inverse of zero is zero.

use crate::backend::Backend;
use crate::params::Params;
use crate::ring::{Rq, S3};
use alloc::vec::Vec;
use zeroize::{Zeroize, Zeroizing};

/// Runs S3_inverse: computes a⁻¹ modulo (3, Φₙ), reduced. All arguments and results are secret.
#[inline(always)]
pub(crate) fn s3_inverse<P: Params, B: Backend>(backend: B, a: &S3<P>) -> S3<P> {
    let mut a = Zeroizing::new(a.clone());
    a.reduce_phi();
    let mut inverse = S3::<P>::zero();
    backend.invert_mod3::<P>(&a.0, &mut inverse.0);
    inverse.reduce_phi();
    inverse
}

/// Runs Sq_inverse: lifts the inverse modulo 2 to a⁻¹ modulo (q, Φₙ). The result is not reduced modulo Φₙ.
/// All arguments and results are secret.
#[inline(always)]
pub(crate) fn sq_inverse<P: Params, B: Backend>(
    backend: B,
    workspace: &mut B::Workspace<P>,
    a: &Rq<P>,
) -> Rq<P> {
    let mut v = s2_inverse(backend, a);
    for bits in [1, 3] {
        lift(bits, &Zeroizing::new(Rq::small_product(backend, workspace, a, &v)), backend, workspace, &mut v);
    }
    const { assert!(P::LOG_Q <= 15, "log₂ q exceeds the precision after lifting from 2⁷") };
    lift(7, &Zeroizing::new(Rq::product(backend, workspace, a, &v)), backend, workspace, &mut v);
    Rq::clone(&v)
}

/// Lifts v = a⁻¹ modulo (2ᵇⁱᵗˢ, Φₙ) to 2·bits + 1 bits. `product` is a·v, whose lower 2·bits + 1 bits must be
/// correct.
///
/// With a·v = 1 + x and x = 2ᵇⁱᵗˢ·e, the result is v·(1 − x + x²), which is v − 2ᵇⁱᵗˢ·v·(e − 2ᵇⁱᵗˢ·e²). Only
/// the lowest `bits` + 1 (at most 8) bits of the product v·(e − 2ᵇⁱᵗˢ·e²) affect the result, and therefore only
/// the lowest bit of each coefficient of e².
#[inline(always)]
fn lift<P: Params, B: Backend>(
    bits: usize,
    product: &Rq<P>,
    backend: B,
    workspace: &mut B::Workspace<P>,
    v: &mut Rq<P>,
) {
    let mut e = Zeroizing::new(product.clone());
    e.0.as_mut()[0] = e.0.as_ref()[0].wrapping_sub(1);
    e.reduce_phi();
    e.0.as_mut().iter_mut().for_each(|e| *e >>= bits);
    let mut factor = Zeroizing::new(square_mod2(&e));
    factor.scale(1 << bits);
    factor.subtract_from(&e);
    let correction = Zeroizing::new(Rq::small_product(backend, workspace, v, &factor));
    for (v, correction) in v.0.as_mut().iter_mut().zip(correction.0.as_ref()) {
        *v = v.wrapping_sub(correction << bits);
    }
}

/// Computes e² modulo (2, xⁿ − 1), which equals e(x²).
#[inline(always)]
fn square_mod2<P: Params>(e: &Rq<P>) -> Rq<P> {
    let mut square = Rq::<P>::zero();
    let (even, odd) = e.0.as_ref()[..P::N].split_at(P::N.div_ceil(2));
    let (pairs, last) = square.0.as_mut()[..P::N].as_chunks_mut::<2>();
    for (pair, (even, odd)) in pairs.iter_mut().zip(even.iter().zip(odd)) {
        *pair = [even & 1, odd & 1];
    }
    last[0] = even[P::N / 2] & 1;
    square
}

/// Runs S2_inverse: computes a⁻¹ modulo (2, Φₙ). The result may be any representative of its residue class
/// with coefficients 0 and 1. All arguments and results are secret.
#[inline(always)]
fn s2_inverse<P: Params, B: Backend>(backend: B, a: &Rq<P>) -> Zeroizing<Rq<P>> {
    let mut bits = Zeroizing::new(a.clone());
    bits.reduce_phi();
    bits.0.as_mut().iter_mut().for_each(|a| *a &= 1);
    let mut inverse = Zeroizing::new(Rq::zero());
    backend.invert_mod2::<P>(&bits.0, &mut inverse.0);
    inverse
}

/// Ring elements that have inverses.
pub(crate) trait Invertible<P: Params>: Clone + Zeroize {
    /// Computes self ← a·b.
    fn set_product<B: Backend>(&mut self, backend: B, workspace: &mut B::Workspace<P>, a: &Self, b: &Self);
    /// Returns the inverse, which may be any representative of its residue class.
    fn inverse<B: Backend>(&self, backend: B, workspace: &mut B::Workspace<P>) -> Self;
}

impl<P: Params> Invertible<P> for S3<P> {
    #[inline(always)]
    fn set_product<B: Backend>(&mut self, backend: B, workspace: &mut B::Workspace<P>, a: &Self, b: &Self) {
        Self::set_product(self, backend, workspace, a, b);
    }

    #[inline(always)]
    fn inverse<B: Backend>(&self, backend: B, _: &mut B::Workspace<P>) -> Self {
        s3_inverse(backend, self)
    }
}

impl<P: Params> Invertible<P> for Rq<P> {
    #[inline(always)]
    fn set_product<B: Backend>(&mut self, backend: B, workspace: &mut B::Workspace<P>, a: &Self, b: &Self) {
        backend.multiply::<P>(workspace, &a.0, &b.0, &mut self.0);
    }

    #[inline(always)]
    fn inverse<B: Backend>(&self, backend: B, workspace: &mut B::Workspace<P>) -> Self {
        sq_inverse(backend, workspace, self)
    }
}

/// Computes the inverses of all elements from the inverse of their product, with Montgomery's trick. This
/// takes three products per element instead of an inversion. If one element has no inverse, no result is
/// correct. For the elements f and G·f of a key, the probability that this happens is 2⁻⁽ⁿ⁻¹⁾ per key. All
/// arguments and results are secret.
#[inline(always)]
pub(crate) fn invert_all<'a, P: Params, T: Invertible<P> + 'a, B: Backend>(
    backend: B,
    workspace: &mut B::Workspace<P>,
    elements: impl DoubleEndedIterator<Item = &'a T> + ExactSizeIterator + Clone,
) -> Vec<Zeroizing<T>> {
    // results[i] = a₀·…·aᵢ
    let mut results: Vec<Zeroizing<T>> = elements.clone().map(|a| Zeroizing::new(a.clone())).collect();
    for (i, a) in elements.clone().enumerate().skip(1) {
        let (before, from_i) = results.split_at_mut(i);
        from_i[0].set_product(backend, workspace, &before[i - 1], a);
    }
    let Some(all) = results.last() else { return results };
    let (mut inverse, mut next) = (&mut Zeroizing::new(all.inverse(backend, workspace)), &mut all.clone());
    // aᵢ⁻¹ = (a₀·…·aᵢ)⁻¹·a₀·…·aᵢ₋₁
    for (i, a) in elements.enumerate().rev() {
        let Some(before) = i.checked_sub(1) else { break };
        let (up_to_before, from_i) = results.split_at_mut(i);
        from_i[0].set_product(backend, workspace, inverse, &up_to_before[before]);
        next.set_product(backend, workspace, inverse, a);
        (inverse, next) = (next, inverse);
    }
    results[0].clone_from(inverse);
    results
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::portable::Portable;
    use crate::params::{Hps2048509, Hps2048677, Hps4096821, Hps40961229, Hrss701, Hrss1373};
    use grille_core::Array;
    use grille_hash::Level;

    const BACKEND: Portable = Portable { level: Level::Portable };

    /// Returns pseudorandom coefficients below `bound`. The coefficients of xⁿ⁻¹ and higher powers are zero.
    fn digits_below<P: Params>(seed: u32, bound: u32) -> P::Coefficients {
        let mut state = seed;
        P::Coefficients::from_fn(|i| {
            state = state.wrapping_mul(0x9E37_79B1).wrapping_add(12345);
            if i < P::N - 1 { ((state >> 8) % bound) as u16 } else { 0 }
        })
    }

    fn check_inverse_products<P: Params>() {
        for seed in 1..4 {
            let a = S3::<P>(digits_below::<P>(seed, 3));
            let mut one = S3::product(BACKEND, &mut (), &a, &s3_inverse(BACKEND, &a));
            one.reduce_phi();
            assert!(one.0.as_ref().iter().enumerate().all(|(i, x)| *x == u16::from(i == 0)), "{}", P::NAME);
            let a = Rq::<P>(digits_below::<P>(seed, 1 << P::LOG_Q));
            let mut one = Rq::product(BACKEND, &mut (), &a, &sq_inverse(BACKEND, &mut (), &a));
            one.reduce_phi();
            let one = one.0.as_ref()[..P::N].iter().map(|x| x & ((1 << P::LOG_Q) - 1));
            assert!(one.enumerate().all(|(i, x)| x == u16::from(i == 0)), "{}", P::NAME);
        }
        let zero = s3_inverse(BACKEND, &S3::<P>::zero());
        assert!(zero.0.as_ref().iter().all(|x| *x == 0), "{}", P::NAME);
    }

    #[test]
    fn products_with_inverses_are_one() {
        check_inverse_products::<Hps2048509>();
        check_inverse_products::<Hps2048677>();
        check_inverse_products::<Hps4096821>();
        check_inverse_products::<Hps40961229>();
        check_inverse_products::<Hrss701>();
        check_inverse_products::<Hrss1373>();
    }
}
