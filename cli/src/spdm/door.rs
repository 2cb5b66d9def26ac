//! Where requesters come in.

use crate::error::Error;
use crate::files::reason;
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

    /// Waits for the next requester; of those that could not be let in `warn` hears once, until one is.
    ///
    /// # Errors
    /// If nobody can come any more.
    pub(super) fn next(&self, warn: impl Fn(Error)) -> Result<(TcpStream, SocketAddr), Error> {
        loop {
            match self.listener.accept() {
                Err(error) if !is_final(&error) => {
                    if !self.stuck.replace(true) {
                        let what = format_args!("a requester could not be let in: {}", reason(&error));
                        warn(Error::failure(what));
                    }
                    thread::sleep(PAUSE);
                }
                came => {
                    self.stuck.set(false);
                    return came.map_err(|error| {
                        Error::failure(format_args!("nobody can come in any more: {}", reason(&error)))
                    });
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

    /// A socket of UDP listens to nobody.
    #[cfg(unix)]
    #[test]
    fn a_socket_that_does_not_listen_is_told_at_once() {
        let socket = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
        let door = Door::new(TcpListener::from(std::os::fd::OwnedFd::from(socket)));
        let told = door.next(|what| panic!("{what}")).unwrap_err().to_string();
        assert!(told.starts_with("nobody can come in any more: ") && !told.contains("os error"), "{told}");
    }
}
