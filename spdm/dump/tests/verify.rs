//! Tests that every signature, chain and MAC of a conversation verifies, and none does with a flipped bit.

use grille_core::SystemRng;
use grille_pki::issue::{Profile, Template, issue, self_signed};
use grille_pki::{Certificate, PrivateKey};
use grille_registry::signature_by_name;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::{Code, Version};
use grille_spdm_dump::secrets::Secrets;
use grille_spdm_dump::verify::{Check, Outcome, Subject};
use grille_spdm_dump::{Dump, Entry, Side};
use grille_spdm_engine::algorithms::Asym;
use grille_spdm_engine::config::{Config, KeyLog, MutualAuthentication, Packet};
use grille_spdm_engine::device::{Device, MeasuredValue, Measurement};
use grille_spdm_engine::error::{Error, Refusal};
use grille_spdm_engine::identity::{Identity, Slot};
use grille_spdm_engine::operation::Operation;
use grille_spdm_engine::operations::{
    AnswerMutualAuth, ChallengeResponder, Connect, End, FetchCertificate, FetchDigests, FetchEndpointInfo,
    Measure, OpenSession,
};
use grille_spdm_engine::requester::{Carrier, Requester};
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::signatures::LocalSigner;
use grille_spdm_engine::trust::Roots;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A chain of two certificates, and its key.
struct Credential {
    chain: Vec<Certificate>,
    signer: Arc<LocalSigner>,
}

impl Credential {
    fn new(asym: Asym) -> Self {
        let name = match asym {
            Asym::Hybrid(row) => row.key,
            _ => asym.name(),
        };
        let (row, rng) = (signature_by_name(name).unwrap(), &mut SystemRng);
        let [ca, key] = [(); 2].map(|()| PrivateKey::generate(row, &mut SystemRng).unwrap());
        let root = self_signed(&Template::new("CN=root", Profile::Root).unwrap(), &ca, rng).unwrap();
        let template = Template::new("CN=end", Profile::end_entity(&["end.example"]).unwrap()).unwrap();
        let leaf = issue(&template, key.public_key(), &root, &ca, rng).unwrap();
        Self { chain: vec![root, leaf], signer: Arc::new(LocalSigner::new(asym, key).unwrap()) }
    }

    fn identity(&self) -> Identity {
        Identity::default().with(Slot::new(0, self.chain.clone(), self.signer.clone()))
    }

    fn chain_verifier(&self) -> Box<Roots> {
        Box::new(Roots::new(vec![self.chain[0].clone()]))
    }
}

struct TestDevice;

impl Device for TestDevice {
    fn measurements(&mut self, _pending: bool) -> Result<Vec<Measurement>, Refusal> {
        let value = MeasuredValue::Raw(vec![7; 8]);
        Ok(vec![Measurement { index: 1, kind: 7, value, tcb: true }])
    }

    fn endpoint_info(&mut self, _sub_code: u8) -> Result<Vec<u8>, Refusal> {
        Ok(vec![0; 4])
    }
}

/// Carries packets to a responder, and records them.
struct Wire {
    responder: Responder,
    packets: Vec<Packet>,
}

impl Carrier for Wire {
    type Error = Error;

    fn exchange(&mut self, packet: Packet) -> Result<Packet, Error> {
        let answer = self.responder.receive(&packet);
        self.packets.extend([packet, answer.clone()]);
        Ok(answer)
    }

    fn wait(&mut self, _time: Duration) {}
}

/// Recorded packets, and their key log.
struct Recording {
    packets: Vec<Packet>,
    log: String,
}

