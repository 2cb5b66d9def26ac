//! Reads the message of `grille sign` and `grille verify` in pieces, if the algorithm allows it.

use crate::error::Error;
use crate::files::{io_error, is_standard_stream, open};
use std::io::{self, Read};
use std::path::Path;
use zeroize::Zeroizing;

/// The number of bytes of a message that are in memory at a time.
const PIECE_LEN: usize = 1 << 18;

/// Passes the whole message to `take` in pieces and returns its length. `-` is standard input.
///
/// # Errors
/// The error names the path and the system's reason.
pub(crate) fn each_piece(path: &Path, take: impl FnMut(&[u8])) -> Result<u64, Error> {
    let read =
        if is_standard_stream(path) { pieces(io::stdin().lock(), take) } else { pieces(open(path)?, take) };
    read.map_err(|error| io_error("read", path, &error))
}

fn pieces(mut from: impl Read, mut take: impl FnMut(&[u8])) -> io::Result<u64> {
    let (mut buffer, mut total) = (Zeroizing::new(vec![0; PIECE_LEN]), 0);
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return Ok(total),
            Ok(len) => {
                take(&buffer[..len]);
                total += len as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_whole_file_in_pieces() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("message");
        let message: Vec<u8> = (0..3 * PIECE_LEN + 5).map(|n| (n % 251) as u8).collect();
        std::fs::write(&path, &message).unwrap();
        let mut read = Vec::new();
        let len = each_piece(&path, |piece| {
            assert!(piece.len() <= PIECE_LEN);
            read.extend_from_slice(piece);
        });
        assert_eq!(len.unwrap(), message.len() as u64);
        assert!(read == message);
        let error = each_piece(&folder.path().join("none"), |_| ()).unwrap_err().to_string();
        assert!(error.contains("cannot read"), "{error}");
    }
}
