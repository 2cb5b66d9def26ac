//! Reads the ClientHello, and refuses clients without a common TLS version.

use rustls::server::{Accepted, Acceptor};
use rustls::{Error, PeerIncompatible};
use std::io::{self, Read};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

/// Reads until the ClientHello is complete. The socket stays with the caller, even on cancellation.
///
/// TLS memory is allocated only when the client's first byte arrives.
///
/// # Errors
/// Returns an error after sending the alert. The caller must keep the socket open until the alert is delivered: see
/// `connection::linger`.
pub(crate) async fn read(socket: &mut TcpStream) -> io::Result<Accepted> {
    socket.readable().await?;
    let (mut acceptor, mut start) = (Acceptor::default(), FirstBytes::default());
    loop {
        socket.readable().await?;
        match acceptor.read_tls(&mut RecordingReader { socket, start: &mut start }) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(_) => (),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => continue,
            Err(error) => return Err(error),
        }
        if let Some(alert) = grille_tls::old_version::alert(start.bytes()) {
            let error = Error::PeerIncompatible(PeerIncompatible::Tls12NotOffered);
            return refuse(socket, &alert, error).await;
        }
        match acceptor.accept() {
            Ok(Some(accepted)) => return Ok(accepted),
            Ok(None) => (),
            Err((error, mut alert)) => {
                let mut bytes = Vec::new();
                alert.write_all(&mut bytes)?;
                return refuse(socket, &bytes, error).await;
            }
        }
    }
}

async fn refuse(socket: &mut TcpStream, alert: &[u8], error: Error) -> io::Result<Accepted> {
    // best effort: it fails if the client has closed the connection
    let _ = socket.write_all(alert).await;
    Err(io::Error::new(io::ErrorKind::InvalidData, error))
}

/// First bytes of a connection, as many as are needed to determine the version.
#[derive(Default)]
struct FirstBytes {
    bytes: [u8; grille_tls::old_version::START_LEN],
    len: usize,
}

impl FirstBytes {
    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    fn append(&mut self, bytes: &[u8]) {
        let len = bytes.len().min(self.bytes.len() - self.len);
        self.bytes[self.len..self.len + len].copy_from_slice(&bytes[..len]);
        self.len += len;
    }
}

/// Non-blocking reader for rustls, which records the first bytes.
struct RecordingReader<'a> {
    socket: &'a TcpStream,
    start: &'a mut FirstBytes,
}

impl Read for RecordingReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.socket.try_read(buffer)?;
        self.start.append(&buffer[..len]);
        Ok(len)
    }
}
