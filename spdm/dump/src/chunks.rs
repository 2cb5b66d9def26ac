//! Reassembly of chunked messages (DSP0274 "CHUNK_SEND" and "CHUNK_GET").

use grille_spdm_codec::chunk::Chunk;

/// The chunks of a large message that have arrived.
#[derive(Default)]
pub(crate) struct Chunks {
    handle: u8,
    next: u32,
    bytes: Vec<u8>,
}

impl Chunks {
    /// Adds a chunk, and returns the message after its last one. A chunk out of order discards the message, unless it
    /// is the first chunk of another.
    pub(crate) fn push(&mut self, chunk: &Chunk<'_>) -> Option<Vec<u8>> {
        let handle = chunk.handle;
        if chunk.sequence == 0 {
            *self = Self { handle, ..Self::default() };
        }
        if (handle, chunk.sequence) != (self.handle, self.next) {
            *self = Self { next: u32::MAX, ..Self::default() };
            return None;
        }
        self.next = self.next.saturating_add(1);
        self.bytes.extend_from_slice(chunk.data);
        chunk.last.then(|| std::mem::take(&mut self.bytes))
    }
}
