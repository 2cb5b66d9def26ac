//! Reports the listening address, and waits for a first connection. The report matters with port 0, which picks a
//! free port.

use super::algorithms::version_name;
use super::options::Options;
use crate::error::Error;
use crate::output::{Output, Report};
use grille_spdm_engine::config::Config;
use serde::Serialize;
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

/// The listening address and the transport, for the report.
#[derive(Serialize)]
struct Listening {
    listening: SocketAddr,
    port: u16,
    transport: &'static str,
    versions: Vec<String>,
    /// Whether keys without certificates are bound into transcripts; `None` if neither side has such keys.
    #[serde(skip_serializing_if = "Option::is_none")]
    raw_keys_bound: Option<bool>,
}

/// Prints the socket's address and transport before waiting for connections. `raw_keys_bound`: whether keys without
/// certificates are bound into transcripts; `None` if neither side has such keys.
///
/// # Errors
/// Returns an error if the socket is closed, or the output cannot be written.
pub(super) fn report(
    listener: &TcpListener,
    options: &Options,
    config: &Config,
    raw_keys_bound: Option<bool>,
    out: &mut Output,
) -> Result<(), Error> {
    let listening = listener.local_addr().map_err(Error::failure)?;
    out.print(&Listening {
        listening,
        port: listening.port(),
        transport: options.binding().name(),
        versions: config.versions.iter().copied().map(version_name).collect(),
        raw_keys_bound,
    })
}

/// The polling interval.
const PAUSE: Duration = Duration::from_millis(20);

/// Accepts the first connection.
///
/// # Errors
/// Returns [`ErrorKind::WouldBlock`] if there is none within `timeout`, or an error of the listener.
pub(super) fn accept_first(listener: &TcpListener, timeout: Duration) -> io::Result<(TcpStream, SocketAddr)> {
    listener.set_nonblocking(true)?;
    let start = Instant::now();
    loop {
        match listener.accept() {
            Err(error) if error.kind() == ErrorKind::WouldBlock && start.elapsed() < timeout => {
                thread::sleep(PAUSE);
            }
            accepted => {
                let (socket, peer) = accepted?;
                // On some systems accepted sockets inherit this mode.
                socket.set_nonblocking(false)?;
                return Ok((socket, peer));
            }
        }
    }
}

impl Report for Listening {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        out.print_listening(self.listening)
    }
}
