//! Hybrids of a classical and a post-quantum algorithm in SPDM 1.4: external algorithms.
//! `docs/guide/src/26-spdm-hybrids.md` defines them.
//!
//! ```text
//! 0 registry 4 (IANA) | 1 reserved | 2 number u16: 0xFE00 | version of the definition << 4 | index
//! ```
//!
//! The index of an algorithm is its bit in the sets below, which exist only in memory.

use crate::algorithms::Kem;
use crate::bits::bits;

bits! {
    /// Hybrid signature algorithms of ExtAsym, or of the table ReqBaseAsymAlg. The lengths are those of signatures.
    HybridAsym(u16);
    ECDSA_P256_ML_DSA_44 = 0, "ECDSA-P256 + ML-DSA-44", 2484;
    ED25519_ML_DSA_65 = 1, "Ed25519 + ML-DSA-65", 3373;
    ECDSA_P384_ML_DSA_65 = 2, "ECDSA-P384 + ML-DSA-65", 3405;
    ECDSA_P384_ML_DSA_87 = 3, "ECDSA-P384 + ML-DSA-87", 4723;
}

bits! {
    /// Hybrid key exchanges of the table KEMAlg; the lengths are those of ExchangeData in the request.
    HybridKem(u16);
    X25519_ML_KEM_512 = 0, "X25519 + ML-KEM-512", 832;
    X25519_ML_KEM_768 = 1, "X25519 + ML-KEM-768", 1216;
    X25519_ML_KEM_1024 = 2, "X25519 + ML-KEM-1024", 1600;
    SECP256R1_ML_KEM_512 = 3, "secp256r1 + ML-KEM-512", 864;
    SECP256R1_ML_KEM_768 = 4, "secp256r1 + ML-KEM-768", 1248;
    SECP256R1_ML_KEM_1024 = 5, "secp256r1 + ML-KEM-1024", 1632;
    SECP384R1_ML_KEM_512 = 6, "secp384r1 + ML-KEM-512", 896;
    SECP384R1_ML_KEM_768 = 7, "secp384r1 + ML-KEM-768", 1280;
    SECP384R1_ML_KEM_1024 = 8, "secp384r1 + ML-KEM-1024", 1664;
}

impl HybridKem {
    /// Returns the KEM of the only key exchange in this set; `None` unless the set is exactly one known key exchange.
    #[must_use]
    pub fn kem(self) -> Option<Kem> {
        // for each classical group, the rows have the three KEMs in the order of their bits
        self.row().map(|row| Kem(1 << (row.bit % 3)))
    }

    /// Returns the length in bytes of ExchangeData in the response of the only key exchange in this set; `None` unless
    /// the set is exactly one known key exchange.
    #[must_use]
    pub fn response_len(self) -> Option<usize> {
        let kem = self.kem()?;
        Some(self.row()?.len - kem.row()?.len + kem.ciphertext_len()?)
    }
}

/// The registry ID of IANA.
const IANA: u8 = 4;

/// The version of the definition.
const VERSION: u16 = 1;

/// The numbers without the index, which has four bits.
const NUMBERS: u16 = 0xFE00 | VERSION << 4;

/// Returns the external algorithm with this index, at most 15.
#[must_use]
pub const fn external(index: u8) -> [u8; 4] {
    let [low, high] = (NUMBERS | index as u16 & 0xF).to_le_bytes();
    [IANA, 0, low, high]
}

/// Returns the external algorithms of a set, ascending.
pub fn externals(set: u16) -> impl Iterator<Item = [u8; 4]> {
    (0..16).filter(move |index| set >> index & 1 == 1).map(external)
}

/// Returns the set of all algorithms in a list that have a number of this definition. Others are ignored.
#[must_use]
pub fn offered(list: &[[u8; 4]]) -> u16 {
    list.iter().filter_map(bit).fold(0, |set, bit| set | bit)
}

/// Returns the selection in a list of at most one algorithm: an empty set or a single bit. Returns `None` if the list
/// has several algorithms, or one without a number of this definition.
#[must_use]
pub fn selected(list: &[[u8; 4]]) -> Option<u16> {
    match list {
        [] => Some(0),
        [only] => bit(only),
        _ => None,
    }
}

/// Returns the bit of an external algorithm; `None` if it has no number of this definition.
fn bit(&[registry, _, low, high]: &[u8; 4]) -> Option<u16> {
    let number = u16::from_le_bytes([low, high]);
    (registry == IANA && number & !0xF == NUMBERS).then(|| 1 << (number & 0xF))
}
