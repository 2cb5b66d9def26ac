//! A listener that survives failed accepts.

use crate::error::Error;
use crate::files::reason;
use std::cell::Cell;
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

/// A listener that continues after a failed accept, for example after an aborted connection or a lack of file
/// descriptors.
pub(super) struct Listener {
    listener: TcpListener,
    /// Whether the last accept failed.
    failing: Cell<bool>,
}

/// Pause after a failed accept. Without descriptors, an immediate retry would fail again.
const PAUSE: Duration = Duration::from_millis(100);

impl Listener {
    pub(super) const fn new(listener: TcpListener) -> Self {
        Self { listener, failing: Cell::new(false) }
    }

    pub(super) const fn socket(&self) -> &TcpListener {
        &self.listener
    }

    /// Waits for the next requester. Calls `warn` for the first of several failed accepts in a row.
    ///
    /// # Errors
    /// Returns an error if the socket can never accept connections.
    pub(super) fn next(&self, warn: impl Fn(Error)) -> Result<(TcpStream, SocketAddr), Error> {
        loop {
            match self.listener.accept() {
                Err(error) if !is_not_a_listener(&error) => {
                    if !self.failing.replace(true) {
                        let problem = format_args!("cannot accept a connection: {}", reason(&error));
                        warn(Error::failure(problem));
                    }
                    thread::sleep(PAUSE);
                }
                accepted => {
                    self.failing.set(false);
                    return accepted.map_err(|error| {
                        Error::failure(format_args!("cannot accept any more connections: {}", reason(&error)))
                    });
                }
            }
        }
    }
}

/// Returns whether the socket is not a listener, so that accepting can never succeed.
fn is_not_a_listener(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transient_errors_are_not_final() {
        for passing in [ErrorKind::ConnectionAborted, ErrorKind::OutOfMemory, ErrorKind::Other] {
            assert!(!is_not_a_listener(&passing.into()), "{passing}");
        }
        assert!(is_not_a_listener(&ErrorKind::InvalidInput.into()));
    }

    /// A UDP socket cannot listen.
    #[cfg(unix)]
    #[test]
    fn rejects_socket_that_does_not_listen() {
        let socket = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
        let listener = Listener::new(TcpListener::from(std::os::fd::OwnedFd::from(socket)));
        let message = listener.next(|problem| panic!("{problem}")).unwrap_err().to_string();
        assert!(
            message.starts_with("cannot accept any more connections: ") && !message.contains("os error"),
            "{message}"
        );
    }
}
