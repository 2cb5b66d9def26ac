//! File descriptors: each connection needs two, one for the client and one for the service.
//!
//! A client accepted with the last descriptor would be reset after its handshake, because none is left for the
//! service. The proxy therefore accepts no more connections than the process limit allows, and stops accepting while
//! the system has no descriptor left.

use crate::options::{Limits, Options};
use std::io;

/// Maximum number of concurrent requests for metrics. A further request aborts the oldest one, so that idle connections
/// do not delay a health check.
pub(crate) const MAX_REQUESTS: usize = 32;

/// Descriptors per connection.
const PER_CONNECTION: u64 = 2;

/// Descriptors for other purposes: standard streams, listeners, tokio, logs, reloaded files, the resolver.
const RESERVED: u64 = 32;

/// Number of connections that the limit of open files allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Capacity {
    /// Number of connections, at least 1 and at most [`Limits::connections`].
    pub(crate) connections: usize,
    /// The limit of open files, if it allows fewer connections than [`Limits::connections`].
    pub(crate) low_limit: Option<LowLimit>,
}

/// A limit on open files that is too low.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LowLimit {
    /// The limit of the process.
    pub(crate) limit: u64,
    /// The limit required for [`Limits::connections`].
    pub(crate) needed: u64,
}

impl Capacity {
    /// Determines the capacity, and raises the soft limit of the process if it is too low and the hard limit allows
    /// it.
    pub(crate) fn raise(options: &Options) -> Self {
        let reserved = RESERVED + if options.metrics.is_some() { MAX_REQUESTS as u64 } else { 0 };
        Self::from_limits(&options.limits, reserved, raise_to)
    }

    /// Determines the capacity. `raise`: raises the limit of open files to the given number, as far as possible, and
    /// returns the resulting limit, or `None` if there is no limit.
    fn from_limits(limits: &Limits, reserved: u64, raise: impl Fn(u64) -> Option<u64>) -> Self {
        let needed = (limits.connections as u64).saturating_mul(PER_CONNECTION).saturating_add(reserved);
        match raise(needed) {
            Some(limit) if limit < needed => {
                let held = limit.saturating_sub(reserved) / PER_CONNECTION;
                let connections = usize::try_from(held).unwrap_or(usize::MAX).max(1);
                Self { connections, low_limit: Some(LowLimit { limit, needed }) }
            }
            _ => Self { connections: limits.connections, low_limit: None },
        }
    }
}

#[cfg(unix)]
fn raise_to(needed: u64) -> Option<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let current = current?;
    let target = needed.min(maximum.unwrap_or(u64::MAX));
    let raised =
        target > current && setrlimit(Resource::Nofile, Rlimit { current: Some(target), maximum }).is_ok();
    Some(if raised { target } else { current })
}

/// Returns `None`: systems other than Unix have no limit of open files.
#[cfg(not(unix))]
fn raise_to(_needed: u64) -> Option<u64> {
    None
}

/// Returns whether the process or the system has no descriptor left.
pub(crate) fn is_exhausted(error: &io::Error) -> bool {
    #[cfg(unix)]
    {
        use rustix::io::Errno;
        let code = Errno::from_io_error(error);
        code == Some(Errno::MFILE) || code == Some(Errno::NFILE)
    }
    #[cfg(not(unix))]
    {
        let _ = error;
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn capacity(connections: usize, limit: Option<u64>) -> Capacity {
        Capacity::from_limits(&Limits { connections, ..Limits::default() }, 32, |_| limit)
    }

    #[test]
    fn accepts_no_more_connections_than_descriptors_hold() {
        assert_eq!(capacity(100, None), Capacity { connections: 100, low_limit: None });
        assert_eq!(capacity(100, Some(232)), Capacity { connections: 100, low_limit: None });
        let low_limit = Some(LowLimit { limit: 231, needed: 232 });
        assert_eq!(capacity(100, Some(231)), Capacity { connections: 99, low_limit });
        assert_eq!(capacity(100, Some(8)).connections, 1, "fewer descriptors than reserved");
    }

    #[cfg(unix)]
    #[test]
    fn distinguishes_exhausted_descriptors_from_other_errors() {
        for code in [rustix::io::Errno::MFILE, rustix::io::Errno::NFILE] {
            assert!(is_exhausted(&code.into()));
        }
        assert!(!is_exhausted(&rustix::io::Errno::CONNREFUSED.into()));
    }
}
