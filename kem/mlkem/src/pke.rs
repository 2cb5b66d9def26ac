//! K-PKE, FIPS 203 section 5, and Kyber.CPAPKE of round 3: public-key encryption of 32 bytes.
//!
//! **Use the KEM instead** ([`MlKem`](crate::MlKem)) unless you build another scheme from K-PKE. K-PKE is secure only
//! against eavesdroppers. An attacker who obtains the decryption of a few thousand chosen ciphertexts can recover the
//! decryption key. The attack works even if the attacker learns only whether each result is a meaningful message. FIPS
//! 203 section 3.3 forbids the use of K-PKE on its own. Encrypting twice with the same coins reveals whether the
//! messages are equal.
//!
//! ```
//! use grille_core::{Error, SystemRng};
//! use grille_mlkem::{params::K512, pke::KeyPair};
//!
//! # fn main() -> Result<(), Error> {
//! let keys = KeyPair::<K512>::generate(&mut SystemRng);
//! let ciphertext = keys.encryption_key.encrypt(&[7; 32], &[9; 32]);
//! assert_eq!(keys.decryption_key.decrypt(&ciphertext).expose(), &[7; 32]);
//! # Ok(())
//! # }
//! ```

use crate::backend::{Backend, Operation, dispatch};
use crate::encode::is_canonical;
use crate::expand::matrix;
use crate::keccak_schedule::Eta;
use crate::matrix_source::{Order, Source};
use crate::params::Params;
use crate::poly::{N, NttPoly, Poly};
use crate::sample::noise;
use core::fmt;
use grille_core::{Array, Bytes, Ciphertext, Error, Secret, ct};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

pub use crate::keygen::KeyPair;

/// An encryption key (public) that has been checked.
pub struct EncryptionKey<P: Params> {
    pub(crate) bytes: P::EncapsKeyBytes,
    /// The vector t̂, in [0, q).
    pub(crate) t_hat: P::NttVector,
}

