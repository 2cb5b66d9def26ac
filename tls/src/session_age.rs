//! The maximum age of a session, for clients and servers.

use std::time::Duration;

/// Default maximum age of a session: a day, counted from its full handshake.
pub const DEFAULT_MAX_SESSION_AGE: Duration = Duration::from_hours(24);
