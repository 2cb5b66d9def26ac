//! Runs the shell commands of the documents as they are printed: each block marked `sh`, in a folder of its own.

use std::path::Path;
use std::process::Command;

/// Documents with blocks of commands that need neither a second terminal nor a network.
const DOCUMENTS: [(&str, &str); 4] = [
    ("README.md", include_str!("../../../README.md")),
    ("docs/guide/src/23-proxy-manual.md", include_str!("../../../docs/guide/src/23-proxy-manual.md")),
    ("docs/guide/src/25-spdm-manual.md", include_str!("../../../docs/guide/src/25-spdm-manual.md")),
    ("docs/guide/src/24-wolfssl-flags.md", include_str!("../../../docs/guide/src/24-wolfssl-flags.md")),
];

/// Returns the blocks between "```sh" and "```".
fn shell_blocks(document: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut lines = document.lines();
    while lines.any(|line| line == "```sh") {
        blocks.push(lines.by_ref().take_while(|line| *line != "```").collect::<Vec<_>>().join("\n"));
    }
    blocks
}

/// Runs a block in a temporary folder and stops at the first command that fails.
fn run(document: &str, block: &str) {
    let program = Path::new(env!("CARGO_BIN_EXE_grille"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", program.parent().unwrap().display());
    let folder = tempfile::tempdir().unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-e", "-c", block]).env("PATH", &path).current_dir(folder.path());
    let output = shell.output().unwrap();
    assert!(output.status.success(), "{document}: {block}\n{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn runs_the_commands_of_every_document() {
    for (document, text) in DOCUMENTS {
        let blocks = shell_blocks(text);
        assert!(!blocks.is_empty(), "{document} has no block of commands");
        blocks.iter().for_each(|block| run(document, block));
    }
}
