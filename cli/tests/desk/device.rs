//! An emulated device in the background.

use super::Desk;
use super::background::Background;

/// `grille spdm responder`, and the port it listens on.
pub(crate) struct Device {
    run: Background,
    pub(crate) port: String,
}

impl Device {
    /// With these words more.
    pub(crate) fn start(desk: &Desk, words: &str) -> Self {
        let run = Background::start(desk.command(&format!("spdm responder --quiet --port 0 {words}")));
        Self { port: run.port(), run }
    }

    /// Waits for its end, which must be a good one.
    pub(crate) fn end(mut self) {
        assert_eq!(self.run.end(), "");
    }
}
