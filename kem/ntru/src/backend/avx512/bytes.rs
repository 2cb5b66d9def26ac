//! Products of polynomials with small coefficients. A coefficient is stored in one byte, and the processor
//! computes dot products of four bytes.
//!
//! As in [`hankel`](crate::backend::hankel), outᵢ = Σₖ dᵢ₊ₖ·wₖ. Karatsuba's method splits the product in halves
//! twice, which gives nine products of a fourth of the length. The dot-product instruction treats one factor as
//! unsigned, so wₖ is aₙ₋₁₋ₖ + 2 instead of aₙ₋₁₋ₖ. Each outᵢ therefore exceeds the coefficient of the product
//! by twice the sum of b.

use super::product::{erase, load};
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

/// Checks whether [`multiply`] is faster than the product of arbitrary coefficients. For n = 821 it is not, because
/// each fourth would have to be padded to 64·4 bytes.
pub(super) const fn is_fastest(n: usize) -> bool {
    !matches!(n, 769..=1024)
}

/// Implements [`Backend::multiply_small`](crate::backend::Backend::multiply_small). In `a`, `b` and `c`, the
/// elements with index n or above are zero.
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vnni,bmi1,bmi2,popcnt"
)]
pub(super) fn multiply(n: usize, space: &mut [MaybeUninit<u8>], a: &[u16], b: &[u16], c: &mut [u16]) {
    match n {
        ..=512 => multiply_in::<2, 8832>(n, space, a, b, c),
        513..=768 => multiply_in::<3, 12480>(n, space, a, b, c),
        1025..=1280 => multiply_in::<5, 19776>(n, space, a, b, c),
        1281..=1536 => multiply_in::<6, 23424>(n, space, a, b, c),
        _ => unreachable!("no set for which this is best has n = {n}"),
    }
}

/// Multiplies with fourths of 64·`R` numbers, in `SPACE` bytes of memory.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vnni")]
fn multiply_in<const R: usize, const SPACE: usize>(
    n: usize,
    space: &mut [MaybeUninit<u8>],
    a: &[u16],
    b: &[u16],
    c: &mut [u16],
) {
    const { assert!(SPACE == 57 * 64 * R + 2 * 64 + BEFORE_A + 9 * 2 * ZEROES) };
    let quarter = 64 * R;
    let space = &mut space[..SPACE];
    erase(space);
    // SAFETY: all bytes are zero.
    let zeroes = unsafe { space.assume_init_mut() };
    let (bytes_of_b, rest) = zeroes.split_at_mut(8 * quarter + 2 * 64);
    let (bytes_of_a, rest) = rest.split_at_mut(4 * quarter + BEFORE_A);
    let (w, rest) = rest.split_at_mut(9 * (quarter + 2 * ZEROES));
    let (d, products) = rest.split_at_mut(9 * 2 * quarter);
    let sum = write_twice(n, b, bytes_of_b);
    write_plus_two(n, a, bytes_of_a);
    combine_w::<R>(n, bytes_of_a, w);
    // computes dₛ = b₍ₛ₊₁₎
    combine_d::<R>(&bytes_of_b[1..], d);
    let operands = d.chunks_exact(2 * quarter).zip(w.chunks_exact(quarter + 2 * ZEROES));
    for ((d, w), product) in operands.zip(products.chunks_exact_mut(2 * quarter)) {
        multiply_unsplit::<R>(d, w, product);
    }
    combine_products::<R>(n, sum, products, c);
}

/// The number of zeroes before and after each combination of parts of w.
const ZEROES: usize = 64;
/// The number of zeroes before a. They follow a after its reversal, because 4·64·R may exceed n.
const BEFORE_A: usize = 256;

/// Loads 64 bytes from the start of a slice.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_bytes(from: &[u8]) -> __m512i {
    let from: &[u8; 64] = from.first_chunk().expect("64 bytes");
    // SAFETY: the reference is valid for 64 bytes; the load needs no alignment.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

/// Stores 64 bytes to the start of a slice.
#[inline]
#[target_feature(enable = "avx512f")]
fn store_bytes(to: &mut [u8], v: __m512i) {
    let to: &mut [u8; 64] = to.first_chunk_mut().expect("64 bytes");
    // SAFETY: the reference is valid for 64 bytes; the store needs no alignment.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), v) }
}

