//! The checks of this repository: `cargo xtask COMMAND`.
//!
//! | question | file |
//! |---|---|
//! | which crate may depend on which, and which files may contain `unsafe`? | `layers` |
//! | which crates are there, and how are they drawn? | `crates`, `crate_graph` |
//! | which module of a crate uses which, and are there dependency cycles? | `modules`, `cycles` |
//! | is a function or a file too long? | `sizes` |
//! | does every citation name the right document, algorithm and section? | `specs` |
//! | do the documents agree with the code? | `table` |
//! | does every algorithm have vectors, and every vector a source? | `vectors` |
//! | are the crates ready for a registry? | `publish` |
//! | are there marks of unfinished work? | `left_overs` |
//! | does the English follow the rules? | `words` |
//! | do all levels of vector instructions pass the tests? | `backends` |
//! | does a branch or an index depend on a secret? | `ct` |
//! | which jumps are in code that valgrind cannot run? | `jumps` |
//! | which source line does a jump come from? | `disassembly` |
//! | how fast is grille compared with other libraries? | `bench` |
//! | how many instructions does an operation take? | `icount` |
//! | how large are the SPDM firmwares? | `footprint` |
//! | do the algorithms build without an operating system, and for 32 bits? | `no_std` |
//! | do the tests pass on other machines? | `portability` |
//! | does BoringSSL's TLS test suite treat grille's provider like rustls' own? | `bogo` |
//! | which programs did cargo build? | `programs` |
//! | what do I run before a commit? | `ci` |
//! | which slow checks are there, and when did each last pass? | `nightly` |
//! | how is the picture of the demo generated? | `demo_picture` |
//! | is the guide complete, current and translated? | `guide` |
//! | do the examples work? | `examples` |
//! | do the libraries for other languages work? | `faces` |
//! | how is a package to install made? | `dist` |
//! | how does a check report its result? | `outcome` |
//! | which SHA-256 does a file have? | `digest` |
//! | how are measurements compared with recorded numbers? | `recorded` |
//! | how is Rust read without a compiler? | `source` |
#![forbid(unsafe_code)]

mod backends;
mod bench;
mod bogo;
mod ci;
mod crate_graph;
mod crates;
mod ct;
mod cycles;
mod demo_picture;
mod digest;
mod disassembly;
mod dist;
mod examples;
mod faces;
mod footprint;
mod guide;
mod icount;
mod jumps;
mod layers;
mod left_overs;
mod modules;
mod nightly;
mod no_std;
mod outcome;
mod portability;
mod process;
mod programs;
mod publish;
mod recorded;
mod registry;
mod sizes;
mod source;
mod specs;
mod table;
mod tree;
mod valgrind;
mod vectors;
mod words;

use ci::Check;
use outcome::{Failure, Outcome, refuse_unknown};
use std::process::ExitCode;

/// One row per command: its name, its options, its purpose, the way to fix a failure, and its function.
struct Command {
    name: &'static str,
    /// The only arguments that the command accepts; `None` if its function checks them.
    options: Option<&'static [&'static str]>,
    purpose: &'static str,
    fix: &'static str,
    run: fn(&[String]) -> Outcome,
}

