//! The interface of signing keys.

use crate::algorithm::{NO_SEED, SlhDsa};
use crate::params::Params;
use crate::prepared::PreparedSigningKey;
use crate::signing_key::SigningKey;
use crate::signing_methods::sign;
use crate::verifying_key::VerifyingKey;
use alloc::boxed::Box;
use grille_core::{DynSigningKey, Error, SecretBytes};

impl<P: Params> grille_core::SigningKey for SigningKey<P> {
    type Scheme = SlhDsa<P>;

    /// Parses SK.seed ‖ SK.prf ‖ PK.seed ‖ PK.root. Does not check whether the root matches the seeds,
    /// because this takes as long as key generation. Call [`check`](Self::check) to check it.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Self::read(bytes)
    }

    fn to_bytes(&self) -> SecretBytes {
        self.encode()
    }

    /// Parses and prepares a key. Preparation checks PK.root against the root of the top tree.
    fn from_bytes_dyn(bytes: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
        Ok(Box::new(PreparedSigningKey::<P>::from_bytes(bytes)?))
    }

    /// Parses and checks a key, and does not store the top tree. The check takes as long as key generation.
    fn low_memory_from_bytes_dyn(bytes: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
        let key = Self::from_bytes(bytes)?;
        key.check()?;
        Ok(Box::new(key))
    }

    /// Returns an error, because FIPS 205 defines no single seed. See [`generate_internal`](Self::generate_internal).
    fn from_seed(_seed: &[u8]) -> Result<Self, Error> {
        Err(NO_SEED)
    }

    fn seed(&self) -> Option<SecretBytes> {
        None
    }

    fn verifying_key(&self) -> &VerifyingKey<P> {
        &self.verifying_key
    }

    sign! {}
}
