//! Hybrid KEMs: combinations of a classical and a post-quantum KEM. Each hybrid is a [`Hybrid`] value.
//!
//! The registry lists the standardised hybrids, such as X25519MLKEM768. Use them through [`DynKem`].
//!
//! ```
//! use grille_classical::X25519;
//! use grille_core::{DynKem, Error, SystemRng};
//! use grille_hybrid::{Hybrid, Order};
//! use grille_mlkem::erased::MlKem768;
//!
//! static X25519_MLKEM768: Hybrid = Hybrid::new("X25519MLKEM768", &X25519, &MlKem768, Order::PostQuantumFirst);
//!
//! # fn main() -> Result<(), Error> {
//! let key = X25519_MLKEM768.generate(&mut SystemRng);
//! let sent = X25519_MLKEM768.encaps_key(&key.encaps_key_bytes())?.encapsulate(&mut SystemRng);
//! assert_eq!(key.decapsulate(&sent.ciphertext)?, sent.secret);
//! assert_eq!(sent.secret.as_ref().len(), 32 + 32);
//! # Ok(())
//! # }
//! ```
//!
//! # Features
//! None.
//!
//! # Without the standard library
//! The crate needs `std`, because the classical KEMs come from aws-lc.
//!
//! # Security
//! The shared secret is secure as long as one of the two KEMs is secure, and if a key schedule processes the whole
//! concatenation. The crate does not hash the secret, because the protocol's key schedule does (RFC 10024, and the
//! earlier OQS hybrids).
//!
//! A modified post-quantum part of a ciphertext yields an unrelated secret. A classical part that is not a point of
//! the curve is an error.
//!
//! # Encoding
//! Keys, ciphertexts and secrets of the two parts are concatenated without length fields, in the order that each
//! standard or codepoint requires. All lengths are fixed.
#![forbid(unsafe_code)]

use grille_classical::Ecdh;
use grille_core::{
    CryptoRng, DynDecapsKey, DynEncapsKey, DynEncapsulated, DynKem, ErasedKem, Error, Kem, KemInfo,
    SecretBytes,
};

/// The order of the parts in keys, ciphertexts and secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The order classical ‖ post-quantum.
    ClassicalFirst,
    /// The order post-quantum ‖ classical.
    PostQuantumFirst,
}

/// A hybrid KEM: its name and lengths, its two parts, and their order.
pub struct Hybrid {
    info: KemInfo,
    classical: &'static Ecdh,
    post_quantum: &'static dyn DynKem,
    order: Order,
}

impl Hybrid {
    /// Creates a hybrid of `classical` and `post_quantum`. Its lengths are the sums of the parts' lengths.
    #[must_use]
    pub const fn new<K: ErasedKem>(
        name: &'static str,
        classical: &'static Ecdh,
        post_quantum: &'static K,
        order: Order,
    ) -> Self {
        let (c, p) = (classical.const_info(), &K::Kem::INFO);
        let info = KemInfo {
            name,
            encaps_key_len: c.encaps_key_len + p.encaps_key_len,
            decaps_key_len: c.decaps_key_len + p.decaps_key_len,
            seed_len: match (c.seed_len, p.seed_len) {
                (Some(c), Some(p)) => Some(c + p),
                _ => None,
            },
            ciphertext_len: c.ciphertext_len + p.ciphertext_len,
            shared_secret_len: c.shared_secret_len + p.shared_secret_len,
        };
        Self { info, classical, post_quantum, order }
    }

    fn key(&self, classical: Box<dyn DynDecapsKey>, post_quantum: Box<dyn DynDecapsKey>) -> HybridDecapsKey {
        HybridDecapsKey {
            classical,
            post_quantum,
            order: self.order,
            classical_ciphertext_len: self.classical.info().ciphertext_len,
            ciphertext_len: self.info.ciphertext_len,
        }
    }
}

impl Order {
    /// Splits `bytes` into the classical part, of `len` bytes, and the post-quantum part.
    fn split<'a>(
        self,
        input: &'static str,
        len: usize,
        total: usize,
        bytes: &'a [u8],
    ) -> Result<(&'a [u8], &'a [u8]), Error> {
        Error::check_len(input, total, bytes.len())?;
        Ok(match self {
            Self::ClassicalFirst => bytes.split_at(len),
            Self::PostQuantumFirst => {
                let (post_quantum, classical) = bytes.split_at(total - len);
                (classical, post_quantum)
            }
        })
    }

    fn join(self, classical: &[u8], post_quantum: &[u8]) -> Vec<u8> {
        match self {
            Self::ClassicalFirst => [classical, post_quantum].concat(),
            Self::PostQuantumFirst => [post_quantum, classical].concat(),
        }
    }

    fn join_secrets(self, classical: &SecretBytes, post_quantum: &SecretBytes) -> SecretBytes {
        SecretBytes::new(self.join(classical.as_ref(), post_quantum.as_ref()))
    }
}

