//! Runs every command of the guide (`docs/guide/src/`) and compares its output with the text.
//!
//! Each chapter runs in its own temporary folder. These fenced blocks are run, in order:
//!
//! | info string | content |
//! |---|---|
//! | `console` | commands after `$ `, each with its output below it |
//! | `console,background` | one command that continues to run until the end of the chapter, and the beginning of its output |
//! | `console,background,restart` | like `console,background`, but first ends all earlier commands in the background |
//! | `console,output` | further output of the last command in the background |
//!
//! `…` in a line of output matches any text, and a line with only `…` any number of lines. `needs=PROGRAM` after a
//! comma skips the rest of the chapter if there is no such program. A command must succeed, unless the next one is
//! `echo $?`.
//!
//! With `GRILLE_GUIDE=write` the test replaces every differing output in the guide with the real one.
//! `GRILLE_GUIDE_CHAPTER=05` runs only chapters with this beginning of their names.
#![cfg(unix)]

use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The longest wait for a command, or for the output of one in the background.
const LIMIT: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(10);
const PROMPT: &str = "$ ";
const ANYTHING: &str = "…";

#[test]
fn every_command_of_the_guide_prints_the_shown_output() {
    let only = std::env::var("GRILLE_GUIDE_CHAPTER").unwrap_or_default();
    let write = std::env::var("GRILLE_GUIDE").is_ok_and(|mode| mode == "write");
    // the guide has fixed ports, so that two runs on one machine must follow each other
    let lock = File::create(std::env::temp_dir().join("grille-guide.lock")).unwrap();
    lock.lock().unwrap();
    let mut problems = Vec::new();
    for chapter in chapters().iter().filter(|file| name(file).starts_with(&only)) {
        let start = Instant::now();
        let text = std::fs::read_to_string(chapter).unwrap();
        let differences = Terminal::new().run(&blocks(&text));
        println!("{}: {:.1} s", name(chapter), start.elapsed().as_secs_f32());
        if write {
            std::fs::write(chapter, corrected(&text, &differences)).unwrap();
        }
        problems.extend(differences.iter().map(|difference| difference.report(chapter)));
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

/// Returns the chapters in the order of their names.
fn chapters() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guide/src");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut chapters: Vec<PathBuf> =
        files.filter(|file| file.extension().is_some_and(|extension| extension == "md")).collect();
    chapters.sort();
    chapters
}

fn name(file: &Path) -> &str {
    file.file_name().unwrap().to_str().unwrap()
}

/// A fenced block that is run.
struct Block {
    info: Vec<String>,
    steps: Vec<Step>,
}

/// A command with its expected output. A block of output alone has one step without a command.
#[derive(Debug, Default)]
struct Step {
    command: String,
    output: Vec<String>,
    /// The lines of the output in the chapter, counted from 0.
    lines: Range<usize>,
}

impl Block {
    fn has(&self, word: &str) -> bool {
        self.info.iter().any(|part| part == word)
    }

    /// Returns a program that the rest of the chapter needs and that is not installed.
    fn missing_program(&self) -> Option<&str> {
        self.info.iter().filter_map(|part| part.strip_prefix("needs=")).find(|program| !is_installed(program))
    }
}

/// Reads the blocks of a chapter whose info string starts with `console`.
fn blocks(text: &str) -> Vec<Block> {
    let lines: Vec<&str> = text.lines().collect();
    let mut blocks = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let info = lines[at].strip_prefix("```");
        at += 1;
        let Some(info) = info else { continue };
        let end = (at..lines.len()).find(|&end| lines[end].starts_with("```")).expect("an open block");
        let info: Vec<String> = info.split(',').map(str::to_owned).collect();
        if info[0] == "console" {
            blocks.push(Block { info, steps: steps(&lines, at..end) });
        }
        at = end + 1;
    }
    blocks
}

/// Divides the lines of a block into commands and their outputs. A command continues after a `\` at the end of a line.
fn steps(lines: &[&str], block: Range<usize>) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut continues = false;
    for at in block {
        let line = lines[at];
        if let Some(command) = line.strip_prefix(PROMPT) {
            steps.push(Step { command: command.to_owned(), output: Vec::new(), lines: at + 1..at + 1 });
        } else if continues {
            let step = steps.last_mut().unwrap();
            step.command = format!("{}\n{line}", step.command);
            step.lines = at + 1..at + 1;
        } else {
            if steps.is_empty() {
                steps.push(Step { lines: at..at, ..Step::default() });
            }
            let step = steps.last_mut().unwrap();
            step.output.push(line.to_owned());
            step.lines.end = at + 1;
        }
        continues = line.ends_with('\\') && (continues || line.starts_with(PROMPT));
    }
    steps
}

