//! The entry point of the firmware.

/// The target of the reset vector.
// SAFETY: no other symbol in the program has this name.
#[unsafe(no_mangle)]
extern "C" fn _start() -> ! {
    crate::run()
}
