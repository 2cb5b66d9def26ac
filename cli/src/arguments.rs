//! What arguments are made of: words of a list, addresses.

use std::net::Ipv6Addr;

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
    port_of(text)?;
    match host_and_address(text, 0) {
        (host, address) if address == text && !host.is_empty() => Ok(address),
        _ => Err("give a host and a port: HOST:PORT".to_owned()),
    }
}

/// The value parser of a port.
pub(crate) fn port(text: &str) -> Result<u16, String> {
    text.parse().map_err(|_| match text.bytes().all(|c| c.is_ascii_digit()) {
        _ if text.is_empty() => "a port is a number, and there is none".to_owned(),
        true => format!("there is no port {text}: ports end at 65535"),
        false => format!("a port is a number up to 65535, and {text} is none"),
    })
}

/// The value parser of what [`host_and_address`] takes apart, to connect to.
pub(crate) fn host(text: &str) -> Result<String, String> {
    let port = port_of(text)?;
    match (host_and_address(text, 0).0, port) {
        ("", _) => Err(format!("\"{text}\" names no host")),
        (_, Some(0)) => Err("nobody listens on port 0: ports begin at 1".to_owned()),
        _ => Ok(text.to_owned()),
    }
}

/// The same, with nothing in it but what names and addresses are made of.
pub(crate) fn device(text: &str) -> Result<String, String> {
    let device = host(text)?;
    let (name, _) = host_and_address(text, 0);
    let is_part = |c: char| c.is_alphanumeric() || "-._:%".contains(c);
    let is_address = || name.split('%').next().is_some_and(|address| address.parse::<Ipv6Addr>().is_ok());
    if !name.chars().all(is_part) {
        Err(format!("\"{text}\" names no host"))
    } else if name.contains(':') && !is_address() {
        Err(format!("{name} is no address of IPv6: write HOST:PORT or [ADDRESS]:PORT"))
    } else {
        Ok(device)
    }
}

/// The value parser of an address to listen on, whose port is an option of its own.
pub(crate) fn address(text: &str) -> Result<String, String> {
    match port_of(text) {
        Ok(None) => Ok(text.to_owned()),
        _ => Err("this has a port: --port names the port".to_owned()),
    }
}

/// The port of such a text, if it names one.
pub(crate) fn port_of(text: &str) -> Result<Option<u16>, String> {
    let brackets = ['[', ']'].map(|bracket| text.matches(bracket).count());
    if brackets != [0, 0] && (brackets != [1, 1] || !text.starts_with('[')) {
        return Err(format!("\"{text}\" has a bracket without the other: [ADDRESS] or [ADDRESS]:PORT"));
    }
    let parts = text.rsplit_once(':').filter(|(host, _)| !host.contains(':') || host.ends_with(']'));
    parts.map(|(_, digits)| port(digits)).transpose()
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
    fn a_device_is_a_name_or_an_address() {
        for good in ["host", "a-b.example:80", "10.0.0.1", "[::1]:80", "fe80::1%eth0", "käse.example"] {
            assert_eq!(device(good).as_deref(), Ok(good));
        }
        for bad in ["", ":80", ":0", "two words", "[::1]80", "[]"] {
            assert_eq!(device(bad), Err(format!("\"{bad}\" names no host")));
        }
        assert!(device("http://host").is_err());
        for bad in ["localhost:2600:1", "[host:80]:80", "10.0.0.1:80:80", "fe80::70000", "1::2::3"] {
            assert!(device(bad).is_err_and(|error| error.contains("is no address of IPv6")), "{bad}");
        }
        for bad in ["[::1", "::1]", "[::1:80", "[[::1]]", "]::1[", "host]:80", "[a][b]"] {
            assert!(device(bad).is_err_and(|error| error.contains("[ADDRESS]:PORT")), "{bad}");
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
        assert!(["::1", "0.0.0.0", "localhost"].iter().all(|text| address(text).is_ok()));
        assert!(["host:80", "[::1]:80", "host:x"].iter().all(|text| address(text).is_err()));
        assert!(host("[::1]:0").is_err_and(|error| error.contains("ports begin at 1")));
        for bad in ["host:https", "host:-1"] {
            assert!(host(bad).is_err_and(|error| error.contains("a number up to 65535, and")), "{bad}");
        }
        assert!(host("host:").is_err_and(|error| error.contains("and there is none")));
        assert!(["", ":0", ":80"].iter().all(|bad| host(bad).is_err_and(|error| error.contains("no host"))));
    }
}
