//! Every bit of signed and authenticated messages of the dialect.
//!
//! Responses are recorded once and replayed to new requesters, which send the same requests because their random
//! generators are equal. So only the first response is signed.

use super::*;
use grille_spdm_engine::operation::{Operation, Step};
use grille_stream::Stream;

const SUITES: [Suite; 3] = [
    Suite { signature: "Falcon-512", ..PURE },
    Suite { req_kem_auth: "Kyber512", ..KEM_AUTH },
    Suite { kem: "", kem_auth: "Kyber768", dhe: Dhe::SECP256R1, ..KEM_AUTH },
];

/// Returns whether a fragment does not need this bit: a reserved attribute, or the identifier, which only the request
/// for the next fragment repeats.
fn is_ignored(at: usize, bit: u8) -> bool {
    at == 2 && bit > 2 || at == 3
}

/// A function that returns the bits to flip in a message of this length: positions and masks.
type Flips = fn(usize) -> Vec<(usize, u8)>;

/// Returns every bit of `len` bytes.
fn all(len: usize) -> Vec<(usize, u8)> {
    (0..len).flat_map(|at| (0..8).map(move |bit| (at, 1 << bit))).collect()
}

/// Returns one bit of each byte at the start and at the end, and of every seventh byte of keys and signatures between.
fn some(len: usize) -> Vec<(usize, u8)> {
    let is_field = |at: &usize| *at < 64 || at + 64 >= len || at.is_multiple_of(7);
    (0..len).filter(is_field).map(|at| (at, 1 << (at % 8))).collect()
}

/// Answers with recorded responses. One bit may be flipped in the last of them.
struct Replay<'r> {
    answers: std::slice::Iter<'r, (Packet, Packet)>,
    flip: Option<(usize, u8)>,
}

impl Carrier for Replay<'_> {
    type Error = Error;

    fn exchange(&mut self, packet: Packet) -> Result<Packet, Error> {
        let (request, mut answer) = self.answers.next().expect("a recorded answer").clone();
        assert_eq!(packet, request, "the same randomness gives the same requests");
        if let (Packet::Message(bytes), Some((at, bit)), []) =
            (&mut answer, self.flip, self.answers.as_slice())
        {
            bytes[at] ^= bit;
        }
        Ok(answer)
    }

    fn wait(&mut self, _time: std::time::Duration) {}
}

/// Returns a requester whose requests are always the same.
fn repeating(suite: &Suite, identity: &Identity, known: &PeerKeys) -> Requester {
    let config = suite.config(REQUESTER);
    let verifier = Box::new(Roots::new(Vec::new()));
    let mut requester =
        Requester::with_rng(config, identity.clone(), verifier, Box::new(Stream::new("requester")));
    requester.provision_raw(known.clone());
    requester
}

/// Flips each bit that `flips` selects in the first response of an operation, which must be one fragment, and checks
/// that the operation fails. Exceptions: the operation still succeeds if the bit is ignored (see [`is_ignored`]), and
/// without END the requester asks for another fragment.
fn check_response<O: Operation>(suite: &Suite, flips: Flips, operation: impl Fn() -> O) {
    let [device, host] = suite.keys();
    let known = device.public.clone();
    let identity = host.identity.clone();
    let configs = [RESPONDER, REQUESTER].map(|flags| suite.config(flags));
    let (_, mut wire) = suite.pair([device, host], configs);
    let mut requester = repeating(suite, &identity, &known);
    requester.run(Connect::new(), &mut wire).unwrap();
    let connected = wire.log.len();
    requester.run(operation(), &mut wire).unwrap();
    wire.log.truncate(connected + 1);
    let Some((_, Packet::Message(response))) = wire.log.last() else { panic!("{suite:?}") };
    assert_eq!(response[1..3], [0x7C, 3], "one fragment");
    for (at, bit) in flips(response.len()) {
        let mut requester = repeating(suite, &identity, &known);
        let mut replay = Replay { answers: wire.log.iter(), flip: Some((at, bit)) };
        requester.run(Connect::new(), &mut replay).unwrap();
        let (mut active, packet) = requester.start(operation()).unwrap();
        let received = requester.receive(&mut active, replay.exchange(packet).unwrap());
        // without END the requester asks for another fragment, which does not exist
        let asks = matches!(&received, Ok(Step::Send(Packet::Message(next))) if next[1] == 0xFC);
        assert_eq!(asks, (at, bit) == (2, 2), "{suite:?}: byte {at} bit {bit:#x}");
        assert_eq!(received.is_ok() && !asks, is_ignored(at, bit), "{suite:?}: byte {at} bit {bit:#x}");
    }
}

