//! Reference manifests: the expected measurements of devices.

use super::appraisal::comparison::Comparison;
use super::appraisal::identity::Fingerprint;
use super::appraisal::rule::Rule;
use super::inputs::Input;
use crate::error::Error;
use grille_spdm_engine::hash::{HASHES, Hash};
use grille_spdm_engine::operations::MeasuredBlock;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::path::Path;

/// All expected measurements of a correct device; stored as JSON.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    /// The hash of the digests; digests of another hash cannot be compared. Absent if all values are raw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hash: Option<String>,
    measurements: Vec<Rule>,
    /// Deviating measurements of single devices, keyed by the SHA-256 of their public keys.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    devices: BTreeMap<Fingerprint, Exceptions>,
    /// Free-form data of the manifest's author; not compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    metadata: Option<Value>,
}

/// The deviating measurements of one device.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Exceptions {
    /// Replacements for the rules with the same indexes.
    measurements: Vec<Rule>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    metadata: Option<Value>,
}

impl Manifest {
    /// Creates a manifest of these measurements. `hash` is the hash of their digests.
    pub(super) fn new(blocks: &[MeasuredBlock], hash: Option<&str>) -> Self {
        let measurements = blocks.iter().map(Rule::new).collect();
        Self { hash: hash.map(str::to_owned), measurements, devices: BTreeMap::new(), metadata: None }
    }

    /// Reads a manifest from a file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or is not a manifest.
    pub(super) fn read(path: &Path) -> Result<Self, Error> {
        let read = Input::Manifest.read(path)?;
        let broken = |why: &dyn Display| {
            let problem = format_args!("not a measurement manifest: {why}");
            Error::failure(problem).at(path).advise("write one with `grille spdm attest --save`")
        };
        if read.trim_ascii().is_empty() {
            return Err(broken(&"the file is empty"));
        }
        // For a list, the parser would complain about its first element.
        if read.trim_ascii_start().first() == Some(&b'[') {
            return Err(broken(&"found a list, expected an object {\"hash\": …, \"measurements\": […]}"));
        }
        let manifest: Self = serde_json::from_slice(&read).map_err(|error| broken(&error))?;
        match manifest.find_error() {
            Some(problem) => Err(Error::failure(problem).at(path)),
            None => Ok(manifest),
        }
    }

    /// Describes contents that can never match a device, if there are any.
    fn find_error(&self) -> Option<String> {
        let named = |name: &str| HASHES.iter().find(|hash| hash.name == name).ok_or_else(|| unknown(name));
        let hash = match self.hash.as_deref().map(named).transpose() {
            Ok(hash) => hash,
            Err(problem) => return Some(problem),
        };
        let devices = self.devices.values().map(|device| &device.measurements);
        std::iter::once(&self.measurements).chain(devices).find_map(|rules| find_error(rules, hash))
    }

    /// Returns everything that is compared, in the form that policies use: rules ordered by index, without metadata
    /// and descriptions.
    pub(super) fn canonical(&self) -> Value {
        let sorted = |rules: &[Rule]| -> Value {
            let mut rules: Vec<&Rule> = rules.iter().collect();
            rules.sort_by_key(|rule| rule.index);
            rules.into_iter().map(Rule::canonical).collect()
        };
        let own =
            |(key, device): (&Fingerprint, &Exceptions)| (key.to_string(), sorted(&device.measurements));
        let devices: Value = self.devices.iter().map(own).collect();
        json!({ "hash": self.hash, "measurements": sorted(&self.measurements), "devices": devices })
    }

    /// Returns the manifest as JSON text.
    ///
    /// # Errors
    /// The errors of the serializer, which do not occur in practice.
    pub(super) fn to_json(&self) -> Result<String, Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// Compares the manifest with the measurements of a device. `hash` is the hash of the device's digests.
    pub(super) fn compare(
        &self,
        key: Fingerprint,
        blocks: &[MeasuredBlock],
        hash: Option<&str>,
    ) -> Comparison {
        let own: &[Rule] = self.devices.get(&key).map_or(&[], |device| &device.measurements);
        let common = self.measurements.iter().filter(|rule| own.iter().all(|one| one.index != rule.index));
        let rules: Vec<&Rule> = own.iter().chain(common).collect();
        let hashes = self.hash.as_deref().zip(hash).filter(|(expected, found)| expected != found);
        Comparison::new(&rules, blocks, hashes)
    }
}

