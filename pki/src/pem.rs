//! PEM, RFC 7468: finds the blocks of a file and ignores text around them.

use crate::Error;
use crate::asn1::{SEQUENCE, first_element};
use crate::pem_label::OPENSSH;
use alloc::{borrow::ToOwned, format, string::String, string::ToString, vec::Vec};
use core::ops::Deref;
use der::pem::{LineEnding, decode_vec, encode_string};
use zeroize::Zeroizing;

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";
const DASHES: &str = "-----";

/// Label of OpenSSL's certificates with trust settings appended.
const TRUSTED: &str = "TRUSTED CERTIFICATE";

/// Type of document that a reader expects in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// X.509 certificates.
    Certificate,
    /// A certificate request, PKCS#10.
    Request,
    /// A private key.
    PrivateKey,
    /// A public key.
    PublicKey,
    /// Certificate revocation lists.
    RevocationList,
}

impl Kind {
    /// Returns the label of RFC 7468, which this crate writes.
    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::Certificate => "CERTIFICATE",
            Self::Request => "CERTIFICATE REQUEST",
            Self::PrivateKey => "PRIVATE KEY",
            Self::PublicKey => "PUBLIC KEY",
            Self::RevocationList => "X509 CRL",
        }
    }

    /// Returns the name of the document type in error messages.
    pub(crate) const fn element(self) -> &'static str {
        match self {
            Self::Certificate => "certificate",
            Self::Request => "certificate request",
            Self::PrivateKey => "private key",
            Self::PublicKey => "public key",
            Self::RevocationList => "revocation list",
        }
    }

    /// Returns whether blocks with this label hold documents of this kind. Some older tools write another word before
    /// the label of RFC 7468.
    pub(crate) fn has_label(self, label: &str) -> bool {
        match self {
            Self::Certificate => matches!(label, "CERTIFICATE" | "X509 CERTIFICATE" | TRUSTED),
            Self::Request => matches!(label, "CERTIFICATE REQUEST" | "NEW CERTIFICATE REQUEST"),
            Self::PrivateKey => label.ends_with(self.label()) && label != OPENSSH,
            Self::PublicKey => label.ends_with(self.label()),
            Self::RevocationList => label == self.label(),
        }
    }
}

/// A label and the DER of its block.
pub(crate) type Block = (String, Zeroizing<Vec<u8>>);

/// Returns the document in `bytes`: all bytes if they are DER, and otherwise the content of the only PEM block of this
/// kind. Other blocks are skipped.
///
/// # Errors
/// Returns [`Error::NeitherPemNorDer`] if the bytes are neither PEM nor DER, [`Error::Label`] if no block has this
/// kind, [`Error::Cipher`] if the block has the traditional encryption of OpenSSL, or [`Error::Pem`] if the block is
/// damaged or several blocks have this kind.
pub(crate) fn find_one(bytes: &[u8], kind: Kind) -> Result<Zeroizing<Vec<u8>>, Error> {
    if is_der(bytes) {
        return Ok(Zeroizing::new(bytes.to_vec()));
    }
    let mut found = find_all_of_kind(bytes, kind)?;
    if found.len() > 1 {
        return Err(damaged_block_error(kind.label(), "there is more than one block, expected one"));
    }
    Ok(found.swap_remove(0))
}

/// Returns the DER of every block of this kind; there must be at least one. Other blocks are skipped.
///
/// # Errors
/// Returns the errors of [`find_one`].
pub(crate) fn find_all_of_kind(bytes: &[u8], kind: Kind) -> Result<Vec<Zeroizing<Vec<u8>>>, Error> {
    Ok(read_labelled(bytes, kind)?.into_iter().map(|(_, der)| der).collect())
}

/// Returns the blocks of [`find_all_of_kind`], with their labels.
///
/// # Errors
/// Returns the errors of [`find_one`].
pub(crate) fn read_labelled(bytes: &[u8], kind: Kind) -> Result<Vec<Block>, Error> {
    let text = to_ascii_bytes(bytes);
    let (mut found, mut other) = (Vec::new(), None);
    for block in (Blocks { rest: &text }) {
        match block {
            Ok(block) if kind.has_label(block.label) => found.push((block.label.to_owned(), block.decode()?)),
            Ok(block) => _ = other.get_or_insert(block.label),
            // a damaged block of another kind is skipped, too
            Err(Error::Pem { label, .. }) if !label.is_empty() && !kind.has_label(&label) => (),
            Err(error) => return Err(error),
        }
    }
    match (found.is_empty(), other) {
        (false, _) => Ok(found),
        (true, Some(other)) => {
            Err(Error::Label { expected: kind.label(), found: other.escape_debug().to_string() })
        }
        (true, None) => Err(missing_begin_error(kind.label(), &text)),
    }
}

