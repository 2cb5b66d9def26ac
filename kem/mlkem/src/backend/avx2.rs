//! The kernels with 256-bit vectors.

use super::{Backend, Operation};
use grille_cpu::Avx2 as Token;
use grille_hash::Level;

/// The kernels of this folder, and hashes at `level`.
#[derive(Clone, Copy)]
pub(crate) struct Avx2 {
    /// Proof that the processor has AVX2, BMI1, BMI2 and POPCNT: every `unsafe` here rests on it.
    _token: Token,
    level: Level,
}

/// Runs the copy of an operation that is compiled with AVX2.
pub(super) fn run<O: Operation>(token: Token, level: Level, operation: O) -> O::Output {
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn compiled<O: Operation>(backend: Avx2, operation: O) -> O::Output {
        operation.run(backend)
    }
    // SAFETY: `token` exists only where the processor has these features.
    unsafe { compiled(Avx2 { _token: token, level }, operation) }
}

impl Backend for Avx2 {
    #[inline(always)]
    fn level(self) -> Level {
        self.level
    }
}
