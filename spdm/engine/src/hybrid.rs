//! Hybrids for SPDM 1.4: a classical and a post-quantum algorithm together, both of which must succeed.
//! `docs/guide/src/26-spdm-hybrids.md` defines them; DSP0274 has none.
//!
//! Each side offers the hybrids in its [`Bits`](crate::algorithms::Bits): see
//! [`Bits::with_hybrids`](crate::algorithms::Bits::with_hybrids). Hybrids are negotiated as external algorithms. All
//! messages, transcripts and the key schedule are those of SPDM 1.4.

use crate::ecdsa_der::{ecdsa_from_der, ecdsa_to_der};
use crate::exchange_algorithms::{KeyExchange, dhe, kem};
use crate::scheme::{PreparedKey, RegistryKey, verify_registered};
use crate::to_be_signed::ToBeSigned;
use alloc::{boxed::Box, vec::Vec};
use grille_core::{CryptoRng, Error};
use grille_pki::{PrivateKey, PublicKey};
use grille_spdm_codec::algorithms::{BaseAsym, PqcAsym};
use grille_spdm_codec::bits::{self, Bits as _};
use grille_spdm_codec::hybrid::{HybridAsym, HybridKem};

#[cfg(feature = "std")]
use crate::classical::x25519;

/// A hybrid signature algorithm. Its keys are composites of draft-ietf-lamps-pq-composite-sigs. Its signatures are
/// those of the composite in another encoding: the classical part first, and ECDSA as r ‖ s.
pub struct HybridSignature {
    /// The index of the number, see [`grille_spdm_codec::hybrid`].
    pub bit: u8,
    /// The name, such as `ECDSA-P384 + ML-DSA-87`.
    pub name: &'static str,
    /// The length of a signature in bytes.
    pub signature_len: usize,
    /// The registry's name of the key's algorithm.
    pub key: &'static str,
    pub(crate) classical: BaseAsym,
    pub(crate) post_quantum: PqcAsym,
}

macro_rules! hybrids {
    ($($bit:literal $key:literal $classical:ident $post_quantum:ident;)*) => {
        /// The hybrid signature algorithms.
        pub static HYBRID_SIGNATURES: &[HybridSignature] = &[$(HybridSignature {
            bit: $bit,
            name: bits::row(HybridAsym::ROWS, $bit).name,
            signature_len: bits::row(HybridAsym::ROWS, $bit).len,
            key: $key,
            classical: BaseAsym::$classical,
            post_quantum: PqcAsym::$post_quantum,
        }),*];
    };
}

hybrids! {
    0 "MLDSA44-ECDSA-P256-SHA256" ECDSA_P256 ML_DSA_44;
    1 "MLDSA65-Ed25519-SHA512" ED25519 ML_DSA_65;
    2 "MLDSA65-ECDSA-P384-SHA512" ECDSA_P384 ML_DSA_65;
    3 "MLDSA87-ECDSA-P384-SHA512" ECDSA_P384 ML_DSA_87;
}

impl HybridSignature {
    fn is_ecdsa(&self) -> bool {
        self.classical != BaseAsym::ED25519
    }

    /// Returns the length of the classical part in bytes.
    fn classical_len(&self) -> usize {
        self.classical.row().map_or(0, |row| row.len)
    }

    /// Converts a signature of the composite to SPDM's encoding; `None` if it has another form.
    fn spdm_signature(&self, composite: &[u8]) -> Option<Vec<u8>> {
        let classical_len = self.classical_len();
        let split = self.signature_len.checked_sub(classical_len)?;
        let (post_quantum, classical) = composite.split_at_checked(split)?;
        let classical = match self.is_ecdsa() {
            true => ecdsa_from_der(classical, classical_len)?,
            false => classical.to_vec(),
        };
        Some([&classical[..], post_quantum].concat())
    }

    /// Converts a signature from SPDM's encoding to the composite's; `None` if it has another length.
    fn composite_signature(&self, signature: &[u8]) -> Option<Vec<u8>> {
        if signature.len() != self.signature_len {
            return None;
        }
        let (classical, post_quantum) = signature.split_at_checked(self.classical_len())?;
        let classical = if self.is_ecdsa() { ecdsa_to_der(classical) } else { classical.to_vec() };
        Some([post_quantum, &classical[..]].concat())
    }

    /// Prepares a composite key for signing.
    pub(crate) fn prepare(&'static self) -> Box<dyn PreparedKey> {
        Box::new(HybridKey(self))
    }

