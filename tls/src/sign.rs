//! Private keys of every registered signature algorithm, as rustls signing keys.

use crate::trace::{self, Step};
use grille_core::{DynSigningKey, SystemRng};
use grille_pki::PrivateKey;
use grille_pki::interned::Interned;
use grille_registry::{Numbers, Row, SignatureRow, lookup};
use rustls::crypto::KeyProvider;
use rustls::crypto::aws_lc_rs::sign::any_supported_type;
use rustls::pki_types::{PrivateKeyDer, SubjectPublicKeyInfoDer};
use rustls::sign::{Signer, SigningKey};
use rustls::{Error, SignatureAlgorithm, SignatureScheme};
use std::fmt;
use std::sync::Arc;
use zeroize::Zeroize;

/// Loads private keys: PKCS #8 in every form that grille-pki supports, and every format of aws-lc-rs for classical
/// keys.
///
/// The input is erased after loading; keys erase themselves on drop.
#[derive(Debug)]
pub(crate) struct KeyLoader {
    numbers: Numbers,
    low_memory: bool,
}

/// Returns the loader of private keys. `numbers`: the codepoints of their signature schemes. `low_memory` selects
/// low-memory mode: keys are not prepared for many signatures.
pub(crate) fn key_loader(numbers: Numbers, low_memory: bool) -> &'static KeyLoader {
    // rustls requires a `'static` loader
    static LOADERS: Interned<(Numbers, bool), KeyLoader> = Interned::new();
    LOADERS.get((numbers, low_memory), || KeyLoader { numbers, low_memory })
}

impl KeyProvider for KeyLoader {
    fn load_private_key(&self, mut der: PrivateKeyDer<'static>) -> Result<Arc<dyn SigningKey>, Error> {
        let key = load(&der, self);
        der.zeroize();
        Ok(Arc::new(TracedKey(key?)))
    }
}

fn load(
    der: &PrivateKeyDer<'static>,
    &KeyLoader { numbers, low_memory }: &KeyLoader,
) -> Result<Arc<dyn SigningKey>, Error> {
    let PrivateKeyDer::Pkcs8(pkcs8) = der else { return any_supported_type(der) };
    let read =
        if low_memory { PrivateKey::low_memory_from_pem_or_der_in } else { PrivateKey::from_pem_or_der_in };
    let key = read(pkcs8.secret_pkcs8_der(), numbers).map_err(general_error)?;
    let row = key.row();
    if row.category == 0 {
        let other = |_| general_error(format_args!("rustls cannot sign with {} keys", row.name()));
        return any_supported_type(der).map_err(other);
    }
    let Some(code) = numbers.scheme(row) else { return Err(no_scheme_error(row, numbers)) };
    let mut spki_head = key.public_key().to_spki_der().map_err(general_error)?;
    spki_head.truncate(spki_head.len() - key.public_key().bytes().len());
    let key = Arc::new(key.into_signing_key());
    Ok(Arc::new(Key { key, scheme: SignatureScheme::from(code), spki_head: spki_head.into() }))
}

/// Returns the error for an algorithm without a TLS signature scheme: the reason, and algorithms to use instead.
fn no_scheme_error(row: &'static SignatureRow, numbers: Numbers) -> Error {
    let substitutes = lookup::substitutes(row).filter(|other| numbers.scheme(other).is_some());
    let substitutes: Vec<_> = substitutes.map(Row::name).collect();
    let advice = match substitutes.as_slice() {
        [] => String::new(),
        names => format!("; equally strong algorithms with a scheme: {}", names.join(", ")),
    };
    let reason = row.missing_tls_scheme_reason().map_or_else(String::new, |reason| format!(": {reason}"));
    general_error(format_args!("{} has no TLS signature scheme in {numbers}{reason}{advice}", row.name()))
}

fn general_error(reason: impl fmt::Display) -> Error {
    Error::General(reason.to_string())
}

/// A signing key that records its use in [`trace`].
#[derive(Debug)]
struct TracedKey(Arc<dyn SigningKey>);

impl SigningKey for TracedKey {
    fn choose_scheme(&self, offered: &[SignatureScheme]) -> Option<Box<dyn Signer>> {
        Some(Box::new(TracedSigner(self.0.choose_scheme(offered)?)))
    }

    fn public_key(&self) -> Option<SubjectPublicKeyInfoDer<'_>> {
        self.0.public_key()
    }

    fn algorithm(&self) -> SignatureAlgorithm {
        self.0.algorithm()
    }
}

#[derive(Debug)]
struct TracedSigner(Box<dyn Signer>);

