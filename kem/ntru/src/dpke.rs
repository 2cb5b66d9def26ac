//! The deterministic public-key encryption scheme of NTRU round 3: DPKE_Key_Pair, DPKE_Encrypt, DPKE_Decrypt.

use crate::backend::Backend;
use crate::coefficient::inverse_mod_q;
use crate::encode::{has_zero_padding, pack_q, pack_s3, unpack_rq0, unpack_s3, unpack_sq};
use crate::inverse::{invert_all, s3_inverse, sq_inverse};
use crate::params::Params;
use crate::ring::{Rq, S3};
use crate::variant;
use grille_core::{Array, Bytes, Error, Secret, ct};
use subtle::{Choice, ConstantTimeEq};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// An encryption key (public).
pub(crate) struct EncryptionKey<P: Params> {
    bytes: P::PublicBytes,
    /// The coefficients of h. They are not aligned, because allocating a key that is parsed and used once
    /// should be fast.
    h: P::Coefficients,
}

/// A decryption key (secret). Erased on drop.
pub(crate) struct DecryptionKey<P: Params> {
    /// The element f. Its inverse modulo (3, Φₙ) is `f_p`.
    f: S3<P>,
    f_p: S3<P>,
    /// The inverse of h modulo (q, Φₙ).
    h_q: Rq<P>,
}

/// The plaintext: r and m, packed.
pub(crate) struct Plaintext<P: Params> {
    /// The encoding pack_S3(r).
    pub(crate) r: Secret<P::S3Bytes>,
    /// The encoding pack_S3(m).
    pub(crate) m: Secret<P::S3Bytes>,
}

impl<P: Params> Plaintext<P> {
    /// Returns a plaintext of zeroes.
    pub(crate) fn zeroed() -> Self {
        Self { r: Secret::zeroed(), m: Secret::zeroed() }
    }

    /// Sets the plaintext to pack_S3(r) and pack_S3(m).
    #[inline(always)]
    fn pack<B: Backend>(&mut self, backend: B, r: &S3<P>, m: &S3<P>) {
        pack_s3(backend, r, self.r.as_mut());
        pack_s3(backend, m, self.m.as_mut());
    }
}

/// The error for a key whose f, f_p and h_q do not belong together.
const MISMATCHED_PARTS: &str = "has parts that do not belong together";
/// The error for an HPS key whose g has the wrong number of coefficients 1 or −1, or an HRSS key for which Σ
/// fᵢ·fᵢ₊₁ or Σ gᵢ·gᵢ₊₁ is negative.
const NOT_SAMPLED: &str = "has an f or g that key generation cannot produce";

/// Runs the steps of DPKE_Key_Pair that follow [`DecryptionKey::sample`], including DPKE_Public_Key. `g` is
/// G/3, which is secret.
#[inline(always)]
pub(crate) fn key_pair<P: Params, B: Backend>(
    backend: B,
    g: &Rq<P>,
    encryption_key: &mut EncryptionKey<P>,
    decryption_key: &mut DecryptionKey<P>,
) {
    // f_p ← S3_inverse(f)
    decryption_key.f_p = s3_inverse(backend, &decryption_key.f);
    let workspace = &mut backend.workspace();
    decryption_key.set_v0(backend, workspace, g);
    // v₁ ← Sq_inverse(v₀)
    let v1 = Zeroizing::new(sq_inverse(backend, workspace, &decryption_key.h_q));
    finish(backend, workspace, g, &v1, encryption_key, decryption_key);
}

/// For many keys at once, runs the steps of DPKE_Key_Pair that follow [`DecryptionKey::sample`]. With
/// Montgomery's trick, all inverses in a ring take one inversion. `g` holds G/3 of each key, which is secret.
///
/// Temporary values use memory for only two polynomials per key. Allocators would return larger blocks to the
/// operating system, and requesting new blocks takes longer than hashing.
// uses loops, because closures would be compiled without the backend's instructions
#[inline(always)]
pub(crate) fn key_pairs<P: Params, B: Backend>(
    backend: B,
    g: &[Zeroizing<Rq<P>>],
    keys: &mut [(&mut EncryptionKey<P>, &mut DecryptionKey<P>)],
) {
    let workspace = &mut backend.workspace();
    {
        let f_p = invert_all(backend, workspace, keys.iter().map(|(_, key)| &key.f));
        for ((_, key), f_p) in keys.iter_mut().zip(&f_p) {
            key.f_p.clone_from(f_p);
            key.f_p.reduce_phi();
        }
    }
    for ((_, key), g) in keys.iter_mut().zip(g) {
        key.set_v0(backend, workspace, g);
    }
    let v1 = invert_all(backend, workspace, keys.iter().map(|(_, key)| &key.h_q));
    for (((encryption_key, decryption_key), g), v1) in keys.iter_mut().zip(g).zip(&v1) {
        finish(backend, workspace, g, v1, encryption_key, decryption_key);
    }
}

