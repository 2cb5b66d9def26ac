//! Key logs: session secrets that allow captures to be decrypted.

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

/// Creates a key log that only its owner can read, and returns the function that writes secrets to it.
///
/// Each session starts with a line `session 0xNNNNNNNN`, followed by a line `name hexadecimal` for each secret.
///
/// # Errors
/// Returns an error if the file cannot be written, or exists and `overwrite` is not set.
pub(super) fn create(path: &Path, overwrite: bool) -> Result<KeyLog, Error> {
    let log = Mutex::new((files::create(path, Access::Private, overwrite)?, None));
    Ok(KeyLog(Arc::new(move |session, name, secret| {
        let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, last) = &mut *log;
        // A session does not fail if its key log cannot be written.
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
    let prefix = if *last == Some(session) && name != FIRST_SECRET {
        String::new()
    } else {
        format!("session {session:#010x}\n")
    };
    *last = Some(session);
    file.write_all(line(&prefix, name, secret).as_bytes())
}

/// Returns the line of a secret. The buffer has its final size from the start, so that growing leaves no copies
/// behind.
fn line(prefix: &str, name: &str, secret: &[u8]) -> Zeroizing<String> {
    let digits = hex::encode(secret);
    let parts = [prefix, name, " ", &digits, "\n"];
    let mut line = Zeroizing::new(String::with_capacity(parts.iter().map(|part| part.len()).sum()));
    parts.iter().for_each(|part| line.push_str(part));
    line
}

/// The name of the first secret of each session.
const FIRST_SECRET: &str = "request_handshake_secret";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allocates_each_line_once() {
        for (prefix, secret) in [("", &[0xA5; 64][..]), ("session 0xffffffff\n", &[0; 32])] {
            let line = line(prefix, FIRST_SECRET, secret);
            assert_eq!(*line, format!("{prefix}{FIRST_SECRET} {}\n", *hex::encode(secret)));
            assert_eq!(line.capacity(), line.len());
        }
    }
}
