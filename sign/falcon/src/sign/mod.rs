//! Signing (Sign, Falcon Algorithm 10), and the expanded keys for it.

pub(crate) mod base_sampler;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod batch;
#[cfg(any(
    test,
    feature = "emulated",
    not(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))
))]
pub(crate) mod emulated;
pub(crate) mod fft;
pub(crate) mod flr;
pub(crate) mod low_memory;
pub(crate) mod operations;
pub(crate) mod prng;
pub(crate) mod sampler;
pub(crate) mod tree;

use crate::backend::Operation;
use crate::codec::encode_signature;
use crate::degree::Degree;
use crate::format::{Format, NONCE_LEN, SignatureParams};
use crate::hash::{Message, hash_to_point};
use crate::keygen::Basis;
use crate::mq::Q;
use crate::poly::{SecretPoly, Secrets};
use base_sampler::Attempts;
use fft::{Complex, dot_adjoint, fft, inverse_fft, norm, set_value, value};
use flr::{Number, Real};
use grille_core::{CryptoRng, Secret, ct};
use grille_hash::{Level, Shake256};
use sampler::Sampler;
use tree::{BuildTree, Sample};

/// The values of a key that a signature needs (secret, erased on drop): the basis as FFT images, and the tree.
pub struct ExpandedKey<D: Degree, R: Real> {
    /// The image of f. Together with the images of g, F and G, it represents the basis [[g, −f], [G, −F]].
    f: SecretPoly<D, R>,
    g: SecretPoly<D, R>,
    F: SecretPoly<D, R>,
    G: SecretPoly<D, R>,
    tree: Secrets<R, D::Tree<R>>,
}

impl<D: Degree, R: Real> ExpandedKey<D, R> {
    /// Returns a key of zeroes, for [`set`](Self::set) to fill in place.
    #[inline(always)]
    pub(crate) fn zeroed() -> Self {
        Self {
            f: Secrets::zeroed(),
            g: Secrets::zeroed(),
            F: Secrets::zeroed(),
            G: Secrets::zeroed(),
            tree: Secrets::zeroed(),
        }
    }

    /// Computes the images of the basis and the tree of its Gram matrix.
    #[inline(always)]
    pub(crate) fn set(&mut self, level: Level, basis: &Basis<D>, params: &SignatureParams) {
        set_images(basis, [&mut self.f, &mut self.g, &mut self.F, &mut self.G]);
        let half = D::N / 2;
        let (mut g00, mut g01, mut g11) =
            (SecretPoly::<D, R>::zeroed(), SecretPoly::<D, R>::zeroed(), SecretPoly::<D, R>::zeroed());
        self.images().gram(&mut g00[..half], &mut g01, &mut g11[..half]);
        let mut scratch = Secrets::<R, D::Scratch<R>>::zeroed();
        let inverse_sigma = R::from_bits(params.inverse_sigma);
        BuildTree {
            g00: &g00[..half],
            g01: &g01,
            g11: &g11[..half],
            inverse_sigma,
            tree: &mut self.tree,
            scratch: &mut scratch,
        }
        .run(level);
    }

    #[inline(always)]
    fn images(&self) -> Images<'_, R> {
        Images { f: &self.f, g: &self.g, F: &self.F, G: &self.G }
    }
}

/// Computes the images of f, g, F and G.
#[inline(always)]
fn set_images<D: Degree, R: Real>(basis: &Basis<D>, images: [&mut [R]; 4]) {
    let Basis { f, g, F, G } = basis;
    for (image, small) in images.into_iter().zip([f, g, F, G]) {
        image.iter_mut().zip(small.iter()).for_each(|(image, small)| *image = R::from_int(i64::from(*small)));
        fft(image);
    }
}

/// The message to sign and the parameters of signing.
pub(crate) struct Request<'a> {
    pub(crate) params: &'static SignatureParams,
    pub(crate) message: Message<'a>,
    pub(crate) rng: &'a mut dyn CryptoRng,
    /// The output buffer, as long as the longest signature.
    pub(crate) bytes: &'a mut [u8],
}

