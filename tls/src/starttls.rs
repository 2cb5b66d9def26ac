//! STARTTLS: the messages of other protocols that precede TLS on the same connection.
//!
//! Nothing is read beyond the server's consent, so that no plaintext bytes can be injected into TLS. Lines and messages
//! have a maximum length. Timeouts are those of the stream.

use crate::error::printable;
use std::fmt;
use std::io::{self, Read, Write};

/// A protocol with STARTTLS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartTls {
    /// SMTP, RFC 3207.
    Smtp,
    /// IMAP, RFC 9051 section 6.2.1.
    Imap,
    /// POP3, RFC 2595 section 4.
    Pop3,
    /// XMPP between a client and a server, RFC 6120 section 5.
    Xmpp,
    /// LDAP, RFC 4511 section 4.14.
    Ldap,
    /// SSLRequest of PostgreSQL's protocol 3.
    PostgreSql,
    /// SSLRequest of MySQL's and MariaDB's protocol 10.
    MySql,
}

impl StartTls {
    /// Every protocol.
    pub const ALL: [Self; 7] =
        [Self::Smtp, Self::Imap, Self::Pop3, Self::Xmpp, Self::Ldap, Self::PostgreSql, Self::MySql];

    /// Returns the name in lower case, such as `smtp`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Smtp => "smtp",
            Self::Imap => "imap",
            Self::Pop3 => "pop3",
            Self::Xmpp => "xmpp",
            Self::Ldap => "ldap",
            Self::PostgreSql => "postgresql",
            Self::MySql => "mysql",
        }
    }

    /// Returns the port that IANA assigned to the protocol.
    #[must_use]
    pub const fn port(self) -> u16 {
        match self {
            Self::Smtp => 25,
            Self::Imap => 143,
            Self::Pop3 => 110,
            Self::Xmpp => 5222,
            Self::Ldap => 389,
            Self::PostgreSql => 5432,
            Self::MySql => 3306,
        }
    }

    /// Requests TLS from the server `name`. TLS starts with the next byte in each direction.
    ///
    /// # Errors
    /// Returns errors of the stream; `InvalidData` if the server refuses, does not offer TLS, or uses another protocol.
    pub fn negotiate(self, stream: &mut (impl Read + Write), name: &str) -> io::Result<()> {
        match self {
            Self::Smtp => smtp(stream),
            Self::Imap => imap(stream),
            Self::Pop3 => pop3(stream),
            Self::Xmpp => xmpp(stream, name),
            Self::Ldap => ldap(stream),
            Self::PostgreSql => postgresql(stream),
            Self::MySql => mysql(stream),
        }
    }

    fn unexpected_answer_error(self, answer: &[u8]) -> io::Error {
        let answer =
            printable(String::from_utf8_lossy(&answer[..answer.len().min(MAX_QUOTE_LEN)]).trim_end());
        refusal_error(Refusal::Unexpected { protocol: self, answer })
    }
}

impl fmt::Display for StartTls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Smtp => "SMTP",
            Self::Imap => "IMAP",
            Self::Pop3 => "POP3",
            Self::Xmpp => "XMPP",
            Self::Ldap => "LDAP",
            Self::PostgreSql => "PostgreSQL",
            Self::MySql => "MySQL",
        })
    }
}

/// Reason why TLS cannot start.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// The server uses the protocol but does not offer TLS.
    NotOffered(StartTls),
    /// The server's answer is not the expected consent.
    Unexpected { protocol: StartTls, answer: String },
    /// A line or message exceeds the maximum length.
    TooLong(StartTls),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotOffered(protocol) => write!(f, "the {protocol} server does not offer STARTTLS"),
            Self::Unexpected { protocol, answer } => {
                write!(f, "unexpected answer to STARTTLS in {protocol}: \"{answer}\"")
            }
            Self::TooLong(protocol) => write!(f, "the server's answer is too long for {protocol}"),
        }
    }
}

impl std::error::Error for Refusal {}

fn refusal_error(refusal: Refusal) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, refusal)
}

/// Maximum length of a line, and of a message of XMPP, LDAP and MySQL, in bytes. RFC 5321 limits lines to 512 bytes.
const MAX_LEN: usize = 1 << 14;
/// Maximum number of lines of one answer.
const MAX_LINES: usize = 100;
/// Maximum number of bytes of an answer that an error quotes.
const MAX_QUOTE_LEN: usize = 80;

