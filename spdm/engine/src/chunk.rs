//! CHUNK_SEND and CHUNK_GET: messages longer than the peer's DataTransferSize.
//!
//! Transcripts contain whole messages only. The chunk messages themselves are never split.

use crate::connection::Connection;
use crate::encode::write;
use crate::error::Refusal;
use crate::message_buffer::MessageBuffer;
use crate::messages::message_code;
use crate::rules::Rules;
use crate::session::SessionId;
use alloc::vec::Vec;
use grille_spdm_codec::capabilities::{CapabilityFlags as Caps, MIN_DATA_TRANSFER_SIZE};
use grille_spdm_codec::chunk::{Chunk, ChunkGet, ChunkResponse, ChunkSend, ChunkSendAck};
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::{Code, CodecError, Sizes, Version};

/// Bytes of a chunk message before its data, without LargeMessageSize.
const HEADER_LEN: usize = 12;
/// Bytes of LargeMessageSize, which only the first chunk has.
const SIZE_LEN: usize = 4;

/// A message that is sent in chunks.
#[derive(Debug)]
pub(crate) struct Outgoing {
    /// Handle.
    pub(crate) handle: u8,
    /// ChunkSeqNo of the next chunk.
    pub(crate) sequence: u32,
    message: MessageBuffer,
    limit: usize,
}

impl Outgoing {
    /// Prepares a message for sending. `limit`: the longest chunk message in bytes, at least 42. `secret`: the message
    /// belongs to a session.
    pub(crate) const fn new(handle: u8, message: Vec<u8>, limit: usize, secret: bool) -> Self {
        Self { handle, sequence: 0, message: MessageBuffer::new(message, secret), limit }
    }

    /// Returns whether all chunks were already sent.
    pub(crate) fn is_over(&self) -> bool {
        self.chunk(self.sequence).is_none()
    }

    /// Returns the chunk with this number; `None` after the last.
    pub(crate) fn chunk(&self, sequence: u32) -> Option<Chunk<'_>> {
        let [start, next] =
            [sequence, sequence.checked_add(1)?].map(|number| chunk_offset(number, self.limit));
        let end = next.min(self.message.len());
        let data = self.message.get(start..end).filter(|data| !data.is_empty())?;
        Some(Chunk {
            last: end == self.message.len(),
            handle: self.handle,
            sequence,
            large_size: u32::try_from(self.message.len()).unwrap_or(u32::MAX),
            data,
        })
    }
}

/// Returns the offset of a chunk's data in the message.
fn chunk_offset(sequence: u32, limit: usize) -> usize {
    let each = limit.saturating_sub(HEADER_LEN).max(1);
    // the first chunk also contains LargeMessageSize
    each.saturating_mul(sequence as usize).saturating_sub(if sequence == 0 {
        0
    } else {
        SIZE_LEN.min(each - 1)
    })
}

/// Returns the length of the longest message that fits chunks of `limit` bytes. Before 1.4 ChunkSeqNo has 16 bits.
pub(crate) fn max_message_len(rules: &Rules, limit: usize) -> usize {
    rules.last_chunk.and_then(|last| last.checked_add(1)).map_or(usize::MAX, |end| chunk_offset(end, limit))
}

/// A message that is received in chunks.
#[derive(Debug)]
pub(crate) struct Incoming {
    /// Handle.
    pub(crate) handle: u8,
    /// ChunkSeqNo of the next chunk.
    pub(crate) sequence: u32,
    size: usize,
    message: MessageBuffer,
}

impl Incoming {
    /// Starts the reassembly of a chunked message. `secret`: the message belongs to a session.
    pub(crate) const fn new(handle: u8, secret: bool) -> Self {
        Self { handle, sequence: 0, size: 0, message: MessageBuffer::new(Vec::new(), secret) }
    }

    /// Adds a chunk to a message of at most `max` bytes. Returns the whole message after the last chunk. The outer
    /// `None` means that the chunk is out of order, has the wrong length, or is smaller than MinDataTransferSize
    /// allows.
    pub(crate) fn take(&mut self, chunk: &Chunk<'_>, max: usize) -> Option<Option<MessageBuffer>> {
        if chunk.sequence != self.sequence || chunk.handle != self.handle || chunk.data.is_empty() {
            return None;
        }
        let first = self.sequence == 0;
        let least = MIN_DATA_TRANSFER_SIZE as usize - HEADER_LEN - if first { SIZE_LEN } else { 0 };
        if if chunk.last { first } else { chunk.data.len() < least } {
            return None;
        }
        if first {
            self.size = usize::try_from(chunk.large_size).ok().filter(|size| *size <= max)?;
        }
        let len = self.message.len() + chunk.data.len();
        if len > self.size || chunk.last != (len == self.size) {
            return None;
        }
        self.message.extend(chunk.data, self.size);
        self.sequence = self.sequence.checked_add(1)?;
        Some(chunk.last.then(|| self.message.take()))
    }
}

