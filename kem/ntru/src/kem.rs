//! NTRU round 3, section 1.12: Key_Pair, Encapsulate, and Decapsulate with implicit rejection.

use crate::algorithm::Ntru;
use crate::backend::{Backend, Operation, dispatch};
use crate::dpke::{self, DecryptionKey, EncryptionKey, Plaintext};
use crate::hash::sha3_256_pair;
use crate::params::Params;
use crate::ring::Rq;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use grille_core::{Bytes, Ciphertext, CryptoRng, Encapsulated, Error, Secret, SecretBytes, boxed, ct};
use grille_hash::Sha3_256;
use zeroize::{ZeroizeOnDrop, Zeroizing};

/// The largest number of keys that share inversions. A larger batch would save little time and need more
/// memory than allocators keep.
const MAX_BATCH: usize = 32;

/// An encapsulation key (public) that has been checked and unpacked.
pub struct EncapsKey<P: Params> {
    dpke: EncryptionKey<P>,
}

impl<P: Params> EncapsKey<P> {
    /// Returns a key of zeroes.
    fn zeroed() -> Self {
        Self { dpke: EncryptionKey::zeroed() }
    }

    /// Parses a key into this one, which is zeroed.
    pub(crate) fn read(&mut self, bytes: &[u8]) -> Result<(), Error> {
        Error::check_len("encapsulation key", P::PublicBytes::LEN, bytes.len())?;
        dispatch(Read { bytes, key: &mut self.dpke })
    }

    /// Runs Encapsulate. Samples all bytes for Sample_rm in one call.
    pub(crate) fn encapsulate(&self, rng: &mut dyn CryptoRng) -> Encapsulated<Ntru<P>> {
        let mut coins = Secret::<P::SampleBytes>::zeroed();
        rng.fill_bytes(coins.as_mut());
        let ciphertext = Ciphertext(P::PublicBytes::zeroed());
        let mut sent = Encapsulated { ciphertext, secret: Secret::zeroed() };
        dispatch(Encapsulate { key: self, coins: coins.expose(), sent: &mut sent });
        // a clone is returned, because moving a secret would leave a copy in memory; the original is erased
        // on drop
        Encapsulated { secret: sent.secret.clone(), ciphertext: sent.ciphertext }
    }
}

impl<P: Params> grille_core::EncapsKey for EncapsKey<P> {
    type Kem = Ntru<P>;

    /// Parses a key. The bits after the last coefficient must be zero. This deviates from the submission, which
    /// ignores these bits.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut key = Self::zeroed();
        P::read(&mut key, bytes)?;
        Ok(key)
    }

    fn from_bytes_boxed(bytes: &[u8]) -> Result<Box<Self>, Error> {
        let mut key = boxed(Self::zeroed);
        P::read(&mut key, bytes)?;
        Ok(key)
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.dpke.as_bytes().as_ref().to_vec()
    }

    /// Runs Encapsulate. Samples all bytes for Sample_rm in one call.
    fn encapsulate(&self, rng: &mut dyn CryptoRng) -> Encapsulated<Ntru<P>> {
        P::encapsulate(self, rng)
    }
}

impl<P: Params> Clone for EncapsKey<P> {
    fn clone(&self) -> Self {
        Self { dpke: self.dpke.clone() }
    }
}

impl<P: Params> PartialEq for EncapsKey<P> {
    fn eq(&self, other: &Self) -> bool {
        self.dpke.as_bytes().as_ref() == other.dpke.as_bytes().as_ref()
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
    dpke: DecryptionKey<P>,
    /// The key for hashing rejected ciphertexts.
    prf_key: Secret<[u8; 32]>,
}

impl<P: Params> DecapsKey<P> {
    /// Returns a key of zeroes.
    fn zeroed() -> Self {
        Self { encaps_key: EncapsKey::zeroed(), dpke: DecryptionKey::zeroed(), prf_key: Secret::zeroed() }
    }

    /// Parses a key into this one, which is zeroed.
    pub(crate) fn import(&mut self, bytes: &[u8]) -> Result<(), Error> {
        Error::check_len("decapsulation key", P::DecapsKeyBytes::LEN, bytes.len())?;
        dispatch(Import { bytes, key: self })
    }

    /// Runs Key_Pair. Samples the bytes for Sample_fg in one call, then the 32-byte key for hashing rejected
    /// ciphertexts.
    ///
    /// Moving a key may leave copies on the stack. [`Kem::generate_boxed`](grille_core::Kem::generate_boxed) leaves
    /// none, except for compiler spills.
    pub fn generate(rng: &mut dyn CryptoRng) -> Self {
        let mut key = Self::zeroed();
        P::generate_in_place(&mut key, rng);
        key
    }