/// Returns the lower bytes of 64 numbers.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn narrow(low: __m512i, high: __m512i) -> __m512i {
    let [low, high] = [low, high].map(|v| _mm512_cvtepi16_epi8(v));
    _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
}

/// Writes the bytes of b twice: at index 0 and at index n. Returns twice the sum of b.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn write_twice(n: usize, b: &[u16], bytes: &mut [u8]) -> u16 {
    let mut sum = _mm512_setzero_si512();
    for (i, b) in b.as_chunks::<64>().0.iter().enumerate() {
        let [low, high] = [0, 32].map(|at| load(b[at..].first_chunk().expect("32 of 64")));
        sum = _mm512_add_epi16(sum, _mm512_add_epi16(low, high));
        store_bytes(&mut bytes[64 * i..], narrow(low, high));
    }
    for i in 0..b.len() / 64 {
        let again = load_bytes(&bytes[64 * i..]);
        store_bytes(&mut bytes[n + 64 * i..], again);
    }
    // adds the sums of each pair, modulo 2¹⁶
    let pairs = _mm512_add_epi32(sum, _mm512_srli_epi32::<16>(sum));
    (_mm512_reduce_add_epi32(pairs) as u16).wrapping_mul(2)
}

/// Writes aᵢ + 2 for each i < n, one byte each, starting at index [`BEFORE_A`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn write_plus_two(n: usize, a: &[u16], bytes: &mut [u8]) {
    let two = _mm512_set1_epi8(2);
    for (i, a) in a.as_chunks::<64>().0.iter().enumerate() {
        let [low, high] = [0, 32].map(|at| load(a[at..].first_chunk().expect("32 of 64")));
        let present = u64::MAX >> (64 - (n - 64 * i).min(64));
        let raised = _mm512_maskz_add_epi8(present, narrow(low, high), two);
        store_bytes(&mut bytes[BEFORE_A + 64 * i..], raised);
    }
}

/// Writes the nine combinations of the fourths w₀ to w₃ of the reversed a, each between zeroes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn combine_w<const R: usize>(n: usize, bytes_of_a: &[u8], w: &mut [u8]) {
    for t in 0..R {
        let part = |i: usize| {
            let end = BEFORE_A + n - 64 * (R * i + t);
            reverse(load_bytes(&bytes_of_a[end - 64..]))
        };
        let parts = [part(0), part(1), part(2), part(3)];
        let low_and_high = [_mm512_add_epi8(parts[0], parts[2]), _mm512_add_epi8(parts[1], parts[3])];
        let halves = [[parts[0], parts[1]], low_and_high, [parts[2], parts[3]]];
        for (x, [low, high]) in halves.into_iter().enumerate() {
            for (y, v) in [low, _mm512_add_epi8(low, high), high].into_iter().enumerate() {
                let start = (3 * x + y) * (64 * R + 2 * ZEROES) + ZEROES;
                store_bytes(&mut w[start + 64 * t..], v);
            }
        }
    }
}

/// Reverses the order of the bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn reverse(a: __m512i) -> __m512i {
    const INDEXES: [u8; 64] = {
        let (mut indices, mut i) = ([0; 64], 0);
        while i < 64 {
            indices[i] = 63 - i as u8;
            i += 1;
        }
        indices
    };
    _mm512_permutexvar_epi8(load_bytes(&INDEXES), a)
}

/// Splits d into eight parts of 64·`R` bytes, and writes the left operands of the nine products. Each operand
/// consists of two combinations of these parts.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn combine_d<const R: usize>(bytes_of_d: &[u8], d: &mut [u8]) {
    let sub = |a, b| _mm512_sub_epi8(a, b);
    for t in 0..R {
        let part = |i: usize| load_bytes(&bytes_of_d[64 * (R * i + t)..]);
        let parts: [__m512i; 8] = core::array::from_fn(part);
        let [d0, d1, d2, d3, d4, d5, d6, d7] = parts;
        let halves = [
            [sub(d0, d2), sub(d1, d3), sub(d2, d4), sub(d3, d5)],
            [d2, d3, d4, d5],
            [sub(d4, d2), sub(d5, d3), sub(d6, d4), sub(d7, d5)],
        ];
        for (x, [e0, e1, e2, e3]) in halves.into_iter().enumerate() {
            let combined = [[sub(e0, e1), sub(e1, e2)], [e1, e2], [sub(e2, e1), sub(e3, e2)]];
            for (y, pair) in combined.into_iter().enumerate() {
                for (i, v) in pair.into_iter().enumerate() {
                    store_bytes(&mut d[64 * (((3 * x + y) * 2 + i) * R + t)..], v);
                }
            }
        }
    }
}

