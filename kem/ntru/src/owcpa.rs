//! The deterministic public key encryption under the KEM, NTRU round 3: DPKE_Key_Pair, DPKE_Encrypt, DPKE_Decrypt.

use crate::backend::Backend;
use crate::encode::{has_zero_padding, pack_q, pack_s3, unpack_rq0, unpack_s3, unpack_sq};
use crate::inverse::{invert_all, s3_inverse, sq_inverse};
use crate::params::Params;
use crate::ring::{Rq, S3};
use crate::variant::sealed::Steps;
use alloc::vec::Vec;
use grille_core::{Bytes, Error, Secret, ct};
use subtle::{Choice, ConstantTimeEq};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// An encryption key (public).
pub(crate) struct EncryptionKey<P: Params> {
    bytes: P::PublicBytes,
    h: Rq<P>,
}

/// A decryption key (secret); erased on drop.
pub(crate) struct DecryptionKey<P: Params> {
    /// f, and its inverse modulo (3, Φₙ).
    f: S3<P>,
    f_p: S3<P>,
    /// The inverse of h modulo (q, Φₙ).
    h_q: Rq<P>,
}

/// r and m, packed: what is encrypted.
pub(crate) struct Plaintext<P: Params> {
    /// pack_S3(r).
    pub(crate) r: Secret<P::S3Bytes>,
    /// pack_S3(m).
    pub(crate) m: Secret<P::S3Bytes>,
}

/// DPKE_Key_Pair, with DPKE_Public_Key. Secret: `sampled`.
#[inline(always)]
pub(crate) fn key_pair<P: Params, B: Backend>(
    backend: B,
    sampled: &Sampled<P>,
    encryption_key: &mut EncryptionKey<P>,
    decryption_key: &mut DecryptionKey<P>,
) {
    // f_p ← S3_inverse(f)
    decryption_key.f_p = s3_inverse(backend, &sampled.f);
    // v₁ ← Sq_inverse(v₀)
    let v1 = Zeroizing::new(sq_inverse(backend, &sampled.v0));
    sampled.finish(backend, &v1, encryption_key, decryption_key);
}

/// The same from what is sampled from `bytes`, for many at once, each given to `take`: all inverses from one, by Montgomery's trick. Secret: `bytes`.
// Loops, because iterators would call closures that are compiled without the backend's instructions.
#[inline(always)]
pub(crate) fn key_pairs<P: Params, B: Backend>(
    backend: B,
    bytes: &[Secret<P::SampleBytes>],
    mut take: impl FnMut(EncryptionKey<P>, DecryptionKey<P>),
) {
    let mut sampled: Vec<Sampled<P>> = Vec::with_capacity(bytes.len());
    for bytes in bytes {
        sampled.push(Sampled::new(backend, bytes.expose()));
    }
    let f_p = invert_all(backend, sampled.iter().map(|key| &*key.f));
    let v1 = invert_all(backend, sampled.iter().map(|key| &*key.v0));
    for (sampled, (f_p, v1)) in sampled.into_iter().zip(f_p.iter().zip(&v1)) {
        let (mut encryption_key, mut decryption_key) = (EncryptionKey::unmade(), DecryptionKey::unmade());
        decryption_key.f_p.clone_from(f_p);
        decryption_key.f_p.reduce_phi();
        sampled.finish(backend, v1, &mut encryption_key, &mut decryption_key);
        take(encryption_key, decryption_key);
    }
}

/// What DPKE_Key_Pair has before it inverts. Secret: all.
pub(crate) struct Sampled<P: Params> {
    f: Zeroizing<S3<P>>,
    /// G/3.
    g: Zeroizing<Rq<P>>,
    /// G·f.
    v0: Zeroizing<Rq<P>>,
}

