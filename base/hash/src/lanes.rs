//! Computes `N` sponges of different kinds with shared Keccak calls.
//!
//! With AVX-512, a Keccak call for four states costs a sixth more than a call for one, and a call for eight
//! costs two thirds more. The calls of a long hash depend on each other and occupy only one lane. Short
//! independent streams use the remaining lanes almost for free.
//!
//! ```
//! use grille_hash::lanes::{Chain, Function, Lanes};
//! use grille_hash::{Level, sha3_256};
//!
//! let message = [7; 300];
//! let parts = [message.as_slice()];
//! let mut chain = Chain::new(Function::SHA3_256, &parts);
//! let mut lanes = Lanes::<4>::new(Level::detect());
//! let mut streams = [[0; 168]; 3];
//! while chain.absorb(&mut lanes, 0) {
//!     for (n, _) in streams.iter().enumerate() {
//!         lanes.restart(n + 1);
//!         lanes.absorb_last(n + 1, Function::SHAKE128, &[n as u8]);
//!     }
//!     lanes.permute();                                  // one block of the hash and one of each stream
//!     streams.iter_mut().enumerate().for_each(|(n, stream)| lanes.copy(n + 1, stream));
//! }
//! let mut digest = [0; 32];
//! lanes.copy(0, &mut digest);
//! assert_eq!(digest, sha3_256(Level::detect(), &parts));
//! ```

use crate::backend;
use crate::keccak::States;
use grille_cpu::Level;
use zeroize::optimization_barrier;

/// A sponge function of FIPS 202: its rate and the start of its padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function {
    /// The number of bytes per block.
    rate: usize,
    /// The domain separation bits and the first bit of pad10*1, FIPS 202 section 6 and Table 6.
    suffix: u8,
}

impl Function {
    /// SHA3-256, FIPS 202 section 6.1.
    pub const SHA3_256: Self = Self::new(136, 0x06);
    /// SHA3-512, FIPS 202 section 6.1.
    pub const SHA3_512: Self = Self::new(72, 0x06);
    /// SHAKE128, FIPS 202 section 6.2.
    pub const SHAKE128: Self = Self::new(168, 0x1F);
    /// SHAKE256, FIPS 202 section 6.2.
    pub const SHAKE256: Self = Self::new(136, 0x1F);

    pub(crate) const fn new(rate: usize, suffix: u8) -> Self {
        Self { rate, suffix }
    }

    /// Returns the number of bytes absorbed or squeezed per call of the permutation.
    #[must_use]
    pub const fn rate(self) -> usize {
        self.rate
    }

    /// Returns the number of permutation calls that absorb a message of `len` bytes and its padding.
    #[must_use]
    pub const fn calls(self, len: usize) -> usize {
        len / self.rate + 1
    }
}

/// The states of `N` lanes, permuted together. Erased on drop.
#[derive(Clone)]
#[repr(C, align(64))]
pub struct Lanes<const N: usize> {
    states: States<N>,
    level: Level,
}

impl<const N: usize> Lanes<N> {
    /// Creates lanes that have absorbed nothing.
    #[must_use]
    pub const fn new(level: Level) -> Self {
        Self { states: [[0; N]; 25], level }
    }

    /// Resets lane `n` to the state that has absorbed nothing.
    #[inline]
    pub fn restart(&mut self, n: usize) {
        self.states.iter_mut().for_each(|states| states[n] = 0);
    }

    /// Absorbs a whole block or a part of one into lane `n`. `bytes` start at byte `position` of the block.
    #[inline]
    pub fn absorb(&mut self, n: usize, position: usize, bytes: &[u8]) {
        let (head, words, tail) = split(position, bytes.len());
        let (head, rest) = bytes.split_at(head);
        self.xor_each(n, position, head);
        let (body, rest) = rest.split_at(8 * words);
        let first = (position + head.len()) / 8;
        for (states, word) in self.states[first..].iter_mut().zip(body.as_chunks::<8>().0) {
            states[n] ^= u64::from_le_bytes(*word);
        }
        debug_assert_eq!(rest.len(), tail);
        self.xor_each(n, position + bytes.len() - tail, rest);
    }

