//! Decryption and encryption of passphrase-protected files: encrypted private keys (RFC 5958 section 3), and PKCS#12
//! for reading only.

use crate::asn1::{OCTET_STRING, SEQUENCE, elements, tlv};
use crate::document_type::{DocumentType, is_pkcs12};
use crate::pbe::{self, Passphrase};
use crate::pem::{self, Block, Kind};
use crate::pem_label::ENCRYPTED;
use crate::pkcs12::{self, Contents, Entry};
use crate::{Certificate, Error};
use alloc::{string::String, vec::Vec};
use grille_core::CryptoRng;
use zeroize::Zeroizing;

/// Decrypts the documents of `kind` in `file`. Returns PEM or DER that every reader of this crate accepts. Returns
/// `None` if the documents are not encrypted, so that the caller can read the file directly.
///
/// Orders the certificates of a PKCS#12 file: the key's certificate is first, and each certificate is followed by its
/// issuer's.
///
/// `passphrase`: usually UTF-8; `None` to find out whether one is needed.
/// Secret: the passphrase and the result.
///
/// # Errors
/// Returns [`Error::Encrypted`] if a passphrase is needed and missing; [`Error::Passphrase`] if the passphrase is
/// wrong; [`Error::Cipher`] if the encryption is not supported; [`Error::OtherDocument`] if a PKCS#12 file holds no
/// document of this kind; errors of parsing the file.
pub fn decrypt(
    file: &[u8],
    kind: Kind,
    passphrase: Option<&[u8]>,
) -> Result<Option<Zeroizing<Vec<u8>>>, Error> {
    if is_pkcs12(file) {
        return key_from_pkcs12(pkcs12::open(file, passphrase)?, kind).map(Some);
    }
    if kind != Kind::PrivateKey {
        return Ok(None);
    }
    if pem::is_der(file) {
        return match DocumentType::detect(file) {
            Some(DocumentType::EncryptedPrivateKey) => decrypt_document(file, passphrase).map(Some),
            _ => Ok(None),
        };
    }
    if pem::labels(file).iter().all(|label| label != ENCRYPTED) {
        return Ok(None);
    }
    let decrypt =
        |(label, der): Block| if label == ENCRYPTED { decrypt_document(&der, passphrase) } else { Ok(der) };
    let keys: Result<Vec<_>, _> = pem::read_labelled(file, kind)?.into_iter().map(decrypt).collect();
    encode_as_pem(&keys?, kind).map(Some)
}

/// Encrypts a PKCS#8 document as EncryptedPrivateKeyInfo: PBES2 with AES-256-CBC and 600,000 iterations of PBKDF2
/// with HMAC-SHA-256, which OpenSSL and Java can read.
///
/// Secret: the document and the passphrase.
///
/// # Errors
/// Returns no error, because these parameters are always valid.
pub fn encrypt(document: &[u8], passphrase: &[u8], rng: &mut dyn CryptoRng) -> Result<Vec<u8>, Error> {
    let (scheme, ciphertext) = pbe::encrypt(passphrase, document, rng)?;
    Ok(tlv(SEQUENCE, &[&scheme, &tlv(OCTET_STRING, &[&ciphertext])]).to_vec())
}

/// Encrypts like [`encrypt`] and encodes the result as PEM.
///
/// # Errors
/// Returns the errors of [`encrypt`].
pub fn encrypt_pem(document: &[u8], passphrase: &[u8], rng: &mut dyn CryptoRng) -> Result<String, Error> {
    pem::encode(&encrypt(document, passphrase, rng)?, ENCRYPTED)
}

/// Returns the labels of unexpected PEM blocks that readers of `kind` skip. Certificates, keys, and the parameters that
/// OpenSSL writes before a key often share a file, so they are not included.
#[must_use]
pub fn skipped_labels(file: &[u8], kind: Kind) -> Vec<String> {
    if pem::is_der(file) {
        return Vec::new();
    }
    let expected = |label: &str| {
        let kinds = [kind, Kind::Certificate, Kind::PrivateKey, Kind::PublicKey];
        label == "EC PARAMETERS" || kinds.iter().any(|kind| kind.has_label(label))
    };
    let labels = pem::labels(file);
    // if no block has this kind, readers refuse the file, and their error already names its blocks
    let has_some = labels.iter().any(|label| kind.has_label(label));
    labels.into_iter().filter(|label| has_some && !expected(label)).collect()
}

