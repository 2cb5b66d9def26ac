//! Sampling of matrices and vectors, FIPS 204 section 7.3, several streams at a time.

use crate::backend::Backend;
use crate::generation::Generation;
use crate::hash::Stream;
use crate::params::{Params, gamma1_bits};
use crate::poly::{N, NttPoly, Poly};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use grille_hash::Level;
use zeroize::{Zeroizing, optimization_barrier};

/// ExpandA, FIPS 204 Algorithm 32: Â, k rows of ℓ elements in [0, q), row by row.
pub(crate) fn expand_a<P: Params, B: Backend>(backend: B, rho: &[u8; 32]) -> Box<[NttPoly]> {
    let mut a_hat = vec![NttPoly::ZERO; P::K * P::L].into_boxed_slice();
    match backend.level() {
        Level::Avx512(_) => expand_a_by::<P, B, 8>(backend, rho, &mut a_hat),
        Level::Avx2(_) | Level::Portable => expand_a_by::<P, B, 4>(backend, rho, &mut a_hat),
    }
    a_hat
}

fn expand_a_by<P: Params, B: Backend, const W: usize>(backend: B, rho: &[u8; 32], a_hat: &mut [NttPoly]) {
    for (batch, polys) in a_hat.chunks_mut(W).enumerate() {
        let nonces = core::array::from_fn(|n| {
            let index = W * batch + n;
            // ρ ‖ IntegerToBytes(s, 1) ‖ IntegerToBytes(r, 1); the lanes beyond the last row are not used
            (index % P::L + 256 * (index / P::L)) as u16
        });
        let xof = <P::Generation as Generation>::MatrixStream::<W>::new(backend.level(), rho, nonces);
        reject_ntt_polys(backend, xof, polys);
    }
}

/// RejNTTPoly, FIPS 204 Algorithm 30, for up to `W` polynomials at once.
fn reject_ntt_polys<B: Backend, S: Stream<W>, const W: usize>(backend: B, mut xof: S, polys: &mut [NttPoly]) {
    /// Enough for all 256 coefficients but in one of 2²⁷ cases.
    const FIRST: usize = 5 * 168;
    /// A block of SHAKE128: 56 candidates.
    const NEXT: usize = 168;
    let mut bytes = [[0; FIRST]; W];
    xof.squeeze(bytes.each_mut().map(<[u8; FIRST]>::as_mut_slice));
    let mut filled = [N; W];
    for ((bytes, poly), filled) in bytes.iter().zip(polys.iter_mut()).zip(&mut filled) {
        *filled = backend.reject_uniform(bytes, poly, 0);
    }
    while filled.iter().any(|filled| *filled < N) {
        xof.squeeze(bytes.each_mut().map(|bytes| &mut bytes[..NEXT]));
        for ((bytes, poly), filled) in bytes.iter().zip(polys.iter_mut()).zip(&mut filled) {
            *filled = backend.reject_uniform(&bytes[..NEXT], poly, *filled);
        }
    }
}

/// ExpandS, FIPS 204 Algorithm 33: ℓ polynomials of s1 and k of s2, in [−η, η].
///
/// Secret: `rho_prime`, the result.
pub(crate) fn expand_s<P: Params, B: Backend>(
    backend: B,
    rho_prime: &[u8; 64],
    s1: &mut [Poly],
    s2: &mut [Poly],
) {
    let s: Vec<&mut Poly> = s1.iter_mut().chain(s2).collect();
    match backend.level() {
        Level::Avx512(_) => expand_s_by::<P, B, 8>(backend, rho_prime, s),
        Level::Avx2(_) | Level::Portable => expand_s_by::<P, B, 4>(backend, rho_prime, s),
    }
}

fn expand_s_by<P: Params, B: Backend, const W: usize>(
    backend: B,
    rho_prime: &[u8; 64],
    mut s: Vec<&mut Poly>,
) {
    for (batch, polys) in s.chunks_mut(W).enumerate() {
        let nonces = core::array::from_fn(|n| (W * batch + n) as u16);
        let xof = <P::Generation as Generation>::SecretStream::<W>::new(backend.level(), rho_prime, nonces);
        if P::ETA == 2 {
            reject_bounded_polys::<B, _, W, 2>(backend, xof, polys);
        } else {
            reject_bounded_polys::<B, _, W, 4>(backend, xof, polys);
        }
    }
}

