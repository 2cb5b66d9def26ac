//! Processor extensions, for programs that print them. grille detects the extensions that it uses without this module.

use core::ffi::c_int;

/// Returns whether the processor has an extension, by its number in `OQS_CPU_EXT`. Returns `false` for the extensions
/// of another processor family.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn has_extension(extension: c_int) -> bool {
    use std::is_x86_feature_detected as has;
    match extension {
        1 => has!("adx"),
        2 => has!("aes"),
        3 => has!("avx"),
        4 => has!("avx2"),
        5 => has!("avx512f"),
        6 => has!("bmi1"),
        7 => has!("bmi2"),
        8 => has!("pclmulqdq"),
        9 => has!("vpclmulqdq"),
        10 => has!("popcnt"),
        11 => has!("sse"),
        12 => has!("sse2"),
        13 => has!("sse3"),
        _ => false,
    }
}

/// Returns whether the processor has an extension, by its number in `OQS_CPU_EXT`. Returns `false` for the extensions
/// of another processor family.
#[cfg(target_arch = "aarch64")]
fn has_extension(extension: c_int) -> bool {
    use std::arch::is_aarch64_feature_detected as has;
    match extension {
        14 => has!("aes"),
        15 => has!("sha2"),
        16 => has!("sha3"),
        17 => has!("neon"),
        _ => false,
    }
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
fn has_extension(_extension: c_int) -> bool {
    false
}

/// Returns 1 if the processor has an extension, and 0 if it lacks the extension or the number is unknown.
#[unsafe(no_mangle)]
pub extern "C" fn OQS_CPU_has_extension(extension: c_int) -> c_int {
    c_int::from(has_extension(extension))
}
