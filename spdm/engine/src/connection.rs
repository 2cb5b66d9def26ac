//! What was negotiated, and what follows from it for messages.

use crate::algorithms::{Algorithms, Asym, Bits};
use crate::config::{Binding, Config, Role};
use crate::error::Refusal;
use crate::hash::Hash;
use crate::session::Opening;
use crate::transcript::{Th, Transcript};
use alloc::{vec, vec::Vec};
use grille_core::secret::erase;
use grille_spdm_codec::algorithms::OtherParams;
use grille_spdm_codec::capabilities::{CapabilityFlags, ExtCapabilityFlags, Limits};
use grille_spdm_codec::opaque::OpaqueData;
use grille_spdm_codec::{Code, CodecError, Message, Problem, Sizes, Version};

/// How far a connection is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Nothing was said.
    #[default]
    Start,
    /// After VERSION.
    Version,
    /// After CAPABILITIES.
    Capabilities,
    /// After ALGORITHMS.
    Negotiated,
}

/// What both sides know.
#[derive(Clone, Debug, Default)]
pub struct Connection {
    pub(crate) phase: Phase,
    pub(crate) version: Version,
    pub(crate) requester: Limits,
    pub(crate) responder: Limits,
    pub(crate) supported: Option<Bits>,
    pub(crate) negotiated: Option<Negotiated>,
}

/// What a pair of messages changes in the connection, once it is complete.
#[derive(Clone, Copy)]
pub(crate) enum Then {
    Nothing,
    /// The connection begins again.
    Reset,
    /// Version and capabilities are known.
    Capable {
        version: Version,
        requester: Limits,
        responder: Limits,
        supported: Option<Bits>,
    },
    /// The algorithms are known.
    Negotiated(Negotiated),
    /// Both sides share no hash: the responder answers RequestResynch until the next GET_VERSION.
    Unusable,
}

/// What ALGORITHMS says.
#[derive(Clone, Copy, Debug)]
pub struct Negotiated {
    /// The algorithms.
    pub algorithms: Algorithms,
    /// Whether measurements are of the DMTF's specification.
    pub measures: bool,
    /// Whether the measurement extension log is of the DMTF's specification (1.3).
    pub logs: bool,
    /// The format of opaque data (1.2), if there is one.
    pub opaque_format: OtherParams,
    /// Whether the responder may have a key for each slot.
    pub responder_multi_key: bool,
    /// Whether the requester may.
    pub requester_multi_key: bool,
}

impl Connection {
    /// Goes on, after the pair of messages went into `transcript`.
    pub(crate) fn apply(&mut self, then: Then, transcript: &mut Transcript) {
        match then {
            Then::Nothing | Then::Unusable => {}
            Then::Reset => *self = Self { phase: Phase::Version, ..Self::default() },
            Then::Capable { version, requester, responder, supported } => {
                let phase = Phase::Capabilities;
                *self = Self { phase, version, requester, responder, supported, negotiated: None };
            }
            Then::Negotiated(negotiated) => {
                self.phase = Phase::Negotiated;
                self.negotiated = Some(negotiated);
                transcript.begin(negotiated.algorithms.hash, self.version.byte());
            }
        }
    }

    /// How far it is.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// The version; 1.0 as long as there is none.
    #[must_use]
    pub const fn version(&self) -> Version {
        self.version
    }

    /// What ALGORITHMS said.
    #[must_use]
    pub const fn negotiated(&self) -> Option<&Negotiated> {
        self.negotiated.as_ref()
    }

    /// What the requester can do, and takes.
    #[must_use]
    pub const fn requester(&self) -> &Limits {
        &self.requester
    }

    /// What the responder can do, and takes.
    #[must_use]
    pub const fn responder(&self) -> &Limits {
        &self.responder
    }

    /// The algorithms that the responder has at all, if it was asked for them and told them (1.3): see
    /// [`Connect::with_algorithms`](crate::operations::Connect::with_algorithms). What goes together of them, ALGORITHMS says.
    #[must_use]
    pub const fn supported_algorithms(&self) -> Option<&Bits> {
        self.supported.as_ref()
    }

