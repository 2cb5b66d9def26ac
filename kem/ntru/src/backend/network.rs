//! Vectorised sorting. A row is a vector of keys. First, each lane is sorted separately by exchanging keys
//! between rows. Then lanes are merged, two, four, eight and sixteen at a time. All merges are bitonic. A
//! block, which has about as many rows as there are lanes, fits into registers. Blocks of thirteen rows leave
//! less unused space after 820 keys.
//!
//! A bitonic sequence of 3·m or 5·m numbers is sorted like a sequence of 2·m numbers. Ordering the numbers
//! i, i + m, i + 2·m, … for each i yields bitonic sequences of m numbers. No number of a sequence is larger than a
//! number of the next sequence. Proof: in a sequence of zeroes and ones, the numbers i, i + m, i + 2·m, …
//! include c or c + 1 ones for each i, and the values of i with c + 1 ones are consecutive.

use super::opaque::opaque;

/// The operations of a CPU level on vectors of keys.
pub(super) trait Keys: Copy {
    /// The type of a row.
    type Row: Copy;
    /// The number of keys in a row, a power of two from 8 to 16.
    const LANES: usize;

    /// Loads the first keys of a slice.
    fn load_row(self, from: &[i32]) -> Self::Row;
    /// Stores a row to the first keys of a slice.
    fn store_row(self, to: &mut [i32], row: Self::Row);
    /// Returns the lower key and the higher key of each pair.
    fn order(self, a: Self::Row, b: Self::Row) -> [Self::Row; 2];
    /// Returns two rows. The first holds the lower key of each pair in the lanes whose number does not have the
    /// bit `BIT`, and the higher key in the other lanes. The second row holds the remaining keys.
    fn order_by_lane<const BIT: usize>(self, a: Self::Row, b: Self::Row) -> [Self::Row; 2];
    /// Moves the key of lane l ⊕ `MASK` to lane l.
    fn exchange<const MASK: usize>(self, row: Self::Row) -> Self::Row;
    /// Writes the lower two bits of each key of a block of rows. The bits of lane l go to `to[l·distance]`
    /// and the following elements, as many as fit.
    fn transpose_signs<const ROWS: usize>(self, rows: &[i32], to: &mut [u16], distance: usize);
}

/// Implements [`Backend::sort_signs`](super::Backend::sort_signs).
#[inline(always)]
pub(super) fn sort_signs<K: Keys>(lanes: K, keys: &mut [i32], v: &mut [u16]) {
    match keys.len() {
        512 if K::LANES == 16 => sort_with::<K, 16, 2>(lanes, keys, v),
        768 if K::LANES == 16 => sort_with::<K, 16, 3>(lanes, keys, v),
        1024 if K::LANES == 16 => sort_with::<K, 13, 4>(lanes, &mut keys[..4 * 13 * 16], v),
        1280 if K::LANES == 16 => sort_with::<K, 16, 5>(lanes, keys, v),
        512 | 1024 => sort_with::<K, 8, 4>(lanes, keys, v),
        768 => sort_with::<K, 8, 3>(lanes, keys, v),
        1280 => sort_with::<K, 8, 5>(lanes, keys, v),
        len => unreachable!("no set has {len} keys"),
    }
}

/// Sorts keys in `PARTS` parts, each of one, two or four blocks of `ROWS` rows, and writes the lower two bits
/// of the sorted keys to `v`.
#[inline(always)]
fn sort_with<K: Keys, const ROWS: usize, const PARTS: usize>(lanes: K, keys: &mut [i32], v: &mut [u16]) {
    assert!(ROWS <= K::LANES && v.len() <= keys.len());
    // if the length were known, the compiler would unroll all loops: 1024 keys would take 55 KB of
    // instructions, each of which would run once
    let len = opaque(keys.len() as u64) as usize;
    let keys = &mut keys[..len];
    sort_lanes::<K, ROWS, PARTS>(lanes, keys);
    merge::<1, 1, K, ROWS, PARTS>(lanes, keys);
    merge::<2, 3, K, ROWS, PARTS>(lanes, keys);
    merge::<4, 7, K, ROWS, PARTS>(lanes, keys);
    if K::LANES == 16 {
        merge::<8, 15, K, ROWS, PARTS>(lanes, keys);
    }
    // writes the bits lane by lane
    let distance = keys.len() / K::LANES;
    for (i, rows) in keys.chunks_exact(ROWS * K::LANES).enumerate() {
        lanes.transpose_signs::<ROWS>(rows, &mut v[i * ROWS..], distance);
    }
}

