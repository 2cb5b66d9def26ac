//! Negotiation: valid offers and selections.

use crate::common::{self, classical, config, credential, pair_with, refused};
use crate::invalid_responses::{Alter, NONE, connect, pair};
use grille_spdm_codec::algorithms::OtherParams;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::capability_rules::Contradiction;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::version::VersionNumber;
use grille_spdm_codec::{Code, Version};
use grille_spdm_engine::algorithms::Bits;
use grille_spdm_engine::config::{Config, Packet, Role};
use grille_spdm_engine::connection::Phase;
use grille_spdm_engine::error::{Error, Usage, Violation};
use grille_spdm_engine::operations::{Connect, FetchCertificate, OpenSession};
use grille_spdm_engine::refused_request::Reason;

#[test]
fn rejects_algorithms_that_were_not_offered() {
    let grown = |message: &mut Vec<u8>, at: usize, bytes: &[u8]| {
        message.splice(at..at, bytes.iter().copied());
        message[4] += bytes.len() as u8;
    };
    // an external algorithm, outside or inside a table; a table of an unknown type; bits beyond the table's two bytes
    let external = [0, 0, 1, 0];
    let alterations: [Alter<'_>; 8] = [
        &|message| {
            message[32] = 1;
            grown(message, 36, &external);
        },
        &|message| {
            message[33] = 1;
            grown(message, 36, &external);
        },
        &|message| {
            message[37] |= 1;
            grown(message, 40, &external);
        },
        &|message| {
            message[2] += 1;
            let end = message.len();
            grown(message, end, &[9, 0x20, 1, 0]);
        },
        &|message| {
            message[37] = 0x40;
            grown(message, 40, &[1, 0]);
        },
        &|message| message[6] |= 2,
        &|message| message[7] |= 1 << 4,
        &|message| message[7] |= 1,
    ];
    for (number, alter) in alterations.into_iter().enumerate() {
        let error = connect(pair(Version::V1_3, NONE, NONE), Code::ALGORITHMS, alter);
        let wrong = matches!(error, Err(Error::Violation { violation: Violation::Algorithms, .. }));
        assert!(wrong, "{number}: {error:?}");
    }
    connect(pair(Version::V1_3, NONE, NONE), Code::ALGORITHMS, |_| {}).unwrap();
}

/// MultiKeyConn must match MULTI_KEY_CAP, unless MULTI_KEY_CAP permits connections with and without multi-key.
#[test]
fn multi_key_conn_must_match_multi_key_cap() {
    for (ours, one, several) in
        [(NONE, true, false), (Caps::MULTI_KEY_ONLY, false, true), (Caps::MULTI_KEY_CONN_SEL, true, true)]
    {
        for (conn, taken) in [(0, one), (1 << 4, several)] {
            let says = |message: &mut Vec<u8>| message[7] = message[7] & !(1 << 4) | conn;
            let pair = pair(Version::V1_3, ours, NONE);
            match connect(pair, Code::ALGORITHMS, says) {
                Ok(()) => assert!(taken, "{ours:?} {conn}"),
                Err(Error::Violation { violation: Violation::Algorithms, .. }) => {
                    assert!(!taken, "{ours:?} {conn}");
                }
                other => panic!("{other:?}"),
            }
        }
    }
}

