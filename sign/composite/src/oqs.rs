//! How OQS joins two parts: the length of the first in 4 bytes, big-endian, then both. Signatures, public and private keys
//! are all joined so.

/// The bytes of the length.
pub(crate) const LENGTH: usize = 4;

/// The classical part with its length, then the others. The result is as secret as they are.
pub(crate) fn join(classical: &[u8], others: &[&[u8]]) -> Vec<u8> {
    let length =
        u32::try_from(classical.len()).expect("classical keys and signatures are short").to_be_bytes();
    let total = LENGTH + classical.len() + others.iter().map(|part| part.len()).sum::<usize>();
    // at once, so that no copy of a secret stays behind in memory given back
    let mut joined = Vec::with_capacity(total);
    [&length[..], classical].iter().chain(others).for_each(|part| joined.extend_from_slice(part));
    joined
}

/// The classical part, and the rest; `None` if there are fewer bytes than the length says.
pub(crate) fn split(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, parts) = bytes.split_first_chunk::<LENGTH>()?;
    parts.split_at_checked(u32::from_be_bytes(*length).try_into().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_joined_is_split_again_and_what_is_cut_is_not() {
        let joined = join(b"abc", &[b"de", b"f"]);
        assert_eq!(joined, b"\0\0\0\x03abcdef");
        assert_eq!(split(&joined), Some((&b"abc"[..], &b"def"[..])));
        assert!((0..7).all(|len| split(&joined[..len]).is_none()));
        assert!(split(&[0xFF; 12]).is_none(), "a length beyond the end");
    }
}
