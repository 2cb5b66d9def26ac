//! The ClientHello of a scan, and the start of the server's answer.
//!
//! The ClientHello lists groups and usually has no key share at all, which RFC 8446 section 4.2.8 allows. A server
//! that supports one of the groups then names it in a HelloRetryRequest, before any expensive computation.

use crate::hello::{
    Hello, KEY_SHARE, Kind, SERVER_NAME, SIGNATURE_ALGORITHMS, SUPPORTED_GROUPS, SUPPORTED_VERSIONS, messages,
};
use crate::not_tls::NotTls;
use grille_core::{CryptoRng, SystemRng};
use std::io::{self, Read};

const HANDSHAKE: u8 = 22;
const ALERT: u8 = 21;
const CLIENT_HELLO: u8 = 1;

/// Version TLS 1.2, which the legacy version field of every message contains.
const TLS12: u16 = 0x0303;
const TLS13: u16 = 0x0304;

/// TLS_AES_128_GCM_SHA256, TLS_AES_256_GCM_SHA384, TLS_CHACHA20_POLY1305_SHA256.
const SUITES: [u16; 3] = [0x1301, 0x1302, 0x1303];

/// Maximum length of a record's content, RFC 8446 section 5.1.
const MAX_RECORD_LEN: usize = 1 << 14;

/// Upper bound for the length of a ServerHello: the length field of its extensions has two bytes.
const MAX_HELLO_LEN: usize = 1 << 17;

/// Answer of a server to a ClientHello.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The server supports this group and requests a key share.
    Retry(u16),
    /// The server supports this group and accepts the key share. The second field is the
    /// length of the server's key share in bytes.
    Accepted(u16, usize),
    /// The server refuses with this alert.
    Alert(u8),
    /// The server selects an older protocol version.
    OldVersion(u16),
    /// The server closes the connection without an answer.
    Closed,
}

/// Offer of a ClientHello.
pub(super) struct Offer<'a> {
    pub(super) groups: &'a [u16],
    pub(super) schemes: &'a [u16],
    /// Key shares, with their groups.
    pub(super) shares: &'a [(u16, Vec<u8>)],
}

impl<'a> Offer<'a> {
    /// Offers these groups without key shares, so that nothing needs to be computed.
    pub(super) const fn without_shares(groups: &'a [u16], schemes: &'a [u16]) -> Self {
        Self { groups, schemes, shares: &[] }
    }
}

/// Encodes the ClientHello as records.
pub(super) fn write(name: Option<&str>, Offer { groups, schemes, shares }: &Offer<'_>) -> Vec<u8> {
    let mut random = [0; 64];
    let rng: &mut dyn CryptoRng = &mut SystemRng;
    rng.fill_bytes(&mut random);
    let mut extensions = Vec::new();
    if let Some(name) = name {
        // one name, of type host_name
        extension(
            &mut extensions,
            SERVER_NAME,
            &prefix_u16(&[&[0][..], &prefix_u16(name.as_bytes())].concat()),
        );
    }
    extension(&mut extensions, SUPPORTED_GROUPS, &prefix_u16(&numbers(groups)));
    extension(&mut extensions, SIGNATURE_ALGORITHMS, &prefix_u16(&numbers(schemes)));
    extension(&mut extensions, SUPPORTED_VERSIONS, &prefix_u8(&TLS13.to_be_bytes()));
    let share = |(group, share): &(u16, Vec<u8>)| [&group.to_be_bytes()[..], &prefix_u16(share)].concat();
    extension(&mut extensions, KEY_SHARE, &prefix_u16(&shares.iter().flat_map(share).collect::<Vec<_>>()));
    let mut body = TLS12.to_be_bytes().to_vec();
    body.extend_from_slice(&random[..32]);
    // a session identifier, for middlebox compatibility, and the compression method null
    body.extend(prefix_u8(&random[32..]));
    body.extend(prefix_u16(&numbers(&SUITES)));
    body.extend(prefix_u8(&[0]));
    body.extend(prefix_u16(&extensions));
    let mut message = vec![CLIENT_HELLO, 0];
    message.extend(prefix_u16(&body));
    let record = |part: &[u8]| [&[HANDSHAKE, 3, 1][..], &prefix_u16(part)].concat();
    message.chunks(MAX_RECORD_LEN).flat_map(record).collect()
}

