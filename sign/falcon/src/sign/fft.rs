//! The FFT of real polynomials modulo xⁿ + 1, Falcon section 3.5, and operations on its images.
//!
//! An image consists of the n/2 values at the roots in the upper half plane, in bit-reversed order. The real
//! parts come first, then the imaginary parts. The image of a self-adjoint polynomial has real values, and
//! only these are stored.

use super::flr::{Number, Real};
use core::ops::{Add, Mul, Neg, Sub};

/// The real numbers that the FFT computes with: doubles or fixed-point numbers.
pub(crate) trait FftReal:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
    /// The type of a factor for all lanes.
    type Factor: Copy;

    /// Returns the roots starting at index `first`; see [`root`].
    fn roots(first: usize) -> impl Iterator<Item = Complex<Self::Factor>>;

    /// Returns the same factor in all lanes. `self` only determines the type, and its existence proves that
    /// the processor supports this type.
    fn broadcast(self, factor: Self::Factor) -> Self;

    /// Computes x/2^times.
    fn halve(self, times: u32) -> Self;
}

impl<R: Number> FftReal for R {
    type Factor = R::Scalar;

    #[inline(always)]
    fn roots(first: usize) -> impl Iterator<Item = Complex<R::Scalar>> {
        let parts = COSINES[first..].iter().zip(&ROOT_SINES[first..]);
        parts.map(|(re, im)| Complex { re: R::Scalar::from_bits(*re), im: R::Scalar::from_bits(*im) })
    }

    #[inline(always)]
    fn broadcast(self, factor: R::Scalar) -> Self {
        self.splat(factor)
    }

    #[inline(always)]
    fn halve(self, times: u32) -> Self {
        self * self.splat(R::Scalar::from_bits(1f64.to_bits() - (u64::from(times) << 52)))
    }
}

/// A complex number.
#[derive(Clone, Copy)]
pub(crate) struct Complex<R> {
    pub(crate) re: R,
    pub(crate) im: R,
}

impl<R: Number> Complex<R> {
    #[inline(always)]
    pub(crate) fn half(self) -> Self {
        Self::new(self.re.half(), self.im.half())
    }
}

impl<R: FftReal> Complex<R> {
    #[inline(always)]
    pub(crate) fn new(re: R, im: R) -> Self {
        Self { re, im }
    }

    /// Returns the same number in all lanes. `self` only determines the type, and its existence proves that
    /// the processor supports this type.
    #[inline(always)]
    pub(crate) fn broadcast(self, x: Complex<R::Factor>) -> Self {
        Self::new(self.re.broadcast(x.re), self.im.broadcast(x.im))
    }

    #[inline(always)]
    pub(crate) fn add(self, other: Self) -> Self {
        Self::new(self.re + other.re, self.im + other.im)
    }

    #[inline(always)]
    pub(crate) fn sub(self, other: Self) -> Self {
        Self::new(self.re - other.re, self.im - other.im)
    }

    #[inline(always)]
    pub(crate) fn mul(self, other: Self) -> Self {
        Self::new(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)
    }

    #[inline(always)]
    pub(crate) fn conjugate(self) -> Self {
        Self::new(self.re, -self.im)
    }

    /// Computes |x|².
    #[inline(always)]
    pub(crate) fn norm(self) -> R {
        self.re * self.re + self.im * self.im
    }

    #[inline(always)]
    pub(crate) fn scale(self, factor: R) -> Self {
        Self::new(self.re * factor, self.im * factor)
    }
}

/// Returns the value with index `i` of an image.
#[inline(always)]
pub(crate) fn value<R: FftReal>(image: &[R], i: usize) -> Complex<R> {
    Complex::new(image[i], image[i + image.len() / 2])
}

/// Sets the value with index `i` of an image.
#[inline(always)]
pub(crate) fn set_value<R: FftReal>(image: &mut [R], i: usize, value: Complex<R>) {
    let half = image.len() / 2;
    image[i] = value.re;
    image[i + half] = value.im;
}

/// Computes the FFT in place.
#[inline(always)]
pub(crate) fn fft<R: FftReal>(f: &mut [R]) {
    let (re, im) = f.split_at_mut(f.len() / 2);
    let (mut blocks, mut half) = (1, re.len() / 2);
    while half > 0 {
        layer::<R, false>(re, im, blocks, half);
        (blocks, half) = (2 * blocks, half / 2);
    }
}

