//! `bench`: grille and its peers, measured in turns. The peers need cmake, clang and, for Go's, go; bench/README.md
//! says what is measured and what the options are.

use crate::outcome::{Failure, Outcome};
use crate::{process, programs, table, tree};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

const BEGIN: &str = "<!-- speed: written by `cargo xtask bench` -->\n";
const END: &str = "<!-- end of speed -->";

/// What all are held to at a level, grille and its peers alike.
#[derive(Debug, PartialEq, Eq)]
struct Held {
    level: &'static str,
    /// The cargo profile: with it each level has build folders of its own.
    profile: &'static str,
    /// `GRILLE_CPU_DISABLE`: what grille does not use.
    hidden: &'static str,
    /// `OQS_OPT_TARGET`: the processor that liboqs is compiled for.
    liboqs: &'static str,
    /// `OPENSSL_ia32cap`: what aws-lc masks of leaf 1 and of leaf 7 of CPUID.
    aws_lc: &'static str,
}

/// The highest first. Alder Lake has AVX2 and everything beside it, such as AES-NI and the SHA extensions,
/// but no AVX-512.
const HELD: [Held; 3] = [
    Held { level: "avx512", profile: "release", hidden: "", liboqs: "auto", aws_lc: "~0x0:~0x0" },
    Held {
        level: "avx2",
        profile: "peers-avx2",
        hidden: "avx512",
        liboqs: "alderlake",
        aws_lc: "~0x0:~0x5842dc230000",
    },
    Held {
        level: "portable",
        profile: "peers-portable",
        hidden: "avx512,avx2",
        liboqs: "generic",
        aws_lc: "0x0:0x0",
    },
];

/// The rows of the summary that README.md shows: algorithm and operation.
const ROWS: &[(&str, &[&str])] = &[
    ("ML-KEM-768", &["keygen", "encaps", "decaps", "encaps (prepared)"]),
    ("ML-DSA-65", &["keygen", "sign", "verify", "sign (prepared)"]),
];

/// Leaves out the summary's rows that [`ROWS`] does not name.
fn excerpt(summary: &str) -> String {
    let shown = |line: &&str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, algorithm, operation, ..] = cells[..] else { return true };
        let is_result = algorithm.starts_with("ML-");
        !is_result
            || ROWS.iter().any(|(name, operations)| *name == algorithm && operations.contains(&operation))
    };
    summary.lines().filter(shown).map(|line| format!("{line}\n")).collect()
}

/// `tls` measures handshakes and `proxies` proxies, not algorithms; `--level LEVEL` holds everyone to it; everything else is
/// for the program.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    match arguments.split_first() {
        Some((word, rest)) if word == "tls" => return handshakes(rest),
        Some((word, rest)) if word == "proxies" => return proxies(rest),
        _ => (),
    }
    let (held, arguments) = split_level(arguments)?;
    let program = build_peers("bench/Cargo.toml", held)?;
    let mut command = Command::new(program);
    let results = tree::root().join("bench/results");
    command.args(arguments).arg("--results").arg(&results).args(["--tree", &measured_tree()]);
    // A library that cannot be built here is left out, and said to be.
    match build_peers("bench/oqs07/Cargo.toml", held) {
        Ok(program) => _ = command.arg("--beside").arg(program),
        Err(failure) => left_out("liboqs 0.7", &failure),
    }
    match build_go() {
        Ok(program) => _ = command.arg("--go").arg(program),
        Err(failure) => left_out("Go", &failure),
    }
    command.env("GRILLE_CPU_DISABLE", held.hidden).env("OPENSSL_ia32cap", held.aws_lc);
    process::succeed(&mut command)?;
    let summary = fs::read_to_string(results.join("summary.md")).unwrap_or_default();
    if !summary.is_empty() {
        let readme = tree::read("README.md")?;
        fs::write(
            tree::root().join("README.md"),
            table::between(&readme, BEGIN, END, &format!("\n{}\n", excerpt(&summary)))?,
        )?;
    }
    Ok("the results are in bench/results".into())
}

