//! Distinguished names of subjects and issuers (RFC 4514, or with slashes), and alternative names such as host names.

use crate::Error;
use alloc::{borrow::ToOwned, format, string::String, string::ToString, vec::Vec};
use core::net::IpAddr;
use core::str::FromStr;
use der::asn1::{Ia5String, OctetString};
use rustls_pki_types::DnsName;
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::name::{Name, RelativeDistinguishedName};

/// Parses a distinguished name: `CN=host,O=organisation` with the most specific attribute first, or
/// `/O=organisation/CN=host` with the most specific last. An empty text is an empty name.
///
/// # Errors
/// Returns [`Error::Value`] if the text is not a valid name.
pub(crate) fn parse(text: &str) -> Result<Name, Error> {
    if text.is_empty() {
        return Ok(Name::default());
    }
    let rfc4514 = match text.strip_prefix('/') {
        None => text.to_owned(),
        Some(parts) => {
            let parts: Vec<_> = parts.split('/').rev().map(escape).collect();
            parts.join(",")
        }
    };
    let wrong = |reason: String| Error::Value { element: "subject", reason };
    let name = Name::from_str(&rfc4514).map_err(|_| {
        wrong(format!("\"{}\" does not have the form CN=host,O=organisation", text.escape_debug()))
    })?;
    check_subject(&name)?;
    Ok(name)
}

/// Refuses subject attributes that are empty, longer than RFC 5280 appendix A.1 allows, or repeated although only one
/// is allowed. A subject without attributes passes.
///
/// # Errors
/// Returns [`Error::Value`] for an invalid attribute.
pub(crate) fn check_subject(name: &Name) -> Result<(), Error> {
    let wrong = |reason| Err(Error::Value { element: "subject", reason });
    let mut single = Vec::new();
    for attribute in name.iter_rdn().flat_map(RelativeDistinguishedName::iter) {
        let oid = attribute.oid.to_string();
        let found = BOUNDS.iter().find(|bound| bound.oid == oid);
        let short = found.map_or(oid.as_str(), |bound| bound.name);
        // the values of all string types except two are valid UTF-8 or have one byte per character
        let Ok(value) = core::str::from_utf8(attribute.value.value()) else { continue };
        let len = value.chars().count();
        if len == 0 {
            return wrong(format!("{short} is empty"));
        }
        let Some(bound) = found else { continue };
        if len > bound.max_len || len < bound.min_len {
            let bounds = match bound.min_len {
                1 => format!("at most {}", bound.max_len),
                min_len => format!("{min_len}"),
            };
            return wrong(format!("{short} has {len} characters, but X.509 allows {bounds}"));
        }
        if bound.is_single && single.contains(&bound.oid) {
            return wrong(format!("{short} is given twice, but only one is allowed"));
        }
        single.push(bound.oid);
    }
    Ok(())
}

/// The allowed lengths of an attribute in characters, and whether a subject may have the attribute only once.
struct Bound {
    oid: &'static str,
    name: &'static str,
    min_len: usize,
    max_len: usize,
    is_single: bool,
}

#[rustfmt::skip]
const BOUNDS: &[Bound] = &[
    Bound { oid: "2.5.4.3",              name: "CN",           min_len: 1, max_len: 64,  is_single: true },
    Bound { oid: "2.5.4.5",              name: "serialNumber", min_len: 1, max_len: 64,  is_single: true },
    Bound { oid: "2.5.4.6",              name: "C",            min_len: 2, max_len: 2,   is_single: true },
    Bound { oid: "2.5.4.7",              name: "L",            min_len: 1, max_len: 128, is_single: true },
    Bound { oid: "2.5.4.8",              name: "ST",           min_len: 1, max_len: 128, is_single: true },
    Bound { oid: "2.5.4.10",             name: "O",            min_len: 1, max_len: 64,  is_single: false },
    Bound { oid: "2.5.4.11",             name: "OU",           min_len: 1, max_len: 64,  is_single: false },
    Bound { oid: "2.5.4.12",             name: "title",        min_len: 1, max_len: 64,  is_single: false },
    Bound { oid: "1.2.840.113549.1.9.1", name: "emailAddress", min_len: 1, max_len: 255, is_single: false },
];

/// Escapes the characters of `type=value` that RFC 4514 section 2.4 reserves; the notation with slashes does not
/// escape them.
fn escape(part: &str) -> String {
    let Some((kind, value)) = part.split_once('=') else { return part.to_owned() };
    let last = value.chars().count().saturating_sub(1);
    let mut text = format!("{kind}=");
    for (i, char) in value.chars().enumerate() {
        let at_an_end = (i == 0 && matches!(char, ' ' | '#')) || (i == last && char == ' ');
        if at_an_end || matches!(char, ',' | '+' | '"' | '\\' | '<' | '>' | ';' | '=') {
            text.push('\\');
        }
        text.push(char);
    }
    text
}