/// Computes the inverse of [`fft`].
#[inline(always)]
pub(crate) fn inverse_fft<R: FftReal>(f: &mut [R]) {
    let n = f.len();
    // dividing by n/2 first prevents overflow of sums
    f.iter_mut().for_each(|f| *f = f.halve(n.ilog2() - 1));
    let (re, im) = f.split_at_mut(n / 2);
    let (mut blocks, mut half) = (n / 4, 1);
    while blocks > 0 {
        layer::<R, true>(re, im, blocks, half);
        (blocks, half) = (blocks / 2, 2 * half);
    }
}

/// Computes a layer of the FFT or of its inverse, with `blocks` blocks and `half` values in each half of a block.
#[inline(always)]
fn layer<R: FftReal, const INVERSE: bool>(re: &mut [R], im: &mut [R], blocks: usize, half: usize) {
    match half {
        1 => short_blocks::<R, 2, INVERSE>(re, im, blocks),
        2 => short_blocks::<R, 4, INVERSE>(re, im, blocks),
        4 => short_blocks::<R, 8, INVERSE>(re, im, blocks),
        _ => {
            let each = re.chunks_exact_mut(2 * half).zip(im.chunks_exact_mut(2 * half));
            for ((re, im), root) in each.zip(R::roots(2 * blocks)) {
                butterflies::<R, INVERSE>(re, im, root);
            }
        }
    }
}

/// Computes a layer of short blocks, whose length must be a constant to allow vectorisation.
#[inline(always)]
fn short_blocks<R: FftReal, const BLOCK: usize, const INVERSE: bool>(
    re: &mut [R],
    im: &mut [R],
    blocks: usize,
) {
    let each = re.as_chunks_mut::<BLOCK>().0.iter_mut().zip(im.as_chunks_mut::<BLOCK>().0);
    for ((re, im), root) in each.zip(R::roots(2 * blocks)) {
        butterflies::<R, INVERSE>(re, im, root);
    }
}

#[inline(always)]
fn butterflies<R: FftReal, const INVERSE: bool>(re: &mut [R], im: &mut [R], root: Complex<R::Factor>) {
    let half = re.len() / 2;
    let ((x_re, y_re), (x_im, y_im)) = (re.split_at_mut(half), im.split_at_mut(half));
    for j in 0..half {
        let (x, y) = (Complex::new(x_re[j], x_im[j]), Complex::new(y_re[j], y_im[j]));
        let root = y.broadcast(root);
        let y = if INVERSE { y } else { y.mul(root) };
        let (sum, difference) = (x.add(y), x.sub(y));
        let difference = if INVERSE { difference.mul(root.conjugate()) } else { difference };
        (x_re[j], x_im[j], y_re[j], y_im[j]) = (sum.re, sum.im, difference.re, difference.im);
    }
}

/// Runs splitfft, Falcon Algorithm 1: f = f0(x²) + x·f1(x²), for n ≥ 4.
#[inline(always)]
pub(crate) fn split<R: Number>(f: &[R], f0: &mut [R], f1: &mut [R]) {
    let quarter = f.len() / 4;
    let (re, im) = f.split_at(2 * quarter);
    let (re, im) = (&re.as_chunks::<2>().0[..quarter], &im.as_chunks::<2>().0[..quarter]);
    let ((f0_re, f0_im), (f1_re, f1_im)) = (re_and_im(f0, quarter), re_and_im(f1, quarter));
    let roots = roots(2 * quarter, quarter);
    for i in 0..quarter {
        let (a, b) = (Complex::new(re[i][0], im[i][0]), Complex::new(re[i][1], im[i][1]));
        let (even, difference) = (a.add(b).half(), a.sub(b));
        let odd = difference.mul(difference.broadcast(roots.get(i)).conjugate()).half();
        (f0_re[i], f0_im[i], f1_re[i], f1_im[i]) = (even.re, even.im, odd.re, odd.im);
    }
}

