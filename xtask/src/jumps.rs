//! `jumps`: the machine code that valgrind cannot run jumps where AVX2's, which it runs, does, or where a reason stands.
//!
//! Valgrind knows no AVX-512, no vectors of AES and no SHA extensions. objdump says of each conditional jump and each gather
//! in the functions compiled for those which line of ours it comes from, through all that was inlined, or, where there is no
//! such line, which function. The same lines compiled for AVX2 are `ct`'s matter. What is left was looked at, and [`REASONS`] says
//! what each depends on.

use crate::outcome::{Failure, Outcome, verdict};
use crate::{process, programs, tree};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};

/// What jumps depend on, and for each, where those are: files and lines of them, or [`NO_LINE`] and functions.
const REASONS: &str = "tests/ct/jumps.toml";

/// The crates that are looked at have this in their names.
const OURS: &str = "grille_";

/// Instead of a file: what has no line of ours in it.
const NO_LINE: &str = "function";

/// In the names of functions that valgrind cannot run, and of those that it runs.
const UNSEEN: &[&str] = &["avx512", "vaes", "sha_ni"];
const SEEN: &[&str] = &["avx2"];

/// A file and the number of a line of it, or [`NO_LINE`].
type Line = (String, usize);

/// A file and the text of a line of it, or [`NO_LINE`] and a function.
type Place = (String, String);

/// Reason, file, texts of lines.
type Reasons = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

pub(crate) fn run(_arguments: &[String]) -> Outcome {
    if !cfg!(target_arch = "x86_64")
        || Command::new("objdump").arg("--version").stdout(Stdio::null()).status().is_err()
    {
        println!("jumps: SKIPPED: this needs an x86-64 and objdump, which Debian has in `binutils`");
        return Ok("SKIPPED".into());
    }
    let reasons: Reasons = toml::from_str(&tree::read(REASONS)?)?;
    let program = programs::release("tests/ct/Cargo.toml")?;
    let symbols = process::stdout(Command::new("nm").args(["-C", "-S"]).arg(&program))?;
    let (unseen, seen) = (functions(&symbols, UNSEEN), functions(&symbols, SEEN));
    let all = places(&program, &unseen)?;
    let left: BTreeSet<_> = all.difference(&places(&program, &seen)?).cloned().collect();
    verdict(judge(&left, &reasons)?, || {
        let (functions, all, left) = (unseen.len(), all.len(), left.len());
        format!(
            "{functions} functions jump at {all} lines; AVX2's do not at {left} of them, each with a reason"
        )
    })
}

/// A function of the program: its name, where it begins and where it ends.
#[derive(Debug, PartialEq, Eq)]
struct Function<'a> {
    name: &'a str,
    start: u64,
    end: u64,
}

/// The functions of our crates with one of these words in their names.
fn functions<'a>(symbols: &'a str, named: &[&str]) -> Vec<Function<'a>> {
    let hex = |word: &str| u64::from_str_radix(word, 16).ok();
    let function = |line: &'a str| {
        let [start, size, "t" | "T", name] = line.splitn(4, ' ').collect::<Vec<_>>()[..] else { return None };
        let (start, size) = (hex(start)?, hex(size)?);
        let wanted = name.contains(OURS) && named.iter().any(|part| name.contains(part));
        wanted.then_some(Function { name, start, end: start + size })
    };
    symbols.lines().filter_map(function).collect()
}

