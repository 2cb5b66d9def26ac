//! What a vector unit may replace, and which backend runs an operation.
//!
//! A public operation is a value of a type that implements [`Operation`]: its text is written once, generic over
//! the backend. [`dispatch`] asks once which level this machine has and runs the copy compiled for that level.

/// `fn name(arguments) -> result = kernel;` calls the kernel, which needs the features that the token proves.
#[cfg(target_arch = "x86_64")]
macro_rules! kernels {
    ($(fn $name:ident $(<const $generic:ident: $kind:ty>)? (self $(, $argument:ident: $type:ty)*)
        $(-> $result:ty)? = $kernel:expr;)*) => {$(
        #[inline(always)]
        fn $name $(<const $generic: $kind>)? (self $(, $argument: $type)*) $(-> $result)? {
            // SAFETY: `self` holds a token, which exists only where the processor has the kernel's features.
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
#[allow(unsafe_code)]
mod room;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod toom;

use crate::params::Params;
use grille_hash::Level;

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
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(token) => match token.vnni() {
            Some(token) => avx512::run(token, operation),
            None => avx2::run(token.avx2(), operation),
        },
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(token) => avx2::run(token, operation),
        _ => run_portable(level, operation),
    }
}

/// Not inlined, because its variables would else lie on the stack while another level's copy runs.
#[inline(never)]
fn run_portable<O: Operation>(level: Level, operation: O) -> O::Output {
    operation.run(portable::Portable { level })
}

/// The whole native interface. The default bodies are the portable ones, so a partial backend is normal.
///
/// Secret: all arguments and results.
pub(crate) trait Backend: Copy {
    /// The level that hashes use.
    fn level(self) -> Level;

    /// What products are made in, where they need more than registers and lie in an operation one after the other.
    type Room<P: Params>;

    /// Such room, to be written before it is read.
    fn room<P: Params>(self) -> Self::Room<P>;

    /// c ← a·b modulo xⁿ − 1. Only the lower [`product_bits`](crate::ring::product_bits) bits of c are promised.
    /// `c` zero from n on, as are `a` and `b`.
    #[inline(always)]
    fn multiply<P: Params>(
        self,
        _: &mut Self::Room<P>,
        a: &P::Coefficients,
        b: &P::Coefficients,
        c: &mut P::Coefficients,
    ) {
        portable::multiply::<P>(a, b, c);
    }

    /// The same for small numbers: of c as much is promised where all coefficients of a and b are from −2 to 2, and else
    /// the lower 8 bits.
    #[inline(always)]
    fn multiply_small<P: Params>(
        self,
        room: &mut Self::Room<P>,
        a: &P::Coefficients,
        b: &P::Coefficients,
        c: &mut P::Coefficients,
    ) {
        self.multiply::<P>(room, a, b, c);
    }

    /// The inverse of a modulo (3, Φₙ), any representative: 0 of 0. Coefficients 0, 1 and 2, and of `a` none of xⁿ⁻¹.
    #[inline(always)]
    fn invert_mod3<P: Params>(self, a: &P::Coefficients, inverse: &mut P::Coefficients) {
        divsteps::invert_mod3::<P, _>(portable::Portable { level: self.level() }, a, inverse);
    }

    /// The same modulo (2, Φₙ): coefficients 0 and 1.
    #[inline(always)]
    fn invert_mod2<P: Params>(self, a: &P::Coefficients, inverse: &mut P::Coefficients) {
        divsteps::invert_mod2::<P, _>(portable::Portable { level: self.level() }, a, inverse);
    }

    /// As many coefficients of log₂ q bits as `a` is long, least significant bit first. Bits beyond the last are not
    /// looked at.
    #[inline(always)]
    fn unpack<P: Params>(self, bytes: &[u8], a: &mut [u16]) {
        portable::unpack::<P>(bytes, a);
    }

    /// The inverse: the lower log₂ q bits of each coefficient. The last byte is filled up with zeroes.
    #[inline(always)]
    fn pack<P: Params>(self, a: &[u16], bytes: &mut [u8]) {
        portable::pack::<P>(a, bytes);
    }

    /// Five coefficients 0, 1 and 2 a byte, Σ aᵢ·3ⁱ; the last byte has those that are left.
    #[inline(always)]
    fn pack_trits(self, a: &[u16], bytes: &mut [u8]) {
        portable::pack_trits(a, bytes);
    }

    /// Keys 4·x of numbers x of 30 bits each, least significant bit first: four, or a multiple of it. To the first
    /// `of_each` 1 is added, and 2 to as many after these.
    #[inline(always)]
    fn keys(self, bytes: &[u8], of_each: usize, keys: &mut [i32]) {
        portable::keys(bytes, of_each, keys);
    }

    /// Sorts keys, the first as many as `v` is long and behind them the highest, ascending, and writes the lower two bits of
    /// each. What the keys become is not said.
    #[inline(always)]
    fn sort_signs(self, keys: &mut [i32], v: &mut [u16]) {
        portable::sort_signs(&mut keys[..v.len()], v);
    }
}
