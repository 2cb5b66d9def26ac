//! `nightly examples`: runs the examples of all crates, and the tests of the separate workspace in `examples/`.

use crate::outcome::Outcome;
use crate::process;
use serde_json::Value;

/// Runs the tests in `examples/`, then the examples that `cargo test` compiles but does not run.
pub(crate) fn run(_arguments: &[String]) -> Outcome {
    let test = ["test", "--manifest-path", "examples/Cargo.toml", "--target-dir", "target"];
    process::expect_success(&mut process::cargo(&test))?;
    let metadata = process::stdout(&mut process::cargo(&["metadata", "--format-version", "1", "--no-deps"]))?;
    let examples = untested(&serde_json::from_str(&metadata)?);
    for (package, name) in &examples {
        println!("--- {package}: {name}");
        process::expect_success(&mut process::cargo(&[
            "run",
            "--quiet",
            "--package",
            package,
            "--example",
            name,
        ]))?;
    }
    Ok(format!("the tests of examples/ passed, and {} further examples ran", examples.len()))
}

/// Returns the package and the name of each example without tests.
fn untested(metadata: &Value) -> Vec<(String, String)> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut found = Vec::new();
    for package in list(&metadata["packages"]) {
        for target in list(&package["targets"]) {
            let is_example = list(&target["kind"]).iter().any(|kind| kind == "example");
            if let (true, Some(false)) = (is_example, target["test"].as_bool())
                && let (Some(package), Some(name)) = (package["name"].as_str(), target["name"].as_str())
            {
                found.push((package.to_owned(), name.to_owned()));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree;
    use serde_json::json;

    #[test]
    fn finds_examples_without_tests_only() {
        let target = |kind: &str, name: &str, test: bool| json!({"kind": [kind], "name": name, "test": test});
        let targets =
            [target("example", "a", false), target("example", "b", true), target("bin", "c", false)];
        let metadata = json!({"packages": [{"name": "p", "targets": targets}]});
        assert_eq!(untested(&metadata), [("p".to_owned(), "a".to_owned())]);
        assert!(untested(&json!({})).is_empty());
    }

    #[test]
    fn the_index_names_every_example() {
        let index = tree::read("examples/README.md").unwrap();
        let is_program = |file: &&String| {
            let extension = file.rsplit('.').next().is_some_and(|end| ["rs", "c", "cpp"].contains(&end));
            extension && format!("/{file}").contains("/examples/") && !file.contains("/tests/")
        };
        let files = tree::files().unwrap();
        let missing: Vec<_> =
            files.iter().filter(is_program).filter(|file| !index.contains(file.as_str())).collect();
        assert!(missing.is_empty(), "examples/README.md does not name {missing:?}");
        assert!(files.iter().filter(is_program).count() > 10);
    }
}
