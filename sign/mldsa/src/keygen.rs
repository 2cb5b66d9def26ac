//! ML-DSA.KeyGen, FIPS 204 Algorithms 1 and 6; signing keys and their import.

use crate::MlDsa;
use crate::backend::{Backend, Operation, dispatch};
use crate::encode::{SecretParts, pk_encode, sk_decode, sk_encode};
use crate::generation::Generation;
use crate::params::Params;
use crate::poly::{N, NttPoly, Poly};
use crate::sample::{expand_a, expand_s};
use crate::verify::VerifyingKey;
use alloc::boxed::Box;
use alloc::vec;
use core::fmt;
use core::marker::PhantomData;
use grille_core::{Array, CryptoRng, Error, Secret, SecretBytes};
use subtle::ConstantTimeEq;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// A signing key (secret), with its vectors in the NTT domain; erased on drop.
pub struct SigningKey<P: Params> {
    pub(crate) verifying_key: VerifyingKey<P>,
    /// ξ, if the key was made from it.
    seed: Option<Secret<[u8; 32]>>,
    /// K.
    pub(crate) k: Secret<[u8; 32]>,
    /// NTT(s1), ℓ elements.
    pub(crate) s1_hat: Zeroizing<Box<[NttPoly]>>,
    /// NTT(s2), k elements.
    pub(crate) s2_hat: Zeroizing<Box<[NttPoly]>>,
    /// NTT(t0), k elements.
    pub(crate) t0_hat: Zeroizing<Box<[NttPoly]>>,
}

impl<P: Params> SigningKey<P> {
    /// ML-DSA.KeyGen, FIPS 204 Algorithm 1; draws 32 bytes, ξ.
    pub fn generate(rng: &mut dyn CryptoRng) -> Self {
        let mut xi = Secret::<[u8; 32]>::zeroed();
        rng.fill_bytes(xi.as_mut());
        Self::keygen_internal(xi.expose())
    }

    /// ML-DSA.KeyGen_internal, FIPS 204 Algorithm 6: the same seed ξ always gives the same key.
    #[must_use]
    pub fn keygen_internal(xi: &[u8; 32]) -> Self {
        dispatch(KeyGen(xi, PhantomData))
    }
}

impl<P: Params> grille_core::SigningKey for SigningKey<P> {
    type Scheme = MlDsa<P>;

    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let bytes = grille_core::bytes::parse("signing key", bytes)?;
        dispatch(Import(&Erasing(bytes), PhantomData))
    }

    fn to_bytes(&self) -> SecretBytes {
        dispatch(Export(self))
    }

    fn from_seed(seed: &[u8]) -> Result<Self, Error> {
        Error::check_len("seed", 32, seed.len())?;
        let seed = Secret::<[u8; 32]>::try_from(seed)?;
        Ok(Self::keygen_internal(seed.expose()))
    }

    fn seed(&self) -> Option<SecretBytes> {
        self.seed.as_ref().map(|seed| seed.as_ref().into())
    }

    fn verifying_key(&self) -> &VerifyingKey<P> {
        &self.verifying_key
    }

    fn sign(
        &self,
        message: &[u8],
        context: &[u8],
        rng: &mut dyn CryptoRng,
    ) -> Result<P::SignatureBytes, Error> {
        Ok(self.sign_mu(&self.verifying_key.mu(message, context)?, rng))
    }

    fn sign_deterministic(&self, message: &[u8], context: &[u8]) -> Result<P::SignatureBytes, Error> {
        Ok(self.sign_mu_deterministic(&self.verifying_key.mu(message, context)?))
    }
}

impl<P: Params> ZeroizeOnDrop for SigningKey<P> {}

impl<P: Params> fmt::Debug for SigningKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} signing key", P::NAME)
    }
}

/// An encoded signing key, erased on drop.
struct Erasing<B: Zeroize>(B);

impl<B: Zeroize> Drop for Erasing<B> {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

struct KeyGen<'a, P>(&'a [u8; 32], PhantomData<P>);

impl<P: Params> Operation for KeyGen<'_, P> {
    type Output = SigningKey<P>;

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> SigningKey<P> {
        let Self(xi, _) = self;
        // (ρ, ρ′, K) ← H(ξ ‖ IntegerToBytes(k, 1) ‖ IntegerToBytes(ℓ, 1), 128)
        let seeds = P::Generation::expand_seed(backend.level(), xi, P::K as u8, P::L as u8);
        let (rho, rest) = seeds.split_first_chunk().expect("128 bytes");
        let (rho_prime, k) = rest.split_first_chunk().expect("128 bytes");
        let k = k.first_chunk().expect("128 bytes");
        let mut parts = SecretParts::<P>::new(*rho, *k);
        // (s1, s2) ← ExpandS(ρ′)
        expand_s::<P, B>(backend, rho_prime, parts.s1.as_mut(), parts.s2.as_mut());
        let mut key = Expanded::of(backend, &parts);
        core::mem::swap(&mut parts.t0, &mut key.t0);
        key.into_signing_key(backend, &parts, Some(Secret::new(*xi)))
    }
}

struct Import<'a, P: Params>(&'a Erasing<P::SigningKeyBytes>, PhantomData<P>);

