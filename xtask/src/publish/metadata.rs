//! The metadata of crates that a registry needs, and the contents that it refuses.

use crate::crates::{list, relative_path, text};
use crate::outcome::Failure;
use crate::source::{Source, is_within};
use crate::tree;
use serde_json::Value;

/// A crate of this workspace, as its Cargo.toml describes it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Package {
    pub(super) name: String,
    /// The folder, relative to the repository's root.
    pub(super) folder: String,
    /// Whether the crate may be published: whether it lacks `publish = false`.
    pub(super) is_public: bool,
    /// The README, relative to the folder.
    pub(super) readme: Option<String>,
    pub(super) description: String,
    pub(super) license: String,
    pub(super) keywords: Vec<String>,
    pub(super) categories: Vec<String>,
    pub(super) dependencies: Vec<Dependency>,
}

/// A dependency on another crate of this repository.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Dependency {
    pub(super) name: String,
    /// Whether only tests, examples and benchmarks need it.
    pub(super) is_for_tests: bool,
    /// Whether the dependency has a version and not only a path. Without a version, cargo leaves a dependency of tests
    /// out of the package.
    pub(super) has_version: bool,
}

/// The registry's categories that crates of this repository have. The registry ignores others.
const CATEGORIES: &[&str] = &[
    "algorithms",
    "command-line-utilities",
    "cryptography",
    "development-tools::debugging",
    "development-tools::profiling",
    "development-tools::testing",
    "embedded",
    "encoding",
    "hardware-support",
    "network-programming",
    "no-std",
    "parser-implementations",
];

/// Limits for keywords: the registry's for their number and length. Lower case and a letter first are this repository's
/// rule.
const KEYWORDS: usize = 5;
const KEYWORD_LENGTH: usize = 20;

/// Folders of a crate that `exclude` in the workspace's Cargo.toml keeps out of packages.
const EXCLUDED: &[&str] = &["benches/", "tests/"];

/// Reads the crates from the output of `cargo metadata`.
pub(super) fn read(metadata: &Value) -> Result<Vec<Package>, Failure> {
    let root = text(&metadata["workspace_root"])?;
    list(&metadata["packages"]).map(|package| read_package(package, root)).collect()
}

fn read_package(package: &Value, root: &str) -> Result<Package, Failure> {
    let words = |key: &str| list(&package[key]).filter_map(Value::as_str).map(str::to_owned).collect();
    let word = |key: &str| package[key].as_str().unwrap_or_default().to_owned();
    let manifest = relative_path(text(&package["manifest_path"])?, root);
    let dependencies = list(&package["dependencies"]).filter(|dependency| dependency["path"].is_string());
    Ok(Package {
        name: text(&package["name"])?.to_owned(),
        folder: manifest.trim_end_matches("/Cargo.toml").to_owned(),
        // `publish = false` is an empty list of registries
        is_public: package["publish"].is_null(),
        readme: package["readme"].as_str().map(str::to_owned),
        description: word("description"),
        license: word("license"),
        keywords: words("keywords"),
        categories: words("categories"),
        dependencies: dependencies.map(read_dependency).collect::<Result<_, _>>()?,
    })
}

fn read_dependency(dependency: &Value) -> Result<Dependency, Failure> {
    Ok(Dependency {
        name: text(&dependency["name"])?.to_owned(),
        is_for_tests: dependency["kind"] == "dev",
        has_version: dependency["req"] != "*",
    })
}

/// Lists missing and unacceptable metadata of a crate.
pub(super) fn missing(package: &Package) -> Vec<String> {
    let Package { description, license, keywords, categories, readme, .. } = package;
    let mut problems = Vec::new();
    for (key, is_missing) in [
        ("description", description.is_empty()),
        ("license", license.is_empty()),
        ("keywords", keywords.is_empty()),
        ("categories", categories.is_empty()),
        ("readme", readme.is_none()),
    ] {
        if is_missing {
            problems.push(format!("`{key}` is missing"));
        }
    }
    if keywords.len() > KEYWORDS {
        problems.push(format!("{} keywords, and a registry accepts {KEYWORDS}", keywords.len()));
    }
    let bad = keywords.iter().filter(|keyword| !is_keyword(keyword));
    problems.extend(bad.map(|keyword| {
        format!("keyword {keyword:?}: at most {KEYWORD_LENGTH} lower-case letters, digits and hyphens, a letter first")
    }));
    let unknown = categories.iter().filter(|category| !CATEGORIES.contains(&category.as_str()));
    problems.extend(unknown.map(|category| {
        format!("category {category:?} is not in xtask/src/publish/metadata.rs; add it there if the registry has it")
    }));
    problems.into_iter().map(|problem| format!("{}/Cargo.toml: {problem}", package.folder)).collect()
}

