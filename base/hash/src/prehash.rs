//! Messages that are hashed before they are signed, FIPS 204 section 5.4 and FIPS 205 section 10.2.

use crate::sponge::Sponge;
use crate::{Level, sha2, sha3_256, sha3_512, shake256};
use grille_core::Error;

/// An approved hash function, as FIPS 204 section 5.4 and FIPS 205 section 10.2 allow it for messages.
///
/// The standards ask for a digest whose collisions are as hard to find as the parameter set is strong: 256 bits in
/// category 1 and for ML-DSA-44, 384 in category 3, 512 in category 5. Digests of 224 bits are too short for all of
/// them; they are here for signatures that exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashFunction {
    /// SHA-224.
    Sha224,
    /// SHA-256.
    Sha256,
    /// SHA-384.
    Sha384,
    /// SHA-512.
    Sha512,
    /// SHA-512/224.
    Sha512_224,
    /// SHA-512/256.
    Sha512_256,
    /// SHA3-224.
    Sha3_224,
    /// SHA3-256.
    Sha3_256,
    /// SHA3-384.
    Sha3_384,
    /// SHA3-512.
    Sha3_512,
    /// SHAKE128 with 256 bits of output.
    Shake128,
    /// SHAKE256 with 512 bits of output.
    Shake256,
}

impl HashFunction {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Sha224,
        Self::Sha256,
        Self::Sha384,
        Self::Sha512,
        Self::Sha512_224,
        Self::Sha512_256,
        Self::Sha3_224,
        Self::Sha3_256,
        Self::Sha3_384,
        Self::Sha3_512,
        Self::Shake128,
        Self::Shake256,
    ];

    /// The last arc below 2.16.840.1.101.3.4.2, and the bytes of a digest.
    const fn row(self) -> (u8, usize) {
        match self {
            Self::Sha256 => (1, 32),
            Self::Sha384 => (2, 48),
            Self::Sha512 => (3, 64),
            Self::Sha224 => (4, 28),
            Self::Sha512_224 => (5, 28),
            Self::Sha512_256 => (6, 32),
            Self::Sha3_224 => (7, 28),
            Self::Sha3_256 => (8, 32),
            Self::Sha3_384 => (9, 48),
            Self::Sha3_512 => (10, 64),
            Self::Shake128 => (11, 32),
            Self::Shake256 => (12, 64),
        }
    }

    /// Bytes of a digest.
    #[must_use]
    pub const fn digest_len(self) -> usize {
        self.row().1
    }

    /// The DER encoding of its object identifier.
    #[must_use]
    pub const fn oid(self) -> [u8; 11] {
        [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, self.row().0]
    }
}

/// A message that was hashed before it is signed: PH_M of HashML-DSA, FIPS 204 section 5.4, and of HashSLH-DSA, FIPS
/// 205 section 10.2.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PreHash {
    function: HashFunction,
    /// The first `digest_len` bytes count.
    digest: [u8; 64],
}

impl PreHash {
    /// Hashes a message.
    #[must_use]
    pub fn new(function: HashFunction, message: &[u8]) -> Self {
        let level = Level::detect();
        let mut digest = [0; 64];
        match function {
            HashFunction::Sha224 => digest[..28].copy_from_slice(&sha2::sha224(&[message])),
            HashFunction::Sha256 => digest[..32].copy_from_slice(&sha2::sha256(&[message])),
            HashFunction::Sha384 => digest[..48].copy_from_slice(&sha2::sha384(&[message])),
            HashFunction::Sha512 => digest = sha2::sha512(&[message]),
            HashFunction::Sha512_224 => digest[..28].copy_from_slice(&sha2::sha512_224(&[message])),
            HashFunction::Sha512_256 => digest[..32].copy_from_slice(&sha2::sha512_256(&[message])),
            HashFunction::Sha3_224 => sponge::<144, 0x06>(level, message, &mut digest[..28]),
            HashFunction::Sha3_256 => digest[..32].copy_from_slice(&sha3_256(level, &[message])),
            HashFunction::Sha3_384 => sponge::<104, 0x06>(level, message, &mut digest[..48]),
            HashFunction::Sha3_512 => digest = sha3_512(level, &[message]),
            HashFunction::Shake128 => sponge::<168, 0x1F>(level, message, &mut digest[..32]),
            HashFunction::Shake256 => shake256(level, &[message], &mut digest),
        }
        Self { function, digest }
    }

    /// Takes a digest that was computed elsewhere.
    ///
    /// # Errors
    /// [`Error::Length`].
    pub fn from_digest(function: HashFunction, bytes: &[u8]) -> Result<Self, Error> {
        Error::check_len("digest", function.digest_len(), bytes.len())?;
        let mut digest = [0; 64];
        digest[..bytes.len()].copy_from_slice(bytes);
        Ok(Self { function, digest })
    }

    /// The hash function.
    #[must_use]
    pub const fn function(&self) -> HashFunction {
        self.function
    }

    /// The digest.
    #[must_use]
    pub fn digest(&self) -> &[u8] {
        &self.digest[..self.function.digest_len()]
    }
}

fn sponge<const RATE: usize, const SUFFIX: u8>(level: Level, message: &[u8], digest: &mut [u8]) {
    let mut sponge = Sponge::<RATE, SUFFIX, 1>::new(level);
    sponge.absorb_all(message);
    sponge.squeeze([digest]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abc_hashes_to_the_standards_examples() {
        let first_bytes = [
            (HashFunction::Sha224, [0x23, 0x09, 0x7D, 0x22]),
            (HashFunction::Sha256, [0xBA, 0x78, 0x16, 0xBF]),
            (HashFunction::Sha384, [0xCB, 0x00, 0x75, 0x3F]),
            (HashFunction::Sha512, [0xDD, 0xAF, 0x35, 0xA1]),
            (HashFunction::Sha512_224, [0x46, 0x34, 0x27, 0x0F]),
            (HashFunction::Sha512_256, [0x53, 0x04, 0x8E, 0x26]),
            (HashFunction::Sha3_224, [0xE6, 0x42, 0x82, 0x4C]),
            (HashFunction::Sha3_256, [0x3A, 0x98, 0x5D, 0xA7]),
            (HashFunction::Sha3_384, [0xEC, 0x01, 0x49, 0x82]),
            (HashFunction::Sha3_512, [0xB7, 0x51, 0x85, 0x0B]),
            (HashFunction::Shake128, [0x58, 0x81, 0x09, 0x2D]),
            (HashFunction::Shake256, [0x48, 0x33, 0x66, 0x60]),
        ];
        assert_eq!(first_bytes.map(|(function, _)| function), HashFunction::ALL);
        for (function, first) in first_bytes {
            let hashed = PreHash::new(function, b"abc");
            assert_eq!(hashed.digest()[..4], first, "{function:?}");
            assert_eq!(hashed.digest().len(), function.digest_len());
        }
    }
}
