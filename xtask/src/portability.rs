//! `portability`: known answers and the tests of all families pass on other machines, which qemu plays, or node for WebAssembly.
//!
//! What this machine lacks for one of them is named, and the others run.

use crate::backends::{self, AARCH64_LEVELS, Levels};
use crate::outcome::{Failure, Outcome, verdict};
use crate::{process, tree};
use std::process::{Command, Stdio};

/// Another machine.
struct Machine {
    name: &'static str,
    target: &'static str,
    /// Compiles and links for it; nothing where Rust brings the linker.
    linker: Option<&'static str>,
    /// The program that plays it, and its arguments; nothing where this machine is one. `{root}` is the repository's root.
    runner: &'static [&'static str],
    /// The levels of vector instructions that its kernels have.
    levels: &'static Levels,
    /// Debian's packages with linker and runner.
    packages: &'static str,
    /// Whether its tests have threads. The families' own tests measure stacks in threads.
    has_threads: bool,
}

const PORTABLE: &Levels = &[("portable", "")];

#[rustfmt::skip]
const MACHINES: &[Machine] = &[
    Machine {
        name: "aarch64", target: "aarch64-unknown-linux-gnu", linker: Some("aarch64-linux-gnu-gcc"),
        runner: &["qemu-aarch64", "-cpu", "max", "-L", "/usr/aarch64-linux-gnu"], levels: AARCH64_LEVELS, has_threads: true,
        packages: "qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross",
    },
    Machine {
        name: "i686", target: "i686-unknown-linux-gnu", linker: Some("i686-linux-gnu-gcc"),
        runner: &["qemu-i386", "-L", "/usr/i686-linux-gnu"], levels: PORTABLE, has_threads: true,
        packages: "qemu-user gcc-i686-linux-gnu libc6-dev-i386-cross",
    },
    Machine {
        name: "s390x", target: "s390x-unknown-linux-gnu", linker: Some("s390x-linux-gnu-gcc"),
        runner: &["qemu-s390x", "-L", "/usr/s390x-linux-gnu"], levels: PORTABLE, has_threads: true,
        packages: "qemu-user gcc-s390x-linux-gnu libc6-dev-s390x-cross",
    },
    Machine {
        name: "riscv64", target: "riscv64gc-unknown-linux-gnu", linker: Some("riscv64-linux-gnu-gcc"),
        runner: &["qemu-riscv64", "-L", "/usr/riscv64-linux-gnu"], levels: PORTABLE, has_threads: true,
        packages: "qemu-user gcc-riscv64-linux-gnu libc6-dev-riscv64-cross",
    },
    Machine {
        name: "wasm32", target: "wasm32-wasip1", linker: None,
        runner: &["node", "--no-warnings", "{root}/xtask/wasi.mjs"], levels: PORTABLE, has_threads: false,
        packages: "nodejs",
    },
];

/// The families and what they are built of. Nothing here compiles C.
const FAMILIES: &[&str] = &[
    "grille-core",
    "grille-cpu",
    "grille-hash",
    "grille-mlkem",
    "grille-saber",
    "grille-ntru",
    "grille-mldsa",
    "grille-slhdsa",
    "grille-falcon",
];

/// The known answers, of every post-quantum row.
const KNOWN_ANSWERS: &[&str] =
    &["--package", "grille-kat", "--no-default-features", "--features", "post-quantum"];

/// `portability MACHINE …`: only these. `--strict`: a machine that cannot be played is a failure.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let is_strict = arguments.iter().any(|argument| argument == "--strict");
    let names: Vec<&String> = arguments.iter().filter(|argument| *argument != "--strict").collect();
    if let Some(unknown) = names.iter().find(|name| MACHINES.iter().all(|machine| machine.name != **name)) {
        let known: Vec<_> = MACHINES.iter().map(|machine| machine.name).collect();
        return Err(Failure(vec![format!("no machine {unknown}; there are {}", known.join(", "))]));
    }
    let (mut problems, mut tested, mut not_tested) = (Vec::new(), Vec::new(), Vec::new());
    let wanted = |machine: &&Machine| names.is_empty() || names.iter().any(|name| *name == machine.name);
    for machine in MACHINES.iter().filter(wanted) {
        match machine.missing() {
            Some(missing) => {
                let said = format!("NOT TESTED: {}, because {missing}", machine.name);
                println!("portability: {said}");
                not_tested.push(said);
            }
            None => tested.extend(machine.test(&mut problems)?),
        }
    }
    if is_strict {
        problems.append(&mut not_tested);
    }
    verdict(problems, || {
        let tested = if tested.is_empty() { "nowhere".into() } else { tested.join(", ") };
        format!("the tests pass on: {tested}. {}", not_tested.join(". "))
    })
}

impl Machine {
    /// What this machine lacks to play that one.
    fn missing(&self) -> Option<String> {
        if !process::installed_targets().iter().any(|target| target == self.target) {
            return Some(format!("the target is missing: `rustup target add {}`", self.target));
        }
        let missing = self.linker.iter().chain(self.runner.first()).find(|program| lacks(program))?;
        Some(format!("{missing} is missing; Debian has it in: {}", self.packages))
    }

    /// Runs all tests at each level; returns the levels, named.
    fn test(&self, problems: &mut Vec<String>) -> Result<Vec<String>, Failure> {
        let mut tests = backends::built(&mut self.cargo(KNOWN_ANSWERS))?;
        if self.has_threads {
            let families: Vec<&str> = FAMILIES.iter().flat_map(|family| ["--package", family]).collect();
            tests.extend(backends::built(&mut self.cargo(&families))?);
        }
        let root = tree::root().display().to_string();
        let runner: Vec<String> = self.runner.iter().map(|word| word.replace("{root}", &root)).collect();
        let runner: Vec<&str> = runner.iter().map(String::as_str).collect();
        Ok(backends::at_each(self.levels, &tests, &format!("{} ", self.name), &runner, problems))
    }

    /// `cargo test` for it.
    fn cargo(&self, arguments: &[&str]) -> Command {
        let mut cargo = process::cargo(&["test", "--target", self.target]);
        cargo.args(arguments);
        if let Some(linker) = self.linker {
            let target = self.target.to_uppercase().replace('-', "_");
            cargo.env(format!("CARGO_TARGET_{target}_LINKER"), linker);
        }
        cargo
    }
}

fn lacks(program: &str) -> bool {
    let mut version = Command::new(program);
    version.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    !version.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_that_does_not_exist_is_refused() {
        let failure = run(&["vax".into()]).unwrap_err();
        assert!(failure.0[0].contains("vax") && failure.0[0].contains("s390x"), "{failure:?}");
    }

    #[test]
    fn what_is_missing_is_named_with_where_to_get_it() {
        let machine = Machine {
            name: "vax",
            target: "vax-unknown-vms",
            linker: Some("vax-cc"),
            runner: &["simh"],
            levels: PORTABLE,
            packages: "simh",
            has_threads: false,
        };
        assert_eq!(machine.missing().unwrap(), "the target is missing: `rustup target add vax-unknown-vms`");
        assert!(lacks("vax-cc"));
    }

    #[test]
    fn the_script_of_webassembly_is_there() {
        assert!(tree::root().join("xtask/wasi.mjs").is_file());
    }
}
