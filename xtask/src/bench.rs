//! `bench`: measures grille and other libraries, alternating between them. The other libraries need cmake and clang,
//! and the program for Go's crypto/mlkem needs go. bench/README.md describes the measurements and the options.

use crate::outcome::{Failure, Outcome};
use crate::{process, programs, table, tree};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

const BEGIN: &str = "<!-- speed: written by `cargo xtask bench` -->\n";
const END: &str = "<!-- end of speed -->";

/// Settings that limit grille and the other libraries to a level.
#[derive(Debug, PartialEq, Eq)]
struct LevelSettings {
    level: &'static str,
    /// Cargo profile, so that each level has separate build folders.
    profile: &'static str,
    /// `GRILLE_CPU_DISABLE`: the levels that grille must not use.
    hidden: &'static str,
    /// `OQS_OPT_TARGET`: the processor for which liboqs is compiled.
    liboqs: &'static str,
    /// `OPENSSL_ia32cap`: the masks that aws-lc applies to leaf 1 and leaf 7 of CPUID.
    aws_lc: &'static str,
}

/// All levels, the highest first. Alder Lake has AVX2 and contemporary extensions such as AES-NI and the SHA
/// extensions, but no AVX-512.
const LEVEL_SETTINGS: [LevelSettings; 3] = [
    LevelSettings { level: "avx512", profile: "release", hidden: "", liboqs: "auto", aws_lc: "~0x0:~0x0" },
    LevelSettings {
        level: "avx2",
        profile: "peers-avx2",
        hidden: "avx512",
        liboqs: "alderlake",
        aws_lc: "~0x0:~0x5842dc230000",
    },
    LevelSettings {
        level: "portable",
        profile: "peers-portable",
        hidden: "avx512,avx2",
        liboqs: "generic",
        aws_lc: "0x0:0x0",
    },
];

/// Fixed thresholds of glibc's allocator, in bytes: from which size it maps a block of its own, and how much free memory
/// it keeps. By default it adapts them to earlier allocations, so that results depend on the order of the measurements.
const ALLOCATOR: [(&str, &str); 2] =
    [("MALLOC_MMAP_THRESHOLD_", "16777216"), ("MALLOC_TRIM_THRESHOLD_", "67108864")];

/// The rows of the summary that README.md shows: algorithm and operation.
const README_ROWS: &[(&str, &[&str])] = &[
    ("ML-KEM-768", &["keygen", "encaps", "decaps", "encaps (prepared)"]),
    ("ML-DSA-65", &["keygen", "sign", "verify", "sign (prepared)"]),
];

/// Returns the summary, reduced to the results that [`README_ROWS`] names.
fn excerpt(summary: &str) -> String {
    let shown = |line: &&str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, algorithm, operation, ..] = cells[..] else { return true };
        let is_result = algorithm.starts_with("ML-");
        !is_result
            || README_ROWS
                .iter()
                .any(|(name, operations)| *name == algorithm && operations.contains(&operation))
    };
    summary.lines().filter(shown).map(|line| format!("{line}\n")).collect()
}

/// Measures algorithms, or handshakes with `tls`, or proxies with `proxies`. `--level LEVEL` limits all libraries to a
/// level; the other arguments go to the program.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    match arguments.split_first() {
        Some((word, rest)) if word == "tls" => return handshakes(rest),
        Some((word, rest)) if word == "proxies" => return proxies(rest),
        _ => (),
    }
    let (settings, arguments) = split_level(arguments)?;
    let program = build_peers("bench/Cargo.toml", settings)?;
    let mut command = Command::new(program);
    let results = tree::root().join("bench/results");
    command.args(arguments).arg("--results").arg(&results).args(["--tree", &describe_tree()]);
    // A library that cannot be built is left out, with a message.
    match build_peers("bench/oqs07/Cargo.toml", settings) {
        Ok(program) => _ = command.arg("--beside").arg(program),
        Err(failure) => report_left_out("liboqs 0.7", &failure),
    }
    match build_go() {
        Ok(program) => _ = command.arg("--go").arg(program),
        Err(failure) => report_left_out("Go", &failure),
    }
    command.env("GRILLE_CPU_DISABLE", settings.hidden).env("OPENSSL_ia32cap", settings.aws_lc);
    process::expect_success(&mut command)?;
    let summary = fs::read_to_string(results.join("summary.md")).unwrap_or_default();
    if !summary.is_empty() {
        let readme = tree::read("README.md")?;
        fs::write(
            tree::root().join("README.md"),
            table::replace_between(&readme, BEGIN, END, &format!("\n{}\n", excerpt(&summary)))?,
        )?;
    }
    Ok("the results are in bench/results".into())
}

/// Returns the current commit, its date and whether files differ from it; empty if git fails.
fn describe_tree() -> String {
    let git = |arguments: &[&str]| {
        process::stdout(Command::new("git").args(arguments).current_dir(tree::root())).unwrap_or_default()
    };
    let commit = git(&["log", "-1", "--format=%h of %cs"]);
    let changes = if git(&["status", "--porcelain"]).is_empty() { "" } else { ", and changes" };
    format!("{}{changes}", commit.trim())
}

