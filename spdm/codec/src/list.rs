//! Lists of self-delimiting elements, up to the end of the list.

use crate::codec_error::CodecError;
use crate::wire::{Observer, Reader, Wire, Writer};
use core::marker::PhantomData;

/// An element of a list.
pub trait Item<'a>: Copy + Default {
    /// Passes every field to `wire`.
    ///
    /// # Errors
    /// Returns the errors of [`Wire`], or an error if a field that determines the layout has an invalid value.
    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError>;

    /// Stores the bytes from which the element was decoded. Does nothing by default.
    fn set_encoding(&mut self, _bytes: &'a [u8]) {}
}

/// Writes one element, and returns its length in bytes.
///
/// # Errors
/// Returns an error if the buffer is too small, or a part is too long for its length field.
pub fn encode<'a>(item: impl Item<'a>, buffer: &mut [u8]) -> Result<usize, CodecError> {
    encode_all(&[item], buffer)
}

/// Writes elements one after the other, and returns their total length in bytes.
///
/// # Errors
/// Returns an error if the buffer is too small, or a part is too long for its length field. The error's offset counts
/// from the start of the list.
pub fn encode_all<'a>(items: &[impl Item<'a>], buffer: &mut [u8]) -> Result<usize, CodecError> {
    let mut writer = Writer::new(buffer);
    for item in items {
        let mut item = *item;
        item.visit_fields(&mut writer)?;
    }
    Ok(writer.offset())
}

/// Decodes a single element.
///
/// # Errors
/// Returns the errors of [`Item::visit_fields`], or an error if bytes follow after the end.
pub fn decode<'a, T: Item<'a>>(bytes: &'a [u8]) -> Result<T, CodecError> {
    let (item, len) = decode_prefix(bytes)?;
    Reader::new(bytes, len).end()?;
    Ok(item)
}

/// Decodes the element at the start of `bytes`, and returns it with its length. Padding may follow, as on PCI DOE.
///
/// # Errors
/// The errors of [`Item::visit_fields`].
pub fn decode_prefix<'a, T: Item<'a>>(bytes: &'a [u8]) -> Result<(T, usize), CodecError> {
    let mut items = Items::new(bytes);
    let item = items.read()?;
    Ok((item, items.offset))
}

/// Decodes the element at the start of `bytes`, shows every field to `observer`, and returns the length.
///
/// # Errors
/// The errors of [`Item::visit_fields`]; `observer` has then seen the fields before the error.
pub fn observe<'a, T: Item<'a>>(
    bytes: &'a [u8],
    observer: &mut impl Observer<'a>,
) -> Result<usize, CodecError> {
    let mut reader = Reader::with_observer(bytes, 0, observer);
    T::default().visit_fields(&mut reader)?;
    Ok(reader.offset())
}

/// Iterates over the elements of a list; ends after the first malformed one. Offsets in errors count from the start
/// of the list.
#[derive(Clone, Copy, Debug)]
pub struct Items<'a, T> {
    bytes: &'a [u8],
    offset: usize,
    items: PhantomData<T>,
}

impl<'a, T> Items<'a, T> {
    /// Creates an iterator over the elements in `bytes`.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, offset: 0, items: PhantomData }
    }
}

impl<'a, T: Item<'a>> Items<'a, T> {
    fn read(&mut self) -> Result<T, CodecError> {
        let mut reader = Reader::new(self.bytes, self.offset);
        let mut item = T::default();
        item.visit_fields(&mut reader)?;
        let end = reader.offset();
        item.set_encoding(self.bytes.get(self.offset..end).unwrap_or_default());
        self.offset = end;
        Ok(item)
    }
}

impl<'a, T: Item<'a>> Iterator for Items<'a, T> {
    type Item = Result<T, CodecError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.offset >= self.bytes.len() {
            return None;
        }
        let item = self.read();
        if item.is_err() {
            self.offset = self.bytes.len();
        }
        Some(item)
    }
}

/// Asserts that each element round-trips, alone and in a list, and that truncated elements are rejected.
#[cfg(test)]
pub(crate) fn assert_items<'a, T: Item<'a> + PartialEq + core::fmt::Debug>(samples: &[(T, &'a [u8])]) {
    let mut list = alloc::vec::Vec::new();
    for &(item, bytes) in samples {
        let mut buffer = [0xff; 64];
        assert_eq!(decode(bytes), Ok(item));
        let padded = [bytes, &[0; 3]].concat().leak();
        assert_eq!(decode_prefix(padded), Ok((item, bytes.len())));
        assert!(decode::<T>(padded).is_err());
        assert_eq!(encode(item, &mut buffer), Ok(bytes.len()));
        assert_eq!(&buffer[..bytes.len()], bytes);
        for len in 0..bytes.len() {
            assert!(encode(item, &mut buffer[..len]).is_err());
            assert!(Items::<T>::new(&bytes[..len]).all(|item| item.is_err()));
        }
        list.extend_from_slice(bytes);
    }
    let items: Result<alloc::vec::Vec<T>, _> = Items::new(&*list.leak()).collect();
    let items = items.unwrap();
    assert!(items.iter().eq(samples.iter().map(|(item, _)| item)));
    let mut buffer = [0xff; 256];
    let len = encode_all(&items, &mut buffer).unwrap();
    assert!(buffer[..len].iter().eq(samples.iter().flat_map(|(_, bytes)| *bytes)));
    assert!(encode_all(&items, &mut buffer[..len - 1]).is_err());
}
