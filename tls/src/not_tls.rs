//! Recognition of servers that use a protocol other than TLS, by their first bytes.

use crate::starttls::StartTls;
use std::fmt;
use std::io;

/// A protocol that a server uses instead of TLS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherProtocol {
    /// SSH, RFC 4253 section 4.2.
    Ssh,
    /// HTTP/1.1, RFC 9112.
    Http,
    /// FTP, RFC 959.
    Ftp,
    /// A protocol with STARTTLS.
    StartTls(StartTls),
}

impl OtherProtocol {
    /// Recognises a protocol by the first bytes of a server, ideally its first line.
    #[must_use]
    pub fn recognise(first: &[u8]) -> Option<Self> {
        let starts_with_any = |words: &[&[u8]]| words.iter().any(|word| first.starts_with(word));
        let contains = |word: &[u8]| first.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word));
        match first {
            _ if starts_with_any(&[b"SSH-"]) => Some(Self::Ssh),
            _ if starts_with_any(&[b"HTTP/"]) => Some(Self::Http),
            _ if starts_with_any(&[b"220 ", b"220-"]) && contains(b"FTP") => Some(Self::Ftp),
            _ if starts_with_any(&[b"220 ", b"220-", b"421 ", b"554 "]) => {
                Some(Self::StartTls(StartTls::Smtp))
            }
            _ if starts_with_any(&[b"* OK", b"* BYE", b"* PREAUTH"]) => Some(Self::StartTls(StartTls::Imap)),
            _ if starts_with_any(&[b"+OK", b"-ERR"]) => Some(Self::StartTls(StartTls::Pop3)),
            _ if starts_with_any(&[b"<?xml", b"<stream:"]) => Some(Self::StartTls(StartTls::Xmpp)),
            // length of a packet (3 bytes), its number, and protocol version 10
            [_, _, 0, 0, 10, ..] => Some(Self::StartTls(StartTls::MySql)),
            _ => None,
        }
    }
}

impl fmt::Display for OtherProtocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ssh => f.write_str("SSH"),
            Self::Http => f.write_str("HTTP"),
            Self::Ftp => f.write_str("FTP"),
            Self::StartTls(protocol) => protocol.fmt(f),
        }
    }
}

/// Error: the server's answer is not TLS. Contains the server's protocol, if it was recognised.
#[derive(Debug)]
pub(crate) struct NotTls(pub(crate) Option<OtherProtocol>);

impl NotTls {
    /// Returns the error for a server whose answer starts with these bytes, see [`OtherProtocol::recognise`].
    pub(crate) fn error(first: &[u8]) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, Self(OtherProtocol::recognise(first)))
    }
}

impl fmt::Display for NotTls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(protocol) => write!(f, "the server uses {protocol}, not TLS"),
            None => f.write_str("the server's answer is not TLS 1.3"),
        }
    }
}

impl std::error::Error for NotTls {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognises_protocols_by_their_first_bytes() {
        for (first, name) in [
            (&b"SSH-2.0-OpenSSH_9.2\r\n"[..], "SSH"),
            (b"HTTP/1.1 400 Bad Request\r\n", "HTTP"),
            (b"220 mail.example ESMTP Postfix\r\n", "SMTP"),
            (b"220-mail.example\r\n", "SMTP"),
            (b"554 no", "SMTP"),
            (b"220 (vsFTPd 3.0.5)\r\n", "FTP"),
            (b"* OK [CAPABILITY IMAP4rev1] ready\r\n", "IMAP"),
            (b"+OK ready\r\n", "POP3"),
            (b"<?xml version='1.0'?>", "XMPP"),
            (b"\x4a\0\0\0\x0a8.4.0\0", "MySQL"),
        ] {
            assert_eq!(
                OtherProtocol::recognise(first).map(|protocol| protocol.to_string()).as_deref(),
                Some(name)
            );
        }
    }

    #[test]
    fn does_not_mistake_tls_for_another_protocol() {
        for kind in 20..=24 {
            for len in 0..=u8::MAX {
                assert_eq!(OtherProtocol::recognise(&[kind, 3, 3, 0, len, 2]), None);
            }
        }
        assert!(
            [&b""[..], b"2", b"22", b"hello"].iter().all(|first| OtherProtocol::recognise(first).is_none())
        );
    }
}
