//! What goes wrong: a request that the responder refuses, a response that the requester does not accept.

use crate::chain::ChainError;
use crate::identity::PROVISIONED;
use crate::records::RecordError;
pub use crate::refusal::Refusal;
use alloc::vec::Vec;
use core::fmt;
use grille_spdm_codec::capability_rules::Contradiction;
use grille_spdm_codec::error::{ErrorCode, ErrorResponse, VendorError};
use grille_spdm_codec::vendor::STANDARDS;
use grille_spdm_codec::{Code, CodecError};

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
        /// ExtendedErrorData, up to 32 bytes: of VendorDefined, what [`Error::vendor`] reads. On PCI DOE up to three zeros may
        /// follow where the code does not say how long it is.
        extended: Vec<u8>,
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
    /// What an application said was answered with a message of SPDM's.
    NoApplication {
        /// The code of what came.
        got: Code,
        /// ErrorCode, if that is ERROR.
        code: Option<ErrorCode>,
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
        /// Or both sides remember different messages, because an answer was lost or not taken since the connection began: see
        /// [`crate::requester::Requester::abandon`]. The next signature is right then.
        missed: bool,
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
    Capabilities(Contradiction),
    /// An algorithm that was not offered, or several of one kind.
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
    /// Event groups that are not as many as is said, or of nobody who could have registered them.
    EventTypes,
    /// Encapsulated requests without end.
    Encapsulated,
    /// Another AckRequestID than the RequestID of the answer that is acknowledged.
    RequestId,
    /// ExtendedErrorData that does not fit the error.
    ErrorData,
}

/// What the caller cannot ask for, or not now.
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
    /// Both sides have the capability, and not in common what the request takes beside it.
    NothingInCommon {
        /// The request.
        request: Code,
        /// What they lack.
        what: &'static str,
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
    /// The other side subscribed to no events in this session, or to none any more.
    NotSubscribed {
        /// The number.
        session: u32,
    },
    /// So many questions wait already for the requester to let itself be asked.
    TooManyQuestions {
        /// How many there may be.
        most: usize,
    },
    /// The session's keys are being updated: [`crate::operations::Update`] is to be run to its end before.
    Updating {
        /// The number.
        session: u32,
    },
    /// What an application says would be taken for a message of SPDM's: it has that type, or the transport has no types in records.
    TakenForSpdm,
    /// A response came when none was awaited.
    NothingAsked,
    /// The operation awaits a response, and no signature of this side's key.
    NothingToSign,
    /// The operation is over: it is done, or failed.
    Over,
    /// This side has no key for what the peer asks.
    NoKey,
    /// This side has no key under this name that the peer has too: [`crate::identity::Identity::with_psk`].
    NoPsk,
    /// Nobody on this side says whose chains are believed: [`crate::responder::Responder::with_judge`].
    NoJudge,
    /// This side's key takes longer to sign than the message can wait for.
    KeyNotReady {
        /// What [`crate::signatures::Signer::ready_exponent`] says of it.
        exponent: u8,
    },
    /// What the configuration would say of this side contradicts itself: [`crate::config::Config::check`].
    Capabilities(Contradiction),
    /// The request names no key pair, or no model, where the connection has several keys, or one where it has one:
    /// [`crate::operations::FetchCsr::of_key_pair`].
    KeyPair {
        /// The request.
        request: Code,
    },
    /// The value does not fit the message.
    Value(CodecError),
    /// There are no such events, or their instances do not follow each other.
    Events,
    /// Nobody can have registered such event groups, or there are too many.
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
                told(f, &ErrorResponse { code: *code, data: *data, extended })
            }
            Self::Unprotected { request, code } => {
                write!(f, "{request} in a session was answered in the clear, perhaps by someone else: {code}")
            }
            Self::NoApplication { code: Some(code), .. } => {
                write!(f, "the responder refused application data: {code}")
            }
            Self::NoApplication { got, code: None } => write!(f, "application data was answered with {got}"),
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
            Self::Signature { request, missed } => {
                write!(f, "the signature in the response to {request} is wrong")?;
                f.write_str(if *missed { "; an answer was missed before, so ask once more" } else { "" })
            }
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

/// What ERROR says beside its code, in brackets.
fn told(f: &mut fmt::Formatter<'_>, error: &ErrorResponse<'_>) -> fmt::Result {
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

/// Bytes as digits behind a text; nothing if there are none.
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
    /// Whether the answer that it is about may be in the responder's transcripts, and is in none of the requester's.
    pub(crate) const fn misses(&self) -> bool {
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

    /// What the responder refused with, if that is an error of another standard's or of a vendor's; the number of the standard is
    /// the index into [`STANDARDS`], or none that is known.
    #[must_use]
    pub fn vendor(&self) -> Option<(u8, VendorError<'_>)> {
        let Self::Refused { code, data, extended, .. } = self else { return None };
        Some((*data, ErrorResponse { code: *code, data: *data, extended }.vendor()?))
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Version => "another version than was negotiated",
            Self::Capabilities(wrong) => {
                return write!(f, "capabilities that contradict each other: {wrong}");
            }
            Self::Algorithms => "an algorithm that was not offered, or several of one kind",
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
            Self::EventTypes => "event groups that cannot be",
            Self::Encapsulated => "encapsulated requests without end",
            Self::RequestId => "the acknowledgement of another encapsulated response",
            Self::ErrorData => "error data that does not fit the error",
        })
    }
}

impl core::error::Error for Usage {}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotConnected => f.write_str("nothing is negotiated yet; connect first"),
            Self::NoCapability { request } => write!(f, "{request} was not negotiated between the two sides"),
            Self::NothingInCommon { request, what } => {
                write!(f, "{request} cannot be sent: both sides have no {what} in common")
            }
            Self::NoChain { slot: PROVISIONED } => {
                f.write_str("the public key of slot 0xFF is not known; it is to be provisioned")
            }
            Self::NoChain { slot } => {
                write!(f, "the certificate chain of slot {slot} is not known; fetch it first")
            }
            Self::KeyUse { slot } => write!(f, "the key of slot {slot} is for other uses"),
            Self::TooManyQuestions { most } => {
                write!(f, "{most} questions wait already for the requester to let itself be asked")
            }
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
            Self::TakenForSpdm => f.write_str(
                "it would be taken for a message of SPDM's; another type carries it, or VENDOR_DEFINED_REQUEST",
            ),
            Self::NothingToSign => f.write_str("the operation awaits a response, and no signature"),
            Self::Over => f.write_str("the operation is over; start another"),
            Self::NoKey => f.write_str("this side has no key to authenticate with"),
            Self::KeyNotReady { .. } => f.write_str("this side's key was not ready to sign; try again"),
            Self::NoPsk => f.write_str("this side has no key under this hint"),
            Self::NoJudge => f.write_str("nobody on this side says whose chains are believed"),
            Self::Capabilities(wrong) => {
                write!(f, "this side's capabilities contradict each other: {wrong}")
            }
            Self::KeyPair { request } => write!(
                f,
                "{request} names a key pair and a model where the connection has several keys, and only there"
            ),
            Self::Value(error) => error.fmt(f),
            Self::Events => {
                f.write_str("there are no such events, or their instances do not follow each other")
            }
            Self::EventTypes => f.write_str("event groups that nobody can have registered, or more than 255"),
        }
    }
}
