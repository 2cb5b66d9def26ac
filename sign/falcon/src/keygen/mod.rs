//! Key generation (Keygen, Falcon Algorithm 4), and the checks of imported keys.

mod bezout;
mod fixed;
mod gauss;
mod ntru;
mod primes;
mod quotients;
mod reduce;
mod residues;
mod round3;
mod sizes;
mod top;
mod zint;

use crate::backend::Operation;
use crate::degree::Degree;
use crate::mq::{self, Q};
use crate::ntt::{inverse_ntt, ntt};
use crate::poly::{SecretPoly, zeroes};
use crate::sign::fft::{fft, value};
use crate::sign::flr::Real;
use core::marker::PhantomData;
use fixed::{FRACTION_BITS, Fixed, invert};
use gauss::Gauss;
use grille_core::ct;
use grille_hash::Level;
pub(crate) use ntru::KeygenVariant;

/// The polynomials f, g, F and G (secret, erased on drop).
pub struct Basis<D: Degree> {
    pub(crate) f: SecretPoly<D, i8>,
    pub(crate) g: SecretPoly<D, i8>,
    pub(crate) F: SecretPoly<D, i8>,
    pub(crate) G: SecretPoly<D, i8>,
}

impl<D: Degree> Basis<D> {
    /// Returns a basis of zeroes.
    pub(crate) fn zeroed() -> Self {
        let zeroed = SecretPoly::<D, i8>::zeroed;
        Self { f: zeroed(), g: zeroed(), F: zeroed(), G: zeroed() }
    }

    /// Copies `other`. The owner of `other` remains responsible for erasing it.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        let Self { f, g, F, G } = self;
        for (poly, from) in [(f, &other.f), (g, &other.g), (F, &other.F), (G, &other.G)] {
            poly.copy_from_slice(from);
        }
    }
}

/// The length of a key generation seed in bytes.
pub const SEED_LEN: usize = 48;

/// The operation that generates the basis and h from a seed. `R` is the type of doubles for
/// [`KeygenVariant::Round3`].
pub struct KeyGen<'a, D: Degree, R> {
    pub(crate) seed: &'a [u8; SEED_LEN],
    pub(crate) variant: KeygenVariant,
    pub(crate) doubles: PhantomData<R>,
    pub(crate) basis: &'a mut Basis<D>,
    pub(crate) h: &'a mut [i16],
}

impl<D: Degree, R: Real> Operation for KeyGen<'_, D, R> {
    type Output = ();

    /// Runs Keygen, Falcon Algorithm 4. The number of failed candidates and the reasons why they failed are
    /// public, because these candidates are not used.
    #[inline(always)]
    fn run(self, level: Level) {
        let mut gauss = Gauss::new(self.variant, level);
        gauss.absorb(self.seed);
        let Basis { f, g, F, G } = self.basis;
        loop {
            gauss.polynomial(f);
            gauss.polynomial(g);
            if is_short::<D>(f, g)
                && public_key::<D>(level, f, g, self.h)
                && ntru::solve::<R>(self.variant, f, g, F, G)
            {
                return;
            }
        }
    }
}

