//! Contents of a PKCS#8 document with a post-quantum key: RFC 9881, RFC 9935, their drafts, and OQS.

use crate::asn1::{OCTET_STRING, SEQUENCE, elements, tlv};
use crate::pem::{self, Kind};
use crate::{Error, Layout, PrivateKeyForm, document_type};
use alloc::{boxed::Box, vec::Vec};
use der::asn1::{AnyRef, OctetStringRef};
use der::{Decode, Encode, Reader, Tag, TagNumber, Tagged};
use grille_core::{DynDecapsKey, DynSigningKey, SecretBytes};
use spki::AlgorithmIdentifierOwned;
use zeroize::Zeroizing;

pub(crate) const ELEMENT: &str = "private key";
pub(crate) const WRONG_RAW_LENGTH: &str =
    "has the wrong length for its algorithm: it is neither a seed, nor an expanded key, nor private ‖ public";

/// Returns the PKCS#8 document in a PEM or DER file. Converts keys in older formats.
///
/// # Errors
/// Returns the errors of [`pem::find_one`], or [`Error::Malformed`] or [`Error::Der`] if a key in an older format
/// cannot be converted.
pub(crate) fn document(file: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
    let der = pem::find_one(file, Kind::PrivateKey)?;
    #[cfg(feature = "std")]
    if let Some(document) = crate::traditional::to_pkcs8(&der)? {
        return Ok(document);
    }
    Ok(der)
}

/// Common interface of signing keys and decapsulation keys.
pub(crate) trait SecretKey {
    fn expanded(&self) -> SecretBytes;
    fn seed(&self) -> Option<SecretBytes>;
    fn public(&self) -> Vec<u8>;
}

impl SecretKey for dyn DynSigningKey {
    fn expanded(&self) -> SecretBytes {
        self.to_bytes()
    }

    fn seed(&self) -> Option<SecretBytes> {
        DynSigningKey::seed(self)
    }

    fn public(&self) -> Vec<u8> {
        self.verifying_key_bytes()
    }
}

impl SecretKey for dyn DynDecapsKey {
    fn expanded(&self) -> SecretBytes {
        self.to_bytes()
    }

    fn seed(&self) -> Option<SecretBytes> {
        DynDecapsKey::seed(self)
    }

    fn public(&self) -> Vec<u8> {
        self.encaps_key_bytes()
    }
}

/// Lengths of the parts of a private key, in bytes.
pub(crate) struct Lengths {
    pub(crate) seed: Option<usize>,
    pub(crate) expanded: usize,
    pub(crate) public: usize,
}

/// The parts of a private key in a document, and their layout in this document.
pub(crate) struct Parts<'a> {
    seed: Option<&'a [u8]>,
    expanded: Option<&'a [u8]>,
    public: Option<&'a [u8]>,
    pub(crate) layout: Layout,
}

impl<'a> Parts<'a> {
    const fn from_seed(seed: &'a [u8], layout: Layout) -> Self {
        Self { seed: Some(seed), expanded: None, public: None, layout }
    }
}

/// A parsed document: algorithm identifier, content of `privateKey`, and optional public key.
pub(crate) struct Document<'a> {
    pub(crate) algorithm: AlgorithmIdentifierOwned,
    pub(crate) content: &'a [u8],
    /// Content of the element `publicKey`, or `None` if this element is missing; see [`check_public_element`].
    pub(crate) public: Option<&'a [u8]>,
}

/// Parses a PrivateKeyInfo or OneAsymmetricKey. Attributes are ignored.
///
/// Deviation from the standard: accepts a public key in version 0 and a missing public key in version 1, because some
/// programs write such documents.
///
/// # Errors
/// Returns [`Error::Der`] if the document cannot be parsed, [`Error::Malformed`] if its version is unknown, or an error
/// that names the type of a document that is not a private key.
pub(crate) fn parse(document: &[u8]) -> Result<Document<'_>, Error> {
    let info = AnyRef::from_der(document).and_then(|info| info.sequence(Info::decode));
    let info = info.map_err(|error| document_type::refusal(document, Kind::PrivateKey, error))?;
    if info.version > 1 {
        return Err(malformed_error("has an unknown version, expected 0 or 1"));
    }
    Ok(Document { algorithm: info.algorithm, content: info.content, public: info.public })
}

