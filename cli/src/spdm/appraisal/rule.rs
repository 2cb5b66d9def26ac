//! The rule of a reference manifest for one measurement.

use crate::hex;
use crate::spdm::measured::{Entry, SECURITY_VERSION, kind_name, value_text};
use grille_spdm_engine::hash::Hash;
use grille_spdm_engine::operations::MeasuredBlock;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The accepted values of a measurement, given by exactly one of `value`, `values`, `minimum` and `ignore`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "RuleFile", into = "RuleFile")]
pub(in crate::spdm) struct Rule {
    pub(in crate::spdm) index: u8,
    /// DMTFSpecMeasurementValueType, and whether the value is raw rather than a digest; `None` if the measurement is
    /// ignored.
    form: Option<(u8, bool)>,
    accepts: Accepts,
    metadata: Option<Value>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Accepts {
    /// One of these values; the list is not empty.
    OneOf(Vec<Vec<u8>>),
    /// A firmware security version of at least this number.
    Minimum(u64),
    /// Any value, or no measurement.
    Anything,
}

/// The file format of a rule.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleFile {
    index: u8,
    /// A description for people; not compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kind: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    raw: Option<bool>,
    /// Hexadecimal, like the values in `values`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    values: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    minimum: Option<u64>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    ignore: bool,
    /// Free-form data of the manifest's author; not compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    metadata: Option<Value>,
}

impl TryFrom<RuleFile> for Rule {
    type Error = String;

    fn try_from(written: RuleFile) -> Result<Self, String> {
        let RuleFile { index, kind, raw, value, values, minimum, ignore, metadata, .. } = written;
        let bytes = |text: &String| {
            hex::decode(text).ok_or_else(|| format!("the value of measurement {index} is not hexadecimal"))
        };
        let accepts = match (value, values, minimum, ignore) {
            (Some(value), None, None, false) => Accepts::OneOf(vec![bytes(&value)?]),
            (None, Some(values), None, false) if values.is_empty() => {
                return Err(format!("measurement {index} has no value in \"values\""));
            }
            (None, Some(values), None, false) => {
                Accepts::OneOf(values.iter().map(bytes).collect::<Result<_, _>>()?)
            }
            (None, None, Some(minimum), false) => Accepts::Minimum(minimum),
            (None, None, None, true) => Accepts::Anything,
            _ => {
                let one = "needs exactly one of \"value\", \"values\", \"minimum\" and \"ignore\": true";
                return Err(format!("measurement {index} {one}"));
            }
        };
        let form = match (kind, raw, &accepts) {
            (_, _, Accepts::Anything) => None,
            (Some(SECURITY_VERSION) | None, Some(true) | None, Accepts::Minimum(_)) => {
                Some((SECURITY_VERSION, true))
            }
            (_, _, Accepts::Minimum(_)) => {
                let problem =
                    "has a \"minimum\", which only a raw firmware security version (kind 7) can have";
                return Err(format!("measurement {index} {problem}"));
            }
            (Some(kind), Some(raw), _) => Some((kind, raw)),
            _ => return Err(format!("measurement {index} needs \"kind\" and \"raw\"")),
        };
        Ok(Self { index, form, accepts, metadata })
    }
}

impl From<Rule> for RuleFile {
    fn from(rule: Rule) -> Self {
        let Rule { index, form, accepts, metadata } = rule;
        let description = form.map(|(kind, _)| kind_name(kind).to_owned());
        let (kind, raw) = (form.map(|(kind, _)| kind), form.map(|(_, raw)| raw));
        let written = Self { index, description, kind, raw, metadata, ..Self::default() };
        let digits = |value: &Vec<u8>| hex::encode(value).to_string();
        match accepts {
            Accepts::OneOf(values) => match values.as_slice() {
                [value] => Self { value: Some(digits(value)), ..written },
                values => Self { values: Some(values.iter().map(digits).collect()), ..written },
            },
            Accepts::Minimum(minimum) => Self { minimum: Some(minimum), ..written },
            Accepts::Anything => Self { ignore: true, ..written },
        }
    }
}

/// The result of comparing a measurement with its rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::spdm) enum Match {
    /// The measurement matches.
    Accepted,
    /// The value, type or form differs.
    Different,
    /// The security version is below the minimum.
    BelowMinimum,
    /// The digest uses a different hash from the rule's.
    Incomparable,
}

