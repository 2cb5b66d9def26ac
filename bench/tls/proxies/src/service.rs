//! The service behind the proxies: a TCP service that sends or receives the requested number of bytes.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

/// Flag of a request. If it is set, the rest of the request is the number of bytes that the client sends next, and the
/// service sends one byte after it has received the last one. Otherwise, the request is the number of bytes that the
/// service sends.
pub const UPLOAD_FLAG: u64 = 1 << 63;

/// A service that runs until the program ends.
pub struct Service {
    pub port: u16,
}

impl Service {
    /// Starts the service, with a thread for each connection.
    pub fn start() -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let port = listener.local_addr()?.port();
        thread::spawn(move || {
            for socket in listener.incoming().flatten() {
                // ignores clients that disconnect early
                thread::spawn(move || _ = serve(socket));
            }
        });
        Ok(Self { port })
    }
}

/// Answers requests one after the other.
fn serve(mut socket: TcpStream) -> io::Result<()> {
    socket.set_nodelay(true)?;
    let mut block = [7; 1 << 16];
    loop {
        let mut request = [0; 8];
        socket.read_exact(&mut request)?;
        match u64::from_be_bytes(request) {
            request if request & UPLOAD_FLAG != 0 => {
                transfer_pieces(request & !UPLOAD_FLAG, |len| socket.read_exact(&mut block[..len]))?;
                socket.write_all(&[1])?;
            }
            len => transfer_pieces(len, |len| socket.write_all(&block[..len]))?,
        }
    }
}

/// Transfers this number of bytes in blocks.
fn transfer_pieces(mut left: u64, mut carry: impl FnMut(usize) -> io::Result<()>) -> io::Result<()> {
    while left > 0 {
        let len = left.min(1 << 16);
        carry(len as usize)?;
        left -= len;
    }
    Ok(())
}