/// The commit that is there and its day, and whether files differ from it; nothing where git does not know.
fn measured_tree() -> String {
    let git = |arguments: &[&str]| {
        process::stdout(Command::new("git").args(arguments).current_dir(tree::root())).unwrap_or_default()
    };
    let commit = git(&["log", "-1", "--format=%h of %cs"]);
    let changes = if git(&["status", "--porcelain"]).is_empty() { "" } else { ", and changes" };
    format!("{}{changes}", commit.trim())
}

/// OpenSSL and wolfSSL do not know levels, so here nobody is held to one.
fn handshakes(arguments: &[String]) -> Outcome {
    measure(Command::new(programs::release("bench/tls/Cargo.toml")?).args(arguments))
}

fn proxies(arguments: &[String]) -> Outcome {
    let grille = programs::built_with("dist", "cli/Cargo.toml", &[])?;
    let program = programs::release("bench/tls/proxies/Cargo.toml")?;
    measure(Command::new(program).arg("--grille").arg(grille).args(arguments))
}

fn measure(command: &mut Command) -> Outcome {
    process::succeed(command.arg("--results").arg(tree::root().join("bench/results")))?;
    Ok("the results are in bench/results".into())
}

fn left_out(peer: &str, failure: &Failure) {
    eprintln!("bench: NOT MEASURED: {peer}: {}", failure.0.join("; "));
}

/// The level, the highest unless `--level` names another, and the other arguments.
fn split_level(arguments: &[String]) -> Result<(&'static Held, Vec<&String>), Failure> {
    let at = arguments.iter().position(|argument| argument == "--level");
    let Some(at) = at else { return Ok((&HELD[0], arguments.iter().collect())) };
    let name = arguments.get(at + 1).map_or("", String::as_str);
    let held = HELD.iter().find(|held| held.level == name).ok_or_else(|| {
        let names: Vec<_> = HELD.iter().map(|held| held.level).collect();
        Failure(vec![format!("--level is one of {}, not \"{name}\"", names.join(", "))])
    })?;
    let others = arguments.iter().enumerate().filter(|(index, _)| *index != at && *index != at + 1);
    Ok((held, others.map(|(_, argument)| argument).collect()))
}

/// Builds a program of the bench with its peers held to the level.
fn build_peers(manifest: &str, held: &Held) -> Result<PathBuf, Failure> {
    let arguments = ["build", "--profile", held.profile, "--manifest-path", manifest];
    let mut cargo = process::cargo(&arguments);
    cargo
        .env("CMAKE_TOOLCHAIN_FILE", tree::root().join("bench/peers.cmake"))
        .env("GRILLE_BENCH_OQS_TARGET", held.liboqs);
    programs::last(programs::built(&mut cargo)?)
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
    use crate::backends::LEVELS;

    fn split(words: &[&str]) -> Result<(&'static str, Vec<String>), Failure> {
        let words: Vec<String> = words.iter().map(|&word| word.into()).collect();
        let (held, others) = split_level(&words)?;
        Ok((held.hidden, others.into_iter().cloned().collect()))
    }

    #[test]
    fn the_readme_shows_eight_rows() {
        let shown = excerpt(&tree::read("bench/results/summary.md").unwrap());
        let rows: usize = ROWS.iter().map(|(_, operations)| operations.len()).sum();
        assert_eq!(shown.lines().filter(|line| line.starts_with("| ML-")).count(), rows);
        assert!(shown.contains("| algorithm | operation |") && shown.contains("![ML-KEM]"));
    }

    #[test]
    fn the_bench_knows_the_levels_of_the_backends() {
        assert_eq!(HELD.map(|held| (held.level, held.hidden)), *LEVELS);
    }

    #[test]
    fn a_level_hides_those_above_it_and_the_rest_passes_through() {
        assert_eq!(
            split(&["ml-kem", "--level", "avx2", "--quick"]).unwrap(),
            ("avx512", vec!["ml-kem".to_owned(), "--quick".to_owned()])
        );
        assert_eq!(split(&["sign"]).unwrap(), ("", vec!["sign".to_owned()]));
    }

    #[test]
    fn an_unknown_level_is_refused_and_the_known_ones_are_named() {
        for words in [&["--level", "avx1024"][..], &["--level"]] {
            let failure = split(words).unwrap_err();
            assert!(failure.0[0].contains("portable"), "{failure:?}");
        }
    }
}
