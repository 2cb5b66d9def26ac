//! `jumps`: the machine code that valgrind cannot run jumps where AVX2's, which it runs, does, or where a reason stands.
//!
//! Valgrind knows no AVX-512, no vectors of AES and no SHA extensions. objdump says of each conditional jump and each gather
//! in the functions compiled for those which line of ours it comes from, through all that was inlined. The same lines
//! compiled for AVX2 are `ct`'s matter. What is left was looked at, and [`REASONS`] says what each depends on.

use crate::outcome::{Failure, Outcome, verdict};
use crate::{bench, process, tree};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};

/// For each file, lines of it and what a jump there depends on.
const REASONS: &str = "tests/ct/jumps.toml";

/// The crates that are looked at.
const CRATES: [&str; 3] = ["grille_hash::", "grille_mlkem::", "grille_mldsa::"];

/// In the names of functions that valgrind cannot run, and of those that it runs.
const UNSEEN: &[&str] = &["avx512", "vaes", "sha_ni"];
const SEEN: &[&str] = &["avx2"];

/// A file and a line of it.
type Place = (String, usize);

/// File, text of a line, reason.
type Reasons = BTreeMap<String, BTreeMap<String, String>>;

pub(crate) fn run(_arguments: &[String]) -> Outcome {
    if !cfg!(target_arch = "x86_64")
        || Command::new("objdump").arg("--version").stdout(Stdio::null()).status().is_err()
    {
        println!("jumps: SKIPPED: this needs an x86-64 and objdump, which Debian has in `binutils`");
        return Ok("SKIPPED".into());
    }
    let reasons: Reasons = toml::from_str(&tree::read(REASONS)?)?;
    let program = bench::build("tests/ct/Cargo.toml")?;
    let symbols = process::stdout(Command::new("nm").args(["-C", "-S"]).arg(&program))?;
    let (unseen, seen) = (functions(&symbols, UNSEEN), functions(&symbols, SEEN));
    let all = places(&program, &unseen)?;
    let left: Vec<_> = all.difference(&places(&program, &seen)?).cloned().collect();
    let (problems, lines) = (judge(&left, &reasons)?, left.len());
    verdict(problems, || {
        let (functions, all) = (unseen.len(), all.len());
        format!(
            "{functions} functions jump at {all} lines; AVX2's do not at {lines} of them, each with a reason"
        )
    })
}

/// Where the functions of our crates with such a name begin and end.
fn functions(symbols: &str, named: &[&str]) -> Vec<(u64, u64)> {
    let hex = |word: &str| u64::from_str_radix(word, 16).ok();
    let range = |line: &str| {
        let [start, size, "t" | "T", name] = line.splitn(4, ' ').collect::<Vec<_>>()[..] else { return None };
        let ours = CRATES.iter().any(|of| name.contains(of)) && named.iter().any(|part| name.contains(part));
        Some((hex(start)?, hex(start)? + hex(size)?)).filter(|_| ours)
    };
    symbols.lines().filter_map(range).collect()
}

/// The lines of ours that these functions jump at.
fn places(program: &Path, functions: &[(u64, u64)]) -> Result<BTreeSet<Place>, Failure> {
    let mut all = BTreeSet::new();
    for (start, end) in functions {
        let mut objdump = Command::new("objdump");
        objdump.args(["-d", "-l", "--inlines", "--no-show-raw-insn"]).arg(program);
        objdump.arg(format!("--start-address={start}")).arg(format!("--stop-address={end}"));
        all.extend(jumps(&process::stdout(&mut objdump)?, &tree::root().display().to_string()));
    }
    Ok(all)
}

/// Before instructions stand the line that they come from and those that it was inlined into: of these the first below
/// `root` is where the jump is.
fn jumps(disassembled: &str, root: &str) -> BTreeSet<Place> {
    let (mut all, mut place) = (BTreeSet::new(), None);
    for line in disassembled.lines() {
        if let Some((_, instruction)) = line.split_once(":\t") {
            if is_told(instruction) {
                all.insert(place.clone().unwrap_or_default());
            }
        } else if let Some(caller) = line.strip_prefix("inlined by ") {
            place = place.or_else(|| ours(caller, root));
        } else if line.starts_with('/') {
            place = ours(line, root);
        }
    }
    all
}

/// Whether time or an address depends on data.
fn is_told(instruction: &str) -> bool {
    let name = instruction.split_whitespace().next().unwrap_or_default();
    name.starts_with('j') && !name.starts_with("jmp") || name.contains("gather") || name.contains("scatter")
}

/// `/root/a.rs:1 (name)`: a.rs, 1.
fn ours(line: &str, root: &str) -> Option<Place> {
    let (file, rest) = line.strip_prefix(root)?.strip_prefix('/')?.split_once(':')?;
    Some((file.into(), rest.split_whitespace().next()?.parse().ok()?))
}

/// Lines without a reason, and reasons for lines that are gone.
fn judge(left: &[Place], reasons: &Reasons) -> Result<Vec<String>, Failure> {
    let mut problems = Vec::new();
    for (file, number) in left {
        let text = if file.is_empty() { String::new() } else { tree::read(file)? };
        let line = text.lines().nth(number.saturating_sub(1)).unwrap_or("no line of ours").trim();
        if reasons.get(file).is_none_or(|lines| !lines.contains_key(line)) {
            problems.push(format!("{file}:{number}: a jump that AVX2 has not, and no reason: {line}"));
        }
    }
    for (file, lines) in reasons {
        let text = tree::read(file)?;
        let gone = lines.keys().filter(|line| !text.lines().any(|other| other.trim() == *line));
        problems.extend(gone.map(|line| format!("{REASONS}: {file} has no such line: {line}")));
    }
    Ok(problems)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: &str = "00010 <a>:\n/rustc/core/range.rs:7\ninlined by /here/a/b.rs:3 (next)\ninlined by /here/a/c.rs:4 (a)\n \
                         10:\tcmp    %eax,%ebx\n 12:\tjne    10 <a>\n/here/a/b.rs:5 (discriminator 2)\n 14:\tjmp    20 <a>\n \
                         16:\tvpgatherdd (%rax,%zmm1,4),%zmm2{%k1}\n/rustc/core/fmt.rs:1\n 20:\tja     10 <a>\n";

    #[test]
    fn a_jump_belongs_to_the_innermost_line_of_ours() {
        let found: Vec<_> = jumps(WORDS, "/here").into_iter().collect();
        assert_eq!(found, [(String::new(), 0), ("a/b.rs".into(), 3), ("a/b.rs".into(), 5)]);
    }

    #[test]
    fn functions_are_those_of_our_crates_at_a_level() {
        let symbols = "10 8 t grille_hash::backend::vaes::a\n20 8 T grille_hash::backend::avx2::b\n30 8 t aes::vaes::c\n40 d d\n";
        assert_eq!((functions(symbols, UNSEEN), functions(symbols, SEEN)), (vec![(16, 24)], vec![(32, 40)]));
    }

    #[test]
    fn a_jump_without_a_reason_and_a_reason_without_a_line_are_problems() {
        let left = [("xtask/src/jumps.rs".to_owned(), 1)];
        let none = judge(&left, &Reasons::new()).unwrap();
        assert!(none[0].starts_with("xtask/src/jumps.rs:1: a jump"), "{none:?}");
        let stale =
            BTreeMap::from([("no line of this file, but for this".to_owned() + " one", String::new())]);
        let problems = judge(&[], &Reasons::from([("xtask/src/jumps.rs".to_owned(), stale)])).unwrap();
        assert!(problems[0].contains("has no such line"), "{problems:?}");
    }
}
