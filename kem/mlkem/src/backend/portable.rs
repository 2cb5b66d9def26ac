//! The kernels in plain Rust, written so that the compiler can vectorise them.

use crate::encode::{byte_decode, byte_encode, canonical, compress, decompress};
use crate::field::{
    GAMMAS, INVERSE_NTT_FACTOR, Q, R2, ZETAS, montgomery_multiply, montgomery_reduce, reduce,
};
use crate::poly::{N, NttPoly, Poly};

/// Computes the NTT. Each layer adds less than q, so after seven layers on |f| ≤ q, all values stay below 8q
/// < 2¹⁵.
#[inline(always)]
pub(crate) fn ntt(f: &Poly, f_hat: &mut NttPoly) {
    let f_hat = &mut f_hat.0;
    *f_hat = f.0;
    let mut i = 1;
    let mut len = 128;
    while len >= 2 {
        for block in f_hat.chunks_exact_mut(2 * len) {
            let (low, high) = block.split_at_mut(len);
            for (low, high) in low.iter_mut().zip(high) {
                let t = montgomery_multiply(ZETAS[i], *high);
                *high = *low - t;
                *low += t;
            }
            i += 1;
        }
        len /= 2;
    }
    f_hat.iter_mut().for_each(|f| *f = reduce(*f));
}

/// Computes the inverse NTT. In each layer, `reduce` reduces the sums, and the Montgomery product with the factor
/// reduces the differences.
#[inline(always)]
pub(crate) fn inverse_ntt(f_hat: &NttPoly, f: &mut Poly) {
    let f = &mut f.0;
    *f = f_hat.0;
    let mut i = 127;
    let mut len = 2;
    while len <= 128 {
        for block in f.chunks_exact_mut(2 * len) {
            let (low, high) = block.split_at_mut(len);
            for (low, high) in low.iter_mut().zip(high) {
                let t = *low;
                *low = reduce(t + *high);
                *high = montgomery_multiply(ZETAS[i], *high - t);
            }
            i -= 1;
        }
        len *= 2;
    }
    f.iter_mut().for_each(|f| *f = montgomery_multiply(*f, INVERSE_NTT_FACTOR));
}

/// Computes the dot product. The sum of four times two products, each below 2¹²·q/2, is below 2¹⁵·q/2.
#[inline(always)]
pub(crate) fn dot_ntt<'a>(
    a_hat: impl Iterator<Item = &'a NttPoly> + Clone,
    b_hat: &[NttPoly],
    c_hat: &mut NttPoly,
) {
    let mut sums = [0i32; N];
    for (a, b) in a_hat.zip(b_hat) {
        let pairs = a.0.chunks_exact(2).zip(b.0.chunks_exact(2)).zip(sums.chunks_exact_mut(2));
        for (((a, b), sum), gamma) in pairs.zip(GAMMAS) {
            // BaseCaseMultiply, FIPS 203 Algorithm 12
            let b1_gamma = montgomery_multiply(b[1], gamma);
            sum[0] += i32::from(a[0]) * i32::from(b[0]) + i32::from(a[1]) * i32::from(b1_gamma);
            sum[1] += i32::from(a[0]) * i32::from(b[1]) + i32::from(a[1]) * i32::from(b[0]);
        }
    }
    c_hat.0.iter_mut().zip(sums).for_each(|(c, sum)| *c = montgomery_reduce(sum));
}

#[inline(always)]
pub(crate) fn times_r_plus(f: &mut NttPoly, g: &NttPoly) {
    f.0.iter_mut().zip(&g.0).for_each(|(f, g)| *f = canonical(montgomery_multiply(*f, R2) + g));
}

#[inline(always)]
pub(crate) fn add(a: &mut [i16; N], b: &[i16; N]) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
}

#[inline(always)]
pub(crate) fn subtract_from(a: &[i16; N], b: &mut [i16; N]) {
    a.iter().zip(b).for_each(|(a, b)| *b = a - *b);
}

#[inline(always)]
pub(crate) fn make_canonical(f: &mut [i16; N]) {
    f.iter_mut().for_each(|f| *f = canonical(*f));
}

pub(crate) fn reject_uniform(bytes: &[u8], a_hat: &mut NttPoly, mut filled: usize) -> usize {
    for c in bytes.chunks_exact(3) {
        let d1 = i16::from(c[0]) | i16::from(c[1] & 0xF) << 8;
        let d2 = i16::from(c[1] >> 4) | i16::from(c[2]) << 4;
        for d in [d1, d2] {
            if d < Q && filled < N {
                a_hat.0[filled] = d;
                filled += 1;
            }
        }
    }
    filled
}

/// Subtracts, in each group of 2η bits, the number of ones in the last η bits from that in the first η bits.
#[inline(always)]
pub(crate) fn cbd<const ETA: usize>(bytes: &[u8], f: &mut Poly) {
    // η bytes hold 2η bits for each of 4 coefficients
    for (f, bytes) in f.0.chunks_exact_mut(4).zip(bytes.chunks_exact(ETA)) {
        let mut word = [0; 4];
        word[..ETA].copy_from_slice(bytes);
        let bits = u32::from_le_bytes(word);
        // the mask of the lowest bit of each group of η bits, to which the other bits of the group are added
        let lowest = if ETA == 2 { 0x5555 } else { 0x0024_9249 };
        let sums = (0..ETA).map(|i| bits >> i & lowest).sum::<u32>();
        for (i, f) in f.iter_mut().enumerate() {
            let part = |at: usize| (sums >> (ETA * at) & ((1 << ETA) - 1)) as i16;
            *f = part(2 * i) - part(2 * i + 1);
        }
    }
}

#[inline(always)]
pub(crate) fn compress_and_encode<const D: usize>(f: &[i16; N], bytes: &mut [u8]) {
    if D == 12 {
        byte_encode::<D>(f, bytes);
    } else {
        byte_encode::<D>(&f.map(compress::<D>), bytes);
    }
}

#[inline(always)]
pub(crate) fn decode_and_decompress<const D: usize>(bytes: &[u8], f: &mut [i16; N]) {
    byte_decode::<D>(bytes, f);
    if D != 12 {
        f.iter_mut().for_each(|f| *f = decompress::<D>(*f));
    }
}
