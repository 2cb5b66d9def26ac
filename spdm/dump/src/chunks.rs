//! Reassembly of chunked messages (DSP0274 "CHUNK_SEND" and "CHUNK_GET").

use grille_spdm_codec::chunk::Chunk;

/// The chunks of a large message that have arrived.
#[derive(Default)]
pub(crate) struct Chunks {
    handle: u8,
    /// The number of the next chunk; `None` if no message is in progress.
    next: Option<u32>,
    bytes: Vec<u8>,
}

impl Chunks {
    /// Adds a chunk, and returns the message after its last chunk. A first chunk starts a new message. Any other chunk
    /// out of order discards the message.
    pub(crate) fn push(&mut self, chunk: &Chunk<'_>) -> Option<Vec<u8>> {
        let handle = chunk.handle;
        if chunk.sequence == 0 {
            *self = Self { handle, next: Some(0), ..Self::default() };
        }
        let next = self.next?;
        if (handle, chunk.sequence) != (self.handle, next) {
            *self = Self::default();
            return None;
        }
        self.next = next.checked_add(1);
        self.bytes.extend_from_slice(chunk.data);
        chunk.last.then(|| std::mem::take(self).bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignores_chunks_after_a_discarded_message_until_the_next_first_one() {
        let chunk = |sequence, last| Chunk { last, sequence, data: &[7], ..Chunk::default() };
        let mut chunks = Chunks::default();
        assert_eq!(chunks.push(&chunk(0, false)), None);
        assert_eq!(chunks.push(&chunk(2, false)), None);
        assert_eq!(chunks.push(&chunk(u32::MAX, true)), None, "no message is in progress");
        assert_eq!(chunks.push(&chunk(0, false)), None);
        assert_eq!(chunks.push(&chunk(1, true)), Some(vec![7, 7]));
        assert_eq!(chunks.push(&chunk(2, true)), None, "the message is complete");
    }
}
