//! Parser for ClientHello, ServerHello and HelloRetryRequest, RFC 8446 section 4.1, for passive observers.

const CLIENT_HELLO: u8 = 1;
const SERVER_HELLO: u8 = 2;
const ENCRYPTED_EXTENSIONS: u8 = 8;

pub(crate) const SERVER_NAME: u16 = 0;
pub(crate) const SUPPORTED_GROUPS: u16 = 10;
pub(crate) const SIGNATURE_ALGORITHMS: u16 = 13;
const CLIENT_CERTIFICATE_TYPE: u16 = 19;
pub(crate) const SUPPORTED_VERSIONS: u16 = 43;
pub(crate) const KEY_SHARE: u16 = 51;

/// Random of a ServerHello that is a HelloRetryRequest: SHA-256("HelloRetryRequest"), RFC 8446 section 4.1.3.
pub(crate) const RETRY_RANDOM: [u8; 32] = [
    0xCF, 0x21, 0xAD, 0x74, 0xE5, 0x9A, 0x61, 0x11, 0xBE, 0x1D, 0x8C, 0x02, 0x1E, 0x65, 0xB8, 0x91, 0xC2,
    0xA2, 0x11, 0x16, 0x7A, 0xBB, 0x8C, 0x5E, 0x07, 0x9E, 0x09, 0xE2, 0xC8, 0xA8, 0x33, 0x9C,
];

/// Type of a hello message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A client's offer.
    ClientHello,
    /// A server's selection.
    ServerHello,
    /// A server's request for a key share of another group.
    HelloRetryRequest,
}

/// Contents of a hello message. Lists keep the order of the message; a list that the message lacks is
/// empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hello {
    /// Type of the message.
    pub kind: Kind,
    /// Server name that the client requests.
    pub server_name: Option<String>,
    /// Offered versions, or the selected one.
    pub versions: Vec<u16>,
    /// Offered cipher suites, or the selected one.
    pub suites: Vec<u16>,
    /// Offered groups.
    pub groups: Vec<u16>,
    /// Groups of the key shares, with the length of each share in bytes. The length is 0 in a HelloRetryRequest,
    /// which only names the group.
    pub shares: Vec<(u16, usize)>,
    /// Offered signature schemes.
    pub schemes: Vec<u16>,
}

impl Hello {
    /// Parses a message with its header. Returns `None` if it is another message, truncated, or has inconsistent
    /// lengths.
    #[must_use]
    pub fn parse(message: &[u8]) -> Option<Self> {
        let mut message = Cursor(message);
        let kind = message.u8()?;
        let mut body = Cursor(message.vec24()?);
        let version = body.u16()?;
        let random = body.take(32)?;
        body.vec8()?;
        let (kind, suites) = match kind {
            CLIENT_HELLO => (Kind::ClientHello, numbers(body.vec16()?)),
            SERVER_HELLO if random == RETRY_RANDOM => (Kind::HelloRetryRequest, vec![body.u16()?]),
            SERVER_HELLO => (Kind::ServerHello, vec![body.u16()?]),
            _ => return None,
        };
        // skips the compression methods that a client offers, or the one that a server selected
        match kind {
            Kind::ClientHello => drop(body.vec8()?),
            _ => drop(body.u8()?),
        }
        let mut hello = Self {
            kind,
            server_name: None,
            versions: vec![version],
            suites,
            groups: Vec::new(),
            shares: Vec::new(),
            schemes: Vec::new(),
        };
        if !body.0.is_empty() {
            hello.extensions(body.vec16()?)?;
        }
        Some(hello)
    }

    /// Parses a list of extensions: number, length and body of each.
    fn extensions(&mut self, list: &[u8]) -> Option<()> {
        let mut list = Cursor(list);
        while !list.0.is_empty() {
            let (number, body) = (list.u16()?, list.vec16()?);
            self.extension(number, Cursor(body))?;
        }
        Some(())
    }

