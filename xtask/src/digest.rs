//! SHA-256 as text, as `sha256sum` prints it.

use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

/// Returns the SHA-256 in hexadecimal.
pub(crate) fn sha256(bytes: impl AsRef<[u8]>) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}
