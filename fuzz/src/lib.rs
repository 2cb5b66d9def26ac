//! Shared code of the targets: choice of an algorithm by the first byte, and deterministic randomness.
#![forbid(unsafe_code)]

pub mod spdm;

use core::convert::Infallible;
use grille_core::DynSignature;
use grille_falcon::erased;
use grille_registry::{KEMS, KemRow, Numbers, Profile, SignatureRow, distinct_signatures};
use rand_core::{TryCryptoRng, TryRng};
use std::sync::LazyLock;

/// Returns the KEM that the first byte chooses, and the other bytes; `None` if the byte chooses no KEM.
#[must_use]
pub fn kem(data: &[u8]) -> Option<(&'static KemRow, &[u8])> {
    let (&row, bytes) = data.split_first()?;
    Some((*KEMS.get(usize::from(row)).as_ref()?, bytes))
}

/// A signature algorithm.
#[derive(Clone, Copy)]
pub struct ChosenSignature {
    /// The signature scheme of the row.
    pub signature: &'static dyn DynSignature,
    /// Whether the algorithm is hash-based: such algorithms sign with any key and are slow.
    pub is_hash_based: bool,
}

/// The signature algorithms of the registry, and Falcon with signatures in the constant-time format, which has no rows.
pub static SIGNATURES: LazyLock<Vec<ChosenSignature>> = LazyLock::new(|| {
    let of_row = |row: &SignatureRow| ChosenSignature {
        signature: row.signature,
        is_hash_based: row.family.is_hash_based(),
    };
    let others: [&dyn DynSignature; 2] = [&erased::FalconCt512, &erased::FalconCt1024];
    let others = others.map(|signature| ChosenSignature { signature, is_hash_based: false });
    distinct_signatures().into_iter().map(of_row).chain(others).collect()
});

/// Returns the signature algorithm that the first byte chooses, and the other bytes; `None` if the byte chooses no
/// algorithm.
#[must_use]
pub fn signature(data: &[u8]) -> Option<(ChosenSignature, &[u8])> {
    let (&number, bytes) = data.split_first()?;
    Some((*SIGNATURES.get(usize::from(number))?, bytes))
}

/// Returns the codepoints and object identifiers of the era that the first byte chooses, and the other bytes; `None` if
/// the byte chooses no era.
#[must_use]
pub fn era(data: &[u8]) -> Option<(Numbers, &[u8])> {
    let (&profile, bytes) = data.split_first()?;
    Some((Numbers::for_profile(*Profile::ALL.get(usize::from(profile))?), bytes))
}

/// A deterministic generator, so that findings are reproducible.
#[derive(Debug, Default)]
pub struct Counter(u64);

impl TryRng for Counter {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.try_next_u64().map(|word| word as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0 = self.0.wrapping_add(1);
        // the last step of SplitMix64 mixes the bits, so that rejection sampling ends
        let word = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        Ok(word ^ (word >> 27))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for byte in bytes {
            *byte = self.try_next_u64()? as u8;
        }
        Ok(())
    }
}

impl TryCryptoRng for Counter {}