/// Describes a rule that no device can match, if there is one.
fn find_error(rules: &[Rule], hash: Option<&Hash>) -> Option<String> {
    let mut indexes = BTreeSet::new();
    rules.iter().find_map(|rule| {
        let twice = || format!("measurement {} appears twice", rule.index);
        rule.find_error(hash, &known()).or_else(|| (!indexes.insert(rule.index)).then(twice))
    })
}

/// Describes an unknown hash, and lists the known ones.
fn unknown(name: &str) -> String {
    format!("unknown hash {name}; {}", known())
}

/// Lists the known hashes.
fn known() -> String {
    let known: Vec<&str> = HASHES.iter().map(|hash| hash.name).collect();
    format!("known hashes: {}", known.join(", "))
}

#[cfg(test)]
mod tests {
    use super::super::appraisal::reason::{self, Verdict};
    use super::*;

    fn block(index: u8, value: u8) -> MeasuredBlock {
        MeasuredBlock { index, kind: 1, raw: false, value: vec![value; 48] }
    }

    #[test]
    fn round_trips_through_json() {
        let manifest = Manifest::new(&[block(1, 1), block(2, 2)], Some("SHA-384"));
        assert!(manifest.to_json().unwrap().contains(r#""hash": "SHA-384""#));
        assert_eq!(serde_json::from_str::<Manifest>(&manifest.to_json().unwrap()).unwrap(), manifest);
    }

    #[test]
    fn rejects_duplicate_measurement() {
        let hash = Some("SHA-384");
        assert_eq!(Manifest::new(&[block(1, 1), block(2, 2)], hash).find_error(), None);
        let twice = Manifest::new(&[block(1, 1), block(2, 2), block(1, 3)], hash);
        assert_eq!(twice.find_error().as_deref(), Some("measurement 1 appears twice"));
    }

    #[test]
    fn rejects_unknown_hash_and_wrong_lengths() {
        let error_with = |hash| Manifest::new(&[block(1, 1)], Some(hash)).find_error().unwrap_or_default();
        assert_eq!(error_with("SHA-384"), "");
        assert!(error_with("MD5").starts_with("unknown hash MD5; known hashes: SHA-256, "));
        assert_eq!(
            error_with("SHA-256"),
            "the digest of measurement 1 has 48 bytes, which does not fit SHA-256"
        );
        // Raw values may have any length.
        let raw = MeasuredBlock { raw: true, ..block(1, 1) };
        assert_eq!(Manifest::new(std::slice::from_ref(&raw), Some("SHA-256")).find_error(), None);
        // A manifest of raw values needs no hash.
        assert_eq!(Manifest::new(&[raw], None).find_error(), None);
        let message = Manifest::new(&[block(1, 1)], None).find_error().unwrap_or_default();
        assert!(message.starts_with("measurement 1 is a digest, but \"hash\" is missing"), "{message}");
    }

    #[test]
    fn devices_may_have_exceptions() {
        let [one, other] = ["01", "02"].map(|byte| Fingerprint::try_from(byte.repeat(32)).unwrap());
        let digest = |byte: &str| byte.repeat(48);
        let text = serde_json::json!({
            "hash": "SHA-384",
            "metadata": { "author": "ops" },
            "measurements": [
                { "index": 1, "kind": 1, "raw": false, "value": digest("01") },
                { "index": 2, "kind": 1, "raw": false, "value": digest("02") },
            ],
            "devices": { one.to_string(): {
                "metadata": "rack 7",
                "measurements": [{ "index": 2, "kind": 1, "raw": false, "values": [digest("03"), digest("04")] }],
            } },
        });
        let manifest: Manifest = serde_json::from_value(text).unwrap();
        assert_eq!(manifest.find_error(), None);
        let verdict = |key, second| {
            let compared = manifest.compare(key, &[block(1, 1), block(2, second)], Some("SHA-384"));
            reason::verdict(&compared.findings("SHA-384"))
        };
        for (key, second, expected) in [
            (one, 4, Verdict::Trusted),
            (one, 2, Verdict::NotTrusted),
            (other, 2, Verdict::Trusted),
            (other, 3, Verdict::NotTrusted),
        ] {
            assert_eq!(verdict(key, second), expected, "{key} {second}");
        }
        // A change to a compared member changes the canonical form, and other changes do not.
        let mut altered: Value = serde_json::to_value(&manifest).unwrap();
        altered["metadata"] = Value::Null;
        let canonical = |text: &Value| serde_json::from_value::<Manifest>(text.clone()).unwrap().canonical();
        assert_eq!(canonical(&altered), manifest.canonical());
        altered["devices"] = serde_json::json!({});
        assert_ne!(canonical(&altered), manifest.canonical());
    }
}
