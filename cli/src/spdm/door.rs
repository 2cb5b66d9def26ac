//! Where requesters come in.

use crate::error::Error;
use crate::files::reason;
use crate::output::Output;
use std::cell::Cell;
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

/// A listener that goes on where somebody could not be let in: who gave up before, or came while too much was open.
pub(super) struct Door {
    listener: TcpListener,
    /// Nobody could be let in the last time.
    stuck: Cell<bool>,
}

/// How long nobody is let in then; what fails for want of descriptors fails again at once.
const PAUSE: Duration = Duration::from_millis(100);

impl Door {
    pub(super) const fn new(listener: TcpListener) -> Self {
        Self { listener, stuck: Cell::new(false) }
    }

    pub(super) const fn listener(&self) -> &TcpListener {
        &self.listener
    }

    /// Waits for the next requester; of those that could not be let in one warning tells, until one is.
    ///
    /// # Errors
    /// If nobody can come any more.
    pub(super) fn next(&self, out: &Output) -> Result<(TcpStream, SocketAddr), Error> {
        loop {
            match self.listener.accept() {
                Err(error) if !is_final(&error) => {
                    if !self.stuck.replace(true) {
                        out.warn(format_args!("a requester could not be let in: {}", reason(&error)));
                    }
                    thread::sleep(PAUSE);
                }
                came => {
                    self.stuck.set(false);
                    return came.map_err(Error::failure);
                }
            }
        }
    }
}

/// Whether the socket does not listen, and never will.
fn is_final(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_passes_is_waited_for() {
        for passing in [ErrorKind::ConnectionAborted, ErrorKind::OutOfMemory, ErrorKind::Other] {
            assert!(!is_final(&passing.into()), "{passing}");
        }
        assert!(is_final(&ErrorKind::InvalidInput.into()));
    }
}
