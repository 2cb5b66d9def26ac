//! MatGen: computes the parity-check matrix of the code in systematic or semi-systematic form.
//!
//! Gaussian elimination processes panels of 64 columns. The 64 pivot rows of a panel are sums of the 128 rows
//! that start at the panel's first row. All other rows then receive sums of these pivot rows. At first, only
//! the left m·t columns are eliminated, because elimination fails for most matrices. If it succeeds, the
//! recorded steps are repeated on the remaining columns.
//!
//! Deviation from the standard: the pivot rows of a panel are searched among only 128 rows. If these contain
//! no 64 independent rows, the attempt counts as failed. The probability is 2⁻⁵⁹ per attempt.

use crate::backend::{Kernel, Lanes, Work, at_level};
use crate::field::{Field, bitslice, element, inverse, load, product, splat, store, sum};
use crate::params::{Params, columns, rows};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;
use core::ops::Range;
use grille_core::ct;
use grille_hash::Level;
use zeroize::Zeroizing;

/// The number of columns in a panel, which is the number of bits in a word.
const PANEL: usize = 64;

/// The number of rows among which the pivot rows of a panel are searched.
const WINDOW: usize = 2 * PANEL;

/// The parameter μ: with a semi-systematic form, the pivots of the last μ rows may be in any of ν columns.
pub(crate) const MU: usize = 32;
/// The parameter ν: the number of columns in which the pivots of the last μ rows may be.
pub(crate) const NU: usize = 64;

/// The public matrix T, encoded row by row, and c, the columns of the last μ pivots as bits.
pub(crate) struct Systematic {
    pub(crate) t: Box<[u8]>,
    pub(crate) pivots: u64,
}

/// Runs MatGen for g and the field elements in the order of π. With `semi_systematic`, computes the semi-systematic
/// form and changes the order π. Returns `None` if the matrix does not have the requested form. `g` and `pi` are
/// secret.
pub(crate) fn mat_gen<P: Params>(
    level: Level,
    g: &[u16],
    pi: &mut [u16],
    semi_systematic: bool,
) -> Option<Systematic> {
    let mt = rows::<P>();
    let parity_checks =
        |indexes: &[u16]| at_level(level, ParityChecks::<P::Field> { g, indexes, field: PhantomData });
    let mut pivots = (1 << MU) - 1;
    if semi_systematic {
        let mut left = parity_checks(&pi[..mt + NU - MU]);
        at_level(level, Eliminate { matrix: &mut left, columns: mt - MU })?;
        let block = core::array::from_fn(|i| left.bits(mt - MU + i, mt - MU));
        let columns;
        (columns, pivots) = echelon_pivots(block)?;
        move_columns(&mut pi[mt - MU..], &columns);
    }
    let mut left = parity_checks(&pi[..mt]);
    let elimination = at_level(level, Eliminate { matrix: &mut left, columns: mt })?;
    let mut right = parity_checks(&pi[mt..P::N]);
    at_level(level, Repeat { elimination: &elimination, matrix: &mut right });
    Some(Systematic { t: right.into_bytes(columns::<P>().div_ceil(8)), pivots })
}

/// The operation that eliminates the first columns of a matrix below the diagonal.
struct Eliminate<'a> {
    matrix: &'a mut Matrix,
    columns: usize,
}

impl Kernel for Eliminate<'_> {
    type Output = Option<Elimination>;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Option<Elimination> {
        Elimination::new(l, self.matrix, self.columns)
    }
}

/// The operation that repeats the recorded elimination steps on other columns of the matrix.
struct Repeat<'a> {
    elimination: &'a Elimination,
    matrix: &'a mut Matrix,
}

impl Kernel for Repeat<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        self.elimination.repeat(l, self.matrix);
    }
}

/// The operation that computes the columns of the parity-check matrix for the elements α whose indices are in
/// `indexes`: the bits of αⁱ/g(α).
struct ParityChecks<'a, F> {
    g: &'a [u16],
    indexes: &'a [u16],
    field: PhantomData<fn() -> F>,
}

