//! PEM and DER documents of any type, and the object identifiers in them.

use crate::document_type::DocumentType;
use crate::{Certificate, Error, PrivateKey, PublicKey, pem};
use alloc::{collections::BTreeSet, string::String, string::ToString, vec, vec::Vec};
use const_oid::ObjectIdentifier;
use der::asn1::AnyRef;
use der::{Decode, Reader, SliceReader, Tag, Tagged};
use grille_registry::Row;
use zeroize::Zeroizing;

/// A document of any type. Its DER is erased on drop, because it may be a private key.
pub struct Document {
    label: Option<String>,
    der: Zeroizing<Vec<u8>>,
}

impl Document {
    /// Returns every document of a PEM file, in order, or the single document of a DER file.
    ///
    /// # Errors
    /// Returns [`Error::Pem`] if a PEM block is damaged, [`Error::NeitherPemNorDer`] if the file is neither PEM nor
    /// DER, [`Error::Cipher`] if a PEM block has the traditional encryption of OpenSSL, or [`Error::Label`] if a PEM
    /// block does not contain DER.
    pub fn all(bytes: &[u8]) -> Result<Vec<Self>, Error> {
        if pem::is_der(bytes) {
            return Ok(vec![Self { label: None, der: Zeroizing::new(bytes.to_vec()) }]);
        }
        let found = pem::find_all_blocks(bytes)?;
        Ok(found.into_iter().map(|(label, der)| Self { label: Some(label), der }).collect())
    }

    /// Returns the PEM label, such as `CERTIFICATE`, or `None` for DER.
    #[must_use]
    pub fn label(&self) -> Option<&str> {
        self.label.as_deref()
    }

    /// Returns the DER.
    #[must_use]
    pub fn der(&self) -> &[u8] {
        &self.der
    }

    /// Returns whether the document is an encrypted private key.
    #[must_use]
    pub fn is_encrypted(&self) -> bool {
        DocumentType::detect(&self.der) == Some(DocumentType::EncryptedPrivateKey)
    }

    /// Returns whether the document is a PKCS#12 file.
    #[must_use]
    pub fn is_pkcs12(&self) -> bool {
        DocumentType::detect(&self.der) == Some(DocumentType::Pkcs12)
    }

    /// Returns every object identifier in the document, in dotted form and order of first occurrence, without
    /// duplicates.
    ///
    /// # Errors
    /// Returns [`Error::Der`] if the document is not DER.
    pub fn identifiers(&self) -> Result<Vec<String>, Error> {
        let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
        for_each_identifier(&self.convert_to_current()?, MAX_DEPTH, &mut |identifier| {
            if seen.insert(identifier) {
                found.push(identifier.to_string());
            }
        })
        .map_err(Error::der("document"))?;
        Ok(found)
    }

    /// Returns the document as DER. Converts documents in formats that do not name their algorithm to formats that do.
    #[cfg(feature = "std")]
    fn convert_to_current(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        if self.is_pkcs12() {
            return Ok(crate::ber::to_der(&self.der).unwrap_or_else(|| self.der.clone()));
        }
        if let Some(private) = crate::traditional::to_pkcs8(&self.der)? {
            return Ok(private);
        }
        let public = crate::traditional::to_spki(&self.der)?;
        Ok(public.map_or_else(|| self.der.clone(), Zeroizing::new))
    }

    #[cfg(not(feature = "std"))]
    fn convert_to_current(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        Ok(self.der.clone())
    }

    /// Returns the algorithm names of the key and the signature, if the document is a supported key or certificate.
    /// The names also distinguish key sizes that share an object identifier.
    #[must_use]
    pub fn algorithms(&self) -> Vec<&'static str> {
        if let Ok(certificate) = Certificate::from_pem_or_der(&self.der) {
            let key = certificate.public_key().ok().map(|key| key.row().name());
            return key.into_iter().chain(certificate.signature_row().map(Row::name)).collect();
        }
        let public = PublicKey::from_pem_or_der(&self.der).map(|key| key.row().name());
        public
            .or_else(|_| PrivateKey::from_pem_or_der(&self.der).map(|key| key.row().name()))
            .into_iter()
            .collect()
    }
}

/// Maximum nesting depth. Certificates are nested less deeply.
const MAX_DEPTH: usize = 16;

/// Calls `found` for every object identifier, in order.
pub(crate) fn for_each_identifier(
    bytes: &[u8],
    depth: usize,
    found: &mut impl FnMut(ObjectIdentifier),
) -> der::Result<()> {
    let mut reader = SliceReader::new(bytes)?;
    while !reader.is_finished() {
        let element = AnyRef::decode(&mut reader)?;
        if element.tag() == Tag::ObjectIdentifier {
            found(element.decode_as()?);
        } else if element.tag().is_constructed() && depth > 0 {
            for_each_identifier(element.value(), depth - 1, found)?;
        }
    }
    Ok(())
}
