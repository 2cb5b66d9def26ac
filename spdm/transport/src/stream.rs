//! Frames on a stream, such as a socket, a pipe or a file.

use crate::frame::Delimited;
use core::fmt;
use grille_spdm_codec::CodecError;
use std::io::{self, Read, Write};
use std::vec::Vec;

/// An error of sending or receiving a frame.
#[derive(Debug)]
#[non_exhaustive]
pub enum StreamError {
    /// The stream failed, or timed out.
    Io(io::Error),
    /// The received data is not a frame, or the data to send does not fit into one.
    Frame(CodecError),
    /// The stream ended within a frame.
    Cut {
        /// Number of bytes of the frame that arrived.
        arrived: usize,
    },
    /// The frame is longer than the caller accepts.
    TooLong {
        /// Length of the frame in bytes.
        len: usize,
        /// Maximum accepted length in bytes.
        max: usize,
    },
    /// The peer sent an unexpected frame.
    Unexpected {
        /// The expected frame, to complete the sentence "expected …".
        expected: &'static str,
    },
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Frame(error) => error.fmt(f),
            Self::Cut { arrived } => write!(f, "the stream ended after {arrived} bytes of a frame"),
            Self::TooLong { len, max } => write!(f, "the frame has {len} bytes, the maximum is {max}"),
            Self::Unexpected { expected } => write!(f, "expected {expected}"),
        }
    }
}

impl core::error::Error for StreamError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::Frame(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for StreamError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<CodecError> for StreamError {
    fn from(error: CodecError) -> Self {
        Self::Frame(error)
    }
}

/// A stream with a buffer for one frame.
#[derive(Debug)]
pub struct Stream<S> {
    stream: S,
    buffer: Vec<u8>,
    max: usize,
}

impl<S> Stream<S> {
    /// Creates a stream for frames of at most `max` bytes.
    pub fn new(stream: S, max: usize) -> Self {
        Self { stream, buffer: Vec::new(), max }
    }

    /// Returns the stream, to set its timeouts.
    pub fn get_ref(&self) -> &S {
        &self.stream
    }
}

impl<S: Write> Stream<S> {
    /// Sends a frame with a payload of `payload` bytes.
    ///
    /// # Errors
    /// Returns an error if the stream fails, or the frame cannot be encoded.
    pub fn send<'a, F: Delimited<'a>>(&mut self, frame: &F, payload: usize) -> Result<(), StreamError> {
        // PCI DOE pads to a multiple of four bytes.
        self.buffer.resize(F::HEADER + payload.next_multiple_of(4), 0);
        let len = frame.encode(&mut self.buffer)?;
        self.stream.write_all(self.buffer.get(..len).unwrap_or_default())?;
        Ok(self.stream.flush()?)
    }
}

impl<S: Read> Stream<S> {
    /// Waits for the next frame; `None` if the stream ends before it.
    ///
    /// # Errors
    /// Returns an error if the stream fails or ends within a frame, or the frame is invalid or too long.
    pub fn receive<'s, F: Delimited<'s>>(&'s mut self) -> Result<Option<F>, StreamError> {
        self.buffer.clear();
        self.fill(F::HEADER)?;
        if self.buffer.is_empty() {
            return Ok(None);
        }
        let len = if self.buffer.len() < F::HEADER { F::HEADER } else { F::frame_len(&self.buffer)? };
        if len > self.max {
            return Err(StreamError::TooLong { len, max: self.max });
        }
        self.fill(len)?;
        if self.buffer.len() < len {
            return Err(StreamError::Cut { arrived: self.buffer.len() });
        }
        Ok(Some(F::decode(&self.buffer)?))
    }

    /// Reads until the buffer has `len` bytes or the stream ends. Memory grows with the received bytes rather than
    /// with the header's length field.
    fn fill(&mut self, len: usize) -> Result<(), StreamError> {
        let missing = len.saturating_sub(self.buffer.len());
        Read::by_ref(&mut self.stream).take(missing as u64).read_to_end(&mut self.buffer)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::{Message, MessageType};
    use std::io::Cursor;
    use std::vec;

    const GET_VERSION: Message<'_> =
        Message { message_type: MessageType::OUT_OF_SESSION, payload: &[0x10, 0x84, 0, 0] };
    const BYTES: [u8; 8] = [6, 0, 1, 5, 0x10, 0x84, 0, 0];

    fn receive_from(bytes: &[u8], max: usize) -> Result<Option<Vec<u8>>, StreamError> {
        let mut stream = Stream::new(Cursor::new(bytes), max);
        stream.receive().map(|message| message.map(|message: Message<'_>| message.payload.to_vec()))
    }

    #[test]
    fn receives_successive_frames() {
        let mut sender = Stream::new(vec![], 8);
        for _ in 0..3 {
            sender.send(&GET_VERSION, 4).unwrap();
        }
        assert_eq!(*sender.get_ref(), BYTES.repeat(3));
        let mut receiver = Stream::new(Cursor::new(sender.stream), 8);
        for _ in 0..3 {
            assert_eq!(receiver.receive().unwrap(), Some(GET_VERSION));
        }
        assert!(receiver.receive::<Message<'_>>().unwrap().is_none());
    }

    #[test]
    fn distinguishes_end_within_and_between_frames() {
        assert!(receive_from(&[], 8).unwrap().is_none());
        for len in 1..BYTES.len() {
            let error = receive_from(&BYTES[..len], 8).unwrap_err();
            assert!(matches!(error, StreamError::Cut { arrived } if arrived == len), "{error}");
        }
        assert_eq!(receive_from(&BYTES, 8).unwrap().unwrap(), GET_VERSION.payload);
    }

    #[test]
    fn rejects_long_frames_before_reading_them() {
        let error = receive_from(&BYTES[..4], 7).unwrap_err();
        assert!(matches!(error, StreamError::TooLong { len: 8, max: 7 }), "{error}");
    }

    #[test]
    fn rejects_invalid_frames() {
        assert!(matches!(receive_from(&[6, 0, 2, 5, 0x10, 0x84, 0, 0], 8), Err(StreamError::Frame(_))));
        assert!(matches!(receive_from(&[1, 0, 1, 5], 8), Err(StreamError::Frame(_))));
    }
}
