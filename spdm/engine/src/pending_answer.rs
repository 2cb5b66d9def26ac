//! Answers of a requester to encapsulated requests, until they are sent.

use crate::message_buffer::MessageBuffer;
use crate::proof::Proof;
use crate::transcript::Covered;
use alloc::boxed::Box;

/// The requester's answer to an encapsulated request, until it is sent. Each session has its own, and the connection has
/// another for requests outside sessions, because several requests may be outstanding at once.
#[derive(Default)]
pub(crate) enum PendingAnswer {
    #[default]
    None,
    Ready(MessageBuffer),
    /// An answer that this side's key has not signed yet.
    Unsigned(Box<UnsignedAnswer>),
}

/// An answer without its proof.
pub(crate) struct UnsignedAnswer {
    pub(crate) body: MessageBuffer,
    pub(crate) proof: Proof,
    pub(crate) covered: Covered,
}
