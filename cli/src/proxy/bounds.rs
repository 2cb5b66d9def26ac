//! What no client of the proxy can exceed.

use grille_proxy::Limits;
use std::time::Duration;

#[derive(clap::Args)]
pub(super) struct Bounds {
    /// How many connections may be open; further ones wait.
    #[arg(long, value_name = "N", default_value_t = 8192, value_parser = clap::value_parser!(u32).range(1..))]
    max_connections: u32,
    /// How many of them may be in their handshake; a further client takes the place of the one that has been silent longest.
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(1..))]
    max_handshakes: u32,
    /// How many of those may come from one address (of IPv6, from one /64 network).
    #[arg(long, value_name = "N", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..))]
    max_handshakes_per_address: u32,
    /// How many seconds a client may take for its handshake.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = some_time)]
    handshake_timeout: Duration,
    /// How many seconds the service may take for its own.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = some_time)]
    connect_timeout: Duration,
    /// After how many seconds of silence a connection is cut off, or never.
    #[arg(long, value_name = "SECONDS", default_value = "600", value_parser = some_time_or_never)]
    idle_timeout: Duration,
    /// How many seconds the proxy still accepts clients after SIGTERM, while /health answers 503.
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = any_time)]
    drain_grace: Duration,
    /// How many seconds open connections have when the proxy ends; 0 for none, never to wait for all.
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = any_time_or_never)]
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

fn some_time(text: &str) -> Result<Duration, String> {
    let time = seconds(text).filter(|time| !time.is_zero());
    time.ok_or_else(|| "give a number of seconds above 0".to_owned())
}

fn some_time_or_never(text: &str) -> Result<Duration, String> {
    never(text).map_or_else(|| some_time(text).map_err(|advice| advice + ", or never"), Ok)
}

fn any_time(text: &str) -> Result<Duration, String> {
    seconds(text).ok_or_else(|| "give a number of seconds".to_owned())
}

fn any_time_or_never(text: &str) -> Result<Duration, String> {
    never(text).map_or_else(|| any_time(text).map_err(|advice| advice + ", or never"), Ok)
}

fn seconds(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(text.parse().ok()?).ok()
}

/// What is never over, to [`Limits`].
fn never(text: &str) -> Option<Duration> {
    (text == "never").then_some(Duration::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_lasts_as_long_as_anybody_likes_but_not_no_time() {
        for (text, time) in [("0.5", 0.5), ("86400", 86400.0), ("1e9", 1e9)] {
            let time = Duration::from_secs_f64(time);
            for parse in [some_time, some_time_or_never, any_time_or_never] {
                assert_eq!(parse(text), Ok(time), "{text}");
            }
        }
        for wrong in ["", "-1", "x", "inf", "NaN", "Never", "1e30"] {
            for parse in [some_time, some_time_or_never, any_time_or_never] {
                assert!(parse(wrong).is_err(), "{wrong}");
            }
        }
        assert!(some_time("0").is_err() && some_time_or_never("0").is_err() && some_time("1e-12").is_err());
        assert_eq!(any_time_or_never("0"), Ok(Duration::ZERO));
    }

    #[test]
    fn never_is_a_time_where_waiting_for_ever_makes_sense() {
        assert!(some_time("never").is_err(), "each half-open connection would stay for ever");
        assert_eq!(some_time_or_never("never"), Ok(Duration::MAX));
        assert_eq!(any_time_or_never("never"), Ok(Duration::MAX));
    }
}
