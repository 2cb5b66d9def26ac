//! Formats records as in NIST's files of known answers. `vectors/` contains digests of these files.

use std::fmt::Write;

/// Formats a record of a signature. `keys`: the public and the private key, formatted by [`hex`]; `signed`: the signed
/// message.
#[must_use]
pub fn signature_record(
    count: usize,
    seed: &[u8; 48],
    message: &[u8],
    keys: &[String; 2],
    signed: &[u8],
) -> String {
    let [public, private] = keys;
    format!(
        "count = {count}\nseed = {}\nmlen = {}\nmsg = {}\npk = {public}\nsk = {private}\nsmlen = {}\nsm = {}\n",
        hex(seed),
        message.len(),
        hex(message),
        signed.len(),
        hex(signed)
    )
}

/// Formats bytes as upper-case hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02X}").expect("writing to a String never fails");
        text
    })
}
