//! The checks of this house: taste that is not checked decays.
//!
//! | question | file |
//! |---|---|
//! | which crate may use which, and where may `unsafe` stand? | `layers` |
//! | is a function or a file too long? | `sizes` |
//! | does every citation lead to the right place? | `specs` |
//! | do the documents agree with the code? | `table` |
//! | does every algorithm have vectors, and every vector a source? | `vectors` |
//! | was anything left behind? | `left_overs` |
//! | do all levels of vector instructions pass the tests? | `backends` |
//! | does a branch or an index depend on a secret? | `ct` |
//! | where does the code jump that valgrind cannot run? | `jumps` |
//! | what does objdump say of a jump? | `disassembly` |
//! | how fast is it beside others? | `bench` |
//! | how many instructions does it take? | `icount` |
//! | how much of a microcontroller does SPDM take? | `footprint` |
//! | do the algorithms build without an operating system, and for 32 bits? | `no_std` |
//! | do the tests pass on other machines? | `portability` |
//! | does BoringSSL's TLS test suite treat grille's provider like rustls' own? | `bogo` |
//! | which programs did cargo build? | `programs` |
//! | what do I run before a commit? | `ci` |
//! | which slow checks are there, and when did each last pass? | `nightly` |
//! | do the libraries for C and Python work? | `faces` |
//! | how does a check report? | `outcome` |
//! | how are numbers held that a file has recorded? | `recorded` |
//! | how is Rust read without a compiler? | `source` |
//! | how are a microcontroller's programs and instructions read? | `elf`, `thumb` |
#![forbid(unsafe_code)]

mod backends;
mod bench;
mod bogo;
mod ci;
mod ct;
mod disassembly;
mod elf;
mod faces;
mod footprint;
mod icount;
mod jumps;
mod layers;
mod left_overs;
mod nightly;
mod no_std;
mod outcome;
mod portability;
mod process;
mod programs;
mod recorded;
mod registry;
mod sizes;
mod source;
mod specs;
mod table;
mod thumb;
mod tree;
mod valgrind;
mod vectors;

use outcome::Outcome;
use std::process::ExitCode;

/// One row per command: its name, what it checks, how to mend a failure, and the check.
struct Command {
    name: &'static str,
    checks: &'static str,
    mend: &'static str,
    run: fn(&[String]) -> Outcome,
}

#[rustfmt::skip]
const COMMANDS: &[Command] = &[
    Command { name: "ci",         run: ci::run,         checks: "all checks below up to `no-std`, and fmt, clippy and doc; what to run before a commit", mend: "mend the steps named above" },
    Command { name: "layers",     run: layers::run,     checks: "crates use only what layers.toml allows; `unsafe` stands only in its rooms",           mend: "turn the dependency around or move what is shared below both crates; layers.toml is the design" },
    Command { name: "sizes",      run: sizes::run,      checks: "functions have at most 60 lines and files 500, or a reason in sizes-allowed.txt",      mend: "split along the standard's own steps, or add a line with a reason to sizes-allowed.txt" },
    Command { name: "specs",      run: specs::run,      checks: "every cited document is in SPECS.toml, every cited algorithm bears its title",         mend: "correct the number or the title, or add the document to SPECS.toml" },
    Command { name: "table",      run: table::run,      checks: "the documents agree with the code: the algorithm table, paths, reasons for dependencies", mend: "`cargo xtask table --write` writes the table; the rest is mended by hand" },
    Command { name: "vectors",    run: vectors::run,    checks: "every vector file has a source, every post-quantum algorithm has vectors",             mend: "name the file in vectors/SOURCES.md, or add vectors for the algorithm" },
    Command { name: "left-overs", run: left_overs::run, checks: "no unfinished marks, no paths of one machine, no registry hosts",                      mend: "finish it, or open an issue and take the mark out" },
    Command { name: "no-std",     run: no_std::run,     checks: "the algorithms build without the standard library, and for 32 bits",                   mend: "use core and alloc; what needs std goes behind a feature" },
    Command { name: "backends",   run: backends::run,   checks: "kernels, known answers and all rows pass at every level of vector instructions",       mend: "run the named test with the GRILLE_CPU_DISABLE shown" },
    Command { name: "portability", run: portability::run, checks: "known answers and all families pass on AArch64, i686, s390x, RISC-V and WebAssembly, as far as qemu and node are here", mend: "run the named program with the runner shown by `portability MACHINE`" },
    Command { name: "ct",         run: ct::run,         checks: "no branch or index depends on a secret, under valgrind at the levels that it knows",         mend: "compute the same without the branch; if the value may be known, `ct::public` and the reason" },
    Command { name: "jumps",      run: jumps::run,      checks: "code that valgrind cannot run, of other processors too, jumps where code that it runs does, or tests/ct/jumps.toml has a reason",   mend: "look at the jump with objdump; if it is on a secret, compute without it, else write down what it depends on" },
    Command { name: "icount",     run: icount::run,     checks: "operations take the instructions that bench/icount/counts.toml says, under valgrind",        mend: "make it faster again, or `cargo xtask icount --write` and say why in the commit" },
    Command { name: "footprint",  run: footprint::run,  checks: "SPDM's firmwares are as large as spdm/footprint.toml and docs/spdm.md say",             mend: "make it smaller again, or `cargo xtask footprint --write`, correct docs/spdm.md and say why in the commit" },
    Command { name: "bogo",       run: bogo::run,       checks: "BoringSSL's TLS tests end alike with grille's provider and with rustls' own",          mend: "run `tests/conformance/bogo.sh -test NAME`; a difference that must stay gets a reason in tests/conformance/bogo/differences.txt" },
    Command { name: "faces",      run: faces::run,      checks: "the C library and the Python package build, and their tests pass",                     mend: "run the command shown above in bindings/" },
    Command { name: "nightly",    run: nightly::run,    checks: "the slow checks, each with when it last passed; `nightly --list`, `nightly STEP …`",    mend: "run the named step alone; its own words are above" },
    Command { name: "bench",      run: bench::run,      checks: "grille and its peers, measured in turns; `bench --help`",                              mend: "bench/README.md says what must be installed" },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(command) = arguments.first().and_then(|name| find(name)) else {
        usage();
        return ExitCode::from(2);
    };
    match (command.run)(&arguments[1..]) {
        Ok(summary) => {
            println!("{}: {summary}", command.name);
            ExitCode::SUCCESS
        }
        Err(failure) => {
            eprint!("{}", failure.report(command.name, command.mend));
            ExitCode::FAILURE
        }
    }
}

fn find(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name == name)
}

fn usage() {
    eprintln!("usage: cargo xtask COMMAND\n");
    for command in COMMANDS {
        eprintln!("  {:<11} {}", command.name, command.checks);
    }
    eprintln!(
        "\n  table --write rewrites ALGORITHMS.md, icount --write the counts, footprint --write the sizes"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_found_by_its_name() {
        for command in COMMANDS {
            assert_eq!(find(command.name).map(|found| found.checks), Some(command.checks));
        }
        assert!(find("no-such-command").is_none());
    }
}
