//! Which instructions an operation is compiled with.
//!
//! A public operation is a value of a type that implements [`Operation`]: its text is written once. [`dispatch`] asks
//! once which level this machine has and runs the copy compiled for that level. The vectors are the compiler's: the
//! loops over FFT images, residues and ChaCha blocks are written so that it finds them. They are `for` loops: the body
//! of a closure has a level's instructions only where it is inlined.

#[cfg(target_arch = "aarch64")]
#[allow(unsafe_code)]
mod aarch64;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod ntt;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod x86;

#[cfg(target_arch = "aarch64")]
pub(crate) use aarch64::{sqrt, truncate};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) use x86::{sqrt, truncate};

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[allow(unsafe_code)]
pub(crate) mod avx512;
mod portable;

use grille_hash::Level;

/// An operation whose text is compiled once for each level.
pub(crate) trait Operation {
    /// What it returns.
    type Output;

    /// Runs it; `#[inline(always)]`, so that it is compiled with the level's instructions.
    fn run(self, level: Level) -> Self::Output;
}

/// Runs an operation at the best level of this machine.
pub(crate) fn dispatch<O: Operation>(operation: O) -> O::Output {
    dispatch_at(Level::detect(), operation)
}

/// ChaCha20's ten double rounds, RFC 8439 section 2.3, on eight blocks: a row has one word of each.
pub(crate) fn chacha(level: Level, state: &mut [[u32; 8]; 16]) {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(token) => x86::chacha_avx512(token, state),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(token) => x86::chacha_avx2(token, state),
        _ => portable::chacha(state),
    }
}

/// The layers of the NTT modulo q, see [`crate::mq::ntt`].
#[cfg_attr(not(target_arch = "x86_64"), allow(unused_variables, reason = "the portable text works in place"))]
pub(crate) fn ntt(level: Level, a: &mut [i16], spare: &mut [i16]) {
    match level.avx2() {
        #[cfg(target_arch = "x86_64")]
        Some(token) if a.len() >= 32 => ntt::forward(token, a, spare),
        _ => portable::ntt(a),
    }
}

/// The layers of its inverse, without the factor 1/n. |a| < q, as is the result.
#[cfg_attr(not(target_arch = "x86_64"), allow(unused_variables, reason = "the portable text works in place"))]
pub(crate) fn inverse_ntt(level: Level, a: &mut [i16], spare: &mut [i16]) {
    match level.avx2() {
        #[cfg(target_arch = "x86_64")]
        Some(token) if a.len() >= 32 => ntt::inverse(token, a, spare),
        _ => portable::inverse_ntt(a),
    }
}

/// Runs an operation with AVX-512.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) fn dispatch_avx512<O: Operation>(token: grille_cpu::Avx512, operation: O) -> O::Output {
    x86::run_avx512(token, operation)
}

/// Runs an operation at a given level.
pub(crate) fn dispatch_at<O: Operation>(level: Level, operation: O) -> O::Output {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(token) => x86::run_avx512(token, operation),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(token) => x86::run_avx2(token, operation),
        _ => run_portable(level, operation),
    }
}

/// Not inlined, because its variables would else lie on the stack while another level's copy runs.
#[inline(never)]
fn run_portable<O: Operation>(level: Level, operation: O) -> O::Output {
    operation.run(level)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_has_the_portable_ntt() {
        fn check<const N: usize>() {
            let start: [i16; N] = core::array::from_fn(|i| (i as i32 * i as i32 * 31 % 24577 - 12288) as i16);
            let (mut forward, mut inverse) = (start, start);
            portable::ntt(&mut forward);
            portable::inverse_ntt(&mut inverse);
            for level in Level::all() {
                let (mut a, mut spare) = (start, [0; N]);
                ntt(level, &mut a, &mut spare);
                assert_eq!(a, forward, "{}", level.name());
                a = start;
                inverse_ntt(level, &mut a, &mut spare);
                assert_eq!(a, inverse, "{}", level.name());
            }
        }
        check::<512>();
        check::<1024>();
    }

    #[test]
    fn every_level_has_the_portable_chacha() {
        let start: [[u32; 8]; 16] = core::array::from_fn(|i| {
            core::array::from_fn(|j| ((8 * i + j) as u32 + 1).wrapping_mul(0x9E37_79B9))
        });
        let mut expected = start;
        portable::chacha(&mut expected);
        for level in Level::all() {
            let mut state = start;
            chacha(level, &mut state);
            assert_eq!(state, expected, "{}", level.name());
        }
    }
}
