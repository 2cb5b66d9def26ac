//! Key files and certificates.

use crate::convert::{error, file_contents, object, optional};
use crate::kem::{KemPrivateKey, KemPublicKey};
use crate::signature::{SigningKey, VerifyingKey};
use grille_pki::{Certificate, Crl, Document, Error, PrivateKey, PublicKey, Request, RequestedKey};
use grille_registry::Row;
use js_sys::{Array, Date};
use std::time::Duration;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const INSPECTED: &str = "/** One document of a file, as `inspect` describes it. Properties that the document lacks are undefined. */
export interface Inspected {
  /** The type of the document. */
  type: \"certificate\" | \"request\" | \"public key\" | \"private key\" | \"revocation list\";
  /** The length of the DER in bytes. */
  size: number;
  /** The name of the key's algorithm, or its object identifier if the package does not know it. */
  algorithm?: string;
  /** The length of the key in bytes; a private key counts in its raw expanded form. */
  keyLength?: number;
  /** The holder of a certificate or a request, as RFC 4514 writes it. */
  subject?: string;
  /** The issuer of a certificate or a revocation list. */
  issuer?: string;
  /** The subject alternative names. */
  names?: string[];
  /** The serial number of a certificate, in hexadecimal. */
  serial?: string;
  /** The start of the validity period of a certificate or a revocation list. */
  notBefore?: Date;
  /** The end of the validity period of a certificate or a revocation list. */
  notAfter?: Date;
  /** The name of the signature's algorithm, or its object identifier. */
  signatureAlgorithm?: string;
  /** The length of the signature in bytes. */
  signatureLength?: number;
  /** Whether the certificate may sign certificates. */
  authority?: boolean;
  /** Whether a certificate that names itself as issuer, or a request, carries a valid signature of its own key. undefined
   *  for certificates of other issuers, and if the package lacks the algorithm. */
  ownSignature?: boolean;
}";

/// Reads a private key: PKCS#8, PEM or DER. The file names the algorithm. Returns a SigningKey or a KemPrivateKey.
#[wasm_bindgen(js_name = loadPrivateKey, unchecked_return_type = "SigningKey | KemPrivateKey")]
pub fn load_private_key(
    #[wasm_bindgen(unchecked_param_type = "FileContents")] data: &JsValue,
) -> Result<JsValue, JsValue> {
    let data = file_contents(data)?;
    match PrivateKey::from_pem_or_der(&data) {
        Ok(key) => Ok(SigningKey { row: key.row(), key: key.into_signing_key() }.into()),
        Err(reason) => match grille_pki::KemPrivateKey::from_pem_or_der(&data) {
            Ok(key) => Ok(KemPrivateKey { row: key.row(), key: key.into_decaps_key() }.into()),
            Err(kem_reason) => Err(error(relevant_error(reason, kem_reason))),
        },
    }
}

/// Reads a public key: SubjectPublicKeyInfo, PEM or DER. The file names the algorithm. Returns a VerifyingKey or a
/// KemPublicKey.
#[wasm_bindgen(js_name = loadPublicKey, unchecked_return_type = "VerifyingKey | KemPublicKey")]
pub fn load_public_key(
    #[wasm_bindgen(unchecked_param_type = "FileContents")] data: &JsValue,
) -> Result<JsValue, JsValue> {
    let data = file_contents(data)?;
    match PublicKey::from_pem_or_der(&data) {
        Ok(key) => Ok(VerifyingKey { row: key.row(), key: key.verifying_key().map_err(error)? }.into()),
        Err(reason) => match grille_pki::KemPublicKey::from_pem_or_der(&data) {
            Ok(key) => Ok(KemPublicKey { row: key.row(), key: key.encaps_key().map_err(error)? }.into()),
            Err(kem_reason) => Err(error(relevant_error(reason, kem_reason))),
        },
    }
}

/// Returns the more useful of the errors of two readers: that of the reader for KEM keys if the file holds a KEM key,
/// which the reader for signature keys refuses with [`Error::OtherUse`], and otherwise that of the reader for signature
/// keys.
fn relevant_error(signature: Error, kem: Error) -> Error {
    if matches!(signature, Error::OtherUse { .. }) { kem } else { signature }
}

/// Describes every certificate, request, key and revocation list of a file: PEM or DER.
///
/// Throws if the file is damaged, encrypted, or holds another type of document.
#[wasm_bindgen(unchecked_return_type = "Inspected[]")]
pub fn inspect(#[wasm_bindgen(unchecked_param_type = "FileContents")] data: &JsValue) -> Result<Array, JsValue> {
    Document::all(&file_contents(data)?).map_err(error)?.iter().map(describe).collect()
}

fn describe(document: &Document) -> Result<JsValue, JsValue> {
    let der = document.der();
    if document.is_encrypted() || document.is_pkcs12() {
        return Err(error("the file is encrypted; decrypt it first, for example with `grille key convert`"));
    }
    match Certificate::from_pem_or_der(der) {
        Ok(certificate) => describe_certificate(&certificate),
        Err(Error::OtherDocument { .. } | Error::NeitherPemNorDer { .. }) => describe_other(document),
        Err(reason) => Err(error(reason)),
    }
}

