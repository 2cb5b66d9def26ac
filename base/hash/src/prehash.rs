//! Messages that are hashed before signing, FIPS 204 section 5.4 and FIPS 205 section 10.2.

use crate::Level;
use crate::sponge::Sponge;
use ::sha2::{Digest, Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};
use grille_core::Error;

/// A hash function that FIPS 204 section 5.4 and FIPS 205 section 10.2 approve for messages.
///
/// The standards require a digest whose collision resistance matches the parameter set: 256 bits for category 1 and for
/// ML-DSA-44, 384 bits for category 3, 512 bits for category 5. Digests of 224 bits are too short for all parameter
/// sets; they are supported only for existing signatures.
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
    /// All approved hash functions.
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

    /// Returns the last arc of the object identifier 2.16.840.1.101.3.4.2.n and the length of a digest in
    /// bytes.
    const fn oid_arc_and_len(self) -> (u8, usize) {
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

    /// Returns the length of a digest in bytes.
    #[must_use]
    pub const fn digest_len(self) -> usize {
        self.oid_arc_and_len().1
    }

    /// Returns the DER encoding of the object identifier.
    #[must_use]
    pub const fn oid(self) -> [u8; 11] {
        [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, self.oid_arc_and_len().0]
    }
}

/// A message that was hashed before signing: PH_M of HashML-DSA, FIPS 204 section 5.4, and of HashSLH-DSA, FIPS 205
/// section 10.2.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PreHash {
    function: HashFunction,
    /// The buffer whose first `digest_len` bytes are the digest.
    digest: [u8; 64],
}

impl PreHash {
    /// Hashes a message.
    #[must_use]
    pub fn new(function: HashFunction, message: &[u8]) -> Self {
        let mut hasher = Hasher::new(function);
        hasher.update(message);
        hasher.finish()
    }

    /// Wraps a digest that was computed elsewhere.
    ///
    /// # Errors
    /// Returns [`Error::Length`] if the length is wrong.
    pub fn from_digest(function: HashFunction, bytes: &[u8]) -> Result<Self, Error> {
        Error::check_len("digest", function.digest_len(), bytes.len())?;
        let mut digest = [0; 64];
        digest[..bytes.len()].copy_from_slice(bytes);
        Ok(Self { function, digest })
    }

    /// Returns the hash function.
    #[must_use]
    pub const fn function(&self) -> HashFunction {
        self.function
    }

    /// Returns the digest.
    #[must_use]
    pub fn digest(&self) -> &[u8] {
        &self.digest[..self.function.digest_len()]
    }
}

/// Hashes a message that arrives in pieces. Sponge states are erased on drop.
#[derive(Clone)]
pub struct Hasher {
    function: HashFunction,
    state: State,
}

#[derive(Clone)]
enum State {
    Sha224(Sha224),
    Sha256(Sha256),
    Sha384(Sha384),
    Sha512(Sha512),
    Sha512_224(Sha512_224),
    Sha512_256(Sha512_256),
    Sha3_224(Sponge<144, 0x06, 1>),
    Sha3_256(Sponge<136, 0x06, 1>),
    Sha3_384(Sponge<104, 0x06, 1>),
    Sha3_512(Sponge<72, 0x06, 1>),
    Shake128(Sponge<168, 0x1F, 1>),
    Shake256(Sponge<136, 0x1F, 1>),
}

impl Hasher {
    /// Creates a hasher for an empty message.
    #[must_use]
    pub fn new(function: HashFunction) -> Self {
        let level = Level::detect();
        let state = match function {
            HashFunction::Sha224 => State::Sha224(Sha224::new()),
            HashFunction::Sha256 => State::Sha256(Sha256::new()),
            HashFunction::Sha384 => State::Sha384(Sha384::new()),
            HashFunction::Sha512 => State::Sha512(Sha512::new()),
            HashFunction::Sha512_224 => State::Sha512_224(Sha512_224::new()),
            HashFunction::Sha512_256 => State::Sha512_256(Sha512_256::new()),
            HashFunction::Sha3_224 => State::Sha3_224(Sponge::new(level)),
            HashFunction::Sha3_256 => State::Sha3_256(Sponge::new(level)),
            HashFunction::Sha3_384 => State::Sha3_384(Sponge::new(level)),
            HashFunction::Sha3_512 => State::Sha3_512(Sponge::new(level)),
            HashFunction::Shake128 => State::Shake128(Sponge::new(level)),
            HashFunction::Shake256 => State::Shake256(Sponge::new(level)),
        };
        Self { function, state }
    }

    /// Absorbs the next piece of the message.
    pub fn update(&mut self, piece: &[u8]) {
        match &mut self.state {
            State::Sha224(state) => state.update(piece),
            State::Sha256(state) => state.update(piece),
            State::Sha384(state) => state.update(piece),
            State::Sha512(state) => state.update(piece),
            State::Sha512_224(state) => state.update(piece),
            State::Sha512_256(state) => state.update(piece),
            State::Sha3_224(sponge) => sponge.absorb_all(piece),
            State::Sha3_256(sponge) => sponge.absorb_all(piece),
            State::Sha3_384(sponge) => sponge.absorb_all(piece),
            State::Sha3_512(sponge) => sponge.absorb_all(piece),
            State::Shake128(sponge) => sponge.absorb_all(piece),
            State::Shake256(sponge) => sponge.absorb_all(piece),
        }
    }

    /// Returns the hash of all pieces.
    #[must_use]
    pub fn finish(self) -> PreHash {
        let Self { function, state } = self;
        let mut digest = [0; 64];
        let out = &mut digest[..function.digest_len()];
        match state {
            State::Sha224(state) => out.copy_from_slice(&state.finalize()),
            State::Sha256(state) => out.copy_from_slice(&state.finalize()),
            State::Sha384(state) => out.copy_from_slice(&state.finalize()),
            State::Sha512(state) => out.copy_from_slice(&state.finalize()),
            State::Sha512_224(state) => out.copy_from_slice(&state.finalize()),
            State::Sha512_256(state) => out.copy_from_slice(&state.finalize()),
            State::Sha3_224(mut sponge) => sponge.squeeze([out]),
            State::Sha3_256(mut sponge) => sponge.squeeze([out]),
            State::Sha3_384(mut sponge) => sponge.squeeze([out]),
            State::Sha3_512(mut sponge) => sponge.squeeze([out]),
            State::Shake128(mut sponge) => sponge.squeeze([out]),
            State::Shake256(mut sponge) => sponge.squeeze([out]),
        }
        PreHash { function, digest }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abc_matches_the_standards_examples() {
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

    #[test]
    fn hashing_in_pieces_matches_hashing_at_once() {
        let message: [u8; 500] = core::array::from_fn(|i| i as u8);
        for function in HashFunction::ALL {
            for len in [1, 63, 64, 136, 144, 499] {
                let mut hasher = Hasher::new(function);
                message.chunks(len).for_each(|piece| hasher.update(piece));
                assert_eq!(hasher.finish(), PreHash::new(function, &message), "{function:?}");
            }
        }
    }
}
