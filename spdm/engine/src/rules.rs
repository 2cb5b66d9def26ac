//! The rules of a protocol version: everything in which versions differ, in one value.
//!
//! [`Rules::for_version`] returns the row of a version, and [`Rules::pqc2021`] the row of a dialect. The connection stores its row until
//! the next VERSION, and all other code reads that row. Layouts of messages belong to `grille-spdm-codec`, which has its own
//! table of first versions.

use crate::session_id::SessionId;
use crate::session_policy as policy;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::key_exchange::session_id;
use grille_spdm_codec::negotiate::AlgType;
use grille_spdm_codec::{Code, Version};

/// The rules of one protocol version.
#[derive(Debug, PartialEq, Eq)]
pub struct Rules {
    pub(crate) version: Version,
    pub(crate) signatures: SignatureInput,
    /// Whether L1/L2, and M1/M2 of the requester, start with VCA (1.2). M1/M2 of the responder always does.
    pub(crate) every_transcript_has_vca: bool,
    pub(crate) key_schedule: KeyScheduleRules,
    /// The number of capability bits that the version defines.
    pub(crate) capability_bits: u32,
    /// Whether CAPABILITIES has ExtFlags (1.4).
    pub(crate) ext_capabilities: bool,
    /// Whether CAPABILITIES limits the lengths of messages (1.2).
    pub(crate) message_limits: bool,
    /// Whether CAPABILITIES can list the supported algorithms (1.3).
    pub(crate) supported_algorithms: bool,
    /// The largest ChunkSeqNo; `None` without chunks (before 1.2).
    pub(crate) last_chunk: Option<u32>,
    /// The types of the algorithm structures, ascending.
    pub(crate) alg_types: &'static [AlgType],
    /// Whether PqcAsymAlgo exists (1.4), and with it hybrids: see [`crate::hybrid`].
    pub(crate) pqc_asym: bool,
    /// Whether the format of opaque data is negotiated (1.2).
    pub(crate) opaque_formats: bool,
    /// Whether requests name key pairs and certificate models, and several keys may be in use (1.3).
    pub(crate) key_pairs: bool,
    /// Whether there are measurement extension logs (1.3).
    pub(crate) measurement_logs: bool,
    /// Whether GET_CERTIFICATE can ask for the size of a chain only (1.3).
    pub(crate) chain_sizes: bool,
    /// Whether chains and vendor-defined data may exceed 64 KiB (1.4).
    pub(crate) large_fields: bool,
    /// Whether GET_MEASUREMENTS names a slot (1.1). Without one, slot 0 signs.
    pub(crate) measurement_slots: bool,
    /// Whether measurements may be requested as a raw bit stream (1.2).
    pub(crate) raw_measurements: bool,
    /// Whether MEASUREMENTS reports changed contents (1.2).
    pub(crate) reports_changes: bool,
    /// Whether measurements after the next reset may be requested (1.3).
    pub(crate) pending_measurements: bool,
    /// The bits of SessionPolicy, see [`policy`].
    pub(crate) session_policies: u8,
    /// Whether ENCAPSULATED_RESPONSE_ACK repeats the RequestID (1.2).
    pub(crate) acknowledged_ids: bool,
    /// The error for GET_ENCAPSULATED_REQUEST if there is no request.
    pub(crate) nothing_to_encapsulate: ErrorCode,
    /// Whether ReqSessionID is the upper half of the session ID (`pqc2021`).
    pub(crate) requester_id_is_upper: bool,
    /// Whether the tables 11 to 15 are negotiated (`pqc2021`).
    pub(crate) pqc2021_tables: bool,
    /// Whether GET_CERTIFICATE has 32-bit lengths after two empty fields (`pqc2021`).
    pub(crate) wide_certificates: bool,
    /// Whether large messages are sent in fragments (`pqc2021`).
    pub(crate) fragments: bool,
    /// Whether slot 0xFF has keys without certificates, which are bound into no transcript (`pqc2021`).
    pub(crate) raw_keys: bool,
    /// Whether TH has the hash of the certificates alone, without the header of the chain (`pqc2021`).
    pub(crate) th_without_chain_header: bool,
}