impl Rule {
    /// Creates a rule that accepts exactly this measurement.
    pub(in crate::spdm) fn new(block: &MeasuredBlock) -> Self {
        let accepts = Accepts::OneOf(vec![block.value.clone()]);
        Self { index: block.index, form: Some((block.kind, block.raw)), accepts, metadata: None }
    }

    /// Returns the DMTFSpecMeasurementValueType; `None` if the measurement is ignored.
    pub(in crate::spdm) fn kind(&self) -> Option<u8> {
        self.form.map(|(kind, _)| kind)
    }

    /// Returns whether the measurement may be missing.
    pub(in crate::spdm) fn is_ignored(&self) -> bool {
        self.accepts == Accepts::Anything
    }

    /// Compares the rule with the measurement of the rule's index. `other_hash`: whether the digests of the two use
    /// different hash algorithms.
    pub(in crate::spdm) fn check(&self, block: &MeasuredBlock, other_hash: bool) -> Match {
        let same_form = self.form == Some((block.kind, block.raw));
        match &self.accepts {
            Accepts::Anything => Match::Accepted,
            Accepts::OneOf(values) if same_form && values.contains(&block.value) => Match::Accepted,
            Accepts::OneOf(_) if same_form && other_hash && !block.raw => Match::Incomparable,
            Accepts::Minimum(minimum) if same_form => match <[u8; 8]>::try_from(&block.value[..]) {
                Ok(version) if u64::from_le_bytes(version) >= *minimum => Match::Accepted,
                Ok(_) => Match::BelowMinimum,
                Err(_) => Match::Different,
            },
            Accepts::OneOf(_) | Accepts::Minimum(_) => Match::Different,
        }
    }

    /// Describes the error if no device whose digests use `hash` can match the rule.
    pub(in crate::spdm) fn find_error(&self, hash: Option<&Hash>, known: &str) -> Option<String> {
        let Self { index, .. } = self;
        let (Accepts::OneOf(values), Some((_, false))) = (&self.accepts, self.form) else { return None };
        let Some(Hash { name, .. }) = hash else {
            let problem = "is a digest, but \"hash\" is missing";
            return Some(format!("measurement {index} {problem}; {known}"));
        };
        let fits = |value: &&Vec<u8>| hash.is_some_and(|hash| hash.output_len() == value.len());
        let wrong = values.iter().find(|value| !fits(value))?;
        Some(format!(
            "the digest of measurement {index} has {} bytes, which does not fit {name}",
            wrong.len()
        ))
    }

    /// Formats the accepted values for people.
    pub(in crate::spdm) fn text(&self) -> String {
        let kind = self.kind().unwrap_or_default();
        match &self.accepts {
            Accepts::OneOf(values) => {
                values.iter().map(|value| value_text(kind, value)).collect::<Vec<_>>().join(" or ")
            }
            Accepts::Minimum(minimum) => format!("at least {minimum}"),
            Accepts::Anything => "anything".to_owned(),
        }
    }

    /// Formats type and form for people.
    pub(in crate::spdm) fn form_text(&self) -> String {
        self.form.map_or_else(String::new, |(kind, raw)| form_text(kind, raw))
    }

    /// Returns whether a measurement has the type and form of the rule.
    pub(in crate::spdm) fn has_form_of(&self, found: &Entry) -> bool {
        self.form == Some((found.kind, found.raw))
    }

    /// Returns everything that is compared, in the form that `docs/guide/src/25-spdm-manual.md` describes. Equivalent
    /// rules have equal forms.
    pub(in crate::spdm) fn canonical(&self) -> Value {
        let index = self.index;
        match &self.accepts {
            Accepts::OneOf(values) => {
                let mut values: Vec<_> = values.iter().map(|value| hex::encode(value).to_string()).collect();
                values.sort();
                values.dedup();
                let (kind, raw) = (self.form.map(|(kind, _)| kind), self.form.map(|(_, raw)| raw));
                json!({ "index": index, "kind": kind, "raw": raw, "values": values })
            }
            Accepts::Minimum(minimum) => json!({ "index": index, "minimum": minimum }),
            Accepts::Anything => json!({ "index": index, "ignore": true }),
        }
    }
}