/// Returns the part of `v` that receives the numbers of one lane of a block: at most `rows` elements,
/// starting at `start`.
#[inline(always)]
pub(super) fn lane_output(rows: usize, v: &mut [u16], start: usize) -> &mut [u16] {
    let start = start.min(v.len());
    let end = (start + rows).min(v.len());
    &mut v[start..end]
}

/// Sorts each lane: sorts blocks of rows, then merges two blocks into a run, two runs into a longer run, and
/// so on while two runs fit. If the number of parts is odd, finally merges the longest run with the last
/// part.
#[inline(always)]
fn sort_lanes<K: Keys, const ROWS: usize, const PARTS: usize>(lanes: K, keys: &mut [i32]) {
    let block = ROWS * K::LANES;
    for block in keys.chunks_exact_mut(block) {
        match ROWS {
            8 => sort_8(lanes, block),
            13 => sort_13(lanes, block),
            _ => sort_16(lanes, block),
        }
    }
    for run in keys.chunks_exact_mut(2 * block) {
        merge_runs::<K, ROWS, 2>(lanes, run);
    }
    let mut length = 4 * block;
    while length <= keys.len() {
        for run in keys.chunks_exact_mut(length) {
            merge_runs::<K, ROWS, 4>(lanes, run);
        }
        length *= 2;
    }
    if !PARTS.is_multiple_of(2) {
        merge_runs::<K, ROWS, PARTS>(lanes, keys);
    }
}