#[rustfmt::skip]
const COMMANDS: &[Command] = &[
    Command { name: "ci",           options: Some(&[]),                     run: ci,                purpose: "all checks below up to `words`, and fmt, clippy and doc; run it before a commit", fix: "fix the steps named above" },
    Command { name: "layers",       options: Some(&[]),                     run: layers::run,       purpose: "crates depend only on crates that layers.toml allows; modules have no dependency cycles; `unsafe` is in allowed files only", fix: "reverse the dependency or move the shared code below both sides; layers.toml is the design" },
    Command { name: "sizes",        options: Some(&[]),                     run: sizes::run,        purpose: "functions have at most 60 lines and files 500, or a reason in sizes-allowed.txt", fix: "split the function or file along the steps of the standard, or add a line with a reason to sizes-allowed.txt" },
    Command { name: "specs",        options: Some(&[]),                     run: specs::run,        purpose: "every cited document is in SPECS.toml, every cited algorithm has its title", fix: "correct the number or the title, or add the document to SPECS.toml" },
    Command { name: "table",        options: Some(&["--write"]),            run: table::run,        purpose: "the documents agree with the code: the algorithm table, paths, reasons for dependencies", fix: "run `cargo xtask table --write` for the table; fix the rest by hand" },
    Command { name: "vectors",      options: Some(&[]),                     run: vectors::run,      purpose: "every vector file has a source, every post-quantum algorithm has vectors", fix: "name the file in vectors/SOURCES.md, or add vectors for the algorithm" },
    Command { name: "left-overs",   options: Some(&[]),                     run: left_overs::run,   purpose: "no marks of unfinished work, paths of one machine, or registry hosts", fix: "finish the work, or open an issue and remove the mark" },
    Command { name: "publish",      options: Some(&["--write", "--list", "--package", "--build"]), run: publish::run, purpose: "crates have the metadata and READMEs that a registry needs; `--write`; `--list` in the order of publishing; `--package`, `--build`", fix: "run `cargo xtask publish --write` for the READMEs; fix the rest in the crate's Cargo.toml" },
    Command { name: "no-std",       options: Some(&[]),                     run: no_std::run,       purpose: "the algorithms build without the standard library, and for 32 bits", fix: "use core and alloc; put code that needs std behind a feature" },
    Command { name: "guide",        options: Some(&["--write", "--build"]), run: guide::run,        purpose: "the guide's links, generated tables and translations are current; `--write`, `--build`", fix: "run `cargo xtask guide --write` for tables and plots; fix the rest by hand" },
    Command { name: "words",        options: None,                          run: words::run,        purpose: "comments, documents, strings, names and commit subjects contain no refused phrase; `words PATH…`", fix: "reword as the example shows; the rules are in xtask/src/words/rules.rs" },
    Command { name: "backends",     options: Some(&["--lower"]),            run: backends::run,     purpose: "kernels, known answers and all algorithms pass at every level of vector instructions", fix: "run the named test with the GRILLE_CPU_DISABLE shown" },
    Command { name: "portability",  options: None,                          run: portability::run,  purpose: "known answers pass on AArch64, i686, s390x, RISC-V and WebAssembly, and the tests of all families on all but WebAssembly, if qemu and node are installed", fix: "run the named program with the machine's runner in xtask/src/portability.rs, and with the GRILLE_CPU_DISABLE shown" },
    Command { name: "ct",           options: None,                          run: ct::run,           purpose: "no branch or index depends on a secret, under valgrind at the levels that it supports", fix: "compute without the branch; if the value may be public, use `ct::public` and give the reason" },
    Command { name: "jumps",        options: None,                          run: jumps::run,        purpose: "every line that jumps in code that valgrind cannot run also jumps in code that valgrind can run, or has a reason in tests/ct/jumps.toml; `jumps TARGET …` and `jumps all` check other processors, too", fix: "inspect the jump with objdump; if it depends on a secret, compute without it, otherwise record the value that it depends on" },
    Command { name: "icount",       options: Some(&["--write"]),            run: icount::run,       purpose: "operations take as many instructions as recorded in bench/icount/counts.toml, under valgrind", fix: "make the operation faster, or run `cargo xtask icount --write` and give the reason in the commit" },
    Command { name: "footprint",    options: Some(&["--write"]),            run: footprint::run,    purpose: "SPDM's firmwares have the sizes in spdm/footprint.toml and docs/guide/src/25-spdm-manual.md", fix: "make the firmware smaller, or run `cargo xtask footprint --write`, correct docs/guide/src/25-spdm-manual.md and give the reason in the commit" },
    Command { name: "bogo",         options: None,                          run: bogo::run,         purpose: "BoringSSL's TLS tests have the same results with grille's provider and with rustls' own", fix: "run `tests/conformance/bogo.sh -test NAME`; a difference that must stay gets a reason in tests/conformance/bogo/differences.txt" },
    Command { name: "faces",        options: None,                          run: faces::run,        purpose: "the C library, the Python package and the npm package build, and their tests pass", fix: "run the command shown above in bindings/" },
    Command { name: "dist",         options: None,                          run: dist::run,         purpose: "checks nothing; makes the packages of the program, the C library, the Python and the npm package, and uses each in an empty folder; writes bills of materials and checksums; `dist [--gnu] [PART …]`", fix: "run the command shown above" },
    Command { name: "nightly",      options: None,                          run: nightly::run,      purpose: "the slow checks, each with its last success; `nightly --list`, `nightly STEP …`", fix: "run the named step alone; its output is above" },
    Command { name: "demo-picture", options: None,                          run: demo_picture::run, purpose: "checks nothing; draws docs/demo.svg from the output of `grille demo`; `demo-picture [PROGRAM]`", fix: "build the program first: `cargo build --release`" },
    Command { name: "bench",        options: None,                          run: bench::run,        purpose: "measures grille and other libraries, alternating between them; checks nothing; see `bench --help`", fix: "bench/README.md lists the tools to install" },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(command) = arguments.first().and_then(|name| find(name)) else {
        usage();
        return ExitCode::from(2);
    };
    match command.check(&arguments[1..]).and_then(|()| (command.run)(&arguments[1..])) {
        Ok(summary) => {
            println!("{}: {summary}", command.name);
            ExitCode::SUCCESS
        }
        Err(failure) => {
            eprint!("{}", failure.report(command.name, command.fix));
            ExitCode::FAILURE
        }
    }
}