/// The responder's large messages: one in each direction.
#[derive(Default)]
pub(crate) struct Chunks {
    /// The handle of the last large response.
    handle: u8,
    request: Option<(Option<SessionId>, Incoming)>,
    response: Option<(Option<SessionId>, Outgoing)>,
}

/// Returns whether both sides support chunks.
pub(crate) fn are_negotiated(connection: &Connection) -> bool {
    connection.both_have(Caps::CHUNK) && connection.rules.last_chunk.is_some()
}

impl Chunks {
    /// Discards both large messages, because another request arrived.
    pub(crate) fn drop_all(&mut self) {
        (self.request, self.response) = (None, None);
    }

    /// Discards a large message if `over` returns true for its session.
    pub(crate) fn drop_if(&mut self, over: impl Fn(Option<SessionId>) -> bool) {
        self.request.take_if(|(place, _)| over(*place));
        self.response.take_if(|(place, _)| over(*place));
    }

    /// Returns whether a large response is stored. After its last chunk was sent, it remains stored, because that chunk
    /// may be requested again.
    pub(crate) const fn has_response(&self) -> bool {
        self.response.is_some()
    }

    #[cfg(all(test, feature = "std"))]
    pub(crate) const fn is_active(&self) -> bool {
        self.request.is_some() || self.response.is_some()
    }

    /// Returns the response if it fits one message, or if chunks are not negotiated. Otherwise stores it and returns
    /// ERROR LargeResponse. `limit`: the longest message in bytes. `overhead`: bytes around the response.
    pub(crate) fn chunk_if_needed(
        &mut self,
        connection: &Connection,
        session: Option<SessionId>,
        response: Vec<u8>,
        [limit, overhead]: [usize; 2],
    ) -> Vec<u8> {
        if response.len() <= limit.saturating_sub(overhead) || !are_negotiated(connection) {
            return response;
        }
        self.handle = self.handle.wrapping_add(1);
        self.response = Some((session, Outgoing::new(self.handle, response, limit, session.is_some())));
        let refusal = Refusal::extended(ErrorCode::LARGE_RESPONSE, [self.handle]);
        refusal.to_message(connection.version())
    }

    /// Answers CHUNK_GET.
    pub(crate) fn get(
        &mut self,
        connection: &Connection,
        session: Option<SessionId>,
        request: &ChunkGet,
    ) -> Result<Vec<u8>, Refusal> {
        let nothing = Refusal::new(ErrorCode::UNEXPECTED_REQUEST);
        let (place, outgoing) = self.response.as_mut().ok_or(nothing)?;
        let ChunkGet { handle, sequence } = *request;
        // the last chunk may be requested again
        let next = outgoing.sequence == sequence || outgoing.sequence.checked_sub(1) == Some(sequence);
        let here = next && *place == session && outgoing.handle == handle;
        let chunk = outgoing.chunk(sequence).filter(|_| here);
        let chunk = chunk.ok_or(Refusal::new(ErrorCode::INVALID_REQUEST))?;
        let response = write(&ChunkResponse { chunk }, connection.version(), &Sizes::default())?;
        outgoing.sequence = sequence + 1;
        Ok(response)
    }

    /// Handles CHUNK_SEND. Returns the whole message after the last chunk.
    pub(crate) fn send(
        &mut self,
        connection: &Connection,
        session: Option<SessionId>,
        chunk: &Chunk<'_>,
    ) -> Result<Option<MessageBuffer>, Refusal> {
        let invalid = Refusal::new(ErrorCode::INVALID_REQUEST);
        // a new request discards the stored response to the previous request
        self.response = None;
        let max = connection.responder().max_message_size as usize;
        if chunk.sequence == 0 {
            self.request = Some((session, Incoming::new(chunk.handle, session.is_some())));
            if chunk.large_size as usize > max {
                self.request = None;
                return Err(Refusal::new(ErrorCode::REQUEST_TOO_LARGE));
            }
            if chunk.large_size <= MIN_DATA_TRANSFER_SIZE {
                self.request = None;
                return Err(invalid);
            }
        }
        let (place, mut incoming) = self.request.take().ok_or(invalid)?;
        if place != session {
            return Err(invalid);
        }
        let whole = incoming.take(chunk, max).ok_or(invalid)?;
        match whole {
            Some(message) if is_never_chunked(message_code(&message)) => Err(invalid),
            Some(message) => Ok(Some(message)),
            None => {
                self.request = Some((place, incoming));
                Ok(None)
            }
        }
    }
}

