//! The four FRAGMENT messages, which carry a large message in pieces. Transcripts contain the whole message.
//!
//! Their codes are those of GET_KEY_PAIR_INFO and SET_KEY_PAIR_INFO in SPDM 1.3. So only a connection of the dialect
//! may decode them.
//!
//! | requester | responder |
//! |---|---|
//! | FRAGMENT_REQUEST, a piece of a request | FRAGMENT_REQUEST_ACK; after the last piece, the response to the whole request |
//! | FRAGMENT_RSP_REQUEST | FRAGMENT_RESPONSE, a piece of a response; the first piece is sent without FRAGMENT_RSP_REQUEST |

use crate::code::Code;
use crate::codec_error::{CodecError, Problem};
use crate::message::{Message, Sizes, Version};
use crate::wire::Wire;

/// Largest length of a piece in bytes.
pub const MAX_PIECE: usize = 0x1000;
/// Largest length of a message in fragments for openspdm-pqc, in bytes.
pub const MAX_MESSAGE: usize = 0x2_0000;
/// The identifier that openspdm-pqc uses in FRAGMENT_REQUEST.
pub const REQUEST_ID: u8 = 0x7f;
/// The identifier that openspdm-pqc uses in FRAGMENT_RESPONSE.
pub const RESPONSE_ID: u8 = 0xff;

/// Param1 bit 0: the first piece.
const BEGIN: u8 = 1;
/// Param1 bit 1: the last piece.
const END: u8 = 2;

/// FRAGMENT_REQUEST.
///
/// ```text
/// 0 SPDMVersion | 1 0xFD | 2 bit 0 BEGIN, bit 1 END | 3 request identifier
/// 4 sequence u32 | 8 offset u32 | 12 length u32 | 16 piece
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FragmentRequest<'a> {
    /// The piece of a request.
    pub fragment: Fragment<'a>,
}

/// FRAGMENT_RESPONSE.
///
/// ```text
/// 0 SPDMVersion | 1 0x7C | 2 bit 0 BEGIN, bit 1 END | 3 response identifier
/// 4 to the end as in FRAGMENT_REQUEST
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FragmentResponse<'a> {
    /// The piece of a response.
    pub fragment: Fragment<'a>,
}

/// FRAGMENT_REQUEST_ACK, which requests the next piece of a request.
///
/// ```text
/// 0 SPDMVersion | 1 0x7D | 2 reserved | 3 request identifier | 4 sequence u32
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FragmentRequestAck {
    /// The request identifier.
    pub id: u8,
    /// The sequence number of the received piece.
    pub sequence: u32,
}

/// FRAGMENT_RSP_REQUEST, which requests the next piece of a response.
///
/// ```text
/// 0 SPDMVersion | 1 0xFC | 2 reserved | 3 response identifier | 4 sequence u32
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FragmentRspRequest {
    /// The response identifier.
    pub id: u8,
    /// The sequence number of the requested piece.
    pub sequence: u32,
}

/// The fields shared by FRAGMENT_REQUEST and FRAGMENT_RESPONSE.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fragment<'a> {
    /// BEGIN: this is the first piece.
    pub is_first: bool,
    /// END: this is the last piece.
    pub is_last: bool,
    /// The identifier of the request or response.
    pub id: u8,
    /// The number of the piece, starting at 0.
    pub sequence: u32,
    /// Offset of the piece in the message, in bytes.
    pub offset: u32,
    /// The piece, of at most [`MAX_PIECE`] bytes.
    pub data: &'a [u8],
}

/// Splits a message into fragments of [`MAX_PIECE`] bytes; the last one may be shorter. An empty message has no
/// fragments.
pub fn split(message: &[u8], id: u8) -> impl Iterator<Item = Fragment<'_>> {
    let last = message.len().div_ceil(MAX_PIECE).saturating_sub(1);
    message.chunks(MAX_PIECE).enumerate().map(move |(index, data)| Fragment {
        is_first: index == 0,
        is_last: index == last,
        id,
        sequence: index as u32,
        offset: (index * MAX_PIECE) as u32,
        data,
    })
}

impl<'a> Fragment<'a> {
    /// Checks that this piece has the number `sequence`, that it continues a message of which `received` bytes are
    /// known, and that the message does not exceed `limit` bytes. Offsets in errors count from the start of the
    /// FRAGMENT message.
    ///
    /// # Errors
    /// Returns an error if the sequence number, the offset, BEGIN or the length is wrong, or the piece is empty.
    pub fn check(&self, sequence: u32, received: usize, limit: usize) -> Result<(), CodecError> {
        let refuse = |name, offset, expected, got| {
            Err(CodecError { name, offset, problem: Problem::Value { expected, got } })
        };
        if self.is_first != (sequence == 0) {
            return refuse("BEGIN", 2, "BEGIN only in the first piece", u64::from(self.is_first));
        }
        if self.sequence != sequence {
            return refuse("sequence", 4, "the next sequence number", u64::from(self.sequence));
        }
        if self.offset as usize != received {
            return refuse("offset", 8, "the number of bytes received before", u64::from(self.offset));
        }
        if self.data.is_empty() {
            return refuse("length", 12, "at least one byte", 0);
        }
        let left = limit.saturating_sub(received);
        if self.data.len() > left {
            let problem = Problem::TooLarge { max: left as u64, got: self.data.len() as u64 };
            return Err(CodecError { name: "length", offset: 12, problem });
        }
        Ok(())
    }

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        let mut attributes = if self.is_first { BEGIN } else { 0 } | if self.is_last { END } else { 0 };
        wire.u8("attributes", &mut attributes)?;
        (self.is_first, self.is_last) = (attributes & BEGIN != 0, attributes & END != 0);
        wire.u8("identifier", &mut self.id)?;
        wire.u32("sequence", &mut self.sequence)?;
        wire.u32("offset", &mut self.offset)?;
        let (at, mut length) = (wire.offset(), self.data.len());
        wire.count("length", 4, &mut length)?;
        if length > MAX_PIECE {
            let problem = Problem::TooLarge { max: MAX_PIECE as u64, got: length as u64 };
            return Err(CodecError { name: "length", offset: at, problem });
        }
        wire.slice("piece", length, &mut self.data)
    }
}

impl<'a> Message<'a> for FragmentRequest<'a> {
    const CODE: Code = Code(0xfd);
    const NAME: Option<&'static str> = Some("FRAGMENT_REQUEST");

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        self.fragment.visit_fields(wire)
    }
}

impl<'a> Message<'a> for FragmentResponse<'a> {
    const CODE: Code = Code(0x7c);
    const NAME: Option<&'static str> = Some("FRAGMENT_RESPONSE");

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        self.fragment.visit_fields(wire)
    }
}

impl<'a> Message<'a> for FragmentRequestAck {
    const CODE: Code = Code(0x7d);
    const NAME: Option<&'static str> = Some("FRAGMENT_REQUEST_ACK");

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        numbered(&mut self.id, &mut self.sequence, wire)
    }
}

impl<'a> Message<'a> for FragmentRspRequest {
    const CODE: Code = Code(0xfc);
    const NAME: Option<&'static str> = Some("FRAGMENT_RSP_REQUEST");

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        numbered(&mut self.id, &mut self.sequence, wire)
    }
}

/// Passes the fields of FRAGMENT_REQUEST_ACK or FRAGMENT_RSP_REQUEST to `wire`.
fn numbered<'a>(id: &mut u8, sequence: &mut u32, wire: &mut impl Wire<'a>) -> Result<(), CodecError> {
    wire.reserved(1)?;
    wire.u8("identifier", id)?;
    wire.u32("sequence", sequence)
}
