//! The shell commands of the documents run as they are printed: each block marked `sh`, in a folder of its own.

use std::path::Path;
use std::process::Command;

const README: &str = include_str!("../../../README.md");

/// The blocks between "```sh" and "```".
fn shell_blocks(document: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut lines = document.lines();
    while lines.any(|line| line == "```sh") {
        blocks.push(lines.by_ref().take_while(|line| *line != "```").collect::<Vec<_>>().join("\n"));
    }
    blocks
}

#[test]
fn commands_of_the_readme_work() {
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
