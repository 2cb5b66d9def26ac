//! Signals end `grille` without leaving temporary files, which may contain a private key.

use crate::sandbox::Sandbox;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Returns a command that runs `grille` with the default signal handlers, like a shell in the foreground. Tests may run
/// with ignored signals.
fn foreground_command(sandbox: &Sandbox, words: &str) -> Command {
    let grille = sandbox.command(words);
    let mut command = Command::new("env");
    command.arg("--default-signal=INT,TERM,HUP").arg(grille.get_program()).args(grille.get_args());
    command.current_dir(sandbox.path("")).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn send_signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}

/// Waits until a condition holds.
fn wait_until(condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(120), "the condition never held");
        thread::sleep(Duration::from_millis(1));
    }
}

fn entries(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

#[test]
fn leaves_no_files_after_an_interrupted_demo() {
    for (name, number) in [("-INT", 2), ("-TERM", 15), ("-HUP", 1)] {
        // different moments in the demo's sessions
        for moment in 0..4 {
            let sandbox = Sandbox::new();
            let mut child =
                foreground_command(&sandbox, "demo").env("TMPDIR", sandbox.path("")).spawn().unwrap();
            wait_until(|| entries(&sandbox.path("")) > 0);
            thread::sleep(Duration::from_millis(7 * moment));
            send_signal(&child, name);
            assert_eq!(child.wait().unwrap().signal(), Some(number));
            assert_eq!(sandbox.files(), Vec::<String>::new(), "left behind by {name}");
        }
    }
}

#[test]
fn leaves_both_key_files_or_none_when_interrupted() {
    for moment in 0..40 {
        let sandbox = Sandbox::new();
        let words = "keygen --quiet --alg ML-DSA-44 --out a.key --pub a.pub";
        let mut child = foreground_command(&sandbox, words).spawn().unwrap();
        thread::sleep(Duration::from_millis(moment));
        send_signal(&child, "-INT");
        child.wait().unwrap();
        let files = sandbox.files();
        assert!(files.is_empty() || files == ["a.key", "a.pub"], "{files:?}");
    }
}

/// The key is complete under a temporary name while the other output waits for its reader.
#[test]
fn leaves_no_key_when_interrupted_while_waiting_for_a_reader() {
    for name in ["-INT", "-TERM"] {
        let sandbox = Sandbox::new();
        assert!(Command::new("mkfifo").arg(sandbox.path("pipe")).status().unwrap().success());
        let words = "keygen --quiet --alg ML-DSA-44 --out a.key --pub pipe";
        let mut child = foreground_command(&sandbox, words).spawn().unwrap();
        wait_until(|| entries(&sandbox.path("")) == 2);
        send_signal(&child, name);
        assert!(!child.wait().unwrap().success());
        assert_eq!(sandbox.files(), ["pipe"], "left behind by {name}");
    }
}

#[test]
fn keeps_ignored_signals_ignored() {
    let sandbox = Sandbox::new();
    let grille = sandbox.command("keygen --quiet --alg ML-DSA-44 --out a.key --pub pipe");
    assert!(Command::new("mkfifo").arg(sandbox.path("pipe")).status().unwrap().success());
    let words: Vec<_> = [grille.get_program()].into_iter().chain(grille.get_args()).collect();
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' HUP; exec \"$@\"", "sh"]).args(words).current_dir(sandbox.path(""));
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_until(|| entries(&sandbox.path("")) == 2);
    send_signal(&child, "-HUP");
    // opens the reader's side, so that the program can end
    assert!(!fs::read(sandbox.path("pipe")).unwrap().is_empty());
    assert!(child.wait().unwrap().success());
    assert_eq!(sandbox.files(), ["a.key", "pipe"]);
}
