//! Sorting with vectors: the keys stand in rows of one vector each. First each lane is sorted by itself, by exchanges
//! of whole rows, and then lanes are merged, two, four, eight and sixteen at a time. All merging is bitonic. As many
//! rows as there are lanes fit into registers: a block.

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

/// Sorts each lane: blocks of rows first.
#[inline(always)]
fn sort_lanes<K: Keys>(lanes: K, keys: &mut [i32]) {
    for block in keys.chunks_exact_mut(K::LANES * K::LANES) {
        if K::LANES == 16 { sort_16(lanes, block) } else { sort_8(lanes, block) }
    }
    let mut sorted = K::LANES;
    while sorted * K::LANES < keys.len() {
        for group in keys.chunks_exact_mut(2 * sorted * K::LANES) {
            // the lowest of one half against the highest of the other, and so on
            let (lower, upper) = group.split_at_mut(sorted * K::LANES);
            exchange_rows(
                lanes,
                lower.chunks_exact_mut(K::LANES).zip(upper.chunks_exact_mut(K::LANES).rev()),
            );
        }
        sort_bitonic(lanes, keys, sorted / 2);
        sorted *= 2;
    }
}

/// Orders the keys of each two rows.
#[inline(always)]
fn exchange_rows<'a, K: Keys>(lanes: K, pairs: impl Iterator<Item = (&'a mut [i32], &'a mut [i32])>) {
    for (lower, upper) in pairs {
        let [low, high] = lanes.order(lanes.load_row(lower), lanes.load_row(upper));
        lanes.store_row(lower, low);
        lanes.store_row(upper, high);
    }
}

/// Sorts each lane of each group of 2·`distance` rows, in which it is bitonic.
#[inline(always)]
fn sort_bitonic<K: Keys>(lanes: K, keys: &mut [i32], mut distance: usize) {
    while distance >= K::LANES {
        for group in keys.chunks_exact_mut(2 * distance * K::LANES) {
            let (lower, upper) = group.split_at_mut(distance * K::LANES);
            exchange_rows(lanes, lower.chunks_exact_mut(K::LANES).zip(upper.chunks_exact_mut(K::LANES)));
        }
        distance /= 2;
    }
    for block in keys.chunks_exact_mut(K::LANES * K::LANES) {
        if K::LANES == 16 { sort_bitonic_16(lanes, block) } else { sort_bitonic_8(lanes, block) }
    }
}

/// `fn name = count: i j, …` orders the keys of the rows i and j of `count`, which it keeps in registers, and so on.
macro_rules! networks {
    ($($(#[$doc:meta])* fn $name:ident = $count:literal: $($i:literal $j:literal),*;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        fn $name<K: Keys>(lanes: K, keys: &mut [i32]) {
            let mut rows: [K::Row; $count] = core::array::from_fn(|i| lanes.load_row(&keys[i * K::LANES..]));
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
fn merge<const BIT: usize, const MASK: usize, K: Keys>(lanes: K, keys: &mut [i32]) {
    const { assert!(MASK == 2 * BIT - 1) };
    let rows = keys.len() / K::LANES;
    // the lowest of one against the highest of the other, and so on
    let (lower, upper) = keys.split_at_mut(keys.len() / 2);
    for (lower, upper) in lower.chunks_exact_mut(K::LANES).zip(upper.chunks_exact_mut(K::LANES).rev()) {
        let [low, high] = lanes.order(lanes.load_row(lower), lanes.exchange::<MASK>(lanes.load_row(upper)));
        let (a, b) = (lanes.blend::<BIT>(low, high), lanes.exchange::<MASK>(lanes.blend::<BIT>(high, low)));
        lanes.store_row(lower, sort_groups::<BIT, K>(lanes, a));
        lanes.store_row(upper, sort_groups::<BIT, K>(lanes, b));
    }
    // what is left of each lane is bitonic
    sort_bitonic(lanes, keys, rows / 2);
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
    let [low, high] = lanes.order(row, lanes.exchange::<BIT>(row));
    lanes.blend::<BIT>(low, high)
}
