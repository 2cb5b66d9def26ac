//! The components of Kyber as C functions, for the benchmarks in C++. `benchmarks.hpp` declares these functions.

use core::ffi::{CStr, c_char};
use grille_mlkem::internals::ROWS;

/// Returns the number of the component that has the benchmark `name`, or −1 if none has.
///
/// # Safety
/// `name` is a string that ends with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kyber_component(name: *const c_char) -> isize {
    // SAFETY: the caller promises a string
    let name = unsafe { CStr::from_ptr(name) }.to_bytes();
    ROWS.iter().position(|row| row.name.as_bytes() == name).map_or(-1, |position| position as isize)
}

/// Runs a component `n` times. `component` is a number of 0 or more that [`kyber_component`]
/// returned. Any other number ends the program.
#[unsafe(no_mangle)]
pub extern "C" fn kyber_component_repeat(component: isize, n: usize) {
    (ROWS[component as usize].repeat)(n);
}
