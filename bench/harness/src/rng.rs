//! A very fast generator, so that the figures show the algorithms. It is insecure: never use it for real keys.

use rand_core::{TryCryptoRng, TryRng};
use std::cell::Cell;
use std::convert::Infallible;

/// SplitMix64 with its state in the thread.
pub struct SplitMix;

thread_local! {
    static STATE: Cell<u64> = const { Cell::new(0x9E37_79B9_7F4A_7C15) };
}

impl TryRng for SplitMix {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(next() as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(next())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        fill(bytes);
        Ok(())
    }
}

// The generator is not secure, but grille's interfaces require this marker.
impl TryCryptoRng for SplitMix {}

/// Fills `bytes`. Whole words are written separately, because a copy of variable length is a function call, which costs
/// more than the words.
///
/// Not inlined, so that all libraries run the same instructions. When the compiler inlined it, it vectorised only the
/// copy in grille's code, which then took 1.5 times as long as the copy that liboqs called.
#[inline(never)]
pub fn fill(bytes: &mut [u8]) {
    let (words, rest) = bytes.as_chunks_mut::<8>();
    words.iter_mut().for_each(|word| *word = next().to_le_bytes());
    if !rest.is_empty() {
        rest.copy_from_slice(&next().to_le_bytes()[..rest.len()]);
    }
}

/// Returns `N` random bytes.
pub fn array<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    fill(&mut bytes);
    bytes
}

fn next() -> u64 {
    STATE.with(|state| {
        let s = state.get().wrapping_add(0x9E37_79B9_7F4A_7C15);
        state.set(s);
        let z = (s ^ (s >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    })
}