/// Runs a conversation with every kind of signature, chain and MAC. The handshake is in the clear if `clear` is set,
/// otherwise in records.
fn record(version: Version, asym: Asym, clear: bool, more: Caps) -> Recording {
    let [device, host] = [(); 2].map(|()| Credential::new(asym));
    let log = Arc::new(Mutex::new(String::new()));
    let shared_log = log.clone();
    let key_log = KeyLog(Arc::new(move |session, name, secret| {
        let mut log = shared_log.lock().unwrap();
        if name == "request_handshake_secret" {
            writeln!(log, "session {session:#010x}").unwrap();
        }
        let digits: String = secret.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
        writeln!(log, "{name} {digits}").unwrap();
    }));
    let late = if version >= Version::V1_3 { Caps::EP_INFO_SIG } else { Caps::NONE };
    let session = Caps::KEY_EX | Caps::ENCRYPT | Caps::MAC | Caps::MUT_AUTH | Caps::ENCAP;
    let session = if version > Version::V1_0 { session } else { Caps::NONE };
    let clear = if clear && version > Version::V1_0 { Caps::HANDSHAKE_IN_THE_CLEAR } else { Caps::NONE };
    let both = Caps::CERT | Caps::CHAL | Caps::CHUNK | session | clear | late | more;
    let config = |flags| {
        let mut config = Config { versions: vec![version], ..Config::with(flags) };
        config.algorithms.asym &= if matches!(asym, Asym::Classical(_)) { 1 << 7 } else { 0 };
        if matches!(asym, Asym::Hybrid(_)) {
            config.algorithms = config.algorithms.with_hybrids();
        }
        // Large enough that no message is chunked.
        config.limits.data_transfer_size = 0x4_0000;
        config
    };
    let mut ours = Config { basic_mutual: session != Caps::NONE, ..config(both | Caps::MEAS_SIG) };
    let several = more.intersects(Caps::MULTI_KEY_CONN_SEL);
    ours.limits.flags = ours.limits.flags | if several { Caps::GET_KEY_PAIR_INFO } else { Caps::NONE };
    ours.mutual = MutualAuthentication::Encapsulated;
    let theirs = Config { key_log: Some(key_log), ..config(both) };
    let mut requester = Requester::new(theirs, host.identity(), device.chain_verifier());
    let responder = Responder::new(ours, device.identity(), Box::new(TestDevice))
        .with_chain_verifier(host.chain_verifier());
    let mut wire = Wire { responder, packets: Vec::new() };
    run_conversation(&mut requester, &mut wire, version);
    let log = log.lock().unwrap().clone();
    Recording { packets: wire.packets, log }
}

fn run_conversation(requester: &mut Requester, wire: &mut Wire, version: Version) {
    requester.run(Connect::new(), wire).unwrap();
    requester.run(FetchDigests, wire).unwrap();
    requester.run(FetchCertificate::new(0), wire).unwrap();
    if requester.run(ChallengeResponder::new(0, 0xFF), wire).unwrap().mutual {
        requester.run(AnswerMutualAuth::new(), wire).unwrap();
    }
    // The transcript L1/L2 covers these two requests.
    requester.run(Measure::new(0), wire).unwrap();
    requester.run(Measure::all_signed(0), wire).unwrap();
    if version >= Version::V1_3 {
        requester.run(FetchEndpointInfo { sub_code: 1, signed: Some(0) }, wire).unwrap();
    }
    if version > Version::V1_0 {
        let session = requester.run(OpenSession::new(0), wire).unwrap();
        requester.run(Measure::new(1).within(session), wire).unwrap();
        requester.run(Measure::all_signed(0).within(session), wire).unwrap();
        requester.run(End(session), wire).unwrap();
    }
}

/// Writes an MCTP capture.
fn capture(packets: &[Packet]) -> Vec<u8> {
    let header = [0xA1B2_C3D4, 0x0004_0002, 0, 0, 0x10_0004, 291].map(u32::to_le_bytes).concat();
    let records = packets.iter().map(|packet| {
        let (kind, message): (u8, &[u8]) = match packet {
            Packet::Message(message) => (5, message),
            Packet::Secured(record) => (6, record),
        };
        let len = (5 + message.len() as u32).to_le_bytes();
        [&[0; 8][..], &len, &len, &[0, 0, 0, 0xC0, kind], message].concat()
    });
    [header, records.collect::<Vec<_>>().concat()].concat()
}

fn with_verification(packets: &[Packet], log: &str) -> Vec<Entry> {
    let capture = capture(packets);
    Dump::new(&capture, Secrets::parse(log)).unwrap().with_verification([None, None]).collect()
}

/// Returns the checks with this result, each with its packet number.
fn checks(entries: &[Entry], which: fn(&Outcome) -> bool) -> Vec<(usize, Check)> {
    let all = entries.iter().flat_map(|entry| entry.checks.iter().map(|check| (entry.packet, check.clone())));
    all.filter(|(_, check)| which(&check.outcome)).collect()
}

const fn is_wrong(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Wrong(_))
}

const fn is_right(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Right)
}

fn p384() -> Asym {
    Asym::by_name("ECDSA-P384").unwrap()
}

fn ml_dsa_87() -> Asym {
    Asym::by_name("ML-DSA-87").unwrap()
}

fn hybrid() -> Asym {
    Asym::by_name("ECDSA-P384 + ML-DSA-65").unwrap()
}

/// Returns each version with ECDSA P-384, and also SPDM 1.4 with ML-DSA-87 and with a hybrid.
fn cases() -> impl Iterator<Item = (Version, Asym)> {
    let later = [ml_dsa_87(), hybrid()].map(|asym| (Version::V1_4, asym));
    Version::ALL.into_iter().map(|version| (version, p384())).chain(later)
}

