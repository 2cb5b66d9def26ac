//! `bench`: grille and its peers, measured in turns. The peers need cmake, clang and, for Go's, go; bench/README.md
//! says what is measured and what the options are.

use crate::backends::LEVELS;
use crate::outcome::{Failure, Outcome};
use crate::{process, table, tree};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

const BEGIN: &str = "<!-- speed: written by `cargo xtask bench` -->\n";
const END: &str = "<!-- end of speed -->";

/// `--level LEVEL` hides what is above; everything else is for the program.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let (level, arguments) = split_level(arguments)?;
    let program = build("bench/Cargo.toml")?;
    let mut command = Command::new(program);
    let results = tree::root().join("bench/results");
    command.args(arguments).arg("--results").arg(&results);
    // A library that cannot be built here is left out, and said to be.
    match build("bench/oqs07/Cargo.toml") {
        Ok(program) => _ = command.arg("--beside").arg(program),
        Err(failure) => left_out("liboqs 0.7", &failure),
    }
    match build_go() {
        Ok(program) => _ = command.arg("--go").arg(program),
        Err(failure) => left_out("Go", &failure),
    }
    if let Some(hidden) = level {
        command.env("GRILLE_CPU_DISABLE", hidden);
    }
    process::succeed(&mut command)?;
    let summary = fs::read_to_string(results.join("summary.md")).unwrap_or_default();
    if !summary.is_empty() {
        let readme = tree::read("README.md")?;
        fs::write(
            tree::root().join("README.md"),
            table::between(&readme, BEGIN, END, &format!("\n{summary}\n"))?,
        )?;
    }
    Ok("the results are in bench/results".into())
}

fn left_out(peer: &str, failure: &Failure) {
    eprintln!("bench: NOT MEASURED: {peer}: {}", failure.0.join("; "));
}

/// What `--level` hides, and the other arguments.
fn split_level(arguments: &[String]) -> Result<(Option<&'static str>, Vec<&String>), Failure> {
    let at = arguments.iter().position(|argument| argument == "--level");
    let Some(at) = at else { return Ok((None, arguments.iter().collect())) };
    let name = arguments.get(at + 1).map_or("", String::as_str);
    let known = LEVELS.iter().find(|(level, _)| *level == name);
    let (_, hidden) = known.ok_or_else(|| {
        let names: Vec<_> = LEVELS.iter().map(|(level, _)| *level).collect();
        Failure(vec![format!("--level is one of {}, not \"{name}\"", names.join(", "))])
    })?;
    let others = arguments.iter().enumerate().filter(|(index, _)| *index != at && *index != at + 1);
    Ok((Some(hidden), others.map(|(_, argument)| argument).collect()))
}

/// Builds the package for release; its program.
pub(crate) fn build(manifest: &str) -> Result<PathBuf, Failure> {
    let arguments = ["build", "--release", "--manifest-path", manifest];
    let messages =
        process::stdout(process::cargo(&arguments).args(["--message-format", "json-render-diagnostics"]))?;
    let mut programs = messages.lines().filter_map(|line| {
        let message: Value = serde_json::from_str(line).ok()?;
        Some(PathBuf::from(message["executable"].as_str()?))
    });
    programs.next_back().ok_or_else(|| Failure(vec![format!("{manifest} builds no program")]))
}

fn build_go() -> Result<PathBuf, Failure> {
    let program = std::env::temp_dir().join("grille-bench-go");
    let mut go = Command::new("go");
    go.args(["build", "-o"]).arg(&program).arg(".").current_dir(tree::root().join("bench/go"));
    process::succeed(&mut go)?;
    Ok(program)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(words: &[&str]) -> Result<(Option<&'static str>, Vec<String>), Failure> {
        let words: Vec<String> = words.iter().map(|&word| word.into()).collect();
        let (level, others) = split_level(&words)?;
        Ok((level, others.into_iter().cloned().collect()))
    }

    #[test]
    fn a_level_hides_those_above_it_and_the_rest_passes_through() {
        assert_eq!(
            split(&["ml-kem", "--level", "avx2", "--quick"]).unwrap(),
            (Some("avx512"), vec!["ml-kem".to_owned(), "--quick".to_owned()])
        );
        assert_eq!(split(&["sign"]).unwrap(), (None, vec!["sign".to_owned()]));
    }

    #[test]
    fn an_unknown_level_is_refused_and_the_known_ones_are_named() {
        for words in [&["--level", "avx1024"][..], &["--level"]] {
            let failure = split(words).unwrap_err();
            assert!(failure.0[0].contains("portable"), "{failure:?}");
        }
    }
}