/// Checks whether f and g can be encoded. Also checks whether ‖(g, −f)‖ and ‖(q·f*/(f·f* + g·g*), q·g*/(f·f* +
/// g·g*))‖ are at most 1.17·√q, Falcon Algorithm 5, lines 5 to 9.
///
/// This deviates from the specification: the second norm is computed as a sum of q²/(|f|² + |g|²) over the
/// values of the FFT images.
#[inline(always)]
fn is_short<D: Degree>(f: &[i8], g: &[i8]) -> bool {
    // all ones that occur in magnitudes, which must be below 2^(FG_BITS − 1)
    let ones = f.iter().chain(g).fold(0, |ones, c| ones | c.unsigned_abs());
    let norm: u32 = f.iter().chain(g).map(|c| i32::from(*c).pow(2) as u32).sum();
    let too_long = u32::from(ones >> (D::FG_BITS - 1)) | (BOUND as u32).wrapping_sub(norm) >> 31;
    if ct::public(ct::opaque(too_long)) != 0 {
        return false;
    }
    let mut images = [SecretPoly::<D, Fixed>::zeroed(), SecretPoly::<D, Fixed>::zeroed()];
    for (image, small) in images.iter_mut().zip([f, g]) {
        // a value is at most √n times as large as the norm, so it is below 2¹³·2^SCALE, which is 1
        for (x, small) in image.iter_mut().zip(small) {
            *x = Fixed::from_bits(i64::from(*small) << SCALE);
        }
        fft(image);
    }
    let [f, g] = &images;
    let mut inverses = SecretPoly::<D, Fixed>::zeroed();
    let inverses = &mut inverses[..D::N / 2];
    for (i, norm) in inverses.iter_mut().enumerate() {
        *norm = value(f, i).norm() + value(g, i).norm();
        debug_assert!((0..1 << FRACTION_BITS).contains(&norm.to_bits()));
    }
    invert(inverses, DIVIDEND_EXPONENT);
    // each inverse is below 1, so the sum fits only if low bits are shifted out
    let sum: u64 = inverses.iter().map(|inverse| (inverse.to_bits() >> DROPPED_BITS) as u64).sum();
    // n times the squared norm is the sum of q²/(|f|² + |g|²) over all n values; `inverses` contains only
    // half of these values
    let bound = const { (BOUND * D::N as f64 / 2.0 / (Q as f64 * Q as f64) * UNIT) as u64 };
    ct::public(sum) < bound
}

/// The left shift that converts an integer coefficient c to the fixed-point number c·2⁻¹³, so that the values of the
/// FFT stay below 1.
const SCALE: u32 = FRACTION_BITS - 13;
/// The exponent e of the dividend 2^−e of [`invert`]. With this dividend, all quotients that matter are below
/// 1: if |f|² + |g|² of a value is below 2³ = 2²⁶⁻²³, the second vector of [`is_short`] is too long anyway.
const DIVIDEND_EXPONENT: u32 = 23;
/// The number of bits of the inverses that are dropped before summing.
const DROPPED_BITS: u32 = 10;
/// The number that represents 1 in a sum of inverses.
const UNIT: f64 = (1u64 << (FRACTION_BITS + 26 - DIVIDEND_EXPONENT - DROPPED_BITS)) as f64;
/// The bound 1.17²·q, with as many digits as in the reference implementation of round 3.
const BOUND: f64 = 16822.4121;

/// Computes h ← g/f mod q. Returns false if f has no inverse.
#[inline(always)]
fn public_key<D: Degree>(level: Level, f: &[i8], g: &[i8], h: &mut [i16]) -> bool {
    let mut f_hat = SecretPoly::<D, i16>::zeroed();
    f_hat.iter_mut().zip(f).for_each(|(f_hat, f)| *f_hat = i16::from(*f));
    let mut spare = SecretPoly::<D, i16>::zeroed();
    ntt(level, &mut f_hat, &mut spare);
    mq::to_montgomery(&mut f_hat);
    // the result is public, because an f that is not invertible is not used
    if ct::public(mq::has_zero(&f_hat)) {
        return false;
    }
    mq::invert(&mut f_hat);
    h.iter_mut().zip(g).for_each(|(h, g)| *h = i16::from(*g));
    ntt(level, h, &mut spare);
    mq::multiply(h, &f_hat);
    inverse_ntt(level, h, &mut spare);
    // the verifying key is public
    h.iter_mut().for_each(|h| *h = ct::public(*h as u16) as i16);
    true
}

/// The operation that computes the missing parts of a decoded key. If the key is invalid, its output is an
/// `Err` with the reason.
pub struct Complete<'a, D: Degree> {
    pub(crate) basis: &'a mut Basis<D>,
    pub(crate) h: &'a mut [i16],
}

