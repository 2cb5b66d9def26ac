//! The NTT modulo q with AVX2, in Pease's order. Each layer of the forward transform reads both halves of the
//! array and writes pairs of neighbours. Each layer of the inverse reads pairs and writes both halves. Every
//! layer is therefore a loop that reads and writes consecutive elements.

use crate::mq::{BARRETT_FACTOR, Q, Q_INVERSE, layer_roots};
use core::arch::x86_64::*;
use grille_cpu::Avx2;

/// A vector of sixteen residues.
type Residues = [i16; 16];

/// Computes [`ntt`](super::ntt()) of at least 32 residues.
pub(super) fn forward(_: Avx2, a: &mut [i16], spare: &mut [i16]) {
    // SAFETY: the token exists only if the processor has this feature.
    unsafe { forward_layers(a, spare) }
}

/// Computes [`inverse_ntt`](super::inverse_ntt) of at least 32 residues.
pub(super) fn inverse(_: Avx2, a: &mut [i16], spare: &mut [i16]) {
    // SAFETY: the token exists only if the processor has this feature.
    unsafe { inverse_layers(a, spare) }
}

#[target_feature(enable = "avx2")]
fn forward_layers(a: &mut [i16], spare: &mut [i16]) {
    let layers = a.len().ilog2();
    let (mut from, mut to) = (a, spare);
    for layer in 0..layers {
        let (low, high) = from.as_chunks::<16>().0.split_at(from.len() / 32);
        let zetas = layer_roots(false, 1 << layer).as_chunks::<16>().0;
        let pairs = to.as_chunks_mut::<16>().0.as_chunks_mut::<2>().0;
        for (((low, high), pair), zeta) in low.iter().zip(high).zip(pairs).zip(zetas.iter().cycle()) {
            let (reduced, product) = (reduce(load(low)), multiply(load(zeta), load(high)));
            let (sum, difference) = (_mm256_add_epi16(reduced, product), _mm256_sub_epi16(reduced, product));
            let (first, second) =
                (_mm256_unpacklo_epi16(sum, difference), _mm256_unpackhi_epi16(sum, difference));
            store(&mut pair[0], _mm256_permute2x128_si256::<0x20>(first, second));
            store(&mut pair[1], _mm256_permute2x128_si256::<0x31>(first, second));
        }
        core::mem::swap(&mut from, &mut to);
    }
    // after an odd number of layers, the result is in `spare`
    if layers % 2 == 1 {
        to.copy_from_slice(from);
    }
}

#[target_feature(enable = "avx2")]
fn inverse_layers(a: &mut [i16], spare: &mut [i16]) {
    let layers = a.len().ilog2();
    let (mut from, mut to) = (a, spare);
    for layer in (0..layers).rev() {
        let half = to.len() / 32;
        let (low, high) = to.as_chunks_mut::<16>().0.split_at_mut(half);
        let zetas = layer_roots(true, 1 << layer).as_chunks::<16>().0;
        let pairs = from.as_chunks::<16>().0.as_chunks::<2>().0;
        for (((low, high), pair), zeta) in low.iter_mut().zip(high).zip(pairs).zip(zetas.iter().cycle()) {
            let (first, second) = (even_then_odd(load(&pair[0])), even_then_odd(load(&pair[1])));
            let x = _mm256_permute2x128_si256::<0x20>(first, second);
            let y = _mm256_permute2x128_si256::<0x31>(first, second);
            store(low, reduce(_mm256_add_epi16(x, y)));
            store(high, multiply(load(zeta), _mm256_sub_epi16(x, y)));
        }
        core::mem::swap(&mut from, &mut to);
    }
    if layers % 2 == 1 {
        to.copy_from_slice(from);
    }
}

/// Returns residues 0, 2, 4, …, then 1, 3, 5, ….
#[inline]
#[target_feature(enable = "avx2")]
fn even_then_odd(x: __m256i) -> __m256i {
    let order =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15));
    _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_shuffle_epi8(x, order))
}

/// Computes [`mul`](crate::mq::mul) of each residue.
#[inline]
#[target_feature(enable = "avx2")]
fn multiply(a: __m256i, b: __m256i) -> __m256i {
    let quotient = _mm256_mullo_epi16(_mm256_mullo_epi16(a, b), _mm256_set1_epi16(Q_INVERSE));
    _mm256_sub_epi16(_mm256_mulhi_epi16(a, b), _mm256_mulhi_epi16(quotient, _mm256_set1_epi16(Q)))
}

/// Computes [`reduce`](crate::mq::reduce) of each residue.
#[inline]
#[target_feature(enable = "avx2")]
fn reduce(a: __m256i) -> __m256i {
    let high = _mm256_mulhi_epi16(a, _mm256_set1_epi16(BARRETT_FACTOR));
    let quotient = _mm256_srai_epi16::<11>(_mm256_add_epi16(high, _mm256_set1_epi16(1024)));
    _mm256_sub_epi16(a, _mm256_mullo_epi16(quotient, _mm256_set1_epi16(Q)))
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(residues: &Residues) -> __m256i {
    // SAFETY: sixteen residues are 32 bytes.
    unsafe { _mm256_loadu_si256(residues.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(residues: &mut Residues, x: __m256i) {
    // SAFETY: sixteen residues are 32 bytes.
    unsafe { _mm256_storeu_si256(residues.as_mut_ptr().cast(), x) }
}