/// The bytes that a signature covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SignatureInput {
    /// The transcript's hash, signed directly as a digest.
    Hash,
    /// A prefix with version and context, and the transcript's hash, as a message (1.2).
    Prefixed,
    /// The transcript's hash for a classical part, and the messages themselves for a post-quantum part (`pqc2021`).
    WholeMessages,
}

/// The parameters of the key schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KeyScheduleRules {
    /// The version as it is written in labels, such as "spdm1.2 ".
    pub(crate) label: [u8; 8],
    /// The byte that is repeated in salt_0 for a pre-shared key. For a key exchange, salt_0 is zero.
    pub(crate) psk_salt: u8,
    /// Whether the arguments of the HMAC of the Handshake-Secret are swapped: the shared secret is the key (`pqc2021`).
    pub(crate) secret_is_key: bool,
}

const V1_0: Rules = Rules {
    version: Version::V1_0,
    signatures: SignatureInput::Hash,
    every_transcript_has_vca: false,
    key_schedule: KeyScheduleRules { label: *b"spdm1.0 ", psk_salt: 0, secret_is_key: false },
    capability_bits: 6,
    ext_capabilities: false,
    message_limits: false,
    supported_algorithms: false,
    last_chunk: None,
    alg_types: &[],
    pqc_asym: false,
    opaque_formats: false,
    key_pairs: false,
    measurement_logs: false,
    chain_sizes: false,
    large_fields: false,
    measurement_slots: false,
    raw_measurements: false,
    reports_changes: false,
    pending_measurements: false,
    session_policies: 0,
    acknowledged_ids: false,
    nothing_to_encapsulate: ErrorCode::UNEXPECTED_REQUEST,
    requester_id_is_upper: false,
    pqc2021_tables: false,
    wide_certificates: false,
    fragments: false,
    raw_keys: false,
    th_without_chain_header: false,
};

const V1_1: Rules = Rules {
    version: Version::V1_1,
    key_schedule: KeyScheduleRules { label: *b"spdm1.1 ", psk_salt: 0, secret_is_key: false },
    capability_bits: 17,
    alg_types: &[AlgType::DHE, AlgType::AEAD, AlgType::REQ_BASE_ASYM, AlgType::KEY_SCHEDULE],
    measurement_slots: true,
    ..V1_0
};

const V1_2: Rules = Rules {
    version: Version::V1_2,
    signatures: SignatureInput::Prefixed,
    every_transcript_has_vca: true,
    key_schedule: KeyScheduleRules { label: *b"spdm1.2 ", psk_salt: 0, secret_is_key: false },
    capability_bits: 22,
    message_limits: true,
    last_chunk: Some(u16::MAX as u32),
    opaque_formats: true,
    raw_measurements: true,
    reports_changes: true,
    session_policies: policy::SURVIVES_UPDATES,
    acknowledged_ids: true,
    ..V1_1
};

const V1_3: Rules = Rules {
    version: Version::V1_3,
    key_schedule: KeyScheduleRules { label: *b"spdm1.3 ", psk_salt: 0xFF, secret_is_key: false },
    capability_bits: 30,
    supported_algorithms: true,
    key_pairs: true,
    measurement_logs: true,
    chain_sizes: true,
    pending_measurements: true,
    session_policies: policy::SURVIVES_UPDATES | policy::ALL_EVENTS,
    nothing_to_encapsulate: ErrorCode::NO_PENDING_REQUESTS,
    ..V1_2
};

