//! The kernels in plain Rust.

use crate::mq::{INVERSE_ZETAS, ZETAS, mul, reduce};

/// Computes the layers of the NTT; see [`ntt`](super::ntt()).
pub(super) fn ntt(a: &mut [i16]) {
    let (mut blocks, mut half) = (1, a.len() / 2);
    while half > 0 {
        for (block, zeta) in a.chunks_exact_mut(2 * half).zip(&ZETAS[blocks..]) {
            let (low, high) = block.split_at_mut(half);
            for (x, y) in low.iter_mut().zip(high) {
                let (reduced, product) = (reduce(*x), mul(*zeta, *y));
                (*x, *y) = (reduced + product, reduced - product);
            }
        }
        (blocks, half) = (2 * blocks, half / 2);
    }
}

/// Computes the layers of the inverse NTT; see [`inverse_ntt`](super::inverse_ntt).
pub(super) fn inverse_ntt(a: &mut [i16]) {
    let (mut blocks, mut half) = (a.len() / 2, 1);
    while blocks > 0 {
        for (block, zeta) in a.chunks_exact_mut(2 * half).zip(&INVERSE_ZETAS[blocks..]) {
            let (low, high) = block.split_at_mut(half);
            for (x, y) in low.iter_mut().zip(high) {
                (*x, *y) = (reduce(*x + *y), mul(*zeta, *x - *y));
            }
        }
        (blocks, half) = (blocks / 2, 2 * half);
    }
}

/// Computes the double rounds of ChaCha20; see [`chacha`](super::chacha).
pub(super) fn chacha(state: &mut [[u32; 8]; 16]) {
    for _ in 0..10 {
        for [a, b, c, d] in QUARTERS {
            for (x, y, z, rotation) in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)] {
                let addend = state[y];
                state[x].iter_mut().zip(addend).for_each(|(x, y)| *x = x.wrapping_add(y));
                let sum = state[x];
                state[z].iter_mut().zip(sum).for_each(|(z, x)| *z = (*z ^ x).rotate_left(rotation));
            }
        }
    }
}

/// The word indices of the quarter rounds: first columns, then diagonals.
const QUARTERS: [[usize; 4]; 8] = [
    [0, 4, 8, 12],
    [1, 5, 9, 13],
    [2, 6, 10, 14],
    [3, 7, 11, 15],
    [0, 5, 10, 15],
    [1, 6, 11, 12],
    [2, 7, 8, 13],
    [3, 4, 9, 14],
];
