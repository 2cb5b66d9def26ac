//! Ternary, Ternary_Plus and Fixed_Type of NTRU round 3, section 1.10.

use crate::backend::Backend;
use crate::coefficient::mod3;
use crate::params::Params;
use crate::ring::S3;
use grille_core::{Array, ct, secret};

/// Computes v ← Ternary: one coefficient from each byte, modulo 3. All arguments and results are secret.
#[inline(always)]
pub(crate) fn ternary<P: Params>(bytes: &[u8], v: &mut S3<P>) {
    v.0.as_mut()[..P::N - 1].iter_mut().zip(bytes).for_each(|(v, byte)| *v = mod3(u16::from(*byte)));
}

/// Computes v ← Ternary_Plus: like [`ternary`], but changes the signs of the even coefficients so that Σ
/// vᵢ·vᵢ₊₁ is not negative. All arguments and results are secret.
#[inline(always)]
pub(crate) fn ternary_plus<P: Params>(bytes: &[u8], v: &mut S3<P>) {
    ternary(bytes, v);
    // if t < 0, s is −1, which exchanges 1 and 2
    let negative = ct::opaque((correlation(v) >> 15) as u16);
    for v in v.0.as_mut().iter_mut().step_by(2) {
        let nonzero = ct::mask((*v | *v >> 1) & 1);
        *v ^= negative & (3 * nonzero);
    }
}

/// Computes Σ vᵢ·vᵢ₊₁. All arguments and results are secret.
#[inline(always)]
pub(crate) fn correlation<P: Params>(v: &S3<P>) -> i16 {
    v.0.as_ref().windows(2).fold(0, |t, pair| t + sign(pair[0]) * sign(pair[1]))
}

/// Maps 0, 1 and 2 to 0, 1 and −1.
#[inline(always)]
const fn sign(v: u16) -> i16 {
    (v & 1) as i16 - (v >> 1) as i16
}

/// Computes v ← Fixed_Type: q/16 − 1 coefficients are 1 and as many are −1. Sorting by a random number of 30
/// bits per coefficient determines their positions. All arguments and results are secret.
#[inline(always)]
pub(crate) fn fixed_type<P: Params, B: Backend>(backend: B, bytes: &[u8], v: &mut S3<P>) {
    let mut keys = Keys::<P>(P::SortKeys::from_fn(|_| i32::MAX));
    // computes 2²·Σ 2ʲ·b₃₀ᵢ₊ⱼ, plus 1 or 2 for the first coefficients
    backend.read_sort_keys(bytes, (1 << P::LOG_Q) / 16 - 1, &mut keys.0.as_mut()[..P::N - 1]);
    backend.sort_signs(keys.0.as_mut(), &mut v.0.as_mut()[..P::N - 1]);
    secret::erase(keys.0.as_mut());
}

/// Sorting keys, aligned for vector loads.
#[repr(C, align(64))]
struct Keys<P: Params>(P::SortKeys);
