//! Products modulo xⁿ − 1 as products of Hankel matrices and vectors: outᵢ = Σₖ dᵢ₊ₖ·wₖ, for i and k below M.
//!
//! Transposing an algorithm for polynomial products yields one for these products, with the same number of
//! products of halves, thirds or fourths. No separate reduction modulo xⁿ − 1 is needed. For all parameter
//! sets except HRSS-1373, the upper three bits of the product are not needed. The Toom–Cook algorithm in
//! [`columns`](super::columns), which loses these bits, is used for these sets. The plans in this module lose no
//! bits. Their lengths are multiples of 64. `d` has 2·M entries. The last entry is not used. Arithmetic is modulo 2¹⁶.
//! The loops are plain Rust, compiled with the vector instructions of the calling backend. Only the smallest
//! products, which are plans of a backend, are written with intrinsics.

use core::marker::PhantomData;
use core::mem::MaybeUninit;
use grille_core::secret;

/// A column: one number for each lane.
pub(super) type Column = [u16; 32];

/// The operations on the vectors of a CPU level, 32 numbers at a time, and the best plan for parts of
/// products at this level.
pub(super) trait Lanes: Copy {
    /// A vector of 32 numbers.
    type V: Copy;
    /// The plan for products of length 384.
    type Product384: Plan<Self>;

    /// Loads a vector.
    fn load(self, from: &[u16; 32]) -> Self::V;
    /// Stores a vector.
    fn store(self, to: &mut [MaybeUninit<u16>; 32], v: Self::V);
    /// Computes a + b.
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    /// Computes a − b.
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    /// Computes c·a.
    fn times(self, c: i16, a: Self::V) -> Self::V;
    /// Computes ⌊a/8⌋.
    fn divide_by_8(self, a: Self::V) -> Self::V;
    /// Reverses the order of the numbers.
    fn reverse(self, a: Self::V) -> Self::V;
    /// Returns a vector of zeroes.
    fn zero(self) -> Self::V;
    /// Permutes each group of four numbers. The hexadecimal digits of `PLACES`, the lowest first, are the
    /// source indices; a digit F gives 0.
    fn permute_groups<const PLACES: usize>(self, a: Self::V) -> Self::V;
    /// Returns, for each group except the last, its numbers starting at index `COUNT` (1 or 2), followed by the
    /// first numbers of the same group of b. The last group becomes 0.
    fn shift_groups<const COUNT: usize>(self, a: Self::V, b: Self::V) -> Self::V;
    /// Collects the last numbers of all groups of four rows. Group i of the result holds the last number of
    /// group i of each row.
    fn last_of_groups(self, rows: [Self::V; 4]) -> Self::V;
    /// Replaces the last group of a with the last numbers of the groups 0 to 3 of b, or of the groups 4 to 7
    /// of b if `HALF` is 1.
    fn replace_last_group<const HALF: usize>(self, a: Self::V, b: Self::V) -> Self::V;
    /// For t from 0 to 3, copies number t of the last group of a to all four numbers of group t, and number t
    /// of the last group of b to all four numbers of group 4 + t.
    fn spread_last(self, a: Self::V, b: Self::V) -> Self::V;
    /// Negates the first and the last number of each group.
    fn negate_outer(self, a: Self::V) -> Self::V;
    /// Negates the two inner numbers of each group.
    fn negate_inner(self, a: Self::V) -> Self::V;
    /// Transposes eight rows of eight groups of four numbers.
    fn transpose(self, rows: [Self::V; 8]) -> [Self::V; 8];
    /// Computes out ← D·w. `out` and `w` have `N` columns each, `d` has 2·`N` columns, and `scratch` has as
    /// many as [`scratch_for`](super::columns::scratch_for) returns for `N` columns.
    fn multiply_columns<const N: usize>(
        self,
        d: &[Column],
        w: &[Column],
        out: &mut [Column],
        scratch: &mut [Column],
    );
}

/// Returns the byte indices of the four numbers that [`Lanes::permute_groups`] selects for a group whose
/// first number has the index `first`.
pub(super) const fn byte_indices(places: usize, first: usize) -> i64 {
    let (mut bytes, mut i) = (0, 0);
    while i < 4 {
        let place = places >> (4 * i) & 0xF;
        let number = first + place;
        // an index byte with its highest bit set gives zero
        bytes |= (if place == 0xF { 0x8080 } else { 2 * number + 256 * (2 * number + 1) }) << (16 * i);
        i += 1;
    }
    bytes as i64
}

/// Memory that must be written before it is read.
pub(super) type Space = [MaybeUninit<u16>];

/// A method of splitting a product.
///
/// # Safety
/// [`run`](Self::run) must write the first M entries of `out`.
pub(super) unsafe trait Plan<L> {
    /// The number M of entries of `w` and of `out`.
    const M: usize;
    /// The number of entries of `scratch`.
    const SCRATCH: usize;

    /// Computes out ← D·w.
    fn run(lanes: L, d: &[u16], w: &[u16], out: &mut Space, scratch: &mut Space);
}

