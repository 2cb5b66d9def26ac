//! The identity of a device, and the expected identity.

use crate::hex;
use grille_pki::{Certificate, Error, PublicKey};
use grille_spdm_engine::hash::HASHES;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A SHA-256 digest, shown in hexadecimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(in crate::spdm) struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// Returns the fingerprint of these bytes.
    pub(in crate::spdm) fn new(bytes: &[u8]) -> Self {
        let digest = HASHES[0].digest(&[bytes]);
        Self(digest.as_ref().try_into().unwrap_or_default())
    }

    /// Parses hexadecimal digits, with or without OpenSSL's colons.
    fn parse(text: &str) -> Option<Self> {
        Some(Self(hex::decode(&text.replace(':', ""))?.try_into().ok()?))
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(&self.0))
    }
}

impl From<Fingerprint> for String {
    fn from(fingerprint: Fingerprint) -> Self {
        fingerprint.to_string()
    }
}

impl TryFrom<String> for Fingerprint {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        Self::parse(&text).ok_or("not a SHA-256 digest in hexadecimal")
    }
}

/// The unique identity of a device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(in crate::spdm) struct Identity {
    /// Fingerprint of the device's public key: of its SubjectPublicKeyInfo in DER, or in the dialect of openspdm-pqc of
    /// its file.
    pub(in crate::spdm) key: Fingerprint,
    /// Fingerprint of the device's certificate in DER; `None` if the device has no certificate.
    leaf: Option<Fingerprint>,
    /// The serial number of the certificate, in hexadecimal; `None` if the device has no certificate.
    serial: Option<String>,
}

impl Identity {
    /// Returns the identity of a device with a certificate.
    ///
    /// # Errors
    /// Returns an error if the key in the certificate cannot be decoded.
    pub(in crate::spdm) fn from_leaf(leaf: &Certificate) -> Result<Self, Error> {
        let key = Fingerprint::new(&leaf.public_key()?.to_spki_der()?);
        Ok(Self { key, leaf: Some(Fingerprint::new(leaf.as_der())), serial: Some(leaf.serial()) })
    }

    /// Returns the identity of a device with a provisioned public key.
    ///
    /// # Errors
    /// Returns an error if the key cannot be encoded.
    pub(in crate::spdm) fn from_public_key(key: &PublicKey) -> Result<Self, Error> {
        Ok(Self { key: Fingerprint::new(&key.to_spki_der()?), leaf: None, serial: None })
    }

    /// Returns the identity of a provisioned key of the dialect of openspdm-pqc: the SHA-256 of its file. Some
    /// algorithms of the dialect have no SubjectPublicKeyInfo.
    pub(in crate::spdm) fn from_raw_key(key: &PublicKey) -> Self {
        Self { key: Fingerprint::new(key.bytes()), leaf: None, serial: None }
    }
}

/// The expected identity of a device; a member that is `None` accepts any value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(in crate::spdm) struct Expected {
    key: Option<Fingerprint>,
    leaf: Option<Fingerprint>,
    serial: Option<String>,
}

impl Expected {
    /// Adds a requirement: `key=SHA-256`, `leaf=SHA-256` or `serial=NUMBER`, all in hexadecimal.
    ///
    /// # Errors
    /// Returns an error if the requirement is malformed or repeated.
    pub(in crate::spdm) fn with(mut self, word: &str) -> Result<Self, String> {
        let unknown =
            || format!("invalid identity {word:?}: expected key=SHA-256, leaf=SHA-256 or serial=HEX");
        let (name, value) = word.split_once('=').ok_or_else(unknown)?;
        let twice = || format!("{name}= appears twice");
        let fingerprint = || {
            let wrong = || format!("invalid SHA-256 {name}={value}: expected 64 hexadecimal digits");
            Fingerprint::parse(value).ok_or_else(wrong)
        };
        let before = match name {
            "key" => self.key.replace(fingerprint()?).is_some(),
            "leaf" => self.leaf.replace(fingerprint()?).is_some(),
            "serial" => self.serial.replace(serial(value)?).is_some(),
            _ => return Err(unknown()),
        };
        if before { Err(twice()) } else { Ok(self) }
    }

    /// Returns whether any device is acceptable.
    pub(in crate::spdm) const fn is_any(&self) -> bool {
        self.key.is_none() && self.leaf.is_none() && self.serial.is_none()
    }