/// Computes h and h_q from G/3 and from v₁, the inverse of v₀. The decryption key must already contain f and
/// f_p.
#[inline(always)]
fn finish<P: Params, B: Backend>(
    backend: B,
    workspace: &mut B::Workspace<P>,
    g: &Rq<P>,
    v1: &Rq<P>,
    encryption_key: &mut EncryptionKey<P>,
    decryption_key: &mut DecryptionKey<P>,
) {
    // h ← v₁·G·G and h_q ← v₁·f·f; the products of small numbers come first
    let (mut square, mut other) = (Zeroizing::new(Rq::<P>::zero()), Zeroizing::new(Rq::zero()));
    backend.multiply_small::<P>(workspace, &g.0, &g.0, &mut square.0);
    square.scale(9);
    backend.multiply::<P>(workspace, &v1.0, &square.0, &mut other.0);
    encryption_key.publish(backend, &other);
    decryption_key.f.lift_to(&mut other);
    backend.multiply_small::<P>(workspace, &other.0, &other.0, &mut square.0);
    backend.multiply::<P>(workspace, &v1.0, &square.0, &mut decryption_key.h_q.0);
    decryption_key.h_q.reduce_phi();
}

impl<P: Params> EncryptionKey<P> {
    /// Returns a key of zeroes.
    pub(crate) fn zeroed() -> Self {
        Self { bytes: P::PublicBytes::zeroed(), h: P::Coefficients::from_fn(|_| 0) }
    }

    /// Sets the key to pack_Rq0(h), and makes it public. The key must be [`zeroed`](Self::zeroed).
    #[inline(always)]
    fn publish<B: Backend>(&mut self, backend: B, h: &Rq<P>) {
        pack_q(backend, h, self.bytes.as_mut());
        // the encryption key is public
        ct::public_bytes(self.bytes.as_mut());
        unpack_rq0::<P, B>(backend, &self.bytes, &mut self.h);
    }

    /// Parses a key of the right length into a [`zeroed`](Self::zeroed) key.
    ///
    /// # Errors
    /// Returns [`Error::InvalidPublicKey`] if bits after the last coefficient are set.
    #[inline(always)]
    pub(crate) fn read<B: Backend>(&mut self, backend: B, bytes: &[u8]) -> Result<(), Error> {
        self.bytes.as_mut().copy_from_slice(bytes);
        if !has_zero_padding::<P>(&self.bytes) {
            return Err(Error::InvalidPublicKey { reason: "has bits set after its last coefficient" });
        }
        unpack_rq0::<P, B>(backend, &self.bytes, &mut self.h);
        Ok(())
    }

    /// Returns pack_Rq0(h).
    pub(crate) fn as_bytes(&self) -> &P::PublicBytes {
        &self.bytes
    }

    /// Runs Sample_rm and DPKE_Encrypt. Writes the sampled plaintext to `plaintext`. `bytes` and `plaintext`
    /// are secret.
    #[inline(always)]
    pub(crate) fn encrypt<B: Backend>(
        &self,
        backend: B,
        bytes: &P::SampleBytes,
        c_bytes: &mut P::PublicBytes,
        plaintext: &mut Plaintext<P>,
    ) {
        // (r, m) ← Sample_rm(coins)
        let (mut r, mut m) = (Zeroizing::new(S3::zero()), Zeroizing::new(S3::zero()));
        variant::sample_rm::<P, B>(backend, bytes, &mut r, &mut m);
        // c ← r·h + Lift(m)
        let mut c = Zeroizing::new(Rq::zero());
        backend.multiply::<P>(&mut backend.workspace(), &Zeroizing::new(r.to_rq()).0, &self.h, &mut c.0);
        c.add(&Zeroizing::new(variant::lift(&m)));
        pack_q(backend, &c, c_bytes.as_mut());
        plaintext.pack(backend, &r, &m);
    }
}

impl<P: Params> Clone for EncryptionKey<P> {
    fn clone(&self) -> Self {
        Self { bytes: self.bytes.clone(), h: self.h.clone() }
    }
}

