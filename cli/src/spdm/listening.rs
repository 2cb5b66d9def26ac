//! Where somebody is waited for, as whoever has started this side has to know: port 0 is any that is free.

use super::algorithms::version_name;
use super::options::Options;
use crate::error::Error;
use crate::output::{Output, Report};
use grille_spdm_codec::Version;
use serde::Serialize;
use std::io;
use std::net::{SocketAddr, TcpListener};

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

impl Report for Listening {
    fn human(&self, out: &mut Output) -> io::Result<()> {
        out.listening(self.listening)
    }
}
