//! A test environment: a temporary directory in which the built program runs.
pub(crate) mod background;
pub(crate) mod device;
pub(crate) mod json_schema;
pub(crate) mod peer;

use grille_registry::{Row as _, distinct_signatures, signature_by_name};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A temporary directory that is removed with the test.
pub(crate) struct Sandbox {
    folder: tempfile::TempDir,
}

/// The result of a run of `grille`.
pub(crate) struct RunResult {
    pub(crate) code: i32,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

/// A row of `grille list --json`.
pub(crate) struct Row(serde_json::Value);

impl Row {
    pub(crate) fn name(&self) -> &str {
        self.0["name"].as_str().unwrap()
    }

    pub(crate) fn number(&self, column: &str) -> usize {
        self.0[column].as_u64().unwrap().try_into().unwrap()
    }

    /// Returns a column by its JSON key.
    pub(crate) fn text(&self, column: &str) -> String {
        self.0[column].to_string()
    }
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// Returns the command `grille` with these arguments, separated by spaces, in the directory.
    pub(crate) fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_grille"));
        command.current_dir(self.folder.path()).args(words.split_whitespace());
        // sets or removes the environment variables that the program reads
        command.env("NO_COLOR", "1").env_remove("SSLKEYLOGFILE").stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, words: &str) -> RunResult {
        RunResult::new(self.command(words).output().unwrap())
    }

    /// Runs `grille` with this standard input.
    pub(crate) fn pipe(&self, input: &[u8], words: &str) -> RunResult {
        let mut command = self.command(words);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // a command that fails early does not read its input
        let _ = child.stdin.take().unwrap().write_all(input);
        RunResult::new(child.wait_with_output().unwrap())
    }

    /// Runs `grille` at a terminal emulated by `script` of util-linux; returns everything shown there.
    #[cfg(target_os = "linux")]
    pub(crate) fn run_at_terminal(&self, words: &str) -> String {
        let grille = self.command(words);
        let words = [grille.get_program()].into_iter().chain(grille.get_args());
        let line: Vec<_> = words.map(|word| word.to_str().unwrap()).collect();
        let mut terminal = Command::new("script");
        terminal.args(["--quiet", "--return", "--command", &line.join(" "), "/dev/null"]);
        // disables the extensions of the processor, so that it is slow and progress is shown
        terminal.current_dir(self.folder.path()).env("GRILLE_CPU_DISABLE", "avx512,avx2,neon");
        let done = terminal.stdin(Stdio::null()).output().expect("script, of util-linux");
        let shown = String::from_utf8(done.stdout).unwrap();
        assert!(done.status.success(), "{shown}");
        shown
    }

    /// Runs `grille`, expects success, and returns standard output as text.
    pub(crate) fn ok(&self, words: &str) -> String {
        let done = self.run(words);
        assert_eq!(done.code, 0, "grille {words}: {}", done.stderr);
        String::from_utf8(done.stdout).unwrap()
    }

    /// Runs `grille` with `--json`, expects success, and returns the document.
    pub(crate) fn json(&self, words: &str) -> serde_json::Value {
        serde_json::from_str(&self.ok(&format!("{words} --json"))).unwrap()
    }

    /// Returns the rows of the registry for `kem` or `sig`, without broken algorithms: `broken.rs` tests those.
    pub(crate) fn rows(&self, kind: &str) -> Vec<Row> {
        let listing = self.json(&format!("list {kind} --all"));
        let rows = ["kems", "signatures"].iter().flat_map(|key| listing[key].as_array().unwrap());
        let distinct = distinct_signatures();
        let kept = |row: &Row| {
            let signature = signature_by_name(row.name()).ok();
            row.text("status") != "\"broken\""
                && signature.is_none_or(|row| distinct.iter().any(|known| known.name() == row.name()))
        };
        rows.cloned().map(Row).filter(kept).collect()
    }

    /// Runs `grille`, and expects this exit code, exactly one line on standard error that contains all these parts, and
    /// the same line with `--json`.
    pub(crate) fn refuses(&self, code: i32, words: &str, parts: &[&str]) {
        let done = self.run(words);
        done.check(code, words, parts);
        assert!(done.stdout.is_empty(), "grille {words}: standard output is not empty");
        let done = self.run(&format!("{words} --json"));
        done.check(code, words, parts);
        let document: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
        assert_eq!(format!("error: {}\n", document["error"]["message"].as_str().unwrap()), done.stderr);
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn put(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), bytes).unwrap();
    }

    pub(crate) fn get(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    /// Returns the sorted names of all files.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[cfg(unix)]
    pub(crate) fn mode(&self, name: &str) -> u32 {
        use std::os::unix::fs::PermissionsExt;
        std::fs::metadata(self.path(name)).unwrap().permissions().mode() & 0o777
    }
}

/// Returns the exit code of a failed command without a verdict.
pub(crate) fn failure(words: &str) -> i32 {
    if words.contains("attest ") { 3 } else { 1 }
}

impl RunResult {
    fn new(output: std::process::Output) -> Self {
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(!stderr.contains("panicked"), "{stderr}");
        Self { code: output.status.code().unwrap(), stdout: output.stdout, stderr }
    }

    pub(crate) fn check(&self, code: i32, words: &str, parts: &[&str]) {
        assert_eq!(self.code, code, "grille {words}: {}", self.stderr);
        assert_eq!(self.stderr.lines().count(), 1, "grille {words}: {}", self.stderr);
        for part in parts {
            assert!(self.stderr.contains(part), "grille {words}: no \"{part}\" in {}", self.stderr);
        }
    }
}
