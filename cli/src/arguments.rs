//! Parsers for parts of arguments: lists of words, hosts, ports and addresses; and the heading of global options.

use std::net::{Ipv6Addr, SocketAddr, ToSocketAddrs};

/// The heading of the options that every subcommand has; clap prints it after the subcommand's own options.
pub(crate) const GLOBAL_HEADING: &str = "Global options";

/// Splits a list at commas and colons, and skips empty words.
pub(crate) fn words(list: &str) -> impl Iterator<Item = &str> {
    list.split([',', ':']).map(str::trim).filter(|word| !word.is_empty())
}

/// A host with an optional port, in any common spelling: `host`, `host:443`, `::1`, `[::1]:443`, `fe80::1%eth0`,
/// `https://host/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Endpoint {
    /// The host without brackets. The zone of an IPv6 address is the number of its network interface.
    host: String,
    port: Option<u16>,
}

impl Endpoint {
    /// Parses an endpoint in any of its spellings.
    ///
    /// # Errors
    /// Returns a message with the problem and the expected form.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (authority, implied) = match text.split_once("://") {
            None => (text, None),
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("https") => {
                (rest.split(['/', '?', '#']).next().unwrap_or_default(), Some(HTTPS))
            }
            Some((scheme, _)) => {
                return Err(format!(
                    "\"{scheme}://\" is not supported: write HOST[:PORT] or https://HOST[:PORT]"
                ));
            }
        };
        let (host, digits) = split_authority(authority)?;
        let port = digits.map(port).transpose()?.or(implied);
        let is_part = |c: char| c.is_alphanumeric() || "-._:%".contains(c);
        if host.is_empty() || !host.chars().all(is_part) {
            return Err(format!("no host in \"{text}\""));
        }
        let is_bracketed = authority.starts_with('[');
        let host =
            if host.contains(':') || is_bracketed { ipv6(host, implied.is_some())? } else { host.to_owned() };
        Ok(Self { host, port })
    }

    /// Returns `host:port` for connecting or listening, with `port` as the default port.
    pub(crate) fn address(&self, port: u16) -> String {
        let (host, port) = (&self.host, self.port.unwrap_or(port));
        if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") }
    }
}

/// The port of `https://`.
const HTTPS: u16 = 443;

/// Splits an authority into the host without brackets and the digits of the port, if any.
fn split_authority(authority: &str) -> Result<(&str, Option<&str>), String> {
    let brackets = ['[', ']'].map(|bracket| authority.matches(bracket).count());
    if brackets != [0, 0] && (brackets != [1, 1] || !authority.starts_with('[')) {
        return Err(format!("unbalanced brackets in \"{authority}\": write [ADDRESS] or [ADDRESS]:PORT"));
    }
    let parts = authority.rsplit_once(':').filter(|(host, _)| !host.contains(':') || host.ends_with(']'));
    let (host, digits) = parts.map_or((authority, None), |(host, digits)| (host, Some(digits)));
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    Ok((bare.unwrap_or(host), digits))
}

/// Parses an IPv6 address and turns its zone into a number (RFC 4007 section 11). A URL writes `%25` in front of the
/// zone (RFC 6874).
fn ipv6(host: &str, in_url: bool) -> Result<String, String> {
    let (address, zone) = host.split_once('%').map_or((host, None), |(address, zone)| (address, Some(zone)));
    if address.parse::<Ipv6Addr>().is_err() {
        return Err(format!("{host} is not an IPv6 address: write HOST:PORT or [ADDRESS]:PORT"));
    }
    let Some(zone) = zone else { return Ok(address.to_owned()) };
    let zone = zone.strip_prefix("25").filter(|_| in_url).unwrap_or(zone);
    if let Ok(number) = zone.parse::<u32>() {
        return Ok(format!("{address}%{number}"));
    }
    // the system resolves interface names; an address causes no name lookup
    let known =
        (format!("{address}%{zone}").as_str(), 0).to_socket_addrs().ok().and_then(|mut known| known.next());
    match known {
        Some(SocketAddr::V6(known)) if known.scope_id() != 0 => Ok(format!("{address}%{}", known.scope_id())),
        _ => Err(format!("no network interface \"{zone}\" for {address}")),
    }
}

/// Returns the host as certificates name it (no brackets, no zone), and the address with a port, by default `port`.
///
/// `text` is an [`Endpoint`] that [`host`] or [`host_with_port`] has accepted.
pub(crate) fn host_and_address(text: &str, port: u16) -> (String, String) {
    match Endpoint::parse(text) {
        Ok(endpoint) => {
            let name = endpoint.host.split('%').next().unwrap_or_default().to_owned();
            (name, endpoint.address(port))
        }
        // This happens only if a network interface has disappeared since `text` was accepted. The attempt to connect
        // reports that.
        Err(_) => (text.to_owned(), text.to_owned()),
    }
}

/// Parses `host:port` or `[v6]:port`, where the port is required.
pub(crate) fn host_with_port(text: &str) -> Result<String, String> {
    let endpoint = Endpoint::parse(text)?;
    let port = endpoint.port.ok_or_else(|| "give a host and a port: HOST:PORT".to_owned())?;
    Ok(endpoint.address(port))
}

/// Parses a port.
pub(crate) fn port(text: &str) -> Result<u16, String> {
    text.parse().map_err(|_| match text.bytes().all(|c| c.is_ascii_digit()) {
        _ if text.is_empty() => "the port is empty: give a number from 0 to 65535".to_owned(),
        true => format!("port {text} is too large: ports end at 65535"),
        false => format!("\"{text}\" is not a port: give a number from 0 to 65535"),
    })
}

