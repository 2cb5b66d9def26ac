//! Products outᵢ = Σₖ dᵢ₊ₖ·wₖ for i and k below M = 16·C, where C is the number of columns. Seven products of a
//! fourth of the length, from the Toom–Cook algorithm, are each split by Karatsuba's method into nine products
//! of a fourth of their length. Each of these products occupies one lane of the columns.
//!
//! In each of the seven products, d and w are in groups of four. Dᵤ is the Hankel matrix of the entries d₄ⱼ₊ᵤ
//! for all j. For u from 0 to 3, the vector wᵤ holds the entries of w whose index is u modulo 4. The nine
//! products of the transposed algorithm are:
//!
//! | | |
//! |---|---|
//! | a₀ … a₃ | (D₀ − D₁ − D₂ + D₃)·w₀, (D₁ − D₂ − D₃ + D₄)·−w₁, (D₂ − D₃ − D₄ + D₅)·−w₂, (D₃ − D₄ − D₅ + D₆)·w₃ |
//! | b₀ … b₃ | (D₃ − D₄)·−(w₁ + w₃), (D₁ − D₃)·(w₀ + w₁), (D₂ − D₃)·(w₀ + w₂), (D₃ − D₅)·−(w₂ + w₃) |
//! | e | D₃·(w₀ + w₁ + w₂ + w₃) |
//!
//! The results with the indices 4·j + s, for s from 0 to 3, are aₛ + e plus b₁ + b₂, b₁ + b₀, b₂ + b₃ and b₀ +
//! b₃.
//!
//! A column belongs to one j and consists of eight groups of four numbers. In a column for a, each of the
//! first seven groups holds a₀ to a₃ of one of the seven products, and the last group holds e of four
//! products. In a column for b, each of the first seven groups holds b₀ to b₃, and the last group holds e of
//! the other three products. For each j, there is one column for a and one for b. Products of columns are
//! split in halves once more. All arithmetic is modulo 2¹⁶.

use super::hankel::{Column, Lanes, Space, write_factors};
use super::{toom, workspace};
use core::mem::MaybeUninit;
use grille_core::secret;

/// Columns that must be written before they are read.
type Columns = [[MaybeUninit<u16>; 32]];

/// Computes c ← a·b modulo xⁿ − 1, for n coefficients of a and b. The upper three bits of c are undefined,
/// and zeroes follow the n coefficients. `HALF` is half the number of columns, and `SPACE` is [`space_for`]
/// of the number of columns.
#[inline(always)]
pub(super) fn multiply<const HALF: usize, const SPACE: usize, L: Lanes>(
    lanes: L,
    space: &mut Space,
    a: &[u16],
    b: &[u16],
    c: &mut [u16],
) {
    let count = const { 2 * HALF };
    const { assert!(SPACE == space_for(2 * HALF) && HALF.is_multiple_of(2)) };
    // an element of the ring fills `HALF` columns
    const { assert!(SPACE <= workspace::ELEMENTS * HALF) };
    assert!(b.len() <= 16 * count);
    let space: &mut [_; SPACE] =
        space.as_chunks_mut().0.first_chunk_mut().expect("the workspace holds SPACE columns");
    let (d, rest) = space.split_at_mut(2 * count);
    let (w, rest) = rest.split_at_mut(count.next_multiple_of(8));
    to_columns::<HALF, L>(lanes, a, b, [d, w], rest);
    let (scratch, rest) = rest.split_at_mut(HALF + scratch_for(HALF));
    // SAFETY: `to_columns` has written all three parts. It has written 3·HALF columns of `rest`, which is
    // more than `count`.
    let (d, w, scratch) =
        unsafe { (assume_written(d), &mut assume_written(w)[..count], assume_written(scratch)) };
    let (d_of_b, rest) = rest.split_at_mut(2 * count);
    let d_of_b = split_d(lanes, d, d_of_b);
    let w_of_b = split_w(lanes, w, &mut rest[..count]);
    products::<HALF, L>(lanes, d_of_b, w_of_b, scratch);
    products::<HALF, L>(lanes, d, w, scratch);
    write_result(lanes, d, d_of_b, c, count);
    c[b.len()..].fill(0);
}

/// Returns the number of columns of memory that [`multiply`] needs: columns of D and of w, both for a and for
/// b, and scratch columns for the parts of their product and for [`Lanes::multiply_columns`].
pub(super) const fn space_for(columns: usize) -> usize {
    let (of_a, of_b) = (2 * columns + columns.next_multiple_of(8), 3 * columns);
    of_a + of_b + columns / 2 + scratch_for(columns / 2)
}

/// Returns the number of scratch columns that [`Lanes::multiply_columns`] needs.
pub(super) const fn scratch_for(columns: usize) -> usize {
    (3 * columns).div_ceil(4)
}

