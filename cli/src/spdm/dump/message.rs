//! One-line summaries of messages for `grille spdm dump`.

use super::super::algorithms::version_name;
use super::super::dialect_fields;
use super::super::measured::kind_name;
use super::super::message_fields::{
    key_operation, measurement_operation, mutual_auth_name, session_policy, slots, summary_type,
    version_number,
};
use super::super::names::{self, slot};
use super::decode::{self, read};
use super::dialect;
use crate::hex;
use crate::output::format_count;
use grille_spdm_codec::algorithms::{Aead, Dhe, Kem};
use grille_spdm_codec::bits::Bits;
use grille_spdm_codec::capabilities::{Capabilities, GetCapabilities, Limits};
use grille_spdm_codec::certificate::{Certificate, GetCertificate};
use grille_spdm_codec::challenge::{Challenge, ChallengeAuth};
use grille_spdm_codec::chunk::{Chunk, ChunkGet, ChunkResponse, ChunkSend};
use grille_spdm_codec::csr::GetCsr;
use grille_spdm_codec::digests::Digests;
use grille_spdm_codec::encapsulated::EncapsulatedResponseAck;
use grille_spdm_codec::endpoint_info::GetEndpointInfo;
use grille_spdm_codec::error::ErrorResponse;
use grille_spdm_codec::finish::Finish;
use grille_spdm_codec::hybrid::{self, HybridAsym, HybridKem};
use grille_spdm_codec::key_exchange::{KeyExchange, KeyExchangeRsp};
use grille_spdm_codec::key_pair_info::{GetKeyPairInfo, KeyPairInfo};
use grille_spdm_codec::measurements::{GetMeasurements, Measurements};
use grille_spdm_codec::negotiate::{AlgStructs, AlgType, Algorithms, NegotiateAlgorithms};
use grille_spdm_codec::psk::{PskExchange, PskExchangeRsp};
use grille_spdm_codec::respond_if_ready::RespondIfReady;
use grille_spdm_codec::set_certificate::SetCertificate;
use grille_spdm_codec::version::VersionResponse;
use grille_spdm_codec::{Code, Header, Sizes, Version};
use grille_spdm_dump::pqc2021::Layout;

/// Returns the version, a summary and the length of a message. `dialect`: the layout in the dialect of openspdm-pqc;
/// `None` in the standard.
pub(super) fn line(bytes: &[u8], sizes: &Sizes, dialect: Option<&Layout>) -> String {
    let Ok(header) = Header::decode(bytes) else { return String::new() };
    let version = Version::from_byte(header.version).map_or_else(|_| String::new(), version_name);
    let special = dialect.and_then(|layout| dialect::summary(header.code, bytes, sizes, layout));
    let summary =
        special.or_else(|| summary(header.code, bytes, sizes)).filter(|summary| !summary.is_empty());
    let summary = summary.map(|summary| format!(", {summary}")).unwrap_or_default();
    format!("{version}, {} bytes{summary}", bytes.len())
}

