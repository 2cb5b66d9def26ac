//! Inverses in R: a^(2^(r−1) − 2), since r is a prime of which 2 is a primitive root (Itoh and Tsujii).

use crate::params::{Params, Vector};
use alloc::vec;
use alloc::vec::Vec;
use grille_gf2x::Workspace;
use zeroize::Zeroizing;

/// a⁻¹; a has an odd number of ones. Secret: a.
pub(crate) fn inverse<P: Params>(a: &Vector<P>, workspace: &mut Workspace<P>) -> Vector<P> {
    let mut permuter = Permuter::<P>::new();
    // a^(2^k − 1), where k grows to r − 2, bit by bit
    let exponent = P::N - 2;
    let (mut power, mut k) = (a.clone(), 1);
    for bit in (0..exponent.ilog2()).rev() {
        let raised = permuter.raise(&power, k);
        power = raised.times(&power, workspace);
        k *= 2;
        if exponent >> bit & 1 == 1 {
            power = permuter.raise(&power, 1).times(a, workspace);
            k += 1;
        }
    }
    permuter.raise(&power, 1)
}

/// Raises elements to powers of 2^k, which permutes their bits: the bit of x^i becomes that of x^(i·2^k).
struct Permuter<P: Params> {
    /// A byte for each bit.
    from: Zeroizing<Vec<u8>>,
    to: Zeroizing<Vec<u8>>,
    set: core::marker::PhantomData<P>,
}

impl<P: Params> Permuter<P> {
    fn new() -> Self {
        let bytes = || Zeroizing::new(vec![0; Vector::<P>::WORDS * 64]);
        Self { from: bytes(), to: bytes(), set: core::marker::PhantomData }
    }

    /// a^(2^k). Secret: a. The permutation is public.
    fn raise(&mut self, a: &Vector<P>, k: usize) -> Vector<P> {
        for (bytes, word) in self.from.as_chunks_mut::<64>().0.iter_mut().zip(a.words()) {
            for (bit, byte) in bytes.iter_mut().enumerate() {
                *byte = (word >> bit & 1) as u8;
            }
        }
        // bit i comes from i·2^−k
        let (step, mut index) = (power_of_half(P::N, k), 0);
        for byte in &mut self.to[..P::N] {
            *byte = self.from[index];
            index += step;
            index -= if index >= P::N { P::N } else { 0 };
        }
        let mut raised = Vector::zeroed();
        for (word, bytes) in raised.words_mut().iter_mut().zip(self.to.as_chunks::<64>().0) {
            *word = bytes.iter().enumerate().fold(0, |word, (bit, byte)| word | u64::from(*byte) << bit);
        }
        raised
    }
}

/// 2^−k modulo the odd number r.
fn power_of_half(r: usize, k: usize) -> usize {
    let (mut result, mut square, mut k) = (1, r.div_ceil(2), k);
    while k > 0 {
        if k & 1 == 1 {
            result = result * square % r;
        }
        square = square * square % r;
        k /= 2;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{L1, L3, L5};
    use grille_gf2x::support;
    use grille_hash::Level;

    /// An element with `ones` ones, an odd number.
    fn sparse<P: Params>(ones: u32) -> Vector<P> {
        let positions: Vec<u32> = (0..ones).map(|i| (i * i * 7919 + i) % P::N as u32).collect();
        let mut element = Vector::zeroed();
        support::spread(Level::detect(), &positions, element.words_mut());
        element
    }

    fn product_with_inverse_is_one<P: Params>() {
        let mut workspace = Workspace::new(Level::detect());
        let a = sparse::<P>(P::D as u32);
        let ones: u32 = a.words().iter().map(|word| word.count_ones()).sum();
        assert_eq!(ones % 2, 1, "an odd number has an inverse");
        let product = inverse(&a, &mut workspace).times(&a, &mut workspace);
        assert_eq!((product.words()[0], product.words()[1..].iter().fold(0, |or, word| or | word)), (1, 0));
    }

    #[test]
    fn inverses_are_inverses() {
        product_with_inverse_is_one::<L1>();
        product_with_inverse_is_one::<L3>();
        product_with_inverse_is_one::<L5>();
    }

    #[test]
    fn raising_is_repeated_squaring() {
        let mut workspace = Workspace::new(Level::detect());
        let a = sparse::<L1>(71);
        let mut square = a.clone();
        for k in 1..5 {
            square = square.times(&square.clone(), &mut workspace);
            assert_eq!(Permuter::new().raise(&a, k).words(), square.words(), "k = {k}");
        }
    }
}
