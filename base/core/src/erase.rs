//! Conversion of typed algorithms to values (type erasure).
//!
//! A family lists its algorithms once, in [`erase_kems!`](crate::erase_kems) or
//! [`erase_signatures!`](crate::erase_signatures). The macro defines a module `erased`:
//! `&grille_mlkem::erased::MlKem768` is a `&'static dyn DynKem`. The compiler generates the methods once, in
//! the family's crate, and not in each crate that uses the value.

use crate::{
    CryptoRng, DynEncapsKey, DynEncapsulated, DynKem, DynReceived, DynSignature, Error, Kem, SecretBytes,
    Signature,
};
use alloc::vec::Vec;
use core::any::Any;

/// A typed KEM as a value.
pub trait ErasedKem: DynKem {
    /// The typed KEM behind the trait object.
    type Kem: Kem;
}

/// A typed signature scheme as a value.
pub trait ErasedSignature: DynSignature {
    /// The typed signature scheme behind the trait object.
    type Signature: Signature;
}

/// Implements [`DynKem::encapsulate_many`] for the KEM `K`.
pub fn encapsulate_many<K: Kem>(keys: &[&dyn DynEncapsKey], rng: &mut dyn CryptoRng) -> Vec<DynEncapsulated> {
    let typed = keys.iter().map(|key| (*key as &dyn Any).downcast_ref::<K::EncapsKey>());
    match typed.collect::<Option<Vec<_>>>() {
        Some(typed) => K::encapsulate_many(&typed, rng).iter().map(DynEncapsulated::from).collect(),
        None => keys.iter().map(|key| key.encapsulate(rng)).collect(),
    }
}

