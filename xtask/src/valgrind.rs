//! Runs valgrind at the levels that it supports, which are those below AVX-512.

use crate::backends::LEVELS;
use crate::outcome::Failure;
use crate::process;
use grille_cpu::Level;
use std::panic::resume_unwind;
use std::process::Command;
use std::thread;

/// Returns the levels of this machine that valgrind can run, each with the value that hides the levels above it. Prints
/// the levels that this machine lacks.
pub(crate) fn levels(command: &str) -> Vec<(&'static str, &'static str)> {
    if !process::is_installed("valgrind") {
        println!("{command}: SKIPPED: valgrind is missing, so nothing was run (Debian: `valgrind`)");
        return Vec::new();
    }
    let reachable: Vec<&str> = Level::all().map(Level::name).collect();
    let (here, missing): (Vec<_>, Vec<_>) = LEVELS
        .iter()
        .copied()
        .filter(|(level, _)| *level != "avx512")
        .partition(|(level, _)| cfg!(target_arch = "x86_64") && reachable.contains(level));
    for (level, _) in missing {
        println!("{command}: NOT RUN: this machine has no {level}");
    }
    here
}

/// Calls `run` with each level and the value that hides the levels above it. Runs all levels in parallel, because
/// valgrind uses one core only.
pub(crate) fn run_at_each_level<T: Send>(
    levels: &[(&'static str, &'static str)],
    run: impl Fn(&str, &str) -> Result<T, Failure> + Sync,
) -> Result<Vec<T>, Failure> {
    let run = &run;
    thread::scope(|scope| {
        let start = |(level, hidden)| scope.spawn(move || run(level, hidden));
        let running: Vec<_> = levels.iter().copied().map(start).collect();
        running.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    })
}

/// Returns the command for valgrind with a tool. The length of translated blocks is limited, since unrolled vector code
/// exceeds valgrind's buffers.
pub(crate) fn valgrind(tool: &str) -> Command {
    let mut command = Command::new("valgrind");
    command.arg(format!("--tool={tool}")).arg("--vex-guest-max-insns=25");
    command
}