#[test]
fn unaltered_conversation_verifies() {
    for (version, asym) in cases() {
        for clear in [false, true] {
            for more in [Caps::NONE, Caps::MULTI_KEY_CONN_SEL] {
                let several = more != Caps::NONE;
                if several && version < Version::V1_3 {
                    continue;
                }
                let Recording { packets, log } = record(version, asym, clear, more);
                let entries = with_verification(&packets, &log);
                let right = checks(&entries, is_right);
                let rest = checks(&entries, |outcome| !is_right(outcome));
                assert_eq!(rest, [], "{version:?} {} {clear} {several}", asym.name());
                let count = |subject, prover| {
                    right
                        .iter()
                        .filter(|(_, check)| (check.subject, check.prover) == (subject, prover))
                        .count()
                };
                let (sessions, late) = (version > Version::V1_0, version >= Version::V1_3);
                // The responder signs CHALLENGE_AUTH and MEASUREMENTS; for the session, KEY_EXCHANGE_RSP and
                // MEASUREMENTS; and ENDPOINT_INFO.
                let signed = 2 + 2 * usize::from(sessions) + usize::from(late);
                assert_eq!(count(Subject::Signature, Side::Responder), signed, "{version:?}");
                // The requester signs CHALLENGE_AUTH and FINISH.
                assert_eq!(count(Subject::Signature, Side::Requester), 2 * usize::from(sessions));
                assert_eq!(count(Subject::Chain, Side::Responder), 1);
                assert!(count(Subject::Chain, Side::Requester) >= usize::from(sessions));
                // The responder sends its MAC in KEY_EXCHANGE_RSP or, if the handshake is in the clear, in FINISH_RSP.
                // The requester sends its MAC in FINISH.
                assert_eq!(count(Subject::Mac, Side::Responder), usize::from(sessions));
                assert_eq!(count(Subject::Mac, Side::Requester), usize::from(sessions));
                let named = |(_, check): &(usize, Check)| {
                    check.subject != Subject::Signature
                        || check.algorithm == asym.name() && check.slot == Some(0)
                };
                assert!(right.iter().all(named), "{right:?}");
            }
        }
    }
}

/// Returns the position of the first message with this code. With `inside`, the message must also contain an
/// encapsulated message with the code `inside`.
fn find(packets: &[Packet], code: Code, inside: Option<Code>) -> usize {
    let is_match = |packet: &Packet| match packet {
        Packet::Message(message) => {
            message[1] == code.0 && inside.is_none_or(|inside| message.get(5) == Some(&inside.0))
        }
        Packet::Secured(_) => false,
    };
    packets.iter().position(is_match).unwrap_or_else(|| panic!("no {code}"))
}

/// The byte with the flipped bit, counted from the start or from the end of a message.
#[derive(Clone, Copy)]
enum At {
    Begin(usize),
    End(usize),
}

fn flip_bit(packets: &[Packet], place: usize, at: At) -> Vec<Packet> {
    let mut packets = packets.to_vec();
    let Packet::Message(message) = &mut packets[place] else { panic!("in a record") };
    let at = match at {
        At::Begin(at) => at,
        At::End(at) => message.len() - 1 - at,
    };
    message[at] ^= 1;
    packets
}

