//! The negotiated connection state, and its consequences for messages.

use crate::algorithms::{Asym, Bits, NegotiatedAlgorithms};
use crate::config::{Binding, Config, Role};
use crate::hash::Hash;
use crate::pqc2021::Selected;
use crate::rules::Rules;
use crate::transcript::Transcript;
use grille_spdm_codec::algorithms::OtherParams;
use grille_spdm_codec::capabilities::{CapabilityFlags, ExtCapabilityFlags, Limits};
use grille_spdm_codec::opaque::OpaqueData;
use grille_spdm_codec::{Code, CodecError, Message, Problem, Sizes, Version};

/// The progress of connection establishment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Before VERSION.
    #[default]
    Start,
    /// After VERSION.
    Version,
    /// After CAPABILITIES.
    Capabilities,
    /// After ALGORITHMS.
    Negotiated,
}

/// The connection state that both sides share.
#[derive(Clone, Debug, Default)]
pub struct Connection {
    pub(crate) phase: Phase,
    pub(crate) rules: &'static Rules,
    pub(crate) requester: Limits,
    pub(crate) responder: Limits,
    pub(crate) supported: Option<Bits>,
    pub(crate) negotiated: Option<Negotiated>,
}

/// The change of the connection state by a completed request and response.
#[derive(Clone, Copy)]
pub(crate) enum ConnectionChange {
    Nothing,
    /// A new connection starts.
    Reset,
    /// Version and capabilities are negotiated.
    Capable {
        rules: &'static Rules,
        requester: Limits,
        responder: Limits,
        supported: Option<Bits>,
    },
    /// Algorithms are negotiated.
    Negotiated(Negotiated),
    /// The two sides share no hash. The responder answers RequestResynch until the next GET_VERSION.
    Unusable,
}

/// The contents of ALGORITHMS.
#[derive(Clone, Copy, Debug)]
pub struct Negotiated {
    /// The selected algorithms.
    pub algorithms: NegotiatedAlgorithms,
    /// Whether DMTF's measurement specification was selected.
    pub measures: bool,
    /// Whether DMTF's specification of the measurement extension log was selected (1.3).
    pub logs: bool,
    /// The selected format of opaque data (1.2), if any.
    pub opaque_format: OtherParams,
    /// Whether the responder uses a multi-key connection.
    pub responder_multi_key: bool,
    /// Whether the requester uses a multi-key connection.
    pub requester_multi_key: bool,
}

impl Connection {
    /// Applies a change. The messages that caused it are already in `transcript`.
    pub(crate) fn apply(&mut self, change: ConnectionChange, transcript: &mut Transcript) {
        match change {
            ConnectionChange::Nothing | ConnectionChange::Unusable => {}
            ConnectionChange::Reset => *self = Self { phase: Phase::Version, ..Self::default() },
            ConnectionChange::Capable { rules, requester, responder, supported } => {
                let phase = Phase::Capabilities;
                *self = Self { phase, rules, requester, responder, supported, negotiated: None };
            }
            ConnectionChange::Negotiated(negotiated) => {
                self.phase = Phase::Negotiated;
                self.negotiated = Some(negotiated);
                transcript.begin(negotiated.algorithms.hash, self.rules);
            }
        }
    }

    /// Returns the progress of connection establishment.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// Returns the negotiated version; 1.0 before negotiation.
    #[must_use]
    pub const fn version(&self) -> Version {
        self.rules.version()
    }

    /// Returns the contents of ALGORITHMS.
    #[must_use]
    pub const fn negotiated(&self) -> Option<&Negotiated> {
        self.negotiated.as_ref()
    }

    /// Returns the requester's capabilities and message limits.
    #[must_use]
    pub const fn requester(&self) -> &Limits {
        &self.requester
    }

    /// Returns the responder's capabilities and message limits.
    #[must_use]
    pub const fn responder(&self) -> &Limits {
        &self.responder
    }

    /// Returns all algorithms that the responder supports (1.3). Returns `None` unless the requester asked for them and the
    /// responder answered: see [`Connect::with_algorithms`](crate::operations::Connect::with_algorithms). ALGORITHMS decides
    /// which of them are used together.
    #[must_use]
    pub const fn supported_algorithms(&self) -> Option<&Bits> {
        self.supported.as_ref()
    }

    /// Returns whether the responder has any of these capabilities.
    pub(crate) fn responder_has(&self, flags: CapabilityFlags) -> bool {
        self.responder.flags.intersects(flags)
    }

    /// Returns whether the requester has any of these capabilities.
    pub(crate) fn requester_has(&self, flags: CapabilityFlags) -> bool {
        self.requester.flags.intersects(flags)
    }

    /// Returns whether each of the two sides has at least one of these capabilities, possibly different ones.
    pub(crate) fn both_have(&self, flags: CapabilityFlags) -> bool {
        self.responder_has(flags) && self.requester_has(flags)
    }

    /// Returns whether a message may contain this OpaqueData. Since 1.2 it must have the selected format; format 1 is a list of
    /// elements.
    pub(crate) fn takes_opaque_data(&self, opaque: &[u8]) -> bool {
        if opaque.is_empty() || !self.rules.opaque_formats {
            return true;
        }
        match self.opaque_format() {
            OtherParams::NONE => false,
            OtherParams::OPAQUE_DATA_FORMAT_1 => OpaqueData::decode(opaque, self.version())
                .is_ok_and(|list| list.elements().all(|one| one.is_ok())),
            _ => true,
        }
    }

