//! Memory of the C heap: programs may pass this memory to `free`, and memory from `malloc` to these functions.

use crate::boundary::{input, text};
use core::ffi::{c_char, c_int, c_void};
use core::mem::MaybeUninit;
use core::ptr;
use zeroize::Zeroize;

mod libc {
    use core::ffi::c_void;

    unsafe extern "C" {
        pub(super) fn malloc(size: usize) -> *mut c_void;
        pub(super) fn calloc(count: usize, size: usize) -> *mut c_void;
        pub(super) fn free(pointer: *mut c_void);
    }
}

/// Copies `value` to the C heap. Returns null if no memory is left. [`OQS_MEM_insecure_free`] frees it.
pub(crate) fn copy_to_heap<T: Copy>(value: T) -> *mut T {
    const { assert!(align_of::<T>() <= align_of::<usize>()) };
    // SAFETY: malloc has no requirements
    let place = unsafe { libc::malloc(size_of::<T>()) }.cast::<T>();
    if !place.is_null() {
        // SAFETY: the memory is new and large enough; malloc aligns it for any number, and the assertion above checks
        // that `T` needs no larger alignment
        unsafe { place.write(value) };
    }
    place
}

/// Overwrites memory with zeros in a way that the compiler cannot remove.
///
/// # Safety
/// `pointer` is null or points to `len` writable bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OQS_MEM_cleanse(pointer: *mut c_void, len: usize) {
    if pointer.is_null() || isize::try_from(len).is_err() {
        return;
    }
    // SAFETY: not null, and the caller promises `len` writable bytes; they need not be initialised
    let bytes = unsafe { core::slice::from_raw_parts_mut(pointer.cast::<MaybeUninit<u8>>(), len) };
    bytes.zeroize();
}

/// Overwrites memory of the C heap with zeros and frees it.
///
/// # Safety
/// `pointer` is null, or came from the C heap, has at least `len` bytes and was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OQS_MEM_secure_free(pointer: *mut c_void, len: usize) {
    // SAFETY: the caller promises what both functions need
    unsafe {
        OQS_MEM_cleanse(pointer, len);
        OQS_MEM_insecure_free(pointer);
    }
}

/// Frees memory of the C heap.
///
/// # Safety
/// `pointer` is null, or came from the C heap and was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OQS_MEM_insecure_free(pointer: *mut c_void) {
    // SAFETY: the caller promises what `free` needs
    unsafe { libc::free(pointer) };
}

/// Compares two byte strings in constant time. Returns 0 if they are equal, and 1 if they differ or one is null.
///
/// # Safety
/// `a` and `b` are null or point to `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OQS_MEM_secure_bcmp(a: *const c_void, b: *const c_void, len: usize) -> c_int {
    // SAFETY: the caller promises null or `len` bytes
    let both = unsafe { (input(a.cast(), len), input(b.cast(), len)) };
    let (Some(a), Some(b)) = both else { return 1 };
    let difference =
        a.iter().zip(b).fold(0, |difference, (a, b)| core::hint::black_box(difference | (a ^ b)));
    c_int::from(difference != 0)
}

/// Allocates memory of the C heap. Returns null if no memory is left.
#[unsafe(no_mangle)]
pub extern "C" fn OQS_MEM_malloc(size: usize) -> *mut c_void {
    // SAFETY: malloc has no requirements
    unsafe { libc::malloc(size) }
}

/// Allocates memory of the C heap that is filled with zeros. Returns null if no memory is left.
#[unsafe(no_mangle)]
pub extern "C" fn OQS_MEM_calloc(count: usize, size: usize) -> *mut c_void {
    // SAFETY: calloc has no requirements
    unsafe { libc::calloc(count, size) }
}

/// Copies a string to the C heap. Returns null if `string` is null or no memory is left.
///
/// # Safety
/// `string` is null or ends with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OQS_MEM_strdup(string: *const c_char) -> *mut c_char {
    // SAFETY: the caller promises null or a terminating NUL
    let Some(string) = (unsafe { text(string) }) else { return ptr::null_mut() };
    let bytes = string.to_bytes_with_nul();
    let copy = OQS_MEM_malloc(bytes.len()).cast::<u8>();
    if !copy.is_null() {
        // SAFETY: `copy` is new and has as many bytes as `bytes`
        unsafe { copy.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    }
    copy.cast()
}
