//! Sorting with vectors: the keys stand in rows of one vector each. First each lane is sorted by itself, by exchanges
//! of whole rows, and then lanes are merged, two, four, eight and sixteen at a time, bitonically.

use grille_core::secret;

/// What the vectors of a level do with keys.
pub(super) trait Keys: Copy {
    /// A row.
    type Row: Copy;
    /// Keys in a row, a power of two from 8 to 16.
    const LANES: usize;

    /// From the first keys of a slice.
    fn load_row(self, from: &[i32]) -> Self::Row;
    /// To the first keys of a slice.
    fn store_row(self, to: &mut [i32], row: Self::Row);
    /// The lower of each two keys.
    fn min(self, a: Self::Row, b: Self::Row) -> Self::Row;
    /// The higher of each two keys.
    fn max(self, a: Self::Row, b: Self::Row) -> Self::Row;
    /// Lane l gets what lane l ⊕ `MASK` has.
    fn exchange<const MASK: usize>(self, row: Self::Row) -> Self::Row;
    /// The lanes of `b` whose numbers have this bit, the others of `a`.
    fn blend<const BIT: usize>(self, a: Self::Row, b: Self::Row) -> Self::Row;
    /// Of as many rows as there are lanes, lane l goes to the row at `to[l·distance]`.
    fn transpose(self, rows: &[i32], to: &mut [i32], distance: usize);
}

/// See [`Backend::sort`](super::Backend::sort).
#[inline(always)]
pub(super) fn sort<K: Keys>(lanes: K, keys: &mut [i32]) {
    match keys.len() {
        0..=512 => sort_in::<K, 512>(lanes, keys),
        513..=1024 => sort_in::<K, 1024>(lanes, keys),
        _ => sort_in::<K, 2048>(lanes, keys),
    }
}

/// The same in the space of `LEN` keys, a power of two; those that are missing are the highest.
#[inline(always)]
fn sort_in<K: Keys, const LEN: usize>(lanes: K, keys: &mut [i32]) {
    let mut rows = Aligned([i32::MAX; LEN]);
    rows.0[..keys.len()].copy_from_slice(keys);
    sort_lanes(lanes, &mut rows.0);
    merge::<1, 1, K>(lanes, &mut rows.0);
    merge::<2, 3, K>(lanes, &mut rows.0);
    merge::<4, 7, K>(lanes, &mut rows.0);
    if K::LANES == 16 {
        merge::<8, 15, K>(lanes, &mut rows.0);
    }
    // lane after lane
    let mut sorted = Aligned([0; LEN]);
    let block = K::LANES * K::LANES;
    for (i, rows) in rows.0.chunks_exact(block).enumerate() {
        lanes.transpose(rows, &mut sorted.0[i * K::LANES..], LEN / K::LANES);
    }
    keys.copy_from_slice(&sorted.0[..keys.len()]);
    secret::erase(&mut rows.0);
    secret::erase(&mut sorted.0);
}

/// What begins where vectors like it.
#[repr(C, align(64))]
struct Aligned<const LEN: usize>([i32; LEN]);

/// Sorts each lane: Batcher's merge exchange of rows, TAOCP 5.2.2 Algorithm M.
#[inline(always)]
fn sort_lanes<K: Keys>(lanes: K, keys: &mut [i32]) {
    let top = keys.len() / K::LANES / 2;
    let mut p = top;
    while p > 0 {
        let (mut q, mut r, mut d) = (top, 0, p);
        loop {
            let mut start = r;
            while start + d < 2 * top {
                exchange_rows(lanes, &mut keys[start * K::LANES..], d, p);
                start += 2 * p;
            }
            if q == p {
                break;
            }
            (d, q, r) = (q - p, q / 2, p);
        }
        p /= 2;
    }
}

/// Orders the keys of the first `count` rows and of those `distance` after them, as far as there are any.
#[inline(always)]
fn exchange_rows<K: Keys>(lanes: K, keys: &mut [i32], distance: usize, count: usize) {
    let (lower, upper) = keys.split_at_mut(distance * K::LANES);
    let pairs = lower.chunks_exact_mut(K::LANES).zip(upper.chunks_exact_mut(K::LANES));
    for (lower, upper) in pairs.take(count) {
        let (a, b) = (lanes.load_row(lower), lanes.load_row(upper));
        lanes.store_row(lower, lanes.min(a, b));
        lanes.store_row(upper, lanes.max(a, b));
    }
}

/// Merges neighbouring groups of `BIT` lanes, which are sorted; `MASK` is 2·`BIT` − 1.
#[inline(always)]
fn merge<const BIT: usize, const MASK: usize, K: Keys>(lanes: K, keys: &mut [i32]) {
    const { assert!(MASK == 2 * BIT - 1) };
    // the lowest of one against the highest of the other, and so on
    let (lower, upper) = keys.split_at_mut(keys.len() / 2);
    for (lower, upper) in lower.chunks_exact_mut(K::LANES).zip(upper.chunks_exact_mut(K::LANES).rev()) {
        let (a, b) = (lanes.load_row(lower), lanes.exchange::<MASK>(lanes.load_row(upper)));
        let (low, high) = (lanes.min(a, b), lanes.max(a, b));
        lanes.store_row(lower, lanes.blend::<BIT>(low, high));
        lanes.store_row(upper, lanes.exchange::<MASK>(lanes.blend::<BIT>(high, low)));
    }
    // what is left of each lane is bitonic, and in the right group
    for row in keys.chunks_exact_mut(K::LANES) {
        let mut v = lanes.load_row(row);
        if BIT >= 8 {
            v = exchange_lanes::<4, K>(lanes, v);
        }
        if BIT >= 4 {
            v = exchange_lanes::<2, K>(lanes, v);
        }
        if BIT >= 2 {
            v = exchange_lanes::<1, K>(lanes, v);
        }
        lanes.store_row(row, v);
    }
    let mut distance = keys.len() / K::LANES / 2;
    while distance > 0 {
        for group in keys.chunks_exact_mut(2 * distance * K::LANES) {
            exchange_rows(lanes, group, distance, distance);
        }
        distance /= 2;
    }
}

/// Orders the keys of the lanes whose numbers differ by `BIT` only.
#[inline(always)]
fn exchange_lanes<const BIT: usize, K: Keys>(lanes: K, row: K::Row) -> K::Row {
    let other = lanes.exchange::<BIT>(row);
    lanes.blend::<BIT>(lanes.min(row, other), lanes.max(row, other))
}
