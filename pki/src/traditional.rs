//! Keys in formats older than PKCS#8: PKCS#1 (RFC 8017 appendix A.1) and SEC 1 (RFC 5915), as OpenSSL's `genrsa
//! -traditional` and `ecparam -genkey` write them.

use crate::Error;
use crate::asn1::{OCTET_STRING, SEQUENCE, elements, tlv};
use crate::document_type::DocumentType;
use crate::pem::Kind;
use alloc::vec::Vec;
use const_oid::ObjectIdentifier;
use const_oid::db::rfc5912::{ID_EC_PUBLIC_KEY, RSA_ENCRYPTION};
use der::{Encode, Tag, Tagged};
use zeroize::Zeroizing;

/// Converts an RSAPrivateKey or an ECPrivateKey to a PKCS#8 document. Returns `None` for other documents.
///
/// # Errors
/// Returns [`Error::Malformed`] if an elliptic-curve key does not name its curve, or [`Error::Der`] if the key cannot
/// be parsed.
pub(crate) fn to_pkcs8(der: &[u8]) -> Result<Option<Zeroizing<Vec<u8>>>, Error> {
    match DocumentType::detect(der) {
        Some(DocumentType::RsaPrivateKey) => Ok(Some(pkcs8(&identifier(RSA_ENCRYPTION, &NULL)?, der))),
        Some(DocumentType::EcPrivateKey) => convert_curve_key(der).map(Some),
        _ => Ok(None),
    }
}

/// Converts an RSAPublicKey to a SubjectPublicKeyInfo. Returns `None` for other documents.
pub(crate) fn to_spki(der: &[u8]) -> Result<Option<Vec<u8>>, Error> {
    if DocumentType::detect(der) != Some(DocumentType::RsaPublicKey) {
        return Ok(None);
    }
    let bits = tlv(BIT_STRING, &[&[0], der]);
    Ok(Some(tlv(SEQUENCE, &[&identifier(RSA_ENCRYPTION, &NULL)?, &bits]).to_vec()))
}

const BIT_STRING: u8 = 3;
const NULL: [u8; 2] = [5, 0];

/// Converts an ECPrivateKey to a PKCS#8 document. Moves the curve from the key's parameters into the algorithm
/// identifier.
fn convert_curve_key(der: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
    let element = Kind::PrivateKey.element();
    let whole = elements(element, der)?;
    let parts = elements(element, whole.first().map_or(&[], |whole| whole.value()))?;
    let tagged = |number: u8| {
        let is = move |tag: Tag| tag.is_context_specific() && tag.number().value() == u32::from(number);
        parts.iter().find(|part| is(part.tag()))
    };
    let named = tagged(0).and_then(|parameters| elements(element, parameters.value()).ok()?.first().copied());
    let curve = named.and_then(|named| named.decode_as::<ObjectIdentifier>().ok());
    let reason = "does not name its curve; it may have explicit curve parameters, which \
                  `openssl pkcs8 -topk8 -nocrypt -param_enc named_curve` replaces with the name";
    let curve = curve.ok_or(Error::Malformed { element, reason })?;
    let curve = curve.to_der().map_err(Error::der(element))?;
    let [_version, private, ..] = parts[..] else { return Ok(pkcs8(&[], der)) };
    let public = tagged(1).map_or_else(Zeroizing::default, |public| tlv(0xA1, &[public.value()]));
    let key = tlv(SEQUENCE, &[&[2, 1, 1], &tlv(OCTET_STRING, &[private.value()]), &public]);
    Ok(pkcs8(&identifier(ID_EC_PUBLIC_KEY, &curve)?, &key))
}

fn identifier(algorithm: ObjectIdentifier, parameters: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
    let algorithm = algorithm.to_der().map_err(Error::der(Kind::PrivateKey.element()))?;
    Ok(tlv(SEQUENCE, &[&algorithm, parameters]))
}

/// Encodes a PrivateKeyInfo of version 0.
fn pkcs8(identifier: &[u8], key: &[u8]) -> Zeroizing<Vec<u8>> {
    tlv(SEQUENCE, &[&[2, 1, 0], identifier, &tlv(OCTET_STRING, &[key])])
}
