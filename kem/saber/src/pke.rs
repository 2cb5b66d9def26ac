//! Saber.PKE, SABER round 3 Algorithms 1 to 3: public-key encryption of 32 bytes.

use crate::backend::Backend;
use crate::hash::Source;
use crate::params::{EPS_P, EPS_Q, POLY_P_LEN, POLY_Q_LEN, Params};
use crate::ring::{Image, N, Poly};
use crate::sample::{Rows, gen_entry, gen_secret};
use grille_core::{Array, Bytes, Error, ct};
use zeroize::Zeroizing;

/// The constant h₁ = 2^(ε_q − ε_p − 1). Adding h₁ turns a shift into rounding. h is a vector whose
/// coefficients are all h₁.
const H1: i16 = 1 << (EPS_Q - EPS_P - 1);

/// A public key: seed_A and b.
pub(crate) struct PublicKey<P: Params> {
    /// The encoded key b ‖ seed_A.
    pub(crate) bytes: P::EncapsKeyBytes,
    /// The images of b.
    b_hat: P::ImageVector,
}

impl<P: Params> PublicKey<P> {
    /// Returns a key of zeroes.
    pub(crate) fn zeroed() -> Self {
        Self { bytes: P::EncapsKeyBytes::zeroed(), b_hat: P::ImageVector::from_fn(|_| Image::ZERO) }
    }

    /// Parses a key of the right length. Every encoding is valid.
    #[inline(always)]
    pub(crate) fn read<B: Backend>(&mut self, backend: B, bytes: &[u8]) {
        self.bytes.as_mut().copy_from_slice(bytes);
        images_mod_p(backend, &bytes[..POLY_P_LEN * P::L], self.b_hat.as_mut());
    }

    /// Returns seed_A.
    pub(crate) fn seed_a(&self) -> &[u8] {
        &self.bytes.as_ref()[POLY_P_LEN * P::L..]
    }

    /// Runs Saber.PKE.Enc, Algorithm 2, with the matrix A and with `stream`, the bytes that GenSecret reads for
    /// r. `m` and `stream` are secret.
    ///
    /// With each request for a row, passes the known part of the ciphertext to `a`, which may hash this part.
    #[inline(always)]
    pub(crate) fn encrypt<B: Backend>(
        &self,
        backend: B,
        mut a: impl Rows<P>,
        m: &[u8; 32],
        stream: &[u8],
        c: &mut P::CiphertextBytes,
    ) {
        let (c_b, c_m) = c.as_mut().split_at_mut(POLY_P_LEN * P::L);
        // s′ ← GenSecret(r)
        let mut s = SecretKey::<P>::zeroed();
        s.sample(backend, stream);
        // b′ ← ((As′ + h) mod q) >> (ε_q − ε_p)
        let mut v = Zeroizing::new(Poly::ZERO);
        for i in 0..P::L {
            let (known, rest) = c_b.split_at_mut(POLY_P_LEN * i);
            backend.dot(a.row(backend, i, known), s.s_hat.as_ref(), &mut v);
            round_to_p(&mut v);
            backend.pack::<EPS_P>(&v.0, &mut rest[..POLY_P_LEN]);
        }
        // v′ ← bᵀ(s′ mod p)
        backend.dot(self.b_hat.as_ref(), s.s_hat.as_ref(), &mut v);
        // c_m ← (v′ + h₁ − 2^(ε_p − 1)·m mod p) >> (ε_p − ε_T)
        let mut bits = Zeroizing::new(Poly::ZERO);
        backend.unpack::<1>(m, &mut bits.0);
        for (v, m) in v.0.iter_mut().zip(&bits.0) {
            *v = (v.wrapping_add(H1 - (m << (EPS_P - 1))) & MOD_P) >> (EPS_P - P::EPS_T);
        }
        match P::EPS_T {
            3 => backend.pack::<3>(&v.0, c_m),
            4 => backend.pack::<4>(&v.0, c_m),
            6 => backend.pack::<6>(&v.0, c_m),
            _ => unreachable!("no set has this ε_T"),
        }
    }
}

impl<P: Params> Clone for PublicKey<P> {
    fn clone(&self) -> Self {
        Self { bytes: self.bytes.clone(), b_hat: self.b_hat.clone() }
    }
}

/// A secret key. Erased on drop.
pub(crate) struct SecretKey<P: Params> {
    /// The vector s, with coefficients in [−μ/2, μ/2].
    s: Zeroizing<P::Vector>,
    /// The images of s.
    s_hat: Zeroizing<P::ImageVector>,
}

impl<P: Params> SecretKey<P> {
    /// Returns a key of zeroes.
    pub(crate) fn zeroed() -> Self {
        Self {
            s: Zeroizing::new(P::Vector::from_fn(|_| Poly::ZERO)),
            s_hat: Zeroizing::new(P::ImageVector::from_fn(|_| Image::ZERO)),
        }
    }

    /// Computes s ← GenSecret from `stream`, which is secret.
    #[inline(always)]
    fn sample<B: Backend>(&mut self, backend: B, stream: &[u8]) {
        gen_secret::<P, B>(backend, stream, &mut self.s);
        self.transform(backend);
    }

    /// Computes ŝ from s.
    #[inline(always)]
    fn transform<B: Backend>(&mut self, backend: B) {
        let Self { s, s_hat } = self;
        s.as_ref().iter().zip(s_hat.as_mut()).for_each(|(s, s_hat)| backend.forward(s, s_hat));
    }

