//! Byte layouts of messages that the captures lack. The bytes are written by hand from the standard's tables, so that a
//! mistake that decoder and encoder share is found.

use core::fmt::Debug;
use grille_spdm_codec::capabilities::{
    Capabilities, CapabilityFlags, ExtCapabilityFlags, GetCapabilities, Limits,
};
use grille_spdm_codec::certificate::{Certificate, GetCertificate};
use grille_spdm_codec::challenge::{Challenge, ChallengeAuth};
use grille_spdm_codec::chunk::{Chunk, ChunkGet, ChunkResponse, ChunkSend, ChunkSendAck};
use grille_spdm_codec::csr::{Csr, GetCsr};
use grille_spdm_codec::digests::Digests;
use grille_spdm_codec::encapsulated::EncapsulatedResponseAck;
use grille_spdm_codec::endpoint_info::{EndpointInfo, GetEndpointInfo};
use grille_spdm_codec::error::{ErrorCode, ErrorResponse};
use grille_spdm_codec::events::{
    EventAck, GetSupportedEventTypes, SendEvent, SubscribeEventTypes, SubscribeEventTypesAck,
    SupportedEventTypes,
};
use grille_spdm_codec::finish::{Finish, FinishRsp};
use grille_spdm_codec::key_exchange::{KeyExchange, KeyExchangeRsp};
use grille_spdm_codec::key_pair_info::{
    GetKeyPairInfo, KeyPairAsym, KeyPairCapabilities, KeyPairInfo, KeyUsage, SetKeyPairInfo,
    SetKeyPairInfoAck,
};
use grille_spdm_codec::measurements::{GetMeasurements, Measurements};
use grille_spdm_codec::mel::{GetMeasurementExtensionLog, MeasurementExtensionLog};
use grille_spdm_codec::opaque::MAX_OPAQUE_DATA;
use grille_spdm_codec::psk::{PskExchange, PskExchangeRsp, PskFinish, PskFinishRsp};
use grille_spdm_codec::respond_if_ready::RespondIfReady;
use grille_spdm_codec::set_certificate::{SetCertificate, SetCertificateRsp};
use grille_spdm_codec::slot_management::{Management, SlotManagement, SlotManagementResp, SubCode};
use grille_spdm_codec::vendor::{VendorDefinedRequest, VendorDefinedResponse, VendorPayload};
use grille_spdm_codec::{Code, Message, Problem, Sizes, Version, messages};

/// Digests and signatures are unrealistically short to keep the bytes readable.
const SIZES: Sizes =
    Sizes { hash: 2, signature: 3, exchange_data: 4, summary_hash: 2, verify_data: 2, multi_key: true };

/// Asserts that a message has this encoding. `bytes` follow the header's first two bytes.
fn assert_encoding<M: Message<'static> + PartialEq + Debug>(
    version: Version,
    sizes: &Sizes,
    message: M,
    bytes: &[&[u8]],
) {
    let header = [version.byte(), M::CODE.0];
    let bytes: &[u8] = [&header, &*bytes.concat()].concat().leak();
    let mut buffer = vec![0xff; bytes.len()];
    assert_eq!(message.encode(version, sizes, &mut buffer), Ok(bytes.len()), "{}", M::CODE);
    assert_eq!(buffer, bytes, "{}", M::CODE);
    assert_eq!(M::decode(bytes, sizes), Ok(message), "{}", M::CODE);
}

const NONCE: [u8; 32] = [0x4e; 32];
const CONTEXT: [u8; 8] = [0xc0; 8];

