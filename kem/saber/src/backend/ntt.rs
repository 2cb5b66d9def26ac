//! The transforms modulo both primes, and products: one text for vectors of every width.
//!
//! A polynomial is 16 rows of 16 coefficients. Four layers of butterflies work on whole rows; then the square of rows
//! is transposed, and the same four layers, with other factors, do the rest. No butterfly crosses lanes.
//!
//! Butterflies of Cooley and Tukey, with Montgomery products: for |b| < 2¹⁵ and |ζ| < q/2 a product is below
//! |b|/12 + q/2, as q < 2¹⁶/6. Bounds are those of q = 10753; the other prime stays below them.

use super::tables::{
    ACROSS, Factor, Factors, INVERSE_ACROSS, INVERSE_WITHIN, MODULI, ONE, Q, Q_INVERSES, Q1_INVERSE, WITHIN,
};
use crate::ring::{Image, Poly, Row};
use grille_core::erase;

/// Some lanes of a row: all 32, or the half of one prime.
pub(super) trait Vector: Copy {
    /// What proves that the processor has the instructions.
    type Proof: Copy;
    /// 32 or 16.
    const LANES: usize;

    /// Part `part` of a row: the whole for 32 lanes, else the half of that prime.
    fn load(proof: Self::Proof, from: &Row, part: usize) -> Self;
    /// To where [`load`](Self::load) reads.
    fn store(self, to: &mut Row, part: usize);
    /// The same number in each lane.
    fn splat(proof: Self::Proof, x: i16) -> Self;
    /// The same sixteen coefficients for each prime.
    fn load_coefficients(proof: Self::Proof, from: &[i16; 16]) -> Self;
    /// The residues of one prime: of one row, or of two for 32 lanes.
    fn load_residues(proof: Self::Proof, rows: &[Row], prime: usize) -> Self;
    /// All lanes in their order.
    fn store_coefficients(self, to: &mut [i16]);
    /// a + b modulo R.
    fn add(self, b: Self) -> Self;
    /// a − b modulo R.
    fn sub(self, b: Self) -> Self;
    /// a·b modulo R.
    fn mul_low(self, b: Self) -> Self;
    /// ⌊a·b/R⌋.
    fn mul_high(self, b: Self) -> Self;
    /// a·factor·R⁻¹ modulo q, below |a|/12 + q/2; `by_q_inv`: factor·q⁻¹ modulo R.
    #[inline(always)]
    fn montgomery(self, factor: Self, by_q_inv: Self, q: Self) -> Self {
        self.mul_high(factor).sub(self.mul_low(by_q_inv).mul_high(q))
    }
    /// ([a₀, b₀], [a₁, b₁]) for the halves of eight lanes of a and b, those of each prime apart.
    fn trade_halves(self, b: Self) -> (Self, Self);
    /// In each eight lanes: the lower four of a and b in turns; the upper four.
    fn interleave(self, b: Self) -> (Self, Self);
}

/// NTT modulo both primes. |f| ≤ 2¹²; |f̂| < 1.5·q.
#[inline(always)]
pub(super) fn forward<V: Vector>(proof: V::Proof, f: &Poly, f_hat: &mut Image) {
    let rows = f.0.as_chunks().0;
    for part in 0..32 / V::LANES {
        let m = Moduli::<V>::load(proof, part);
        let mut v = [m.q; 16];
        v.iter_mut().zip(rows).for_each(|(v, row)| *v = V::load_coefficients(proof, row));
        // |f| ≤ 4096, 9809, 15991, 22680, 29917
        m.layers_1_2(&mut v, &ACROSS, false);
        m.layers_3_4(&mut v, &ACROSS, false);
        transpose(&mut v);
        // reduced in layers 5 and 8: |f̂| ≤ 15662, 22324, 29532, 15600
        m.layers_1_2(&mut v, &WITHIN, true);
        m.layers_3_4(&mut v, &WITHIN, true);
        v.iter().zip(&mut f_hat.0).for_each(|(v, row)| v.store(row, part));
    }
}

/// Σⱼ aⱼ·bⱼ modulo 2¹⁶, 2 to 4 products, whose exact sum is within ±12·2²⁰. Images as [`forward`] leaves them.
#[inline(always)]
pub(super) fn dot<V: Vector>(proof: V::Proof, a: &[Image], b: &[Image], c: &mut Poly) {
    let mut residues = Image::ZERO;
    for part in 0..32 / V::LANES {
        let m = Moduli::<V>::load(proof, part);
        let mut v = [m.q; 16];
        v.iter_mut().enumerate().for_each(|(r, v)| *v = m.sum_of_products(r, a, b));
        // |v| ≤ 7614 before and below 8000 after each second layer, at most four times that in between
        m.inverse_layers_3_4(&mut v, &INVERSE_WITHIN);
        m.inverse_layers_1_2(&mut v, &INVERSE_WITHIN, m.one);
        transpose(&mut v);
        m.inverse_layers_3_4(&mut v, &INVERSE_ACROSS);
        m.inverse_layers_1_2(&mut v, &INVERSE_ACROSS, m.pair(&INVERSE_ACROSS[0]));
        v.iter().zip(&mut residues.0).for_each(|(v, row)| v.store(row, part));
    }
    combine::<V>(proof, &residues, c);
    erase(residues.0.as_flattened_mut());
}

