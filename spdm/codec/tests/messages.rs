//! Tests of every message in every version: round trips, truncations and alterations.

use crate::common::{Generator, Random};
use core::fmt::Debug;
use grille_spdm_codec::code::{CODES, Code};
use grille_spdm_codec::wire::{Field, Observer};
use grille_spdm_codec::{CodecError, Message, Problem, Sizes, Version, messages};
use std::collections::BTreeSet;

/// Lengths for SHA-256, ECDSA P-256 and secp256r1.
const SIZES: Sizes =
    Sizes { hash: 32, signature: 64, exchange_data: 64, summary_hash: 32, verify_data: 32, multi_key: true };

/// Messages whose last field has no length of its own, so that it takes all bytes up to the end.
const OPEN_ENDED: &[Code] = &[
    Code::CHUNK_SEND_ACK,
    Code::ENCAPSULATED_REQUEST,
    Code::DELIVER_ENCAPSULATED_RESPONSE,
    Code::ENCAPSULATED_RESPONSE_ACK,
    Code::SET_CERTIFICATE,
    Code::SEND_EVENT,
    Code::SLOT_MANAGEMENT,
    Code::SLOT_MANAGEMENT_RESP,
    Code::ERROR,
];

/// A check of one message and its encoding. The bytes are leaked, so that messages can borrow them.
trait Check {
    fn check<M: Message<'static> + PartialEq + Debug>(
        &mut self,
        m: M,
        bytes: &'static [u8],
        version: Version,
    );
}

/// Checks `count` messages of type `M` in every version.
fn check_type<M: Message<'static> + PartialEq + Debug>(check: &mut impl Check, count: usize) {
    let mut random = Random(u64::from(M::CODE.0));
    let pool: Vec<u8> = (0..4096).map(|_| random.next() as u8).collect();
    let mut generator = Generator::new(pool.leak(), random.next());
    for version in Version::ALL {
        for _ in 0..count {
            let message: M = generator.message(version, &SIZES);
            let mut buffer = vec![0xff; 4096];
            let len = message.encode(version, &SIZES, &mut buffer).unwrap();
            buffer.truncate(len);
            check.check(message, buffer.leak(), version);
        }
    }
}

/// Checks `count` messages of every type in every version.
fn check_all_types(check: &mut impl Check, count: usize) {
    use grille_spdm_codec::*;
    macro_rules! each {
        ($($message:ty,)*) => { $(check_type::<$message>(check, count);)* };
    }
    each! {
        digests::GetDigests, digests::Digests<'_>,
        certificate::GetCertificate, certificate::Certificate<'_>,
        challenge::Challenge, challenge::ChallengeAuth<'_>,
        version::GetVersion, version::VersionResponse<'_>,
        chunk::ChunkSend<'_>, chunk::ChunkSendAck<'_>, chunk::ChunkGet, chunk::ChunkResponse<'_>,
        endpoint_info::GetEndpointInfo, endpoint_info::EndpointInfo<'_>,
        slot_management::SlotManagement<'_>, slot_management::SlotManagementResp<'_>,
        measurements::GetMeasurements, measurements::Measurements<'_>,
        capabilities::GetCapabilities, capabilities::Capabilities<'_>,
        events::GetSupportedEventTypes, events::SupportedEventTypes<'_>,
        negotiate::NegotiateAlgorithms<'_>, negotiate::Algorithms<'_>,
        key_exchange::KeyExchange<'_>, key_exchange::KeyExchangeRsp<'_>,
        finish::Finish<'_>, finish::FinishRsp<'_>,
        psk::PskExchange<'_>, psk::PskExchangeRsp<'_>, psk::PskFinish<'_>, psk::PskFinishRsp<'_>,
        heartbeat::Heartbeat, heartbeat::HeartbeatAck,
        key_update::KeyUpdate, key_update::KeyUpdateAck,
        encapsulated::GetEncapsulatedRequest, encapsulated::EncapsulatedRequest<'_>,
        encapsulated::DeliverEncapsulatedResponse<'_>, encapsulated::EncapsulatedResponseAck<'_>,
        end_session::EndSession, end_session::EndSessionAck,
        csr::GetCsr<'_>, csr::Csr<'_>,
        set_certificate::SetCertificate<'_>, set_certificate::SetCertificateRsp,
        mel::GetMeasurementExtensionLog, mel::MeasurementExtensionLog<'_>,
        events::SubscribeEventTypes<'_>, events::SubscribeEventTypesAck,
        events::SendEvent<'_>, events::EventAck,
        key_pair_info::GetKeyPairInfo, key_pair_info::KeyPairInfo<'_>,
        key_pair_info::SetKeyPairInfo<'_>, key_pair_info::SetKeyPairInfoAck,
        vendor::VendorDefinedRequest<'_>, vendor::VendorDefinedResponse<'_>,
        respond_if_ready::RespondIfReady, error::ErrorResponse<'_>,
    }
}