    /// Verifies both parts of a signature.
    pub(crate) fn verify(
        &self,
        key: &PublicKey,
        message: &ToBeSigned,
        signature: &[u8],
    ) -> Result<(), Error> {
        let composite = self.composite_signature(signature).ok_or(Error::InvalidSignature)?;
        verify_registered(key, message, &composite)
    }
}

/// A composite key, which signs with both parts.
struct HybridKey(&'static HybridSignature);

impl PreparedKey for HybridKey {
    fn sign(
        &self,
        key: &PrivateKey,
        message: &ToBeSigned,
        rng: &mut dyn CryptoRng,
    ) -> Result<Vec<u8>, Error> {
        let composite = RegistryKey.sign(key, message, rng)?;
        self.0
            .spdm_signature(&composite)
            .ok_or(Error::Unsupported { feature: "a composite signature of another form" })
    }
}

/// Returns the bits of all hybrid signature algorithms: none without the feature `std`, which has the composites.
pub(crate) fn all_signatures() -> u16 {
    let rows = HYBRID_SIGNATURES.iter().filter(|_| cfg!(feature = "std"));
    rows.fold(0, |bits, row| bits | 1 << row.bit)
}

/// Returns the bits of all hybrid key exchanges: none without the feature `std`, which has the classical groups.
pub(crate) fn all_exchanges() -> u16 {
    let known = HybridKem::ROWS.iter().filter(|row| hybrid_exchange(row.bit).is_some());
    known.fold(0, |bits, row| bits | 1 << row.bit)
}

/// Returns the parts of the hybrid key exchange with this bit: the classical group, then the KEM.
#[must_use]
pub fn hybrid_exchange(bit: u8) -> Option<[KeyExchange; 2]> {
    let post_quantum = HybridKem(1_u16.checked_shl(bit.into())?).kem()?;
    let group = match bit / 3 {
        0 => KeyExchange::from_group(x25519()?),
        1 => dhe(SECP256R1)?,
        _ => dhe(SECP384R1)?,
    };
    Some([group, kem(post_quantum.row()?.bit)?])
}

/// The bits of the groups in the DHE table.
const SECP256R1: u8 = 3;
const SECP384R1: u8 = 4;

/// Without the feature `std`, there are no classical groups.
#[cfg(not(feature = "std"))]
const fn x25519() -> Option<&'static dyn grille_core::DynKem> {
    None
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;
    use grille_core::SystemRng;
    use grille_registry::{Row, signature_by_name};

    #[test]
    fn every_hybrid_has_a_composite_of_its_parts() {
        for hybrid in HYBRID_SIGNATURES {
            let row = signature_by_name(hybrid.key).unwrap();
            assert_eq!(row.name(), hybrid.key);
            let [classical, post_quantum] =
                [hybrid.classical.row(), hybrid.post_quantum.row()].map(Option::unwrap);
            assert_eq!(hybrid.signature_len, classical.len + post_quantum.len, "{}", hybrid.name);
            // the composite's encoding of ECDSA is longer
            assert!(row.signature.info().signature_len >= hybrid.signature_len, "{}", hybrid.name);
        }
        assert_eq!((all_signatures(), all_exchanges()), (0b1111, 0x1FF));
    }

    #[test]
    fn every_key_exchange_has_parts_of_its_lengths() {
        for row in HybridKem::ROWS {
            let parts = hybrid_exchange(row.bit).unwrap();
            let len = |len: fn(KeyExchange) -> usize| parts.iter().map(|part| len(*part)).sum::<usize>();
            assert_eq!(len(KeyExchange::request_len), row.len, "{}", row.name);
            assert_eq!(Some(len(KeyExchange::response_len)), HybridKem(1 << row.bit).response_len());
            assert_eq!([parts[0].is_post_quantum(), parts[1].is_post_quantum()], [false, true]);
            assert_eq!(row.name, alloc::format!("{} + {}", parts[0].name(), parts[1].name()));
        }
        assert!(hybrid_exchange(9).is_none() && hybrid_exchange(16).is_none());
    }

    #[test]
    fn signatures_survive_both_conversions() {
        for hybrid in HYBRID_SIGNATURES {
            let row = signature_by_name(hybrid.key).unwrap();
            let key = PrivateKey::generate(row, &mut SystemRng).unwrap();
            let composite = key.signing_key().sign(b"message", b"context", &mut SystemRng).unwrap();
            let signature = hybrid.spdm_signature(&composite).unwrap();
            assert_eq!(signature.len(), hybrid.signature_len, "{}", hybrid.name);
            assert_eq!(hybrid.composite_signature(&signature), Some(composite));
            assert_eq!(hybrid.composite_signature(&signature[1..]), None);
            assert_eq!(hybrid.composite_signature(&[&signature[..], &[0]].concat()), None);
        }
    }
}
