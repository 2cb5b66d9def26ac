//! Chunked messages, and signatures that need time.

use crate::common::{
    self, Credential, Wire, classical, config, credential, delayable, pair_with, post_quantum,
};
use grille_spdm_codec::Version;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_engine::config::{Binding, Config, MutualAuthentication, Packet};
use grille_spdm_engine::device::{Device, Measurement};
use grille_spdm_engine::error::{Error, Refusal, Usage};
use grille_spdm_engine::identity::{Identity, Slot};
use grille_spdm_engine::operation::Operation;
use grille_spdm_engine::operations::{
    AnswerMutualAuth, ChallengeResponder, Connect, End, FetchCertificate, FetchDigests, Measure, OpenSession,
    SendHeartbeat, VendorRequest,
};
use grille_spdm_engine::requester::Requester;
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::session::SessionId;
use grille_spdm_engine::signatures::Signer;
use grille_spdm_engine::trust::{DangerousAcceptAny, Roots};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

fn run_every_operation(requester: &mut Requester, wire: &mut Wire) {
    requester.run(Connect::new(), wire).unwrap();
    requester.run(FetchDigests, wire).unwrap();
    requester.run(FetchCertificate::new(0), wire).unwrap();
    requester.run(ChallengeResponder::new(0, 0xFF), wire).unwrap();
    requester.run(Measure::new(1), wire).unwrap();
    requester.run(Measure::all_signed(0).raw(), wire).unwrap();
    let session = requester.run(OpenSession::new(0), wire).unwrap();
    requester.run(Measure::all_signed(0).within(session), wire).unwrap();
    requester.run(SendHeartbeat(session), wire).unwrap();
    requester.run(End(session), wire).unwrap();
}

#[test]
fn chunks_every_message_at_any_size() {
    let device = credential(post_quantum("ML-DSA-87"));
    let (sealed, clear) = (Caps::NONE, Caps::HANDSHAKE_IN_THE_CLEAR);
    for (theirs, ours, handshake) in
        [(42, 42, sealed), (42, 42, clear), (43, 4096, clear), (1024, 100, sealed), (0x1200, 0x1200, sealed)]
    {
        let flags = [common::REQUESTER | handshake, common::ALL | handshake];
        let mut configs = flags.map(|flags| config(Version::V1_4, flags));
        configs[0].limits.data_transfer_size = theirs;
        configs[1].limits.data_transfer_size = ours;
        let [requester, responder] = configs;
        let (mut requester, mut wire) = pair_with(requester, responder, &device);
        run_every_operation(&mut requester, &mut wire);
        for (request, response) in &wire.log {
            if let (Packet::Message(request), Packet::Message(response)) = (request, response) {
                assert!(request.len() <= ours as usize || request[1] == 0xE3);
                assert!(response.len() <= theirs as usize || response[1] == 0x63, "{response:02x?}");
            }
        }
    }
}

#[test]
fn large_request_discards_pending_large_response() {
    let device = credential(classical("P256"));
    let mut configs = [config(Version::V1_2, common::REQUESTER), config(Version::V1_2, common::ALL)];
    configs[0].limits.data_transfer_size = 42;
    let [requester, responder] = configs;
    let (mut requester, mut wire) = pair_with(requester, responder, &device);
    requester.run(Connect::new(), &mut wire).unwrap();
    let large = wire.plain(&[0x12, 0x82, 0, 0, 0, 0, 0xFF, 0xFF]);
    assert_eq!(large[1..3], [0x7F, ErrorCode::LARGE_RESPONSE.0]);
    let get = [0x12, 0x86, 0, large[4], 0, 0];
    assert_eq!(wire.plain(&get)[1], 0x06);
    assert_eq!(wire.plain(&chunk(0, false, 60, 26)), [0x12, 0x05, 0, 1, 0, 0]);
    assert_eq!(wire.plain(&get), [0x12, 0x7F, ErrorCode::UNEXPECTED_REQUEST.0, 0]);
}

