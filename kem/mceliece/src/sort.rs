//! Sorting in constant time: Batcher's bitonic network, in blocks whose length is a power of two.

/// Keys in a vector.
const LANES: usize = 16;

/// Sorts each block of `block` keys; their number is a multiple of 16. Secret: keys.
#[inline(always)]
pub(crate) fn sort_blocks<K: Copy + Ord>(keys: &mut [K], block: usize) {
    let vectors = keys.as_chunks_mut::<LANES>().0;
    for vector in vectors.iter_mut() {
        *vector = sorted_within(*vector, block);
    }
    let mut length = 2;
    while length * LANES <= block {
        vectors.chunks_exact_mut(length).for_each(merge);
        length *= 2;
    }
}

/// Sorts blocks within a vector.
#[inline(always)]
fn sorted_within<K: Copy + Ord>(mut v: [K; LANES], block: usize) -> [K; LANES] {
    v = exchanged::<K, 1>(v);
    if block >= 4 {
        v = exchanged::<K, 1>(exchanged::<K, 3>(v));
    }
    if block >= 8 {
        v = exchanged::<K, 1>(exchanged::<K, 2>(exchanged::<K, 7>(v)));
    }
    if block >= 16 {
        v = within(exchanged::<K, 15>(v), 4);
    }
    v
}

/// The last steps of a merge.
#[inline(always)]
fn within<K: Copy + Ord>(mut v: [K; LANES], first: usize) -> [K; LANES] {
    if first == 8 {
        v = exchanged::<K, 8>(v);
    }
    exchanged::<K, 1>(exchanged::<K, 2>(exchanged::<K, 4>(v)))
}

/// Merges the sorted halves of a block.
#[inline(always)]
fn merge<K: Copy + Ord>(block: &mut [[K; LANES]]) {
    let half = block.len() / 2;
    let (low, high) = block.split_at_mut(half);
    for (low, high) in low.iter_mut().zip(high.iter_mut().rev()) {
        let mut reversed = *high;
        reversed.reverse();
        let mut larger = *low;
        for i in 0..LANES {
            larger[i] = low[i].max(reversed[i]);
            low[i] = low[i].min(reversed[i]);
        }
        larger.reverse();
        *high = larger;
    }
    let mut distance = half / 2;
    while distance >= 1 {
        for block in block.chunks_exact_mut(2 * distance) {
            let (low, high) = block.split_at_mut(distance);
            for (low, high) in low.as_flattened_mut().iter_mut().zip(high.as_flattened_mut()) {
                (*low, *high) = ((*low).min(*high), (*low).max(*high));
            }
        }
        distance /= 2;
    }
    for vector in block {
        *vector = within(*vector, 8);
    }
}

/// The vector with each pair of keys i and i ⊕ MASK in order.
#[inline(always)]
fn exchanged<K: Copy + Ord, const MASK: usize>(v: [K; LANES]) -> [K; LANES] {
    let mut other = v;
    for i in 0..LANES {
        other[i] = v[i ^ MASK];
    }
    let (mut smaller, mut larger) = (v, v);
    for i in 0..LANES {
        smaller[i] = v[i].min(other[i]);
        larger[i] = v[i].max(other[i]);
    }
    let mut ordered = v;
    for i in 0..LANES {
        ordered[i] = if i < i ^ MASK { smaller[i] } else { larger[i] };
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn every_block_is_sorted() {
        for log in 1..=10 {
            let mut keys: Vec<u64> =
                (0..1024u64).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40).collect();
            let mut expected = keys.clone();
            expected.chunks_exact_mut(1 << log).for_each(<[u64]>::sort_unstable);
            sort_blocks(&mut keys, 1 << log);
            assert_eq!(keys, expected, "blocks of {}", 1 << log);
        }
    }
}
