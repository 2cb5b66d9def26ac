//! The reason and target of a refusal.

use grille_spdm_codec::CodecError;
use grille_spdm_codec::capability_rules::Contradiction;

/// The target of a provisioning request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The slot number.
    Slot(u8),
    /// The KeyPairID.
    KeyPair(u8),
}

/// The reason for a refusal: an error in the request, or a fault of the side that refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// A field is malformed.
    Malformed(CodecError),
    /// The request came outside sessions, and the environment is not trusted for provisioning.
    Outside,
    /// The algorithm has no slot with this number, or the slot has no key pair.
    NoSlot,
    /// No bank has this BankID.
    NoBank,
    /// The device does not support this SubCode of SLOT_MANAGEMENT.
    SubCode,
    /// Erase was requested with a chain, or a chain is missing without Erase.
    Erase,
    /// KeyPairID is not that of the slot, belongs to a key pair of another algorithm, or is named although the
    /// connection is not multi-key.
    KeyPair,
    /// The slot or the connection does not allow the certificate model.
    Model,
    /// The chain's Length is wrong, or a certificate cannot be parsed.
    Chain,
    /// RootHash is not the hash of the root certificate in the chain.
    RootHash,
    /// A certificate is not signed by the previous one.
    Signature,
    /// The leaf certificate is not for the slot's key.
    Key,
    /// A chain of the alias model does not end in the CA that certified the device's alias.
    AliasCa,
    /// The leaf certificate cannot authenticate a device. The text is a predicate whose subject is the certificate.
    Profile(&'static str),
    /// CSRTrackingTag was never issued, or is combined with Overwrite.
    TrackingTag,
    /// The key pair does not exist.
    NoKeyPair,
    /// The operation does not exist, or the key pair does not support it.
    Operation,
    /// The key pair does not support this key usage.
    Usage,
    /// The key pair does not support the algorithm, or several are named.
    Algorithm,
    /// The key pair cannot be assigned to these slots.
    Slots,
    /// The key pair is in a slot, so its key cannot change.
    InSlot,
    /// The algorithm for a key to generate is missing.
    NothingToGenerate,
    /// A slot already has another key of this algorithm.
    SlotTaken,
    /// The requester's capabilities or message limits contradict each other.
    Capabilities(Contradiction),
    /// GET_CAPABILITIES asks for the supported algorithms without CHUNK_CAP.
    NoChunks,
    /// The two sides have no algorithm of this kind in common.
    NoAlgorithm(&'static str),
    /// The two sides have no common value for this requirement of sessions: a format of OpaqueData, or a capability to
    /// protect records.
    NoSessions(&'static str),
    /// The two sides have no version of secured messages in common.
    NoSecuredVersion,
    /// The device refused with this reason.
    Device(&'static str),
    /// A fault of the device or configuration, which prevents an answer.
    Fault(&'static str),
    /// A field of the answer cannot be encoded.
    Answer(CodecError),
    /// The key of the side that refuses failed.
    Signer(grille_core::Error),
}
