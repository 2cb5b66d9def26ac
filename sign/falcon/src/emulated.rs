//! Keys and signatures as on a processor without doubles or vectors, whatever this one has: they are the same. For tests.

use crate::SigningKey;
use crate::backend::run_portable;
use crate::codec::SignatureBytes;
use crate::hash::Message;
use crate::keygen::SEED_LEN;
use crate::params::Params;
use crate::sign::emulated::Emulated;
use grille_core::CryptoRng;
use grille_hash::Level;

/// [`SigningKey::keygen_internal`].
#[must_use]
pub fn keygen_internal<P: Params>(seed: &[u8; SEED_LEN]) -> SigningKey<P> {
    SigningKey::keygen_with::<Emulated>(seed, |keygen| run_portable(Level::Portable, keygen))
}

/// [`sign`](grille_core::SigningKey::sign), without a context.
pub fn sign<P: Params>(key: &SigningKey<P>, message: &[u8], rng: &mut dyn CryptoRng) -> SignatureBytes<P> {
    key.sign_with::<Emulated>(Message::Whole(message), rng, |signing| run_portable(Level::Portable, signing))
}