/// Elements of the document, RFC 5958 section 2.
struct Info<'a> {
    version: u8,
    algorithm: AlgorithmIdentifierOwned,
    content: &'a [u8],
    public: Option<&'a [u8]>,
}

impl<'a> Info<'a> {
    fn decode(reader: &mut impl Reader<'a>) -> der::Result<Self> {
        let (version, algorithm) = (u8::decode(reader)?, AlgorithmIdentifierOwned::decode(reader)?);
        let content = <&OctetStringRef>::decode(reader)?.as_bytes();
        let mut public = None;
        while !reader.is_finished() {
            let optional = AnyRef::decode(reader)?;
            match optional.tag() {
                Tag::ContextSpecific { number: TagNumber(0), .. } => (),
                Tag::ContextSpecific { number: TagNumber(1), .. } => public = Some(optional.value()),
                tag => return Err(reader.error(tag.value_error())),
            }
        }
        Ok(Self { version, algorithm, content, public })
    }
}

/// Finds the parts in `content`: the CHOICE of the RFCs, or the layouts of drafts and OQS, which are recognised by
/// length.
///
/// # Errors
/// Returns [`Error::Malformed`] if no layout matches.
pub(crate) fn parts<'a>(content: &'a [u8], lengths: &Lengths) -> Result<Parts<'a>, Error> {
    if let Some(found) = parts_by_length(content, lengths) {
        return Ok(found);
    }
    let wrong = malformed_error(
        "has the wrong length for its algorithm, or contains neither a seed nor an expanded key",
    );
    let [choice] = elements(ELEMENT, content)?[..] else { return Err(wrong) };
    let seed = Tag::ContextSpecific { constructed: false, number: TagNumber(0) };
    let found = match choice.tag() {
        tag if tag == seed => Parts::from_seed(choice.value(), Layout::Seed),
        Tag::OctetString => {
            let parts = parts_by_length(choice.value(), lengths).ok_or(wrong)?;
            Parts { layout: parts.layout.in_an_octet_string(), ..parts }
        }
        Tag::Sequence => match elements(ELEMENT, choice.value())?[..] {
            [seed, expanded] if seed.tag() == Tag::OctetString && expanded.tag() == Tag::OctetString => {
                let (seed, expanded) = (Some(seed.value()), Some(expanded.value()));
                Parts { seed, expanded, public: None, layout: Layout::Both }
            }
            _ => return Err(wrong),
        },
        _ => return Err(wrong),
    };
    Ok(found)
}

/// Returns the concatenated parts of an OQS composite key, and their layout: in an OCTET STRING or bare.
///
/// The two layouts cannot be confused, because the bare content begins with a length, whose highest byte is 0.
pub(crate) fn oqs_composite(content: &[u8]) -> (&[u8], Layout) {
    match elements(ELEMENT, content).as_deref() {
        Ok([only]) if only.tag() == Tag::OctetString => (only.value(), Layout::OqsPair),
        _ => (content, Layout::BarePair),
    }
}

/// Finds the parts in `bytes` by the total length alone. Returns `None` if no layout has this length.
pub(crate) fn parts_by_length<'a>(bytes: &'a [u8], lengths: &Lengths) -> Option<Parts<'a>> {
    match bytes.len() {
        length if Some(length) == lengths.seed => Some(Parts::from_seed(bytes, Layout::BareSeed)),
        length if length == lengths.expanded => {
            Some(Parts { seed: None, expanded: Some(bytes), public: None, layout: Layout::BareExpanded })
        }
        length if length == lengths.expanded + lengths.public => {
            let (expanded, public) = bytes.split_at_checked(lengths.expanded)?;
            let (expanded, public) = (Some(expanded), Some(public));
            Some(Parts { seed: None, expanded, public, layout: Layout::BarePair })
        }
        _ => None,
    }
}