#[derive(Default)]
struct RoundTrip {
    seen: BTreeSet<Code>,
}

impl Check for RoundTrip {
    fn check<M: Message<'static> + PartialEq + Debug>(
        &mut self,
        m: M,
        bytes: &'static [u8],
        version: Version,
    ) {
        self.seen.insert(M::CODE);
        assert_eq!(M::decode(bytes, &SIZES), Ok(m), "{version:?} {bytes:02x?}");
        let mut encoded = vec![0; bytes.len()];
        assert_eq!(messages::transcode(bytes, &SIZES, &mut encoded), Ok((bytes.len(), bytes.len())));
        assert_eq!(encoded, bytes);
    }
}

#[test]
fn messages_round_trip() {
    let mut check = RoundTrip::default();
    check_all_types(&mut check, 100);
    let codes = CODES.iter().flat_map(|row| [row.request, row.response]).flatten();
    assert_eq!(check.seen, codes.map(|(code, _)| code).collect());
}

struct Truncations;

impl Check for Truncations {
    fn check<M: Message<'static> + PartialEq + Debug>(
        &mut self,
        m: M,
        bytes: &'static [u8],
        version: Version,
    ) {
        for len in 0..bytes.len() {
            match M::decode(&bytes[..len], &SIZES) {
                Ok(shorter) => {
                    assert!(OPEN_ENDED.contains(&M::CODE) && shorter != m, "{} of {bytes:02x?}", M::CODE);
                    let mut encoded = vec![0; len];
                    assert_eq!(shorter.encode(version, &SIZES, &mut encoded), Ok(len));
                    assert_eq!(encoded, bytes[..len]);
                }
                Err(error) => {
                    assert!(error.offset <= len, "{error}");
                    let truncated =
                        matches!(error.problem, Problem::Truncated { needed, left } if left < needed);
                    assert!(truncated || OPEN_ENDED.contains(&M::CODE), "{}: {error}", M::CODE);
                }
            }
        }
    }
}

#[test]
fn rejects_every_truncation() {
    check_all_types(&mut Truncations, 8);
}

struct Trailing;

impl Check for Trailing {
    fn check<M: Message<'static> + PartialEq + Debug>(&mut self, m: M, bytes: &'static [u8], _: Version) {
        let longer = [bytes, &[0, 0]].concat().leak();
        let decoded = M::decode(longer, &SIZES);
        if let Err(CodecError { problem: Problem::TooLarge { .. }, .. }) = decoded {
            assert!(OPEN_ENDED.contains(&M::CODE), "{}", M::CODE);
        } else if let Err(error) = decoded {
            assert_eq!(
                error,
                CodecError { name: "message", offset: bytes.len(), problem: Problem::Trailing { extra: 2 } }
            );
            assert_eq!(M::decode_prefix(longer, &SIZES), Ok((m, bytes.len())));
        } else {
            assert!(OPEN_ENDED.contains(&M::CODE) && decoded != Ok(m), "{}", M::CODE);
        }
    }
}

#[test]
fn rejects_trailing_bytes_except_padding() {
    check_all_types(&mut Trailing, 20);
}

struct SmallBuffers;

