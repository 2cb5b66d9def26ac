//! Signing keys, prepared or not, as one interface.

use crate::message::MessageParts;
use crate::params::Params;
use crate::precompiled::Precompiled;
use crate::sign::Signer;
use alloc::vec::Vec;
use grille_core::{CryptoRng, Progress, erase};

/// A signing key, prepared or not.
pub(crate) trait AnySigningKey<P: Params>: Sync {
    /// Calls `f` with the expanded key.
    fn call_with_signer<T>(&self, f: impl FnOnce(Signer<'_, P::Family>) -> T) -> T;
}

impl<F: Precompiled> Signer<'_, F> {
    /// Signs with n random bytes (hedged) if a generator is given. Otherwise, signs deterministically.
    pub(crate) fn sign_hedged_or_deterministic(
        &self,
        message: &MessageParts<'_>,
        rng: Option<&mut dyn CryptoRng>,
        progress: &Progress<'_>,
    ) -> Vec<u8> {
        let mut drawn = [0; 32];
        let drawn = &mut drawn[..self.shape.n];
        let opt_rand = rng.map(|rng| {
            rng.fill_bytes(drawn);
            &*drawn
        });
        let signature = F::sign(self, message, opt_rand, progress);
        erase(drawn);
        signature
    }
}
