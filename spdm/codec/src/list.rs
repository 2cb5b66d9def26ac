//! Lists whose elements say their own lengths, one after the other up to the end of the list.

use crate::codec_error::CodecError;
use crate::wire::{Observer, Reader, Wire, Writer};
use core::marker::PhantomData;

/// An element of a list.
pub trait Item<'a>: Copy + Default {
    /// Hands every field to `wire`.
    ///
    /// # Errors
    /// What [`Wire`] says of a field, or a value that the standard does not allow where the layout depends on it.
    fn walk<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError>;

    /// Takes note of its own bytes after it was read.
    fn note(&mut self, _bytes: &'a [u8]) {}
}

/// Writes one element, and returns its length in bytes.
///
/// # Errors
/// Too small a buffer, or a part that is too long for its length.
pub fn encode<'a>(item: impl Item<'a>, buffer: &mut [u8]) -> Result<usize, CodecError> {
    encode_all(&[item], buffer)
}

/// Writes elements one behind the other, and returns their length in bytes.
///
/// # Errors
/// Too small a buffer, or a part that is too long for its length; its offset counts from the list's begin.
pub fn encode_all<'a>(items: &[impl Item<'a>], buffer: &mut [u8]) -> Result<usize, CodecError> {
    let mut writer = Writer::new(buffer);
    for item in items {
        let mut item = *item;
        item.walk(&mut writer)?;
    }
    Ok(writer.offset())
}

/// The element that `bytes` are.
///
/// # Errors
/// What [`Item::walk`] says, or bytes after the end.
pub fn decode<'a, T: Item<'a>>(bytes: &'a [u8]) -> Result<T, CodecError> {
    let (item, len) = decode_prefix(bytes)?;
    Reader::new(bytes, len).end()?;
    Ok(item)
}

/// The element that `bytes` begin with, and its length: a part that reaches to the end of a message can be padded, as
/// on PCI DOE.
///
/// # Errors
/// What [`Item::walk`] says.
pub fn decode_prefix<'a, T: Item<'a>>(bytes: &'a [u8]) -> Result<(T, usize), CodecError> {
    let mut items = Items::new(bytes);
    let item = items.read()?;
    Ok((item, items.offset))
}

/// As [`decode_prefix`], but shows every field to `observer`, and returns the length alone.
///
/// # Errors
/// What [`Item::walk`] says; the fields before the error have been shown.
pub fn observe<'a, T: Item<'a>>(
    bytes: &'a [u8],
    observer: &mut impl Observer<'a>,
) -> Result<usize, CodecError> {
    let mut reader = Reader::observed(bytes, 0, observer);
    T::default().walk(&mut reader)?;
    Ok(reader.offset())
}

/// The elements of a list; ends after the first that is malformed. Offsets in errors count from the list's begin.
#[derive(Clone, Copy, Debug)]
pub struct Items<'a, T> {
    bytes: &'a [u8],
    offset: usize,
    items: PhantomData<T>,
}

impl<'a, T> Items<'a, T> {
    /// The elements in `bytes`.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, offset: 0, items: PhantomData }
    }
}

impl<'a, T: Item<'a>> Items<'a, T> {
    fn read(&mut self) -> Result<T, CodecError> {
        let mut reader = Reader::new(self.bytes, self.offset);
        let mut item = T::default();
        item.walk(&mut reader)?;
        let end = reader.offset();
        item.note(self.bytes.get(self.offset..end).unwrap_or_default());
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

/// What is written of every element is what was read of it, alone and in a list; nothing shorter is read.
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