impl<P: Params> EncryptionKey<P> {
    /// Parses and checks an encoded key t̂ ‖ rho: 384·k + 32 bytes.
    ///
    /// Deviation from round 3: all versions refuse coefficients of t̂ that are not below q. Round 3 reduces
    /// them modulo q.
    ///
    /// # Errors
    /// Returns [`Error::Length`] if the length is wrong, or [`Error::InvalidPublicKey`] if a coefficient is not below
    /// q.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut key = Self::with_rho(&[0; 32]);
        key.read_checked("encryption key", bytes)?;
        Ok(key)
    }

    /// Parses and checks an encoded key, and stores it in this zeroed key. `input` is the name of the key in
    /// errors.
    pub(crate) fn read_checked(&mut self, input: &'static str, bytes: &[u8]) -> Result<(), Error> {
        Error::check_len(input, P::EncapsKeyBytes::LEN, bytes.len())?;
        dispatch(Read(bytes, self))
    }

    /// Returns the encoded key.
    pub const fn as_bytes(&self) -> &P::EncapsKeyBytes {
        &self.bytes
    }

    /// Runs K-PKE.Encrypt, FIPS 203 Algorithm 14. `coins` is the randomness (secret, used only once).
    pub fn encrypt(&self, message: &[u8; 32], coins: &[u8; 32]) -> Ciphertext<P::CiphertextBytes> {
        dispatch(Encrypt(self, message, coins))
    }

    /// Parses a key of the right length; see [`from_bytes`](Self::from_bytes).
    #[inline(always)]
    pub(crate) fn read<B: Backend>(&mut self, backend: B, bytes: &[u8]) -> Result<(), Error> {
        self.bytes.as_mut().copy_from_slice(bytes);
        // test = ByteEncode₁₂(ByteDecode₁₂(ek)), FIPS 203 section 7.2
        if decode_vector(backend, &bytes[..384 * P::K], self.t_hat.as_mut()) {
            Ok(())
        } else {
            Err(Error::InvalidPublicKey { reason: "has a coefficient that is not below q" })
        }
    }

    /// Creates a key that holds only rho.
    pub(crate) fn with_rho(rho: &[u8; 32]) -> Self {
        let bytes = P::EncapsKeyBytes::zeroed();
        let mut key = Self { bytes, t_hat: P::NttVector::from_fn(|_| NttPoly::ZERO) };
        key.set_rho(rho);
        key
    }

    /// Writes rho to the encoded key, after the space for t̂.
    pub(crate) fn set_rho(&mut self, rho: &[u8; 32]) {
        self.bytes.as_mut()[384 * P::K..].copy_from_slice(rho);
    }

    /// Returns the source from which Âᵀ is expanded.
    pub(crate) fn source(&self) -> Source<'_> {
        let rho = self.bytes.as_ref().last_chunk().expect("a key ends with rho");
        Source { rho, k: P::K, order: Order::Columns }
    }

    /// Runs K-PKE.Encrypt, FIPS 203 Algorithm 14, with Âᵀ, whose entries are in [0, q).
    #[inline(always)]
    pub(crate) fn encrypt_with<B: Backend>(
        &self,
        backend: B,
        a_hat_t: &P::NttMatrix,
        m: &[u8; 32],
        r: &[u8; 32],
    ) -> P::CiphertextBytes {
        let mut y_e = Zeroizing::new(P::EncryptionNoise::from_fn(|_| Poly::ZERO));
        noise::<P, B>(backend, r, Self::ETA, y_e.as_mut());
        self.encrypt_with_noise(backend, a_hat_t, m, y_e.as_ref())
    }

    /// The values of η for y, and for e₁ and e₂.
    pub(crate) const ETA: Eta = Eta { count: P::K, first: P::ETA1, others: P::ETA2 };

    /// Runs K-PKE.Encrypt with the noise in `y_e`: y, e₁, e₂ ← SamplePolyCBD(PRF(r, N)) for N = 0, 1, …. `m`
    /// and `y_e` are secret.
    #[inline(always)]
    pub(crate) fn encrypt_with_noise<B: Backend>(
        &self,
        backend: B,
        a_hat_t: &P::NttMatrix,
        m: &[u8; 32],
        y_e: &[Poly],
    ) -> P::CiphertextBytes {
        let mut c = P::CiphertextBytes::zeroed();
        let (c1, c2) = c.as_mut().split_at_mut(32 * P::DU * P::K);
        let (y, e) = y_e.split_at(P::K);
        // ŷ ← NTT(y)
        let mut y_hat = Zeroizing::new(P::NttVector::from_fn(|_| NttPoly::ZERO));
        y.iter().zip(y_hat.as_mut()).for_each(|(y, y_hat)| backend.ntt(y, y_hat));
        let rows = a_hat_t.as_ref().chunks_exact(P::K).zip(e);
        for ((row, e1), c1) in rows.zip(c1.chunks_exact_mut(32 * P::DU)) {
            encrypt_row::<P, B>(backend, row, y_hat.as_ref(), e1, c1);
        }
        encrypt_message::<P, B>(backend, self.t_hat.as_ref(), y_hat.as_ref(), &e[P::K], m, c2);
        c
    }
}

/// Computes one row of u ← NTT⁻¹(Âᵀ ∘ ŷ) + e₁ and of c₁ ← ByteEncode(Compress(u)), FIPS 203 Algorithm 14.
/// `y_hat` and `e1` are secret.
#[inline(always)]
pub(crate) fn encrypt_row<P: Params, B: Backend>(
    backend: B,
    row: &[NttPoly],
    y_hat: &[NttPoly],
    e1: &Poly,
    c1: &mut [u8],
) {
    let (mut product, mut u) = (Zeroizing::new(NttPoly::ZERO), Zeroizing::new(Poly::ZERO));
    backend.dot_ntt(row.iter(), y_hat, &mut product);
    backend.inverse_ntt(&product, &mut u);
    backend.add(&mut u.0, &e1.0);
    backend.make_canonical(&mut u.0);
    if P::DU == 10 {
        backend.compress_and_encode::<10>(&u.0, c1);
    } else {
        backend.compress_and_encode::<11>(&u.0, c1);
    }
}

