//! The byte streams that the samplers of Kyber-90s read.

use grille_hash::Level;
use grille_hash::aes_ctr::{Aes256Ctr, Aes256Streams};
use zeroize::Zeroizing;

/// A set of `N` unlimited byte streams, each from the common seed and its own nonce.
pub(crate) trait Stream<const N: usize> {
    /// Starts each stream. All nonces must have the same length, 1 or 2 bytes.
    fn new(level: Level, seed: &[u8; 32], nonces: [&[u8]; N]) -> Self;
    /// Writes the next bytes of each stream. All outputs must have the same length.
    fn squeeze(&mut self, outputs: [&mut [u8]; N]);
}

/// The largest number of bytes in the first read of a stream, which is that of SampleNTT.
const MAX_FIRST_READ: usize = 3 * 168;

/// The streams of Kyber-90s: AES-256-CTR with the seed as the key and the nonce at the start of the counter block.
pub(crate) struct AesStreams<const N: usize> {
    /// The key, expanded once, for the first read of all streams.
    first: Aes256Streams,
    key: Zeroizing<[u8; 32]>,
    nonces: [[u8; 12]; N],
    /// The number of bytes in the first read.
    first_read_len: usize,
    /// The generators of the bytes after the first read. They are created on first use, because they are rarely needed.
    rest: Option<[Aes256Ctr; N]>,
}

impl<const N: usize> AesStreams<N> {
    /// Returns the streams, positioned after the first read.
    fn remaining_streams(&mut self) -> &mut [Aes256Ctr; N] {
        let Self { key, nonces, first_read_len: taken, rest, .. } = self;
        rest.get_or_insert_with(|| {
            nonces.map(|nonce| {
                let mut stream = Aes256Ctr::new(key, &nonce);
                // skips the bytes in one call: byte by byte, this would cost more than the rest of an
                // encapsulation
                stream.squeeze(&mut [0; MAX_FIRST_READ][..*taken]);
                stream
            })
        })
    }
}

impl<const N: usize> Stream<N> for AesStreams<N> {
    fn new(level: Level, seed: &[u8; 32], nonces: [&[u8]; N]) -> Self {
        let nonces = nonces.map(|nonce| {
            let mut iv = [0; 12];
            iv[..nonce.len()].copy_from_slice(nonce);
            iv
        });
        Self {
            first: Aes256Streams::new(level, seed),
            key: Zeroizing::new(*seed),
            nonces,
            first_read_len: 0,
            rest: None,
        }
    }

    fn squeeze(&mut self, outputs: [&mut [u8]; N]) {
        if self.first_read_len > 0 {
            return self
                .remaining_streams()
                .iter_mut()
                .zip(outputs)
                .for_each(|(stream, output)| stream.squeeze(output));
        }
        self.first_read_len = outputs[0].len();
        self.nonces.iter().zip(outputs).for_each(|(nonce, output)| self.first.squeeze(nonce, output));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_continue_after_each_read_at_every_level() {
        for level in Level::all() {
            let nonces: [&[u8]; 3] = [&[1], &[2], &[3]];
            let mut streams = AesStreams::<3>::new(level, &[9; 32], nonces);
            let mut got = [[0; 700]; 3];
            for range in [0..504, 504..672, 672..700] {
                streams.squeeze(got.each_mut().map(|bytes| &mut bytes[range.clone()]));
            }
            for (nonce, got) in nonces.iter().zip(got) {
                let (mut iv, mut expected) = ([0; 12], [0; 700]);
                iv[0] = nonce[0];
                Aes256Ctr::new(&[9; 32], &iv).squeeze(&mut expected);
                assert_eq!(got, expected, "{}", level.name());
            }
        }
    }
}