/// Reads byte by byte until `is_whole` returns true for all bytes read so far.
fn read_until(
    stream: &mut impl Read,
    protocol: StartTls,
    is_whole: impl Fn(&[u8]) -> bool,
) -> io::Result<Vec<u8>> {
    let mut read = Vec::new();
    while !is_whole(&read) {
        if read.len() == MAX_LEN {
            return Err(refusal_error(Refusal::TooLong(protocol)));
        }
        let mut byte = [0];
        stream.read_exact(&mut byte)?;
        read.extend(byte);
    }
    Ok(read)
}

fn read_line(stream: &mut impl Read, protocol: StartTls) -> io::Result<Vec<u8>> {
    read_until(stream, protocol, |read| read.ends_with(b"\n"))
}

/// Reads lines up to and including the first for which `is_last` returns true.
fn read_lines(
    stream: &mut impl Read,
    protocol: StartTls,
    is_last: impl Fn(&[u8]) -> bool,
) -> io::Result<Vec<Vec<u8>>> {
    let mut lines = Vec::new();
    while !lines.last().is_some_and(|line: &Vec<u8>| is_last(line)) {
        if lines.len() == MAX_LINES {
            return Err(refusal_error(Refusal::TooLong(protocol)));
        }
        lines.push(read_line(stream, protocol)?);
    }
    Ok(lines)
}

/// Reads one line, which must start with `expected`.
fn expect_line(stream: &mut impl Read, protocol: StartTls, expected: &[u8]) -> io::Result<()> {
    let line = read_line(stream, protocol)?;
    if line.starts_with(expected) { Ok(()) } else { Err(protocol.unexpected_answer_error(&line)) }
}

/// Sends all bytes and flushes.
fn send(stream: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    stream.write_all(bytes)?;
    stream.flush()
}

fn smtp(stream: &mut (impl Read + Write)) -> io::Result<()> {
    // all lines of a reply but the last have a hyphen after the code, RFC 5321 section 4.2.1
    let reply = |stream: &mut _, code: &[u8]| {
        let is_continued = |line: &[u8]| line.starts_with(code) && line.get(3) == Some(&b'-');
        let lines = read_lines(stream, StartTls::Smtp, |line| !is_continued(line))?;
        match lines.iter().find(|line| !line.starts_with(code)) {
            Some(line) => Err(StartTls::Smtp.unexpected_answer_error(line)),
            None => Ok(lines),
        }
    };
    reply(stream, b"220")?;
    send(stream, b"EHLO localhost\r\n")?;
    let offered = reply(stream, b"250")?;
    let is_offer = |line: &Vec<u8>| {
        line[3..].get(1..).unwrap_or_default().trim_ascii().eq_ignore_ascii_case(b"STARTTLS")
    };
    if !offered.iter().any(is_offer) {
        return Err(refusal_error(Refusal::NotOffered(StartTls::Smtp)));
    }
    send(stream, b"STARTTLS\r\n")?;
    reply(stream, b"220").map(drop)
}

fn imap(stream: &mut (impl Read + Write)) -> io::Result<()> {
    expect_line(stream, StartTls::Imap, b"* OK")?;
    send(stream, b"a STARTTLS\r\n")?;
    // lines without the tag are unsolicited
    let lines = read_lines(stream, StartTls::Imap, |line| line.starts_with(b"a "))?;
    match lines.last() {
        Some(line) if !line.starts_with(b"a OK") => Err(StartTls::Imap.unexpected_answer_error(line)),
        _ => Ok(()),
    }
}

fn pop3(stream: &mut (impl Read + Write)) -> io::Result<()> {
    expect_line(stream, StartTls::Pop3, b"+OK")?;
    send(stream, b"STLS\r\n")?;
    expect_line(stream, StartTls::Pop3, b"+OK")
}

fn xmpp(stream: &mut (impl Read + Write), name: &str) -> io::Result<()> {
    let protocol = StartTls::Xmpp;
    let name = name.replace('&', "&amp;").replace('\'', "&apos;").replace('<', "&lt;");
    let hello = format!(
        "<?xml version='1.0'?><stream:stream to='{name}' version='1.0' xmlns='jabber:client' \
         xmlns:stream='http://etherx.jabber.org/streams'>"
    );
    send(stream, hello.as_bytes())?;
    let is_end = |read: &[u8]| {
        [&b"</stream:features>"[..], b"<stream:features/>", b"</stream:stream>"]
            .iter()
            .any(|end| read.ends_with(end))
    };
    let features = read_until(stream, protocol, is_end)?;
    let contains = |part: &[u8]| features.windows(part.len()).any(|window| window == part);
    if !contains(b"<stream:features") {
        return Err(protocol.unexpected_answer_error(&features));
    }
    if !contains(b"<starttls") || !contains(XMPP_TLS) {
        return Err(refusal_error(Refusal::NotOffered(protocol)));
    }
    send(stream, &[b"<starttls xmlns='", XMPP_TLS, b"'/>"].concat())?;
    let answer = read_until(stream, protocol, |read| read.ends_with(b">"))?;
    let answer = answer.trim_ascii();
    if answer.starts_with(b"<proceed") && answer.ends_with(b"/>") {
        return Ok(());
    }
    if answer.starts_with(b"<proceed") {
        return read_until(stream, protocol, |read| read.ends_with(b"</proceed>")).map(drop);
    }
    Err(protocol.unexpected_answer_error(answer))
}

