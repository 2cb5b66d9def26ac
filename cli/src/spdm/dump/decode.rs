//! Decoding of messages for their summaries.

use grille_spdm_codec::{Message, Sizes};

/// Returns a message; `None` if it cannot be decoded.
pub(super) fn read<'a, M: Message<'a>>(bytes: &'a [u8], sizes: &Sizes) -> Option<M> {
    M::decode_prefix(bytes, sizes).ok().map(|(message, _)| message)
}
