//! Keccak with Advanced SIMD. Lane `i` of two states is in vector `i`, which takes 25 of the 32 registers.
//!
//! The same source is compiled with and without FEAT_SHA3. Without it, some operations take two or three
//! instructions instead of one. ρ and π run in place: they follow the cycle of 24 lanes in the direction
//! opposite to π.

use crate::keccak::ROUND_CONSTANTS;
use core::arch::aarch64::*;
use grille_cpu::{Neon, NeonSha3};

/// The five operations of a round without FEAT_SHA3.
mod plain {
    use core::arch::aarch64::*;

    /// Computes a ⊕ b ⊕ c.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn eor3(a: uint64x2_t, b: uint64x2_t, c: uint64x2_t) -> uint64x2_t {
        veorq_u64(veorq_u64(a, b), c)
    }

    /// Computes a ⊕ rot(b, 1).
    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn rax1(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        veorq_u64(a, vsriq_n_u64::<63>(vshlq_n_u64::<1>(b), b))
    }

    /// Computes rot(a ⊕ b, LEFT), with RIGHT = 64 − LEFT.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn xar<const LEFT: i32, const RIGHT: i32>(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        let c = veorq_u64(a, b);
        vsriq_n_u64::<RIGHT>(vshlq_n_u64::<LEFT>(c), c)
    }

    /// Computes a ⊕ (b ∧ ¬c).
    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn bcax(a: uint64x2_t, b: uint64x2_t, c: uint64x2_t) -> uint64x2_t {
        veorq_u64(a, vbicq_u64(b, c))
    }
}

/// The five operations of a round with FEAT_SHA3.
mod sha3 {
    use core::arch::aarch64::*;

    #[inline]
    #[target_feature(enable = "neon,sha3")]
    pub(super) fn eor3(a: uint64x2_t, b: uint64x2_t, c: uint64x2_t) -> uint64x2_t {
        veor3q_u64(a, b, c)
    }

    #[inline]
    #[target_feature(enable = "neon,sha3")]
    pub(super) fn rax1(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        vrax1q_u64(a, b)
    }

    #[inline]
    #[target_feature(enable = "neon,sha3")]
    pub(super) fn xar<const LEFT: i32, const RIGHT: i32>(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        vxarq_u64::<RIGHT>(a, b)
    }

    #[inline]
    #[target_feature(enable = "neon,sha3")]
    pub(super) fn bcax(a: uint64x2_t, b: uint64x2_t, c: uint64x2_t) -> uint64x2_t {
        vbcaxq_u64(a, b, c)
    }
}

/// Sets lane `$to` to rot(lane `$from` ⊕ D of its column, `$left`), for each pair in the given order.
macro_rules! rotate {
    ($a:ident $d:ident, $($to:literal = $from:literal <<< $left:literal),*) => {
        $($a[$to] = xar::<$left, { 64 - $left }>($a[$from], $d[$from % 5]);)*
    };
}

/// Defines all 24 rounds as `$name`, with the operations of module `$ops` and the instructions `$features`.
macro_rules! kernel {
    ($name:ident, $ops:ident, $features:literal) => {
        #[target_feature(enable = $features)]
        fn $name(lanes: &mut [u64; 50]) {
            use $ops::{bcax, eor3, rax1, xar};
            // SAFETY: the read covers exactly `lanes`, 25 vectors of 16 bytes.
            let mut a: [uint64x2_t; 25] = unsafe { lanes.as_ptr().cast::<[uint64x2_t; 25]>().read_unaligned() };
            for constant in ROUND_CONSTANTS {
                // θ: C, then D
                let c0 = eor3(eor3(a[0], a[5], a[10]), a[15], a[20]);
                let c1 = eor3(eor3(a[1], a[6], a[11]), a[16], a[21]);
                let c2 = eor3(eor3(a[2], a[7], a[12]), a[17], a[22]);
                let c3 = eor3(eor3(a[3], a[8], a[13]), a[18], a[23]);
                let c4 = eor3(eor3(a[4], a[9], a[14]), a[19], a[24]);
                let d = [rax1(c4, c1), rax1(c0, c2), rax1(c1, c3), rax1(c2, c4), rax1(c3, c0)];
                // complete θ, then ρ and π
                a[0] = veorq_u64(a[0], d[0]);
                let last = xar::<1, 63>(a[1], d[1]);
                rotate!(a d, 1 = 6 <<< 44, 6 = 9 <<< 20, 9 = 22 <<< 61, 22 = 14 <<< 39, 14 = 20 <<< 18,
                    20 = 2 <<< 62, 2 = 12 <<< 43, 12 = 13 <<< 25, 13 = 19 <<< 8, 19 = 23 <<< 56,
                    23 = 15 <<< 41, 15 = 4 <<< 27, 4 = 24 <<< 14, 24 = 21 <<< 2, 21 = 8 <<< 55,
                    8 = 16 <<< 45, 16 = 5 <<< 36, 5 = 3 <<< 28, 3 = 18 <<< 21, 18 = 17 <<< 15,
                    17 = 11 <<< 10, 11 = 7 <<< 6, 7 = 10 <<< 3);
                a[10] = last;
                // χ
                let mut y = 0;
                while y < 25 {
                    let [b0, b1, b2, b3, b4] = [a[y], a[y + 1], a[y + 2], a[y + 3], a[y + 4]];
                    a[y] = bcax(b0, b2, b1);
                    a[y + 1] = bcax(b1, b3, b2);
                    a[y + 2] = bcax(b2, b4, b3);
                    a[y + 3] = bcax(b3, b0, b4);
                    a[y + 4] = bcax(b4, b1, b0);
                    y += 5;
                }
                // ι
                a[0] = veorq_u64(a[0], vdupq_n_u64(constant));
            }
            // SAFETY: the write covers exactly `lanes`, 25 vectors of 16 bytes.
            unsafe { lanes.as_mut_ptr().cast::<[uint64x2_t; 25]>().write_unaligned(a) }
        }
    };
}

kernel!(rounds, plain, "neon");
kernel!(rounds_sha3, sha3, "neon,sha3");

/// Permutes two states. Lane `i` of state `n` is at `2 i + n`.
pub(crate) fn permute_x2(_token: Neon, lanes: &mut [u64; 50]) {
    // SAFETY: the token proves NEON.
    unsafe { rounds(lanes) }
}

/// Permutes two states with FEAT_SHA3.
pub(crate) fn permute_x2_sha3(_token: NeonSha3, lanes: &mut [u64; 50]) {
    // SAFETY: the token proves FEAT_SHA3, which implies NEON.
    unsafe { rounds_sha3(lanes) }
}
