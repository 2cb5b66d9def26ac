//! Kernels with 256-bit vectors. A vector holds 16 coefficients.

mod columns;
mod keys;
mod product;
mod slices;

use super::hankel::{Column, Halves, Lanes, Plan, Space, Thirds};
use super::network::{self, Keys};
use super::opaque::opaque;
use super::product::multiply_by_length;
use super::slices::Slices;
use super::workspace::{Erase, Workspace};
use super::{Backend, Operation, divsteps, jumps};
use crate::params::Params;
use core::arch::x86_64::*;
use core::mem::MaybeUninit;
use grille_cpu::Avx2 as Token;
use grille_hash::Level;

/// The AVX2 backend.
#[derive(Clone, Copy)]
pub(crate) struct Avx2 {
    /// Proof that the processor has AVX2, BMI1, BMI2, POPCNT and PCLMULQDQ. Every `unsafe` block here relies
    /// on this token.
    token: Token,
}

/// Runs the copy of an operation that was compiled with AVX2.
pub(super) fn run<O: Operation>(token: Token, operation: O) -> O::Output {
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,pclmulqdq")]
    fn run_compiled<O: Operation>(backend: Avx2, operation: O) -> O::Output {
        operation.run(backend)
    }
    // SAFETY: `token` exists only if the processor has these features.
    unsafe { run_compiled(Avx2 { token }, operation) }
}

impl Backend for Avx2 {
    #[inline(always)]
    fn level(self) -> Level {
        Level::Avx2(self.token)
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
        unsafe { sort_signs(self, keys, v) }
    }
}

/// Implements [`Backend::multiply`].
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn multiply<P: Params>(
    backend: Avx2,
    space: &mut Space,
    a: &P::Coefficients,
    b: &P::Coefficients,
    c: &mut P::Coefficients,
) {
    multiply_by_length::<P, _>(backend, space, a, b, c);
}

/// A product that is not split further, with 64 entries.
pub(crate) struct Product64;

// SAFETY: `run` writes all 64 entries.
unsafe impl Plan<Avx2> for Product64 {
    const M: usize = 64;
    const SCRATCH: usize = 64 + 64 + 32;

    #[inline(always)]
    fn run(_: Avx2, d: &[u16], w: &[u16], out: &mut Space, scratch: &mut Space) {
        let d = d.first_chunk().expect("128 entries");
        let w = w.first_chunk().expect("64 entries");
        // SAFETY: the argument exists only if the processor has the kernel's features.
        unsafe { product::multiply_64(d, w, out.first_chunk_mut().expect("64 entries"), scratch) }
    }
}

/// Implements [`Backend::invert_mod3`].
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn invert_mod3<P: Params>(backend: Avx2, a: &P::Coefficients, inverse: &mut P::Coefficients) {
    divsteps::invert_mod3::<P, _>(backend, a, inverse);
}

/// Implements [`Backend::sort_signs`].
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn sort_signs(backend: Avx2, keys: &mut [i32], v: &mut [u16]) {
    network::sort_signs(backend, keys, v);
}

impl Erase for Avx2 {
    super::kernels! {
        fn erase(self, space: &mut Space) = product::erase;
    }
}

impl Keys for Avx2 {
    type Row = __m256i;
    const LANES: usize = 8;

    super::kernels! {
        fn load_row(self, from: &[i32]) -> __m256i = keys::load_row;
        fn store_row(self, to: &mut [i32], row: __m256i) = keys::store_row;
        fn order(self, a: __m256i, b: __m256i) -> [__m256i; 2] = keys::order;
        fn exchange<const MASK: usize>(self, row: __m256i) -> __m256i = keys::exchange::<MASK>;
        fn order_by_lane<const BIT: usize>(self, a: __m256i, b: __m256i) -> [__m256i; 2] = keys::order_by_lane::<BIT>;
        fn transpose_signs<const ROWS: usize>(self, rows: &[i32], to: &mut [u16], distance: usize)
            = keys::transpose_signs::<ROWS>;
    }
}

impl Lanes for Avx2 {
    type V = [__m256i; 2];
    type Product384 = Halves<Thirds<Product64>>;

    super::kernels! {
        fn load(self, from: &[u16; 32]) -> [__m256i; 2] = product::load;
        fn store(self, to: &mut [MaybeUninit<u16>; 32], v: [__m256i; 2]) = product::store;
        fn add(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] = product::add;
        fn sub(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] = product::sub;
        fn times(self, c: i16, a: [__m256i; 2]) -> [__m256i; 2] = product::times;
        fn divide_by_8(self, a: [__m256i; 2]) -> [__m256i; 2] = product::divide_by_8;
        fn reverse(self, a: [__m256i; 2]) -> [__m256i; 2] = product::reverse;
        fn zero(self) -> [__m256i; 2] = columns::zero;
        fn permute_groups<const PLACES: usize>(self, a: [__m256i; 2]) -> [__m256i; 2] = columns::permute_groups::<PLACES>;
        fn shift_groups<const COUNT: usize>(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] = columns::shift_groups::<COUNT>;
        fn last_of_groups(self, rows: [[__m256i; 2]; 4]) -> [__m256i; 2] = columns::last_of_groups;
        fn replace_last_group<const HALF: usize>(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] = columns::replace_last_group::<HALF>;
        fn spread_last(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] = columns::spread_last;
        fn negate_outer(self, a: [__m256i; 2]) -> [__m256i; 2] = columns::negate_outer;
        fn negate_inner(self, a: [__m256i; 2]) -> [__m256i; 2] = columns::negate_inner;
        fn transpose(self, rows: [[__m256i; 2]; 8]) -> [[__m256i; 2]; 8] = columns::transpose;
        fn multiply_columns<const N: usize>(self, d: &[Column], w: &[Column], out: &mut [Column], scratch: &mut [Column])
            = columns::multiply::<N>;
    }
}

impl Slices for Avx2 {
    type V = __m256i;
    type Mask = __m256i;
    const WORDS: usize = 4;

    #[inline(always)]
    fn opaque(self, word: u64) -> u64 {
        opaque(word)
    }

    super::kernels! {
        fn load_words(self, words: &[u64]) -> __m256i = slices::load_words;
        fn store_words(self, words: &mut [u64], v: __m256i) = slices::store_words;
        fn splat(self, word: u64) -> __m256i = slices::splat;
        fn mask(self, word: u64) -> __m256i = slices::splat;
        fn apply_mask(self, mask: __m256i, v: __m256i) -> __m256i = _mm256_and_si256;
        fn first(self, v: __m256i) -> u64 = slices::first;
        fn rotate_up(self, v: __m256i) -> __m256i = slices::rotate_up;
        fn rotate_down(self, v: __m256i) -> __m256i = slices::rotate_down;
        fn xor(self, a: __m256i, b: __m256i) -> __m256i = _mm256_xor_si256;
        fn and(self, a: __m256i, b: __m256i) -> __m256i = _mm256_and_si256;
        fn and_not(self, a: __m256i, b: __m256i) -> __m256i = slices::and_not;
        fn select(self, mask: __m256i, a: __m256i, b: __m256i) -> __m256i = slices::select;
    }
}
