//! Runs the shell commands of the documents: each block marked `sh` in its own directory.

use std::path::Path;
use std::process::Command;

const README: &str = include_str!("../../../README.md");

/// Returns the blocks between "```sh" and "```".
fn shell_blocks(document: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut lines = document.lines();
    while lines.any(|line| line == "```sh") {
        blocks.push(lines.by_ref().take_while(|line| *line != "```").collect::<Vec<_>>().join("\n"));
    }
    blocks
}

#[test]
fn runs_the_commands_of_the_readme() {
    let program = Path::new(env!("CARGO_BIN_EXE_grille"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", program.parent().unwrap().display());
    let blocks = shell_blocks(README);
    assert!(blocks.len() >= 2, "blocks of commands were found");
    for block in blocks {
        let folder = tempfile::tempdir().unwrap();
        let output = Command::new("sh")
            .args(["-e", "-c", &block])
            .env("PATH", &path)
            .current_dir(folder.path())
            .output();
        let output = output.unwrap();
        assert!(output.status.success(), "{block}\n{}", String::from_utf8_lossy(&output.stderr));
    }
}
