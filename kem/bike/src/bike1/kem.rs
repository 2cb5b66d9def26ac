//! BIKE-1: keys, Encaps and Decaps.

use super::sample::sample_uniform;
use super::variant::Variant;
use crate::algorithm::Bike1;
use crate::code::{Code, Vector};
use crate::decoder::decode;
use crate::params::Bike1Params;
use crate::parity::{Parity, compute_weight, write_vector};
use crate::prf::Prf;
use crate::round::hash_sha384;
use crate::sample;
use alloc::vec::Vec;
use core::fmt;
use grille_core::{Bytes, Ciphertext, CryptoRng, Encapsulated, Error, Secret, SecretBytes, ct};
use grille_gf2x::Workspace;
use grille_hash::Level;
use subtle::{Choice, ConstantTimeEq};
use zeroize::{ZeroizeOnDrop, Zeroizing};

/// An encapsulation key (public): f₀ and f₁.
pub struct EncapsKey<P: Bike1Params> {
    f: [Vector<P>; 2],
}

impl<P: Bike1Params> EncapsKey<P> {
    /// Returns the key (g·h₁, g·h₀), where g has an odd number of ones and is sampled from the seed.
    fn from_seed(seed: &[u8; 32], parity: &Parity<P>, workspace: &mut Workspace<P>) -> Self {
        let mut g = sample_uniform::<P>(&mut Prf::new(workspace.level(), seed));
        g.words_mut()[0] ^= u64::from(!compute_weight([&g]) & 1);
        let [h0, h1] = &parity.h;
        let f = [h1, h0].map(|h| {
            let mut f = g.times(h, workspace);
            // public: the encapsulation key
            f.words_mut().iter_mut().for_each(|word| *word = ct::public(*word));
            f
        });
        Self { f }
    }

    /// Parses the vectors f₀ ‖ f₁ of r bits each.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, Error> {
        Error::check_len("encapsulation key", P::EncapsKeyBytes::LEN, bytes.len())?;
        if !are_canonical::<P>(bytes) {
            return Err(Error::InvalidPublicKey { reason: "has bits set after the last bit of f0 or f1" });
        }
        Ok(Self { f: decode_pair(bytes) })
    }

    /// Runs Encaps. Samples the seeds of the variant, [`Variant::Seeds`]. The second seed expands to m.
    pub(crate) fn encapsulate(&self, rng: &mut dyn CryptoRng) -> Encapsulated<Bike1<P>> {
        let seeds = Secret::<<P::Variant as Variant>::Seeds>::random(rng);
        let [first, second] = split_seeds(seeds.as_ref());
        let mut workspace = Workspace::new(Level::detect());
        let level = workspace.level();
        let m = sample_uniform::<P>(&mut Prf::new(level, second));
        // c₀ = m·f₀ + e₀, c₁ = m·f₁ + e₁
        let mut sums = [0, 1].map(|half| m.times(&self.f[half], &mut workspace));
        let product = encode(&sums);
        let error = P::Variant::sample_error::<P>(level, first, &product);
        sums.iter_mut().zip(&error).for_each(|(sum, error)| sum.add(error));
        let mut ciphertext = P::CiphertextBytes::zeroed();
        ciphertext.as_mut().copy_from_slice(&encode(&sums));
        // public: the ciphertext
        ct::public_bytes(ciphertext.as_mut());
        let secret = P::Variant::compute_secret(&error, &product, ciphertext.as_ref());
        Encapsulated { ciphertext: Ciphertext(ciphertext), secret }
    }
}

/// Encodes two vectors.
fn encode<P: Code>(vectors: &[Vector<P>; 2]) -> Zeroizing<Vec<u8>> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(2 * Vector::<P>::BYTES));
    vectors.iter().for_each(|vector| write_vector(vector, &mut bytes));
    bytes
}

/// Parses two encoded vectors. Ignores the bits after the last bit of each vector.
fn decode_pair<P: Code>(bytes: &[u8]) -> [Vector<P>; 2] {
    let (first, second) = bytes.split_at(Vector::<P>::BYTES);
    [first, second].map(Vector::from_bytes)
}

