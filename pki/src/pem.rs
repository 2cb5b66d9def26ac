//! PEM, RFC 7468: finds the blocks of a file, whatever text stands around them.

use crate::Error;
use crate::asn1::{SEQUENCE, first_element};
use alloc::{borrow::ToOwned, format, string::String, string::ToString, vec::Vec};
use core::ops::Deref;
use der::pem::{LineEnding, decode_vec, encode_string};
use zeroize::Zeroizing;

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";
const DASHES: &str = "-----";

/// PEM whose content is not DER.
pub(crate) const OPENSSH: &str = "OPENSSH PRIVATE KEY";

/// A private key in an encrypted envelope, RFC 7468 section 11.
pub(crate) const ENCRYPTED: &str = "ENCRYPTED PRIVATE KEY";

/// OpenSSL's certificates with trust settings behind them.
const TRUSTED: &str = "TRUSTED CERTIFICATE";

/// What a reader looks for in a file.
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
    /// The label of RFC 7468, under which this crate writes.
    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::Certificate => "CERTIFICATE",
            Self::Request => "CERTIFICATE REQUEST",
            Self::PrivateKey => "PRIVATE KEY",
            Self::PublicKey => "PUBLIC KEY",
            Self::RevocationList => "X509 CRL",
        }
    }

    /// What error messages call it.
    pub(crate) const fn element(self) -> &'static str {
        match self {
            Self::Certificate => "certificate",
            Self::Request => "certificate request",
            Self::PrivateKey => "private key",
            Self::PublicKey => "public key",
            Self::RevocationList => "revocation list",
        }
    }

    /// Whether blocks with this label hold such documents. Older tools put a word before the label that RFC 7468 gives.
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

/// A label and the DER under it.
pub(crate) type Block = (String, Zeroizing<Vec<u8>>);

/// The document in `bytes`: the whole of it if it is DER, else the only PEM block of this kind. Other blocks are skipped.
///
/// # Errors
/// [`Error::Pem`], [`Error::NeitherPemNorDer`], [`Error::Label`], [`Error::Encrypted`].
pub(crate) fn one(bytes: &[u8], kind: Kind) -> Result<Zeroizing<Vec<u8>>, Error> {
    if is_der(bytes) {
        return Ok(Zeroizing::new(bytes.to_vec()));
    }
    let mut found = all(bytes, kind)?;
    if found.len() > 1 {
        return Err(damaged(kind.label(), "there is more than one block where one is wanted"));
    }
    Ok(found.swap_remove(0))
}

/// The DER of every block of this kind; at least one. Other blocks are skipped.
///
/// # Errors
/// As those of [`one`].
pub(crate) fn all(bytes: &[u8], kind: Kind) -> Result<Vec<Zeroizing<Vec<u8>>>, Error> {
    Ok(labelled(bytes, kind)?.into_iter().map(|(_, der)| der).collect())
}

/// The blocks of [`all`], with their labels.
///
/// # Errors
/// As those of [`one`].
pub(crate) fn labelled(bytes: &[u8], kind: Kind) -> Result<Vec<Block>, Error> {
    let text = narrowed(bytes);
    let (mut found, mut other) = (Vec::new(), None);
    for block in (Blocks { rest: &text }) {
        match block {
            Ok(block) if kind.has_label(block.label) => found.push((block.label.to_owned(), block.decode()?)),
            Ok(block) => _ = other.get_or_insert(block.label),
            // of another kind, and skipped like a whole one
            Err(Error::Pem { label, .. }) if !label.is_empty() && !kind.has_label(&label) => (),
            Err(error) => return Err(error),
        }
    }
    match (found.is_empty(), other) {
        (false, _) => Ok(found),
        (true, Some(other)) => {
            Err(Error::Label { expected: kind.label(), found: other.escape_debug().to_string() })
        }
        (true, None) => Err(without_begin(kind.label(), &text)),
    }
}

/// Every block, of whatever kind with DER inside; at least one.
///
/// # Errors
/// As those of [`one`]; [`Error::Label`] for a block that has no DER inside.
pub(crate) fn any(bytes: &[u8]) -> Result<Vec<Block>, Error> {
    let text = narrowed(bytes);
    let mut found = Vec::new();
    for block in (Blocks { rest: &text }) {
        let block = block?;
        if block.label == OPENSSH {
            return Err(Error::Label { expected: "", found: block.label.to_owned() });
        }
        found.push((block.label.to_owned(), block.decode()?));
    }
    if found.is_empty() { Err(without_begin("", &text)) } else { Ok(found) }
}

/// The labels of all blocks, in order; blocks are not decoded.
pub(crate) fn labels(bytes: &[u8]) -> Vec<String> {
    let text = narrowed(bytes);
    Blocks { rest: &text }.map_while(Result::ok).map(|block| block.label.to_owned()).collect()
}

