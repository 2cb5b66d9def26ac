//! The values that signing and verification compute from a key, and the operations that compute them in advance.

use crate::backend::{Backend, Operation};
use crate::encode::{SigningKeyLayout, unpack_eta, unpack_t0};
use crate::keygen::SigningKey;
use crate::params::{Engines, Params};
use crate::poly::{NttPoly, Poly, Zero};
use crate::sample::Matrix;
use crate::streams::{Stream, Work, run_all};
use crate::verifying_key::VerifyingKey;
use crate::version::Version;
use zeroize::{Zeroize, Zeroizing};

/// The values that verification computes from the key.
pub(crate) struct ExpandedVerifyingKey<P: Params> {
    /// The matrix Â, in [0, q).
    pub(crate) matrix: P::Matrix,
    /// The vector NTT(−t1).
    pub(crate) minus_t1_hat: P::NttVectorK,
    /// The hash H(pk), in the first `TR_LEN` bytes.
    pub(crate) tr: [u8; 64],
}

impl<P: Params> ExpandedVerifyingKey<P> {
    /// Returns H(pk).
    pub(crate) fn tr(&self) -> &[u8] {
        &self.tr[..P::Version::TR_LEN]
    }
}

/// The operation that computes the values of a prepared verifying key, except for its hash.
pub struct PrepareVerifyingKey<'a, P: Params>(
    pub(crate) &'a VerifyingKey<P>,
    pub(crate) &'a mut ExpandedVerifyingKey<P>,
);

impl<P: Params> Operation for PrepareVerifyingKey<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) {
        let Self(key, expanded) = self;
        expand_a::<P, B>(backend, key.rho(), &mut expanded.matrix);
        let mut t1 = Poly::ZERO;
        for (i, t1_hat) in expanded.minus_t1_hat.as_mut().iter_mut().enumerate() {
            key.minus_t1_hat(backend, i, &mut t1, t1_hat);
        }
    }
}

/// The precomputed values of a prepared signing key.
pub(crate) struct ExpandedSigningKey<P: Params> {
    /// The matrix Â, in [0, q).
    pub(crate) matrix: P::Matrix,
    pub(crate) small: SmallVectors<P>,
    /// The vector NTT(t0).
    pub(crate) t0_hat: P::NttVectorK,
}

/// The vectors s1 and s2 as NTT images modulo the small prime. Erased on drop.
pub(crate) struct SmallVectors<P: Params> {
    pub(crate) s1: P::SmallVectorL,
    pub(crate) s2: P::SmallVectorK,
}

impl<P: Params> Drop for SmallVectors<P> {
    fn drop(&mut self) {
        self.s1.zeroize();
        self.s2.zeroize();
    }
}

impl<P: Params> SmallVectors<P> {
    /// Returns vectors of zeroes, to be filled in place.
    #[inline(always)]
    pub(crate) fn zeroed() -> Self {
        Self { s1: P::SmallVectorL::ZERO, s2: P::SmallVectorK::ZERO }
    }

    /// Computes the vectors from `bytes`, an encoded key with s1 and s2 in range.
    #[inline(always)]
    pub(crate) fn set<B: Backend>(&mut self, backend: B, bytes: &[u8]) {
        let mut poly = Zeroizing::new(Poly::ZERO);
        for (i, s_small) in self.s1.as_mut().iter_mut().chain(self.s2.as_mut()).enumerate() {
            unpack_eta::<P, B>(backend, &bytes[SigningKeyLayout::<P>::s(i)], &mut poly);
            backend.small_ntt(&poly, s_small);
        }
    }
}