/// Computes c ← a·b modulo xⁿ − 1 with a plan, where a, b and c have n coefficients each. `SPACE` is at least
/// 4·M plus the number of scratch entries that the plan needs at any CPU level.
#[inline(always)]
pub(super) fn multiply<P: Plan<L>, const SPACE: usize, L: Lanes>(
    lanes: L,
    space: &mut Space,
    a: &[u16],
    b: &[u16],
    c: &mut [u16],
) {
    const { assert!(SPACE >= 4 * P::M + P::SCRATCH) };
    let n = a.len();
    assert!(n <= P::M);
    let (d, rest) = space[..SPACE].split_at_mut(2 * P::M);
    let (w, rest) = rest.split_at_mut(P::M);
    let (out, scratch) = rest.split_at_mut(P::M);
    write_factors(lanes, a, b, d, w);
    // SAFETY: `write_factors` has written both arrays completely.
    let (d, w) = unsafe { (d.assume_init_ref(), w.assume_init_ref()) };
    P::run(lanes, d, w, out, scratch);
    // SAFETY: `run` has written all of `out`.
    c.copy_from_slice(unsafe { out[..n].assume_init_ref() });
}

/// Writes D and w for cᵢ = Σⱼ aⱼ·bᵢ₋ⱼ. With k = n − 1 − j and dₛ = b₍ₛ₊₁₎, where indices are modulo n, this
/// sum is Σₖ dᵢ₊ₖ·wₖ. Fills the rest of `d` and `w` with zeroes.
#[inline(always)]
pub(super) fn write_factors<L: Lanes>(lanes: L, a: &[u16], b: &[u16], d: &mut Space, w: &mut Space) {
    let (first, d) = d.split_at_mut(b.len() - 1);
    let (second, rest) = d.split_at_mut(b.len());
    first.write_copy_of_slice(&b[1..]);
    second.write_copy_of_slice(b);
    rest.fill(MaybeUninit::new(0));
    let (beginning, a) = a.as_rchunks();
    let mut padded = [0; 32];
    padded[32 - beginning.len()..].copy_from_slice(beginning);
    let (reversed, rest) = w.as_chunks_mut().0.split_at_mut(a.len() + 1);
    for (w, a) in reversed.iter_mut().zip(a.iter().rev().chain([&padded])) {
        lanes.store(w, lanes.reverse(lanes.load(a)));
    }
    rest.as_flattened_mut().fill(MaybeUninit::new(0));
    secret::erase(&mut padded);
}

/// A plan with Karatsuba's three products of half the length.
pub(super) struct Halves<I>(PhantomData<I>);

// SAFETY: `combine` writes both halves.
unsafe impl<L: Lanes, I: Plan<L>> Plan<L> for Halves<I> {
    const M: usize = 2 * I::M;
    const SCRATCH: usize = 8 * I::M + I::SCRATCH;

    #[inline(always)]
    fn run(lanes: L, d: &[u16], w: &[u16], out: &mut Space, scratch: &mut Space) {
        let m = I::M;
        let (d01, rest) = scratch.split_at_mut(2 * m);
        let (d21, rest) = rest.split_at_mut(2 * m);
        let (w01, rest) = rest.split_at_mut(m);
        let (products, rest) = rest.split_at_mut(3 * m);
        let d1 = &d[m..3 * m];
        let (w0, w1) = w[..2 * m].split_at(m);
        let d01 = combine::<Difference, 2, 1, L>(lanes, d01, [&d[..2 * m], d1]);
        let d21 = combine::<Difference, 2, 1, L>(lanes, d21, [&d[2 * m..4 * m], d1]);
        let w01 = combine::<Sum, 2, 1, L>(lanes, w01, [w0, w1]);
        let factors = [(d01, w0), (d1, w01), (d21, w1)];
        let products = multiply_pairs::<I, L>(lanes, factors.into_iter(), products, rest);
        let product = |i: usize| &products[i * m..][..m];
        let (low, high) = out[..2 * m].split_at_mut(m);
        combine::<Sum, 2, 1, L>(lanes, low, [product(0), product(1)]);
        combine::<Sum, 2, 1, L>(lanes, high, [product(1), product(2)]);
    }
}

/// A plan with six products of a third of the length.
pub(super) struct Thirds<I>(PhantomData<I>);

// SAFETY: `combine` writes all three thirds.
unsafe impl<L: Lanes, I: Plan<L>> Plan<L> for Thirds<I> {
    const M: usize = 3 * I::M;
    const SCRATCH: usize = 15 * I::M + I::SCRATCH;

