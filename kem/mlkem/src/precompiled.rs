//! The operations of each parameter set, compiled in this crate; [`grille_core::precompiled`] gives the reason.

use crate::algorithm::Precompiled;
use crate::params::{K512, K512N, K768, K768N, K1024, K1024N, P512, P768, P1024, Params};
use crate::{DecapsKey, EncapsKey, MlKem, batch, decaps};
use alloc::vec::Vec;
use grille_core::{Ciphertext, CryptoRng, Encapsulated, Error, Received, Secret, SecretBytes};

macro_rules! precompile {
    ($($set:ident)*) => {$(
        impl Precompiled<MlKem<Self>, <Self as Params>::NttMatrix> for $set {
            fn read(key: &mut EncapsKey<Self>, bytes: &[u8]) -> Result<(), Error> {
                key.read(bytes)
            }

            fn expand(key: &EncapsKey<Self>, a_hat_t: &mut <Self as Params>::NttMatrix) -> [u8; 32] {
                key.expand(a_hat_t)
            }

            fn encapsulate(key: &EncapsKey<Self>, rng: &mut dyn CryptoRng) -> Encapsulated<MlKem<Self>> {
                key.encapsulate(rng)
            }

            fn encapsulate_internal(key: &EncapsKey<Self>, m: &[u8; 32]) -> Encapsulated<MlKem<Self>> {
                key.encapsulate_internal(m)
            }

            fn encapsulate_prepared(
                key: &EncapsKey<Self>,
                a_hat_t: &<Self as Params>::NttMatrix,
                h: &[u8; 32],
                rng: &mut dyn CryptoRng,
            ) -> Encapsulated<MlKem<Self>> {
                key.encapsulate_prepared(a_hat_t, h, rng)
            }

            fn encapsulate_many(
                keys: &[&EncapsKey<Self>],
                rng: &mut dyn CryptoRng,
            ) -> Vec<Encapsulated<MlKem<Self>>> {
                batch::encapsulate_many(keys, rng)
            }

            fn generate(seed: &[u8; 64], key: &mut DecapsKey<Self>) {
                key.generate_in_place(seed);
            }

            fn generate_many(count: usize, rng: &mut dyn CryptoRng) -> Vec<DecapsKey<Self>> {
                batch::generate_many(count, rng)
            }

            fn import(bytes: &[u8]) -> Result<DecapsKey<Self>, Error> {
                DecapsKey::import(bytes)
            }

            fn export(key: &DecapsKey<Self>) -> SecretBytes {
                key.export()
            }

            fn decapsulate(
                key: &DecapsKey<Self>,
                ciphertext: &Ciphertext<<Self as Params>::CiphertextBytes>,
            ) -> Secret<[u8; 32]> {
                decaps::with_key(key, ciphertext)
            }

            fn decapsulate_encoded(
                key: &[u8],
                ciphertext: &Ciphertext<<Self as Params>::CiphertextBytes>,
            ) -> Result<Secret<[u8; 32]>, Error> {
                decaps::with_bytes::<Self>(key, ciphertext)
            }

            fn decapsulate_many(received: &[Received<'_, MlKem<Self>>]) -> Vec<Secret<[u8; 32]>> {
                batch::decapsulate_many(received)
            }
        }
    )*};
}
precompile! { P512 P768 P1024 K512 K768 K1024 K512N K768N K1024N }
