//! An emulated device in the background.

use super::Desk;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

/// `grille spdm responder`, and the port it listens on.
pub(crate) struct Device {
    child: Child,
    pub(crate) port: String,
}

impl Device {
    /// With these words more.
    pub(crate) fn start(desk: &Desk, words: &str) -> Self {
        let mut command = desk.command(&format!("spdm responder --quiet --port 0 {words}"));
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.starts_with("listening on "), "{line}");
        Self { port: line.trim().rsplit(':').next().unwrap().to_owned(), child }
    }

    /// Waits for its end; whether it was a good one.
    pub(crate) fn ends_well(&mut self) -> bool {
        self.child.wait().unwrap().success()
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // it may have ended by itself
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