impl<F: Field> Kernel for ParityChecks<'_, F> {
    type Output = Matrix;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Matrix {
        Matrix::parity_checks::<F, L>(l, self.g, self.indexes)
    }
}

/// A matrix over GF(2), whose rows are padded to whole vectors.
struct Matrix {
    words: Zeroizing<Vec<u64>>,
    stride: usize,
    rows: usize,
}

impl Matrix {
    /// Computes the columns of the parity-check matrix for the elements α whose indices are in `indexes`: the bits of
    /// αⁱ/g(α).
    #[inline(always)]
    fn parity_checks<F: Field, L: Lanes>(l: L, g: &[u16], indexes: &[u16]) -> Self {
        let m = F::M;
        let stride = indexes.len().div_ceil(64).next_multiple_of(8);
        let elements: Zeroizing<Vec<u16>> =
            Zeroizing::new(indexes.iter().map(|index| element::<F>(*index)).collect());
        let mut alphas = Zeroizing::new(vec![0; m * stride]);
        bitslice::<F>(&elements, stride, &mut alphas);
        // bits after the last column stay zero
        let mut present = vec![u64::MAX; indexes.len() / 64];
        present.resize(stride, 0);
        if !indexes.len().is_multiple_of(64) {
            present[indexes.len() / 64] = (1 << (indexes.len() % 64)) - 1;
        }
        let mut words = Zeroizing::new(vec![0; g.len() * m * stride]);
        for at in (0..stride).step_by(L::WORDS) {
            let alpha = load::<F, L>(l, &alphas, stride, at);
            let mut value = splat::<F, L>(l, 1);
            for coefficient in g.iter().rev() {
                value = product::<F, L>(l, &value, &alpha);
                value = sum::<F, L>(l, &value, &splat::<F, L>(l, *coefficient));
            }
            let present = l.load(&present[at..]);
            let mut check = inverse::<F, L>(l, &value);
            for bits in &mut check {
                *bits = l.and(*bits, present);
            }
            for rows in words.chunks_exact_mut(m * stride) {
                store::<F, L>(l, &check, rows, stride, at);
                check = product::<F, L>(l, &check, &alpha);
            }
        }
        Self { words, stride, rows: g.len() * m }
    }

    /// Returns 64 bits of a row, starting at `column`.
    #[inline(always)]
    fn bits(&self, row: usize, column: usize) -> u64 {
        let words = &self.words[row * self.stride + column / 64..];
        if column.is_multiple_of(64) {
            return words[0];
        }
        words[0] >> (column % 64) | words[1] << (64 - column % 64)
    }

    /// Returns the rows as bytes, `len` bytes each.
    #[inline(always)]
    fn into_bytes(self, len: usize) -> Box<[u8]> {
        let mut bytes = vec![0; self.rows * len];
        for (bytes, words) in bytes.chunks_exact_mut(len).zip(self.words.chunks_exact(self.stride)) {
            let (whole, rest) = bytes.as_chunks_mut::<8>();
            whole.iter_mut().zip(words).for_each(|(bytes, word)| *bytes = word.to_le_bytes());
            if let Some(word) = words.get(whole.len()) {
                rest.copy_from_slice(&word.to_le_bytes()[..rest.len()]);
            }
        }
        bytes.into_boxed_slice()
    }
}

/// The steps that transform the left columns of a matrix to the identity matrix.
struct Elimination {
    panels: Vec<Panel>,
    /// For each panel and each row that is not a pivot row, the pivot rows that are added to it. They are
    /// added to rows below the panel when the panel is eliminated, and to rows above it at the end.
    factors: Zeroizing<Vec<u64>>,
    rows: usize,
}

