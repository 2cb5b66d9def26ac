//! Sends every request in every state, malformed requests, and long random conversations. The responder must answer
//! with the right ERROR and must not panic.
//!
//! `validator/` has the numbered cases of DMTF's validator; this file has cases that the validator lacks.

use crate::common::{self, Wire, classical, config, credential};
use crate::random::Random;
use grille_spdm_codec::capabilities::{CapabilityFlags as Caps, ExtCapabilityFlags};
use grille_spdm_codec::code::CODES;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::{Code, Version};
use grille_spdm_engine::config::{MutualAuthentication, Packet};
use grille_spdm_engine::operation::Operation;
use grille_spdm_engine::operations::{
    ChallengeResponder, Connect, End, FetchCertificate, FetchDigests, Measure, OpenSession,
};
use grille_spdm_engine::requester::{Carrier, Requester};
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::session::SessionId;
use grille_spdm_engine::trust::Roots;

/// The progress of a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Start,
    Version,
    Capabilities,
    Negotiated,
    Handshake,
    Session,
}

/// Returns the states of a version; 1.0 has no sessions.
fn states(version: Version) -> &'static [State] {
    const STATES: [State; 6] = [
        State::Start,
        State::Version,
        State::Capabilities,
        State::Negotiated,
        State::Handshake,
        State::Session,
    ];
    if version == Version::V1_0 { &STATES[..4] } else { &STATES }
}

/// The capabilities that the requests need. Incompatible capabilities are left out: multi-key, and handshakes in the
/// clear.
const EVERY: Caps = Caps(
    common::ALL.0
        | Caps::MUT_AUTH.0
        | Caps::ENCAP.0
        | Caps::PSK_WITH_CONTEXT.0
        | Caps::EP_INFO_SIG.0
        | Caps::MEL.0
        | Caps::EVENT.0
        | Caps::CSR.0
        | Caps::SET_CERT.0
        | Caps::GET_KEY_PAIR_INFO.0
        | Caps::SET_KEY_PAIR_INFO.0,
);

struct Conversation {
    version: Version,
    requester: Requester,
    wire: Wire,
    session: Option<SessionId>,
}

impl Conversation {
    /// Creates a conversation in `state`.
    fn at(version: Version, state: State, credential: &common::Credential) -> Self {
        let mut ours = config(version, EVERY);
        ours.limits.ext_flags = ExtCapabilityFlags::SLOT_MGMT;
        ours.heartbeat = 10;
        if state == State::Handshake {
            ours.mutual = MutualAuthentication::Encapsulated;
        }
        let more = Caps::MUT_AUTH | Caps::ENCAP | Caps::PSK | Caps::EVENT;
        let theirs = config(version, common::REQUESTER | more);
        let judge = || Box::new(Roots::new(vec![credential.root.clone()]));
        let requester = Requester::new(theirs, credential.identity(), judge());
        let responder = Responder::new(ours, credential.identity(), Box::new(common::Sample));
        let wire = Wire::new(responder.with_chain_verifier(judge()));
        let mut conversation = Self { version, requester, wire, session: None };
        conversation.go_to(state);
        conversation
    }

