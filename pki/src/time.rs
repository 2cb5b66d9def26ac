//! Points in time: how much of it has passed since 1970 began, in UTC; a board without an operating system has a clock too.

use core::time::Duration;
use std::time::SystemTime;

/// Now, by the operating system's clock; 1970 if that stands before it.
#[must_use]
pub fn now() -> Duration {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO)
}
