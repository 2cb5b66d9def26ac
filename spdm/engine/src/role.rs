//! The two sides of a connection.

/// A side of the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The side that sends requests.
    Requester,
    /// The side that answers requests.
    Responder,
}

impl Role {
    pub(crate) const fn other(self) -> Self {
        match self {
            Self::Requester => Self::Responder,
            Self::Responder => Self::Requester,
        }
    }
}