    /// Generates a key on the heap without a copy on the stack, for callers with little stack.
    pub(crate) fn generate_boxed(rng: &mut dyn CryptoRng) -> Box<Self> {
        let mut key = boxed(Self::zeroed);
        P::generate_in_place(&mut key, rng);
        key
    }

    /// Runs Key_Pair in place. Random values are also sampled in place. Values that are needed until the end
    /// are on the heap, in addition to the memory that inverses and products need.
    pub(crate) fn generate_in_place(&mut self, rng: &mut dyn CryptoRng) {
        let mut fg_bits = boxed(Secret::<P::SampleBytes>::zeroed);
        self.sample(rng, &mut fg_bits);
        let mut g = zero_boxed();
        dispatch(Sample { fg_bits: fg_bits.expose(), key: &mut self.dpke, g: &mut g });
        drop(fg_bits);
        dispatch(KeyPair { g: &g, key: self });
    }

    /// Generates the same keys as `count` calls of [`generate`](Self::generate).
    pub(crate) fn generate_many(count: usize, rng: &mut dyn CryptoRng) -> Vec<Self> {
        let mut keys = Vec::with_capacity(count);
        while keys.len() < count {
            let (first, together) = (keys.len(), MAX_BATCH.min(count - keys.len()));
            let mut all_g = Vec::with_capacity(together);
            for _ in 0..together {
                keys.push(Self::zeroed());
                all_g.push(Zeroizing::new(Rq::zero()));
                let (key, g) = (
                    keys.last_mut().expect("an element was just pushed"),
                    all_g.last_mut().expect("an element was just pushed"),
                );
                let mut fg_bits = Secret::zeroed();
                key.sample(rng, &mut fg_bits);
                dispatch(Sample { fg_bits: fg_bits.expose(), key: &mut key.dpke, g });
            }
            dispatch(KeyPairs { g: &all_g, keys: &mut keys[first..] });
        }
        keys
    }

    /// Encodes the key as pack_S3(f) ‖ pack_S3(f_p) ‖ pack_Sq(h_q) ‖ prf_key.
    pub(crate) fn export(&self) -> SecretBytes {
        dispatch(Export(self))
    }

    /// Runs Decapsulate.
    pub(crate) fn decapsulate(&self, ciphertext: &Ciphertext<P::PublicBytes>) -> Secret<[u8; 32]> {
        dispatch(Decapsulate { dpke: &self.dpke, prf_key: self.prf_key.expose(), c: &ciphertext.0 })
    }

    /// Samples the random bytes of a key: fg_bits and prf_key.
    fn sample(&mut self, rng: &mut dyn CryptoRng, fg_bits: &mut Secret<P::SampleBytes>) {
        rng.fill_bytes(fg_bits.as_mut());
        rng.fill_bytes(self.prf_key.as_mut());
    }
}

fn zero_boxed<P: Params>() -> Box<Zeroizing<Rq<P>>> {
    boxed(|| Zeroizing::new(Rq::zero()))
}

impl<P: Params> grille_core::DecapsKey for DecapsKey<P> {
    type Kem = Ntru<P>;

    /// Parses pack_S3(f) ‖ pack_S3(f_p) ‖ pack_Sq(h_q) ‖ prf_key. The encapsulation key is not included in
    /// the encoding, so it is computed.
    ///
    /// Moving a key may leave copies on the stack. [`from_bytes_boxed`](grille_core::DecapsKey::from_bytes_boxed)
    /// leaves none, except for compiler spills.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut key = Self::zeroed();
        P::import(&mut key, bytes)?;
        Ok(key)
    }

    fn from_bytes_boxed(bytes: &[u8]) -> Result<Box<Self>, Error> {
        let mut key = boxed(Self::zeroed);
        P::import(&mut key, bytes)?;
        Ok(key)
    }

    fn to_bytes(&self) -> SecretBytes {
        P::export(self)
    }

    fn from_seed(_: &[u8]) -> Result<Self, Error> {
        Err(Error::Unsupported { feature: "seeds" })
    }

    fn seed(&self) -> Option<SecretBytes> {
        None
    }

    fn encaps_key(&self) -> &EncapsKey<P> {
        &self.encaps_key
    }

    fn decapsulate(&self, ciphertext: &Ciphertext<P::PublicBytes>) -> Secret<[u8; 32]> {
        P::decapsulate(self, ciphertext)
    }
}

impl<P: Params> ZeroizeOnDrop for DecapsKey<P> {}

