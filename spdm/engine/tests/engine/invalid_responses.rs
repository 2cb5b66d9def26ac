//! Responses that violate the standard, the negotiation or the request are rejected.

use crate::common::{self, Wire, classical, config, credential, pair_with};
use crate::hostile_responses::{AlteringWire, run_altered};
use grille_core::SecretBytes;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::measurements::GetMeasurements;
use grille_spdm_codec::{Code, Version};
use grille_spdm_engine::config::MutualAuthentication;
use grille_spdm_engine::device::Device;
use grille_spdm_engine::error::{Error, Refusal, Usage, Violation};
use grille_spdm_engine::identity::Identity;
use grille_spdm_engine::operations::{
    ChallengeResponder, Connect, FetchCertificate, FetchDigests, FetchKeyPair, Measure, OpenPskSession,
    OpenSession, VendorRequest,
};
use grille_spdm_engine::requester::Requester;
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::trust::DangerousAcceptAny;

/// Creates both sides with additional capabilities.
pub(crate) fn pair(version: Version, ours: Caps, theirs: Caps) -> (Requester, Wire) {
    let (ours, theirs) = (config(version, common::REQUESTER | ours), config(version, common::ALL | theirs));
    pair_with(ours, theirs, &credential(classical("P256")))
}

/// Connects while the response of this code is altered.
pub(crate) fn connect(
    (mut requester, wire): (Requester, Wire),
    code: Code,
    alter: impl Fn(&mut Vec<u8>),
) -> Result<(), Error> {
    requester.run(Connect::new(), &mut AlteringWire { wire, alter: only(code, alter), packets: 0 })
}

/// Returns an alteration for messages of this code only.
fn only(code: Code, alter: impl Fn(&mut Vec<u8>)) -> impl FnMut(&mut Vec<u8>) {
    move |message| {
        if message[1] == code.0 {
            alter(message);
        }
    }
}

/// Connects a requester to a responder whose messages of this code are altered.
fn connected<F: Fn(&mut Vec<u8>)>(
    (mut requester, wire): (Requester, Wire),
    code: Code,
    alter: F,
) -> (Requester, AlteringWire<impl FnMut(&mut Vec<u8>)>) {
    let mut altering_wire = AlteringWire { wire, alter: only(code, alter), packets: 0 };
    requester.run(Connect::new(), &mut altering_wire).unwrap();
    (requester, altering_wire)
}

pub(crate) const NONE: Caps = Caps::NONE;

pub(crate) type Alter<'a> = &'a dyn Fn(&mut Vec<u8>);

/// The capability flags are the four bytes from offset 8.
#[test]
fn rejects_contradictory_capabilities() {
    for version in Version::ALL {
        let flags = |flags: Caps| {
            connect(pair(version, NONE, NONE), Code::CAPABILITIES, move |message| {
                message[8..12].copy_from_slice(&flags.0.to_le_bytes());
            })
        };
        let (all, since) = (common::ALL, |first| version >= first);
        let without = |missing: Caps| Caps(all.0 & !missing.0);
        let wrong = [
            (all | Caps::MEAS_NO_SIG, true),
            (without(Caps::CERT), true),
            (without(Caps::MEAS_SIG) | Caps::MEAS_FRESH, true),
            (all | Caps::PUB_KEY_ID, since(Version::V1_1)),
            (without(Caps::MAC | Caps::ENCRYPT), since(Version::V1_1)),
            (all | Caps::PSK | Caps::PSK_WITH_CONTEXT, since(Version::V1_1)),
            (all | Caps::MUT_AUTH, version == Version::V1_1),
            (all | Caps::CSR, since(Version::V1_2)),
            (all | Caps::EP_INFO_NO_SIG | Caps::EP_INFO_SIG, since(Version::V1_3)),
            (all | Caps::MULTI_KEY_ONLY, since(Version::V1_3)),
            (all | Caps::SET_KEY_PAIR_RESET, since(Version::V1_4)),
        ];
        for (flags_told, refused) in wrong {
            let result = flags(flags_told);
            let violation =
                matches!(result, Err(Error::Violation { violation: Violation::Capabilities(_), .. }));
            assert_eq!(violation, refused, "{version:?} {:#x}: {result:?}", flags_told.0);
        }
    }
}

