//! What goes wrong: a request that the responder refuses, a response that the requester does not accept.

use crate::chain::ChainError;
use crate::identity::PROVISIONED;
use crate::objection::{Reason, Target};
use crate::records::RecordError;
use alloc::{vec, vec::Vec};
use core::fmt;
use grille_spdm_codec::error::{ErrorCode, ErrorResponse};
use grille_spdm_codec::{Code, CodecError, Message, Sizes, Version};

/// Why the responder answers ERROR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// ErrorCode.
    pub code: ErrorCode,
    /// ErrorData.
    pub data: u8,
    extended: [u8; 4],
    extended_len: usize,
    ends_session: bool,
    reason: Option<Reason>,
    target: Option<Target>,
}

impl Refusal {
    /// Without data.
    #[must_use]
    pub const fn new(code: ErrorCode) -> Self {
        Self::with_data(code, 0)
    }

    /// With ErrorData.
    #[must_use]
    pub const fn with_data(code: ErrorCode, data: u8) -> Self {
        Self {
            code,
            data,
            extended: [0; 4],
            extended_len: 0,
            ends_session: false,
            reason: None,
            target: None,
        }
    }

    /// UnsupportedRequest.
    #[must_use]
    pub const fn unsupported(request: Code) -> Self {
        Self::with_data(ErrorCode::UNSUPPORTED_REQUEST, request.0)
    }

    /// With ExtendedErrorData, of which at most four bytes are taken.
    #[must_use]
    pub(crate) fn extended(code: ErrorCode, bytes: &[u8]) -> Self {
        let mut refusal = Self::new(code);
        for (to, from) in refusal.extended.iter_mut().zip(bytes) {
            *to = *from;
            refusal.extended_len += 1;
        }
        refusal
    }

    /// For this reason, which the requester is not told: [`crate::responder::Responder::take_objection`].
    #[must_use]
    pub const fn because(self, reason: Reason) -> Self {
        Self { reason: Some(reason), ..self }
    }

    /// Of what the request provisions.
    #[must_use]
    pub(crate) const fn about(self, target: Target) -> Self {
        Self { target: Some(target), ..self }
    }

    /// Why, if that was said.
    pub(crate) const fn reason(&self) -> Option<Reason> {
        self.reason
    }

    /// What the request provisions.
    pub(crate) const fn target(&self) -> Option<Target> {
        self.target
    }

    /// And the session that it is sent in is over.
    #[must_use]
    pub(crate) const fn ending_session(self) -> Self {
        Self { ends_session: true, ..self }
    }

    /// Whether the session that it is sent in is over.
    pub(crate) const fn ends_session(&self) -> bool {
        self.ends_session
    }

    /// The message ERROR.
    #[must_use]
    pub fn to_message(self, version: Version) -> Vec<u8> {
        let extended = &self.extended[..self.extended_len];
        let error = ErrorResponse { code: self.code, data: self.data, extended };
        let mut message = vec![0; 8];
        // four bytes of header and as many of data fit; no other way to fail is left
        let len = error.encode(version, &Sizes::default(), &mut message).unwrap_or(4);
        message.truncate(len);
        message
    }
}

impl From<CodecError> for Refusal {
    fn from(error: CodecError) -> Self {
        Reason::Malformed(error).into()
    }
}

/// InvalidRequest, for this reason.
impl From<Reason> for Refusal {
    fn from(reason: Reason) -> Self {
        Self::new(ErrorCode::INVALID_REQUEST).because(reason)
    }
}

impl From<grille_core::Error> for Refusal {
    fn from(_: grille_core::Error) -> Self {
        Self::new(ErrorCode::UNSPECIFIED)
    }
}

