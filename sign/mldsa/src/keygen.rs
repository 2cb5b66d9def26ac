//! Signing keys: ML-DSA.KeyGen, FIPS 204 Algorithms 1 and 6, and the import of encoded keys.

use crate::backend::{Backend, Operation};
use crate::encode::{
    SigningKeyLayout, decode_secret, pack_eta, pack_t0, pack_t1, refuse_out_of_range, t1_at,
};
use crate::params::{Engines, Params};
use crate::poly::{NttPoly, Poly, Zero};
use crate::sample::{Matrix, Secrets, row_window};
use crate::streams::{ResumableHash, Step, Stream, Work, run_all};
use crate::verifying_key::VerifyingKey;
use crate::version::Version;
use core::fmt;
use grille_core::{Bytes, CryptoRng, Error, Secret, ct};
use grille_hash::lanes::Lanes;
use subtle::ConstantTimeEq;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// A signing key (secret) in its encoded form, a few kilobytes. Erased on drop.
///
/// Each signature expands the key again, in the Keccak calls that also sample the first masks. To sign many times with
/// one key, [`prepare`](Self::prepare) it first.
pub struct SigningKey<P: Params> {
    pub(crate) verifying_key: VerifyingKey<P>,
    /// The seed ξ, if the key was generated from it.
    pub(crate) seed: Option<Secret<[u8; 32]>>,
    /// The encoded key; see [`SigningKeyLayout`].
    pub(crate) bytes: Secret<P::SigningKeyBytes>,
}

impl<P: Params> SigningKey<P> {
    /// Runs ML-DSA.KeyGen, FIPS 204 Algorithm 1. Samples the 32-byte seed ξ.
    pub fn generate(rng: &mut dyn CryptoRng) -> Self {
        Self::keygen_internal(Secret::random(rng).expose())
    }

    /// Runs ML-DSA.KeyGen_internal, FIPS 204 Algorithm 6. The same seed ξ always gives the same key.
    #[must_use]
    pub fn keygen_internal(xi: &[u8; 32]) -> Self {
        Self::expand(xi, &mut row_window::<P>())
    }

    /// Generates the key from ξ, and leaves the last rows of Â in `rows`.
    pub(crate) fn expand(xi: &[u8; 32], rows: &mut [P::NttVectorL]) -> Self {
        let mut key = Self::zeroed();
        key.fill_from_seed(xi, rows);
        key
    }

    /// Generates the key from ξ and stores it in `self`, which must be zeroed. Leaves the last rows of Â in `rows`.
    pub(crate) fn fill_from_seed(&mut self, xi: &[u8; 32], rows: &mut [P::NttVectorL]) {
        P::generate(KeyGen(xi, rows, self));
    }

    /// Returns a key of zeroes, to be filled in place.
    pub(crate) fn zeroed() -> Self {
        Self { verifying_key: VerifyingKey::zeroed(), seed: None, bytes: Secret::zeroed() }
    }

    /// Writes ρ and K, the first parts of the key.
    #[inline(always)]
    fn set_rho_and_k(&mut self, rho: &[u8; 32], k: &[u8; 32]) {
        self.verifying_key.bytes.as_mut()[..32].copy_from_slice(rho);
        self.bytes.as_mut()[..32].copy_from_slice(rho);
        self.bytes.as_mut()[SigningKeyLayout::<P>::K].copy_from_slice(k);
    }

    /// Parses an encoded key, recomputes everything that s1 and s2 determine, and leaves the last rows of Â in `rows`.
    ///
    /// # Errors
    /// Returns [`Error::Length`] if the length is wrong, or [`Error::InvalidPrivateKey`] if the parts of the key
    /// contradict each other.
    pub(crate) fn import(bytes: &[u8], rows: &mut [P::NttVectorL]) -> Result<Self, Error> {
        let mut key = Self::zeroed();
        key.fill_from_bytes(bytes, rows)?;
        Ok(key)
    }

    /// Parses an encoded key and stores it in `self`, which must be zeroed; see [`import`](Self::import).
    pub(crate) fn fill_from_bytes(&mut self, bytes: &[u8], rows: &mut [P::NttVectorL]) -> Result<(), Error> {
        Error::check_len("signing key", P::SigningKeyBytes::LEN, bytes.len())?;
        P::import(Import(bytes, rows, self))
    }
}

impl<P: Params> ZeroizeOnDrop for SigningKey<P> {}

impl<P: Params> fmt::Debug for SigningKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} signing key", P::NAME)
    }
}

