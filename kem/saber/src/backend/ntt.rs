//! The transforms modulo both primes, and products. The same source is compiled for vectors of every width.
//!
//! A polynomial has 16 rows of 16 coefficients. Four layers of butterflies combine whole rows. Then the 16 ×
//! 16 coefficients are transposed, and four layers of the same structure with other factors complete the
//! transform. No butterfly crosses lanes.
//!
//! The butterflies are Cooley–Tukey butterflies with Montgomery products. For |b| < 2¹⁵ and |ζ| < q/2, a
//! product is below |b|/12 + q/2, because q < 2¹⁶/6. All bounds are stated for q = 10753. They also hold for
//! the smaller prime.

use super::tables::{
    Factor, Factors, INVERSE_LAYERS_1_TO_4, INVERSE_LAYERS_5_TO_8, LAYERS_1_TO_4, LAYERS_5_TO_8, MODULI, ONE,
    Q, Q_INVERSES, Q1_INVERSE,
};
use crate::ring::{Image, Poly, Row};
use grille_core::erase;

/// A vector of lanes of a row: all 32 lanes, or the sixteen lanes that belong to one prime.
pub(super) trait Vector: Copy {
    /// The proof that the processor has the instructions.
    type Proof: Copy;
    /// The number of lanes, 32 or 16.
    const LANES: usize;

    /// Loads part `part` of a row: the whole row for 32 lanes, otherwise the half of the prime with index
    /// `part`.
    fn load(proof: Self::Proof, from: &Row, part: usize) -> Self;
    /// Stores all lanes to the part that [`load`](Self::load) reads.
    fn store(self, to: &mut Row, part: usize);
    /// Returns the same number in each lane.
    fn splat(proof: Self::Proof, x: i16) -> Self;
    /// Loads the same sixteen coefficients for each prime.
    fn load_coefficients(proof: Self::Proof, from: &[i16; 16]) -> Self;
    /// Loads the residues of one prime from one row, or from two rows for 32 lanes.
    fn load_residues(proof: Self::Proof, rows: &[Row], prime: usize) -> Self;
    /// Stores all lanes in order.
    fn store_coefficients(self, to: &mut [i16]);
    /// Computes a + b modulo R.
    fn add(self, b: Self) -> Self;
    /// Computes a − b modulo R.
    fn sub(self, b: Self) -> Self;
    /// Computes a·b modulo R.
    fn mul_low(self, b: Self) -> Self;
    /// Computes ⌊a·b/R⌋.
    fn mul_high(self, b: Self) -> Self;
    /// Computes a·factor·R⁻¹ modulo q. The absolute value of the result is below |a|/12 + q/2. `by_q_inv` is
    /// factor·q⁻¹ modulo R.
    #[inline(always)]
    fn montgomery(self, factor: Self, by_q_inv: Self, q: Self) -> Self {
        self.mul_high(factor).sub(self.mul_low(by_q_inv).mul_high(q))
    }
    /// Exchanges halves: returns ([a₀, b₀], [a₁, b₁]), where a₀ and a₁ are the halves of a, and b₀ and b₁
    /// those of b. A half has eight lanes. This happens separately for each prime.
    fn exchange_halves(self, b: Self) -> (Self, Self);
    /// Interleaves the lower four lanes of a and b, and their upper four lanes, in each group of eight lanes.
    fn interleave(self, b: Self) -> (Self, Self);
}

/// Computes the NTT modulo both primes. The input satisfies |f| ≤ 2¹², and the result |f̂| < 1.5·q.
#[inline(always)]
pub(super) fn forward<V: Vector>(proof: V::Proof, f: &Poly, f_hat: &mut Image) {
    let rows = f.0.as_chunks().0;
    for part in 0..32 / V::LANES {
        let m = Moduli::<V>::load(proof, part);
        let mut v = [m.q; 16];
        v.iter_mut().zip(rows).for_each(|(v, row)| *v = V::load_coefficients(proof, row));
        // |f| is at most 4096 before the first layer, and at most 9809, 15991, 22680 and 29917 after layers 1
        // to 4
        m.layers_1_2(&mut v, &LAYERS_1_TO_4, false);
        m.layers_3_4(&mut v, &LAYERS_1_TO_4, false);
        transpose(&mut v);
        // layers 5 and 8 reduce their first operands; |f̂| is at most 15662, 22324, 29532 and 15600 after
        // layers 5 to 8
        m.layers_1_2(&mut v, &LAYERS_5_TO_8, true);
        m.layers_3_4(&mut v, &LAYERS_5_TO_8, true);
        v.iter().zip(&mut f_hat.0).for_each(|(v, row)| v.store(row, part));
    }
}

