//! Bytes as hexadecimal text.

use zeroize::Zeroizing;

/// Lower case; no branch and no table depends on the bytes, which may be secret.
pub(crate) fn encode(bytes: &[u8]) -> Zeroizing<String> {
    Zeroizing::new(base16ct::lower::encode_string(bytes))
}

/// Bytes from digits of either case; white space between them does not matter.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let digits: Zeroizing<String> = Zeroizing::new(text.split_whitespace().collect());
    base16ct::mixed::decode_vec(digits.as_bytes()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_survives() {
        let bytes: Vec<u8> = (0..=255).collect();
        let text = encode(&bytes);
        assert!(text.starts_with("000102030405060708090a0b0c0d0e0f10") && text.ends_with("feff"));
        assert_eq!(decode(&text), Some(bytes));
        assert_eq!(decode("0A ff\n"), Some(vec![10, 255]));
    }

    #[test]
    fn odd_and_foreign_digits_are_refused() {
        assert_eq!(decode("123"), None);
        assert_eq!(decode("0g"), None);
    }
}
