//! DER helpers for structures that have no type in the crates of the RustCrypto project.

use crate::Error;
use alloc::vec::Vec;
use der::asn1::AnyRef;
use der::{Decode, Reader, SliceReader};
use zeroize::Zeroizing;

pub(crate) const OCTET_STRING: u8 = 0x04;
pub(crate) const SEQUENCE: u8 = 0x30;

/// Encodes tag, length and the concatenated parts. The result is erased on drop, because it may hold secrets.
pub(crate) fn tlv(tag: u8, parts: &[&[u8]]) -> Zeroizing<Vec<u8>> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    let mut out = Zeroizing::new(Vec::with_capacity(length + 2 + size_of::<usize>()));
    out.push(tag);
    match u8::try_from(length) {
        Ok(short @ 0..=0x7F) => out.push(short),
        _ => {
            let bytes: Vec<u8> = length.to_be_bytes().into_iter().skip_while(|byte| *byte == 0).collect();
            // The length is encoded in at most 8 bytes.
            out.push(0x80 | bytes.len() as u8);
            out.extend_from_slice(&bytes);
        }
    }
    parts.iter().for_each(|part| out.extend_from_slice(part));
    out
}

/// Splits `bytes` into DER elements.
///
/// # Errors
/// Returns [`Error::Der`] if `bytes` are not DER.
pub(crate) fn elements<'a>(element: &'static str, bytes: &'a [u8]) -> Result<Vec<AnyRef<'a>>, Error> {
    let read = || {
        let mut reader = SliceReader::new(bytes)?;
        let mut found = Vec::new();
        while !reader.is_finished() {
            found.push(AnyRef::decode(&mut reader)?);
        }
        Ok(found)
    };
    read().map_err(Error::der(element))
}

/// Returns the first element of `bytes` with its header, or `None` if this element is incomplete.
pub(crate) fn first_element(bytes: &[u8]) -> Option<&[u8]> {
    SliceReader::new(bytes).and_then(|mut reader| reader.tlv_bytes()).ok()
}

/// Splits `bytes` into elements with their headers. Returns `None` if the last element is incomplete.
pub(crate) fn encoded_elements(mut bytes: &[u8]) -> Option<Vec<&[u8]>> {
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let (element, rest) = bytes.split_at(first_element(bytes)?.len());
        found.push(element);
        bytes = rest;
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn encodes_minimal_lengths_and_reads_them_back() {
        for length in [0, 1, 127, 128, 255, 256, 65_535, 65_536] {
            let content = vec![7; length];
            let der = tlv(OCTET_STRING, &[&content]);
            assert_eq!(elements("test", &der).unwrap()[0].value(), content);
            let twice = [der.as_slice(), &der].concat();
            assert_eq!(encoded_elements(&twice).unwrap(), [der.as_slice(), &der]);
            assert_eq!(encoded_elements(&twice[..twice.len() - 1]), None);
        }
        assert_eq!(encoded_elements(&[]), Some(Vec::new()));
    }
}
