//! What arguments are made of: words of a list, addresses.

/// The words between commas or colons.
pub(crate) fn words(list: &str) -> impl Iterator<Item = &str> {
    list.split([',', ':']).map(str::trim).filter(|word| !word.is_empty())
}

/// `host:port`, `[v6]:port`, `host`: the host without brackets, and an address with a port, `port` if none is given.
pub(crate) fn host_and_address(text: &str, port: u16) -> (&str, String) {
    let with_port = text.rsplit_once(':').filter(|(host, port)| {
        port.parse::<u16>().is_ok() && (!host.contains(':') || (host.starts_with('[') && host.ends_with(']')))
    });
    let host = with_port.map_or(text, |(host, _)| host);
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    match with_port {
        Some(_) => (bare, text.to_owned()),
        None if bare.contains(':') => (bare, format!("[{bare}]:{port}")),
        None => (bare, format!("{bare}:{port}")),
    }
}

/// The value parser of `host:port` and `[v6]:port`.
pub(crate) fn with_port(text: &str) -> Result<String, String> {
    match host_and_address(&host(text)?, 0) {
        (host, address) if address == text && !host.is_empty() => Ok(address),
        _ => Err("give a host and a port: HOST:PORT".to_owned()),
    }
}

/// The value parser of a port.
pub(crate) fn port(text: &str) -> Result<u16, String> {
    text.parse().map_err(|_| match text.bytes().all(|c| c.is_ascii_digit()) && !text.is_empty() {
        true => format!("there is no port {text}: ports end at 65535"),
        false => "a port is a number from 0 to 65535".to_owned(),
    })
}

/// The value parser of what [`host_and_address`] takes apart.
pub(crate) fn host(text: &str) -> Result<String, String> {
    let parts = text.rsplit_once(':').filter(|(host, _)| !host.contains(':') || host.ends_with(']'));
    parts.map_or(Ok(0), |(_, digits)| port(digits)).map(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_optional() {
        for (text, host, address) in [
            ("localhost", "localhost", "localhost:11111"),
            ("a.example:443", "a.example", "a.example:443"),
            ("10.0.0.1", "10.0.0.1", "10.0.0.1:11111"),
            ("[::1]:443", "::1", "[::1]:443"),
            ("[::1]", "::1", "[::1]:11111"),
            ("::1", "::1", "[::1]:11111"),
        ] {
            assert_eq!(host_and_address(text, 11111), (host, address.to_owned()));
        }
    }

    #[test]
    fn a_port_that_is_asked_for_must_be_there() {
        for good in ["host:80", "[::1]:80", "10.0.0.1:80"] {
            assert_eq!(with_port(good), Ok(good.to_owned()));
        }
        for bad in ["host", "::1", "[::1]", ":80", "host:", "host:x", "host:65536", ""] {
            assert!(with_port(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_port_that_cannot_be_is_told() {
        for good in ["host", "host:65535", "::1", "[::1]", "[::1]:80", "fe80::70000"] {
            assert_eq!(host(good).as_deref(), Ok(good));
        }
        for bad in ["host:65536", "[::1]:99999", "10.0.0.1:123456789012345678901234567890"] {
            assert!(host(bad).is_err_and(|error| error.contains("ports end at 65535")), "{bad}");
        }
        for bad in ["host:", "host:https", "host:-1"] {
            assert!(host(bad).is_err_and(|error| error.contains("a number from 0 to 65535")), "{bad}");
        }
    }
}
