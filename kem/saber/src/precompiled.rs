//! The operations of each parameter set, compiled in this crate; [`grille_core::precompiled`] gives the reason.

use crate::algorithm::Precompiled;
use crate::params::{Fire, Light, Params, Plain};
use crate::{DecapsKey, EncapsKey, SaberKem, batch, kem};
use alloc::vec::Vec;
use grille_core::{Ciphertext, CryptoRng, Encapsulated, Error, Received, Secret, SecretBytes};

macro_rules! precompile {
    ($($set:ident)*) => {$(
        impl Precompiled<SaberKem<Self>, <Self as Params>::ImageMatrix, <Self as Params>::MatrixBytes> for $set {
            fn read(key: &mut EncapsKey<Self>, bytes: &[u8]) {
                key.read(bytes);
            }

            fn expand(key: &EncapsKey<Self>, a: &mut <Self as Params>::ImageMatrix) -> [u8; 32] {
                key.expand(a)
            }

            fn encapsulate(
                key: &EncapsKey<Self>,
                rng: &mut dyn CryptoRng,
                sent: &mut Encapsulated<SaberKem<Self>>,
            ) {
                key.encapsulate_into(rng, sent);
            }

            fn encapsulate_prepared(
                (key, a, h): (&EncapsKey<Self>, &<Self as Params>::ImageMatrix, &[u8; 32]),
                rng: &mut dyn CryptoRng,
                sent: &mut Encapsulated<SaberKem<Self>>,
            ) {
                key.encapsulate_prepared_into(a, h, rng, sent);
            }

            fn encapsulate_many(
                keys: &[&EncapsKey<Self>],
                rng: &mut dyn CryptoRng,
            ) -> Vec<Encapsulated<SaberKem<Self>>> {
                batch::encapsulate_many(keys, rng)
            }

            fn generate(
                key: &mut DecapsKey<Self>,
                rng: &mut dyn CryptoRng,
                a: &mut <Self as Params>::MatrixBytes,
            ) {
                key.generate_with(rng, a);
            }

            fn generate_many(count: usize, rng: &mut dyn CryptoRng) -> Vec<DecapsKey<Self>> {
                batch::generate_many(count, rng)
            }

            fn import(key: &mut DecapsKey<Self>, bytes: &[u8]) -> Result<(), Error> {
                key.import(bytes)
            }

            fn export(key: &DecapsKey<Self>) -> SecretBytes {
                key.export()
            }

            fn decapsulate(
                key: &DecapsKey<Self>,
                ciphertext: &Ciphertext<<Self as Params>::CiphertextBytes>,
                secret: &mut Secret<[u8; 32]>,
            ) {
                key.decapsulate_into(ciphertext, secret);
            }

            fn decapsulate_encoded(
                key: &[u8],
                ciphertext: &Ciphertext<<Self as Params>::CiphertextBytes>,
            ) -> Result<Secret<[u8; 32]>, Error> {
                kem::decapsulate_encoded::<Self>(key, ciphertext)
            }

            fn decapsulate_many(received: &[Received<'_, SaberKem<Self>>]) -> Vec<Secret<[u8; 32]>> {
                batch::decapsulate_many(received)
            }
        }
    )*};
}
precompile! { Light Plain Fire }