#[test]
fn capabilities_grow_with_the_version() {
    let limits = Limits {
        ct_exponent: 12,
        ext_flags: ExtCapabilityFlags::NONE,
        flags: CapabilityFlags::CERT | CapabilityFlags::LARGE_RESP,
        data_transfer_size: 0,
        max_message_size: 0,
    };
    let larger = Limits { data_transfer_size: 0x1200, max_message_size: 0x2_8000, ..limits };
    let newest = Limits { ext_flags: ExtCapabilityFlags::SLOT_MGMT, ..larger };
    let flags = [2, 0, 0, 0x80];
    let sizes = [0, 0x12, 0, 0, 0, 0x80, 2, 0];
    let get = |limits| GetCapabilities { wants_algorithms: false, limits };
    let response = |limits| Capabilities { limits, algorithms: None };
    assert_encoding(Version::V1_0, &SIZES, get(Limits::default()), &[&[0, 0]]);
    assert_encoding(Version::V1_0, &SIZES, response(limits), &[&[0, 0, 0, 12, 0, 0], &flags]);
    assert_encoding(Version::V1_1, &SIZES, get(limits), &[&[0, 0, 0, 12, 0, 0], &flags]);
    assert_encoding(Version::V1_2, &SIZES, get(larger), &[&[0, 0, 0, 12, 0, 0], &flags, &sizes]);
    let request = GetCapabilities { wants_algorithms: true, limits: newest };
    assert_encoding(Version::V1_4, &SIZES, request, &[&[1, 0, 0, 12, 1, 0], &flags, &sizes]);
    let algorithms = [&[0, 0, 30, 0, 1, 0x12, 0, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0][..], &[0; 11], &[1]];
    let response = Capabilities::decode(
        [&[0x14, 0x61, 1, 0, 0, 12, 1, 0][..], &flags, &sizes, &algorithms.concat()].concat().leak(),
        &SIZES,
    );
    let received = response.unwrap().algorithms.unwrap();
    assert_eq!((received.base_hash.0, received.pqc_asym.0, received.mel_specification.0), (2, 4, 1));
    assert_eq!((received.measurement_specification.0, received.other_params.0), (1, 0x12));
}

#[test]
fn certificates_have_a_large_form() {
    let small = GetCertificate { slot: 3, attributes: 1, offset: 0x102, length: 0xffff, large: false };
    assert_encoding(Version::V1_3, &SIZES, small, &[&[3, 1, 2, 1, 0xff, 0xff]]);
    let large = GetCertificate { slot: 3, large: true, attributes: 0, offset: 0x1_0002, length: 0x2_0003 };
    assert_encoding(Version::V1_4, &SIZES, large, &[&[0x83, 0, 0, 0, 0, 0, 2, 0, 1, 0, 3, 0, 2, 0]]);
    let portion = &[9, 8, 7];
    let small = Certificate { slot: 3, certificate_info: 2, portion, remainder: 0x102, large: false };
    assert_encoding(Version::V1_3, &SIZES, small, &[&[3, 2, 3, 0, 2, 1], portion]);
    let large = Certificate { large: true, remainder: 0x1_0002, ..small };
    assert_encoding(Version::V1_4, &SIZES, large, &[&[0x83, 2, 0, 0, 0, 0, 3, 0, 0, 0, 2, 0, 1, 0], portion]);
}

#[test]
fn encodes_small_form_before_1_4() {
    let large = GetCertificate { large: true, offset: 1, length: 2, ..GetCertificate::default() };
    let mut buffer = [0xff; 8];
    assert_eq!(large.encode(Version::V1_3, &SIZES, &mut buffer), Ok(8));
    assert_eq!(buffer, [0x13, 0x82, 0, 0, 1, 0, 2, 0]);
    let too_far = GetCertificate { offset: 0x1_0000, ..large };
    assert!(too_far.encode(Version::V1_3, &SIZES, &mut buffer).is_err());
    let no_slot = GetCertificate { slot: 16, ..large };
    assert!(no_slot.encode(Version::V1_4, &SIZES, &mut [0; 16]).is_err());
}

#[test]
fn multi_key_digests_include_key_pairs() {
    let digests = Digests {
        supported_slots: 0xff,
        slots: 0b101,
        digests: &[1, 1, 2, 2],
        key_pair_ids: &[7, 9],
        certificate_infos: &[1, 2],
        key_usages: &[[3, 0], [0, 0x80]],
    };
    assert_encoding(Version::V1_3, &SIZES, digests, &[&[0xff, 5, 1, 1, 2, 2, 7, 9, 1, 2, 3, 0, 0, 0x80]]);
}

#[test]
fn challenges_have_context_since_1_3() {
    let challenge = Challenge { slot: 0xff, summary_type: 1, nonce: NONCE, context: [0; 8] };
    assert_encoding(Version::V1_0, &SIZES, challenge, &[&[0xff, 1], &NONCE]);
    let with_context = Challenge { context: CONTEXT, ..challenge };
    assert_encoding(Version::V1_3, &SIZES, with_context, &[&[0xff, 1], &NONCE, &CONTEXT]);
    let auth = ChallengeAuth {
        attribute: 0x83,
        slots: 0x0f,
        chain_hash: &[1, 1],
        nonce: NONCE,
        summary_hash: &[2, 2],
        opaque: &[5],
        context: CONTEXT,
        signature: &[3, 3, 3],
    };
    let begin: &[&[u8]] = &[&[0x83, 0x0f, 1, 1], &NONCE, &[2, 2, 1, 0, 5]];
    assert_encoding(Version::V1_3, &SIZES, auth, &[begin, &[&CONTEXT, &[3, 3, 3]]].concat());
    let earlier = ChallengeAuth { context: [0; 8], ..auth };
    assert_encoding(Version::V1_2, &SIZES, earlier, &[begin, &[&[3, 3, 3]]].concat());
}

