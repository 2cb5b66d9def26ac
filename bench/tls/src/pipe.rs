//! An in-memory pipe between two ends in one thread.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::rc::Rc;

type Queue = Rc<RefCell<VecDeque<u8>>>;

/// One end of a pipe; bytes written to it are read from the other end.
pub struct Pipe {
    incoming: Queue,
    outgoing: Queue,
}

impl Pipe {
    /// Creates both ends of a pipe.
    pub fn pair() -> [Self; 2] {
        let (one, other) = (Queue::default(), Queue::default());
        [Self { incoming: one.clone(), outgoing: other.clone() }, Self { incoming: other, outgoing: one }]
    }
}

impl Read for Pipe {
    /// Reads pending bytes, or fails with `WouldBlock` if there are none.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.incoming.borrow_mut().read(buffer)? {
            0 if !buffer.is_empty() => Err(io::ErrorKind::WouldBlock.into()),
            len => Ok(len),
        }
    }
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.outgoing.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Runs both ends alternately until both report the end of their handshake.
///
/// # Panics
/// Panics if the handshake is not over after more turns than any handshake needs.
pub fn run_handshake(mut client: impl FnMut() -> bool, mut server: impl FnMut() -> bool) {
    // `&` instead of `&&`, because the server must receive the client's last message
    let over = (0..16).any(|_| client() & server());
    assert!(over, "a handshake did not finish");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_bytes_of_the_other_end_once() {
        let [mut one, mut other] = Pipe::pair();
        one.write_all(b"abc").unwrap();
        let mut buffer = [0; 8];
        assert_eq!(other.read(&mut buffer).unwrap(), 3);
        assert_eq!(&buffer[..3], b"abc");
        assert_eq!(other.read(&mut buffer).unwrap_err().kind(), io::ErrorKind::WouldBlock);
        assert_eq!(one.read(&mut buffer).unwrap_err().kind(), io::ErrorKind::WouldBlock);
    }

    #[test]
    #[should_panic(expected = "did not finish")]
    fn panics_if_both_ends_wait() {
        run_handshake(|| true, || false);
    }
}
