//! Sorting with vectors: the keys stand in rows of one vector each. First each lane is sorted by itself, by exchanges
//! of whole rows, and then lanes are merged, two, four, eight and sixteen at a time. All merging is bitonic. As many
//! rows as there are lanes fit into registers: a block.
//!
//! A sequence of 3·m or 5·m numbers that is bitonic is sorted like one of 2·m: ordering the numbers i, i + m, i + 2·m, …
//! for each i leaves bitonic sequences of m numbers, of which none has a number above one of the next. For, of zeroes
//! and ones, those numbers have c or c + 1 ones for all i, and those i that have c + 1 follow each other.

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
    /// The lower of each two keys, and the higher.
    fn order(self, a: Self::Row, b: Self::Row) -> [Self::Row; 2];
    /// The lower of each two keys in the lanes whose numbers lack this bit and the higher in the others; and the keys
    /// that are left.
    fn order_by_lane<const BIT: usize>(self, a: Self::Row, b: Self::Row) -> [Self::Row; 2];
    /// Lane l gets what lane l ⊕ `MASK` has.
    fn exchange<const MASK: usize>(self, row: Self::Row) -> Self::Row;
    /// Of as many rows as there are lanes, lane l goes to the row at `to[l·distance]`.
    fn transpose(self, rows: &[i32], to: &mut [i32], distance: usize);
}

/// See [`Backend::sort`](super::Backend::sort).
#[inline(always)]
pub(super) fn sort<K: Keys>(lanes: K, keys: &mut [i32]) {
    match keys.len() {
        0..=512 => sort_in::<K, 1, 512>(lanes, keys),
        513..=768 => sort_in::<K, 3, 768>(lanes, keys),
        769..=1024 => sort_in::<K, 1, 1024>(lanes, keys),
        _ => sort_in::<K, 5, 1280>(lanes, keys),
    }
}

