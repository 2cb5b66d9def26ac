//! BIKE: keys, Encaps, and Decaps with implicit rejection.

use crate::algorithm::Bike;
use crate::code::Vector;
use crate::decoder::decode;
use crate::inverse::invert;
use crate::params::Params;
use crate::parity::{INCONSISTENT, Parity, are_equal, write_vector};
use crate::round::Round;
use crate::sample;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use grille_core::{Bytes, Ciphertext, CryptoRng, Encapsulated, Error, Secret, SecretBytes, ct};
use grille_gf2x::Workspace;
use grille_hash::Level;
use subtle::Choice;
use zeroize::{ZeroizeOnDrop, Zeroizing};

/// An encapsulation key (public): h.
pub struct EncapsKey<P: Params> {
    h: Vector<P>,
}

impl<P: Params> EncapsKey<P> {
    /// Computes the error that the message determines: H(m).
    fn sample_error(level: Level, message: &[u8; 32]) -> [Vector<P>; 2] {
        let supports = P::Round::sample_supports(level, message, &[sample::error_size::<P>()]);
        sample::build_error(level, &supports[0])
    }

    /// Parses the vector h of r bits.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, Error> {
        Error::check_len("encapsulation key", P::EncapsKeyBytes::LEN, bytes.len())?;
        if !Vector::<P>::is_canonical(bytes) {
            return Err(Error::InvalidPublicKey { reason: "has bits set after the last bit of h" });
        }
        Ok(Self { h: Vector::from_bytes(bytes) })
    }

    /// Runs Encaps. Samples 64 bytes. The first 32 are the message.
    pub(crate) fn encapsulate(&self, rng: &mut dyn CryptoRng) -> Encapsulated<Bike<P>> {
        let seeds = Secret::<[u8; 64]>::random(rng);
        let message = seeds.expose().first_chunk().expect("64 bytes");
        let mut workspace = Workspace::new(Level::detect());
        let level = workspace.level();
        let error = Self::sample_error(level, message);
        // c₀ = e₀ + e₁·h, c₁ = m + L(e₀, e₁)
        let mut c0 = error[1].times(&self.h, &mut workspace);
        c0.add(&error[0]);
        let mut ciphertext = P::CiphertextBytes::zeroed();
        let (first, second) = ciphertext.as_mut().split_at_mut(Vector::<P>::BYTES);
        c0.write_bytes(first);
        second.copy_from_slice(mask_message(level, &error, message).as_ref());
        // public: the ciphertext
        ct::public_bytes(ciphertext.as_mut());
        let secret = P::Round::hash(level, &[message, ciphertext.as_ref()]);
        Encapsulated { ciphertext: Ciphertext(ciphertext), secret }
    }
}

/// Computes L(e₀, e₁) + `other`: masks a message, or unmasks a masked message.
fn mask_message<P: Params>(level: Level, [e0, e1]: &[Vector<P>; 2], other: &[u8]) -> Secret<[u8; 32]> {
    let mut bytes = Zeroizing::new(vec![0; 2 * Vector::<P>::BYTES]);
    let (low, high) = bytes.split_at_mut(Vector::<P>::BYTES);
    e0.write_bytes(low);
    e1.write_bytes(high);
    let mut mask = P::Round::hash(level, &[&bytes]);
    for (byte, other) in mask.as_mut().iter_mut().zip(other) {
        *byte ^= other;
    }
    mask
}

impl<P: Params> grille_core::EncapsKey for EncapsKey<P> {
    type Kem = Bike<P>;

    /// Parses the vector h of r bits.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        P::parse(bytes)
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; Vector::<P>::BYTES];
        self.h.write_bytes(&mut bytes);
        bytes
    }

    /// Runs Encaps. Samples 64 bytes. The first 32 are the message.
    fn encapsulate(&self, rng: &mut dyn CryptoRng) -> Encapsulated<Bike<P>> {
        P::encapsulate(self, rng)
    }
}

impl<P: Params> Clone for EncapsKey<P> {
    fn clone(&self) -> Self {
        Self { h: self.h.clone() }
    }
}

impl<P: Params> PartialEq for EncapsKey<P> {
    fn eq(&self, other: &Self) -> bool {
        self.h.words() == other.h.words()
    }
}

impl<P: Params> Eq for EncapsKey<P> {}

impl<P: Params> fmt::Debug for EncapsKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} encapsulation key", P::NAME)
    }
}