/// Whether `bytes` are DER or BER, as far as their beginning tells. All documents that are read here begin with a SEQUENCE, whose
/// tag is also the digit 0 of a text.
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

/// One block.
pub(crate) fn encode(der: &[u8], label: &'static str) -> Result<String, Error> {
    encode_string(label, LineEnding::LF, der).map_err(|error| damaged(label, &error.to_string()))
}

/// A text with one byte for each character that can stand in PEM.
enum Text<'a> {
    Bytes(&'a [u8]),
    /// From UTF-16; erased when dropped, as it may be a private key.
    Narrowed(Zeroizing<Vec<u8>>),
}

impl Deref for Text<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Narrowed(bytes) => bytes,
        }
    }
}

/// The file as it is, in every encoding that has ASCII inside; or made of UTF-16, of either byte order and with or without a byte
/// order mark.
fn narrowed(bytes: &[u8]) -> Text<'_> {
    if find(bytes, DASHES.as_bytes()).is_some() {
        return Text::Bytes(bytes);
    }
    let wide = |order: fn(u16) -> [u8; 2]| -> Vec<u8> {
        DASHES.bytes().flat_map(|byte| order(byte.into())).collect()
    };
    let (little, big) = (find(bytes, &wide(u16::to_le_bytes)), find(bytes, &wide(u16::to_be_bytes)));
    // ASCII in one order is ASCII in the other a byte later: units that begin where the file does are the true ones
    let (start, read): (_, fn([u8; 2]) -> u16) = match (little, big) {
        (Some(little), big) if little % 2 == 0 || big.is_none() => (little, u16::from_le_bytes),
        (_, Some(big)) => (big, u16::from_be_bytes),
        (_, None) => return Text::Bytes(bytes),
    };
    let mut narrow = Zeroizing::new(Vec::with_capacity(bytes.len() / 2));
    let (units, _) = bytes[start % 2..].as_chunks::<2>();
    narrow.extend(units.iter().map(|unit| u8::try_from(read(*unit)).unwrap_or(b'?')));
    Text::Narrowed(narrow)
}

/// Where `wanted` begins first.
fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

/// Finds the blocks of a text.
struct Blocks<'a> {
    rest: &'a [u8],
}

/// A block that has not been decoded.
struct RawBlock<'a> {
    label: &'a str,
    /// From its first dash to its last.
    text: &'a [u8],
}

impl<'a> Iterator for Blocks<'a> {
    type Item = Result<RawBlock<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let start = find(self.rest, BEGIN.as_bytes())?;
        let from = &self.rest[start..];
        // a block ends before the next one begins: to look further would take long in a file of many beginnings
        let next = find(&from[BEGIN.len()..], BEGIN.as_bytes()).map_or(from.len(), |next| BEGIN.len() + next);
        let (block, rest) = from.split_at(next);
        self.rest = rest;
        Some(RawBlock::of(block))
    }
}

impl<'a> RawBlock<'a> {
    /// The block that `text` begins with; other text may follow.
    fn of(text: &'a [u8]) -> Result<Self, Error> {
        let after = &text[BEGIN.len()..];
        let label = find(after, DASHES.as_bytes()).and_then(|end| core::str::from_utf8(&after[..end]).ok());
        let label = label
            .filter(|label| !label.contains(['\n', '\r']))
            .ok_or_else(|| damaged("", "a -----BEGIN line is cut off"))?;
        let end = format!("{END}{label}{DASHES}");
        let at = find(text, end.as_bytes());
        let at = at.ok_or_else(|| damaged(label, "the -----END line is missing; is the file cut off?"))?;
        Ok(Self { label, text: &text[..at + end.len()] })
    }

    /// The DER inside.
    fn decode(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        let text = core::str::from_utf8(self.text);
        let text = text.map_err(|_| damaged(self.label, "there is a byte that is no letter of base64"))?;
        if is_encrypted(text) {
            return Err(Error::Cipher { element: Kind::PrivateKey.element(), algorithm: LEGACY.to_owned() });
        }
        let der = decode_vec(text.as_bytes()).map(|(_, der)| Zeroizing::new(der));
        let der = der.or_else(|error| match decode_vec(in_lines(text, self.label).as_bytes()) {
            Ok((_, der)) => Ok(Zeroizing::new(der)),
            Err(_) => Err(damaged(self.label, &error.to_string())),
        })?;
        match self.label {
            TRUSTED => Ok(Zeroizing::new(first_element(&der).unwrap_or(&der).to_vec())),
            _ => Ok(der),
        }
    }
}

/// What OpenSSL's traditional encryption is called in messages.
const LEGACY: &str = "a key that MD5 derives (RFC 1421)";