/// Returns the format that the private key in `file` is stored in.
#[must_use]
pub fn container_format(file: &[u8]) -> &'static str {
    let of_type = |document: &[u8]| match DocumentType::detect(document) {
        Some(DocumentType::Pkcs12) => "PKCS#12",
        Some(DocumentType::EncryptedPrivateKey) => "encrypted PKCS#8",
        Some(DocumentType::RsaPrivateKey) => "PKCS#1",
        Some(DocumentType::EcPrivateKey) => "SEC 1",
        _ => "PKCS#8",
    };
    match pem::find_one(file, Kind::PrivateKey) {
        Ok(document) => of_type(&document),
        Err(_) => of_type(file),
    }
}

/// Decrypts an EncryptedPrivateKeyInfo and returns its PKCS#8 document.
fn decrypt_document(document: &[u8], passphrase: Option<&[u8]>) -> Result<Zeroizing<Vec<u8>>, Error> {
    let element = Kind::PrivateKey.element();
    let reason = "is not an encrypted private key, although its label says so";
    let whole = elements(element, document)?;
    let [scheme, content] = elements(element, whole.first().map_or(&[], |whole| whole.value()))?[..] else {
        return Err(Error::Malformed { element, reason });
    };
    let scheme = scheme.decode_as().map_err(Error::der(element))?;
    let passphrase = passphrase.ok_or(Error::Encrypted { element })?;
    let plain = pbe::decrypt(element, scheme, &Passphrase::new(passphrase), content.value())?;
    // with one wrong passphrase in 256, the padding is correct by chance
    match DocumentType::detect(&plain) {
        Some(DocumentType::PrivateKey) => Ok(plain),
        _ => Err(Error::Passphrase { element }),
    }
}

fn key_from_pkcs12(contents: Contents, kind: Kind) -> Result<Zeroizing<Vec<u8>>, Error> {
    let documents: Vec<_> = match kind {
        Kind::PrivateKey => contents.keys.into_iter().map(|key| key.der).collect(),
        Kind::Certificate => {
            let leaf = contents.keys.first().and_then(|key| key.id.as_deref());
            order_chain(contents.certificates, leaf).into_iter().map(|entry| entry.der).collect()
        }
        Kind::Request | Kind::PublicKey | Kind::RevocationList => Vec::new(),
    };
    if documents.is_empty() {
        return Err(Error::OtherDocument { expected: kind.element(), found: "a PKCS#12 file without one" });
    }
    encode_as_pem(&documents, kind)
}

/// Orders certificates: first the one whose localKeyId is `leaf`, then its issuer, the issuer's issuer and so on, then
/// all others. Keeps the order if no certificate has this localKeyId.
fn order_chain(mut certificates: Vec<Entry>, leaf: Option<&[u8]>) -> Vec<Entry> {
    let Some(leaf) = leaf.and_then(|id| certificates.iter().position(|own| own.id.as_deref() == Some(id)))
    else {
        return certificates;
    };
    let issuer = |last: &Entry| Certificate::from_pem_or_der(&last.der).ok().map(|last| last.issuer());
    let subject = |entry: &Entry| Certificate::from_pem_or_der(&entry.der).ok().map(|own| own.subject());
    let mut chain = Vec::with_capacity(certificates.len());
    let mut next = Some(leaf);
    while let Some(at) = next {
        let last = certificates.remove(at);
        let issuer = issuer(&last);
        chain.push(last);
        next = certificates.iter().position(|other| issuer.is_some() && subject(other) == issuer);
    }
    chain.append(&mut certificates);
    chain
}

/// Encodes all documents of `kind` as one PEM text.
fn encode_as_pem(documents: &[Zeroizing<Vec<u8>>], kind: Kind) -> Result<Zeroizing<Vec<u8>>, Error> {
    let blocks: Result<Vec<_>, _> =
        documents.iter().map(|der| pem::encode(der, kind.label()).map(Zeroizing::new)).collect();
    let blocks = blocks?;
    let mut text = Zeroizing::new(Vec::with_capacity(blocks.iter().map(|block| block.len()).sum()));
    blocks.iter().for_each(|block| text.extend_from_slice(block.as_bytes()));
    Ok(text)
}