const V1_4: Rules = Rules {
    version: Version::V1_4,
    key_schedule: KeyScheduleRules { label: *b"spdm1.4 ", psk_salt: 0xFF, secret_is_key: false },
    capability_bits: 32,
    ext_capabilities: true,
    last_chunk: Some(u32::MAX),
    alg_types: &[
        AlgType::DHE,
        AlgType::AEAD,
        AlgType::REQ_BASE_ASYM,
        AlgType::KEY_SCHEDULE,
        AlgType::REQ_PQC_ASYM,
        AlgType::KEM,
    ],
    pqc_asym: true,
    large_fields: true,
    ..V1_3
};

/// The dialect of openspdm-pqc (2021), see [`crate::pqc2021`].
const PQC2021: Rules = Rules {
    signatures: SignatureInput::WholeMessages,
    key_schedule: KeyScheduleRules { label: *b"spdm1.1 ", psk_salt: 0, secret_is_key: true },
    requester_id_is_upper: true,
    pqc2021_tables: true,
    wide_certificates: true,
    fragments: true,
    raw_keys: true,
    th_without_chain_header: true,
    ..V1_1
};

impl Rules {
    /// Returns the rules of the dialect of openspdm-pqc (2021), which is SPDM 1.1 with other messages and keys.
    #[must_use]
    pub const fn pqc2021() -> &'static Self {
        &PQC2021
    }

    /// Returns the ID of the session with this ReqSessionID and RspSessionID.
    #[must_use]
    pub fn session_id(&self, req: u16, rsp: u16) -> SessionId {
        if self.requester_id_is_upper { session_id(rsp, req) } else { session_id(req, rsp) }
    }

    /// Returns the rules of a version of DSP0274.
    #[must_use]
    pub const fn for_version(version: Version) -> &'static Self {
        match version {
            Version::V1_0 => &V1_0,
            Version::V1_1 => &V1_1,
            Version::V1_2 => &V1_2,
            Version::V1_3 => &V1_3,
            Version::V1_4 => &V1_4,
        }
    }

    /// Returns the version.
    #[must_use]
    pub const fn version(&self) -> Version {
        self.version
    }

    /// Returns whether transcripts must store their messages, in addition to the hash.
    pub(crate) const fn keeps_messages(&self) -> bool {
        matches!(self.signatures, SignatureInput::WholeMessages)
    }

    /// Returns whether the version has this request.
    pub(crate) fn has(&self, request: Code) -> bool {
        request.row().map_or(0, |row| row.since) <= self.version.byte()
    }
}

impl From<Version> for &'static Rules {
    fn from(version: Version) -> Self {
        Rules::for_version(version)
    }
}

impl Default for &'static Rules {
    /// Returns the rules before negotiation, which are those of 1.0.
    fn default() -> Self {
        &V1_0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_their_own_version() {
        for version in Version::ALL {
            let rules = Rules::for_version(version);
            assert_eq!(rules.version(), version);
            let digit = b'0' + (version.byte() & 0xF);
            assert_eq!(rules.key_schedule.label, [b's', b'p', b'd', b'm', b'1', b'.', digit, b' ']);
            assert!(rules.alg_types.is_sorted());
        }
    }

    #[test]
    fn only_the_dialect_has_the_requesters_id_above() {
        assert_eq!(Rules::pqc2021().session_id(0x1234, 0xABCD), 0x1234_ABCD);
        for version in Version::ALL {
            assert_eq!(Rules::for_version(version).session_id(0x1234, 0xABCD), 0xABCD_1234);
        }
    }

    #[test]
    fn later_versions_have_more_requests_and_capabilities() {
        let all = Version::ALL.map(Rules::for_version);
        assert!(all.is_sorted_by_key(|rules| rules.capability_bits));
        assert!(!all[2].has(Code::GET_KEY_PAIR_INFO) && all[3].has(Code::GET_KEY_PAIR_INFO));
        assert!(!all[0].has(Code::KEY_EXCHANGE) && all[1].has(Code::KEY_EXCHANGE));
    }
}