/// MeasurementSpecificationSel is byte 6, MeasurementHashAlgo bytes 8 to 11, MELspecificationSel byte 31.
#[test]
fn measurement_selection_must_match_capabilities() {
    let without_measurements = Caps(common::ALL.0 & !Caps::MEAS_SIG.0);
    let logs = without_measurements | Caps::MEL;
    let cases: [(Caps, Alter<'_>, bool); 12] = [
        (without_measurements, &|_| {}, true),
        (without_measurements, &|message| (message[6], message[8]) = (1, 2), false),
        (without_measurements, &|message| message[31] = 1, false),
        // libspdm selects a hash nevertheless
        (without_measurements, &|message| message[8] = 2, true),
        (without_measurements, &|message| message[8] = 6, false),
        // a measurement log needs the measurement specification
        (logs, &|message| (message[6], message[8]) = (1, 2), true),
        (common::ALL, &|_| {}, true),
        (common::ALL, &|message| message[8..12].fill(0), false),
        (common::ALL, &|message| message[8] |= 6, false),
        (common::ALL, &|message| message[6] = 0, true),
        (common::ALL | Caps::MEL, &|message| assert_eq!(message[31], 1), true),
        (common::ALL | Caps::MEL, &|message| message[31] = 2, false),
    ];
    for (number, (theirs, alter, taken)) in cases.into_iter().enumerate() {
        let [ours, theirs] = [common::REQUESTER, theirs].map(|flags| config(Version::V1_3, flags));
        let pair = pair_with(ours, theirs, &credential(classical("P256")));
        match connect(pair, Code::ALGORITHMS, alter) {
            Ok(()) => assert!(taken, "{number}"),
            Err(Error::Violation { violation: Violation::Algorithms, .. }) => assert!(!taken, "{number}"),
            other => panic!("{number}: {other:?}"),
        }
    }
}

/// DSP0274 defines no maximum of CTExponent.
#[test]
fn accepts_maximal_ct_exponent() {
    for version in Version::ALL {
        let slow = |message: &mut Vec<u8>| message[5] = 0xFF;
        connect(pair(version, NONE, NONE), Code::CAPABILITIES, slow).unwrap();
        let (mut requester, mut wire) = pair(version, NONE, NONE);
        requester.run(Connect::new(), &mut wire).unwrap();
        let Packet::Message(mut capabilities) = wire.log[1].0.clone() else { panic!("no session is open") };
        if version > Version::V1_0 {
            capabilities[5] = 0xFF;
        }
        wire.plain(&[0x10, Code::GET_VERSION.0, 0, 0]);
        assert_eq!(wire.plain(&capabilities)[1], Code::CAPABILITIES.0);
    }
}

/// Returns a function that sends NEGOTIATE_ALGORITHMS after `alter`, and returns whether it was answered.
fn negotiation_probe() -> impl FnMut(Alter<'_>) -> bool {
    let (mut requester, mut wire) = pair(Version::V1_3, NONE, NONE);
    requester.run(Connect::new(), &mut wire).unwrap();
    let [version, capabilities, negotiate] = [0, 1, 2].map(|at: usize| match &wire.log[at].0 {
        Packet::Message(request) => request.clone(),
        Packet::Secured(_) => panic!("no session is open"),
    });
    assert_eq!(
        negotiate[32..].chunks(4).map(|table| table[..2].to_vec()).collect::<Vec<_>>(),
        [[2, 0x20], [3, 0x20], [5, 0x20]]
    );
    move |alter: Alter<'_>| {
        let mut message = negotiate.clone();
        alter(&mut message);
        message[4] = message.len() as u8;
        wire.plain(&version);
        wire.plain(&capabilities);
        let answer = wire.plain(&message);
        match answer[1..3] {
            [0x7F, code] => assert_eq!(ErrorCode(code), ErrorCode::INVALID_REQUEST),
            _ => assert_eq!(answer[1], Code::ALGORITHMS.0),
        }
        answer[1] != Code::ERROR.0
    }
}

fn insert(message: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    message.splice(at..at, bytes.iter().copied());
}

/// Tables of four bytes start at offset 32, after the external algorithms.
#[test]
fn refuses_malformed_algorithm_tables() {
    let mut ask = negotiation_probe();
    assert!(ask(&|_| {}));
    // FixedAlgCount is 2
    assert!(!ask(&|message| {
        message[33] = 0x40;
        insert(message, 36, &[0, 0]);
    }));
    // ReqBaseAsymAlg: empty, with a bit, with an external algorithm
    for (table, taken) in [
        (&[4, 0x20, 0, 0][..], true),
        (&[4, 0x10, 1], false),
        (&[4, 0x20, 1, 0], true),
        (&[4, 0x21, 0, 0, 0, 0, 1, 0], true),
    ] {
        let asked = ask(&|message| {
            message[2] += 1;
            insert(message, 40, table);
        });
        assert_eq!(asked, taken, "{table:?}");
    }
}

#[test]
fn limits_external_algorithms_to_20() {
    let mut ask = negotiation_probe();
    // 20 external algorithms in total, in any list; the message length alone would permit 21
    for (asym, hash, dhe, taken) in
        [(20, 0, 0, true), (21, 0, 0, false), (0, 10, 10, true), (6, 5, 10, false)]
    {
        let asked = ask(&|message| {
            (message[28], message[29]) = (asym, hash);
            message[33] |= dhe;
            insert(message, 36, &vec![9; 4 * usize::from(dhe)]);
            insert(message, 32, &vec![9; 4 * usize::from(asym + hash)]);
            assert!(message.len() <= 0x80);
        });
        assert_eq!(asked, taken, "{asym} {hash} {dhe}");
    }
    let four = |message: &mut Vec<u8>, external: usize| {
        message[2] += 1;
        insert(message, 40, &[4, 0x20, 1, 0]);
        message[28] = external as u8;
        insert(message, 32, &vec![9; 4 * external]);
    };
    assert!(ask(&|message| four(message, 20)), "0x80 bytes");
    assert!(!ask(&|message| {
        four(message, 20);
        message[2] += 1;
        message.extend([9, 0x20, 1, 0]);
    }));
}

