//! Ternary, Ternary_Plus and Fixed_Type of NTRU round 3, section 1.10.

use crate::backend::Backend;
use crate::params::Params;
use crate::ring::{S3, mod3};
use grille_core::{Array, secret};

/// Ternary: one coefficient a byte, modulo 3. Secret: all.
#[inline(always)]
pub(crate) fn ternary<P: Params>(bytes: &[u8]) -> S3<P> {
    let mut v = S3::<P>::zero();
    v.0.as_mut()[..P::N - 1].iter_mut().zip(bytes).for_each(|(v, byte)| *v = mod3(u16::from(*byte)));
    v
}

/// Ternary_Plus: as [`ternary`], and Σ vᵢ·vᵢ₊₁ is not negative, by the signs of the even coefficients. Secret: all.
#[inline(always)]
pub(crate) fn ternary_plus<P: Params>(bytes: &[u8]) -> S3<P> {
    let mut v = ternary::<P>(bytes);
    let t = v.0.as_ref().windows(2).fold(0, |t: i16, pair| t + sign(pair[0]) * sign(pair[1]));
    // s = −1 if t < 0, else 1: 1 and 2 change places
    let negative = (t >> 15) as u16;
    for v in v.0.as_mut().iter_mut().step_by(2) {
        let nonzero = (*v | *v >> 1) & 1;
        *v ^= negative & (3 * nonzero);
    }
    v
}

/// 0, 1 or −1, of 0, 1 or 2.
#[inline(always)]
const fn sign(v: u16) -> i16 {
    (v & 1) as i16 - (v >> 1) as i16
}

/// Fixed_Type: q/16 − 1 coefficients are 1 and as many are −1, at places that sorting 30 random bits each gives.
/// Secret: all.
#[inline(always)]
pub(crate) fn fixed_type<P: Params, B: Backend>(backend: B, bytes: &[u8]) -> S3<P> {
    let weight = (1 << P::LOG_Q) / 8 - 2;
    let mut keys = P::SortKeys::from_fn(|_| 0);
    let a = &mut keys.as_mut()[..P::N - 1];
    // 2²·Σ 2ʲ·b₃₀ᵢ₊ⱼ
    backend.keys(bytes, a);
    a[..weight / 2].iter_mut().for_each(|a| *a |= 1);
    a[weight / 2..weight].iter_mut().for_each(|a| *a |= 2);
    backend.sort(a);
    let mut v = S3::<P>::zero();
    v.0.as_mut().iter_mut().zip(a).for_each(|(v, a)| *v = (*a & 3) as u16);
    secret::erase(keys.as_mut());
    v
}
