//! The selection of the backend that runs an operation.

use super::Operation;
use super::portable::Portable;
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};
use grille_hash::Level;

/// Runs an operation at the best CPU level of this machine.
pub(crate) fn dispatch<O: Operation>(operation: O) -> O::Output {
    dispatch_at(Level::detect(), operation)
}

/// Runs an operation at a given CPU level.
pub(crate) fn dispatch_at<O: Operation>(level: Level, operation: O) -> O::Output {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(token) => match token.vnni() {
            Some(token) => avx512::run(token, operation),
            None => avx2::run(token.avx2(), operation),
        },
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(token) => avx2::run(token, operation),
        _ => run_portable(level, operation),
    }
}

/// Runs an operation in plain Rust. This function is not inlined, because otherwise its variables would
/// occupy the stack while another level's copy runs.
#[inline(never)]
fn run_portable<O: Operation>(level: Level, operation: O) -> O::Output {
    operation.run(Portable { level })
}
