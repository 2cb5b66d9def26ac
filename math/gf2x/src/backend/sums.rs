//! The sums of Karatsuba's method. Each backend compiles this source with its own instructions.

/// Computes sum ← a + b.
#[inline(always)]
pub(super) fn add(a: &[u64], b: &[u64], sum: &mut [u64]) {
    for ((sum, a), b) in sum.iter_mut().zip(a).zip(b) {
        *sum = a ^ b;
    }
}

/// Implements [`Multiplier::join_halves`](super::Multiplier::join_halves).
#[inline(always)]
pub(super) fn join_halves(c: &mut [u64], middle: &[u64]) {
    let h = c.len() / 4;
    let (c0, rest) = c.split_at_mut(h);
    let (c1, rest) = rest.split_at_mut(h);
    let (c2, c3) = rest.split_at_mut(h);
    let (m0, m1) = middle.split_at(h);
    let (m1, c3) = (&m1[..h], &c3[..h]);
    for i in 0..h {
        let shared = c1[i] ^ c2[i];
        c1[i] = shared ^ c0[i] ^ m0[i];
        c2[i] = shared ^ c3[i] ^ m1[i];
    }
}

/// Implements [`Multiplier::join_thirds`](super::Multiplier::join_thirds).
#[inline(always)]
pub(super) fn join_thirds(c: &mut [u64], mixed: &[u64]) {
    let h = c.len() / 6;
    let [c0, c1, c2, c3, c4, c5] = sixths_mut(c, h);
    let mixed = |i: usize| &mixed[i * h..][..h];
    let (p01, p02, p12) = ([mixed(0), mixed(1)], [mixed(2), mixed(3)], [mixed(4), mixed(5)]);
    for i in 0..h {
        let (low, high) = ([c0[i], c2[i], c4[i]], [c1[i], c3[i], c5[i]]);
        let [x1_low, x2_low, x3_low] = middle_coefficients(low, [p01[0][i], p02[0][i], p12[0][i]]);
        let [x1_high, x2_high, x3_high] = middle_coefficients(high, [p01[1][i], p02[1][i], p12[1][i]]);
        c1[i] = high[0] ^ x1_low;
        c2[i] = x1_high ^ x2_low;
        c3[i] = x2_high ^ x3_low;
        c4[i] = x3_high ^ low[2];
    }
}

/// Computes the coefficients of X, X² and X³ from the products p₀, p₁, p₂ and the mixed products p₀₁, p₀₂, p₁₂. They
/// are p₀₁ − p₀ − p₁, p₀₂ − p₀ − p₂ + p₁ and p₁₂ − p₁ − p₂.
#[inline(always)]
const fn middle_coefficients([p0, p1, p2]: [u64; 3], [p01, p02, p12]: [u64; 3]) -> [u64; 3] {
    [p01 ^ p0 ^ p1, p02 ^ p0 ^ p1 ^ p2, p12 ^ p1 ^ p2]
}

/// Splits `c` into six slices of `h` words.
#[inline(always)]
fn sixths_mut(c: &mut [u64], h: usize) -> [&mut [u64]; 6] {
    let mut rest = c;
    core::array::from_fn(|_| rest.split_off_mut(..h).expect("six times h"))
}