/// The operation that generates a key from ξ.
pub struct KeyGen<'a, P: Params>(&'a [u8; 32], &'a mut [P::NttVectorL], &'a mut SigningKey<P>);

impl<P: Params> Operation for KeyGen<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) {
        let Self(xi, rows, key) = self;
        // (ρ, ρ′, K) ← H(ξ ‖ IntegerToBytes(k, 1) ‖ IntegerToBytes(ℓ, 1), 128)
        let seeds = P::Version::expand_seed(backend.level(), xi, P::K as u8, P::L as u8);
        let (rho, rest) = seeds.split_first_chunk().expect("128 bytes");
        let (rho_prime, k) = rest.split_first_chunk().expect("128 bytes");
        let k = k.first_chunk().expect("128 bytes");
        // ρ is public, because it is part of both keys
        let rho = &ct::public(*rho);
        let mut secrets = Secrets::new(rho_prime);
        key.seed = Some(Secret::new(*xi));
        key.set_rho_and_k(rho, k);
        derive(backend, Matrix::new(rho, rows), &mut secrets, key);
    }
}

/// The operation that imports an encoded key of the right length.
pub struct Import<'a, P: Params>(&'a [u8], &'a mut [P::NttVectorL], &'a mut SigningKey<P>);

impl<P: Params> Operation for Import<'_, P> {
    type Output = Result<(), Error>;

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> Self::Output {
        let Self(encoded, rows, key) = self;
        let mut secrets = Secrets::<P>::new(&[0; 64]);
        let mut out_of_range = false;
        for (i, s) in secrets.s1.as_mut().iter_mut().chain(secrets.s2.as_mut()).enumerate() {
            out_of_range |= decode_secret::<P, B>(backend, encoded, i, s);
        }
        secrets.mark_complete();
        refuse_out_of_range(out_of_range)?;
        let (rho, k) = (SigningKeyLayout::<P>::rho(encoded), SigningKeyLayout::<P>::k(encoded));
        key.set_rho_and_k(rho, k);
        derive(backend, Matrix::new(rho, rows), &mut secrets, key);
        let t0 = SigningKeyLayout::<P>::t0(0).start..;
        // the result is public, because an invalid key is not used
        if !ct::public(bool::from(key.bytes.as_ref()[t0.clone()].ct_eq(&encoded[t0]))) {
            return Err(Error::InvalidPrivateKey { reason: "has a t0 that does not match s1 and s2" });
        }
        let tr = SigningKeyLayout::<P>::TR;
        if key.bytes.as_ref()[tr.clone()] == encoded[tr] {
            Ok(())
        } else {
            Err(Error::InvalidPrivateKey { reason: "has a tr that is not the hash of its public key" })
        }
    }
}

/// Derives both keys from ρ, K and the secrets, FIPS 204 Algorithm 6, lines 3 to 10. `key` already contains ρ and K.
#[inline(always)]
fn derive<P: Params, B: Backend>(
    backend: B,
    matrix: Matrix<'_, P>,
    secrets: &mut Secrets<'_, P>,
    key: &mut SigningKey<P>,
) {
    let mut derivation = Derivation {
        backend,
        matrix,
        secrets,
        scratch: &mut Scratch::new(),
        s1_is_used: false,
        key,
        rows: 0,
        tr_chain: ResumableHash::new(),
    };
    if derivation.secrets.is_complete() {
        derivation.encode_secrets();
    }
    run_all::<Engines<P>, _>(backend.level(), &mut derivation);
    let tr = key.verifying_key.tr();
    let tr_at = SigningKeyLayout::<P>::TR;
    key.bytes.as_mut()[tr_at.clone()].copy_from_slice(&tr[..tr_at.len()]);
}

/// The derivation of both keys, row by row. As soon as a row of Â is complete, its polynomial of t is computed and
/// encoded. The hash tr absorbs the encoding while the next row is sampled.
struct Derivation<'a, 's, P: Params, B> {
    backend: B,
    matrix: Matrix<'a, P>,
    secrets: &'a mut Secrets<'s, P>,
    scratch: &'a mut Scratch<P>,
    s1_is_used: bool,
    key: &'a mut SigningKey<P>,
    /// The number of polynomials of t1 and of t0 that `key` already contains.
    rows: usize,
    tr_chain: ResumableHash,
}

/// Secret intermediate values. Erased on drop.
struct Scratch<P: Params> {
    /// The vector NTT(s1), after s1 is complete.
    s1_hat: P::NttVectorL,
    /// The polynomial t̂ of one row.
    t_hat: NttPoly,
    t: Poly,
    t0: Poly,
}

