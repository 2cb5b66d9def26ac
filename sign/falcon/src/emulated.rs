//! Keys and signatures as on a processor without doubles, whatever this one has: they are the same. For tests.

use crate::codec::SignatureBytes;
use crate::keygen::{SEED_LEN, SigningKey};
use crate::params::Params;
use crate::sign::emulated::Emulated;
use grille_core::CryptoRng;

/// [`SigningKey::keygen_internal`].
#[must_use]
pub fn keygen_internal<P: Params>(seed: &[u8; SEED_LEN]) -> SigningKey<P> {
    SigningKey::keygen_with::<Emulated>(seed)
}

/// [`sign`](grille_core::SigningKey::sign), without a context.
pub fn sign<P: Params>(key: &SigningKey<P>, message: &[u8], rng: &mut dyn CryptoRng) -> SignatureBytes<P> {
    key.sign_with::<Emulated>(message, rng)
}
