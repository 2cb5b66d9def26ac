//! Measures stack depth: fills the unused stack with a known value before the work, and inspects it
//! afterwards.

use std::hint::black_box;
use std::ptr;

/// The value of one unused stack word ("paint"), which programs rarely write.
const PAINT: u64 = 0xA7C5_93E1_B86D_2F4B;

const WORD_LEN: usize = size_of::<u64>();

/// Space for the frames of the functions in this file, which lie below the caller's frame and must not be painted over.
const UNPAINTED_LEN: usize = 4096;

/// Runs `work` and returns the number of stack bytes that it used below this frame: at least `UNPAINTED_LEN`, at most
/// `len`.
///
/// The thread's stack must have `len` bytes left.
#[inline(never)]
pub(crate) fn used_by(len: usize, work: impl FnOnce()) -> usize {
    let here = 0_u64;
    let top = (black_box(&raw const here).expose_provenance() - UNPAINTED_LEN) & !(WORD_LEN - 1);
    let words = (len - UNPAINTED_LEN) / WORD_LEN;
    paint(top, words);
    run_in_lower_frame(work);
    top + UNPAINTED_LEN - deepest_overwritten(top, words)
}

/// Runs `work` in a separate frame, which is released before the stack is inspected.
#[inline(never)]
fn run_in_lower_frame(work: impl FnOnce()) {
    work();
}

/// Fills `words` words below `top` with paint.
#[inline(never)]
fn paint(top: usize, words: usize) {
    for n in 1..=words {
        // SAFETY: the word lies in the part of this thread's stack that the caller of `used_by` guarantees to
        // be free, at least `UNPAINTED_LEN` below the frame of `used_by`. No frame is there, and no other thread
        // writes there. The word is aligned because `top` is.
        unsafe { ptr::write_volatile(ptr::with_exposed_provenance_mut::<u64>(top - n * WORD_LEN), PAINT) };
    }
}

/// Returns the address of the deepest word whose paint was overwritten, or `top` if none was.
#[inline(never)]
fn deepest_overwritten(top: usize, words: usize) -> usize {
    let is_painted = |n: &usize| {
        // SAFETY: the word lies in the free part of the stack that `paint` wrote, so it is initialised.
        let word = unsafe { ptr::read_volatile(ptr::with_exposed_provenance::<u64>(top - n * WORD_LEN)) };
        word == PAINT
    };
    (1..=words).rev().find(|n| !is_painted(n)).map_or(top, |n| top - n * WORD_LEN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stack_use_grows_with_depth() {
        fn work<const N: usize>() {
            let mut frame = [7_u8; N];
            black_box(&mut frame);
        }
        let run = |work: fn()| {
            let thread = std::thread::Builder::new().stack_size(1 << 20);
            thread.spawn(move || used_by(512 << 10, work)).expect("a thread").join().expect("it ends")
        };
        let (small, large) = (run(work::<10_000>), run(work::<200_000>));
        assert!((10_000..14_000).contains(&small), "{small}");
        assert!((189_000..191_000).contains(&(large - small)), "{small} {large}");
        assert_eq!(run(|| ()), UNPAINTED_LEN);
    }
}
