//! Sign, Falcon Algorithm 10, with little memory. Tree nodes are computed during the traversal, and only the
//! nodes on the current path are in memory. Signing takes a tenth longer than with the whole tree, and uses a
//! third of the stack.

use super::flr::Real;
use super::sampler::Sampler;
use super::tree::BuildAndSample;
use super::{Images, Request, Signing, set_images, target};
use crate::backend::Operation;
use crate::degree::Degree;
use crate::keygen::Basis;
use crate::poly::{SecretPoly, Secrets};
use alloc::boxed::Box;
use grille_core::boxed;
use grille_hash::Level;

/// Signs like [`sign`](super::sign). The same randomness gives the same signature.
#[inline(always)]
pub(crate) fn sign<D: Degree, R: Real>(level: Level, basis: &Basis<D>, request: Request<'_>) -> usize {
    let Request { params, message, rng, bytes } = request;
    let mut signing = Signing::<D>::new(level, params);
    signing.begin(level, message, rng);
    let mut memory = AttemptMemory::<D, R>::zeroed();
    let mut sampler = Sampler::new(level, params.sigma_min);
    loop {
        signing.seed(&mut sampler.attempts);
        if let Some(len) = memory.attempt(level, basis, &mut sampler, &mut signing, bytes) {
            return len;
        }
    }
}

/// The working memory of an attempt, 7·n values (secret, erased on drop).
struct AttemptMemory<D: Degree, R: Real> {
    t0: SecretPoly<D, R>,
    t1: Box<SecretPoly<D, R>>,
    /// The element g01 of the Gram matrix. The next field, `diagonal`, holds n/2 values of g00, then n/2
    /// values of g11.
    g01: Box<SecretPoly<D, R>>,
    diagonal: SecretPoly<D, R>,
    /// During the traversal, the nodes of the tree. Before and after it, images of the basis.
    nodes: Secrets<R, D::Scratch<R>>,
}

impl<D: Degree, R: Real> AttemptMemory<D, R> {
    #[inline(always)]
    fn zeroed() -> Self {
        Self {
            t0: Secrets::zeroed(),
            t1: boxed(Secrets::zeroed),
            g01: boxed(Secrets::zeroed),
            diagonal: Secrets::zeroed(),
            nodes: Secrets::zeroed(),
        }
    }

    /// Makes one attempt: samples a random vector of the lattice coset that c determines, and encodes it as a
    /// signature. Returns the length, or `None` if the vector is too long or does not fit into the format.
    #[inline(always)]
    fn attempt(
        &mut self,
        level: Level,
        basis: &Basis<D>,
        sampler: &mut Sampler<R>,
        signing: &mut Signing<D>,
        bytes: &mut [u8],
    ) -> Option<usize> {
        let Self { t0, t1, g01, diagonal, nodes } = self;
        let [f, F, G] = thirds::<D, R>(nodes);
        set_images(basis, [&mut *f, &mut *t1, &mut *F, &mut *G]);
        let (g00, g11) = diagonal.split_at_mut(D::N / 2);
        Images { f, g: t1, F, G }.gram(g00, g01, g11);
        signing.set_c(t0);
        target(f, F, t0, t1);
        let inverse_sigma = R::from_bits(signing.params.inverse_sigma);
        BuildAndSample { sampler, t0, t1, g00, g01, g11, inverse_sigma, scratch: nodes }.run(level);
        let [_, F, G] = thirds::<D, R>(nodes);
        set_images(basis, [&mut *g01, &mut *diagonal, &mut *F, &mut *G]);
        Images { f: g01, g: diagonal, F, G }.lattice_point(t0, t1);
        signing.encode(t0.iter().copied().zip(t1.iter().copied()), bytes)
    }
}

/// Splits values into three parts of n values.
fn thirds<D: Degree, R>(values: &mut [R]) -> [&mut [R]; 3] {
    let (first, rest) = values.split_at_mut(D::N);
    let (second, third) = rest.split_at_mut(D::N);
    [first, second, third]
}
