//! Sampling, FIPS 203 section 4.2.2, of a whole matrix or vector at a time. Several streams are read in
//! parallel.

use crate::backend::Backend;
use crate::hash::{AesStreams, Stream};
use crate::keccak_schedule::{Eta, NoiseJob};
use crate::matrix_source::{Order, Source};
use crate::params::Params;
use crate::poly::{N, NttPoly, Poly};
use crate::version::Version;
use grille_core::erase;
use grille_hash::Level;

/// Expands Âᵀ row by row, in [0, q), for versions whose XOF is not Keccak. Samples one or two rows at a time.
///
/// In Kyber-90s, XOF is PRF with a nonce of two bytes.
pub(crate) fn matrix_by_streams<P: Params, B: Backend>(backend: B, rho: &[u8; 32], a_hat_t: &mut [NttPoly]) {
    match P::K {
        3 => rows_by_streams::<P, B, 3>(backend, rho, a_hat_t),
        _ => rows_by_streams::<P, B, 4>(backend, rho, a_hat_t),
    }
}

fn rows_by_streams<P: Params, B: Backend, const W: usize>(
    backend: B,
    rho: &[u8; 32],
    a_hat_t: &mut [NttPoly],
) {
    let source = Source { rho, k: P::K, order: Order::Columns };
    for (group, entries) in a_hat_t.chunks_mut(W).enumerate() {
        let nonces: [[u8; 2]; W] = core::array::from_fn(|n| source.indices(W * group + n));
        let xof = AesStreams::<W>::new(backend.level(), rho, nonces.each_ref().map(|nonce| &nonce[..]));
        sample_ntt(backend, xof, entries);
    }
}

/// Runs SampleNTT, FIPS 203 Algorithm 7, for up to `W` polynomials at once. All data is public.
pub(crate) fn sample_ntt<B: Backend, S: Stream<W>, const W: usize>(
    backend: B,
    mut xof: S,
    polys: &mut [NttPoly],
) {
    /// The number of bytes in a SHAKE128 block. It holds 112 candidates, of which 91 are accepted on average.
    const BLOCK: usize = 168;
    let mut bytes = [[0; 3 * BLOCK]; W];
    xof.squeeze(bytes.each_mut().map(<[u8; 3 * BLOCK]>::as_mut_slice));
    // streams without a polynomial count as finished
    let mut filled = [N; W];
    for ((bytes, poly), filled) in bytes.iter().zip(polys.iter_mut()).zip(&mut filled) {
        *filled = backend.reject_uniform(bytes, poly, 0);
    }
    while filled.iter().any(|filled| *filled < N) {
        xof.squeeze(bytes.each_mut().map(|bytes| &mut bytes[..BLOCK]));
        for ((bytes, poly), filled) in bytes.iter().zip(polys.iter_mut()).zip(&mut filled) {
            *filled = backend.reject_uniform(&bytes[..BLOCK], poly, *filled);
        }
    }
}

/// Computes SamplePolyCBD_η(PRF_η(s, b)), FIPS 203 Algorithm 8, for b = 0, 1, …. The coefficients are in [−η,
/// η].
///
/// `s` and the result are secret.
pub(crate) fn noise<P: Params, B: Backend>(backend: B, s: &[u8; 32], eta: Eta, polys: &mut [Poly]) {
    if !P::Version::USES_KECCAK {
        return noise_by_streams(backend, s, eta, polys);
    }
    let (count, long) = (polys.len(), eta.calls(polys.len()) > polys.len());
    match backend.level() {
        Level::Portable => NoiseJob::new(backend, s, polys, eta, 0).run_separately::<1>(),
        Level::Neon(_) | Level::Simd128(_) => {
            NoiseJob::new(backend, s, polys, eta, 0).run_separately::<2>();
        }
        Level::Avx512(_) if count > 4 && !long => {
            let eight = count.min(8);
            NoiseJob::new(backend, s, &mut polys[..eight], eta, 0).run_separately::<8>();
            if count > 8 {
                NoiseJob::new(backend, s, polys, eta, 8).run_separately::<1>();
            }
        }
        Level::Avx2(_) | Level::Avx512(_) => NoiseJob::new(backend, s, polys, eta, 0).run_separately::<4>(),
    }
}

