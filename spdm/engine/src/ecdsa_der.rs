//! ECDSA signatures in DER, as composites contain them, and as r ‖ s, as SPDM sends them.

use alloc::{vec, vec::Vec};

/// Converts an ECDSA signature from DER to r ‖ s of `len` bytes.
pub(crate) fn ecdsa_from_der(der: &[u8], len: usize) -> Option<Vec<u8>> {
    let (body, []) = der_element(0x30, der)? else { return None };
    let (r, rest) = der_element(0x02, body)?;
    let (s, []) = der_element(0x02, rest)? else { return None };
    let half = len / 2;
    let mut fixed = vec![0; len];
    for (number, field) in [r, s].into_iter().zip(fixed.chunks_exact_mut(half)) {
        let number = number.strip_prefix(&[0]).unwrap_or(number);
        let start = half.checked_sub(number.len())?;
        field.get_mut(start..)?.copy_from_slice(number);
    }
    Some(fixed)
}

/// Converts an ECDSA signature from r ‖ s to DER.
pub(crate) fn ecdsa_to_der(fixed: &[u8]) -> Vec<u8> {
    let (r, s) = fixed.split_at(fixed.len() / 2);
    let mut body = Vec::new();
    for number in [r, s] {
        let zeros = number.iter().take_while(|byte| **byte == 0).count();
        let number = number.get(zeros..).unwrap_or_default();
        // an INTEGER of DER is signed and has at least one byte
        let pad: &[u8] = if number.first().is_none_or(|first| *first >= 0x80) { &[0] } else { &[] };
        der_header(0x02, pad.len() + number.len(), &mut body);
        body.extend_from_slice(pad);
        body.extend_from_slice(number);
    }
    let mut der = Vec::new();
    der_header(0x30, body.len(), &mut der);
    der.extend_from_slice(&body);
    der
}

/// Appends tag and length. Lengths of ECDSA signatures are below 256.
fn der_header(tag: u8, len: usize, der: &mut Vec<u8>) {
    der.push(tag);
    if len >= 0x80 {
        der.push(0x81);
    }
    der.push(len as u8);
}

/// Splits an element with this tag from the start of `der`.
fn der_element(tag: u8, der: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = der.strip_prefix(&[tag])?;
    let (len, rest) = match rest {
        [0x81, len @ 0x80..=0xFF, rest @ ..] => (*len, rest),
        [len @ 0..=0x7F, rest @ ..] => (*len, rest),
        _ => return None,
    };
    rest.split_at_checked(usize::from(len))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ecdsa_signatures_survive_both_conversions() {
        for half in [32, 48, 66] {
            for (first, second) in [(1, 2), (0x80, 0x7F), (0, 0xFF), (0, 0)] {
                let mut fixed = vec![5; 2 * half];
                (fixed[0], fixed[half]) = (first, second);
                if first == 0 {
                    fixed[1] = 0x90;
                }
                let der = ecdsa_to_der(&fixed);
                assert_eq!(ecdsa_from_der(&der, 2 * half).as_ref(), Some(&fixed));
                for len in 0..der.len() {
                    assert!(ecdsa_from_der(&der[..len], 2 * half).is_none(), "{len}");
                }
                assert!(ecdsa_from_der(&[&der[..], &[0]].concat(), 2 * half).is_none(), "trailing byte");
                assert!(ecdsa_from_der(&der, 2 * half - 4).is_none() || first == 0);
            }
        }
        assert_eq!(ecdsa_to_der(&[0, 0, 0, 1]), [0x30, 6, 2, 1, 0, 2, 1, 1]);
    }
}