impl<P: Params> DecryptionKey<P> {
    /// Returns a key of zeroes.
    pub(crate) fn zeroed() -> Self {
        Self { f: S3::zero(), f_p: S3::zero(), h_q: Rq::zero() }
    }

    /// Runs the first part of DPKE_Key_Pair: samples f into a [`zeroed`](Self::zeroed) key, and returns G/3
    /// in `g`. `bytes` and `g` are secret.
    #[inline(always)]
    pub(crate) fn sample<B: Backend>(&mut self, backend: B, bytes: &P::SampleBytes, g: &mut Rq<P>) {
        // (f, g) ← Sample_fg(fg_bits)
        let mut sampled = Zeroizing::new(S3::zero());
        variant::sample_fg::<P, B>(backend, bytes, &mut self.f, &mut sampled);
        *g = variant::numerator(&sampled);
    }

    /// Computes v₀ ← G·f and stores it in h_q. `g` is G/3, which is secret.
    #[inline(always)]
    fn set_v0<B: Backend>(&mut self, backend: B, workspace: &mut B::Workspace<P>, g: &Rq<P>) {
        let f_lifted = Zeroizing::new(self.f.to_rq());
        backend.multiply_small::<P>(workspace, &g.0, &f_lifted.0, &mut self.h_q.0);
        self.h_q.scale(3);
    }

    /// Writes pack_S3(f) ‖ pack_S3(f_p) ‖ pack_Sq(h_q) to `bytes`.
    #[inline(always)]
    pub(crate) fn write<B: Backend>(&self, backend: B, bytes: &mut [u8]) {
        let (f, rest) = bytes.split_at_mut(P::S3Bytes::LEN);
        let (f_p, h_q) = rest.split_at_mut(P::S3Bytes::LEN);
        pack_s3(backend, &self.f, f);
        pack_s3(backend, &self.f_p, f_p);
        pack_q(backend, &self.h_q, h_q);
    }

    /// Parses the output of [`Self::write`] into a key that is [`zeroed`](Self::zeroed). Also computes the
    /// encryption key, which must be zeroed, too.
    ///
    /// # Errors
    /// Returns [`Error::InvalidPrivateKey`] if key generation cannot have produced the bytes.
    #[inline(always)]
    pub(crate) fn read<B: Backend>(
        &mut self,
        backend: B,
        bytes: &[u8],
        encryption_key: &mut EncryptionKey<P>,
    ) -> Result<(), Error> {
        self.read_unmatched(backend, bytes)?;
        let workspace = &mut backend.workspace();
        let h = Zeroizing::new(self.h(backend, workspace));
        // whether a key is valid is public, and so is the reason why it is invalid
        let [belong, are_sampled] =
            self.is_consistent(backend, workspace, &h).map(|holds| ct::public(bool::from(holds)));
        if !belong {
            return Err(Error::InvalidPrivateKey { reason: MISMATCHED_PARTS });
        }
        if !are_sampled {
            return Err(Error::InvalidPrivateKey { reason: NOT_SAMPLED });
        }
        encryption_key.publish(backend, &h);
        Ok(())
    }

    /// Parses the output of [`Self::write`] into a key that is [`zeroed`](Self::zeroed). Does not check whether the
    /// parts belong together.
    ///
    /// # Errors
    /// Returns [`Error::InvalidPrivateKey`] if the encoding is not canonical.
    #[inline(always)]
    pub(crate) fn read_unmatched<B: Backend>(&mut self, backend: B, bytes: &[u8]) -> Result<(), Error> {
        let (f, rest) = bytes.split_at(P::S3Bytes::LEN);
        let (f_p, h_q) = rest.split_at(P::S3Bytes::LEN);
        unpack_s3(f, &mut self.f);
        unpack_s3(f_p, &mut self.f_p);
        unpack_sq::<P, B>(backend, h_q, &mut self.h_q.0);
        let mut again = Zeroizing::new(P::DecapsKeyBytes::zeroed());
        let again = &mut again.as_mut()[..bytes.len()];
        self.write(backend, again);
        if ct::public(bool::from(ct::equal(again, bytes))) {
            Ok(())
        } else {
            Err(Error::InvalidPrivateKey { reason: "is not in canonical form" })
        }
    }

