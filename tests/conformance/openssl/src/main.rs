//! Builds the `openssl` program from the sources in the `openssl-src` crate: `build-openssl DIRECTORY`.
//!
//! Needs perl, make and a C compiler. Prints the path of the program.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let Some(directory) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: build-openssl DIRECTORY");
        return ExitCode::from(2);
    };
    match build(&directory) {
        Ok(program) => {
            println!("{}", program.display());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("build-openssl: {error}");
            ExitCode::FAILURE
        }
    }
}

fn build(directory: &Path) -> Result<PathBuf, String> {
    let program = directory.join("apps/openssl");
    if !program.exists() {
        let source = openssl_src::source_dir().join(".");
        std::fs::create_dir_all(directory).map_err(|e| format!("{}: {e}", directory.display()))?;
        run(Command::new("cp").arg("-R").arg(source).arg(directory))?;
        let options = ["no-shared", "no-tests", "no-docs", "no-module", "no-legacy"];
        run(Command::new("./Configure").args(options).current_dir(directory))?;
        run(Command::new("make").args(["-s", "-j2", "build_sw"]).current_dir(directory))?;
    }
    Ok(program)
}

/// Runs a command and forwards its output to standard error.
fn run(command: &mut Command) -> Result<(), String> {
    let status = command.stdout(std::io::stderr()).status().map_err(|e| format!("{command:?}: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}")) }
}
