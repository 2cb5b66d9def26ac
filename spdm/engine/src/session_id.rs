//! The ID of a session.

/// A session ID: RspSessionID in the upper half, ReqSessionID in the lower.
pub type SessionId = u32;