/// Computes v ← NTT⁻¹(t̂ᵀ ∘ ŷ) + e₂ + μ and c₂ ← ByteEncode(Compress(v)), FIPS 203 Algorithm 14. `y_hat`,
/// `e2` and `m` are secret.
#[inline(always)]
pub(crate) fn encrypt_message<P: Params, B: Backend>(
    backend: B,
    t_hat: &[NttPoly],
    y_hat: &[NttPoly],
    e2: &Poly,
    m: &[u8; 32],
    c2: &mut [u8],
) {
    let (mut product, mut v) = (Zeroizing::new(NttPoly::ZERO), Zeroizing::new(Poly::ZERO));
    backend.dot_ntt(t_hat.iter(), y_hat, &mut product);
    backend.inverse_ntt(&product, &mut v);
    let mut mu = Zeroizing::new(Poly::ZERO);
    backend.decode_and_decompress::<1>(m, &mut mu.0);
    backend.add(&mut v.0, &mu.0);
    backend.add(&mut v.0, &e2.0);
    backend.make_canonical(&mut v.0);
    if P::DV == 4 {
        backend.compress_and_encode::<4>(&v.0, c2);
    } else {
        backend.compress_and_encode::<5>(&v.0, c2);
    }
}

impl<P: Params> Clone for EncryptionKey<P> {
    fn clone(&self) -> Self {
        Self { bytes: self.bytes.clone(), t_hat: self.t_hat.clone() }
    }
}

impl<P: Params> PartialEq for EncryptionKey<P> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes.as_ref() == other.bytes.as_ref()
    }
}

impl<P: Params> Eq for EncryptionKey<P> {}

impl<P: Params> fmt::Debug for EncryptionKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} encryption key", P::NAME)
    }
}

/// A decryption key (secret). Erased on drop.
pub struct DecryptionKey<P: Params> {
    /// The vector ŝ, in [0, q).
    pub(crate) s_hat: P::NttVector,
}

impl<P: Params> DecryptionKey<P> {
    /// Creates a key of zeroes.
    pub(crate) fn zeroed() -> Self {
        Self { s_hat: P::NttVector::from_fn(|_| NttPoly::ZERO) }
    }

    /// Parses and checks an encoded key: 384·k bytes.
    ///
    /// # Errors
    /// Returns [`Error::Length`] if the length is wrong, or [`Error::InvalidPrivateKey`] if a coefficient is not below
    /// q.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Error::check_len("decryption key", P::DecryptionKeyBytes::LEN, bytes.len())?;
        let mut key = Self::zeroed();
        dispatch(ReadSecret(bytes, &mut key))?;
        Ok(key)
    }

    /// Encodes the key.
    pub fn to_bytes(&self) -> Secret<P::DecryptionKeyBytes> {
        let mut bytes = Secret::zeroed();
        dispatch(Export(self, bytes.as_mut()));
        bytes
    }

    /// Runs K-PKE.Decrypt, FIPS 203 Algorithm 15. A modified ciphertext decrypts to a different message.
    pub fn decrypt(&self, ciphertext: &Ciphertext<P::CiphertextBytes>) -> Secret<[u8; 32]> {
        dispatch(Decrypt(self, &ciphertext.0))
    }

    /// Parses a key of 384·k `bytes`; see [`from_bytes`](Self::from_bytes).
    #[inline(always)]
    pub(crate) fn read<B: Backend>(&mut self, backend: B, bytes: &[u8]) -> Result<(), Error> {
        // the result is public, because an invalid key is not used
        if ct::public(decode_vector(backend, bytes, self.s_hat.as_mut())) {
            Ok(())
        } else {
            Err(Error::InvalidPrivateKey { reason: "has a coefficient that is not below q" })
        }
    }

    /// Encodes the key to 384·k `bytes`; see [`to_bytes`](Self::to_bytes).
    #[inline(always)]
    pub(crate) fn encode<B: Backend>(&self, backend: B, bytes: &mut [u8]) {
        encode_vector(backend, self.s_hat.as_ref(), bytes);
    }

    /// Runs K-PKE.Decrypt, FIPS 203 Algorithm 15.
    #[inline(always)]
    pub(crate) fn decrypt_with<B: Backend>(&self, backend: B, c: &P::CiphertextBytes) -> Secret<[u8; 32]> {
        let (c1, c2) = c.as_ref().split_at(32 * P::DU * P::K);
        let mut u_hat = P::NttVector::from_fn(|_| NttPoly::ZERO);
        let (mut u, mut v) = (Poly::ZERO, Poly::ZERO);
        for (c1, u_hat) in c1.chunks_exact(32 * P::DU).zip(u_hat.as_mut()) {
            // u′ ← Decompress(ByteDecode(c₁))
            if P::DU == 10 {
                backend.decode_and_decompress::<10>(c1, &mut u.0);
            } else {
                backend.decode_and_decompress::<11>(c1, &mut u.0);
            }
            backend.ntt(&u, u_hat);
        }
        // v′ ← Decompress(ByteDecode(c₂))
        if P::DV == 4 {
            backend.decode_and_decompress::<4>(c2, &mut v.0);
        } else {
            backend.decode_and_decompress::<5>(c2, &mut v.0);
        }
        // w ← v′ − NTT⁻¹(ŝᵀ ∘ NTT(u′)); m ← ByteEncode₁(Compress₁(w))
        let (mut product, mut w) = (Zeroizing::new(NttPoly::ZERO), Zeroizing::new(Poly::ZERO));
        backend.dot_ntt(self.s_hat.as_ref().iter(), u_hat.as_ref(), &mut product);
        backend.inverse_ntt(&product, &mut w);
        backend.subtract_from(&v.0, &mut w.0);
        backend.make_canonical(&mut w.0);
        let mut m = Secret::zeroed();
        backend.compress_and_encode::<1>(&w.0, m.as_mut());
        m
    }
}

