//! The signature algorithms that SPDM can negotiate.

use crate::hybrid::{HYBRID_SIGNATURES, HybridSignature};
use crate::scheme::Classical;
use core::fmt;
use grille_registry::{Row, SIGNATURES, SignatureRow};
use grille_spdm_codec::algorithms::PqcAsym;
use grille_spdm_codec::key_pair_info::KeyPairAsym;

#[cfg(feature = "std")]
pub use crate::classical::CLASSICAL;

/// A signature algorithm of BaseAsymAlgo or PqcAsymAlgo, or a hybrid.
#[derive(Clone, Copy)]
pub enum Asym {
    /// BaseAsymAlgo.
    Classical(&'static Classical),
    /// PqcAsymAlgo.
    PostQuantum(&'static SignatureRow),
    /// A hybrid of both: see [`crate::hybrid`].
    Hybrid(&'static HybridSignature),
}

impl Asym {
    /// Looks an algorithm up by the name that [`Asym::name`] returns, such as `ML-DSA-87` or `ECDSA-P384`.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        let post_quantum = post_quantum().map(|(_, row)| Self::PostQuantum(row));
        let hybrid = HYBRID_SIGNATURES.iter().map(Self::Hybrid);
        let mut all = CLASSICAL.iter().map(Self::Classical).chain(post_quantum).chain(hybrid);
        all.find(|asym| asym.name() == name)
    }

    /// Returns the algorithm's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Classical(classical) => classical.name,
            Self::PostQuantum(row) => row.name(),
            Self::Hybrid(hybrid) => hybrid.name,
        }
    }

    /// Returns the length of a signature in bytes.
    #[must_use]
    pub fn signature_len(self) -> usize {
        match self {
            Self::Classical(classical) => classical.signature_len,
            Self::PostQuantum(row) => row.signature.info().signature_len,
            Self::Hybrid(hybrid) => hybrid.signature_len,
        }
    }

    /// Returns the algorithm's bit in KEY_PAIR_INFO, classical or post-quantum. RSASSA and RSAPSS of one key size share
    /// a bit. A hybrid has the bits of both parts.
    #[must_use]
    pub fn key_pair_bits(self) -> (KeyPairAsym, PqcAsym) {
        match self {
            Self::Classical(row) => (classical_key_pair_bit(row.name), PqcAsym::NONE),
            Self::Hybrid(hybrid) => {
                let classical = hybrid.classical.row().map_or("", |row| row.name);
                (classical_key_pair_bit(classical), hybrid.post_quantum)
            }
            Self::PostQuantum(row) => (KeyPairAsym::NONE, PqcAsym(row.spdm_bit.map_or(0, |bit| 1 << bit))),
        }
    }
}

/// Returns the bit in KEY_PAIR_INFO of an algorithm with this name in BaseAsymAlgo.
fn classical_key_pair_bit(name: &str) -> KeyPairAsym {
    let known = KEY_PAIR_BITS.iter().find(|(end, _)| name.ends_with(end));
    known.map_or(KeyPairAsym::NONE, |(_, bit)| *bit)
}

/// Suffixes of the names in BaseAsymAlgo, with the matching key type in KEY_PAIR_INFO.
const KEY_PAIR_BITS: [(&str, KeyPairAsym); 8] = [
    ("2048", KeyPairAsym::RSA_2048),
    ("3072", KeyPairAsym::RSA_3072),
    ("4096", KeyPairAsym::RSA_4096),
    ("P256", KeyPairAsym::ECC_256),
    ("P384", KeyPairAsym::ECC_384),
    ("P521", KeyPairAsym::ECC_521),
    ("Ed25519", KeyPairAsym::ED25519),
    ("Ed448", KeyPairAsym::ED448),
];

impl PartialEq for Asym {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl fmt::Debug for Asym {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The algorithms of BaseAsymAlgo, DSP0274. Empty without the feature `std`.
#[cfg(not(feature = "std"))]
pub static CLASSICAL: &[Classical] = &[];

/// Returns every algorithm of PqcAsymAlgo in the registry, with its bit.
pub fn post_quantum() -> impl Iterator<Item = (u8, &'static SignatureRow)> {
    SIGNATURES.iter().filter_map(|row| Some((row.spdm_bit?, row)))
}
