//! Constants of the additive FFT, computed at compile time.
//!
//! The FFT evaluates a polynomial at all elements of the field. The element with index x is Σ xᵢ·βᵢ, where βᵢ
//! = z^(m−1−i), so the last βᵢ is 1. One step writes f(x) as f₀(x² + x) + x·f₁(x² + x). If x takes all values
//! in the span of the βᵢ, then x² + x takes each value in the span of γᵢ = βᵢ² + βᵢ twice. This span has one
//! dimension less. Let δ be the last nonzero γᵢ. The γᵢ divided by δ are the βᵢ of the next step, and the
//! coefficients of f₀ and f₁ are multiplied by powers of δ.

use crate::field::{Field, MAX_M, invert, multiply, words};

/// Word i has bit i of each index from 0 to 63.
const LANES: [u64; 6] = [
    0xAAAA_AAAA_AAAA_AAAA,
    0xCCCC_CCCC_CCCC_CCCC,
    0xF0F0_F0F0_F0F0_F0F0,
    0xFF00_FF00_FF00_FF00,
    0xFFFF_0000_FFFF_0000,
    0xFFFF_FFFF_0000_0000,
];

/// The constants for one field. K is log₂ of the number of words of a bitsliced field: 6 or 7.
pub(crate) struct Tables {
    /// The elements by which the butterflies of step 3 and later steps multiply, one word each. Step s starts
    /// at index 2^(K−1−s).
    pub(crate) high: [[u64; MAX_M]; 16],
    /// The elements by which the butterflies of steps 0 to 2 multiply, 2^K/8 words each. Step s starts at
    /// index 2^(2−s).
    pub(crate) low: [[[u64; 16]; MAX_M]; 8],
    /// The 64 elements at which the polynomials after the last step are evaluated.
    pub(crate) leaf: [u64; MAX_M],
    /// For each step, the powers of δ by which coefficients are multiplied.
    pub(crate) scale: [[[u64; 8]; MAX_M]; 7],
    /// The values x^(2^K) for all elements x, in the order of the FFT's results.
    pub(crate) top: [[u64; 128]; MAX_M],
}

/// Returns bit `b` of the sums of `basis` for 64 consecutive indices, whose higher bits are `upper`.
const fn sums(basis: &[u16; MAX_M], dimension: usize, b: usize, upper: usize) -> u64 {
    let mut word = 0;
    let mut i = 0;
    while i < dimension {
        let lanes = if i < 6 { LANES[i] } else { ((upper >> (i - 6) & 1) as u64).wrapping_neg() };
        word ^= ((basis[i] >> b & 1) as u64).wrapping_neg() & lanes;
        i += 1;
    }
    word
}

/// Returns the K lowest bits in reverse order.
const fn reverse<F: Field>(word: usize) -> usize {
    word.reverse_bits() >> (usize::BITS - words::<F>().ilog2())
}

/// Returns the position of a word of 64 consecutive indices in the FFT's results. The steps reverse the bits
/// of a position, and the transposition moves three of these bits to the front.
pub(crate) const fn position<F: Field>(word: usize) -> usize {
    let reversed = reverse::<F>(word);
    (reversed % 8) * (words::<F>() / 8) + reversed / 8
}

/// Returns the constants for a field.
#[inline(always)]
pub(crate) const fn tables<F: Field>() -> &'static Tables {
    const { &Tables::new::<F>() }
}

impl Tables {
    const fn new<F: Field>() -> Self {
        let (m, k) = (F::M, words::<F>().ilog2() as usize);
        let mut tables = Self {
            high: [[0; MAX_M]; 16],
            low: [[[0; 16]; MAX_M]; 8],
            leaf: [0; MAX_M],
            scale: [[[0; 8]; MAX_M]; 7],
            top: [[0; 128]; MAX_M],
        };
        let mut basis = [0; MAX_M];
        let mut i = 0;
        while i < m {
            basis[i] = 1 << (m - 1 - i);
            i += 1;
        }
        tables.fill_top::<F>(basis);
        let mut step = 0;
        while step < k {
            if step < 3 {
                tables.fill_low::<F>(step, &basis);
            } else {
                tables.fill_high::<F>(step, &basis);
            }
            let mut i = 0;
            while i < m - step {
                basis[i] ^= multiply::<F>(basis[i], basis[i]);
                i += 1;
            }
            let delta = basis[m - step - 2];
            let inverse = invert::<F>(delta);
            let mut i = 0;
            while i < m - step {
                basis[i] = multiply::<F>(basis[i], inverse);
                i += 1;
            }
            tables.fill_scale::<F>(step, delta);
            step += 1;
        }
        let mut b = 0;
        while b < m {
            tables.leaf[b] = sums(&basis, 6, b, 0);
            b += 1;
        }
        tables
    }

    const fn fill_high<F: Field>(&mut self, step: usize, basis: &[u16; MAX_M]) {
        let k = words::<F>().ilog2() as usize;
        let bits = k - 1 - step;
        let mut entry: usize = 0;
        while entry < 1 << bits {
            // the bits of a position are in reverse order
            let upper = if bits == 0 { 0 } else { entry.reverse_bits() >> (usize::BITS as usize - bits) };
            let mut b = 0;
            while b < F::M {
                self.high[(1 << bits) + entry][b] = sums(basis, F::M - 1 - step, b, upper);
                b += 1;
            }
            entry += 1;
        }
    }

    const fn fill_low<F: Field>(&mut self, step: usize, basis: &[u16; MAX_M]) {
        let mut entry = 0;
        while entry < 1 << (2 - step) {
            let mut word = 0;
            while word < words::<F>() / 8 {
                let upper = reverse::<F>(word * 8 + (entry << (step + 1)));
                let mut b = 0;
                while b < F::M {
                    self.low[(1 << (2 - step)) + entry][b][word] = sums(basis, F::M - 1 - step, b, upper);
                    b += 1;
                }
                word += 1;
            }
            entry += 1;
        }
    }

    const fn fill_scale<F: Field>(&mut self, step: usize, delta: u16) {
        let (mut position, mut power) = (0, 1);
        while position < 2 * words::<F>() {
            if position != 0 && position % (2 << step) == 0 {
                power = multiply::<F>(power, delta);
            }
            let mut b = 0;
            while b < F::M {
                self.scale[step][b][position / 64] |= ((power >> b & 1) as u64) << (position % 64);
                b += 1;
            }
            position += 1;
        }
    }

    const fn fill_top<F: Field>(&mut self, mut basis: [u16; MAX_M]) {
        let mut i = 0;
        while i < F::M {
            let mut squarings = 0;
            while squarings < words::<F>().ilog2() {
                basis[i] = multiply::<F>(basis[i], basis[i]);
                squarings += 1;
            }
            i += 1;
        }
        let mut word = 0;
        while word < words::<F>() {
            let mut b = 0;
            while b < F::M {
                self.top[b][position::<F>(word)] = sums(&basis, F::M, b, word);
                b += 1;
            }
            word += 1;
        }
    }
}
