//! `layers`: checks that crates depend only on crates that layers.toml allows, and that `unsafe` occurs only in allowed files.

use crate::outcome::{Failure, Outcome, verdict};
use crate::source::{Source, words};
use crate::{process, tree};
use serde_json::Value;
use std::collections::BTreeMap;

/// Paths that may contain `unsafe`: vector kernels, interfaces to C, other libraries for comparison, and requests to
/// valgrind.
const UNSAFE_ROOMS: &[&str] =
    &["/backend/", "bindings/c/src/", "bindings/oqs/", "bench/src/peers/", "tests/ct/src/valgrind.rs"];

/// The allowed dependencies of each folder or layer.
type Layers = BTreeMap<String, Vec<String>>;

pub(crate) fn run(_arguments: &[String]) -> Outcome {
    let layers: Layers = toml::from_str(&tree::read("layers.toml")?)?;
    let metadata = process::stdout(&mut process::cargo(&["metadata", "--format-version", "1", "--no-deps"]))?;
    let edges = edges(&serde_json::from_str(&metadata)?)?;
    let mut problems = forbidden(&layers, &edges);
    for (file, text) in tree::texts(".rs")? {
        problems.extend(unsafe_outside(&file, &text));
    }
    let count: usize = edges.values().map(Vec::len).sum();
    verdict(problems, || format!("{} crates, {count} edges, all downwards", edges.len()))
}

/// Returns the normal dependencies between the crates of the workspace, by folder.
fn edges(metadata: &Value) -> Result<BTreeMap<String, Vec<String>>, Failure> {
    let root = text(&metadata["workspace_root"])?;
    let folder = |path: &str| {
        let path = path.strip_prefix(root).unwrap_or(path).replace('\\', "/");
        path.trim_start_matches('/').to_owned()
    };
    let mut edges = BTreeMap::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let manifest = folder(text(&package["manifest_path"])?);
        let dependencies = package["dependencies"].as_array().into_iter().flatten();
        let normal = dependencies.filter(|dependency| dependency["kind"].is_null());
        let ours = normal.filter_map(|dependency| dependency["path"].as_str()).map(folder).collect();
        edges.insert(manifest.trim_end_matches("/Cargo.toml").to_owned(), ours);
    }
    Ok(edges)
}

fn text(value: &Value) -> Result<&str, Failure> {
    value.as_str().ok_or_else(|| Failure(vec!["`cargo metadata` has an unexpected shape".into()]))
}

fn forbidden(layers: &Layers, edges: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    let mut problems = Vec::new();
    for (from, targets) in edges {
        let row = layers
            .get(from)
            .or_else(|| layers.iter().find(|(row, _)| covers(row, from)).map(|found| found.1));
        let Some(allowed) = row else {
            problems.push(format!("{from} has no row in layers.toml"));
            continue;
        };
        for to in targets {
            if !allowed.iter().any(|pattern| covers(pattern, to)) {
                problems.push(format!("{from}/Cargo.toml: {from} may not depend on {to}"));
            }
        }
    }
    problems
}

/// Returns whether `pattern`, a folder or `layer/*`, matches `folder`.
fn covers(pattern: &str, folder: &str) -> bool {
    match pattern.strip_suffix("/*") {
        Some(floor) => folder.strip_prefix(floor).is_some_and(|rest| rest.starts_with('/')),
        None => pattern == folder,
    }
}

fn unsafe_outside(file: &str, text: &str) -> Vec<String> {
    if UNSAFE_ROOMS.iter().any(|room| file.contains(room)) {
        return Vec::new();
    }
    let code = Source::read(text).code;
    let problem = |at: usize| {
        let line = 1 + code[..at].matches('\n').count();
        format!("{file}:{line}: `unsafe` outside of {}", UNSAFE_ROOMS.join(", "))
    };
    words(&code, "unsafe").map(problem).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn layers() -> Layers {
        toml::from_str("\"base/core\" = []\n\"kem/*\" = [\"base/*\"]\n\"kem/hybrid\" = [\"kem/*\"]").unwrap()
    }

    fn one(from: &str, to: &str) -> Vec<String> {
        forbidden(&layers(), &BTreeMap::from([(from.to_owned(), vec![to.to_owned()])]))
    }

    #[test]
    fn accepts_downward_edges() {
        assert!(one("kem/mlkem", "base/core").is_empty());
        assert!(one("kem/hybrid", "kem/mlkem").is_empty());
    }

    #[test]
    fn rejects_lateral_upward_and_unknown_edges() {
        assert_eq!(
            one("kem/mlkem", "kem/hqc"),
            ["kem/mlkem/Cargo.toml: kem/mlkem may not depend on kem/hqc"]
        );
        assert_eq!(one("base/core", "kem/mlkem").len(), 1);
        assert_eq!(one("attic", "base/core"), ["attic has no row in layers.toml"]);
    }

    #[test]
    fn prefers_a_folders_own_row_to_its_layers_row() {
        assert_eq!(one("kem/hybrid", "base/core").len(), 1);
    }

    #[test]
    fn only_normal_dependencies_inside_the_workspace_are_edges() {
        let metadata = json!({"workspace_root": "/r", "packages": [{"manifest_path": "/r/kem/a/Cargo.toml", "dependencies": [
            {"kind": null, "path": "/r/base/core"}, {"kind": "dev", "path": "/r/kem/b"}, {"kind": null, "path": null},
        ]}]});
        let expected = BTreeMap::from([("kem/a".to_owned(), vec!["base/core".to_owned()])]);
        assert_eq!(edges(&metadata), Ok(expected));
    }

    #[test]
    fn rejects_unsafe_outside_of_allowed_paths() {
        let text = "// unsafe in words\n#![forbid(unsafe_code)]\nfn f() { unsafe { g() } }\n";
        assert!(unsafe_outside("kem/mlkem/src/backend/avx2.rs", text).is_empty());
        let found = unsafe_outside("kem/mlkem/src/poly.rs", text);
        assert!(found.len() == 1 && found[0].starts_with("kem/mlkem/src/poly.rs:3: "), "{found:?}");
    }
}
