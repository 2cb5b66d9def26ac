//! Builds programs and libraries with cargo and finds them through its messages.

use crate::outcome::Failure;
use crate::{process, tree};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program and its package.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Program {
    pub(crate) path: PathBuf,
    /// The package's folder.
    pub(crate) folder: PathBuf,
    /// Name of the target in Cargo.toml, or the name of its file.
    pub(crate) name: String,
    /// Whether the program contains tests.
    pub(crate) is_test: bool,
}

/// Runs cargo and returns the programs that it built or found up to date.
///
/// # Errors
/// Returns an error if cargo fails, or builds no program.
pub(crate) fn build(cargo: &mut Command) -> Result<Vec<Program>, Failure> {
    let messages = process::stdout(cargo.args(["--message-format", "json-render-diagnostics"]))?;
    let programs = read(&messages);
    let words: Vec<_> = cargo.get_args().map(|word| word.to_string_lossy()).collect();
    let none = || Failure(vec![format!("`cargo {}` builds no program", words.join(" "))]);
    if programs.is_empty() { Err(none()) } else { Ok(programs) }
}

/// Builds the package for release and returns the path of its program. The target folder is the workspace's, so that
/// common dependencies are compiled once.
pub(crate) fn release(manifest: &str) -> Result<PathBuf, Failure> {
    release_with(manifest, &[])
}

/// Like [`release`], with further arguments for cargo.
pub(crate) fn release_with(manifest: &str, arguments: &[&str]) -> Result<PathBuf, Failure> {
    build_with("release", manifest, arguments)
}

/// Builds the package with a profile and further arguments for cargo, in the target folder of the workspace. Returns
/// the path of its program.
pub(crate) fn build_with(profile: &str, manifest: &str, arguments: &[&str]) -> Result<PathBuf, Failure> {
    let mut cargo = process::cargo(&["build", "--profile", profile, "--manifest-path", manifest]);
    build_in_shared_target(cargo.args(arguments))
}

/// Runs `cargo`, a build of one program in any workspace, in the target folder of the main workspace. Returns the path
/// of the program.
pub(crate) fn build_in_shared_target(cargo: &mut Command) -> Result<PathBuf, Failure> {
    if std::env::var_os("CARGO_TARGET_DIR").is_none() {
        cargo.env("CARGO_TARGET_DIR", tree::root().join("target"));
    }
    last(build(cargo)?)
}

/// Returns the path of the last program. It is the requested one, because cargo first builds the programs that it
/// needs.
pub(crate) fn last(mut programs: Vec<Program>) -> Result<PathBuf, Failure> {
    programs.pop().map(|program| program.path).ok_or_else(|| Failure(vec!["no program was built".into()]))
}

/// Runs cargo and returns the libraries that it built or found up to date, if their crate names start with `ours`.
///
/// # Errors
/// Returns an error if cargo fails, or builds no library with this prefix.
pub(crate) fn libraries(cargo: &mut Command, ours: &str) -> Result<Vec<PathBuf>, Failure> {
    let messages = process::stdout(cargo.args(["--message-format", "json-render-diagnostics"]))?;
    let libraries = read_libraries(&messages, ours);
    if libraries.is_empty() {
        Err(Failure(vec![format!("no library {ours}… was built")]))
    } else {
        Ok(libraries)
    }
}

fn read_libraries(messages: &str, ours: &str) -> Vec<PathBuf> {
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let built = messages
        .filter(|message| message["target"]["name"].as_str().is_some_and(|name| name.starts_with(ours)));
    let files = built.flat_map(|message| message["filenames"].as_array().cloned().unwrap_or_default());
    let names = files.filter_map(|file| file.as_str().map(PathBuf::from));
    names.filter(|file| file.extension().is_some_and(|extension| extension == "rlib")).collect()
}

fn read(messages: &str) -> Vec<Program> {
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    messages.filter_map(|message| program(&message)).collect()
}

fn program(message: &Value) -> Option<Program> {
    Some(Program {
        path: message["executable"].as_str()?.into(),
        folder: Path::new(message["manifest_path"].as_str()?).parent()?.into(),
        name: message["target"]["name"].as_str()?.into(),
        is_test: message["profile"]["test"].as_bool()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_programs_and_ignores_other_messages() {
        let message = |executable: &str| {
            format!(
                r#"{{"reason":"compiler-artifact","manifest_path":"/r/base/hash/Cargo.toml","target":{{"name":"edge"}},
                "profile":{{"test":true}},"executable":{executable}}}"#
            )
            .replace('\n', "")
        };
        let messages = format!(
            "not json\n{}\n{}\n{{\"reason\":\"build-finished\"}}\n",
            message("null"),
            message("\"/t/x\"")
        );
        let program = Program {
            path: "/t/x".into(),
            folder: "/r/base/hash".into(),
            name: "edge".into(),
            is_test: true,
        };
        assert_eq!(read(&messages), [program]);
    }
    #[test]
    fn reads_libraries_by_prefix() {
        let message = |name: &str, file: &str| {
            format!(
                r#"{{"reason":"compiler-artifact","target":{{"name":"{name}"}},"filenames":["{file}","/t/x.rmeta"]}}"#
            )
        };
        let messages = [message("grille_hash", "/t/a.rlib"), message("subtle", "/t/b.rlib")].join("\n");
        assert_eq!(read_libraries(&messages, "grille_"), [PathBuf::from("/t/a.rlib")]);
    }
}