#[test]
fn rejects_challenge_auth_of_another_slot_or_unnegotiated_mutual_auth() {
    let prove = |ours, theirs, alter: fn(&mut Vec<u8>)| {
        run_altered(pair(Version::V1_2, ours, theirs), ChallengeResponder::new(0, 0), alter).0
    };
    let asks = |message: &mut Vec<u8>| message[2] |= 0x80;
    for (ours, theirs) in [(NONE, MUTUAL), (MUTUAL, NONE), (MUTUAL, Caps::MUT_AUTH)] {
        let error = prove(ours, theirs, asks);
        let demanded = matches!(error, Error::Violation { violation: Violation::MutualAuthentication, .. });
        assert!(demanded, "{error:?}");
    }
    // if mutual authentication was negotiated, only the signature reveals the alteration
    assert!(matches!(prove(MUTUAL, MUTUAL, asks), Error::Signature { .. }));
    let error = prove(NONE, NONE, |message| message[3] &= !1);
    assert!(matches!(error, Error::Violation { violation: Violation::Slot, .. }), "{error:?}");
}

const MUTUAL: Caps = Caps(Caps::MUT_AUTH.0 | Caps::ENCAP.0);

#[test]
fn rejects_unnegotiated_heartbeat() {
    let set_heartbeat = |message: &mut Vec<u8>| message[2] = 5;
    let usual = |version| config(version, common::REQUESTER);
    let without_heartbeat = |version| config(version, Caps(common::ALL.0 & !Caps::HBEAT.0 | Caps::PSK.0));
    for version in &Version::ALL[1..] {
        let pair_without_heartbeat =
            || pair_with(usual(*version), without_heartbeat(*version), &credential(classical("P256")));
        let error = run_altered(pair_without_heartbeat(), OpenSession::new(0), set_heartbeat).0;
        assert!(matches!(error, Error::Violation { violation: Violation::Heartbeat, .. }), "{error:?}");
    }
    let psk = || Identity::default().with_psk(b"hint", SecretBytes::from(&[7; 32][..]));
    let flags = Caps(common::REQUESTER.0 | Caps::PSK.0);
    let requester = Requester::new(config(Version::V1_2, flags), psk(), Box::new(DangerousAcceptAny));
    let device = credential(classical("P256"));
    let identity = psk().with(device.slot(0));
    let wire =
        Wire::new(Responder::new(without_heartbeat(Version::V1_2), identity, Box::new(common::Sample)));
    let error = run_altered((requester, wire), OpenPskSession::new(b"hint"), set_heartbeat).0;
    assert!(matches!(error, Error::Violation { violation: Violation::Heartbeat, .. }), "{error:?}");
}

/// Alters MutAuthRequested and SlotIDParam.
#[test]
fn rejects_inconsistent_mutual_auth_requests() {
    let known = |flags: Caps| Caps(flags.0 & !Caps::CERT.0 | Caps::PUB_KEY_ID.0);
    let (device, host) = (credential(classical("P256")), credential(classical("P256")));
    let demand = |known_beforehand: bool, mut_auth: u8, slot: u8| {
        let flags = common::REQUESTER | MUTUAL;
        let flags = if known_beforehand { known(flags) } else { flags };
        let identity =
            host.identity().with_provisioned(host.chain[1].public_key().unwrap(), host.signer.clone());
        let requester = Requester::new(config(Version::V1_2, flags), identity, Box::new(DangerousAcceptAny));
        let responder = Responder::new(
            config(Version::V1_2, common::ALL | MUTUAL),
            device.identity(),
            Box::new(common::Sample),
        );
        let alter = only(Code::KEY_EXCHANGE_RSP, move |message| {
            message[6..8].copy_from_slice(&[mut_auth, slot]);
        });
        let error = run_altered((requester, Wire::new(responder)), OpenSession::new(0), alter).0;
        // an alteration that passes all other checks still invalidates the signature
        match error {
            Error::Violation { violation: Violation::MutualAuthentication, .. } => false,
            Error::Signature { .. } => true,
            other => panic!("{other:?}"),
        }
    };
    for (known_beforehand, mut_auth, slot, may) in [
        (false, 1, 0, true),
        (false, 1, 7, true),
        (false, 1, 8, false),
        (false, 1, 0xF, false),
        (false, 2, 0, true),
        (false, 4, 0, true),
        (false, 3, 0, false),
        (false, 0xF8, 0, true),
        (true, 1, 0xF, true),
        (true, 1, 0, false),
        (true, 2, 0, false),
        (true, 4, 0, false),
    ] {
        assert_eq!(demand(known_beforehand, mut_auth, slot), may, "{known_beforehand} {mut_auth} {slot}");
    }
}

