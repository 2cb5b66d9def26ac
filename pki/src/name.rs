//! Names: of subjects and issuers (RFC 4514, or with slashes), and of hosts.

use crate::Error;
use alloc::{borrow::ToOwned, format, string::String, string::ToString, vec::Vec};
use core::net::IpAddr;
use core::str::FromStr;
use der::asn1::{Ia5String, OctetString};
use rustls_pki_types::DnsName;
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::name::Name;

/// `CN=host,O=organisation`, the most specific first; or `/O=organisation/CN=host`, the most specific last.
///
/// # Errors
/// [`Error::Value`].
pub(crate) fn parse(text: &str) -> Result<Name, Error> {
    let rfc4514 = match text.strip_prefix('/') {
        None => text.to_owned(),
        Some(parts) => {
            let parts: Vec<_> = parts.split('/').rev().map(escaped).collect();
            parts.join(",")
        }
    };
    let wrong = |reason: String| Error::Value { what: "subject", reason };
    let name = Name::from_str(&rfc4514)
        .map_err(|_| wrong(format!("\"{}\" is not like CN=host,O=organisation", text.escape_debug())))?;
    if name.is_empty() { Err(wrong("it is empty".to_owned())) } else { Ok(name) }
}

/// `type=value` with the characters escaped that RFC 4514 section 2.4 gives a meaning, which slashes leave without.
fn escaped(part: &str) -> String {
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

/// A DNS name, perhaps with a wildcard, or an IP address.
///
/// # Errors
/// [`Error::Value`].
pub(crate) fn general(text: &str) -> Result<GeneralName, Error> {
    let wrong = || Error::Value {
        what: "name",
        reason: format!("\"{}\" is no host name and no IP address", text.escape_debug()),
    };
    let address = |bytes: &[u8]| OctetString::new(bytes).map(GeneralName::IpAddress).map_err(|_| wrong());
    match text.parse() {
        Ok(IpAddr::V4(v4)) => return address(&v4.octets()),
        Ok(IpAddr::V6(v6)) => return address(&v6.octets()),
        Err(_) => {}
    }
    DnsName::try_from(text.strip_prefix("*.").unwrap_or(text)).map_err(|_| wrong())?;
    Ia5String::new(text).map(GeneralName::DnsName).map_err(|_| wrong())
}

/// DNS names and IP addresses as [`general`] reads them, other kinds with their kind before them.
pub(crate) fn shown(name: &GeneralName) -> String {
    match name {
        GeneralName::DnsName(name) => name.to_string(),
        GeneralName::IpAddress(address) => shown_address(address.as_bytes()),
        GeneralName::Rfc822Name(name) => format!("email:{name}"),
        GeneralName::UniformResourceIdentifier(name) => format!("URI:{name}"),
        GeneralName::DirectoryName(name) => format!("directory:{name}"),
        GeneralName::RegisteredId(oid) => format!("registered:{oid}"),
        GeneralName::OtherName(name) => format!("other:{}", name.type_id),
        GeneralName::EdiPartyName(_) => "EDI party".to_owned(),
    }
}

fn shown_address(bytes: &[u8]) -> String {
    let v4 = <[u8; 4]>::try_from(bytes).map(IpAddr::from);
    let address = v4.or_else(|_| <[u8; 16]>::try_from(bytes).map(IpAddr::from));
    address.map_or_else(|_| format!("an address of {} bytes", bytes.len()), |address| address.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slashes_and_commas_name_the_same() {
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
