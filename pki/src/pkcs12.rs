//! PKCS#12, RFC 7292: keys and certificates in one passphrase-protected file, in DER or BER. Read only.

use crate::asn1::elements;
use crate::oid_name::oid_with_name;
use crate::pbe::{self, Passphrase, Purpose, check_iterations};
use crate::{Error, PKCS12, ber};
use alloc::vec::Vec;
use const_oid::ObjectIdentifier;
use const_oid::db::rfc5912::{ID_SHA_1, ID_SHA_256, ID_SHA_384, ID_SHA_512};
use der::asn1::AnyRef;
use der::{Encode, Tag, Tagged};
use hmac::{KeyInit, Mac, SimpleHmac};
use pkcs5::pbes2::{Pbkdf2Params, Pbkdf2Prf};
use sha1::Sha1;
use sha1::digest::Digest;
use sha1::digest::block_api::BlockSizeUser;
use sha2::{Sha256, Sha384, Sha512};
use spki::AlgorithmIdentifierRef;
use zeroize::Zeroizing;

/// A key or a certificate in a PKCS#12 file.
pub(crate) struct Entry {
    pub(crate) der: Zeroizing<Vec<u8>>,
    /// The localKeyId that a key and its certificate share, RFC 7292 section 4.2, if there is one.
    pub(crate) id: Option<Vec<u8>>,
}

/// Keys and certificates of a PKCS#12 file.
#[derive(Default)]
pub(crate) struct Contents {
    /// PKCS#8 documents.
    pub(crate) keys: Vec<Entry>,
    pub(crate) certificates: Vec<Entry>,
}

/// Verifies the file's MAC and decrypts its contents.
///
/// `passphrase`: `None` to try without one.
///
/// # Errors
/// Returns [`Error::Encrypted`] if a passphrase is needed and missing, [`Error::Passphrase`] if the passphrase is
/// wrong, [`Error::Cipher`] if the algorithm of the encryption or of the MAC is not supported, [`Error::Der`] if an
/// element is not DER after the conversion from BER, or [`Error::Malformed`] if the file does not have the structure of
/// RFC 7292, exceeds the limit of iterations, or is signed with a certificate.
pub(crate) fn open(file: &[u8], passphrase: Option<&[u8]>) -> Result<Contents, Error> {
    let der = from_ber(file)?;
    let parts = elements(PKCS12, sequence(&der)?.value())?;
    let (info, mac) = match parts[..] {
        [_version, info] => (info, None),
        [_version, info, mac] => (info, Some(mac)),
        _ => return Err(malformed_error(WRONG_STRUCTURE)),
    };
    let (kind, content) = content_info(&info)?;
    if kind != DATA {
        return Err(malformed_error(
            "is signed with a certificate instead of protected with a passphrase, which is not supported",
        ));
    }
    let safe = content.value();
    let Some(passphrase) = passphrase else {
        if mac.is_some() {
            return Err(Error::Encrypted { element: PKCS12 });
        }
        return Reader { passphrase: None, contents: Contents::default() }.parse_safe(safe);
    };
    let entered = Passphrase::new(passphrase);
    let passphrase = match mac {
        Some(mac) => matching_passphrase(entered, &mac, safe)?,
        None => entered,
    };
    Reader { passphrase: Some(passphrase), contents: Contents::default() }.parse_safe(safe)
}

const WRONG_STRUCTURE: &str = "does not have the structure of RFC 7292";

// RFC 7292 appendix D, and RFC 2985 section 5.5.2
const DATA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.7.1");
const ENCRYPTED_DATA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.7.6");
const KEY_BAG: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.12.10.1.1");
const SHROUDED_KEY_BAG: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.12.10.1.2");
const CERT_BAG: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.12.10.1.3");
const SAFE_CONTENTS_BAG: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.12.10.1.6");
const X509_CERTIFICATE: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.22.1");
const LOCAL_KEY_ID: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.21");
/// PBMAC1, RFC 9579.
const PBMAC1: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.5.14");