#[test]
fn rejects_unnegotiated_chunks() {
    let less = |flags: Caps| Caps(flags.0 & !Caps::CHUNK.0);
    let config = |flags| config(Version::V1_2, less(flags));
    let pair = pair_with(config(common::REQUESTER), config(common::ALL), &credential(classical("P256")));
    let large =
        |message: &mut Vec<u8>| *message = vec![0x12, Code::ERROR.0, ErrorCode::LARGE_RESPONSE.0, 0, 7];
    let (error, packets) = run_altered(pair, FetchDigests, large);
    let refused = matches!(error, Error::Refused { code: ErrorCode::LARGE_RESPONSE, .. });
    assert!(refused && packets == 1, "{error:?} after {packets}");
}

/// DIGESTS contains SupportedSlotMask and ProvisionedSlotMask, a digest, KeyPairID, CertificateInfo and KeyUsageMask.
#[test]
fn rejects_digests_with_invalid_slots_or_models() {
    let several = Caps::MULTI_KEY_ONLY;
    let fetch = |alter: fn(&mut Vec<u8>)| run_altered(pair(Version::V1_3, NONE, NONE), FetchDigests, alter).0;
    let violation = |error: Error| match error {
        Error::Violation { violation, .. } => violation,
        other => panic!("{other:?}"),
    };
    assert_eq!(violation(fetch(|digests| digests[2] = 2)), Violation::Slot);
    let none = |digests: &mut Vec<u8>| {
        digests.truncate(4);
        digests[3] = 0;
    };
    assert_eq!(violation(fetch(none)), Violation::Slot);
    // The model is generic, missing, or unknown.
    for info in [3, 0, 4] {
        let pair = pair(Version::V1_3, several, common::responder_caps(several));
        let (mut requester, mut altering_wire) =
            connected(pair, Code::DIGESTS, |message| message[4 + HASH + 1] = info);
        let result = requester.run(FetchDigests, &mut altering_wire);
        assert_eq!(violation(result.unwrap_err()), Violation::Model, "{info}");
    }
    // the key of slot 0 needs a key usage of the standard, not only one of vendors or other standards
    for (usage, of_use) in
        [(0, false), (1 << 14, false), (1 << 15, false), (1, true), (1 << 3, true), (0xC008, true)]
    {
        let pair = pair(Version::V1_3, several, common::responder_caps(several));
        let (mut requester, mut altering_wire) = connected(pair, Code::DIGESTS, |message| {
            message[4 + HASH + 2..].copy_from_slice(&u16::to_le_bytes(usage));
        });
        match requester.run(FetchDigests, &mut altering_wire) {
            Ok(slots) => assert!(of_use && slots[0].key_usage == usage, "{slots:?}"),
            Err(error) => assert!(!of_use && violation(error) == Violation::KeyUsage, "{usage:#x}"),
        }
    }
}

/// The length of SHA3-512, which both sides select.
const HASH: usize = 64;

