//! Errors of the requester, and refusals by the responder.

use crate::chain::ChainError;
use crate::records::RecordError;
pub use crate::refusal::Refusal;
use crate::slot_number::PROVISIONED;
use alloc::vec::Vec;
use core::fmt;
use grille_spdm_codec::capability_rules::Contradiction;
use grille_spdm_codec::error::{ErrorCode, ErrorResponse, VendorError};
use grille_spdm_codec::vendor::STANDARDS;
use grille_spdm_codec::{Code, CodecError};

/// Why an operation failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The responder answered ERROR.
    Refused {
        /// The request.
        request: Code,
        /// ErrorCode.
        code: ErrorCode,
        /// ErrorData.
        data: u8,
        /// ExtendedErrorData, up to 32 bytes. [`Error::vendor`] parses the data of VendorDefined. On PCI DOE up to
        /// three zeros may follow if the code does not determine the length.
        extended: Vec<u8>,
    },
    /// The response cannot be decoded.
    Malformed {
        /// The request.
        request: Code,
        /// The faulty field and the problem.
        error: CodecError,
    },
    /// ERROR was received in the clear instead of a secured message. Its sender is unknown, so the session does not change.
    Unprotected {
        /// The request.
        request: Code,
        /// ErrorCode.
        code: ErrorCode,
    },
    /// Application data was answered with an SPDM message.
    NoApplication {
        /// The code of the received message.
        got: Code,
        /// ErrorCode, if the message is ERROR.
        code: Option<ErrorCode>,
    },
    /// The requester refused the responder's encapsulated request with ERROR. The request is over.
    RefusedByRequester {
        /// The responder's request.
        request: Code,
        /// ErrorCode.
        code: ErrorCode,
    },
    /// The response belongs to another request.
    Unexpected {
        /// The request.
        request: Code,
        /// The code of the received message.
        got: Code,
    },
    /// The response violates the standard, the negotiation or the request.
    Violation {
        /// The request.
        request: Code,
        /// The violation.
        violation: Violation,
    },
    /// The signature is invalid: the peer is not the device that it claims to be, or messages were altered.
    Signature {
        /// The request.
        request: Code,
        /// Whether a response was lost or rejected earlier. If so, the transcripts of both sides may differ, see
        /// [`crate::requester::Requester::abandon`]. Repeat the request: the next signature covers equal transcripts.
        missed: bool,
    },
    /// The MAC is invalid: both sides have different keys or different transcripts.
    VerifyData {
        /// The request.
        request: Code,
    },
    /// A secured message was rejected.
    Record(RecordError),
    /// The certificate chain cannot be parsed.
    Chain(ChainError),
    /// The certificate chain is not trusted.
    Untrusted(grille_pki::Error),
    /// The two sides have no value of a required kind in common.
    NothingInCommon {
        /// The kind of value, such as `"SPDM version"`.
        kind: &'static str,
    },
    /// The responder was busy or not ready for longer than [`crate::config::Config::patience`].
    NotReady {
        /// The request.
        request: Code,
    },
    /// The message exceeds the responder's limit.
    TooLong {
        /// The request.
        request: Code,
        /// The message's length in bytes.
        len: usize,
        /// The responder's limit in bytes.
        max: usize,
    },
    /// The caller made an invalid request.
    Usage(Usage),
    /// This side's key failed.
    Key(grille_core::Error),
}

