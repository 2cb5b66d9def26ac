//! Purposes of end entities' certificates.

use webpki::{ExtendedKeyUsageValidator, KeyPurposeIdIter, KeyUsage};

/// Purpose of an end entity's certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Authenticate a TLS server.
    Server,
    /// Authenticate a TLS client.
    Client,
    /// Receive shared secrets; the certificate has a KEM key.
    KeyEncapsulation,
    /// Anything else: the caller checks key usage and extended key usage.
    Other,
}

impl Purpose {
    /// Returns the name of the authenticated party, for error messages.
    pub(crate) const fn authenticated_party(self) -> &'static str {
        match self {
            Self::Server => "a TLS server",
            Self::Client => "a TLS client",
            Self::KeyEncapsulation => "a receiver of shared secrets",
            Self::Other => "anyone",
        }
    }
}

impl ExtendedKeyUsageValidator for Purpose {
    fn validate(&self, purposes: KeyPurposeIdIter<'_, '_>) -> Result<(), webpki::Error> {
        match self {
            Self::Server => KeyUsage::server_auth().validate(purposes),
            Self::Client => KeyUsage::client_auth().validate(purposes),
            Self::KeyEncapsulation | Self::Other => Ok(()),
        }
    }
}