/// Returns every block, whatever its label. There must be at least one, and every block must contain DER.
///
/// # Errors
/// Returns the errors of [`find_one`]; [`Error::Label`] for a block without DER content.
pub(crate) fn find_all_blocks(bytes: &[u8]) -> Result<Vec<Block>, Error> {
    let text = to_ascii_bytes(bytes);
    let mut found = Vec::new();
    for block in (Blocks { rest: &text }) {
        let block = block?;
        if block.label == OPENSSH {
            return Err(Error::Label { expected: "", found: block.label.to_owned() });
        }
        found.push((block.label.to_owned(), block.decode()?));
    }
    if found.is_empty() { Err(missing_begin_error("", &text)) } else { Ok(found) }
}

/// Returns the labels of all blocks, in order; blocks are not decoded.
#[cfg(feature = "std")]
pub(crate) fn labels(bytes: &[u8]) -> Vec<String> {
    let text = to_ascii_bytes(bytes);
    Blocks { rest: &text }.map_while(Result::ok).map(|block| block.label.to_owned()).collect()
}

/// Returns whether the first bytes look like DER or BER. All supported documents begin with a SEQUENCE. Its tag is also
/// the ASCII code of `0`, with which a text may begin.
pub(crate) fn is_der(bytes: &[u8]) -> bool {
    match bytes {
        [SEQUENCE, 0x80..=0xFF, ..] => true,
        [SEQUENCE, length, content @ ..] => {
            usize::from(*length) == content.len() || find(bytes, BEGIN.as_bytes()).is_none()
        }
        [SEQUENCE] => true,
        _ => false,
    }
}

/// Encodes DER as one block with this label.
pub(crate) fn encode(der: &[u8], label: &'static str) -> Result<String, Error> {
    encode_string(label, LineEnding::LF, der).map_err(|error| damaged_block_error(label, &error.to_string()))
}

/// Text in which each character that can occur in PEM is one ASCII byte.
enum Text<'a> {
    Bytes(&'a [u8]),
    /// Text that was converted from UTF-16. Erased on drop, because it may be a private key.
    Converted(Zeroizing<Vec<u8>>),
}

impl Deref for Text<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Converted(bytes) => bytes,
        }
    }
}

/// Returns the text of a file. Converts UTF-16 of either byte order, with or without a byte order mark. Other encodings
/// include ASCII, so other files are returned unchanged.
fn to_ascii_bytes(bytes: &[u8]) -> Text<'_> {
    if find(bytes, DASHES.as_bytes()).is_some() {
        return Text::Bytes(bytes);
    }
    let wide = |order: fn(u16) -> [u8; 2]| -> Vec<u8> {
        DASHES.bytes().flat_map(|byte| order(byte.into())).collect()
    };
    let (little, big) = (find(bytes, &wide(u16::to_le_bytes)), find(bytes, &wide(u16::to_be_bytes)));
    // ASCII text in UTF-16 of one byte order is also ASCII text in the other order, shifted by a byte: choose the order
    // whose units are aligned with the file
    let (start, read): (_, fn([u8; 2]) -> u16) = match (little, big) {
        (Some(little), big) if little % 2 == 0 || big.is_none() => (little, u16::from_le_bytes),
        (_, Some(big)) => (big, u16::from_be_bytes),
        (_, None) => return Text::Bytes(bytes),
    };
    let mut narrow = Zeroizing::new(Vec::with_capacity(bytes.len() / 2));
    let (units, _) = bytes[start % 2..].as_chunks::<2>();
    narrow.extend(units.iter().map(|unit| u8::try_from(read(*unit)).unwrap_or(b'?')));
    Text::Converted(narrow)
}

/// Returns the position of the first occurrence of `pattern`.
fn find(bytes: &[u8], pattern: &[u8]) -> Option<usize> {
    bytes.windows(pattern.len()).position(|window| window == pattern)
}

/// Iterator over the blocks of a text.
struct Blocks<'a> {
    rest: &'a [u8],
}

/// A block before decoding.
struct RawBlock<'a> {
    label: &'a str,
    /// The block's text, from its first dash to its last.
    text: &'a [u8],
}

impl<'a> Iterator for Blocks<'a> {
    type Item = Result<RawBlock<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let start = find(self.rest, BEGIN.as_bytes())?;
        let from = &self.rest[start..];
        // a block ends before the next one begins; searching further would take quadratic time in files with many BEGIN
        // lines
        let next = find(&from[BEGIN.len()..], BEGIN.as_bytes()).map_or(from.len(), |next| BEGIN.len() + next);
        let (block, rest) = from.split_at(next);
        self.rest = rest;
        Some(RawBlock::parse(block))
    }
}