fn extension(to: &mut Vec<u8>, kind: u16, body: &[u8]) {
    to.extend(kind.to_be_bytes());
    to.extend(prefix_u16(body));
}

fn numbers(numbers: &[u16]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_be_bytes()).collect()
}

/// Prepends the length in one byte; every value passed here has at most 32 bytes.
fn prefix_u8(bytes: &[u8]) -> Vec<u8> {
    [&[bytes.len() as u8], bytes].concat()
}

/// Prepends the length in two bytes. No value passed here exceeds 2¹⁶ − 1 bytes: a list has fewer than 2¹² codepoints,
/// a host name has at most 253 bytes, and a key share leaves 1 KiB of the message for all other fields.
fn prefix_u16(bytes: &[u8]) -> Vec<u8> {
    [&(bytes.len() as u16).to_be_bytes()[..], bytes].concat()
}

/// Reads the first message of the answer. The input is untrusted.
///
/// # Errors
/// Returns errors of reading; `InvalidData` if the answer is not TLS.
pub fn read(from: &mut impl Read) -> io::Result<Answer> {
    let first = match header(from) {
        Err(error) if is_closed(&error) => return Ok(Answer::Closed),
        result => result?,
    };
    if ![HANDSHAKE, ALERT].contains(&first[0]) {
        return Err(NotTls::error(&first_line(from, &first)));
    }
    let mut message = match record(from, first)? {
        (ALERT, alert) if alert.len() == 2 => return Ok(Answer::Alert(alert[1])),
        (HANDSHAKE, message) => message,
        _ => return Err(not_tls_error()),
    };
    while !is_complete(&message) {
        let next = header(from)?;
        match record(from, next)? {
            (HANDSHAKE, part) if !part.is_empty() && message.len() <= MAX_HELLO_LEN => message.extend(part),
            _ => return Err(not_tls_error()),
        }
    }
    parse_server_hello(&message).ok_or_else(not_tls_error)
}

/// Reads the rest of the line that starts with `start`, so that its protocol can be recognised.
fn first_line(from: &mut impl Read, start: &[u8]) -> Vec<u8> {
    let (mut line, mut byte) = (start.to_vec(), [0]);
    while line.len() < MAX_LINE_LEN && !line.ends_with(b"\n") && from.read_exact(&mut byte).is_ok() {
        line.extend(byte);
    }
    line
}

/// Maximum number of bytes read by [`first_line`].
const MAX_LINE_LEN: usize = 256;

/// Returns whether the first message is complete, according to the length in its header.
fn is_complete(message: &[u8]) -> bool {
    matches!(messages(message).0[..], [_, ..])
}

fn header(from: &mut impl Read) -> io::Result<[u8; 5]> {
    let mut header = [0; 5];
    from.read_exact(&mut header)?;
    Ok(header)
}

/// Reads the record with this header; returns its type and content.
fn record(from: &mut impl Read, header: [u8; 5]) -> io::Result<(u8, Vec<u8>)> {
    let [kind, _, _, high, low] = header;
    let len = usize::from(u16::from_be_bytes([high, low]));
    if len > MAX_RECORD_LEN {
        return Err(not_tls_error());
    }
    let mut body = vec![0; len];
    from.read_exact(&mut body)?;
    Ok((kind, body))
}

/// Returns whether the server closed the connection, which counts as a refusal.
pub(super) fn is_closed(error: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
    [BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof].contains(&error.kind())
}

fn not_tls_error() -> io::Error {
    NotTls::error(&[])
}