    fn go_to(&mut self, state: State) {
        let (requester, wire) = (&mut self.requester, &mut self.wire);
        if matches!(state, State::Version | State::Capabilities) {
            let (mut active, mut packet) = requester.start(Connect::new()).unwrap();
            for _ in 0..if state == State::Version { 1 } else { 2 } {
                let answer = wire.exchange(packet).unwrap();
                let step = requester.receive(&mut active, answer).unwrap();
                let grille_spdm_engine::operation::Step::Send(next) = step else { panic!("{step:?}") };
                packet = next;
            }
            return;
        }
        if state != State::Start {
            requester.run(Connect::new(), wire).unwrap();
            requester.run(FetchCertificate::new(0), wire).unwrap();
        }
        if state == State::Session {
            self.session = Some(requester.run(OpenSession::new(0), wire).unwrap());
        }
        if state == State::Handshake {
            let (mut active, packet) = requester.start(OpenSession::new(0)).unwrap();
            let answer = wire.exchange(packet).unwrap();
            let step = requester.receive(&mut active, answer).unwrap();
            // GET_ENCAPSULATED_REQUEST, in the first record under the handshake keys
            let grille_spdm_engine::operation::Step::Send(Packet::Secured(record)) = step else {
                panic!("{step:?}")
            };
            let session = u32::from_le_bytes(*record.first_chunk().unwrap());
            let answer = wire.exchange(Packet::Secured(record)).unwrap();
            let Packet::Secured(record) = answer else { panic!("{answer:?}") };
            requester.open_message(session, &record).unwrap();
            self.session = Some(session);
        }
    }

    /// Sends a request, in the session if there is one, and returns the response.
    fn ask(&mut self, request: &[u8]) -> Vec<u8> {
        let Some(session) = self.session else { return self.wire.plain(request) };
        let packet = self.requester.seal_message(session, request).unwrap();
        match self.wire.exchange(packet).unwrap() {
            Packet::Secured(record) => self.requester.open_message(session, &record).unwrap(),
            Packet::Message(message) => panic!("in the clear: {message:02x?}"),
        }
    }

    fn error(&mut self, request: &[u8]) -> Option<ErrorCode> {
        let response = self.ask(request);
        (response[1] == 0x7F).then(|| ErrorCode(response[2]))
    }

    /// Sends a request in the negotiated version and returns its ErrorCode.
    fn refusal(&mut self, request: &[u8]) -> Option<ErrorCode> {
        self.error(&[&[self.version.byte()], request].concat())
    }
}

/// Returns the ErrorCode that the state requires, regardless of the request's fields; `None` if the request is allowed.
fn expected(version: Version, state: State, code: u8) -> Option<ErrorCode> {
    let [unexpected, unsupported] = [ErrorCode::UNEXPECTED_REQUEST, ErrorCode::UNSUPPORTED_REQUEST].map(Some);
    let late = matches!(state, State::Negotiated | State::Handshake | State::Session);
    let nothing_to_ask =
        if version >= Version::V1_3 { ErrorCode::NO_PENDING_REQUESTS } else { ErrorCode::UNEXPECTED_REQUEST };
    let only_if = |fine: bool| if fine { None } else { unexpected };
    match code {
        // GET_VERSION, which this test sends in versions other than 1.0
        0x84 => Some(ErrorCode::VERSION_MISMATCH),
        0xE1 => only_if(state == State::Version),
        0xE3 => only_if(state == State::Capabilities),
        // RESPOND_IF_READY before a version is negotiated
        0xFF if version > Version::V1_0 && !late && state != State::Capabilities => {
            Some(ErrorCode::VERSION_MISMATCH)
        }
        0xFF => unexpected,
        // CHUNK_SEND and CHUNK_GET
        0x85 | 0x86 if matches!(state, State::Start | State::Version) => unexpected,
        0x85 | 0x86 if version >= Version::V1_2 => Some(ErrorCode::INVALID_REQUEST),
        0x81..=0x83 | 0x87 | 0x88 | 0xE0 | 0xE2 | 0xE4..=0xF1 | 0xFC..=0xFE if !late => unexpected,
        0x87 | 0xE2 | 0xEF..=0xF1 | 0xFC | 0xFD if version < Version::V1_3 => unsupported,
        0xED | 0xEE if version < Version::V1_2 => unsupported,
        0xE4..=0xEC if version < Version::V1_1 => unsupported,
        0x88 if version < Version::V1_4 => unsupported,
        // These requests are allowed only outside sessions.
        0x83 | 0xE4 | 0xE6 => only_if(state == State::Negotiated),
        // SET_CERTIFICATE is allowed outside sessions only in a trusted environment
        0xEE => only_if(state == State::Session),
        // These requests are allowed anywhere except in a handshake.
        0x81 | 0x82 | 0x87 | 0x88 | 0xE0 | 0xED | 0xEF | 0xFC..=0xFE => {
            only_if(matches!(state, State::Negotiated | State::Session))
        }
        // encapsulated requests are outstanding only in the handshake
        0xEA if state != State::Handshake => Some(nothing_to_ask),
        0xEA | 0xEB => None,
        0xE2 | 0xE5 | 0xE7..=0xE9 | 0xEC | 0xF0 | 0xF1 => session_request_error(version, state, code),
        _ => unsupported,
    }
}

