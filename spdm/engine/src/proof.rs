//! What a message ends with to prove its sender's identity.

use crate::connection::Connection;
use crate::signatures::{self, Signer, ToBeSigned};
use crate::transcript::Covered;
use alloc::{sync::Arc, vec::Vec};
use grille_core::{CryptoRng, Error};

/// The proof that this side appends to a message.
pub(crate) enum Proof {
    /// A signature.
    Signature {
        signer: Arc<dyn Signer>,
        /// A constant of [`crate::signatures`].
        context: &'static str,
    },
}

impl Proof {
    /// Returns the proof over these contents; `None` if the signer needs more time.
    pub(crate) fn make(
        &self,
        connection: &Connection,
        covered: &Covered,
        rng: &mut dyn CryptoRng,
    ) -> Result<Option<Vec<u8>>, Error> {
        let hash = connection.hash().ok_or(Error::Unsupported { what: "signatures before ALGORITHMS" })?;
        match self {
            Self::Signature { signer, context } => {
                let message = ToBeSigned::new(connection.rules, context, hash, &covered.digest());
                signatures::sign(&**signer, &message, rng)
            }
        }
    }

    /// Returns RDTExponent, as in [`Signer::ready_exponent`].
    pub(crate) fn ready_exponent(&self) -> u8 {
        match self {
            Self::Signature { signer, .. } => signer.ready_exponent(),
        }
    }
}

/// The proof that a message of the peer ends with.
pub(crate) struct ExpectedProof {
    /// The slot whose key makes the proof.
    pub(crate) slot: u8,
    /// A constant of [`crate::signatures`].
    pub(crate) context: &'static str,
    /// The length in bytes.
    pub(crate) len: usize,
}
