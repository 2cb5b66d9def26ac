//! Points in time, as the UTC duration since the start of 1970. Boards without an operating system can supply them,
//! too.

use alloc::string::{String, ToString};
use core::time::Duration;
use der::DateTime;

/// Returns the current time of the operating system's clock, or 1970 if the clock is set earlier.
#[cfg(feature = "std")]
#[must_use]
pub fn now() -> Duration {
    let system = std::time::SystemTime::now();
    system.duration_since(std::time::SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO)
}

/// Formats a time since 1970 as in RFC 3339, such as `2026-11-21T13:00:00Z`; after the year 9999, as seconds.
#[must_use]
pub fn format_time(since: Duration) -> String {
    DateTime::from_unix_duration(since).map_or_else(|_| since.as_secs().to_string(), |time| time.to_string())
}