impl DynKem for Hybrid {
    fn info(&self) -> &KemInfo {
        &self.info
    }

    fn is_hybrid(&self) -> bool {
        true
    }

    fn classical_part(&self) -> Option<&dyn DynKem> {
        Some(self.classical)
    }

    /// Generates both parts. The classical part samples its random bytes first.
    fn generate(&self, rng: &mut dyn CryptoRng) -> Box<dyn DynDecapsKey> {
        let classical = self.classical.generate(rng);
        Box::new(self.key(classical, self.post_quantum.generate(rng)))
    }

    fn decaps_key(&self, bytes: &[u8]) -> Result<Box<dyn DynDecapsKey>, Error> {
        let len = self.classical.info().decaps_key_len;
        let (classical, post_quantum) =
            self.order.split("decapsulation key", len, self.info.decaps_key_len, bytes)?;
        let classical = self.classical.decaps_key(classical)?;
        Ok(Box::new(self.key(classical, self.post_quantum.decaps_key(post_quantum)?)))
    }

    /// Expands the seeds of both parts. `seed` contains them in the order of the parts in an encoded key.
    fn decaps_key_from_seed(&self, seed: &[u8]) -> Result<Box<dyn DynDecapsKey>, Error> {
        let unsupported = Error::Unsupported { feature: "seeds" };
        let len = self.classical.info().seed_len.ok_or(unsupported)?;
        let (classical, post_quantum) =
            self.order.split("seed", len, self.info.seed_len.ok_or(unsupported)?, seed)?;
        let classical = self.classical.decaps_key_from_seed(classical)?;
        Ok(Box::new(self.key(classical, self.post_quantum.decaps_key_from_seed(post_quantum)?)))
    }

    fn encaps_key(&self, bytes: &[u8]) -> Result<Box<dyn DynEncapsKey>, Error> {
        let len = self.classical.info().encaps_key_len;
        let (classical, post_quantum) =
            self.order.split("encapsulation key", len, self.info.encaps_key_len, bytes)?;
        Ok(Box::new(HybridEncapsKey {
            classical: self.classical.encaps_key(classical)?,
            post_quantum: self.post_quantum.encaps_key(post_quantum)?,
            order: self.order,
        }))
    }
}

struct HybridDecapsKey {
    classical: Box<dyn DynDecapsKey>,
    post_quantum: Box<dyn DynDecapsKey>,
    order: Order,
    classical_ciphertext_len: usize,
    ciphertext_len: usize,
}

impl DynDecapsKey for HybridDecapsKey {
    fn to_bytes(&self) -> SecretBytes {
        self.order.join_secrets(&self.classical.to_bytes(), &self.post_quantum.to_bytes())
    }

    fn seed(&self) -> Option<SecretBytes> {
        Some(self.order.join_secrets(&self.classical.seed()?, &self.post_quantum.seed()?))
    }

    fn encaps_key_bytes(&self) -> Vec<u8> {
        self.order.join(&self.classical.encaps_key_bytes(), &self.post_quantum.encaps_key_bytes())
    }

    /// Decapsulates both parts. A modified post-quantum part is rejected implicitly. A classical part that is
    /// not a point on the curve is an error.
    fn decapsulate(&self, ciphertext: &[u8]) -> Result<SecretBytes, Error> {
        let (len, total) = (self.classical_ciphertext_len, self.ciphertext_len);
        let (classical, post_quantum) = self.order.split("ciphertext", len, total, ciphertext)?;
        let classical = self.classical.decapsulate(classical)?;
        Ok(self.order.join_secrets(&classical, &self.post_quantum.decapsulate(post_quantum)?))
    }

    fn classical_part(&self) -> Option<&dyn DynDecapsKey> {
        Some(&*self.classical)
    }
}

struct HybridEncapsKey {
    classical: Box<dyn DynEncapsKey>,
    post_quantum: Box<dyn DynEncapsKey>,
    order: Order,
}

impl DynEncapsKey for HybridEncapsKey {
    fn to_bytes(&self) -> Vec<u8> {
        self.order.join(&self.classical.to_bytes(), &self.post_quantum.to_bytes())
    }

    /// Encapsulates to both parts. The classical part samples its random bytes first.
    fn encapsulate(&self, rng: &mut dyn CryptoRng) -> DynEncapsulated {
        let classical = self.classical.encapsulate(rng);
        let post_quantum = self.post_quantum.encapsulate(rng);
        DynEncapsulated {
            ciphertext: self.order.join(&classical.ciphertext, &post_quantum.ciphertext),
            secret: self.order.join_secrets(&classical.secret, &post_quantum.secret),
        }
    }
}
