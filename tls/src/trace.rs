//! What one handshake consists of: its messages, as the engine hashes them, and the time that each step takes.
//!
//! A handshake runs on one thread from its first byte to its last, so the notes are the thread's: nothing is shared,
//! and configurations that serve many connections at once need no number for each. Outside of `begin` and `take`
//! nothing is noted: a provider that somebody else runs leaves nothing behind in its threads.

use crate::codepoints::message_name;
use crate::early;
use crate::hello;
use rustls::SignatureScheme;
use rustls::sign::CertifiedKey;
use std::cell::RefCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The costly steps of a handshake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The client makes the key pair whose public half is its key share.
    KeyShare,
    /// The server encapsulates to the client's key share.
    Encapsulate,
    /// The client decapsulates the server's key share.
    Decapsulate,
    /// This side signs the transcript.
    Sign,
    /// This side checks the peer's chain up to a root.
    VerifyChain,
    /// This side checks the peer's signature of the transcript.
    VerifySignature,
}

/// A handshake message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// The type's code, RFC 8446 section 4.
    pub code: u8,
    /// The encoded message, before encryption, its four-byte header included.
    pub len: usize,
    /// Of compressed certificates (RFC 8879): the length of the Certificate message that they stand for.
    pub uncompressed_len: Option<usize>,
    /// Whether it is a HelloRetryRequest, which has the code of a ServerHello.
    pub is_retry_request: bool,
}

impl Message {
    /// `message`: header and body.
    fn of(message: &[u8]) -> Self {
        let (code, body) = (message[0], &message[HEADER_LEN..]);
        Self {
            code,
            len: message.len(),
            uncompressed_len: uncompressed_len(code, body),
            is_retry_request: hello::is_retry_request(code, body),
        }
    }

    /// The standard's name, such as `ClientHello`.
    #[must_use]
    pub fn name(self) -> String {
        if self.is_retry_request { "HelloRetryRequest".to_owned() } else { message_name(self.code) }
    }
}

/// The notes of one side about one handshake; see the module.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// In the order of the transcript.
    pub messages: Vec<Message>,
    /// In the order in which they ended.
    pub steps: Vec<(Step, Duration)>,
    /// Whether the server took the client's early data.
    pub early_data_accepted: bool,
    /// The signature scheme that this side signed with.
    pub signed_with: Option<u16>,
    /// The signature scheme that the peer signed with.
    pub peer_signed_with: Option<u16>,
    /// What this side shows, on a server, which chooses it.
    pub(crate) shown: Option<Arc<CertifiedKey>>,
    /// Why this side refused the peer's chain.
    pub(crate) refusal: Option<Box<grille_pki::Error>>,
}

impl Trace {
    /// The time that `step` took, if it was taken.
    #[must_use]
    pub fn time(&self, step: Step) -> Option<Duration> {
        self.steps.iter().find(|(known, _)| *known == step).map(|(_, time)| *time)
    }

    /// Adds the messages of which `hashed`, a piece of the transcript, consists: header and body of each.
    ///
    /// After a HelloRetryRequest the transcript starts again, with the hash of the first ClientHello in its place. A
    /// ClientHello is hashed a second time where keys for early data depend on it alone. A piece that does not end with a
    /// message is a draft of one (the ClientHello without its binders) and is left out.
    pub fn transcript(&mut self, hashed: &[u8]) {
        let (messages, []) = hello::messages(hashed) else { return };
        for message in messages {
            let (code, body) = (message[0], &message[HEADER_LEN..]);
            match code {
                MESSAGE_HASH => {
                    self.messages.truncate(1);
                    continue;
                }
                CLIENT_HELLO => self.messages.truncate(self.before_hello()),
                _ => {}
            }
            self.messages.push(Message::of(message));
            self.early_data_accepted |= code == ENCRYPTED_EXTENSIONS && early::accepts(body);
        }
    }

    /// How many messages stand before a ClientHello: none, or those up to the HelloRetryRequest that asks for it.
    fn before_hello(&self) -> usize {
        self.messages.iter().rposition(|message| message.is_retry_request).map_or(0, |at| at + 1)
    }
}

thread_local! {
    static CURRENT: RefCell<Option<Trace>> = const { RefCell::new(None) };
}

/// Notes what this thread does from now on; what an earlier handshake noted and nobody took is forgotten.
pub(crate) fn begin() {
    CURRENT.set(Some(Trace::default()));
}

/// What this thread noted since [`begin`]; nothing is noted any more.
pub(crate) fn take() -> Trace {
    CURRENT.take().unwrap_or_default()
}