/// A decapsulation key (secret). Erased on drop.
pub struct DecapsKey<P: Params> {
    encaps_key: EncapsKey<P>,
    /// The secret parity checks h₀ and h₁.
    parity: Parity<P>,
    /// σ, the secret that is hashed with rejected ciphertexts.
    sigma: Secret<[u8; 32]>,
}

impl<P: Params> DecapsKey<P> {
    /// Runs KeyGen. Samples 64 bytes: the seed of h₀ and h₁, and σ.
    pub(crate) fn generate(rng: &mut dyn CryptoRng) -> Self {
        let seeds = Secret::<[u8; 64]>::random(rng);
        let (seed, sigma) = seeds.expose().split_first_chunk().expect("64 bytes");
        let mut workspace = Workspace::new(Level::detect());
        let supports = P::Round::sample_supports(workspace.level(), seed, &Parity::<P>::SIZES);
        let parity = Parity::from_supports(workspace.level(), supports);
        // h = h₁·h₀⁻¹
        let mut h = invert(&parity.h[0], &mut workspace).times(&parity.h[1], &mut workspace);
        h.words_mut().iter_mut().for_each(|word| *word = ct::public(*word));
        let sigma = Secret::try_from(sigma).expect("32 bytes");
        Self { encaps_key: EncapsKey { h }, parity, sigma }
    }

    /// Returns whether h is h₁·h₀⁻¹.
    fn is_consistent(&self) -> bool {
        let [h0, h1] = &self.parity.h;
        let product = self.encaps_key.h.times(h0, &mut Workspace::new(Level::detect()));
        // public: whether a key is valid
        ct::public(bool::from(are_equal(&product, h1)))
    }

    /// Parses and checks an encoded key.
    pub(crate) fn import(bytes: &[u8]) -> Result<Self, Error> {
        Error::check_len("decapsulation key", P::DecapsKeyBytes::LEN, bytes.len())?;
        let (parity, rest) = bytes.split_at(Parity::<P>::BYTES);
        let (h, sigma) = rest.split_at(Vector::<P>::BYTES);
        let key = Self {
            encaps_key: EncapsKey::parse(h)
                .map_err(|_| Error::InvalidPrivateKey { reason: "has bits set after the last bit of h" })?,
            parity: Parity::from_bytes(Level::detect(), parity)?,
            sigma: Secret::try_from(sigma)?,
        };
        key.is_consistent().then_some(key).ok_or(INCONSISTENT)
    }

    /// Runs Decaps.
    pub(crate) fn decapsulate(&self, ciphertext: &Ciphertext<P::CiphertextBytes>) -> Secret<[u8; 32]> {
        let mut workspace = Workspace::new(Level::detect());
        let level = workspace.level();
        let (c0, c1) = ciphertext.as_ref().split_at(Vector::<P>::BYTES);
        let canonical = Choice::from(u8::from(Vector::<P>::is_canonical(c0)));
        // the syndrome c₀·h₀ equals that of the error
        let syndrome = Vector::from_bytes(c0).times(&self.parity.h[0], &mut workspace);
        let error = decode(&self.parity, &syndrome, &mut workspace).error;
        let message = mask_message(level, &error, c1);
        // implicit rejection: the error must be the one that the message determines
        let again = EncapsKey::<P>::sample_error(level, message.expose());
        let accepted = are_equal(&error[0], &again[0]) & are_equal(&error[1], &again[1]) & canonical;
        let hashed = ct::select(self.sigma.expose(), message.expose(), accepted);
        P::Round::hash(level, &[hashed.as_ref(), ciphertext.as_ref()])
    }
}

impl<P: Params> grille_core::DecapsKey for DecapsKey<P> {
    type Kem = Bike<P>;

    /// Parses the supports of h₀ and h₁ ‖ h₀ ‖ h₁ ‖ h ‖ σ.
    ///
    /// Deviation from BIKE, which does not check keys: the parts must belong together.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        P::import(bytes)
    }

    fn to_bytes(&self) -> SecretBytes {
        let mut bytes = Zeroizing::new(Vec::with_capacity(P::DecapsKeyBytes::LEN));
        self.parity.write(&mut bytes);
        write_vector(&self.encaps_key.h, &mut bytes);
        bytes.extend_from_slice(self.sigma.as_ref());
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

impl<P: Params> ZeroizeOnDrop for DecapsKey<P> {}

impl<P: Params> fmt::Debug for DecapsKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} decapsulation key (secret)", P::NAME)
    }
}