/// Returns the ErrorCode for session requests: FINISH, PSK_FINISH, HEARTBEAT, KEY_UPDATE, END_SESSION and event requests.
fn session_request_error(version: Version, state: State, code: u8) -> Option<ErrorCode> {
    match (state, code) {
        (State::Handshake, 0xE5 | 0xE7) => Some(ErrorCode::REQUEST_IN_FLIGHT),
        (State::Negotiated, _) => Some(common::session_required_error(version)),
        (State::Session, 0xE2 | 0xE8 | 0xE9 | 0xEC | 0xF0 | 0xF1) => None,
        _ => Some(ErrorCode::UNEXPECTED_REQUEST),
    }
}

/// Returns whether the four bytes that the test sends are a complete request that the responder answers and that may
/// change the state: GET_VERSION or GET_CAPABILITIES in SPDM 1.0, or END_SESSION.
fn may_change_state(version: Version, state: State, code: u8) -> bool {
    match code {
        0x84 => version == Version::V1_0,
        0xE1 => version == Version::V1_0 && matches!(state, State::Version | State::Capabilities),
        0xEC => state == State::Session,
        _ => false,
    }
}

#[test]
fn every_request_in_every_state_gets_its_error() {
    let credential = credential(classical("P256"));
    for version in Version::ALL {
        for &state in states(version) {
            let mut conversation = Conversation::at(version, state, &credential);
            for code in 0..=0xFF {
                if may_change_state(version, state, code) {
                    let mut conversation = Conversation::at(version, state, &credential);
                    assert_eq!(conversation.refusal(&[code, 0, 0]), None, "{version:?} {state:?} {code:02x}");
                    continue;
                }
                let error = conversation.refusal(&[code, 0, 0]);
                match expected(version, state, code) {
                    Some(expected) => {
                        assert_eq!(error, Some(expected), "{version:?} {state:?} {code:02x}");
                    }
                    // The request contains no encapsulated response.
                    None if code == 0xEB && state != State::Handshake => {
                        assert_eq!(error, Some(ErrorCode::INVALID_REQUEST), "{version:?} {state:?}");
                    }
                    None => {
                        let early = [ErrorCode::UNEXPECTED_REQUEST, ErrorCode::SESSION_REQUIRED].map(Some);
                        assert!(!early.contains(&error), "{version:?} {state:?} {code:02x}");
                    }
                }
            }
        }
    }
}

#[test]
fn every_request_in_another_version_gets_version_mismatch() {
    let credential = credential(classical("P256"));
    for version in Version::ALL {
        for &state in &states(version)[2..] {
            let mut conversation = Conversation::at(version, state, &credential);
            let requests = CODES.iter().filter_map(|row| row.request).map(|(code, _)| code);
            for code in requests.filter(|code| *code != Code::GET_VERSION) {
                let others = Version::ALL.map(Version::byte).into_iter().chain([0x00, 0x15, 0xFF]);
                for other in others.filter(|other| *other != version.byte()) {
                    let got = conversation.error(&[other, code.0, 1, 0]);
                    assert_eq!(
                        got,
                        Some(ErrorCode::VERSION_MISMATCH),
                        "{version:?} {state:?} {code} {other:02x}"
                    );
                }
            }
            // GET_VERSION always has version 1.0
            if version != Version::V1_0 {
                let refused = conversation.ask(&[version.byte(), 0x84, 0, 0]);
                let mismatch = [0x10, 0x7F, ErrorCode::VERSION_MISMATCH.0, 0];
                assert_eq!(refused, mismatch, "{version:?} {state:?}");
            }
        }
        let mut conversation = Conversation::at(version, State::Version, &credential);
        assert_eq!(conversation.error(&[0x15, 0xE1, 0, 0]), Some(ErrorCode::VERSION_MISMATCH));
    }
}