const XMPP_TLS: &[u8] = b"urn:ietf:params:xml:ns:xmpp-tls";

fn ldap(stream: &mut (impl Read + Write)) -> io::Result<()> {
    let protocol = StartTls::Ldap;
    send(stream, &[LDAP_START, LDAP_OID].concat())?;
    let (tag, message) = read_ber(stream)?;
    if tag != BER_SEQUENCE {
        return Err(protocol.unexpected_answer_error(&[tag]));
    }
    match ldap_result(&message) {
        Some(0) => Ok(()),
        // protocolError or unavailable: the server does not support the request, or has no TLS
        Some(2 | 52) => Err(refusal_error(Refusal::NotOffered(protocol))),
        _ => Err(protocol.unexpected_answer_error(&message)),
    }
}

/// Returns the resultCode of an ExtendedResponse in an LDAPMessage: messageID, then protocolOp, which starts with the
/// code.
fn ldap_result(message: &[u8]) -> Option<u8> {
    let id = parse_element(message)?;
    let response = parse_element(id.rest)?;
    let code = parse_element(response.content)?;
    match (id.content, response.tag, code.tag, code.content) {
        ([1], BER_EXTENDED_RESPONSE, BER_ENUMERATED, [code]) => Some(*code),
        _ => None,
    }
}

/// LDAPMessage with messageID 1 and an ExtendedRequest, up to its requestName.
const LDAP_START: &[u8] = &[BER_SEQUENCE, 29, 2, 1, 1, 0x77, 24, 0x80, 22];
const LDAP_OID: &[u8] = b"1.3.6.1.4.1.1466.20037";
const _: () = {
    // the length fields: of requestName, of the ExtendedRequest around it, and of the message with its messageID
    assert!(LDAP_START[8] as usize == LDAP_OID.len());
    assert!(LDAP_START[6] as usize == 2 + LDAP_OID.len());
    assert!(LDAP_START[1] as usize == 3 + 2 + 2 + LDAP_OID.len());
};

const BER_SEQUENCE: u8 = 0x30;
const BER_ENUMERATED: u8 = 10;
/// Tag `[APPLICATION 24]`, constructed.
const BER_EXTENDED_RESPONSE: u8 = 0x78;

/// Reads tag and content of the next BER element, with a definite length.
fn read_ber(stream: &mut impl Read) -> io::Result<(u8, Vec<u8>)> {
    let mut header = [0; 2];
    stream.read_exact(&mut header)?;
    let [tag, first] = header;
    let mut len = usize::from(first);
    if first & 0x80 != 0 {
        let mut digits = vec![0; usize::from(first & 0x7F)];
        stream.read_exact(&mut digits)?;
        len = digits
            .iter()
            .fold(0, |len: usize, digit| len.saturating_mul(256).saturating_add((*digit).into()));
    }
    if len > MAX_LEN {
        return Err(refusal_error(Refusal::TooLong(StartTls::Ldap)));
    }
    let mut content = vec![0; len];
    stream.read_exact(&mut content)?;
    Ok((tag, content))
}

/// A BER element and the bytes after it.
struct Element<'a> {
    tag: u8,
    content: &'a [u8],
    rest: &'a [u8],
}

/// Parses the first element of `bytes`, with a definite length.
fn parse_element(bytes: &[u8]) -> Option<Element<'_>> {
    let [tag, first, rest @ ..] = bytes else { return None };
    let (len, rest) = match first {
        0..0x80 => (usize::from(*first), rest),
        _ => {
            let (digits, rest) = rest.split_at_checked(usize::from(first & 0x7F).min(4))?;
            (digits.iter().fold(0, |len, digit| len << 8 | usize::from(*digit)), rest)
        }
    };
    let (content, rest) = rest.split_at_checked(len)?;
    Some(Element { tag: *tag, content, rest })
}

