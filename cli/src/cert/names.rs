//! The options for the contents of a certificate: subject, names, purposes, validity, serial number.

use crate::error::Error;
use grille_pki::ObjectIdentifier;
use grille_pki::issue::{Profile, Template};
use std::net::IpAddr;
use std::time::Duration;

/// The options that all subcommands for making certificates share.
#[derive(Clone, clap::Args)]
pub(crate) struct Options {
    /// Issue the certificate to this subject, such as CN=host,O=organisation [default: CN=localhost].
    #[arg(long, value_name = "NAME")]
    subject: Option<String>,
    /// Make the certificate valid for this many days from now.
    #[arg(long, value_name = "DAYS", default_value_t = 365, allow_negative_numbers = true, value_parser = days)]
    days: u32,
    /// Use this serial number, in hexadecimal [default: random].
    #[arg(long, value_name = "HEX", value_parser = serial)]
    serial: Option<Serial>,
}

#[derive(Clone)]
struct Serial(Vec<u8>);

impl Options {
    /// Returns whether a subject is given.
    pub(crate) const fn has_subject(&self) -> bool {
        self.subject.is_some()
    }

    /// Builds the certificate's contents.
    ///
    /// # Errors
    /// Returns an error if the subject is not a valid name.
    pub(crate) fn template(&self, profile: Profile) -> Result<Template, Error> {
        self.template_for(self.subject.as_deref().unwrap_or("CN=localhost"), profile)
    }

    /// Builds the contents of a certificate with the given subject instead of `--subject`.
    ///
    /// # Errors
    /// Returns an error if `subject` is not a valid name.
    pub(crate) fn template_for(&self, subject: &str, profile: Profile) -> Result<Template, Error> {
        let end = grille_pki::now() + Duration::from_hours(24 * u64::from(self.days));
        let template = Template::new(subject, profile)?.until(end);
        Ok(match &self.serial {
            Some(Serial(serial)) => template.serial(serial),
            None => template,
        })
    }

    /// Returns these options, with the given subject and serial number (big-endian) as defaults.
    pub(crate) fn with_defaults(&self, subject: &str, serial: &[u8]) -> Self {
        let subject = self.subject.clone().unwrap_or_else(|| subject.to_owned());
        let serial = self.serial.clone().unwrap_or_else(|| Serial(serial.to_owned()));
        Self { subject: Some(subject), days: self.days, serial: Some(serial) }
    }

    /// Returns these options with the serial number increased by one.
    pub(crate) fn next(&self) -> Self {
        let serial = self.serial.as_ref().map(Serial::next);
        Self { subject: self.subject.clone(), days: self.days, serial }
    }
}

impl Serial {
    /// Adds one; the largest number of this length wraps to zero.
    fn next(&self) -> Self {
        let (mut next, mut carry) = (self.0.clone(), true);
        for byte in next.iter_mut().rev() {
            (*byte, carry) = byte.carrying_add(0, carry);
        }
        Self(next)
    }
}

/// Makes an end-entity profile for names such as `DNS:host`, `IP:address`, `email:name@host` and `URI:scheme:rest`.
///
/// # Errors
/// Returns an error if a name has another kind, or is not valid for its kind.
pub(crate) fn end_entity(names: &[String]) -> Result<Profile, Error> {
    let names = alternative_names(names)?;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    Ok(Profile::end_entity(&names)?)
}

/// Removes the optional prefixes `DNS:` and `IP:`, and normalises `email:` and `URI:`.
///
/// # Errors
/// Returns an error if a name has another kind, or is not valid for its kind.
pub(crate) fn alternative_names(names: &[String]) -> Result<Vec<String>, Error> {
    names
        .iter()
        .map(|name| without_prefix(name).map_err(|reason| Error::usage(reason).with_place("--san")))
        .collect()
}

fn without_prefix(name: &str) -> Result<String, String> {
    let is_address = |text: &str| text.parse::<IpAddr>().is_ok();
    match name.split_once(':') {
        Some(_) if is_address(name) => Ok(name.to_owned()),
        Some((kind, address)) if kind.eq_ignore_ascii_case("IP") => match is_address(address) {
            true => Ok(address.to_owned()),
            false => Err(format!("\"{}\" is not an IP address", address.escape_debug())),
        },
        Some((kind, host)) if kind.eq_ignore_ascii_case("DNS") => match is_address(host) {
            true => Err(format!("{host} is an IP address, not a host name; write IP:{host}")),
            false => Ok(host.to_owned()),
        },
        Some((kind, mailbox)) if kind.eq_ignore_ascii_case("email") => Ok(format!("email:{mailbox}")),
        Some((kind, uri)) if kind.eq_ignore_ascii_case("URI") => Ok(format!("URI:{uri}")),
        Some((kind, _)) => {
            Err(format!("unknown kind of name \"{}:\"; write DNS:, IP:, email: or URI:", kind.escape_debug()))
        }
        None => Ok(name.to_owned()),
    }
}

/// Parses a purpose of `--eku` by its name in RFC 5280 or its object identifier.
pub(crate) fn purpose(text: &str) -> Result<ObjectIdentifier, String> {
    let named = PURPOSES.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)).map(|(_, oid)| *oid);
    let names: Vec<_> = PURPOSES.iter().map(|(name, _)| *name).collect();
    ObjectIdentifier::new(named.unwrap_or(text))
        .map_err(|_| format!("give {}, or an object identifier such as 1.3.6.1.5.5.7.3.1", names.join(", ")))
}

/// Returns the name of a purpose, or its object identifier if the name is unknown.
pub(crate) fn purpose_name(purpose: &ObjectIdentifier) -> String {
    let oid = purpose.to_string();
    PURPOSES.iter().find(|(_, known)| *known == oid).map_or(oid.clone(), |(name, _)| (*name).to_owned())
}

/// Extended key usages, RFC 5280 section 4.2.1.12.
const PURPOSES: &[(&str, &str)] = &[
    ("serverAuth", "1.3.6.1.5.5.7.3.1"),
    ("clientAuth", "1.3.6.1.5.5.7.3.2"),
    ("codeSigning", "1.3.6.1.5.5.7.3.3"),
    ("emailProtection", "1.3.6.1.5.5.7.3.4"),
    ("timeStamping", "1.3.6.1.5.5.7.3.8"),
    ("OCSPSigning", "1.3.6.1.5.5.7.3.9"),
    ("anyExtendedKeyUsage", "2.5.29.37.0"),
];

/// Parses `--days`.
fn days(text: &str) -> Result<u32, &'static str> {
    let days = text.parse().ok().filter(|days| (1..=36_500).contains(days));
    days.ok_or("give 1 to 36500 days")
}

fn serial(text: &str) -> Result<Serial, &'static str> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    let padded = if digits.len().is_multiple_of(2) { digits.to_owned() } else { format!("0{digits}") };
    let bytes = crate::hex::decode(&padded).ok_or("give hexadecimal digits")?;
    if bytes.is_empty() || bytes.len() > 20 { Err("give 1 to 20 bytes") } else { Ok(Serial(bytes)) }
}