/// Builds the key and checks that all parts of the private key belong to the same key.
///
/// # Errors
/// Returns [`Error::Key`] if the algorithm rejects a part; [`Error::Malformed`] if the parts belong to different keys.
pub(crate) fn assemble<K: SecretKey + ?Sized>(
    parts: &Parts<'_>,
    algorithm: &'static str,
    from_seed: impl FnOnce(&[u8]) -> Result<Box<K>, grille_core::Error>,
    from_expanded: impl FnOnce(&[u8]) -> Result<Box<K>, grille_core::Error>,
) -> Result<Box<K>, Error> {
    let key = match (parts.seed, parts.expanded) {
        (Some(seed), _) => from_seed(seed),
        (None, expanded) => from_expanded(expanded.unwrap_or_default()),
    };
    let key = key.map_err(|source| Error::Key { algorithm, source })?;
    if parts.expanded.is_some_and(|expanded| key.expanded() != SecretBytes::from(expanded)) {
        return Err(malformed_error(
            "is inconsistent: its seed and its expanded key do not belong to the same key",
        ));
    }
    check_public(&key.public(), parts.public)?;
    Ok(key)
}

/// Checks that the document's public key, if present, belongs to the private key.
///
/// # Errors
/// Returns [`Error::Malformed`] if the public key does not belong to the private key.
pub(crate) fn check_public(own: &[u8], found: Option<&[u8]>) -> Result<(), Error> {
    match found {
        Some(found) if found != own => {
            Err(malformed_error("is inconsistent: its public key does not belong to its private key"))
        }
        _ => Ok(()),
    }
}

/// Checks the content of the element `publicKey` like [`check_public`]. The element is a BIT STRING, from which wolfSSL
/// omits the number of unused bits.
///
/// # Errors
/// Returns [`Error::Malformed`] if the public key in the element does not belong to the private key.
pub(crate) fn check_public_element(own: &[u8], found: Option<&[u8]>) -> Result<(), Error> {
    match found {
        Some([0, found @ ..]) if found == own => Ok(()),
        found => check_public(own, found),
    }
}

/// Encodes the key as a PKCS#8 document.
///
/// # Errors
/// Returns [`Error::Form`] if the form needs a seed and the key has none.
pub(crate) fn write<K: SecretKey + ?Sized>(
    key: &K,
    form: PrivateKeyForm,
    algorithm: &AlgorithmIdentifierOwned,
    name: &'static str,
) -> Result<SecretBytes, Error> {
    let no_seed = Error::Form { algorithm: name, reason: "this key has no seed; use the expanded form" };
    let content = match (form, key.seed()) {
        (PrivateKeyForm::Seed | PrivateKeyForm::SeedIfKnown, Some(seed)) => tlv(0x80, &[seed.as_ref()]),
        (PrivateKeyForm::Both, Some(seed)) => encode_both(&seed, &key.expanded()),
        (PrivateKeyForm::Seed | PrivateKeyForm::Both, None) => return Err(no_seed),
        (PrivateKeyForm::Expanded | PrivateKeyForm::SeedIfKnown, _) => {
            tlv(OCTET_STRING, &[key.expanded().as_ref()])
        }
        (PrivateKeyForm::Bare, _) => Zeroizing::new(key.expanded().as_ref().to_vec()),
        (PrivateKeyForm::Oqs, _) => tlv(OCTET_STRING, &[key.expanded().as_ref(), &key.public()]),
        (PrivateKeyForm::Native, _) => {
            let reason = "only classical keys have a native form; use seed, expanded or both";
            return Err(Error::Form { algorithm: name, reason });
        }
    };
    let algorithm = algorithm.to_der().map_err(Error::der(ELEMENT))?;
    // The first element is the version, 0.
    let document = tlv(SEQUENCE, &[&[2, 1, 0], &algorithm, &tlv(OCTET_STRING, &[&content])]);
    Ok(SecretBytes::from(document.as_slice()))
}

fn encode_both(seed: &SecretBytes, expanded: &SecretBytes) -> Zeroizing<Vec<u8>> {
    let parts = [tlv(OCTET_STRING, &[seed.as_ref()]), tlv(OCTET_STRING, &[expanded.as_ref()])];
    tlv(SEQUENCE, &[&parts[0], &parts[1]])
}

pub(crate) fn malformed_error(reason: &'static str) -> Error {
    Error::Malformed { element: ELEMENT, reason }
}
