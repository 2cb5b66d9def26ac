//! Which instructions an operation is compiled with.
//!
//! A public operation is a value of a type that implements [`Operation`]: its text is written once. [`dispatch`] asks
//! once which level this machine has and runs the copy compiled for that level. The vectors are the compiler's: the
//! loops over FFT images, residues and ChaCha blocks are written so that it finds them.

#[cfg(target_arch = "aarch64")]
#[allow(unsafe_code)]
mod aarch64;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod x86;

#[cfg(target_arch = "aarch64")]
pub(crate) use aarch64::sqrt;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) use x86::sqrt;

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

/// Runs an operation at a given level.
pub(crate) fn dispatch_at<O: Operation>(level: Level, operation: O) -> O::Output {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(token) => x86::run_avx512(token, operation),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(token) => x86::run_avx2(token, operation),
        _ => operation.run(level),
    }
}
