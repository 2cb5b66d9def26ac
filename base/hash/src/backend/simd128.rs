//! Keccak with the 128-bit vectors of WebAssembly. Lane `i` of two states is in vector `i`.
//!
//! WebAssembly has no rotation of 64-bit lanes, so each takes three instructions. ρ and π run in place: they follow the
//! cycle of 24 lanes in the direction opposite to π.

use crate::keccak::ROUND_CONSTANTS;
use core::arch::wasm32::{u64x2_shl, u64x2_shr, u64x2_splat, v128, v128_andnot, v128_or, v128_xor};
use grille_cpu::Simd128;

/// Computes rot(a, `left`).
#[inline(always)]
fn rotate(a: v128, left: u32) -> v128 {
    v128_or(u64x2_shl(a, left), u64x2_shr(a, 64 - left))
}

/// Computes a ⊕ b ⊕ c ⊕ d ⊕ e.
#[inline(always)]
fn parity(a: v128, b: v128, c: v128, d: v128, e: v128) -> v128 {
    v128_xor(v128_xor(v128_xor(a, b), v128_xor(c, d)), e)
}

/// Sets lane `$to` to rot(lane `$from` ⊕ D of its column, `$left`), for each pair in the given order.
macro_rules! rotate {
    ($a:ident $d:ident, $($to:literal = $from:literal <<< $left:literal),*) => {
        $($a[$to] = rotate(v128_xor($a[$from], $d[$from % 5]), $left);)*
    };
}

/// Permutes two states. Lane `i` of state `n` is at `2 i + n`.
pub(crate) fn permute_x2(_token: Simd128, lanes: &mut [u64; 50]) {
    // SAFETY: the read covers exactly `lanes`, 25 vectors of 16 bytes, and needs no alignment.
    let mut a: [v128; 25] = unsafe { lanes.as_ptr().cast::<[v128; 25]>().read_unaligned() };
    for constant in ROUND_CONSTANTS {
        // θ: C, then D
        let c0 = parity(a[0], a[5], a[10], a[15], a[20]);
        let c1 = parity(a[1], a[6], a[11], a[16], a[21]);
        let c2 = parity(a[2], a[7], a[12], a[17], a[22]);
        let c3 = parity(a[3], a[8], a[13], a[18], a[23]);
        let c4 = parity(a[4], a[9], a[14], a[19], a[24]);
        let d = [(c4, c1), (c0, c2), (c1, c3), (c2, c4), (c3, c0)];
        let d = d.map(|(before, after)| v128_xor(before, rotate(after, 1)));
        // complete θ, then ρ and π
        a[0] = v128_xor(a[0], d[0]);
        let last = rotate(v128_xor(a[1], d[1]), 1);
        rotate!(a d, 1 = 6 <<< 44, 6 = 9 <<< 20, 9 = 22 <<< 61, 22 = 14 <<< 39, 14 = 20 <<< 18,
            20 = 2 <<< 62, 2 = 12 <<< 43, 12 = 13 <<< 25, 13 = 19 <<< 8, 19 = 23 <<< 56,
            23 = 15 <<< 41, 15 = 4 <<< 27, 4 = 24 <<< 14, 24 = 21 <<< 2, 21 = 8 <<< 55,
            8 = 16 <<< 45, 16 = 5 <<< 36, 5 = 3 <<< 28, 3 = 18 <<< 21, 18 = 17 <<< 15,
            17 = 11 <<< 10, 11 = 7 <<< 6, 7 = 10 <<< 3);
        a[10] = last;
        // χ
        for row in a.as_chunks_mut::<5>().0 {
            let [b0, b1, b2, b3, b4] = *row;
            let chi = |b, next, after| v128_xor(b, v128_andnot(after, next));
            *row = [chi(b0, b1, b2), chi(b1, b2, b3), chi(b2, b3, b4), chi(b3, b4, b0), chi(b4, b0, b1)];
        }
        // ι
        a[0] = v128_xor(a[0], u64x2_splat(constant));
    }
    // SAFETY: the write covers exactly `lanes`, 25 vectors of 16 bytes, and needs no alignment.
    unsafe { lanes.as_mut_ptr().cast::<[v128; 25]>().write_unaligned(a) }
}
