//! Sorting in constant time with Batcher's bitonic network. The length of each sorted block is a power of
//! two.

use crate::backend::{Lanes, Work};

/// The width of the keys that are sorted, with the vector operations for this width.
pub(crate) trait Width {
    /// The type of a key.
    type Key: Copy;

    /// Returns the number of keys in a vector.
    fn count<L: Lanes>() -> usize;
    fn load<L: Lanes>(l: L, keys: &[Self::Key]) -> L::V;
    fn store<L: Lanes>(l: L, v: L::V, keys: &mut [Self::Key]);
    fn order<L: Lanes>(l: L, a: L::V, b: L::V) -> [L::V; 2];
    fn partner<L: Lanes>(l: L, v: L::V, distance: usize) -> L::V;
    fn select<L: Lanes>(l: L, a: L::V, b: L::V, distance: usize) -> L::V;
}

/// Keys with a width of 32 bits.
pub(crate) struct Narrow;

/// Keys with a width of 64 bits, below 2^63.
pub(crate) struct Wide;

macro_rules! widths {
    ($($width:ident $key:ident $count:ident $load:ident $store:ident $order:ident $partner:ident $select:ident;)*) => {$(
        impl Width for $width {
            type Key = $key;

            #[inline(always)]
            fn count<L: Lanes>() -> usize {
                L::$count
            }

            #[inline(always)]
            fn load<L: Lanes>(l: L, keys: &[$key]) -> L::V {
                l.$load(keys)
            }

            #[inline(always)]
            fn store<L: Lanes>(l: L, v: L::V, keys: &mut [$key]) {
                l.$store(v, keys);
            }

            #[inline(always)]
            fn order<L: Lanes>(l: L, a: L::V, b: L::V) -> [L::V; 2] {
                l.$order(a, b)
            }

            #[inline(always)]
            fn partner<L: Lanes>(l: L, v: L::V, distance: usize) -> L::V {
                l.$partner(v, distance)
            }

            #[inline(always)]
            fn select<L: Lanes>(l: L, a: L::V, b: L::V, distance: usize) -> L::V {
                l.$select(a, b, distance)
            }
        }
    )*};
}

widths! {
    Narrow u32 KEYS load_keys store_keys order_keys partner_keys select_keys;
    Wide u64 WORDS load store order_words partner_words select_words;
}

/// Sorts each block of `block` keys. The number of keys must be a multiple of the number of keys in a vector.
/// The keys are secret.
#[inline(always)]
pub(crate) fn sort_blocks<L: Lanes, W: Width>(l: L, keys: &mut [W::Key], block: usize) {
    l.call(Sort::<W> { keys, block });
}

struct Sort<'a, W: Width> {
    keys: &'a mut [W::Key],
    block: usize,
}

impl<L: Lanes, W: Width> Work<L> for Sort<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self, l: L) {
        let Self { keys, block } = self;
        let count = W::count::<L>();
        if count > 1 {
            for vector in keys.chunks_exact_mut(count) {
                let mut v = W::load(l, vector);
                grille_core::unroll!(log in 1 2 3 4 => {
                    let length = 1 << log;
                    if length <= count && length <= block {
                        v = exchange::<L, W>(l, v, length - 1);
                        v = merge_in_vector::<L, W>(l, v, length / 4);
                    }
                });
                W::store(l, v, vector);
            }
        }
        let mut length = 2 * count;
        while length <= block {
            for block in keys.chunks_exact_mut(length) {
                merge::<L, W>(l, block);
            }
            length *= 2;
        }
    }
}

/// Runs the last steps of a merge within a vector, starting with the distance `first`.
#[inline(always)]
fn merge_in_vector<L: Lanes, W: Width>(l: L, mut v: L::V, first: usize) -> L::V {
    grille_core::unroll!(log in 3 2 1 0 => {
        if 1 << log <= first {
            v = exchange::<L, W>(l, v, 1 << log);
        }
    });
    v
}

/// Merges the sorted halves of a block of at least two vectors.
#[inline(always)]
fn merge<L: Lanes, W: Width>(l: L, block: &mut [W::Key]) {
    let count = W::count::<L>();
    let half = block.len() / 2;
    let (low, high) = block.split_at_mut(half);
    for (low, high) in low.chunks_exact_mut(count).zip(high.chunks_exact_mut(count).rev()) {
        let [a, b] = [W::load(l, low), W::load(l, high)];
        let [smaller, larger] = W::order(l, a, W::partner(l, b, count - 1));
        W::store(l, smaller, low);
        W::store(l, W::partner(l, larger, count - 1), high);
    }
    let mut distance = half / 2;
    while distance >= count {
        for block in block.chunks_exact_mut(2 * distance) {
            let (low, high) = block.split_at_mut(distance);
            for (low, high) in low.chunks_exact_mut(count).zip(high.chunks_exact_mut(count)) {
                let [smaller, larger] = W::order(l, W::load(l, low), W::load(l, high));
                W::store(l, smaller, low);
                W::store(l, larger, high);
            }
        }
        distance /= 2;
    }
    if count > 1 {
        for vector in block.chunks_exact_mut(count) {
            let v = merge_in_vector::<L, W>(l, W::load(l, vector), count / 2);
            W::store(l, v, vector);
        }
    }
}

/// Sorts each pair of keys i and i ⊕ `distance` of the vector `v` in ascending order, and returns the result.
#[inline(always)]
fn exchange<L: Lanes, W: Width>(l: L, v: L::V, distance: usize) -> L::V {
    let [smaller, larger] = W::order(l, v, W::partner(l, v, distance));
    W::select(l, smaller, larger, distance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::{Kernel, at_level};
    use grille_hash::Level;
    use std::vec::Vec;

    struct Test<'a, W: Width>(&'a mut [W::Key], usize);

    impl<W: Width> Kernel for Test<'_, W> {
        type Output = ();

        #[inline(always)]
        fn run<L: Lanes>(self, l: L) {
            sort_blocks::<L, W>(l, self.0, self.1);
        }
    }

    #[test]
    fn every_block_is_sorted() {
        let random = (0..1024u64).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 1);
        for (level, log) in Level::all().flat_map(|level| (1..=10).map(move |log| (level, log))) {
            let mut wide: Vec<u64> = random.clone().collect();
            let mut narrow: Vec<u32> = random.clone().map(|key| (key >> 20) as u32).collect();
            let (mut wide_sorted, mut narrow_sorted) = (wide.clone(), narrow.clone());
            wide_sorted.chunks_exact_mut(1 << log).for_each(<[u64]>::sort_unstable);
            narrow_sorted.chunks_exact_mut(1 << log).for_each(<[u32]>::sort_unstable);
            at_level(level, Test::<Wide>(&mut wide, 1 << log));
            at_level(level, Test::<Narrow>(&mut narrow, 1 << log));
            assert_eq!(wide, wide_sorted, "{}, blocks of {}", level.name(), 1 << log);
            assert_eq!(narrow, narrow_sorted, "{}, blocks of {}", level.name(), 1 << log);
        }
    }
}