#[test]
fn get_measurements_has_four_forms() {
    let count = GetMeasurements::default();
    assert_encoding(Version::V1_2, &SIZES, count, &[&[0, 0]]);
    assert_encoding(
        Version::V1_3,
        &SIZES,
        GetMeasurements { context: CONTEXT, ..count },
        &[&[0, 0], &CONTEXT],
    );
    let signed = GetMeasurements { attributes: 1, operation: 0xff, nonce: NONCE, slot: 0, context: [0; 8] };
    assert_encoding(Version::V1_0, &SIZES, signed, &[&[1, 0xff], &NONCE]);
    assert_encoding(
        Version::V1_1,
        &SIZES,
        GetMeasurements { slot: 2, ..signed },
        &[&[1, 0xff], &NONCE, &[2]],
    );
    let newest = GetMeasurements { attributes: 7, slot: 2, context: CONTEXT, ..signed };
    assert_encoding(Version::V1_3, &SIZES, newest, &[&[7, 0xff], &NONCE, &[2], &CONTEXT]);
    let measurements = Measurements {
        total: 0,
        slot: 0x22,
        blocks: 1,
        record: &[1, 1, 4, 0, 0, 1, 0, 0xaa],
        nonce: NONCE,
        opaque: &[],
        context: CONTEXT,
        signature: &[3, 3, 3],
    };
    let record = &[0, 0x22, 1, 8, 0, 0, 1, 1, 4, 0, 0, 1, 0, 0xaa];
    assert_encoding(Version::V1_3, &SIZES, measurements, &[record, &NONCE, &[0, 0], &CONTEXT, &[3, 3, 3]]);
    let unsigned = Measurements { context: [0; 8], signature: &[], ..measurements };
    let sizes = Sizes { signature: 0, ..SIZES };
    assert_encoding(Version::V1_0, &sizes, unsigned, &[record, &NONCE, &[0, 0]]);
}

#[test]
fn encodes_every_form_of_key_exchange_and_finish() {
    let exchange = KeyExchange {
        summary_type: 0xff,
        slot: 1,
        session: 0x1234,
        policy: 3,
        random: NONCE,
        exchange_data: &[4, 4, 4, 4],
        opaque: &[5],
    };
    assert_encoding(
        Version::V1_3,
        &SIZES,
        exchange,
        &[&[0xff, 1, 0x34, 0x12, 3, 0], &NONCE, &[4, 4, 4, 4, 1, 0, 5]],
    );
    let finish =
        Finish { signed: true, req_slot: 2, opaque: &[5], signature: &[3, 3, 3], verify_data: &[1, 1] };
    assert_encoding(Version::V1_4, &SIZES, finish, &[&[1, 2, 1, 0, 5, 3, 3, 3, 1, 1]]);
    let unsigned = Finish { signed: false, req_slot: 0, opaque: &[], signature: &[], verify_data: &[1, 1] };
    assert_encoding(Version::V1_3, &SIZES, unsigned, &[&[0, 0, 1, 1]]);
    let response = FinishRsp { opaque: &[5], verify_data: &[1, 1] };
    assert_encoding(Version::V1_4, &SIZES, response, &[&[0, 0, 1, 0, 5, 1, 1]]);
}