impl<'a> RawBlock<'a> {
    /// Parses the block at the start of `text`; other text may follow.
    fn parse(text: &'a [u8]) -> Result<Self, Error> {
        let after = &text[BEGIN.len()..];
        let label = find(after, DASHES.as_bytes()).and_then(|end| core::str::from_utf8(&after[..end]).ok());
        let label = label
            .filter(|label| !label.contains(['\n', '\r']))
            .ok_or_else(|| damaged_block_error("", "a -----BEGIN line is truncated"))?;
        let end = format!("{END}{label}{DASHES}");
        let at = find(text, end.as_bytes());
        let at = at.ok_or_else(|| {
            damaged_block_error(label, "the -----END line is missing; is the file truncated?")
        })?;
        Ok(Self { label, text: &text[..at + end.len()] })
    }

    /// Decodes the block's DER.
    fn decode(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        let text = core::str::from_utf8(self.text);
        let text = text.map_err(|_| {
            damaged_block_error(self.label, "it contains a byte that is not a base64 character")
        })?;
        if is_encrypted(text) {
            return Err(Error::Cipher {
                element: Kind::PrivateKey.element(),
                algorithm: LEGACY_ENCRYPTION_NAME.to_owned(),
            });
        }
        let der = decode_vec(text.as_bytes()).map(|(_, der)| Zeroizing::new(der));
        let der = der.or_else(|error| match decode_vec(rewrap(text, self.label).as_bytes()) {
            Ok((_, der)) => Ok(Zeroizing::new(der)),
            Err(_) => Err(damaged_block_error(self.label, &error.to_string())),
        })?;
        match self.label {
            TRUSTED => Ok(Zeroizing::new(first_element(&der).unwrap_or(&der).to_vec())),
            _ => Ok(der),
        }
    }
}

/// How error messages name OpenSSL's traditional encryption.
const LEGACY_ENCRYPTION_NAME: &str = "a key derived with MD5 (RFC 1421)";

/// Returns whether the block is encrypted as in RFC 1421 section 4.6.1.1, which OpenSSL still supports.
fn is_encrypted(block: &str) -> bool {
    block.lines().nth(1).is_some_and(|line| line.starts_with("Proc-Type: 4,ENCRYPTED"))
}

/// Rewrites the block in lines of 64 characters without header fields, as RFC 7468 section 2 requires. A key that was
/// pasted into a form, an environment variable or a terminal may have lost or moved line ends, or line ends written as
/// `\n`.
fn rewrap(block: &str, label: &str) -> Zeroizing<String> {
    let [begin, end] = [BEGIN, END].map(|mark| mark.len() + label.len() + DASHES.len());
    // the two boundary lines may overlap
    let body = block.get(begin..block.len() - end).unwrap_or_default();
    let letters = without_fields(body).split("\\n").flat_map(str::chars);
    let letters = letters.filter(|letter| !letter.is_ascii_whitespace());
    // the string has its full capacity from the start, so that no reallocation leaves a copy of the key in memory
    let mut lines = Zeroizing::new(String::with_capacity(2 * block.len()));
    lines.push_str(&block[..begin]);
    for (i, letter) in letters.enumerate() {
        lines.extend((i % 64 == 0).then_some('\n'));
        lines.push(letter);
    }
    lines.push('\n');
    lines.push_str(&block[block.len() - end..]);
    lines
}

/// Returns the part of the body after the header fields of RFC 1421 section 4.4, such as `Comment: mine`. An empty line
/// ends the header fields.
fn without_fields(body: &str) -> &str {
    let end = ["\n\n", "\r\n\r\n"].into_iter().filter_map(|empty| body.find(empty)).min();
    match end.and_then(|end| body.split_at_checked(end)) {
        Some((fields, letters)) if fields.contains(':') => letters,
        _ => body,
    }
}

/// Prefixes of OpenSSH public keys.
const OPENSSH_PUBLIC: [&str; 3] = ["ssh-", "ecdsa-sha2-", "sk-"];

/// Magic bytes of Java's own keystore formats, JKS and JCEKS.
const JAVA_KEYSTORES: [[u8; 4]; 2] = [[0xFE, 0xED, 0xFE, 0xED], [0xCE, 0xCE, 0xCE, 0xCE]];

/// The first character of a [`SEQUENCE`] in base64, RFC 4648 section 4.
const SEQUENCE_IN_BASE64: u8 = b'M';