    /// Whether the responder has any of these capabilities.
    pub(crate) fn responder_has(&self, flags: CapabilityFlags) -> bool {
        self.responder.flags.intersects(flags)
    }

    /// Whether the requester has any of these capabilities.
    pub(crate) fn requester_has(&self, flags: CapabilityFlags) -> bool {
        self.requester.flags.intersects(flags)
    }

    /// Whether both sides have any of these capabilities.
    pub(crate) fn both_have(&self, flags: CapabilityFlags) -> bool {
        self.responder_has(flags) && self.requester_has(flags)
    }

    /// Whether a message may have this OpaqueData: since 1.2 in the format that both chose, which in format 1 is a list of elements.
    pub(crate) fn takes_opaque_data(&self, opaque: &[u8]) -> bool {
        if opaque.is_empty() || self.version < Version::V1_2 {
            return true;
        }
        match self.opaque_format() {
            OtherParams::NONE => false,
            OtherParams::OPAQUE_DATA_FORMAT_1 => OpaqueData::decode(opaque, self.version)
                .is_ok_and(|list| list.elements().all(|one| one.is_ok())),
            _ => true,
        }
    }

    /// Returns the kind of algorithm that `request` needs and ALGORITHMS left without a selection: [`Algorithms::missing_for`].
    #[must_use]
    pub fn missing_for(&self, request: Code) -> Option<&'static str> {
        self.negotiated.and_then(|negotiated| negotiated.algorithms.missing_for(request))
    }

    /// Returns the kind of the responder's signatures if ALGORITHMS selected no algorithm for them.
    pub(crate) fn missing_signature(&self) -> Option<&'static str> {
        self.negotiated.and_then(|negotiated| negotiated.algorithms.missing_signature())
    }

    /// What sessions take and the two sides have not in common, if it is anything: a way to protect records, and since 1.2 opaque data
    /// of format 1, in which they agree on a version of secured messages, DSP0277.
    pub(crate) fn lacks_for_sessions(&self) -> Option<&'static str> {
        if !self.both_have(CapabilityFlags::MAC) && !self.encrypts() {
            return Some("protection of records (ENCRYPT_CAP or MAC_CAP)");
        }
        let agree = self.version < Version::V1_2 || self.opaque_format() == OtherParams::OPAQUE_DATA_FORMAT_1;
        (!agree).then_some("format of opaque data that sessions take (OPAQUE_DATA_FORMAT_1)")
    }

    pub(crate) fn opaque_format(&self) -> OtherParams {
        self.negotiated.map_or(OtherParams::NONE, |negotiated| negotiated.opaque_format)
    }

    /// Whether FINISH comes before encryption.
    pub(crate) fn handshake_in_the_clear(&self) -> bool {
        self.both_have(CapabilityFlags::HANDSHAKE_IN_THE_CLEAR)
    }

    /// Whether records are encrypted.
    pub(crate) fn encrypts(&self) -> bool {
        self.both_have(CapabilityFlags::ENCRYPT)
    }

    /// The base hash.
    pub(crate) fn hash(&self) -> Option<&'static Hash> {
        self.negotiated.map(|negotiated| negotiated.algorithms.hash)
    }

    /// H.
    pub(crate) fn hash_len(&self) -> usize {
        self.hash().map_or(0, Hash::output_len)
    }

    /// What the responder signs with.
    pub(crate) fn asym(&self) -> Option<Asym> {
        self.negotiated.and_then(|negotiated| negotiated.algorithms.asym)
    }

    /// TH up to KEY_EXCHANGE or PSK_EXCHANGE.
    pub(crate) fn th(&self, transcript: &Transcript, opening: &Opening) -> Option<Th> {
        let multi_key = self.negotiated.is_some_and(|negotiated| negotiated.responder_multi_key);
        let digests = (multi_key && opening.chain_hash.is_some()).then(|| transcript.digests());
        Some(Th::new(transcript.vca()?, digests, opening.chain_hash.as_ref()))
    }

    /// What the requester signs with.
    pub(crate) fn req_asym(&self) -> Option<Asym> {
        self.negotiated.and_then(|negotiated| negotiated.algorithms.req_asym)
    }

    /// The layout of the responses of `role`, without signature.
    pub(crate) fn sizes(&self, role: Role) -> Sizes {
        let multi_key = self.negotiated.is_some_and(|negotiated| match role {
            Role::Responder => negotiated.responder_multi_key,
            Role::Requester => negotiated.requester_multi_key,
        });
        Sizes { hash: self.hash_len(), multi_key, ..Sizes::default() }
    }

    /// The message at the beginning of `bytes`, and its length. PCI DOE may add up to three bytes after it.
    pub(crate) fn read<'a, M: Message<'a>>(
        bytes: &'a [u8],
        sizes: &Sizes,
        binding: Binding,
    ) -> Result<(M, usize), CodecError> {
        let (message, len) = M::decode_prefix(bytes, sizes)?;
        match bytes.len() - len {
            extra if extra <= binding.trailing() => Ok((message, len)),
            extra => Err(CodecError { what: "message", offset: len, problem: Problem::Trailing { extra } }),
        }
    }
}