/// Flips one bit of the first message with this code on its way to the responder.
struct FlippedRequest<'w> {
    wire: &'w mut Wire,
    code: Code,
    flip: (usize, u8),
    done: bool,
}

impl Carrier for FlippedRequest<'_> {
    type Error = Error;

    fn exchange(&mut self, mut packet: Packet) -> Result<Packet, Error> {
        if let Packet::Message(bytes) = &mut packet {
            let start = if bytes[1] == 0xFD { 16 } else { 0 };
            if !self.done && bytes[start + 1] == self.code.0 {
                bytes[self.flip.0] ^= self.flip.1;
                self.done = true;
            }
        }
        self.wire.exchange(packet)
    }

    fn wait(&mut self, _time: std::time::Duration) {}
}

/// Checks that an operation fails whichever bit of its request is flipped. The request has `len` bytes, including the
/// header of its fragment.
fn check_request<O: Operation>(
    suite: &Suite,
    code: Code,
    len: usize,
    flips: Flips,
    operation: impl Fn() -> O,
) {
    let clear = Caps::HANDSHAKE_IN_THE_CLEAR;
    let configs = || [suite.config(RESPONDER | clear), suite.config(REQUESTER | clear)];
    let (mut requester, mut wire) = suite.connect_with(suite.keys(), configs());
    requester.run(operation(), &mut wire).unwrap();
    let inside = |bytes: &[u8]| bytes[1] == code.0 || bytes[1] == 0xFD && bytes[17] == code.0;
    let sent = messages(&wire).into_iter().find(|message| inside(message)).unwrap();
    assert_eq!(sent.len(), len, "{suite:?}");
    for flip in flips(len) {
        requester.run(Connect::new(), &mut wire).unwrap();
        wire.log.clear();
        let mut flipped = FlippedRequest { wire: &mut wire, code, flip, done: false };
        let result = requester.run(operation(), &mut flipped);
        assert!(flipped.done);
        let ignored = sent[1] == 0xFD && is_ignored(flip.0, flip.1);
        assert_eq!(result.is_ok(), ignored, "{suite:?}: {flip:x?}");
        assert_eq!(requester.sessions().count(), usize::from(ignored && code != Code::CHALLENGE));
        let open: Vec<_> = requester.sessions().collect();
        open.into_iter().for_each(|session| requester.forget_session(session));
    }
}

/// Checks CHALLENGE_AUTH, KEY_EXCHANGE_RSP and MEASUREMENTS.
fn check_responses(flips: Flips) {
    let challenge = || ChallengeResponder::new(PROVISIONED, 0);
    SUITES.iter().for_each(|suite| check_response(suite, flips, challenge));
    SUITES[..2].iter().for_each(|suite| check_response(suite, flips, || OpenSession::new(PROVISIONED)));
    check_response(&SUITES[0], flips, || Measure::all_signed(PROVISIONED));
}

/// Checks CHALLENGE, KEY_EXCHANGE and FINISH.
fn check_requests(flips: Flips) {
    let challenge = || ChallengeResponder::new(PROVISIONED, 0);
    check_request(&KEM_AUTH, Code::CHALLENGE, 36 + 768, flips, challenge);
    check_request(&SUITES[0], Code::CHALLENGE, 36, flips, challenge);
    let open = || OpenSession::new(PROVISIONED);
    // the opaque data lists four versions of secured messages
    let len = 16 + 40 + 800 + 2 + 24;
    check_request(&SUITES[1], Code::KEY_EXCHANGE, len + 768, flips, open);
    check_request(&SUITES[0], Code::KEY_EXCHANGE, len, flips, open);
    check_request(&SUITES[1], Code::FINISH, 16 + 4 + 4 + 48, flips, open);
    let signed = Suite { req_signature: "Falcon-512", ..PURE };
    check_request(&signed, Code::FINISH, 16 + 4 + 4 + 690 + 48, flips, open);
}

#[test]
fn rejects_flipped_bits_of_responses() {
    check_responses(some);
}

#[test]
fn rejects_flipped_bits_of_requests() {
    check_requests(some);
}

#[test]
#[ignore = "some seconds: every bit"]
fn rejects_every_flipped_bit_of_responses() {
    check_responses(all);
}

#[test]
#[ignore = "half a minute: every bit, and a handshake for each"]
fn rejects_every_flipped_bit_of_requests() {
    check_requests(all);
}
