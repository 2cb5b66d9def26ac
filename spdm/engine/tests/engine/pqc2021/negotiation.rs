//! Negotiation of the dialect's tables.

use super::*;
use grille_registry::Row;
use grille_spdm_codec::negotiate::Algorithms as AlgorithmsMessage;
use grille_spdm_codec::pqc2021::{KemAuthentication, Tables};
use grille_spdm_codec::{Message, Sizes, Version};
use grille_spdm_engine::auth_failure::AuthFailure;
use grille_spdm_engine::error::Violation;
use grille_spdm_engine::pqc2021::Form;

/// Returns a configuration with another form of the tables.
fn with_form(config: Config, form: Form) -> Config {
    let options = config.pqc2021.map(|options| Options { form, ..options });
    Config { pqc2021: options, ..config }
}

/// A responder that is configured for nine tables answers seven tables with seven.
#[test]
fn requesters_can_send_seven_tables() {
    for suite in [PURE, HYBRID, CERTIFIED] {
        let configs = [suite.config(RESPONDER), with_form(suite.config(REQUESTER), Form::Plain)];
        let (mut requester, mut wire) = suite.connect_with(suite.keys(), configs);
        let [negotiate, algorithms] = &messages(&wire)[4..6] else { panic!() };
        assert_eq!((negotiate.len(), negotiate[2], algorithms.len(), algorithms[2]), (90, 7, 94, 7));
        requester.run(ChallengeResponder::new(suite.slot(), 0), &mut wire).unwrap();
        let session = requester.run(OpenSession::new(suite.slot()), &mut wire).unwrap();
        use_session(&mut requester, &mut wire, session);
    }
}

#[test]
fn seven_tables_cannot_offer_kem_authentication() {
    for suite in [KEM_AUTH, Suite { kem_auth: "Kyber512", req_kem_auth: "Kyber768", ..PURE }] {
        let configs = [suite.config(RESPONDER), with_form(suite.config(REQUESTER), Form::Plain)];
        let (mut requester, mut wire) = suite.pair(suite.keys(), configs);
        let refused = requester.run(Connect::new(), &mut wire);
        assert!(matches!(refused, Err(Error::Usage(Usage::SevenTables))), "{refused:?}");
    }
}

#[test]
fn responders_with_seven_tables_refuse_nine() {
    for (form, is_refused) in [(Form::KemAuthentication, true), (Form::Plain, false)] {
        let theirs = with_form(PURE.config(RESPONDER), Form::Plain);
        let (mut requester, mut wire) =
            PURE.pair(PURE.keys(), [theirs, with_form(PURE.config(REQUESTER), form)]);
        let connected = requester.run(Connect::new(), &mut wire);
        if is_refused {
            let expected = ErrorCode::INVALID_REQUEST;
            assert!(
                matches!(connected, Err(Error::Refused { code, .. }) if code == expected),
                "{connected:?}"
            );
        } else {
            connected.unwrap();
        }
    }
}

/// Replaces the tables of ALGORITHMS, and the number of tables.
struct OtherTables<'w> {
    wire: &'w mut Wire,
    change: fn(&mut Tables),
}

impl Carrier for OtherTables<'_> {
    type Error = Error;

    fn exchange(&mut self, packet: Packet) -> Result<Packet, Error> {
        let mut answer = self.wire.exchange(packet)?;
        if let Packet::Message(bytes) = &mut answer
            && bytes[1] == Code::ALGORITHMS.0
        {
            let message = AlgorithmsMessage::decode(bytes, &Sizes::default()).unwrap();
            let mut tables = Tables::read(&message.tables).unwrap();
            (self.change)(&mut tables);
            let mut buffer = [0; Tables::MAX_LEN];
            let tables = tables.write(&mut buffer).unwrap();
            let mut encoded = vec![0; 128];
            let other = AlgorithmsMessage { tables, ..message };
            let len = other.encode(Version::V1_1, &Sizes::default(), &mut encoded).unwrap();
            encoded.truncate(len);
            *bytes = encoded;
        }
        Ok(answer)
    }

    fn wait(&mut self, _time: std::time::Duration) {}
}

fn kem(name: &str) -> Set {
    Kem::by_name(name).unwrap().set()
}

fn signature(name: &str) -> Set {
    Signature::by_name(name).unwrap().set()
}