    fn extension(&mut self, number: u16, mut body: Cursor<'_>) -> Option<()> {
        let client = self.kind == Kind::ClientHello;
        match number {
            SERVER_NAME if client => self.server_name = host_name(body.vec16()?),
            SUPPORTED_GROUPS if client => self.groups = numbers(body.vec16()?),
            SIGNATURE_ALGORITHMS if client => self.schemes = numbers(body.vec16()?),
            // this extension replaces the version field at the start of the message
            SUPPORTED_VERSIONS if client => self.versions = numbers(body.vec8()?),
            SUPPORTED_VERSIONS => self.versions = vec![body.u16()?],
            KEY_SHARE => self.shares = key_shares(self.kind, body)?,
            _ => {}
        }
        Some(())
    }
}

/// Returns the first name of type `host_name`.
fn host_name(list: &[u8]) -> Option<String> {
    let mut list = Cursor(list);
    let kind = list.u8()?;
    let name = list.vec16()?;
    (kind == 0).then(|| String::from_utf8_lossy(name).into_owned())
}

fn key_shares(kind: Kind, mut body: Cursor<'_>) -> Option<Vec<(u16, usize)>> {
    match kind {
        Kind::HelloRetryRequest => Some(vec![(body.u16()?, 0)]),
        Kind::ServerHello => Some(vec![(body.u16()?, body.vec16()?.len())]),
        Kind::ClientHello => {
            let (mut list, mut shares) = (Cursor(body.vec16()?), Vec::new());
            while !list.0.is_empty() {
                shares.push((list.u16()?, list.vec16()?.len()));
            }
            Some(shares)
        }
    }
}

fn numbers(bytes: &[u8]) -> Vec<u16> {
    bytes.as_chunks().0.iter().map(|number| u16::from_be_bytes(*number)).collect()
}

/// Returns whether EncryptedExtensions (RFC 8446 section 4.3.1) lack `client_certificate_type` (RFC 7250 section 3).
/// Returns `None` for other and for malformed messages.
///
/// `message`: header and body.
pub(crate) fn omits_client_certificate_type(message: &[u8]) -> Option<bool> {
    let mut message = Cursor(message);
    if message.u8()? != ENCRYPTED_EXTENSIONS {
        return None;
    }
    let mut list = Cursor(Cursor(message.vec24()?).vec16()?);
    let mut omitted = true;
    while !list.0.is_empty() {
        omitted &= list.u16()? != CLIENT_CERTIFICATE_TYPE;
        list.vec16()?;
    }
    Some(omitted)
}

/// Returns whether a message with this type and body is a HelloRetryRequest.
pub(crate) fn is_retry_request(code: u8, body: &[u8]) -> bool {
    let random = body.get(2..2 + RETRY_RANDOM.len());
    code == SERVER_HELLO && random == Some(&RETRY_RANDOM)
}

/// Splits `bytes` into complete messages, RFC 8446 section 4, and an incomplete rest. Each message has a type (1
/// byte), the length of its body (3 bytes, big-endian) and the body.
#[must_use]
pub fn messages(bytes: &[u8]) -> (Vec<&[u8]>, &[u8]) {
    let (mut messages, mut rest) = (Vec::new(), Cursor(bytes));
    while let Some(message) = rest.message() {
        messages.push(message);
    }
    (messages, rest.0)
}

