//! Hiding values from the compiler.

use core::arch::asm;

/// Returns the same word in a register, hidden from the compiler.
#[inline(always)]
pub(super) fn opaque(mut word: u64) -> u64 {
    // SAFETY: contains no instruction.
    unsafe { asm!("/* {} */", inout(reg) word, options(pure, nomem, nostack, preserves_flags)) };
    word
}
