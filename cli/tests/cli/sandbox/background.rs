//! `grille` in the background.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// A running program, killed with the test if it does not end.
pub(crate) struct Background {
    child: Child,
    rest: BufReader<ChildStdout>,
    /// The first line of output, printed when the program is ready.
    pub(crate) line: String,
}

/// The longest wait for an event.
const MAX_WAIT: Duration = Duration::from_secs(120);

impl Background {
    pub(crate) fn start(command: Command) -> Self {
        Self::start_with_stderr(command, Stdio::piped())
    }

    /// Starts a program with this standard error.
    pub(crate) fn start_with_stderr(mut command: Command, stderr: impl Into<Stdio>) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(stderr).spawn().unwrap();
        let mut rest = BufReader::new(child.stdout.take().unwrap());
        let (printed, first) = mpsc::channel();
        thread::spawn(move || {
            let mut line = String::new();
            let _ = rest.read_line(&mut line);
            let _ = printed.send((rest, line));
        });
        let Ok((rest, line)) = first.recv_timeout(MAX_WAIT) else {
            let _ = child.kill();
            let _ = child.wait();
            panic!("no line came from {command:?}");
        };
        Self { child, rest, line }
    }

    /// Returns the process identifier.
    #[cfg(target_os = "linux")]
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns the port in the first line.
    pub(crate) fn port(&self) -> String {
        assert!(self.line.starts_with("listening on "), "{}", self.line);
        self.line.trim().rsplit(':').next().unwrap().to_owned()
    }

    /// Waits for the program to end successfully; returns the output after the first line.
    pub(crate) fn end(&mut self) -> String {
        let mut output = String::new();
        self.rest.read_to_string(&mut output).unwrap();
        assert!(self.child.wait().unwrap().success());
        output
    }

    /// Waits for the program to end; returns the exit code.
    pub(crate) fn code(&mut self) -> i32 {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code().unwrap();
            }
            assert!(start.elapsed() < MAX_WAIT, "the program does not end");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Kills the program.
    pub(crate) fn stop(&mut self) {
        // the program may have ended already
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Returns everything that the program writes to standard error before it ends.
    pub(crate) fn warnings(&mut self) -> String {
        let mut output = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut output).unwrap();
        output
    }

    /// Waits for the program to end with an error; returns standard error.
    pub(crate) fn fail(&mut self) -> String {
        let output = self.warnings();
        assert!(!self.child.wait().unwrap().success());
        output
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        self.stop();
    }
}
