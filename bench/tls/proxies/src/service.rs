//! What stands behind the proxies: a TCP service that sends as many bytes as it is asked for, or takes as many.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

/// With this bit a question is how many bytes follow, whose end is confirmed with a byte; without it how many to send.
pub const TAKE: u64 = 1 << 63;

/// Runs until the program ends.
pub struct Service {
    pub port: u16,
}

impl Service {
    /// Each connection has a thread.
    pub fn start() -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let port = listener.local_addr()?.port();
        thread::spawn(move || {
            for socket in listener.incoming().flatten() {
                // a client that breaks off is none of the service's business
                thread::spawn(move || _ = serve(socket));
            }
        });
        Ok(Self { port })
    }
}

/// One question after the other.
fn serve(mut socket: TcpStream) -> io::Result<()> {
    socket.set_nodelay(true)?;
    let mut block = [7; 1 << 16];
    loop {
        let mut question = [0; 8];
        socket.read_exact(&mut question)?;
        match u64::from_be_bytes(question) {
            question if question & TAKE != 0 => {
                pieces(question & !TAKE, |len| socket.read_exact(&mut block[..len]))?;
                socket.write_all(&[1])?;
            }
            len => pieces(len, |len| socket.write_all(&block[..len]))?,
        }
    }
}

/// So many bytes in blocks.
fn pieces(mut left: u64, mut carry: impl FnMut(usize) -> io::Result<()>) -> io::Result<()> {
    while left > 0 {
        let len = left.min(1 << 16);
        carry(len as usize)?;
        left -= len;
    }
    Ok(())
}
