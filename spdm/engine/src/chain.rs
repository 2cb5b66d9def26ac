//! SPDM certificate chains, DSP0274 "SPDM certificate chain".
//!
//! ```text
//! Length u32 │ RootHash H │ certificates in DER, starting with the root or its first child
//! ```

use crate::hash::{Digest, Hash};
use alloc::{vec, vec::Vec};
use core::iter;
use grille_pki::Certificate;
use grille_registry::Numbers;
use grille_spdm_codec::Version;
use grille_spdm_codec::certificate::CertificateChain;

/// A parsed chain. Its signatures are not verified yet.
pub struct Chain {
    /// The hash of the root certificate's DER encoding.
    pub root_hash: Vec<u8>,
    /// The certificates from the root, or its first child, to the leaf's issuer.
    pub issuers: Vec<Certificate>,
    /// The device's own certificate, the leaf.
    pub leaf: Certificate,
    /// The hash of the whole structure.
    pub digest: Digest,
    /// The hash of the certificates alone.
    pub(crate) certificates_digest: Digest,
    hash: &'static Hash,
}

impl Chain {
    /// Returns this chain with the object identifiers in its certificates interpreted according to `numbers`.
    pub(crate) fn in_era(self, numbers: Numbers) -> Self {
        let issuers = self.issuers.into_iter().map(|issuer| issuer.in_era(numbers)).collect();
        Self { issuers, leaf: self.leaf.in_era(numbers), ..self }
    }

    /// Returns whether RootHash is this certificate's hash.
    #[must_use]
    pub fn has_root_hash_of(&self, root: &Certificate) -> bool {
        self.root_hash == self.hash.digest(&[&root.to_der()]).as_ref()
    }
}

/// Encodes a chain of these certificates, the root first.
///
/// # Panics
/// Panics if there is no certificate, or the length does not fit a u32.
#[must_use]
pub fn write(hash: &Hash, certificates: &[Certificate]) -> Vec<u8> {
    let root = certificates.first().expect("a chain has at least one certificate").to_der();
    write_with_root_hash(hash.digest(&[&root]).as_ref(), certificates)
}

/// Encodes a chain whose certificates start below the root. `root_hash`: the hash of the root.
///
/// # Panics
/// Panics if the length does not fit a u32.
#[must_use]
pub fn write_with_root_hash(root_hash: &[u8], certificates: &[Certificate]) -> Vec<u8> {
    let certificates: Vec<u8> = certificates.iter().flat_map(Certificate::to_der).collect();
    let mut bytes = vec![0; 4 + root_hash.len() + certificates.len()];
    let chain = CertificateChain { root_hash, certificates: &certificates };
    chain
        .encode(LAYOUT, root_hash.len(), &mut bytes)
        .expect("the buffer has the exact length, and chains are short");
    bytes
}

/// Parses a chain.
///
/// # Errors
/// Returns [`ChainError`].
pub fn parse(hash: &'static Hash, bytes: &[u8]) -> Result<Chain, ChainError> {
    let chain = CertificateChain::decode(bytes, LAYOUT, hash.output_len());
    let CertificateChain { root_hash, certificates } = chain.map_err(|_| ChainError::Malformed)?;
    let certificates_digest = hash.digest(&[certificates]);
    let read = |der: Option<&[u8]>| {
        Certificate::from_pem_or_der(der.ok_or(ChainError::Malformed)?).map_err(ChainError::Certificate)
    };
    let mut certificates = sequences(certificates).map(read).collect::<Result<Vec<_>, _>>()?;
    let leaf = certificates.pop().ok_or(ChainError::Malformed)?;
    let (root_hash, digest) = (root_hash.to_vec(), hash.digest(&[bytes]));
    Ok(Chain { root_hash, issuers: certificates, leaf, digest, certificates_digest, hash })
}

/// The layout since 1.4, with Length as a u32. Earlier versions have a u16 and two reserved zero bytes, which have the
/// same encoding, because chains of earlier versions are shorter than 64 KiB.
const LAYOUT: Version = Version::V1_4;

/// The reason why a chain was rejected.
#[derive(Debug)]
#[non_exhaustive]
pub enum ChainError {
    /// Length does not match the structure, or there is no certificate.
    Malformed,
    /// A certificate cannot be parsed.
    Certificate(grille_pki::Error),
}

impl core::fmt::Display for ChainError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Malformed => f.write_str("the length of the certificate chain is wrong"),
            Self::Certificate(error) => write!(f, "cannot read the certificate chain: {error}"),
        }
    }
}

impl core::error::Error for ChainError {}

/// Splits concatenated DER into its SEQUENCEs. Yields `None` at the first malformed element, and then ends.
pub fn sequences(bytes: &[u8]) -> impl Iterator<Item = Option<&[u8]>> {
    let mut rest = bytes;
    iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let split = der_len(rest).and_then(|len| rest.split_at_checked(len));
        rest = split.map_or(&[], |(_, after)| after);
        Some(split.map(|(one, _)| one))
    })
}

/// Returns the length of the DER SEQUENCE at the start of `bytes`, X.690 section 8.1; `None` if its header is malformed.
fn der_len(bytes: &[u8]) -> Option<usize> {
    let (&tag, rest) = bytes.split_first()?;
    let (&first, rest) = rest.split_first()?;
    if tag != 0x30 {
        return None;
    }
    if first < 0x80 {
        return Some(2 + usize::from(first));
    }
    let octets = usize::from(first & 0x7F);
    let len = rest.get(..octets).filter(|_| (1..=3).contains(&octets))?;
    Some(2 + octets + len.iter().fold(0, |len, byte| len << 8 | usize::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::HASHES;

    #[test]
    fn rejects_every_truncated_chain() {
        let der = include_bytes!("../../../vectors/rfc9881/ML-DSA-44.crt");
        let certificate = Certificate::from_pem_or_der(der).unwrap();
        let chain = write(&HASHES[1], &[certificate.clone(), certificate.clone()]);
        let parsed = parse(&HASHES[1], &chain).unwrap();
        assert_eq!(parsed.issuers.len(), 1);
        assert_eq!(parsed.leaf.to_der(), certificate.to_der());
        assert_eq!(parsed.root_hash, HASHES[1].digest(&[&certificate.to_der()]).as_ref());
        for len in 0..chain.len() {
            let mut short = chain[..len].to_vec();
            assert!(parse(&HASHES[1], &short).is_err(), "{len}");
            if len >= 4 {
                short[..4].copy_from_slice(&(len as u32).to_le_bytes());
                let whole = len == 4 + 48 + certificate.to_der().len();
                assert_eq!(parse(&HASHES[1], &short).is_ok(), whole, "{len}");
            }
        }
    }
}