/// The numbers with the given residues, modulo 2¹⁶: x₁ + q₁·((x₂ − x₁)·q₁⁻¹ mod q₂). |x| < 2¹³.
///
/// The factor of q₁ is within ±3/4·q₂: as a number within ±12·2²⁰ has these residues, this is it.
#[inline(always)]
fn combine<V: Vector>(proof: V::Proof, residues: &Image, c: &mut Poly) {
    let (q1, q2) = (V::splat(proof, Q[0]), V::splat(proof, Q[1]));
    let (inverse, by_q_inv) = (V::splat(proof, Q1_INVERSE[0]), V::splat(proof, Q1_INVERSE[1]));
    for (rows, c) in residues.0.chunks_exact(V::LANES / 16).zip(c.0.chunks_exact_mut(V::LANES)) {
        let (x1, x2) = (V::load_residues(proof, rows, 0), V::load_residues(proof, rows, 1));
        let difference = x2.sub(x1);
        let t = difference.montgomery(inverse, by_q_inv, q2);
        x1.add(q1.mul_low(t)).store_coefficients(c);
    }
}

/// Transposes 16×16 coefficients, those of each prime apart.
///
/// Halves are traded first. Then each eight lanes of each eight rows are a square: interleaving rows i and i + 4 to
/// rows 2i and 2i + 1 takes the first bit of a coefficient's row to the end of its lane's number, and three times
/// that is a transposition.
#[inline(always)]
fn transpose<V: Vector>(rows: &mut [V; 16]) {
    let (upper, lower) = rows.split_at_mut(8);
    for (a, b) in upper.iter_mut().zip(lower) {
        (*a, *b) = a.trade_halves(*b);
    }
    for square in rows.as_chunks_mut::<8>().0 {
        for _ in 0..3 {
            let old = *square;
            for i in 0..4 {
                (square[2 * i], square[2 * i + 1]) = old[i].interleave(old[i + 4]);
            }
        }
    }
}

/// A [`Factor`] in registers.
#[derive(Clone, Copy)]
struct Pair<V> {
    value: V,
    by_q_inv: V,
}

impl<V: Vector> Pair<V> {
    #[inline(always)]
    fn load(proof: V::Proof, factor: &Factor, part: usize) -> Self {
        Self { value: V::load(proof, &factor.value, part), by_q_inv: V::load(proof, &factor.by_q_inv, part) }
    }
}

/// Arithmetic modulo both primes, or modulo the prime of number `part`.
#[derive(Clone, Copy)]
struct Moduli<V: Vector> {
    proof: V::Proof,
    part: usize,
    q: V,
    /// R modulo q: multiplied with it, numbers are reduced.
    one: Pair<V>,
}

impl<V: Vector> Moduli<V> {
    #[inline(always)]
    fn load(proof: V::Proof, part: usize) -> Self {
        Self { proof, part, q: V::load(proof, &MODULI, part), one: Pair::load(proof, &ONE, part) }
    }

    #[inline(always)]
    fn pair(&self, factor: &Factor) -> Pair<V> {
        Pair::load(self.proof, factor, self.part)
    }

    /// a·factor·R⁻¹ modulo q, below |a|/12 + q/2.
    #[inline(always)]
    fn multiply(&self, a: V, factor: Pair<V>) -> V {
        a.montgomery(factor.value, factor.by_q_inv, self.q)
    }

    /// Row `r` of Σⱼ âⱼ·b̂ⱼ·R⁻¹, at most 4 products, below 7614.
    #[inline(always)]
    fn sum_of_products(&self, r: usize, a: &[Image], b: &[Image]) -> V {
        let q_inv = V::load(self.proof, &Q_INVERSES, self.part);
        let mut sum = V::splat(self.proof, 0);
        for (j, (a, b)) in a.iter().zip(b).enumerate() {
            if j == 2 {
                // two products are at most 18180, reduced 6868, with two more 25048
                sum = self.multiply(sum, self.one);
            }
            sum = sum.add(self.product(r, a, b, q_inv));
        }
        self.multiply(sum, self.one)
    }

    /// Row `r` of â·b̂·R⁻¹, below |a·b|/R + q/2.
    #[inline(always)]
    fn product(&self, r: usize, a: &Image, b: &Image, q_inv: V) -> V {
        let (a, b) = (V::load(self.proof, &a.0[r], self.part), V::load(self.proof, &b.0[r], self.part));
        a.montgomery(b, b.mul_low(q_inv), self.q)
    }

