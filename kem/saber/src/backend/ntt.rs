//! The transforms modulo both primes, and products: one text for vectors of every width.
//!
//! A polynomial is 16 rows of 16 coefficients. Four layers of butterflies work on whole rows; then the square of rows
//! is transposed, and the same four layers, with other factors, do the rest. No butterfly crosses lanes.
//!
//! Butterflies of Cooley and Tukey, with Montgomery products: for |b| < 2¹⁵ and |ζ| < q/2 a product is below
//! |b|/12 + q/2, as q < 2¹⁶/6. Bounds are those of q = 10753; the other prime stays below them.

use super::tables::{
    ACROSS, Factor, Factors, INVERSE_ACROSS, INVERSE_WITHIN, MODULI, Q, Q_INVERSES, Q1_INVERSE, WITHIN,
};
use crate::ring::{Image, Poly, Row};

/// Some lanes of a row: all 32, or the half of one prime.
pub(crate) trait Vector: Copy {
    /// What proves that the processor has the instructions.
    type Proof: Copy;
    /// How many vectors a row is.
    const PARTS: usize;

    /// Part `part` of a row.
    fn load(proof: Self::Proof, from: &Row, part: usize) -> Self;
    /// To where [`load`](Self::load) reads.
    fn store(self, to: &mut Row, part: usize);
    /// The same sixteen coefficients for each prime.
    fn load_coefficients(proof: Self::Proof, from: &[i16; 16]) -> Self;
    /// a + b modulo R.
    fn add(self, b: Self) -> Self;
    /// a − b modulo R.
    fn sub(self, b: Self) -> Self;
    /// a·b modulo R.
    fn mul_low(self, b: Self) -> Self;
    /// ⌊a·b/R⌋.
    fn mul_high(self, b: Self) -> Self;
    /// Transposes 16×16 coefficients, those of each prime apart.
    fn transpose(rows: &mut [Self; 16]);
}

/// NTT modulo both primes. |f| ≤ 2¹²; |f̂| < 1.5·q.
#[inline(always)]
pub(super) fn forward<V: Vector>(proof: V::Proof, f: &Poly, f_hat: &mut Image) {
    let rows = f.0.as_chunks().0;
    for part in 0..V::PARTS {
        let mut v: [V; 16] = core::array::from_fn(|r| V::load_coefficients(proof, &rows[r]));
        let moduli = Moduli::load(proof, part);
        // |f| ≤ 4096, 9809, 15991, 22680, 29917
        layers(proof, part, moduli, &mut v, &ACROSS, false);
        V::transpose(&mut v);
        // sums are reduced in layers 5 and 8: |f̂| ≤ 15662, 22324, 29532, 15600
        layers(proof, part, moduli, &mut v, &WITHIN, true);
        v.iter().zip(&mut f_hat.0).for_each(|(v, row)| v.store(row, part));
    }
}

/// Σⱼ aⱼ·bⱼ modulo 2¹⁶, at most 4 products, whose exact sum is within ±12·2²⁰. Images as [`forward`] leaves them.
#[inline(always)]
pub(super) fn dot<'a, V: Vector>(
    proof: V::Proof,
    a: &(impl Iterator<Item = &'a Image> + Clone),
    b: &'a [Image],
    c: &mut Poly,
) {
    let mut residues = Image::ZERO;
    for part in 0..V::PARTS {
        let moduli = Moduli::load(proof, part);
        let one = Pair::load(proof, &INVERSE_WITHIN[0], part);
        let mut v: [V; 16] =
            core::array::from_fn(|r| moduli.sum_of_products(proof, part, r, a.clone().zip(b), one));
        // |v| ≤ 7614 before and below 8000 after each second layer, at most four times that in between
        inverse_layers(proof, part, moduli, &mut v, &INVERSE_WITHIN);
        V::transpose(&mut v);
        inverse_layers(proof, part, moduli, &mut v, &INVERSE_ACROSS);
        v.iter().zip(&mut residues.0).for_each(|(v, row)| v.store(row, part));
    }
    for (residues, c) in residues.0.iter().zip(c.0.as_chunks_mut::<16>().0) {
        combine(residues, c);
    }
}

