//! Field-by-field decoding, encoding and observation of messages, from one description.
//!
//! A message passes its fields to a [`Wire`] in wire order: a [`Reader`] fills each field, a [`Writer`] writes it.
//! Because there is only one description, reader and writer cannot disagree. All numbers are little-endian.

use crate::bits::{Bits, Row};
use crate::codec_error::{CodecError, Problem};

/// A destination or source of message fields.
pub trait Wire<'a> {
    /// Returns the offset of the next field, in bytes from the start of the message.
    fn offset(&self) -> usize;

    /// Processes a number of `len` ≤ 8 bytes. `names` describes its bits, and is empty for a plain number.
    ///
    /// # Errors
    /// Returns an error if there are too few bytes, the buffer is too small, or the number does not fit.
    fn number(
        &mut self,
        name: &'static str,
        len: usize,
        value: &mut u64,
        names: &'static [Row],
    ) -> Result<(), CodecError>;

    /// Processes `len` bytes.
    ///
    /// # Errors
    /// Returns an error if there are too few bytes, the buffer is too small, or the value to write has another length.
    fn slice(&mut self, name: &'static str, len: usize, value: &mut &'a [u8]) -> Result<(), CodecError>;

    /// Processes `N` bytes, which a reader copies into `value`.
    ///
    /// # Errors
    /// Returns an error if there are too few bytes, or the buffer is too small.
    fn array<const N: usize>(&mut self, name: &'static str, value: &mut [u8; N]) -> Result<(), CodecError>;

    /// Processes all bytes up to the end.
    ///
    /// # Errors
    /// Returns an error if the buffer is too small.
    fn rest(&mut self, name: &'static str, value: &mut &'a [u8]) -> Result<(), CodecError>;

    /// Processes `len` reserved bytes: writes zeros, and ignores their value when reading.
    ///
    /// # Errors
    /// Returns an error if there are too few bytes, or the buffer is too small.
    fn reserved(&mut self, len: usize) -> Result<(), CodecError>;

    /// Processes a byte.
    ///
    /// # Errors
    /// The errors of [`Wire::number`].
    fn u8(&mut self, name: &'static str, value: &mut u8) -> Result<(), CodecError> {
        let mut wide = u64::from(*value);
        self.number(name, 1, &mut wide, &[])?;
        *value = wide.to_le_bytes()[0];
        Ok(())
    }

    /// Processes a byte whose bit `bit` is a flag; the other bits are reserved.
    ///
    /// # Errors
    /// The errors of [`Wire::number`].
    fn flag(&mut self, name: &'static str, bit: u8, value: &mut bool) -> Result<(), CodecError> {
        let mut byte = u8::from(*value) << bit;
        self.u8(name, &mut byte)?;
        *value = byte >> bit & 1 == 1;
        Ok(())
    }

    /// Processes a number of two bytes.
    ///
    /// # Errors
    /// The errors of [`Wire::number`].
    fn u16(&mut self, name: &'static str, value: &mut u16) -> Result<(), CodecError> {
        let mut wide = u64::from(*value);
        self.number(name, 2, &mut wide, &[])?;
        let [a, b, ..] = wide.to_le_bytes();
        *value = u16::from_le_bytes([a, b]);
        Ok(())
    }

    /// Processes a number of four bytes.
    ///
    /// # Errors
    /// The errors of [`Wire::number`].
    fn u32(&mut self, name: &'static str, value: &mut u32) -> Result<(), CodecError> {
        let mut wide = u64::from(*value);
        self.number(name, 4, &mut wide, &[])?;
        let [a, b, c, d, ..] = wide.to_le_bytes();
        *value = u32::from_le_bytes([a, b, c, d]);
        Ok(())
    }

    /// Processes a number of two bytes on the wire and four in memory.
    ///
    /// # Errors
    /// The errors of [`Wire::number`].
    fn u16_as_u32(&mut self, name: &'static str, value: &mut u32) -> Result<(), CodecError> {
        let mut wide = u64::from(*value);
        self.number(name, 2, &mut wide, &[])?;
        let [a, b, ..] = wide.to_le_bytes();
        *value = u32::from(u16::from_le_bytes([a, b]));
        Ok(())
    }

    /// Processes a set of bits of `len` bytes.
    ///
    /// # Errors
    /// The errors of [`Wire::number`].
    fn bits<B: Bits>(&mut self, name: &'static str, len: usize, value: &mut B) -> Result<(), CodecError> {
        let mut wide = value.to_u64();
        self.number(name, len, &mut wide, B::ROWS)?;
        *value = B::from_u64(wide);
        Ok(())
    }

    /// Processes a length or count of `len` bytes.
    ///
    /// # Errors
    /// The errors of [`Wire::number`].
    fn count(&mut self, name: &'static str, len: usize, value: &mut usize) -> Result<(), CodecError> {
        let mut wide = *value as u64;
        let offset = self.offset();
        self.number(name, len, &mut wide, &[])?;
        let too_large = Problem::TooLarge { max: usize::MAX as u64, got: wide };
        *value = usize::try_from(wide).map_err(|_| CodecError { name, offset, problem: too_large })?;
        Ok(())
    }

    /// Processes a length of `len` bytes, followed by that many bytes.
    ///
    /// # Errors
    /// The errors of [`Wire::number`] and [`Wire::slice`].
    fn length_prefixed(
        &mut self,
        length: &'static str,
        len: usize,
        name: &'static str,
        value: &mut &'a [u8],
    ) -> Result<(), CodecError> {
        let mut count = value.len();
        self.count(length, len, &mut count)?;
        self.slice(name, count, value)
    }

    /// Processes `count` elements of `N` bytes.
    ///
    /// # Errors
    /// The errors of [`Wire::slice`].
    fn elements<const N: usize>(
        &mut self,
        name: &'static str,
        count: usize,
        value: &mut &'a [[u8; N]],
    ) -> Result<(), CodecError> {
        let mut bytes = value.as_flattened();
        self.slice(name, count.saturating_mul(N), &mut bytes)?;
        *value = bytes.as_chunks().0;
        Ok(())
    }

    /// Returns an error: the field at `offset` has the invalid value `got`.
    fn invalid_value(
        &self,
        name: &'static str,
        offset: usize,
        expected: &'static str,
        got: u64,
    ) -> CodecError {
        CodecError { name, offset, problem: Problem::Value { expected, got } }
    }
}

