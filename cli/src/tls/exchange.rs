//! The data exchange of `grille tls client`: one message and its answer, or standard input and everything that the
//! server sends.
//!
//! Answers are printed as they arrive. Only a JSON document needs a whole answer, of at most [`MAX_KEPT_LEN`] bytes.

use crate::error::Error;
use crate::output::{Output, format_count};
use grille_tls::Connection;
use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

/// A data exchange on a connection, with the output for answers.
pub(super) struct Exchange<'a> {
    connection: &'a mut Connection,
    address: &'a str,
    /// The longest time from a request to the end of its answer.
    timeout: Duration,
    out: &'a mut Output,
    /// The answer, kept only for a JSON document.
    kept: Vec<u8>,
    buffer: Vec<u8>,
}

/// The maximum length of an answer in a JSON document, in bytes.
const MAX_KEPT_LEN: usize = 1 << 20;

/// The pause after which an answer counts as complete.
const SILENCE: Duration = Duration::from_millis(100);

/// The time to wait for the server before checking standard input again, while there is no input.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The time to wait for the server while input arrives: long enough to read an answer that is there, short enough not
/// to slow the input down.
const SHORT_POLL_INTERVAL: Duration = Duration::from_millis(1);

/// The time to wait for the first data from standard input before the first read from the server. Data that is already
/// available usually arrives sooner.
const FIRST_INPUT: Duration = Duration::from_millis(5);

/// The result of one read.
enum ReadOutcome {
    Bytes,
    Silence,
    /// The server closed its side with close_notify.
    End,
    /// The server closed the connection without close_notify, as many servers do after their last data.
    Cut,
}

impl<'a> Exchange<'a> {
    /// Prepares an exchange. `address` is the server's address, for error messages.
    pub(super) fn new(
        connection: &'a mut Connection,
        address: &'a str,
        timeout: Duration,
        out: &'a mut Output,
    ) -> Self {
        Self { connection, address, timeout, out, kept: Vec::new(), buffer: vec![0; 1 << 16] }
    }

    /// Sends `text` and receives the answer, which ends with close_notify, the end of the connection, or silence.
    ///
    /// # Errors
    /// Returns an error if the connection fails, or the answer does not begin and end in time.
    pub(super) fn send_and_receive(&mut self, text: &str) -> Result<(), Error> {
        let end = Instant::now().checked_add(self.timeout);
        self.send(text.as_bytes(), end)?;
        let mut answered = false;
        loop {
            let deadline = if answered { earlier_deadline(end, SILENCE) } else { end };
            match self.read_once(deadline)? {
                ReadOutcome::Bytes => answered = true,
                ReadOutcome::End => return Ok(()),
                ReadOutcome::Cut if answered => return Ok(()),
                ReadOutcome::Cut => return Err(self.connection_error(io::ErrorKind::UnexpectedEof.into())),
                ReadOutcome::Silence if answered && !has_passed(end) => return Ok(()),
                ReadOutcome::Silence if answered => return Err(self.endless_answer()),
                ReadOutcome::Silence => return Err(self.connection_error(io::ErrorKind::TimedOut.into())),
            }
            if has_passed(end) {
                return Err(self.endless_answer());
            }
        }
    }

