//! Selects the Keccak permutation and the SHA-2 compression functions for each level.

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
pub(crate) mod aes_ni;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2;
#[cfg(target_arch = "x86_64")]
#[macro_use]
mod avx512_rounds;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx512;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx512_x1;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod bmi;
#[cfg(all(test, target_arch = "x86_64"))]
mod kernels;
#[cfg(target_arch = "aarch64")]
#[allow(unsafe_code)]
mod neon;
mod portable;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod sha2_avx2;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
pub(crate) mod sha2_avx512;
mod sha2_portable;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
pub(crate) mod sha_ni;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[allow(unsafe_code)]
mod simd128;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod transpose;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
pub(crate) mod vaes;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
pub(crate) mod vaes256;

use crate::keccak::States;
use grille_cpu::Level;
use sha2_portable::{portable256, portable512};

/// Permutes up to eight states in one call of a kernel for 1, 4 or 8 states. Other numbers of states are padded to 4 or
/// 8 states. Without AVX2, or for more than eight states, runs plain Rust.
#[inline]
#[cfg(target_arch = "x86_64")]
pub(crate) fn permute<const N: usize>(level: Level, states: &mut States<N>) {
    match (level, N) {
        (Level::Avx512(token), 1) => padded(states, |lanes| avx512::permute_x1(token, lanes)),
        (Level::Avx512(token), 2..=4) => padded(states, |lanes| avx512::permute_x4(token, lanes)),
        (Level::Avx512(token), 5..=8) => padded(states, |lanes| avx512::permute_x8(token, lanes)),
        (Level::Avx2(token), 1) => padded(states, |lanes| bmi::permute_x1(token, lanes)),
        (Level::Avx2(token), 2..=4) => padded(states, |lanes| avx2::permute_x4(token, lanes)),
        (Level::Avx2(token), 5..=8) => padded(states, |lanes| avx2::permute_x8(token, lanes)),
        _ => portable::permute(states),
    }
}

/// Permutes one state in plain Rust, or several states two at a time with NEON.
#[inline]
#[cfg(target_arch = "aarch64")]
pub(crate) fn permute<const N: usize>(level: Level, states: &mut States<N>) {
    match level {
        Level::Neon(token) if N > 1 => match token.sha3() {
            Some(sha3) => permute_pairs(states, |lanes| neon::permute_x2_sha3(sha3, lanes)),
            None => permute_pairs(states, |lanes| neon::permute_x2(token, lanes)),
        },
        _ => portable::permute(states),
    }
}

/// Permutes several states two at a time.
#[inline]
#[cfg(any(target_arch = "aarch64", all(target_arch = "wasm32", target_feature = "simd128")))]
fn permute_pairs<const N: usize>(states: &mut States<N>, kernel: impl Fn(&mut [u64; 50])) {
    if let Ok(lanes) = states.as_flattened_mut().try_into() {
        return kernel(lanes);
    }
    for n in (0..N).step_by(2) {
        // if the count is odd, the last state is paired with itself
        let other = (n + 1).min(N - 1);
        let mut pair: States<2> = states.map(|lane| [lane[n], lane[other]]);
        kernel(pair.as_flattened_mut().try_into().expect("50 lanes"));
        states.iter_mut().zip(pair).for_each(|(lane, pair)| [lane[n], lane[other]] = pair);
        pair = [[0; 2]; 25];
        zeroize::optimization_barrier(&pair);
    }
}

/// Permutes one state in plain Rust, or several states two at a time with WebAssembly's vectors.
#[inline]
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) fn permute<const N: usize>(level: Level, states: &mut States<N>) {
    match level {
        Level::Simd128(token) if N > 1 => permute_pairs(states, |lanes| simd128::permute_x2(token, lanes)),
        _ => portable::permute(states),
    }
}

/// Permutes all states in plain Rust, which is the only level on other architectures.
#[inline]
#[cfg(not(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
pub(crate) fn permute<const N: usize>(_level: Level, states: &mut States<N>) {
    portable::permute(states);
}

#[cfg(target_arch = "x86_64")]
pub use avx2::Scratch;

/// Empty scratch memory for targets whose kernels need none.
#[cfg(not(target_arch = "x86_64"))]
pub struct Scratch;

#[cfg(not(target_arch = "x86_64"))]
impl Scratch {
    /// Creates empty scratch memory.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl Default for Scratch {
    fn default() -> Self {
        Self::new()
    }
}

/// Absorbs blocks of 136 bytes into one state, with a permutation after each.
#[inline]
pub(crate) fn absorb_136(level: Level, state: &mut [u64; 25], blocks: &[[u8; 136]]) {
    for block in blocks {
        for (lane, word) in state.iter_mut().zip(block.as_chunks::<8>().0) {
            *lane ^= u64::from_le_bytes(*word);
        }
        let states: &mut States<1> = state.as_chunks_mut().0.try_into().expect("25 lanes");
        permute(level, states);
    }
}

/// Computes the first four lanes of the permuted states.
#[inline]
pub(crate) fn first_lanes<const N: usize>(
    level: Level,
    states: &States<N>,
    first: &mut [[u64; N]; 4],
    scratch: &mut Scratch,
) {
    #[cfg(target_arch = "x86_64")]
    if let (Ok(states), Ok(first)) = (states.as_flattened().try_into(), first.as_flattened_mut().try_into()) {
        match level {
            Level::Avx512(token) => return avx512::first_lanes_x8(token, states, first),
            Level::Avx2(token) => return avx2::first_lanes_x8(token, states, first, scratch),
            _ => {}
        }
    }
    let _ = scratch;
    let mut states = *states;
    permute(level, &mut states);
    first.copy_from_slice(&states[..4]);
    grille_core::erase(states.as_flattened_mut());
}

