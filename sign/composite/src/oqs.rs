//! The OQS encoding of two parts: the length of the classical part in 4 bytes, big-endian, then the classical
//! part and the post-quantum part. This encoding is used for signatures, public keys and private keys.

/// The number of bytes of the length field.
pub(crate) const LENGTH_FIELD_LEN: usize = 4;

/// Concatenates the length of the classical part, the classical part and `others`. The result is secret if a
/// part is secret.
pub(crate) fn join(classical: &[u8], others: &[&[u8]]) -> Vec<u8> {
    let length =
        u32::try_from(classical.len()).expect("classical keys and signatures are short").to_be_bytes();
    let total = LENGTH_FIELD_LEN + classical.len() + others.iter().map(|part| part.len()).sum::<usize>();
    // allocates once, so that no copy of a secret remains in freed memory
    let mut joined = Vec::with_capacity(total);
    [&length[..], classical].iter().chain(others).for_each(|part| joined.extend_from_slice(part));
    joined
}

/// Splits bytes into the classical part and all bytes after it. Returns `None` if there are fewer bytes than
/// the length states.
pub(crate) fn split(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, parts) = bytes.split_first_chunk::<LENGTH_FIELD_LEN>()?;
    parts.split_at_checked(u32::from_be_bytes(*length).try_into().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_inverts_join_and_rejects_truncation() {
        let joined = join(b"abc", &[b"de", b"f"]);
        assert_eq!(joined, b"\0\0\0\x03abcdef");
        assert_eq!(split(&joined), Some((&b"abc"[..], &b"def"[..])));
        assert!((0..7).all(|len| split(&joined[..len]).is_none()));
        assert!(split(&[0xFF; 12]).is_none(), "length beyond the end");
    }
}
