//! GenMatrix and GenSecret, from the streams of `hash.rs`.

use crate::backend::Backend;
use crate::hash::Source;
use crate::params::{EPS_Q, POLY_Q_LEN, Params};
use crate::ring::{Image, N, Poly};
use grille_core::Array;

/// The rows of A, as images.
pub(crate) trait Rows<P: Params> {
    /// Returns row `i`. Rows must be requested in order. `c` is the known part of the ciphertext for which the row is
    /// used.
    fn row<B: Backend>(&mut self, backend: B, i: usize, c: &[u8]) -> &[Image];
}

/// The matrix A with all rows precomputed.
pub(crate) struct Precomputed<'a, P: Params>(pub(crate) &'a P::ImageMatrix);

impl<P: Params> Rows<P> for Precomputed<'_, P> {
    #[inline(always)]
    fn row<B: Backend>(&mut self, _: B, i: usize, _: &[u8]) -> &[Image] {
        &self.0.as_ref()[P::L * i..P::L * (i + 1)]
    }
}

/// The matrix A, computed from its stream one row at a time.
pub(crate) struct Streamed<'a, P: Params, S> {
    stream: &'a mut S,
    /// The message to hash in the Keccak calls of the stream. If it is `None`, the ciphertext that
    /// [`Rows::row`] receives is hashed.
    message: Option<&'a [u8]>,
    row: P::ImageVector,
}

impl<'a, P: Params, S: Source> Streamed<'a, P, S> {
    /// Creates the rows. The Keccak calls of the stream also hash `message`. If `message` is `None`, they hash
    /// the ciphertext that [`Rows::row`] receives.
    pub(crate) fn new(stream: &'a mut S, message: Option<&'a [u8]>) -> Self {
        Self { stream, message, row: P::ImageVector::from_fn(|_| Image::ZERO) }
    }
}

impl<P: Params, S: Source> Rows<P> for Streamed<'_, P, S> {
    #[inline(always)]
    fn row<B: Backend>(&mut self, backend: B, i: usize, c: &[u8]) -> &[Image] {
        let message = self.message.unwrap_or(c);
        for (j, a) in self.row.as_mut().iter_mut().enumerate() {
            gen_entry(backend, self.stream, P::L * i + j, message, a);
        }
        self.row.as_ref()
    }
}

/// Runs GenMatrix for entry `n` of A, counted row by row, as an image. All data is public.
///
/// `message` is the known part of a message that the Keccak calls of the stream may also hash.
#[inline(always)]
pub(crate) fn gen_entry<B: Backend>(
    backend: B,
    stream: &mut impl Source,
    n: usize,
    message: &[u8],
    a: &mut Image,
) {
    let mut entry = Poly::ZERO;
    backend.unpack::<EPS_Q>(stream.bytes(POLY_Q_LEN * n, POLY_Q_LEN * (n + 1), message), &mut entry.0);
    backend.forward(&entry, a);
}

/// Runs GenSecret: samples s with coefficients in [−μ/2, μ/2]. `stream` holds 32·μ·l bytes of SHAKE128 of the
/// seed. All arguments and results are secret.
#[inline(always)]
pub(crate) fn gen_secret<P: Params, B: Backend>(backend: B, stream: &[u8], s: &mut P::Vector) {
    for (bytes, s) in stream.chunks_exact(32 * P::MU).zip(s.as_mut()) {
        match P::MU {
            6 => cbd::<6, B>(backend, bytes, &mut s.0),
            8 => cbd::<8, B>(backend, bytes, &mut s.0),
            10 => cbd::<10, B>(backend, bytes, &mut s.0),
            _ => unreachable!("no set has this μ"),
        }
    }
}

/// Computes each coefficient as HammingWeight(x) − HammingWeight(y), where x is the lower half and y the upper
/// half of μ bits of `bytes`.
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

    fn cbd_counts_every_pattern<const MU: usize>() {
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
        cbd_counts_every_pattern::<6>();
        cbd_counts_every_pattern::<8>();
        cbd_counts_every_pattern::<10>();
    }
}
