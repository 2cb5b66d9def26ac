//! Trace of a handshake: its messages, as the engine hashes them, and the duration of each step.
//!
//! A handshake runs on one thread from start to end, so the trace is thread-local. Nothing is shared between threads,
//! and configurations that serve many connections at once need no identifiers for them. Only calls between `begin` and
//! `take` are recorded: if other code uses the providers, its threads store no trace.

use crate::codepoints::message_name;
use crate::early;
use crate::hello;
use rustls::SignatureScheme;
use rustls::sign::CertifiedKey;
use std::cell::RefCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Expensive step of a handshake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The client generates the key pair of its key share.
    KeyShare,
    /// The server encapsulates to the client's key share.
    Encapsulate,
    /// The client decapsulates the server's key share.
    Decapsulate,
    /// This side signs the transcript.
    Sign,
    /// This side verifies the peer's chain up to a root.
    VerifyChain,
    /// This side verifies the peer's signature of the transcript.
    VerifySignature,
}

/// A handshake message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// Type of the message, RFC 8446 section 4.
    pub code: u8,
    /// Length of the encoded message before encryption, including its four-byte header.
    pub len: usize,
    /// For compressed certificates (RFC 8879), length of the uncompressed Certificate message; otherwise `None`.
    pub uncompressed_len: Option<usize>,
    /// Whether this is a HelloRetryRequest, which has the type of a ServerHello.
    pub is_retry_request: bool,
}

impl Message {
    /// Describes a message. `message`: header and body.
    fn new(message: &[u8]) -> Self {
        let (code, body) = (message[0], &message[HEADER_LEN..]);
        Self {
            code,
            len: message.len(),
            uncompressed_len: uncompressed_len(code, body),
            is_retry_request: hello::is_retry_request(code, body),
        }
    }

    /// Returns the standard's name, such as `ClientHello`.
    #[must_use]
    pub fn name(self) -> String {
        if self.is_retry_request { "HelloRetryRequest".to_owned() } else { message_name(self.code) }
    }
}

/// Trace of one handshake on one side; see the module documentation.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Messages, in the order of the transcript.
    pub messages: Vec<Message>,
    /// Steps with their durations, in the order of completion.
    pub steps: Vec<(Step, Duration)>,
    /// Whether the server accepted the client's early data.
    pub early_data_accepted: bool,
    /// Signature scheme that this side used; `None` if it did not sign.
    pub signed_with: Option<u16>,
    /// Signature scheme that the peer used; `None` if this side verified no signature.
    pub peer_signed_with: Option<u16>,
    /// On a server, the identity that it presented.
    pub(crate) presented: Option<Arc<CertifiedKey>>,
    /// Reason why this side refused the peer's chain, if it did.
    pub(crate) refusal: Option<Box<grille_pki::Error>>,
}

impl Trace {
    /// Returns the duration of `step`, if it occurred.
    #[must_use]
    pub fn time(&self, step: Step) -> Option<Duration> {
        self.steps.iter().find(|(known, _)| *known == step).map(|(_, time)| *time)
    }

    /// Adds the messages in `hashed`, a piece of the transcript: the header and body of each message.
    ///
    /// After a HelloRetryRequest, the transcript restarts, and a hash of the first ClientHello replaces that message. A
    /// ClientHello is hashed twice if the keys for early data depend on it alone. A piece that ends within a message is
    /// the ClientHello without its binders. It is ignored.
    pub fn transcript(&mut self, hashed: &[u8]) {
        let (messages, []) = hello::messages(hashed) else { return };
        for message in messages {
            let (code, body) = (message[0], &message[HEADER_LEN..]);
            match code {
                MESSAGE_HASH => {
                    self.messages.truncate(1);
                    continue;
                }
                CLIENT_HELLO => self.messages.truncate(self.len_before_hello()),
                _ => {}
            }
            self.messages.push(Message::new(message));
            self.early_data_accepted |= code == ENCRYPTED_EXTENSIONS && early::accepts(body);
        }
    }

    /// Returns the number of messages that precede a ClientHello: none, or the messages up to the HelloRetryRequest.
    fn len_before_hello(&self) -> usize {
        self.messages.iter().rposition(|message| message.is_retry_request).map_or(0, |at| at + 1)
    }
}

thread_local! {
    static CURRENT: RefCell<Option<Trace>> = const { RefCell::new(None) };
}

/// Starts recording on this thread. Discards an earlier trace for which [`take`] was not called.
pub(crate) fn begin() {
    CURRENT.set(Some(Trace::default()));
}

/// Stops recording on this thread and returns the trace since [`begin`].
pub(crate) fn take() -> Trace {
    CURRENT.take().unwrap_or_default()
}