    /// Sends standard input as it arrives, and receives everything that the server sends meanwhile.
    ///
    /// After the end of the input, the server must end its answer within the timeout, by closing or by silence.
    ///
    /// # Errors
    /// Returns an error if the connection or standard input fails, or the answer does not end in time.
    pub(super) fn relay_stdin(&mut self) -> Result<(), Error> {
        let input = read_stdin();
        let mut wait_for_input = FIRST_INPUT;
        loop {
            let wait_for_server = match input.recv_timeout(wait_for_input) {
                Ok(piece) => {
                    self.send(&piece.map_err(|e| stdin_error(&e))?, self.new_deadline())?;
                    SHORT_POLL_INTERVAL
                }
                Err(RecvTimeoutError::Timeout) => POLL_INTERVAL,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            wait_for_input = Duration::ZERO;
            let deadline = earlier_deadline(None, wait_for_server);
            if let ReadOutcome::End | ReadOutcome::Cut = self.read_once(deadline)? {
                return Ok(());
            }
        }
        let end = self.new_deadline();
        self.connection.set_deadline(end);
        self.connection.end_sending()?;
        let mut last = Instant::now();
        while !has_passed(end) {
            match self.read_once(earlier_deadline(end, POLL_INTERVAL))? {
                ReadOutcome::Bytes => last = Instant::now(),
                ReadOutcome::Silence => (),
                ReadOutcome::End | ReadOutcome::Cut => return Ok(()),
            }
        }
        if last.elapsed() < SILENCE { Err(self.endless_answer()) } else { Ok(()) }
    }

    /// Returns the answer if it was kept for a JSON document; otherwise an empty vector.
    pub(super) fn into_answer(self) -> Vec<u8> {
        self.kept
    }

    fn send(&mut self, bytes: &[u8], end: Option<Instant>) -> Result<(), Error> {
        self.connection.set_deadline(end);
        self.connection.write_all(bytes).map_err(|e| self.connection_error(e))
    }

    /// Reads once, until `deadline` at the latest, and prints or keeps the data.
    fn read_once(&mut self, deadline: Option<Instant>) -> Result<ReadOutcome, Error> {
        self.connection.set_deadline(deadline);
        let len = match self.connection.read(&mut self.buffer) {
            Ok(0) => return Ok(ReadOutcome::End),
            Ok(len) => len,
            Err(e) if is_timeout(&e) => return Ok(ReadOutcome::Silence),
            Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => return Ok(ReadOutcome::Cut),
            Err(e) => return Err(self.connection_error(e)),
        };
        let bytes = &self.buffer[..len];
        if !self.out.is_json() {
            self.out.print_peer_bytes(bytes)?;
        } else if self.kept.len() + len > MAX_KEPT_LEN {
            let problem = format!(
                "the answer is longer than {} MiB, the limit for a JSON document",
                MAX_KEPT_LEN >> 20
            );
            return Err(Error::failure(problem)
                .with_place(self.address)
                .advise("leave out --json to print the answer as it arrives"));
        } else {
            self.kept.extend_from_slice(bytes);
        }
        Ok(ReadOutcome::Bytes)
    }

    /// Returns the end of a timeout that begins now.
    fn new_deadline(&self) -> Option<Instant> {
        Instant::now().checked_add(self.timeout)
    }

    fn connection_error(&self, error: io::Error) -> Error {
        connection_error(self.address, error)
    }

    fn endless_answer(&self) -> Error {
        let seconds = format_count(self.timeout.as_secs(), "second");
        Error::failure(format_args!("the server was still sending after {seconds}"))
            .with_place(self.address)
            .advise("raise --timeout for a longer answer")
    }
}

/// Makes an error about the connection with `address`, as opposed to the output.
pub(super) fn connection_error(address: &str, error: io::Error) -> Error {
    grille_tls::Error::from_io(format!("the connection with {address}"), error).into()
}

/// Returns the earlier of two deadlines: `end`, and the time `time` from now.
fn earlier_deadline(end: Option<Instant>, time: Duration) -> Option<Instant> {
    end.into_iter().chain(Instant::now().checked_add(time)).min()
}

fn has_passed(end: Option<Instant>) -> bool {
    end.is_some_and(|end| end <= Instant::now())
}

/// Returns whether a read timed out.
fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

/// Reads standard input in a thread, in pieces as they arrive. The thread ends with the input, an error, or the
/// process.
fn read_stdin() -> Receiver<io::Result<Vec<u8>>> {
    let (sender, receiver) = sync_channel(4);
    std::thread::spawn(move || {
        let mut buffer = vec![0; 1 << 14];
        loop {
            let piece = match io::stdin().read(&mut buffer) {
                Ok(0) => return,
                Ok(len) => Ok(buffer[..len].to_vec()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => Err(error),
            };
            let failed = piece.is_err();
            if sender.send(piece).is_err() || failed {
                return;
            }
        }
    });
    receiver
}

fn stdin_error(error: &io::Error) -> Error {
    Error::failure(format_args!("cannot read: {error}")).with_place("standard input")
}
