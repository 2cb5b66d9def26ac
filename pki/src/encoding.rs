//! Encoding of extensions and signatures, for certificates, requests and revocation lists.

use crate::{Error, PrivateKey};
use const_oid::AssociatedOid;
use der::Encode;
use der::asn1::{BitString, OctetString};
use grille_core::CryptoRng;
use grille_registry::Row;
use x509_cert::ext::Extension;

/// Encodes an extension.
pub(crate) fn extension<E: Encode + AssociatedOid>(critical: bool, value: &E) -> der::Result<Extension> {
    Ok(Extension { extn_id: E::OID, critical, extn_value: OctetString::new(value.to_der()?)? })
}

/// Signs `message` and returns the signature as a BIT STRING.
pub(crate) fn signature(
    message: &[u8],
    key: &PrivateKey,
    rng: &mut dyn CryptoRng,
) -> Result<BitString, Error> {
    let refused = |source| Error::Key { algorithm: key.row().name(), source };
    let signature = key.sign(message, rng).map_err(refused)?;
    BitString::from_bytes(&signature).map_err(Error::der("signature"))
}
