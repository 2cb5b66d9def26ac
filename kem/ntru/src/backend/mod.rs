//! The interface to vector instructions.
//!
//! A public operation is a value of a type that implements [`Operation`]. Its code is written once, generic
//! over the backend. [`dispatch()`] detects the CPU level of this machine once and runs the copy compiled for
//! that level.

/// Defines a method for each line `fn name(arguments) -> result = kernel;`. The method calls the kernel,
/// whose CPU features the token proves.
#[cfg(target_arch = "x86_64")]
macro_rules! kernels {
    ($(fn $name:ident $(<const $generic:ident: $kind:ty>)? (self $(, $argument:ident: $type:ty)*)
        $(-> $result:ty)? = $kernel:expr;)*) => {$(
        #[inline(always)]
        fn $name $(<const $generic: $kind>)? (self $(, $argument: $type)*) $(-> $result)? {
            // SAFETY: `self` holds a token, which exists only if the processor has the kernel's features.
            unsafe { $kernel($($argument),*) }
        }
    )*};
}
#[cfg(target_arch = "x86_64")]
use kernels;

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx512;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod columns;
mod dispatch;
mod divsteps;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod hankel;
#[cfg(target_arch = "x86_64")]
mod jumps;
mod lowest;
#[cfg(target_arch = "x86_64")]
mod network;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod opaque;
pub(crate) mod portable;
#[cfg(target_arch = "x86_64")]
mod product;
mod slices;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod toom;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod workspace;

use crate::params::Params;
pub(crate) use dispatch::dispatch;
#[cfg(test)]
pub(crate) use dispatch::dispatch_at;
use grille_hash::Level;
use portable::Portable;

/// An operation that is compiled once for each backend.
pub(crate) trait Operation {
    /// The result of the operation.
    type Output;

    /// Runs the operation. Must be `#[inline(always)]`, so that it is compiled with the backend's instructions.
    fn run<B: Backend>(self, backend: B) -> Self::Output;
}

/// The kernels that a backend may replace. The default bodies are the portable ones, so a backend may implement only
/// some of them.
///
/// All arguments and results are secret.
pub(crate) trait Backend: Copy {
    /// Returns the CPU level at which hash functions run.
    fn level(self) -> Level;

    /// The working memory of products. All products of an operation share it.
    type Workspace<P: Params>;

    /// Returns working memory, which must be written before it is read.
    fn workspace<P: Params>(self) -> Self::Workspace<P>;

    /// Computes c ← a·b modulo xⁿ − 1. Only the lower [`product_bits`](crate::ring::product_bits) bits of c are
    /// defined. The coefficients of a, b and c with index n or above are zero.
    #[inline(always)]
    fn multiply<P: Params>(
        self,
        _: &mut Self::Workspace<P>,
        a: &P::Coefficients,
        b: &P::Coefficients,
        c: &mut P::Coefficients,
    ) {
        portable::multiply::<P>(a, b, c);
    }

    /// Computes c ← a·b modulo xⁿ − 1 for small numbers. If all coefficients of a and b are from −2 to 2, c
    /// has the same defined bits as in `multiply`. Otherwise, only the lower 8 bits of c are defined.
    #[inline(always)]
    fn multiply_small<P: Params>(
        self,
        workspace: &mut Self::Workspace<P>,
        a: &P::Coefficients,
        b: &P::Coefficients,
        c: &mut P::Coefficients,
    ) {
        self.multiply::<P>(workspace, a, b, c);
    }

    /// Computes the inverse of `a` modulo (3, Φₙ). The result may be any representative of its residue class.
    /// The inverse of 0 is 0. The coefficients of `a` are 0, 1 or 2, and that of xⁿ⁻¹ is zero.
    #[inline(always)]
    fn invert_mod3<P: Params>(self, a: &P::Coefficients, inverse: &mut P::Coefficients) {
        divsteps::invert_mod3::<P, _>(Portable { level: self.level() }, a, inverse);
    }

    /// Computes the inverse of `a` modulo (2, Φₙ). The result may be any representative of its residue class.
    /// The inverse of 0 is 0. The coefficients of `a` are 0 or 1, and that of xⁿ⁻¹ is zero.
    #[inline(always)]
    fn invert_mod2<P: Params>(self, a: &P::Coefficients, inverse: &mut P::Coefficients) {
        divsteps::invert_mod2::<P, _>(Portable { level: self.level() }, a, inverse);
    }

    /// Unpacks `a.len()` coefficients of log₂ q bits, least significant bit first. Bits after the last coefficient are
    /// ignored.
    #[inline(always)]
    fn unpack<P: Params>(self, bytes: &[u8], a: &mut [u16]) {
        portable::unpack::<P>(bytes, a);
    }

    /// Packs the lower log₂ q bits of each coefficient. The last byte is padded with zeroes.
    #[inline(always)]
    fn pack<P: Params>(self, a: &[u16], bytes: &mut [u8]) {
        portable::pack::<P>(a, bytes);
    }

    /// Packs coefficients 0, 1 and 2, five per byte, as Σ aᵢ·3ⁱ. The last byte contains the remaining
    /// coefficients.
    #[inline(always)]
    fn pack_trits(self, a: &[u16], bytes: &mut [u8]) {
        portable::pack_trits(a, bytes);
    }

    /// Reads numbers x of 30 bits each from `bytes`, least significant bit first, and computes a sorting key
    /// 4·x from each. Adds 1 to the first `per_sign` keys, and 2 to the next `per_sign` keys. The number of
    /// keys is a multiple of four.
    #[inline(always)]
    fn read_sort_keys(self, bytes: &[u8], per_sign: usize, keys: &mut [i32]) {
        portable::read_sort_keys(bytes, per_sign, keys);
    }

    /// Sorts the first `v.len()` keys in ascending order and writes the lower two bits of each sorted key to
    /// `v`. The other keys are padding: no key may be higher than them. The final contents of `keys` are
    /// unspecified.
    #[inline(always)]
    fn sort_signs(self, keys: &mut [i32], v: &mut [u16]) {
        portable::sort_signs(&mut keys[..v.len()], v);
    }
}

impl Backend for Portable {
    /// The working memory is empty, because each portable product uses its own memory.
    type Workspace<P: Params> = ();

    fn workspace<P: Params>(self) {}

    fn level(self) -> Level {
        self.level
    }
}