/// The steps that compute the pivot rows of one panel.
struct Panel {
    /// The number of pivot rows.
    width: usize,
    /// For each pivot row, the rows of the window whose sum is the pivot row.
    sums: Zeroizing<[[u64; PANEL]; 2]>,
}

impl Elimination {
    /// Eliminates the first columns below the diagonal. Returns `None` if the columns are dependent.
    #[inline(always)]
    fn new<L: Lanes>(l: L, matrix: &mut Matrix, columns: usize) -> Option<Self> {
        let rows = matrix.rows;
        let count = columns.div_ceil(PANEL);
        let factors = Zeroizing::new(vec![0; count * rows]);
        let mut elimination = Self { panels: Vec::with_capacity(count), factors, rows };
        for word in 0..count {
            let (first, width) = (word * PANEL, PANEL.min(columns - word * PANEL));
            let mask = u64::MAX >> (PANEL - width);
            let factors = &mut elimination.factors[word * rows..][..rows];
            for (row, factor) in factors.iter_mut().enumerate().skip(first) {
                *factor = matrix.words[row * matrix.stride + word] & mask;
            }
            let window = &factors[first..rows.min(first + WINDOW)];
            elimination.panels.push(Panel::new(window, width)?);
            for range in vectors::<L>(word / L::WORDS * L::WORDS..matrix.stride) {
                elimination.forward(l, matrix, word, range);
            }
            let factors = &mut elimination.factors[word * rows..][..first];
            for (row, factor) in factors.iter_mut().enumerate() {
                *factor = matrix.words[row * matrix.stride + word] & mask;
            }
        }
        Some(elimination)
    }

    /// Repeats the recorded steps on other columns of the matrix.
    #[inline(always)]
    fn repeat<L: Lanes>(&self, l: L, matrix: &mut Matrix) {
        for range in vectors::<L>(0..matrix.stride) {
            for panel in 0..self.panels.len() {
                self.forward(l, matrix, panel, range.clone());
            }
            for panel in (0..self.panels.len()).rev() {
                self.backward(l, matrix, panel, range.clone());
            }
        }
    }

    /// Computes the pivot rows of a panel, and adds them to the rows below them.
    #[inline(always)]
    fn forward<L: Lanes>(&self, l: L, matrix: &mut Matrix, panel: usize, columns: Range<usize>) {
        let (first, Panel { width, sums }) = (panel * PANEL, &self.panels[panel]);
        let len = columns.len();
        let mut window = Zeroizing::new([0; WINDOW * MAX_LEN]);
        let end = matrix.rows.min(first + WINDOW);
        copy_rows(matrix, first..end, columns.start, len, &mut window[..]);
        let mut pivots = Zeroizing::new([0; PANEL * MAX_LEN]);
        for (sums, window) in sums.iter().zip(window.chunks_exact(PANEL * len)) {
            add_rows(l, &mut pivots[..*width * len], len, len, &sums[..*width], window);
        }
        for (row, pivot) in pivots.chunks_exact(len).take(*width).enumerate() {
            matrix.words[(first + row) * matrix.stride + columns.start..][..len].copy_from_slice(pivot);
        }
        let below = first + width;
        let factors = &self.factors[panel * self.rows..][below..self.rows];
        let words = &mut matrix.words[below * matrix.stride..];
        if !factors.is_empty() {
            add_rows(l, &mut words[columns.start..], matrix.stride, len, factors, &pivots[..]);
        }
    }

    /// Adds the pivot rows of a panel to the rows above them.
    #[inline(always)]
    fn backward<L: Lanes>(&self, l: L, matrix: &mut Matrix, panel: usize, columns: Range<usize>) {
        let (first, len) = (panel * PANEL, columns.len());
        if first == 0 {
            return;
        }
        let mut pivots = Zeroizing::new([0; PANEL * MAX_LEN]);
        copy_rows(matrix, first..first + self.panels[panel].width, columns.start, len, &mut pivots[..]);
        let factors = &self.factors[panel * self.rows..][..first];
        add_rows(l, &mut matrix.words[columns.start..], matrix.stride, len, factors, &pivots[..]);
    }
}