    /// Describes the first mismatch between `found` and the expected identity, if there is one.
    pub(in crate::spdm) fn mismatch(&self, found: &Identity) -> Option<String> {
        let other = |property: &str, expected: &dyn fmt::Display, found: Option<String>| {
            let found = found.unwrap_or_else(|| "none".to_owned());
            format!("expected its {property} to be {expected}, found {found}")
        };
        let key = self.key.filter(|key| *key != found.key);
        let leaf = self.leaf.filter(|leaf| Some(*leaf) != found.leaf);
        let serial = self
            .serial
            .as_ref()
            .filter(|expected| found.serial.as_deref().map(without_zeros) != Some(expected.as_str()));
        key.map(|key| other("key", &key, Some(found.key.to_string())))
            .or_else(|| leaf.map(|leaf| other("certificate", &leaf, found.leaf.map(String::from))))
            .or_else(|| serial.map(|serial| other("serial number", serial, found.serial.clone())))
    }
}

/// Formats all requirements; equal requirements have equal texts.
impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = [
            self.key.map(|key| format!("key={key}")),
            self.leaf.map(|leaf| format!("leaf={leaf}")),
            self.serial.as_ref().map(|serial| format!("serial={serial}")),
        ];
        f.write_str(&words.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}

/// Normalizes a serial number: lower case, without colons and leading zeros.
fn serial(text: &str) -> Result<String, String> {
    let digits = text.replace(':', "").to_ascii_lowercase();
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_number {
        Ok(without_zeros(&digits).to_owned())
    } else {
        Err(format!("invalid serial number: {text} is not hexadecimal"))
    }
}

fn without_zeros(digits: &str) -> &str {
    digits.trim_start_matches('0')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device() -> Identity {
        let der = include_bytes!("../../../../vectors/spdm/profile/device.der");
        Identity::from_leaf(&Certificate::from_pem_or_der(der).unwrap()).unwrap()
    }

    fn expected(words: &str) -> Result<Expected, String> {
        words.split_whitespace().try_fold(Expected::default(), Expected::with)
    }

    #[test]
    fn compares_key_certificate_and_serial_number() {
        let device = device();
        let (key, leaf, serial) = (device.key, device.leaf.unwrap(), device.serial.clone().unwrap());
        let upper = leaf.to_string().to_ascii_uppercase();
        let colons: Vec<&str> = (0..32).map(|at| &upper[2 * at..2 * at + 2]).collect();
        let colons = colons.join(":");
        for words in [
            String::new(),
            format!("key={key}"),
            format!("leaf={leaf}"),
            format!("leaf={colons}"),
            format!("serial={serial}"),
            format!("serial=00{}", serial.to_ascii_uppercase()),
            format!("key={key} leaf={leaf} serial={serial}"),
        ] {
            let expected = expected(&words).unwrap();
            assert_eq!(expected.mismatch(&device), None, "{words}");
            assert_eq!(expected.is_any(), words.is_empty());
        }
        for (words, property) in [
            (format!("key={leaf}"), "key"),
            (format!("leaf={key}"), "certificate"),
            ("serial=00".to_owned(), "serial number"),
            (format!("key={key} serial=1{serial}"), "serial number"),
        ] {
            let message = expected(&words).unwrap().mismatch(&device).unwrap();
            assert!(message.starts_with(&format!("expected its {property} to be ")), "{message}");
        }
        // A device without a certificate has no serial number.
        let bare = Identity { leaf: None, serial: None, ..device };
        let message = expected(&format!("serial={serial}")).unwrap().mismatch(&bare).unwrap();
        assert!(message.ends_with("found none"), "{message}");
    }

    #[test]
    fn rejects_malformed_identity() {
        let zeros = "00".repeat(32);
        for (words, property) in [
            ("0011".to_owned(), "invalid identity"),
            ("name=device".to_owned(), "invalid identity"),
            ("key=00".to_owned(), "expected 64 hexadecimal digits"),
            (format!("key={zeros} key={zeros}"), "twice"),
            ("serial=".to_owned(), "not hexadecimal"),
            ("serial=xy".to_owned(), "not hexadecimal"),
        ] {
            let message = expected(&words).unwrap_err();
            assert!(message.contains(property), "{message}");
        }
    }

    #[test]
    fn equal_requirements_have_equal_texts() {
        let (one, other) = ("aB".repeat(32), "0c".repeat(32));
        let words = |text: String| expected(&text).unwrap().to_string();
        let parts = words(format!("serial=0aF leaf={other} key={one}"));
        assert_eq!(parts, format!("key={} leaf={other} serial=af", one.to_lowercase()));
        assert_eq!(words(parts.clone()), parts);
    }
}
