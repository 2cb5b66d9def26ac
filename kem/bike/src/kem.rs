//! BIKE: keys, Encaps, and Decaps with implicit rejection.

use crate::Bike;
use crate::decoder::{Checks, decode};
use crate::generation::{Generation, Size};
use crate::inverse::inverse;
use crate::params::{Params, Vector};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use grille_core::{Bytes, Ciphertext, CryptoRng, Encapsulated, Error, Secret, SecretBytes, ct};
use grille_gf2x::{Workspace, support};
use grille_hash::Level;
use subtle::Choice;
use zeroize::{ZeroizeOnDrop, Zeroizing};

/// An encapsulation key (public): h.
pub struct EncapsKey<P: Params> {
    h: Vector<P>,
}

impl<P: Params> EncapsKey<P> {
    /// Computes the error that the message determines: H(m).
    fn error(level: Level, message: &[u8; 32]) -> [Vector<P>; 2] {
        let sizes = [Size { weight: P::T, bound: 2 * P::N }];
        let supports = P::Generation::supports(level, message, &sizes);
        [0, P::N as u32].map(|first| {
            // positions below `first` wrap around to large numbers, which set no bit
            let half: Zeroizing<Vec<u32>> =
                Zeroizing::new(supports[0].iter().map(|position| position.wrapping_sub(first)).collect());
            vector(level, &half)
        })
    }
}

/// Returns the vector with ones at these positions. Positions from r on set nothing.
fn vector<P: Params>(level: Level, positions: &[u32]) -> Vector<P> {
    let mut vector = Vector::<P>::zeroed();
    support::spread(level, positions, &mut vector.words_mut()[..Vector::<P>::WORDS]);
    vector.words_mut()[P::N / 64] &= (1 << (P::N % 64)) - 1;
    vector
}

/// Computes L(e₀, e₁) + other, which masks and unmasks the message.
fn masked<P: Params>(level: Level, [e0, e1]: &[Vector<P>; 2], other: &[u8]) -> Secret<[u8; 32]> {
    let mut bytes = Zeroizing::new(vec![0; 2 * Vector::<P>::BYTES]);
    let (low, high) = bytes.split_at_mut(Vector::<P>::BYTES);
    e0.write_bytes(low);
    e1.write_bytes(high);
    let mut mask = P::Generation::hash(level, &[&bytes]);
    for (byte, other) in mask.as_mut().iter_mut().zip(other) {
        *byte ^= other;
    }
    mask
}

impl<P: Params> grille_core::EncapsKey for EncapsKey<P> {
    type Kem = Bike<P>;

    /// Parses h: r bits.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Error::check_len("encapsulation key", P::EncapsKeyBytes::LEN, bytes.len())?;
        if !Vector::<P>::is_canonical(bytes) {
            return Err(Error::InvalidPublicKey { reason: "has bits set after the last bit of h" });
        }
        Ok(Self { h: Vector::from_bytes(bytes) })
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; Vector::<P>::BYTES];
        self.h.write_bytes(&mut bytes);
        bytes
    }

    /// Runs Encaps. Draws 64 bytes. The first 32 are the message.
    fn encapsulate(&self, rng: &mut dyn CryptoRng) -> Encapsulated<Bike<P>> {
        let seeds = Secret::<[u8; 64]>::random(rng);
        let message = seeds.expose().first_chunk().expect("64 bytes");
        let mut workspace = Workspace::new(Level::detect());
        let level = workspace.level();
        let error = Self::error(level, message);
        // c₀ = e₀ + e₁·h, c₁ = m + L(e₀, e₁)
        let mut c0 = error[1].times(&self.h, &mut workspace);
        c0.add(&error[0]);
        let mut ciphertext = P::CiphertextBytes::zeroed();
        let (first, second) = ciphertext.as_mut().split_at_mut(Vector::<P>::BYTES);
        c0.write_bytes(first);
        second.copy_from_slice(masked(level, &error, message).as_ref());
        // public: the ciphertext
        ct::public_bytes(ciphertext.as_mut());
        let secret = P::Generation::hash(level, &[message, ciphertext.as_ref()]);
        Encapsulated { ciphertext: Ciphertext(ciphertext), secret }
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
    /// h₀ and h₁, and the positions of their ones.
    h: [Vector<P>; 2],
    supports: [Zeroizing<Vec<u32>>; 2],
    /// σ, the secret that is hashed with rejected ciphertexts.
    sigma: Secret<[u8; 32]>,
}

impl<P: Params> DecapsKey<P> {
    /// Runs KeyGen. Draws 64 bytes: the seed of h₀ and h₁, and σ.
    pub(crate) fn generate(rng: &mut dyn CryptoRng) -> Self {
        let seeds = Secret::<[u8; 64]>::random(rng);
        let (seed, sigma) = seeds.expose().split_first_chunk().expect("64 bytes");
        let mut workspace = Workspace::new(Level::detect());
        let sizes = [Size { weight: P::D, bound: P::N }; 2];
        let supports = P::Generation::supports(workspace.level(), seed, &sizes);
        let supports: [_; 2] = supports.try_into().expect("two sizes");
        let h = supports.each_ref().map(|support| vector(workspace.level(), support));
        // h = h₁·h₀⁻¹
        let mut public = inverse(&h[0], &mut workspace).times(&h[1], &mut workspace);
        public.words_mut().iter_mut().for_each(|word| *word = ct::public(*word));
        let sigma = Secret::try_from(sigma).expect("32 bytes");
        Self { encaps_key: EncapsKey { h: public }, h, supports, sigma }
    }

