//! The parts of JSON Schema 2020-12 that the schemas of this repository use.

use serde_json::Value;

/// Returns the deviations of a document from its schema.
///
/// # Panics
/// Panics if the schema uses an unsupported keyword.
pub(crate) fn deviations(schema: &Value, document: &Value) -> Vec<String> {
    Checker { root: schema }.check(schema, document, "")
}

struct Checker<'s> {
    root: &'s Value,
}

impl Checker<'_> {
    fn check(&self, schema: &Value, value: &Value, at: &str) -> Vec<String> {
        let keywords = schema.as_object().expect("a schema is an object");
        keywords
            .iter()
            .flat_map(|(keyword, expected)| self.keyword(schema, keyword, expected, value, at))
            .collect()
    }

    fn keyword(
        &self,
        schema: &Value,
        keyword: &str,
        expected: &Value,
        value: &Value,
        at: &str,
    ) -> Vec<String> {
        let unless = |right: bool| {
            if right { Vec::new() } else { vec![format!("{at}: {value} is not {keyword} {expected}")] }
        };
        match keyword {
            "$schema" | "$defs" | "title" | "description" => Vec::new(),
            "$ref" => {
                let path =
                    expected.as_str().and_then(|text| text.strip_prefix('#')).expect("a place in this file");
                self.check(self.root.pointer(path).expect("the place is there"), value, at)
            }
            "type" => unless(match expected {
                Value::Array(types) => types.iter().any(|name| has_type(name, value)),
                name => has_type(name, value),
            }),
            "const" => unless(value == expected),
            "enum" => unless(expected.as_array().unwrap().contains(value)),
            "minimum" => unless(value.as_f64().is_none_or(|number| number >= expected.as_f64().unwrap())),
            "maximum" => unless(value.as_f64().is_none_or(|number| number <= expected.as_f64().unwrap())),
            "minItems" => {
                unless(value.as_array().is_none_or(|items| items.len() as u64 >= expected.as_u64().unwrap()))
            }
            "items" => {
                let items = value.as_array().into_iter().flatten().enumerate();
                items.flat_map(|(i, item)| self.check(expected, item, &format!("{at}/{i}"))).collect()
            }
            "required" => {
                let names = expected.as_array().unwrap().iter().map(|name| name.as_str().unwrap());
                let missing = names.filter(|name| value.is_object() && value.get(name).is_none());
                missing.map(|name| format!("{at}: {name} is missing")).collect()
            }
            "properties" => {
                let properties = expected
                    .as_object()
                    .unwrap()
                    .iter()
                    .filter_map(|(name, of)| Some((name, of, value.get(name)?)));
                properties
                    .flat_map(|(name, of, inner)| self.check(of, inner, &format!("{at}/{name}")))
                    .collect()
            }
            "additionalProperties" => self.others(schema, expected, value, at),
            "oneOf" => {
                let tried: Vec<_> =
                    expected.as_array().unwrap().iter().map(|one| self.check(one, value, at)).collect();
                match tried.iter().filter(|mistakes| mistakes.is_empty()).count() {
                    1 => Vec::new(),
                    count => vec![format!("{at}: {count} of oneOf fit, not one: {tried:?}")],
                }
            }
            other => panic!("{at}: the keyword {other} is not checked here"),
        }
    }

    /// Checks the fields that `properties` does not name.
    fn others(&self, schema: &Value, expected: &Value, value: &Value, at: &str) -> Vec<String> {
        let known = |name: &String| schema["properties"].get(name).is_some();
        let others = value.as_object().into_iter().flatten().filter(|(name, _)| !known(name));
        match expected {
            Value::Bool(false) => others.map(|(name, _)| format!("{at}: {name} is unknown")).collect(),
            of => others.flat_map(|(name, inner)| self.check(of, inner, &format!("{at}/{name}"))).collect(),
        }
    }
}

fn has_type(name: &Value, value: &Value) -> bool {
    match name.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        other => panic!("there is no type {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn reports_deviations_from_a_schema() {
        let schema = json!({
            "$defs": { "byte": { "type": "integer", "minimum": 0, "maximum": 255 } },
            "type": "object",
            "properties": {
                "index": { "$ref": "#/$defs/byte" },
                "names": { "type": "array", "items": { "enum": ["a", "b"] }, "minItems": 1 },
                "mode": { "oneOf": [{ "type": "null" }, { "const": 3 }] },
            },
            "required": ["index"],
            "additionalProperties": false,
        });
        for right in [json!({ "index": 255 }), json!({ "index": 0, "names": ["b", "a"], "mode": null })] {
            assert_eq!(deviations(&schema, &right), Vec::<String>::new());
        }
        for wrong in [
            json!([]),
            json!({}),
            json!({ "index": 256 }),
            json!({ "index": -1 }),
            json!({ "index": "1" }),
            json!({ "index": 1, "names": ["c"] }),
            json!({ "index": 1, "names": [] }),
            json!({ "index": 1, "mode": 4 }),
            json!({ "index": 1, "other": 4 }),
        ] {
            assert!(!deviations(&schema, &wrong).is_empty(), "{wrong}");
        }
    }
}
