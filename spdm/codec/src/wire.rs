//! One description of a message, three uses: reading, writing, and showing it field by field.
//!
//! A message walks over its fields once, in the order of the wire, and hands each to a [`Wire`]: a [`Reader`] fills the
//! field, a [`Writer`] writes it. Reader and writer can thus not disagree. All numbers are little-endian.

use crate::bits::{Bits, Row};
use crate::codec_error::{CodecError, Problem};

/// What a message hands its fields to.
pub trait Wire<'a> {
    /// Bytes from the start of the message to the next field.
    fn offset(&self) -> usize;

    /// A number of `len` ≤ 8 bytes; `names` says what its bits mean, and is empty for a plain number.
    ///
    /// # Errors
    /// Too few bytes, too small a buffer, or a number that does not fit.
    fn number(
        &mut self,
        what: &'static str,
        len: usize,
        value: &mut u64,
        names: &'static [Row],
    ) -> Result<(), CodecError>;

    /// `len` bytes.
    ///
    /// # Errors
    /// Too few bytes, too small a buffer, or, on writing, a value of another length.
    fn slice(&mut self, what: &'static str, len: usize, value: &mut &'a [u8]) -> Result<(), CodecError>;

    /// `N` bytes that are copied.
    ///
    /// # Errors
    /// Too few bytes, or too small a buffer.
    fn array<const N: usize>(&mut self, what: &'static str, value: &mut [u8; N]) -> Result<(), CodecError>;

    /// All bytes up to the end.
    ///
    /// # Errors
    /// Too small a buffer.
    fn rest(&mut self, what: &'static str, value: &mut &'a [u8]) -> Result<(), CodecError>;

    /// `len` reserved bytes: zero on writing, of any value on reading.
    ///
    /// # Errors
    /// Too few bytes, or too small a buffer.
    fn reserved(&mut self, len: usize) -> Result<(), CodecError>;

    /// One byte.
    ///
    /// # Errors
    /// As [`Wire::number`].
    fn u8(&mut self, what: &'static str, value: &mut u8) -> Result<(), CodecError> {
        let mut wide = u64::from(*value);
        self.number(what, 1, &mut wide, &[])?;
        *value = wide.to_le_bytes()[0];
        Ok(())
    }

    /// A byte of which only bit `bit` means anything.
    ///
    /// # Errors
    /// As [`Wire::number`].
    fn flag(&mut self, what: &'static str, bit: u8, value: &mut bool) -> Result<(), CodecError> {
        let mut byte = u8::from(*value) << bit;
        self.u8(what, &mut byte)?;
        *value = byte >> bit & 1 == 1;
        Ok(())
    }

    /// Two bytes.
    ///
    /// # Errors
    /// As [`Wire::number`].
    fn u16(&mut self, what: &'static str, value: &mut u16) -> Result<(), CodecError> {
        let mut wide = u64::from(*value);
        self.number(what, 2, &mut wide, &[])?;
        let [a, b, ..] = wide.to_le_bytes();
        *value = u16::from_le_bytes([a, b]);
        Ok(())
    }

    /// Four bytes.
    ///
    /// # Errors
    /// As [`Wire::number`].
    fn u32(&mut self, what: &'static str, value: &mut u32) -> Result<(), CodecError> {
        let mut wide = u64::from(*value);
        self.number(what, 4, &mut wide, &[])?;
        let [a, b, c, d, ..] = wide.to_le_bytes();
        *value = u32::from_le_bytes([a, b, c, d]);
        Ok(())
    }

    /// Two bytes on the wire that are four in memory.
    ///
    /// # Errors
    /// As [`Wire::number`].
    fn narrow(&mut self, what: &'static str, value: &mut u32) -> Result<(), CodecError> {
        let mut wide = u64::from(*value);
        self.number(what, 2, &mut wide, &[])?;
        let [a, b, ..] = wide.to_le_bytes();
        *value = u32::from(u16::from_le_bytes([a, b]));
        Ok(())
    }

    /// A set of bits in `len` bytes.
    ///
    /// # Errors
    /// As [`Wire::number`].
    fn bits<B: Bits>(&mut self, what: &'static str, len: usize, value: &mut B) -> Result<(), CodecError> {
        let mut wide = value.to_u64();
        self.number(what, len, &mut wide, B::ROWS)?;
        *value = B::from_u64(wide);
        Ok(())
    }

    /// A length or count of `len` bytes.
    ///
    /// # Errors
    /// As [`Wire::number`].
    fn count(&mut self, what: &'static str, len: usize, value: &mut usize) -> Result<(), CodecError> {
        let mut wide = *value as u64;
        let offset = self.offset();
        self.number(what, len, &mut wide, &[])?;
        let too_large = Problem::TooLarge { max: usize::MAX as u64, got: wide };
        *value = usize::try_from(wide).map_err(|_| CodecError { what, offset, problem: too_large })?;
        Ok(())
    }

    /// A length of `len` bytes, and right after it as many bytes.
    ///
    /// # Errors
    /// As [`Wire::number`] and [`Wire::slice`].
    fn counted(
        &mut self,
        length: &'static str,
        len: usize,
        what: &'static str,
        value: &mut &'a [u8],
    ) -> Result<(), CodecError> {
        let mut count = value.len();
        self.count(length, len, &mut count)?;
        self.slice(what, count, value)
    }

    /// `count` elements of `N` bytes.
    ///
    /// # Errors
    /// As [`Wire::slice`].
    fn elements<const N: usize>(
        &mut self,
        what: &'static str,
        count: usize,
        value: &mut &'a [[u8; N]],
    ) -> Result<(), CodecError> {
        let mut bytes = value.as_flattened();
        self.slice(what, count.saturating_mul(N), &mut bytes)?;
        *value = bytes.as_chunks().0;
        Ok(())
    }

    /// An error about the field that began at `offset`.
    fn refuse(&self, what: &'static str, offset: usize, expected: &'static str, got: u64) -> CodecError {
        CodecError { what, offset, problem: Problem::Value { expected, got } }
    }
}