/// Runs `kernel` on `LEN / 25` states. The first `N` of them are `states`. Works in place if `N` is `LEN /
/// 25`.
#[inline]
#[cfg(target_arch = "x86_64")]
fn padded<const N: usize, const LEN: usize>(states: &mut States<N>, kernel: impl FnOnce(&mut [u64; LEN])) {
    if let Ok(lanes) = states.as_flattened_mut().try_into() {
        return kernel(lanes);
    }
    let mut lanes = [0; LEN];
    let width = LEN / 25;
    for (row, ours) in lanes.chunks_mut(width).zip(states.iter()) {
        row[..N].copy_from_slice(ours);
    }
    kernel(&mut lanes);
    for (row, ours) in lanes.chunks(width).zip(states) {
        ours.copy_from_slice(&row[..N]);
    }
    grille_core::erase(&mut lanes);
}

/// Copies the first bytes of every state to outputs of equal length, at most 200 bytes.
#[inline]
pub(crate) fn copy_all<const N: usize>(level: Level, states: &States<N>, mut outs: [&mut [u8]; N]) {
    #[cfg(target_arch = "x86_64")]
    if let (Some(token), 0, 32..) = (level.avx2(), N % 4 + outs[0].len() % 8, outs[0].len()) {
        return transpose::copy_all(token, states, &mut outs);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = level;
    for (n, out) in outs.iter_mut().enumerate() {
        for (states, bytes) in states.iter().zip(out.chunks_mut(8)) {
            bytes.copy_from_slice(&states[n].to_le_bytes()[..bytes.len()]);
        }
    }
}

/// Compresses one block of each of the first `count` of 16 SHA-256 messages. May also compress blocks of the
/// other messages.
///
/// AVX-512 takes equally long, for however few messages. The SHA extensions process four messages in less time. On
/// processors without them, the one-message code is the fastest for a single message, also with AVX2.
pub(crate) fn compress256(level: Level, states: &mut [[u32; 16]; 8], blocks: &[[u32; 16]; 16], count: usize) {
    #[cfg(target_arch = "x86_64")]
    match (level, level.avx2().and_then(grille_cpu::Avx2::sha_ni), count) {
        (_, _, 1) => portable256(states, blocks, count),
        (Level::Avx2(_), Some(token), _) | (_, Some(token), 2..=4) => {
            sha_ni::compress256(token, states, blocks, count);
        }
        (Level::Avx512(token), ..) => sha2_avx512::compress256(token, states, blocks),
        (Level::Avx2(token), ..) => sha2_avx2::compress256(token, states, blocks, count),
        _ => portable256(states, blocks, count),
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        let _ = level;
        portable256(states, blocks, count);
    }
}

/// Compresses one block of each of the first `count` of eight SHA-512 messages. May also compress blocks of
/// the other messages. For a single message, the one-message code is the fastest.
pub(crate) fn compress512(level: Level, states: &mut [[u64; 8]; 8], blocks: &[[u64; 8]; 16], count: usize) {
    match level {
        _ if count == 1 => portable512(states, blocks, count),
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(token) => sha2_avx512::compress512(token, states, blocks),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(token) => sha2_avx2::compress512(token, states, blocks, count),
        _ => portable512(states, blocks, count),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keccak;

    /// Returns the next word of a 64-bit generator (SplitMix64).
    pub(super) fn next_word(seed: &mut u64) -> u64 {
        *seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (*seed ^ (*seed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z ^ (z >> 27)
    }

    /// Returns states whose words all differ.
    fn states<const N: usize>(seed: &mut u64) -> States<N> {
        core::array::from_fn(|_| core::array::from_fn(|_| next_word(seed)))
    }

    fn every_level_equals_portable<const N: usize>(inputs: u32) {
        let mut seed = N as u64;
        for _ in 0..inputs {
            let input = states::<N>(&mut seed);
            let mut expected = input;
            portable::permute(&mut expected);
            for level in Level::all() {
                let (mut got, mut first) = (input, [[0; N]; 4]);
                keccak::permute(level, &mut got);
                keccak::first_lanes(level, &input, &mut first, &mut Scratch::new());
                assert_eq!(got, expected, "{} x{N}", level.name());
                assert_eq!(first, expected[..4], "{} x{N}", level.name());
            }
        }
    }

    fn every_width_equals_portable(inputs: u32) {
        every_level_equals_portable::<1>(inputs);
        every_level_equals_portable::<2>(inputs);
        every_level_equals_portable::<3>(inputs);
        every_level_equals_portable::<4>(inputs);
        every_level_equals_portable::<5>(inputs);
        every_level_equals_portable::<8>(inputs);
        every_level_equals_portable::<9>(inputs);
    }

    #[test]
    fn every_level_equals_portable_at_every_width() {
        every_width_equals_portable(10_000);
    }

    #[test]
    #[ignore = "takes minutes"]
    fn every_level_equals_portable_on_a_million_inputs() {
        every_width_equals_portable(1_000_000);
    }

    #[test]
    fn every_level_permutes_extreme_states_identically() {
        for fill in [0, u64::MAX, 1, 1 << 63] {
            let input: States<8> = [[fill; 8]; 25];
            let mut expected = input;
            portable::permute(&mut expected);
            for level in Level::all() {
                let mut got = input;
                keccak::permute(level, &mut got);
                assert_eq!(got, expected, "{}", level.name());
            }
        }
    }
}