/// Computes Σⱼ aⱼ·bⱼ modulo 2¹⁶ for 2 to 4 products whose exact sum is within ±12·2²⁰. The images must come from
/// [`forward`].
#[inline(always)]
pub(super) fn dot<V: Vector>(proof: V::Proof, a: &[Image], b: &[Image], c: &mut Poly) {
    let mut residues = Image::ZERO;
    for part in 0..32 / V::LANES {
        let m = Moduli::<V>::load(proof, part);
        let mut v = [m.q; 16];
        v.iter_mut().enumerate().for_each(|(r, v)| *v = m.sum_of_products(r, a, b));
        // |v| is at most 7614 before the first layer, below 8000 after each pair of layers, and at most four times
        // as much within a pair
        m.inverse_layers_3_4(&mut v, &INVERSE_LAYERS_5_TO_8);
        m.inverse_layers_1_2(&mut v, &INVERSE_LAYERS_5_TO_8, m.one);
        transpose(&mut v);
        m.inverse_layers_3_4(&mut v, &INVERSE_LAYERS_1_TO_4);
        m.inverse_layers_1_2(&mut v, &INVERSE_LAYERS_1_TO_4, m.load_factor(&INVERSE_LAYERS_1_TO_4[0]));
        v.iter().zip(&mut residues.0).for_each(|(v, row)| v.store(row, part));
    }
    combine::<V>(proof, &residues, c);
    erase(residues.0.as_flattened_mut());
}

/// Computes the numbers with the given residues, modulo 2¹⁶, as x₁ + q₁·((x₂ − x₁)·q₁⁻¹ mod q₂). The residues
/// satisfy |x| < 2¹³.
///
/// The factor of q₁ is within ±3/4·q₂. If the exact number is within ±12·2²⁰, it is the only number with
/// these residues, so the result equals it.
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

