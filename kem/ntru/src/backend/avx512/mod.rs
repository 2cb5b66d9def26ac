//! Kernels with 512-bit vectors and with the dot-product instructions of VNNI.

mod bytes;
mod columns;
mod keys;
mod product;
mod slices;
mod strings;

use super::hankel::{Column, Halves, Lanes, Plan, Space};
use super::opaque::opaque;
use super::product::multiply_by_length;
use super::slices::Slices;
use super::workspace::{Erase, Workspace};
use super::{Backend, Operation, divsteps, jumps};
use crate::params::Params;
use core::arch::x86_64::*;
use core::mem::MaybeUninit;
use grille_cpu::Vnni as Token;
use grille_hash::Level;

/// The AVX-512 backend.
#[derive(Clone, Copy)]
pub(crate) struct Avx512 {
    /// Proof that the processor has AVX-512 F, BW, DQ, VL, VBMI, VBMI2 and VNNI. Every `unsafe` block here
    /// relies on this token.
    token: Token,
}

/// Runs the copy of an operation that was compiled with AVX-512.
pub(super) fn run<O: Operation>(token: Token, operation: O) -> O::Output {
    #[target_feature(
        enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vnni,bmi1,bmi2,popcnt,pclmulqdq"
    )]
    fn run_compiled<O: Operation>(backend: Avx512, operation: O) -> O::Output {
        operation.run(backend)
    }
    // SAFETY: `token` exists only if the processor has these features.
    unsafe { run_compiled(Avx512 { token }, operation) }
}

impl Backend for Avx512 {
    #[inline(always)]
    fn level(self) -> Level {
        Level::Avx512(self.token.avx512())
    }

    type Workspace<P: Params> = Workspace<P, Self>;

    #[inline(always)]
    fn workspace<P: Params>(self) -> Workspace<P, Self> {
        Workspace::new(self)
    }

    #[inline(always)]
    fn multiply<P: Params>(
        self,
        workspace: &mut Workspace<P, Self>,
        a: &P::Coefficients,
        b: &P::Coefficients,
        c: &mut P::Coefficients,
    ) {
        // SAFETY: `self.token` exists only if the processor has the kernel's features.
        unsafe { multiply::<P>(self, workspace.numbers(), a, b, c) }
    }

    #[inline(always)]
    fn multiply_small<P: Params>(
        self,
        workspace: &mut Workspace<P, Self>,
        a: &P::Coefficients,
        b: &P::Coefficients,
        c: &mut P::Coefficients,
    ) {
        if bytes::is_fastest(P::N) {
            // SAFETY: `self.token` exists only if the processor has the kernel's features.
            unsafe { bytes::multiply(P::N, workspace.bytes(), a.as_ref(), b.as_ref(), c.as_mut()) }
        } else {
            self.multiply::<P>(workspace, a, b, c);
        }
    }

    #[inline(always)]
    fn unpack<P: Params>(self, bytes: &[u8], a: &mut [u16]) {
        // SAFETY: `self.token` exists only if the processor has the kernel's features.
        unsafe { strings::unpack(const { &strings::UnpackTables::new(P::LOG_Q) }, P::LOG_Q, bytes, a) }
    }

    #[inline(always)]
    fn pack<P: Params>(self, a: &[u16], bytes: &mut [u8]) {
        // SAFETY: `self.token` exists only if the processor has the kernel's features.
        unsafe { strings::pack(const { &strings::byte_positions(P::LOG_Q) }, P::LOG_Q, a, bytes) }
    }

    #[inline(always)]
    fn pack_trits(self, a: &[u16], bytes: &mut [u8]) {
        // SAFETY: `self.token` exists only if the processor has the kernel's features.
        unsafe { strings::pack_trits(a, bytes) }
    }

    #[inline(always)]
    fn read_sort_keys(self, bytes: &[u8], per_sign: usize, keys: &mut [i32]) {
        // SAFETY: `self.token` exists only if the processor has the kernel's features.
        unsafe { strings::read_sort_keys(bytes, per_sign, keys) }
    }

    #[inline(always)]
    fn invert_mod3<P: Params>(self, a: &P::Coefficients, inverse: &mut P::Coefficients) {
        // SAFETY: `self.token` exists only if the processor has the kernel's features.
        unsafe { invert_mod3::<P>(self, a, inverse) }
    }

    #[inline(always)]
    fn invert_mod2<P: Params>(self, a: &P::Coefficients, inverse: &mut P::Coefficients) {
        // SAFETY: `self.token` exists only if the processor has the kernel's features.
        unsafe { jumps::invert_mod2(&a.as_ref()[..P::N], &mut inverse.as_mut()[..P::N]) }
    }

    #[inline(always)]
    fn sort_signs(self, keys: &mut [i32], v: &mut [u16]) {
        // SAFETY: `self.token` exists only if the processor has the kernel's features.
        unsafe { keys::sort_signs(self.token, keys, v) }
    }
}

