//! The differences between the two versions of Classic McEliece: how a seed is expanded, how keys are
//! encoded, and whether ciphertexts contain a hash of the error.

use grille_hash::{Level, aes_ctr::Aes256Ctr, sponge::shake256};

/// A version of Classic McEliece.
pub trait Version: Send + Sync + 'static {
    /// The number of bytes of δ and c at the start of a decapsulation key. Zero in round 3, whose keys contain neither.
    const PREFIX_LEN: usize;
    /// The number of bytes of the confirmation hash at the end of a ciphertext.
    const CONFIRMATION_LEN: usize;
    /// Whether s is at the end of a decapsulation key. If false, s is at the start.
    const S_IS_LAST: bool;
    /// Whether the choice of undetermined control bits considers the first and the last layer. If false, it considers
    /// only the first layer.
    const ZEROES_IN_BOTH_OUTER_LAYERS: bool;

    /// Expands the seed δ to fill `out`. All arguments and results are secret.
    #[doc(hidden)]
    fn expand(level: Level, delta: &[u8; 32], out: &mut [u8]);
}

/// Classic McEliece of round 4 and ISO/IEC 18033-2. SHAKE256 expands seeds, and a ciphertext is only a
/// syndrome.
pub struct Current;

/// Classic McEliece of round 3, which liboqs contained until version 0.8. AES-256 in counter mode expands
/// seeds, and a ciphertext contains a hash of the error.
pub struct Round3;

impl Version for Current {
    const PREFIX_LEN: usize = 40;
    const CONFIRMATION_LEN: usize = 0;
    const S_IS_LAST: bool = true;
    const ZEROES_IN_BOTH_OUTER_LAYERS: bool = false;

    fn expand(level: Level, delta: &[u8; 32], out: &mut [u8]) {
        shake256(level, &[&[64], delta], out);
    }
}

impl Version for Round3 {
    const PREFIX_LEN: usize = 0;
    const CONFIRMATION_LEN: usize = 32;
    const S_IS_LAST: bool = false;
    const ZEROES_IN_BOTH_OUTER_LAYERS: bool = true;

    fn expand(_: Level, delta: &[u8; 32], out: &mut [u8]) {
        Aes256Ctr::new(delta, &[0; 12]).squeeze(out);
    }
}
