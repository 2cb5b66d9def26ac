//! What vector instructions change: texts are compiled once for each level.

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod compiled;

use grille_hash::Level;

/// A piece of work whose text is compiled for each level.
pub(crate) trait Kernel {
    /// Does it; `#[inline(always)]`, so that it is compiled with the level's instructions.
    fn run(self);
}

/// Runs the copy that is compiled for `level`.
pub(crate) fn at_level<K: Kernel>(level: Level, kernel: K) {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(token) => compiled::with_avx512(token, kernel),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(token) => compiled::with_avx2(token, kernel),
        _ => kernel.run(),
    }
}

/// Replaces each position that occurs again behind it by its own index. Secret: positions.
pub(crate) fn distinguish(level: Level, support: &mut [u32]) {
    at_level(level, Distinguish(support));
}

/// Sets the bits of `words` at the positions of `support`. Secret: positions.
///
/// Every word looks at every position, since an index would show in the cache.
pub(crate) fn spread(level: Level, support: &[u32], words: &mut [u64]) {
    at_level(level, Spread { support, words });
}

struct Distinguish<'a>(&'a mut [u32]);

impl Kernel for Distinguish<'_> {
    #[inline(always)]
    fn run(self) {
        for i in (0..self.0.len()).rev() {
            let (this, later) = self.0[i..].split_first_mut().expect("i is an index");
            let repeated = later.iter().fold(0, |repeated, other| repeated | equal(*this, *other));
            *this ^= (*this ^ i as u32) & repeated;
        }
    }
}

/// −1 if a and b are equal, else 0.
#[inline(always)]
fn equal(a: u32, b: u32) -> u32 {
    let different = a ^ b;
    ((different | different.wrapping_neg()) >> 31).wrapping_sub(1)
}

struct Spread<'a> {
    support: &'a [u32],
    words: &'a mut [u64],
}

impl Kernel for Spread<'_> {
    #[inline(always)]
    fn run(self) {
        for position in self.support {
            let (index, bit) = (u64::from(position / 64), 1u64 << (position % 64));
            for (i, word) in self.words.iter_mut().enumerate() {
                let different = i as u64 ^ index;
                // all ones where the indexes are equal: they are below 2³², so only 0 − 1 has its highest bit set
                *word |= bit & (different.wrapping_sub(1) >> 63).wrapping_neg();
            }
        }
    }
}