/// Formats the type and form of a measurement for people.
pub(in crate::spdm) fn form_text(kind: u8, raw: bool) -> String {
    format!("{}, {}", kind_name(kind), if raw { "raw" } else { "a digest" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(text: &Value) -> Result<Rule, String> {
        serde_json::from_value(text.clone()).map_err(|error| error.to_string())
    }

    fn version(number: u64) -> MeasuredBlock {
        MeasuredBlock { index: 16, kind: 7, raw: true, value: number.to_le_bytes().to_vec() }
    }

    #[test]
    fn accepts_security_version_from_minimum() {
        let rule = rule(&json!({ "index": 16, "minimum": 7 })).unwrap();
        for (number, expected) in
            [(6, Match::BelowMinimum), (7, Match::Accepted), (u64::MAX, Match::Accepted)]
        {
            assert_eq!(rule.check(&version(number), false), expected);
        }
        let short = MeasuredBlock { value: vec![9], ..version(9) };
        let digest = MeasuredBlock { raw: false, ..version(9) };
        let other = MeasuredBlock { kind: 6, ..version(9) };
        assert!([short, digest, other].iter().all(|block| rule.check(block, true) == Match::Different));
    }

    #[test]
    fn accepts_alternatives_or_anything() {
        let firmware = |value: u8| MeasuredBlock { index: 2, kind: 1, raw: false, value: vec![value; 48] };
        let [one, two] = [1_u8, 2].map(|value| format!("{value:02x}").repeat(48));
        let several = json!({ "index": 2, "kind": 1, "raw": false, "values": [one, two] });
        let several = rule(&several).unwrap();
        let checks = [1, 2, 3].map(|value| several.check(&firmware(value), false));
        assert_eq!(checks, [Match::Accepted, Match::Accepted, Match::Different]);
        assert_eq!(several.check(&firmware(3), true), Match::Incomparable);
        let any = rule(&json!({ "index": 2, "ignore": true })).unwrap();
        assert!(any.is_ignored() && any.check(&firmware(3), true) == Match::Accepted);
        assert!(!several.is_ignored());
    }

    #[test]
    fn round_trips_rules_and_ignores_metadata() {
        let value = "07".repeat(8);
        for text in [
            json!({ "index": 16, "description": "firmware security version", "kind": 7, "raw": true, "value": value }),
            json!({ "index": 1, "description": "immutable ROM", "kind": 0, "raw": true, "values": ["00", "01"] }),
            json!({ "index": 16, "description": "firmware security version", "kind": 7, "raw": true, "minimum": 7 }),
            json!({ "index": 3, "ignore": true, "metadata": { "why": "changes with the straps" } }),
        ] {
            let read = rule(&text).unwrap();
            assert_eq!(serde_json::to_value(&read).unwrap(), text);
            let mut other = text;
            other["metadata"] = json!("ours");
            assert_eq!(rule(&other).unwrap().canonical(), read.canonical());
        }
        let values = |values: Value| rule(&json!({ "index": 1, "kind": 0, "raw": true, "values": values }));
        assert_eq!(
            values(json!(["01", "00", "01"])).unwrap().canonical(),
            values(json!(["00", "01"])).unwrap().canonical()
        );
    }

    #[test]
    fn rejects_empty_and_conflicting_rules() {
        for (text, expected_text) in [
            (json!({ "index": 1 }), "needs exactly one of \"value\""),
            (
                json!({ "index": 1, "kind": 0, "raw": true, "value": "00", "ignore": true }),
                "needs exactly one",
            ),
            (json!({ "index": 1, "kind": 0, "raw": true, "values": [] }), "no value in \"values\""),
            (json!({ "index": 1, "kind": 0, "raw": true, "value": "0" }), "not hexadecimal"),
            (json!({ "index": 1, "raw": true, "value": "00" }), "needs \"kind\" and \"raw\""),
            (json!({ "index": 1, "kind": 1, "minimum": 3 }), "only a raw firmware security version"),
            (json!({ "index": 1, "kind": 0, "raw": true, "value": "00", "valu": 1 }), "unknown field"),
        ] {
            let message = rule(&text).unwrap_err();
            assert!(message.contains(expected_text), "{message}");
        }
    }
}