/// Parses an alternative name: a DNS name, optionally with a wildcard, or an IP address. Names of other types have
/// the prefix `email:` or `URI:`, as written by [`format`].
///
/// # Errors
/// Returns [`Error::Value`] if the name is malformed.
pub(crate) fn parse_general(text: &str) -> Result<GeneralName, Error> {
    let ascii =
        |text: &str| Ia5String::new(text).map_err(|_| invalid_name_error(format!("\"{text}\" is not ASCII")));
    let address = |bytes: &[u8]| OctetString::new(bytes).map(GeneralName::IpAddress);
    let name = match (text.parse(), text.split_once(':')) {
        (Ok(IpAddr::V4(v4)), _) => {
            address(&v4.octets()).map_err(|_| invalid_name_error("not an IP address".to_owned()))?
        }
        (Ok(IpAddr::V6(v6)), _) => {
            address(&v6.octets()).map_err(|_| invalid_name_error("not an IP address".to_owned()))?
        }
        (_, Some((kind, name))) if kind.eq_ignore_ascii_case("email") => {
            GeneralName::Rfc822Name(ascii(name)?)
        }
        (_, Some((kind, name))) if kind.eq_ignore_ascii_case("URI") => {
            GeneralName::UniformResourceIdentifier(ascii(name)?)
        }
        _ => {
            let host = Ia5String::new(text);
            GeneralName::DnsName(host.map_err(|_| invalid_host_error(text))?)
        }
    };
    check_general(&name)?;
    Ok(name)
}

/// Refuses malformed and repeated alternative names.
///
/// # Errors
/// Returns [`Error::Value`] for the first invalid name.
pub(crate) fn check_all(names: &[GeneralName]) -> Result<(), Error> {
    names.iter().try_for_each(check_general)?;
    let twice = names.iter().enumerate().find(|(index, name)| names[..*index].contains(name));
    twice.map_or(Ok(()), |(_, name)| Err(invalid_name_error(format!("{} is given twice", format(name)))))
}

/// Checks an alternative name against RFC 5280 section 4.2.1.6.
fn check_general(name: &GeneralName) -> Result<(), Error> {
    match name {
        GeneralName::DnsName(host) => check_host(host.as_str()),
        GeneralName::Rfc822Name(mailbox) => check_mailbox(mailbox.as_str()),
        GeneralName::UniformResourceIdentifier(uri) => check_uri(uri.as_str()),
        GeneralName::IpAddress(address) if !matches!(address.as_bytes().len(), 4 | 16) => {
            Err(invalid_name_error(format!(
                "an IP address must have 4 or 16 bytes, but this one has {}",
                address.as_bytes().len()
            )))
        }
        _ => Ok(()),
    }
}

fn check_host(host: &str) -> Result<(), Error> {
    let is_name = |name: &str| DnsName::try_from(name).is_ok() && !name.ends_with('.');
    match host.strip_prefix("*.").unwrap_or(host) {
        name if is_name(name) => Ok(()),
        name if name.len() > 253 => Err(invalid_name_error(format!(
            "a host name may have at most 253 characters, but this one has {}",
            name.len()
        ))),
        _ => Err(invalid_host_error(host)),
    }
}

/// Checks a mailbox, RFC 5321 section 4.5.3.1: at most 64 characters before the @, and 254 in total.
fn check_mailbox(mailbox: &str) -> Result<(), Error> {
    let is_atom =
        |local: &str| local.bytes().all(|c| c.is_ascii_graphic() && !b"()<>[]:;@\\,\"".contains(&c));
    let fits = mailbox.split_once('@').is_some_and(|(local, host)| {
        let has_words = local.split('.').all(|word| !word.is_empty() && is_atom(word));
        local.len() <= 64
            && mailbox.len() <= 254
            && has_words
            && check_host(host).is_ok()
            && !host.starts_with('*')
    });
    let reason = || format!("\"{}\" is not a mailbox of the form name@host.example", mailbox.escape_debug());
    if fits { Ok(()) } else { Err(invalid_name_error(reason())) }
}

/// Checks a URI, RFC 3986: a scheme and a non-empty rest without spaces. If the URI has a host, the host must be an IP
/// address or pass [`check_host`].
fn check_uri(uri: &str) -> Result<(), Error> {
    let reason =
        || format!("\"{}\" is not a URI of the form spiffe://host.example/service", uri.escape_debug());
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.bytes().all(|c| c.is_ascii_alphanumeric() || b"+-.".contains(&c))
    };
    let (scheme, rest) = uri.split_once(':').ok_or_else(|| invalid_name_error(reason()))?;
    let is_text = rest.bytes().all(|c| c.is_ascii_graphic() && !b"<>\"{}|\\^`".contains(&c));
    if uri.len() > MAX_URI_LEN {
        return Err(invalid_name_error(format!(
            "a URI may have at most {MAX_URI_LEN} characters, but this one has {}",
            uri.len()
        )));
    }
    let has_host = rest.strip_prefix("//").is_none_or(|rest| {
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let host = authority.rsplit('@').next().unwrap_or_default();
        let bare = host.strip_prefix('[').and_then(|host| host.split_once(']')).map(|(address, _)| address);
        match bare {
            Some(address) => address.parse::<IpAddr>().is_ok(),
            None => {
                let host = host.split(':').next().unwrap_or_default();
                host.parse::<IpAddr>().is_ok() || (check_host(host).is_ok() && !host.starts_with('*'))
            }
        }
    });
    if is_scheme(scheme) && !rest.is_empty() && is_text && has_host {
        Ok(())
    } else {
        Err(invalid_name_error(reason()))
    }
}