/// Computes the columns of D and the columns of w. The last group of each column of D holds D₃ of four of the
/// seven products, for e. Writes at least 3·`HALF` columns of `space`.
#[inline(always)]
fn to_columns<const HALF: usize, L: Lanes>(
    lanes: L,
    a: &[u16],
    b: &[u16],
    [columns_of_d, columns_of_w]: [&mut Columns; 2],
    space: &mut Columns,
) {
    let fourth = const { 8 * HALF };
    let (d, w) = space.as_flattened_mut().split_at_mut(8 * fourth);
    // the last 32 entries of the last fourth extend into memory whose contents do not matter
    let w = &mut w[..4 * fourth + 32];
    write_factors(lanes, a, b, d, w);
    // SAFETY: `write_factors` has written both arrays completely.
    let (d, w) = unsafe { (d.assume_init_ref(), w.assume_init_ref()) };
    for (i, columns) in columns_of_d.as_chunks_mut().0.iter_mut().enumerate() {
        let mut parts = [lanes.zero(); 7];
        for (t, part) in parts.iter_mut().enumerate() {
            *part = lanes.load(entries(d, fourth * t + 32 * i));
        }
        let [p0, p1, m1, p2, m2, half, infinity] = toom::transform_matrix(lanes, parts);
        let fourths = lanes.last_of_groups([p0, p1, m1, p2]);
        store_rows(lanes, [p0, p1, m1, p2, m2, half, infinity, fourths], columns);
    }
    for (i, columns) in columns_of_w.as_chunks_mut().0.iter_mut().enumerate() {
        let mut parts = [lanes.zero(); 4];
        for (t, part) in parts.iter_mut().enumerate() {
            *part = lanes.load(entries(w, fourth * t + 32 * i));
        }
        let [p0, p1, m1, p2, m2, half, infinity] = toom::transform_vector(lanes, parts);
        store_rows(lanes, [p0, p1, m1, p2, m2, half, infinity, lanes.zero()], columns);
    }
}

/// Returns the 32 entries that start at index `i`.
#[inline(always)]
fn entries(from: &[u16], i: usize) -> &[u16; 32] {
    from[i..].first_chunk().expect("at least 32 entries follow")
}

/// Transposes eight rows of eight groups, and stores the result as eight columns.
#[inline(always)]
fn store_rows<L: Lanes>(lanes: L, rows: [L::V; 8], columns: &mut [[MaybeUninit<u16>; 32]; 8]) {
    for (column, v) in columns.iter_mut().zip(lanes.transpose(rows)) {
        lanes.store(column, v);
    }
}

/// Returns columns that have been written.
///
/// # Safety
/// All columns must have been written.
#[inline(always)]
unsafe fn assume_written(columns: &mut Columns) -> &mut [Column] {
    // SAFETY: both types have the same layout, and all numbers are initialised.
    unsafe { &mut *(core::ptr::from_mut(columns) as *mut [Column]) }
}

/// Overwrites a column.
#[inline(always)]
fn store_column<L: Lanes>(lanes: L, column: &mut Column, v: L::V) {
    // SAFETY: both types have the same layout, and `store` writes only numbers.
    lanes.store(unsafe { &mut *core::ptr::from_mut(column).cast() }, v);
}

/// Splits columns of D: replaces them with the columns for a, and returns those for b.
#[inline(always)]
fn split_d<'a, L: Lanes>(lanes: L, d: &mut [Column], of_b: &'a mut Columns) -> &'a mut [Column] {
    let last = d.len() - 1;
    let (mut v, mut next) = (lanes.load(&d[0]), lanes.load(&d[1]));
    // the groups of v become D₀ − D₁, D₁ − D₂, D₂ − D₃ and D₃ − D₄; e does not change
    let mut differences = lanes.sub(v, lanes.shift_groups::<1>(v, next));
    for (j, of_b) in of_b.iter_mut().enumerate() {
        // the contents after the last column do not matter
        let after = lanes.load(&d[(j + 2).min(last)]);
        let next_differences = lanes.sub(next, lanes.shift_groups::<1>(next, after));
        let from_2 = lanes.shift_groups::<2>(differences, next_differences);
        store_column(lanes, &mut d[j], lanes.sub(differences, from_2));
        // computes D₃ − D₄, D₁ − D₃, D₂ − D₃ and D₃ − D₅ from these differences
        let b =
            lanes.add(lanes.permute_groups::<0x3213>(differences), lanes.permute_groups::<0x2F0F>(from_2));
        lanes.store(of_b, lanes.replace_last_group::<1>(b, v));
        (v, next, differences) = (next, after, next_differences);
    }
    // SAFETY: the loop has written all columns.
    unsafe { assume_written(of_b) }
}