impl Command {
    /// Refuses an argument that the command does not have.
    fn check(&self, arguments: &[String]) -> Result<(), Failure> {
        match (self.options, arguments) {
            (None, _) | (Some(_), []) => Ok(()),
            (Some([]), [argument, ..]) => {
                Err(Failure(vec![format!("unknown argument {argument}: the command has none")]))
            }
            (Some(options), arguments) => refuse_unknown(["argument", "options"], arguments, options),
        }
    }
}

/// The name of the last command that `ci` runs; the later ones are slow, because they run tests or measure.
const LAST_OF_CI: &str = "words";

fn ci(_arguments: &[String]) -> Outcome {
    let last = COMMANDS.iter().position(|command| command.name == LAST_OF_CI).unwrap_or(0);
    let checks = COMMANDS[1..=last].iter();
    let checks: Vec<Check> = checks.map(|&Command { name, fix, run, .. }| Check { name, fix, run }).collect();
    ci::run(&checks)
}

fn find(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name == name)
}

fn usage() {
    eprintln!("usage: cargo xtask COMMAND\n");
    for command in COMMANDS {
        eprintln!("  {:<11} {}", command.name, command.purpose);
    }
    eprintln!(
        "\n  table --write updates ALGORITHMS.md, icount --write the counts, footprint --write the sizes"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ci_runs_the_fast_checks() {
        let names: Vec<_> = COMMANDS.iter().map(|command| command.name).collect();
        let last = names.iter().position(|name| *name == LAST_OF_CI).unwrap();
        assert_eq!(names[0], "ci");
        assert!(names[..last].contains(&"layers") && !names[..last].contains(&"nightly"));
    }

    #[test]
    fn refuses_unknown_arguments() {
        let check = |name, argument: &str| find(name).unwrap().check(&[argument.to_owned()]);
        assert!(check("backends", "--lower").is_ok() && check("words", "README.md").is_ok());
        assert!(check("backends", "--lover").unwrap_err().0[0].contains("--lower"));
        assert!(check("sizes", "--write").unwrap_err().0[0].contains("has none"));
    }

    #[test]
    fn finds_every_command_by_name() {
        for command in COMMANDS {
            assert_eq!(find(command.name).map(|found| found.purpose), Some(command.purpose));
        }
        assert!(find("no-such-command").is_none());
    }
}