fn postgresql(stream: &mut (impl Read + Write)) -> io::Result<()> {
    // length of the message, and the code of an SSLRequest
    send(stream, &[0, 0, 0, 8, 0x04, 0xD2, 0x16, 0x2F])?;
    let mut answer = [0];
    stream.read_exact(&mut answer)?;
    match answer {
        [b'S'] => Ok(()),
        [b'N'] => Err(refusal_error(Refusal::NotOffered(StartTls::PostgreSql))),
        other => Err(StartTls::PostgreSql.unexpected_answer_error(&other)),
    }
}

fn mysql(stream: &mut (impl Read + Write)) -> io::Result<()> {
    let protocol = StartTls::MySql;
    // length (3 bytes, little-endian) and number of the packet
    let mut header = [0; 4];
    stream.read_exact(&mut header)?;
    let len = u32::from_le_bytes([header[0], header[1], header[2], 0]) as usize;
    if header[3] != 0 || len > MAX_LEN {
        return Err(protocol.unexpected_answer_error(&header));
    }
    let mut greeting = vec![0; len];
    stream.read_exact(&mut greeting)?;
    let Some(capabilities) = mysql_capabilities(&greeting) else {
        return Err(protocol.unexpected_answer_error(greeting.get(1..).unwrap_or_default()));
    };
    if capabilities & MYSQL_TLS as u16 == 0 {
        return Err(refusal_error(Refusal::NotOffered(protocol)));
    }
    let mut request = vec![32, 0, 0, 1];
    request.extend((MYSQL_PROTOCOL_41 | MYSQL_TLS | MYSQL_SECURE_CONNECTION).to_le_bytes());
    // maximum packet length, character set utf8mb4, and 23 reserved bytes
    request.extend((1u32 << 24).to_le_bytes());
    request.push(45);
    request.extend([0; 23]);
    send(stream, &request)
}

const MYSQL_PROTOCOL_41: u32 = 0x0200;
const MYSQL_TLS: u32 = 0x0800;
const MYSQL_SECURE_CONNECTION: u32 = 0x8000;