/// Whether the block is encrypted as RFC 1421 section 4.6.1.1 says, which OpenSSL still does.
fn is_encrypted(block: &str) -> bool {
    block.lines().nth(1).is_some_and(|line| line.starts_with("Proc-Type: 4,ENCRYPTED"))
}

/// The block in lines of 64 letters without header fields, as RFC 7468 section 2 wants them: forms, variables and terminals lose
/// or move the ends of lines, or write them as `\n`.
fn in_lines(block: &str, label: &str) -> Zeroizing<String> {
    let [begin, end] = [BEGIN, END].map(|mark| mark.len() + label.len() + DASHES.len());
    // one mark may begin where the other has not ended
    let body = block.get(begin..block.len() - end).unwrap_or_default();
    let letters = without_fields(body).split("\\n").flat_map(str::chars);
    let letters = letters.filter(|letter| !letter.is_ascii_whitespace());
    // as long as it gets: nothing is left behind by growth
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

/// What follows the header fields of RFC 1421 section 4.4, such as `Comment: mine`; an empty line ends them.
fn without_fields(body: &str) -> &str {
    let end = ["\n\n", "\r\n\r\n"].into_iter().filter_map(|empty| body.find(empty)).min();
    match end.and_then(|end| body.split_at_checked(end)) {
        Some((fields, letters)) if fields.contains(':') => letters,
        _ => body,
    }
}

/// How public keys of OpenSSH begin.
const OPENSSH_PUBLIC: [&str; 3] = ["ssh-", "ecdsa-sha2-", "sk-"];

/// How Java's own keystores begin, JKS and JCEKS.
const JAVA_KEYSTORES: [[u8; 4]; 2] = [[0xFE, 0xED, 0xFE, 0xED], [0xCE, 0xCE, 0xCE, 0xCE]];

/// The first six bits of [`SEQUENCE`], as RFC 4648 section 4 writes them.
const SEQUENCE_IN_BASE64: u8 = b'M';

/// What `-----B` is in base64.
const DASHES_IN_BASE64: &[u8] = b"LS0tLS1C";

/// What bytes without a -----BEGIN line seem to be.
fn without_begin(label: &str, bytes: &[u8]) -> Error {
    let letters = || bytes.iter().copied().filter(|byte| !byte.is_ascii_whitespace());
    let is_base64 = || letters().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte));
    let starts_with = |start: &str| bytes.starts_with(start.as_bytes());
    let found = if letters().next().is_none() {
        "it is empty"
    } else if JAVA_KEYSTORES.iter().any(|magic| bytes.starts_with(magic)) {
        "it is a keystore in Java's own format; \
         `keytool -importkeystore -srckeystore FILE -destkeystore NEW.p12 -deststoretype PKCS12` makes PKCS#12 of it"
    } else if starts_with("PuTTY-User-Key-File-") {
        "it is a key of PuTTY; `puttygen FILE -O private-openssh -o COPY` converts it for OpenSSH, and \
         `ssh-keygen -p -m PKCS8 -f COPY` from there to PEM"
    } else if OPENSSH_PUBLIC.iter().any(|start| starts_with(start)) {
        "it is a public key as OpenSSH writes it; of RSA and ECDSA keys `ssh-keygen -e -m PKCS8 -f FILE` prints PEM"
    } else if find(bytes, END.as_bytes()).is_some() {
        return damaged(label, "there is no -----BEGIN line; is the file cut off?");
    } else if letters().all(|byte| byte.is_ascii_hexdigit()) {
        "it looks like hexadecimal, which must become bytes first"
    } else if bytes.trim_ascii_start().starts_with(DASHES_IN_BASE64) && is_base64() {
        "it is PEM in base64 once more, as in a Secret of Kubernetes; `base64 -d FILE` decodes it"
    } else if letters().next() == Some(SEQUENCE_IN_BASE64) && is_base64() {
        "it looks like PEM without its -----BEGIN and -----END lines"
    } else if core::str::from_utf8(bytes).is_err() {
        "it is not even text"
    } else {
        "it is text without a -----BEGIN line"
    };
    Error::NeitherPemNorDer { label: label.escape_debug().to_string(), found }
}