    /// If there is only one lane and `rate` is 136, absorbs the whole blocks at the start of `bytes` and returns the
    /// remaining bytes. Otherwise, absorbs nothing and returns all of `bytes`.
    #[inline]
    pub(crate) fn absorb_blocks<'a>(&mut self, rate: usize, bytes: &'a [u8]) -> &'a [u8] {
        let (blocks, rest) = bytes.as_chunks::<136>();
        match self.states.as_flattened_mut().try_into() {
            Ok(state) if rate == 136 && !blocks.is_empty() => backend::absorb_136(self.level, state, blocks),
            _ => return bytes,
        }
        rest
    }

    /// Absorbs the same words into all lanes. `bytes` start at byte `position` of the block; the length and the
    /// position must be multiples of 8.
    #[inline]
    pub fn absorb_words(&mut self, position: usize, bytes: &[u8]) {
        debug_assert!(position.is_multiple_of(8) && bytes.len().is_multiple_of(8));
        for (states, word) in self.states[position / 8..].iter_mut().zip(bytes.as_chunks::<8>().0) {
            let word = u64::from_le_bytes(*word);
            states.iter_mut().for_each(|state| *state ^= word);
        }
    }

    /// Ends the message of lane `n`. Its last block holds `len` bytes, fewer than the rate of `function`.
    ///
    /// Applies pad10*1 after the domain separation bits, FIPS 202 section 5.1 and Table 6.
    #[inline]
    pub fn pad(&mut self, n: usize, function: Function, len: usize) {
        debug_assert!(len < function.rate);
        self.states[len / 8][n] ^= u64::from(function.suffix) << (8 * (len % 8));
        self.states[function.rate / 8 - 1][n] ^= 0x80 << 56;
    }

    /// Ends the messages of all lanes. The last block of each holds `len` bytes; see [`pad`](Self::pad).
    #[inline]
    pub fn pad_all(&mut self, function: Function, len: usize) {
        (0..N).for_each(|n| self.pad(n, function, len));
    }

    /// Absorbs the last block of a message into lane `n`. The block may be empty and must be shorter than the rate of
    /// `function`.
    #[inline]
    pub fn absorb_last(&mut self, n: usize, function: Function, last: &[u8]) {
        self.absorb(n, 0, last);
        self.pad(n, function, last.len());
    }

    /// Returns the state of lane `n`. The message can then continue in another lane.
    #[must_use]
    #[inline]
    pub fn take(&self, n: usize) -> State {
        let mut state = State::new();
        state.0.iter_mut().zip(&self.states).for_each(|(word, states)| *word = states[n]);
        state
    }

    /// Replaces the state of lane `n` with `state`.
    #[inline]
    pub fn put(&mut self, n: usize, state: &State) {
        self.states.iter_mut().zip(&state.0).for_each(|(states, word)| states[n] = *word);
    }

    /// Applies KECCAK-p\[1600, 24\] to all lanes in one call.
    #[inline]
    pub fn permute(&mut self) {
        backend::permute(self.level, &mut self.states);
    }

    /// Copies the first bytes of the state of lane `n`, at most one block. They are the lane's output.
    #[inline]
    pub fn copy(&self, n: usize, out: &mut [u8]) {
        self.copy_from(n, 0, out);
    }

    /// Copies the first bytes of every lane's state, at most one block. They are the lane's output. All
    /// lengths must be equal.
    ///
    /// # Panics
    /// Panics if the lengths differ or exceed 200.
    #[inline]
    pub fn copy_all(&self, outs: [&mut [u8]; N]) {
        let len = outs[0].len();
        assert!(
            len <= 200 && outs.iter().all(|out| out.len() == len),
            "outputs of one length, at most a block"
        );
        backend::copy_all(self.level, &self.states, outs);
    }

    /// Copies `out.len()` bytes of the state of lane `n`, starting at byte `position`.
    #[inline]
    pub(crate) fn copy_from(&self, n: usize, position: usize, out: &mut [u8]) {
        let len = out.len();
        let (head, words, tail) = split(position, len);
        let (head, rest) = out.split_at_mut(head);
        self.copy_each(n, position, head);
        let (body, rest) = rest.split_at_mut(8 * words);
        let first = (position + head.len()) / 8;
        for (states, word) in self.states[first..].iter().zip(body.as_chunks_mut::<8>().0) {
            *word = states[n].to_le_bytes();
        }
        self.copy_each(n, position + len - tail, rest);
    }

    fn xor_each(&mut self, n: usize, position: usize, bytes: &[u8]) {
        for (i, byte) in (position..).zip(bytes) {
            self.states[i / 8][n] ^= u64::from(*byte) << (8 * (i % 8));
        }
    }

    fn copy_each(&self, n: usize, position: usize, bytes: &mut [u8]) {
        for (i, byte) in (position..).zip(bytes) {
            *byte = self.states[i / 8][n].to_le_bytes()[i % 8];
        }
    }
}