/// A violation in a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Violation {
    /// SPDMVersion is not the negotiated one.
    Version,
    /// Capabilities that contradict each other.
    Capabilities(Contradiction),
    /// An algorithm was not offered, or several of one kind were selected.
    Algorithms,
    /// The slot is empty, or is not the requested one.
    Slot,
    /// The slot or the connection does not allow the certificate model.
    Model,
    /// The key of slot 0 has none of the standard's key usages.
    KeyUsage,
    /// The chain's digest is not the one in DIGESTS.
    ChainDigest,
    /// The hash in the response is not that of the provisioned public key.
    PublicKey,
    /// The portion does not fit the chain or log.
    Portion,
    /// A measurement block is missing or malformed.
    Measurements,
    /// The context in the response differs from the one in the request.
    Context,
    /// The session ID is in use.
    SessionId,
    /// The selected version of secured messages was not offered.
    SecuredVersion,
    /// HeartbeatPeriod is not 0, although the two sides do not both have HBEAT_CAP.
    Heartbeat,
    /// The opaque data is not in the negotiated format.
    OpaqueData,
    /// The key pair does not exist, or is not the requested one.
    KeyPair,
    /// The standard or vendor in the response differs from the one in the request.
    Vendor,
    /// A chunk is out of order or has the wrong length.
    Chunk,
    /// Mutual authentication was not negotiated or is not possible.
    MutualAuthentication,
    /// KEY_UPDATE_ACK has another operation or tag than KEY_UPDATE, or is protected with the old key.
    KeyUpdate,
    /// The event groups do not match their count, or have an unregistered standard or vendor.
    EventTypes,
    /// Too many encapsulated requests.
    Encapsulated,
    /// AckRequestID is not RequestID of the acknowledged response.
    RequestId,
    /// ExtendedErrorData does not fit the ErrorCode.
    ErrorData,
}

/// An invalid request of the caller, or one at the wrong time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Usage {
    /// Version, capabilities and algorithms are not negotiated yet.
    NotConnected,
    /// A side lacks the capability, or the version does not define the request.
    NoCapability {
        /// The request.
        request: Code,
    },
    /// The two sides have the capability, but share no algorithm or format that the request needs.
    NothingInCommon {
        /// The request.
        request: Code,
        /// The kind of algorithm or format that the two sides do not share.
        kind: &'static str,
    },
    /// The certificate chain or public key of this slot is unknown.
    NoChain {
        /// The slot.
        slot: u8,
    },
    /// KeyUsageMask of this slot does not permit the request.
    KeyUsage {
        /// The slot.
        slot: u8,
    },
    /// No session has this ID.
    NoSession {
        /// The session ID.
        session: u32,
    },
    /// The request is allowed only in sessions.
    NotInSession {
        /// The request.
        request: Code,
    },
    /// The request is not allowed in sessions, or not before the handshake is complete.
    InSession {
        /// The request.
        request: Code,
    },
    /// The peer is not subscribed to events in this session.
    NotSubscribed {
        /// The session ID.
        session: u32,
    },
    /// The queue of encapsulated requests is full.
    QueueFull {
        /// The capacity of the queue.
        max: usize,
    },
    /// The session's keys are being updated. Complete [`crate::operations::UpdateKeys`] first.
    Updating {
        /// The session ID.
        session: u32,
    },
    /// The peer would take the application data for an SPDM message: it has SPDM's type, or the transport has no types in
    /// records.
    LooksLikeSpdm,
    /// The caller passed a response while none was expected.
    NoResponseExpected,
    /// The operation waits for a response, not for a signature.
    NoSignaturePending,
    /// The operation is already complete or failed.
    OperationEnded,
    /// This side does not have the key that the peer requested.
    NoKey,
    /// This side has no pre-shared key with this hint: [`crate::identity::Identity::with_psk`].
    NoPsk,
    /// This side cannot verify certificate chains: [`crate::responder::Responder::with_chain_verifier`].
    NoChainVerifier,
    /// This side's signer did not complete the signature within [`crate::config::Config::patience`].
    KeyNotReady {
        /// RDTExponent of the signer, from [`crate::signatures::Signer::ready_exponent`].
        exponent: u8,
    },
    /// The configured capabilities contradict each other: [`crate::config::Config::check`].
    Capabilities(Contradiction),
    /// On a multi-key connection the request lacks a key pair or certificate model, or on another connection it has
    /// one: [`crate::operations::FetchCsr::for_key_pair`].
    KeyPair {
        /// The request.
        request: Code,
    },
    /// [`crate::pqc2021::Form::Plain`] has no tables for the configured KEM authentication.
    SevenTables,
    /// A value does not fit the message.
    Value(CodecError),
    /// The events are invalid, or their instance IDs are not consecutive.
    Events,
    /// An event group has an unregistered standard or vendor, or there are too many groups.
    EventTypes,
}

impl From<RecordError> for Error {
    fn from(error: RecordError) -> Self {
        Self::Record(error)
    }
}

impl From<ChainError> for Error {
    fn from(error: ChainError) -> Self {
        Self::Chain(error)
    }
}

