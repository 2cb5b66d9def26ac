//! Identity of one side: a certificate chain or a raw public key, with the private key.

use crate::error::{Error, setup_error};
use crate::report::Chain;
use aws_lc_rs::digest::{SHA256, digest};
use grille_core::SecretBytes;
use grille_pki::{AlternativeName, Certificate, PrivateKey, PrivateKeyForm, PublicKey, verify};
use grille_registry::Numbers;
use rustls::client::ResolvesClientCert;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::sign::CertifiedKey;
use rustls::{SignatureAlgorithm, SignatureScheme};
use std::sync::Arc;

/// A certificate chain, end entity first, or a raw public key, with its private key.
pub struct Identity {
    /// Certificates, end entity first. For a raw public key (RFC 7250), its SubjectPublicKeyInfo, which takes the place
    /// of certificates in TLS.
    pub(crate) chain: Chain,
    pub(crate) raw: bool,
    /// The private key as PKCS #8.
    key: SecretBytes,
    /// Host names of the end entity, in lower case; may include wildcards.
    names: Vec<String>,
    /// Signature schemes of the chain's certificates, except self-signed ones and those without a TLS codepoint.
    issued_with: Vec<SignatureScheme>,
}

impl Identity {
    /// Creates an identity from a chain, end entity first, and the private key of the first certificate.
    ///
    /// # Errors
    /// Returns [`Error::Pki`] if the key belongs to another certificate; [`Error::Configuration`] if the chain is empty
    /// or too long.
    pub fn new(chain: &[Certificate], key: &PrivateKey) -> Result<Self, Error> {
        let Some(own) = chain.first() else {
            return Err(Error::configuration("the certificate chain is empty"));
        };
        verify::check_key_matches(own, key)?;
        let (names, issued_with) = (host_names(own), issued_with(chain));
        let chain: Arc<[CertificateDer<'static>]> =
            chain.iter().map(|certificate| certificate.to_der().into()).collect();
        check_chain(&chain)?;
        Ok(Self { chain: Chain(chain), raw: false, key: pkcs8(key)?, names, issued_with })
    }

    /// Creates an identity from the public half of the key alone (RFC 7250), for peers that already have the key.
    ///
    /// # Errors
    /// Returns [`Error::Pki`] if the key's algorithm has no object identifier.
    pub fn raw(key: &PrivateKey) -> Result<Self, Error> {
        let spki = key.public_key().to_spki_der()?;
        let (chain, key) = (Chain(Arc::new([spki.into()])), pkcs8(key)?);
        Ok(Self { chain, raw: true, key, names: Vec::new(), issued_with: Vec::new() })
    }

    /// Returns whether the identity is a raw public key.
    #[must_use]
    pub const fn is_raw(&self) -> bool {
        self.raw
    }

    /// Returns the public keys that are presented, the end entity's first. For a chain, keys that cannot be parsed
    /// with the object identifiers in `numbers` are omitted.
    #[must_use]
    pub fn keys(&self, numbers: Numbers) -> Vec<PublicKey> {
        match self.raw {
            true => self.chain.raw_public_key(numbers).into_iter().collect(),
            false => {
                let certificates = self.chain.certificates().map(|certificate| certificate.in_era(numbers));
                certificates.filter_map(|certificate| certificate.public_key().ok()).collect()
            }
        }
    }

    /// Converts the identity to rustls' form. The key goes to [`crate::sign::KeyLoader`], which erases it.
    ///
    /// # Errors
    /// Returns [`Error::Tls`] if the key cannot sign in TLS.
    pub(crate) fn into_presented(self, provider: &CryptoProvider) -> Result<PresentedIdentity, Error> {
        let Self { names, issued_with, raw, .. } = self;
        let chain = self.chain.0.to_vec();
        let key: PrivateKeyDer<'static> = PrivatePkcs8KeyDer::from(self.key.as_ref().to_vec()).into();
        let certified = if raw {
            provider.key_provider.load_private_key(key).map(|key| CertifiedKey::new(chain, key))
        } else {
            CertifiedKey::from_der(chain, key, provider)
        };
        let certified = Arc::new(certified.map_err(setup_error)?);
        let digest = sha256(certified.cert.first().map_or(&[], |own| own.as_ref()));
        Ok(PresentedIdentity { certified, raw, names: names.into(), issued_with: issued_with.into(), digest })
    }

    /// Creates an identity like [`Identity::new`], from PEM.
    ///
    /// # Errors
    /// The errors of [`Identity::new`], and [`Error::Pki`] if the texts cannot be parsed.
    pub fn from_pem(chain: &[u8], key: &[u8]) -> Result<Self, Error> {
        Self::from_pem_in(chain, key, Numbers::default())
    }

    /// Creates an identity like [`Identity::from_pem`]. `numbers`: the meaning of object identifiers.
    ///
    /// # Errors
    /// The errors of [`Identity::from_pem`].
    pub fn from_pem_in(chain: &[u8], key: &[u8], numbers: Numbers) -> Result<Self, Error> {
        Self::new(
            &Certificate::chain_from_pem(chain)?,
            &PrivateKey::low_memory_from_pem_or_der_in(key, numbers)?,
        )
    }
}

/// An identity in rustls' form. A client presents it to every server that requests an identity, whatever schemes and
/// issuers the server names. The chain, which can have several kilobytes per signature, is stored only here.
#[derive(Clone, Debug)]
pub(crate) struct PresentedIdentity {
    certified: Arc<CertifiedKey>,
    raw: bool,
    /// Host names, see [`Identity`].
    names: Arc<[String]>,
    issued_with: Arc<[SignatureScheme]>,
    /// SHA-256 of the end entity's certificate, or of the raw public key.
    digest: [u8; 32],
}

impl PresentedIdentity {
    /// Returns the SHA-256 of the end entity's certificate, or of the raw public key.
    pub(crate) const fn digest(&self) -> &[u8; 32] {
        &self.digest
    }

