//! The keys of composites: how both parts sign, and how their results are combined.

use crate::format::Sizes;
use grille_core::{CryptoRng, DynSigningKey, DynVerifyingKey, Error, Progress};

/// A signing key.
pub(crate) struct SigningKey {
    pub(crate) classical: Box<dyn DynSigningKey>,
    pub(crate) post_quantum: Box<dyn DynSigningKey>,
    pub(crate) sizes: Sizes,
}

impl SigningKey {
    /// Signs `message` with both parts. In the IETF format, `message` is already the message representative.
    /// `domain` is the context of the post-quantum part.
    pub(crate) fn sign_representative(
        &self,
        message: &[u8],
        domain: &[u8],
        mut rng: Option<&mut dyn CryptoRng>,
        progress: &Progress<'_>,
    ) -> Result<Vec<u8>, Error> {
        let classical = match &mut rng {
            Some(rng) => self.classical.sign(message, b"", *rng)?,
            None => self.classical.sign_deterministic(message, b"")?,
        };
        let post_quantum = self.post_quantum.sign_with_progress(message, domain, rng, progress)?;
        Ok(self.sizes.join(&classical, &post_quantum))
    }
}

/// A verifying key.
pub(crate) struct VerifyingKey {
    pub(crate) classical: Box<dyn DynVerifyingKey>,
    pub(crate) post_quantum: Box<dyn DynVerifyingKey>,
    /// The names of the classical and of the post-quantum part.
    pub(crate) names: [&'static str; 2],
    pub(crate) sizes: Sizes,
}

impl VerifyingKey {
    /// Verifies the signatures of both parts on `message`. In the IETF format, `message` is already the message
    /// representative. `domain` is the context of the post-quantum part.
    pub(crate) fn verify_representative(
        &self,
        message: &[u8],
        domain: &[u8],
        signature: &[u8],
    ) -> Result<(), Error> {
        let (classical, post_quantum) = self.sizes.split(signature).ok_or(Error::InvalidSignature)?;
        let classical = self.classical.verify(message, b"", classical);
        self.combine_results(classical, self.post_quantum.verify(message, domain, post_quantum))
    }

    pub(crate) fn combine_results(
        &self,
        classical: Result<(), Error>,
        post_quantum: Result<(), Error>,
    ) -> Result<(), Error> {
        let [of_classical, of_post_quantum] = self.names;
        match (classical, post_quantum) {
            (Ok(()), Ok(())) => Ok(()),
            (Err(_), Ok(())) => Err(Error::InvalidSignaturePart { part: without_part_suffix(of_classical) }),
            (Ok(()), Err(_)) => Err(Error::InvalidSignaturePart { part: of_post_quantum }),
            (Err(_), Err(_)) => Err(Error::InvalidSignature),
        }
    }
}

/// Returns the name of a classical part without the suffix that starts with a comma, for example
/// "ECDSA-P256-SHA384".
fn without_part_suffix(name: &'static str) -> &'static str {
    name.split_once(',').map_or(name, |(name, _)| name)
}