    /// Parses s with 13 bits per coefficient. `bytes` has 416·l bytes.
    ///
    /// # Errors
    /// Returns [`Error::InvalidPrivateKey`] if a coefficient is not in [−μ/2, μ/2].
    #[inline(always)]
    pub(crate) fn read<B: Backend>(&mut self, backend: B, bytes: &[u8]) -> Result<(), Error> {
        let (bound, mut outside) = (P::MU as i16 / 2, 0);
        for (bytes, s) in bytes.chunks_exact(POLY_Q_LEN).zip(self.s.as_mut()) {
            backend.unpack::<EPS_Q>(bytes, &mut s.0);
            // `outside` is negative if any coefficient is out of range
            outside = s.0.iter().fold(outside, |outside, s| outside | (bound - s) | (bound + s));
        }
        // the result is public, because an invalid key is not used
        if ct::public(outside < 0) {
            return Err(Error::InvalidPrivateKey { reason: "has a coefficient beyond μ/2" });
        }
        self.transform(backend);
        Ok(())
    }

    /// Encodes s in the format that [`read`](Self::read) parses.
    #[inline(always)]
    pub(crate) fn encode<B: Backend>(&self, backend: B, bytes: &mut [u8]) {
        for (s, bytes) in self.s.as_ref().iter().zip(bytes.chunks_exact_mut(POLY_Q_LEN)) {
            backend.pack::<EPS_Q>(&s.0, bytes);
        }
    }

    /// Runs Saber.PKE.Dec, Algorithm 3, into `m` (secret). Does not detect modified ciphertexts.
    #[inline(always)]
    pub(crate) fn decrypt<B: Backend>(&self, backend: B, c: &P::CiphertextBytes, m: &mut [u8]) {
        let (c_b, c_m) = c.as_ref().split_at(POLY_P_LEN * P::L);
        let mut b_hat = P::ImageVector::from_fn(|_| Image::ZERO);
        images_mod_p(backend, c_b, b_hat.as_mut());
        // v ← b′ᵀ(s mod p)
        let mut v = Zeroizing::new(Poly::ZERO);
        backend.dot(b_hat.as_ref(), self.s_hat.as_ref(), &mut v);
        let mut c = Poly::ZERO;
        match P::EPS_T {
            3 => backend.unpack::<3>(c_m, &mut c.0),
            4 => backend.unpack::<4>(c_m, &mut c.0),
            6 => backend.unpack::<6>(c_m, &mut c.0),
            _ => unreachable!("no set has this ε_T"),
        }
        // m′ ← ((v − 2^(ε_p − ε_T)·c_m + h₂) mod p) >> (ε_p − 1)
        let h2 = (1 << (EPS_P - 2)) - (1 << (EPS_P - P::EPS_T - 1)) + H1;
        for (v, c_m) in v.0.iter_mut().zip(&c.0) {
            *v = (v.wrapping_add(h2 - (c_m << (EPS_P - P::EPS_T))) & MOD_P) >> (EPS_P - 1);
        }
        backend.pack::<1>(&v.0, m);
    }
}

/// Runs Saber.PKE.KeyGen, Algorithm 1, on zeroed keys. Its inputs are the stream of A, seed_A, and the stream
/// of GenSecret in `secret`, which is secret.
///
/// The public key is hashed in the Keccak calls of the stream of A.
#[inline(always)]
pub(crate) fn keygen<P: Params, B: Backend>(
    backend: B,
    stream: &mut impl Source,
    seed_a: &[u8; 32],
    secret: &[u8],
    keys: (&mut PublicKey<P>, &mut SecretKey<P>),
) {
    let (PublicKey { bytes, b_hat }, key) = keys;
    key.sample(backend, secret);
    let (pk_b, pk_seed) = bytes.as_mut().split_at_mut(POLY_P_LEN * P::L);
    // b ← ((Aᵀs + h) mod q) >> (ε_q − ε_p)
    let mut columns = P::ImageMatrix::from_fn(|_| Image::ZERO);
    let mut b = Zeroizing::new(Poly::ZERO);
    for i in 0..P::L {
        for (j, column) in columns.as_mut().chunks_exact_mut(P::L).enumerate() {
            let (known, rest) = pk_b.split_at_mut(if i + 1 == P::L { POLY_P_LEN * j } else { 0 });
            gen_entry(backend, stream, P::L * i + j, known, &mut column[i]);
            if i + 1 == P::L {
                backend.dot(column, key.s_hat.as_ref(), &mut b);
                round_to_p(&mut b);
                backend.pack::<EPS_P>(&b.0, &mut rest[..POLY_P_LEN]);
                // b is public, because it is part of the public key
                ct::public_bytes(&mut rest[..POLY_P_LEN]);
                backend.forward(&b, &mut b_hat.as_mut()[j]);
            }
        }
    }
    pk_seed.copy_from_slice(seed_a);
}

/// The mask of residues modulo p, in [0, p).
const MOD_P: i16 = (1 << EPS_P) - 1;

/// Computes ((b + h₁) mod q) >> (ε_q − ε_p), in [0, p).
#[inline(always)]
fn round_to_p(b: &mut Poly) {
    for b in &mut b.0 {
        *b = b.wrapping_add(H1) >> (EPS_Q - EPS_P) & MOD_P;
    }
}

/// Computes the images of encoded polynomials modulo p. All data is public.
#[inline(always)]
fn images_mod_p<B: Backend>(backend: B, bytes: &[u8], b_hat: &mut [Image]) {
    let mut b = Poly::ZERO;
    for (bytes, b_hat) in bytes.chunks_exact(POLY_P_LEN).zip(b_hat) {
        backend.unpack::<EPS_P>(bytes, &mut b.0);
        backend.forward(&b, b_hat);
    }
}

const _: () = assert!(N * EPS_P == 8 * POLY_P_LEN);
