//! Signature fields of a classical and a post-quantum part.
//!
//! | mode | classical part signs | post-quantum part signs |
//! |---|---|---|
//! | RAW | the transcript's hash | the messages |
//! | CERT | the messages, with the hash for the security level of the post-quantum part | the messages |
//!
//! In CERT mode both parts are one signature of OQS-OpenSSL: the length of the classical part (u32, big-endian), the
//! classical part (ECDSA in DER, or RSA with PKCS #1 v1.5), and the post-quantum part. The signature field contains the
//! ECDSA signature as r ‖ s instead.

use crate::asym::Asym;
use crate::ecdsa_der::{ecdsa_from_der, ecdsa_to_der};
use crate::hash::Hash;
use crate::rules::Rules;
use crate::scheme::Classical;
use crate::signatures::{self, Signer, ToBeSigned};
use crate::transcript::Covered;
use alloc::{sync::Arc, vec, vec::Vec};
use grille_core::{CryptoRng, Error};
use grille_pki::PublicKey;
use grille_spdm_codec::pqc2021::{SignatureField, SignatureLens};

/// The keys that sign a field.
pub(crate) enum FieldSigner {
    /// RAW mode: a key for each part.
    Separate { classical: Option<Arc<dyn Signer>>, post_quantum: Option<Arc<dyn Signer>> },
    /// CERT mode: the key of a certificate. With a classical algorithm it is a composite.
    Certified { signer: Arc<dyn Signer>, classical: Option<&'static Classical> },
}

/// The contents and parameters that both parts share.
pub(crate) struct FieldInput<'a> {
    pub(crate) rules: &'static Rules,
    pub(crate) hash: &'static Hash,
    pub(crate) context: &'static str,
    pub(crate) covered: &'a Covered,
}

impl FieldInput<'_> {
    fn hashed(&self) -> ToBeSigned {
        ToBeSigned::new(self.rules, self.context, self.hash, &self.covered.digest())
    }

    fn whole(&self) -> ToBeSigned {
        ToBeSigned::whole(self.context, self.hash, self.covered.bytes())
    }
}

/// The two parts of a signature. A part that was not negotiated is empty.
#[derive(Debug, Default, PartialEq, Eq)]
struct Parts {
    classical: Vec<u8>,
    post_quantum: Vec<u8>,
}

impl FieldSigner {
    /// Returns the encoded signature field without a MAC; `None` if a signer needs more time.
    pub(crate) fn sign(
        &self,
        input: &FieldInput<'_>,
        lens: SignatureLens,
        rng: &mut dyn CryptoRng,
    ) -> Result<Option<Vec<u8>>, Error> {
        let Some(parts) = self.sign_parts(input, rng)? else { return Ok(None) };
        let field =
            SignatureField { classical: &parts.classical, post_quantum: &parts.post_quantum, mac: &[] };
        let mut bytes = vec![0; lens.total()];
        let wrong =
            |_| Error::Length { input: "signature", expected: lens.total(), got: parts.post_quantum.len() };
        field.encode(lens, &mut bytes).map_err(wrong)?;
        Ok(Some(bytes))
    }

    fn sign_parts(&self, input: &FieldInput<'_>, rng: &mut dyn CryptoRng) -> Result<Option<Parts>, Error> {
        match self {
            Self::Separate { classical, post_quantum } => {
                let mut parts = Parts::default();
                if let Some(signer) = classical {
                    let Some(signature) = signatures::sign(&**signer, &input.hashed(), rng)? else {
                        return Ok(None);
                    };
                    parts.classical = signature;
                }
                if let Some(signer) = post_quantum {
                    let Some(signature) = signer.sign(&input.whole(), rng)? else { return Ok(None) };
                    parts.post_quantum = signature;
                }
                Ok(Some(parts))
            }
            Self::Certified { signer, classical } => {
                let Some(signature) = signer.sign(&input.whole(), rng)? else { return Ok(None) };
                let Some(classical) = classical else {
                    return Ok(Some(Parts { post_quantum: signature, ..Parts::default() }));
                };
                let parts = split_composite(classical, &signature);
                parts.map(Some).ok_or(Error::Unsupported { feature: "a composite signature of another form" })
            }
        }
    }

    /// Returns RDTExponent of the slower signer.
    pub(crate) fn ready_exponent(&self) -> u8 {
        match self {
            Self::Separate { classical, post_quantum } => {
                let signers = classical.iter().chain(post_quantum);
                signers.map(|signer| signer.ready_exponent()).max().unwrap_or_default()
            }
            Self::Certified { signer, .. } => signer.ready_exponent(),
        }
    }
}

/// The keys that verify a field.
pub(crate) struct FieldKeys<'k> {
    /// The classical key, or in CERT mode the key of the certificate.
    pub(crate) certified: Option<&'k PublicKey>,
    /// The post-quantum key without a certificate.
    pub(crate) post_quantum: Option<&'k PublicKey>,
}

/// Verifies a field without a MAC. Every negotiated part must be valid. `classical`, `certificate`: the algorithms of
/// the side that signed; the certificate's is a composite if it has both parts.
///
/// # Errors
/// Returns [`Error::InvalidSignature`] if a part is wrong or missing; [`Error::InvalidPublicKey`] if a key is missing.
pub(crate) fn verify(
    classical: Option<&'static Classical>,
    certificate: Option<Asym>,
    keys: &FieldKeys<'_>,
    input: &FieldInput<'_>,
    field: &SignatureField<'_>,
    lens: SignatureLens,
) -> Result<(), Error> {
    let missing = Error::InvalidPublicKey { reason: "is not known" };
    if let Some(Asym::PostQuantum(row)) = certificate {
        let signature = match classical {
            Some(classical) => join_composite(classical, field).ok_or(Error::InvalidSignature)?,
            None => field.post_quantum.to_vec(),
        };
        let key = keys.certified.ok_or(missing)?;
        return signatures::verify(Asym::PostQuantum(row), key, &input.whole(), &signature);
    }
    if let Some(classical) = classical {
        let key = keys.certified.ok_or(missing)?;
        signatures::verify(Asym::Classical(classical), key, &input.hashed(), field.classical)?;
    }
    if lens.post_quantum != 0 {
        let key = keys.post_quantum.ok_or(missing)?;
        signatures::verify(Asym::PostQuantum(key.row()), key, &input.whole(), field.post_quantum)?;
    }
    Ok(())
}

/// Splits a signature of OQS-OpenSSL into its parts.
fn split_composite(classical: &Classical, signature: &[u8]) -> Option<Parts> {
    let (len, rest) = signature.split_first_chunk::<4>()?;
    let (first, post_quantum) = rest.split_at_checked(u32::from_be_bytes(*len).try_into().ok()?)?;
    let first = match is_ecdsa(classical) {
        true => ecdsa_from_der(first, classical.signature_len)?,
        false => first.to_vec(),
    };
    Some(Parts { classical: first, post_quantum: post_quantum.to_vec() })
}

/// Joins a field to a signature of OQS-OpenSSL.
fn join_composite(classical: &Classical, field: &SignatureField<'_>) -> Option<Vec<u8>> {
    let first = if is_ecdsa(classical) { ecdsa_to_der(field.classical) } else { field.classical.to_vec() };
    let len = u32::try_from(first.len()).ok()?.to_be_bytes();
    Some([&len[..], &first, field.post_quantum].concat())
}

fn is_ecdsa(classical: &Classical) -> bool {
    classical.key.starts_with("ECDSA")
}