/// Why the requester gave up, sorted by whose fault it is.
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
    },
    /// The response is not what its code says.
    Malformed {
        /// The request.
        request: Code,
        /// What is wrong where.
        error: CodecError,
    },
    /// ERROR came in the clear where a secured message was awaited. Who sent it nobody knows: the session is as it was.
    Unprotected {
        /// The request.
        request: Code,
        /// ErrorCode.
        code: ErrorCode,
    },
    /// This side answered ERROR to what the responder asked, and that was the end of it.
    Unanswered {
        /// The responder's request.
        request: Code,
        /// ErrorCode.
        code: ErrorCode,
    },
    /// The response answers another request.
    Unexpected {
        /// The request.
        request: Code,
        /// The code of what came.
        got: Code,
    },
    /// The response says what the standard or the request does not allow.
    Violation {
        /// The request.
        request: Code,
        /// What is wrong.
        violation: Violation,
    },
    /// The signature is wrong: this is not the device that it says it is, or messages were altered.
    Signature {
        /// The request.
        request: Code,
    },
    /// The MAC is wrong: both sides have different keys or saw different messages.
    VerifyData {
        /// The request.
        request: Code,
    },
    /// A secured message was refused.
    Record(RecordError),
    /// The certificate chain cannot be read.
    Chain(ChainError),
    /// The certificate chain is not trusted.
    Untrusted(grille_pki::Error),
    /// The two sides have nothing in common.
    NothingInCommon {
        /// Of what, such as `"SPDM version"`.
        what: &'static str,
    },
    /// The responder was not ready, or busy, longer than [`crate::config::Config::patience`] allows.
    NotReady {
        /// The request.
        request: Code,
    },
    /// The message is longer than the responder takes.
    TooLong {
        /// The request.
        request: Code,
        /// Its length in bytes.
        len: usize,
        /// What the responder takes.
        max: usize,
    },
    /// The caller asked for something at the wrong time.
    Usage(Usage),
    /// A key of ours failed.
    Key(grille_core::Error),
}

/// What a response says wrongly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Violation {
    /// Another SPDMVersion than was negotiated.
    Version,
    /// Capabilities that contradict each other.
    Capabilities,
    /// An algorithm that was not offered, or none where one is needed.
    Algorithms,
    /// A slot that was not asked for, or is empty.
    Slot,
    /// A certificate model that the slot or the connection cannot have.
    Model,
    /// A key of slot 0 that is for nothing of the standard's.
    KeyUsage,
    /// A chain that does not have the digest that was announced.
    ChainDigest,
    /// The hash of another public key than was provisioned.
    PublicKey,
    /// A portion that does not fit the chain.
    Portion,
    /// A measurement block that cannot be read, or is missing.
    Measurements,
    /// Another context than the request had.
    Context,
    /// A session number that is in use.
    SessionId,
    /// No version of secured messages that was offered.
    SecuredVersion,
    /// A heartbeat that was not negotiated.
    Heartbeat,
    /// Opaque data in no format that was negotiated.
    OpaqueData,
    /// Another key pair than was asked about, or one that there is not.
    KeyPair,
    /// A message of another standard or vendor than the request's.
    Vendor,
    /// A chunk out of order, or of the wrong length.
    Chunk,
    /// Mutual authentication that was not negotiated, or is not possible.
    MutualAuthentication,
    /// The operation or the tag of KEY_UPDATE comes back changed, or under a key that it should have replaced.
    KeyUpdate,
    /// Encapsulated requests without end.
    Encapsulated,
    /// Another AckRequestID than the RequestID of the answer that is acknowledged.
    RequestId,
    /// ExtendedErrorData that does not fit the error.
    ErrorData,
}