impl<const N: usize> Drop for Lanes<N> {
    /// Overwrites the states with zeroes. The compiler must perform the writes but may combine them.
    fn drop(&mut self) {
        self.states = [[0; N]; 25];
        optimization_barrier(&self.states);
    }
}

/// Splits a range of `len` bytes starting at `position`. Returns the number of bytes before the first whole
/// word, the number of bytes in whole words, and the number of bytes after them.
const fn split(position: usize, len: usize) -> (usize, usize, usize) {
    let to_word = position.next_multiple_of(8) - position;
    let head = if to_word < len { to_word } else { len };
    (head, (len - head) / 8, (len - head) % 8)
}

/// The state of one lane, stored outside [`Lanes`]. Erased on drop.
#[derive(Clone)]
pub struct State([u64; 25]);

impl State {
    /// Creates a state that has absorbed nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self([0; 25])
    }

    /// Returns the first 32 bytes of the state. After a whole message, they are a digest.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        let mut digest = [0; 32];
        let words = digest.as_chunks_mut::<8>().0.iter_mut().zip(self.0);
        words.for_each(|(bytes, word)| *bytes = word.to_le_bytes());
        digest
    }
}

impl Default for State {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for State {
    fn drop(&mut self) {
        self.0 = [0; 25];
        optimization_barrier(&self.0);
    }
}

/// A message in parts, which one lane absorbs block by block, with one Keccak call after each block.
#[derive(Clone, Debug)]
pub struct Chain<'a> {
    function: Function,
    /// The remaining parts of the message.
    parts: &'a [&'a [u8]],
    /// The number of bytes of the first part that have been absorbed.
    offset: usize,
    /// Whether the whole message has been absorbed, including the padding.
    done: bool,
    /// Whether the message ends with these parts.
    ends: bool,
}