    #[inline(always)]
    fn run(lanes: L, d: &[u16], w: &[u16], out: &mut Space, scratch: &mut Space) {
        let m = I::M;
        let (x, rest) = scratch.split_at_mut(6 * m);
        let (s, rest) = rest.split_at_mut(3 * m);
        let (products, rest) = rest.split_at_mut(6 * m);
        let d = |i: usize| &d[i * m..][..2 * m];
        let w = |i: usize| &w[i * m..][..m];
        // for example, out₀ = (D₀ − D₁ − D₂)·w₀ + D₁·(w₀ + w₁) + D₂·(w₀ + w₂)
        let (x0, x) = x.split_at_mut(2 * m);
        let (x1, x2) = x.split_at_mut(2 * m);
        let x0 = combine::<Difference, 3, 1, L>(lanes, x0, [d(0), d(1), d(2)]);
        let x1 = combine::<Difference, 3, 1, L>(lanes, x1, [d(2), d(1), d(3)]);
        let x2 = combine::<Difference, 3, 1, L>(lanes, x2, [d(4), d(2), d(3)]);
        let (s01, s) = s.split_at_mut(m);
        let (s02, s12) = s.split_at_mut(m);
        let s01 = combine::<Sum, 2, 1, L>(lanes, s01, [w(0), w(1)]);
        let s02 = combine::<Sum, 2, 1, L>(lanes, s02, [w(0), w(2)]);
        let s12 = combine::<Sum, 2, 1, L>(lanes, s12, [w(1), w(2)]);
        let factors = [(x0, w(0)), (x1, w(1)), (x2, w(2)), (d(1), s01), (d(2), s02), (d(3), s12)];
        let products = multiply_pairs::<I, L>(lanes, factors.into_iter(), products, rest);
        let product = |i: usize| &products[i * m..][..m];
        for (i, [j, k]) in [[3, 4], [3, 5], [4, 5]].into_iter().enumerate() {
            combine::<Sum, 3, 1, L>(lanes, &mut out[i * m..][..m], [product(i), product(j), product(k)]);
        }
    }
}

/// Computes D·w for each pair of factors, and stores the products one after the other.
#[inline(always)]
fn multiply_pairs<'a, 'b, I: Plan<L>, L: Lanes>(
    lanes: L,
    factors: impl Iterator<Item = (&'b [u16], &'b [u16])>,
    products: &'a mut Space,
    scratch: &mut Space,
) -> &'a [u16] {
    let mut count = 0;
    for ((d, w), out) in factors.zip(products.chunks_exact_mut(I::M)) {
        I::run(lanes, d, w, out, scratch);
        count += 1;
    }
    // SAFETY: `run` has written each product.
    unsafe { products[..count * I::M].assume_init_ref() }
}

/// A combination of several numbers, entry by entry. The operations are methods, because closures would be
/// compiled without the CPU features of the surrounding function.
trait Combination<const IN: usize, const OUT: usize> {
    /// Computes the combinations of one entry of each part.
    fn combine<L: Lanes>(lanes: L, parts: [L::V; IN]) -> [L::V; OUT];
}

/// The combination a + b.
struct Sum;

impl Combination<2, 1> for Sum {
    #[inline(always)]
    fn combine<L: Lanes>(lanes: L, [a, b]: [L::V; 2]) -> [L::V; 1] {
        [lanes.add(a, b)]
    }
}

impl Combination<3, 1> for Sum {
    #[inline(always)]
    fn combine<L: Lanes>(lanes: L, [a, b, c]: [L::V; 3]) -> [L::V; 1] {
        [lanes.add(lanes.add(a, b), c)]
    }
}

/// The combination a − b, or a − b − c.
struct Difference;

impl Combination<2, 1> for Difference {
    #[inline(always)]
    fn combine<L: Lanes>(lanes: L, [a, b]: [L::V; 2]) -> [L::V; 1] {
        [lanes.sub(a, b)]
    }
}

impl Combination<3, 1> for Difference {
    #[inline(always)]
    fn combine<L: Lanes>(lanes: L, [a, b, c]: [L::V; 3]) -> [L::V; 1] {
        [lanes.sub(lanes.sub(a, b), c)]
    }
}

/// Fills `out` with `OUT` parts of equal length. Each part is a combination of the `IN` input parts. The
/// length of a part is a multiple of 32.
#[inline(always)]
fn combine<'a, C: Combination<IN, OUT>, const IN: usize, const OUT: usize, L: Lanes>(
    lanes: L,
    out: &'a mut Space,
    inputs: [&[u16]; IN],
) -> &'a [u16] {
    let len = out.len() / 32 / OUT;
    assert!(32 * OUT * len == out.len());
    let chunks = out.as_chunks_mut().0;
    for i in 0..len {
        let mut parts = [lanes.load(entries_at(inputs[0], i)); IN];
        for (part, input) in parts.iter_mut().zip(inputs) {
            *part = lanes.load(entries_at(input, i));
        }
        let combined = C::combine(lanes, parts);
        for (part, v) in combined.into_iter().enumerate() {
            lanes.store(&mut chunks[part * len + i], v);
        }
    }
    // SAFETY: all parts have been written from 0 to their length.
    unsafe { out.assume_init_ref() }
}

/// Returns the 32 entries that start at index 32·`i`.
#[inline(always)]
fn entries_at(input: &[u16], i: usize) -> &[u16; 32] {
    &input.as_chunks().0[i]
}
