//! How deep a stack was used: painted before, looked at afterwards.

use std::hint::black_box;
use std::ptr;

/// The paint, a word of it: nothing that programs write often.
const PAINT: u64 = 0xA7C5_93E1_B86D_2F4B;

const WORD_LEN: usize = size_of::<u64>();

/// Room for the frames of the functions here, which lie below the caller's and are not painted over.
const OWN_LEN: usize = 4096;

/// Runs `work`, and says how many bytes below this frame it wrote to: `OWN_LEN` at least, `len` at most.
///
/// The thread's stack must have `len` bytes left.
#[inline(never)]
pub(crate) fn used_by(len: usize, work: impl FnOnce()) -> usize {
    let here = 0_u64;
    let top = (black_box(&raw const here).expose_provenance() - OWN_LEN) & !(WORD_LEN - 1);
    let words = (len - OWN_LEN) / WORD_LEN;
    paint(top, words);
    below(work);
    top + OWN_LEN - deepest(top, words)
}

/// A frame of its own, which is gone when the stack is looked at.
#[inline(never)]
fn below(work: impl FnOnce()) {
    work();
}

/// Fills so many words below `top`.
#[inline(never)]
fn paint(top: usize, words: usize) {
    for n in 1..=words {
        // SAFETY: the word lies in the part of this thread's stack that `used_by`'s caller says is left, at least
        // `OWN_LEN` below the frame of `used_by`: no frame is there, and no other thread writes there. It is aligned,
        // as `top` is.
        unsafe { ptr::write_volatile(ptr::with_exposed_provenance_mut::<u64>(top - n * WORD_LEN), PAINT) };
    }
}

/// The address of the deepest word that has lost its paint, or `top` if none has.
#[inline(never)]
fn deepest(top: usize, words: usize) -> usize {
    let is_painted = |n: &usize| {
        // SAFETY: as in `paint`, which wrote this word, so that it is initialised, whatever ran since then.
        let word = unsafe { ptr::read_volatile(ptr::with_exposed_provenance::<u64>(top - n * WORD_LEN)) };
        word == PAINT
    };
    (1..=words).rev().find(|n| !is_painted(n)).map_or(top, |n| top - n * WORD_LEN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deeper_work_uses_more_by_what_it_is_deeper() {
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
        assert_eq!(run(|| ()), OWN_LEN);
    }
}
