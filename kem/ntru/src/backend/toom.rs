//! Seven products of a fourth of the length, with the transposed Toom–Cook algorithm at the points 0, 1, −1,
//! 2, −2, ½ and ∞.
//!
//! Let E be the matrix of the powers 0 to 3 of the points, and let I be the inverse of the matrix of their
//! powers 0 to 6. Then out = Eᵀ·((Iᵀ·D) ∘ (E·w)). The denominators of I divide 8·45, so everything is
//! multiplied by eight, and the result is divided by eight.

use super::hankel::Lanes;
use crate::coefficient::inverse_mod_q;

/// Returns a/c for odd c.
#[inline(always)]
const fn divide_odd(a: i16, c: u16) -> i16 {
    a.wrapping_mul(inverse_mod_q(c) as i16)
}

/// Computes 8·Iᵀ·(d₀ … d₆).
#[inline(always)]
pub(super) fn transform_matrix<L: Lanes>(l: L, [d0, d1, d2, d3, d4, d5, d6]: [L::V; 7]) -> [L::V; 7] {
    // computes the common terms of 1 and −1, of 2 and −2, and of 0 and ∞
    let of_1 = l.times(const { divide_odd(4, 3) }, l.sub(l.times(4, d2), d4));
    let of_2 = l.times(const { divide_odd(1, 3) }, l.sub(d4, d2));
    let of_0 = l.sub(l.times(20, d3), l.times(4, l.add(d5, l.times(4, d1))));
    let even_0 = l.add(l.sub(l.times(4, d0), l.times(5, d2)), d4);
    let even_infinity = l.add(l.sub(l.times(4, d2), l.times(5, d4)), d6);
    let odd_1 = l.sub(l.times(12, d3), l.times(const { divide_odd(8, 3) }, l.add(l.times(2, d1), d5)));
    let odd_minus_1 = l.sub(l.times(2, d5), l.add(l.times(4, d1), l.times(7, d3)));
    let odd_half = l.add(l.sub(l.times(4, d1), l.times(5, d3)), d5);
    [
        l.add(of_0, l.times(2, even_0)),
        l.add(of_1, odd_1),
        l.add(of_1, l.times(const { divide_odd(4, 9) }, odd_minus_1)),
        l.add(of_2, l.times(const { divide_odd(2, 9) }, l.add(l.sub(d1, l.times(2, d3)), d5))),
        l.add(of_2, l.times(const { divide_odd(2, 15) }, l.sub(d1, d5))),
        l.times(const { divide_odd(4, 45) }, odd_half),
        l.add(of_0, l.times(8, even_infinity)),
    ]
}

/// Computes E·(w₀ … w₃).
#[inline(always)]
pub(super) fn transform_vector<L: Lanes>(l: L, [w0, w1, w2, w3]: [L::V; 4]) -> [L::V; 7] {
    let (even, odd) = (l.add(w0, w2), l.add(w1, w3));
    let (even_2, odd_2) = (l.add(w0, l.times(4, w2)), l.times(2, l.add(w1, l.times(4, w3))));
    let half = l.add(l.times(4, l.add(l.times(2, w0), w1)), l.add(l.times(2, w2), w3));
    [w0, l.add(even, odd), l.sub(even, odd), l.add(even_2, odd_2), l.sub(even_2, odd_2), half, w3]
}

/// Computes Eᵀ·(p₀ … p₆)/8. The division loses the upper three bits.
#[inline(always)]
pub(super) fn transform_result<L: Lanes>(l: L, [p0, p1, m1, p2, m2, half, infinity]: [L::V; 7]) -> [L::V; 4] {
    let (sum_1, difference_1) = (l.add(p1, m1), l.sub(p1, m1));
    let (sum_2, difference_2) = (l.add(p2, m2), l.sub(p2, m2));
    [
        l.divide_by_8(l.add(l.add(p0, sum_1), l.add(sum_2, l.times(8, half)))),
        l.divide_by_8(l.add(difference_1, l.times(2, l.add(difference_2, l.times(2, half))))),
        l.divide_by_8(l.add(sum_1, l.times(2, l.add(half, l.times(2, sum_2))))),
        l.divide_by_8(l.add(l.add(difference_1, l.times(8, difference_2)), l.add(half, infinity))),
    ]
}