fn damaged(label: &str, reason: &str) -> Error {
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
    fn reads_blocks_whose_line_ends_were_lost_or_moved() {
        let (der, text) = sample();
        let body: String = text.lines().filter(|line| !line.starts_with('-')).collect();
        let in_one = format!("{BEGIN}PUBLIC KEY-----\n{body}\n{END}PUBLIC KEY-----\n");
        for text in [text.replace('\n', ""), text.replace('\n', " "), text.replace('\n', "\\n"), in_one] {
            assert_eq!(one(text.as_bytes(), PUBLIC).expect("a block").as_slice(), der, "{text}");
            let damaged = text.replacen(&body[..1], "!", 1);
            assert!(one(damaged.as_bytes(), PUBLIC).is_err(), "{damaged}");
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
            assert_eq!(one(&bytes, PUBLIC).expect("a block").as_slice(), der, "{bytes:?}");
        }
    }

    #[test]
    fn skips_blocks_of_other_kinds_wherever_they_stand() {
        let (der, text) = sample();
        let other = text.replace("PUBLIC KEY", "X509 CRL");
        let no_der = format!("{BEGIN}{OPENSSH}-----\nb3BlbnNzaA\n{END}{OPENSSH}-----\n");
        for file in [format!("{other}{text}"), format!("{text}{other}"), format!("{no_der}{text}{no_der}")] {
            assert_eq!(one(file.as_bytes(), PUBLIC).expect("a block").as_slice(), der);
            let none = one(file.as_bytes(), Kind::Request).unwrap_err();
            assert!(matches!(none, Error::Label { expected: "CERTIFICATE REQUEST", .. }), "{none}");
        }
        assert_eq!(labels(format!("{other}{text}").as_bytes()), ["X509 CRL", "PUBLIC KEY"]);
        let twice = one(format!("{text}{text}").as_bytes(), PUBLIC).unwrap_err().to_string();
        assert!(twice.contains("more than one block"), "{twice}");
        assert_eq!(all(format!("{text}{text}").as_bytes(), PUBLIC).expect("two blocks").len(), 2);
    }

    #[test]
    fn reads_blocks_with_header_fields() {
        let (der, text) = sample();
        let text = text.replacen("-----\n", "-----\nComment: mine\nX-Other: 1\n\n", 1);
        for text in [text.clone(), text.replace('\n', "\r\n")] {
            assert_eq!(one(text.as_bytes(), PUBLIC).expect("a block").as_slice(), der, "{text}");
        }
    }

    #[test]
    fn refuses_damaged_blocks() {
        let (_, text) = sample();
        for (file, reason) in [
            (text.replace("-----END", "-----OND"), "-----END line is missing"),
            (
                text.replace("-----BEGIN PUBLIC KEY-----", "-----BEGIN PUBLIC KEY"),
                "-----BEGIN line is cut off",
            ),
            (text[..20].to_owned(), "-----BEGIN line is cut off"),
            (text.replace("-----BEGIN", "-----BOGIN"), "there is no -----BEGIN line"),
            (text.replacen("\n", "\n\u{fc}", 1), "base64"),
        ] {
            let error = one(file.as_bytes(), PUBLIC).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}\n{file}");
        }
    }

    #[test]
    fn says_what_a_file_without_pem_seems_to_be() {
        let (der, _) = sample();
        for (bytes, said) in [
            (&b" \n"[..], "it is empty"),
            (b"\xFE\xED\xFE\xED\0\0\0\x02", "keystore in Java's own format"),
            (b"PuTTY-User-Key-File-3: ssh-rsa", "a key of PuTTY"),
            (b"ssh-ed25519 AAAA", "as OpenSSH writes it"),
            (b"30 03 02 01", "hexadecimal"),
            (b"LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS0=\n", "a Secret of Kubernetes"),
            (b"MAMCAQU=", "PEM without its"),
            (b"\xFC\xFD", "not even text"),
            (b"hello", "text without a -----BEGIN line"),
        ] {
            let error = one(bytes, PUBLIC).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
        assert!(is_der(&der) && is_der(&[SEQUENCE, 0x80]) && is_der(&[SEQUENCE]));
    }

    /// To look for the end of a block in all that follows would take a minute.
    #[test]
    fn reads_many_blocks_in_linear_time() {
        let text = format!("{BEGIN}X-----MAA={END}X-----").repeat(200_000);
        let began = std::time::Instant::now();
        assert_eq!(any(text.as_bytes()).expect("blocks").len(), 200_000);
        let text = format!("{BEGIN}X-----").repeat(200_000);
        assert!(any(text.as_bytes()).is_err());
        assert!(began.elapsed().as_secs() < 10);
    }

    #[test]
    fn reads_or_refuses_any_label() {
        for label in ["", "X", "\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n", " ", "\n", "é"] {
            for body in ["", "-----", "\n", "\\n", "AAAA", "\\nMAA=\\n"] {
                for marks in ["-----", ""] {
                    let text = format!("{BEGIN}{label}{marks}{body}{END}{label}-----");
                    if let Ok(blocks) = any(text.as_bytes()) {
                        assert_eq!(blocks[0].0, label, "{text:?}");
                    }
                }
            }
        }
        assert!(any(b"-----BEGIN X-----\nMAA=\n-----END X-----").is_ok());
    }
}
