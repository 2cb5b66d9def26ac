//! The selection of CPU instructions for each operation.

#[cfg(target_arch = "x86_64")]
use super::x86;
use super::{Operation, portable};
use grille_hash::Level;

/// Runs an operation at the best CPU level of this machine.
pub(crate) fn dispatch<O: Operation>(operation: O) -> O::Output {
    dispatch_at(Level::detect(), operation)
}

/// Computes the ten double rounds of ChaCha20, RFC 8439 section 2.3, on eight blocks. A row holds one word of
/// each block.
pub(crate) fn chacha(level: Level, state: &mut [[u32; 8]; 16]) {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(token) => x86::chacha_avx512(token, state),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(token) => x86::chacha_avx2(token, state),
        _ => portable::chacha(state),
    }
}

/// Computes the layers of the NTT modulo q; see [`crate::ntt::ntt`].
#[cfg_attr(not(target_arch = "x86_64"), allow(unused_variables, reason = "the portable code works in place"))]
pub(crate) fn ntt(level: Level, a: &mut [i16], spare: &mut [i16]) {
    match level.avx2() {
        #[cfg(target_arch = "x86_64")]
        Some(token) if a.len() >= 32 => super::ntt::forward(token, a, spare),
        _ => portable::ntt(a),
    }
}

/// Computes the layers of the inverse NTT, without the factor 1/n. The input and the result satisfy |a| < q.
#[cfg_attr(not(target_arch = "x86_64"), allow(unused_variables, reason = "the portable code works in place"))]
pub(crate) fn inverse_ntt(level: Level, a: &mut [i16], spare: &mut [i16]) {
    match level.avx2() {
        #[cfg(target_arch = "x86_64")]
        Some(token) if a.len() >= 32 => super::ntt::inverse(token, a, spare),
        _ => portable::inverse_ntt(a),
    }
}

/// Runs an operation with AVX-512.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) fn dispatch_avx512<O: Operation>(token: grille_cpu::Avx512, operation: O) -> O::Output {
    x86::run_avx512(token, operation)
}

/// Runs an operation at a given CPU level.
pub(crate) fn dispatch_at<O: Operation>(level: Level, operation: O) -> O::Output {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(token) => x86::run_avx512(token, operation),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(token) => x86::run_avx2(token, operation),
        _ => run_portable(level, operation),
    }
}

/// Runs an operation in plain Rust. This function is not inlined, because otherwise its variables would
/// occupy the stack while another level's copy runs.
#[inline(never)]
pub(crate) fn run_portable<O: Operation>(level: Level, operation: O) -> O::Output {
    operation.run(level)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A generator of pseudorandom words.
    struct NumberGenerator(u64);

    impl NumberGenerator {
        fn next(&mut self) -> u32 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 32) as u32
        }
    }

    /// Compares the NTTs and the inverse NTTs of `inputs` polynomials at every level with the portable ones.
    /// The first three polynomials have only extreme coefficients: all largest, all smallest, or both
    /// alternately. The others are pseudorandom.
    fn check_ntt<const N: usize>(inputs: u32) {
        let mut numbers = NumberGenerator(u64::from(inputs));
        for input in 0..inputs {
            let start: [i16; N] = core::array::from_fn(|i| match (input, i % 2) {
                (0, _) | (2, 0) => 12288,
                (1, _) | (2, _) => -12288,
                _ => (numbers.next() % 24577) as i16 - 12288,
            });
            let (mut forward, mut inverse) = (start, start);
            portable::ntt(&mut forward);
            portable::inverse_ntt(&mut inverse);
            for level in Level::all() {
                let (mut a, mut spare) = (start, [0; N]);
                ntt(level, &mut a, &mut spare);
                assert_eq!(a, forward, "{}, input {input}", level.name());
                a = start;
                inverse_ntt(level, &mut a, &mut spare);
                assert_eq!(a, inverse, "{}, input {input}", level.name());
            }
        }
    }

    fn check_chacha(inputs: u32) {
        let mut numbers = NumberGenerator(u64::from(inputs));
        for input in 0..inputs {
            let start: [[u32; 8]; 16] = core::array::from_fn(|_| core::array::from_fn(|_| numbers.next()));
            let mut expected = start;
            portable::chacha(&mut expected);
            for level in Level::all() {
                let mut state = start;
                chacha(level, &mut state);
                assert_eq!(state, expected, "{}, input {input}", level.name());
            }
        }
    }

    #[test]
    fn every_level_equals_portable_on_ten_thousand_inputs() {
        check_ntt::<512>(10_000);
        check_ntt::<1024>(10_000);
        check_chacha(10_000);
    }

    #[test]
    #[ignore = "takes minutes"]
    fn every_level_equals_portable_on_a_million_inputs() {
        check_ntt::<512>(1_000_000);
        check_ntt::<1024>(1_000_000);
        check_chacha(1_000_000);
    }
}
