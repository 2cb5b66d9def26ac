//! Which device answered, and which one should have.

use crate::hex;
use grille_pki::{Certificate, Error, PublicKey};
use grille_spdm_engine::hash::HASHES;
use serde::{Deserialize, Serialize};
use std::fmt;

/// SHA-256, shown in hexadecimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(in crate::spdm) struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// The fingerprint of these bytes.
    pub(in crate::spdm) fn of(bytes: &[u8]) -> Self {
        let digest = HASHES[0].digest(&[bytes]);
        Self(digest.as_ref().try_into().unwrap_or_default())
    }

    /// From hexadecimal digits, with or without the colons of OpenSSL.
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
        Self::parse(&text).ok_or("no SHA-256 in hexadecimal")
    }
}

/// What tells a device from every other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(in crate::spdm) struct Identity {
    /// Of the device's public key, SubjectPublicKeyInfo in DER.
    pub(in crate::spdm) key: Fingerprint,
    /// Of its certificate in DER. `None`: it has none.
    leaf: Option<Fingerprint>,
    /// The serial number of that, in hexadecimal.
    serial: Option<String>,
}

impl Identity {
    /// Of a device with a certificate.
    ///
    /// # Errors
    /// If the key in it cannot be read.
    pub(in crate::spdm) fn of_leaf(leaf: &Certificate) -> Result<Self, Error> {
        let key = Fingerprint::of(&leaf.public_key()?.to_spki_der()?);
        Ok(Self { key, leaf: Some(Fingerprint::of(leaf.as_der())), serial: Some(leaf.serial()) })
    }

    /// Of a device with a public key alone.
    ///
    /// # Errors
    /// If the key cannot be written.
    pub(in crate::spdm) fn of_key(key: &PublicKey) -> Result<Self, Error> {
        Ok(Self { key: Fingerprint::of(&key.to_spki_der()?), leaf: None, serial: None })
    }
}

/// The identity that a device should have; what is `None` may be any.
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
    /// What is wrong with it.
    pub(in crate::spdm) fn with(mut self, word: &str) -> Result<Self, String> {
        let unknown = || format!("{word:?} is no identity: write key=SHA-256, leaf=SHA-256 or serial=HEX");
        let (name, value) = word.split_once('=').ok_or_else(unknown)?;
        let twice = || format!("{name} stands there twice");
        let fingerprint = || {
            let wrong = || format!("{name}={value} is no SHA-256: that has 64 hexadecimal digits");
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

    /// Whether every device will do.
    pub(in crate::spdm) const fn is_any(&self) -> bool {
        self.key.is_none() && self.leaf.is_none() && self.serial.is_none()
    }

    /// What of `found` is not as it should be, in words.
    pub(in crate::spdm) fn mismatch(&self, found: &Identity) -> Option<String> {
        let other = |what: &str, expected: &dyn fmt::Display, found: Option<String>| {
            let found = found.unwrap_or_else(|| "none".to_owned());
            format!("its {what} should be {expected}, and is {found}")
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

/// All that is required, in words that say the same of the same.
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

/// A serial number as numbers are compared: lower case, without colons and leading zeros.
fn serial(text: &str) -> Result<String, String> {
    let digits = text.replace(':', "").to_ascii_lowercase();
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_number {
        Ok(without_zeros(&digits).to_owned())
    } else {
        Err(format!("serial={text} is not hexadecimal"))
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
        Identity::of_leaf(&Certificate::from_pem_or_der(der).unwrap()).unwrap()
    }

    fn expected(words: &str) -> Result<Expected, String> {
        words.split_whitespace().try_fold(Expected::default(), Expected::with)
    }

    #[test]
    fn a_device_is_known_by_key_certificate_and_serial_number() {
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
        for (words, what) in [
            (format!("key={leaf}"), "key"),
            (format!("leaf={key}"), "certificate"),
            ("serial=00".to_owned(), "serial number"),
            (format!("key={key} serial=1{serial}"), "serial number"),
        ] {
            let told = expected(&words).unwrap().mismatch(&device).unwrap();
            assert!(told.starts_with(&format!("its {what} should be ")), "{told}");
        }
        // a device without a certificate has no serial number
        let bare = Identity { leaf: None, serial: None, ..device };
        let told = expected(&format!("serial={serial}")).unwrap().mismatch(&bare).unwrap();
        assert!(told.ends_with("and is none"), "{told}");
    }

    #[test]
    fn what_is_no_identity_is_refused() {
        let zeros = "00".repeat(32);
        for (words, what) in [
            ("0011".to_owned(), "is no identity"),
            ("name=device".to_owned(), "is no identity"),
            ("key=00".to_owned(), "has 64 hexadecimal digits"),
            (format!("key={zeros} key={zeros}"), "twice"),
            ("serial=".to_owned(), "not hexadecimal"),
            ("serial=xy".to_owned(), "not hexadecimal"),
        ] {
            let told = expected(&words).unwrap_err();
            assert!(told.contains(what), "{told}");
        }
    }

    #[test]
    fn the_same_requirements_are_written_alike() {
        let (one, other) = ("aB".repeat(32), "0c".repeat(32));
        let words = |text: String| expected(&text).unwrap().to_string();
        let said = words(format!("serial=0aF leaf={other} key={one}"));
        assert_eq!(said, format!("key={} leaf={other} serial=af", one.to_lowercase()));
        assert_eq!(words(said.clone()), said);
    }
}