impl<P: Params> Sampled<P> {
    /// Secret: `bytes`.
    #[inline(always)]
    pub(crate) fn new<B: Backend>(backend: B, bytes: &P::SampleBytes) -> Self {
        // (f, g) ← Sample_fg(fg_bits)
        let [f, g] = P::Variant::sample_fg::<P, B>(backend, bytes).map(Zeroizing::new);
        let g = Zeroizing::new(P::Variant::numerator(&g));
        // v₀ ← G·f
        let mut v0 = Zeroizing::new(Rq::small_product(backend, &g, &Zeroizing::new(f.to_rq())));
        v0.scale(3);
        Self { f, g, v0 }
    }

    /// The keys, of which f_p is there, from the inverse v₁ of v₀.
    #[inline(always)]
    fn finish<B: Backend>(
        &self,
        backend: B,
        v1: &Rq<P>,
        encryption_key: &mut EncryptionKey<P>,
        decryption_key: &mut DecryptionKey<P>,
    ) {
        // h ← v₁·G·G and h_q ← v₁·f·f, the products of small numbers first
        {
            let mut g_g = Zeroizing::new(Rq::small_product(backend, &self.g, &self.g));
            g_g.scale(9);
            let h = Zeroizing::new(Rq::product(backend, v1, &g_g));
            *encryption_key = EncryptionKey::publish(backend, &h);
        }
        let f_lifted = Zeroizing::new(self.f.to_rq());
        let f_f = Zeroizing::new(Rq::small_product(backend, &f_lifted, &f_lifted));
        decryption_key.h_q = Rq::product(backend, v1, &f_f);
        decryption_key.h_q.reduce_phi();
        decryption_key.f.clone_from(&self.f);
    }
}

impl<P: Params> EncryptionKey<P> {
    /// To be filled.
    pub(crate) fn unmade() -> Self {
        Self { bytes: P::PublicBytes::zeroed(), h: Rq::zero() }
    }

    /// pack_Rq0(h), which makes it public.
    #[inline(always)]
    fn publish<B: Backend>(backend: B, h: &Rq<P>) -> Self {
        let mut bytes = pack_q(backend, h);
        // published: the encryption key
        ct::public_bytes(bytes.as_mut());
        Self { h: unpack_rq0(backend, &bytes), bytes }
    }

    /// # Errors
    /// [`Error::InvalidPublicKey`] if bits beyond the last coefficient are set.
    #[inline(always)]
    pub(crate) fn parse<B: Backend>(backend: B, bytes: P::PublicBytes) -> Result<Self, Error> {
        if !has_zero_padding::<P>(&bytes) {
            return Err(Error::InvalidPublicKey { reason: "has bits set beyond its last coefficient" });
        }
        Ok(Self { h: unpack_rq0(backend, &bytes), bytes })
    }

    /// pack_Rq0(h).
    pub(crate) fn as_bytes(&self) -> &P::PublicBytes {
        &self.bytes
    }

    /// Sample_rm and DPKE_Encrypt. Secret: `bytes`, the plaintext.
    #[inline(always)]
    pub(crate) fn encrypt<B: Backend>(
        &self,
        backend: B,
        bytes: &P::SampleBytes,
    ) -> (Plaintext<P>, P::PublicBytes) {
        // (r, m) ← Sample_rm(coins)
        let rm = Zeroizing::new(P::Variant::sample_rm::<P, B>(backend, bytes));
        let [r, m] = &*rm;
        // c ← r·h + Lift(m)
        let r_lifted = Zeroizing::new(r.to_rq());
        let mut c = Zeroizing::new(Rq::product(backend, &r_lifted, &self.h));
        c.add(&Zeroizing::new(P::Variant::lift(m)));
        (Plaintext { r: packed(r), m: packed(m) }, pack_q(backend, &c))
    }
}

impl<P: Params> Clone for EncryptionKey<P> {
    fn clone(&self) -> Self {
        Self { bytes: self.bytes.clone(), h: self.h.clone() }
    }
}

/// pack_S3(a).
#[inline(always)]
fn packed<P: Params>(a: &S3<P>) -> Secret<P::S3Bytes> {
    let mut bytes = Secret::<P::S3Bytes>::zeroed();
    pack_s3(a, bytes.as_mut());
    bytes
}