/// Implements [`DynKem::decapsulate_many`] for the KEM `K`.
pub fn decapsulate_many<K: Kem>(received: &[DynReceived<'_>]) -> Vec<Result<SecretBytes, Error>> {
    let keys = received.iter().map(|(key, _)| (*key as &dyn Any).downcast_ref::<K::DecapsKey>());
    let ciphertexts = received.iter().map(|(_, ciphertext)| K::Ciphertext::try_from(ciphertext).ok());
    match (keys.collect::<Option<Vec<_>>>(), ciphertexts.collect::<Option<Vec<_>>>()) {
        (Some(keys), Some(ciphertexts)) => {
            let typed: Vec<_> = keys.into_iter().zip(&ciphertexts).collect();
            K::decapsulate_many(&typed).iter().map(|secret| Ok(secret.as_ref().into())).collect()
        }
        _ => received.iter().map(|(key, ciphertext)| key.decapsulate(ciphertext)).collect(),
    }
}

/// Defines a module `erased` with one value for each of the listed KEMs of the surrounding module.
#[macro_export]
macro_rules! erase_kems {
    ($($name:ident)*) => {
        /// The algorithms as values, so that programs can choose one at run time.
        pub mod erased {
            extern crate alloc;

            use alloc::boxed::Box;
            use alloc::vec::Vec;
            use $crate::{
                CryptoRng, DecapsKey, DynDecapsKey, DynEncapsKey, DynEncapsulated, DynKem, DynReceived, EncapsKey, ErasedKem,
                Error, Kem, KemInfo, SecretBytes, StreamedEncapsulation,
            };

            $(
                #[doc = concat!("[`", stringify!($name), "`](super::", stringify!($name), ") as a value.")]
                pub struct $name;

                impl ErasedKem for $name {
                    type Kem = super::$name;
                }

                impl DynKem for $name {
                    fn info(&self) -> &KemInfo {
                        &<super::$name as Kem>::INFO
                    }

                    fn generate(&self, rng: &mut dyn CryptoRng) -> Box<dyn DynDecapsKey> {
                        <super::$name as Kem>::generate_boxed(rng)
                    }

                    fn decaps_key(&self, bytes: &[u8]) -> Result<Box<dyn DynDecapsKey>, Error> {
                        Ok(<super::$name as Kem>::DecapsKey::from_bytes_boxed(bytes)?)
                    }

                    fn decaps_key_from_seed(&self, seed: &[u8]) -> Result<Box<dyn DynDecapsKey>, Error> {
                        Ok(Box::new(<super::$name as Kem>::DecapsKey::from_seed(seed)?))
                    }

                    fn encaps_key(&self, bytes: &[u8]) -> Result<Box<dyn DynEncapsKey>, Error> {
                        Ok(<super::$name as Kem>::EncapsKey::from_bytes_boxed(bytes)?)
                    }

                    fn decapsulate_encoded(&self, decaps_key: &[u8], ciphertext: &[u8]) -> Result<SecretBytes, Error> {
                        let ciphertext = <super::$name as Kem>::Ciphertext::try_from(ciphertext)?;
                        let secret = <super::$name as Kem>::decapsulate_encoded(decaps_key, &ciphertext)?;
                        Ok(secret.as_ref().into())
                    }

                    fn encapsulate_many(
                        &self,
                        keys: &[&dyn DynEncapsKey],
                        rng: &mut dyn CryptoRng,
                    ) -> Vec<DynEncapsulated> {
                        $crate::erase::encapsulate_many::<super::$name>(keys, rng)
                    }

                    fn decapsulate_many(&self, received: &[DynReceived<'_>]) -> Vec<Result<SecretBytes, Error>> {
                        $crate::erase::decapsulate_many::<super::$name>(received)
                    }

                    fn begin_encapsulation(&self, rng: &mut dyn CryptoRng) -> Option<Box<dyn StreamedEncapsulation>> {
                        <super::$name as Kem>::begin_encapsulation(rng)
                    }
                }
            )*
        }
    };
}

/// Defines a module `erased` with one value for each of the listed signature schemes of the surrounding module.
#[macro_export]
macro_rules! erase_signatures {
    ($($name:ident)*) => {
        /// The algorithms as values, so that programs can choose one at run time.
        pub mod erased {
            extern crate alloc;

            use alloc::boxed::Box;
            use $crate::{
                CryptoRng, DynSignature, DynSigningKey, DynVerifyingKey, ErasedSignature, Error, Signature,
                SignatureInfo, SigningKey, VerifyingKey,
            };

            $(
                #[doc = concat!("[`", stringify!($name), "`](super::", stringify!($name), ") as a value.")]
                pub struct $name;

                impl ErasedSignature for $name {
                    type Signature = super::$name;
                }

                impl DynSignature for $name {
                    fn info(&self) -> &SignatureInfo {
                        &<super::$name as Signature>::INFO
                    }

                    fn generate(&self, rng: &mut dyn CryptoRng) -> Box<dyn DynSigningKey> {
                        <super::$name as Signature>::generate_boxed(rng)
                    }

                    fn generate_internal(&self, rng: &mut dyn CryptoRng) -> Box<dyn DynSigningKey> {
                        Box::new(<super::$name as Signature>::generate_internal(rng))
                    }

                    fn signing_key(&self, bytes: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
                        <super::$name as Signature>::SigningKey::from_bytes_dyn(bytes)
                    }

                    fn signing_key_from_seed(&self, seed: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
                        <super::$name as Signature>::SigningKey::from_seed_dyn(seed)
                    }

                    fn low_memory_signing_key(&self, bytes: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
                        <super::$name as Signature>::SigningKey::low_memory_from_bytes_dyn(bytes)
                    }

                    fn low_memory_signing_key_from_seed(
                        &self,
                        seed: &[u8],
                    ) -> Result<Box<dyn DynSigningKey>, Error> {
                        <super::$name as Signature>::SigningKey::low_memory_from_seed_dyn(seed)
                    }

                    fn verifying_key(&self, bytes: &[u8]) -> Result<Box<dyn DynVerifyingKey>, Error> {
                        Ok(Box::new(<super::$name as Signature>::VerifyingKey::from_bytes(bytes)?))
                    }

                    fn low_memory_verifying_key(&self, bytes: &[u8]) -> Result<Box<dyn DynVerifyingKey>, Error> {
                        <super::$name as Signature>::VerifyingKey::low_memory_from_bytes_dyn(bytes)
                    }
                }
            )*
        }
    };
}