fn is_keyword(keyword: &str) -> bool {
    keyword.len() <= KEYWORD_LENGTH
        && keyword.starts_with(|first: char| first.is_ascii_lowercase())
        && keyword.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

/// Lists dependencies that a registry cannot resolve: on a crate that is not published, or without a version.
pub(super) fn unpublished_dependencies(package: &Package, packages: &[Package]) -> Vec<String> {
    let is_public = |name: &str| packages.iter().any(|other| other.name == name && other.is_public);
    let problem = |dependency: &Dependency| {
        let Dependency { name, is_for_tests, has_version } = dependency;
        match (is_public(name), has_version) {
            (true, true) => None,
            (false, false) | (true, false) if *is_for_tests => None,
            (true, false) => {
                Some(format!("{name} has only a `path`: add `version` to it in the workspace's Cargo.toml"))
            }
            (false, true) if *is_for_tests => Some(format!(
                "{name} is not published: remove its `version`, and cargo leaves it out of the package"
            )),
            (false, _) => Some(format!("{name} is not published, but this crate is and needs it")),
        }
    };
    let problems = package.dependencies.iter().filter_map(problem);
    problems.map(|problem| format!("{}/Cargo.toml: {problem}", package.folder)).collect()
}

/// Lists the places in a crate's source that embed a file which is not part of its package. Code that is compiled for
/// tests only does not count.
pub(super) fn outside_files(package: &Package, files: &[String]) -> Result<Vec<String>, Failure> {
    let mut problems = Vec::new();
    for part in ["src/", "examples/"] {
        let folder = format!("{}/{part}", package.folder);
        for file in files.iter().filter(|file| file.starts_with(&folder) && file.ends_with(".rs")) {
            let inside = &file[package.folder.len() + 1..];
            let found = embedded_outside(inside, &tree::read(file)?)?;
            problems.extend(found.into_iter().map(|problem| format!("{}/{problem}", package.folder)));
        }
    }
    Ok(problems)
}

/// Lists the files that a source file, named relative to its crate's folder, embeds from outside of the package.
fn embedded_outside(file: &str, text: &str) -> Result<Vec<String>, Failure> {
    let tests = Source::read(file, text)?.test_modules;
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut problems = Vec::new();
    let mut before = "";
    for (index, line) in text.lines().enumerate() {
        let is_for_tests = before.contains("cfg(doctest)") || is_within(&tests, index + 1);
        before = line;
        for mark in [concat!("include_", "str!(\""), concat!("include_", "bytes!(\""), "#[path = \""] {
            let path = line.split_once(mark).and_then(|(_, rest)| rest.split('"').next());
            let Some(path) = path.filter(|_| !is_for_tests) else { continue };
            if resolve(folder, path).is_none_or(|path| EXCLUDED.iter().any(|folder| path.starts_with(folder)))
            {
                problems.push(format!("{file}:{}: {path} is not part of the crate's package", index + 1));
            }
        }
    }
    Ok(problems)
}

/// Resolves a path relative to a folder of the crate; `None` if it leaves the crate.
fn resolve(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            ".." => {
                parts.pop()?;
            }
            "." => {}
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn package() -> Package {
        Package {
            name: "a".into(),
            folder: "kem/a".into(),
            is_public: true,
            readme: Some("README.md".into()),
            description: "A KEM".into(),
            license: "MIT".into(),
            keywords: vec!["ml-kem".into(), "fips203".into()],
            categories: vec!["cryptography".into()],
            dependencies: Vec::new(),
        }
    }

    #[test]
    fn reads_metadata_and_dependencies_of_this_repository() {
        let metadata = json!({"workspace_root": "/r", "packages": [{
            "name": "a", "manifest_path": "/r/kem/a/Cargo.toml", "description": "A KEM", "license": "MIT",
            "readme": "README.md", "keywords": ["ml-kem", "fips203"], "categories": ["cryptography"], "publish": null,
            "dependencies": [
                {"name": "core", "kind": null, "path": "/r/base/core", "req": "^0.1.0"},
                {"name": "stream", "kind": "dev", "path": "/r/tests/stream", "req": "*"},
                {"name": "zeroize", "kind": null, "req": "^1"},
            ],
        }, { "name": "b", "manifest_path": "/r/b/Cargo.toml", "publish": [] }]});
        let core = Dependency { name: "core".into(), is_for_tests: false, has_version: true };
        let stream = Dependency { name: "stream".into(), is_for_tests: true, has_version: false };
        let private = Package { name: "b".into(), folder: "b".into(), ..Package::default() };
        let expected = vec![Package { dependencies: vec![core, stream], ..package() }, private];
        assert_eq!(read(&metadata), Ok(expected));
    }

    #[test]
    fn reports_each_missing_field() {
        assert!(missing(&package()).is_empty());
        let empty = Package { folder: "a".into(), ..Package::default() };
        let found = missing(&empty);
        assert_eq!(found.len(), 5, "{found:?}");
        assert_eq!(found[0], "a/Cargo.toml: `description` is missing");
    }

    #[test]
    fn rejects_unusual_keywords_and_unknown_categories() {
        for bad in ["Kyber", "512-bit", "post quantum", "a-keyword-of-21-chars"] {
            let found = missing(&Package { keywords: vec![bad.into()], ..package() });
            assert!(found.len() == 1 && found[0].contains(bad), "{found:?}");
        }
        let many = Package { keywords: vec!["kem".into(); 6], ..package() };
        assert_eq!(missing(&many), ["kem/a/Cargo.toml: 6 keywords, and a registry accepts 5"]);
        let found = missing(&Package { categories: vec!["crypto".into()], ..package() });
        assert!(found.len() == 1 && found[0].contains("category \"crypto\""), "{found:?}");
    }

    #[test]
    fn rejects_dependencies_that_a_registry_cannot_resolve() {
        let public = |name: &str, is_public| Package { name: name.into(), is_public, ..Package::default() };
        let others = [public("core", true), public("stream", false)];
        let check = |name: &str, is_for_tests, has_version| {
            let dependency = Dependency { name: name.into(), is_for_tests, has_version };
            unpublished_dependencies(&Package { dependencies: vec![dependency], ..package() }, &others).len()
        };
        // a published crate needs a version, except in tests, where cargo leaves it out
        assert_eq!(
            [check("core", false, true), check("core", false, false), check("core", true, false)],
            [0, 1, 0]
        );
        // an unpublished crate is for tests only, and has no version
        let found = [(false, true), (false, false), (true, true), (true, false)];
        assert_eq!(
            found.map(|(is_for_tests, has_version)| check("stream", is_for_tests, has_version)),
            [1, 1, 1, 0]
        );
    }

    #[test]
    fn rejects_embedded_files_that_a_package_lacks() {
        let embed = |path: &str| format!("const A: &str = include_{}!(\"{path}\");\n", "str");
        let found = |text: &str| embedded_outside("src/deep/a.rs", text).unwrap();
        assert!(found(&embed("../../README.md")).is_empty());
        for outside in ["../../../README.md", "../../tests/a.txt"] {
            let problem = format!("src/deep/a.rs:1: {outside} is not part of the crate's package");
            assert_eq!(found(&embed(outside)), [problem]);
        }
        let outside = embed("../../../README.md");
        assert!(found(&format!("#[cfg(test)]\nmod tests {{\n{outside}}}\n")).is_empty());
        assert!(found(&format!("#[cfg(doctest)]\n{outside}")).is_empty());
    }
}
