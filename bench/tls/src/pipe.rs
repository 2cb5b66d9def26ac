//! Bytes between two ends in one thread.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::rc::Rc;

type Queue = Rc<RefCell<VecDeque<u8>>>;

/// One end; what is written to it is read from the other.
pub struct Pipe {
    incoming: Queue,
    outgoing: Queue,
}

impl Pipe {
    /// Both ends.
    pub fn pair() -> [Self; 2] {
        let (one, other) = (Queue::default(), Queue::default());
        [Self { incoming: one.clone(), outgoing: other.clone() }, Self { incoming: other, outgoing: one }]
    }
}

impl Read for Pipe {
    /// Would block where nothing waits.
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

/// Lets both ends work in turns until both say that their handshake is over.
///
/// # Panics
/// If it is not over after more turns than any handshake has.
pub fn meet(mut client: impl FnMut() -> bool, mut server: impl FnMut() -> bool) {
    // the server must hear the client's last words
    let over = (0..16).any(|_| client() & server());
    assert!(over, "a handshake did not come to its end");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_end_writes_the_other_reads_once() {
        let [mut one, mut other] = Pipe::pair();
        one.write_all(b"abc").unwrap();
        let mut buffer = [0; 8];
        assert_eq!(other.read(&mut buffer).unwrap(), 3);
        assert_eq!(&buffer[..3], b"abc");
        assert_eq!(other.read(&mut buffer).unwrap_err().kind(), io::ErrorKind::WouldBlock);
        assert_eq!(one.read(&mut buffer).unwrap_err().kind(), io::ErrorKind::WouldBlock);
    }

    #[test]
    #[should_panic(expected = "did not come to its end")]
    fn ends_that_wait_for_each_other_are_noticed() {
        meet(|| true, || false);
    }
}