#[test]
fn negotiation_may_be_repeated_only_identically() {
    let credential = credential(classical("P256"));
    let mut conversation = Conversation::at(Version::V1_2, State::Version, &credential);
    let mut capabilities = vec![0x12, 0xE1, 0, 0, 0, 0, 0, 0];
    capabilities.extend_from_slice(&(common::REQUESTER.0).to_le_bytes());
    capabilities.extend_from_slice(&[0, 0x12, 0, 0, 0, 0, 4, 0]);
    let mut wrong = capabilities.clone();
    wrong[12..16].copy_from_slice(&[41, 0, 0, 0]);
    assert_eq!(conversation.ask(&wrong)[..3], [0x12, 0x7F, ErrorCode::INVALID_REQUEST.0]);
    wrong[12..16].copy_from_slice(&[1, 0, 4, 0]);
    assert_eq!(conversation.error(&wrong), Some(ErrorCode::INVALID_REQUEST));
    // These capabilities allow sessions, but no key exchange.
    let mut wrong = capabilities.clone();
    wrong[9] &= !2;
    assert_eq!(conversation.error(&wrong), Some(ErrorCode::INVALID_REQUEST));
    let first = conversation.ask(&capabilities);
    assert_eq!(first[1], 0x61);
    assert_eq!(conversation.ask(&capabilities), first);
    capabilities[5] += 1;
    assert_eq!(conversation.error(&capabilities), Some(ErrorCode::UNEXPECTED_REQUEST));
}

#[test]
fn refuses_fields_beyond_their_limits() {
    let credential = credential(classical("P256"));
    let invalid = Some(ErrorCode::INVALID_REQUEST);
    for version in Version::ALL {
        // RequesterContext
        let context: &[u8] = if version >= Version::V1_3 { &[0; 8] } else { &[] };
        let challenge = |slot, summary| [&[0x83, slot, summary][..], &[0; 32], context].concat();
        let mut conversation = Conversation::at(version, State::Negotiated, &credential);
        for slot in (1..16).chain([0xFF]) {
            let chain = conversation.refusal(&[0x82, slot, 0, 0, 0, 0xFF, 0xFF]);
            assert_eq!(chain, if slot & 0xF == 0 { None } else { invalid }, "{version:?} {slot}");
            assert_eq!(conversation.refusal(&challenge(slot, 0)), invalid, "{version:?} {slot}");
            let measure = [&[0xE0, 1, 0xFF][..], &[0; 32], &[slot], context].concat();
            // 1.0 has no SlotIDParam
            if version > Version::V1_0 {
                assert_eq!(conversation.refusal(&measure), invalid, "{version:?} {slot}");
            }
        }
        // reserved bits next to SlotID are ignored
        if version > Version::V1_0 {
            let measure = [&[0xE0, 1, 0xFF][..], &[0; 32], &[0x70], context].concat();
            assert_eq!(conversation.refusal(&measure), None, "{version:?}");
        }
        // an offset at the end of the chain
        assert_eq!(conversation.refusal(&[0x82, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]), invalid);
        for summary in [2, 0xFE] {
            assert_eq!(conversation.refusal(&challenge(0, summary)), invalid, "{version:?} {summary}");
        }
        // a missing measurement block
        let unsigned = [&[0xE0, 0, 0x55][..], context].concat();
        assert_eq!(conversation.refusal(&unsigned), invalid, "{version:?}");
        if version == Version::V1_0 {
            continue;
        }
        let mut conversation = Conversation::at(version, State::Session, &credential);
        for operation in [0, 3, 4] {
            assert_eq!(conversation.refusal(&[0xE9, operation, 1]), invalid, "{version:?} {operation}");
        }
        assert_eq!(conversation.refusal(&[0xE8, 0, 0]), None, "{version:?}");
    }
}

