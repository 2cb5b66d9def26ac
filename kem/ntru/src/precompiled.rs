//! The operations of each parameter set, compiled in this crate; [`grille_core::precompiled`] gives the reason.

use crate::algorithm::Precompiled;
use crate::params::{Hps2048509, Hps2048677, Hps4096821, Hps40961229, Hrss701, Hrss1373, Params};
use crate::{DecapsKey, EncapsKey, Ntru, kem};
use alloc::vec::Vec;
use grille_core::{Ciphertext, CryptoRng, Encapsulated, Error, Secret, SecretBytes};

macro_rules! precompile {
    ($($set:ident)*) => {$(
        impl Precompiled<Ntru<$set>> for $set {
            fn read(key: &mut EncapsKey<$set>, bytes: &[u8]) -> Result<(), Error> {
                key.read(bytes)
            }

            fn encapsulate(key: &EncapsKey<$set>, rng: &mut dyn CryptoRng) -> Encapsulated<Ntru<$set>> {
                key.encapsulate(rng)
            }

            fn generate_in_place(key: &mut DecapsKey<$set>, rng: &mut dyn CryptoRng) {
                key.generate_in_place(rng);
            }

            fn generate_many(count: usize, rng: &mut dyn CryptoRng) -> Vec<DecapsKey<$set>> {
                DecapsKey::generate_many(count, rng)
            }

            fn import(key: &mut DecapsKey<$set>, bytes: &[u8]) -> Result<(), Error> {
                key.import(bytes)
            }

            fn export(key: &DecapsKey<$set>) -> SecretBytes {
                key.export()
            }

            fn decapsulate(key: &DecapsKey<$set>, c: &Ciphertext<<$set as Params>::PublicBytes>) -> Secret<[u8; 32]> {
                key.decapsulate(c)
            }

            fn decapsulate_encoded(
                key: &[u8],
                c: &Ciphertext<<$set as Params>::PublicBytes>,
            ) -> Result<Secret<[u8; 32]>, Error> {
                kem::decapsulate_encoded::<$set>(key, c)
            }
        }
    )*};
}
precompile! { Hps2048509 Hps2048677 Hps4096821 Hps40961229 Hrss701 Hrss1373 }