/// Returns the passphrase in the encoding with which the MAC is valid. An empty passphrase has two encodings.
fn matching_passphrase(entered: Passphrase, mac: &AnyRef<'_>, safe: &[u8]) -> Result<Passphrase, Error> {
    let mac = MacData::parse(mac)?;
    if mac.matches(safe, &entered)? {
        return Ok(entered);
    }
    let none = Passphrase::none();
    if entered.bytes.is_empty() && mac.matches(safe, &none)? {
        return Ok(none);
    }
    Err(Error::Passphrase { element: PKCS12 })
}

/// MacData, RFC 7292 section 4.
struct MacData<'a> {
    algorithm: AlgorithmIdentifierRef<'a>,
    digest: &'a [u8],
    salt: &'a [u8],
    iterations: u32,
}

impl<'a> MacData<'a> {
    fn parse(element: &AnyRef<'a>) -> Result<Self, Error> {
        let parts = elements(PKCS12, element.value())?;
        let (info, salt, iterations) = match parts[..] {
            [info, salt] => (info, salt, 1),
            [info, salt, iterations] => (info, salt, iterations.decode_as().map_err(Error::der(PKCS12))?),
            _ => return Err(malformed_error(WRONG_STRUCTURE)),
        };
        let [algorithm, digest] = elements(PKCS12, info.value())?[..] else {
            return Err(malformed_error(WRONG_STRUCTURE));
        };
        let algorithm = algorithm.decode_as().map_err(Error::der(PKCS12))?;
        check_iterations(PKCS12, iterations)?;
        Ok(Self { algorithm, digest: digest.value(), salt: salt.value(), iterations })
    }

    /// Checks whether the MAC matches `safe`.
    fn matches(&self, safe: &[u8], passphrase: &Passphrase) -> Result<bool, Error> {
        Ok(match self.algorithm.oid {
            ID_SHA_1 => self.matches_hmac::<Sha1>(safe, passphrase),
            ID_SHA_256 => self.matches_hmac::<Sha256>(safe, passphrase),
            ID_SHA_384 => self.matches_hmac::<Sha384>(safe, passphrase),
            ID_SHA_512 => self.matches_hmac::<Sha512>(safe, passphrase),
            PBMAC1 => self.matches_pbmac1(safe, passphrase)?,
            _ => return Err(self.unsupported()),
        })
    }

    fn matches_hmac<D: Digest + BlockSizeUser + Clone>(&self, safe: &[u8], passphrase: &Passphrase) -> bool {
        let length = <D as Digest>::output_size();
        let key = passphrase.derive::<D>(Purpose::Mac, self.salt, self.iterations, length);
        verify_hmac::<D>(&key, safe, self.digest)
    }

