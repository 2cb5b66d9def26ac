//! GenMatrix and GenSecret, from the streams that `hash.rs` makes.

use crate::backend::Backend;
use crate::params::{EPS_Q, Params};
use crate::ring::{Image, N, Poly};
use grille_core::Array;
use zeroize::Zeroizing;

/// GenMatrix: A row by row, as images. `stream`: 416·l² bytes of SHAKE128(seed_A). Public data.
#[inline(always)]
pub(crate) fn gen_matrix<P: Params, B: Backend>(backend: B, stream: &[u8]) -> P::ImageMatrix {
    matrix::<P, B>(backend, stream, |n| n)
}

/// GenMatrix: Aᵀ row by row, else as [`gen_matrix`].
#[inline(always)]
pub(crate) fn gen_transposed<P: Params, B: Backend>(backend: B, stream: &[u8]) -> P::ImageMatrix {
    matrix::<P, B>(backend, stream, |n| n % P::L * P::L + n / P::L)
}

/// Entry n of A is where `place` says.
#[inline(always)]
fn matrix<P: Params, B: Backend>(
    backend: B,
    stream: &[u8],
    place: impl Fn(usize) -> usize,
) -> P::ImageMatrix {
    let mut a = P::ImageMatrix::from_fn(|_| Image::ZERO);
    let mut entry = Poly::ZERO;
    for (n, bytes) in stream.chunks_exact(32 * EPS_Q).enumerate() {
        backend.unpack::<EPS_Q>(bytes, &mut entry.0);
        backend.forward(&entry, &mut a.as_mut()[place(n)]);
    }
    a
}

/// GenSecret: s, in [−μ/2, μ/2]. `stream`: 32·μ·l bytes of SHAKE128 of the seed. Secret: all of it.
#[inline(always)]
pub(crate) fn gen_secret<P: Params, B: Backend>(backend: B, stream: &[u8]) -> Zeroizing<P::Vector> {
    let mut s = Zeroizing::new(P::Vector::from_fn(|_| Poly::ZERO));
    for (bytes, s) in stream.chunks_exact(32 * P::MU).zip(s.as_mut()) {
        match P::MU {
            6 => cbd::<6, B>(backend, bytes, &mut s.0),
            8 => cbd::<8, B>(backend, bytes, &mut s.0),
            _ => cbd::<10, B>(backend, bytes, &mut s.0),
        }
    }
    s
}

/// HammingWeight(x) − HammingWeight(y) for the halves x, y of each μ bits.
#[inline(always)]
fn cbd<const MU: usize, B: Backend>(backend: B, bytes: &[u8], s: &mut [i16; N]) {
    backend.unpack::<MU>(bytes, s);
    for s in s {
        let (bits, mut difference) = (*s, 0);
        for i in 0..MU / 2 {
            difference += (bits >> i & 1) - (bits >> (MU / 2 + i) & 1);
        }
        *s = difference;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::portable::Portable;
    use grille_hash::Level;

    fn every_pattern_counts<const MU: usize>() {
        for first in (0..1 << MU).step_by(N) {
            let mut bits = [0; N];
            bits.iter_mut().enumerate().for_each(|(i, bits)| *bits = ((first + i) % (1 << MU)) as i16);
            let (mut bytes, mut s) = ([0; 320], [0; N]);
            let backend = Portable(Level::Portable);
            backend.pack::<MU>(&bits, &mut bytes[..32 * MU]);
            cbd::<MU, _>(backend, &bytes[..32 * MU], &mut s);
            for (bits, s) in bits.iter().zip(s) {
                let (x, y) = (bits % (1 << (MU / 2)), bits >> (MU / 2));
                assert_eq!(i32::from(s), x.count_ones() as i32 - y.count_ones() as i32, "{bits:b}");
            }
        }
    }

    #[test]
    fn secrets_are_differences_of_weights() {
        every_pattern_counts::<6>();
        every_pattern_counts::<8>();
        every_pattern_counts::<10>();
    }
}