/// Interprets a ServerHello or HelloRetryRequest.
fn parse_server_hello(message: &[u8]) -> Option<Answer> {
    let hello = Hello::parse(message)?;
    match (hello.kind, hello.versions.as_slice(), hello.shares.as_slice()) {
        (Kind::HelloRetryRequest, [TLS13], [(group, _)]) => Some(Answer::Retry(*group)),
        (Kind::ServerHello, [TLS13], [(group, len)]) => Some(Answer::Accepted(*group, *len)),
        (Kind::ServerHello, [version], _) if *version != TLS13 => Some(Answer::OldVersion(*version)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::groups::MAX_KEY_SHARE_LEN;
    use crate::hello::RETRY_RANDOM;

    const SERVER_HELLO: u8 = 2;

    /// Builds a HelloRetryRequest for this group.
    fn retry(group: u16) -> Vec<u8> {
        let mut extensions = Vec::new();
        extension(&mut extensions, SUPPORTED_VERSIONS, &TLS13.to_be_bytes());
        extension(&mut extensions, KEY_SHARE, &group.to_be_bytes());
        let body =
            [&TLS12.to_be_bytes()[..], &RETRY_RANDOM, &[0], &[0x13, 1], &[0], &prefix_u16(&extensions)]
                .concat();
        let message = [&[SERVER_HELLO, 0][..], &prefix_u16(&body)].concat();
        [&[HANDSHAKE, 3, 3][..], &prefix_u16(&message)].concat()
    }

    #[test]
    fn finds_the_group_of_a_retry_and_rejects_truncations() {
        let answer = retry(0x11EC);
        assert_eq!(read(&mut answer.as_slice()).expect("an answer"), Answer::Retry(0x11EC));
        for len in 0..answer.len() {
            let cut = read(&mut &answer[..len]);
            assert!(matches!(cut, Ok(Answer::Closed) | Err(_)), "{len} bytes: {cut:?}");
        }
    }

    #[test]
    fn altered_answers_never_panic() {
        let answer = retry(0x11EC);
        for index in 0..answer.len() {
            for bit in 0..8 {
                let mut altered = answer.clone();
                altered[index] ^= 1 << bit;
                // any result without a panic is fine
                let _ = read(&mut altered.as_slice());
            }
        }
    }

    #[test]
    fn joins_a_hello_from_several_records() {
        let answer = retry(0x11EC);
        let mut records = Vec::new();
        for part in answer[5..].chunks(20) {
            records.extend([&[HANDSHAKE, 3, 3][..], &prefix_u16(part)].concat());
        }
        assert_eq!(read(&mut records.as_slice()).expect("an answer"), Answer::Retry(0x11EC));
        // no other record may come in between, and no record may be empty
        for strange in [&[ALERT, 3, 3, 0, 2, 2, 40][..], &[HANDSHAKE, 3, 3, 0, 0]] {
            let broken = [&records[..25], strange, &records[25..]].concat();
            assert!(read(&mut broken.as_slice()).is_err());
        }
    }

    #[test]
    fn splits_a_long_hello_into_records() {
        let offer = Offer { groups: &[1], schemes: &[2], shares: &[(1, vec![0; MAX_KEY_SHARE_LEN])] };
        let written = write(None, &offer);
        let (mut rest, mut message) = (written.as_slice(), Vec::new());
        while !rest.is_empty() {
            let first = header(&mut rest).expect("a header");
            let (kind, part) = record(&mut rest, first).expect("a record");
            assert_eq!(kind, HANDSHAKE);
            message.extend(part);
        }
        assert_eq!(Hello::parse(&message).expect("a hello").shares, [(1, MAX_KEY_SHARE_LEN)]);
    }

    #[test]
    fn distinguishes_refusals_old_versions_and_other_protocols() {
        assert_eq!(read(&mut &[21, 3, 3, 0, 2, 2, 40][..]).expect("an alert"), Answer::Alert(40));
        assert_eq!(read(&mut &b""[..]).expect("silence"), Answer::Closed);
        let body = [&TLS12.to_be_bytes()[..], &[7; 32], &[0], &[0xC0, 0x2F], &[0]].concat();
        let message = [&[SERVER_HELLO, 0][..], &prefix_u16(&body)].concat();
        let old = [&[HANDSHAKE, 3, 3][..], &prefix_u16(&message)].concat();
        assert_eq!(read(&mut old.as_slice()).expect("an answer"), Answer::OldVersion(TLS12));
        for (answer, name) in [
            (&b"HTTP/1.1 400 Bad Request"[..], "uses HTTP"),
            (b"220 mail.example ESMTP\r\nmore", "uses SMTP"),
            (b"SSH-2.0-OpenSSH", "uses SSH"),
            (b"hello, world", "not TLS 1.3"),
        ] {
            let error = read(&mut &answer[..]).expect_err(name).to_string();
            assert!(error.contains(name), "{error}");
        }
    }
}
