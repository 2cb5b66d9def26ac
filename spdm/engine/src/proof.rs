//! The proof at the end of a message: a signature or a MAC, which authenticates the sender.

use crate::connection::Connection;
use crate::meter::MeteredOperation;
use crate::pqc2021::hybrid_signature::{FieldInput, FieldSigner};
use crate::signatures::{self, CHALLENGE_AUTH, KEY_EXCHANGE_RSP, Signer, ToBeSigned};
use crate::transcript::Covered;
use alloc::{sync::Arc, vec::Vec};
use grille_core::{CryptoRng, Error, SecretBytes};
use grille_spdm_codec::pqc2021::SignatureLens;

/// The proof that this side appends to a message.
pub(crate) enum Proof {
    /// A signature.
    Signature {
        signer: Arc<dyn Signer>,
        /// A constant of [`crate::signatures`].
        context: &'static str,
    },
    /// A signature field of [`crate::pqc2021`], and the MAC of KEM authentication.
    Field {
        signer: FieldSigner,
        lens: SignatureLens,
        /// A constant of [`crate::signatures`].
        context: &'static str,
        mac_key: Option<SecretBytes>,
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
        let hash = connection.hash().ok_or(Error::Unsupported { feature: "signatures before ALGORITHMS" })?;
        let rules = connection.rules;
        match self {
            Self::Signature { signer, context } => {
                let message = ToBeSigned::new(rules, context, hash, &covered.digest());
                signatures::sign(&**signer, &message, rng)
            }
            Self::Field { signer, lens, context, mac_key } => {
                let input = FieldInput { rules, hash, context, covered };
                let Some(mut proof) = signer.sign(&input, *lens, rng)? else { return Ok(None) };
                if let Some(key) = mac_key {
                    let mac = hash.hmac(key.as_ref(), &[covered.bytes(), &proof]);
                    proof.extend_from_slice(mac.as_ref());
                }
                Ok(Some(proof))
            }
        }
    }

    /// Returns the operation that is reported to a meter when this proof is signed; `None` if none is reported.
    pub(crate) fn metered_operation(&self) -> Option<MeteredOperation> {
        match self {
            Self::Signature { context, .. } | Self::Field { context, .. } => match *context {
                CHALLENGE_AUTH => Some(MeteredOperation::ChalSign),
                KEY_EXCHANGE_RSP => Some(MeteredOperation::KeyExSign),
                _ => None,
            },
        }
    }

    /// Returns RDTExponent, as in [`Signer::ready_exponent`].
    pub(crate) fn ready_exponent(&self) -> u8 {
        match self {
            Self::Signature { signer, .. } => signer.ready_exponent(),
            Self::Field { signer, .. } => signer.ready_exponent(),
        }
    }
}

/// The proof that is expected at the end of a message from the peer.
pub(crate) struct ExpectedProof {
    /// The slot whose key makes the proof.
    pub(crate) slot: u8,
    /// A constant of [`crate::signatures`].
    pub(crate) context: &'static str,
    /// The length of the proof in bytes, including the MAC.
    pub(crate) len: usize,
    /// The key of the MAC, if KEM authentication was used.
    pub(crate) mac_key: Option<SecretBytes>,
}
