//! Encoding of messages into vectors.

use crate::refusal::Refusal;
use alloc::{vec, vec::Vec};
use grille_core::secret::erase;
use grille_spdm_codec::{CodecError, Message, Problem, Sizes, Version};

/// Encodes a message.
pub(crate) fn write<'a>(
    message: &impl Message<'a>,
    version: Version,
    sizes: &Sizes,
) -> Result<Vec<u8>, CodecError> {
    // Most messages are short enough for this buffer, so that only a vector of the message's length is allocated.
    let mut short = [0; 256];
    let mut written = message.encode(version, sizes, &mut short).map(|len| short[..len].to_vec());
    // the buffer may contain session data
    erase(&mut short);
    let mut room = short.len();
    while let Err(CodecError { problem: Problem::NoRoom { needed, left }, .. }) = written {
        room += needed - left + 256;
        written = encode_into(room, |buffer| message.encode(version, sizes, buffer));
    }
    written
}

/// Calls `encode` with a buffer of `room` bytes and returns the bytes written. On failure the buffer is erased, because it may
/// contain session data.
pub(crate) fn encode_into(
    room: usize,
    encode: impl FnOnce(&mut [u8]) -> Result<usize, CodecError>,
) -> Result<Vec<u8>, CodecError> {
    let mut buffer = vec![0; room];
    match encode(&mut buffer) {
        Ok(len) => {
            buffer.truncate(len);
            Ok(buffer)
        }
        Err(error) => {
            erase(&mut buffer);
            Err(error)
        }
    }
}

/// Encodes a response as [`write()`] does. A failure is a fault of the responding side, not of the request.
pub(crate) fn respond_with<'a>(
    message: &impl Message<'a>,
    version: Version,
    sizes: &Sizes,
) -> Result<Vec<u8>, Refusal> {
    write(message, version, sizes).map_err(Refusal::unencodable)
}