/// Runs Sign, Falcon Algorithm 10, and returns the length of the signature. Samples the 40-byte nonce, then a
/// 48-byte seed for all attempts.
#[inline(always)]
pub(crate) fn sign<D: Degree, R: Real>(level: Level, key: &ExpandedKey<D, R>, request: Request<'_>) -> usize {
    let Request { params, message, rng, bytes } = request;
    let mut signing = Signing::<D>::new(level, params);
    signing.begin(level, message, rng);
    signing.finish(level, key, bytes)
}

/// Samples the nonce and the seed of all attempts.
pub(crate) fn sample_randomness(
    format: Format,
    rng: &mut dyn CryptoRng,
    nonce: &mut Secret<[u8; NONCE_LEN]>,
    seed: &mut Secret<[u8; 48]>,
) {
    rng.fill_bytes(nonce.as_mut());
    if !format.is_constant_time() {
        ct::public_bytes(nonce.as_mut());
    }
    rng.fill_bytes(seed.as_mut());
}

/// A signature in progress (erased on drop). Two signatures with the same c would reveal information about
/// the key, so a rejected s2 is secret. In the constant-time format, all values are secret.
struct Signing<D: Degree> {
    params: &'static SignatureParams,
    nonce: Secret<[u8; NONCE_LEN]>,
    c: SecretPoly<D, i16>,
    s2: SecretPoly<D, i16>,
    /// The generator of the seeds of attempts.
    randomness: Shake256<1>,
}

impl<D: Degree> Signing<D> {
    /// Creates a signature in progress, without a message.
    fn new(level: Level, params: &'static SignatureParams) -> Self {
        let (c, s2, randomness) = (Secrets::zeroed(), Secrets::zeroed(), Shake256::new(level));
        Self { params, nonce: Secret::zeroed(), c, s2, randomness }
    }

    /// Computes c ← HashToPoint(r ‖ m, q, n).
    fn begin(&mut self, level: Level, message: Message<'_>, rng: &mut dyn CryptoRng) {
        let Self { params, nonce, c, randomness, .. } = self;
        let mut seed = Secret::<[u8; 48]>::zeroed();
        match message {
            Message::Whole(_) => sample_randomness(params.format, rng, nonce, &mut seed),
            Message::Streamed(streamed) => {
                nonce.as_mut().copy_from_slice(streamed.nonce.as_ref());
                seed.as_mut().copy_from_slice(streamed.seed.as_ref());
            }
        }
        hash_to_point(params.format, level, nonce.as_ref(), message, c);
        randomness.absorb_all(seed.as_ref());
    }

    /// Seeds the next attempt.
    fn seed(&mut self, attempts: &mut Attempts) {
        let mut seed = Secret::zeroed();
        self.randomness.squeeze([seed.as_mut()]);
        attempts.seed(seed.expose());
    }

    /// Repeats attempts until one is short enough and fits into the format.
    #[inline(always)]
    fn finish<R: Real>(&mut self, level: Level, key: &ExpandedKey<D, R>, bytes: &mut [u8]) -> usize {
        let mut sampler = Sampler::new(level, self.params.sigma_min);
        loop {
            self.seed(&mut sampler.attempts);
            if let Some(len) = key.attempt(&mut sampler, self, bytes) {
                return len;
            }
        }
    }

    /// Writes c to `t0` as real numbers.
    #[inline(always)]
    fn set_c<R: Real>(&self, t0: &mut [R]) {
        t0.iter_mut().zip(self.c.iter()).for_each(|(t, c)| *t = R::from_int(i64::from(*c)));
    }

