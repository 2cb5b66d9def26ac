//! Frames: a header, and what it carries. One description reads, writes and shows them, as with messages.

use grille_spdm_codec::CodecError;
use grille_spdm_codec::wire::{Observer, Reader, Wire, Writer};

/// A frame. `Default` is the frame of zeros.
pub trait Frame<'a>: Copy + Default {
    /// Hands every field to `wire`.
    ///
    /// # Errors
    /// What [`Wire`] says of a field, or a value that the standard does not allow where the layout depends on it.
    fn walk<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError>;

    /// The frame that `bytes` are.
    ///
    /// # Errors
    /// Too few bytes, bytes after the end, or a value that decides the layout and is not allowed.
    fn decode(bytes: &'a [u8]) -> Result<Self, CodecError> {
        Self::observe(bytes, &mut ())
    }

    /// As [`Frame::decode`], and shows every field to `observer`.
    ///
    /// # Errors
    /// As [`Frame::decode`]; the fields before the error have been shown.
    fn observe(bytes: &'a [u8], observer: &mut impl Observer<'a>) -> Result<Self, CodecError> {
        let mut frame = Self::default();
        let mut reader = Reader::observed(bytes, 0, observer);
        frame.walk(&mut reader)?;
        reader.end()?;
        Ok(frame)
    }

    /// Writes the frame, and returns its length in bytes.
    ///
    /// # Errors
    /// Too small a buffer, or more than the header's length can say.
    fn encode(&self, buffer: &mut [u8]) -> Result<usize, CodecError> {
        let mut writer = Writer::new(buffer);
        let mut frame = *self;
        frame.walk(&mut writer)?;
        Ok(writer.offset())
    }
}

/// A frame that says its own length: on a stream one can follow the other.
pub trait Delimited<'a>: Frame<'a> {
    /// Length of the header in bytes.
    const HEADER: usize;

    /// Length of the whole frame in bytes, by its header.
    ///
    /// # Errors
    /// Fewer than [`Delimited::HEADER`] bytes, or a value that is not allowed.
    fn len_of(header: &[u8]) -> Result<usize, CodecError>;
}

/// What is written of each frame is what was read of it; nothing shorter or longer is read or fits.
#[cfg(test)]
pub(crate) fn assert_frames<'a, F: Frame<'a> + PartialEq + core::fmt::Debug>(samples: &[(F, &'a [u8])]) {
    for &(frame, bytes) in samples {
        assert_eq!(F::decode(bytes), Ok(frame));
        let mut buffer = std::vec![0xff; bytes.len() + 1];
        assert_eq!(frame.encode(&mut buffer), Ok(bytes.len()));
        assert_eq!(&buffer[..bytes.len()], bytes);
        for len in 0..bytes.len() {
            assert_ne!(F::decode(&bytes[..len]), Ok(frame));
            assert!(frame.encode(&mut buffer[..len]).is_err());
        }
    }
}