    /// Returns whether the supports are those of h₀ and h₁, and h is h₁·h₀⁻¹.
    fn is_consistent(&self) -> bool {
        let mut workspace = Workspace::new(Level::detect());
        let level = workspace.level();
        let mut same = Choice::from(1);
        for (h, support) in self.h.iter().zip(&self.supports) {
            same &= equal(&vector::<P>(level, support), h) & has_weight(h, P::D as u32);
        }
        same &= equal(&self.encaps_key.h.times(&self.h[0], &mut workspace), &self.h[1]);
        // public: whether a key is valid
        ct::public(bool::from(same))
    }
}

/// Returns whether two vectors are equal. Secret: both.
fn equal<P: Params>(a: &Vector<P>, b: &Vector<P>) -> Choice {
    use subtle::ConstantTimeEq;
    a.words().ct_eq(b.words())
}

/// Returns whether a vector has `weight` ones. Secret: the vector.
fn has_weight<P: Params>(h: &Vector<P>, weight: u32) -> Choice {
    use subtle::ConstantTimeEq;
    h.words().iter().map(|word| word.count_ones()).sum::<u32>().ct_eq(&weight)
}

/// Parses positions, which are 32-bit numbers, little-endian.
fn positions(bytes: &[u8]) -> Zeroizing<Vec<u32>> {
    Zeroizing::new(bytes.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect())
}

impl<P: Params> grille_core::DecapsKey for DecapsKey<P> {
    type Kem = Bike<P>;

    /// Parses the supports of h₀ and h₁ ‖ h₀ ‖ h₁ ‖ h ‖ σ.
    ///
    /// Deviation from BIKE, which does not check keys: the parts must belong together.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Error::check_len("decapsulation key", P::DecapsKeyBytes::LEN, bytes.len())?;
        let (supports, rest) = bytes.split_at(8 * P::D);
        let mut vectors = rest.chunks(Vector::<P>::BYTES);
        let [h0, h1, h] = [(); 3].map(|()| vectors.next().expect("three vectors"));
        let (first, second) = supports.split_at(4 * P::D);
        let key = Self {
            encaps_key: <EncapsKey<P> as grille_core::EncapsKey>::from_bytes(h)
                .map_err(|_| Error::InvalidPrivateKey { reason: "has bits set after the last bit of h" })?,
            h: [h0, h1].map(Vector::from_bytes),
            supports: [positions(first), positions(second)],
            sigma: Secret::try_from(&rest[3 * Vector::<P>::BYTES..])?,
        };
        let canonical = [h0, h1].iter().all(|h| ct::public(Vector::<P>::is_canonical(h)));
        let valid = canonical && key.is_consistent();
        valid
            .then_some(key)
            .ok_or(Error::InvalidPrivateKey { reason: "has parts that do not belong together" })
    }

    fn to_bytes(&self) -> SecretBytes {
        let mut bytes = Zeroizing::new(Vec::with_capacity(P::DecapsKeyBytes::LEN));
        for position in self.supports.iter().flat_map(|support| support.iter()) {
            bytes.extend_from_slice(&position.to_le_bytes());
        }
        for vector in self.h.iter().chain([&self.encaps_key.h]) {
            let start = bytes.len();
            bytes.resize(start + Vector::<P>::BYTES, 0);
            vector.write_bytes(&mut bytes[start..]);
        }
        bytes.extend_from_slice(self.sigma.as_ref());
        SecretBytes::new(core::mem::take(&mut *bytes))
    }

    fn from_seed(_seed: &[u8]) -> Result<Self, Error> {
        Err(Error::Unsupported { what: "seeds" })
    }

    fn seed(&self) -> Option<SecretBytes> {
        None
    }

    fn encaps_key(&self) -> &EncapsKey<P> {
        &self.encaps_key
    }

    /// Runs Decaps.
    fn decapsulate(&self, ciphertext: &Ciphertext<P::CiphertextBytes>) -> Secret<[u8; 32]> {
        let mut workspace = Workspace::new(Level::detect());
        let level = workspace.level();
        let (c0, c1) = ciphertext.as_ref().split_at(Vector::<P>::BYTES);
        let canonical = Choice::from(u8::from(Vector::<P>::is_canonical(c0)));
        // the syndrome c₀·h₀ equals that of the error
        let syndrome = Vector::from_bytes(c0).times(&self.h[0], &mut workspace);
        let [h0, h1] = &self.h;
        let [first, second] = &self.supports;
        let checks = Checks { h: [h0, h1], supports: [first, second] };
        let error = decode(&checks, &syndrome, &mut workspace);
        let message = masked(level, &error, c1);
        // implicit rejection: the error must be the one that the message determines
        let again = EncapsKey::<P>::error(level, message.expose());
        let accepted = equal(&error[0], &again[0]) & equal(&error[1], &again[1]) & canonical;
        let hashed = ct::select(self.sigma.expose(), message.expose(), accepted);
        P::Generation::hash(level, &[hashed.as_ref(), ciphertext.as_ref()])
    }
}

impl<P: Params> ZeroizeOnDrop for DecapsKey<P> {}

impl<P: Params> fmt::Debug for DecapsKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} decapsulation key (secret)", P::NAME)
    }
}