    /// Encodes the signature with (s1, s2) = (c, 0) − z·B, if it is short enough and fits into the format. `z`
    /// is the result of [`lattice_point`](Images::lattice_point).
    #[inline(always)]
    fn encode<R: Real>(&mut self, z: impl Iterator<Item = (R, R)>, bytes: &mut [u8]) -> Option<usize> {
        let mut norm = 0;
        for ((s2, c), (z0, z1)) in self.s2.iter_mut().zip(self.c.iter()).zip(z) {
            let (s1, minus_s2) = (i64::from(*c) - z0.rint(), z1.rint());
            norm += (s1 * s1 + minus_s2 * minus_s2) as u64;
            *s2 = -minus_s2 as i16;
        }
        // whether the signature is too long is public
        if ct::public(norm > u64::from(self.params.bound)) {
            return None;
        }
        encode_signature(self.params.format, self.nonce.expose(), &self.s2, bytes)
    }
}

impl<D: Degree, R: Real> ExpandedKey<D, R> {
    /// Makes one attempt: samples a random vector of the lattice coset that c determines, and encodes it as a
    /// signature. Returns the length, or `None` if the vector is too long or does not fit into the format.
    #[inline(always)]
    fn attempt(&self, sampler: &mut Sampler<R>, signing: &mut Signing<D>, bytes: &mut [u8]) -> Option<usize> {
        let (mut t0, mut t1) = (SecretPoly::<D, R>::zeroed(), SecretPoly::<D, R>::zeroed());
        let mut scratch = Secrets::<R, D::Scratch<R>>::zeroed();
        signing.set_c(&mut t0);
        target(&self.f, &self.F, &mut t0, &mut t1);
        Sample { sampler, t0: &mut t0, t1: &mut t1, tree: &self.tree, scratch: &mut scratch }
            .run_ff_sampling();
        self.images().lattice_point(&mut t0, &mut t1);
        signing.encode(t0.iter().copied().zip(t1.iter().copied()), bytes)
    }
}

/// The images of f, g, F and G. The basis is [[g, −f], [G, −F]]. All values are secret.
struct Images<'a, R> {
    f: &'a [R],
    g: &'a [R],
    F: &'a [R],
    G: &'a [R],
}

impl<R: Real> Images<'_, R> {
    /// Computes the Gram matrix B·B*. `g00` and `g11` are self-adjoint and contain n/2 real values.
    #[inline(always)]
    fn gram(&self, g00: &mut [R], g01: &mut [R], g11: &mut [R]) {
        norm(self.g, self.f, g00);
        dot_adjoint(self.g, self.G, self.f, self.F, g01);
        norm(self.G, self.F, g11);
    }

    /// Replaces the coordinates z by the coefficients of z·B, which is the lattice vector with these
    /// coordinates.
    #[inline(always)]
    fn lattice_point<T: Number<Scalar = R>>(&self, z0: &mut [T], z1: &mut [T]) {
        for i in 0..z0.len() / 2 {
            let (a, b) = (value(z0, i), value(z1, i));
            set_value(z0, i, times(a, self.g, i).add(times(b, self.G, i)));
            let minus_z1 = times(a, self.f, i).add(times(b, self.F, i));
            set_value(z1, i, minus_z1.scale(minus_z1.re.splat(-R::from_int(1))));
        }
        inverse_fft(z0);
        inverse_fft(z1);
    }
}

/// Computes t ← (−1/q·FFT(c)·FFT(F), 1/q·FFT(c)·FFT(f)). `t0` contains c.
#[inline(always)]
fn target<T: Number>(f: &[T::Scalar], F: &[T::Scalar], t0: &mut [T], t1: &mut [T]) {
    fft(t0);
    let inverse_q = T::Scalar::from_bits((1.0 / f64::from(Q)).to_bits());
    for i in 0..t0.len() / 2 {
        let c = value(t0, i);
        set_value(t1, i, times(c, f, i).scale(c.re.splat(inverse_q)));
        set_value(t0, i, times(c, F, i).scale(c.re.splat(-inverse_q)));
    }
}

