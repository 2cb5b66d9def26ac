//! What a vector unit may replace, and which backend runs an operation.
//!
//! A public operation is a value of a type that implements [`Operation`]: its text is written once, generic over
//! the backend. [`dispatch`] asks once which level this machine has and runs the copy compiled for that level.

mod ntt;
pub(crate) mod portable;
mod tables;
#[cfg(test)]
mod tests;

use crate::encode;
use crate::ring::{Image, N, Poly};
use grille_hash::Level;
use ntt::Vector;

/// An operation whose text is compiled once for each backend.
pub(crate) trait Operation {
    /// What it returns.
    type Output;

    /// Runs it; `#[inline(always)]`, so that it is compiled with the backend's instructions.
    fn run<B: Backend>(self, backend: B) -> Self::Output;
}

/// Runs an operation at the best level of this machine.
pub(crate) fn dispatch<O: Operation>(operation: O) -> O::Output {
    dispatch_at(Level::detect(), operation)
}

/// Runs an operation at a given level.
pub(crate) fn dispatch_at<O: Operation>(level: Level, operation: O) -> O::Output {
    operation.run(portable::Portable(level))
}

/// The whole native interface. The default bodies are the portable ones, so a partial backend is normal.
pub(crate) trait Backend: Copy {
    /// The vectors of the transforms.
    type Lanes: Vector;

    /// What proves that they are there.
    fn proof(self) -> <Self::Lanes as Vector>::Proof;

    /// The level that hashes use.
    fn level(self) -> Level;

    /// The image of f, |f| ≤ 2¹².
    #[inline(always)]
    fn forward(self, f: &Poly, f_hat: &mut Image) {
        ntt::forward::<Self::Lanes>(self.proof(), f, f_hat);
    }

    /// Σⱼ aⱼ·bⱼ modulo 2¹⁶ from images, at most 4 products, whose exact sum is within ±12·2²⁰.
    #[inline(always)]
    fn dot<'a>(self, a: impl Iterator<Item = &'a Image> + Clone, b: &'a [Image], c: &mut Poly) {
        ntt::dot::<Self::Lanes>(self.proof(), &a, b, c);
    }

    /// Coefficients modulo 2^D as a bit string; `bytes`: 32·`D`.
    #[inline(always)]
    fn pack<const D: usize>(self, f: &[i16; N], bytes: &mut [u8]) {
        encode::pack::<D>(f, bytes);
    }

    /// The coefficients of a bit string, in [0, 2^D), or for D = 13 in [−2¹², 2¹²); `bytes`: 32·`D`.
    #[inline(always)]
    fn unpack<const D: usize>(self, bytes: &[u8], f: &mut [i16; N]) {
        encode::unpack::<D>(bytes, f);
    }
}
