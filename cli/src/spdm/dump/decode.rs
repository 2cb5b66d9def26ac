//! Decoding of messages for their summaries, and summaries that the standard and the dialect share.

use crate::output::format_count;
use grille_spdm_codec::{Message, Sizes};

/// Decodes a message; returns `None` if `bytes` cannot be decoded.
pub(super) fn read<'a, M: Message<'a>>(bytes: &'a [u8], sizes: &Sizes) -> Option<M> {
    M::decode_prefix(bytes, sizes).ok().map(|(message, _)| message)
}

/// Summarizes GET_CERTIFICATE.
pub(super) fn get_certificate(slot: u8, offset: u32) -> String {
    format!("slot {slot}, from byte {offset}")
}

/// Summarizes CERTIFICATE. `portion` and `remainder` are lengths in bytes.
pub(super) fn certificate(slot: u8, portion: usize, remainder: u32) -> String {
    format!("slot {slot}, {}, {remainder} remaining", format_count(portion, "byte"))
}