#[test]
fn unsupported_requests_end_no_transcript() {
    let credential = credential(classical("P256"));
    let (mut requester, mut wire) = common::pair(Version::V1_4, &credential);
    requester.run(Connect::new(), &mut wire).unwrap();
    let Some((Packet::Message(negotiate), Packet::Message(algorithms))) = wire.log.pop() else { panic!() };
    let unsupported = ErrorCode::UNSUPPORTED_REQUEST.0;
    for code in [0x87, 0x88, 0xE2, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xFC, 0xFD, 0xA0] {
        assert_eq!(wire.plain(&[0x14, code, 0, 0]), [0x14, 0x7F, unsupported, code]);
        assert_eq!(wire.plain(&negotiate), algorithms, "{code:02x}");
    }
}

fn run_every_request(conversation: &mut Conversation) {
    let (requester, wire) = (&mut conversation.requester, &mut conversation.wire);
    requester.run(Connect::new(), wire).unwrap();
    requester.run(FetchDigests, wire).unwrap();
    requester.run(FetchCertificate::new(0), wire).unwrap();
    requester.run(ChallengeResponder::new(0, 0xFF), wire).unwrap();
    requester.run(Measure::new(1), wire).unwrap();
    requester.run(Measure::all_signed(0), wire).unwrap();
    if conversation.version > Version::V1_0 {
        let session = requester.run(OpenSession::new(0), wire).unwrap();
        requester.run(End(session), wire).unwrap();
    }
}

#[test]
fn refused_requests_leave_transcripts_unchanged() {
    let credential = credential(classical("P256"));
    for version in Version::ALL {
        let mut conversation = Conversation::at(version, State::Negotiated, &credential);
        let byte = version.byte();
        let noise: [&[u8]; 7] = [
            &[],
            &[byte],
            &[byte, 0x83, 0],
            &[0x15, 0x81, 0, 0],
            &[byte, 0x00, 0, 0],
            &[byte, 0xE8, 0, 0],
            &[byte, 0xE5, 0, 0],
        ];
        let disturb = |conversation: &mut Conversation| {
            for noise in noise {
                assert!(conversation.error(noise).is_some(), "{noise:02x?}");
            }
        };
        disturb(&mut conversation);
        conversation.requester.run(FetchDigests, &mut conversation.wire).unwrap();
        disturb(&mut conversation);
        conversation.requester.run(FetchCertificate::new(0), &mut conversation.wire).unwrap();
        disturb(&mut conversation);
        conversation.requester.run(ChallengeResponder::new(0, 1), &mut conversation.wire).unwrap();
        conversation.requester.run(Measure::new(1), &mut conversation.wire).unwrap();
        disturb(&mut conversation);
        conversation.requester.run(Measure::all_signed(0), &mut conversation.wire).unwrap();
        if version > Version::V1_0 {
            conversation.session =
                Some(conversation.requester.run(OpenSession::new(0), &mut conversation.wire).unwrap());
        }
    }
}