/// Computes outᵢ = Σₖ dᵢ₊ₖ·wₖ for i and k below 64·`R`, as two bytes each. Zeroes precede and follow w.
///
/// Lane l of `sums[p]` computes row 4·l + p as a sum of dot products of four entries. The entries of d start at
/// multiples of four, and those of w start `p` entries before multiples of four.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn multiply_unsplit<const R: usize>(d: &[u8], w: &[u8], out: &mut [u8]) {
    assert!(d.len() == 128 * R && w.len() == 64 * R + 2 * ZEROES && out.len() == 128 * R);
    // SAFETY: 64 bytes starting at i are within the slice for i up to 64·(2·R − 1).
    let window = |i: usize| unsafe { _mm512_loadu_si512(d.as_ptr().add(i).cast()) };
    // SAFETY: the 4 bytes starting at i − p are in w or in the zeroes around it, for i up to 64·R and p up to
    // 3.
    let quad = |i: usize, p: usize| unsafe {
        _mm512_set1_epi32(w.as_ptr().add(ZEROES + i - p).cast::<i32>().read_unaligned())
    };
    let mut sums = [[_mm512_setzero_si512(); 4]; R];
    for i in 0..16 {
        for column in 0..R {
            for p in 0..4 {
                let quad = quad(64 * column + 4 * i, p);
                for (row, sums) in sums.iter_mut().enumerate() {
                    sums[p] = _mm512_dpbusd_epi32(sums[p], quad, window(64 * (row + column) + 4 * i));
                }
            }
        }
    }
    for p in 1..4 {
        let quad = quad(64 * R, p);
        for (row, sums) in sums.iter_mut().enumerate() {
            sums[p] = _mm512_dpbusd_epi32(sums[p], quad, window(64 * (R + row)));
        }
    }
    for (sums, out) in sums.into_iter().zip(out.chunks_exact_mut(128)) {
        // lane l holds the rows 4·l and 4·l + 1 in one vector, and the rows 4·l + 2 and 4·l + 3 in another
        let pair = |low, high| _mm512_mask_blend_epi16(0xAAAA_AAAA, low, _mm512_slli_epi32::<16>(high));
        let (first, second) = (pair(sums[0], sums[1]), pair(sums[2], sums[3]));
        let lanes = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        let upper = _mm512_add_epi32(lanes, _mm512_set1_epi32(8));
        store_bytes(out, _mm512_permutex2var_epi32(first, lanes, second));
        store_bytes(&mut out[64..], _mm512_permutex2var_epi32(first, upper, second));
    }
}

/// Computes c from the nine products. Subtracts `sum` from each coefficient, which is too large by this number.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn combine_products<const R: usize>(n: usize, sum: u16, products: &[u8], c: &mut [u16]) {
    let excess = _mm512_set1_epi16(sum.cast_signed());
    let add = |a, b| _mm512_add_epi16(a, b);
    for t in 0..2 * R {
        let product = |i: usize| load_bytes(&products[64 * (2 * R * i + t)..]);
        let half = |x: usize| {
            let middle = product(3 * x + 1);
            [add(product(3 * x), middle), add(middle, product(3 * x + 2))]
        };
        let [[l0, l1], [m0, m1], [h0, h1]] = [half(0), half(1), half(2)];
        let quarters = [add(l0, m0), add(l1, m1), add(m0, h0), add(m1, h1)];
        for (i, v) in quarters.into_iter().enumerate() {
            let start = 32 * (2 * R * i + t);
            if start >= n {
                continue;
            }
            let present = u32::MAX >> (32 - (n - start).min(32));
            let to = c[start..].first_chunk_mut::<32>().expect("padded to a multiple of 64");
            // SAFETY: the reference is valid for 64 bytes; the store needs no alignment.
            unsafe {
                _mm512_storeu_si512(to.as_mut_ptr().cast(), _mm512_maskz_sub_epi16(present, v, excess));
            }
        }
    }
}
