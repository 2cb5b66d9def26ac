//! Runs other programs, mainly cargo.

use crate::outcome::Failure;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Returns the root of the repository in which cargo runs this program. Several checkouts may share the target folder.
pub(crate) fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&here).parent().map_or_else(PathBuf::new, Path::to_path_buf)
}

/// Returns the command for the cargo that runs this program, in the repository's root.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(arguments).current_dir(root());
    command
}

/// Lists the targets that rustup has installed, including this machine's; empty without rustup.
pub(crate) fn installed_targets() -> Vec<String> {
    let mut rustup = Command::new("rustup");
    let output = rustup.args(["target", "list", "--installed"]).current_dir(root()).output();
    let listed =
        output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    listed.lines().map(|line| line.trim().to_owned()).collect()
}

/// Returns whether the program is installed: whether it succeeds with the option `--version`.
pub(crate) fn is_installed(program: &str) -> bool {
    let mut version = Command::new(program);
    version.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    version.status().is_ok_and(|status| status.success())
}

/// Programs that a step needs, each with the package or command that installs it.
pub(crate) type Needs = &'static [(&'static str, &'static str)];

/// The programs that build and install a Python package.
pub(crate) const PYTHON: Needs =
    &[("python3", "Debian's `python3` and `python3-venv`"), ("cc", "Debian's `gcc`")];

/// Says which of the programs is missing and what installs it; `None` if all are installed.
pub(crate) fn missing(needs: Needs) -> Option<String> {
    let (program, source) = needs.iter().find(|(program, _)| !is_installed(program))?;
    Some(format!("{program} is missing; it comes with {source}"))
}

/// Returns the standard output of the program; its standard error is inherited.
pub(crate) fn stdout(command: &mut Command) -> Result<String, Failure> {
    let output = command.stderr(Stdio::inherit()).output()?;
    if output.status.success() { Ok(String::from_utf8(output.stdout)?) } else { Err(failure(command)) }
}

/// Runs the program with inherited standard output and error.
pub(crate) fn expect_success(command: &mut Command) -> Result<(), Failure> {
    if command.status()?.success() { Ok(()) } else { Err(failure(command)) }
}

fn failure(command: &Command) -> Failure {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let line: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    Failure(vec![format!("`{}` failed; its output is above", line.join(" "))])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_installed_programs() {
        assert!(is_installed("cargo"));
        assert!(!is_installed("vax-cc"));
    }

    #[test]
    fn returns_output_and_reports_failure() {
        assert!(stdout(&mut cargo(&["--version"])).unwrap().starts_with("cargo "));
        let failure = stdout(&mut cargo(&["--no-such-option"])).unwrap_err();
        assert!(failure.0[0].contains("--no-such-option"), "{failure:?}");
    }
}
