//! Where a board begins.

/// What the reset vector jumps to.
// SAFETY: nothing else in the program has this name.
#[unsafe(no_mangle)]
extern "C" fn _start() -> ! {
    crate::run()
}
