//! The permutation in plain Rust, for any number of states.

use crate::keccak::{RHO, ROUND_CONSTANTS, States};

#[inline]
pub(crate) fn permute<const N: usize>(states: &mut States<N>) {
    for n in 0..N {
        let mut state = states.map(|lane| lane[n]);
        for constant in ROUND_CONSTANTS {
            round(&mut state, constant);
        }
        for (lanes, lane) in states.iter_mut().zip(state) {
            lanes[n] = lane;
        }
    }
}

/// Computes Rnd = ι ∘ χ ∘ π ∘ ρ ∘ θ, FIPS 202 section 3.3.
#[inline(always)]
fn round(a: &mut [u64; 25], constant: u64) {
    // θ
    let c: [u64; 5] = core::array::from_fn(|x| a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20]);
    let d: [u64; 5] = core::array::from_fn(|x| c[(x + 4) % 5] ^ c[(x + 1) % 5].rotate_left(1));
    // ρ and π: b[y, 2x + 3y] = rot(a[x, y])
    let mut b = [0; 25];
    for y in 0..5 {
        for x in 0..5 {
            b[y + 5 * ((2 * x + 3 * y) % 5)] = (a[x + 5 * y] ^ d[x]).rotate_left(RHO[x + 5 * y]);
        }
    }
    // χ
    for y in 0..5 {
        for x in 0..5 {
            a[x + 5 * y] = b[x + 5 * y] ^ (!b[(x + 1) % 5 + 5 * y] & b[(x + 2) % 5 + 5 * y]);
        }
    }
    // ι
    a[0] ^= constant;
}