/// The numbers with the given residues, modulo 2¹⁶: x₁ + q₁·((x₂ − x₁)·q₁⁻¹ mod q₂). |x| < 2¹³.
///
/// The factor of q₁ is within ±3/4·q₂: as a number within ±12·2²⁰ has these residues, this is it.
#[inline(always)]
fn combine(residues: &Row, c: &mut [i16; 16]) {
    for lane in 0..16 {
        let (x1, x2) = (residues[lane], residues[16 + lane]);
        let difference = x2.wrapping_sub(x1);
        let quotient = mul_high(difference.wrapping_mul(Q1_INVERSE[1]), Q[1]);
        let t = mul_high(difference, Q1_INVERSE[0]).wrapping_sub(quotient);
        c[lane] = x1.wrapping_add(Q[0].wrapping_mul(t));
    }
}

/// ⌊a·b/R⌋.
#[inline(always)]
pub(super) const fn mul_high(a: i16, b: i16) -> i16 {
    ((a as i32 * b as i32) >> 16) as i16
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

/// The primes in registers.
#[derive(Clone, Copy)]
struct Moduli<V> {
    q: V,
    q_inv: V,
}

impl<V: Vector> Moduli<V> {
    #[inline(always)]
    fn load(proof: V::Proof, part: usize) -> Self {
        Self { q: V::load(proof, &MODULI, part), q_inv: V::load(proof, &Q_INVERSES, part) }
    }

    /// a·factor·R⁻¹ modulo q, below |a|/12 + q/2.
    #[inline(always)]
    fn multiply(self, a: V, factor: Pair<V>) -> V {
        let quotient = a.mul_low(factor.by_q_inv).mul_high(self.q);
        a.mul_high(factor.value).sub(quotient)
    }

    /// a·b·R⁻¹ modulo q, below |a·b|/R + q/2.
    #[inline(always)]
    fn multiply_residues(self, a: V, b: V) -> V {
        let quotient = a.mul_low(b).mul_low(self.q_inv).mul_high(self.q);
        a.mul_high(b).sub(quotient)
    }

    /// Row `r` of Σⱼ âⱼ·b̂ⱼ·R⁻¹, below 7614.
    #[inline(always)]
    fn sum_of_products<'a>(
        self,
        proof: V::Proof,
        part: usize,
        r: usize,
        terms: impl Iterator<Item = (&'a Image, &'a Image)>,
        one: Pair<V>,
    ) -> V {
        let mut sum = self.q.sub(self.q);
        for (j, (a, b)) in terms.enumerate() {
            if j == 2 {
                // two products are at most 18180, reduced 6868, with two more 25048
                sum = self.multiply(sum, one);
            }
            let (a, b) = (V::load(proof, &a.0[r], part), V::load(proof, &b.0[r], part));
            sum = sum.add(self.multiply_residues(a, b));
        }
        self.multiply(sum, one)
    }
}

/// Four layers of (a + ζb, a − ζb); a reduced in the first and the last layer if `reduced`.
#[inline(always)]
fn layers<V: Vector>(
    proof: V::Proof,
    part: usize,
    moduli: Moduli<V>,
    v: &mut [V; 16],
    factors: &Factors,
    reduced: bool,
) {
    let one = Pair::load(proof, &factors[0], part);
    for depth in 0..4 {
        let distance = 8 >> depth;
        for block in 0..1 << depth {
            let zeta = Pair::load(proof, &factors[(1 << depth) + block], part);
            for i in 2 * distance * block..2 * distance * block + distance {
                let t = moduli.multiply(v[i + distance], zeta);
                let a = if reduced && depth % 3 == 0 { moduli.multiply(v[i], one) } else { v[i] };
                v[i] = a.add(t);
                v[i + distance] = a.sub(t);
            }
        }
    }
}

/// Four layers of (a + b, ζ·(a − b)); the sums of the second and the last one are multiplied with factor 0.
#[inline(always)]
fn inverse_layers<V: Vector>(
    proof: V::Proof,
    part: usize,
    moduli: Moduli<V>,
    v: &mut [V; 16],
    factors: &Factors,
) {
    for depth in (0..4).rev() {
        // number 0 of the table has the factor of the very last layer
        let one = Pair::load(proof, if depth == 0 { &factors[0] } else { &INVERSE_WITHIN[0] }, part);
        let distance = 8 >> depth;
        for block in 0..1 << depth {
            let zeta = Pair::load(proof, &factors[(1 << depth) + block], part);
            for i in 2 * distance * block..2 * distance * block + distance {
                let (sum, difference) = (v[i].add(v[i + distance]), v[i].sub(v[i + distance]));
                v[i] = if depth % 2 == 0 { moduli.multiply(sum, one) } else { sum };
                v[i + distance] = moduli.multiply(difference, zeta);
            }
        }
    }
}
