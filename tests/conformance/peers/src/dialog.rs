//! The `main` function that all peers share: makes one connection and sends one line in each direction.
//!
//! ```text
//! client HOST:PORT GROUP ROOTS.pem
//! server PORT GROUP CHAIN.pem KEY.pem
//! ```

use std::error::Error;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::ExitCode;
use std::time::Duration;

pub type DynResult<T> = Result<T, Box<dyn Error>>;

/// An established connection.
pub trait Tls: Read + Write {
    /// Returns the library's name of the negotiated group.
    fn group(&mut self) -> String;
    /// Sends close_notify.
    fn close(&mut self) -> DynResult<()>;
}

/// A TLS library under test.
pub struct Library {
    pub name: &'static str,
    /// Connects as a client; the arguments are the socket, the group and the roots.
    pub client: fn(TcpStream, &str, &str) -> DynResult<Box<dyn Tls>>,
    /// Accepts a client; the arguments are the socket, the group, the chain and the key.
    pub server: fn(TcpStream, &str, &str, &str) -> DynResult<Box<dyn Tls>>,
}

/// Runs the program with this library.
pub fn main(library: &Library) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["client", address, group, roots] => client(library, address, group, roots),
        ["server", port, group, chain, key] => server(library, port, group, chain, key),
        _ => Err("usage: client HOST:PORT GROUP ROOTS | server PORT GROUP CHAIN KEY".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", library.name);
            ExitCode::FAILURE
        }
    }
}

fn client(library: &Library, address: &str, group: &str, roots: &str) -> DynResult<()> {
    let mut tls = (library.client)(with_timeouts(TcpStream::connect(address)?)?, group, roots)?;
    writeln!(tls, "hello from {}", library.name)?;
    println!("{}: {}", tls.group(), read_message(tls.as_mut())?);
    tls.close()
}

fn server(library: &Library, port: &str, group: &str, chain: &str, key: &str) -> DynResult<()> {
    let listener = TcpListener::bind(("127.0.0.1", port.parse()?))?;
    let mut socket = with_timeouts(listener.accept()?.0)?;
    let mut tls = (library.server)(socket.try_clone()?, group, chain, key)?;
    let line = read_message(tls.as_mut())?;
    println!("{}: {line}", tls.group());
    writeln!(tls, "{} received: {line}", library.name)?;
    tls.close()?;
    // closing the socket while the client still sends close_notify would discard the answer
    socket.shutdown(Shutdown::Write)?;
    io::copy(&mut socket, &mut io::sink())?;
    Ok(())
}

/// Sets the timeouts of a socket.
fn with_timeouts(socket: TcpStream) -> DynResult<TcpStream> {
    socket.set_read_timeout(Some(Duration::from_secs(10)))?;
    socket.set_write_timeout(Some(Duration::from_secs(10)))?;
    Ok(socket)
}

/// Reads the peer's first message, a line in a single TLS record.
fn read_message(tls: &mut dyn Tls) -> DynResult<String> {
    let mut buffer = [0; 1024];
    let len = tls.read(&mut buffer)?;
    Ok(String::from_utf8(buffer[..len].to_vec())?.trim_end().to_owned())
}
