//! `grille completions`: prints a shell's completion script, generated from the definition of the command line.

use crate::error::Error;
use crate::output::{Output, Report};
use clap_complete::{Shell, generate};
use serde::Serialize;
use std::io::{self, Write};

/// Print the completion script of a shell.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille completions bash > ~/.local/share/bash-completion/completions/grille
  grille completions zsh > ~/.zfunc/_grille
  grille completions fish > ~/.config/fish/completions/grille.fish")]
pub(crate) struct Args {
    /// The shell that loads the script.
    shell: Shell,
}

#[derive(Serialize)]
struct Script {
    script: String,
}

impl Report for Script {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        out.write_all(self.script.as_bytes())
    }
}

/// Prints the script for the program `grille`, whose command line is `command`.
///
/// # Errors
/// Returns an error if writing fails.
pub(crate) fn run(args: &Args, mut command: clap::Command, out: &mut Output) -> Result<(), Error> {
    let mut script = Vec::new();
    generate(args.shell, &mut command, "grille", &mut script);
    out.print(&Script { script: String::from_utf8_lossy(&script).into_owned() })
}