#[test]
fn rejects_selections_that_were_not_offered() {
    let nine = Form::KemAuthentication;
    for (form, change) in [
        (
            nine,
            (|tables: &mut Tables| tables.kem = kem("Kyber512").union(kem("Kyber768"))) as fn(&mut Tables),
        ),
        (nine, |tables| tables.kem = kem("Kyber768")),
        (nine, |tables| tables.kem = Set::from_bit(95)),
        (nine, |tables| tables.signature = signature("Falcon-512")),
        (nine, |tables| tables.signature = signature("Dilithium2").union(Set::from_bit(95))),
        (nine, |tables| tables.req_signature = signature("Dilithium2")),
        (nine, |tables| {
            tables.kem_authentication =
                Some(KemAuthentication { responder: kem("Kyber512"), requester: Set::NONE });
        }),
        (nine, |tables| {
            tables.kem_authentication =
                Some(KemAuthentication { responder: Set::NONE, requester: kem("Kyber512") });
        }),
        (Form::Plain, |tables| tables.kem_authentication = Some(KemAuthentication::default())),
    ] {
        let configs = [PURE.config(RESPONDER), with_form(PURE.config(REQUESTER), form)];
        let (mut requester, mut wire) = PURE.pair(PURE.keys(), configs);
        let mut wire = OtherTables { wire: &mut wire, change };
        let refused = requester.run(Connect::new(), &mut wire);
        let algorithms = Violation::Algorithms;
        assert!(
            matches!(refused, Err(Error::Violation { violation, .. }) if violation == algorithms),
            "{refused:?}"
        );
    }
    // a responder without tables of KEM authentication
    let configs = [PURE.config(RESPONDER), PURE.config(REQUESTER)];
    let (mut requester, mut wire) = PURE.pair(PURE.keys(), configs);
    let mut wire = OtherTables { wire: &mut wire, change: |tables| tables.kem_authentication = None };
    requester.run(Connect::new(), &mut wire).unwrap();
}

/// Returns the names of the algorithms that a responder with all keys selects: signature, KEM, and KEM authentication.
fn selected(signatures: &[&str], kems: &[&str]) -> [Option<&'static str>; 3] {
    let suite = Suite { signature: "", kem_auth: "", ..PURE };
    let both = |flags| {
        let mut config = suite.config(flags);
        let algorithms = &mut config.pqc2021.as_mut().unwrap().algorithms;
        algorithms.signature = signatures.iter().map(|name| signature(name)).collect();
        algorithms.kem = kems.iter().map(|name| kem(name)).collect();
        algorithms.kem_auth = algorithms.kem;
        config
    };
    let device = signatures.iter().fold(Keys::default(), |keys, name| keys.with_signature(name));
    let device = kems.iter().fold(device, |keys, name| keys.with_kem(name));
    let (requester, _) = suite.connect_with([device, Keys::default()], [RESPONDER, REQUESTER].map(both));
    let selected = requester.connection().negotiated().unwrap().algorithms.pqc2021.unwrap();
    [
        selected.responder.post_quantum.map(Row::name),
        selected.kem().map(Row::name),
        selected.responder.kem.map(Row::name),
    ]
}

#[test]
fn responders_have_the_prototypes_preferences() {
    for (signatures, kems, expected) in [
        (
            &["Falcon-1024", "Falcon-512", "Dilithium2"][..],
            &["BIKE1-L1-CPA", "Kyber512"][..],
            [Some("Falcon-512-2020"), Some("Kyber512"), Some("Kyber512")],
        ),
        (
            &["Falcon-1024", "Dilithium2"],
            &["HQC-256", "Kyber768"],
            [Some("Falcon-1024-2020"), Some("HQC-256"), Some("HQC-256")],
        ),
        (
            &["SPHINCS+-Haraka-128f-simple", "Dilithium5", "Dilithium3-AES"],
            &["SIKE-p434", "SIDH-p434", "Kyber1024-90s"],
            [Some("Dilithium5"), Some("Kyber1024-90s"), Some("Kyber1024-90s")],
        ),
    ] {
        assert_eq!(selected(signatures, kems), expected);
    }
}

/// Returns the configuration of one side with the algorithms that `add` adds.
fn offering(suite: Suite, flags: Caps, add: impl Fn(&mut Config, &mut Algorithms)) -> Config {
    let mut config = suite.config(flags);
    let mut algorithms = config.pqc2021.unwrap().algorithms;
    add(&mut config, &mut algorithms);
    let options = config.pqc2021.map(|options| Options { algorithms, ..options });
    Config { pqc2021: options, ..config }
}

/// The prototype would select Falcon-512 and Kyber512, whose keys only the requester has.
#[test]
fn responders_prefer_the_requesters_known_keys() {
    for (suite, added) in [
        (Suite { req_signature: "Dilithium2", ..PURE }, Suite { req_signature: "Falcon-512", ..PURE }),
        (Suite { req_kem_auth: "Kyber768", ..KEM_AUTH }, Suite { req_kem_auth: "Kyber512", ..KEM_AUTH }),
    ] {
        let configs = [RESPONDER, REQUESTER].map(|flags| {
            offering(suite, flags, |_, algorithms| {
                let more = added.algorithms();
                algorithms.req_signature = algorithms.req_signature.union(more.req_signature);
                algorithms.req_kem_auth = algorithms.req_kem_auth.union(more.req_kem_auth);
            })
        });
        let [device, host] = suite.keys();
        let known = host.public.clone();
        let host = host.with_signature(added.req_signature).with_kem(added.req_kem_auth);
        let host = Keys { public: known, ..host };
        let (mut requester, mut wire) = suite.connect_with([device, host], configs);
        let session = requester.run(OpenSession::new(PROVISIONED), &mut wire).unwrap();
        assert_eq!(requester.authenticated_with(session), Some(PROVISIONED));
    }
}

