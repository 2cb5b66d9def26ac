//! Rounding and hints, FIPS 204 section 7.4, one coefficient at a time and without division.
//!
//! Deviation from the standard: `make_hint` takes decomposed values.

use crate::field::Q;
use grille_core::ct;

/// The constant d, the number of dropped bits of t, FIPS 204 Table 1.
pub(crate) const D: u32 = 13;

/// The constant (q − 1)/88, which is γ2 of the sets of category 2.
pub(crate) const GAMMA2_88: i32 = (Q - 1) / 88;

/// The constant (q − 1)/32, which is γ2 of the sets of categories 3 and 5.
pub(crate) const GAMMA2_32: i32 = (Q - 1) / 32;

/// Computes Power2Round, FIPS 204 Algorithm 35: (r1, r0) with r = r1·2ᵈ + r0 and r0 in (−2ᵈ⁻¹, 2ᵈ⁻¹].
///
/// The argument `r` is in [0, q).
#[inline(always)]
pub(crate) const fn power2round(r: i32) -> (i32, i32) {
    let r1 = (r + (1 << (D - 1)) - 1) >> D;
    (r1, r - (r1 << D))
}

/// Computes Decompose, FIPS 204 Algorithm 36: (r1, r0) with r = r1·2γ2 + r0 mod q and |r0| ≤ γ2.
///
/// The argument `r` is in [0, q). The results are in [0, (q − 1)/2γ2) and in [−γ2, γ2].
#[inline(always)]
pub(crate) const fn decompose(gamma2: i32, r: i32) -> (i32, i32) {
    let r1 = high_part(gamma2, r);
    // the exception in the standard: r1 = (q − 1)/2γ2 becomes 0, and r0 decreases by one
    let wraps = ct::mask((last_high_part(gamma2) - r1) >> 31);
    let r0 = r - r1 * 2 * gamma2;
    (r1 & !wraps, r0 + wraps)
}

/// The number of low bits that [`decompose`] drops from the dividend. 2γ2 is divisible by 128.
pub(crate) const HIGH_PART_SHIFT: u32 = 7;

/// Returns 1/(2γ2/128) as a multiple of 2⁻²⁴.
#[inline(always)]
pub(crate) const fn high_part_factor(gamma2: i32) -> i32 {
    (1 << 24) / ((2 * gamma2) >> HIGH_PART_SHIFT)
}
const _: () = assert!(high_part_factor(GAMMA2_88) == 11275 && high_part_factor(GAMMA2_32) == 4100);

/// Returns the largest r1 that is not wrapped to 0: (q − 1)/2γ2 − 1.
#[inline(always)]
pub(crate) const fn last_high_part(gamma2: i32) -> i32 {
    (Q - 1) / (2 * gamma2) - 1
}

/// Computes r/2γ2, rounded, with halves rounded down. The tests check that the reciprocal is precise enough
/// for every r.
#[inline(always)]
const fn high_part(gamma2: i32, r: i32) -> i32 {
    let r = (r + 127) >> HIGH_PART_SHIFT;
    // bounds: r ≤ 65472, the factor is at most 11275, the sum is below 2³⁰
    (r * high_part_factor(gamma2) + (1 << 23)) >> 24
}

/// Computes MakeHint, FIPS 204 Algorithm 39. Returns 1 if adding ct0 changes the high bits of w − cs2, else
/// 0.
///
/// `r0` is w0 − cs2 + ct0, where w0 = LowBits(w), with |r0| < 2γ2. `w1` is HighBits(w). It equals HighBits(w
/// − cs2), because the caller has checked that |w0 − cs2| < γ2 − β.
#[inline(always)]
pub(crate) const fn make_hint(gamma2: i32, r0: i32, w1: i32) -> i32 {
    // the hint is 1 if r0 > γ2, if r0 < −γ2, or if r0 = −γ2 is not the representative, which means w1 ≠ 0
    let above = ct::mask((gamma2 - r0) >> 31) & 1;
    let below = ct::mask((gamma2 + r0) >> 31) & 1;
    let lowest = ct::mask(((r0 + gamma2) | -(r0 + gamma2)) >> 31) + 1;
    let w1_is_not_zero = ct::mask(-w1 >> 31) & 1;
    above | below | (lowest & w1_is_not_zero)
}