/// Sees every field that a [`Reader`] reads, in the order of the wire.
pub trait Observer<'a> {
    /// One field.
    fn field(&mut self, field: Field<'a>);
}

impl Observer<'_> for () {
    fn field(&mut self, _field: Field<'_>) {}
}

/// A field as it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field<'a> {
    /// Its name in the standard.
    pub what: &'static str,
    /// Bytes from the start of the message.
    pub offset: usize,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// What it holds.
    pub value: Value,
}

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number.
    Number(u64),
    /// Bits with names.
    Bits(u64, &'static [Row]),
    /// Bytes, as they are.
    Bytes,
    /// Bytes that mean nothing.
    Reserved,
}

/// Reads a message out of bytes.
#[derive(Debug)]
pub struct Reader<'a, O = ()> {
    bytes: &'a [u8],
    offset: usize,
    observer: O,
}

impl<'a> Reader<'a> {
    /// Reads from `offset` on; `offset` counts in errors.
    pub fn new(bytes: &'a [u8], offset: usize) -> Self {
        Self::observed(bytes, offset, ())
    }
}

impl<'a, O: Observer<'a>> Reader<'a, O> {
    /// As [`Reader::new`], and shows every field to `observer`.
    pub fn observed(bytes: &'a [u8], offset: usize, observer: O) -> Self {
        Self { bytes, offset, observer }
    }

    /// `Ok` at the end of the bytes.
    ///
    /// # Errors
    /// [`Problem::Trailing`] anywhere else.
    pub fn end(&self) -> Result<(), CodecError> {
        match self.bytes.len().saturating_sub(self.offset) {
            0 => Ok(()),
            extra => {
                Err(CodecError { what: "message", offset: self.offset, problem: Problem::Trailing { extra } })
            }
        }
    }

    fn take(&mut self, what: &'static str, needed: usize) -> Result<&'a [u8], CodecError> {
        let offset = self.offset;
        let left = self.bytes.get(offset..).unwrap_or_default();
        let truncated = Problem::Truncated { needed, left: left.len() };
        let taken = left.get(..needed).ok_or(CodecError { what, offset, problem: truncated })?;
        self.offset += needed;
        Ok(taken)
    }

    fn show(&mut self, what: &'static str, bytes: &'a [u8], value: Value) {
        if !bytes.is_empty() {
            self.observer.field(Field { what, offset: self.offset - bytes.len(), bytes, value });
        }
    }
}