/// Sends valid requests after truncating, altering, repeating and reordering them.
fn run_conversation(version: Version, turns: usize, seed: u64) {
    let credential = credential(classical("P256"));
    let mut conversation = Conversation::at(version, State::Start, &credential);
    run_every_request(&mut conversation);
    let legal: Vec<Packet> = conversation.wire.log.drain(..).map(|(request, _)| request).collect();
    let mut random = Random(seed);
    let mut next = |below| random.below(below);
    for _ in 0..turns {
        let mut packet = legal[next(legal.len())].clone();
        let (Packet::Message(bytes) | Packet::Secured(bytes)) = &mut packet;
        match next(4) {
            0 => bytes.truncate(next(bytes.len() + 1)),
            1 => (0..=next(3)).for_each(|_| {
                let at = next(bytes.len());
                bytes[at] = next(256) as u8;
            }),
            2 => bytes.resize(bytes.len() + next(8), 0),
            _ => {}
        }
        let response = match (conversation.wire.responder.receive(&packet), &packet) {
            (Packet::Message(response), _) => response,
            // a replayed KEY_EXCHANGE may open a session with this record's ID, so that DecryptError is sent under that
            // session's keys
            (Packet::Secured(answer), Packet::Secured(record)) => {
                assert!(answer.len() > 8 && answer[..4] == record[..4], "{answer:02x?}");
                continue;
            }
            (Packet::Secured(_), Packet::Message(_)) => panic!("a record for {packet:?}"),
        };
        assert!(response.len() >= 4 && response[1] & 0x80 == 0, "{response:02x?}");
        if response[1] == 0x7F {
            assert!(ErrorCode(response[2]).name().is_some());
        }
    }
    run_every_request(&mut conversation);
}

/// The requester must reject altered and truncated responses without a panic.
#[test]
fn survives_random_responses() {
    let credential = credential(classical("P256"));
    let mut random = Random(1);
    let mut next = |below| random.below(below);
    for turn in 0..300 {
        let version = Version::ALL[1 + turn / 2 % 4];
        let mut conversation = Conversation::at(version, State::Negotiated, &credential);
        let wire = &mut conversation.wire;
        let (mut active, mut packet) =
            conversation.requester.start(OpenSession::new(0).with_summary(1)).unwrap();
        loop {
            let mut answer = wire.responder.receive(&packet);
            let (Packet::Message(bytes) | Packet::Secured(bytes)) = &mut answer;
            if turn % 2 == 0 {
                bytes.truncate(next(bytes.len()));
            } else {
                let at = next(bytes.len());
                bytes[at] ^= 1 << next(8);
            }
            match conversation.requester.receive(&mut active, answer) {
                Ok(grille_spdm_engine::operation::Step::Send(again)) => packet = again,
                Ok(other) => panic!("{other:?}"),
                Err(_) => break,
            }
        }
        assert!(conversation.requester.sessions().next().is_none());
    }
}

/// Sends records with arbitrary contents in an open session.
#[test]
fn survives_random_requests_in_a_session() {
    let credential = credential(classical("P256"));
    let mut random = Random(7);
    let mut next = |below| random.below(below);
    for version in &Version::ALL[1..] {
        let mut conversation = Conversation::at(*version, State::Session, &credential);
        for _ in 0..2_000 {
            let mut request: Vec<u8> = (0..next(60)).map(|_| next(256) as u8).collect();
            if next(8) > 0 && request.len() > 1 {
                (request[0], request[1]) = (version.byte(), request[1] | 0x80);
            }
            // HEARTBEAT replaces END_SESSION, which would end the session, and KEY_UPDATE, after which the requester
            // would have to update its keys
            if matches!(request.get(1), Some(0xEC | 0xE9)) {
                request[1] = 0xE8;
            }
            let response = conversation.ask(&request);
            assert!(response.len() >= 4 && response[1] & 0x80 == 0);
        }
        assert_eq!(conversation.refusal(&[0xE8, 0, 0]), None);
        let session = conversation.session.unwrap();
        conversation.requester.run(Measure::all_signed(0).within(session), &mut conversation.wire).unwrap();
        conversation.requester.run(End(session), &mut conversation.wire).unwrap();
    }
}

#[test]
fn survives_a_million_random_messages() {
    let versions = Version::ALL.into_iter().cycle();
    (100..110).zip(versions).for_each(|(seed, version)| run_conversation(version, 100_000, seed));
}