#[test]
fn psk_finish_has_opaque_data_since_1_4() {
    let exchange = PskExchange {
        summary_type: 1,
        policy: 1,
        session: 0x1234,
        hint: &[6, 6],
        context: &[7, 7, 7],
        opaque: &[5],
    };
    assert_encoding(
        Version::V1_2,
        &SIZES,
        exchange,
        &[&[1, 1, 0x34, 0x12, 2, 0, 3, 0, 1, 0, 6, 6, 7, 7, 7, 5]],
    );
    let response = PskExchangeRsp {
        heartbeat: 60,
        session: 0x5678,
        summary_hash: &[2, 2],
        context: &[7],
        opaque: &[5],
        verify_data: &[1, 1],
    };
    assert_encoding(
        Version::V1_2,
        &SIZES,
        response,
        &[&[60, 0, 0x78, 0x56, 0, 0, 1, 0, 1, 0, 2, 2, 7, 5, 1, 1]],
    );
    let finish = PskFinish { opaque: &[5], verify_data: &[1, 1] };
    assert_encoding(Version::V1_4, &SIZES, finish, &[&[0, 0, 1, 0, 5, 1, 1]]);
    assert_encoding(Version::V1_4, &SIZES, PskFinishRsp { opaque: &[5] }, &[&[0, 0, 1, 0, 5]]);
}

#[test]
fn encapsulated_acks_carry_request_slot_or_nothing() {
    let ack = |payload_type, payload| EncapsulatedResponseAck {
        request_id: 2,
        payload_type,
        ack_request_id: 1,
        payload,
    };
    assert_encoding(Version::V1_2, &SIZES, ack(0, &[]), &[&[2, 0, 1, 0, 0, 0]]);
    assert_encoding(
        Version::V1_2,
        &SIZES,
        ack(1, &[0x12, 0x81, 0, 0]),
        &[&[2, 1, 1, 0, 0, 0, 0x12, 0x81, 0, 0]],
    );
    assert_encoding(Version::V1_2, &SIZES, ack(2, &[3]), &[&[2, 2, 1, 0, 0, 0, 3]]);
    let earlier = EncapsulatedResponseAck { ack_request_id: 0, ..ack(2, &[3]) };
    assert_encoding(Version::V1_1, &SIZES, earlier, &[&[2, 2, 3]]);
}

#[test]
fn chunk_numbers_have_two_bytes_and_four_since_1_4() {
    let first = Chunk { last: false, handle: 7, sequence: 0, large_size: 0x1_0000, data: &[9, 9] };
    let last = Chunk { last: true, handle: 7, sequence: 0x102, large_size: 0, data: &[8] };
    let large = [0, 0, 1, 0];
    for version in [Version::V1_2, Version::V1_3, Version::V1_4] {
        let send = ChunkSend { chunk: first };
        assert_encoding(version, &SIZES, send, &[&[0, 7, 0, 0, 0, 0, 2, 0, 0, 0], &large, &[9, 9]]);
        let send = ChunkSend { chunk: last };
        assert_encoding(version, &SIZES, send, &[&[1, 7, 2, 1, 0, 0, 1, 0, 0, 0, 8]]);
        let response = ChunkResponse { chunk: first };
        assert_encoding(version, &SIZES, response, &[&[0, 7, 0, 0, 0, 0, 2, 0, 0, 0], &large, &[9, 9]]);
    }
    let large_sequence = Chunk { sequence: 0x1_0002, ..last };
    assert_encoding(
        Version::V1_4,
        &SIZES,
        ChunkSend { chunk: large_sequence },
        &[&[1, 7, 2, 0, 1, 0, 1, 0, 0, 0, 8]],
    );
    assert!(ChunkSend { chunk: large_sequence }.encode(Version::V1_3, &SIZES, &mut [0; 32]).is_err());
    let get = ChunkGet { handle: 7, sequence: 0x102 };
    assert_encoding(Version::V1_3, &SIZES, get, &[&[0, 7, 2, 1]]);
    assert_encoding(Version::V1_4, &SIZES, get, &[&[0, 7, 2, 1, 0, 0]]);
    let ack = ChunkSendAck { early_error: true, handle: 7, sequence: 3, response: &[0x12, 0x7f, 1, 0] };
    assert_encoding(Version::V1_3, &SIZES, ack, &[&[1, 7, 3, 0, 0x12, 0x7f, 1, 0]]);
    assert_encoding(Version::V1_4, &SIZES, ack, &[&[1, 7, 3, 0, 0, 0, 0x12, 0x7f, 1, 0]]);
}

