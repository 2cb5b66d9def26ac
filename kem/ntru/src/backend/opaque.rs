//! A function that hides values from the compiler.

use core::arch::asm;

/// Returns `word` and hides its value from the compiler.
#[inline(always)]
pub(super) fn opaque(mut word: u64) -> u64 {
    // SAFETY: the assembly contains no instruction.
    unsafe { asm!("/* {} */", inout(reg) word, options(pure, nomem, nostack, preserves_flags)) };
    word
}
