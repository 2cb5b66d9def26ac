//! The error for a raw public key that is not trusted.

use aws_lc_rs::digest::{SHA256, digest};
use grille_pki::PublicKey;
use grille_registry::{Numbers, Row};
use std::fmt;

/// Error: the peer's raw public key is not trusted.
#[derive(Debug)]
pub(crate) struct UnknownKey {
    /// Algorithm of the key, if it is known.
    algorithm: Option<&'static str>,
    /// SHA-256 of the SubjectPublicKeyInfo, the same hash as in key pins (RFC 7469).
    sha256: [u8; 32],
}

impl UnknownKey {
    pub(crate) fn new(presented: &[u8], numbers: Numbers) -> Self {
        let algorithm = PublicKey::from_pem_or_der_in(presented, numbers).ok().map(|key| key.row().name());
        let mut sha256 = [0; 32];
        sha256.copy_from_slice(digest(&SHA256, presented).as_ref());
        Self { algorithm, sha256 }
    }
}

impl fmt::Display for UnknownKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let algorithm = self.algorithm.unwrap_or("unknown algorithm");
        let sha256 = base16ct::HexDisplay(&self.sha256);
        write!(
            f,
            "the peer's raw public key ({algorithm}, SHA-256 {sha256:x}) is not one of the trusted keys"
        )
    }
}

impl std::error::Error for UnknownKey {}