/// CAPABILITIES with its algorithms is longer than the requester's transfer size of 42 bytes. The requester's message limit is
/// one byte too small, or exactly sufficient.
#[test]
fn capabilities_must_fit_the_requesters_limits() {
    let device = credential(classical("P384"));
    for version in [Version::V1_3, Version::V1_4] {
        let (_, mut wire) = common::pair(version, &device);
        let mut ask = |at_once: u32, most: u32| {
            wire.plain(&[0x10, 0x84, 0, 0]);
            let flags = common::REQUESTER.0;
            let fixed = [version.byte(), 0xE1, 1, 0, 0, 0, 0, 0];
            let request = [&fixed[..], &[flags, at_once, most].map(u32::to_le_bytes).concat()].concat();
            (wire.plain(&request), wire.responder.connection().phase())
        };
        let len = ask(0x1200, 0x4_0000).0.len() as u32;
        let (refused, phase) = ask(42, len - 1);
        assert_eq!(refused[..3], [version.byte(), 0x7F, ErrorCode::RESPONSE_TOO_LARGE.0], "{version:?}");
        assert_eq!((&refused[4..], phase), (&len.to_le_bytes()[..], Phase::Version));
        let (in_chunks, phase) = ask(42, len);
        assert_eq!(in_chunks[..3], [version.byte(), 0x7F, ErrorCode::LARGE_RESPONSE.0], "{version:?}");
        assert_eq!(phase, Phase::Capabilities);
    }
}

