//! Erases the copies of secrets that earlier calls left on the stack.
//!
//! The stack of WebAssembly is a part of the module's memory, which JavaScript can read at any time.

use zeroize::Zeroize;

/// Overwrites the part of the stack below the caller's frame that an operation with a private key may have used.
#[inline(never)]
pub(crate) fn erase_stack() {
    let mut area = [0_u64; DEPTH / 8];
    area.zeroize();
}

/// The number of bytes to overwrite; the stack has 1 MiB.
const DEPTH: usize = 512 * 1024;