/// Notes the time that `work` takes.
pub(crate) fn timed<T>(step: Step, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    let time = start.elapsed();
    note(|trace| trace.steps.push((step, time)));
    result
}

/// Notes what this side signed with.
pub(crate) fn signed(scheme: SignatureScheme) {
    note(|trace| trace.signed_with = Some(scheme.into()));
}

/// Notes what a server shows.
pub(crate) fn shown(shown: &Arc<CertifiedKey>) {
    note(|trace| trace.shown = Some(shown.clone()));
}

/// Notes what the peer signed with, and the time that checking its signature takes.
pub(crate) fn peer_signature<T>(scheme: SignatureScheme, verify: impl FnOnce() -> T) -> T {
    note(|trace| trace.peer_signed_with = Some(scheme.into()));
    timed(Step::VerifySignature, verify)
}

/// Notes why this side refuses the peer's chain.
pub(crate) fn refused(reason: &grille_pki::Error) {
    note(|trace| trace.refusal = Some(Box::new(reason.clone())));
}

/// Notes a piece of the transcript, as [`Trace::transcript`].
pub(crate) fn transcript(hashed: &[u8]) {
    note(|trace| trace.transcript(hashed));
}

const HEADER_LEN: usize = 4;
const CLIENT_HELLO: u8 = 1;
const ENCRYPTED_EXTENSIONS: u8 = 8;
const COMPRESSED_CERTIFICATE: u8 = 25;
const MESSAGE_HASH: u8 = 254;

/// Of a CompressedCertificate, RFC 8879 section 4: the algorithm (2 bytes), the length of what was compressed (3), which is
/// a Certificate without its header, and the rest.
fn uncompressed_len(code: u8, body: &[u8]) -> Option<usize> {
    let (&[_, _, high, middle, low], _) = body.split_first_chunk()?;
    let len = u32::from_be_bytes([0, high, middle, low]) as usize;
    (code == COMPRESSED_CERTIFICATE).then_some(HEADER_LEN + len)
}

fn note(change: impl FnOnce(&mut Trace)) {
    CURRENT.with_borrow_mut(|current| current.as_mut().map(change));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(trace: &Trace) -> Vec<(u8, usize)> {
        trace.messages.iter().map(|message| (message.code, message.len)).collect()
    }

    #[test]
    fn a_piece_of_the_transcript_is_split_into_messages() {
        begin();
        transcript(&[1, 0, 0, 2, 7, 7]);
        transcript(&[2, 0, 0, 0, 8, 0, 0, 1, 9]);
        transcript(&[1, 0, 0, 9, 7]);
        let trace = take();
        assert_eq!(lengths(&trace), [(1, 6), (2, 4), (8, 5)]);
        assert!(take().messages.is_empty());
    }

    #[test]
    fn compressed_certificates_say_what_they_were() {
        begin();
        transcript(&[25, 0, 0, 6, 0, 1, 0, 1, 0, 9]);
        let message = take().messages[0];
        assert_eq!((message.len, message.uncompressed_len), (10, Some(4 + 256)));
    }

    #[test]
    fn a_retry_keeps_what_came_before_it_and_no_hello_is_noted_twice() {
        let hash = [254, 0, 0, 1, 9];
        let request = [&[2, 0, 0, 34, 3, 3][..], &hello::RETRY].concat();
        let hello = [1, 0, 0, 2, 7, 7];
        begin();
        // for the keys of early data, and for the transcript
        transcript(&[1, 0, 0, 1, 7]);
        transcript(&[1, 0, 0, 1, 7]);
        // for the binders of the second, and for the transcript
        transcript(&[&hash[..], &request].concat());
        transcript(&[&hash[..], &request, &hello].concat());
        transcript(&[2, 0, 0, 0]);
        let trace = take();
        assert_eq!(lengths(&trace), [(1, 5), (2, 38), (1, 6), (2, 4)]);
        let names: Vec<_> = trace.messages.iter().map(|message| message.name()).collect();
        assert_eq!(names, ["ClientHello", "HelloRetryRequest", "ClientHello", "ServerHello"]);
    }

    #[test]
    fn without_a_beginning_nothing_is_noted() {
        take();
        transcript(&[1, 0, 0, 0]);
        timed(Step::Sign, || ());
        assert!(CURRENT.with_borrow(Option::is_none));
        begin();
        transcript(&[1, 0, 0, 0]);
        assert_eq!(take().messages.len(), 1);
        transcript(&[1, 0, 0, 0]);
        assert!(CURRENT.with_borrow(Option::is_none), "the next handshake begins anew");
    }
}
