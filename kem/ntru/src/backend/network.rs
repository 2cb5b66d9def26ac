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
    /// The lower two bits of each key of a row, to as many numbers.
    fn store_signs(self, to: &mut [u16], row: Self::Row);
    /// Of as many rows as there are lanes, those of lane l from `to[l·distance]` on, as many as there is room for.
    fn transpose_signs(self, rows: &[i32], to: &mut [u16], distance: usize);
}

/// See [`Backend::sort_signs`](super::Backend::sort_signs).
#[inline(always)]
pub(super) fn sort_signs<K: Keys>(lanes: K, keys: &mut [i32], v: &mut [u16]) {
    match keys.len() {
        512 if K::LANES == 16 => sort_with::<K, 2>(lanes, keys, v),
        512 | 1024 => sort_with::<K, 4>(lanes, keys, v),
        768 => sort_with::<K, 3>(lanes, keys, v),
        1280 => sort_with::<K, 5>(lanes, keys, v),
        len => unreachable!("no set has {len} keys"),
    }
}

/// The same in `PARTS` parts, each of one, two or four blocks.
#[inline(always)]
fn sort_with<K: Keys, const PARTS: usize>(lanes: K, keys: &mut [i32], v: &mut [u16]) {
    sort_lanes::<K, PARTS>(lanes, keys);
    merge::<1, 1, K, PARTS>(lanes, keys);
    merge::<2, 3, K, PARTS>(lanes, keys);
    merge::<4, 7, K, PARTS>(lanes, keys);
    if K::LANES == 16 {
        merge::<8, 15, K, PARTS>(lanes, keys);
    }
    // lane after lane
    let (distance, block) = (keys.len() / K::LANES, K::LANES * K::LANES);
    for (i, rows) in keys.chunks_exact(block).enumerate() {
        lanes.transpose_signs(rows, &mut v[i * K::LANES..], distance);
    }
}

/// Writes the signs of a row, as many as there is room for from an index on.
#[inline(always)]
pub(super) fn store_signs<K: Keys>(lanes: K, v: &mut [u16], start: usize, row: K::Row) {
    let Some(to) = v.get_mut(start..) else { return };
    if to.len() >= K::LANES {
        return lanes.store_signs(to, row);
    }
    let mut last = [0; MAX_LANES];
    lanes.store_signs(&mut last, row);
    to.copy_from_slice(&last[..to.len()]);
    secret::erase(&mut last);
}

/// Keys in a row, at most.
const MAX_LANES: usize = 16;

/// Sorts each lane: blocks of rows, then runs of twice as many keys again and again while two of them fit, and in the
/// end all of these with the last part, if the number of parts is odd.
#[inline(always)]
fn sort_lanes<K: Keys, const PARTS: usize>(lanes: K, keys: &mut [i32]) {
    let block = K::LANES * K::LANES;
    for block in keys.chunks_exact_mut(block) {
        if K::LANES == 16 { sort_16(lanes, block) } else { sort_8(lanes, block) }
    }
    for run in keys.chunks_exact_mut(2 * block) {
        merge_runs::<K, 2>(lanes, run);
    }
    let mut length = 4 * block;
    while length <= keys.len() {
        for run in keys.chunks_exact_mut(length) {
            merge_runs::<K, 4>(lanes, run);
        }
        length *= 2;
    }
    if !PARTS.is_multiple_of(2) {
        merge_runs::<K, PARTS>(lanes, keys);
    }
}

/// Sorts each lane of `keys`, of which the first half is sorted, or all but the last of an odd number of parts, and
/// the others too.
#[inline(always)]
fn merge_runs<K: Keys, const PARTS: usize>(lanes: K, keys: &mut [i32]) {
    let (part, last) = (keys.len() / PARTS, keys.len() - K::LANES);
    let first_run = const { if PARTS.is_multiple_of(2) { PARTS / 2 } else { PARTS - 1 } };
    for i in (0..part).step_by(K::LANES) {
        // the second run, from its end on, makes the whole bitonic
        let mut rows = [lanes.load_row(&keys[i..]); PARTS];
        for (p, row) in rows.iter_mut().enumerate().skip(1) {
            let at = if p < first_run { p * part + i } else { last - (p - first_run) * part - i };
            *row = lanes.load_row(&keys[at..]);
        }
        for (p, row) in order_parts(lanes, rows).into_iter().enumerate() {
            let at = if p < first_run { p * part + i } else { (p + 1) * part - K::LANES - i };
            lanes.store_row(&mut keys[at..], row);
        }
    }
    sort_parts(lanes, keys, part);
}