/// Observes every field that a [`Reader`] reads, in wire order.
pub trait Observer<'a> {
    /// Observes a field.
    fn field(&mut self, field: Field<'a>);
}

impl Observer<'_> for () {
    fn field(&mut self, _field: Field<'_>) {}
}

/// A decoded field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field<'a> {
    /// The name in the standard.
    pub name: &'static str,
    /// The offset in bytes from the start of the message.
    pub offset: usize,
    /// The bytes of the field.
    pub bytes: &'a [u8],
    /// The interpretation of the bytes.
    pub value: Value,
}

/// The interpretation of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number.
    Number(u64),
    /// Named bits.
    Bits(u64, &'static [Row]),
    /// Plain bytes.
    Bytes,
    /// Reserved bytes.
    Reserved,
}

/// Decodes a message from bytes.
#[derive(Debug)]
pub struct Reader<'a, O = ()> {
    bytes: &'a [u8],
    offset: usize,
    observer: O,
}

impl<'a> Reader<'a> {
    /// Creates a reader of `bytes` that starts at `offset`. Offsets in errors count from the start of `bytes`.
    pub fn new(bytes: &'a [u8], offset: usize) -> Self {
        Self::with_observer(bytes, offset, ())
    }
}

impl<'a, O: Observer<'a>> Reader<'a, O> {
    /// Creates a reader of `bytes` that starts at `offset` and shows every field to `observer`. Offsets in errors count
    /// from the start of `bytes`.
    pub fn with_observer(bytes: &'a [u8], offset: usize, observer: O) -> Self {
        Self { bytes, offset, observer }
    }

    /// Checks that all bytes were read.
    ///
    /// # Errors
    /// Returns [`Problem::Trailing`] if bytes are left.
    pub fn end(&self) -> Result<(), CodecError> {
        match self.bytes.len().saturating_sub(self.offset) {
            0 => Ok(()),
            extra => {
                Err(CodecError { name: "message", offset: self.offset, problem: Problem::Trailing { extra } })
            }
        }
    }

    fn take(&mut self, name: &'static str, needed: usize) -> Result<&'a [u8], CodecError> {
        let offset = self.offset;
        let left = self.bytes.get(offset..).unwrap_or_default();
        let truncated = Problem::Truncated { needed, left: left.len() };
        let taken = left.get(..needed).ok_or(CodecError { name, offset, problem: truncated })?;
        self.offset += needed;
        Ok(taken)
    }

    fn show(&mut self, name: &'static str, bytes: &'a [u8], value: Value) {
        if !bytes.is_empty() {
            self.observer.field(Field { name, offset: self.offset - bytes.len(), bytes, value });
        }
    }
}