#[test]
fn detects_flipped_bit_in_every_proof() {
    const CHAIN: Subject = Subject::Chain;
    const SIGNATURE: Subject = Subject::Signature;
    const MAC: Subject = Subject::Mac;
    for (version, asym) in cases() {
        let Recording { packets, log } = record(version, asym, true, Caps::NONE);
        let hash = 64;
        let (responder, requester) = (Side::Responder, Side::Requester);
        let mut places = vec![
            // A flipped bit in DIGESTS or in a certificate is reported for CERTIFICATE.
            (Code::DIGESTS, None, At::Begin(4), Code::CERTIFICATE, CHAIN, responder),
            (Code::CERTIFICATE, None, At::End(100), Code::CERTIFICATE, CHAIN, responder),
            (Code::CHALLENGE_AUTH, None, At::End(0), Code::CHALLENGE_AUTH, SIGNATURE, responder),
            // Signed fields that precede the signature: a nonce, and the hash of the chain.
            (Code::CHALLENGE, None, At::Begin(10), Code::CHALLENGE_AUTH, SIGNATURE, responder),
            (Code::CHALLENGE_AUTH, None, At::Begin(4), Code::CHALLENGE_AUTH, CHAIN, responder),
        ];
        if version > Version::V1_0 {
            let (deliver, auth) = (Code::DELIVER_ENCAPSULATED_RESPONSE, Code::CHALLENGE_AUTH);
            places.extend([
                (deliver, Some(auth), At::End(0), deliver, SIGNATURE, requester),
                (Code::KEY_EXCHANGE_RSP, None, At::End(0), Code::KEY_EXCHANGE_RSP, SIGNATURE, responder),
                (Code::KEY_EXCHANGE, None, At::Begin(20), Code::KEY_EXCHANGE_RSP, SIGNATURE, responder),
                (Code::FINISH, None, At::End(hash), Code::FINISH, SIGNATURE, requester),
                (Code::FINISH, None, At::End(0), Code::FINISH, MAC, requester),
                (Code::FINISH_RSP, None, At::End(0), Code::FINISH_RSP, MAC, responder),
            ]);
        }
        if version >= Version::V1_3 {
            let info = Code::ENDPOINT_INFO;
            places.push((info, None, At::End(0), info, SIGNATURE, responder));
        }
        for (code, inside, at, reported_in, subject, prover) in places {
            let altered = flip_bit(&packets, find(&packets, code, inside), at);
            let wrong = checks(&with_verification(&altered, &log), is_wrong);
            let first = wrong.first().unwrap_or_else(|| panic!("{version:?} {}: {code} passes", asym.name()));
            let expected = 1 + find(&packets, reported_in, inside);
            assert_eq!(
                (first.0, first.1.subject, first.1.prover),
                (expected, subject, prover),
                "{version:?} {}: {code}",
                asym.name()
            );
        }
        // Take the second MEASUREMENTS, because the first is unsigned.
        let measured = 1 + find(&packets, Code::MEASUREMENTS, None);
        let signed = measured + find(&packets[measured..], Code::MEASUREMENTS, None);
        for (place, at) in [(signed, At::End(0)), (measured - 1, At::Begin(8))] {
            let altered = flip_bit(&packets, place, at);
            let wrong = checks(&with_verification(&altered, &log), is_wrong);
            let failed: Vec<_> = wrong.iter().map(|(packet, check)| (*packet, check.subject)).collect();
            assert_eq!(failed, [(1 + signed, SIGNATURE)], "{version:?} {}", asym.name());
        }
    }
}

#[test]
fn impossible_checks_are_not_failures() {
    let Recording { packets, log } = record(Version::V1_2, p384(), true, Caps::NONE);
    let without = |codes: &[Code]| -> Vec<Packet> {
        let is_match =
            |packet: &&Packet| !matches!(packet, Packet::Message(m) if codes.contains(&Code(m[1])));
        packets.iter().filter(is_match).cloned().collect()
    };
    for (left_out, log, reason) in [
        (
            &[Code::GET_CERTIFICATE, Code::CERTIFICATE][..],
            &log[..],
            "the capture lacks the certificate chain",
        ),
        (&[Code::GET_DIGESTS, Code::DIGESTS], &log, "the capture lacks DIGESTS of this slot"),
        (&[], "", "the key log lacks the handshake secrets of this session"),
        (&[Code::ALGORITHMS], &log, "the capture lacks the negotiation"),
    ] {
        let entries = with_verification(&without(left_out), log);
        let open = checks(&entries, |outcome| matches!(outcome, Outcome::Unchecked(_)));
        let is_reported = open.iter().any(|(_, check)| check.outcome == Outcome::Unchecked(reason));
        assert!(is_reported, "{reason}: {open:?}");
    }
}

#[test]
fn captures_of_dmtf_emulators_verify() {
    macro_rules! vector {
        ($name:literal) => {
            (
                &include_bytes!(concat!("../../../vectors/spdm/", $name, ".pcap"))[..],
                include_str!(concat!("../../../vectors/spdm/", $name, ".secrets")),
            )
        };
    }
    for (capture, log) in [vector!("1.1-mutual-psk"), vector!("1.2-classical"), vector!("1.4-post-quantum")] {
        let dump = Dump::new(capture, Secrets::parse(log)).unwrap().with_verification([None, None]);
        let entries: Vec<Entry> = dump.collect();
        assert_eq!(checks(&entries, is_wrong), []);
        let right = checks(&entries, is_right);
        let signed =
            |side| right.iter().any(|(_, check)| check.subject == Subject::Signature && check.prover == side);
        assert!(signed(Side::Responder), "{right:?}");
        assert!(right.iter().any(|(_, check)| check.subject == Subject::Mac), "{right:?}");
        assert_eq!(checks(&entries, |outcome| !is_right(outcome)), []);
    }
}
