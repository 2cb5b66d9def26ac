//! The selection of the backend that runs an operation.

#[cfg(debug_assertions)]
use super::checked::Checking;
#[cfg(target_arch = "aarch64")]
use super::neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use super::simd128;
use super::{Operation, Portable};
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};
use grille_hash::Level;

/// Runs an operation at the best level of this machine.
pub(crate) fn dispatch<O: Operation>(operation: O) -> O::Output {
    dispatch_at(Level::detect(), operation)
}

/// Runs an operation at a given level.
pub(crate) fn dispatch_at<O: Operation>(level: Level, operation: O) -> O::Output {
    #[cfg(debug_assertions)]
    let operation = Checking(operation);
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(token) => avx512::run(token, operation),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(token) => avx2::run(token, operation),
        #[cfg(target_arch = "aarch64")]
        Level::Neon(token) => neon::run(token, operation),
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        Level::Simd128(token) => simd128::run(token, operation),
        _ => run_portable(operation),
    }
}

/// Runs an operation in plain Rust. This function is not inlined, because otherwise its variables would
/// occupy the stack while another level's copy runs.
#[inline(never)]
fn run_portable<O: Operation>(operation: O) -> O::Output {
    operation.run(Portable)
}
