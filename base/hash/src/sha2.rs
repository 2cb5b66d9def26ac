//! SHA-256, SHA-384 and SHA-512, FIPS 180-4, from the `sha2` crate (which uses SHA-NI and AVX2 where it finds them).

use ::sha2::{Digest, Sha256, Sha384, Sha512};

/// SHA-256 of the concatenated `parts`.
#[must_use]
pub fn sha256(parts: &[&[u8]]) -> [u8; 32] {
    digest::<Sha256>(parts).into()
}

/// SHA-384 of the concatenated `parts`.
#[must_use]
pub fn sha384(parts: &[&[u8]]) -> [u8; 48] {
    digest::<Sha384>(parts).into()
}

/// SHA-512 of the concatenated `parts`.
#[must_use]
pub fn sha512(parts: &[&[u8]]) -> [u8; 64] {
    digest::<Sha512>(parts).into()
}

fn digest<D: Digest>(parts: &[&[u8]]) -> ::sha2::digest::Output<D> {
    parts.iter().fold(D::new(), D::chain_update).finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abc_hashes_to_the_standards_examples() {
        assert_eq!(sha256(&[b"a", b"bc"])[..4], [0xBA, 0x78, 0x16, 0xBF]);
        assert_eq!(sha384(&[b"abc"])[..4], [0xCB, 0x00, 0x75, 0x3F]);
        assert_eq!(sha512(&[b"ab", b"c"])[..4], [0xDD, 0xAF, 0x35, 0xA1]);
    }
}
