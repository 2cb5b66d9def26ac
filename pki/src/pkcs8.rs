//! What is inside a PKCS#8 document of a quantum-safe key: RFC 9881, RFC 9935, their drafts, and OQS.

use crate::asn1::{OCTET_STRING, SEQUENCE, elements, tlv};
use crate::pem::{self, Kind};
use crate::{Error, Layout, PrivateKeyForm, shape};
use alloc::{boxed::Box, vec::Vec};
use der::asn1::{AnyRef, OctetStringRef};
use der::{Decode, Encode, Reader, Tag, TagNumber, Tagged};
use grille_core::{DynDecapsKey, DynSigningKey, SecretBytes};
use spki::AlgorithmIdentifierOwned;
use zeroize::Zeroizing;

pub(crate) const ELEMENT: &str = "private key";
pub(crate) const RAW_LENGTH: &str = "has the wrong length for its algorithm: it is no seed, no expanded key, and no private and public key in one";

/// The PKCS#8 document in a file: PEM or DER, and made of an older format.
///
/// # Errors
/// As those of [`pem::one`]; [`Error::Malformed`].
pub(crate) fn document(file: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
    let der = pem::one(file, Kind::PrivateKey)?;
    #[cfg(feature = "std")]
    if let Some(document) = crate::traditional::to_pkcs8(&der)? {
        return Ok(document);
    }
    Ok(der)
}

/// What signing keys and decapsulation keys have in common.
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

/// How long the parts are, in bytes.
pub(crate) struct Lengths {
    pub(crate) seed: Option<usize>,
    pub(crate) expanded: usize,
    pub(crate) public: usize,
}

/// The parts of a private key that a document has, and how they lie there.
pub(crate) struct Parts<'a> {
    seed: Option<&'a [u8]>,
    expanded: Option<&'a [u8]>,
    public: Option<&'a [u8]>,
    pub(crate) layout: Layout,
}

impl<'a> Parts<'a> {
    const fn of_seed(seed: &'a [u8], layout: Layout) -> Self {
        Self { seed: Some(seed), expanded: None, public: None, layout }
    }
}

/// The algorithm identifier, the content of `privateKey`, and the public key if there is one.
pub(crate) struct Document<'a> {
    pub(crate) algorithm: AlgorithmIdentifierOwned,
    pub(crate) content: &'a [u8],
    /// The content of the element, see [`check_public`].
    pub(crate) public: Option<&'a [u8]>,
}

/// Reads a PrivateKeyInfo or OneAsymmetricKey. Attributes are not looked at.
///
/// Differs from the standard: a public key may stand in version 0, or be missing from version 1, as some writers have it.
///
/// # Errors
/// [`Error::Der`], [`Error::Malformed`]; of another document what it is.
pub(crate) fn open(document: &[u8]) -> Result<Document<'_>, Error> {
    let info = AnyRef::from_der(document).and_then(|info| info.sequence(Info::decode));
    let info = info.map_err(|error| shape::refusal(document, Kind::PrivateKey, error))?;
    if info.version > 1 {
        return Err(malformed("is of a version that is not known here: 0 and 1 are"));
    }
    Ok(Document { algorithm: info.algorithm, content: info.content, public: info.public })
}

/// The elements of the document, RFC 5958 section 2.
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

/// Which parts `content` has: the CHOICE of the RFCs, or by its length what drafts and OQS put there.
///
/// # Errors
/// [`Error::Malformed`] if it is none of them.
pub(crate) fn parts<'a>(content: &'a [u8], lengths: &Lengths) -> Result<Parts<'a>, Error> {
    if let Some(found) = by_length(content, lengths) {
        return Ok(found);
    }
    let wrong =
        malformed("has the wrong length for its algorithm, or is none of seed, expanded key and both");
    let [choice] = elements(ELEMENT, content)?[..] else { return Err(wrong) };
    let seed = Tag::ContextSpecific { constructed: false, number: TagNumber(0) };
    let found = match choice.tag() {
        tag if tag == seed => Parts::of_seed(choice.value(), Layout::Seed),
        Tag::OctetString => {
            let parts = by_length(choice.value(), lengths).ok_or(wrong)?;
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

/// All parts of a composite key, as OQS has them: in an OCTET STRING, or without it.
///
/// One cannot be taken for the other: what is in it begins with a length, whose highest byte is 0.
pub(crate) fn oqs_composite(content: &[u8]) -> (&[u8], Layout) {
    match elements(ELEMENT, content).as_deref() {
        Ok([only]) if only.tag() == Tag::OctetString => (only.value(), Layout::OqsPair),
        _ => (content, Layout::BarePair),
    }
}

/// Which parts these bytes are, if one can tell by their length.
pub(crate) fn by_length<'a>(bytes: &'a [u8], lengths: &Lengths) -> Option<Parts<'a>> {
    match bytes.len() {
        length if Some(length) == lengths.seed => Some(Parts::of_seed(bytes, Layout::BareSeed)),
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

/// The key that the parts agree on.
///
/// # Errors
/// [`Error::Key`] if the algorithm refuses one; [`Error::Malformed`] if they contradict each other.
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
        return Err(malformed("contradicts itself: the seed gives another key than the expanded one"));
    }
    check_public(&key.public(), parts.public)?;
    Ok(key)
}

/// That a public key, where the document has one, is the private key's.
///
/// # Errors
/// [`Error::Malformed`].
pub(crate) fn check_public(own: &[u8], found: Option<&[u8]>) -> Result<(), Error> {
    match found {
        Some(found) if found != own => Err(malformed("contradicts itself: its public key is another key's")),
        _ => Ok(()),
    }
}

/// The same of the content of `publicKey`: a BIT STRING, in which wolfSSL leaves out the number of unused bits.
///
/// # Errors
/// [`Error::Malformed`].
pub(crate) fn check_public_element(own: &[u8], found: Option<&[u8]>) -> Result<(), Error> {
    match found {
        Some([0, found @ ..]) if found == own => Ok(()),
        found => check_public(own, found),
    }
}

/// The document with this key.
///
/// # Errors
/// [`Error::Form`] if the form needs a seed and the key does not know its seed.
pub(crate) fn write<K: SecretKey + ?Sized>(
    key: &K,
    form: PrivateKeyForm,
    algorithm: &AlgorithmIdentifierOwned,
    name: &'static str,
) -> Result<SecretBytes, Error> {
    let no_seed = Error::Form {
        algorithm: name,
        reason: "this key has no seed that it could be written with; use the expanded form",
    };
    let content = match (form, key.seed()) {
        (PrivateKeyForm::Seed | PrivateKeyForm::SeedIfKnown, Some(seed)) => tlv(0x80, &[seed.as_ref()]),
        (PrivateKeyForm::Both, Some(seed)) => both(&seed, &key.expanded()),
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
    // version 0
    let document = tlv(SEQUENCE, &[&[2, 1, 0], &algorithm, &tlv(OCTET_STRING, &[&content])]);
    Ok(SecretBytes::from(document.as_slice()))
}

fn both(seed: &SecretBytes, expanded: &SecretBytes) -> Zeroizing<Vec<u8>> {
    let parts = [tlv(OCTET_STRING, &[seed.as_ref()]), tlv(OCTET_STRING, &[expanded.as_ref()])];
    tlv(SEQUENCE, &[&parts[0], &parts[1]])
}

pub(crate) fn malformed(reason: &'static str) -> Error {
    Error::Malformed { element: ELEMENT, reason }
}
