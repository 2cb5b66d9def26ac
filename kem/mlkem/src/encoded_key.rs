//! An encoded decapsulation key, FIPS 203 Algorithm 16: its parts, and the checks of section 7.3.

use crate::backend::Backend;
use crate::params::Params;
use crate::pke::{DecryptionKey, EncryptionKey};
use grille_core::{Bytes, Error};

/// An encoded key dk = dk_PKE ‖ ek ‖ H(ek) ‖ z. `dk_pke` and `z` are secret.
#[derive(Clone, Copy)]
pub(crate) struct EncodedKey<'a> {
    dk_pke: &'a [u8],
    pub(crate) ek: &'a [u8],
    pub(crate) h: &'a [u8; 32],
    pub(crate) z: &'a [u8; 32],
}

impl<'a> EncodedKey<'a> {
    /// Splits a key into its parts and checks its length.
    pub(crate) fn split<P: Params>(bytes: &'a [u8]) -> Result<Self, Error> {
        Error::check_len("decapsulation key", P::DecapsKeyBytes::LEN, bytes.len())?;
        let (dk_pke, rest) = bytes.split_at(384 * P::K);
        let (ek, rest) = rest.split_at(P::EncapsKeyBytes::LEN);
        let (h, z) = rest.split_first_chunk().expect("64 bytes");
        Ok(Self { dk_pke, ek, h, z: z.first_chunk().expect("32 bytes") })
    }

    /// Decodes the decryption key and the encryption key, and checks that their coefficients are below q.
    #[inline(always)]
    pub(crate) fn read<P: Params, B: Backend>(
        &self,
        backend: B,
        decryption_key: &mut DecryptionKey<P>,
        encryption_key: &mut EncryptionKey<P>,
    ) -> Result<(), Error> {
        decryption_key.read(backend, self.dk_pke)?;
        encryption_key
            .read(backend, self.ek)
            .map_err(|_| Error::InvalidPrivateKey { reason: "contains a public key that is not canonical" })
    }

    /// Checks that the H(ek) stored in the key equals `test`, FIPS 203 section 7.3.
    pub(crate) fn check(&self, test: &[u8; 32]) -> Result<(), Error> {
        if test == self.h {
            Ok(())
        } else {
            Err(Error::InvalidPrivateKey { reason: "contains a hash that does not match its public key" })
        }
    }
}