impl<P: Params> DecryptionKey<P> {
    /// To be filled.
    pub(crate) fn unmade() -> Self {
        Self { f: S3::zero(), f_p: S3::zero(), h_q: Rq::zero() }
    }

    /// pack_S3(f) ‖ pack_S3(f_p) ‖ pack_Sq(h_q).
    #[inline(always)]
    pub(crate) fn write<B: Backend>(&self, backend: B, bytes: &mut [u8]) {
        let (f, rest) = bytes.split_at_mut(P::S3Bytes::LEN);
        let (f_p, h_q) = rest.split_at_mut(P::S3Bytes::LEN);
        pack_s3(&self.f, f);
        pack_s3(&self.f_p, f_p);
        h_q.copy_from_slice(Secret::<P::PublicBytes>::new(pack_q(backend, &self.h_q)).as_ref());
    }

    /// Reads what [`Self::write`] wrote, and the encryption key that belongs to it.
    ///
    /// # Errors
    /// [`Error::InvalidPrivateKey`] if key generation cannot have made the bytes.
    #[inline(always)]
    pub(crate) fn parse<B: Backend>(backend: B, bytes: &[u8]) -> Result<(EncryptionKey<P>, Self), Error> {
        let key = Self::parse_alone(backend, bytes)?;
        let h = Zeroizing::new(key.h(backend));
        // whether a key is valid may be known
        if !ct::public(bool::from(key.is_consistent(backend, &h))) {
            return Err(Error::InvalidPrivateKey { reason: "has parts that do not belong together" });
        }
        Ok((EncryptionKey::publish(backend, &h), key))
    }

    /// Reads what [`Self::write`] wrote, whether the parts belong together or not.
    ///
    /// # Errors
    /// [`Error::InvalidPrivateKey`] if it is not in canonical form.
    #[inline(always)]
    pub(crate) fn parse_alone<B: Backend>(backend: B, bytes: &[u8]) -> Result<Self, Error> {
        let (f, rest) = bytes.split_at(P::S3Bytes::LEN);
        let (f_p, h_q) = rest.split_at(P::S3Bytes::LEN);
        let h_q = Secret::<P::PublicBytes>::try_from(h_q)?;
        let key = Self { f: unpack_s3(f), f_p: unpack_s3(f_p), h_q: unpack_sq(backend, h_q.expose()) };
        let mut again = Zeroizing::new(P::DecapsKeyBytes::zeroed());
        let again = &mut again.as_mut()[..bytes.len()];
        key.write(backend, again);
        if ct::public(bool::from(ct::equal(again, bytes))) {
            Ok(key)
        } else {
            Err(Error::InvalidPrivateKey { reason: "is not in canonical form" })
        }
    }

    /// h, from h_q: the inverse modulo (q, Φₙ) for which h(1) = 0.
    #[inline(always)]
    fn h<B: Backend>(&self, backend: B) -> Rq<P> {
        let mut h = sq_inverse(backend, &self.h_q);
        let sum = h.0.as_ref().iter().fold(0, |sum: u16, h| sum.wrapping_add(*h));
        // h − h(1)/n·Φₙ
        let share = sum.wrapping_mul(const { inverse_of(P::N as u16) });
        h.0.as_mut()[..P::N].iter_mut().for_each(|h| *h = h.wrapping_sub(share));
        h
    }

    /// Whether f·f_p = 1 modulo (3, Φₙ), h·h_q = 1 modulo (q, Φₙ), and f·h is a multiple of 3 by an element of S/3
    /// that DPKE_Key_Pair allows.
    #[inline(always)]
    fn is_consistent<B: Backend>(&self, backend: B, h: &Rq<P>) -> Choice {
        let mut of_f = Zeroizing::new(S3::product(backend, &self.f, &self.f_p));
        of_f.reduce_phi();
        let mut of_h = Zeroizing::new(Rq::product(backend, h, &self.h_q));
        of_h.reduce_phi();
        let g = Zeroizing::new(Rq::product(backend, &Zeroizing::new(self.f.to_rq()), h));
        let mask = (1 << P::LOG_Q) - 1;
        // 3·g has coefficients 0 and ±3, 3·(x − 1)·g also ±6
        let small = g.0.as_ref().iter().fold(Choice::from(1), |all, x| {
            let third = x.wrapping_mul(const { inverse_of(3) }).wrapping_add(2) & mask;
            all & Choice::from(u8::from(third < 5))
        });
        is_one(of_f.0.as_ref(), 3) & is_one(of_h.0.as_ref(), mask) & small
    }