/// What the caller cannot ask for now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Usage {
    /// Version, capabilities and algorithms are not negotiated yet.
    NotConnected,
    /// The peer, or this side, has not the capability, or the version has not the request.
    NoCapability {
        /// The request.
        request: Code,
    },
    /// No certificate chain or public key of this slot is known.
    NoChain {
        /// The slot.
        slot: u8,
    },
    /// The key of this slot is for other uses: KeyUsageMask.
    KeyUse {
        /// The slot.
        slot: u8,
    },
    /// There is no session with this number.
    NoSession {
        /// The number.
        session: u32,
    },
    /// The request is for sessions only.
    NotInSession {
        /// The request.
        request: Code,
    },
    /// The request does not come in sessions, or not before their handshake is over.
    InSession {
        /// The request.
        request: Code,
    },
    /// The requester of this session subscribed to no events, or to none any more.
    NotSubscribed {
        /// The number.
        session: u32,
    },
    /// The session's keys are being updated: [`crate::operations::Update`] is to be run to its end before.
    Updating {
        /// The number.
        session: u32,
    },
    /// A response came when none was awaited.
    NothingAsked,
    /// This side has no key for what the peer asks.
    NoKey,
    /// This side's key takes longer to sign than the message can wait for.
    KeyNotReady,
    /// The value does not fit the message.
    Value(CodecError),
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
            Self::Refused { request, code, data: 0 } => write!(f, "the responder refused {request}: {code}"),
            Self::Refused { request, code, data } => {
                write!(f, "the responder refused {request}: {code} ({data:#04x})")
            }
            Self::Unprotected { request, code } => {
                write!(f, "{request} in a session was answered in the clear, perhaps by someone else: {code}")
            }
            Self::Unanswered { request, code } => {
                write!(f, "this side refused the responder's {request}: {code}")
            }
            Self::Malformed { request, error } => {
                write!(f, "the response to {request} is malformed: {error}")
            }
            Self::Unexpected { request, got } => write!(f, "{request} was answered with {got}"),
            Self::Violation { request, violation } => {
                write!(f, "the response to {request} is not allowed: {violation}")
            }
            Self::Signature { request } => write!(f, "the signature in the response to {request} is wrong"),
            Self::VerifyData { request } => write!(f, "the MAC in the response to {request} is wrong"),
            Self::Record(error) => error.fmt(f),
            Self::Chain(error) => error.fmt(f),
            Self::Untrusted(error) => error.fmt(f),
            Self::NothingInCommon { what } => write!(f, "both sides have no {what} in common"),
            Self::NotReady { request } => write!(f, "the responder had no time for {request}"),
            Self::TooLong { request, len, max } => {
                write!(f, "{request} has {len} bytes, the responder takes {max}")
            }
            Self::Usage(usage) => usage.fmt(f),
            Self::Key(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for Error {}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Version => "another version than was negotiated",
            Self::Capabilities => "capabilities that contradict each other",
            Self::Algorithms => "an algorithm that was not offered, or none where one is needed",
            Self::Slot => "a slot that was not asked for, or is empty",
            Self::Model => "a certificate model that the slot or the connection cannot have",
            Self::KeyUsage => "a key in slot 0 that is for no use of the standard's",
            Self::PublicKey => "the hash of another public key than the one known beforehand",
            Self::ChainDigest => "a certificate chain without the digest that was announced",
            Self::Portion => "a portion that does not fit the certificate chain",
            Self::Measurements => "a measurement block that cannot be read, or is missing",
            Self::Context => "another context than the request had",
            Self::SessionId => "a session number that is in use",
            Self::SecuredVersion => "no version of secured messages that was offered",
            Self::Heartbeat => "a heartbeat that was not negotiated",
            Self::OpaqueData => "opaque data in no format that was negotiated",
            Self::KeyPair => "another key pair than was asked about, or one that there is not",
            Self::Vendor => "a message of another standard or vendor than the request's",
            Self::Chunk => "a chunk out of order, or of the wrong length",
            Self::MutualAuthentication => "mutual authentication that was not negotiated, or is not possible",
            Self::KeyUpdate => "another operation, tag or key than the request asked for",
            Self::Encapsulated => "encapsulated requests without end",
            Self::RequestId => "the acknowledgement of another encapsulated response",
            Self::ErrorData => "error data that does not fit the error",
        })
    }
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotConnected => f.write_str("nothing is negotiated yet; connect first"),
            Self::NoCapability { request } => write!(f, "{request} was not negotiated between the two sides"),
            Self::NoChain { slot: PROVISIONED } => {
                f.write_str("the public key of slot 0xFF is not known; it is to be provisioned")
            }
            Self::NoChain { slot } => {
                write!(f, "the certificate chain of slot {slot} is not known; fetch it first")
            }
            Self::KeyUse { slot } => write!(f, "the key of slot {slot} is for other uses"),
            Self::NoSession { session } => write!(f, "there is no session {session:#010x}"),
            Self::NotInSession { request } => write!(f, "{request} goes in sessions only; name one"),
            Self::InSession { request } => {
                write!(f, "{request} does not come in a session, or not before its handshake is over")
            }
            Self::NotSubscribed { session } => {
                write!(f, "in session {session:#010x} nobody wants to hear of events")
            }
            Self::Updating { session } => {
                write!(
                    f,
                    "the keys of session {session:#010x} are being updated; finish that first, or end it"
                )
            }
            Self::NothingAsked => f.write_str("a response came when none was awaited"),
            Self::NoKey => f.write_str("this side has no key to authenticate with"),
            Self::KeyNotReady => f.write_str("this side's key was not ready to sign; try again"),
            Self::Value(error) => error.fmt(f),
        }
    }
}