/// Sorts each lane of each part, which is bitonic.
#[inline(always)]
fn sort_parts<K: Keys>(lanes: K, keys: &mut [i32], part: usize) {
    let block = K::LANES * K::LANES;
    for part in keys.chunks_exact_mut(part) {
        match part.len() / block {
            1 => {}
            2 => split::<K, 2>(lanes, part),
            _ => split::<K, 4>(lanes, part),
        }
        for block in part.chunks_exact_mut(block) {
            if K::LANES == 16 { sort_bitonic_16(lanes, block) } else { sort_bitonic_8(lanes, block) }
        }
    }
}

/// Orders the keys of each part against those of the next.
#[inline(always)]
fn split<K: Keys, const PARTS: usize>(lanes: K, keys: &mut [i32]) {
    let part = keys.len() / PARTS;
    for i in (0..part).step_by(K::LANES) {
        let rows = load_rows::<K, PARTS>(lanes, &keys[i..], part);
        store_rows(lanes, &mut keys[i..], part, order_parts(lanes, rows));
    }
}

/// The rows at multiples of `distance`.
#[inline(always)]
fn load_rows<K: Keys, const COUNT: usize>(lanes: K, keys: &[i32], distance: usize) -> [K::Row; COUNT] {
    let mut rows = [lanes.load_row(keys); COUNT];
    for (i, row) in rows.iter_mut().enumerate().skip(1) {
        *row = lanes.load_row(&keys[i * distance..]);
    }
    rows
}

/// Overwrites the rows at multiples of `distance`.
#[inline(always)]
fn store_rows<K: Keys, const COUNT: usize>(
    lanes: K,
    keys: &mut [i32],
    distance: usize,
    rows: [K::Row; COUNT],
) {
    for (i, row) in rows.into_iter().enumerate() {
        lanes.store_row(&mut keys[i * distance..], row);
    }
}

/// Orders the keys of rows that are as far apart as parts are, of bitonic lanes.
#[inline(always)]
fn order_parts<K: Keys, const PARTS: usize>(lanes: K, mut rows: [K::Row; PARTS]) -> [K::Row; PARTS] {
    let network: &[(usize, usize)] = match PARTS {
        2 => &[(0, 1)],
        3 => &[(0, 2), (0, 1), (1, 2)],
        4 => &[(0, 2), (1, 3), (0, 1), (2, 3)],
        5 => &[(0, 3), (1, 4), (0, 2), (1, 3), (0, 1), (2, 4), (1, 2), (3, 4), (2, 3)],
        _ => unreachable!("no length has so many parts"),
    };
    for &(i, j) in network {
        [rows[i], rows[j]] = lanes.order(rows[i], rows[j]);
    }
    rows
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
fn merge<const BIT: usize, const MASK: usize, K: Keys, const PARTS: usize>(lanes: K, keys: &mut [i32]) {
    const { assert!(MASK == 2 * BIT - 1) };
    let part = keys.len() / PARTS;
    for i in (0..part / 2).step_by(K::LANES) {
        let mirrored = part - K::LANES - i;
        let mut low = load_rows::<K, PARTS>(lanes, &keys[i..], part);
        let mut high = load_rows::<K, PARTS>(lanes, &keys[mirrored..], part);
        // the lowest of one against the highest of the other, and so on
        for (low, high) in low.iter_mut().zip(high.iter_mut().rev()) {
            let [a, b] = lanes.order_by_lane::<BIT>(*low, lanes.exchange::<MASK>(*high));
            *low = sort_groups::<BIT, K>(lanes, a);
            *high = sort_groups::<BIT, K>(lanes, lanes.exchange::<MASK>(b));
        }
        // what is left of each lane is bitonic
        store_rows(lanes, &mut keys[i..], part, order_parts(lanes, low));
        store_rows(lanes, &mut keys[mirrored..], part, order_parts(lanes, high));
    }
    sort_parts(lanes, keys, part);
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
