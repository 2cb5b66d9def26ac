//! Sign, Falcon Algorithm 10, on a short stack: the tree grows where the walk is, and of it no more is held than the nodes
//! above. That takes a tenth longer than to grow it whole, and half the stack.

use super::flr::Real;
use super::sampler::Sampler;
use super::tree::GrowAndSample;
use super::{Images, Request, Signing, set_images};
use crate::backend::Operation;
use crate::keygen::Basis;
use crate::params::Degree;
use crate::poly::{SecretPoly, Secrets};
use alloc::boxed::Box;
use grille_hash::Level;

/// As [`sign`](super::sign), with the same randomness the same signature.
#[inline(always)]
pub(crate) fn sign<D: Degree, R: Real>(level: Level, basis: &Basis<D>, request: Request<'_>) -> usize {
    let Request { params, message, rng, bytes } = request;
    let mut signing = Signing::<D>::new(level, params, message, rng);
    let mut room = Room::<D, R>::zeroed();
    loop {
        let mut sampler = Sampler::new(signing.next_prng(level), R::from_bits(params.sigma_min));
        if let Some(len) = room.attempt(level, basis, &mut sampler, &mut signing, bytes) {
            return len;
        }
    }
}

/// What an attempt works in (secret; erased on drop): 8·n values.
struct Room<D: Degree, R: Real> {
    t0: SecretPoly<D, R>,
    t1: Box<SecretPoly<D, R>>,
    /// The Gram matrix: g01, and n/2 values each of g00 and g11.
    g01: SecretPoly<D, R>,
    diagonal: SecretPoly<D, R>,
    /// The images of f, g, F and G, and between their uses the nodes of the tree.
    images: Secrets<R, D::Images<R>>,
}

impl<D: Degree, R: Real> Room<D, R> {
    #[inline(always)]
    fn zeroed() -> Self {
        Self {
            t0: Secrets::zeroed(),
            t1: Box::new(Secrets::zeroed()),
            g01: Secrets::zeroed(),
            diagonal: Secrets::zeroed(),
            images: Secrets::zeroed(),
        }
    }

    /// One attempt: a random vector of the lattice's coset that c names.
    #[inline(always)]
    fn attempt(
        &mut self,
        level: Level,
        basis: &Basis<D>,
        sampler: &mut Sampler<R>,
        signing: &mut Signing<D>,
        bytes: &mut [u8],
    ) -> Option<usize> {
        let Self { t0, t1, g01, diagonal, images } = self;
        let (g00, g11) = diagonal.split_at_mut(D::N / 2);
        signing.set_c(t0);
        let of_basis = images_of(basis, images);
        of_basis.gram(g00, g01, g11);
        of_basis.target(t0, t1);
        let inverse_sigma = R::from_bits(signing.params.inverse_sigma);
        GrowAndSample { sampler, t0, t1, g00, g01, g11, inverse_sigma, room: images }.run(level);
        images_of(basis, images).lattice_point(t0, t1);
        signing.encoded(t0.iter().copied().zip(t1.iter().copied()), bytes)
    }
}

/// Those of f, g, F and G, in 4·n values.
#[inline(always)]
fn images_of<'a, D: Degree, R: Real>(basis: &Basis<D>, room: &'a mut [R]) -> Images<'a, R> {
    let (first, last) = room.split_at_mut(2 * D::N);
    let ((f, g), (F, G)) = (first.split_at_mut(D::N), last.split_at_mut(D::N));
    set_images(basis, [&mut *f, &mut *g, &mut *F, &mut *G]);
    Images { f, g, F, G }
}