impl<P: Params> fmt::Debug for DecapsKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} decapsulation key", P::NAME)
    }
}

struct Read<'a, P: Params> {
    bytes: &'a [u8],
    key: &'a mut EncryptionKey<P>,
}

impl<P: Params> Operation for Read<'_, P> {
    type Output = Result<(), Error>;

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> Self::Output {
        self.key.read(backend, self.bytes)
    }
}

struct Sample<'a, P: Params> {
    fg_bits: &'a P::SampleBytes,
    key: &'a mut DecryptionKey<P>,
    g: &'a mut Rq<P>,
}

impl<P: Params> Operation for Sample<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) {
        let Self { fg_bits, key, g } = self;
        key.sample(backend, fg_bits, g);
    }
}

struct KeyPair<'a, P: Params> {
    g: &'a Rq<P>,
    /// The key, which [`Sample`] has already processed.
    key: &'a mut DecapsKey<P>,
}

impl<P: Params> Operation for KeyPair<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) {
        let Self { g, key } = self;
        dpke::key_pair(backend, g, &mut key.encaps_key.dpke, &mut key.dpke);
    }
}

/// The operation that generates many key pairs.
struct KeyPairs<'a, P: Params> {
    g: &'a [Zeroizing<Rq<P>>],
    keys: &'a mut [DecapsKey<P>],
}

impl<P: Params> Operation for KeyPairs<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) {
        let Self { g, keys } = self;
        let pairs = keys.iter_mut().map(|key| (&mut key.encaps_key.dpke, &mut key.dpke));
        dpke::key_pairs(backend, g, &mut pairs.collect::<Vec<_>>());
    }
}

struct Import<'a, P: Params> {
    bytes: &'a [u8],
    /// The key, zeroed.
    key: &'a mut DecapsKey<P>,
}

impl<P: Params> Operation for Import<'_, P> {
    type Output = Result<(), Error>;

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> Self::Output {
        let Self { bytes, key } = self;
        let (packed, prf_key) = split(bytes);
        key.prf_key.as_mut().copy_from_slice(prf_key);
        key.dpke.read(backend, packed, &mut key.encaps_key.dpke)
    }
}

/// Splits an encoded key into prf_key, which comes last, and the preceding part that DPKE_Decrypt reads.
fn split(bytes: &[u8]) -> (&[u8], &[u8; 32]) {
    bytes.split_last_chunk().expect("more than 32 bytes")
}

struct Export<'a, P: Params>(&'a DecapsKey<P>);

impl<P: Params> Operation for Export<'_, P> {
    type Output = SecretBytes;

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> SecretBytes {
        let Self(key) = self;
        let mut bytes = Secret::<P::DecapsKeyBytes>::zeroed();
        let (packed, prf_key) = bytes.as_mut().split_at_mut(P::DecapsKeyBytes::LEN - 32);
        key.dpke.write(backend, packed);
        prf_key.copy_from_slice(key.prf_key.as_ref());
        bytes.as_ref().into()
    }
}

struct Encapsulate<'a, P: Params> {
    key: &'a EncapsKey<P>,
    coins: &'a P::SampleBytes,
    /// The output.
    sent: &'a mut Encapsulated<Ntru<P>>,
}

impl<P: Params> Operation for Encapsulate<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) {
        let Self { key, coins, sent } = self;
        // c ← DPKE_Encrypt(h, (r, m)); k ← H₁(pack_S3(r) ‖ pack_S3(m))
        let mut plaintext = Plaintext::zeroed();
        key.dpke.encrypt(backend, coins, &mut sent.ciphertext.0, &mut plaintext);
        Sha3_256::hash(backend.level(), &[plaintext.r.as_ref(), plaintext.m.as_ref()], sent.secret.as_mut());
    }
}

struct Decapsulate<'a, P: Params> {
    dpke: &'a DecryptionKey<P>,
    prf_key: &'a [u8; 32],
    c: &'a P::PublicBytes,
}

impl<P: Params> Operation for Decapsulate<'_, P> {
    type Output = Secret<[u8; 32]>;

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> Secret<[u8; 32]> {
        let Self { dpke, prf_key, c } = self;
        // (r, m, fail) ← DPKE_Decrypt((f, f_p, h_q), c)
        let mut plaintext = Plaintext::zeroed();
        let valid = dpke.decrypt(backend, c, &mut plaintext);
        // k₁ ← H₁(pack_S3(r) ‖ pack_S3(m)); k₂ ← H₂(prf_key ‖ c)
        let (mut k1, mut k2) = (Secret::zeroed(), Secret::zeroed());
        let rm = [plaintext.r.as_ref(), plaintext.m.as_ref()];
        sha3_256_pair(backend.level(), rm, [prf_key, c.as_ref()], [&mut k1, &mut k2]);
        // implicit rejection: the secret is k₂ if fail, else k₁
        ct::select(k2.expose(), k1.expose(), valid)
    }
}

