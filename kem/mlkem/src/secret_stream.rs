//! Round-3 Kyber with a shared secret of any length: KDF is SHAKE256, whose output never ends.
//!
//! The first 32 bytes are the shared secret of the KEM itself.
//!
//! ```
//! use grille_core::{DecapsKey as _, EncapsKey as _, Kem as _, SystemRng};
//! use grille_mlkem::{Kyber768, params::K768, secret_stream};
//!
//! # fn main() -> Result<(), grille_core::Error> {
//! let key = Kyber768::generate(&mut SystemRng);
//! let (ciphertext, mut sent) = secret_stream::encapsulate::<K768>(&key.encaps_key().to_bytes(), &mut SystemRng)?;
//! let mut received = secret_stream::decapsulate::<K768>(key.to_bytes().as_ref(), &ciphertext)?;
//!
//! let (mut ours, mut theirs) = ([0; 100], [0; 100]);
//! sent.read(&mut ours);
//! received.read(&mut theirs);
//! assert_eq!(ours, theirs);
//! assert_eq!(ours[..32], *key.decapsulate(&ciphertext).expose());
//! # Ok(())
//! # }
//! ```

use crate::params::Params;
use crate::pke::{DecryptionKey, EncryptionKey};
use crate::version::{Round3, Version};
use core::fmt;
use grille_core::{Bytes, Ciphertext, CryptoRng, Error, Secret, ct};
use grille_hash::{Level, Shake256};
use zeroize::Zeroizing;

/// A parameter set of round-3 Kyber.
pub trait Round3Params: Params<Version = Round3> {}

impl<P: Params<Version = Round3>> Round3Params for P {}

/// A stream of secret bytes, which is erased on drop.
pub struct SecretStream {
    sponge: Shake256<1>,
}

impl SecretStream {
    /// Runs KDF: SHAKE256 of the pre-key `k` (secret) and the hash of the ciphertext.
    fn new(level: Level, k: &[u8; 32], ciphertext: &[u8]) -> Self {
        let mut sponge = Shake256::new(level);
        sponge.absorb_all(k);
        sponge.absorb_all(&Round3::h(level, &[ciphertext]));
        Self { sponge }
    }

    /// Writes the next bytes of the stream (secret) to `out`.
    pub fn read(&mut self, out: &mut [u8]) {
        self.sponge.squeeze([out]);
    }
}

/// Shows no secret.
impl fmt::Debug for SecretStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretStream")
    }
}

/// Encapsulates with an encoded key: runs KYBER.CCAKEM.Enc, Algorithm 8 of round-3 Kyber, up to KDF.
///
/// # Errors
/// Returns [`Error::Length`] if the length of the key is wrong, or [`Error::InvalidPublicKey`] if a coefficient is q or
/// more.
pub fn encapsulate<P: Round3Params>(
    encaps_key: &[u8],
    rng: &mut dyn CryptoRng,
) -> Result<(Ciphertext<P::CiphertextBytes>, SecretStream), Error> {
    let level = Level::detect();
    let key = EncryptionKey::<P>::from_bytes(encaps_key)?;
    let m = Round3::derive_message(level, Secret::random(rng));
    let [k, r] = derive(level, m.expose(), &Round3::h(level, &[encaps_key]));
    let ciphertext = key.encrypt(m.expose(), r.expose());
    let stream = SecretStream::new(level, k.expose(), ciphertext.as_ref());
    Ok((ciphertext, stream))
}

/// Decapsulates with an encoded key: runs KYBER.CCAKEM.Dec, Algorithm 9 of round-3 Kyber, up to KDF. A modified
/// ciphertext yields an unrelated stream.
///
/// # Errors
/// Returns [`Error::Length`] if the length of the key is wrong, or the errors of [`DecryptionKey::from_bytes`] and
/// [`EncryptionKey::from_bytes`] for its parts. The hash in the key is not checked.
pub fn decapsulate<P: Round3Params>(
    decaps_key: &[u8],
    ciphertext: &Ciphertext<P::CiphertextBytes>,
) -> Result<SecretStream, Error> {
    let level = Level::detect();
    Error::check_len("decapsulation key", P::DecapsKeyBytes::LEN, decaps_key.len())?;
    let (s, rest) = decaps_key.split_at(P::DecryptionKeyBytes::LEN);
    let (encaps_key, rest) = rest.split_at(P::EncapsKeyBytes::LEN);
    let part = |start: usize| -> [u8; 32] { core::array::from_fn(|i| rest[start + i]) };
    let (hash, z) = (part(0), Secret::new(part(32)));
    let m = DecryptionKey::<P>::from_bytes(s)?.decrypt(ciphertext);
    let [k, r] = derive(level, m.expose(), &hash);
    let again = EncryptionKey::<P>::from_bytes(encaps_key)?.encrypt(m.expose(), r.expose());
    let is_equal = ct::equal(again.as_ref(), ciphertext.as_ref());
    let k = ct::select(z.expose(), k.expose(), is_equal);
    Ok(SecretStream::new(level, k.expose(), ciphertext.as_ref()))
}

/// Runs G. Returns the pre-key and the coins for encryption; all arguments but the hash of the key are secret.
fn derive(level: Level, m: &[u8; 32], hash: &[u8; 32]) -> [Secret<[u8; 32]>; 2] {
    let derived: Zeroizing<[u8; 64]> = Round3::g(level, &[m, hash]);
    let (k, r) = derived.split_at(32);
    [k, r].map(|half| Secret::new(core::array::from_fn(|i| half[i])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kyber512;
    use crate::params::K512;
    use grille_core::{DecapsKey as _, EncapsKey as _, Kem as _, SystemRng};

    #[test]
    fn begins_with_the_secret_of_the_kem() {
        let key = Kyber512::generate(&mut SystemRng);
        let sent = key.encaps_key().encapsulate(&mut SystemRng);
        let mut stream = decapsulate::<K512>(key.to_bytes().as_ref(), &sent.ciphertext).unwrap();
        let mut bytes = [0; 200];
        // reads in pieces continue the stream
        let (first, rest) = bytes.split_at_mut(7);
        stream.read(first);
        stream.read(rest);
        assert_eq!(bytes[..32], *sent.secret.expose());
        let mut again = [0; 200];
        decapsulate::<K512>(key.to_bytes().as_ref(), &sent.ciphertext).unwrap().read(&mut again);
        assert_eq!(bytes, again);
    }

    #[test]
    fn rejects_modified_ciphertexts_implicitly() {
        let key = Kyber512::generate(&mut SystemRng);
        let (mut ciphertext, mut stream) =
            encapsulate::<K512>(&key.encaps_key().to_bytes(), &mut SystemRng).unwrap();
        ciphertext.0[5] ^= 1;
        let mut received = decapsulate::<K512>(key.to_bytes().as_ref(), &ciphertext).unwrap();
        let (mut ours, mut theirs) = ([0; 32], [0; 32]);
        stream.read(&mut ours);
        received.read(&mut theirs);
        assert_ne!(ours, theirs);
        assert_eq!(theirs, *key.decapsulate(&ciphertext).expose());
    }

    #[test]
    fn refuses_wrong_lengths() {
        assert!(matches!(encapsulate::<K512>(&[0; 799], &mut SystemRng), Err(Error::Length { .. })));
        let ciphertext = Ciphertext([0; 768]);
        assert!(matches!(decapsulate::<K512>(&[0; 1631], &ciphertext), Err(Error::Length { .. })));
    }
}