/// Runs splitfft on a self-adjoint polynomial. `f` and `f0` contain only real values.
#[inline(always)]
pub(crate) fn split_self_adjoint<R: Real>(f: &[R], f0: &mut [R], f1: &mut [R]) {
    if f.len() == 1 {
        (f0[0], f1[0]) = (f[0], R::default());
        return;
    }
    let half = f.len() / 2;
    let (f, f0) = (&f.as_chunks::<2>().0[..half], &mut f0[..half]);
    let (f1_re, f1_im) = re_and_im(f1, half);
    let roots = roots(2 * half, half);
    for i in 0..half {
        let [a, b] = f[i];
        f0[i] = (a + b).half();
        let odd = roots.get(i).conjugate().scale((a - b).half());
        (f1_re[i], f1_im[i]) = (odd.re, odd.im);
    }
}

/// Runs mergefft, Falcon Algorithm 2, the inverse of [`split`].
#[inline(always)]
pub(crate) fn merge<R: Number>(f0: &[R], f1: &[R], f: &mut [R]) {
    let quarter = f.len() / 4;
    let (re, im) = f.split_at_mut(2 * quarter);
    let (re, im) = (&mut re.as_chunks_mut::<2>().0[..quarter], &mut im.as_chunks_mut::<2>().0[..quarter]);
    let merged = Merged::new(f0, f1, quarter);
    for i in 0..quarter {
        let (a, b) = merged.get(i);
        (re[i], im[i]) = ([a.re, b.re], [a.im, b.im]);
    }
}

/// Computes t0 ← t0 + (t1 − z1)·ℓ10 and t1 ← z1, where z1 is given as its halves. This combines [`merge`]
/// with the following step of ffSampling.
#[inline(always)]
pub(crate) fn merge_and_correct<R: Number>(
    z_even: &[R],
    z_odd: &[R],
    l10: &[R::Scalar],
    t0: &mut [R],
    t1: &mut [R],
) {
    let quarter = t0.len() / 4;
    let (l_re, l_im) = l10.split_at(2 * quarter);
    let (l_re, l_im) = (&l_re.as_chunks::<2>().0[..quarter], &l_im.as_chunks::<2>().0[..quarter]);
    let (re0, im0) = t0.split_at_mut(2 * quarter);
    let (re0, im0) = (&mut re0.as_chunks_mut::<2>().0[..quarter], &mut im0.as_chunks_mut::<2>().0[..quarter]);
    let (re1, im1) = t1.split_at_mut(2 * quarter);
    let (re1, im1) = (&mut re1.as_chunks_mut::<2>().0[..quarter], &mut im1.as_chunks_mut::<2>().0[..quarter]);
    let merged = Merged::new(z_even, z_odd, quarter);
    for i in 0..quarter {
        let (a, b) = merged.get(i);
        for (j, z) in [a, b].into_iter().enumerate() {
            let difference = Complex::new(re1[i][j], im1[i][j]).sub(z);
            let correction = difference.mul(difference.broadcast(Complex::new(l_re[i][j], l_im[i][j])));
            (re0[i][j], im0[i][j]) = (re0[i][j] + correction.re, im0[i][j] + correction.im);
            (re1[i][j], im1[i][j]) = (z.re, z.im);
        }
    }
}

/// The result of [`merge`] on two images.
struct Merged<'a, R> {
    even: (&'a [R], &'a [R]),
    odd: (&'a [R], &'a [R]),
    roots: Roots<'a>,
}

impl<'a, R: Number> Merged<'a, R> {
    #[inline(always)]
    fn new(f0: &'a [R], f1: &'a [R], quarter: usize) -> Self {
        let halves = |f: &'a [R]| (&f[..quarter], &f[quarter..2 * quarter]);
        Self { even: halves(f0), odd: halves(f1), roots: roots(2 * quarter, quarter) }
    }

    /// Returns the values 2i and 2i + 1.
    #[inline(always)]
    fn get(&self, i: usize) -> (Complex<R>, Complex<R>) {
        let even = Complex::new(self.even.0[i], self.even.1[i]);
        let odd = Complex::new(self.odd.0[i], self.odd.1[i]);
        let odd = odd.mul(odd.broadcast(self.roots.get(i)));
        (even.add(odd), even.sub(odd))
    }
}

/// Returns the real and the imaginary parts of an image of `values` values.
#[inline(always)]
fn re_and_im<R>(image: &mut [R], values: usize) -> (&mut [R], &mut [R]) {
    let (re, im) = image.split_at_mut(values);
    (re, &mut im[..values])
}

