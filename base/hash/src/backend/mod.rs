//! Which permutation runs at which level.

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx512;
mod portable;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod transpose;

use crate::keccak::States;
use grille_cpu::Level;

/// One kernel call where a kernel of that width exists; other widths are padded to the next one.
#[inline]
#[cfg(target_arch = "x86_64")]
pub(crate) fn permute<const N: usize>(level: Level, states: &mut States<N>) {
    match (level, N) {
        (Level::Avx512(token), 1) => padded(states, |lanes| avx512::permute_x1(token, lanes)),
        (Level::Avx512(token), 2..=4) => padded(states, |lanes| avx512::permute_x4(token, lanes)),
        (Level::Avx512(token), 5..=8) => padded(states, |lanes| avx512::permute_x8(token, lanes)),
        (Level::Avx2(token), 1) => avx2::permute_each(token, states),
        (Level::Avx2(token), 2..=4) => padded(states, |lanes| avx2::permute_x4(token, lanes)),
        (Level::Avx2(token), 5..=8) => padded(states, |lanes| avx2::permute_x8(token, lanes)),
        _ => portable::permute(states),
    }
}

/// The only level elsewhere is the portable one.
#[inline]
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn permute<const N: usize>(_level: Level, states: &mut States<N>) {
    portable::permute(states);
}

/// Runs `kernel` on `LEN / 25` states, of which the first `N` are ours: in place if that is all of them.
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
    zeroize::Zeroize::zeroize(&mut lanes);
}

/// The first bytes of every state: outputs of one length, at most 200.
#[inline]
pub(crate) fn copy_all<const N: usize>(level: Level, states: &States<N>, mut outs: [&mut [u8]; N]) {
    let len = outs[0].len();
    #[cfg(target_arch = "x86_64")]
    match level.avx2() {
        Some(token) if len >= 32 && len.is_multiple_of(8) && N.is_multiple_of(4) => {
            return transpose::copy_all(token, states, &mut outs);
        }
        _ => (),
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = level;
    for (n, out) in outs.iter_mut().enumerate() {
        for (states, bytes) in states.iter().zip(out.chunks_mut(8)) {
            bytes.copy_from_slice(&states[n].to_le_bytes()[..bytes.len()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keccak;

    /// States that differ everywhere, from a 64-bit generator (SplitMix64).
    fn states<const N: usize>(seed: &mut u64) -> States<N> {
        core::array::from_fn(|_| {
            core::array::from_fn(|_| {
                *seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
                let z = (*seed ^ (*seed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
                z ^ (z >> 27)
            })
        })
    }

    fn every_level_equals_portable<const N: usize>() {
        let mut seed = N as u64;
        for _ in 0..2_000 {
            let input = states::<N>(&mut seed);
            let mut expected = input;
            portable::permute(&mut expected);
            for level in Level::all() {
                let mut got = input;
                keccak::permute(level, &mut got);
                assert_eq!(got, expected, "{} x{N}", level.name());
            }
        }
    }

    #[test]
    fn every_level_equals_portable_at_every_width() {
        every_level_equals_portable::<1>();
        every_level_equals_portable::<2>();
        every_level_equals_portable::<3>();
        every_level_equals_portable::<4>();
        every_level_equals_portable::<5>();
        every_level_equals_portable::<8>();
        every_level_equals_portable::<9>();
    }

    #[test]
    fn extreme_states_permute_alike() {
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
