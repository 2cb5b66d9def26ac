//! The inputs of SHA-256 for up to sixteen messages at a time.

/// The number of chains that are computed together.
pub(crate) const WIDTH: usize = 16;
/// One 32-bit word of each message.
pub(crate) type Word = [u32; WIDTH];
/// ADRSᶜ (22 bytes) of one message: six words and two zero words. The lower half of the sixth word is zero.
pub(crate) type AdrsWords = [u32; 8];

/// PK.seed, with the state of SHA-256 after hashing it.
pub(crate) struct Seed {
    /// The words of PK.seed. The words with index n / 4 or above are zero.
    pub(crate) words: [u32; 8],
    /// The state of SHA-256 after PK.seed ‖ toByte(0, 64 − n).
    pub(crate) midstate: [u32; 8],
}

/// Returns the length field at the end of a padded message, in bits.
pub(crate) const fn length_field(bytes: usize) -> u32 {
    8 * bytes as u32
}