impl<'a> Chain<'a> {
    /// Creates a chain that absorbs the concatenated `parts` into a new lane.
    #[must_use]
    pub const fn new(function: Function, parts: &'a [&'a [u8]]) -> Self {
        Self { function, parts, offset: 0, done: false, ends: true }
    }

    /// Creates a chain for the start of a message that continues elsewhere. The concatenated `parts` must be whole
    /// blocks and are not padded.
    #[must_use]
    pub fn unpadded(function: Function, parts: &'a [&'a [u8]]) -> Self {
        let chain = Self { function, parts, offset: 0, done: false, ends: false };
        let left = chain.remaining();
        debug_assert!(left.is_multiple_of(function.rate));
        Self { done: left == 0, ..chain }
    }

    /// Checks whether the whole message has been absorbed.
    #[must_use]
    pub const fn is_done(&self) -> bool {
        self.done
    }

    /// Returns the number of permutation calls until the whole message has been absorbed.
    #[must_use]
    pub fn calls_left(&self) -> usize {
        if self.done { 0 } else { self.remaining() / self.function.rate + usize::from(self.ends) }
    }

    /// Returns the number of bytes that have not been absorbed.
    fn remaining(&self) -> usize {
        self.parts.iter().map(|part| part.len()).sum::<usize>() - self.offset
    }

    /// Absorbs the rest of the message into the only lane, with the necessary permutation calls.
    #[inline]
    pub fn finish(&mut self, lane: &mut Lanes<1>) {
        loop {
            if let (true, Some(part)) = (self.ends, self.parts.first()) {
                let rest = lane.absorb_blocks(self.function.rate, &part[self.offset..]);
                self.offset = part.len() - rest.len();
            }
            if !self.absorb(lane, 0) {
                return;
            }
            lane.permute();
        }
    }

    /// Absorbs the next block into lane `n`, with padding if the block is the last one. The caller must then
    /// permute the lanes.
    ///
    /// Returns false if nothing was left to absorb. The lane then holds the first block of the output.
    #[inline]
    pub fn absorb<const N: usize>(&mut self, lanes: &mut Lanes<N>, n: usize) -> bool {
        if self.done {
            return false;
        }
        let mut position = 0;
        while let Some((part, later)) = self.parts.split_first() {
            let rest = &part[self.offset..];
            let take = rest.len().min(self.function.rate - position);
            lanes.absorb(n, position, &rest[..take]);
            position += take;
            self.offset += take;
            if take < rest.len() {
                return true;
            }
            (self.parts, self.offset) = (later, 0);
        }
        if position < self.function.rate {
            lanes.pad(n, self.function, position);
            self.done = true;
        }
        self.done |= !self.ends;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sponge::{Shake128, sha3_256, sha3_512, shake256};
    use std::vec::Vec;

    /// Returns `len` bytes that depend on `seed` and on their position.
    fn bytes(seed: usize, len: usize) -> Vec<u8> {
        (0..len).map(|i| (i * 131 + seed * 29 + (i >> 3)) as u8).collect()
    }

    fn hash_in_lane<const N: usize>(lane: usize, function: Function, parts: &[&[u8]], out: &mut [u8]) {
        let mut lanes = Lanes::<N>::new(Level::detect());
        let mut chain = Chain::new(function, parts);
        let mut calls = 0;
        while chain.absorb(&mut lanes, lane) {
            // the other lanes absorb other data
            (0..N).filter(|n| *n != lane).for_each(|n| lanes.absorb(n, calls % 100, b"noise"));
            lanes.permute();
            calls += 1;
        }
        assert_eq!(calls, function.calls(parts.iter().map(|part| part.len()).sum()));
        lanes.copy(lane, out);
    }

    #[test]
    fn chain_in_any_lane_matches_the_hash_for_every_length_and_split() {
        let input = bytes(3, 300);
        for len in 0..=input.len() {
            let message = &input[..len];
            for cut in [0, len / 3, len / 2, len] {
                let parts = [&message[..cut], &[], &message[cut..]];
                let mut out = [0; 32];
                hash_in_lane::<4>(len % 4, Function::SHA3_256, &parts, &mut out);
                assert_eq!(out, sha3_256(Level::Portable, &[message]), "{len} bytes cut at {cut}");
                let mut out = [0; 64];
                hash_in_lane::<8>(len % 8, Function::SHA3_512, &parts, &mut out);
                assert_eq!(out, sha3_512(Level::Portable, &[message]), "{len} bytes cut at {cut}");
                let (mut out, mut expected) = ([0; 136], [0; 136]);
                hash_in_lane::<1>(0, Function::SHAKE256, &parts, &mut out);
                shake256(Level::Portable, &[message], &mut expected);
                assert_eq!(out, expected, "{len} bytes cut at {cut}");
            }
        }
    }

    #[test]
    fn chain_finished_in_one_lane_matches_the_hash_for_every_length_and_split() {
        let input = bytes(9, 136 * 5);
        for len in 0..=input.len() {
            let message = &input[..len];
            for (cut, called) in [(0, 0), (32, 1), (len / 3, 2), (136, 0), (len, 1)] {
                let parts = [&message[..cut.min(len)], &[], &message[cut.min(len)..]];
                for level in Level::all() {
                    let mut lanes = Lanes::<1>::new(level);
                    let mut chain = Chain::new(Function::SHA3_256, &parts);
                    (0..called).for_each(|_| {
                        if chain.absorb(&mut lanes, 0) {
                            lanes.permute();
                        }
                    });
                    chain.finish(&mut lanes);
                    assert!(chain.is_done());
                    let expected = sha3_256(Level::Portable, &[message]);
                    assert_eq!(
                        lanes.take(0).digest(),
                        expected,
                        "{len} bytes cut at {cut}, {}",
                        level.name()
                    );
                }
            }
        }
    }

    #[test]
    fn restarted_lane_equals_a_new_one() {
        let mut lanes = Lanes::<4>::new(Level::detect());
        (0..4).for_each(|n| lanes.absorb_last(n, Function::SHA3_512, b"old"));
        lanes.permute();
        lanes.restart(2);
        lanes.absorb_last(2, Function::SHAKE128, b"new");
        lanes.permute();
        let (mut out, mut expected) = ([0; 168], [[0; 168]]);
        lanes.copy(2, &mut out);
        let mut xof = Shake128::<1>::new(Level::Portable);
        xof.absorb_all(b"new");
        xof.squeeze_blocks(&mut expected);
        assert_eq!([out], expected);
    }

    #[test]
    fn chain_continues_in_another_lane() {
        let input = bytes(5, 136 * 3 + 40);
        let (begun, rest) = input.split_at(136 * 2);
        let parts = [begun];
        let mut lanes = Lanes::<4>::new(Level::detect());
        let mut chain = Chain::unpadded(Function::SHA3_256, &parts);
        assert_eq!(chain.calls_left(), 2);
        while chain.absorb(&mut lanes, 3) {
            lanes.permute();
        }
        assert!(chain.is_done());
        let parts = [rest];
        let mut chain = Chain::new(Function::SHA3_256, &parts);
        assert_eq!(chain.calls_left(), 2);
        let mut others = Lanes::<8>::new(Level::detect());
        others.put(5, &lanes.take(3));
        while chain.absorb(&mut others, 5) {
            others.permute();
        }
        assert_eq!(others.take(5).digest(), sha3_256(Level::Portable, &[&input]));
    }

    fn batched_methods_match_single_lane_methods<const N: usize>(level: Level, len: usize) {
        let mut lanes = Lanes::<N>::new(level);
        (0..N).for_each(|n| lanes.absorb_last(n, Function::SHAKE128, &[n as u8]));
        lanes.permute();
        let mut all = [[0; 200]; N];
        lanes.copy_all(all.each_mut().map(|out| &mut out[..len]));
        for (n, got) in all.iter().enumerate() {
            let mut expected = [0; 200];
            lanes.copy(n, &mut expected[..len]);
            assert_eq!(*got, expected, "lane {n} of {N}, {len} bytes, {}", level.name());
        }
    }

    #[test]
    fn copy_all_matches_copying_each_lane() {
        for level in Level::all() {
            for len in 0..=200 {
                batched_methods_match_single_lane_methods::<1>(level, len);
                batched_methods_match_single_lane_methods::<2>(level, len);
                batched_methods_match_single_lane_methods::<4>(level, len);
                batched_methods_match_single_lane_methods::<8>(level, len);
                batched_methods_match_single_lane_methods::<9>(level, len);
            }
        }
    }
}
