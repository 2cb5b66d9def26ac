//! Requests to valgrind, with the only `unsafe` code of this program.

/// Numbers of valgrind's client requests, from valgrind.h and memcheck.h. Those of memcheck start at the number with
/// the bytes 'M', 'C', 0 and 0.
const RUNNING_ON_VALGRIND: usize = 0x1001;
const COUNT_ERRORS: usize = 0x1201;
const MAKE_MEM_UNDEFINED: usize = MEMCHECK + 1;
const MAKE_MEM_DEFINED: usize = MEMCHECK + 2;
const MEMCHECK: usize = ((b'M' as usize) << 24) | ((b'C' as usize) << 16);

/// Returns whether the process runs under valgrind.
pub fn is_running() -> bool {
    request(RUNNING_ON_VALGRIND, 0, 0) != 0
}

/// Returns the number of branches and indexes that have depended on marked memory so far.
pub fn count_errors() -> usize {
    request(COUNT_ERRORS, 0, 0)
}

/// Marks the bytes as secret, without changing them.
pub fn mark_secret(bytes: &mut [u8]) {
    request(MAKE_MEM_UNDEFINED, bytes.as_mut_ptr().addr(), bytes.len());
}

/// Removes the mark from the bytes, without changing them.
pub fn mark_public(bytes: &mut [u8]) {
    request(MAKE_MEM_DEFINED, bytes.as_mut_ptr().addr(), bytes.len());
}

/// Makes a client request (valgrind.h); returns zero without valgrind.
#[cfg(target_arch = "x86_64")]
fn request(number: usize, first: usize, second: usize) -> usize {
    let arguments = [number, first, second, 0, 0, 0];
    let mut result = 0;
    // SAFETY: the four rotations of rdi add up to 128 bits, and the exchange is of rbx with itself, so the processor
    // changes nothing but flags. Valgrind recognises the sequence, reads the six words at rax, and puts an answer into
    // rdx. The requests here change valgrind's record of the memory, never the memory itself.
    unsafe {
        core::arch::asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            in("rax") arguments.as_ptr(),
            inout("rdx") result,
            options(nostack),
        );
    }
    result
}

/// Returns zero: requests are implemented for x86-64 only.
#[cfg(not(target_arch = "x86_64"))]
fn request(_number: usize, _first: usize, _second: usize) -> usize {
    0
}
