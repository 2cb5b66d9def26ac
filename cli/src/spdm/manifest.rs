//! Reference manifests: what a device should measure.

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

/// Every measurement of a device that is as it should be; JSON.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    /// What the digests are of: those of another hash cannot be compared. Where all values are raw, it says nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hash: Option<String>,
    measurements: Vec<Rule>,
    /// What single devices measure otherwise, by the SHA-256 of their public keys.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    devices: BTreeMap<Fingerprint, Exceptions>,
    /// For whoever writes manifests; not compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    metadata: Option<Value>,
}

/// What one device measures otherwise.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Exceptions {
    /// In place of those with the same index.
    measurements: Vec<Rule>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    metadata: Option<Value>,
}

impl Manifest {
    /// What these blocks say, whose digests are of `hash`.
    pub(super) fn of(blocks: &[MeasuredBlock], hash: Option<&str>) -> Self {
        let measurements = blocks.iter().map(Rule::of).collect();
        Self { hash: hash.map(str::to_owned), measurements, devices: BTreeMap::new(), metadata: None }
    }

    /// From a file.
    ///
    /// # Errors
    /// If it cannot be read, or is no manifest.
    pub(super) fn read(path: &Path) -> Result<Self, Error> {
        let read = Input::Manifest.read(path)?;
        let broken = |why: &dyn Display| {
            let what = format_args!("is no manifest of measurements: {why}");
            Error::failure(what).at(path).advise("grille spdm attest --save writes one")
        };
        if read.trim_ascii().is_empty() {
            return Err(broken(&"it is empty"));
        }
        // of a list the parser would say what its first element should be
        if read.trim_ascii_start().first() == Some(&b'[') {
            return Err(broken(
                &"it is a list, and should be an object, {\"hash\": …, \"measurements\": […]}",
            ));
        }
        let manifest: Self = serde_json::from_slice(&read).map_err(|error| broken(&error))?;
        match manifest.mistake() {
            Some(what) => Err(Error::failure(what).at(path)),
            None => Ok(manifest),
        }
    }

    /// What can never be what a device measures.
    fn mistake(&self) -> Option<String> {
        let named = |name: &str| HASHES.iter().find(|hash| hash.name == name).ok_or_else(|| unknown(name));
        let hash = match self.hash.as_deref().map(named).transpose() {
            Ok(hash) => hash,
            Err(what) => return Some(what),
        };
        let devices = self.devices.values().map(|device| &device.measurements);
        std::iter::once(&self.measurements).chain(devices).find_map(|rules| mistake(rules, hash))
    }

    /// Returns all that is compared, as it stands in a policy: rules by their indexes, without metadata and descriptions.
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

    /// As it stands in a file.
    ///
    /// # Errors
    /// None in practice; those of the serializer.
    pub(super) fn to_json(&self) -> Result<String, Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// What differs between the manifest and the device with this key, whose digests are of `hash`.
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
        Comparison::of(&rules, blocks, hashes)
    }
}

/// What no device can measure of these.
fn mistake(rules: &[Rule], hash: Option<&Hash>) -> Option<String> {
    let mut indexes = BTreeSet::new();
    rules.iter().find_map(|rule| {
        let twice = || format!("has measurement {} twice", rule.index);
        rule.mistake(hash, &known()).or_else(|| (!indexes.insert(rule.index)).then(twice))
    })
}

/// A hash that there is not, and those that there are.
fn unknown(name: &str) -> String {
    format!("its hash is {name}, and {}", known())
}

/// The hashes that there are.
fn known() -> String {
    let known: Vec<&str> = HASHES.iter().map(|hash| hash.name).collect();
    format!("only these are known: {}", known.join(", "))
}

#[cfg(test)]
mod tests {
    use super::super::appraisal::reason::{self, Verdict};
    use super::*;

    fn block(index: u8, value: u8) -> MeasuredBlock {
        MeasuredBlock { index, kind: 1, raw: false, value: vec![value; 48] }
    }

    #[test]
    fn a_manifest_is_read_as_it_was_written() {
        let manifest = Manifest::of(&[block(1, 1), block(2, 2)], Some("SHA-384"));
        assert!(manifest.to_json().unwrap().contains(r#""hash": "SHA-384""#));
        assert_eq!(serde_json::from_str::<Manifest>(&manifest.to_json().unwrap()).unwrap(), manifest);
    }

    #[test]
    fn no_measurement_stands_in_a_manifest_twice() {
        let hash = Some("SHA-384");
        assert_eq!(Manifest::of(&[block(1, 1), block(2, 2)], hash).mistake(), None);
        let twice = Manifest::of(&[block(1, 1), block(2, 2), block(1, 3)], hash);
        assert_eq!(twice.mistake().as_deref(), Some("has measurement 1 twice"));
    }

    #[test]
    fn a_manifest_of_no_hash_or_of_other_lengths_is_refused() {
        let mistake = |hash| Manifest::of(&[block(1, 1)], Some(hash)).mistake().unwrap_or_default();
        assert_eq!(mistake("SHA-384"), "");
        assert!(mistake("MD5").starts_with("its hash is MD5, and only these are known: SHA-256, "));
        assert_eq!(mistake("SHA-256"), "the digest of measurement 1 has 48 bytes, which is none of SHA-256");
        // raw values have any length
        let raw = MeasuredBlock { raw: true, ..block(1, 1) };
        assert_eq!(Manifest::of(std::slice::from_ref(&raw), Some("SHA-256")).mistake(), None);
        // and are of no hash
        assert_eq!(Manifest::of(&[raw], None).mistake(), None);
        let told = Manifest::of(&[block(1, 1)], None).mistake().unwrap_or_default();
        assert!(told.starts_with("measurement 1 is a digest, and there is no \"hash\""), "{told}");
    }

    #[test]
    fn a_device_may_measure_otherwise_than_the_others() {
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
        assert_eq!(manifest.mistake(), None);
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
        // what is compared makes another policy, and what is not does not
        let mut altered: Value = serde_json::to_value(&manifest).unwrap();
        altered["metadata"] = Value::Null;
        let canonical = |text: &Value| serde_json::from_value::<Manifest>(text.clone()).unwrap().canonical();
        assert_eq!(canonical(&altered), manifest.canonical());
        altered["devices"] = serde_json::json!({});
        assert_ne!(canonical(&altered), manifest.canonical());
    }
}
