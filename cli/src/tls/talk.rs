//! The conversation of `grille tls client`: one message and its answer, or standard input and all that the server sends.
//!
//! Answers are printed as they come. Only a JSON document needs a whole answer, of which no more than [`MAX_KEPT_LEN`] bytes are
//! kept.

use crate::error::Error;
use crate::output::{Output, counted};
use grille_tls::Connection;
use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use std::time::{Duration, Instant};

/// A connection, and the place where its answers go.
pub(super) struct Talk<'a> {
    connection: &'a mut Connection,
    address: &'a str,
    /// The longest time for an answer, from the request to its end.
    timeout: Duration,
    out: &'a mut Output,
    /// The answer as far as a JSON document needs it.
    kept: Vec<u8>,
    buffer: Vec<u8>,
}

/// The longest answer that a JSON document holds.
const MAX_KEPT_LEN: usize = 1 << 20;

/// An answer ends when nothing more of it comes for so long.
const SILENCE: Duration = Duration::from_millis(100);

/// How long each of two silent sources is waited for before the other one.
const TURN: Duration = Duration::from_millis(20);

/// What one read brought.
enum Heard {
    Bytes,
    Silence,
    /// The server says that it sends no more.
    End,
    /// It closed the connection without saying so, as many servers do after their last word.
    Cut,
}

impl<'a> Talk<'a> {
    /// `address`: for messages.
    pub(super) fn new(
        connection: &'a mut Connection,
        address: &'a str,
        timeout: Duration,
        out: &'a mut Output,
    ) -> Self {
        Self { connection, address, timeout, out, kept: Vec::new(), buffer: vec![0; 1 << 16] }
    }

    /// Sends `text` and takes the answer, which ends when the server says so, closes the connection or is silent.
    ///
    /// # Errors
    /// If the connection fails, or the answer does not begin and end in time.
    pub(super) fn ask(&mut self, text: &str) -> Result<(), Error> {
        let end = Instant::now().checked_add(self.timeout);
        self.send(text.as_bytes(), end)?;
        let mut answered = false;
        loop {
            let turn = if answered { earlier(end, SILENCE) } else { end };
            match self.hear(turn)? {
                Heard::Bytes => answered = true,
                Heard::End => return Ok(()),
                Heard::Cut if answered => return Ok(()),
                Heard::Cut => return Err(self.broken(io::ErrorKind::UnexpectedEof.into())),
                Heard::Silence if answered && !has_passed(end) => return Ok(()),
                Heard::Silence if answered => return Err(self.endless()),
                Heard::Silence => return Err(self.broken(io::ErrorKind::TimedOut.into())),
            }
            if has_passed(end) {
                return Err(self.endless());
            }
        }
    }

    /// Sends standard input as it comes, and takes all that the server sends meanwhile. After the end of the input the server
    /// has the timeout to end its answer; it may also fall silent.
    ///
    /// # Errors
    /// If the connection or standard input fails, or the answer does not end in time.
    pub(super) fn converse(&mut self) -> Result<(), Error> {
        let input = pieces_of_stdin();
        loop {
            match input.try_recv() {
                Ok(piece) => self.send(&piece.map_err(|e| unread(&e))?, self.limit())?,
                Err(TryRecvError::Empty) => (),
                Err(TryRecvError::Disconnected) => break,
            }
            if let Heard::End | Heard::Cut = self.hear(earlier(None, TURN))? {
                return Ok(());
            }
        }
        let end = self.limit();
        self.connection.set_deadline(end);
        self.connection.end_sending()?;
        let mut last = Instant::now();
        while !has_passed(end) {
            match self.hear(earlier(end, TURN))? {
                Heard::Bytes => last = Instant::now(),
                Heard::Silence => (),
                Heard::End | Heard::Cut => return Ok(()),
            }
        }
        if last.elapsed() < SILENCE { Err(self.endless()) } else { Ok(()) }
    }

    /// The answer if it was kept for a JSON document; otherwise nothing.
    pub(super) fn into_answer(self) -> Vec<u8> {
        self.kept
    }

    fn send(&mut self, bytes: &[u8], end: Option<Instant>) -> Result<(), Error> {
        self.connection.set_deadline(end);
        self.connection.write_all(bytes).map_err(|e| self.broken(e))
    }

    /// Reads once, until `turn` at the latest, and prints or keeps what came.
    fn hear(&mut self, turn: Option<Instant>) -> Result<Heard, Error> {
        self.connection.set_deadline(turn);
        let len = match self.connection.read(&mut self.buffer) {
            Ok(0) => return Ok(Heard::End),
            Ok(len) => len,
            Err(e) if is_silence(&e) => return Ok(Heard::Silence),
            Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => return Ok(Heard::Cut),
            Err(e) => return Err(self.broken(e)),
        };
        let bytes = &self.buffer[..len];
        if !self.out.is_json() {
            self.out.foreign(bytes)?;
        } else if self.kept.len() + len > MAX_KEPT_LEN {
            let what = format!(
                "the answer is longer than {} MiB, the most that a document holds",
                MAX_KEPT_LEN >> 20
            );
            return Err(Error::failure(what)
                .at_place(self.address)
                .advise("leave out --json to print the answer as it comes"));
        } else {
            self.kept.extend_from_slice(bytes);
        }
        Ok(Heard::Bytes)
    }

    /// The end of the timeout if it begins now.
    fn limit(&self) -> Option<Instant> {
        Instant::now().checked_add(self.timeout)
    }

    fn broken(&self, error: io::Error) -> Error {
        broken(self.address, error)
    }

    fn endless(&self) -> Error {
        let seconds = counted(self.timeout.as_secs(), "second");
        Error::failure(format_args!("the server was still sending after {seconds}"))
            .at_place(self.address)
            .advise("raise --timeout for a longer answer")
    }
}

/// An error of the connection with `address`, not of the output.
pub(super) fn broken(address: &str, error: io::Error) -> Error {
    grille_tls::Error::from_io(format!("the connection with {address}"), error).into()
}

/// `end`, or the end of `time` from now if that is earlier.
fn earlier(end: Option<Instant>, time: Duration) -> Option<Instant> {
    end.into_iter().chain(Instant::now().checked_add(time)).min()
}

fn has_passed(end: Option<Instant>) -> bool {
    end.is_some_and(|end| end <= Instant::now())
}

/// Whether nothing came in time.
fn is_silence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

/// Standard input in pieces as they come. The thread ends with the input, after its error, or with the process.
fn pieces_of_stdin() -> Receiver<io::Result<Vec<u8>>> {
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

fn unread(error: &io::Error) -> Error {
    Error::failure(format_args!("cannot read: {error}")).at_place("standard input")
}
