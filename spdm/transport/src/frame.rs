//! Frames: a header and a payload. Like a message, a frame describes its fields once, for decoding, encoding and
//! observing.

use grille_spdm_codec::CodecError;
use grille_spdm_codec::wire::{Observer, Reader, Wire, Writer};

/// A frame. `Default` is a frame in which all fields are zero or empty.
pub trait Frame<'a>: Copy + Default {
    /// Passes every field to `wire`.
    ///
    /// # Errors
    /// Returns the errors of [`Wire`], or an error if a field that determines the layout has an invalid value.
    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError>;

    /// Decodes a frame.
    ///
    /// # Errors
    /// Returns an error if there are too few or too many bytes, or a field that determines the layout is invalid.
    fn decode(bytes: &'a [u8]) -> Result<Self, CodecError> {
        Self::observe(bytes, &mut ())
    }

    /// Decodes a frame, and shows every field to `observer`.
    ///
    /// # Errors
    /// The errors of [`Frame::decode`]; `observer` has then seen the fields before the error.
    fn observe(bytes: &'a [u8], observer: &mut impl Observer<'a>) -> Result<Self, CodecError> {
        let mut frame = Self::default();
        let mut reader = Reader::with_observer(bytes, 0, observer);
        frame.visit_fields(&mut reader)?;
        reader.end()?;
        Ok(frame)
    }

    /// Writes the frame, and returns its length in bytes.
    ///
    /// # Errors
    /// Returns an error if the buffer is too small, or the length does not fit into the header.
    fn encode(&self, buffer: &mut [u8]) -> Result<usize, CodecError> {
        let mut writer = Writer::new(buffer);
        let mut frame = *self;
        frame.visit_fields(&mut writer)?;
        Ok(writer.offset())
    }
}

/// A frame that contains its own length, so that frames can follow each other on a stream.
pub trait Delimited<'a>: Frame<'a> {
    /// Length of the header in bytes.
    const HEADER: usize;

    /// Returns the length of the whole frame in bytes, from its header.
    ///
    /// # Errors
    /// Returns an error if there are fewer than [`Delimited::HEADER`] bytes, or a value is invalid.
    fn frame_len(header: &[u8]) -> Result<usize, CodecError>;
}

/// Asserts that each frame round-trips, that truncated bytes do not decode to the frame, and that shorter buffers are
/// rejected.
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