/// Where these functions jump.
fn places(program: &Path, functions: &[Function<'_>]) -> Result<BTreeSet<Place>, Failure> {
    let root = tree::root().display().to_string();
    let mut all = BTreeSet::new();
    for Function { name, start, end } in functions {
        let mut objdump = Command::new("objdump");
        objdump.args(["-d", "-l", "--inlines", "--no-show-raw-insn"]).arg(program);
        objdump.arg(format!("--start-address={start}")).arg(format!("--stop-address={end}"));
        for (file, number) in jumps(&process::stdout(&mut objdump)?, &root) {
            let text = if file == NO_LINE { (*name).to_owned() } else { line_of(&file, number)? };
            all.insert((file, text));
        }
    }
    Ok(all)
}

fn line_of(file: &str, number: usize) -> Result<String, Failure> {
    let text = tree::read(file)?;
    let line = text.lines().nth(number.saturating_sub(1));
    Ok(line
        .ok_or_else(|| Failure(vec![format!("{file} has no line {number}: built from another tree")]))?
        .trim()
        .to_owned())
}

/// Before instructions stand the line that they come from and those that it was inlined into: of these the first below
/// `root` is where the jump is.
fn jumps(disassembled: &str, root: &str) -> BTreeSet<Line> {
    let (mut all, mut line_of_ours) = (BTreeSet::new(), None);
    for line in disassembled.lines() {
        if let Some((_, instruction)) = line.split_once(":\t") {
            if is_told(instruction) {
                all.insert(line_of_ours.clone().unwrap_or_else(|| (NO_LINE.into(), 0)));
            }
        } else if let Some(caller) = line.strip_prefix("inlined by ") {
            line_of_ours = line_of_ours.or_else(|| ours(caller, root));
        } else if line.starts_with('/') {
            line_of_ours = ours(line, root);
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
fn ours(line: &str, root: &str) -> Option<Line> {
    let (file, rest) = line.strip_prefix(root)?.strip_prefix('/')?.split_once(':')?;
    Some((file.into(), rest.split_whitespace().next()?.parse().ok()?))
}

/// Places without a reason, and reasons for lines that are gone.
fn judge(left: &BTreeSet<Place>, reasons: &Reasons) -> Result<Vec<String>, Failure> {
    let files = reasons.values().flatten();
    let known: BTreeSet<Place> =
        files.flat_map(|(file, lines)| lines.iter().map(|line| (file.clone(), line.clone()))).collect();
    let without = left.difference(&known).map(|(file, line)| format!("{file}: no reason for a jump: {line}"));
    let mut problems: Vec<_> = without.collect();
    for (file, line) in known.iter().filter(|(file, _)| file != NO_LINE) {
        if !tree::read(file)?.lines().any(|other| other.trim() == line) {
            problems.push(format!("{REASONS}: {file} has no such line: {line}"));
        }
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
        assert_eq!(found, [("a/b.rs".into(), 3), ("a/b.rs".into(), 5), (NO_LINE.into(), 0)]);
    }

    #[test]
    fn functions_are_those_of_our_crates_at_a_level() {
        let symbols =
            "10 8 t grille_hash::vaes::a\n20 8 T grille_hash::avx2::b\n30 8 t aes::vaes::c\n40 d d\n";
        let function = |name, start| Function { name, start, end: start + 8 };
        assert_eq!(functions(symbols, UNSEEN), [function("grille_hash::vaes::a", 16)]);
        assert_eq!(functions(symbols, SEEN), [function("grille_hash::avx2::b", 32)]);
    }

    #[test]
    fn a_jump_without_a_reason_and_a_reason_without_a_line_are_problems() {
        const FILE: &str = "xtask/src/jumps.rs";
        let reasons = |line: &str| {
            let lines = BTreeMap::from([(FILE.to_owned(), BTreeSet::from([line.to_owned()]))]);
            Reasons::from([("a length".to_owned(), lines)])
        };
        let left = BTreeSet::from([(FILE.to_owned(), "use super::*;".to_owned())]);
        assert!(judge(&left, &reasons("use super::*;")).unwrap().is_empty());
        assert_eq!(judge(&left, &Reasons::new()).unwrap().len(), 1);
        let stale = "no line of this file, but for this".to_owned() + " one";
        let problems = judge(&BTreeSet::new(), &reasons(&stale)).unwrap();
        assert!(problems[0].contains("has no such line"), "{problems:?}");
    }

    #[test]
    fn a_line_is_known_by_its_text() {
        assert!(line_of("xtask/src/jumps.rs", 1).unwrap().starts_with("//! `jumps`"));
        assert!(line_of("xtask/src/jumps.rs", 100_000).is_err());
    }
}
