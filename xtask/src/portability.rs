//! `portability`: checks that known answers and the tests of all families pass on other machines, which qemu emulates,
//! and on i686, and known answers in WebAssembly under node, with and without vector instructions.
//!
//! If a tool for one machine is missing, the check names it and tests the other machines.

use crate::backends::{self, AARCH64_LEVELS, Levels};
use crate::crates::crates;
use crate::no_std::without_std_in;
use crate::outcome::{Failure, Outcome, refuse_unknown, verdict};
use crate::{process, tree};
use std::process::Command;

/// A machine whose processor or system differs from this one.
struct Machine {
    name: &'static str,
    target: &'static str,
    /// C compiler that links for the machine; `None` if Rust includes the linker.
    linker: Option<&'static str>,
    /// Flags for the compiler, beyond those of the target.
    rust_flags: &'static str,
    /// The emulator or loader with its arguments; empty on a native machine. `{root}` is the repository's root.
    runner: &'static [&'static str],
    /// The levels of vector instructions for which there are kernels for the machine.
    levels: &'static Levels,
    /// Debian's packages with linker and emulator.
    packages: &'static str,
    /// Whether tests can use threads. The families' own tests measure stacks in threads.
    has_threads: bool,
}

const PORTABLE: &Levels = &[("portable", "")];

#[rustfmt::skip]
const MACHINES: &[Machine] = &[
    Machine {
        name: "aarch64", target: "aarch64-unknown-linux-gnu", linker: Some("aarch64-linux-gnu-gcc"), rust_flags: "",
        runner: &["qemu-aarch64", "-cpu", "max", "-L", "/usr/aarch64-linux-gnu"], levels: AARCH64_LEVELS, has_threads: true,
        packages: "qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross",
    },
    Machine {
        name: "i686", target: "i686-unknown-linux-gnu", linker: Some("i686-linux-gnu-gcc"), rust_flags: "",
        // processors for x86-64 run these programs themselves
        runner: &["/usr/i686-linux-gnu/lib/ld-linux.so.2", "--library-path", "/usr/i686-linux-gnu/lib"],
        levels: PORTABLE, has_threads: true, packages: "gcc-i686-linux-gnu libc6-dev-i386-cross",
    },
    Machine {
        name: "s390x", target: "s390x-unknown-linux-gnu", linker: Some("s390x-linux-gnu-gcc"), rust_flags: "",
        runner: &["qemu-s390x", "-L", "/usr/s390x-linux-gnu"], levels: PORTABLE, has_threads: true,
        packages: "qemu-user gcc-s390x-linux-gnu libc6-dev-s390x-cross",
    },
    Machine {
        name: "riscv64", target: "riscv64gc-unknown-linux-gnu", linker: Some("riscv64-linux-gnu-gcc"), rust_flags: "",
        runner: &["qemu-riscv64", "-L", "/usr/riscv64-linux-gnu"], levels: PORTABLE, has_threads: true,
        packages: "qemu-user gcc-riscv64-linux-gnu libc6-dev-riscv64-cross",
    },
    Machine {
        name: "wasm32", target: "wasm32-wasip1", linker: None, rust_flags: "",
        runner: &["node", "--no-warnings", "{root}/xtask/wasi.mjs"], levels: PORTABLE, has_threads: false,
        packages: "nodejs",
    },
    Machine {
        name: "wasm32-simd128", target: "wasm32-wasip1", linker: None, rust_flags: "-Ctarget-feature=+simd128",
        runner: &["node", "--no-warnings", "{root}/xtask/wasi.mjs"], levels: &[("simd128", "")], has_threads: false,
        packages: "nodejs",
    },
];

/// The folders of the families and of their parts. Crates there that need no standard library contain no C code.
const FAMILIES: &[&str] = &["base", "math", "kem", "sign"];

/// Cargo's arguments for the known answers of every post-quantum row.
const KNOWN_ANSWERS: &[&str] =
    &["--package", "grille-kat", "--no-default-features", "--features", "post-quantum"];

/// The beginning of a command line under which the known answers' tests compute less, because emulators are slow.
const EMULATED: &[&str] = &["env", "GRILLE_EMULATED=1"];