/// Summarizes a message by its code; `None` if it has only a header, or cannot be decoded.
fn summary(code: Code, bytes: &[u8], sizes: &Sizes) -> Option<String> {
    Some(match code {
        Code::VERSION => {
            let versions: Vec<String> = read::<VersionResponse<'_>>(bytes, sizes)?
                .entries
                .iter()
                .map(|entry| version_number(*entry))
                .collect();
            versions.join(", ")
        }
        Code::GET_CAPABILITIES => limits(&read::<GetCapabilities>(bytes, sizes)?.limits),
        Code::CAPABILITIES => limits(&read::<Capabilities<'_>>(bytes, sizes)?.limits),
        Code::NEGOTIATE_ALGORITHMS => offer_summary(&read(bytes, sizes)?),
        Code::ALGORITHMS => selection_summary(&read(bytes, sizes)?),
        Code::DIGESTS => digests(&read(bytes, sizes)?, sizes.hash),
        Code::GET_CERTIFICATE => {
            let message = read::<GetCertificate>(bytes, sizes)?;
            decode::get_certificate(message.slot, message.offset)
        }
        Code::CERTIFICATE => {
            let message = read::<Certificate<'_>>(bytes, sizes)?;
            decode::certificate(message.slot, message.portion.len(), message.remainder)
        }
        Code::CHALLENGE | Code::CHALLENGE_AUTH | Code::GET_MEASUREMENTS | Code::MEASUREMENTS => {
            attestation(code, bytes, sizes)?
        }
        Code::GET_ENDPOINT_INFO => {
            let message = read::<GetEndpointInfo>(bytes, sizes)?;
            signed_by(message.wants_signature(), message.slot)
        }
        Code::ERROR => error(&read(bytes, sizes)?),
        Code::RESPOND_IF_READY => read::<RespondIfReady>(bytes, sizes)?.request.to_string(),
        _ => return session(code, bytes, sizes).or_else(|| device(code, bytes, sizes)),
    })
}

fn attestation(code: Code, bytes: &[u8], sizes: &Sizes) -> Option<String> {
    Some(match code {
        Code::CHALLENGE => {
            let message = read::<Challenge>(bytes, sizes)?;
            format!("slot {}, {}", slot(message.slot), summary_type(message.summary_type))
        }
        Code::CHALLENGE_AUTH => {
            let message = read::<ChallengeAuth<'_>>(bytes, sizes)?;
            let mutual_request = if message.attribute & ChallengeAuth::BASIC_MUT_AUTH == 0 {
                ""
            } else {
                ", mutual authentication requested"
            };
            format!("slot {}, signed{mutual_request}", format_slot(message.attribute))
        }
        Code::GET_MEASUREMENTS => {
            let message = read::<GetMeasurements>(bytes, sizes)?;
            let raw = if message.attributes & GetMeasurements::RAW != 0 { ", raw" } else { "" };
            let pending = if message.attributes & GetMeasurements::NEW != 0 {
                ", values after the next reset"
            } else {
                ""
            };
            let signed = signed_by(message.wants_signature(), message.slot);
            format!("{}{raw}{pending}, {signed}", measurement_operation(message.operation))
        }
        _ => {
            let message = read::<Measurements<'_>>(bytes, sizes)?;
            let indexes: Vec<String> = message
                .blocks()
                .flatten()
                .map(|block| format!("{} ({})", block.index, kind_name(block.kind())))
                .collect();
            let signed = if message.signature.is_empty() { "not signed" } else { "signed" };
            match (message.total, &indexes[..]) {
                (0, []) => format!("none, {signed}"),
                (total, []) => format!("{total} in total, {signed}"),
                (_, indexes) => format!("{}, {signed}", indexes.join(", ")),
            }
        }
    })
}

/// Summarizes messages that open, keep alive and end sessions.
fn session(code: Code, bytes: &[u8], sizes: &Sizes) -> Option<String> {
    Some(match code {
        Code::KEY_EXCHANGE => {
            let message = read::<KeyExchange<'_>>(bytes, sizes)?;
            let summary = summary_type(message.summary_type);
            let policy = policy(message.policy);
            format!("slot {}, ReqSessionID {:#06x}, {summary}{policy}", slot(message.slot), message.session)
        }
        Code::KEY_EXCHANGE_RSP => {
            let message = read::<KeyExchangeRsp<'_>>(bytes, sizes)?;
            let mutual_request = match message.mut_auth & 7 {
                0 => String::new(),
                requested => format!(", {}", mutual_auth_name(requested)),
            };
            format!(
                "RspSessionID {:#06x}{}, signed{mutual_request}",
                message.session,
                heartbeat(message.heartbeat)
            )
        }
        Code::FINISH => {
            let message = read::<Finish<'_>>(bytes, sizes)?;
            if message.signed { signed_by(true, message.req_slot) } else { "not signed".to_owned() }
        }
        Code::PSK_EXCHANGE => {
            let message = read::<PskExchange<'_>>(bytes, sizes)?;
            let hint = String::from_utf8_lossy(message.hint);
            let summary = summary_type(message.summary_type);
            let policy = policy(message.policy);
            format!("hint {hint:?}, ReqSessionID {:#06x}, {summary}{policy}", message.session)
        }
        Code::PSK_EXCHANGE_RSP => {
            let message = read::<PskExchangeRsp<'_>>(bytes, sizes)?;
            format!("RspSessionID {:#06x}{}", message.session, heartbeat(message.heartbeat))
        }
        Code::KEY_UPDATE | Code::KEY_UPDATE_ACK => {
            let [_, _, operation, tag, ..] = *bytes else { return None };
            format!("{}, tag {tag:#04x}", key_operation(operation))
        }
        Code::CHUNK_SEND => chunk(&read::<ChunkSend<'_>>(bytes, sizes)?.chunk),
        Code::CHUNK_RESPONSE => chunk(&read::<ChunkResponse<'_>>(bytes, sizes)?.chunk),
        Code::CHUNK_GET => {
            let message = read::<ChunkGet>(bytes, sizes)?;
            format!("handle {}, chunk {}", message.handle, message.sequence)
        }
        Code::ENCAPSULATED_RESPONSE_ACK => {
            let message = read::<EncapsulatedResponseAck<'_>>(bytes, sizes)?;
            match (message.payload_type, message.payload) {
                (EncapsulatedResponseAck::REQ_SLOT_NUMBER, [slot, ..]) => format!("FINISH uses slot {slot}"),
                (EncapsulatedResponseAck::ABSENT, _) => "no more requests".to_owned(),
                _ => String::new(),
            }
        }
        _ => return None,
    })
}

/// Summarizes messages about the device's slots and keys.
fn device(code: Code, bytes: &[u8], sizes: &Sizes) -> Option<String> {
    Some(match code {
        Code::GET_CSR => match read::<GetCsr<'_>>(bytes, sizes)?.key_pair_id {
            0 => String::new(),
            id => format!("key pair {id}"),
        },
        Code::SET_CERTIFICATE => {
            let message = read::<SetCertificate<'_>>(bytes, sizes)?;
            let action = if message.chain.is_empty() { "erase the chain" } else { "install a chain" };
            format!("slot {}, {action}", message.slot())
        }
        Code::GET_KEY_PAIR_INFO => {
            format!("key pair {}", read::<GetKeyPairInfo>(bytes, sizes)?.key_pair_id)
        }
        Code::KEY_PAIR_INFO => {
            let message = read::<KeyPairInfo<'_>>(bytes, sizes)?;
            format!("key pair {} of {}, {}", message.key_pair_id, message.total, slots(message.slots))
        }
        _ => return None,
    })
}

fn limits(limits: &Limits) -> String {
    let flags = names::bit_names(limits.flags);
    match limits.data_transfer_size {
        0 => flags,
        size => {
            format!("{flags}; accepts {size} bytes per transfer, {} per message", limits.max_message_size)
        }
    }
}

fn offer_summary(message: &NegotiateAlgorithms<'_>) -> String {
    let parts = [
        bit_names(message.base_hash),
        bit_names(message.base_asym),
        bit_names(message.pqc_asym),
        bit_names(HybridAsym(hybrid::offered(message.ext_asym))),
    ];
    let dialect = dialect_fields::summary(&message.tables).into_iter().map(Some);
    join_parts(parts.into_iter().chain(tables(&message.tables)).chain(dialect))
}

fn selection_summary(message: &Algorithms<'_>) -> String {
    let none = |kind: &str| Some(format!("no {kind}"));
    let dialect = dialect_fields::summary(&message.tables);
    let hash = bit_names(message.base_hash).or_else(|| none("hash"));
    let hybrid = || bit_names(HybridAsym(hybrid::offered(message.ext_asym)));
    let asym = bit_names(message.base_asym).or(bit_names(message.pqc_asym)).or_else(hybrid);
    let asym = asym.or_else(|| if dialect.is_empty() { none("signature algorithm") } else { None });
    join_parts([hash, asym].into_iter().chain(tables(&message.tables)).chain(dialect.into_iter().map(Some)))
}

/// Names the classical, post-quantum and hybrid key exchanges, and the AEADs; `None` for a kind without algorithms.
fn tables(tables: &AlgStructs<'_>) -> [Option<String>; 4] {
    let bits = |kind| tables.bits(kind) as u16;
    [
        bit_names(Dhe(bits(AlgType::DHE))),
        bit_names(Kem(bits(AlgType::KEM))),
        bit_names(HybridKem(hybrid::offered(tables.external(AlgType::KEM)))),
        bit_names(Aead(bits(AlgType::AEAD))),
    ]
}

fn join_parts(parts: impl Iterator<Item = Option<String>>) -> String {
    parts.flatten().collect::<Vec<_>>().join("; ")
}

/// Returns the names of the set bits, if any bit is set.
fn bit_names(bits: impl Bits) -> Option<String> {
    (bits.to_u64() != 0).then(|| names::bit_names(bits))
}

/// Lists the start of each slot's digest.
fn digests(message: &Digests<'_>, len: usize) -> String {
    let slots = (0..8).filter(|slot| message.slots & 1 << slot != 0);
    let digests = slots.zip(message.digests.chunks(len.max(1)));
    let digests = digests.map(|(slot, digest)| {
        let begin = digest.get(..SHOWN_DIGEST_LEN).unwrap_or(digest);
        format!("slot {slot} {}…", hex::encode(begin).as_str())
    });
    digests.collect::<Vec<_>>().join(", ")
}

/// Number of digest bytes that are shown.
const SHOWN_DIGEST_LEN: usize = 8;

fn error(ErrorResponse { code, data, extended }: &ErrorResponse<'_>) -> String {
    let separator = if extended.is_empty() { "" } else { ", " };
    format!("{code} ({data:#04x}{separator}{})", *hex::encode(extended))
}

fn chunk(chunk: &Chunk<'_>) -> String {
    let last = if chunk.last { ", the last" } else { "" };
    let size = if chunk.sequence == 0 { format!(" of {}", chunk.large_size) } else { String::new() };
    let data = format_count(chunk.data.len(), "byte");
    format!("handle {}, chunk {}, {data}{size}{last}", chunk.handle, chunk.sequence)
}

fn signed_by(signed: bool, field: u8) -> String {
    if signed { format!("signed by slot {}", format_slot(field)) } else { "not signed".to_owned() }
}

/// Formats a 4-bit slot number, where 0xF is the provisioned public key.
fn format_slot(field: u8) -> String {
    slot(if field & 0xF == 0xF { 0xFF } else { field & 0xF })
}

fn heartbeat(seconds: u8) -> String {
    if seconds == 0 { String::new() } else { format!(", a heartbeat every {seconds} s") }
}

fn policy(policy: u8) -> String {
    if policy == 0 { String::new() } else { format!(", {}", session_policy(policy)) }
}