    /// Computes h from h_q: the inverse modulo (q, Φₙ) with h(1) = 0.
    #[inline(always)]
    fn h<B: Backend>(&self, backend: B, workspace: &mut B::Workspace<P>) -> Rq<P> {
        let mut h = sq_inverse(backend, workspace, &self.h_q);
        let sum = h.0.as_ref().iter().fold(0, |sum: u16, h| sum.wrapping_add(*h));
        // subtracts h(1)/n·Φₙ
        let share = sum.wrapping_mul(const { inverse_mod_q(P::N as u16) });
        h.0.as_mut()[..P::N].iter_mut().for_each(|h| *h = h.wrapping_sub(share));
        h
    }

    /// Checks whether f·f_p = 1 modulo (3, Φₙ), h·h_q = 1 modulo (q, Φₙ), and f·h = G for some g with
    /// coefficients −1, 0 and 1. The first result states whether all of this is true, and the second whether
    /// Sample_fg may return f and this g.
    #[inline(always)]
    fn is_consistent<B: Backend>(
        &self,
        backend: B,
        workspace: &mut B::Workspace<P>,
        h: &Rq<P>,
    ) -> [Choice; 2] {
        let mut of_f = Zeroizing::new(S3::product(backend, workspace, &self.f, &self.f_p));
        of_f.reduce_phi();
        let mut of_h = Zeroizing::new(Rq::product(backend, workspace, h, &self.h_q));
        of_h.reduce_phi();
        let mut g = Zeroizing::new(Rq::product(backend, workspace, &Zeroizing::new(self.f.to_rq()), h));
        // computes G/3
        g.scale(const { inverse_mod_q(3) });
        let [is_small, are_sampled] = variant::are_sampled(&self.f, &mut g);
        let are_inverse = is_one(of_f.0.as_ref(), 3) & is_one(of_h.0.as_ref(), (1 << P::LOG_Q) - 1);
        [are_inverse & is_small, are_sampled]
    }

    /// Runs DPKE_Decrypt. Writes r and m to `plaintext`, and returns whether DPKE_Encrypt maps them to
    /// `c_bytes`. The results are secret.
    #[inline(always)]
    pub(crate) fn decrypt<B: Backend>(
        &self,
        backend: B,
        c_bytes: &P::PublicBytes,
        plaintext: &mut Plaintext<P>,
    ) -> Choice {
        let workspace = &mut backend.workspace();
        // v₁ ← c·f in R/q; m₀ ← v₁ modulo (3, Φₙ); m ← m₀·f_p in S/3
        let mut c = Rq::zero();
        unpack_rq0::<P, B>(backend, c_bytes, &mut c.0);
        let v1 = Zeroizing::new(Rq::product(backend, workspace, &c, &Zeroizing::new(self.f.to_rq())));
        let m0 = Zeroizing::new(v1.to_s3());
        let mut m = Zeroizing::new(S3::product(backend, workspace, &m0, &self.f_p));
        m.reduce_phi();
        // r ← (c − Lift(m))·h_q in S/q
        let mut b = Zeroizing::new(variant::lift(&m));
        b.subtract_from(&c);
        let mut r_mod_q = Zeroizing::new(Rq::product(backend, workspace, &b, &self.h_q));
        r_mod_q.reduce_phi();
        // checks that r ∈ {−1, 0, 1}, and that m is a possible result of Sample_rm
        let mut r = Zeroizing::new(S3::zero());
        let is_ternary = r_mod_q.to_ternary(&mut r);
        plaintext.pack(backend, &r, &m);
        is_ternary & variant::is_message(&m) & Choice::from(u8::from(has_zero_padding::<P>(c_bytes)))
    }
}

/// Checks whether the first coefficient is one and all others are zero. Compares only those bits of each
/// coefficient that are set in `mask`.
#[inline(always)]
fn is_one(coefficients: &[u16], mask: u16) -> Choice {
    let difference = |i: usize, x: u16| (x ^ u16::from(i == 0)) & mask;
    coefficients.iter().enumerate().fold(0, |all, (i, x)| all | difference(i, *x)).ct_eq(&0)
}

impl<P: Params> Drop for DecryptionKey<P> {
    fn drop(&mut self) {
        self.f.zeroize();
        self.f_p.zeroize();
        self.h_q.zeroize();
    }
}