/// The maximum number of words of a row that are processed at once: four vectors.
const MAX_LEN: usize = 32;

/// Splits a range of words into pieces of four, two or one vectors.
#[inline(always)]
fn vectors<L: Lanes>(range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut start = range.start;
    core::iter::from_fn(move || {
        let left = (range.end - start) / L::WORDS;
        let len = L::WORDS
            * if left >= 4 {
                4
            } else if left >= 2 {
                2
            } else {
                left
            };
        let piece = start..start + len;
        start += len;
        (len > 0).then_some(piece)
    })
}

/// Copies `len` words of each row, starting at word `column`.
#[inline(always)]
fn copy_rows(matrix: &Matrix, rows: Range<usize>, column: usize, len: usize, copy: &mut [u64]) {
    for (row, copy) in rows.zip(copy.chunks_exact_mut(len)) {
        copy.copy_from_slice(&matrix.words[row * matrix.stride + column..][..len]);
    }
}

/// Adds pivot rows to the first `len` words of every row. The bits of a row's factor select its pivot rows.
/// Everything except lengths is secret.
#[inline(always)]
fn add_rows<L: Lanes>(l: L, rows: &mut [u64], stride: usize, len: usize, factors: &[u64], pivots: &[u64]) {
    match len / L::WORDS {
        4 => l.call(AddRows::<4> { rows, stride, factors, pivots }),
        2 => l.call(AddRows::<2> { rows, stride, factors, pivots }),
        _ => l.call(AddRows::<1> { rows, stride, factors, pivots }),
    }
}

/// The work of [`add_rows`] for rows of `COUNT` vectors.
struct AddRows<'a, const COUNT: usize> {
    rows: &'a mut [u64],
    stride: usize,
    factors: &'a [u64],
    pivots: &'a [u64],
}

impl<L: Lanes, const COUNT: usize> Work<L> for AddRows<'_, COUNT> {
    type Output = ();

    #[inline(always)]
    fn run(self, l: L) {
        let Self { rows, stride, factors, pivots } = self;
        let len = COUNT * L::WORDS;
        let mut rows = rows.chunks_mut(stride);
        let (pairs, last) = factors.as_chunks::<2>();
        for factors in pairs {
            let (Some(first), Some(second)) = (rows.next(), rows.next()) else { return };
            let mut sums = [[l.zero(); COUNT]; 2];
            for i in 0..COUNT {
                sums[0][i] = l.load(&first[i * L::WORDS..]);
                sums[1][i] = l.load(&second[i * L::WORDS..]);
            }
            for (j, pivot) in pivots.chunks_exact(len).take(PANEL).enumerate() {
                let masks = [l.splat(mask::<L>(factors[0] >> j)), l.splat(mask::<L>(factors[1] >> j))];
                for i in 0..COUNT {
                    let pivot = l.load(&pivot[i * L::WORDS..]);
                    sums[0][i] = l.and_xor(sums[0][i], pivot, masks[0]);
                    sums[1][i] = l.and_xor(sums[1][i], pivot, masks[1]);
                }
            }
            for i in 0..COUNT {
                l.store(sums[0][i], &mut first[i * L::WORDS..]);
                l.store(sums[1][i], &mut second[i * L::WORDS..]);
            }
        }
        if let (Some(factor), Some(row)) = (last.first(), rows.next()) {
            for i in 0..COUNT {
                let mut sum = l.load(&row[i * L::WORDS..]);
                for (j, pivot) in pivots.chunks_exact(len).take(PANEL).enumerate() {
                    let mask = l.splat(mask::<L>(factor >> j));
                    sum = l.and_xor(sum, l.load(&pivot[i * L::WORDS..]), mask);
                }
                l.store(sum, &mut row[i * L::WORDS..]);
            }
        }
    }
}