impl<P: Params> Operation for Import<'_, P> {
    type Output = Result<SigningKey<P>, Error>;

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> Self::Output {
        let parts = sk_decode::<P, B>(backend, &self.0.0)
            .ok_or(Error::InvalidPrivateKey { reason: "has a coefficient of s1 or s2 out of range" })?;
        let key = Expanded::of(backend, &parts);
        let t0_agrees = key
            .t0
            .as_ref()
            .iter()
            .zip(parts.t0.as_ref())
            .fold(subtle::Choice::from(1), |all, (a, b)| all & a.0.ct_eq(&b.0));
        if !bool::from(t0_agrees) {
            return Err(Error::InvalidPrivateKey { reason: "has a t0 that s1 and s2 do not give" });
        }
        let key = key.into_signing_key(backend, &parts, None);
        if key.verifying_key.tr() == &parts.tr[..P::Generation::TR_LEN] {
            Ok(key)
        } else {
            Err(Error::InvalidPrivateKey { reason: "has a tr that is not the hash of its public key" })
        }
    }
}

struct Export<'a, P: Params>(&'a SigningKey<P>);

impl<P: Params> Operation for Export<'_, P> {
    type Output = SecretBytes;

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> SecretBytes {
        let Self(key) = self;
        let mut parts = SecretParts::<P>::new(*key.verifying_key.rho(), *key.k.expose());
        parts.tr[..P::Generation::TR_LEN].copy_from_slice(key.verifying_key.tr());
        small_vector(backend, &key.s1_hat, parts.s1.as_mut());
        small_vector(backend, &key.s2_hat, parts.s2.as_mut());
        small_vector(backend, &key.t0_hat, parts.t0.as_mut());
        Erasing(sk_encode(backend, &parts)).0.as_ref().into()
    }
}

/// NTT⁻¹ of polynomials with small coefficients.
fn small_vector<B: Backend>(backend: B, v_hat: &[NttPoly], v: &mut [Poly]) {
    /// NTT(1).
    const ONE_HAT: NttPoly = NttPoly([1; N]);
    let mut product_hat = Zeroizing::new(NttPoly::ZERO);
    for (v_hat, v) in v_hat.iter().zip(v) {
        backend.multiply_ntt(&ONE_HAT, v_hat, &mut product_hat);
        backend.inverse_ntt(&product_hat, v);
        backend.add(v, &Poly::ZERO);
    }
}

/// What s1 and s2 give.
struct Expanded<P: Params> {
    a_hat: Box<[NttPoly]>,
    s1_hat: Zeroizing<Box<[NttPoly]>>,
    t1: P::VectorK,
    t0: Zeroizing<P::VectorK>,
}

impl<P: Params> Expanded<P> {
    /// FIPS 204 Algorithm 6, lines 3, 5 and 6.
    #[inline(always)]
    fn of<B: Backend>(backend: B, parts: &SecretParts<P>) -> Self {
        // Â ← ExpandA(ρ)
        let a_hat = expand_a::<P, B>(backend, &parts.rho);
        let s1_hat = ntt_vector(backend, parts.s1.as_ref());
        let mut t1 = P::VectorK::from_fn(|_| Poly::ZERO);
        let mut t0 = Zeroizing::new(P::VectorK::from_fn(|_| Poly::ZERO));
        let mut t_hat = Zeroizing::new(NttPoly::ZERO);
        for (i, (t, t0)) in t1.as_mut().iter_mut().zip(t0.as_mut()).enumerate() {
            // t ← NTT⁻¹(Â ∘ NTT(s1)) + s2
            backend.dot_ntt(&a_hat[i * P::L..][..P::L], &s1_hat, &mut t_hat);
            backend.inverse_ntt(&t_hat, t);
            backend.add(t, &parts.s2.as_ref()[i]);
            backend.make_canonical(t);
            // (t1, t0) ← Power2Round(t)
            backend.power2round(t, t0);
        }
        Self { a_hat, s1_hat, t1, t0 }
    }

    /// FIPS 204 Algorithm 6, lines 8 to 10, without skEncode. `parts.t0` is the expanded one.
    #[inline(always)]
    fn into_signing_key<B: Backend>(
        self,
        backend: B,
        parts: &SecretParts<P>,
        seed: Option<Secret<[u8; 32]>>,
    ) -> SigningKey<P> {
        // pk ← pkEncode(ρ, t1); tr ← H(pk, 64)
        let pk = pk_encode::<P, B>(backend, &parts.rho, self.t1.as_ref());
        SigningKey {
            verifying_key: VerifyingKey::expand(backend, pk, Some(self.a_hat)),
            seed,
            k: Secret::new(*parts.k),
            s1_hat: self.s1_hat,
            s2_hat: ntt_vector(backend, parts.s2.as_ref()),
            t0_hat: ntt_vector(backend, parts.t0.as_ref()),
        }
    }
}

fn ntt_vector<B: Backend>(backend: B, v: &[Poly]) -> Zeroizing<Box<[NttPoly]>> {
    let mut v_hat = Zeroizing::new(vec![NttPoly::ZERO; v.len()].into_boxed_slice());
    for (v, v_hat) in v.iter().zip(v_hat.iter_mut()) {
        backend.ntt(v, v_hat);
    }
    v_hat
}