/// Computes a·b* + c·d*.
#[inline(always)]
pub(crate) fn dot_adjoint<R: Real>(a: &[R], b: &[R], c: &[R], d: &[R], out: &mut [R]) {
    for i in 0..out.len() / 2 {
        let (ab, cd) = (value(a, i).mul(value(b, i).conjugate()), value(c, i).mul(value(d, i).conjugate()));
        set_value(out, i, ab.add(cd));
    }
}

/// Computes a·a* + b·b*, which has only real values.
#[inline(always)]
pub(crate) fn norm<R: Real>(a: &[R], b: &[R], out: &mut [R]) {
    for (i, out) in out.iter_mut().enumerate() {
        *out = value(a, i).norm() + value(b, i).norm();
    }
}

/// Returns e^(iπ·rev(k)/1024), where rev reverses ten bits. The angle is in [0, π).
#[inline(always)]
pub(crate) fn root<R: Real>(k: usize) -> Complex<R> {
    Complex::new(R::from_bits(COSINES[k]), R::from_bits(ROOT_SINES[k]))
}

/// An iterator over consecutive roots.
struct Roots<'a> {
    re: &'a [u64],
    im: &'a [u64],
}

#[inline(always)]
fn roots<'a>(first: usize, len: usize) -> Roots<'a> {
    Roots { re: &COSINES[first..first + len], im: &ROOT_SINES[first..first + len] }
}

impl Roots<'_> {
    #[inline(always)]
    fn get<R: Real>(&self, i: usize) -> Complex<R> {
        Complex::new(R::from_bits(self.re[i]), R::from_bits(self.im[i]))
    }
}

/// The real parts of the roots as bits of doubles; see [`root`].
pub(crate) static COSINES: [u64; 1024] = parts(0);
/// The imaginary parts of the roots as bits of doubles; see [`root`].
pub(crate) static ROOT_SINES: [u64; 1024] = parts(1);

const fn parts(part: usize) -> [u64; 1024] {
    let mut parts = [0; 1024];
    let mut k = 0;
    while k < 1024 {
        let step = ((k as u16).reverse_bits() >> 6) as usize;
        let root = if step <= 512 {
            [SINES[512 - step], SINES[step]]
        } else {
            [SINES[step - 512] | 1 << 63, SINES[1024 - step]]
        };
        parts[k] = root[part];
        k += 1;
    }
    parts
}

/// The values sin(π·k/1024) as bits of doubles, for k in [0, 512].
const SINES: [u64; 513] = {
    let mut sines = [0; 513];
    let mut k = 1;
    while k < 512 {
        sines[k] = to_double(sine(PI_120 / 1024 * k as u128));
        k += 1;
    }
    sines[512] = 1f64.to_bits();
    sines
};

/// The constant ⌊π·2¹²⁰⌋.
const PI_120: u128 = 0x0324_3F6A_8885_A308_D313_198A_2E03_7073;

/// Computes the sine of an angle in (0, π/2) from the power series, with 120 bits after the binary point.
const fn sine(x: u128) -> u128 {
    let square = multiply_120(x, x);
    let (mut sum, mut term, mut k) = (x, x, 1);
    while term > 0 {
        term = multiply_120(term, square) / ((k + 1) * (k + 2));
        sum = if k % 4 == 1 { sum - term } else { sum + term };
        k += 2;
    }
    sum
}

/// Computes a·b/2¹²⁰, for a and b below 2¹²¹.
const fn multiply_120(a: u128, b: u128) -> u128 {
    const LOW: u128 = (1 << 60) - 1;
    let (a1, a0, b1, b0) = (a >> 60, a & LOW, b >> 60, b & LOW);
    // the omitted bits of a0·b0 are below the last of the 120 bits
    a1 * b1 + ((a1 * b0 + ((a0 * b0) >> 60) + a0 * b1) >> 60)
}

/// Rounds a number in (0, 1) with 120 bits after the binary point to a double.
const fn to_double(x: u128) -> u64 {
    let bits = 128 - x.leading_zeros();
    let mantissa = (x + (1 << (bits - 54))) >> (bits - 53);
    // the leading one of the mantissa increases the exponent by one
    ((1023 - 120 - 1 + bits as u64 - 1) << 52) + mantissa as u64
}