impl From<Usage> for Error {
    fn from(usage: Usage) -> Self {
        Self::Usage(usage)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { request, code, data, extended } => {
                write!(f, "the responder refused {request}: {code}")?;
                write_error_data(f, &ErrorResponse { code: *code, data: *data, extended })
            }
            Self::Unprotected { request, code } => {
                write!(
                    f,
                    "{request} in a session was answered in the clear, possibly by someone else: {code}"
                )
            }
            Self::NoApplication { code: Some(code), .. } => {
                write!(f, "the responder refused application data: {code}")
            }
            Self::NoApplication { got, code: None } => write!(f, "application data was answered with {got}"),
            Self::RefusedByRequester { request, code } => {
                write!(f, "this side refused the responder's {request}: {code}")
            }
            Self::Malformed { request, error } => {
                write!(f, "the response to {request} is malformed: {error}")
            }
            Self::Unexpected { request, got } => write!(f, "{request} was answered with {got}"),
            Self::Violation { request, violation } => {
                write!(f, "the response to {request} is invalid: {violation}")
            }
            Self::Signature { request, missed } => {
                write!(f, "the signature in the response to {request} is invalid")?;
                f.write_str(if *missed { "; an earlier response was lost, so try again" } else { "" })
            }
            Self::VerifyData { request } => write!(f, "the MAC in the response to {request} is invalid"),
            Self::Record(error) => error.fmt(f),
            Self::Chain(error) => error.fmt(f),
            Self::Untrusted(error) => error.fmt(f),
            Self::NothingInCommon { kind } => write!(f, "the two sides have no {kind} in common"),
            Self::NotReady { request } => {
                write!(f, "the responder was not ready to answer {request} in time")
            }
            Self::TooLong { request, len, max } => {
                write!(f, "{request} has {len} bytes, but the responder accepts at most {max}")
            }
            Self::Usage(usage) => usage.fmt(f),
            Self::Key(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for Error {}

/// Writes the data of ERROR, in brackets.
fn write_error_data(f: &mut fmt::Formatter<'_>, error: &ErrorResponse<'_>) -> fmt::Result {
    if let Some(VendorError { vendor_id, data }) = error.vendor() {
        match STANDARDS.get(usize::from(error.data)) {
            Some(standard) => write!(f, " ({}", standard.name)?,
            None => write!(f, " (standard {:#04x}", error.data)?,
        }
        return write!(f, "{}{})", Hex(", vendor ", vendor_id), Hex(": ", data));
    }
    match (error.data, error.size()) {
        (_, Some(size)) => write!(f, " ({size} bytes)"),
        (0, None) if error.extended.is_empty() => Ok(()),
        (data, None) => write!(f, " ({data:#04x}{})", Hex(", ", error.extended)),
    }
}

/// Bytes as hexadecimal digits after a prefix; nothing if there are none.
struct Hex<'b>(&'static str, &'b [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.1.is_empty() {
            return Ok(());
        }
        f.write_str(self.0)?;
        self.1.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Error {
    /// Returns whether the responder may have appended the response to its transcripts, although the requester did not.
    pub(crate) const fn may_desync_transcripts(&self) -> bool {
        matches!(
            self,
            Self::Malformed { .. }
                | Self::Unprotected { .. }
                | Self::Unexpected { .. }
                | Self::Violation { .. }
                | Self::Record(_)
                | Self::Chain(_)
                | Self::Untrusted(_)
        )
    }

    /// Returns ErrorData and the error of another standard or of a vendor, if this is ERROR VendorDefined. ErrorData is
    /// an index into [`STANDARDS`], unless the standard is unknown.
    #[must_use]
    pub fn vendor(&self) -> Option<(u8, VendorError<'_>)> {
        let Self::Refused { code, data, extended, .. } = self else { return None };
        Some((*data, ErrorResponse { code: *code, data: *data, extended }.vendor()?))
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Version => "SPDMVersion is not the negotiated one",
            Self::Capabilities(wrong) => {
                return write!(f, "the capabilities contradict each other: {wrong}");
            }
            Self::Algorithms => "an algorithm was not offered, or several of one kind were selected",
            Self::Slot => "the slot is empty or was not requested",
            Self::Model => "the slot or the connection does not allow this certificate model",
            Self::KeyUsage => "the key of slot 0 has none of the standard's key usages",
            Self::PublicKey => "the hash is not that of the provisioned public key",
            Self::ChainDigest => "the certificate chain does not have the announced digest",
            Self::Portion => "the portion does not fit the certificate chain or log",
            Self::Measurements => "a measurement block is missing or malformed",
            Self::Context => "the context differs from the request's",
            Self::SessionId => "the session ID is already in use",
            Self::SecuredVersion => "the selected version of secured messages was not offered",
            Self::Heartbeat => "HeartbeatPeriod is not 0, although the two sides do not both have HBEAT_CAP",
            Self::OpaqueData => "the opaque data is not in the negotiated format",
            Self::KeyPair => "the key pair does not exist or was not requested",
            Self::Vendor => "the standard or vendor differs from the request's",
            Self::Chunk => "a chunk is out of order or has the wrong length",
            Self::MutualAuthentication => "mutual authentication was not negotiated or is not possible",
            Self::KeyUpdate => "the operation, tag or key is not the requested one",
            Self::EventTypes => "the event groups are invalid",
            Self::Encapsulated => "there are too many encapsulated requests",
            Self::RequestId => "the acknowledgement is for another encapsulated response",
            Self::ErrorData => "the error data does not fit the error code",
        })
    }
}

