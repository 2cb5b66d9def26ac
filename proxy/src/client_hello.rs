//! Reads a ClientHello, and answers one that no version of TLS here can serve.

use rustls::server::{Accepted, Acceptor};
use rustls::{Error, PeerIncompatible};
use std::io::{self, Read};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

/// Reads until the ClientHello is whole. The socket stays with the caller, also if this is cancelled.
///
/// A client that takes longer has cost no memory of TLS before its first byte.
///
/// # Errors
/// The peer gets the alert that TLS prescribes, and then the socket still carries it: see `connection::linger`.
pub(crate) async fn read(socket: &mut TcpStream) -> io::Result<Accepted> {
    socket.readable().await?;
    let (mut acceptor, mut start) = (Acceptor::default(), Start::default());
    loop {
        socket.readable().await?;
        match acceptor.read_tls(&mut Heard { socket, start: &mut start }) {
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
    // best effort: it fails where the client is gone
    let _ = socket.write_all(alert).await;
    Err(io::Error::new(io::ErrorKind::InvalidData, error))
}

/// The first bytes of a connection, as far as a version needs them.
#[derive(Default)]
struct Start {
    bytes: [u8; grille_tls::old_version::START_LEN],
    len: usize,
}

impl Start {
    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    fn append(&mut self, heard: &[u8]) {
        let len = heard.len().min(self.bytes.len() - self.len);
        self.bytes[self.len..self.len + len].copy_from_slice(&heard[..len]);
        self.len += len;
    }
}

/// A socket that rustls reads from without waiting.
struct Heard<'a> {
    socket: &'a TcpStream,
    start: &'a mut Start,
}

impl Read for Heard<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.socket.try_read(buffer)?;
        self.start.append(&buffer[..len]);
        Ok(len)
    }
}