/// Maximum length of a URI in characters, which is that of a SPIFFE ID.
const MAX_URI_LEN: usize = 2048;

fn invalid_name_error(reason: String) -> Error {
    Error::Value { element: "name", reason }
}

fn invalid_host_error(text: &str) -> Error {
    invalid_name_error(format!("\"{}\" is neither a host name nor an IP address", text.escape_debug()))
}

/// Formats an alternative name: DNS names and IP addresses as [`parse_general`] parses them, other types with a prefix.
pub(crate) fn format(name: &GeneralName) -> String {
    match name {
        GeneralName::DnsName(name) => name.to_string(),
        GeneralName::IpAddress(address) => format_address(address.as_bytes()),
        GeneralName::Rfc822Name(name) => format!("email:{name}"),
        GeneralName::UniformResourceIdentifier(name) => format!("URI:{name}"),
        GeneralName::DirectoryName(name) => format!("directory:{name}"),
        GeneralName::RegisteredId(oid) => format!("registered:{oid}"),
        GeneralName::OtherName(name) => format!("other:{}", name.type_id),
        GeneralName::EdiPartyName(_) => "EDI party".to_owned(),
    }
}

fn format_address(bytes: &[u8]) -> String {
    let v4 = <[u8; 4]>::try_from(bytes).map(IpAddr::from);
    let address = v4.or_else(|_| <[u8; 16]>::try_from(bytes).map(IpAddr::from));
    address.map_or_else(|_| format!("an address of {} bytes", bytes.len()), |address| address.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_empty_long_and_contradictory_subjects() {
        for text in [
            "CN=",
            "CN=a,O=",
            &format!("CN={}", "x".repeat(65)),
            &format!("L={}", "x".repeat(129)),
            "C=DEU",
            "C=D",
            "CN=a,CN=b",
            "C=DE,C=FR,CN=a",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
        let longest = format!("CN={},OU=a,OU=b,DC=x,DC=y,C=DE", "x".repeat(64));
        for text in [longest.as_str(), "", "CN=ä"] {
            assert!(parse(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn parses_names_of_every_type_as_they_are_formatted() {
        for text in [
            "host.example",
            "*.host.example",
            "192.0.2.1",
            "2001:db8::1",
            "email:first.last@host.example",
            "URI:spiffe://trust.example/service",
            "URI:https://192.0.2.1:8443/path?query",
            "URI:https://[2001:db8::1]/",
            "URI:urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
        ] {
            assert_eq!(format(&parse_general(text).expect(text)), text);
        }
    }

    #[test]
    fn refuses_names_that_are_empty_long_or_malformed() {
        let long = ["x"; 128].join(".");
        for text in [
            "",
            " ",
            "*",
            "*.",
            "a.*.example",
            "host.example.",
            "-host.example",
            "1.2.3.4.5",
            &long,
            &format!("{}.example", "x".repeat(64)),
            "email:",
            "email:host.example",
            "email:@host.example",
            "email:a@",
            "email:a b@host.example",
            "email:a@b@host.example",
            &format!("email:{}@host.example", "x".repeat(65)),
            "URI:",
            "URI:nothing",
            "URI:https:",
            "URI:https:///path",
            "URI:https://a b/",
            "URI:https://-host.example/",
            "URI:1http://host.example/",
            &format!("URI:https://host.example/{}", "x".repeat(2048)),
        ] {
            assert!(parse_general(text).is_err(), "{text}");
        }
        let twice = [parse_general("a.example").unwrap(), parse_general("a.example").unwrap()];
        assert!(check_all(&twice).is_err() && check_all(&twice[..1]).is_ok());
    }

    #[test]
    fn slashes_and_commas_give_the_same_name() {
        let slashes = parse("/O=Grille, Inc./CN=a+b").unwrap();
        assert_eq!(slashes, parse("CN=a\\+b,O=Grille\\, Inc.").unwrap());
        for value in ["a+b", "\"x", "back\\slash", "#1", "a;b<c>d", "x=y", " both "] {
            let name = parse(&format!("/CN={value}")).unwrap();
            let [only] = name.iter_rdn().collect::<Vec<_>>()[..] else { panic!("{value}: several parts") };
            let attribute = only.iter().next().unwrap();
            assert_eq!(core::str::from_utf8(attribute.value.value()).unwrap(), value);
        }
    }
}