impl Check for SmallBuffers {
    fn check<M: Message<'static> + PartialEq + Debug>(
        &mut self,
        m: M,
        bytes: &'static [u8],
        version: Version,
    ) {
        for len in 0..bytes.len() {
            let error = m.encode(version, &SIZES, &mut vec![0; len]).unwrap_err();
            let no_room = matches!(error.problem, Problem::NoRoom { needed, left } if left < needed);
            assert!(no_room, "{}: {error}", M::CODE);
        }
    }
}

#[test]
fn rejects_too_small_buffers() {
    check_all_types(&mut SmallBuffers, 4);
}

struct Contiguous(usize);

impl Observer<'_> for Contiguous {
    fn field(&mut self, field: Field<'_>) {
        assert_eq!(field.offset, self.0, "before {}", field.name);
        assert!(!field.bytes.is_empty() && !field.name.is_empty());
        self.0 += field.bytes.len();
    }
}

struct Observed;

impl Check for Observed {
    fn check<M: Message<'static> + PartialEq + Debug>(&mut self, _: M, bytes: &'static [u8], _: Version) {
        let mut fields = Contiguous(2);
        assert_eq!(messages::observe(bytes, &SIZES, &mut fields), Ok(bytes.len()));
        assert_eq!(fields.0, bytes.len());
    }
}

#[test]
fn fields_cover_every_byte_once() {
    check_all_types(&mut Observed, 20);
}

/// Checks that decoding and encoding fail if one length in [`Sizes`] differs from the message's length, unless the
/// message has no field of that length.
struct OtherSizes;

impl Check for OtherSizes {
    fn check<M: Message<'static> + PartialEq + Debug>(
        &mut self,
        m: M,
        bytes: &'static [u8],
        version: Version,
    ) {
        let others = [
            Sizes { hash: 33, ..SIZES },
            Sizes { signature: 65, ..SIZES },
            Sizes { exchange_data: 65, ..SIZES },
            Sizes { summary_hash: 33, ..SIZES },
            Sizes { verify_data: 33, ..SIZES },
        ];
        for sizes in others {
            let mut buffer = vec![0; bytes.len() + 8];
            match m.encode(version, &sizes, &mut buffer) {
                Ok(len) => assert_eq!((&buffer[..len], M::decode(bytes, &sizes)), (bytes, Ok(m))),
                Err(error) => {
                    let wrong = matches!(error.problem, Problem::Length { expected, got } if expected > got);
                    assert!(wrong, "{}: {error}", M::CODE);
                    assert!(M::decode(bytes, &sizes).is_err(), "{}", M::CODE);
                }
            }
        }
    }
}

#[test]
fn rejects_every_wrong_length() {
    check_all_types(&mut OtherSizes, 20);
}

/// Checks that messages with altered bytes round-trip if they can be decoded.
struct AlteredMessages(Random);

impl Check for AlteredMessages {
    fn check<M: Message<'static> + PartialEq + Debug>(&mut self, _: M, bytes: &'static [u8], _: Version) {
        let mut altered = bytes.to_vec();
        for _ in 0..=self.0.below(3) {
            let at = self.0.below(bytes.len());
            altered[at] = self.0.next() as u8;
        }
        altered.truncate(self.0.below(2 * bytes.len()));
        let (mut first, mut second) = (vec![0; 0x1_0000], vec![0; 0x1_0000]);
        let Ok((_, len)) = messages::transcode(&altered, &SIZES, &mut first) else { return };
        assert_eq!(messages::transcode(&first[..len], &SIZES, &mut second), Ok((len, len)));
        assert_eq!(first, second, "{altered:02x?}");
    }
}

#[test]
fn altered_messages_round_trip_if_decodable() {
    check_all_types(&mut AlteredMessages(Random(1)), 200);
}

#[test]
fn docs_list_every_pair() {
    let page = include_str!("../../../docs/guide/src/25-spdm-manual.md");
    for row in CODES {
        let pair: Vec<_> = [row.request, row.response].into_iter().flatten().map(|(_, name)| name).collect();
        let line = format!("| {} | {}.{} |", pair.join(", "), row.since >> 4, row.since & 0xF);
        assert!(page.contains(&line), "{line}");
    }
}