/// Returns the lower half of the capabilities in a greeting. Its fields: protocol 10, version as zero-terminated
/// text, connection number (4 bytes), random bytes (8), a filler, and the capabilities (2, little-endian).
fn mysql_capabilities(greeting: &[u8]) -> Option<u16> {
    let rest = greeting.strip_prefix(&[10])?;
    let end = rest.iter().position(|byte| *byte == 0)?;
    let bytes = rest.get(end + 1 + 4 + 8 + 1..)?.first_chunk()?;
    Some(u16::from_le_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A scripted server, which sends these bytes regardless of the client's messages and records the client's bytes.
    struct Script {
        sends: &'static [u8],
        received: Vec<u8>,
    }

    impl Read for Script {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.sends.read(buffer)
        }
    }

    impl Write for Script {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.received.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Plays a script. Returns the client's bytes or its error, and the unread rest of the script.
    fn run_script(protocol: StartTls, sends: &'static [u8]) -> (Result<Vec<u8>, String>, &'static [u8]) {
        let mut script = Script { sends, received: Vec::new() };
        let done = protocol.negotiate(&mut script, "a.example").map_err(|error| error.to_string());
        (done.map(|()| script.received), script.sends)
    }

    const MYSQL_GREETING: &[u8] = b"\x1b\0\0\0\x0a8.4.0\0\x01\0\0\0ABCDEFGH\0\xff\xff\x21\x02\0AB";
    const XMPP_FEATURES: &[u8] = b"<?xml version='1.0'?><stream:stream id='1'><stream:features><starttls \
        xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls></stream:features><proceed \
        xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>TLS";

    #[test]
    fn every_protocol_starts_tls_without_reading_ahead() {
        let smtp = b"220-mail\r\n220 ready\r\n250-mail\r\n250-SIZE 1\r\n250 STARTTLS\r\n220 go\r\nTLS";
        let imap = b"* OK ready\r\n* CAPABILITY IMAP4rev2\r\na OK begin\r\nTLS";
        let ldap = b"\x30\x0c\x02\x01\x01\x78\x07\x0a\x01\0\x04\0\x04\0TLS";
        let mysql: &[u8] = [MYSQL_GREETING, b"TLS"].concat().leak();
        for (protocol, sends, last) in [
            (StartTls::Smtp, &smtp[..], &b"EHLO localhost\r\nSTARTTLS\r\n"[..]),
            (StartTls::Imap, imap, b"a STARTTLS\r\n"),
            (StartTls::Pop3, b"+OK ready\r\n+OK begin\r\nTLS", b"STLS\r\n"),
            (StartTls::Xmpp, XMPP_FEATURES, b"<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>"),
            (StartTls::Ldap, ldap, b"\x30\x1d\x02\x01\x01\x77\x18\x80\x161.3.6.1.4.1.1466.20037"),
            (StartTls::PostgreSql, b"STLS", b"\0\0\0\x08\x04\xd2\x16\x2f"),
            (StartTls::MySql, mysql, &[0; 23]),
        ] {
            let (done, rest) = run_script(protocol, sends);
            let received = done.unwrap_or_else(|error| panic!("{protocol}: {error}"));
            assert!(received.ends_with(last), "{protocol}: {}", String::from_utf8_lossy(&received));
            assert_eq!(rest, b"TLS", "{protocol}");
        }
    }

    #[test]
    fn reports_a_server_without_starttls() {
        let mysql: &[u8] = MYSQL_GREETING
            .iter()
            .map(|byte| if *byte == 0xFF { 0xF7 } else { *byte })
            .collect::<Vec<_>>()
            .leak();
        for (protocol, sends) in [
            (StartTls::Smtp, &b"220 ready\r\n250 mail\r\n"[..]),
            (StartTls::Xmpp, b"<stream:stream><stream:features></stream:features>"),
            (StartTls::Ldap, b"\x30\x0c\x02\x01\x01\x78\x07\x0a\x01\x02\x04\0\x04\0"),
            (StartTls::PostgreSql, b"N"),
            (StartTls::MySql, mysql),
        ] {
            let (done, _) = run_script(protocol, sends);
            assert_eq!(done.unwrap_err(), format!("the {protocol} server does not offer STARTTLS"));
        }
    }

    #[test]
    fn quotes_unexpected_answers() {
        for (protocol, sends, quoted) in [
            (StartTls::Smtp, &b"SSH-2.0-OpenSSH\r\n"[..], "SSH-2.0-OpenSSH"),
            (StartTls::Smtp, b"220 ready\r\n250 STARTTLS\r\n454 not now\r\n", "454 not now"),
            (StartTls::Imap, b"220 mail\r\n", "220 mail"),
            (StartTls::Imap, b"* OK ready\r\na BAD what\r\n", "a BAD what"),
            (StartTls::Pop3, b"+OK ready\r\n-ERR \x1b[2J\r\n", "-ERR \\u{1b}[2J"),
            (StartTls::Xmpp, b"<stream:error/></stream:stream>", "<stream:error/>"),
            (StartTls::PostgreSql, b"E", "E"),
            (StartTls::MySql, b"\x05\0\0\0\xffHost", "Host"),
        ] {
            let (done, _) = run_script(protocol, sends);
            let error = done.unwrap_err();
            assert!(error.contains(quoted), "{protocol}: {error}");
        }
    }

    #[test]
    fn rejects_truncated_and_endless_answers() {
        for protocol in StartTls::ALL {
            assert!(run_script(protocol, b"").0.is_err(), "{protocol}");
            let endless: &[u8] = vec![b'2'; 2 * MAX_LEN].leak();
            let (done, rest) = run_script(protocol, endless);
            assert!(done.is_err() && rest.len() >= MAX_LEN - 8, "{protocol}");
        }
        let lines: &[u8] = b"220-mail\r\n".repeat(2 * MAX_LINES).leak();
        assert!(run_script(StartTls::Smtp, lines).0.unwrap_err().contains("too long"));
        for len in 0..XMPP_FEATURES.len() - 3 {
            assert!(run_script(StartTls::Xmpp, &XMPP_FEATURES[..len]).0.is_err(), "{len} bytes");
        }
        assert!(run_script(StartTls::Ldap, b"\x30\x84\xff\xff\xff\xff").0.unwrap_err().contains("too long"));
        assert!(run_script(StartTls::Ldap, b"\x30\x05\x02\x01\x01\x78\xff").0.is_err());
    }

    #[test]
    fn escapes_names_in_xml() {
        let mut script = Script { sends: XMPP_FEATURES, received: Vec::new() };
        StartTls::Xmpp.negotiate(&mut script, "a'><b&").unwrap();
        assert!(String::from_utf8(script.received).unwrap().contains("to='a&apos;>&lt;b&amp;' version"));
    }
}