/// Returns all ones if the lowest bit of `word` is set, else zero. If a vector has only one word, hides this mask from
/// the compiler's optimiser, which might turn it into a branch. Code for longer vectors has no such branches.
#[inline(always)]
fn mask<L: Lanes>(word: u64) -> u64 {
    let mask = (word & 1).wrapping_neg();
    if L::WORDS == 1 { ct::opaque(mask) } else { mask }
}

impl Panel {
    /// Computes the steps from the panel's bits in the rows of the window. Returns `None` if there are not
    /// enough independent rows.
    #[inline(always)]
    fn new(window: &[u64], width: usize) -> Option<Self> {
        // the panel's bits, and the rows of the window that have been added up
        let mut bits = Zeroizing::new([0; WINDOW]);
        let mut sums = Zeroizing::new([[0u64; WINDOW]; 2]);
        bits[..window.len()].copy_from_slice(window);
        for row in 0..WINDOW {
            sums[row / PANEL][row] = 1 << (row % PANEL);
        }
        for i in 0..width {
            // adds each following row as long as the diagonal element is zero
            let mut pivot = [bits[i], sums[0][i], sums[1][i]];
            for row in i + 1..WINDOW {
                let mask = ct::mask((!pivot[0] & bits[row]) >> i & 1).wrapping_neg();
                pivot[0] ^= bits[row] & mask;
                pivot[1] ^= sums[0][row] & mask;
                pivot[2] ^= sums[1][row] & mask;
            }
            // a failed attempt reveals nothing about the next one
            if ct::public(pivot[0] >> i & 1) == 0 {
                return None;
            }
            let [first, second] = &mut *sums;
            for ((bits, first), second) in bits.iter_mut().zip(first).zip(second) {
                let mask = ct::mask((*bits >> i & 1).wrapping_neg());
                *bits ^= pivot[0] & mask;
                *first ^= pivot[1] & mask;
                *second ^= pivot[2] & mask;
            }
            [bits[i], sums[0][i], sums[1][i]] = pivot;
        }
        let sums = Zeroizing::new(sums.map(|sums| *sums.first_chunk().expect("a window is longer")));
        Some(Self { width, sums })
    }
}

/// Computes the pivot columns of the echelon form. Returns them as numbers and as bits, or `None` if the rows
/// are dependent. All arguments and results are secret.
fn echelon_pivots(mut rows: [u64; MU]) -> Option<([u32; MU], u64)> {
    let (mut columns, mut pivots) = ([0; MU], 0);
    for i in 0..MU {
        let any = rows[i..].iter().fold(0, |any, row| any | row);
        // a failed attempt reveals nothing about the next one
        if ct::public(any == 0) {
            return None;
        }
        // only the lowest set bit of `any`
        let lowest = any & any.wrapping_neg();
        columns[i] = (lowest - 1).count_ones();
        pivots |= lowest;
        for k in i + 1..MU {
            let mask = is_zero(rows[i] & lowest);
            rows[i] ^= rows[k] & mask;
        }
        for k in i + 1..MU {
            let mask = !is_zero(rows[k] & lowest);
            rows[k] ^= rows[i] & mask;
        }
    }
    Some((columns, pivots))
}

/// Returns all ones if `word` is zero, else zero.
fn is_zero(word: u64) -> u64 {
    ct::opaque(((word | word.wrapping_neg()) >> 63).wrapping_sub(1))
}

/// Moves the pivot columns to the front: for each i in ascending order, swaps element i with element
/// `columns[i]`. All arguments and results are secret.
#[inline(always)]
fn move_columns(elements: &mut [u16], columns: &[u32; MU]) {
    for (i, column) in columns.iter().enumerate() {
        for k in i + 1..NU {
            let mask = is_zero(u64::from(*column) ^ k as u64) as u16;
            let difference = (elements[i] ^ elements[k]) & mask;
            elements[i] ^= difference;
            elements[k] ^= difference;
        }
    }
}
