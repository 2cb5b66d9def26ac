//! Where somebody is waited for, as whoever has started this side has to know: port 0 is any that is free.

use super::algorithms::version_name;
use super::options::Options;
use crate::error::Error;
use crate::output::{Output, Report};
use grille_spdm_codec::Version;
use serde::Serialize;
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

/// What whoever comes there has to know.
#[derive(Serialize)]
struct Listening {
    listening: SocketAddr,
    port: u16,
    transport: &'static str,
    versions: Vec<String>,
}

/// Tells where this socket is, before anybody is waited for, and how it is spoken there.
///
/// # Errors
/// If the socket is gone, or nobody reads the output any more.
pub(super) fn tell(
    listener: &TcpListener,
    options: &Options,
    versions: &[Version],
    out: &mut Output,
) -> Result<(), Error> {
    let listening = listener.local_addr().map_err(Error::failure)?;
    out.print(&Listening {
        listening,
        port: listening.port(),
        transport: options.binding().name(),
        versions: versions.iter().copied().map(version_name).collect(),
    })
}

/// How often is looked whether somebody is there.
const PAUSE: Duration = Duration::from_millis(20);

/// The first who comes.
///
/// # Errors
/// [`ErrorKind::WouldBlock`] if nobody does in this time; those of the listener.
pub(super) fn first(listener: &TcpListener, patience: Duration) -> io::Result<(TcpStream, SocketAddr)> {
    listener.set_nonblocking(true)?;
    let start = Instant::now();
    loop {
        match listener.accept() {
            Err(error) if error.kind() == ErrorKind::WouldBlock && start.elapsed() < patience => {
                thread::sleep(PAUSE);
            }
            came => {
                let (socket, peer) = came?;
                // some systems hand it on
                socket.set_nonblocking(false)?;
                return Ok((socket, peer));
            }
        }
    }
}

impl Report for Listening {
    fn human(&self, out: &mut Output) -> io::Result<()> {
        out.listening(self.listening)
    }
}
