//! Reads the inputs of `grille spdm dump` besides the capture's messages: secrets, and the reason why a capture cannot be
//! read.

use super::super::inputs::Input;
use crate::error::Error;
use crate::hex;
use crate::output::Output;
use grille_core::SecretBytes;
use grille_spdm_codec::CodecError;
use grille_spdm_dump::secrets::Secrets;
use grille_spdm_transport::pcap;
use std::path::Path;

/// Parses the value of --dhe-secret or --pqc-secret.
pub(super) fn shared_secret(text: &str) -> Result<SecretBytes, String> {
    let bytes = hex::decode(text).filter(|bytes| !bytes.is_empty());
    bytes.map(SecretBytes::new).ok_or_else(|| "expected whole bytes in hexadecimal".to_owned())
}

/// Describes a file that cannot be shown, with advice.
pub(super) fn capture_error(read: &[u8], error: &CodecError, path: &Path) -> Error {
    let advise =
        |problem: &dyn std::fmt::Display, advice: &str| Error::failure(problem).at(path).advise(advice);
    match error.name {
        _ if read.is_empty() => Error::failure("the capture is empty").at(path),
        problem if problem != "magic" && read.len() < pcap::Header::LEN => {
            Error::failure("the capture is truncated in its header of 24 bytes").at(path)
        }
        "magic" if read.starts_with(&PCAPNG) => {
            advise(&"the capture is in the newer pcapng format", "convert it with `editcap -F pcap`")
        }
        "magic" => advise(
            &"not a capture in pcap format",
            "write one with --pcap of `grille spdm requester` or of DMTF's emulators",
        ),
        "link type" => advise(error, "show TLS connections of a network capture with `grille explain`"),
        _ => Error::failure(error).at(path),
    }
}

/// The first bytes of a pcapng file.
const PCAPNG: [u8; 4] = [0x0A, 0x0D, 0x0D, 0x0A];

/// Reads the secrets of a key log, which must hold at least one. Warns about incomplete lines.
pub(super) fn key_log(path: &Path, out: &Output) -> Result<Secrets, Error> {
    let read = Input::KeyLog.read(path)?;
    if read.trim_ascii().is_empty() {
        let error = Error::failure("the key log holds no secrets").at(path);
        return Err(error.advise(
            "omit --keys to show the unencrypted messages: no session was opened while this log was written",
        ));
    }
    let secrets = Secrets::parse(&String::from_utf8_lossy(&read));
    for number in secrets.malformed() {
        let path = path.display();
        out.warn(format_args!(
            "{path}: line {number}: ignoring a secret that is not whole bytes in hexadecimal"
        ));
    }
    if secrets.is_empty() {
        let error = Error::failure("not a key log: no line holds a session secret").at(path);
        return Err(error.advise("write one with `grille spdm requester --key-log FILE`"));
    }
    Ok(secrets)
}
