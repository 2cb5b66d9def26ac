//! The crates of this workspace, as `cargo metadata` lists them.

use crate::outcome::Failure;
use crate::process;
use serde_json::Value;

/// A crate of this workspace. Paths are relative to the repository's root, with `/` between folders.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Crate {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) folder: String,
    /// Folders of the repository's crates that this crate depends on. Dependencies of tests, build scripts and
    /// benchmarks are left out.
    pub(crate) dependencies: Vec<String>,
    /// The first source file of the library and of each program.
    pub(crate) sources: Vec<String>,
}

/// Lists all crates, sorted by folder.
pub(crate) fn crates() -> Result<Vec<Crate>, Failure> {
    read(&metadata()?)
}

/// Returns what `cargo metadata` prints about this workspace, without the crates of others.
pub(crate) fn metadata() -> Result<Value, Failure> {
    let metadata = process::stdout(&mut process::cargo(&["metadata", "--format-version", "1", "--no-deps"]))?;
    Ok(serde_json::from_str(&metadata)?)
}

/// Returns whether a pattern is the folder itself, or a layer (`kem/*`) that contains it.
pub(crate) fn covers(pattern: &str, folder: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(layer) => folder.strip_prefix(layer).is_some_and(|rest| !rest.contains('/')),
        None => folder == pattern,
    }
}

fn read(metadata: &Value) -> Result<Vec<Crate>, Failure> {
    let root = text(&metadata["workspace_root"])?;
    let mut crates: Vec<Crate> =
        list(&metadata["packages"]).map(|package| read_crate(package, root)).collect::<Result<_, _>>()?;
    crates.sort_by(|a, b| a.folder.cmp(&b.folder));
    Ok(crates)
}

fn read_crate(package: &Value, root: &str) -> Result<Crate, Failure> {
    let manifest = relative_path(text(&package["manifest_path"])?, root);
    let normal = list(&package["dependencies"]).filter(|dependency| dependency["kind"].is_null());
    let dependencies = normal.filter_map(|dependency| dependency["path"].as_str());
    let is_source = |target: &&Value| {
        list(&target["kind"])
            .any(|kind| kind.as_str().is_some_and(|kind| kind.ends_with("lib") || kind == "bin"))
    };
    let targets = list(&package["targets"]).filter(is_source);
    Ok(Crate {
        name: text(&package["name"])?.to_owned(),
        description: package["description"].as_str().unwrap_or_default().to_owned(),
        folder: manifest.trim_end_matches("/Cargo.toml").to_owned(),
        dependencies: dependencies.map(|path| relative_path(path, root)).collect(),
        sources: targets
            .map(|target| Ok(relative_path(text(&target["src_path"])?, root)))
            .collect::<Result<_, Failure>>()?,
    })
}

/// Returns the elements of an array; nothing for another value.
pub(crate) fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// Returns the text of a string.
pub(crate) fn text(value: &Value) -> Result<&str, Failure> {
    value.as_str().ok_or_else(|| Failure(vec!["`cargo metadata` has an unexpected shape".into()]))
}

/// Returns a path relative to the root.
pub(crate) fn relative_path(path: &str, root: &str) -> String {
    let path = path.strip_prefix(root).unwrap_or(path).replace('\\', "/");
    path.trim_start_matches('/').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn reads_normal_dependencies_and_sources_only() {
        let metadata = json!({"workspace_root": "/r", "packages": [{
            "name": "a", "description": "d", "manifest_path": "/r/kem/a/Cargo.toml",
            "dependencies": [{"kind": null, "path": "/r/base/core"}, {"kind": "dev", "path": "/r/kem/b"}, {"kind": null}],
            "targets": [{"kind": ["lib"], "src_path": "/r/kem/a/src/lib.rs"}, {"kind": ["test"], "src_path": "/r/kem/a/tests/t.rs"}],
        }]});
        let expected = Crate {
            name: "a".into(),
            description: "d".into(),
            folder: "kem/a".into(),
            dependencies: vec!["base/core".into()],
            sources: vec!["kem/a/src/lib.rs".into()],
        };
        assert_eq!(read(&metadata), Ok(vec![expected]));
        assert!(read(&json!({})).is_err());
    }

    #[test]
    fn finds_this_crate() {
        let crates = crates().unwrap();
        let this = crates.iter().find(|one| one.name == "xtask").unwrap();
        assert_eq!(
            (this.folder.as_str(), &this.sources[..]),
            ("xtask", &["xtask/src/main.rs".to_owned()][..])
        );
    }

    #[test]
    fn patterns_cover_folders_and_layers() {
        assert!(covers("kem/*", "kem/a") && covers("tls", "tls"));
        assert!(!covers("kem/*", "kem/a/b") && !covers("tls", "tls/capture") && !covers("kem/*", "kem"));
    }
}