/// Measures handshakes. OpenSSL and wolfSSL have no setting for levels, so this function does not limit any library to
/// one.
fn handshakes(arguments: &[String]) -> Outcome {
    let mut cargo = process::cargo(&["build", "--release", "--manifest-path", "bench/tls/Cargo.toml"]);
    // OpenSSL's build configures through this script instead of perl, because its crate has no option for curves.
    cargo.env("OPENSSL_SRC_PERL", tree::root().join("bench/tls/perl-with-fast-curves.sh"));
    measure(Command::new(programs::build_in_shared_target(&mut cargo)?).args(arguments))
}

fn proxies(arguments: &[String]) -> Outcome {
    let grille = programs::build_with("dist", "cli/Cargo.toml", &[])?;
    let program = programs::release("bench/tls/proxies/Cargo.toml")?;
    measure(Command::new(program).arg("--grille").arg(grille).args(arguments))
}

/// Runs a program that measures handshakes or proxies. All libraries have the same settings of the allocator.
fn measure(command: &mut Command) -> Outcome {
    command.envs(ALLOCATOR);
    process::expect_success(command.arg("--results").arg(tree::root().join("bench/results")))?;
    Ok("the results are in bench/results".into())
}

fn report_left_out(peer: &str, failure: &Failure) {
    eprintln!("bench: NOT MEASURED: {peer}: {}", failure.0.join("; "));
}

/// Returns the level that `--level` names, by default the highest, and the other arguments.
fn split_level(arguments: &[String]) -> Result<(&'static LevelSettings, Vec<&String>), Failure> {
    let at = arguments.iter().position(|argument| argument == "--level");
    let Some(at) = at else { return Ok((&LEVEL_SETTINGS[0], arguments.iter().collect())) };
    let name = arguments.get(at + 1).map_or("", String::as_str);
    let settings = LEVEL_SETTINGS.iter().find(|settings| settings.level == name).ok_or_else(|| {
        let names: Vec<_> = LEVEL_SETTINGS.iter().map(|settings| settings.level).collect();
        Failure(vec![format!("unknown level \"{name}\"; --level takes {}", names.join(", "))])
    })?;
    let others = arguments.iter().enumerate().filter(|(index, _)| *index != at && *index != at + 1);
    Ok((settings, others.map(|(_, argument)| argument).collect()))
}

/// Builds a program of the bench, with the libraries limited to the level.
fn build_peers(manifest: &str, settings: &LevelSettings) -> Result<PathBuf, Failure> {
    let arguments = ["build", "--profile", settings.profile, "--manifest-path", manifest];
    let mut cargo = process::cargo(&arguments);
    cargo
        .env("CMAKE_TOOLCHAIN_FILE", tree::root().join("bench/peers.cmake"))
        .env("GRILLE_BENCH_OQS_TARGET", settings.liboqs);
    programs::last(programs::build(&mut cargo)?)
}

fn build_go() -> Result<PathBuf, Failure> {
    let program = std::env::temp_dir().join("grille-bench-go");
    let mut go = Command::new("go");
    go.args(["build", "-o"]).arg(&program).arg(".").current_dir(tree::root().join("bench/go"));
    process::expect_success(&mut go)?;
    Ok(program)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backends::LEVELS;

    fn split(words: &[&str]) -> Result<(&'static str, Vec<String>), Failure> {
        let words: Vec<String> = words.iter().map(|&word| word.into()).collect();
        let (settings, others) = split_level(&words)?;
        Ok((settings.hidden, others.into_iter().cloned().collect()))
    }

    #[test]
    fn the_readme_shows_eight_rows() {
        let shown = excerpt(&tree::read("bench/results/summary.md").unwrap());
        let rows: usize = README_ROWS.iter().map(|(_, operations)| operations.len()).sum();
        assert_eq!(shown.lines().filter(|line| line.starts_with("| ML-")).count(), rows);
        assert!(shown.contains("| algorithm | operation |") && shown.contains("![ML-KEM]"));
    }

    #[test]
    fn has_the_levels_of_the_backends() {
        assert_eq!(LEVEL_SETTINGS.map(|settings| (settings.level, settings.hidden)), *LEVELS);
    }

    #[test]
    fn splits_off_the_level_and_passes_other_arguments() {
        assert_eq!(
            split(&["ml-kem", "--level", "avx2", "--quick"]).unwrap(),
            ("avx512", vec!["ml-kem".to_owned(), "--quick".to_owned()])
        );
        assert_eq!(split(&["sign"]).unwrap(), ("", vec!["sign".to_owned()]));
    }

    #[test]
    fn rejects_unknown_level_and_lists_known_ones() {
        for words in [&["--level", "avx1024"][..], &["--level"]] {
            let failure = split(words).unwrap_err();
            assert!(failure.0[0].contains("portable"), "{failure:?}");
        }
    }
}