impl<'a, O: Observer<'a>> Wire<'a> for Reader<'a, O> {
    fn offset(&self) -> usize {
        self.offset
    }

    fn number(
        &mut self,
        what: &'static str,
        len: usize,
        value: &mut u64,
        names: &'static [Row],
    ) -> Result<(), CodecError> {
        let bytes = self.take(what, len)?;
        *value = bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
        let shown = if names.is_empty() { Value::Number(*value) } else { Value::Bits(*value, names) };
        self.show(what, bytes, shown);
        Ok(())
    }

    fn slice(&mut self, what: &'static str, len: usize, value: &mut &'a [u8]) -> Result<(), CodecError> {
        *value = self.take(what, len)?;
        self.show(what, value, Value::Bytes);
        Ok(())
    }

    fn array<const N: usize>(&mut self, what: &'static str, value: &mut [u8; N]) -> Result<(), CodecError> {
        let bytes = self.take(what, N)?;
        value.copy_from_slice(bytes);
        self.show(what, bytes, Value::Bytes);
        Ok(())
    }

    fn rest(&mut self, what: &'static str, value: &mut &'a [u8]) -> Result<(), CodecError> {
        self.slice(what, self.bytes.len().saturating_sub(self.offset), value)
    }

    fn reserved(&mut self, len: usize) -> Result<(), CodecError> {
        let bytes = self.take("reserved", len)?;
        self.show("reserved", bytes, Value::Reserved);
        Ok(())
    }
}

/// Writes a message into a caller's buffer.
#[derive(Debug)]
pub struct Writer<'b> {
    buffer: &'b mut [u8],
    offset: usize,
}

impl<'b> Writer<'b> {
    /// Writes from the start of `buffer`.
    pub fn new(buffer: &'b mut [u8]) -> Self {
        Self { buffer, offset: 0 }
    }

    fn put(&mut self, what: &'static str, value: &[u8]) -> Result<(), CodecError> {
        self.room(what, value.len())?.copy_from_slice(value);
        Ok(())
    }

    fn room(&mut self, what: &'static str, needed: usize) -> Result<&mut [u8], CodecError> {
        let offset = self.offset;
        let left = self.buffer.get_mut(offset..).unwrap_or_default();
        let no_room = Problem::NoRoom { needed, left: left.len() };
        let room = left.get_mut(..needed).ok_or(CodecError { what, offset, problem: no_room })?;
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
        what: &'static str,
        len: usize,
        value: &mut u64,
        _names: &'static [Row],
    ) -> Result<(), CodecError> {
        let bytes = value.to_le_bytes();
        let (low, high) = bytes.split_at(len.min(bytes.len()));
        if high.iter().any(|&byte| byte != 0) {
            let max = u64::MAX >> (8 * high.len());
            let problem = Problem::TooLarge { max, got: *value };
            return Err(CodecError { what, offset: self.offset, problem });
        }
        self.put(what, low)
    }

    fn slice(&mut self, what: &'static str, len: usize, value: &mut &'a [u8]) -> Result<(), CodecError> {
        if value.len() != len {
            let problem = Problem::Length { expected: len, got: value.len() };
            return Err(CodecError { what, offset: self.offset, problem });
        }
        self.put(what, value)
    }

    fn array<const N: usize>(&mut self, what: &'static str, value: &mut [u8; N]) -> Result<(), CodecError> {
        self.put(what, value)
    }

    fn rest(&mut self, what: &'static str, value: &mut &'a [u8]) -> Result<(), CodecError> {
        self.put(what, value)
    }

    fn reserved(&mut self, len: usize) -> Result<(), CodecError> {
        self.room("reserved", len)?.fill(0);
        Ok(())
    }
}