/// Transposes 16×16 coefficients, separately for each prime.
///
/// First, halves are exchanged. Then the transposition is done within squares of eight lanes and eight rows.
/// Interleaving rows i and i + 4 into rows 2i and 2i + 1 moves the first bit of a coefficient's row number to
/// the end of its lane number. Three such steps transpose a square.
#[inline(always)]
fn transpose<V: Vector>(rows: &mut [V; 16]) {
    let (upper, lower) = rows.split_at_mut(8);
    for (a, b) in upper.iter_mut().zip(lower) {
        (*a, *b) = a.exchange_halves(*b);
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

/// A [`Factor`] that was loaded into registers.
#[derive(Clone, Copy)]
struct LoadedFactor<V> {
    value: V,
    by_q_inv: V,
}

impl<V: Vector> LoadedFactor<V> {
    #[inline(always)]
    fn load(proof: V::Proof, factor: &Factor, part: usize) -> Self {
        Self { value: V::load(proof, &factor.value, part), by_q_inv: V::load(proof, &factor.by_q_inv, part) }
    }
}

/// The constants of arithmetic modulo both primes, or modulo the prime with index `part`.
#[derive(Clone, Copy)]
struct Moduli<V: Vector> {
    proof: V::Proof,
    part: usize,
    q: V,
    /// R modulo q. Multiplying by this factor reduces numbers.
    one: LoadedFactor<V>,
}

impl<V: Vector> Moduli<V> {
    #[inline(always)]
    fn load(proof: V::Proof, part: usize) -> Self {
        Self { proof, part, q: V::load(proof, &MODULI, part), one: LoadedFactor::load(proof, &ONE, part) }
    }

    #[inline(always)]
    fn load_factor(&self, factor: &Factor) -> LoadedFactor<V> {
        LoadedFactor::load(self.proof, factor, self.part)
    }

    /// Computes a·factor·R⁻¹ modulo q. The absolute value of the result is below |a|/12 + q/2.
    #[inline(always)]
    fn multiply(&self, a: V, factor: LoadedFactor<V>) -> V {
        a.montgomery(factor.value, factor.by_q_inv, self.q)
    }

    /// Computes row `r` of Σⱼ âⱼ·b̂ⱼ·R⁻¹ for at most 4 products. The absolute value of the result is below
    /// 7614.
    #[inline(always)]
    fn sum_of_products(&self, r: usize, a: &[Image], b: &[Image]) -> V {
        let q_inv = V::load(self.proof, &Q_INVERSES, self.part);
        let mut sum = V::splat(self.proof, 0);
        for (j, (a, b)) in a.iter().zip(b).enumerate() {
            if j == 2 {
                // the sum of two products is at most 18180; reduction makes it at most 6868, and two more
                // products at most 25048
                sum = self.multiply(sum, self.one);
            }
            sum = sum.add(self.product(r, a, b, q_inv));
        }
        self.multiply(sum, self.one)
    }

    /// Computes row `r` of â·b̂·R⁻¹. The absolute value of the result is below |â·b̂|/R + q/2.
    #[inline(always)]
    fn product(&self, r: usize, a: &Image, b: &Image, q_inv: V) -> V {
        let (a, b) = (V::load(self.proof, &a.0[r], self.part), V::load(self.proof, &b.0[r], self.part));
        a.montgomery(b, b.mul_low(q_inv), self.q)
    }

    /// Computes layers 1 and 2 of four. If `reduced`, the first layer reduces its first operand.
    ///
    /// Because there are few registers, this function and the next three compute two layers on four rows before
    /// they load the next four rows. They contain no loops, so that rows stay in registers.
    #[inline(always)]
    fn layers_1_2(&self, v: &mut [V; 16], factors: &Factors, reduced: bool) {
        let zetas = self.load_factors(factors, 1);
        self.two_layers(v, [0, 4, 8, 12], zetas, [reduced, false]);
        self.two_layers(v, [1, 5, 9, 13], zetas, [reduced, false]);
        self.two_layers(v, [2, 6, 10, 14], zetas, [reduced, false]);
        self.two_layers(v, [3, 7, 11, 15], zetas, [reduced, false]);
    }

    /// Computes layers 3 and 4 of four. If `reduced`, the second layer reduces its first operand.
    #[inline(always)]
    fn layers_3_4(&self, v: &mut [V; 16], factors: &Factors, reduced: bool) {
        self.two_layers(v, [0, 1, 2, 3], self.load_factors(factors, 4), [false, reduced]);
        self.two_layers(v, [4, 5, 6, 7], self.load_factors(factors, 5), [false, reduced]);
        self.two_layers(v, [8, 9, 10, 11], self.load_factors(factors, 6), [false, reduced]);
        self.two_layers(v, [12, 13, 14, 15], self.load_factors(factors, 7), [false, reduced]);
    }

    /// Computes the inverse of [`layers_3_4`](Self::layers_3_4).
    #[inline(always)]
    fn inverse_layers_3_4(&self, v: &mut [V; 16], factors: &Factors) {
        self.two_inverse_layers(v, [0, 1, 2, 3], self.load_factors(factors, 4), self.one);
        self.two_inverse_layers(v, [4, 5, 6, 7], self.load_factors(factors, 5), self.one);
        self.two_inverse_layers(v, [8, 9, 10, 11], self.load_factors(factors, 6), self.one);
        self.two_inverse_layers(v, [12, 13, 14, 15], self.load_factors(factors, 7), self.one);
    }

    /// Computes the inverse of [`layers_1_2`](Self::layers_1_2). The sums of layer 1 are multiplied by
    /// `sums`.
    #[inline(always)]
    fn inverse_layers_1_2(&self, v: &mut [V; 16], factors: &Factors, sums: LoadedFactor<V>) {
        let zetas = self.load_factors(factors, 1);
        self.two_inverse_layers(v, [0, 4, 8, 12], zetas, sums);
        self.two_inverse_layers(v, [1, 5, 9, 13], zetas, sums);
        self.two_inverse_layers(v, [2, 6, 10, 14], zetas, sums);
        self.two_inverse_layers(v, [3, 7, 11, 15], zetas, sums);
    }

    /// Returns factor `n`, with which a layer splits a block, and the two factors with which the next layer
    /// splits the halves of this block.
    #[inline(always)]
    fn load_factors(&self, factors: &Factors, n: usize) -> [LoadedFactor<V>; 3] {
        [
            self.load_factor(&factors[n]),
            self.load_factor(&factors[2 * n]),
            self.load_factor(&factors[2 * n + 1]),
        ]
    }

    /// Computes two layers on four rows. `reduced` states for each layer whether its butterflies reduce their
    /// first operand.
    #[inline(always)]
    fn two_layers(
        &self,
        v: &mut [V; 16],
        [i, j, k, l]: [usize; 4],
        zetas: [LoadedFactor<V>; 3],
        reduced: [bool; 2],
    ) {
        let (a, c) = self.butterfly(v[i], v[k], zetas[0], reduced[0]);
        let (b, d) = self.butterfly(v[j], v[l], zetas[0], reduced[0]);
        (v[i], v[j]) = self.butterfly(a, b, zetas[1], reduced[1]);
        (v[k], v[l]) = self.butterfly(c, d, zetas[2], reduced[1]);
    }

    /// Computes the inverse of [`two_layers`](Self::two_layers). The sums of the second layer are multiplied
    /// by `sums`.
    #[inline(always)]
    fn two_inverse_layers(
        &self,
        v: &mut [V; 16],
        [i, j, k, l]: [usize; 4],
        zetas: [LoadedFactor<V>; 3],
        sums: LoadedFactor<V>,
    ) {
        let (a, b) = self.inverse_butterfly(v[i], v[j], zetas[1]);
        let (c, d) = self.inverse_butterfly(v[k], v[l], zetas[2]);
        let (a, c) = self.inverse_butterfly(a, c, zetas[0]);
        let (b, d) = self.inverse_butterfly(b, d, zetas[0]);
        (v[i], v[j]) = (self.multiply(a, sums), self.multiply(b, sums));
        (v[k], v[l]) = (c, d);
    }

    /// Computes (a + ζb, a − ζb). If `reduced`, reduces a first.
    #[inline(always)]
    fn butterfly(&self, a: V, b: V, zeta: LoadedFactor<V>, reduced: bool) -> (V, V) {
        let t = self.multiply(b, zeta);
        let a = if reduced { self.multiply(a, self.one) } else { a };
        (a.add(t), a.sub(t))
    }

    /// Computes (a + b, ζ·(a − b)).
    #[inline(always)]
    fn inverse_butterfly(&self, a: V, b: V, zeta: LoadedFactor<V>) -> (V, V) {
        (a.add(b), self.multiply(a.sub(b), zeta))
    }
}
