//! The SHA-2 functions, FIPS 180-4, from the `sha2` crate (which uses SHA-NI and AVX2 where it finds them).

use ::sha2::{Digest, Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};

/// SHA-224 of the concatenated `parts`.
#[must_use]
pub fn sha224(parts: &[&[u8]]) -> [u8; 28] {
    digest::<Sha224>(parts).into()
}

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

/// SHA-512/224 of the concatenated `parts`.
#[must_use]
pub fn sha512_224(parts: &[&[u8]]) -> [u8; 28] {
    digest::<Sha512_224>(parts).into()
}

/// SHA-512/256 of the concatenated `parts`.
#[must_use]
pub fn sha512_256(parts: &[&[u8]]) -> [u8; 32] {
    digest::<Sha512_256>(parts).into()
}

/// Compresses one block of SHA-256, FIPS 180-4 section 6.2.2.
pub fn compress256(state: &mut [u32; 8], block: &[u8; 64]) {
    ::sha2::block_api::compress256(state, core::slice::from_ref(block));
}

/// Compresses one block of SHA-512, FIPS 180-4 section 6.4.2.
pub fn compress512(state: &mut [u64; 8], block: &[u8; 128]) {
    ::sha2::block_api::compress512(state, core::slice::from_ref(block));
}

fn digest<D: Digest>(parts: &[&[u8]]) -> ::sha2::digest::Output<D> {
    parts.iter().fold(D::new(), D::chain_update).finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abc_hashes_to_the_standards_examples() {
        assert_eq!(sha224(&[b"abc"])[..4], [0x23, 0x09, 0x7D, 0x22]);
        assert_eq!(sha512_224(&[b"abc"])[..4], [0x46, 0x34, 0x27, 0x0F]);
        assert_eq!(sha512_256(&[b"abc"])[..4], [0x53, 0x04, 0x8E, 0x26]);
        assert_eq!(sha256(&[b"a", b"bc"])[..4], [0xBA, 0x78, 0x16, 0xBF]);
        assert_eq!(sha384(&[b"abc"])[..4], [0xCB, 0x00, 0x75, 0x3F]);
        assert_eq!(sha512(&[b"ab", b"c"])[..4], [0xDD, 0xAF, 0x35, 0xA1]);
    }
}
