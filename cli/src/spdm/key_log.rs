//! Key logs: the secrets of sessions, so that captures can be read.

use crate::error::Error;
use crate::files::{self, Access};
use crate::hex;
use grille_spdm_engine::config::KeyLog;
use grille_spdm_engine::session::SessionId;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use zeroize::Zeroizing;

/// Begins a key log, which only its owner can read, and says what to tell.
///
/// Each session is a line `session 0xNNNNNNNN`, and below it a line `name hexadecimal` for each secret.
///
/// # Errors
/// If it cannot be written, or is there already and `overwrite` is not set.
pub(super) fn create(path: &Path, overwrite: bool) -> Result<KeyLog, Error> {
    let log = Mutex::new((files::begin(path, Access::Private, overwrite)?, None));
    Ok(KeyLog(Arc::new(move |session, name, secret| {
        let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, last) = &mut *log;
        // a session does not fail because its key log does
        let _ = write(file, last, session, name, secret.as_ref());
    })))
}

fn write(
    file: &mut File,
    last: &mut Option<SessionId>,
    session: SessionId,
    name: &str,
    secret: &[u8],
) -> io::Result<()> {
    let begins = if *last == Some(session) && name != FIRST {
        String::new()
    } else {
        format!("session {session:#010x}\n")
    };
    *last = Some(session);
    file.write_all(line(&begins, name, secret).as_bytes())
}

/// What is written of a secret, made where it stays: no copy of it is left behind by a buffer that grew.
fn line(begins: &str, name: &str, secret: &[u8]) -> Zeroizing<String> {
    let digits = hex::encode(secret);
    let parts = [begins, name, " ", &digits, "\n"];
    let mut line = Zeroizing::new(String::with_capacity(parts.iter().map(|part| part.len()).sum()));
    parts.iter().for_each(|part| line.push_str(part));
    line
}

/// The secret that each session begins with.
const FIRST: &str = "request_handshake_secret";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_room_that_it_takes_from_the_beginning() {
        for (begins, secret) in [("", &[0xA5; 64][..]), ("session 0xffffffff\n", &[0; 32])] {
            let line = line(begins, FIRST, secret);
            assert_eq!(*line, format!("{begins}{FIRST} {}\n", *hex::encode(secret)));
            assert_eq!(line.capacity(), line.len());
        }
    }
}
