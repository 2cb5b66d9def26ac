//! Sampling, FIPS 203 section 4.2.2: a matrix or a vector at once, several streams side by side.

use crate::backend::Backend;
use crate::expand::Source;
use crate::generation::Generation;
use crate::hash::Stream;
use crate::params::Params;
use crate::poly::{N, NttPoly, Poly};
use grille_core::erase;
use grille_hash::Level;

/// The entries of the matrix, in [0, q), where XOF is not Keccak: a row at a time.
///
/// The XOF of Kyber-90s is its PRF, with a nonce of two bytes.
pub(crate) fn matrix_by_streams<P: Params, B: Backend>(
    backend: B,
    source: Source<'_>,
    entries: &mut [NttPoly],
) {
    match P::K {
        3 => rows_by_streams::<P, B, 3>(backend, source, entries),
        _ => rows_by_streams::<P, B, 4>(backend, source, entries),
    }
}

fn rows_by_streams<P: Params, B: Backend, const W: usize>(
    backend: B,
    source: Source<'_>,
    entries: &mut [NttPoly],
) {
    for (group, entries) in entries.chunks_mut(W).enumerate() {
        let seeds: [[u8; 34]; W] = core::array::from_fn(|n| source.seed(W * group + n));
        let nonces = seeds.each_ref().map(|seed| &seed[32..]);
        let xof = <P::Generation as Generation>::Prf::<W>::new(backend.level(), source.rho, nonces);
        sample_ntt(backend, xof, entries);
    }
}

/// SampleNTT, FIPS 203 Algorithm 7, for up to `W` polynomials at once. Public data.
pub(crate) fn sample_ntt<B: Backend, S: Stream<W>, const W: usize>(
    backend: B,
    mut xof: S,
    polys: &mut [NttPoly],
) {
    /// A block of SHAKE128: 112 candidates, of which 91 are accepted.
    const BLOCK: usize = 168;
    let mut bytes = [[0; 3 * BLOCK]; W];
    xof.squeeze(bytes.each_mut().map(<[u8; 3 * BLOCK]>::as_mut_slice));
    // the streams without a polynomial are done
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

/// s and e, FIPS 203 Algorithm 13, lines 8 to 15: 2k polynomials in [−η₁, η₁]. Secret: `sigma`, the result.
pub(crate) fn key_noise<P: Params, B: Backend>(backend: B, sigma: &[u8; 32], s_e: &mut [Poly]) {
    noise_eta::<P, B>(backend, P::ETA1, sigma, 0, s_e);
}

/// y, e₁ and e₂, FIPS 203 Algorithm 14, lines 9 to 17: k polynomials in [−η₁, η₁] and k + 1 in [−η₂, η₂].
///
/// Secret: `r`, the result.
pub(crate) fn encryption_noise<P: Params, B: Backend>(backend: B, r: &[u8; 32], y_e: &mut [Poly]) {
    if P::ETA1 == P::ETA2 {
        noise_eta::<P, B>(backend, P::ETA1, r, 0, y_e);
    } else {
        let (y, e) = y_e.split_at_mut(P::K);
        noise_eta::<P, B>(backend, P::ETA1, r, 0, y);
        noise_eta::<P, B>(backend, P::ETA2, r, P::K as u8, e);
    }
}

fn noise_eta<P: Params, B: Backend>(backend: B, eta: usize, s: &[u8; 32], nonce: u8, polys: &mut [Poly]) {
    if eta == 2 {
        noise::<P, B, 2>(backend, s, nonce, polys);
    } else {
        noise::<P, B, 3>(backend, s, nonce, polys);
    }
}

/// SamplePolyCBD_η(PRF_η(s, b)), FIPS 203 Algorithm 8, for b = `nonce`, `nonce` + 1, …; coefficients in [−η, η].
///
/// Secret: `s`, the result.
fn noise<P: Params, B: Backend, const ETA: usize>(
    backend: B,
    s: &[u8; 32],
    mut nonce: u8,
    mut polys: &mut [Poly],
) {
    while !polys.is_empty() {
        let (now, later) = polys.split_at_mut(polys.len().min(width(backend.level(), polys.len())));
        match now.len() {
            5.. => noise_batch::<P, B, 8, ETA>(backend, s, nonce, now),
            2.. => noise_batch::<P, B, 4, ETA>(backend, s, nonce, now),
            _ => noise_batch::<P, B, 1, ETA>(backend, s, nonce, now),
        }
        nonce += now.len() as u8;
        polys = later;
    }
}

/// How many streams one call of the permutation serves.
const fn width(level: Level, wanted: usize) -> usize {
    match level {
        Level::Avx512(_) if wanted > 4 => 8,
        _ => 4,
    }
}

fn noise_batch<P: Params, B: Backend, const W: usize, const ETA: usize>(
    backend: B,
    s: &[u8; 32],
    nonce: u8,
    polys: &mut [Poly],
) {
    let nonces: [u8; W] = core::array::from_fn(|n| nonce.wrapping_add(n as u8));
    let nonces = nonces.each_ref().map(core::slice::from_ref);
    let mut prf = <P::Generation as Generation>::Prf::<W>::new(backend.level(), s, nonces);
    // 64·η bytes each, with η ≤ 3
    let mut bytes = [[0; 64 * 3]; W];
    prf.squeeze(bytes.each_mut().map(|bytes| &mut bytes[..64 * ETA]));
    bytes.iter().zip(polys).for_each(|(bytes, poly)| cbd(backend, ETA, bytes, poly));
    erase(bytes.as_flattened_mut());
}

/// SamplePolyCBD_η, FIPS 203 Algorithm 8, of the first 64·η bytes; η is 2 or 3. Secret: `bytes`, the result.
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

    /// Streams whose first bytes are all rejected, each one longer than the one before.
    struct Unlucky<const W: usize> {
        position: usize,
    }

    impl<const W: usize> Unlucky<W> {
        fn byte(lane: usize, position: usize) -> u8 {
            let rejected = position < 300 * lane;
            if rejected { 0xFF } else { ((position * position * 167 + lane * 31) >> 3) as u8 }
        }
    }

    impl<const W: usize> Stream<W> for Unlucky<W> {
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

    /// SampleNTT of one stream, as FIPS 203 Algorithm 7 has it.
    fn one_by_one(lane: usize) -> [i16; N] {
        let mut candidates = (0..).step_by(3).flat_map(|position| {
            let c = [0, 1, 2].map(|i| i16::from(Unlucky::<1>::byte(lane, position + i)));
            [c[0] + 256 * (c[1] % 16), c[1] / 16 + 16 * c[2]]
        });
        core::array::from_fn(|_| candidates.find(|d| *d < Q).expect("there are more"))
    }

    struct SampleAll<const W: usize>(usize);

    impl<const W: usize> Operation for SampleAll<W> {
        type Output = ();

        fn run<B: Backend>(self, backend: B) {
            let mut polys = [const { NttPoly::ZERO }; W];
            let streams = Unlucky::<W>::new(backend.level(), &[0; 32], [&[]; W]);
            sample_ntt(backend, streams, &mut polys[..self.0]);
            for (lane, poly) in polys[..self.0].iter().enumerate() {
                assert_eq!(poly.0, one_by_one(lane), "stream {lane} of {}", self.0);
            }
        }
    }

    #[test]
    fn unlucky_streams_are_read_until_each_polynomial_is_full() {
        for level in Level::all() {
            (1..=4).for_each(|len| dispatch_at(level, SampleAll::<4>(len)));
            (1..=8).for_each(|len| dispatch_at(level, SampleAll::<8>(len)));
        }
    }
}
