//! The proxy's limits on connections and times.

use grille_proxy::Limits;
use std::time::Duration;

#[derive(clap::Args)]
pub(super) struct Bounds {
    /// Allow this many open connections; further ones wait.
    #[arg(long, value_name = "N", default_value_t = 8192, value_parser = clap::value_parser!(u32).range(1..))]
    max_connections: u32,
    /// Allow this many handshakes at once; a further client replaces the one that has been silent longest.
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(1..))]
    max_handshakes: u32,
    /// Allow this many handshakes at once from one IPv4 address or one IPv6 /64 network.
    #[arg(long, value_name = "N", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..))]
    max_handshakes_per_address: u32,
    /// Disconnect a client whose handshake takes longer than this many seconds.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = positive_seconds)]
    handshake_timeout: Duration,
    /// Give up if connecting to the service takes longer than this many seconds, its handshake included.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = positive_seconds)]
    connect_timeout: Duration,
    /// Close a connection after this many seconds of silence, or `never`.
    #[arg(long, value_name = "SECONDS", default_value = "600", value_parser = positive_seconds_or_never)]
    idle_timeout: Duration,
    /// After SIGTERM, accept clients for this many more seconds while /health answers 503.
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = any_seconds)]
    drain_grace: Duration,
    /// After --drain-grace, give open connections this many seconds to end; `never` waits for all of them.
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = any_seconds_or_never)]
    drain: Duration,
}

impl Bounds {
    pub(super) fn limits(&self) -> Limits {
        Limits {
            connections: self.max_connections as usize,
            handshakes: self.max_handshakes as usize,
            handshakes_per_source: self.max_handshakes_per_address as usize,
            handshake: self.handshake_timeout,
            connect: self.connect_timeout,
            idle: self.idle_timeout,
            grace: self.drain_grace,
            drain: self.drain,
        }
    }
}

fn positive_seconds(text: &str) -> Result<Duration, String> {
    let time = seconds(text).filter(|time| !time.is_zero());
    time.ok_or_else(|| "give a number of seconds above 0".to_owned())
}

fn positive_seconds_or_never(text: &str) -> Result<Duration, String> {
    never(text).map_or_else(|| positive_seconds(text).map_err(|advice| advice + ", or never"), Ok)
}

fn any_seconds(text: &str) -> Result<Duration, String> {
    seconds(text).ok_or_else(|| "give a number of seconds".to_owned())
}

fn any_seconds_or_never(text: &str) -> Result<Duration, String> {
    never(text).map_or_else(|| any_seconds(text).map_err(|advice| advice + ", or never"), Ok)
}

fn seconds(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(text.parse().ok()?).ok()
}

/// Parses `never`, which [`Limits`] represents by the longest duration.
fn never(text: &str) -> Option<Duration> {
    (text == "never").then_some(Duration::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_any_positive_time() {
        for (text, time) in [("0.5", 0.5), ("86400", 86400.0), ("1e9", 1e9)] {
            let time = Duration::from_secs_f64(time);
            for parse in [positive_seconds, positive_seconds_or_never, any_seconds_or_never] {
                assert_eq!(parse(text), Ok(time), "{text}");
            }
        }
        for wrong in ["", "-1", "x", "inf", "NaN", "Never", "1e30"] {
            for parse in [positive_seconds, positive_seconds_or_never, any_seconds_or_never] {
                assert!(parse(wrong).is_err(), "{wrong}");
            }
        }
        assert!(
            positive_seconds("0").is_err()
                && positive_seconds_or_never("0").is_err()
                && positive_seconds("1e-12").is_err()
        );
        assert_eq!(any_seconds_or_never("0"), Ok(Duration::ZERO));
    }

    #[test]
    fn accepts_never_only_for_idle_and_drain_times() {
        assert!(positive_seconds("never").is_err(), "half-open connections would stay open for ever");
        assert_eq!(positive_seconds_or_never("never"), Ok(Duration::MAX));
        assert_eq!(any_seconds_or_never("never"), Ok(Duration::MAX));
    }
}
