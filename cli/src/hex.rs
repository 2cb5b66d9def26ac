//! Hexadecimal text.

use zeroize::Zeroizing;

/// Encodes bytes in lower case, in constant time: the bytes may be secret.
pub(crate) fn encode(bytes: &[u8]) -> Zeroizing<String> {
    Zeroizing::new(base16ct::lower::encode_string(bytes))
}

/// Decodes digits of either case; white space is ignored. `None` if a character is not a digit, or the number of digits
/// is odd.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let digits: Zeroizing<String> = Zeroizing::new(text.split_whitespace().collect());
    base16ct::mixed::decode_vec(digits.as_bytes()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trips_every_byte() {
        let bytes: Vec<u8> = (0..=255).collect();
        let text = encode(&bytes);
        assert!(text.starts_with("000102030405060708090a0b0c0d0e0f10") && text.ends_with("feff"));
        assert_eq!(decode(&text), Some(bytes));
        assert_eq!(decode("0A ff\n"), Some(vec![10, 255]));
    }

    #[test]
    fn rejects_odd_lengths_and_other_characters() {
        assert_eq!(decode("123"), None);
        assert_eq!(decode("0g"), None);
    }
}