/// The message as bytes.
pub(crate) fn write<'a>(
    message: &impl Message<'a>,
    version: Version,
    sizes: &Sizes,
) -> Result<Vec<u8>, CodecError> {
    // most are shorter: what is kept of them is no longer than they are
    let mut short = [0; 256];
    let mut written = message.encode(version, sizes, &mut short).map(|len| short[..len].to_vec());
    // what stands there may be a session's
    erase(&mut short);
    let mut room = short.len();
    while let Err(CodecError { problem: Problem::NoRoom { needed, left }, .. }) = written {
        room += needed - left + 256;
        written = filled(room, |buffer| message.encode(version, sizes, buffer));
    }
    written
}

/// What `encode` writes into so many bytes, which says its length; nothing of what fails is kept, as it may be a session's.
pub(crate) fn filled(
    room: usize,
    encode: impl FnOnce(&mut [u8]) -> Result<usize, CodecError>,
) -> Result<Vec<u8>, CodecError> {
    let mut buffer = vec![0; room];
    match encode(&mut buffer) {
        Ok(len) => {
            buffer.truncate(len);
            Ok(buffer)
        }
        Err(error) => {
            erase(&mut buffer);
            Err(error)
        }
    }
}

/// As [`write`], of a response: what does not fit in there is this side's fault, and nothing is wrong with the request.
pub(crate) fn respond_with<'a>(
    message: &impl Message<'a>,
    version: Version,
    sizes: &Sizes,
) -> Result<Vec<u8>, Refusal> {
    write(message, version, sizes).map_err(Refusal::unwritable)
}

/// What of `limits` version `version` knows.
pub(crate) fn known(limits: &Limits, version: Version) -> Limits {
    let bits = match version {
        Version::V1_0 => 6,
        Version::V1_1 => 17,
        Version::V1_2 => 22,
        Version::V1_3 => 30,
        Version::V1_4 => 32,
    };
    let flags = CapabilityFlags(limits.flags.0 & (u32::MAX >> (32 - bits)));
    let ext_flags = if version >= Version::V1_4 { limits.ext_flags } else { ExtCapabilityFlags::NONE };
    let (data, message) = if version < Version::V1_2 {
        // nothing says how long messages may be
        (u32::MAX, u32::MAX)
    } else if flags.contains(CapabilityFlags::CHUNK) {
        (limits.data_transfer_size, limits.max_message_size)
    } else {
        // no message is longer than one transfer
        (limits.data_transfer_size, limits.data_transfer_size)
    };
    Limits { flags, ext_flags, data_transfer_size: data, max_message_size: message, ..*limits }
}

impl Config {
    /// What a side of this configuration says of itself in a version, which may not know all that it can do.
    #[must_use]
    pub fn limits_in(&self, version: Version) -> Limits {
        known(&self.limits, version)
    }

    /// Of our versions the one with this SPDMVersion.
    pub(crate) fn version(&self, byte: u8) -> Option<Version> {
        self.versions.iter().copied().find(|version| version.byte() == byte)
    }
}