/// A step whose output is not the expected one.
struct Difference {
    lines: Range<usize>,
    command: String,
    expected: Vec<String>,
    found: Vec<String>,
    reason: &'static str,
}

impl Difference {
    fn new(step: &Step, found: Vec<String>, reason: &'static str) -> Self {
        let Step { command, output, lines } = step;
        Self { lines: lines.clone(), command: command.clone(), expected: output.clone(), found, reason }
    }

    fn report(&self, chapter: &Path) -> String {
        let Self { lines, command, expected, found, reason } = self;
        let (expected, found) = (expected.join("\n"), found.join("\n"));
        format!(
            "{}:{}: {reason}: {command}\n--- expected\n{expected}\n--- found\n{found}\n---\n",
            name(chapter),
            lines.start
        )
    }
}

/// Replaces the outputs that differ.
fn corrected(text: &str, differences: &[Difference]) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for difference in differences.iter().rev() {
        lines.splice(difference.lines.clone(), difference.found.iter().cloned());
    }
    lines.join("\n") + "\n"
}

/// A folder with a shell, and the commands in the background.
struct Terminal {
    folder: tempfile::TempDir,
    logs: tempfile::TempDir,
    background: Vec<(Child, PathBuf)>,
    /// Exit code of the last command.
    code: i32,
    runs: usize,
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.end_background();
    }
}

impl Terminal {
    fn new() -> Self {
        let folder = || tempfile::tempdir().unwrap();
        Self { folder: folder(), logs: folder(), background: Vec::new(), code: 0, runs: 0 }
    }

    /// Runs the blocks of a chapter, up to the first difference that makes the rest meaningless.
    fn run(&mut self, blocks: &[Block]) -> Vec<Difference> {
        let mut differences = Vec::new();
        for block in blocks {
            if let Some(program) = block.missing_program() {
                println!("skips the rest of a chapter: {program} is not installed");
                break;
            }
            if block.has("restart") {
                self.end_background();
            }
            for (at, step) in block.steps.iter().enumerate() {
                let next = block.steps.get(at + 1).map(|next| next.command.as_str());
                differences.extend(match () {
                    () if block.has("background") => self.start(step),
                    () if block.has("output") => self.wait_for(step, &[ANYTHING]),
                    () => self.command(step, next == Some("echo $?")),
                });
            }
        }
        differences
    }