#[test]
fn rejects_chains_of_another_model() {
    let several = Caps::MULTI_KEY_ONLY;
    let of_several = pair(Version::V1_3, several, common::responder_caps(several));
    let (mut requester, mut altering_wire) =
        connected(of_several, Code::CERTIFICATE, |message| message[3] = 2);
    requester.run(FetchDigests, &mut altering_wire).unwrap();
    let other = requester.run(FetchCertificate::new(0), &mut altering_wire);
    assert!(matches!(other, Err(Error::Violation { violation: Violation::Model, .. })), "{other:?}");

    let (mut requester, mut altering_wire) =
        connected(pair(Version::V1_3, NONE, NONE), Code::DIGESTS, |message| message[2..4].fill(2));
    requester.run(FetchCertificate::new(0), &mut altering_wire).unwrap();
    requester.run(FetchDigests, &mut altering_wire).unwrap();
    let gone = requester.run(ChallengeResponder::new(0, 0), &mut altering_wire);
    assert!(matches!(gone, Err(Error::Usage(Usage::NoChain { slot: 0 }))), "{gone:?}");
}

#[test]
fn rejects_answers_of_another_key_pair_or_vendor() {
    let pair = || pair(Version::V1_3, NONE, Caps::GET_KEY_PAIR_INFO);
    let info = |message: &mut Vec<u8>, total, key_pair_id| {
        *message = vec![0; 23];
        message[..2].copy_from_slice(&[0x13, Code::KEY_PAIR_INFO.0]);
        message[4..6].copy_from_slice(&[total, key_pair_id]);
    };
    for (total, key_pair_id) in [(2, 2), (0, 1)] {
        let error = run_altered(pair(), FetchKeyPair(1), |message| info(message, total, key_pair_id)).0;
        let other = matches!(error, Error::Violation { violation: Violation::KeyPair, .. });
        assert!(other, "{total} {key_pair_id}: {error:?}");
    }
    let ask = || VendorRequest { standard_id: 3, vendor_id: vec![1, 0], data: vec![7] };
    for (standard_id, vendor_id) in [(4, 1), (3, 2)] {
        let error = run_altered(pair(), ask(), |message| {
            *message =
                vec![0x13, Code::VENDOR_DEFINED_RESPONSE.0, 0, 0, standard_id, 0, 2, vendor_id, 0, 1, 0, 7];
        });
        let other = matches!(error.0, Error::Violation { violation: Violation::Vendor, .. });
        assert!(other, "{standard_id} {vendor_id}: {:?}", error.0);
    }
}

#[test]
fn handshake_flow_may_fetch_only_the_chain() {
    let (device, host) = (credential(classical("P256")), credential(classical("P256")));
    let both = MUTUAL | Caps::HANDSHAKE_IN_THE_CLEAR | Caps::EP_INFO_NO_SIG | Caps::EVENT;
    let challenge = [&[0x13, Code::CHALLENGE.0, 0, 0][..], &[7; 40]].concat();
    for question in [
        &challenge[..],
        &[0x13, Code::GET_ENDPOINT_INFO.0, 1, 0, 0, 0, 0, 0],
        &[0x13, Code::KEY_UPDATE.0, 1, 7],
        &[0x13, Code::SEND_EVENT.0, 0, 0, 0, 0, 0, 0],
        &[0x13, Code::GET_SUPPORTED_EVENT_TYPES.0, 0, 0],
        &[0x13, Code::SUBSCRIBE_EVENT_TYPES.0, 0, 0],
    ] {
        let [ours, mut theirs] =
            [common::REQUESTER, common::ALL].map(|flags| config(Version::V1_3, flags | both));
        theirs.mutual = MutualAuthentication::Encapsulated;
        let requester = Requester::new(ours, host.identity(), Box::new(DangerousAcceptAny));
        let requester = requester.with_device(Box::new(ClassDevice));
        let responder = Responder::new(theirs, device.identity(), Box::new(common::Sample));
        let wire = Wire::new(responder.with_chain_verifier(Box::new(DangerousAcceptAny)));
        let asked = only(Code::ENCAPSULATED_REQUEST, |message| {
            message.truncate(4);
            message.extend_from_slice(question);
        });
        let error = run_altered((requester, wire), OpenSession::new(0), asked);
        let (request, unexpected) = (Code(question[1]), ErrorCode::UNEXPECTED_REQUEST);
        let refused = matches!(error.0, Error::RefusedByRequester { request: got, code } if (got, code) == (request, unexpected));
        assert!(refused, "{request}: {:?}", error.0);
    }
}