/// RejBoundedPoly, FIPS 204 Algorithm 31, for up to `W` polynomials at once.
fn reject_bounded_polys<B: Backend, S: Stream<W>, const W: usize, const ETA: i32>(
    backend: B,
    mut xof: S,
    polys: &mut [&mut Poly],
) {
    /// Two blocks of SHAKE256: 544 candidates, of which 306 are accepted for η = 4, and 510 for η = 2.
    const LEN: usize = 2 * 136;
    let mut bytes = [[0; LEN]; W];
    let mut filled = [N; W];
    filled[..polys.len()].fill(0);
    while filled.iter().any(|filled| *filled < N) {
        xof.squeeze(bytes.each_mut().map(<[u8; LEN]>::as_mut_slice));
        for ((bytes, poly), filled) in bytes.iter().zip(polys.iter_mut()).zip(&mut filled) {
            *filled = backend.reject_bounded::<ETA>(bytes, poly, *filled);
        }
    }
    erase(&mut bytes);
}

/// ExpandMask, FIPS 204 Algorithm 34, as a supply of polynomials: the streams are read several at a time, so what
/// one attempt leaves over serves the next.
///
/// Secret: everything.
pub(crate) struct Masks {
    /// ρ″.
    seed: Zeroizing<[u8; 64]>,
    /// κ + r of the first polynomial not yet read.
    nonce: u16,
    /// Encoded polynomials, of which `used` to `ready` are not yet taken.
    bytes: [[u8; Self::MAX_LEN]; Self::MAX_WIDTH],
    used: usize,
    ready: usize,
}

impl Masks {
    const MAX_WIDTH: usize = 8;
    /// 32·c bytes of an encoded polynomial, with c = 20 bits for γ1 = 2¹⁹.
    const MAX_LEN: usize = 32 * 20;

    /// At κ = 0.
    pub(crate) fn new(seed: Zeroizing<[u8; 64]>) -> Self {
        let bytes = [[0; Self::MAX_LEN]; Self::MAX_WIDTH];
        Self { seed, nonce: 0, bytes, used: 0, ready: 0 }
    }

    /// The next vector y of ℓ polynomials in (−γ1, γ1]; each call adds ℓ to κ.
    pub(crate) fn next<P: Params, B: Backend>(&mut self, backend: B, y: &mut [Poly]) {
        for y in y {
            if self.used == self.ready {
                match backend.level() {
                    Level::Avx512(_) => self.refill::<P, 8>(backend.level()),
                    Level::Avx2(_) | Level::Portable => self.refill::<P, 4>(backend.level()),
                }
            }
            let v = &self.bytes[self.used][..32 * gamma1_bits(P::GAMMA1)];
            crate::encode::unpack_gamma1::<P, B>(backend, v, y);
            self.used += 1;
        }
    }

    fn refill<P: Params, const W: usize>(&mut self, level: Level) {
        let nonces = core::array::from_fn(|n| self.nonce.wrapping_add(n as u16));
        // 2¹⁶ polynomials, thousands of attempts, are never reached
        self.nonce = self.nonce.wrapping_add(W as u16);
        let mut xof =
            <P::Generation as Generation>::SecretStream::<W>::new(level, self.seed.as_slice(), nonces);
        let lanes: &mut [[u8; Self::MAX_LEN]; W] = self.bytes.first_chunk_mut().expect("W is at most 8");
        xof.squeeze(lanes.each_mut().map(|lane| &mut lane[..32 * gamma1_bits(P::GAMMA1)]));
        (self.used, self.ready) = (0, W);
    }
}

impl Drop for Masks {
    fn drop(&mut self) {
        erase(&mut self.bytes);
    }
}

/// Overwrites secret stream bytes.
fn erase<const LEN: usize, const W: usize>(bytes: &mut [[u8; LEN]; W]) {
    bytes.as_flattened_mut().fill(0);
    optimization_barrier(bytes);
}
