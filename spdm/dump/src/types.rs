//! Plain values in entries: senders, containers, reasons and counts.

/// The sender of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The requester.
    Requester,
    /// The responder.
    Responder,
}

impl Side {
    /// Returns the other side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Requester => Self::Responder,
            Self::Responder => Self::Requester,
        }
    }
}

/// Why an MCTP message is incomplete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IncompleteReason {
    /// Another message with the same source, destination and tag started.
    Replaced,
    /// A packet out of order arrived.
    OutOfTurn,
    /// The capture ended.
    AtTheEnd,
}

/// The container of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// A packet or a record.
    Packet,
    /// The chunks of several messages.
    Chunks,
    /// The fragments of several messages, in the dialect of openspdm-pqc.
    Fragments,
    /// Another message: an encapsulated request, or the response to it.
    Message,
}

/// Why a record is not decrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndecryptedReason {
    /// No secret of the record's session is known.
    NoSecret,
    /// The known keys of the record's session do not decrypt it.
    WrongKey,
}

/// The number of sessions with records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sessions {
    /// All sessions with records.
    pub sealed: usize,
    /// Sessions whose records were all decrypted.
    pub opened: usize,
    /// Sessions with decrypted and undecrypted records.
    pub partly: usize,
}
