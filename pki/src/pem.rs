//! PEM, RFC 7468: one block where one is wanted, or all blocks of a chain.

use crate::Error;
use crate::asn1::SEQUENCE;
use alloc::{borrow::ToOwned, format, string::String, string::ToString, vec::Vec};
use der::pem::{LineEnding, decode_vec, encode_string};
use zeroize::Zeroizing;

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";

/// PEM around something that is no DER.
pub(crate) const OPENSSH: &str = "OPENSSH PRIVATE KEY";

/// The DER in `bytes`, which are DER already or PEM with one block of `label`; other text around it is skipped.
///
/// # Errors
/// [`Error::Pem`], [`Error::Label`].
pub(crate) fn one(bytes: &[u8], label: &'static str) -> Result<Zeroizing<Vec<u8>>, Error> {
    if is_der(bytes) {
        return Ok(Zeroizing::new(bytes.to_vec()));
    }
    let text = text(bytes, label)?;
    let (der, rest) = block(text, label)?;
    if rest.contains(BEGIN) {
        return Err(damaged(label, "there is more than one block where one is wanted"));
    }
    Ok(der)
}

/// The DER of every block, all of them of `label`; at least one.
///
/// # Errors
/// [`Error::Pem`], [`Error::Label`].
pub(crate) fn all(bytes: &[u8], label: &'static str) -> Result<Vec<Zeroizing<Vec<u8>>>, Error> {
    let mut rest = text(bytes, label)?;
    let mut found = Vec::new();
    while found.is_empty() || rest.contains(BEGIN) {
        let (der, after) = block(rest, label)?;
        found.push(der);
        rest = after;
    }
    Ok(found)
}

/// A label and the DER under it.
pub(crate) type Block = (String, Zeroizing<Vec<u8>>);

/// Every block, of whatever kind with DER inside; at least one.
///
/// # Errors
/// [`Error::Pem`], [`Error::Label`].
pub(crate) fn any(bytes: &[u8]) -> Result<Vec<Block>, Error> {
    let mut rest = text(bytes, "")?;
    let mut found = Vec::new();
    while found.is_empty() || rest.contains(BEGIN) {
        let (label, from) = begin(rest, "")?;
        if label == OPENSSH || is_encrypted(from) {
            return Err(Error::Label { expected: "", found: label.to_owned() });
        }
        let (der, after) = decode(from, label)?;
        found.push((label.to_owned(), der));
        rest = after;
    }
    Ok(found)
}

/// Whether `bytes` begin as all DER does that is read here: with a SEQUENCE.
pub(crate) fn is_der(bytes: &[u8]) -> bool {
    bytes.first() == Some(&SEQUENCE)
}

/// One block.
pub(crate) fn encode(der: &[u8], label: &'static str) -> Result<String, Error> {
    encode_string(label, LineEnding::LF, der).map_err(|error| damaged(label, &error.to_string()))
}

fn text<'a>(bytes: &'a [u8], label: &'static str) -> Result<&'a str, Error> {
    core::str::from_utf8(bytes).map_err(|_| other(label, "it is not even text"))
}

/// The first block and what follows it.
fn block<'a>(text: &'a str, label: &'static str) -> Result<(Zeroizing<Vec<u8>>, &'a str), Error> {
    let (found, from) = begin(text, label)?;
    if found != label {
        return Err(Error::Label { expected: label, found: found.escape_debug().to_string() });
    }
    decode(from, label)
}

/// The label of the first block, and the text from where the block begins.
fn begin<'a>(text: &'a str, label: &str) -> Result<(&'a str, &'a str), Error> {
    let start = text.find(BEGIN).ok_or_else(|| without_begin(label, text))?;
    let (_, text) = text.split_at(start);
    let (found, _) = text
        .strip_prefix(BEGIN)
        .and_then(|rest| rest.split_once("-----"))
        .ok_or_else(|| damaged(label, "the -----BEGIN line is cut off"))?;
    Ok((found, text))
}

/// Whether the block that `text` begins with is encrypted as RFC 1421 section 4.6.1.1 says, which OpenSSL still does.
fn is_encrypted(text: &str) -> bool {
    // a file may be one line, and its blocks many
    let block = text.split_once(END).map_or(text, |(block, _)| block);
    block.lines().nth(1).is_some_and(|line| line.starts_with("Proc-Type: 4,ENCRYPTED"))
}

