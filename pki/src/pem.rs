//! PEM, RFC 7468: one block where one is wanted, or all blocks of a chain.

use crate::Error;
use der::pem::{LineEnding, decode_vec, encode_string};
use zeroize::Zeroizing;

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";

/// The DER in `bytes`, which are DER already or PEM with one block of `label`; other text around it is skipped.
///
/// # Errors
/// [`Error::Pem`], [`Error::Label`].
pub(crate) fn one(bytes: &[u8], label: &'static str) -> Result<Zeroizing<Vec<u8>>, Error> {
    if bytes.first() == Some(&0x30) {
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

/// One block.
pub(crate) fn encode(der: &[u8], label: &'static str) -> Result<String, Error> {
    encode_string(label, LineEnding::LF, der).map_err(|error| damaged(label, &error.to_string()))
}

fn text<'a>(bytes: &'a [u8], label: &'static str) -> Result<&'a str, Error> {
    std::str::from_utf8(bytes).map_err(|_| damaged(label, "it is neither DER nor text"))
}

/// The first block and what follows it.
fn block<'a>(text: &'a str, label: &'static str) -> Result<(Zeroizing<Vec<u8>>, &'a str), Error> {
    let start = text.find(BEGIN).ok_or_else(|| damaged(label, "there is no -----BEGIN line"))?;
    let (_, text) = text.split_at(start);
    let (found, _) = text
        .strip_prefix(BEGIN)
        .and_then(|rest| rest.split_once("-----"))
        .ok_or_else(|| damaged(label, "the -----BEGIN line is cut off"))?;
    if found != label {
        return Err(Error::Label { expected: label, found: found.escape_debug().to_string() });
    }
    let end = format!("{END}{label}-----");
    let at = text
        .find(&end)
        .ok_or_else(|| damaged(label, "the -----END line is missing; is the file cut off?"))?;
    let (block, rest) = text.split_at(at + end.len());
    let (_, der) = decode_vec(block.as_bytes()).map_err(|error| damaged(label, &error.to_string()))?;
    Ok((Zeroizing::new(der), rest))
}

fn damaged(label: &'static str, reason: &str) -> Error {
    Error::Pem { label, reason: reason.to_owned() }
}