/// Returns whether the bits after the last bit of each encoded vector are zero.
fn are_canonical<P: Code>(bytes: &[u8]) -> bool {
    // public: whether an encoding is valid
    bytes.chunks_exact(Vector::<P>::BYTES).all(|vector| ct::public(Vector::<P>::is_canonical(vector)))
}

impl<P: Bike1Params> grille_core::EncapsKey for EncapsKey<P> {
    type Kem = Bike1<P>;

    /// Parses the vectors f₀ ‖ f₁ of r bits each.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        P::parse(bytes)
    }

    fn to_bytes(&self) -> Vec<u8> {
        encode(&self.f).to_vec()
    }

    /// Runs Encaps. Samples the seeds of the variant, [`Variant::Seeds`]. The second seed expands to m.
    fn encapsulate(&self, rng: &mut dyn CryptoRng) -> Encapsulated<Bike1<P>> {
        P::encapsulate(self, rng)
    }
}

/// Returns the first two seeds.
fn split_seeds(seeds: &[u8]) -> [&[u8; 32]; 2] {
    [0, 32].map(|start| seeds[start..].first_chunk().expect("two seeds"))
}

impl<P: Bike1Params> Clone for EncapsKey<P> {
    fn clone(&self) -> Self {
        Self { f: self.f.clone() }
    }
}

impl<P: Bike1Params> PartialEq for EncapsKey<P> {
    fn eq(&self, other: &Self) -> bool {
        self.f.iter().zip(&other.f).all(|(own, other)| own.words() == other.words())
    }
}

impl<P: Bike1Params> Eq for EncapsKey<P> {}

impl<P: Bike1Params> fmt::Debug for EncapsKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} encapsulation key", P::NAME)
    }
}

/// A decapsulation key (secret). Erased on drop.
pub struct DecapsKey<P: Bike1Params> {
    encaps_key: EncapsKey<P>,
    /// The secret parity checks h₀ and h₁.
    parity: Parity<P>,
    /// σ₀ ‖ σ₁, which are hashed with rejected ciphertexts; empty in the variant CPA.
    sigma: Zeroizing<Vec<u8>>,
}

impl<P: Bike1Params> DecapsKey<P> {
    /// Runs KeyGen. Samples [`Variant::Seeds`]: the seed of h₀ and h₁, the seed of g and, in the variant FO, the seed
    /// of σ.
    pub(crate) fn generate(rng: &mut dyn CryptoRng) -> Self {
        let seeds = Secret::<<P::Variant as Variant>::Seeds>::random(rng);
        let [first, second] = split_seeds(seeds.as_ref());
        let mut workspace = Workspace::new(Level::detect());
        let level = workspace.level();
        let mut prf = Prf::new(level, first);
        let supports = sample::sample_by_rejection(|| prf.next_u32(), &Parity::<P>::SIZES);
        let parity = Parity::from_supports(level, supports);
        let encaps_key = EncapsKey::from_seed(second, &parity, &mut workspace);
        let sigma = P::Variant::sample_sigma::<P>(level, seeds.as_ref());
        Self { encaps_key, parity, sigma }
    }

    /// Parses an encoded key and derives an encapsulation key from it.
    pub(crate) fn import(bytes: &[u8]) -> Result<Self, Error> {
        Error::check_len("decapsulation key", P::DecapsKeyBytes::LEN, bytes.len())?;
        let mut workspace = Workspace::new(Level::detect());
        let (parity, sigma) = bytes.split_at(Parity::<P>::BYTES);
        if !are_canonical::<P>(sigma) {
            return Err(Error::InvalidPrivateKey { reason: "has bits set after the last bit of sigma" });
        }
        let parity = Parity::from_bytes(workspace.level(), parity)?;
        let seed = hash_sha384(&[IMPORT_LABEL, bytes]);
        let encaps_key = EncapsKey::from_seed(seed.expose(), &parity, &mut workspace);
        Ok(Self { encaps_key, parity, sigma: Zeroizing::new(sigma.to_vec()) })
    }

