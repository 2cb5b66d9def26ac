//! Labels of PEM blocks that need particular treatment.

/// Label of OpenSSH private keys, whose content is not DER.
pub(crate) const OPENSSH: &str = "OPENSSH PRIVATE KEY";

/// Label of an encrypted private key, RFC 7468 section 11.
#[cfg(feature = "std")]
pub(crate) const ENCRYPTED: &str = "ENCRYPTED PRIVATE KEY";