/// Implements [`noise`] for versions whose PRF is not Keccak. Samples four polynomials at a time.
fn noise_by_streams<B: Backend>(backend: B, s: &[u8; 32], eta: Eta, polys: &mut [Poly]) {
    const W: usize = 4;
    for (group, polys) in polys.chunks_mut(W).enumerate() {
        let nonces: [[u8; 1]; W] = core::array::from_fn(|n| [(W * group + n) as u8]);
        let mut prf = AesStreams::<W>::new(backend.level(), s, nonces.each_ref().map(|nonce| &nonce[..]));
        // each polynomial takes 64·η bytes, with η ≤ 3
        let mut bytes = [[0; 64 * 3]; W];
        prf.squeeze(bytes.each_mut().map(|bytes| &mut bytes[..]));
        for (n, (bytes, poly)) in bytes.iter().zip(polys).enumerate() {
            cbd(backend, eta.for_polynomial(W * group + n), bytes, poly);
        }
        erase(bytes.as_flattened_mut());
    }
}

/// Computes SamplePolyCBD_η, FIPS 203 Algorithm 8, from the first 64·η bytes; η is 2 or 3. `bytes` and the
/// result are secret.
#[inline(always)]
pub(crate) fn cbd<B: Backend>(backend: B, eta: usize, bytes: &[u8; 64 * 3], poly: &mut Poly) {
    if eta == 2 {
        backend.cbd::<2>(&bytes[..64 * 2], poly);
    } else {
        backend.cbd::<3>(bytes, poly);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::{Operation, dispatch_at};
    use crate::field::Q;

    /// Streams whose first bytes are all rejected. Each stream starts with more rejected bytes than the
    /// previous one.
    struct ManyRejections<const W: usize> {
        position: usize,
    }

    impl<const W: usize> ManyRejections<W> {
        fn byte(lane: usize, position: usize) -> u8 {
            let rejected = position < 300 * lane;
            if rejected { 0xFF } else { ((position * position * 167 + lane * 31) >> 3) as u8 }
        }
    }

    impl<const W: usize> Stream<W> for ManyRejections<W> {
        fn new(_level: Level, _seed: &[u8; 32], _nonces: [&[u8]; W]) -> Self {
            Self { position: 0 }
        }

        fn squeeze(&mut self, outputs: [&mut [u8]; W]) {
            let len = outputs[0].len();
            for (lane, output) in outputs.into_iter().enumerate() {
                assert_eq!(output.len(), len);
                output
                    .iter_mut()
                    .enumerate()
                    .for_each(|(i, byte)| *byte = Self::byte(lane, self.position + i));
            }
            self.position += len;
        }
    }

    /// Samples one stream step by step as FIPS 203 Algorithm 7 describes.
    fn sample_reference(lane: usize) -> [i16; N] {
        let mut candidates = (0..).step_by(3).flat_map(|position| {
            let c = [0, 1, 2].map(|i| i16::from(ManyRejections::<1>::byte(lane, position + i)));
            [c[0] + 256 * (c[1] % 16), c[1] / 16 + 16 * c[2]]
        });
        core::array::from_fn(|_| candidates.find(|d| *d < Q).expect("more candidates follow"))
    }

    struct SampleAll<const W: usize>(usize);

    impl<const W: usize> Operation for SampleAll<W> {
        type Output = ();

        fn run<B: Backend>(self, backend: B) {
            let mut polys = [const { NttPoly::ZERO }; W];
            let streams = ManyRejections::<W>::new(backend.level(), &[0; 32], [&[]; W]);
            sample_ntt(backend, streams, &mut polys[..self.0]);
            for (lane, poly) in polys[..self.0].iter().enumerate() {
                assert_eq!(poly.0, sample_reference(lane), "stream {lane} of {}", self.0);
            }
        }
    }

    #[test]
    fn streams_with_many_rejections_fill_every_polynomial() {
        for level in Level::all() {
            (1..=4).for_each(|len| dispatch_at(level, SampleAll::<4>(len)));
            (1..=8).for_each(|len| dispatch_at(level, SampleAll::<8>(len)));
        }
    }
}