impl<D: Degree> Operation for Complete<'_, D> {
    type Output = Result<(), &'static str>;

    /// Computes h and G from f, g and F. Refuses f and g that Keygen cannot sample, because with such
    /// polynomials some σ′ would be outside the range of SamplerZ.
    #[inline(always)]
    fn run(self, level: Level) -> Self::Output {
        let Basis { f, g, F, G } = self.basis;
        if !is_short::<D>(f, g) {
            return Err("has f and g that are too long");
        }
        if !public_key::<D>(level, f, g, self.h) {
            return Err("has an f that is not invertible");
        }
        // G ≡ h·F (mod q)
        let mut G_hat = SecretPoly::<D, i16>::zeroed();
        G_hat.iter_mut().zip(F.iter()).for_each(|(G, F)| *G = i16::from(*F));
        let mut h_hat = zeroes::<D, i16>();
        h_hat.as_mut().copy_from_slice(self.h);
        let mut spare = SecretPoly::<D, i16>::zeroed();
        ntt(level, h_hat.as_mut(), &mut spare);
        mq::to_montgomery(h_hat.as_mut());
        ntt(level, &mut G_hat, &mut spare);
        mq::multiply(&mut G_hat, h_hat.as_ref());
        inverse_ntt(level, &mut G_hat, &mut spare);
        mq::center(&mut G_hat);
        let mut too_large = 0;
        for (small, G) in G.iter_mut().zip(G_hat.iter()) {
            *small = *G as i8;
            too_large |= ((*G + 127) | (127 - *G)) as u16 >> 15;
        }
        // the result is public, because an invalid key is not used
        let is_basis = ntru::equation_holds(f, g, F, G);
        if ct::public(ct::opaque(too_large)) == 0 && is_basis {
            Ok(())
        } else {
            Err("has an F that does not match f and g")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SigningKey;
    use crate::backend::dispatch_at;
    use crate::codec::encode_signing_key;
    use crate::params::{Falcon512P, N512, N1024};
    use crate::sign::fft::{inverse_fft, set_value};
    use crate::sign::flr::Flr;
    use grille_core::Error;
    use std::vec;
    use std::vec::Vec;

    fn key<D: Degree>(level: Level, seed: u8, variant: KeygenVariant) -> Basis<D> {
        let (mut basis, mut h) = (Basis::<D>::zeroed(), zeroes::<D, i16>());
        let (seed, doubles) = (&[seed; SEED_LEN], PhantomData::<Flr>);
        dispatch_at(level, KeyGen { seed, variant, doubles, basis: &mut basis, h: h.as_mut() });
        basis
    }

    #[test]
    fn every_level_generates_the_same_key() {
        fn check<D: Degree>(variant: KeygenVariant) {
            let keys = Level::all().map(|level| {
                let basis = key::<D>(level, 7, variant);
                [&basis.f, &basis.g, &basis.F, &basis.G].map(|poly| poly.to_vec())
            });
            let keys: Vec<_> = keys.collect();
            assert!(keys.iter().all(|key| *key == keys[0]), "{}", D::N);
            let [f, g, F, G] = &keys[0];
            assert!(ntru::equation_holds(f, g, F, G));
        }
        for variant in [KeygenVariant::Integers, KeygenVariant::Round3] {
            check::<N512>(variant);
            check::<N1024>(variant);
        }
    }

    #[test]
    fn many_keys_are_valid_and_reduced() {
        fn check<D: Degree>(count: u8) {
            for i in 0..count {
                let Basis { f, g, F, G } = &key::<D>(Level::detect(), i, KeygenVariant::Integers);
                assert!(ntru::equation_holds(f, g, F, G), "{i}");
                // checks with doubles that F and G are fully reduced: (F·f* + G·g*)/(f·f* + g·g*) is in ±1/2
                let [f, g, F, G] = [f, g, F, G].map(|poly| {
                    let mut image: Vec<_> = poly.iter().map(|c| Flr::from_int(i64::from(*c))).collect();
                    fft(&mut image);
                    image
                });
                let mut quotient = vec![Flr::default(); D::N];
                for i in 0..D::N / 2 {
                    let [f, g, F, G] = [&f, &g, &F, &G].map(|image| value(image, i));
                    let sum = F.mul(f.conjugate()).add(G.mul(g.conjugate()));
                    set_value(&mut quotient, i, sum.scale((f.norm() + g.norm()).inverse()));
                }
                inverse_fft(&mut quotient);
                let left = quotient.iter().map(|x| f64::from_bits(x.to_bits()).abs());
                assert!(left.fold(0.0, f64::max) < 0.5 + 1e-4, "{i}");
            }
        }
        check::<N512>(200);
        check::<N1024>(100);
    }

    #[test]
    fn rejects_vectors_that_are_not_short() {
        // these are Golay complementary sequences: |f|² + |g|² has the same value at every root, and this value
        // determines the lengths of both vectors
        fn check<D: Degree>(first: i8, second: i8) -> bool {
            let (mut f, mut g) = (vec![first], vec![second]);
            while f.len() < D::N {
                let minus: Vec<i8> = g.iter().map(|c| -c).collect();
                (f, g) = ([&f[..], &g].concat(), [&f[..], &minus].concat());
            }
            is_short::<D>(&f, &g)
        }
        // 512·(3² + 3²) is between q²/16822 and 16822; 512·(4² + 1²) is below this range, and 512·(5² + 3²) is
        // above it
        for (first, second, short) in
            [(3, 3, true), (4, 4, true), (4, 1, false), (5, 3, false), (0, 1, false)]
        {
            assert_eq!(check::<N512>(first, second), short, "{first} {second}");
        }
        for (first, second, short) in [(3, 0, true), (4, 0, true), (2, 2, false), (4, 1, false)] {
            assert_eq!(check::<N1024>(first, second), short, "{first} {second}");
        }
        let mut f = [0; 512];
        f[5] = 32;
        assert!(!is_short::<N512>(&f, &[3; 512]), "no encoding");
    }

    #[test]
    fn norm_bound_is_inclusive() {
        let mut basis = key::<N512>(Level::detect(), 7, KeygenVariant::Integers);
        let norm: i32 = basis.f.iter().chain(basis.g.iter()).map(|c| i32::from(*c).pow(2)).sum();
        let (f, g) = (&mut basis.f, &basis.g);
        let mut missing = 16822 - norm;
        for c in f.iter_mut().filter(|c| **c >= 0) {
            let more = 2 * i32::from(*c) + 1;
            if more <= missing {
                (*c, missing) = (*c + 1, missing - more);
            }
        }
        assert_eq!(missing, 0);
        assert!(is_short::<N512>(f, g));
        *f.iter_mut().find(|c| **c == 0).expect("a zero") = 1;
        assert!(!is_short::<N512>(f, g));
    }

    #[test]
    fn rejects_a_basis_that_key_generation_cannot_produce() {
        let sparse = |first, second| {
            let mut poly = [0; 512];
            (poly[0], poly[256]) = (first, second);
            poly
        };
        let (f, g, F, G) = (sparse(30, 31), sparse(-23, 31), sparse(93, 114), sparse(111, -106));
        assert!(ntru::equation_holds(&f, &g, &F, &G));
        let mut bytes = [0; 1281];
        encode_signing_key::<N512>(&f, &g, &F, &mut bytes);
        let error = <SigningKey<Falcon512P> as grille_core::SigningKey>::from_bytes(&bytes).err();
        assert_eq!(error, Some(Error::InvalidPrivateKey { reason: "has f and g that are too long" }));
    }

    #[test]
    fn non_invertible_f_has_no_public_key() {
        let (mut f, g) = ([0i8; 512], [1i8; 512]);
        let mut h = [0; 512];
        assert!(!public_key::<N512>(Level::detect(), &f, &g, &mut h));
        f[0] = 2;
        assert!(public_key::<N512>(Level::detect(), &f, &g, &mut h));
        assert_eq!(h, [(12289 + 1) / 2; 512]);
    }
}