fn describe_certificate(certificate: &Certificate) -> Result<JsValue, JsValue> {
    let (begin, end) = certificate.validity();
    let key = certificate.key_name().unwrap_or_else(|| certificate.key_oid());
    let signature = certificate.signature_name().unwrap_or_else(|| certificate.signature_oid());
    let checkable = certificate.is_self_signed() && certificate.signature_row().is_some();
    let own_signature = checkable.then(|| certificate.check_own_signature().is_ok());
    object([
        ("type", "certificate".into()),
        ("size", certificate.as_der().len().into()),
        ("algorithm", key.into()),
        ("keyLength", certificate.key_len().into()),
        ("subject", certificate.subject().into()),
        ("issuer", certificate.issuer().into()),
        ("names", certificate.names().into()),
        ("serial", certificate.serial().into()),
        ("notBefore", date(begin)),
        ("notAfter", date(end)),
        ("signatureAlgorithm", signature.into()),
        ("signatureLength", certificate.signature_len().into()),
        ("authority", certificate.is_ca().into()),
        ("ownSignature", optional(own_signature)),
    ])
}

/// Describes a document that is not a certificate. If every reader refuses the document, returns the error of the first
/// reader that recognised its type.
fn describe_other(document: &Document) -> Result<JsValue, JsValue> {
    let readers: [Reader; 6] =
        [public_key, kem_public_key, private_key, kem_private_key, request, revocation_list];
    let mut reason = None;
    for read in readers {
        match read(document.der()) {
            Ok(described) => return Ok(described),
            Err(Failure::Js(thrown)) => return Err(thrown),
            Err(Failure::File(found)) if is_other_type(&found) => {}
            Err(Failure::File(found)) => {
                reason.get_or_insert(found);
            }
        }
    }
    Err(reason.map_or_else(|| unreadable_error(document.label()), error))
}

/// A function that describes a document of one type, given as DER.
type Reader = fn(&[u8]) -> Result<JsValue, Failure>;

/// Returns whether a reader refused a document because the document has a type that another reader may accept.
const fn is_other_type(reason: &Error) -> bool {
    matches!(reason, Error::OtherDocument { .. } | Error::OtherUse { .. } | Error::NeitherPemNorDer { .. })
}

/// Returns the error for a document whose type has no reader.
fn unreadable_error(label: Option<&str>) -> JsValue {
    let readable = "a certificate, a request, a PKCS#8 or public key, or a revocation list";
    match label {
        Some(label) => error(format_args!("the file has a block \"{label}\", which is not {readable}")),
        None => error(format_args!("the file is not {readable}")),
    }
}

/// A refused document, or an error of JavaScript.
enum Failure {
    File(Error),
    Js(JsValue),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::File(error)
    }
}

impl From<JsValue> for Failure {
    fn from(thrown: JsValue) -> Self {
        Self::Js(thrown)
    }
}

fn public_key(der: &[u8]) -> Result<JsValue, Failure> {
    let key = PublicKey::from_pem_or_der(der)?;
    Ok(describe_key("public key", der, key.row(), key.bytes().len())?)
}

fn kem_public_key(der: &[u8]) -> Result<JsValue, Failure> {
    let key = grille_pki::KemPublicKey::from_pem_or_der(der)?;
    Ok(describe_key("public key", der, key.row(), key.bytes().len())?)
}

fn private_key(der: &[u8]) -> Result<JsValue, Failure> {
    let row = PrivateKey::from_pem_or_der(der)?.row();
    Ok(describe_key("private key", der, row, row.signature.info().signing_key_len)?)
}

fn kem_private_key(der: &[u8]) -> Result<JsValue, Failure> {
    let row = grille_pki::KemPrivateKey::from_pem_or_der(der)?.row();
    Ok(describe_key("private key", der, row, row.kem.info().decaps_key_len)?)
}

fn describe_key(kind: &str, der: &[u8], row: &dyn Row, length: usize) -> Result<JsValue, JsValue> {
    object([
        ("type", kind.into()),
        ("size", der.len().into()),
        ("algorithm", row.name().into()),
        ("keyLength", length.into()),
    ])
}

fn request(der: &[u8]) -> Result<JsValue, Failure> {
    let request = Request::from_pem_or_der(der)?;
    let key = request.requested_key()?;
    // A request for a KEM key has no signature of that key.
    let own_signature = matches!(key, RequestedKey::Signature(_)).then(|| request.verify().is_ok());
    Ok(object([
        ("type", "request".into()),
        ("size", der.len().into()),
        ("algorithm", key.row().name().into()),
        ("keyLength", key.bytes().len().into()),
        ("subject", request.subject().into()),
        ("names", request.names()?.into()),
        ("ownSignature", optional(own_signature)),
    ])?)
}

fn revocation_list(der: &[u8]) -> Result<JsValue, Failure> {
    let all = Crl::all_from_pem(der)?;
    let Some(list) = all.first() else { return Ok(JsValue::UNDEFINED) };
    let (begin, end) = list.validity();
    Ok(object([
        ("type", "revocation list".into()),
        ("size", list.as_der().len().into()),
        ("issuer", list.issuer().into()),
        ("notBefore", date(begin)),
        ("notAfter", date(end)),
    ])?)
}

/// Converts a time since 1970 to a JavaScript Date.
fn date(time: Duration) -> JsValue {
    Date::new(&JsValue::from_f64(time.as_secs_f64() * 1000.0)).into()
}