/// Tests the named machines, or all. With `--strict` a machine that cannot be emulated is a failure.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let is_strict = arguments.iter().any(|argument| argument == "--strict");
    let names: Vec<&String> = arguments.iter().filter(|argument| *argument != "--strict").collect();
    let known: Vec<_> = MACHINES.iter().map(|machine| machine.name).collect();
    refuse_unknown(["machine", "machines"], names.iter().copied(), &known)?;
    let (mut problems, mut tested, mut untested) = (Vec::new(), Vec::new(), Vec::new());
    let is_selected = |machine: &&Machine| names.is_empty() || names.iter().any(|name| *name == machine.name);
    for machine in MACHINES.iter().filter(is_selected) {
        match machine.missing_tool() {
            Some(missing) => {
                let message = format!("NOT TESTED: {}, because {missing}", machine.name);
                println!("portability: {message}");
                untested.push(message);
            }
            None => tested.extend(machine.test(&mut problems)?),
        }
    }
    if is_strict {
        problems.append(&mut untested);
    }
    verdict(problems, || {
        let tested = (!tested.is_empty()).then(|| format!("the tests pass on {}", tested.join(", ")));
        tested.into_iter().chain(untested).collect::<Vec<_>>().join(". ")
    })
}

impl Machine {
    /// Names a tool for the emulation that is missing, if any.
    fn missing_tool(&self) -> Option<String> {
        if !process::installed_targets().iter().any(|target| target == self.target) {
            return Some(format!("the target is missing: `rustup target add {}`", self.target));
        }
        let missing =
            self.linker.iter().chain(self.runner.first()).find(|program| !process::is_installed(program))?;
        Some(format!("{missing} is missing (Debian: {})", self.packages))
    }

    /// Runs all tests at each level and returns the names of the levels.
    fn test(&self, problems: &mut Vec<String>) -> Result<Vec<String>, Failure> {
        let mut tests = backends::build_tests(&mut self.cargo(KNOWN_ANSWERS))?;
        if self.has_threads {
            let crates = crates()?;
            let families = without_std_in(&crates, FAMILIES);
            let families: Vec<&str> = families.iter().flat_map(|family| ["--package", family]).collect();
            tests.extend(backends::build_tests(&mut self.cargo(&families))?);
        }
        let root = tree::root().display().to_string();
        let words = EMULATED.iter().chain(self.runner);
        let runner: Vec<String> = words.map(|word| word.replace("{root}", &root)).collect();
        let runner: Vec<&str> = runner.iter().map(String::as_str).collect();
        Ok(backends::run_at_each_level(self.levels, &tests, &format!("{} ", self.name), &runner, problems))
    }

    /// Returns `cargo test` for the machine.
    fn cargo(&self, arguments: &[&str]) -> Command {
        let mut cargo = process::cargo(&["test", "--target", self.target]);
        cargo.args(arguments);
        let target = self.target.to_uppercase().replace('-', "_");
        if let Some(linker) = self.linker {
            cargo.env(format!("CARGO_TARGET_{target}_LINKER"), linker);
        }
        if !self.rust_flags.is_empty() {
            cargo.env(format!("CARGO_TARGET_{target}_RUSTFLAGS"), self.rust_flags);
        }
        cargo
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_unknown_machine() {
        let failure = run(&["vax".into()]).unwrap_err();
        assert!(failure.0[0].contains("vax") && failure.0[0].contains("s390x"), "{failure:?}");
    }

    #[test]
    fn names_missing_tools_and_their_packages() {
        let machine = Machine {
            name: "vax",
            target: "vax-unknown-vms",
            linker: Some("vax-cc"),
            rust_flags: "",
            runner: &["simh"],
            levels: PORTABLE,
            packages: "simh",
            has_threads: false,
        };
        assert_eq!(
            machine.missing_tool().unwrap(),
            "the target is missing: `rustup target add vax-unknown-vms`"
        );
    }

    #[test]
    fn finds_the_script_for_webassembly() {
        assert!(tree::root().join("xtask/wasi.mjs").is_file());
    }
}
