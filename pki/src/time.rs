//! Points in time: how much of it has passed since 1970 began, in UTC; a board without an operating system has a clock too.

use alloc::string::{String, ToString};
use core::time::Duration;
use der::DateTime;

/// Now, by the operating system's clock; 1970 if that stands before it.
#[cfg(feature = "std")]
#[must_use]
pub fn now() -> Duration {
    let system = std::time::SystemTime::now();
    system.duration_since(std::time::SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO)
}

/// A time since 1970 as RFC 3339 writes it, such as `2026-11-21T13:00:00Z`; in seconds if that is after the year 9999.
#[must_use]
pub fn moment(since: Duration) -> String {
    DateTime::from_unix_duration(since).map_or_else(|_| since.as_secs().to_string(), |time| time.to_string())
}