#[test]
fn negotiation_of_limits_is_never_chunked() {
    let device = credential(classical("P256"));
    let [requester, responder] = [common::REQUESTER, common::ALL].map(|flags| config(Version::V1_2, flags));
    let (mut requester, mut wire) = pair_with(requester, responder, &device);
    requester.run(Connect::new(), &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    for request in [[0x10, 0x84, 0, 0], [0x12, 0xE1, 0, 0], [0x12, 0x86, 0, 0], [0x12, 0x85, 0, 0]] {
        let mut first = chunk(0, false, 43, 26);
        first[16..20].copy_from_slice(&request);
        assert_eq!(wire.plain(&first), [0x12, 0x05, 0, 1, 0, 0]);
        let refused = wire.plain(&chunk(1, true, 43, 17));
        assert_eq!(refused, [0x12, 0x05, 1, 1, 1, 0, 0x12, 0x7F, ErrorCode::INVALID_REQUEST.0, 0]);
    }
    // the connection is unchanged
    requester.run(ChallengeResponder::new(0, 0), &mut wire).unwrap();
}

#[test]
fn refuses_oversized_request_at_its_first_chunk() {
    let device = credential(classical("P256"));
    let [requester, mut responder] =
        [common::REQUESTER, common::ALL].map(|flags| config(Version::V1_2, flags));
    responder.limits.max_message_size = 0x2000;
    let (mut requester, mut wire) = pair_with(requester, responder, &device);
    requester.run(Connect::new(), &mut wire).unwrap();
    let too_large = ErrorCode::REQUEST_TOO_LARGE.0;
    let refused = wire.plain(&chunk(0, false, 0x2001, 26));
    assert_eq!(refused, [0x12, 0x05, 1, 1, 0, 0, 0x12, 0x7F, too_large, 0]);
    assert_eq!(wire.plain(&chunk(0, false, 0x2000, 26)), [0x12, 0x05, 0, 1, 0, 0]);
}

/// Encodes a request of this length that the device echoes.
fn vendor(version: Version, len: usize) -> Vec<u8> {
    let [low, high] = u16::to_le_bytes((len - 9) as u16);
    [&[version.byte(), 0xFE, 0, 0, 3, 0, 0, low, high][..], &vec![5; len - 9]].concat()
}

#[test]
fn refuses_unchunked_requests_beyond_one_transfer() {
    let device = credential(classical("P256"));
    let without = |flags: Caps| Caps(flags.0 & !Caps::CHUNK.0);
    let (invalid, too_large) = (ErrorCode::INVALID_REQUEST, ErrorCode::REQUEST_TOO_LARGE);
    let beyond = |theirs, ours, binding| {
        let mut ours = Config { binding, ..config(Version::V1_2, ours) };
        (ours.limits.data_transfer_size, ours.limits.max_message_size) = (100, 200);
        let theirs = Config { binding, ..config(Version::V1_2, theirs) };
        let mut requester = Requester::new(theirs, Identity::default(), Box::new(DangerousAcceptAny));
        let mut wire = Wire::new(Responder::new(ours, device.identity(), Box::new(Echo)));
        requester.run(Connect::new(), &mut wire).unwrap();
        wire
    };
    let (all, chunkless) = (common::REQUESTER, without(common::REQUESTER));
    for (theirs, ours, longer) in [
        (all, common::ALL, invalid),
        (chunkless, common::ALL, too_large),
        (all, without(common::ALL), too_large),
    ] {
        let mut wire = beyond(theirs, ours, Binding::Mctp);
        assert_eq!(wire.plain(&vendor(Version::V1_2, 100))[1], 0x7E);
        for (len, error) in [(101, longer), (200, longer), (201, too_large)] {
            assert_eq!(wire.plain(&vendor(Version::V1_2, len)), [0x12, 0x7F, error.0, 0], "{len}");
        }
    }
    // A CHUNK_SEND request, too, must fit into one transfer of 100 bytes (DataTransferSize).
    let mut wire = beyond(all, common::ALL, Binding::Mctp);
    assert_eq!(wire.plain(&chunk(0, false, 150, 85)), [0x12, 0x7F, invalid.0, 0]);
    assert_eq!(wire.plain(&chunk(0, false, 150, 84)), [0x12, 0x05, 0, 1, 0, 0]);
    // PCI DOE may add up to three zeros.
    let mut wire = beyond(all, common::ALL, Binding::PciDoe);
    assert_eq!(wire.plain(&[&vendor(Version::V1_2, 99)[..], &[0; 3]].concat())[1], 0x7E);
    assert_eq!(wire.plain(&vendor(Version::V1_2, 104)), [0x12, 0x7F, invalid.0, 0]);
}

#[test]
fn limits_messages_since_1_2_and_counts_only_contents_of_records() {
    let device = credential(classical("P256"));
    for version in [Version::V1_1, Version::V1_2] {
        let [theirs, mut ours] = [common::REQUESTER, common::ALL].map(|flags| config(version, flags));
        ours.limits.data_transfer_size = 100;
        let mut requester = Requester::new(theirs, Identity::default(), Box::new(DangerousAcceptAny));
        let mut wire = Wire::new(Responder::new(ours, device.identity(), Box::new(Echo)));
        requester.run(Connect::new(), &mut wire).unwrap();
        let long = wire.plain(&vendor(version, 1000));
        assert_eq!(long[1], if version < Version::V1_2 { 0x7E } else { 0x7F });
        requester.run(FetchCertificate::new(0), &mut wire).unwrap();
        let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
        wire.log.clear();
        requester.run(vendor_request(&[], 91).within(session), &mut wire).unwrap();
        let [(Packet::Secured(record), _)] = &wire.log[..] else { panic!("{:?}", wire.log) };
        assert!(record.len() > 100);
    }
}

/// Encodes CHUNK_SEND with `len` bytes of a VENDOR_DEFINED_REQUEST of `size` bytes.
fn chunk(sequence: u8, last: bool, size: u16, len: usize) -> Vec<u8> {
    let header = [0x12, 0x85, u8::from(last), 1, sequence, 0, 0, 0, len as u8, 0, 0, 0];
    let [low, high] = size.to_le_bytes();
    let size: &[u8] = if sequence == 0 { &[low, high, 0, 0] } else { &[] };
    let data = [&[0x12, 0xFE][..], &[0; 98]].concat();
    [&header, size, &data[..len]].concat()
}

#[test]
fn refuses_unnecessary_and_undersized_chunks() {
    let device = credential(classical("P256"));
    let (mut requester, mut wire) = common::pair(Version::V1_2, &device);
    requester.run(Connect::new(), &mut wire).unwrap();
    let fine = [0x12, 0x05, 0, 1, 0, 0];
    let refused = |number| [0x12, 0x05, 1, 1, number, 0, 0x12, 0x7F, ErrorCode::INVALID_REQUEST.0, 0];
    assert_eq!(wire.plain(&chunk(0, false, 42, 26)), refused(0), "one transfer is enough");
    assert_eq!(wire.plain(&chunk(0, true, 43, 43)), refused(0), "the first is the last");
    assert_eq!(wire.plain(&chunk(0, false, 60, 25)), refused(0), "25");
    for (len, answer) in [(29, &refused(1)[..]), (30, &[0x12, 0x05, 0, 1, 1, 0])] {
        assert_eq!(wire.plain(&chunk(0, false, 60, 26)), fine);
        assert_eq!(wire.plain(&chunk(1, false, 60, len)), answer, "{len}");
    }
    // the last chunk may be short: 4 bytes
    assert_eq!(wire.plain(&chunk(2, true, 60, 4))[..6], [0x12, 0x05, 0, 1, 2, 0]);
}

#[test]
fn refuses_oversized_chain_with_its_length() {
    let device = credential(post_quantum("SLH-DSA-SHA2-256f"));
    let (mut requester, mut wire) = common::pair(Version::V1_4, &device);
    requester.run(Connect::new(), &mut wire).unwrap();
    let refused = wire.plain(&[0x14, 0x82, 0, 0, 0, 0, 0xFF, 0xFF]);
    let chain = requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    assert!(chain.len() > usize::from(u16::MAX));
    let len = u32::try_from(chain.len()).unwrap().to_le_bytes();
    assert_eq!(refused, [&[0x14, 0x7F, ErrorCode::DATA_TOO_LARGE.0, 0][..], &len].concat());
}

#[test]
fn reads_chains_in_portions_before_1_4() {
    let device = credential(classical("RSAPSS-4096"));
    for version in [Version::V1_2, Version::V1_3] {
        for size in [100, 400, 0x1200] {
            let mut configs = [config(version, common::REQUESTER), config(version, common::ALL)];
            configs.iter_mut().for_each(|config| config.limits.data_transfer_size = size);
            let [requester, responder] = configs;
            let (mut requester, mut wire) = pair_with(requester, responder, &device);
            run_every_operation(&mut requester, &mut wire);
        }
    }
}

#[test]
fn reads_chains_in_portions_without_chunks() {
    let device = credential(classical("P384"));
    let without = |flags: Caps| Caps(flags.0 & !Caps::CHUNK.0);
    let mut configs =
        [config(Version::V1_2, without(common::REQUESTER)), config(Version::V1_2, without(common::ALL))];
    configs.iter_mut().for_each(|config| config.limits.data_transfer_size = 150);
    let [requester, responder] = configs;
    let (mut requester, mut wire) = pair_with(requester, responder, &device);
    requester.run(Connect::new(), &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    let refused = requester.run(ChallengeResponder::new(0, 0xFF), &mut wire);
    let too_large = ErrorCode::RESPONSE_TOO_LARGE;
    assert!(matches!(refused, Err(Error::Refused { code, .. }) if code == too_large), "{refused:?}");
    let refused = requester.run(OpenSession::new(0), &mut wire);
    assert!(matches!(refused, Err(Error::TooLong { .. })), "{refused:?}");
}

/// A device that echoes vendor messages with their vendor ID.
struct Echo;

impl Device for Echo {
    fn measurements(&mut self, _pending: bool) -> Result<Vec<Measurement>, Refusal> {
        Ok(common::measurements())
    }

    fn vendor(&mut self, _: Option<SessionId>, _: u16, id: &[u8], data: &[u8]) -> Result<Vec<u8>, Refusal> {
        Ok([id, data].concat())
    }
}

/// Opens a session in which both sides accept 256 KiB in one transfer.
fn large_session(binding: Binding, without: Caps) -> (Requester, Wire, SessionId) {
    let device = credential(classical("P256"));
    let [theirs, ours] = [common::REQUESTER, common::ALL].map(|flags| {
        let mut config = config(Version::V1_3, Caps(flags.0 & !without.0));
        (config.limits.data_transfer_size, config.limits.max_message_size) = (0x4_0000, 0x4_0000);
        Config { binding, ..config }
    });
    let mut requester = Requester::new(theirs, Identity::default(), Box::new(DangerousAcceptAny));
    let mut wire = Wire::new(Responder::new(ours, device.identity(), Box::new(Echo)));
    requester.run(Connect::new(), &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
    wire.log.clear();
    (requester, wire, session)
}

fn vendor_request(vendor_id: &[u8], len: usize) -> VendorRequest {
    VendorRequest { standard_id: 3, vendor_id: vendor_id.to_vec(), data: vec![5; len] }
}

#[test]
fn chunks_messages_longer_than_a_record() {
    for binding in [Binding::Mctp, Binding::PciDoe, Binding::Tcp] {
        let (mut requester, mut wire, session) = large_session(binding, Caps::NONE);
        assert_eq!(
            requester.run(vendor_request(&[], 65_530).within(session), &mut wire).unwrap(),
            [5; 65_530]
        );
        // Request and response need two chunks each. The response starts with ERROR LargeResponse.
        assert_eq!(wire.log.len(), 4, "{binding:?}");
        requester.run(SendHeartbeat(session), &mut wire).unwrap();
        assert_eq!(requester.run(vendor_request(&[], 65_530), &mut wire).unwrap().len(), 65_530);
        assert_eq!(wire.log.len(), if binding == Binding::Tcp { 9 } else { 6 }, "{binding:?}");
        for packet in wire.log.iter().flat_map(|(request, response)| [request, response]) {
            let (Packet::Message(bytes) | Packet::Secured(bytes)) = packet;
            assert!(bytes.len() <= binding.longest_payload(), "{binding:?}");
        }
    }
}

#[test]
fn refuses_messages_longer_than_a_record_without_chunks() {
    let (mut requester, mut wire, session) = large_session(Binding::Mctp, Caps::CHUNK);
    // the maximum of Length, minus tag, ApplicationDataLength, padding and MCTP's message type
    let room = 0xFFFF - 16 - 2 - 32 - 1;
    let header = 4 + 2 + 1 + 2;
    let id = [9; 2];
    let refused = requester.run(vendor_request(&[], room - header + 1).within(session), &mut wire);
    assert!(matches!(refused, Err(Error::TooLong { len, max, .. }) if (len, max) == (room + 1, room)));
    let refused = requester.run(vendor_request(&id, room - header - id.len()).within(session), &mut wire);
    let too_large = ErrorCode::RESPONSE_TOO_LARGE;
    assert!(matches!(refused, Err(Error::Refused { code, .. }) if code == too_large), "{refused:?}");
    let fits = requester.run(vendor_request(&id, room - header - 2 * id.len()).within(session), &mut wire);
    assert_eq!(fits.unwrap().len(), room - header - id.len());
    requester.run(SendHeartbeat(session), &mut wire).unwrap();
}

/// Returns a signer that needs more time this many times before it signs.
fn slow_key(key: &Arc<dyn Signer>, turns: u8) -> Arc<dyn Signer> {
    let left = AtomicU8::new(turns);
    delayable(key, move || {
        let now = left.load(Ordering::Relaxed);
        left.store(now.checked_sub(1).unwrap_or(turns), Ordering::Relaxed);
        Ok(now == 0)
    })
}

fn slow_responder(turns: u8) -> (Requester, Wire) {
    let device = credential(classical("P256"));
    let signer = slow_key(&device.signer, turns);
    let identity = Identity::default().with(Slot::new(0, device.chain.clone(), signer));
    let judge = Box::new(Roots::new(vec![device.root]));
    let requester = Requester::new(config(Version::V1_2, common::REQUESTER), Identity::default(), judge);
    let responder = Responder::new(config(Version::V1_2, common::ALL), identity, Box::new(common::Sample));
    (requester, Wire::new(responder))
}

#[test]
fn fetches_slow_signatures_later() {
    let (mut requester, mut wire) = slow_responder(3);
    run_every_operation(&mut requester, &mut wire);
    let later = wire.log.iter().filter(|(request, _)| matches!(request, Packet::Message(m) if m[1] == 0xFF));
    // three retries each for CHALLENGE, GET_MEASUREMENTS and KEY_EXCHANGE outside the session
    assert_eq!(later.count(), 9);
}

/// Connects a requester whose signer needs this number of retries, and whose patience allows five, to a responder that requests
/// mutual authentication as configured in `ours`.
fn slow_requester(turns: u8, ours: Config) -> (Requester, Wire) {
    let [device, host] = [(); 2].map(|()| credential(classical("P256")));
    let mutual = Caps::MUT_AUTH | Caps::ENCAP;
    let signer = slow_key(&host.signer, turns);
    let identity = Identity::default().with(Slot::new(0, host.chain.clone(), signer));
    let patience = std::time::Duration::from_millis(600);
    let theirs = Config { patience, ..config(Version::V1_2, common::REQUESTER | mutual) };
    let judge = |credential: &Credential| Box::new(Roots::new(vec![credential.root.clone()]));
    let limits = config(Version::V1_2, common::ALL | mutual).limits;
    let ours = Config { versions: vec![Version::V1_2], limits, ..ours };
    let mut requester = Requester::new(theirs, identity, judge(&device));
    let responder = Responder::new(ours, device.identity(), Box::new(common::Sample));
    let mut wire = Wire::new(responder.with_chain_verifier(judge(&host)));
    requester.run(Connect::new(), &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    (requester, wire)
}

#[test]
fn slow_requester_signer_keeps_the_session() {
    for (turns, opens) in [(5, true), (50, false)] {
        let ours = Config { mutual: MutualAuthentication::Encapsulated, ..Config::default() };
        let (mut requester, mut wire) = slow_requester(turns, ours);
        match requester.run(OpenSession::new(0), &mut wire) {
            Ok(session) => {
                assert!(opens && wire.responder.sessions().eq([session]));
                assert_eq!(requester.authenticated_with(session), Some(0));
            }
            Err(Error::Usage(Usage::KeyNotReady { .. })) => {
                assert!(!opens && requester.sessions().next().is_none());
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn slow_requester_signer_authenticates_after_challenge() {
    for (turns, proves) in [(5, true), (50, false)] {
        let ours = Config { basic_mutual: true, ..Config::default() };
        let (mut requester, mut wire) = slow_requester(turns, ours);
        assert!(requester.run(ChallengeResponder::new(0, 0), &mut wire).unwrap().mutual);
        match requester.run(AnswerMutualAuth::new(), &mut wire) {
            Ok(_) => assert!(proves),
            Err(Error::Usage(Usage::KeyNotReady { .. })) => assert!(!proves),
            other => panic!("{other:?}"),
        }
        assert_eq!(wire.responder.is_requester_authenticated(), proves);
        // A new connection succeeds, so no answer still waits for a signature.
        requester.run(Connect::new(), &mut wire).unwrap();
    }
}

#[test]
fn gives_up_when_patience_is_exhausted() {
    let mut config = config(Version::V1_2, common::REQUESTER);
    config.patience = std::time::Duration::from_millis(100);
    let (_, mut wire) = slow_responder(255);
    let judge = Box::new(DangerousAcceptAny);
    let mut requester = Requester::new(config, Identity::default(), judge);
    requester.run(Connect::new(), &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    let given_up = requester.run(ChallengeResponder::new(0, 0), &mut wire);
    assert!(matches!(given_up, Err(Error::NotReady { .. })), "{given_up:?}");
}

#[test]
fn respond_if_ready_needs_the_matching_request() {
    let (mut requester, mut wire) = slow_responder(1);
    requester.run(Connect::new(), &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    let error = |response: &[u8]| ErrorCode(if response[1] == 0x7F { response[2] } else { 0 });
    // no response is deferred
    assert_eq!(error(&wire.plain(&[0x12, 0xFF, 0x83, 0])), ErrorCode::UNEXPECTED_REQUEST);
    let (_, challenge) = requester.start(ChallengeResponder::new(0, 0)).unwrap();
    let Packet::Message(not_ready) = wire.responder.receive(&challenge) else { panic!() };
    assert_eq!(error(&not_ready), ErrorCode::RESPONSE_NOT_READY);
    let token = not_ready[6];
    for (version, code, token, expected) in [
        (0x11, 0x83, token, ErrorCode::VERSION_MISMATCH),
        (0x12, 0xE0, token, ErrorCode::INVALID_REQUEST),
        (0x12, 0x83, token ^ 1, ErrorCode::INVALID_REQUEST),
        (0x12, 0x83, token, ErrorCode(0)),
        (0x12, 0x83, token, ErrorCode::UNEXPECTED_REQUEST),
    ] {
        assert_eq!(error(&wire.plain(&[version, 0xFF, code, token])), expected, "{code:x} {token}");
    }
    // another request replaces the deferred one
    wire.responder.receive(&challenge);
    let Packet::Message(not_ready) = wire.responder.receive(&challenge) else { panic!() };
    wire.plain(&[0x12, 0x81, 0, 0]);
    assert_eq!(error(&wire.plain(&[0x12, 0xFF, 0x83, not_ready[6]])), ErrorCode::UNEXPECTED_REQUEST);
}

/// L1/L2 restarts whether the signer fails at once or after a delay, so the next signature does not cover earlier
/// measurements.
#[test]
fn late_refusal_ends_the_measurement_transcript() {
    let device = credential(classical("P256"));
    for session in [false, true] {
        // the signer needs more time once, and then fails
        let asked = Arc::new(AtomicU8::new(2));
        let turn = asked.clone();
        let signer = delayable(&device.signer, move || match turn.fetch_add(1, Ordering::Relaxed) {
            0 => Ok(false),
            1 => Err(grille_core::Error::InvalidSignature),
            _ => Ok(true),
        });
        let identity = Identity::default().with(Slot::new(0, device.chain.clone(), signer));
        let judge = Box::new(Roots::new(vec![device.root.clone()]));
        let config = |flags| config(Version::V1_2, flags);
        let mut requester = Requester::new(config(common::REQUESTER), Identity::default(), judge);
        let responder = Responder::new(config(common::ALL), identity, Box::new(common::Sample));
        let mut wire = Wire::new(responder);
        requester.run(Connect::new(), &mut wire).unwrap();
        requester.run(FetchCertificate::new(0), &mut wire).unwrap();
        let place = session.then(|| requester.run(OpenSession::new(0), &mut wire).unwrap());
        let mut measure = |measure: Measure| match place {
            Some(session) => requester.run(measure.within(session), &mut wire),
            None => requester.run(measure, &mut wire),
        };
        for _ in 0..2 {
            measure(Measure::new(1)).unwrap();
            asked.store(0, Ordering::Relaxed);
            let refused = measure(Measure::all_signed(0));
            assert!(matches!(refused, Err(Error::Refused { .. })), "{refused:?}");
            assert_eq!(asked.load(Ordering::Relaxed), 2, "the signer was called twice");
            // the next signature covers only later measurements
            measure(Measure::new(2)).unwrap();
            assert_eq!(measure(Measure::all_signed(0)).unwrap().blocks.len(), 3);
        }
    }
}