/// Decapsulates with an encoded key without computing its encapsulation key.
pub(crate) fn decapsulate_encoded<P: Params>(
    key: &[u8],
    ciphertext: &Ciphertext<P::PublicBytes>,
) -> Result<Secret<[u8; 32]>, Error> {
    Error::check_len("decapsulation key", P::DecapsKeyBytes::LEN, key.len())?;
    dispatch(DecapsulateEncoded::<P> { key, c: &ciphertext.0 })
}

struct DecapsulateEncoded<'a, P: Params> {
    key: &'a [u8],
    c: &'a P::PublicBytes,
}

impl<P: Params> Operation for DecapsulateEncoded<'_, P> {
    type Output = Result<Secret<[u8; 32]>, Error>;

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> Self::Output {
        let Self { key, c } = self;
        let (packed, prf_key) = split(key);
        let mut dpke = DecryptionKey::<P>::zeroed();
        dpke.read_unmatched(backend, packed)?;
        Ok(Decapsulate { dpke: &dpke, prf_key, c }.run(backend))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::dispatch_at;
    use crate::params::{Hps2048509, Hps2048677, Hps4096821, Hps40961229, Hrss701, Hrss1373};
    use grille_hash::{Level, Shake128};
    use std::vec::Vec;

    /// Returns the results of all operations, with random bytes that depend only on the parameter set.
    fn all_results<P: Params>(level: Level) -> Vec<Vec<u8>> {
        let mut xof = Shake128::<1>::new(Level::Portable);
        xof.absorb_all(P::NAME.as_bytes());
        let mut results = Vec::new();
        for _ in 0..3 {
            let [mut fg_bits, mut coins] = [P::SampleBytes::zeroed(), P::SampleBytes::zeroed()];
            xof.squeeze([fg_bits.as_mut()]);
            xof.squeeze([coins.as_mut()]);
            let mut key = DecapsKey::<P>::zeroed();
            key.prf_key = Secret::new([7; 32]);
            let mut g = zero_boxed::<P>();
            dispatch_at(level, Sample { fg_bits: &fg_bits, key: &mut key.dpke, g: &mut g });
            dispatch_at(level, KeyPair { g: &g, key: &mut key });
            let bytes = dispatch_at(level, Export(&key));
            let mut key = DecapsKey::<P>::zeroed();
            dispatch_at(level, Import { bytes: bytes.as_ref(), key: &mut key })
                .expect("a fresh key is valid");
            let public = key.encaps_key.dpke.as_bytes().clone();
            let mut encaps_key = EncapsKey::<P>::zeroed();
            let read = Read { bytes: public.as_ref(), key: &mut encaps_key.dpke };
            dispatch_at(level, read).expect("a fresh key is valid");
            let ciphertext = Ciphertext(P::PublicBytes::zeroed());
            let mut sent = Encapsulated { ciphertext, secret: Secret::zeroed() };
            dispatch_at(level, Encapsulate { key: &encaps_key, coins: &coins, sent: &mut sent });
            let mut tampered = sent.ciphertext.0.clone();
            tampered.as_mut()[5] ^= 1;
            let secrets = [&sent.ciphertext.0, &tampered].map(|c| {
                dispatch_at(level, Decapsulate { dpke: &key.dpke, prf_key: key.prf_key.expose(), c })
            });
            assert_eq!(secrets[0], sent.secret, "{} {}", P::NAME, level.name());
            let results_of = [bytes.as_ref(), public.as_ref(), sent.ciphertext.as_ref()];
            results
                .extend(results_of.into_iter().chain(secrets.iter().map(Secret::as_ref)).map(<[u8]>::to_vec));
        }
        results
    }

    fn check_levels<P: Params>() {
        let expected = all_results::<P>(Level::Portable);
        for level in Level::all().skip(1) {
            assert!(all_results::<P>(level) == expected, "{} {}", P::NAME, level.name());
        }
    }

    #[test]
    fn every_level_gives_the_same_keys_ciphertexts_and_secrets() {
        check_levels::<Hps2048509>();
        check_levels::<Hps2048677>();
        check_levels::<Hps4096821>();
        check_levels::<Hps40961229>();
        check_levels::<Hrss701>();
        check_levels::<Hrss1373>();
    }
}
