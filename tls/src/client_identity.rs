//! Identity of a client according to its certificate, and the list of allowed clients.

use grille_pki::{AlternativeName, Certificate};
use rustls::pki_types::CertificateDer;
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

/// Identity of a client, according to the first certificate of its chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientIdentity {
    /// The subject in the format of RFC 4514; may be empty.
    pub subject: String,
    /// Common name of the subject; `None` if there is none or more than one.
    pub common_name: Option<String>,
    /// Subject alternative names that identify a peer: hosts, addresses, mailboxes and URIs.
    pub names: Vec<AlternativeName>,
    /// SHA-256 of the certificate's DER.
    pub fingerprint: [u8; 32],
}

impl ClientIdentity {
    /// Reads the identity from the chain of a verified client. Returns `None` if the chain is empty or a raw public
    /// key.
    #[must_use]
    pub fn from_chain(chain: &[CertificateDer<'_>]) -> Option<Self> {
        Certificate::from_pem_or_der(chain.first()?).ok().map(|own| Self::from(&own))
    }

    /// Returns the fingerprint in lower-case hexadecimal.
    #[must_use]
    pub fn fingerprint_hex(&self) -> String {
        base16ct::lower::encode_string(&self.fingerprint)
    }
}

impl From<&Certificate> for ClientIdentity {
    fn from(own: &Certificate) -> Self {
        Self {
            subject: own.subject(),
            common_name: own.common_name(),
            names: own.alternative_names(),
            fingerprint: own.fingerprint(),
        }
    }
}

/// An identity on the list of allowed clients.
///
/// Text format: `CN:name`, `DNS:host`, `IP:address`, `email:mailbox`, `URI:uri`, `SHA256:fingerprint`, or a SPIFFE ID
/// (`spiffe://…`), which is a URI. The prefix is case-insensitive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AllowedClient {
    /// A client whose subject has this common name and no other.
    CommonName(String),
    /// A client with this subject alternative name, compared exactly: wildcards have no special meaning.
    AlternativeName(AlternativeName),
    /// A client with this certificate, by SHA-256 of its DER.
    Fingerprint([u8; 32]),
}

impl AllowedClient {
    /// Returns whether this entry matches the client's identity.
    #[must_use]
    pub fn matches(&self, client: &ClientIdentity) -> bool {
        match self {
            Self::CommonName(name) => client.common_name.as_ref() == Some(name),
            Self::AlternativeName(name) => client.names.contains(name),
            Self::Fingerprint(fingerprint) => client.fingerprint == *fingerprint,
        }
    }
}

impl fmt::Display for AllowedClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CommonName(name) => write!(f, "CN:{name}"),
            Self::AlternativeName(name) => name.fmt(f),
            Self::Fingerprint(fingerprint) => write!(f, "SHA256:{:x}", base16ct::HexDisplay(fingerprint)),
        }
    }
}

impl FromStr for AllowedClient {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.starts_with("spiffe://") {
            return Ok(Self::AlternativeName(AlternativeName::Uri(text.to_owned())));
        }
        let (kind, value) = text.split_once(':').ok_or(EXPECTED_FORMAT)?;
        if value.is_empty() {
            return Err(EXPECTED_FORMAT);
        }
        let value = value.to_owned();
        Ok(Self::AlternativeName(match kind.to_ascii_lowercase().as_str() {
            "cn" => return Ok(Self::CommonName(value)),
            "sha256" => return fingerprint(&value).map(Self::Fingerprint),
            "dns" => AlternativeName::Dns(value.to_ascii_lowercase()),
            "email" => AlternativeName::Email(value),
            "uri" => AlternativeName::Uri(value),
            "ip" => AlternativeName::Ip(value.parse::<IpAddr>().map_err(|_| "not an IP address")?),
            _ => return Err(EXPECTED_FORMAT),
        }))
    }
}

const EXPECTED_FORMAT: &str =
    "expected CN:NAME, DNS:HOST, IP:ADDRESS, email:MAILBOX, URI:URI, SHA256:FINGERPRINT or spiffe://ID";

/// Parses 64 hexadecimal digits; colons between them are ignored, as in OpenSSL's output.
fn fingerprint(text: &str) -> Result<[u8; 32], &'static str> {
    let digits: String = text.chars().filter(|char| *char != ':').collect();
    let mut fingerprint = [0; 32];
    match base16ct::mixed::decode(digits, &mut fingerprint) {
        Ok(bytes) if bytes.len() == 32 => Ok(fingerprint),
        _ => Err("a SHA-256 fingerprint must have 64 hexadecimal digits"),
    }
}

/// Refusal of a client with a valid chain that is not on the list of allowed clients.
#[derive(Debug)]
pub(crate) struct NotAllowed(pub(crate) ClientIdentity);

impl fmt::Display for NotAllowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the client {} is not on the list of allowed clients", ClientDescription(&self.0))
    }
}

impl std::error::Error for NotAllowed {}

/// Formats a client by its subject and its names. If it has neither, uses its fingerprint.
struct ClientDescription<'a>(&'a ClientIdentity);

impl fmt::Display for ClientDescription<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ClientIdentity { subject, names, .. } = self.0;
        let names: Vec<_> = names.iter().map(ToString::to_string).collect();
        match (subject.is_empty(), names.is_empty()) {
            (false, true) => f.write_str(subject),
            (false, false) => write!(f, "{subject} ({})", names.join(", ")),
            (true, false) => f.write_str(&names.join(", ")),
            (true, true) => write!(f, "with SHA-256 {}", self.0.fingerprint_hex()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(text: &str) -> AllowedClient {
        text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    fn client() -> ClientIdentity {
        ClientIdentity {
            subject: "CN=billing,O=Example".to_owned(),
            common_name: Some("billing".to_owned()),
            names: vec![
                AlternativeName::Dns("billing.example".to_owned()),
                AlternativeName::Uri("spiffe://example/billing".to_owned()),
                AlternativeName::Ip([10, 0, 0, 7].into()),
                AlternativeName::Email("billing@example".to_owned()),
            ],
            fingerprint: [0xAB; 32],
        }
    }

    #[test]
    fn accepts_each_kind_of_identity_exactly() {
        let digits = "ab".repeat(32);
        let colons = "AB:".repeat(32);
        for text in [
            "CN:billing",
            "cn:billing",
            "DNS:Billing.Example",
            "URI:spiffe://example/billing",
            "spiffe://example/billing",
            "IP:10.0.0.7",
            "email:billing@example",
            &format!("SHA256:{digits}"),
            &format!("sha256:{}", &colons[..colons.len() - 1]),
        ] {
            assert!(allowed(text).matches(&client()), "{text}");
            assert_eq!(allowed(&allowed(text).to_string()), allowed(text), "{text}");
        }
        for text in [
            "CN:Billing",
            "CN:billing.example",
            "DNS:billing",
            "DNS:spiffe://example/billing",
            "URI:billing.example",
            "spiffe://example/billing/",
            "spiffe://example",
            "IP:10.0.0.8",
            "email:billing.example",
            &format!("SHA256:{}", "ac".repeat(32)),
        ] {
            assert!(!allowed(text).matches(&client()), "{text}");
        }
    }

    #[test]
    fn rejects_text_without_a_known_kind() {
        for text in ["", "billing", "CN:", "OU:x", "IP:host", "SHA256:ab", "SHA256:", ":x"] {
            assert!(text.parse::<AllowedClient>().is_err(), "{text}");
        }
    }
}
