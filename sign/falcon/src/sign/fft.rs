//! The FFT of real polynomials modulo xⁿ + 1, Falcon section 3.5, and what is computed with its images.
//!
//! An image is the n/2 values at the roots in the upper half plane, bit-reversed: their real parts, then their
//! imaginary parts. Where an image is of a self-adjoint polynomial its values are real, and only they are kept.

use super::flr::Real;

/// A complex number.
#[derive(Clone, Copy)]
pub(crate) struct Complex<R> {
    pub(crate) re: R,
    pub(crate) im: R,
}

impl<R: Real> Complex<R> {
    #[inline(always)]
    pub(crate) fn new(re: R, im: R) -> Self {
        Self { re, im }
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

    #[inline(always)]
    pub(crate) fn half(self) -> Self {
        Self::new(self.re.half(), self.im.half())
    }

    /// |x|².
    #[inline(always)]
    pub(crate) fn norm(self) -> R {
        self.re.square() + self.im.square()
    }

    #[inline(always)]
    pub(crate) fn scale(self, factor: R) -> Self {
        Self::new(self.re * factor, self.im * factor)
    }
}

/// The value with index `i` of an image.
#[inline(always)]
pub(crate) fn value<R: Real>(image: &[R], i: usize) -> Complex<R> {
    Complex::new(image[i], image[i + image.len() / 2])
}

/// Sets the value with index `i` of an image.
#[inline(always)]
pub(crate) fn set_value<R: Real>(image: &mut [R], i: usize, value: Complex<R>) {
    let half = image.len() / 2;
    image[i] = value.re;
    image[i + half] = value.im;
}

/// FFT, in place.
#[inline(always)]
pub(crate) fn fft<R: Real>(f: &mut [R]) {
    let (re, im) = f.split_at_mut(f.len() / 2);
    let (mut blocks, mut half) = (1, re.len() / 2);
    while half > 0 {
        let each = re.chunks_exact_mut(2 * half).zip(im.chunks_exact_mut(2 * half));
        for (i, (re, im)) in each.enumerate() {
            let root = root::<R>(2 * blocks + i);
            let ((x_re, y_re), (x_im, y_im)) = (re.split_at_mut(half), im.split_at_mut(half));
            for j in 0..half {
                let x = Complex::new(x_re[j], x_im[j]);
                let y = Complex::new(y_re[j], y_im[j]).mul(root);
                let (sum, difference) = (x.add(y), x.sub(y));
                (x_re[j], x_im[j], y_re[j], y_im[j]) = (sum.re, sum.im, difference.re, difference.im);
            }
        }
        (blocks, half) = (2 * blocks, half / 2);
    }
}

/// The inverse of [`fft`].
#[inline(always)]
pub(crate) fn inverse_fft<R: Real>(f: &mut [R]) {
    let n = f.len();
    let (re, im) = f.split_at_mut(n / 2);
    let (mut blocks, mut half) = (n / 4, 1);
    while blocks > 0 {
        let each = re.chunks_exact_mut(2 * half).zip(im.chunks_exact_mut(2 * half));
        for (i, (re, im)) in each.enumerate() {
            let root = root::<R>(2 * blocks + i).conjugate();
            let ((x_re, y_re), (x_im, y_im)) = (re.split_at_mut(half), im.split_at_mut(half));
            for j in 0..half {
                let (x, y) = (Complex::new(x_re[j], x_im[j]), Complex::new(y_re[j], y_im[j]));
                let (sum, difference) = (x.add(y), x.sub(y).mul(root));
                (x_re[j], x_im[j], y_re[j], y_im[j]) = (sum.re, sum.im, difference.re, difference.im);
            }
        }
        (blocks, half) = (blocks / 2, 2 * half);
    }
    let scale = R::from_bits((2.0 / n as f64).to_bits());
    f.iter_mut().for_each(|f| *f = *f * scale);
}

/// splitfft, Falcon Algorithm 1: f = f0(x²) + x·f1(x²). An image of one complex value splits into two reals.
#[inline(always)]
pub(crate) fn split<R: Real>(f: &[R], f0: &mut [R], f1: &mut [R]) {
    if f.len() == 2 {
        (f0[0], f1[0]) = (f[0], f[1]);
        return;
    }
    for i in 0..f.len() / 4 {
        let (a, b) = (value(f, 2 * i), value(f, 2 * i + 1));
        set_value(f0, i, a.add(b).half());
        set_value(f1, i, a.sub(b).mul(root::<R>(f.len() / 2 + i).conjugate()).half());
    }
}

/// splitfft of a self-adjoint polynomial: `f` and `f0` are real values only.
#[inline(always)]
pub(crate) fn split_self_adjoint<R: Real>(f: &[R], f0: &mut [R], f1: &mut [R]) {
    if f.len() == 1 {
        (f0[0], f1[0]) = (f[0], R::default());
        return;
    }
    for i in 0..f.len() / 2 {
        let (a, b) = (f[2 * i], f[2 * i + 1]);
        f0[i] = (a + b).half();
        set_value(f1, i, root::<R>(f.len() + i).conjugate().scale((a - b).half()));
    }
}

/// mergefft, Falcon Algorithm 2: the reverse of [`split`].
#[inline(always)]
pub(crate) fn merge<R: Real>(f0: &[R], f1: &[R], f: &mut [R]) {
    if f.len() == 2 {
        (f[0], f[1]) = (f0[0], f1[0]);
        return;
    }
    for i in 0..f.len() / 4 {
        let (a, b) = (value(f0, i), value(f1, i).mul(root::<R>(f.len() / 2 + i)));
        set_value(f, 2 * i, a.add(b));
        set_value(f, 2 * i + 1, a.sub(b));
    }
}

/// a·b into a.
#[inline(always)]
pub(crate) fn multiply<R: Real>(a: &mut [R], b: &[R]) {
    for i in 0..a.len() / 2 {
        set_value(a, i, value(a, i).mul(value(b, i)));
    }
}

/// a·b* + c·d*.
#[inline(always)]
pub(crate) fn dot_adjoint<R: Real>(a: &[R], b: &[R], c: &[R], d: &[R], out: &mut [R]) {
    for i in 0..out.len() / 2 {
        let (ab, cd) = (value(a, i).mul(value(b, i).conjugate()), value(c, i).mul(value(d, i).conjugate()));
        set_value(out, i, ab.add(cd));
    }
}

/// a·a* + b·b*: real values only.
#[inline(always)]
pub(crate) fn norm<R: Real>(a: &[R], b: &[R], out: &mut [R]) {
    for (i, out) in out.iter_mut().enumerate() {
        *out = value(a, i).norm() + value(b, i).norm();
    }
}

/// e^(iπ·rev(k)/1024), rev being the reversal of ten bits: of the angles in [0, π) as bits of a circle.
#[inline(always)]
pub(crate) fn root<R: Real>(k: usize) -> Complex<R> {
    let [re, im] = ROOTS[k];
    Complex::new(R::from_bits(re), R::from_bits(im))
}

/// See [`root`]: bits of doubles.
static ROOTS: [[u64; 2]; 1024] = roots();

const fn roots() -> [[u64; 2]; 1024] {
    let mut roots = [[0; 2]; 1024];
    let mut k = 0;
    while k < 1024 {
        let step = ((k as u16).reverse_bits() >> 6) as usize;
        roots[k] = if step <= 512 {
            [SINES[512 - step], SINES[step]]
        } else {
            [SINES[step - 512] | 1 << 63, SINES[1024 - step]]
        };
        k += 1;
    }
    roots
}

/// sin(π·k/1024) as bits of doubles, for k in [0, 512].
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

/// ⌊π·2¹²⁰⌋.
const PI_120: u128 = 0x0324_3F6A_8885_A308_D313_198A_2E03_7073;

/// sin of an angle in (0, π/2), both with 120 bits after the point: the power series.
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

/// a·b/2¹²⁰, a and b below 2¹²¹.
const fn multiply_120(a: u128, b: u128) -> u128 {
    const LOW: u128 = (1 << 60) - 1;
    let (a1, a0, b1, b0) = (a >> 60, a & LOW, b >> 60, b & LOW);
    // the bits lost in a0·b0 are below the last of the 120
    a1 * b1 + ((a1 * b0 + ((a0 * b0) >> 60) + a0 * b1) >> 60)
}

/// A number in (0, 1) with 120 bits after the point, rounded to a double.
const fn to_double(x: u128) -> u64 {
    let bits = 128 - x.leading_zeros();
    let mantissa = (x + (1 << (bits - 54))) >> (bits - 53);
    // the leading one of the mantissa is added to the exponent
    ((1023 - 120 - 1 + bits as u64 - 1) << 52) + mantissa as u64
}

#[cfg(test)]
mod tests {
    use super::super::flr::Native;
    use super::*;
    use std::vec::Vec;

    fn doubles(values: &[Native]) -> Vec<f64> {
        values.iter().map(|x| f64::from_bits(x.to_bits())).collect()
    }

    fn samples(n: usize) -> Vec<Native> {
        (0..n).map(|i| Native::of(((i * i * 31 + 17 * i) % 257) as i64 - 128)).collect()
    }

    #[test]
    fn the_roots_are_those_of_the_standard_library() {
        for k in 0..1024u16 {
            let angle = f64::from(k.reverse_bits() >> 6) * core::f64::consts::PI / 1024.0;
            let root = root::<Native>(usize::from(k));
            let got = doubles(&[root.re, root.im]);
            assert!((got[0] - angle.cos()).abs() < 5e-16 && (got[1] - angle.sin()).abs() < 5e-16, "{k}");
        }
        assert_eq!(ROOTS[2], [core::f64::consts::FRAC_1_SQRT_2.to_bits(); 2]);
    }

    #[test]
    fn the_inverse_undoes_and_products_are_products() {
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
    fn splitting_takes_even_and_odd_coefficients_and_merging_undoes_it() {
        for n in [2, 4, 64, 1024] {
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
    fn self_adjoint_splitting_is_splitting() {
        for n in [2, 4, 64, 1024] {
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