/// The base64 encoding of `-----B`.
const DASHES_IN_BASE64: &[u8] = b"LS0tLS1C";

/// Returns the error for input without a -----BEGIN line, with a guess about its format.
fn missing_begin_error(label: &str, bytes: &[u8]) -> Error {
    let letters = || bytes.iter().copied().filter(|byte| !byte.is_ascii_whitespace());
    let is_base64 = || letters().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte));
    let starts_with = |start: &str| bytes.starts_with(start.as_bytes());
    let found = if letters().next().is_none() {
        "it is empty"
    } else if JAVA_KEYSTORES.iter().any(|magic| bytes.starts_with(magic)) {
        "it is a keystore in Java's own format; \
         convert it to PKCS#12 with `keytool -importkeystore -srckeystore FILE -destkeystore NEW.p12 -deststoretype PKCS12`"
    } else if starts_with("PuTTY-User-Key-File-") {
        "it is a PuTTY key; convert it to OpenSSH's format with `puttygen FILE -O private-openssh -o COPY`, then to PEM with \
         `ssh-keygen -p -m PKCS8 -f COPY`"
    } else if OPENSSH_PUBLIC.iter().any(|start| starts_with(start)) {
        "it is a public key in OpenSSH's format; convert RSA and ECDSA keys to PEM with `ssh-keygen -e -m PKCS8 -f FILE`"
    } else if find(bytes, END.as_bytes()).is_some() {
        return damaged_block_error(label, "there is no -----BEGIN line; is the file truncated?");
    } else if letters().all(|byte| byte.is_ascii_hexdigit()) {
        "it looks like hexadecimal; convert it to bytes first"
    } else if bytes.trim_ascii_start().starts_with(DASHES_IN_BASE64) && is_base64() {
        "it is base64-encoded PEM, as in a Kubernetes Secret; decode it with `base64 -d FILE`"
    } else if letters().next() == Some(SEQUENCE_IN_BASE64) && is_base64() {
        "it looks like PEM without the -----BEGIN and -----END lines"
    } else if core::str::from_utf8(bytes).is_err() {
        "it is binary data of an unknown format"
    } else {
        "it is text without a -----BEGIN line"
    };
    Error::NeitherPemNorDer { label: label.escape_debug().to_string(), found }
}