impl<P: Params> Drop for DecryptionKey<P> {
    fn drop(&mut self) {
        self.s_hat.zeroize();
    }
}

impl<P: Params> ZeroizeOnDrop for DecryptionKey<P> {}

impl<P: Params> fmt::Debug for DecryptionKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} decryption key", P::NAME)
    }
}

/// Computes ByteEncode₁₂ of k elements of T_q, with coefficients in [0, q). `bytes` has 384·k bytes.
#[inline(always)]
pub(crate) fn encode_vector<B: Backend>(backend: B, v_hat: &[NttPoly], bytes: &mut [u8]) {
    for (v_hat, bytes) in v_hat.iter().zip(bytes.chunks_exact_mut(384)) {
        backend.compress_and_encode::<12>(&v_hat.0, bytes);
    }
}

/// Computes ByteDecode₁₂ of k elements of T_q. Returns true if all coefficients are in [0, q). `bytes` has
/// 384·k bytes.
#[inline(always)]
fn decode_vector<B: Backend>(backend: B, bytes: &[u8], v_hat: &mut [NttPoly]) -> bool {
    const { assert!(N * 12 == 384 * 8) };
    bytes.chunks_exact(384).zip(v_hat).fold(true, |canonical, (bytes, v_hat)| {
        backend.decode_and_decompress::<12>(bytes, &mut v_hat.0);
        canonical & is_canonical(&v_hat.0)
    })
}

/// The operation that parses an encryption key of the right length into the given key.
struct Read<'a, P: Params>(&'a [u8], &'a mut EncryptionKey<P>);

impl<P: Params> Operation for Read<'_, P> {
    type Output = Result<(), Error>;

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> Self::Output {
        self.1.read(backend, self.0)
    }
}

/// The operation that parses a decryption key of the right length into the given key.
struct ReadSecret<'a, P: Params>(&'a [u8], &'a mut DecryptionKey<P>);

impl<P: Params> Operation for ReadSecret<'_, P> {
    type Output = Result<(), Error>;

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> Self::Output {
        self.1.read(backend, self.0)
    }
}

struct Export<'a, P: Params>(&'a DecryptionKey<P>, &'a mut [u8]);

impl<P: Params> Operation for Export<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) {
        self.0.encode(backend, self.1);
    }
}

struct Encrypt<'a, P: Params>(&'a EncryptionKey<P>, &'a [u8; 32], &'a [u8; 32]);

impl<P: Params> Operation for Encrypt<'_, P> {
    type Output = Ciphertext<P::CiphertextBytes>;

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> Self::Output {
        let Self(key, m, r) = self;
        let mut a_hat_t = P::NttMatrix::from_fn(|_| NttPoly::ZERO);
        matrix::<P, B>(backend, key.source(), a_hat_t.as_mut());
        Ciphertext(key.encrypt_with(backend, &a_hat_t, m, r))
    }
}

struct Decrypt<'a, P: Params>(&'a DecryptionKey<P>, &'a P::CiphertextBytes);

impl<P: Params> Operation for Decrypt<'_, P> {
    type Output = Secret<[u8; 32]>;

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> Secret<[u8; 32]> {
        self.0.decrypt_with(backend, self.1)
    }
}