impl<'a, O: Observer<'a>> Wire<'a> for Reader<'a, O> {
    fn offset(&self) -> usize {
        self.offset
    }

    fn number(
        &mut self,
        name: &'static str,
        len: usize,
        value: &mut u64,
        names: &'static [Row],
    ) -> Result<(), CodecError> {
        let bytes = self.take(name, len)?;
        *value = bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
        let shown = if names.is_empty() { Value::Number(*value) } else { Value::Bits(*value, names) };
        self.show(name, bytes, shown);
        Ok(())
    }

    fn slice(&mut self, name: &'static str, len: usize, value: &mut &'a [u8]) -> Result<(), CodecError> {
        *value = self.take(name, len)?;
        self.show(name, value, Value::Bytes);
        Ok(())
    }

    fn array<const N: usize>(&mut self, name: &'static str, value: &mut [u8; N]) -> Result<(), CodecError> {
        let bytes = self.take(name, N)?;
        value.copy_from_slice(bytes);
        self.show(name, bytes, Value::Bytes);
        Ok(())
    }

    fn rest(&mut self, name: &'static str, value: &mut &'a [u8]) -> Result<(), CodecError> {
        self.slice(name, self.bytes.len().saturating_sub(self.offset), value)
    }

    fn reserved(&mut self, len: usize) -> Result<(), CodecError> {
        let bytes = self.take("reserved", len)?;
        self.show("reserved", bytes, Value::Reserved);
        Ok(())
    }
}

/// Encodes a message into a caller's buffer.
#[derive(Debug)]
pub struct Writer<'b> {
    buffer: &'b mut [u8],
    offset: usize,
}

impl<'b> Writer<'b> {
    /// Creates a writer that starts at the beginning of `buffer`.
    pub fn new(buffer: &'b mut [u8]) -> Self {
        Self { buffer, offset: 0 }
    }

    fn put(&mut self, name: &'static str, value: &[u8]) -> Result<(), CodecError> {
        self.room(name, value.len())?.copy_from_slice(value);
        Ok(())
    }

    fn room(&mut self, name: &'static str, needed: usize) -> Result<&mut [u8], CodecError> {
        let offset = self.offset;
        let left = self.buffer.get_mut(offset..).unwrap_or_default();
        let no_room = Problem::NoRoom { needed, left: left.len() };
        let room = left.get_mut(..needed).ok_or(CodecError { name, offset, problem: no_room })?;
        self.offset += needed;
        Ok(room)
    }
}

impl<'a> Wire<'a> for Writer<'_> {
    fn offset(&self) -> usize {
        self.offset
    }

    fn number(
        &mut self,
        name: &'static str,
        len: usize,
        value: &mut u64,
        _names: &'static [Row],
    ) -> Result<(), CodecError> {
        let bytes = value.to_le_bytes();
        let (low, high) = bytes.split_at(len.min(bytes.len()));
        if high.iter().any(|&byte| byte != 0) {
            let max = u64::MAX >> (8 * high.len());
            let problem = Problem::TooLarge { max, got: *value };
            return Err(CodecError { name, offset: self.offset, problem });
        }
        self.put(name, low)
    }

    fn slice(&mut self, name: &'static str, len: usize, value: &mut &'a [u8]) -> Result<(), CodecError> {
        if value.len() != len {
            let problem = Problem::Length { expected: len, got: value.len() };
            return Err(CodecError { name, offset: self.offset, problem });
        }
        self.put(name, value)
    }

    fn array<const N: usize>(&mut self, name: &'static str, value: &mut [u8; N]) -> Result<(), CodecError> {
        self.put(name, value)
    }

    fn rest(&mut self, name: &'static str, value: &mut &'a [u8]) -> Result<(), CodecError> {
        self.put(name, value)
    }

    fn reserved(&mut self, len: usize) -> Result<(), CodecError> {
        self.room("reserved", len)?.fill(0);
        Ok(())
    }
}