/// Computes the product of x and the value with index `i` of an image.
#[inline(always)]
fn times<T: Number>(x: Complex<T>, image: &[T::Scalar], i: usize) -> Complex<T> {
    x.mul(x.broadcast(value(image, i)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::{dispatch_at, run_portable};
    use crate::codec::decode_signature;
    use crate::params::{Falcon512P, Falcon1024P, FalconCt512P, FalconPadded512P, Format, Params};
    use crate::{SigningKey, VerifyingKey};
    use core::marker::PhantomData;
    use emulated::Emulated;
    use flr::Native;
    use grille_core::{Bytes, SigningKey as _, SystemRng, VerifyingKey as _};
    use grille_stream::Stream;
    use grille_stream::many::signatures_equal_single_ones;
    use std::vec;
    use std::vec::Vec;

    /// A test operation that signs with a prepared key and with a low-memory key, with one type of
    /// arithmetic. The randomness is derived from the message. The code is compiled once per degree, like
    /// that of the operations.
    struct BothSigners<'a, D: Degree, R> {
        basis: &'a Basis<D>,
        params: &'static SignatureParams,
        longest: usize,
        message: &'a [u8],
        doubles: PhantomData<R>,
    }

    impl<D: Degree, R: Real> Operation for BothSigners<'_, D, R> {
        type Output = [Vec<u8>; 2];

        #[inline(always)]
        fn run(self, level: Level) -> [Vec<u8>; 2] {
            let Self { basis, params, longest, message, .. } = self;
            let mut key = ExpandedKey::<D, R>::zeroed();
            key.set(level, basis, params);
            let mut signatures = [vec![0; longest], vec![0; longest]];
            let [one, other] = &mut signatures;
            let (mut rng, mut same) = (Stream::new(message), Stream::new(message));
            let len = sign(
                level,
                &key,
                Request { params, message: Message::Whole(message), rng: &mut rng, bytes: one },
            );
            one.truncate(len);
            let request = Request { params, message: Message::Whole(message), rng: &mut same, bytes: other };
            let len = low_memory::sign::<D, R>(level, basis, request);
            other.truncate(len);
            signatures
        }
    }

    impl<'a, D: Degree, R> BothSigners<'a, D, R> {
        fn new<P: Params<Degree = D>>(key: &'a SigningKey<P>, message: &'a [u8]) -> Self {
            let (params, longest) = (&P::SIGNATURE, P::SignatureBytes::LEN);
            Self { basis: &key.basis, params, longest, message, doubles: PhantomData }
        }
    }

    /// Returns the signature of a message. Checks that both methods return this signature at every level and
    /// with either arithmetic. The integer arithmetic is compiled for only one level.
    fn sign_with_all_methods<P: Params>(key: &SigningKey<P>, message: &[u8]) -> Vec<u8> {
        let [signature, small] = run_portable(Level::Portable, BothSigners::<_, Emulated>::new(key, message));
        assert_eq!(small, signature, "{}", P::NAME);
        for level in Level::all() {
            let both = dispatch_at(level, BothSigners::<_, Native>::new(key, message));
            assert!(both.iter().all(|other| *other == signature), "{} {}", P::NAME, level.name());
        }
        signature
    }

    #[test]
    fn both_arithmetics_give_the_same_signatures_at_every_level() {
        fn check<P: Params>() {
            let key = SigningKey::<P>::generate(&mut SystemRng);
            for message in [&b"one"[..], b"two"] {
                sign_with_all_methods(&key, message);
            }
        }
        check::<Falcon512P>();
        check::<Falcon1024P>();
        check::<FalconCt512P>();
    }

    /// Returns the length of the signature with s1 = 0 and an s2 whose coefficients all have the given value.
    fn encode<P: Params>(s2: i64) -> Option<usize> {
        let mut signing = Signing::<P::Degree>::new(Level::detect(), &P::SIGNATURE);
        signing.begin(Level::detect(), Message::Whole(b"message"), &mut SystemRng);
        let z: Vec<_> =
            signing.c.iter().map(|c| (Native::from_int(i64::from(*c)), Native::from_int(-s2))).collect();
        signing.encode(z.into_iter(), P::SignatureBytes::zeroed().as_mut())
    }

    #[test]
    fn rejects_attempts_that_are_too_long_or_do_not_fit() {
        // 512·258² is larger than ⌊β²⌋; 512·257² is not, and each coefficient 257 takes 11 bits
        assert_eq!(encode::<Falcon512P>(258), None);
        assert_eq!(encode::<Falcon512P>(257), Some(41 + 704));
        assert_eq!(encode::<FalconPadded512P>(257), None);
        assert_eq!(encode::<FalconPadded512P>(1), Some(666));
    }

    /// Defines parameter sets that reject about half of all attempts, because the norm or the compressed
    /// length is too large.
    macro_rules! strict_sets {
        ($($set:ident = $of:ident $format:ident, $bound:expr, $sig:literal;)*) => {$(
            struct $set;

            impl Params for $set {
                type Degree = <$of as Params>::Degree;
                const NAME: &'static str = stringify!($set);
                const SIGNATURE: SignatureParams =
                    SignatureParams { format: Format::$format, bound: $bound, ..$of::SIGNATURE };
                type SignatureBytes = [u8; $sig];
            }
        )*};
    }

    // the squared norm is about 2n·σ², which is 2·512·165.7² or 2·1024·168.4²
    strict_sets! {
        Short512 = Falcon512P Compressed, 28_130_000, 752;
        Short1024 = Falcon1024P Compressed, 58_070_000, 1462;
        Tight512 = Falcon512P Padded, Falcon512P::SIGNATURE.bound, 654;
        Tight1024 = Falcon1024P Padded, Falcon1024P::SIGNATURE.bound, 1270;
    }

    /// Compares `P`, which rejects some attempts, with `Q`, which has the same parameters and accepts these
    /// attempts.
    fn check_repeated_attempts<P: Params, Q: Params<Degree = P::Degree>>() {
        let key = SigningKey::<P>::keygen_internal(&[5; 48]);
        let lenient = SigningKey::<Q>::from_bytes(key.to_bytes().as_ref()).expect("of the same degree");
        let messages: [_; 16] = core::array::from_fn(|n| [n as u8]);
        let again = messages.iter().filter(|message| {
            let expected = sign_with_all_methods(&key, *message);
            assert_eq!(key.verifying_key().verify(*message, b"", &expected), Ok(()), "{}", P::NAME);
            !expected.starts_with(&sign_with_all_methods(&lenient, *message))
        });
        assert!((1..16).contains(&again.count()), "{}", P::NAME);
        signatures_equal_single_ones(&key);
        signatures_equal_single_ones(&key.prepare());
    }

    #[test]
    fn every_signing_method_repeats_rejected_attempts() {
        check_repeated_attempts::<Short512, Falcon512P>();
        check_repeated_attempts::<Short1024, Falcon1024P>();
        check_repeated_attempts::<Tight512, Falcon512P>();
        check_repeated_attempts::<Tight1024, Falcon1024P>();
    }

    #[test]
    fn constant_time_signatures_contain_the_same_s2() {
        let key = SigningKey::<FalconCt512P>::generate(&mut SystemRng);
        let bytes = key.verifying_key().to_bytes();
        let compressed_key = VerifyingKey::<Falcon512P>::from_bytes(&bytes).expect("of the same degree");
        for message in [&b"one"[..], b"two", b"three"] {
            let signature = key.sign(message, b"", &mut SystemRng).expect("an empty context is short enough");
            let mut s2 = [0; 512];
            let nonce =
                decode_signature(Format::ConstantTime, 809, &signature, &mut s2).expect("a signature");
            let nonce = nonce.first_chunk().expect("40 bytes");
            let mut compressed = [0; 752];
            let len = encode_signature(Format::Compressed, nonce, &s2, &mut compressed).expect("it fits");
            assert_eq!(compressed_key.verify(message, b"", &compressed[..len]), Ok(()));
        }
    }
}