#[cfg(test)]
mod tests {
    use super::super::flr::Native;
    use super::*;
    use std::vec::Vec;

    fn multiply(a: &mut [Native], b: &[Native]) {
        for i in 0..a.len() / 2 {
            set_value(a, i, value(a, i).mul(value(b, i)));
        }
    }

    fn doubles(values: &[Native]) -> Vec<f64> {
        values.iter().map(|x| f64::from_bits(x.to_bits())).collect()
    }

    fn samples(n: usize) -> Vec<Native> {
        (0..n).map(|i| Native::from_int(((i * i * 31 + 17 * i) % 257) as i64 - 128)).collect()
    }

    #[test]
    fn roots_match_the_standard_library() {
        for k in 0..1024u16 {
            let angle = f64::from(k.reverse_bits() >> 6) * core::f64::consts::PI / 1024.0;
            let root = root::<Native>(usize::from(k));
            let got = doubles(&[root.re, root.im]);
            assert!((got[0] - angle.cos()).abs() < 5e-16 && (got[1] - angle.sin()).abs() < 5e-16, "{k}");
        }
        assert_eq!([COSINES[2], ROOT_SINES[2]], [core::f64::consts::FRAC_1_SQRT_2.to_bits(); 2]);
    }

    #[test]
    fn inverse_fft_round_trips_and_products_match() {
        for n in [2, 4, 16, 512, 1024] {
            let (a, b) = (samples(n), samples(2 * n)[n..].to_vec());
            let mut expected = std::vec![0.0; n];
            let (x, y) = (doubles(&a), doubles(&b));
            for i in 0..n {
                for j in 0..n {
                    expected[(i + j) % n] += if i + j < n { x[i] * y[j] } else { -x[i] * y[j] };
                }
            }
            let (mut a_hat, mut b_hat) = (a.clone(), b);
            fft(&mut a_hat);
            fft(&mut b_hat);
            multiply(&mut b_hat, &a_hat);
            inverse_fft(&mut b_hat);
            inverse_fft(&mut a_hat);
            assert!(
                doubles(&b_hat).iter().zip(&expected).all(|(got, expected)| (got - expected).abs() < 1e-6)
            );
            assert!(doubles(&a_hat).iter().zip(&x).all(|(got, expected)| (got - expected).abs() < 1e-9));
        }
    }

    #[test]
    fn split_separates_even_and_odd_coefficients_and_merge_inverts_it() {
        for n in [4, 8, 64, 1024] {
            let mut f = samples(n);
            let (mut even, mut odd): (Vec<_>, Vec<_>) = f.chunks(2).map(|pair| (pair[0], pair[1])).unzip();
            fft(&mut f);
            let (mut f0, mut f1) = (even.clone(), odd.clone());
            split(&f, &mut f0, &mut f1);
            fft(&mut even);
            fft(&mut odd);
            let close = |a: &[Native], b: &[Native]| {
                doubles(a).iter().zip(doubles(b)).all(|(a, b)| (a - b).abs() < 1e-8)
            };
            assert!(close(&f0, &even) && close(&f1, &odd), "{n}");
            let mut merged = f.clone();
            merge(&f0, &f1, &mut merged);
            assert!(close(&merged, &f), "{n}");
        }
    }

    #[test]
    fn self_adjoint_split_matches_split() {
        for n in [4, 8, 64, 1024] {
            let mut f = samples(n);
            fft(&mut f);
            let mut real = std::vec![Native::default(); n / 2];
            norm(&f, &f, &mut real);
            let mut whole = real.clone();
            whole.resize(n, Native::default());
            let zeroes = || std::vec![Native::default(); n / 2];
            let ((mut f0, mut f1), mut g0, mut g1) = ((zeroes(), zeroes()), zeroes(), zeroes());
            split(&whole, &mut f0, &mut f1);
            split_self_adjoint(&real, &mut g0[..n.div_ceil(4)], &mut g1);
            let kept = n.div_ceil(4);
            assert_eq!(doubles(&f0)[..kept], doubles(&g0)[..kept], "{n}");
            assert!(
                doubles(&f1).iter().zip(doubles(&g1)).all(|(a, b)| (a - b).abs() <= a.abs() * 1e-15),
                "{n}"
            );
        }
    }
}