/// A device with endpoint information.
struct ClassDevice;

impl Device for ClassDevice {
    fn endpoint_info(&mut self, _: u8) -> Result<Vec<u8>, Refusal> {
        Ok(vec![0; 4])
    }
}

#[test]
fn measurements_in_1_0_need_slot_0() {
    let device = credential(classical("P256"));
    let [ours, theirs] = [common::REQUESTER, common::ALL].map(|flags| config(Version::V1_0, flags));
    let identity = device.identity().with(device.slot(1));
    let mut requester = Requester::new(ours, Identity::default(), Box::new(DangerousAcceptAny));
    let mut wire = Wire::new(Responder::new(theirs, identity, Box::new(common::Sample)));
    requester.run(Connect::new(), &mut wire).unwrap();
    for slot in [0, 1] {
        requester.run(FetchCertificate::new(slot), &mut wire).unwrap();
    }
    requester.run(Measure::all_signed(0), &mut wire).unwrap();
    let before = wire.log.len();
    let other = requester.run(Measure::all_signed(1), &mut wire);
    assert!(matches!(other, Err(Error::Usage(Usage::KeyUsage { slot: 1 }))), "{other:?}");
    assert_eq!(wire.log.len(), before);
}

/// A measurement index must be in 1 to 0xFE and must not occur twice.
#[test]
fn rejects_duplicate_measurement_indexes() {
    // MEASUREMENTS: eight bytes, and the first block's index
    for (index, is_fine) in [(0, false), (2, false), (0xFF, false), (0xFE, true)] {
        let pair = pair(Version::V1_2, NONE, NONE);
        let (mut requester, mut altering_wire) =
            connected(pair, Code::MEASUREMENTS, |message| message[8] = index);
        let measured = requester.run(Measure::new(GetMeasurements::ALL), &mut altering_wire);
        match measured {
            Err(Error::Violation { violation: Violation::Measurements, .. }) => assert!(!is_fine, "{index}"),
            measured => assert!(is_fine && measured.is_ok(), "{index}: {measured:?}"),
        }
    }
}

#[test]
fn rejects_digests_of_another_length() {
    // removes a byte of the first block's digest, and adjusts all lengths before it
    let cut = |message: &mut Vec<u8>| {
        message.remove(15);
        for len in [5, 10, 13] {
            message[len] -= 1;
        }
    };
    let pair = pair(Version::V1_2, NONE, NONE);
    let (mut requester, mut altering_wire) = connected(pair, Code::MEASUREMENTS, cut);
    let measured = requester.run(Measure::new(1), &mut altering_wire);
    assert!(
        matches!(measured, Err(Error::Violation { violation: Violation::Measurements, .. })),
        "{measured:?}"
    );
}

#[test]
fn rejects_portions_with_changing_total_length() {
    // alters RemainderLength in the first portion of CERTIFICATE only
    let altered = std::cell::Cell::new(false);
    let alter = |message: &mut Vec<u8>| {
        if message[6..8] != [0, 0] && !altered.replace(true) {
            message[6] ^= 1;
        }
    };
    let (mut ours, theirs) = (config(Version::V1_2, common::REQUESTER), config(Version::V1_2, common::ALL));
    (ours.limits.data_transfer_size, ours.limits.max_message_size) = (200, 200);
    ours.limits.flags = Caps(ours.limits.flags.0 & !Caps::CHUNK.0);
    let pair = pair_with(ours, theirs, &credential(classical("P256")));
    let (mut requester, mut altering_wire) = connected(pair, Code::CERTIFICATE, alter);
    requester.run(FetchDigests, &mut altering_wire).unwrap();
    let error = requester.run(FetchCertificate::new(0), &mut altering_wire);
    assert!(altered.get());
    assert!(matches!(error, Err(Error::Violation { violation: Violation::Portion, .. })), "{error:?}");
}
