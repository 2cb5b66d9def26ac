//! Points in time, as durations since the Unix epoch (the start of 1970 in UTC). Programs without an operating system
//! can supply such durations, too.

use alloc::string::{String, ToString};
use core::time::Duration;
use der::DateTime;

/// Returns the current time of the operating system's clock, as a duration since the Unix epoch. Returns zero if the
/// clock is set to an earlier time.
#[cfg(feature = "std")]
#[must_use]
pub fn now() -> Duration {
    let system = std::time::SystemTime::now();
    system.duration_since(std::time::SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO)
}

/// Formats a time since the Unix epoch as in RFC 3339, such as `2026-11-21T13:00:00Z`. Formats a time after the year
/// 9999 in seconds.
#[must_use]
pub fn format_time(since: Duration) -> String {
    DateTime::from_unix_duration(since).map_or_else(|_| since.as_secs().to_string(), |time| time.to_string())
}