impl core::error::Error for Usage {}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotConnected => f.write_str("no connection is negotiated yet; connect first"),
            Self::NoCapability { request } => write!(f, "the two sides did not negotiate support for {request}"),
            Self::NothingInCommon { request, kind } => {
                write!(f, "{request} cannot be sent: the two sides have no {kind} in common")
            }
            Self::NoChain { slot: PROVISIONED } => {
                f.write_str("the public key of slot 0xFF is not known; provision it first")
            }
            Self::NoChain { slot } => {
                write!(f, "the certificate chain of slot {slot} is not known; fetch it first")
            }
            Self::KeyUsage { slot } => write!(f, "the key usage of slot {slot} does not permit this request"),
            Self::QueueFull { max } => {
                write!(f, "{max} encapsulated requests already wait for the requester")
            }
            Self::NoSession { session } => write!(f, "there is no session {session:#010x}"),
            Self::NotInSession { request } => write!(f, "{request} is allowed only in a session; specify one"),
            Self::InSession { request } => {
                write!(f, "{request} is not allowed in a session, or only after its handshake is complete")
            }
            Self::NotSubscribed { session } => {
                write!(f, "the peer is not subscribed to events in session {session:#010x}")
            }
            Self::Updating { session } => {
                write!(
                    f,
                    "the keys of session {session:#010x} are being updated; complete the update or end the session"
                )
            }
            Self::NoResponseExpected => f.write_str("a response was given while none was expected"),
            Self::LooksLikeSpdm => f.write_str(
                "the peer would take the data for an SPDM message; use another message type, or VENDOR_DEFINED_REQUEST",
            ),
            Self::NoSignaturePending => f.write_str("the operation waits for a response, not for a signature"),
            Self::OperationEnded => f.write_str("the operation has already ended; start another"),
            Self::NoKey => f.write_str("this side has no key to authenticate with"),
            Self::KeyNotReady { .. } => f.write_str("this side's key was not ready to sign in time; try again"),
            Self::NoPsk => f.write_str("this side has no pre-shared key with this hint"),
            Self::NoChainVerifier => f.write_str("this side has no verifier for certificate chains"),
            Self::Capabilities(wrong) => {
                write!(f, "this side's capabilities contradict each other: {wrong}")
            }
            Self::KeyPair { request } => write!(
                f,
                "{request} must name a key pair and a model on multi-key connections, and only there"
            ),
            Self::SevenTables => f.write_str(
                "the form with seven algorithm tables cannot carry KEM authentication; use nine tables, or do not offer KEM authentication",
            ),
            Self::Value(error) => error.fmt(f),
            Self::Events => {
                f.write_str("the events are invalid, or their instance IDs are not consecutive")
            }
            Self::EventTypes => f.write_str("an event group has an unregistered standard or vendor, or there are more than 255 groups"),
        }
    }
}