/// Records the duration of `work`.
pub(crate) fn measure<T>(step: Step, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    let time = start.elapsed();
    record(|trace| trace.steps.push((step, time)));
    result
}

/// Records the signature scheme that this side used.
pub(crate) fn record_own_scheme(scheme: SignatureScheme) {
    record(|trace| trace.signed_with = Some(scheme.into()));
}

/// Records the identity that a server presents.
pub(crate) fn record_presented(presented: &Arc<CertifiedKey>) {
    record(|trace| trace.presented = Some(presented.clone()));
}

/// Records the peer's signature scheme and the duration of verifying its signature.
pub(crate) fn record_peer_signature<T>(scheme: SignatureScheme, verify: impl FnOnce() -> T) -> T {
    record(|trace| trace.peer_signed_with = Some(scheme.into()));
    measure(Step::VerifySignature, verify)
}

/// Records the reason why this side refuses the peer's chain.
pub(crate) fn record_refusal(reason: &grille_pki::Error) {
    record(|trace| trace.refusal = Some(Box::new(reason.clone())));
}

/// Records a piece of the transcript, see [`Trace::transcript`].
pub(crate) fn record_transcript(hashed: &[u8]) {
    record(|trace| trace.transcript(hashed));
}

const HEADER_LEN: usize = 4;
const CLIENT_HELLO: u8 = 1;
const ENCRYPTED_EXTENSIONS: u8 = 8;
const COMPRESSED_CERTIFICATE: u8 = 25;
const MESSAGE_HASH: u8 = 254;

/// Returns the length of the uncompressed message in a CompressedCertificate, RFC 8879 section 4. Its fields:
/// algorithm (2 bytes), length of the uncompressed Certificate without its header (3 bytes), and the compressed data.
fn uncompressed_len(code: u8, body: &[u8]) -> Option<usize> {
    let (&[_, _, high, middle, low], _) = body.split_first_chunk()?;
    let len = u32::from_be_bytes([0, high, middle, low]) as usize;
    (code == COMPRESSED_CERTIFICATE).then_some(HEADER_LEN + len)
}

fn record(change: impl FnOnce(&mut Trace)) {
    CURRENT.with_borrow_mut(|current| current.as_mut().map(change));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(trace: &Trace) -> Vec<(u8, usize)> {
        trace.messages.iter().map(|message| (message.code, message.len)).collect()
    }

    #[test]
    fn splits_a_piece_of_the_transcript_into_messages() {
        begin();
        record_transcript(&[1, 0, 0, 2, 7, 7]);
        record_transcript(&[2, 0, 0, 0, 8, 0, 0, 1, 9]);
        record_transcript(&[1, 0, 0, 9, 7]);
        let trace = take();
        assert_eq!(lengths(&trace), [(1, 6), (2, 4), (8, 5)]);
        assert!(take().messages.is_empty());
    }

    #[test]
    fn reports_the_uncompressed_length_of_certificates() {
        begin();
        record_transcript(&[25, 0, 0, 6, 0, 1, 0, 1, 0, 9]);
        let message = take().messages[0];
        assert_eq!((message.len, message.uncompressed_len), (10, Some(4 + 256)));
    }

    #[test]
    fn retry_keeps_earlier_messages_and_repeats_no_hello() {
        let hash = [254, 0, 0, 1, 9];
        let request = [&[2, 0, 0, 34, 3, 3][..], &hello::RETRY_RANDOM].concat();
        let hello = [1, 0, 0, 2, 7, 7];
        begin();
        // The hello is hashed once for the keys of early data, and once for the transcript.
        record_transcript(&[1, 0, 0, 1, 7]);
        record_transcript(&[1, 0, 0, 1, 7]);
        // The messages are hashed once for the binders of the second hello, and once for the transcript.
        record_transcript(&[&hash[..], &request].concat());
        record_transcript(&[&hash[..], &request, &hello].concat());
        record_transcript(&[2, 0, 0, 0]);
        let trace = take();
        assert_eq!(lengths(&trace), [(1, 5), (2, 38), (1, 6), (2, 4)]);
        let names: Vec<_> = trace.messages.iter().map(|message| message.name()).collect();
        assert_eq!(names, ["ClientHello", "HelloRetryRequest", "ClientHello", "ServerHello"]);
    }

    #[test]
    fn records_nothing_before_begin() {
        take();
        record_transcript(&[1, 0, 0, 0]);
        measure(Step::Sign, || ());
        assert!(CURRENT.with_borrow(Option::is_none));
        begin();
        record_transcript(&[1, 0, 0, 0]);
        assert_eq!(take().messages.len(), 1);
        record_transcript(&[1, 0, 0, 0]);
        assert!(CURRENT.with_borrow(Option::is_none), "the next handshake starts a new trace");
    }
}
