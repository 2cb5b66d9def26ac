//! The boundary to C: converts pointers from C to slices and references, and keeps panics from reaching C.

use crate::status::grille_status::{
    GRILLE_BUFFER_TOO_SHORT, GRILLE_INTERNAL, GRILLE_INVALID_ARGUMENT, GRILLE_OK,
};
use crate::status::{Failure, grille_status, report};
use core::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

pub(crate) type Outcome<T = ()> = Result<T, Failure>;

/// Runs the body of a function and turns its result, or a panic, into a status.
pub(crate) fn guard(body: impl FnOnce() -> Outcome) -> grille_status {
    // bodies build new values and write outputs last, and take an operation in progress out of its object during a call,
    // so a panic leaves nothing half-changed behind
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => GRILLE_OK,
        Ok(Err(failure)) => report(&failure),
        Err(_) => report(&Failure::new(GRILLE_INTERNAL, "internal error of the library; please report it")),
    }
}

/// Runs the body of a function that returns a plain value, such as a length, instead of a status. Returns `otherwise`
/// if the body panics.
pub(crate) fn guard_value<T>(otherwise: T, body: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(otherwise)
}

fn null_argument_failure(argument: &str) -> Failure {
    Failure::new(GRILLE_INVALID_ARGUMENT, format_args!("{argument} is a null pointer"))
}

/// Returns the bytes at `data`. If `len` is 0, returns an empty slice, also for a null pointer.
///
/// # Safety
/// `data` is null, or points to `len` bytes that do not change during `'a`.
pub(crate) unsafe fn bytes<'a>(argument: &str, data: *const u8, len: usize) -> Outcome<&'a [u8]> {
    // SAFETY: the caller promises what `array` needs
    unsafe { array(argument, data, len) }
}

/// Returns the `count` values at `data`. If `count` is 0, returns an empty slice, also for a null pointer.
///
/// # Safety
/// `data` is null, or points to `count` values that do not change during `'a`.
pub(crate) unsafe fn array<'a, T>(argument: &str, data: *const T, count: usize) -> Outcome<&'a [T]> {
    if count == 0 {
        return Ok(&[]);
    }
    if data.is_null() {
        return Err(null_argument_failure(argument));
    }
    let len = count.checked_mul(size_of::<T>()).and_then(|len| isize::try_from(len).ok());
    if len.is_none() || !data.is_aligned() {
        return Err(Failure::new(
            GRILLE_INVALID_ARGUMENT,
            format_args!("{argument} cannot be an array of {count} values"),
        ));
    }
    // SAFETY: `data` is not null and is aligned, the caller promises `count` readable, unchanging values, and their length
    // in bytes fits an isize
    Ok(unsafe { core::slice::from_raw_parts(data, count) })
}

/// Returns the text at `data`.
///
/// # Safety
/// `data` is null, or points to a string that ends with NUL and does not change during `'a`.
pub(crate) unsafe fn text<'a>(argument: &str, data: *const c_char) -> Outcome<&'a str> {
    if data.is_null() {
        return Err(null_argument_failure(argument));
    }
    // SAFETY: not null, and the caller promises the terminating NUL
    let text = unsafe { CStr::from_ptr(data) };
    text.to_str().map_err(|_| Failure::new(GRILLE_INVALID_ARGUMENT, format_args!("{argument} is not UTF-8")))
}

/// Returns a reference to the value at `pointer`.
///
/// # Safety
/// `pointer` is null, or came from this library, points to a `T` and was not freed.
pub(crate) unsafe fn borrowed<'a, T>(argument: &str, pointer: *const T) -> Outcome<&'a T> {
    // SAFETY: the caller promises a valid, immutable value behind every pointer that is not null
    unsafe { pointer.as_ref() }.ok_or_else(|| null_argument_failure(argument))
}

/// Returns a mutable reference to the value at `pointer`.
///
/// # Safety
/// `pointer` is null, or came from this library, points to a `T` and was not freed; nothing else uses the value during
/// `'a`.
pub(crate) unsafe fn borrowed_mut<'a, T>(argument: &str, pointer: *mut T) -> Outcome<&'a mut T> {
    // SAFETY: the caller promises a valid value behind every pointer that is not null, and that nothing else uses it
    unsafe { pointer.as_mut() }.ok_or_else(|| null_argument_failure(argument))
}

/// Returns the keys at the pointers in `keys`.
///
/// # Safety
/// Each pointer is null, or came from this library, points to a `T` and was not freed.
pub(crate) unsafe fn borrowed_keys<'a, T>(keys: &[*const T]) -> Outcome<Vec<&'a T>> {
    // SAFETY: the caller promises what `borrowed` needs
    let key = |(n, key): (usize, &*const T)| unsafe { borrowed(&format!("key {n}"), *key) };
    keys.iter().enumerate().map(key).collect()
}