/// The responder knows one of the requester's two keys.
#[test]
fn responders_select_only_the_known_key_of_a_requester() {
    let suite = Suite { req_signature: "Dilithium2", req_kem_auth: "Kyber768", ..KEM_AUTH };
    for is_signature_known in [true, false] {
        let [device, _] = suite.keys();
        let host = host_with_one_known_key(suite, is_signature_known);
        let configs = [suite.config(RESPONDER), suite.config(REQUESTER)];
        let (mut requester, mut wire) = suite.connect_with([device, host], configs);
        let selected = requester.connection().negotiated().unwrap().algorithms.pqc2021.unwrap().requester;
        let parts = (selected.post_quantum.is_some(), selected.kem.is_some());
        assert_eq!(parts, (is_signature_known, !is_signature_known));
        let session = requester.run(OpenSession::new(PROVISIONED), &mut wire).unwrap();
        assert_eq!(requester.authenticated_with(session), Some(PROVISIONED));
    }
}

/// Returns a requester's keys. The responder knows only its signature key, or only its KEM key.
fn host_with_one_known_key(suite: Suite, is_signature_known: bool) -> Keys {
    let first = if is_signature_known {
        Keys::default().with_signature(suite.req_signature)
    } else {
        Keys::default().with_kem(suite.req_kem_auth)
    };
    let known = first.public.clone();
    let both = if is_signature_known {
        first.with_kem(suite.req_kem_auth)
    } else {
        first.with_signature(suite.req_signature)
    };
    Keys { public: known, ..both }
}

/// A responder without KEM authentication cannot authenticate the requester with a KEM, even if its key is known.
#[test]
fn responders_without_kem_authentication_refuse_requesters_without_a_known_signature_key() {
    let suite = Suite { req_signature: "Dilithium2", req_kem_auth: "Kyber768", ..PURE };
    let [device, _] = suite.keys();
    let host = host_with_one_known_key(suite, false);
    let configs = [suite.config(RESPONDER), suite.config(REQUESTER)];
    let (mut requester, mut wire) = suite.connect_with([device, host], configs);
    let refused = requester.run(OpenSession::new(PROVISIONED), &mut wire);
    assert!(matches!(refused, Err(Error::Refused { .. })), "{refused:?}");
    let failure = wire.responder.take_auth_failure();
    assert!(matches!(failure, Some(AuthFailure::Unknown { slot: PROVISIONED })), "{failure:?}");
}

/// A requester without a known key is refused: it must not become anonymous.
#[test]
fn responders_refuse_requesters_without_a_known_key() {
    for suite in
        [Suite { req_signature: "Dilithium2", ..PURE }, Suite { req_kem_auth: "Kyber768", ..KEM_AUTH }]
    {
        let [device, host] = suite.keys();
        let keys = [device, Keys { public: PeerKeys::default(), ..host }];
        let configs = [suite.config(RESPONDER), suite.config(REQUESTER)];
        let (mut requester, mut wire) = suite.connect_with(keys, configs);
        let refused = requester.run(OpenSession::new(PROVISIONED), &mut wire);
        assert!(matches!(refused, Err(Error::Refused { .. })), "{refused:?}");
        let failure = wire.responder.take_auth_failure();
        assert!(matches!(failure, Some(AuthFailure::Unknown { slot: PROVISIONED })), "{failure:?}");
    }
}

/// No certificate has keys of P-384 and Dilithium2, or of P-521 and Dilithium2.
#[test]
fn responders_select_pairs_that_a_certificate_can_have() {
    let suite = Suite { req_asym: "P256", req_signature: "Dilithium2", ..CERTIFIED };
    let bit = |name: &str| match classical(name) {
        Asym::Classical(row) => 1_u32 << row.bit,
        Asym::PostQuantum(_) | Asym::Hybrid(_) => 0,
    };
    let configs = [RESPONDER, REQUESTER].map(|flags| {
        offering(suite, flags, |config, algorithms| {
            config.algorithms.asym |= bit("P384");
            config.algorithms.req_asym |= bit("P521") as u16;
            algorithms.signature = algorithms.signature.union(signature("Falcon-512"));
            algorithms.req_signature = algorithms.req_signature.union(signature("Falcon-1024"));
        })
    });
    let (mut requester, mut wire) = suite.connect_with(suite.keys(), configs);
    let selected = requester.connection().negotiated().unwrap().algorithms.pqc2021.unwrap();
    for side in [selected.responder, selected.requester] {
        let names = (side.classical.map(|row| row.name), side.post_quantum.map(Row::name));
        assert_eq!(names, (Some("ECDSA-P256"), Some("Dilithium2")));
    }
    let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
    use_session(&mut requester, &mut wire, session);
}