/// Encodes CHUNK_SEND_ACK. It contains the response once the request is complete.
pub(crate) fn acknowledge(
    version: Version,
    chunk: &Chunk<'_>,
    early_error: bool,
    response: &[u8],
) -> Result<Vec<u8>, CodecError> {
    let ack = ChunkSendAck { early_error, handle: chunk.handle, sequence: chunk.sequence, response };
    write(&ack, version, &Sizes::default())
}

/// Bytes of CHUNK_SEND_ACK before the response.
pub(crate) const ACK_HEADER_LEN: usize = 8;

/// Returns whether the request must not be chunked. This applies to chunk requests, and to requests that are sent
/// before the message limits are known.
fn is_never_chunked(code: Code) -> bool {
    matches!(code, Code::CHUNK_SEND | Code::CHUNK_GET | Code::GET_VERSION | Code::GET_CAPABILITIES)
}

/// Encodes CHUNK_SEND.
pub(crate) fn send(version: Version, chunk: Chunk<'_>) -> Result<Vec<u8>, CodecError> {
    write(&ChunkSend { chunk }, version, &Sizes::default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn reassembles_chunked_messages() {
        for len in [27, 56, 57, 1000] {
            let message: Vec<u8> = (0..len).map(|i| i as u8).collect();
            let (outgoing, mut incoming) =
                (Outgoing::new(7, message.clone(), 42, true), Incoming::new(7, true));
            let mut whole = None;
            for chunk in (0..).map_while(|number| outgoing.chunk(number)) {
                assert!(whole.is_none());
                assert!(send(Version::V1_2, chunk).unwrap().len() <= 42);
                whole = incoming.take(&chunk, 1000).unwrap();
            }
            assert_eq!(whole.as_deref(), Some(&message[..]));
        }
    }

    #[test]
    fn limits_the_number_of_chunks_before_1_4() {
        // 26 bytes in the first chunk, 30 in each later one
        let most = max_message_len(Version::V1_3.into(), 42);
        assert_eq!(most, 26 + 0xFFFF * 30);
        let outgoing = |len| Outgoing::new(7, vec![1; len], 42, false);
        assert!(outgoing(most).chunk(0xFFFF).is_some_and(|chunk| chunk.last && chunk.data.len() == 30));
        let more = outgoing(most + 1);
        assert!(send(Version::V1_3, more.chunk(0x1_0000).unwrap()).is_err());
        assert!(send(Version::V1_4, more.chunk(0x1_0000).unwrap()).is_ok());
        assert!(max_message_len(Version::V1_4.into(), 42) > most);
    }

    #[test]
    fn rejects_chunks_out_of_order_or_of_another_message() {
        let outgoing = Outgoing::new(7, vec![1; 100], 42, false);
        let [first, second] = [0, 1].map(|number| outgoing.chunk(number).unwrap());
        let fresh = || Incoming::new(7, false);
        assert!(fresh().take(&second, 100).is_none());
        assert!(fresh().take(&first, 99).is_none());
        assert!(fresh().take(&Chunk { handle: 8, ..first }, 100).is_none());
        assert!(fresh().take(&Chunk { last: true, ..first }, 100).is_none());
        assert!(fresh().take(&Chunk { large_size: 10, ..first }, 100).is_none());
        assert!(fresh().take(&Chunk { data: &[], ..first }, 100).is_none());
        assert!(fresh().take(&Chunk { data: &first.data[1..], ..first }, 100).is_none());
        assert!(fresh().take(&Chunk { last: true, large_size: 26, ..first }, 100).is_none());
        let mut incoming = fresh();
        assert!(incoming.take(&first, 100).is_some_and(|whole| whole.is_none()));
        assert!(incoming.take(&first, 100).is_none(), "repeated");
        assert!(incoming.take(&Chunk { data: &second.data[1..], ..second }, 100).is_none());
    }
}
