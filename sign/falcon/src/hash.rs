//! The function HashToPoint, Falcon Algorithm 3.

use crate::format::{Format, NONCE_LEN};
use crate::poly::Secrets;
use grille_core::{Secret, ct};
use grille_hash::{Level, Shake256};

/// Runs HashToPoint, Falcon Algorithm 3: computes c in [0, q)ⁿ from a nonce and a message.
///
/// For the constant-time signature format, nonce and message are secret. For other formats, nonce and message
/// are public, and the running time depends on them.
pub(crate) fn hash_to_point(format: Format, level: Level, nonce: &[u8], message: Message<'_>, c: &mut [i16]) {
    let shake = match message {
        Message::Whole(message) => {
            let mut shake = Shake256::<1>::new(level);
            shake.absorb_all(nonce);
            shake.absorb_all(message);
            shake
        }
        Message::Streamed(streamed) => streamed.shake.clone(),
    };
    match format {
        Format::Compressed | Format::Padded => hash_variable_time(shake, c),
        Format::ConstantTime => hash_constant_time(shake, c),
    }
}

/// The message that is signed or verified.
#[derive(Clone, Copy)]
pub(crate) enum Message<'a> {
    Whole(&'a [u8]),
    /// The state of a message that arrived in pieces.
    Streamed(&'a StreamedMessage),
}

/// A message that arrived in pieces, with the nonce and the seed of its signature. Verification does not use
/// the seed. The message is secret in the constant-time format. Erased on drop.
pub(crate) struct StreamedMessage {
    pub(crate) nonce: Secret<[u8; NONCE_LEN]>,
    pub(crate) seed: Secret<[u8; 48]>,
    /// The hash state, which has absorbed nonce and message.
    pub(crate) shake: Shake256<1>,
}

impl StreamedMessage {
    pub(crate) fn new(nonce: Secret<[u8; NONCE_LEN]>, seed: Secret<[u8; 48]>) -> Self {
        let mut shake = Shake256::new(Level::detect());
        shake.absorb_all(nonce.as_ref());
        Self { nonce, seed, shake }
    }

    /// Absorbs the next piece of the message.
    pub(crate) fn update(&mut self, piece: &[u8]) {
        self.shake.absorb_all(piece);
    }
}

/// The number of bytes in a SHAKE256 block.
const BLOCK: usize = 136;

fn hash_variable_time(mut shake: Shake256<1>, c: &mut [i16]) {
    let mut block = [[0; BLOCK]];
    let mut filled = 0;
    while filled < c.len() {
        shake.squeeze_blocks(&mut block);
        for sample in block[0].as_chunks::<2>().0 {
            let t = u16::from_be_bytes(*sample);
            if t < K * Q && filled < c.len() {
                c[filled] = (t % Q) as i16;
                filled += 1;
            }
        }
    }
}

/// Runs HashToPoint in constant time: reads a fixed number of samples, which is always large enough. Then
/// moves accepted samples by 1, 2, 4, … positions, so that they overwrite the rejected samples before them.
///
/// This function is not inlined, so that other formats do not reserve stack space for these samples.
#[inline(never)]
fn hash_constant_time(mut shake: Shake256<1>, c: &mut [i16]) {
    let mut entries = Secrets::<u32, [u32; MAX_SAMPLES]>::zeroed();
    let entries = &mut entries[..samples(c.len())];
    let mut block = Secrets::<u8, [u8; BLOCK]>::zeroed();
    let mut refused = 0;
    for entries in entries.chunks_exact_mut(BLOCK / 2) {
        shake.squeeze([&mut block[..]]);
        for (entry, sample) in entries.iter_mut().zip(block.as_chunks::<2>().0) {
            let t = i32::from(u16::from_be_bytes(*sample));
            // a mask of all ones if the sample is accepted
            let accepted = ct::mask(((t - i32::from(K * Q)) >> 31) as u32);
            *entry = (refused << MOVE_SHIFT | reduce(t)) & accepted;
            refused += !accepted & 1;
        }
    }
    // the distance between two samples is less than the number of entries
    for bit in 0..entries.len().ilog2() + 1 {
        compact(entries, 1 << bit);
    }
    c.iter_mut().zip(entries.iter()).for_each(|(c, entry)| *c = (entry & ((1 << MOVE_SHIFT) - 1)) as i16);
}

/// The number of low bits of an entry, which hold the sample. The bits above them hold the number of
/// positions by which the entry must move.
const MOVE_SHIFT: u32 = 16;

/// Computes t mod q, for t below k·q.
fn reduce(t: i32) -> u32 {
    let q = i32::from(Q);
    (1..K).fold(t, |t, _| t - q + (q & ct::mask((t - q) >> 31))) as u32
}

/// Moves entries forward by `step`, a power of two. An entry moves only if the bit `step` is set in the
/// number of positions by which it must move. The lower bits of this number must already have been processed.
fn compact(entries: &mut [u32], step: usize) {
    // a mask of all ones if the entry moves
    let moves = |entry: u32| ct::mask((-((entry >> MOVE_SHIFT & step as u32) as i32) >> 31) as u32);
    for i in 0..entries.len() {
        let follower = entries.get(i + step).copied().unwrap_or(0);
        entries[i] = follower & moves(follower) | entries[i] & !moves(entries[i]);
    }
}

/// Returns the number of samples to draw for n coefficients, a multiple of the samples in a block. The
/// probability that fewer than n of them are accepted is below 2⁻²⁵⁶.
const fn samples(n: usize) -> usize {
    n.div_ceil(50) * (BLOCK / 2)
}

/// The number of samples for the larger degree, 1024.
const MAX_SAMPLES: usize = samples(1024);

const Q: u16 = crate::mq::Q as u16;
/// The constant k = ⌊2¹⁶/q⌋.
const K: u16 = 5;
const _: () = assert!(K as u32 == 65536 / Q as u32);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_implementations_give_the_same_point() {
        for i in 0..10_000u32 {
            let (nonce, message) = (i.to_le_bytes(), [7; 3]);
            let (mut expected, mut got) = ([0; 1024], [0; 1024]);
            for n in [512, 1024] {
                hash_to_point(
                    Format::Compressed,
                    Level::detect(),
                    &nonce,
                    Message::Whole(&message),
                    &mut expected[..n],
                );
                hash_to_point(
                    Format::ConstantTime,
                    Level::detect(),
                    &nonce,
                    Message::Whole(&message),
                    &mut got[..n],
                );
                assert_eq!(got[..n], expected[..n], "{i} {n}");
            }
        }
    }

    #[test]
    fn every_sample_is_reduced() {
        assert!((0..i32::from(K * Q)).all(|t| reduce(t) == t as u32 % u32::from(Q)));
    }

    #[test]
    fn sample_count_is_sufficient() {
        // the Chernoff bound for the number of rejected samples
        let p = f64::from(u32::from(u16::MAX) + 1 - u32::from(K * Q)) / 65536.0;
        for n in [512, 1024] {
            let all = samples(n) as f64;
            let spare = (all - n as f64) / all;
            let divergence = spare * (spare / p).log2() + (1.0 - spare) * ((1.0 - spare) / (1.0 - p)).log2();
            assert!(all * divergence > 256.0, "{n}: {}", all * divergence);
        }
    }
}