    /// Checks whether the PBMAC1, RFC 9579 section 3, matches `safe`. The parameters of the PBMAC1 contain its salt and
    /// its iteration count.
    fn matches_pbmac1(&self, safe: &[u8], passphrase: &Passphrase) -> Result<bool, Error> {
        let parameters = self.algorithm.parameters.map_or(&[][..], |parameters| parameters.value());
        let [kdf, hmac] = elements(PKCS12, parameters)?[..] else {
            return Err(malformed_error(WRONG_STRUCTURE));
        };
        let [kdf, hmac]: [AlgorithmIdentifierRef<'_>; 2] =
            [kdf.decode_as().map_err(Error::der(PKCS12))?, hmac.decode_as().map_err(Error::der(PKCS12))?];
        let kdf = kdf.parameters.and_then(|parameters| Pbkdf2Params::try_from(parameters).ok());
        let kdf = kdf.ok_or_else(|| self.unsupported())?;
        check_iterations(PKCS12, kdf.iteration_count)?;
        let mut key = Zeroizing::new([0; 64]);
        let key = key
            .get_mut(..kdf.key_length.ok_or(malformed_error(WRONG_STRUCTURE))?.into())
            .ok_or(malformed_error(WRONG_STRUCTURE))?;
        let (salt, rounds) = (kdf.salt.as_ref(), kdf.iteration_count);
        match kdf.prf {
            Pbkdf2Prf::HmacWithSha1 => pbkdf2::pbkdf2_hmac::<Sha1>(&passphrase.bytes, salt, rounds, key),
            Pbkdf2Prf::HmacWithSha256 => pbkdf2::pbkdf2_hmac::<Sha256>(&passphrase.bytes, salt, rounds, key),
            Pbkdf2Prf::HmacWithSha384 => pbkdf2::pbkdf2_hmac::<Sha384>(&passphrase.bytes, salt, rounds, key),
            Pbkdf2Prf::HmacWithSha512 => pbkdf2::pbkdf2_hmac::<Sha512>(&passphrase.bytes, salt, rounds, key),
            _ => return Err(self.unsupported()),
        }
        Ok(match Pbkdf2Prf::try_from(hmac) {
            Ok(Pbkdf2Prf::HmacWithSha256) => verify_hmac::<Sha256>(key, safe, self.digest),
            Ok(Pbkdf2Prf::HmacWithSha384) => verify_hmac::<Sha384>(key, safe, self.digest),
            Ok(Pbkdf2Prf::HmacWithSha512) => verify_hmac::<Sha512>(key, safe, self.digest),
            _ => return Err(self.unsupported()),
        })
    }

    fn unsupported(&self) -> Error {
        Error::Cipher { element: PKCS12, algorithm: oid_with_name(&self.algorithm.oid) }
    }
}

/// Checks in constant time whether `found` is the HMAC of `message`.
fn verify_hmac<D: Digest + BlockSizeUser + Clone>(key: &[u8], message: &[u8], found: &[u8]) -> bool {
    let mac = SimpleHmac::<D>::new_from_slice(key);
    mac.is_ok_and(|mac| mac.chain_update(message).verify_slice(found).is_ok())
}

/// Reader of the part of the file that the MAC covers.
struct Reader {
    passphrase: Option<Passphrase>,
    contents: Contents,
}

impl Reader {
    /// Parses the AuthenticatedSafe.
    fn parse_safe(mut self, bytes: &[u8]) -> Result<Contents, Error> {
        let der = from_ber(bytes)?;
        for info in elements(PKCS12, sequence(&der)?.value())? {
            let (kind, content) = content_info(&info)?;
            match kind {
                DATA => self.read_bags(&from_ber(content.value())?, MAX_DEPTH)?,
                ENCRYPTED_DATA => {
                    let plain = self.decrypt_data(&content)?;
                    self.read_bags(
                        &from_ber(&plain).map_err(|_| Error::Passphrase { element: PKCS12 })?,
                        MAX_DEPTH,
                    )?;
                }
                _ => {
                    let reason = "holds data protected with a certificate instead of a passphrase, which is not supported";
                    return Err(malformed_error(reason));
                }
            }
        }
        Ok(self.contents)
    }

    /// Decrypts an EncryptedData, RFC 5652 section 8.
    fn decrypt_data(&self, data: &AnyRef<'_>) -> Result<Zeroizing<Vec<u8>>, Error> {
        let parts = elements(PKCS12, data.value())?;
        let info = elements(PKCS12, parts.get(1).ok_or(malformed_error(WRONG_STRUCTURE))?.value())?;
        let [_kind, scheme, content] = info[..] else { return Err(malformed_error(WRONG_STRUCTURE)) };
        self.decrypt(&scheme, &octets(&content)?)
    }

    fn decrypt(&self, scheme: &AnyRef<'_>, ciphertext: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        let scheme = scheme.decode_as().map_err(Error::der(PKCS12))?;
        let passphrase = self.passphrase.as_ref().ok_or(Error::Encrypted { element: PKCS12 })?;
        pbe::decrypt(PKCS12, scheme, passphrase, ciphertext)
    }