impl Signer for TracedSigner {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        trace::record_own_scheme(self.scheme());
        trace::measure(Step::Sign, || self.0.sign(message))
    }

    fn scheme(&self) -> SignatureScheme {
        self.0.scheme()
    }
}

/// A post-quantum signing key, which has exactly one scheme. The public key is stored only inside the key, because
/// servers with little memory hold it for their whole lifetime.
struct Key {
    // boxed, because moving the secret would leave a copy in memory
    key: Arc<Box<dyn DynSigningKey>>,
    scheme: SignatureScheme,
    /// SubjectPublicKeyInfo up to the public key, which is its last field.
    spki_head: Box<[u8]>,
}

impl SigningKey for Key {
    fn choose_scheme(&self, offered: &[SignatureScheme]) -> Option<Box<dyn Signer>> {
        let offered = offered.contains(&self.scheme);
        offered
            .then(|| Box::new(SchemeSigner { key: self.key.clone(), scheme: self.scheme }) as Box<dyn Signer>)
    }

    fn public_key(&self) -> Option<SubjectPublicKeyInfoDer<'_>> {
        Some([&self.spki_head[..], &self.key.verifying_key_bytes()].concat().into())
    }

    /// Returns an unassigned number, because TLS 1.2 has none for these algorithms. rustls calls this only for TLS 1.2.
    fn algorithm(&self) -> SignatureAlgorithm {
        SignatureAlgorithm::Unknown(255)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({:?})", self.scheme)
    }
}

struct SchemeSigner {
    key: Arc<Box<dyn DynSigningKey>>,
    scheme: SignatureScheme,
}

impl Signer for SchemeSigner {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        self.key.sign(message, b"", &mut SystemRng).map_err(general_error)
    }

    fn scheme(&self) -> SignatureScheme {
        self.scheme
    }
}

impl fmt::Debug for SchemeSigner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SchemeSigner({:?})", self.scheme)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grille_pki::PrivateKeyForm;
    use grille_registry::signature_by_name;
    use rustls::pki_types::{PrivatePkcs8KeyDer, PrivateSec1KeyDer};

    fn default_loader() -> &'static KeyLoader {
        key_loader(Numbers::default(), false)
    }

    fn pkcs8(name: &str) -> Vec<u8> {
        let row = signature_by_name(name).expect("a registered algorithm");
        let key = PrivateKey::generate(row, &mut SystemRng).expect("a key");
        let document = key.to_pkcs8_der(PrivateKeyForm::default_for(row)).expect("a document");
        document.as_ref().to_vec()
    }

    #[test]
    fn every_algorithm_with_a_scheme_signs_with_it() {
        for row in grille_registry::distinct_signatures().into_iter().filter(|row| row.category > 0) {
            let Some(scheme) = row.tls_scheme.map(SignatureScheme::from) else { continue };
            let key = default_loader().load_private_key(PrivatePkcs8KeyDer::from(pkcs8(row.name())).into());
            let key = key.expect("a key of our own");
            assert_eq!(key.choose_scheme(&[scheme]).map(|signer| signer.scheme()), Some(scheme));
            assert!(key.choose_scheme(&[SignatureScheme::ED25519]).is_none(), "{}", row.name());
        }
    }

    #[test]
    fn key_returns_its_own_public_key() {
        for row in grille_registry::distinct_signatures().into_iter().filter(|row| row.tls_scheme.is_some()) {
            let document = pkcs8(row.name());
            let private = PrivateKey::from_pem_or_der(&document).expect("a key");
            let key = default_loader()
                .load_private_key(PrivatePkcs8KeyDer::from(document).into())
                .expect("the same key");
            let spki = private.public_key().to_spki_der().expect("a document");
            assert_eq!(key.public_key().expect("a public key").as_ref(), spki, "{}", row.name());
        }
    }

    #[test]
    fn loads_classical_keys_in_older_formats() {
        let document = pkcs8("ECDSA-P256");
        // ECPrivateKey, RFC 5915: a SEQUENCE of version 1 and 32 bytes
        let version = document.windows(5).position(|bytes| bytes == [2, 1, 1, 4, 32]).expect("RFC 5915");
        let sec1 = PrivateSec1KeyDer::from(document[version - 2..].to_vec());
        let key = default_loader().load_private_key(sec1.into()).expect("aws-lc-rs parses it");
        assert!(key.choose_scheme(&[SignatureScheme::ECDSA_NISTP256_SHA256]).is_some());
        assert!(default_loader().load_private_key(PrivatePkcs8KeyDer::from(vec![0x30, 0]).into()).is_err());
    }
}