/// Merges two runs of `keys`, in each of which every lane is sorted. The second run is the second half or,
/// for an odd number of parts, the last part.
#[inline(always)]
fn merge_runs<K: Keys, const ROWS: usize, const PARTS: usize>(lanes: K, keys: &mut [i32]) {
    let (part, last) = (keys.len() / PARTS, keys.len() - K::LANES);
    let first_run = const { if PARTS.is_multiple_of(2) { PARTS / 2 } else { PARTS - 1 } };
    for i in (0..part).step_by(K::LANES) {
        // reversing the second run makes the whole lane bitonic
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
    sort_parts::<K, ROWS>(lanes, keys, part);
}

/// Sorts each lane of each part. The lanes must be bitonic.
#[inline(always)]
fn sort_parts<K: Keys, const ROWS: usize>(lanes: K, keys: &mut [i32], part: usize) {
    let block = ROWS * K::LANES;
    for part in keys.chunks_exact_mut(part) {
        match part.len() / block {
            1 => {}
            2 => split::<K, 2>(lanes, part),
            _ => split::<K, 4>(lanes, part),
        }
        for block in part.chunks_exact_mut(block) {
            match ROWS {
                8 => sort_bitonic_8(lanes, block),
                13 => sort_bitonic_13(lanes, block),
                _ => sort_bitonic_16(lanes, block),
            }
        }
    }
}

/// Exchanges keys between the parts of each lane, so that no key of a part is larger than a key of the next
/// part. The lanes must be bitonic.
#[inline(always)]
fn split<K: Keys, const PARTS: usize>(lanes: K, keys: &mut [i32]) {
    let part = keys.len() / PARTS;
    for i in (0..part).step_by(K::LANES) {
        let rows = load_rows::<K, PARTS>(lanes, &keys[i..], part);
        store_rows(lanes, &mut keys[i..], part, order_parts(lanes, rows));
    }
}

/// Loads the rows at multiples of `distance` in `keys`.
#[inline(always)]
fn load_rows<K: Keys, const COUNT: usize>(lanes: K, keys: &[i32], distance: usize) -> [K::Row; COUNT] {
    let mut rows = [lanes.load_row(keys); COUNT];
    for (i, row) in rows.iter_mut().enumerate().skip(1) {
        *row = lanes.load_row(&keys[i * distance..]);
    }
    rows
}

/// Stores `rows` in `keys`, at multiples of `distance`.
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

/// Orders the keys in each lane of `rows`, which are one part apart. The lanes must be bitonic.
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

/// Defines a network for each line `fn name = count: i j, …`. The network keeps `count` rows in registers,
/// and orders the keys of the rows i and j of each pair.
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
    /// Sorts each lane of eight rows with Batcher's merge exchange, TAOCP 5.2.2 Algorithm M.
    fn sort_8 = 8:
        0 4, 1 5, 2 6, 3 7, 0 2, 1 3, 4 6, 5 7, 2 4, 3 5, 0 1, 2 3, 4 5, 6 7, 1 4, 3 6, 1 2, 3 4, 5 6;
    /// Sorts each lane of thirteen rows with Batcher's merge exchange, TAOCP 5.2.2 Algorithm M.
    fn sort_13 = 13:
        0 8, 1 9, 2 10, 3 11, 4 12, 0 4, 1 5, 2 6, 3 7, 8 12, 4 8, 5 9, 6 10, 7 11, 0 2, 1 3, 4 6, 5 7, 8 10,
        9 11, 2 8, 3 9, 6 12, 2 4, 3 5, 6 8, 7 9, 10 12, 0 1, 2 3, 4 5, 6 7, 8 9, 10 11, 1 8, 3 10, 5 12, 1 4,
        3 6, 5 8, 7 10, 9 12, 1 2, 3 4, 5 6, 7 8, 9 10, 11 12;
    /// Sorts each lane of sixteen rows with Batcher's merge exchange, TAOCP 5.2.2 Algorithm M.
    fn sort_16 = 16:
        0 8, 1 9, 2 10, 3 11, 4 12, 5 13, 6 14, 7 15, 0 4, 1 5, 2 6, 3 7, 8 12, 9 13, 10 14, 11 15, 4 8, 5 9,
        6 10, 7 11, 0 2, 1 3, 4 6, 5 7, 8 10, 9 11, 12 14, 13 15, 2 8, 3 9, 6 12, 7 13, 2 4, 3 5, 6 8, 7 9,
        10 12, 11 13, 0 1, 2 3, 4 5, 6 7, 8 9, 10 11, 12 13, 14 15, 1 8, 3 10, 5 12, 7 14, 1 4, 3 6, 5 8, 7 10,
        9 12, 11 14, 1 2, 3 4, 5 6, 7 8, 9 10, 11 12, 13 14;
    /// Sorts each bitonic lane of eight rows.
    fn sort_bitonic_8 = 8:
        0 4, 1 5, 2 6, 3 7, 0 2, 1 3, 4 6, 5 7, 0 1, 2 3, 4 5, 6 7;
    /// Sorts each bitonic lane of thirteen rows. Thirteen is prime, so the network cannot be built from
    /// halves. It is the best network that a search found. A test tries all bitonic rows of zeroes and ones.
    fn sort_bitonic_13 = 13:
        0 12, 1 11, 2 10, 3 9, 4 8, 5 7, 0 6, 7 12, 1 5, 8 11, 2 4, 9 10, 0 2, 3 7, 4 8, 5 9, 6 10, 11 12, 1 3,
        2 4, 5 7, 6 8, 9 11, 10 12, 0 1, 2 3, 4 5, 6 7, 8 9, 10 11;
    /// Sorts each bitonic lane of sixteen rows.
    fn sort_bitonic_16 = 16:
        0 8, 1 9, 2 10, 3 11, 4 12, 5 13, 6 14, 7 15, 0 4, 1 5, 2 6, 3 7, 8 12, 9 13, 10 14, 11 15, 0 2, 1 3,
        4 6, 5 7, 8 10, 9 11, 12 14, 13 15, 0 1, 2 3, 4 5, 6 7, 8 9, 10 11, 12 13, 14 15;
}

/// Merges pairs of neighbouring groups of `BIT` lanes. The keys of each group must be sorted. `MASK` is 2·`BIT`
/// − 1.
#[inline(always)]
fn merge<const BIT: usize, const MASK: usize, K: Keys, const ROWS: usize, const PARTS: usize>(
    lanes: K,
    keys: &mut [i32],
) {
    const { assert!(MASK == 2 * BIT - 1 && (ROWS.is_multiple_of(2) || PARTS.is_multiple_of(2))) };
    let part = keys.len() / PARTS;
    let half = part / K::LANES / 2 * K::LANES;
    for i in (0..half).step_by(K::LANES) {
        let mirrored = part - K::LANES - i;
        let mut low = load_rows::<K, PARTS>(lanes, &keys[i..], part);
        let mut high = load_rows::<K, PARTS>(lanes, &keys[mirrored..], part);
        // compares the lowest row of one part with the highest row of another, and so on
        for (low, high) in low.iter_mut().zip(high.iter_mut().rev()) {
            [*low, *high] = order_lanes::<BIT, MASK, K>(lanes, [*low, *high]);
        }
        // the remaining keys of each lane are bitonic
        store_rows(lanes, &mut keys[i..], part, order_parts(lanes, low));
        store_rows(lanes, &mut keys[mirrored..], part, order_parts(lanes, high));
    }
    if !ROWS.is_multiple_of(2) {
        // compares the middle row of each part with that of another part
        let mut rows = load_rows::<K, PARTS>(lanes, &keys[half..], part);
        for low in 0..PARTS / 2 {
            let high = PARTS - 1 - low;
            [rows[low], rows[high]] = order_lanes::<BIT, MASK, K>(lanes, [rows[low], rows[high]]);
        }
        store_rows(lanes, &mut keys[half..], part, order_parts(lanes, rows));
    }
    sort_parts::<K, ROWS>(lanes, keys, part);
}