    /// Returns the kind of algorithm that `request` needs but ALGORITHMS did not select: see [`NegotiatedAlgorithms::missing_for`].
    #[must_use]
    pub fn missing_for(&self, request: Code) -> Option<&'static str> {
        self.negotiated.and_then(|negotiated| negotiated.algorithms.missing_for(request))
    }

    /// Returns the algorithms of the tables 11 to 15, in the dialect [`crate::pqc2021`].
    pub(crate) fn pqc2021(&self) -> Option<Selected> {
        self.negotiated.and_then(|negotiated| negotiated.algorithms.pqc2021)
    }

    /// Returns `"signature algorithm for the responder"` if ALGORITHMS selected no signature algorithm for the
    /// responder.
    pub(crate) fn missing_signature(&self) -> Option<&'static str> {
        self.negotiated.and_then(|negotiated| negotiated.algorithms.missing_signature())
    }

    /// Returns a requirement of sessions that the two sides do not share, if any. Sessions need protection of records. Since 1.2
    /// they also need opaque data of format 1, which carries the version of secured messages (DSP0277).
    pub(crate) fn missing_for_sessions(&self) -> Option<&'static str> {
        if !self.both_have(CapabilityFlags::MAC) && !self.encrypts() {
            return Some("capability to protect records (ENCRYPT_CAP or MAC_CAP)");
        }
        let agree = !self.rules.opaque_formats || self.opaque_format() == OtherParams::OPAQUE_DATA_FORMAT_1;
        (!agree).then_some("opaque data format for sessions (OPAQUE_DATA_FORMAT_1)")
    }

    pub(crate) fn opaque_format(&self) -> OtherParams {
        self.negotiated.map_or(OtherParams::NONE, |negotiated| negotiated.opaque_format)
    }

    /// Returns whether the messages of session handshakes are sent in the clear.
    pub(crate) fn is_handshake_in_clear(&self) -> bool {
        self.both_have(CapabilityFlags::HANDSHAKE_IN_THE_CLEAR)
    }

    /// Returns whether records are encrypted.
    pub(crate) fn encrypts(&self) -> bool {
        self.both_have(CapabilityFlags::ENCRYPT)
    }

    /// Returns the base hash.
    pub(crate) fn hash(&self) -> Option<&'static Hash> {
        self.negotiated.map(|negotiated| negotiated.algorithms.hash)
    }

    /// Returns the length of the base hash in bytes, H in DSP0274.
    pub(crate) fn hash_len(&self) -> usize {
        self.hash().map_or(0, Hash::output_len)
    }

    /// Returns the responder's signature algorithm.
    pub(crate) fn asym(&self) -> Option<Asym> {
        self.negotiated.and_then(|negotiated| negotiated.algorithms.asym)
    }

    /// Returns the requester's signature algorithm.
    pub(crate) fn req_asym(&self) -> Option<Asym> {
        self.negotiated.and_then(|negotiated| negotiated.algorithms.req_asym)
    }

    /// Returns the field sizes of the responses of `role`, without the signature.
    pub(crate) fn sizes(&self, role: Role) -> Sizes {
        let multi_key = self.negotiated.is_some_and(|negotiated| match role {
            Role::Responder => negotiated.responder_multi_key,
            Role::Requester => negotiated.requester_multi_key,
        });
        Sizes { hash: self.hash_len(), multi_key, ..Sizes::default() }
    }

    /// Decodes the message at the start of `bytes`. Also returns its length. PCI DOE may pad it with up to three bytes.
    pub(crate) fn read<'a, M: Message<'a>>(
        bytes: &'a [u8],
        sizes: &Sizes,
        binding: Binding,
    ) -> Result<(M, usize), CodecError> {
        let (message, len) = M::decode_prefix(bytes, sizes)?;
        match bytes.len() - len {
            extra if extra <= binding.max_trailing_zeros() => Ok((message, len)),
            extra => Err(CodecError { name: "message", offset: len, problem: Problem::Trailing { extra } }),
        }
    }
}

/// Returns `limits` reduced to the fields and bits that the version defines.
pub(crate) fn defined_limits(limits: &Limits, rules: &Rules) -> Limits {
    let flags = CapabilityFlags(limits.flags.0 & (u32::MAX >> (32 - rules.capability_bits)));
    let ext_flags = if rules.ext_capabilities { limits.ext_flags } else { ExtCapabilityFlags::NONE };
    let (data, message) = if !rules.message_limits {
        // versions before 1.2 do not limit message lengths
        (u32::MAX, u32::MAX)
    } else if flags.contains(CapabilityFlags::CHUNK) {
        (limits.data_transfer_size, limits.max_message_size)
    } else {
        // without chunks a message must fit one transfer
        (limits.data_transfer_size, limits.data_transfer_size)
    };
    Limits { flags, ext_flags, data_transfer_size: data, max_message_size: message, ..*limits }
}

impl Config {
    /// Returns the limits as messages of `version` announce them, without capabilities that the version does not define.
    #[must_use]
    pub fn limits_in(&self, version: Version) -> Limits {
        defined_limits(&self.limits, self.rules(version))
    }

    /// Returns the rules of `version`.
    pub(crate) fn rules(&self, version: Version) -> &'static Rules {
        match self.pqc2021 {
            Some(_) if version == Version::V1_1 => Rules::pqc2021(),
            _ => Rules::for_version(version),
        }
    }

    /// Returns the offered version with this SPDMVersion byte.
    pub(crate) fn version(&self, byte: u8) -> Option<Version> {
        self.offered_versions().iter().copied().find(|version| version.byte() == byte)
    }
}