/// The block that `text` begins with, and what follows it.
fn decode<'a>(text: &'a str, label: &str) -> Result<(Zeroizing<Vec<u8>>, &'a str), Error> {
    let end = format!("{END}{label}-----");
    let at = text
        .find(&end)
        .ok_or_else(|| damaged(label, "the -----END line is missing; is the file cut off?"))?;
    let (block, rest) = text.split_at(at + end.len());
    let der = decode_vec(block.as_bytes()).map(|(_, der)| der);
    let der = der.or_else(|error| match decode_vec(in_lines(block, label).as_bytes()) {
        Ok((_, der)) => Ok(der),
        Err(_) => Err(damaged(label, &error.to_string())),
    })?;
    Ok((Zeroizing::new(der), rest))
}

/// The block in lines of 64 letters, as RFC 7468 section 2 wants them: forms, variables and terminals lose or move the ends
/// of lines, or write them as `\n`.
fn in_lines(block: &str, label: &str) -> Zeroizing<String> {
    let [begin, end] = [BEGIN, END].map(|mark| mark.len() + label.len() + "-----".len());
    // one mark may begin where the other has not ended
    let body = block.get(begin..block.len() - end).unwrap_or_default();
    let letters = body.split("\\n").flat_map(str::chars).filter(|letter| !letter.is_ascii_whitespace());
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

/// How public keys of OpenSSH begin.
const OPENSSH_PUBLIC: [&str; 3] = ["ssh-", "ecdsa-sha2-", "sk-"];

/// The first six bits of [`SEQUENCE`], as RFC 4648 section 4 writes them.
const SEQUENCE_IN_BASE64: u8 = b'M';

/// What text without a -----BEGIN line seems to be.
fn without_begin(label: &str, text: &str) -> Error {
    let letters = || text.bytes().filter(|byte| !byte.is_ascii_whitespace());
    if letters().next().is_none() {
        other(label, "it is empty")
    } else if OPENSSH_PUBLIC.iter().any(|start| text.starts_with(start)) {
        other(
            label,
            "it is a public key as OpenSSH writes it; of RSA and ECDSA keys `ssh-keygen -e -m PKCS8 -f FILE` prints PEM",
        )
    } else if text.contains(END) {
        damaged(label, "there is no -----BEGIN line; is the file cut off?")
    } else if letters().all(|byte| byte.is_ascii_hexdigit()) {
        other(label, "it looks like hexadecimal, which must become bytes first")
    } else if letters().next() == Some(SEQUENCE_IN_BASE64)
        && letters().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte))
    {
        other(label, "it looks like PEM without its -----BEGIN and -----END lines")
    } else {
        other(label, "it is text without a -----BEGIN line")
    }
}

fn other(label: &str, found: &'static str) -> Error {
    Error::NeitherPemNorDer { label: label.escape_debug().to_string(), found }
}

fn damaged(label: &str, reason: &str) -> Error {
    Error::Pem { label: label.escape_debug().to_string(), reason: reason.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_read_whatever_became_of_the_ends_of_its_lines() {
        let der: Vec<u8> = [SEQUENCE, 0x81, 200].into_iter().chain(0..200).collect();
        let text = encode(&der, "PUBLIC KEY").expect("PEM");
        let body: String = text.lines().filter(|line| !line.starts_with('-')).collect();
        let in_one = format!("{BEGIN}PUBLIC KEY-----\n{body}\n{END}PUBLIC KEY-----\n");
        for text in [text.replace('\n', ""), text.replace('\n', " "), text.replace('\n', "\\n"), in_one] {
            assert_eq!(one(text.as_bytes(), "PUBLIC KEY").expect("a block").as_slice(), der, "{text}");
            let damaged = text.replacen(&body[..1], "!", 1);
            assert!(one(damaged.as_bytes(), "PUBLIC KEY").is_err(), "{damaged}");
        }
    }

    /// To look for the end of a line in all that follows would take a minute.
    #[test]
    fn many_blocks_on_one_line_cost_no_more_than_on_many() {
        let text = format!("{BEGIN}X-----MAA={END}X-----").repeat(200_000);
        let began = std::time::Instant::now();
        assert_eq!(any(text.as_bytes()).expect("blocks").len(), 200_000);
        assert!(began.elapsed().as_secs() < 10);
    }

    #[test]
    fn labels_with_whatever_in_them_are_read_or_refused() {
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