/// The responder's operator learns which requirement of sessions is missing; the requester receives only InvalidRequest.
#[test]
fn responder_reports_missing_session_requirements() {
    let credential = credential(classical("P256"));
    let connect_with = |alter: &dyn Fn(&mut Config)| {
        let mut ours = config(Version::V1_3, common::ALL);
        alter(&mut ours);
        pair_with(config(Version::V1_3, common::REQUESTER), ours, &credential)
    };
    let other_versions = |ours: &mut Config| ours.secured_versions = vec![VersionNumber(0x1500)];
    let (mut requester, mut wire) = connect_with(&other_versions);
    requester.run(Connect::new(), &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    assert_eq!(refused(requester.run(OpenSession::new(0), &mut wire)), ErrorCode::INVALID_REQUEST);
    assert_eq!(wire.last_refusal(), (None, Reason::NoSecuredVersion));
    let Packet::Message(exchange) = wire.log.pop().unwrap().0 else { panic!("no session is open") };
    // this requester would not send the request
    let (mut requester, mut wire) = connect_with(&|ours| ours.other_params = OtherParams::NONE);
    requester.run(Connect::new(), &mut wire).unwrap();
    assert_eq!(wire.plain(&exchange)[1..3], [Code::ERROR.0, ErrorCode::INVALID_REQUEST.0]);
    let (_, reason) = wire.last_refusal();
    assert!(matches!(reason, Reason::NoSessions(kind) if kind.contains("OPAQUE_DATA_FORMAT_1")), "{reason}");
}

#[test]
fn capabilities_have_supported_algorithms_since_1_3() {
    let device = credential(classical("P384"));
    for version in [Version::V1_2, Version::V1_3, Version::V1_4] {
        let (_, mut wire) = common::pair(version, &device);
        assert_eq!(wire.plain(&[0x10, 0x84, 0, 0])[1], 0x04);
        let mut request = vec![version.byte(), 0xE1, 1, 0, 0, 0, 0, 0];
        request.extend_from_slice(&common::REQUESTER.0.to_le_bytes());
        request.extend_from_slice(&[0, 0x12, 0, 0, 0, 0, 4, 0]);
        let response = wire.plain(&request);
        let late = version >= Version::V1_3;
        assert_eq!((response[1], response[2]), (0x61, u8::from(late)), "{version:?}");
        assert_eq!(response.len() > 20, late);
    }
}

#[test]
fn requester_receives_requested_supported_algorithms() {
    let device = credential(classical("P384"));
    for version in Version::ALL {
        let (mut requester, mut wire) = common::pair(version, &device);
        requester.run(Connect::new().with_algorithms(), &mut wire).unwrap();
        let outcome = requester.connection().supported_algorithms();
        let ours = Bits { measurement_hash: 0, ..config(version, common::ALL).algorithms };
        // The responder supports only signature algorithms for which it has keys.
        let bits = Bits { asym: 1 << 7, pqc_asym: 0, ..ours };
        let late = version >= Version::V1_4;
        let bits = if late { bits } else { Bits { kem: 0, req_pqc_asym: 0, ..bits } };
        assert_eq!(outcome, (version >= Version::V1_3).then_some(&bits), "{version:?}");
        // the responder lists its algorithms only if the requester asks for them
        requester.run(Connect::new(), &mut wire).unwrap();
        assert_eq!(requester.connection().supported_algorithms(), None);
    }
}

/// Encodes GET_CAPABILITIES of 1.4 with these flags and limits of 512 bytes.
fn get_capabilities(wants_algorithms: bool, flags: Caps) -> Vec<u8> {
    let header = [0x14, Code::GET_CAPABILITIES.0, u8::from(wants_algorithms), 0, 0, 0, 0, 0];
    [&header[..], &flags.0.to_le_bytes(), &[0, 2, 0, 0], &[0, 2, 0, 0]].concat()
}

#[test]
fn both_sides_report_contradictory_capabilities() {
    let device = credential(classical("P256"));
    let flags = Caps::CERT | Caps::KEY_EX;
    let wrong = config(Version::V1_4, flags);
    let found = wrong.check(Role::Requester, Version::V1_4).unwrap_err();
    assert!(found.to_string().ends_with("needs ENCRYPT_CAP or MAC_CAP"), "{found}");
    let (mut requester, mut wire) = pair_with(wrong, config(Version::V1_4, common::ALL), &device);
    let outcome = requester.run(Connect::new(), &mut wire);
    assert!(
        matches!(&outcome, Err(Error::Usage(Usage::Capabilities(same))) if *same == found),
        "{outcome:?}"
    );
    for (request, reason) in [
        (get_capabilities(false, flags), Reason::Capabilities(found)),
        (get_capabilities(true, Caps::CERT | Caps::CHAL), Reason::NoChunks),
    ] {
        assert_eq!(wire.plain(&request)[1..3], [Code::ERROR.0, ErrorCode::INVALID_REQUEST.0]);
        assert_eq!(wire.last_refusal(), (None, reason));
    }
    let mut sizes = config(Version::V1_4, Caps::CERT | Caps::CHAL | Caps::CHUNK);
    sizes.limits.data_transfer_size = 41;
    assert_eq!(
        sizes.check(Role::Requester, Version::V1_4),
        Err(Contradiction::TransferTooSmall { transfer: 41 })
    );
    assert_eq!(sizes.check(Role::Requester, Version::V1_1), Ok(()));
    // The requester reports that the responder contradicts itself.
    let wrong = config(Version::V1_4, Caps(common::ALL.0 & !Caps::CERT.0));
    let found = wrong.check(Role::Responder, Version::V1_4).unwrap_err();
    let (mut requester, mut wire) = pair_with(config(Version::V1_4, common::REQUESTER), wrong, &device);
    let outcome = requester.run(Connect::new(), &mut wire).unwrap_err().to_string();
    assert!(outcome.ends_with(&found.to_string()), "{outcome}");
}

#[test]
fn responder_selects_preferred_common_algorithms() {
    let device = credential(classical("P256"));
    let (sha_384, aes_256_gcm, sm4_gcm) = (1 << 1, 1 << 1, 1 << 3);
    for (aead, chosen) in [(aes_256_gcm, "AES-256-GCM"), (sm4_gcm, "ChaCha20-Poly1305")] {
        let preferred = Bits { hash: sha_384, aead, ..Bits::default() };
        let ours = Config { preferred, ..config(Version::V1_4, common::ALL) };
        let (mut requester, mut wire) = pair_with(config(Version::V1_4, common::REQUESTER), ours, &device);
        requester.run(Connect::new(), &mut wire).unwrap();
        let algorithms = requester.connection().negotiated().unwrap().algorithms;
        assert_eq!((algorithms.hash.name, algorithms.aead.unwrap().name), ("SHA-384", chosen));
    }
}