/// Parses an [`Endpoint`] to connect to; returns the text unchanged.
pub(crate) fn host(text: &str) -> Result<String, String> {
    match Endpoint::parse(text)?.port {
        Some(0) => Err("cannot connect to port 0: ports begin at 1".to_owned()),
        _ => Ok(text.to_owned()),
    }
}

/// Parses an address to listen on, whose port is a separate option; returns the address without brackets.
pub(crate) fn address(text: &str) -> Result<String, String> {
    match Endpoint::parse(text) {
        Ok(Endpoint { port: Some(_), .. }) => {
            Err("the address must have no port: give it with --port".to_owned())
        }
        Ok(endpoint) => Ok(endpoint.host),
        Err(wrong) => Err(wrong),
    }
}

/// Returns the port of an [`Endpoint`], if it has one.
pub(crate) fn endpoint_port(text: &str) -> Result<Option<u16>, String> {
    Endpoint::parse(text).map(|endpoint| endpoint.port)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_every_spelling_of_a_host() {
        for (text, host, address) in [
            ("localhost", "localhost", "localhost:11111"),
            ("a.example:443", "a.example", "a.example:443"),
            ("10.0.0.1", "10.0.0.1", "10.0.0.1:11111"),
            ("[::1]:443", "::1", "[::1]:443"),
            ("[::1]", "::1", "[::1]:11111"),
            ("::1", "::1", "[::1]:11111"),
            ("fe80::1%1", "fe80::1", "[fe80::1%1]:11111"),
            ("[fe80::1%1]:443", "fe80::1", "[fe80::1%1]:443"),
            ("https://a.example", "a.example", "a.example:443"),
            ("HTTPS://a.example:8443/path?query", "a.example", "a.example:8443"),
            ("https://[::1]/", "::1", "[::1]:443"),
            ("https://[fe80::1%251]:8443#part", "fe80::1", "[fe80::1%1]:8443"),
        ] {
            assert_eq!(host_and_address(text, 11111), (host.to_owned(), address.to_owned()));
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn resolves_zones_to_network_interfaces() {
        for text in ["fe80::1%lo", "[fe80::1%lo]:443", "https://[fe80::1%25lo]"] {
            assert!(host_and_address(text, 443).1.starts_with("[fe80::1%"), "{text}");
            assert!(host_and_address(text, 443).1.parse::<std::net::SocketAddrV6>().is_ok(), "{text}");
        }
        assert!(
            host("fe80::1%nothing9").is_err_and(|error| error.contains("no network interface \"nothing9\""))
        );
    }

    #[test]
    fn requires_a_port() {
        for good in ["host:80", "[::1]:80", "10.0.0.1:80", "[fe80::1%1]:80", "127.0.0.1:0"] {
            assert_eq!(host_with_port(good), Ok(good.to_owned()));
        }
        assert_eq!(host_with_port("https://[::1]/").as_deref(), Ok("[::1]:443"));
        for bad in ["host", "::1", "[::1]", ":80", "host:", "host:x", "host:65536", ""] {
            assert!(host_with_port(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn rejects_invalid_hosts() {
        for good in ["host", "a-b.example:80", "10.0.0.1", "[::1]:80", "fe80::1%1", "käse.example"] {
            assert_eq!(host(good).as_deref(), Ok(good));
        }
        for bad in ["", ":80", ":0", "two words", "[::1]80", "[]", "https://", "https:///path", "user@host"] {
            assert_eq!(host(bad), Err(format!("no host in \"{bad}\"")));
        }
        for bad in ["http://host", "ftp://host", "://host"] {
            assert!(host(bad).is_err_and(|error| error.contains("https://HOST[:PORT]")), "{bad}");
        }
        for bad in
            ["localhost:2600:1", "[host:80]:80", "10.0.0.1:80:80", "fe80::70000", "1::2::3", "[host]:80"]
        {
            assert!(host(bad).is_err_and(|error| error.contains("is not an IPv6 address")), "{bad}");
        }
        for bad in ["[::1", "::1]", "[::1:80", "[[::1]]", "]::1[", "host]:80", "[a][b]"] {
            assert!(host(bad).is_err_and(|error| error.contains("[ADDRESS]:PORT")), "{bad}");
        }
    }

    #[test]
    fn rejects_impossible_ports() {
        for good in ["host", "host:65535", "::1", "[::1]", "[::1]:80"] {
            assert_eq!(host(good).as_deref(), Ok(good));
        }
        for bad in
            ["host:65536", "[::1]:99999", "10.0.0.1:123456789012345678901234567890", "https://host:65536/"]
        {
            assert!(host(bad).is_err_and(|error| error.contains("ports end at 65535")), "{bad}");
        }
        assert!(host("[::1]:0").is_err_and(|error| error.contains("ports begin at 1")));
        for bad in ["host:https", "host:-1"] {
            assert!(host(bad).is_err_and(|error| error.contains("is not a port")), "{bad}");
        }
        assert!(host("host:").is_err_and(|error| error.contains("the port is empty")));
        assert!(["", ":0", ":80"].iter().all(|bad| host(bad).is_err_and(|error| error.contains("no host"))));
    }

    #[test]
    fn rejects_ports_in_addresses_to_listen_on() {
        for (text, bare) in
            [("::1", "::1"), ("[::]", "::"), ("0.0.0.0", "0.0.0.0"), ("localhost", "localhost")]
        {
            assert_eq!(address(text).as_deref(), Ok(bare));
        }
        assert!(["host:80", "[::1]:80", "host:x"].iter().all(|text| address(text).is_err()));
    }
}