/// The same in the space of `LEN` keys, `ODD` times a power of two; those that are missing are the highest.
#[inline(always)]
fn sort_in<K: Keys, const ODD: usize, const LEN: usize>(lanes: K, keys: &mut [i32]) {
    const { assert!((LEN / ODD).is_power_of_two() && LEN / ODD >= K::LANES * K::LANES) };
    let mut rows = Aligned([i32::MAX; LEN]);
    rows.0[..keys.len()].copy_from_slice(keys);
    sort_lanes::<K, ODD>(lanes, &mut rows.0);
    merge::<1, 1, K, ODD>(lanes, &mut rows.0);
    merge::<2, 3, K, ODD>(lanes, &mut rows.0);
    merge::<4, 7, K, ODD>(lanes, &mut rows.0);
    if K::LANES == 16 {
        merge::<8, 15, K, ODD>(lanes, &mut rows.0);
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

/// Sorts each lane: blocks of rows, then runs of twice as many keys again and again while two of them fit, and in the
/// end all of these with the last of the `ODD` parts.
#[inline(always)]
fn sort_lanes<K: Keys, const ODD: usize>(lanes: K, keys: &mut [i32]) {
    for block in keys.chunks_exact_mut(K::LANES * K::LANES) {
        if K::LANES == 16 { sort_16(lanes, block) } else { sort_8(lanes, block) }
    }
    let part = keys.len() / ODD;
    let mut sorted = K::LANES * K::LANES;
    while 2 * sorted <= keys.len() {
        let runs = keys.len() / (2 * sorted) * (2 * sorted);
        // the last part is sorted by itself
        let until = if sorted < part { keys.len() } else { runs };
        for run in keys[..until].chunks_exact_mut(2 * sorted) {
            merge_runs::<K, 1>(lanes, run, sorted);
        }
        sorted *= 2;
    }
    if ODD > 1 {
        merge_runs::<K, ODD>(lanes, keys, keys.len() - part);
    }
}

/// Sorts each lane of `keys`, of which the first keys are sorted, and the others.
#[inline(always)]
fn merge_runs<K: Keys, const ODD: usize>(lanes: K, keys: &mut [i32], first: usize) {
    // the second run, from its end on, makes the whole bitonic
    let (mut low, mut high) = (first, keys.len() - K::LANES);
    while low < high {
        let rows = (lanes.load_row(&keys[low..]), lanes.load_row(&keys[high..]));
        lanes.store_row(&mut keys[low..], rows.1);
        lanes.store_row(&mut keys[high..], rows.0);
        (low, high) = (low + K::LANES, high - K::LANES);
    }
    sort_bitonic::<K, ODD>(lanes, keys);
}

/// Sorts each lane, which is bitonic.
#[inline(always)]
fn sort_bitonic<K: Keys, const ODD: usize>(lanes: K, keys: &mut [i32]) {
    let part = keys.len() / ODD;
    for i in (0..part).step_by(K::LANES) {
        order_parts::<K, ODD>(lanes, &mut keys[i..], part);
    }
    for part in keys.chunks_exact_mut(part) {
        let mut distance = part.len() / 2;
        while distance >= K::LANES * K::LANES {
            for group in part.chunks_exact_mut(2 * distance) {
                order_halves(lanes, group);
            }
            distance /= 2;
        }
        for block in part.chunks_exact_mut(K::LANES * K::LANES) {
            if K::LANES == 16 { sort_bitonic_16(lanes, block) } else { sort_bitonic_8(lanes, block) }
        }
    }
}

/// Orders the keys of one half against those of the other.
#[inline(always)]
fn order_halves<K: Keys>(lanes: K, keys: &mut [i32]) {
    let (lower, upper) = keys.split_at_mut(keys.len() / 2);
    for (lower, upper) in lower.chunks_exact_mut(K::LANES).zip(upper.chunks_exact_mut(K::LANES)) {
        let [low, high] = lanes.order(lanes.load_row(lower), lanes.load_row(upper));
        lanes.store_row(lower, low);
        lanes.store_row(upper, high);
    }
}

/// Orders the keys of the `ODD` rows at multiples of `distance`.
#[inline(always)]
fn order_parts<K: Keys, const ODD: usize>(lanes: K, keys: &mut [i32], distance: usize) {
    let network: &[(usize, usize)] = match ODD {
        1 => return,
        3 => &[(0, 2), (0, 1), (1, 2)],
        5 => &[(0, 3), (1, 4), (0, 2), (1, 3), (0, 1), (2, 4), (1, 2), (3, 4), (2, 3)],
        _ => unreachable!("no length has such a factor"),
    };
    let mut rows = [lanes.load_row(keys); ODD];
    for (i, row) in rows.iter_mut().enumerate() {
        *row = lanes.load_row(&keys[i * distance..]);
    }
    for &(i, j) in network {
        [rows[i], rows[j]] = lanes.order(rows[i], rows[j]);
    }
    for (i, row) in rows.into_iter().enumerate() {
        lanes.store_row(&mut keys[i * distance..], row);
    }
}

/// `fn name = count: i j, …` orders the keys of the rows i and j of `count`, which it keeps in registers, and so on.
macro_rules! networks {
    ($($(#[$doc:meta])* fn $name:ident = $count:literal: $($i:literal $j:literal),*;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        fn $name<K: Keys>(lanes: K, keys: &mut [i32]) {
            let mut rows = [lanes.load_row(keys); $count];
            for (row, keys) in rows.iter_mut().zip(keys.chunks_exact(K::LANES)) {
                *row = lanes.load_row(keys);
            }
            $([rows[$i], rows[$j]] = lanes.order(rows[$i], rows[$j]);)*
            for (keys, row) in keys.chunks_exact_mut(K::LANES).zip(rows) {
                lanes.store_row(keys, row);
            }
        }
    )*};
}

#[rustfmt::skip]
networks! {
    /// Sorts each lane of eight rows: Batcher's merge exchange, TAOCP 5.2.2 Algorithm M.
    fn sort_8 = 8:
        0 4, 1 5, 2 6, 3 7, 0 2, 1 3, 4 6, 5 7, 2 4, 3 5, 0 1, 2 3, 4 5, 6 7, 1 4, 3 6, 1 2, 3 4, 5 6;
    /// The same of sixteen.
    fn sort_16 = 16:
        0 8, 1 9, 2 10, 3 11, 4 12, 5 13, 6 14, 7 15, 0 4, 1 5, 2 6, 3 7, 8 12, 9 13, 10 14, 11 15, 4 8, 5 9,
        6 10, 7 11, 0 2, 1 3, 4 6, 5 7, 8 10, 9 11, 12 14, 13 15, 2 8, 3 9, 6 12, 7 13, 2 4, 3 5, 6 8, 7 9,
        10 12, 11 13, 0 1, 2 3, 4 5, 6 7, 8 9, 10 11, 12 13, 14 15, 1 8, 3 10, 5 12, 7 14, 1 4, 3 6, 5 8, 7 10,
        9 12, 11 14, 1 2, 3 4, 5 6, 7 8, 9 10, 11 12, 13 14;
    /// Sorts each lane of eight rows, which is bitonic.
    fn sort_bitonic_8 = 8:
        0 4, 1 5, 2 6, 3 7, 0 2, 1 3, 4 6, 5 7, 0 1, 2 3, 4 5, 6 7;
    /// The same of sixteen.
    fn sort_bitonic_16 = 16:
        0 8, 1 9, 2 10, 3 11, 4 12, 5 13, 6 14, 7 15, 0 4, 1 5, 2 6, 3 7, 8 12, 9 13, 10 14, 11 15, 0 2, 1 3,
        4 6, 5 7, 8 10, 9 11, 12 14, 13 15, 0 1, 2 3, 4 5, 6 7, 8 9, 10 11, 12 13, 14 15;
}

/// Merges neighbouring groups of `BIT` lanes, which are sorted; `MASK` is 2·`BIT` − 1.
#[inline(always)]
fn merge<const BIT: usize, const MASK: usize, K: Keys, const ODD: usize>(lanes: K, keys: &mut [i32]) {
    const { assert!(MASK == 2 * BIT - 1) };
    // the lowest of one against the highest of the other, and so on
    let (lower, upper) = keys.split_at_mut(keys.len() / 2);
    for (lower, upper) in lower.chunks_exact_mut(K::LANES).zip(upper.chunks_exact_mut(K::LANES).rev()) {
        let other = lanes.exchange::<MASK>(lanes.load_row(upper));
        let [a, b] = lanes.order_by_lane::<BIT>(lanes.load_row(lower), other);
        lanes.store_row(lower, sort_groups::<BIT, K>(lanes, a));
        lanes.store_row(upper, sort_groups::<BIT, K>(lanes, lanes.exchange::<MASK>(b)));
    }
    // what is left of each lane is bitonic
    sort_bitonic::<K, ODD>(lanes, keys);
}

/// Brings the keys of a row into the right lane of each `BIT`: the lanes, as wholes, are bitonic.
#[inline(always)]
fn sort_groups<const BIT: usize, K: Keys>(lanes: K, mut row: K::Row) -> K::Row {
    if BIT >= 8 {
        row = exchange_lanes::<4, K>(lanes, row);
    }
    if BIT >= 4 {
        row = exchange_lanes::<2, K>(lanes, row);
    }
    if BIT >= 2 {
        row = exchange_lanes::<1, K>(lanes, row);
    }
    row
}

/// Orders the keys of the lanes whose numbers differ by `BIT` only.
#[inline(always)]
fn exchange_lanes<const BIT: usize, K: Keys>(lanes: K, row: K::Row) -> K::Row {
    lanes.order_by_lane::<BIT>(row, lanes.exchange::<BIT>(row))[0]
}