/// Moves `value` to the heap and stores its address in `*place`.
///
/// # Safety
/// `place` is null, or points to a writable pointer.
pub(crate) unsafe fn move_to_heap<T>(place: *mut *mut T, value: T) -> Outcome {
    if place.is_null() {
        return Err(null_argument_failure("the place for the result"));
    }
    // SAFETY: not null, and the caller promises that it is writable
    unsafe { place.write(Box::into_raw(Box::new(value))) };
    Ok(())
}

/// Stores the address of a static value in `*place`.
///
/// # Safety
/// `place` is null, or points to a writable pointer.
pub(crate) unsafe fn store_address<T>(place: *mut *const T, value: &'static T) -> Outcome {
    // SAFETY: the caller promises null or a writable pointer
    let place = unsafe { place.as_mut() }.ok_or_else(|| null_argument_failure("the place for the result"))?;
    *place = value;
    Ok(())
}

/// Frees a value that [`move_to_heap`] allocated.
///
/// # Safety
/// `pointer` is null, or came from [`move_to_heap`] with this type and was not freed before.
pub(crate) unsafe fn free<T>(pointer: *mut T) {
    if !pointer.is_null() {
        // SAFETY: the caller promises that it came from `Box::into_raw` and is freed once
        drop(unsafe { Box::from_raw(pointer) });
    }
}

/// An output buffer of the caller, and the place where the caller expects the length. [`Self::new`] checks them before
/// anything is computed.
pub(crate) struct Output {
    data: *mut u8,
    len: *mut usize,
    capacity: usize,
}

impl Output {
    /// Checks that `len` is not null, and reads the capacity. A null `data` means that the caller only asks for the
    /// length.
    ///
    /// # Safety
    /// `len` is null, or points to a writable number; `data` is null, or points to `*len` writable bytes. Nothing else reads or
    /// writes them while the output is in use.
    pub(crate) unsafe fn new(argument: &str, data: *mut u8, len: *mut usize) -> Outcome<Self> {
        if len.is_null() {
            return Err(null_argument_failure(&format!("the length of {argument}")));
        }
        // SAFETY: not null, and the caller promises a number
        let capacity = unsafe { len.read() };
        Ok(Self { data, len, capacity })
    }

    /// Returns whether the caller only asks for the length.
    pub(crate) fn is_query(&self) -> bool {
        self.data.is_null()
    }

    /// Returns the number of bytes of the buffer.
    pub(crate) fn capacity(&self) -> usize {
        self.capacity
    }

    /// Checks that `needed` bytes fit. Stores `needed` if the buffer is null or too short. Returns whether there is a
    /// buffer to write to.
    pub(crate) fn fits(&self, needed: usize) -> Outcome<bool> {
        let too_short = !self.is_query() && self.capacity < needed;
        if self.is_query() || too_short {
            // SAFETY: `new` checked that it is not null, and its caller promised that it is writable
            unsafe { self.len.write(needed) };
        }
        if too_short {
            return Err(Failure::new(
                GRILLE_BUFFER_TOO_SHORT,
                format_args!("the buffer has {} bytes and needs {needed}", self.capacity),
            ));
        }
        Ok(!self.is_query())
    }

    /// Writes `bytes` and their number if they fit. If the buffer is null, only stores the number.
    pub(crate) fn write(&self, bytes: &[u8]) -> Outcome {
        if self.fits(bytes.len())? {
            // SAFETY: `data` is not null and has `capacity` writable bytes, at least as many as `bytes`; nothing else uses them,
            // so they do not overlap `bytes`, which this library owns
            unsafe { self.data.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
            // SAFETY: as in `fits`
            unsafe { self.len.write(bytes.len()) };
        }
        Ok(())
    }
}

/// An array of the caller for one value per item of a batch.
pub(crate) struct OutputArray<T>(*mut T);

impl<T> OutputArray<T> {
    /// Checks that the array is aligned, and not null unless it would have no items.
    ///
    /// # Safety
    /// `data` is null or points to `count` writable values. Nothing else reads or writes them while the array is in use.
    pub(crate) unsafe fn new(argument: &str, data: *mut T, count: usize) -> Outcome<Self> {
        if count > 0 && data.is_null() {
            return Err(null_argument_failure(argument));
        }
        if count > 0 && !data.is_aligned() {
            let text = format_args!("{argument} is not aligned to {} bytes", align_of::<T>());
            return Err(Failure::new(GRILLE_INVALID_ARGUMENT, text));
        }
        Ok(Self(data))
    }

    /// Writes the values.
    ///
    /// # Safety
    /// There are at most `count` values.
    pub(crate) unsafe fn write(&self, values: impl Iterator<Item = T>) {
        for (n, value) in values.enumerate() {
            // SAFETY: the caller promises at most `count` values, and `new` was promised space for them
            unsafe { self.0.add(n).write(value) };
        }
    }
}
