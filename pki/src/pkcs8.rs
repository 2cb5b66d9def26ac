//! What is inside a PKCS#8 document of a quantum-safe key: RFC 9881, RFC 9935, their drafts, and OQS.

use crate::asn1::{OCTET_STRING, SEQUENCE, elements, tlv};
use crate::{Error, Layout, PrivateKeyForm};
use alloc::{boxed::Box, vec::Vec};
use der::asn1::OctetStringRef;
use der::{Decode, Encode, Reader, SliceReader, Tag, TagNumber, Tagged};
use grille_core::{DynDecapsKey, DynSigningKey, SecretBytes};
use pkcs8::PrivateKeyInfoRef;
use spki::{AlgorithmIdentifierOwned, AlgorithmIdentifierRef};
use zeroize::Zeroizing;

pub(crate) const LABEL: &str = "PRIVATE KEY";
const ELEMENT: &str = "private key";
pub(crate) const RAW_LENGTH: &str = "has the wrong length for its algorithm: it is no seed, no expanded key, and no private and public key in one";

const ENCRYPTED: &str = "is encrypted; decrypt it first, with what encrypted it, such as `openssl pkey`";

/// Whether it is a private key in an encrypted envelope: EncryptedPrivateKeyInfo, RFC 5958 section 3.
pub(crate) fn is_encrypted(document: &[u8]) -> bool {
    let parts = |parts: &mut SliceReader<'_>| {
        AlgorithmIdentifierRef::decode(parts)?;
        <&OctetStringRef>::decode(parts).map(drop)
    };
    SliceReader::new(document).is_ok_and(|mut reader| reader.sequence(parts).is_ok())
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
    pub(crate) public: Option<&'a [u8]>,
}

/// Reads a PrivateKeyInfo or OneAsymmetricKey.
///
/// # Errors
/// [`Error::Der`].
pub(crate) fn open(document: &[u8]) -> Result<Document<'_>, Error> {
    let info = PrivateKeyInfoRef::from_der(document).map_err(|error| match is_encrypted(document) {
        true => Error::Malformed { element: ELEMENT, reason: ENCRYPTED },
        false => Error::der(ELEMENT)(error),
    })?;
    let algorithm = AlgorithmIdentifierOwned {
        oid: info.algorithm.oid,
        parameters: info.algorithm.parameters.map(Into::into),
    };
    let public =
        info.public_key.as_ref().map(|key| key.as_bytes().ok_or(malformed("has a broken public key")));
    Ok(Document { algorithm, content: info.private_key.as_bytes(), public: public.transpose()? })
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
pub(crate) fn check_public(own: &[u8], found: Option<&[u8]>) -> Result<(), Error> {
    match found {
        Some(found) if found != own => Err(malformed("contradicts itself: its public key is another key's")),
        _ => Ok(()),
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
