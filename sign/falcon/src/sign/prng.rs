//! The random generator of signing: ChaCha20, which generates eight blocks at a time in the output layout of
//! round 3's reference implementation. Known answers depend on this layout.

use crate::backend::chacha;
use grille_core::erase;
use grille_hash::Level;

/// The number of bytes generated at a time: eight blocks.
const BUFFER_LEN: usize = 512;

/// The key, the nonce, the counter, and the unused output (secret, erased on drop).
pub(crate) struct Prng {
    level: Level,
    /// Words 4 to 15 of the ChaCha20 block. The counter is combined with the last two of them by exclusive or.
    words: [u32; 12],
    counter: u64,
    buffer: [u8; BUFFER_LEN],
    used: usize,
}

/// The bytes of an attempt of SamplerZ: 72 bits for BaseSampler, the lowest first; a byte whose lowest bit is the sign;
/// and the first byte for BerExp.
pub(crate) type AttemptBytes = [u8; 11];

/// The length of a [`Prng`] seed in bytes.
pub(crate) const SEED_LEN: usize = 56;

impl Prng {
    /// Creates a generator without a seed.
    pub(crate) const fn new(level: Level) -> Self {
        Self { level, words: [0; 12], counter: 0, buffer: [0; BUFFER_LEN], used: BUFFER_LEN }
    }

    /// Restarts the generator in place. The seed consists of words 4 to 15 and the counter, each little-endian.
    pub(crate) fn seed(&mut self, seed: &[u8; SEED_LEN]) {
        for (word, bytes) in self.words.iter_mut().zip(seed.as_chunks::<4>().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        self.counter = u64::from_le_bytes(*seed.last_chunk().expect("56 bytes"));
        self.used = BUFFER_LEN;
    }

    /// Returns the CPU level at which the generator computes.
    pub(crate) const fn level(&self) -> Level {
        self.level
    }

    /// Returns the bytes of an attempt. The reference implementation reads them as eight bytes and three
    /// single bytes.
    pub(crate) fn attempt_bytes(&mut self) -> AttemptBytes {
        let mut bytes = [0; 11];
        let (low, rest) = bytes.split_at_mut(8);
        low.copy_from_slice(&self.next_u64().to_le_bytes());
        rest.fill_with(|| self.next_u8());
        bytes
    }

    /// Returns the bytes of the next attempts that are entirely in the buffer.
    #[inline(always)]
    pub(crate) fn whole_attempts(&self) -> &[AttemptBytes] {
        self.buffer[self.used..].as_chunks().0
    }

    /// Skips the random bytes of `attempts` attempts.
    #[inline(always)]
    pub(crate) fn skip(&mut self, attempts: usize) {
        self.used += size_of::<AttemptBytes>() * attempts;
    }

    /// Moves back by the `attempts` attempts that were skipped last.
    pub(crate) fn rewind(&mut self, attempts: usize) {
        self.used -= size_of::<AttemptBytes>() * attempts;
    }

    /// Returns eight bytes as a little-endian number. If at most nine bytes of the buffer are unused, they
    /// are skipped first.
    #[inline(always)]
    pub(crate) fn next_u64(&mut self) -> u64 {
        if self.used >= BUFFER_LEN - 9 {
            self.refill();
        }
        let bytes = self.buffer[self.used..].first_chunk().expect("more than eight");
        self.used += 8;
        u64::from_le_bytes(*bytes)
    }

    /// Returns one byte.
    #[inline(always)]
    pub(crate) fn next_u8(&mut self) -> u8 {
        if self.used == BUFFER_LEN {
            self.refill();
        }
        let byte = self.buffer[self.used];
        self.used += 1;
        byte
    }

    /// Generates eight blocks. Word v of block u is at byte 32·v + 4·u.
    #[inline(always)]
    fn refill(&mut self) {
        let mut input = [[0; 8]; 16];
        for (lanes, word) in input.iter_mut().zip(CONSTANTS.iter().chain(&self.words)) {
            *lanes = [*word; 8];
        }
        let [.., low, high] = &mut input;
        for ((low, high), u) in low.iter_mut().zip(high).zip(0..) {
            let counter = self.counter.wrapping_add(u);
            *low ^= counter as u32;
            *high ^= (counter >> 32) as u32;
        }
        let mut state = input;
        chacha(self.level, &mut state);
        let out = self.buffer.as_chunks_mut::<32>().0;
        for (out, (lanes, start)) in out.iter_mut().zip(state.iter().zip(&input)) {
            for (out, (lane, start)) in out.as_chunks_mut::<4>().0.iter_mut().zip(lanes.iter().zip(start)) {
                *out = lane.wrapping_add(*start).to_le_bytes();
            }
        }
        erase(input.as_flattened_mut());
        erase(state.as_flattened_mut());
        self.counter = self.counter.wrapping_add(8);
        self.used = 0;
    }
}

impl Drop for Prng {
    fn drop(&mut self) {
        erase(&mut self.words);
        erase(&mut self.buffer);
        erase(core::slice::from_mut(&mut self.counter));
    }
}

/// The ChaCha20 constants, which encode "expand 32-byte k".
const CONSTANTS: [u32; 4] = [0x6170_7865, 0x3320_646E, 0x7962_2D32, 0x6B20_6574];

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the first block with the example of RFC 8439, section 2.3.2.
    #[test]
    fn first_block_matches_chacha20() {
        let mut seed = [0; SEED_LEN];
        for (i, byte) in seed[..32].iter_mut().enumerate() {
            *byte = i as u8;
        }
        // sets the block counter to 1, and the nonce
        seed[32..48].copy_from_slice(&[1, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0x4A, 0, 0, 0, 0]);
        let mut prng = Prng::new(Level::detect());
        prng.seed(&seed);
        prng.refill();
        let word = |v: usize| u32::from_le_bytes(*prng.buffer[32 * v..].first_chunk().expect("four"));
        assert_eq!(
            [word(0), word(1), word(2), word(15)],
            [0xE4E7_F110, 0x1559_3BD1, 0x1FDD_0F50, 0x4E3C_50A2]
        );
    }

    #[test]
    fn numbers_do_not_cross_buffers_and_counters_continue() {
        let mut prng = Prng::new(Level::detect());
        prng.seed(&[7; SEED_LEN]);
        for _ in 0..63 {
            prng.next_u64();
        }
        assert_eq!(prng.used, 504);
        prng.next_u64();
        assert_eq!((prng.used, prng.counter), (8, u64::from_le_bytes([7; 8]) + 16));
    }
}
