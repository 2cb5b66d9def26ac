//! Key generation and signing with the code for processors without doubles or vectors, for tests. The results
//! are identical to those of the code for other processors.

use crate::hash::Message;
use crate::keygen::SEED_LEN;
use crate::params::Params;
use crate::precompiled::Precompiled;
use crate::sign::emulated::Emulated;
use crate::signature_bytes::SignatureBytes;
use crate::signing_key::SigningKey;
use grille_core::CryptoRng;

/// Runs [`SigningKey::keygen_internal`] with emulated doubles.
#[must_use]
pub fn keygen_internal<P: Params>(seed: &[u8; SEED_LEN]) -> SigningKey<P> {
    SigningKey::keygen_with::<Emulated>(seed, P::Degree::generate_emulated)
}

/// Runs [`sign`](grille_core::SigningKey::sign) with emulated doubles and without a context.
pub fn sign<P: Params>(key: &SigningKey<P>, message: &[u8], rng: &mut dyn CryptoRng) -> SignatureBytes<P> {
    key.sign_with::<Emulated>(Message::Whole(message), rng, P::Degree::sign_emulated)
}
