//! The software bill of materials: the crates in a package, in CycloneDX 1.5.

use crate::outcome::Failure;
use crate::process;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Lists the crates that the build of a package for `target` contains, without those that only its build or tests need,
/// as JSON.
pub(super) fn list(manifest: &str, package: &str, version: &str, target: &str) -> Result<String, Failure> {
    let tree =
        ["tree", "--manifest-path", manifest, "--package", package, "--edges", "normal", "--target", target];
    let mut tree = process::cargo(&tree);
    let listing = process::stdout(tree.args(["--prefix", "none", "--format", "{p}|{l}", "--no-dedupe"]))?;
    Ok(serde_json::to_string_pretty(&document(package, version, &listing))?)
}

/// Makes the document from lines such as `serde v1.0.228|MIT OR Apache-2.0`. `version`: the version of the package.
fn document(package: &str, version: &str, listing: &str) -> Value {
    let lines: BTreeSet<&str> = listing.lines().filter(|line| !line.trim().is_empty()).collect();
    let components: Vec<Value> = lines.into_iter().filter_map(component).collect();
    json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": { "type": "application", "name": package, "version": version } },
        "components": components,
    })
}

fn component(line: &str) -> Option<Value> {
    let (package, license) = line.split_once('|')?;
    let mut words = package.split(' ');
    let (name, version) = (words.next()?, words.next()?.trim_start_matches('v'));
    // a path in parentheses is a crate of this repository
    let is_ours = words.any(|word| word.starts_with("(/"));
    let mut value = json!({ "type": "library", "name": name, "version": version });
    if !license.is_empty() {
        value["licenses"] = json!([{ "expression": license.replace('/', " OR ") }]);
    }
    if !is_ours {
        value["purl"] = json!(format!("pkg:cargo/{name}@{version}"));
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_each_crate_once_with_licence_and_origin() {
        let listing =
            "grille-cli v0.1.0 (/here/cli)|MIT\nserde v1.0.1|MIT/Apache-2.0\nserde v1.0.1|MIT/Apache-2.0\n\n";
        let document = document("grille-cli", "0.1.0", listing);
        assert_eq!(document["metadata"]["component"]["name"], "grille-cli");
        let components = document["components"].as_array().unwrap();
        assert_eq!(components.len(), 2);
        assert_eq!(components[0]["name"], "grille-cli");
        assert!(components[0].get("purl").is_none());
        assert_eq!(components[1]["purl"], "pkg:cargo/serde@1.0.1");
        assert_eq!(components[1]["licenses"][0]["expression"], "MIT OR Apache-2.0");
    }
}