impl<P: Params> ZeroizeOnDrop for DecryptionKey<P> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::portable::Portable;
    use crate::params::{Hps2048509, Hps4096821, Hrss701, Hrss1373};
    use grille_hash::{Level, Shake128};

    const BACKEND: Portable = Portable { level: Level::Portable };

    /// Returns the reason why a key is refused, or `None` if it is valid. `alter` modifies f and G/3 of the
    /// key after they have been sampled.
    fn rejection_reason<P: Params>(alter: impl FnOnce(&mut [u16], &mut [u16])) -> Option<&'static str> {
        let mut bits = P::SampleBytes::zeroed();
        let mut xof = Shake128::<1>::new(Level::Portable);
        xof.absorb_all(P::NAME.as_bytes());
        xof.squeeze([bits.as_mut()]);
        let (mut key, mut of_key, mut g) =
            (DecryptionKey::<P>::zeroed(), EncryptionKey::zeroed(), Rq::zero());
        key.sample(BACKEND, &bits, &mut g);
        alter(key.f.0.as_mut(), g.0.as_mut());
        key_pair(BACKEND, &g, &mut of_key, &mut key);
        let mut bytes = P::DecapsKeyBytes::zeroed();
        let bytes = &mut bytes.as_mut()[..P::DecapsKeyBytes::LEN - 32];
        key.write(BACKEND, bytes);
        let mut again = EncryptionKey::zeroed();
        let read = DecryptionKey::<P>::zeroed().read(BACKEND, bytes, &mut again);
        assert_eq!(read.is_ok(), again.as_bytes().as_ref() == of_key.as_bytes().as_ref(), "{}", P::NAME);
        match read {
            Err(Error::InvalidPrivateKey { reason }) => Some(reason),
            other => other.map(|()| None).expect("only this error is possible"),
        }
    }

    /// Returns the index of the first coefficient that equals `x`.
    fn index_of(a: &[u16], x: u16) -> usize {
        a.iter().position(|a| *a == x).expect("a coefficient equals x")
    }

    #[test]
    fn hps_rejects_keys_with_g_not_of_fixed_type() {
        fn check<P: Params>() {
            const MINUS_ONE: u16 = u16::MAX;
            assert_eq!(rejection_reason::<P>(|_, _| ()), None, "{}", P::NAME);
            // g has one coefficient 1 and one coefficient −1 too few, or too many
            let less =
                rejection_reason::<P>(|_, g| [1, MINUS_ONE].into_iter().for_each(|x| g[index_of(g, x)] = 0));
            let more =
                rejection_reason::<P>(|_, g| [1, MINUS_ONE].into_iter().for_each(|x| g[index_of(g, 0)] = x));
            // one coefficient of g is 2, and the sum of the coefficients is still zero
            let two = rejection_reason::<P>(|_, g| {
                let (one, other) = (index_of(g, 1), index_of(g, MINUS_ONE));
                (g[one], g[other], g[index_of(g, 0)]) = (2, MINUS_ONE, MINUS_ONE);
            });
            // g has the correct number of coefficients 1, but one of them is the coefficient of xⁿ⁻¹
            let last = rejection_reason::<P>(|_, g| {
                g[P::N - 1] = 1;
                g[index_of(g, 1)] = 0;
            });
            assert_eq!(
                [less, more, two, last],
                [NOT_SAMPLED, NOT_SAMPLED, MISMATCHED_PARTS, NOT_SAMPLED].map(Some),
                "{}",
                P::NAME
            );
        }
        check::<Hps2048509>();
        check::<Hps4096821>();
    }

    #[test]
    fn hrss_rejects_keys_with_uncorrelated_f_or_g() {
        fn check<P: Params>() {
            // sets `numerator` to (x − 1)·g, where g starts with the given two coefficients and is zero
            // otherwise
            let set = |numerator: &mut [u16], g: [u16; 2]| {
                numerator.fill(0);
                numerator[..3].copy_from_slice(&[g[0].wrapping_neg(), g[0].wrapping_sub(g[1]), g[1]]);
            };
            assert_eq!(rejection_reason::<P>(|_, _| ()), None, "{}", P::NAME);
            assert_eq!(rejection_reason::<P>(|_, numerator| set(numerator, [1, 1])), None);
            assert_eq!(rejection_reason::<P>(|_, numerator| set(numerator, [1, 0])), None);
            assert_eq!(
                rejection_reason::<P>(|_, numerator| set(numerator, [1, u16::MAX])),
                Some(NOT_SAMPLED)
            );
            assert_eq!(rejection_reason::<P>(|_, numerator| set(numerator, [1, 2])), Some(MISMATCHED_PARTS));
            let of_f = rejection_reason::<P>(|f, _| {
                f.fill(0);
                f[..2].copy_from_slice(&[1, 2]);
            });
            assert_eq!(of_f, Some(NOT_SAMPLED));
        }
        check::<Hrss701>();
        check::<Hrss1373>();
    }
}