    /// Returns a shell that runs the command in the folder and writes all output to a new file.
    fn spawn(&mut self, command: &str) -> (Child, PathBuf) {
        self.runs += 1;
        let log = self.logs.path().join(self.runs.to_string());
        let file = File::create(&log).unwrap();
        let programs = Path::new(env!("CARGO_BIN_EXE_grille")).parent().unwrap();
        let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("(exit {})\n{command}", self.code)]).current_dir(self.folder.path());
        shell.env("PATH", path).env("NO_COLOR", "1").env_remove("SSLKEYLOGFILE");
        shell.stdin(Stdio::null()).stdout(file.try_clone().unwrap()).stderr(file);
        (shell.spawn().unwrap(), log)
    }

    /// Runs a command to its end.
    fn command(&mut self, step: &Step, may_fail: bool) -> Option<Difference> {
        let (mut child, log) = self.spawn(&step.command);
        let start = Instant::now();
        let status = loop {
            match child.try_wait().unwrap() {
                Some(status) => break status,
                None if start.elapsed() > LIMIT => {
                    child.kill().unwrap();
                    child.wait().unwrap();
                    return Some(Difference::new(step, read(&log), "takes too long"));
                }
                None => sleep(PAUSE),
            }
        };
        self.code = status.code().unwrap_or(-1);
        let found = read(&log);
        if self.code != 0 && !may_fail {
            return Some(Difference::new(step, found, "fails"));
        }
        (!matches(&step.output, &found)).then(|| Difference::new(step, found, "has another output"))
    }

    /// Starts a command in the background and waits for the expected beginning of its output.
    fn start(&mut self, step: &Step) -> Option<Difference> {
        let started = self.spawn(&format!("exec {}", step.command));
        self.background.push(started);
        self.wait_for(step, &[])
    }

    /// Waits until the output of the last command in the background contains the expected lines, after lines that match
    /// `before`.
    fn wait_for(&mut self, step: &Step, before: &[&str]) -> Option<Difference> {
        let (child, log) = self.background.last_mut().expect("a command in the background");
        let mut expected: Vec<String> = before.iter().map(|line| (*line).to_owned()).collect();
        expected.extend(step.output.iter().cloned());
        expected.push(ANYTHING.to_owned());
        let start = Instant::now();
        loop {
            let ended = child.try_wait().unwrap().is_some();
            let found = read(log);
            if matches(&expected, &found) {
                return None;
            }
            if ended || start.elapsed() > LIMIT {
                return Some(Difference::new(step, found, "has another output in the background"));
            }
            sleep(PAUSE);
        }
    }

    fn end_background(&mut self) {
        for (mut child, _) in self.background.drain(..) {
            // the program may have ended already
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Reads the lines of a file, without white space at their ends.
fn read(log: &Path) -> Vec<String> {
    let bytes = std::fs::read(log).unwrap();
    String::from_utf8_lossy(&bytes).lines().map(|line| line.trim_end().to_owned()).collect()
}

/// Returns whether the lines match the expected ones, whose `…` match anything.
fn matches(expected: &[String], found: &[String]) -> bool {
    match expected.split_first() {
        None => found.is_empty(),
        Some((first, rest)) if first == ANYTHING => {
            (0..=found.len()).any(|skipped| matches(rest, &found[skipped..]))
        }
        Some((first, rest)) => found
            .split_first()
            .is_some_and(|(line, others)| line_matches(first, line) && matches(rest, others)),
    }
}

fn line_matches(expected: &str, found: &str) -> bool {
    let Some((start, rest)) = expected.trim_end().split_once(ANYTHING) else {
        return expected.trim_end() == found;
    };
    let Some(found) = found.strip_prefix(start) else { return false };
    (0..=found.len()).filter(|&at| found.is_char_boundary(at)).any(|at| line_matches(rest, &found[at..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn matches_lines_with_omissions() {
        for (expected, found) in [
            ("a", "a"),
            ("", ""),
            ("…", ""),
            ("…", "a\nb"),
            ("a …c", "a bc"),
            ("a\n…\nd", "a\nb\nc\nd"),
            ("…b…", "abc"),
        ] {
            assert!(matches(&lines(expected), &lines(found)), "{expected}");
        }
        for (expected, found) in [("a", "b"), ("a", "a\nb"), ("", "a"), ("a…c", "ab"), ("…\nd", "a\nb")] {
            assert!(!matches(&lines(expected), &lines(found)), "{expected}");
        }
    }

    #[test]
    fn reads_commands_with_their_outputs() {
        let text = "text\n```console\n$ a \\\n    b\nout\n$ c\n```\n```sh\n$ no\n```\n```console,output\nmore\n```\n";
        let blocks = blocks(text);
        assert_eq!(blocks.len(), 2);
        let steps = &blocks[0].steps;
        assert_eq!((steps[0].command.as_str(), &steps[0].output), ("a \\\n    b", &lines("out")));
        assert_eq!((steps[1].command.as_str(), steps[1].output.len()), ("c", 0));
        assert!(blocks[1].has("output") && blocks[1].steps[0].output == ["more"]);
    }

    #[test]
    fn reports_wrong_outputs_and_failures_and_corrects_them() {
        let text =
            "```console\n$ echo one\ntwo\n$ false\n$ false\n$ echo $?\n1\n$ printf 'a\\nb\\n'\n…\n```\n";
        let differences = Terminal::new().run(&blocks(text));
        let reasons: Vec<&str> = differences.iter().map(|difference| difference.reason).collect();
        assert_eq!(reasons, ["has another output", "fails"]);
        assert!(corrected(text, &differences).contains("$ echo one\none\n$ false\n"));
    }

    #[test]
    fn skips_the_rest_of_a_chapter_without_a_program() {
        let rest = |needs: &str| format!("```console,{needs}\n$ true\n```\n```console\n$ false\n```\n");
        let run = |needs: &str| Terminal::new().run(&blocks(&rest(needs))).len();
        assert_eq!([run("needs=sh"), run("needs=sh,needs=no-such-program")], [1, 0]);
    }

    #[test]
    fn waits_for_output_in_the_background() {
        let text = "```console,background\n$ sh -c 'echo ready; sleep 0.1; echo later; sleep 60'\nready\n```\n\
                    ```console,output\nlater\n```\n```console,background,restart\n$ echo other\nanother\n```\n";
        let differences = Terminal::new().run(&blocks(text));
        assert_eq!(differences.len(), 1);
        assert_eq!(differences[0].reason, "has another output in the background");
    }
}
