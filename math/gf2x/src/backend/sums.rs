//! The sums of Karatsuba's method. Each backend compiles this source with its own instructions.
//!
//! The sums are computed N words at a time. All lengths are multiples of N. These words are loaded before the result is
//! stored, so the compiler uses vector instructions without a check whether the slices overlap.

/// Computes sum ← a + b.
#[inline(always)]
pub(crate) fn add<const N: usize>(a: &[u64], b: &[u64], sum: &mut [u64]) {
    for ((sum, a), b) in words_mut::<N>(sum).iter_mut().zip(words(a)).zip(words(b)) {
        *sum = plus(a, b);
    }
}

/// Adds the middle term of a product of halves. `c` holds a₀·b₀ and a₁·b₁, `middle` holds (a₀ + a₁)·(b₀ + b₁).
#[inline(always)]
pub(crate) fn join_halves<const N: usize>(c: &mut [u64], middle: &[u64]) {
    let (low, high) = halves_mut::<N>(words_mut(c));
    let ((c0, c1), (c2, c3)) = (halves_mut(low), halves_mut(high));
    let (m0, m1) = words(middle).split_at(c0.len());
    for i in 0..c0.len() {
        let shared = plus(&c1[i], &c2[i]);
        c1[i] = plus(&plus(&shared, &c0[i]), &m0[i]);
        c2[i] = plus(&plus(&shared, &c3[i]), &m1[i]);
    }
}

/// Adds the mixed products of thirds. `c` holds a₀·b₀, a₁·b₁ and a₂·b₂, and `mixed` holds (aᵢ + aⱼ)·(bᵢ + bⱼ) for
/// ij = 01, 02, 12.
#[inline(always)]
pub(crate) fn join_thirds<const N: usize>(c: &mut [u64], mixed: &[u64]) {
    let h = c.len() / N / 6;
    let (first, rest) = words_mut::<N>(c).split_at_mut(2 * h);
    let (second, third) = halves_mut(rest);
    let ((c0, c1), (c2, c3), (c4, c5)) = (halves_mut(first), halves_mut(second), halves_mut(third));
    let mixed = |i: usize| &words(mixed)[i * h..][..h];
    let (p01, p02, p12) = ([mixed(0), mixed(1)], [mixed(2), mixed(3)], [mixed(4), mixed(5)]);
    for i in 0..h {
        let (low, high) = ([c0[i], c2[i], c4[i]], [c1[i], c3[i], c5[i]]);
        let [x1_low, x2_low, x3_low] = middle_coefficients(&low, [&p01[0][i], &p02[0][i], &p12[0][i]]);
        let [x1_high, x2_high, x3_high] = middle_coefficients(&high, [&p01[1][i], &p02[1][i], &p12[1][i]]);
        c1[i] = plus(&high[0], &x1_low);
        c2[i] = plus(&x1_high, &x2_low);
        c3[i] = plus(&x2_high, &x3_low);
        c4[i] = plus(&x3_high, &low[2]);
    }
}

/// Computes the coefficients of X, X² and X³ from the products p₀, p₁, p₂ and the mixed products p₀₁, p₀₂, p₁₂. They
/// are p₀₁ − p₀ − p₁, p₀₂ − p₀ − p₂ + p₁ and p₁₂ − p₁ − p₂.
#[inline(always)]
const fn middle_coefficients<const N: usize>(
    [p0, p1, p2]: &[[u64; N]; 3],
    [p01, p02, p12]: [&[u64; N]; 3],
) -> [[u64; N]; 3] {
    let p0_p1 = plus(p0, p1);
    [plus(p01, &p0_p1), plus(p02, &plus(&p0_p1, p2)), plus(p12, &plus(p1, p2))]
}

#[inline(always)]
const fn plus<const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    let mut sum = [0; N];
    let mut i = 0;
    while i < N {
        sum[i] = a[i] ^ b[i];
        i += 1;
    }
    sum
}

#[inline(always)]
fn words<const N: usize>(slice: &[u64]) -> &[[u64; N]] {
    slice.as_chunks().0
}

#[inline(always)]
fn words_mut<const N: usize>(slice: &mut [u64]) -> &mut [[u64; N]] {
    slice.as_chunks_mut().0
}

#[inline(always)]
fn halves_mut<const N: usize>(slice: &mut [[u64; N]]) -> (&mut [[u64; N]], &mut [[u64; N]]) {
    slice.split_at_mut(slice.len() / 2)
}