/// Compares a row with the mirror image of another row within each group of lanes, and moves the keys of both
/// rows to the correct lanes.
#[inline(always)]
fn order_lanes<const BIT: usize, const MASK: usize, K: Keys>(
    lanes: K,
    [low, high]: [K::Row; 2],
) -> [K::Row; 2] {
    let [a, b] = lanes.order_by_lane::<BIT>(low, lanes.exchange::<MASK>(high));
    [sort_groups::<BIT, K>(lanes, a), sort_groups::<BIT, K>(lanes, lanes.exchange::<MASK>(b))]
}

/// Moves each key of a row to the correct lane of its group of `BIT` lanes. The keys of a group, read lane by
/// lane, must be bitonic.
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

/// Orders the keys of each pair of lanes whose numbers differ only in the bit `BIT`.
#[inline(always)]
fn exchange_lanes<const BIT: usize, K: Keys>(lanes: K, row: K::Row) -> K::Row {
    lanes.order_by_lane::<BIT>(row, lanes.exchange::<BIT>(row))[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row of a single lane, for testing networks.
    #[derive(Clone, Copy)]
    struct SingleLane;

    impl Keys for SingleLane {
        type Row = i32;
        const LANES: usize = 1;

        fn load_row(self, from: &[i32]) -> i32 {
            from[0]
        }
        fn store_row(self, to: &mut [i32], row: i32) {
            to[0] = row;
        }
        fn order(self, a: i32, b: i32) -> [i32; 2] {
            [a.min(b), a.max(b)]
        }
        fn order_by_lane<const BIT: usize>(self, _: i32, _: i32) -> [i32; 2] {
            unreachable!("there is one lane")
        }
        fn exchange<const MASK: usize>(self, _: i32) -> i32 {
            unreachable!("there is one lane")
        }
        fn transpose_signs<const ROWS: usize>(self, _: &[i32], _: &mut [u16], _: usize) {
            unreachable!("there is one lane")
        }
    }

    /// Checks whether a network sorts every sequence of zeroes that contains one run of ones. The run may wrap
    /// around.
    fn sorts_bitonic<const ROWS: usize>(network: fn(SingleLane, &mut [i32])) -> bool {
        (0..ROWS).all(|start| {
            (0..=ROWS).all(|ones| {
                let mut rows: [i32; ROWS] =
                    core::array::from_fn(|i| i32::from((i + ROWS - start) % ROWS < ones));
                network(SingleLane, &mut rows);
                rows.is_sorted() && rows.iter().sum::<i32>() == ones as i32
            })
        })
    }

    #[test]
    fn networks_sort_all_zeroes_and_ones() {
        assert!(sorts_bitonic::<8>(sort_bitonic_8));
        assert!(sorts_bitonic::<13>(sort_bitonic_13));
        assert!(sorts_bitonic::<16>(sort_bitonic_16));
        assert!(sorts_all::<8>(sort_8));
        assert!(sorts_all::<13>(sort_13));
        assert!(sorts_all::<16>(sort_16));
        // this network sorts only bitonic rows
        assert!(!sorts_all::<13>(sort_bitonic_13));
    }

    /// Checks whether a network sorts all rows of zeroes and ones.
    fn sorts_all<const ROWS: usize>(network: fn(SingleLane, &mut [i32])) -> bool {
        (0..1 << ROWS).all(|bits| {
            let mut rows: [i32; ROWS] = core::array::from_fn(|i| bits >> i & 1);
            network(SingleLane, &mut rows);
            rows.is_sorted() && rows.iter().sum::<i32>().cast_unsigned() == i32::count_ones(bits)
        })
    }
}