#[test]
fn errors_carry_data_of_their_code() {
    let error = |code, data, extended| ErrorResponse { code, data, extended };
    let unsupported = error(ErrorCode::UNSUPPORTED_REQUEST, 0xe4, &[]);
    assert_encoding(Version::V1_1, &SIZES, unsupported, &[&[7, 0xe4]]);
    let not_ready = error(ErrorCode::RESPONSE_NOT_READY, 0, &[20, 0x83, 1, 4]);
    assert_encoding(Version::V1_0, &SIZES, not_ready, &[&[0x42, 0, 20, 0x83, 1, 4]]);
    let large = error(ErrorCode::LARGE_RESPONSE, 0, &[9]);
    assert_encoding(Version::V1_2, &SIZES, large, &[&[0x0f, 0, 9]]);
    let vendor = error(ErrorCode::VENDOR_DEFINED, 3, &[2, 0x86, 0x80, 1]);
    assert_encoding(Version::V1_2, &SIZES, vendor, &[&[0xff, 3, 2, 0x86, 0x80, 1]]);
    let retry = RespondIfReady { request: Code::CHALLENGE, token: 1 };
    assert_encoding(Version::V1_0, &SIZES, retry, &[&[0x83, 1]]);
}

#[test]
fn encodes_csr_and_set_certificate() {
    let get = GetCsr { key_pair_id: 7, attributes: 0x8a, requester_info: &[1, 2], opaque: &[5] };
    assert_encoding(Version::V1_3, &SIZES, get, &[&[7, 0x8a, 2, 0, 1, 0, 1, 2, 5]]);
    assert_encoding(Version::V1_2, &SIZES, Csr { csr: &[0x30, 0] }, &[&[0, 0, 2, 0, 0, 0, 0x30, 0]]);
    let set = SetCertificate { attributes: 0x23, key_pair_id: 7, chain: &[9, 8] };
    assert_encoding(Version::V1_3, &SIZES, set, &[&[0x23, 7, 9, 8]]);
    assert_eq!((set.slot(), set.model()), (3, 2));
    assert_encoding(Version::V1_2, &SIZES, SetCertificateRsp { slot: 3 }, &[&[3, 0]]);
}

#[test]
fn encodes_endpoint_info() {
    let unsigned = GetEndpointInfo { sub_code: 1, slot: 2, attributes: 0, nonce: [0; 32] };
    assert_encoding(Version::V1_3, &SIZES, unsigned, &[&[1, 2, 0, 0, 0, 0]]);
    let signed = GetEndpointInfo { attributes: 1, nonce: NONCE, ..unsigned };
    assert_encoding(Version::V1_3, &SIZES, signed, &[&[1, 2, 1, 0, 0, 0], &NONCE]);
    let info = EndpointInfo { slot: 2, nonce: NONCE, info: &[6], signature: &[3, 3, 3] };
    assert_encoding(Version::V1_3, &SIZES, info, &[&[0, 2, 0, 0, 0, 0], &NONCE, &[1, 0, 0, 0, 6, 3, 3, 3]]);
    let unsigned = EndpointInfo { nonce: [0; 32], signature: &[], ..info };
    let sizes = Sizes { signature: 0, ..SIZES };
    assert_encoding(Version::V1_3, &sizes, unsigned, &[&[0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 6]]);
}

#[test]
fn encodes_portions_of_the_measurement_extension_log() {
    let get = GetMeasurementExtensionLog { offset: 0x102, length: 0x1_0000 };
    assert_encoding(Version::V1_3, &SIZES, get, &[&[0, 0, 2, 1, 0, 0, 0, 0, 1, 0]]);
    let portion = MeasurementExtensionLog { portion: &[9, 8], remainder: 0x102 };
    assert_encoding(Version::V1_3, &SIZES, portion, &[&[0, 0, 2, 0, 0, 0, 2, 1, 0, 0, 9, 8]]);
}

#[test]
fn encodes_event_subscription_and_delivery() {
    assert_encoding(Version::V1_3, &SIZES, GetSupportedEventTypes, &[&[0, 0]]);
    let supported = SupportedEventTypes { count: 1, groups: &[9, 8] };
    assert_encoding(Version::V1_3, &SIZES, supported, &[&[1, 0, 2, 0, 0, 0, 9, 8]]);
    let subscribe = SubscribeEventTypes { count: 1, groups: &[9, 8] };
    assert_encoding(Version::V1_3, &SIZES, subscribe, &[&[1, 0, 2, 0, 0, 0, 9, 8]]);
    assert_encoding(Version::V1_3, &SIZES, SubscribeEventTypes::default(), &[&[0, 0]]);
    assert_encoding(Version::V1_3, &SIZES, SubscribeEventTypesAck, &[&[0, 0]]);
    assert_encoding(
        Version::V1_3,
        &SIZES,
        SendEvent { count: 1, events: &[9, 8] },
        &[&[0, 0, 1, 0, 0, 0, 9, 8]],
    );
    assert_encoding(Version::V1_3, &SIZES, EventAck, &[&[0, 0]]);
}