/// Reader over the remaining bytes.
struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (first, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(first)
    }

    fn u8(&mut self) -> Option<u8> {
        Some(self.take(1)?[0])
    }

    fn u16(&mut self) -> Option<u16> {
        self.number(2).map(|number| number as u16)
    }

    /// Reads a big-endian number of at most four bytes.
    fn number(&mut self, len: usize) -> Option<usize> {
        Some(self.take(len)?.iter().fold(0, |number, &byte| number << 8 | usize::from(byte)))
    }

    fn vec8(&mut self) -> Option<&'a [u8]> {
        self.vec(1)
    }

    fn vec16(&mut self) -> Option<&'a [u8]> {
        self.vec(2)
    }

    fn vec24(&mut self) -> Option<&'a [u8]> {
        self.vec(3)
    }

    /// Reads a message with its header.
    fn message(&mut self) -> Option<&'a [u8]> {
        let [_, high, middle, low] = *self.0.first_chunk()?;
        self.take(4 + u32::from_be_bytes([0, high, middle, low]) as usize)
    }

    /// Reads bytes with a length prefix of `len` bytes.
    fn vec(&mut self, len: usize) -> Option<&'a [u8]> {
        let len = self.number(len)?;
        self.take(len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codepoints::SUITES;
    use crate::{Check, ClientOptions};
    use rustls::ClientConnection;

    /// Builds a ServerHello or HelloRetryRequest with this random and these extensions.
    fn answer(random: [u8; 32], extensions: &[u8]) -> Vec<u8> {
        let len = extensions.len() as u8;
        let body = [&[3, 3][..], &random, &[0, 0x13, 2, 0, 0, len], extensions].concat();
        [&[SERVER_HELLO, 0, 0, body.len() as u8][..], &body].concat()
    }

    const TLS13: [u8; 6] = [0, 43, 0, 2, 3, 4];

    #[test]
    fn parses_the_hello_of_rustls() {
        let options = ClientOptions { check: Check::DangerousAcceptAny, ..ClientOptions::default() };
        let name = "server.example".try_into().unwrap();
        let mut client = ClientConnection::new(options.into_config().unwrap(), name).unwrap();
        let mut record = Vec::new();
        client.write_tls(&mut record).unwrap();
        let hello = Hello::parse(&record[5..]).unwrap();
        assert_eq!(hello.kind, Kind::ClientHello);
        assert_eq!(hello.server_name.as_deref(), Some("server.example"));
        assert!(hello.versions.contains(&0x0304));
        assert!(SUITES.iter().all(|suite| hello.suites.contains(&suite.suite().into())));
        assert_eq!((hello.groups[0], hello.shares[0]), (0x11EC, (0x11EC, 1216)));
        assert!(hello.schemes.contains(&0x0905));
        for len in 0..record.len() - 5 {
            assert_eq!(Hello::parse(&record[5..][..len]), None, "{len}");
        }
    }

    #[test]
    fn distinguishes_server_hello_and_retry_request() {
        let share = [&TLS13[..], &[0, 51, 0, 8, 0x11, 0xEC, 0, 4, 1, 2, 3, 4]].concat();
        let hello = Hello::parse(&answer([7; 32], &share)).unwrap();
        assert_eq!(
            (hello.kind, hello.versions, hello.suites),
            (Kind::ServerHello, vec![0x0304], vec![0x1302])
        );
        assert_eq!(hello.shares, [(0x11EC, 4)]);
        let named = [&TLS13[..], &[0, 51, 0, 2, 0x02, 0x00]].concat();
        let hello = Hello::parse(&answer(RETRY_RANDOM, &named)).unwrap();
        assert_eq!((hello.kind, hello.shares), (Kind::HelloRetryRequest, vec![(0x0200, 0)]));
    }

    #[test]
    fn parses_a_tls12_server_hello_without_extensions() {
        let body = [&[3, 3][..], &[7; 32], &[0, 0xC0, 0x2F, 0]].concat();
        let hello = Hello::parse(&[&[SERVER_HELLO, 0, 0, body.len() as u8][..], &body].concat()).unwrap();
        assert_eq!((hello.versions, hello.suites), (vec![0x0303], vec![0xC02F]));
    }

    #[test]
    fn rejects_other_and_malformed_messages() {
        assert_eq!(Hello::parse(&[]), None);
        assert_eq!(Hello::parse(&[11, 0, 0, 2, 0, 0]), None);
        // a share that is longer than its extension
        assert_eq!(Hello::parse(&answer([7; 32], &[0, 51, 0, 4, 0x11, 0xEC, 0, 9])), None);
    }
}