    /// Returns the chain and the key in rustls' form.
    pub(crate) const fn certified(&self) -> &Arc<CertifiedKey> {
        &self.certified
    }

    /// Returns whether the identity is a raw public key.
    pub(crate) const fn is_raw(&self) -> bool {
        self.raw
    }

    /// Returns whether the certificate has exactly this host name, which must be in lower case.
    pub(crate) fn has_name(&self, name: &str) -> bool {
        self.names.iter().any(|own| own == name)
    }

    /// Returns whether the certificate has a wildcard for this host name, which must be in lower case.
    pub(crate) fn has_wildcard_for(&self, name: &str) -> bool {
        self.names.iter().any(|own| is_wildcard_for(own, name))
    }

    /// Returns whether this identity serves the same clients as another: they share a host name, or neither has any.
    pub(crate) fn serves_names_of(&self, other: &Self) -> bool {
        let both_without = self.names.is_empty() && other.names.is_empty();
        both_without || self.names.iter().any(|name| other.has_name(name))
    }

    /// Returns whether the key can sign with one of these schemes.
    pub(crate) fn can_sign(&self, schemes: &[SignatureScheme]) -> bool {
        self.certified.key.choose_scheme(schemes).is_some()
    }

    /// Returns the type of the key in TLS 1.2's terms.
    pub(crate) fn key_algorithm(&self) -> SignatureAlgorithm {
        self.certified.key.algorithm()
    }

    /// Returns whether the chain's certificates are signed with these schemes. Schemes without a TLS codepoint are not
    /// considered.
    pub(crate) fn is_issued_with(&self, schemes: &[SignatureScheme]) -> bool {
        self.issued_with.iter().all(|scheme| schemes.contains(scheme))
    }

    /// Returns a copy of the chain, for a report.
    pub(crate) fn chain(&self) -> Chain {
        Chain::new(&self.certified.cert)
    }
}

impl ResolvesClientCert for PresentedIdentity {
    fn resolve(&self, _: &[&[u8]], _: &[SignatureScheme]) -> Option<Arc<CertifiedKey>> {
        Some(self.certified.clone())
    }

    fn only_raw_public_keys(&self) -> bool {
        self.raw
    }

    fn has_certs(&self) -> bool {
        true
    }
}

/// Returns the host names of a certificate, in lower case.
fn host_names(own: &Certificate) -> Vec<String> {
    let host = |name| if let AlternativeName::Dns(name) = name { Some(name) } else { None };
    own.alternative_names().into_iter().filter_map(host).collect()
}

/// Returns the signature schemes of certificates that are not self-signed: peers do not verify a root's signature.
fn issued_with(chain: &[Certificate]) -> Vec<SignatureScheme> {
    let issued = chain.iter().filter(|certificate| certificate.subject() != certificate.issuer());
    issued
        .filter_map(|certificate| certificate.signature_row()?.tls_scheme.map(SignatureScheme::from))
        .collect()
}

/// Returns the SHA-256 of `bytes`.
pub(crate) fn sha256(bytes: &[u8]) -> [u8; 32] {
    let mut hash = [0; 32];
    hash.copy_from_slice(digest(&SHA256, bytes).as_ref());
    hash
}

/// Returns whether `wildcard`, such as `*.example.org`, matches this name: it stands for one label, RFC 9525 section
/// 6.3.
pub(crate) fn is_wildcard_for(wildcard: &str, name: &str) -> bool {
    let parent = wildcard.strip_prefix("*.");
    name.split_once('.').is_some_and(|(label, rest)| !label.is_empty() && parent == Some(rest))
}

fn pkcs8(key: &PrivateKey) -> Result<SecretBytes, Error> {
    Ok(key.to_pkcs8_der(PrivateKeyForm::default_for(key.row()))?)
}

/// Maximum length of a handshake message in rustls; TLS itself allows 16 MiB.
const MAX_MESSAGE_LEN: usize = 0xFFFF;

/// Checks that a peer with the same limit can receive the chain in one message.
fn check_chain(chain: &[CertificateDer<'_>]) -> Result<(), Error> {
    // RFC 8446 section 4.4.2: an empty context and the length of the list (1 + 3 bytes); for each certificate, its
    // length (3 bytes) and the length of its extensions (2 bytes)
    let list: usize = chain.iter().map(|certificate| certificate.len() + 5).sum();
    let message = 4 + list;
    if message <= MAX_MESSAGE_LEN {
        return Ok(());
    }
    Err(Error::configuration(format!(
        "the chain's Certificate message has {message} bytes, but the TLS engine accepts at most {MAX_MESSAGE_LEN} per \
         handshake message; use a shorter chain, or issuers with shorter signatures"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcard_matches_exactly_one_label() {
        for (wildcard, name, fits) in [
            ("*.example.org", "a.example.org", true),
            ("*.example.org", "example.org", false),
            ("*.example.org", "a.b.example.org", false),
            ("*.example.org", ".example.org", false),
            ("*.example.org", "aexample.org", false),
            ("a.example.org", "a.example.org", false),
        ] {
            assert_eq!(is_wildcard_for(wildcard, name), fits, "{wildcard} {name}");
        }
    }
}