#[test]
fn encodes_key_pair_info_and_changes() {
    assert_encoding(Version::V1_3, &SIZES, GetKeyPairInfo { key_pair_id: 7 }, &[&[0, 0, 7]]);
    let info = KeyPairInfo {
        total: 9,
        key_pair_id: 7,
        capabilities: KeyPairCapabilities::GEN_KEY | KeyPairCapabilities::SHAREABLE,
        usage_capabilities: KeyUsage::KEY_EX | KeyUsage::VENDOR,
        usage: KeyUsage::KEY_EX,
        asym_capabilities: KeyPairAsym::ECC_384 | KeyPairAsym::ED448,
        asym: KeyPairAsym::ECC_384,
        slots: 3,
        public_key_info: &[0x30, 0],
        pqc_capabilities: &[],
        pqc: &[],
    };
    let fixed = [0, 0, 9, 7, 0x21, 0, 1, 0x80, 1, 0, 0x10, 1, 0, 0, 0x10, 0, 0, 0, 2, 0, 3, 0x30, 0];
    assert_encoding(Version::V1_3, &SIZES, info, &[&fixed]);
    let with_pqc = KeyPairInfo { pqc_capabilities: &[6, 0, 0, 0], pqc: &[4], ..info };
    assert_encoding(Version::V1_4, &SIZES, with_pqc, &[&fixed, &[4, 6, 0, 0, 0, 1, 4]]);
    let set = SetKeyPairInfo {
        operation: SetKeyPairInfo::GENERATE,
        key_pair_id: 7,
        usage: KeyUsage::CHALLENGE,
        asym: KeyPairAsym::ECC_256,
        slots: 1,
        pqc: &[],
    };
    assert_encoding(Version::V1_3, &SIZES, set, &[&[2, 0, 7, 0, 2, 0, 8, 0, 0, 0, 1]]);
    assert_encoding(
        Version::V1_4,
        &SIZES,
        SetKeyPairInfo { pqc: &[4], ..set },
        &[&[2, 0, 7, 0, 2, 0, 8, 0, 0, 0, 1, 1, 4]],
    );
    let erase =
        SetKeyPairInfo { operation: SetKeyPairInfo::ERASE, key_pair_id: 7, ..SetKeyPairInfo::default() };
    assert_encoding(Version::V1_4, &SIZES, erase, &[&[1, 0, 7]]);
    assert_encoding(Version::V1_3, &SIZES, SetKeyPairInfoAck, &[&[0, 0]]);
}

#[test]
fn slot_management_structs_have_an_offset() {
    let request = Management { sub_code: SubCode::GET_BANK_INFO, structure: &[] };
    assert_encoding(Version::V1_4, &SIZES, SlotManagement { management: request }, &[&[1, 0, 0, 0, 0, 0]]);
    let address = Management { sub_code: SubCode::GET_BANK_DETAILS, structure: &[8, 0, 0, 0, 3, 0, 0, 0] };
    let bytes = &[2, 0, 8, 0, 0, 0, 8, 0, 0, 0, 3, 0, 0, 0];
    assert_encoding(Version::V1_4, &SIZES, SlotManagement { management: address }, &[bytes]);
    assert_encoding(Version::V1_4, &SIZES, SlotManagementResp { management: address }, &[bytes]);
    let with_larger_offset = [0x14, 0x88, 2, 0, 10, 0, 0, 0, 0xff, 0xff, 8, 0, 0, 0, 3, 0, 0, 0];
    assert_eq!(
        SlotManagement::decode(&with_larger_offset, &SIZES).map(|message| message.management),
        Ok(address)
    );
    let inside_header = [0x14, 0x88, 2, 0, 7, 0, 0, 0, 8, 0];
    assert!(SlotManagement::decode(&inside_header, &SIZES).is_err());
}

