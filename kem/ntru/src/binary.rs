//! S/2: polynomials over the field of two elements, one bit a coefficient.

use crate::backend::Backend;
use crate::params::Params;
use crate::ring::Rq;
use core::marker::PhantomData;
use grille_core::{Array, secret};
use zeroize::Zeroize;

/// The 64-bit words of the longest element.
pub(crate) const MAX_WORDS: usize = 1408 / 64;

/// An element of R/2, for one of S/2: bit i % 64 of word i / 64 is the coefficient of xⁱ. Zero from n on.
pub(crate) struct S2<P>([u64; MAX_WORDS], PhantomData<P>);

impl<P: Params> S2<P> {
    /// The words that hold coefficients.
    const WORDS: usize = P::Coefficients::LEN / 64;

    /// The coefficients modulo 2.
    #[inline(always)]
    pub(crate) fn from_rq(a: &Rq<P>) -> Self {
        let mut words = [0; MAX_WORDS];
        for (word, a) in words.iter_mut().zip(a.0.as_ref().as_chunks::<64>().0) {
            *word = a.iter().rev().fold(0, |word, a| word << 1 | u64::from(a & 1));
        }
        Self(words, PhantomData)
    }

    /// Coefficients 0 and 1.
    #[inline(always)]
    pub(crate) fn to_rq(&self) -> Rq<P> {
        let mut a = Rq::<P>::zero();
        for (word, a) in self.0.iter().zip(a.0.as_mut().as_chunks_mut::<64>().0) {
            *a = core::array::from_fn(|i| (word >> i) as u16 & 1);
        }
        a
    }

    /// a·b modulo xⁿ − 1.
    #[inline(always)]
    pub(crate) fn product<B: Backend>(backend: B, a: &Self, b: &Self) -> Self {
        let mut product = [0; 2 * MAX_WORDS];
        backend.multiply_mod2(&a.0[..Self::WORDS], &b.0[..Self::WORDS], &mut product[..2 * Self::WORDS]);
        let (word, shift) = (P::N / 64, P::N % 64);
        let mut c = Self([0; MAX_WORDS], PhantomData);
        for i in 0..Self::WORDS {
            c.0[i] = product[i] ^ product[i + word] >> shift ^ product[i + word + 1] << (64 - shift);
        }
        c.0[Self::WORDS - 1] &= (1 << shift) - 1;
        secret::erase(&mut product);
        c
    }

    /// The coefficient of xⁱ becomes that of x^(stride·i), for all i: see [`Backend::permute_bits`].
    #[inline(always)]
    pub(crate) fn permuted<B: Backend>(&self, backend: B, inverse_stride: usize) -> Self {
        let mut permuted = Self([0; MAX_WORDS], PhantomData);
        backend.permute_bits(P::N, inverse_stride, &self.0[..Self::WORDS], &mut permuted.0[..Self::WORDS]);
        permuted
    }
}

impl<P> Clone for S2<P> {
    fn clone(&self) -> Self {
        Self(self.0, PhantomData)
    }
}

impl<P> Zeroize for S2<P> {
    fn zeroize(&mut self) {
        secret::erase(&mut self.0);
    }
}
