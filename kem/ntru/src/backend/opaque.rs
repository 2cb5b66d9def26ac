//! What the compiler must not look through.

use core::arch::asm;

/// The same word, in a register.
#[inline(always)]
pub(super) fn opaque(mut word: u64) -> u64 {
    // SAFETY: no instruction.
    unsafe { asm!("/* {} */", inout(reg) word, options(pure, nomem, nostack, preserves_flags)) };
    word
}
