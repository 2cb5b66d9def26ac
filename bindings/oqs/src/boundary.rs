//! The boundary to C: converts pointers from C to slices, and keeps panics from reaching C.

use crate::{OQS_ERROR, OQS_STATUS, OQS_SUCCESS};
use core::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs the body of a function. Returns 0 if the body returns `Some`, and -1 if it returns `None` or panics.
pub(crate) fn status(body: impl FnOnce() -> Option<()>) -> OQS_STATUS {
    // bodies write their outputs last, so a panic leaves nothing half-changed behind
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Some(())) => OQS_SUCCESS,
        Ok(None) | Err(_) => OQS_ERROR,
    }
}

/// Returns the bytes at `data`; `None` for a null pointer, unless `len` is 0.
///
/// # Safety
/// `data` is null, or points to `len` bytes that do not change during `'a`.
pub(crate) unsafe fn input<'a>(data: *const u8, len: usize) -> Option<&'a [u8]> {
    if len == 0 {
        return Some(&[]);
    }
    if data.is_null() || isize::try_from(len).is_err() {
        return None;
    }
    // SAFETY: `data` is not null and the caller promises `len` readable, unchanging bytes; u8 needs no alignment, and the
    // length fits an isize
    Some(unsafe { core::slice::from_raw_parts(data, len) })
}

/// Returns the text at `data`; `None` for a null pointer.
///
/// # Safety
/// `data` is null, or points to a string that ends with NUL and does not change during `'a`.
pub(crate) unsafe fn text<'a>(data: *const c_char) -> Option<&'a CStr> {
    if data.is_null() {
        return None;
    }
    // SAFETY: not null, and the caller promises the terminating NUL
    Some(unsafe { CStr::from_ptr(data) })
}

/// A buffer of the caller. Its bytes may be uninitialised, so they are written and never read.
pub(crate) struct Output {
    data: *mut u8,
    len: usize,
}

impl Output {
    /// Returns the buffer; `None` for a null pointer.
    ///
    /// # Safety
    /// `data` is null, or points to `len` writable bytes, which no other thread uses while the output exists.
    pub(crate) unsafe fn new(data: *mut u8, len: usize) -> Option<Self> {
        (!data.is_null()).then_some(Self { data, len })
    }

    /// Writes `bytes` to the start of the buffer and returns their number; `None` if they do not fit.
    pub(crate) fn write(&self, bytes: &[u8]) -> Option<usize> {
        if bytes.len() > self.len {
            return None;
        }
        // SAFETY: `new` checked that `data` is not null, its caller promised `len` writable bytes, and `bytes` has at
        // most `len` bytes. The ranges may overlap.
        unsafe { self.data.copy_from(bytes.as_ptr(), bytes.len()) };
        Some(bytes.len())
    }

    /// Fills the buffer with zeros.
    pub(crate) fn clear(&self) {
        // SAFETY: `new` checked that `data` is not null, and its caller promised `len` writable bytes
        unsafe { self.data.write_bytes(0, self.len) };
    }
}
