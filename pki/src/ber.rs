//! Conversion of BER, X.690 section 8, to DER as far as readers require it: definite lengths, and strings in one
//! piece.

use crate::asn1::{OCTET_STRING, tlv};
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// Converts a BER element to DER. Returns `None` if `bytes` is not exactly one BER element. The result differs from DER
/// in one respect, which does not matter to readers: sets keep their order.
///
/// Secret: `bytes`, which may hold unencrypted keys.
pub(crate) fn to_der(bytes: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let mut reader = Reader { rest: bytes };
    let element = reader.element(MAX_DEPTH)?;
    reader.rest.is_empty().then_some(element)
}

/// Maximum nesting depth. Key documents are nested less deeply.
const MAX_DEPTH: usize = 32;

/// Bit of a tag that marks a constructed element, X.690 section 8.1.2.5.
const CONSTRUCTED: u8 = 0x20;

/// Marks the end of contents of indefinite length, X.690 section 8.1.5.
const END_OF_CONTENTS: [u8; 2] = [0, 0];

struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (first, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(first)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|first| first[0])
    }

    /// Reads one element, at most `depth` levels deep, and returns it as DER. Returns `None` for malformed BER and for
    /// tag numbers above 30, which no supported document has.
    fn element(&mut self, depth: usize) -> Option<Zeroizing<Vec<u8>>> {
        let tag = self.byte()?;
        if tag & 0x1F == 0x1F {
            return None;
        }
        let is_constructed = tag & CONSTRUCTED != 0;
        match self.length()? {
            Some(length) if !is_constructed => Some(tlv(tag, &[self.take(length)?])),
            Some(length) => {
                let mut inner = Reader { rest: self.take(length)? };
                let mut parts = Vec::new();
                while !inner.rest.is_empty() {
                    parts.push(inner.element(depth.checked_sub(1)?)?);
                }
                join_pieces(tag, &parts)
            }
            None if is_constructed => {
                let mut parts = Vec::new();
                while !self.rest.starts_with(&END_OF_CONTENTS) {
                    parts.push(self.element(depth.checked_sub(1)?)?);
                }
                self.take(END_OF_CONTENTS.len())?;
                join_pieces(tag, &parts)
            }
            None => None,
        }
    }

    /// Reads a length, X.690 section 8.1.3. Returns `Some(None)` for an indefinite length, and `None` for a malformed
    /// one.
    fn length(&mut self) -> Option<Option<usize>> {
        match self.byte()? {
            short @ 0..=0x7F => Some(Some(short.into())),
            0x80 => Some(None),
            long => {
                let digits = self.take(usize::from(long & 0x7F))?;
                let shift = |length: usize, byte: &u8| length.checked_mul(256)?.checked_add((*byte).into());
                digits.iter().try_fold(0, shift).map(Some)
            }
        }
    }
}

/// Encodes a constructed element. Joins the pieces of a constructed OCTET STRING, X.690 section 8.7.3. Returns `None`
/// if a piece is not an OCTET STRING.
fn join_pieces(tag: u8, parts: &[Zeroizing<Vec<u8>>]) -> Option<Zeroizing<Vec<u8>>> {
    if tag != OCTET_STRING | CONSTRUCTED {
        let parts: Vec<&[u8]> = parts.iter().map(|part| part.as_slice()).collect();
        return Some(tlv(tag, &parts));
    }
    let contents: Option<Vec<&[u8]>> = parts.iter().map(|part| octets(part)).collect();
    Some(tlv(OCTET_STRING, &contents?))
}

/// Returns the content of an OCTET STRING produced by [`Reader::element`].
fn octets(element: &[u8]) -> Option<&[u8]> {
    match element {
        [OCTET_STRING, length @ 0..=0x7F, content @ ..] if content.len() == usize::from(*length) => {
            Some(content)
        }
        [OCTET_STRING, long, content @ ..] => content.get(usize::from(long & 0x7F)..),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joins_pieces_and_counts_lengths() {
        let long = [7; 200];
        let whole = tlv(OCTET_STRING, &[&long]);
        let pieces: [(&[u8], &[u8]); 6] = [
            // definite lengths, minimal or not
            (&[0x30, 3, 2, 1, 5], &[0x30, 3, 2, 1, 5]),
            (&[0x30, 0x82, 0, 4, 2, 0x81, 1, 5], &[0x30, 3, 2, 1, 5]),
            // an indefinite length
            (&[0x30, 0x80, 2, 1, 5, 0, 0], &[0x30, 3, 2, 1, 5]),
            (&[0xA0, 0x80, 0x30, 0x80, 0, 0, 0, 0], &[0xA0, 2, 0x30, 0]),
            // strings in pieces, which may be in pieces themselves
            (&[0x24, 0x80, 4, 2, 1, 2, 0x24, 3, 4, 1, 3, 4, 0, 0, 0], &[4, 3, 1, 2, 3]),
            (&[0x24, 0], &[4, 0]),
        ];
        for (ber, der) in pieces {
            assert_eq!(to_der(ber).expect("BER").as_slice(), der, "{ber:x?}");
        }
        let in_pieces = [&[0x24, 0x80][..], &whole, &[0, 0]].concat();
        assert_eq!(to_der(&in_pieces).expect("BER").as_slice(), whole.as_slice());
    }

    #[test]
    fn rejects_truncated_and_too_deeply_nested_elements() {
        let mut deep = [0x30, 0x80].repeat(MAX_DEPTH + 2);
        deep.extend([0; 2].repeat(MAX_DEPTH + 2));
        for bytes in [
            &[][..],
            &[0x30],
            &[0x30, 2, 5],
            &[0x30, 0x80, 5, 0],
            &[4, 0x80, 1, 0, 0],
            &[0x30, 0x89, 1, 0, 0, 0, 0, 0, 0, 0, 0],
            &[0x24, 2, 2, 0],
            &[0x1F, 1, 0],
            &[0x30, 0, 0],
            &deep,
        ] {
            assert_eq!(to_der(bytes), None, "{bytes:x?}");
        }
    }
}
