//! The selection of the vectors with which a kernel runs.

use super::{Kernel, portable};
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};
use grille_hash::Level;

/// Runs the copy of a kernel that was compiled for `level`.
pub(crate) fn at_level<K: Kernel>(level: Level, kernel: K) -> K::Output {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(token) => avx512::run(token, kernel),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(token) => avx2::run(token, kernel),
        _ => kernel.run(portable::Portable),
    }
}