fn damaged_block_error(label: &str, reason: &str) -> Error {
    Error::Pem { label: label.escape_debug().to_string(), reason: reason.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUBLIC: Kind = Kind::PublicKey;

    fn sample() -> (Vec<u8>, String) {
        let der: Vec<u8> = [SEQUENCE, 0x81, 200].into_iter().chain(0..200).collect();
        let text = encode(&der, PUBLIC.label()).expect("PEM");
        (der, text)
    }

    #[test]
    fn reads_blocks_with_lost_or_moved_line_ends() {
        let (der, text) = sample();
        let body: String = text.lines().filter(|line| !line.starts_with('-')).collect();
        let in_one = format!("{BEGIN}PUBLIC KEY-----\n{body}\n{END}PUBLIC KEY-----\n");
        for text in [text.replace('\n', ""), text.replace('\n', " "), text.replace('\n', "\\n"), in_one] {
            assert_eq!(find_one(text.as_bytes(), PUBLIC).expect("a block").as_slice(), der, "{text}");
            let damaged = text.replacen(&body[..1], "!", 1);
            assert!(find_one(damaged.as_bytes(), PUBLIC).is_err(), "{damaged}");
        }
    }

    #[test]
    fn reads_blocks_in_every_encoding_and_with_text_around_them() {
        let (der, text) = sample();
        let text = format!("subject=M\u{fc}ller\n{text}-- the end");
        let latin1: Vec<u8> = text.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap()).collect();
        let utf16 = |order: fn(u16) -> [u8; 2]| -> Vec<u8> { text.encode_utf16().flat_map(order).collect() };
        let marked = |mark: &[u8], text: &[u8]| [mark, text].concat();
        let (little, big) = (utf16(u16::to_le_bytes), utf16(u16::to_be_bytes));
        for bytes in [
            text.as_bytes().to_vec(),
            text.replace('\n', "\r\n").into_bytes(),
            text.replace('\n', "\r").into_bytes(),
            marked(&[0xEF, 0xBB, 0xBF], text.as_bytes()),
            marked(&[0xFC], &latin1),
            latin1,
            marked(&[0xFF, 0xFE], &little),
            marked(&[0xFE, 0xFF], &big),
            little,
            big,
            marked(b"0 s:CN=a\n", text.as_bytes()),
        ] {
            assert_eq!(find_one(&bytes, PUBLIC).expect("a block").as_slice(), der, "{bytes:?}");
        }
    }

    #[test]
    fn skips_blocks_of_other_kinds_in_any_position() {
        let (der, text) = sample();
        let other = text.replace("PUBLIC KEY", "X509 CRL");
        let no_der = format!("{BEGIN}{OPENSSH}-----\nb3BlbnNzaA\n{END}{OPENSSH}-----\n");
        for file in [format!("{other}{text}"), format!("{text}{other}"), format!("{no_der}{text}{no_der}")] {
            assert_eq!(find_one(file.as_bytes(), PUBLIC).expect("a block").as_slice(), der);
            let none = find_one(file.as_bytes(), Kind::Request).unwrap_err();
            assert!(matches!(none, Error::Label { expected: "CERTIFICATE REQUEST", .. }), "{none}");
        }
        assert_eq!(labels(format!("{other}{text}").as_bytes()), ["X509 CRL", "PUBLIC KEY"]);
        let twice = find_one(format!("{text}{text}").as_bytes(), PUBLIC).unwrap_err().to_string();
        assert!(twice.contains("more than one block"), "{twice}");
        assert_eq!(
            find_all_of_kind(format!("{text}{text}").as_bytes(), PUBLIC).expect("two blocks").len(),
            2
        );
    }

    #[test]
    fn reads_blocks_with_header_fields() {
        let (der, text) = sample();
        let text = text.replacen("-----\n", "-----\nComment: mine\nX-Other: 1\n\n", 1);
        for text in [text.clone(), text.replace('\n', "\r\n")] {
            assert_eq!(find_one(text.as_bytes(), PUBLIC).expect("a block").as_slice(), der, "{text}");
        }
    }

    #[test]
    fn refuses_damaged_blocks() {
        let (_, text) = sample();
        for (file, reason) in [
            (text.replace("-----END", "-----OND"), "-----END line is missing"),
            (
                text.replace("-----BEGIN PUBLIC KEY-----", "-----BEGIN PUBLIC KEY"),
                "-----BEGIN line is truncated",
            ),
            (text[..20].to_owned(), "-----BEGIN line is truncated"),
            (text.replace("-----BEGIN", "-----BOGIN"), "there is no -----BEGIN line"),
            (text.replacen("\n", "\n\u{fc}", 1), "Base64"),
        ] {
            let error = find_one(file.as_bytes(), PUBLIC).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}\n{file}");
        }
    }

    #[test]
    fn error_guesses_the_format_of_a_file_without_pem() {
        let (der, _) = sample();
        for (bytes, expected) in [
            (&b" \n"[..], "it is empty"),
            (b"\xFE\xED\xFE\xED\0\0\0\x02", "keystore in Java's own format"),
            (b"PuTTY-User-Key-File-3: ssh-rsa", "a PuTTY key"),
            (b"ssh-ed25519 AAAA", "in OpenSSH's format"),
            (b"30 03 02 01", "hexadecimal"),
            (b"LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS0=\n", "a Kubernetes Secret"),
            (b"MAMCAQU=", "PEM without the"),
            (b"\xFC\xFD", "binary data"),
            (b"hello", "text without a -----BEGIN line"),
        ] {
            let error = find_one(bytes, PUBLIC).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
        assert!(is_der(&der) && is_der(&[SEQUENCE, 0x80]) && is_der(&[SEQUENCE]));
    }

    /// Searching the whole rest of the file for the end of each block would take a minute.
    #[test]
    fn reads_many_blocks_in_linear_time() {
        let text = format!("{BEGIN}X-----MAA={END}X-----").repeat(200_000);
        let began = std::time::Instant::now();
        assert_eq!(find_all_blocks(text.as_bytes()).expect("blocks").len(), 200_000);
        let text = format!("{BEGIN}X-----").repeat(200_000);
        assert!(find_all_blocks(text.as_bytes()).is_err());
        assert!(began.elapsed().as_secs() < 10);
    }

    #[test]
    fn reads_or_refuses_any_label() {
        for label in ["", "X", "\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n", " ", "\n", "é"] {
            for body in ["", "-----", "\n", "\\n", "AAAA", "\\nMAA=\\n"] {
                for marks in ["-----", ""] {
                    let text = format!("{BEGIN}{label}{marks}{body}{END}{label}-----");
                    if let Ok(blocks) = find_all_blocks(text.as_bytes()) {
                        assert_eq!(blocks[0].0, label, "{text:?}");
                    }
                }
            }
        }
        assert!(find_all_blocks(b"-----BEGIN X-----\nMAA=\n-----END X-----").is_ok());
    }
}