    /// Layers 1 and 2 of four; a of the first is reduced if `reduced`.
    ///
    /// Here and below four rows go through two layers before the next four, as registers are few; and without a loop,
    /// so that rows have registers of their own.
    #[inline(always)]
    fn layers_1_2(&self, v: &mut [V; 16], factors: &Factors, reduced: bool) {
        let zetas = self.pairs(factors, 1);
        self.two_layers(v, [0, 4, 8, 12], zetas, [reduced, false]);
        self.two_layers(v, [1, 5, 9, 13], zetas, [reduced, false]);
        self.two_layers(v, [2, 6, 10, 14], zetas, [reduced, false]);
        self.two_layers(v, [3, 7, 11, 15], zetas, [reduced, false]);
    }

    /// Layers 3 and 4 of four; a of the second is reduced if `reduced`.
    #[inline(always)]
    fn layers_3_4(&self, v: &mut [V; 16], factors: &Factors, reduced: bool) {
        self.two_layers(v, [0, 1, 2, 3], self.pairs(factors, 4), [false, reduced]);
        self.two_layers(v, [4, 5, 6, 7], self.pairs(factors, 5), [false, reduced]);
        self.two_layers(v, [8, 9, 10, 11], self.pairs(factors, 6), [false, reduced]);
        self.two_layers(v, [12, 13, 14, 15], self.pairs(factors, 7), [false, reduced]);
    }

    /// The inverse of [`layers_3_4`](Self::layers_3_4).
    #[inline(always)]
    fn inverse_layers_3_4(&self, v: &mut [V; 16], factors: &Factors) {
        self.two_inverse_layers(v, [0, 1, 2, 3], self.pairs(factors, 4), self.one);
        self.two_inverse_layers(v, [4, 5, 6, 7], self.pairs(factors, 5), self.one);
        self.two_inverse_layers(v, [8, 9, 10, 11], self.pairs(factors, 6), self.one);
        self.two_inverse_layers(v, [12, 13, 14, 15], self.pairs(factors, 7), self.one);
    }

    /// The inverse of [`layers_1_2`](Self::layers_1_2); sums of layer 1 are multiplied with `sums`.
    #[inline(always)]
    fn inverse_layers_1_2(&self, v: &mut [V; 16], factors: &Factors, sums: Pair<V>) {
        let zetas = self.pairs(factors, 1);
        self.two_inverse_layers(v, [0, 4, 8, 12], zetas, sums);
        self.two_inverse_layers(v, [1, 5, 9, 13], zetas, sums);
        self.two_inverse_layers(v, [2, 6, 10, 14], zetas, sums);
        self.two_inverse_layers(v, [3, 7, 11, 15], zetas, sums);
    }

    /// Factor `n` of a layer, and the two of the next layer that follow it.
    #[inline(always)]
    fn pairs(&self, factors: &Factors, n: usize) -> [Pair<V>; 3] {
        [self.pair(&factors[n]), self.pair(&factors[2 * n]), self.pair(&factors[2 * n + 1])]
    }

    /// Two layers on four rows; `reduced`: whether a is reduced in a + ζb.
    #[inline(always)]
    fn two_layers(&self, v: &mut [V; 16], [i, j, k, l]: [usize; 4], zetas: [Pair<V>; 3], reduced: [bool; 2]) {
        let (a, c) = self.butterfly(v[i], v[k], zetas[0], reduced[0]);
        let (b, d) = self.butterfly(v[j], v[l], zetas[0], reduced[0]);
        (v[i], v[j]) = self.butterfly(a, b, zetas[1], reduced[1]);
        (v[k], v[l]) = self.butterfly(c, d, zetas[2], reduced[1]);
    }

    /// The inverse of [`two_layers`](Self::two_layers); sums of the second are multiplied with `sums`.
    #[inline(always)]
    fn two_inverse_layers(
        &self,
        v: &mut [V; 16],
        [i, j, k, l]: [usize; 4],
        zetas: [Pair<V>; 3],
        sums: Pair<V>,
    ) {
        let (a, b) = self.inverse_butterfly(v[i], v[j], zetas[1]);
        let (c, d) = self.inverse_butterfly(v[k], v[l], zetas[2]);
        let (a, c) = self.inverse_butterfly(a, c, zetas[0]);
        let (b, d) = self.inverse_butterfly(b, d, zetas[0]);
        (v[i], v[j]) = (self.multiply(a, sums), self.multiply(b, sums));
        (v[k], v[l]) = (c, d);
    }

    /// (a + ζb, a − ζb); a reduced before, if `reduced`.
    #[inline(always)]
    fn butterfly(&self, a: V, b: V, zeta: Pair<V>, reduced: bool) -> (V, V) {
        let t = self.multiply(b, zeta);
        let a = if reduced { self.multiply(a, self.one) } else { a };
        (a.add(t), a.sub(t))
    }

    /// (a + b, ζ·(a − b)).
    #[inline(always)]
    fn inverse_butterfly(&self, a: V, b: V, zeta: Pair<V>) -> (V, V) {
        (a.add(b), self.multiply(a.sub(b), zeta))
    }
}