    /// DPKE_Decrypt: r and m, and whether DPKE_Encrypt makes `c` of them. Secret: the results.
    #[inline(always)]
    pub(crate) fn decrypt<B: Backend>(&self, backend: B, c_bytes: &P::PublicBytes) -> (Plaintext<P>, Choice) {
        // v₁ ← c·f in R/q; m₀ ← v₁ modulo (3, Φₙ); m ← m₀·f_p in S/3
        let c = unpack_rq0::<P, B>(backend, c_bytes);
        let v1 = Zeroizing::new(Rq::product(backend, &c, &Zeroizing::new(self.f.to_rq())));
        let m0 = Zeroizing::new(v1.to_s3());
        let mut m = Zeroizing::new(S3::product(backend, &m0, &self.f_p));
        m.reduce_phi();
        // r ← (c − Lift(m))·h_q in S/q
        let mut b = Zeroizing::new(P::Variant::lift(&m));
        b.subtract_from(&c);
        let mut r = Zeroizing::new(Rq::product(backend, &b, &self.h_q));
        r.reduce_phi();
        // r ∈ {−1, 0, 1}, and m as Sample_rm gives it
        let (r, is_ternary) = ternary(&r);
        let valid =
            is_ternary & P::Variant::is_message(&m) & Choice::from(u8::from(has_zero_padding::<P>(c_bytes)));
        (Plaintext { r: packed(&r), m: packed(&m) }, valid)
    }
}

/// r modulo 3, and whether all coefficients are −1, 0 or 1 modulo q.
#[inline(always)]
fn ternary<P: Params>(r: &Rq<P>) -> (Zeroizing<S3<P>>, Choice) {
    let mut trits = Zeroizing::new(S3::<P>::zero());
    let (mask, mut beyond) = ((1 << P::LOG_Q) - 1, 0);
    for (trit, r) in trits.0.as_mut().iter_mut().zip(r.0.as_ref()) {
        // 0, 1, 2 for −1, 0, 1, and more else
        let shifted = r.wrapping_add(1) & mask;
        beyond |= (shifted + 1) & !3;
        // −1 is 2 modulo 3
        *trit = (r & 1) << (shifted == 0) as u16;
    }
    (trits, beyond.ct_eq(&0))
}

/// Whether all coefficients but the first are zero in these bits, and that is 1.
#[inline(always)]
fn is_one(coefficients: &[u16], mask: u16) -> Choice {
    let difference = |i: usize, x: u16| (x ^ u16::from(i == 0)) & mask;
    coefficients.iter().enumerate().fold(0, |all, (i, x)| all | difference(i, *x)).ct_eq(&0)
}

/// The inverse of an odd number modulo 2¹⁶.
pub(crate) const fn inverse_of(a: u16) -> u16 {
    let (mut inverse, mut i) = (a, 0);
    while i < 4 {
        inverse = inverse.wrapping_mul(2u16.wrapping_sub(a.wrapping_mul(inverse)));
        i += 1;
    }
    inverse
}

const _: () = assert!(inverse_of(3).wrapping_mul(3) == 1 && inverse_of(1373).wrapping_mul(1373) == 1);

impl<P: Params> Drop for DecryptionKey<P> {
    fn drop(&mut self) {
        self.f.zeroize();
        self.f_p.zeroize();
        self.h_q.zeroize();
    }
}

impl<P: Params> ZeroizeOnDrop for DecryptionKey<P> {}
