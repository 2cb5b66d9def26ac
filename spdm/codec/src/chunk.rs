//! CHUNK_SEND, CHUNK_SEND_ACK, CHUNK_GET and CHUNK_RESPONSE: large messages in chunks. Transcripts contain the whole
//! large message instead of the chunks.

use crate::code::Code;
use crate::codec_error::CodecError;
use crate::message::{Message, Sizes, Version};
use crate::wire::Wire;

/// CHUNK_SEND.
///
/// ```text
/// 0 SPDMVersion | 1 0x85 | 2 bit 0 LastChunk | 3 Handle
/// 4 ChunkSeqNo u16, reserved[2] (1.4: u32) | 8 ChunkSize u32 | 12 LargeMessageSize u32 if ChunkSeqNo is 0 | SPDMchunk
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChunkSend<'a> {
    /// The chunk with its position in the large message.
    pub chunk: Chunk<'a>,
}

/// CHUNK_RESPONSE.
///
/// ```text
/// 0 SPDMVersion | 1 0x06 | 2 bit 0 LastChunk | 3 Handle
/// 4 to the end as in CHUNK_SEND
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChunkResponse<'a> {
    /// The chunk with its position in the large message.
    pub chunk: Chunk<'a>,
}

/// The fields shared by CHUNK_SEND and CHUNK_RESPONSE.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chunk<'a> {
    /// LastChunk: no chunk follows.
    pub last: bool,
    /// Handle of the large message.
    pub handle: u8,
    /// ChunkSeqNo, starting at 0; at most 0xFFFF before 1.4.
    pub sequence: u32,
    /// LargeMessageSize in bytes; only present in chunk 0.
    pub large_size: u32,
    /// SPDMchunk: the bytes of the large message in this chunk.
    pub data: &'a [u8],
}

/// CHUNK_SEND_ACK.
///
/// ```text
/// 0 SPDMVersion | 1 0x05 | 2 bit 0 EarlyErrorDetected | 3 Handle
/// 4 ChunkSeqNo u16 (1.4: u32) | ResponseToLargeRequest, up to the end, after the last chunk or with an error
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChunkSendAck<'a> {
    /// EarlyErrorDetected: the response is an ERROR, and no more chunks are expected.
    pub early_error: bool,
    /// Handle of the large message.
    pub handle: u8,
    /// ChunkSeqNo of the received chunk.
    pub sequence: u32,
    /// ResponseToLargeRequest: a whole response. Before the last chunk it is empty, unless there is an early error.
    pub response: &'a [u8],
}

/// CHUNK_GET.
///
/// ```text
/// 0 SPDMVersion | 1 0x86 | 2 reserved | 3 Handle
/// 4 ChunkSeqNo u16 (1.4: u32)
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChunkGet {
    /// Handle of the large message, from ERROR LargeResponse.
    pub handle: u8,
    /// ChunkSeqNo of the requested chunk.
    pub sequence: u32,
}

impl<'a> Message<'a> for ChunkSend<'a> {
    const CODE: Code = Code::CHUNK_SEND;

    fn visit_fields<W: Wire<'a>>(
        &mut self,
        wire: &mut W,
        version: Version,
        _: &Sizes,
    ) -> Result<(), CodecError> {
        self.chunk.visit_fields(wire, version)
    }
}

impl<'a> Message<'a> for ChunkResponse<'a> {
    const CODE: Code = Code::CHUNK_RESPONSE;

    fn visit_fields<W: Wire<'a>>(
        &mut self,
        wire: &mut W,
        version: Version,
        _: &Sizes,
    ) -> Result<(), CodecError> {
        self.chunk.visit_fields(wire, version)
    }
}

impl<'a> Chunk<'a> {
    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, version: Version) -> Result<(), CodecError> {
        wire.flag("LastChunk", 0, &mut self.last)?;
        wire.u8("Handle", &mut self.handle)?;
        sequence(&mut self.sequence, wire, version)?;
        if version < Version::V1_4 {
            wire.reserved(2)?;
        }
        let mut size = self.data.len();
        wire.count("ChunkSize", 4, &mut size)?;
        if self.sequence == 0 {
            wire.u32("LargeMessageSize", &mut self.large_size)?;
        }
        wire.slice("SPDMchunk", size, &mut self.data)
    }
}

impl<'a> Message<'a> for ChunkSendAck<'a> {
    const CODE: Code = Code::CHUNK_SEND_ACK;

    fn visit_fields<W: Wire<'a>>(
        &mut self,
        wire: &mut W,
        version: Version,
        _: &Sizes,
    ) -> Result<(), CodecError> {
        wire.flag("EarlyErrorDetected", 0, &mut self.early_error)?;
        wire.u8("Handle", &mut self.handle)?;
        sequence(&mut self.sequence, wire, version)?;
        wire.rest("ResponseToLargeRequest", &mut self.response)
    }
}

impl<'a> Message<'a> for ChunkGet {
    const CODE: Code = Code::CHUNK_GET;

    fn visit_fields<W: Wire<'a>>(
        &mut self,
        wire: &mut W,
        version: Version,
        _: &Sizes,
    ) -> Result<(), CodecError> {
        wire.reserved(1)?;
        wire.u8("Handle", &mut self.handle)?;
        sequence(&mut self.sequence, wire, version)
    }
}

fn sequence<'a>(value: &mut u32, wire: &mut impl Wire<'a>, version: Version) -> Result<(), CodecError> {
    if version >= Version::V1_4 {
        return wire.u32("ChunkSeqNo", value);
    }
    wire.u16_as_u32("ChunkSeqNo", value)
}