    /// Parses SafeContents. `depth`: number of levels of nested bags that are still allowed.
    fn read_bags(&mut self, der: &[u8], depth: usize) -> Result<(), Error> {
        let depth = depth.checked_sub(1).ok_or(malformed_error("has too many levels of nested bags"))?;
        for bag in elements(PKCS12, sequence(der)?.value())? {
            let parts = elements(PKCS12, bag.value())?;
            let [kind, value, ..] = parts[..] else { return Err(malformed_error(WRONG_STRUCTURE)) };
            let [value] = elements(PKCS12, value.value())?[..] else {
                return Err(malformed_error(WRONG_STRUCTURE));
            };
            let id = parts.get(2).and_then(local_key_id);
            let entry = |der: &[u8]| Entry { der: Zeroizing::new(der.to_vec()), id: id.clone() };
            match kind.decode_as().map_err(Error::der(PKCS12))? {
                KEY_BAG => self.contents.keys.push(entry(&encoded(&value)?)),
                SHROUDED_KEY_BAG => {
                    let [scheme, content] = elements(PKCS12, value.value())?[..] else {
                        return Err(malformed_error(WRONG_STRUCTURE));
                    };
                    let key = self.decrypt(&scheme, content.value())?;
                    self.contents.keys.push(entry(&from_ber(&key)?));
                }
                CERT_BAG => {
                    let [kind, content] = elements(PKCS12, value.value())?[..] else {
                        return Err(malformed_error(WRONG_STRUCTURE));
                    };
                    // SDSI certificates, the only other type, are ignored.
                    if kind.decode_as() == Ok(X509_CERTIFICATE) {
                        let [certificate] = elements(PKCS12, content.value())?[..] else {
                            return Err(malformed_error(WRONG_STRUCTURE));
                        };
                        self.contents.certificates.push(entry(certificate.value()));
                    }
                }
                SAFE_CONTENTS_BAG => self.read_bags(&encoded(&value)?, depth)?,
                // revocation lists and other secrets are ignored
                _ => (),
            }
        }
        Ok(())
    }
}

/// Maximum nesting depth of bags. Known programs nest them less deeply.
const MAX_DEPTH: usize = 8;

/// Returns the value of the attribute localKeyId, or `None` if this attribute is missing or malformed.
fn local_key_id(attributes: &AnyRef<'_>) -> Option<Vec<u8>> {
    let attributes = elements(PKCS12, attributes.value()).ok()?;
    let mut pairs = attributes.iter().filter_map(|attribute| elements(PKCS12, attribute.value()).ok());
    let found = pairs.find(|pair| pair.first().is_some_and(|kind| kind.decode_as() == Ok(LOCAL_KEY_ID)))?;
    let values = elements(PKCS12, found.get(1)?.value()).ok()?;
    values.first().map(|value| value.value().to_vec())
}

/// Parses a ContentInfo, RFC 5652 section 3: its type and its content.
fn content_info<'a>(info: &AnyRef<'a>) -> Result<(ObjectIdentifier, AnyRef<'a>), Error> {
    let [kind, content] = elements(PKCS12, info.value())?[..] else {
        return Err(malformed_error(WRONG_STRUCTURE));
    };
    let [content] = elements(PKCS12, content.value())?[..] else {
        return Err(malformed_error(WRONG_STRUCTURE));
    };
    Ok((kind.decode_as().map_err(Error::der(PKCS12))?, content))
}

/// Returns the content of an implicitly tagged OCTET STRING, which may be in pieces if it comes from BER.
fn octets(element: &AnyRef<'_>) -> Result<Vec<u8>, Error> {
    if !element.tag().is_constructed() {
        return Ok(element.value().to_vec());
    }
    let pieces = elements(PKCS12, element.value())?;
    match pieces.iter().all(|piece| piece.tag() == Tag::OctetString) {
        true => Ok(pieces.iter().flat_map(|piece| piece.value()).copied().collect()),
        false => Err(malformed_error(WRONG_STRUCTURE)),
    }
}

/// Returns the element with its header.
fn encoded(element: &AnyRef<'_>) -> Result<Zeroizing<Vec<u8>>, Error> {
    element.to_der().map(Zeroizing::new).map_err(Error::der(PKCS12))
}

fn from_ber(bytes: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
    ber::to_der(bytes).ok_or(malformed_error("is truncated or not BER"))
}

/// Returns the SEQUENCE in `der`.
fn sequence(der: &[u8]) -> Result<AnyRef<'_>, Error> {
    let found = elements(PKCS12, der)?.first().copied();
    found.filter(|found| found.tag() == Tag::Sequence).ok_or(malformed_error(WRONG_STRUCTURE))
}

const fn malformed_error(reason: &'static str) -> Error {
    Error::Malformed { element: PKCS12, reason }
}