/// Splits columns of w: replaces them with the columns for a, and returns those for b.
#[inline(always)]
fn split_w<'a, L: Lanes>(lanes: L, w: &mut [Column], of_b: &'a mut Columns) -> &'a mut [Column] {
    for (w, of_b) in w.iter_mut().zip(&mut *of_b) {
        let v = lanes.load(w);
        // computes the sums w₁ + w₃, w₀ + w₁, w₀ + w₂ and w₂ + w₃
        let pairs = lanes.add(lanes.permute_groups::<0x2001>(v), lanes.permute_groups::<0x3213>(v));
        let sums = lanes.add(pairs, lanes.permute_groups::<0x1111>(pairs));
        store_column(lanes, w, lanes.replace_last_group::<0>(lanes.negate_inner(v), sums));
        lanes.store(of_b, lanes.replace_last_group::<1>(lanes.negate_outer(pairs), sums));
    }
    // SAFETY: `of_b` has as many columns as w, and all have been written.
    unsafe { assume_written(of_b) }
}

/// Replaces the first 2·`HALF` columns of x with D·w, where x contains 4·`HALF` columns of D. Uses Karatsuba's three
/// products of halves.
#[inline(always)]
fn products<const HALF: usize, L: Lanes>(
    lanes: L,
    x: &mut [Column],
    w: &mut [Column],
    scratch: &mut [Column],
) {
    let (middle, scratch) = scratch.split_at_mut(HALF);
    let (w0, w1) = w.split_at_mut(HALF);
    // computes D₁·(w₀ + w₁)
    for (w0, w1) in w0.iter_mut().zip(&*w1) {
        store_column(lanes, w0, lanes.add(lanes.load(w0), lanes.load(w1)));
    }
    lanes.multiply_columns::<HALF>(&x[HALF..3 * HALF], w0, middle, scratch);
    for (w0, w1) in w0.iter_mut().zip(&*w1) {
        store_column(lanes, w0, lanes.sub(lanes.load(w0), lanes.load(w1)));
    }
    // computes D₀ − D₁, and in the upper half D₁ − D₂
    for i in 0..3 * HALF {
        let difference = lanes.sub(lanes.load(&x[i]), lanes.load(&x[HALF + i]));
        store_column(lanes, &mut x[i], difference);
    }
    let (x, product) = x.split_at_mut(3 * HALF);
    lanes.multiply_columns::<HALF>(&x[..2 * HALF], w0, product, scratch);
    for (x, (middle, product)) in x.iter_mut().zip(middle.iter().zip(&*product)) {
        store_column(lanes, x, lanes.add(lanes.load(middle), lanes.load(product)));
    }
    lanes.multiply_columns::<HALF>(&x[HALF..], w1, product, scratch);
    for (x, (middle, product)) in x[HALF..].iter_mut().zip(middle.iter().zip(&*product)) {
        store_column(lanes, x, lanes.sub(lanes.load(middle), lanes.load(product)));
    }
}

/// Computes c from the first `count` columns of a and of b.
#[inline(always)]
fn write_result<L: Lanes>(lanes: L, a: &[Column], b: &[Column], c: &mut [u16], count: usize) {
    // the last eight columns may extend beyond `count`; their results then lie after their fourth of c and are
    // overwritten later
    for i in (0..count.div_ceil(8)).rev() {
        let mut columns = [lanes.zero(); 8];
        for (j, column) in columns.iter_mut().enumerate() {
            let (a, b) = (lanes.load(&a[8 * i + j]), lanes.load(&b[8 * i + j]));
            let pairs = lanes.add(lanes.permute_groups::<0x0211>(b), lanes.permute_groups::<0x3302>(b));
            *column = lanes.add(lanes.add(a, pairs), lanes.spread_last(a, b));
        }
        let [p0, p1, m1, p2, m2, half, infinity, _] = lanes.transpose(columns);
        let fourths = toom::transform_result(lanes, [p0, p1, m1, p2, m2, half, infinity]);
        for (t, v) in fourths.into_iter().enumerate() {
            store_up_to_end(lanes, c, 4 * count * t + 32 * i, v);
        }
    }
}

/// Writes 32 entries starting at index `start`, or fewer at the end of the slice.
#[inline(always)]
fn store_up_to_end<L: Lanes>(lanes: L, c: &mut [u16], start: usize, v: L::V) {
    let Some(to) = c.get_mut(start..) else { return };
    if let Some(to) = to.first_chunk_mut() {
        return store_column(lanes, to, v);
    }
    let mut last = [0; 32];
    store_column(lanes, &mut last, v);
    to.copy_from_slice(&last[..to.len()]);
    secret::erase(&mut last);
}
