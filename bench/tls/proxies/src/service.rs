//! What stands behind the proxies: a TCP service that sends as many bytes as it is asked for, or takes all that comes.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

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

/// The question is how many bytes to send; of none, all that the client sends is read.
fn serve(mut socket: TcpStream) -> io::Result<()> {
    socket.set_nodelay(true)?;
    let mut question = [0; 8];
    socket.read_exact(&mut question)?;
    let mut left = u64::from_be_bytes(question);
    if left == 0 {
        io::copy(&mut socket, &mut io::sink())?;
    }
    let block = [7; 1 << 16];
    while left > 0 {
        let len = left.min(block.len() as u64);
        socket.write_all(&block[..len as usize])?;
        left -= len;
    }
    Ok(())
}