#[test]
fn vendor_messages_have_a_large_form() {
    let payload = VendorPayload { large: false, standard_id: 3, vendor_id: &[0x86, 0x80], data: &[9, 8] };
    let small = [0, 0, 3, 0, 2, 0x86, 0x80, 2, 0, 9, 8];
    assert_encoding(Version::V1_0, &SIZES, VendorDefinedRequest { payload }, &[&small]);
    assert_encoding(Version::V1_4, &SIZES, VendorDefinedResponse { payload }, &[&small]);
    let payload = VendorPayload { large: true, ..payload };
    let large = [0x80, 0, 3, 0, 2, 0x86, 0x80, 0, 0, 2, 0, 0, 0, 9, 8];
    assert_encoding(Version::V1_4, &SIZES, VendorDefinedRequest { payload }, &[&large]);
    let mut buffer = [0xff; 13];
    assert_eq!(VendorDefinedRequest { payload }.encode(Version::V1_3, &SIZES, &mut buffer), Ok(13));
    assert_eq!(buffer[2..], small);
}

#[test]
fn rejects_other_codes_and_unknown_versions() {
    let refused =
        |bytes: &'static [u8]| ChunkGet::decode(bytes, &SIZES).map_err(|error| (error.name, error.offset));
    assert_eq!(refused(&[0x12, 0x86, 0, 7, 2, 1]), Ok(ChunkGet { handle: 7, sequence: 0x102 }));
    assert_eq!(refused(&[0x12, 0x85, 0, 7, 2, 1]), Err(("RequestResponseCode", 1)));
    assert_eq!(refused(&[0x15, 0x86, 0, 7, 2, 1]), Err(("SPDMVersion", 0)));
    assert_eq!(refused(&[0x0f, 0x86, 0, 7, 2, 1]), Err(("SPDMVersion", 0)));
    let unknown = messages::observe(&[0x12, 0x42, 0, 0], &SIZES, &mut ());
    assert_eq!(unknown.map_err(|error| (error.name, error.offset)), Err(("RequestResponseCode", 1)));
}

/// Asserts the limit of OpaqueData. `message` creates a message with the given OpaqueData.
fn assert_opaque_limit<M: Message<'static> + PartialEq + Debug>(message: impl Fn(&'static [u8]) -> M) {
    let opaque: &[u8] = vec![5; MAX_OPAQUE_DATA + 1].leak();
    let buffer = vec![0; 2048].leak();
    let len = message(&opaque[1..]).encode(Version::V1_4, &SIZES, buffer).unwrap();
    let longest = &buffer[..len];
    assert!(M::decode(longest, &SIZES).is_ok(), "{}", M::CODE);
    let refused = message(opaque).encode(Version::V1_4, &SIZES, &mut vec![0; 2048]).unwrap_err();
    assert_eq!((refused.name, refused.problem), ("OpaqueDataLength", TOO_LONG), "{}", M::CODE);
    let mut longer = longest.to_vec();
    longer[refused.offset] = 1;
    longer.push(5);
    assert_eq!(M::decode(longer.leak(), &SIZES), Err(refused), "{}", M::CODE);
}

const TOO_LONG: Problem = Problem::TooLarge { max: 1024, got: 1025 };

#[test]
fn opaque_data_is_at_most_1024_bytes_long() {
    let (signature, verify_data, summary_hash) = (&[3, 3, 3], &[1, 1], &[2, 2]);
    assert_opaque_limit(|opaque| ChallengeAuth {
        chain_hash: &[1, 1],
        summary_hash,
        opaque,
        signature,
        ..Default::default()
    });
    assert_opaque_limit(|opaque| Measurements { opaque, signature, ..Default::default() });
    assert_opaque_limit(|opaque| KeyExchange { exchange_data: &[4; 4], opaque, ..Default::default() });
    assert_opaque_limit(|opaque| KeyExchangeRsp {
        exchange_data: &[4; 4],
        summary_hash,
        opaque,
        signature,
        verify_data,
        ..Default::default()
    });
    assert_opaque_limit(|opaque| Finish {
        signed: true,
        opaque,
        signature,
        verify_data,
        ..Default::default()
    });
    assert_opaque_limit(|opaque| FinishRsp { opaque, verify_data });
    assert_opaque_limit(|opaque| PskExchange { opaque, ..Default::default() });
    assert_opaque_limit(|opaque| PskExchangeRsp { summary_hash, opaque, verify_data, ..Default::default() });
    assert_opaque_limit(|opaque| PskFinish { opaque, verify_data });
    assert_opaque_limit(|opaque| PskFinishRsp { opaque });
    assert_opaque_limit(|opaque| GetCsr { opaque, ..Default::default() });
}
