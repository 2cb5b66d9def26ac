//! The options that say what a certificate says.

use crate::error::Error;
use grille_pki::issue::{Profile, Template};
use std::net::IpAddr;
use std::time::Duration;

/// What the sub-verbs that make certificates have in common.
#[derive(Clone, clap::Args)]
pub(crate) struct Options {
    /// Whom the certificate is for, such as CN=host,O=organisation [default: CN=localhost].
    #[arg(long, value_name = "NAME")]
    subject: Option<String>,
    /// How long it is valid from now.
    #[arg(long, value_name = "DAYS", default_value_t = 365, allow_negative_numbers = true, value_parser = days)]
    days: u32,
    /// The serial number in hexadecimal; random by default.
    #[arg(long, value_name = "HEX", value_parser = serial)]
    serial: Option<Serial>,
}

#[derive(Clone)]
struct Serial(Vec<u8>);

impl Options {
    /// Whether they say whom the certificate is for.
    pub(crate) const fn has_subject(&self) -> bool {
        self.subject.is_some()
    }

    /// The certificate's contents.
    ///
    /// # Errors
    /// If the subject is no name.
    pub(crate) fn template(&self, profile: Profile) -> Result<Template, Error> {
        self.template_for(self.subject.as_deref().unwrap_or("CN=localhost"), profile)
    }

    /// The contents of a certificate for somebody else.
    ///
    /// # Errors
    /// If `subject` is no name.
    pub(crate) fn template_for(&self, subject: &str, profile: Profile) -> Result<Template, Error> {
        let end = grille_pki::now() + Duration::from_hours(24 * u64::from(self.days));
        let template = Template::new(subject, profile)?.until(end);
        Ok(match &self.serial {
            Some(Serial(serial)) => template.serial(serial),
            None => template,
        })
    }

    /// The same with this subject and this serial number, big-endian, where the command line gives none.
    pub(crate) fn or(&self, subject: &str, serial: &[u8]) -> Self {
        let subject = self.subject.clone().unwrap_or_else(|| subject.to_owned());
        let serial = self.serial.clone().unwrap_or_else(|| Serial(serial.to_owned()));
        Self { subject: Some(subject), days: self.days, serial: Some(serial) }
    }

    /// The same with the next serial number.
    pub(crate) fn next(&self) -> Self {
        let serial = self.serial.as_ref().map(Serial::next);
        Self { subject: self.subject.clone(), days: self.days, serial }
    }
}

impl Serial {
    /// One more; after the last number of its length the first.
    fn next(&self) -> Self {
        let (mut next, mut carry) = (self.0.clone(), true);
        for byte in next.iter_mut().rev() {
            (*byte, carry) = byte.carrying_add(0, carry);
        }
        Self(next)
    }
}

/// An end entity for `DNS:host` and `IP:address`.
///
/// # Errors
/// If one is neither.
pub(crate) fn end_entity(names: &[String]) -> Result<Profile, Error> {
    let names = alternative(names)?;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    Ok(Profile::end_entity(&names)?)
}

/// Names without their `DNS:` and `IP:`, which may be left out.
///
/// # Errors
/// A name that is not of its kind.
pub(crate) fn alternative(names: &[String]) -> Result<Vec<String>, Error> {
    names.iter().map(|name| bare(name).map_err(|reason| Error::usage(reason).at_place("--san"))).collect()
}

fn bare(name: &str) -> Result<String, String> {
    let is_address = |text: &str| text.parse::<IpAddr>().is_ok();
    match name.split_once(':') {
        Some(_) if is_address(name) => Ok(name.to_owned()),
        Some((kind, address)) if kind.eq_ignore_ascii_case("IP") => match is_address(address) {
            true => Ok(address.to_owned()),
            false => Err(format!("IP: wants an address, which \"{}\" is not", address.escape_debug())),
        },
        Some((kind, host)) if kind.eq_ignore_ascii_case("DNS") => match is_address(host) {
            true => Err(format!("DNS: wants a host name, and {host} is an address; write IP:{host}")),
            false => Ok(host.to_owned()),
        },
        Some((kind, _)) => {
            Err(format!("only DNS: and IP: are certified here, not \"{}:\"", kind.escape_debug()))
        }
        None => Ok(name.to_owned()),
    }
}

/// The value parser of `--days`.
fn days(text: &str) -> Result<u32, &'static str> {
    let days = text.parse().ok().filter(|days| (1..=36_500).contains(days));
    days.ok_or("a certificate is valid for 1 to 36500 days")
}

fn serial(text: &str) -> Result<Serial, &'static str> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    let even = if digits.len().is_multiple_of(2) { digits.to_owned() } else { format!("0{digits}") };
    let bytes = crate::hex::decode(&even).ok_or("give hexadecimal digits")?;
    if bytes.is_empty() || bytes.len() > 20 { Err("give 1 to 20 bytes") } else { Ok(Serial(bytes)) }
}