/// Computes UseHint, FIPS 204 Algorithm 40: the high bits of `r`, corrected by the hint `h` (0 or 1).
///
/// The argument `r` is in [0, q). The code has no branches, although all data is public.
#[inline(always)]
pub(crate) const fn use_hint(gamma2: i32, h: i32, r: i32) -> i32 {
    let (r1, r0) = decompose(gamma2, r);
    // +1 if r0 > 0, else −1
    let step = 2 * ((-r0 >> 31) & 1) - 1;
    let last = last_high_part(gamma2);
    let moved = r1 + (h * step);
    // reduces modulo m, which is `last` + 1
    let wrapped = moved + ((moved >> 31) & (last + 1));
    wrapped & !((last - wrapped) >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computes Algorithm 36 with the standard's own division.
    fn decompose_by_division(gamma2: i32, r: i32) -> (i32, i32) {
        let mut r0 = r % (2 * gamma2);
        if r0 > gamma2 {
            r0 -= 2 * gamma2;
        }
        if r - r0 == Q - 1 { (0, r0 - 1) } else { ((r - r0) / (2 * gamma2), r0) }
    }

    #[test]
    fn power2round_is_exact_everywhere() {
        for r in 0..Q {
            let (r1, r0) = power2round(r);
            assert_eq!(r, r1 * (1 << D) + r0);
            assert!((-(1 << (D - 1)) + 1..=1 << (D - 1)).contains(&r0));
            assert!((0..1 << 10).contains(&r1));
        }
    }

    #[test]
    fn decompose_matches_the_standard_everywhere() {
        for gamma2 in [GAMMA2_88, GAMMA2_32] {
            for r in 0..Q {
                assert_eq!(decompose(gamma2, r), decompose_by_division(gamma2, r), "{r}");
            }
        }
    }

    #[test]
    fn hint_restores_high_bits_everywhere() {
        for gamma2 in [GAMMA2_88, GAMMA2_32] {
            for r in (0..Q).step_by(61).chain(Q - 2 * gamma2..Q).chain(0..2 * gamma2) {
                for z in [0, 1, -1, gamma2, -gamma2, gamma2 / 2, -gamma2 / 3] {
                    // h = MakeHint(z, r) as printed in Algorithm 39; then UseHint(h, r) = HighBits(r + z)
                    let moved = decompose_by_division(gamma2, (r + z).rem_euclid(Q)).0;
                    let h = i32::from(decompose_by_division(gamma2, r).0 != moved);
                    assert_eq!(use_hint(gamma2, h, r), moved, "r = {r}, z = {z}");
                }
            }
        }
    }

    #[test]
    fn make_hint_matches_the_standard_where_signing_uses_it() {
        for gamma2 in [GAMMA2_88, GAMMA2_32] {
            let beta = 196;
            for w in (0..Q).step_by(10_007).chain(Q - 2000..Q).chain(0..2000) {
                let (w1, w0) = decompose(gamma2, w);
                for cs2 in [-195, -78, 0, 1, 120, 195] {
                    if (w0 - cs2).abs() >= gamma2 - beta {
                        continue;
                    }
                    let r0 = w0 - cs2;
                    let edges = [gamma2 - r0, -gamma2 - r0].into_iter().flat_map(|e| e - 2..=e + 2);
                    for ct0 in edges.chain([0, 1, -1, 4096, -4096]).filter(|ct0| ct0.abs() < gamma2) {
                        // h = MakeHint(−ct0, w − cs2 + ct0)
                        let r = (w - cs2 + ct0).rem_euclid(Q);
                        let v = (w - cs2).rem_euclid(Q);
                        let h = decompose_by_division(gamma2, r).0 != decompose_by_division(gamma2, v).0;
                        assert_eq!(
                            make_hint(gamma2, r0 + ct0, w1),
                            i32::from(h),
                            "w {w} cs2 {cs2} ct0 {ct0}"
                        );
                    }
                }
            }
        }
    }
}
