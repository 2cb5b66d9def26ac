//! Bytes as hexadecimal text.

use zeroize::Zeroizing;

/// Lower case; no branch and no table depends on the bytes, which may be secret.
pub(crate) fn encode(bytes: &[u8]) -> Zeroizing<String> {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        text.push(digit(byte >> 4));
        text.push(digit(byte & 15));
    }
    Zeroizing::new(text)
}

/// Public bytes from digits of either case; white space between them does not matter.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let digits = text.chars().filter(|c| !c.is_ascii_whitespace());
    let digits = digits.map(|c| c.to_digit(16)).collect::<Option<Vec<u32>>>()?;
    let pairs = digits.chunks(2).map(|pair| match *pair {
        [high, low] => u8::try_from(16 * high + low).ok(),
        _ => None,
    });
    pairs.collect()
}

/// `'0' + n`, and more from ten on.
fn digit(n: u8) -> char {
    const LETTER: u8 = b'a' - 10 - b'0';
    let letter = (9u8.wrapping_sub(n) >> 7) * LETTER;
    char::from(b'0' + n + letter)
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