/// Implements [`Backend::multiply`].
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vnni,bmi1,bmi2,popcnt"
)]
fn multiply<P: Params>(
    backend: Avx512,
    space: &mut Space,
    a: &P::Coefficients,
    b: &P::Coefficients,
    c: &mut P::Coefficients,
) {
    multiply_by_length::<P, _>(backend, space, a, b, c);
}

/// A product that is not split further, with 32·`R` entries.
pub(crate) struct UnsplitProduct<const R: usize>;

// SAFETY: `run` writes all entries.
unsafe impl<const R: usize> Plan<Avx512> for UnsplitProduct<R> {
    const M: usize = 32 * R;
    const SCRATCH: usize = 32 * R + 64;

    #[inline(always)]
    fn run(_: Avx512, d: &[u16], w: &[u16], out: &mut Space, scratch: &mut Space) {
        // SAFETY: the argument exists only if the processor has the kernel's features.
        unsafe {
            product::multiply_unsplit::<R>(
                &d[..64 * R],
                &w[..32 * R],
                &mut out[..32 * R],
                &mut scratch[..32 * R + 64],
            );
        }
    }
}

/// Implements [`Backend::invert_mod3`].
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vnni,bmi1,bmi2,popcnt"
)]
fn invert_mod3<P: Params>(backend: Avx512, a: &P::Coefficients, inverse: &mut P::Coefficients) {
    divsteps::invert_mod3::<P, _>(backend, a, inverse);
}

impl Erase for Avx512 {
    super::kernels! {
        fn erase(self, space: &mut Space) = product::erase;
    }
}

impl Lanes for Avx512 {
    type V = __m512i;
    type Product384 = Halves<Halves<UnsplitProduct<3>>>;

    super::kernels! {
        fn load(self, from: &[u16; 32]) -> __m512i = product::load;
        fn store(self, to: &mut [MaybeUninit<u16>; 32], v: __m512i) = product::store;
        fn add(self, a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi16;
        fn sub(self, a: __m512i, b: __m512i) -> __m512i = _mm512_sub_epi16;
        fn times(self, c: i16, a: __m512i) -> __m512i = product::times;
        fn divide_by_8(self, a: __m512i) -> __m512i = _mm512_srli_epi16::<3>;
        fn reverse(self, a: __m512i) -> __m512i = product::reverse;
        fn zero(self) -> __m512i = _mm512_setzero_si512;
        fn permute_groups<const PLACES: usize>(self, a: __m512i) -> __m512i = columns::permute_groups::<PLACES>;
        fn shift_groups<const COUNT: usize>(self, a: __m512i, b: __m512i) -> __m512i = columns::shift_groups::<COUNT>;
        fn last_of_groups(self, rows: [__m512i; 4]) -> __m512i = columns::last_of_groups;
        fn replace_last_group<const HALF: usize>(self, a: __m512i, b: __m512i) -> __m512i = columns::replace_last_group::<HALF>;
        fn spread_last(self, a: __m512i, b: __m512i) -> __m512i = columns::spread_last;
        fn negate_outer(self, a: __m512i) -> __m512i = columns::negate_outer;
        fn negate_inner(self, a: __m512i) -> __m512i = columns::negate_inner;
        fn transpose(self, rows: [__m512i; 8]) -> [__m512i; 8] = columns::transpose;
        fn multiply_columns<const N: usize>(self, d: &[Column], w: &[Column], out: &mut [Column], scratch: &mut [Column])
            = columns::multiply::<N>;
    }
}

impl Slices for Avx512 {
    type V = __m512i;
    type Mask = __mmask8;
    const WORDS: usize = 8;

    #[inline(always)]
    fn opaque(self, word: u64) -> u64 {
        opaque(word)
    }

    #[inline(always)]
    fn mask(self, word: u64) -> __mmask8 {
        word as __mmask8
    }

    super::kernels! {
        fn load_words(self, words: &[u64]) -> __m512i = slices::load_words;
        fn store_words(self, words: &mut [u64], v: __m512i) = slices::store_words;
        fn splat(self, word: u64) -> __m512i = slices::splat;
        fn first(self, v: __m512i) -> u64 = slices::first;
        fn rotate_up(self, v: __m512i) -> __m512i = slices::rotate_up;
        fn rotate_down(self, v: __m512i) -> __m512i = slices::rotate_down;
        fn xor(self, a: __m512i, b: __m512i) -> __m512i = _mm512_xor_si512;
        fn and(self, a: __m512i, b: __m512i) -> __m512i = _mm512_and_si512;
        fn and_not(self, a: __m512i, b: __m512i) -> __m512i = slices::and_not;
        fn apply_mask(self, mask: __mmask8, v: __m512i) -> __m512i = _mm512_maskz_mov_epi64;
        fn select(self, mask: __mmask8, a: __m512i, b: __m512i) -> __m512i = _mm512_mask_blend_epi64;
        fn sum_masked(self, mask: __mmask8, a: [__m512i; 2], b: __m512i, differ: __m512i) -> [__m512i; 2]
            = slices::sum_masked;
        fn xor_masked(self, mask: __mmask8, a: __m512i, b: __m512i) -> __m512i = slices::xor_masked;
    }
}