/// The vector t0. Only attempts that pass the checks of r0 and z need t0, which happens about once per signature.
#[derive(Clone, Copy)]
pub(crate) enum T0<'a> {
    /// The vector NTT(t0), precomputed.
    Precomputed(&'a [NttPoly]),
    /// The encoding of t0 in an encoded key.
    Encoded(&'a [u8]),
}

impl<'a> T0<'a> {
    /// Returns polynomial `i` of NTT(t0). If t0 is encoded, decodes it to `t0` and computes the result in `t0_hat`.
    #[inline(always)]
    pub(crate) fn ntt_t0<'b, P: Params, B: Backend>(
        self,
        backend: B,
        i: usize,
        t0: &mut Poly,
        t0_hat: &'b mut NttPoly,
    ) -> &'b NttPoly
    where
        'a: 'b,
    {
        match self {
            Self::Precomputed(t0_hat) => &t0_hat[i],
            Self::Encoded(key) => {
                unpack_t0(backend, &key[SigningKeyLayout::<P>::t0(i)], t0);
                backend.ntt(t0, t0_hat);
                t0_hat
            }
        }
    }
}

impl<P: Params> Drop for ExpandedSigningKey<P> {
    fn drop(&mut self) {
        self.t0_hat.zeroize();
    }
}

impl<P: Params> ExpandedSigningKey<P> {
    /// Returns an expanded key of zeroes, to be filled in place.
    #[inline(always)]
    pub(crate) fn zeroed() -> Self {
        Self { matrix: P::Matrix::ZERO, small: SmallVectors::zeroed(), t0_hat: P::NttVectorK::ZERO }
    }

    /// Computes everything except the matrix. `bytes` is an encoded key with s1 and s2 in range.
    #[inline(always)]
    fn set_secrets<B: Backend>(&mut self, backend: B, bytes: &[u8]) {
        self.small.set(backend, bytes);
        let mut t0 = Zeroizing::new(Poly::ZERO);
        for (i, t0_hat) in self.t0_hat.as_mut().iter_mut().enumerate() {
            T0::Encoded(bytes).ntt_t0::<P, B>(backend, i, &mut t0, t0_hat);
        }
    }
}

/// The operation that computes the values of a prepared signing key. The matrix may be known from the generation or
/// import of the key.
pub struct PrepareSigningKey<'a, P: Params> {
    pub(crate) key: &'a SigningKey<P>,
    pub(crate) expanded: &'a mut ExpandedSigningKey<P>,
    pub(crate) matrix_is_known: bool,
}

impl<P: Params> Operation for PrepareSigningKey<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) {
        let Self { key, expanded, matrix_is_known } = self;
        if !matrix_is_known {
            expand_a::<P, B>(backend, key.verifying_key.rho(), &mut expanded.matrix);
        }
        expanded.set_secrets(backend, key.bytes.as_ref());
    }
}

/// Runs ExpandA, FIPS 204 Algorithm 32, in an engine run of its own, without other hashes.
fn expand_a<P: Params, B: Backend>(backend: B, rho: &[u8; 32], matrix: &mut P::Matrix) {
    let mut expansion = Expansion { backend, matrix: Matrix::<P>::new(rho, matrix.as_mut()) };
    run_all::<Engines<P>, _>(backend.level(), &mut expansion);
}

struct Expansion<'a, P: Params, B> {
    backend: B,
    matrix: Matrix<'a, P>,
}

impl<P: Params, B: Backend> Work for Expansion<'_, P, B> {
    fn is_done(&self) -> bool {
        self.matrix.is_complete()
    }

    fn stream(&mut self) -> Option<Stream<'_>> {
        self.matrix.stream()
    }

    fn receive(&mut self, id: usize, bytes: &[u8]) -> bool {
        self.matrix.receive(self.backend, id, bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{P44, P65, P87};

    #[test]
    fn documented_sizes_are_correct() {
        fn tenths_of_a_kibibyte<P: Params>() -> [usize; 2] {
            [size_of::<ExpandedSigningKey<P>>(), size_of::<ExpandedVerifyingKey<P>>()]
                .map(|len| len * 10 / 1024)
        }
        assert_eq!(tenths_of_a_kibibyte::<P44>(), [240, 200]);
        assert_eq!(tenths_of_a_kibibyte::<P65>(), [415, 360]);
        assert_eq!(tenths_of_a_kibibyte::<P87>(), [715, 640]);
    }
}