impl<P: Params> Scratch<P> {
    #[inline(always)]
    fn new() -> Self {
        let s1_hat = P::NttVectorL::ZERO;
        Self { s1_hat, t_hat: NttPoly::ZERO, t: Poly::ZERO, t0: Poly::ZERO }
    }
}

impl<P: Params> Drop for Scratch<P> {
    fn drop(&mut self) {
        self.s1_hat.zeroize();
        self.t_hat.zeroize();
        self.t.zeroize();
        self.t0.zeroize();
    }
}

impl<P: Params, B: Backend> Derivation<'_, '_, P, B> {
    /// Encodes s1 and s2, and computes NTT(s1).
    fn encode_secrets(&mut self) {
        for (s1, s1_hat) in self.secrets.s1.as_ref().iter().zip(self.scratch.s1_hat.as_mut()) {
            self.backend.ntt(s1, s1_hat);
        }
        let secrets = self.secrets.s1.as_ref().iter().chain(self.secrets.s2.as_ref());
        for (i, s) in secrets.enumerate() {
            pack_eta::<P, B>(self.backend, s, &mut self.key.bytes.as_mut()[SigningKeyLayout::<P>::s(i)]);
        }
        self.s1_is_used = true;
    }

    /// Computes and encodes row `i` of t.
    fn encode_row(&mut self, i: usize) {
        let Scratch { s1_hat, t_hat, t, t0 } = &mut *self.scratch;
        // t ← NTT⁻¹(Â ∘ NTT(s1)) + s2
        self.backend.dot_ntt(self.matrix.row(i), s1_hat.as_ref(), t_hat);
        self.backend.inverse_ntt(t_hat, t);
        self.backend.add(t, &self.secrets.s2.as_ref()[i]);
        self.backend.make_canonical(t);
        // (t1, t0) ← Power2Round(t)
        self.backend.power2round(t, t0);
        pack_t1(self.backend, t, &mut self.key.verifying_key.bytes.as_mut()[t1_at(i)]);
        // the verifying key is public
        ct::public_bytes(&mut self.key.verifying_key.bytes.as_mut()[t1_at(i)]);
        pack_t0(self.backend, t0, &mut self.key.bytes.as_mut()[SigningKeyLayout::<P>::t0(i)]);
        self.rows = i + 1;
    }

    /// Returns the part of the verifying key that has been encoded, and whether this part is the whole key.
    fn encoded_part(&self) -> (&[u8], bool) {
        (&self.key.verifying_key.bytes.as_ref()[..t1_at(self.rows).start], self.rows == P::K)
    }
}

impl<P: Params, B: Backend> Work for Derivation<'_, '_, P, B> {
    fn is_done(&self) -> bool {
        self.key.verifying_key.tr.is_some()
    }

    fn stream(&mut self) -> Option<Stream<'_>> {
        match self.secrets.stream() {
            Some(stream) => Some(Stream { id: Matrix::<P>::STREAMS + stream.id, ..stream }),
            None => self.matrix.stream(),
        }
    }

    fn receive(&mut self, id: usize, bytes: &[u8]) -> bool {
        let more = match id.checked_sub(Matrix::<P>::STREAMS) {
            Some(id) => self.secrets.receive(self.backend, id, bytes),
            None => self.matrix.receive(self.backend, id, bytes),
        };
        if !more {
            if !self.s1_is_used && self.secrets.is_complete() {
                self.encode_secrets();
            }
            while self.s1_is_used
                && let Some(i) = self.matrix.next_row()
            {
                self.encode_row(i);
            }
        }
        more
    }

    fn resume_hash<const N: usize>(&mut self, lanes: &mut Lanes<N>, n: usize) -> bool {
        let (pk, complete) = self.encoded_part();
        let can_absorb = self.tr_chain.can_absorb(&[pk], complete);
        if can_absorb {
            self.tr_chain.copy_to_lane(lanes, n);
            self.continue_hash(lanes, n);
        }
        can_absorb
    }

    /// Continues tr ← H(pk, 64); see [`Work::continue_hash`].
    fn continue_hash<const N: usize>(&mut self, lanes: &mut Lanes<N>, n: usize) -> bool {
        let pk = &self.key.verifying_key.bytes.as_ref()[..t1_at(self.rows).start];
        let step = self.tr_chain.step(lanes, n, &[pk], self.rows == P::K);
        match step {
            Step::Absorbed => {}
            Step::Waiting => self.tr_chain.copy_from_lane(lanes, n),
            Step::Finished => lanes.copy(n, self.key.verifying_key.tr.insert([0; 64])),
        }
        step == Step::Absorbed
    }
}