    /// Runs Decaps.
    pub(crate) fn decapsulate(&self, ciphertext: &Ciphertext<P::CiphertextBytes>) -> Secret<[u8; 32]> {
        let mut workspace = Workspace::new(Level::detect());
        let level = workspace.level();
        let mut sums = decode_pair::<P>(ciphertext.as_ref());
        // the syndrome c₀·h₀ + c₁·h₁ equals that of the error
        let [mut syndrome, other] = [0, 1].map(|half| sums[half].times(&self.parity.h[half], &mut workspace));
        syndrome.add(&other);
        let decoded = decode(&self.parity, &syndrome, &mut workspace);
        let error = &decoded.error;
        sums.iter_mut().zip(error).for_each(|(sum, error)| sum.add(error));
        let product = encode(&sums);
        let is_accepted = decoded.is_complete
            & compute_weight(error).ct_eq(&(P::T as u32))
            & P::Variant::is_genuine(level, error, &product)
            & Choice::from(u8::from(are_canonical::<P>(ciphertext.as_ref())));
        // implicit rejection
        let rejected = self.rejection_secret(ciphertext.as_ref());
        let accepted = P::Variant::compute_secret(error, &product, ciphertext.as_ref());
        ct::select(rejected.expose(), accepted.expose(), is_accepted)
    }

    /// Computes the secret of a rejected ciphertext. In the variant FO, that is K(σ₀, σ₁, c).
    ///
    /// Deviation from BIKE-1-CPA, which reports an error and has no σ: here, h₀ ‖ h₁ takes the place of σ.
    fn rejection_secret(&self, ciphertext: &[u8]) -> Secret<[u8; 32]> {
        let parity = encode(&self.parity.h);
        let hashed = if self.sigma.is_empty() { &parity } else { &self.sigma };
        hash_sha384(&[hashed, ciphertext])
    }
}

/// The start of the hash input that gives the seed of g for an imported key. The encoded key follows.
const IMPORT_LABEL: &[u8] = b"grille: g of an imported BIKE-1 key";

impl<P: Bike1Params> grille_core::DecapsKey for DecapsKey<P> {
    type Kem = Bike1<P>;

    /// Parses the supports of h₀ and h₁ ‖ h₀ ‖ h₁ and, in the variant FO, σ₀ ‖ σ₁.
    ///
    /// The encoding contains neither g nor the encapsulation key. The parsed key therefore gets an equivalent
    /// encapsulation key, whose g comes from a hash of the encoding. It differs from the original encapsulation key,
    /// but the decapsulation key decapsulates ciphertexts for either.
    ///
    /// Deviation from BIKE, which does not check keys: the parts must belong together.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        P::import(bytes)
    }

    fn to_bytes(&self) -> SecretBytes {
        let mut bytes = Zeroizing::new(Vec::with_capacity(P::DecapsKeyBytes::LEN));
        self.parity.write(&mut bytes);
        bytes.extend_from_slice(&self.sigma);
        SecretBytes::new(core::mem::take(&mut *bytes))
    }

    fn from_seed(_seed: &[u8]) -> Result<Self, Error> {
        Err(Error::Unsupported { feature: "seeds" })
    }

    fn seed(&self) -> Option<SecretBytes> {
        None
    }

    fn encaps_key(&self) -> &EncapsKey<P> {
        &self.encaps_key
    }

    /// Runs Decaps.
    fn decapsulate(&self, ciphertext: &Ciphertext<P::CiphertextBytes>) -> Secret<[u8; 32]> {
        P::decapsulate(self, ciphertext)
    }
}

impl<P: Bike1Params> ZeroizeOnDrop for DecapsKey<P> {}

impl<P: Bike1Params> fmt::Debug for DecapsKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} decapsulation key (secret)", P::NAME)
    }
}
