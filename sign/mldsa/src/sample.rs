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
        _ => expand_a_by::<P, B, 4>(backend, rho, &mut a_hat),
    }
    a_hat
}

fn expand_a_by<P: Params, B: Backend, const W: usize>(backend: B, rho: &[u8; 32], a_hat: &mut [NttPoly]) {
    let mut bytes = [[0; UNIFORM_LEN]; W];
    for (batch, polys) in a_hat.chunks_mut(W).enumerate() {
        let nonces = core::array::from_fn(|n| {
            let index = W * batch + n;
            // ρ ‖ IntegerToBytes(s, 1) ‖ IntegerToBytes(r, 1); the lanes beyond the last row are not used
            (index % P::L + 256 * (index / P::L)) as u16
        });
        let xof = <P::Generation as Generation>::MatrixStream::<W>::new(backend.level(), rho, nonces);
        reject_ntt_polys(backend, xof, &mut bytes, polys);
    }
}

/// Five blocks of SHAKE128, 280 candidates: too few with a probability below 2⁻¹²⁸.
const UNIFORM_LEN: usize = 5 * 168;

/// RejNTTPoly, FIPS 204 Algorithm 30, for up to `W` polynomials at once; `bytes` is room for the streams.
fn reject_ntt_polys<B: Backend, S: Stream<W>, const W: usize>(
    backend: B,
    mut xof: S,
    bytes: &mut [[u8; UNIFORM_LEN]; W],
    polys: &mut [NttPoly],
) {
    /// A block of SHAKE128: 56 candidates.
    const NEXT: usize = 168;
    xof.squeeze(bytes.each_mut().map(<[u8; UNIFORM_LEN]>::as_mut_slice));
    // the streams without a polynomial are done
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
        _ => expand_s_by::<P, B, 4>(backend, rho_prime, s),
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
                    _ => self.refill::<P, 4>(backend.level()),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::{Operation, dispatch_at};

    /// Streams that begin with bytes of which no candidate is accepted.
    struct Unlucky(usize);

    impl<const N: usize> Stream<N> for Unlucky {
        fn new(_level: Level, _seed: &[u8], _nonces: [u16; N]) -> Self {
            Self(3 * 667)
        }

        fn squeeze(&mut self, outputs: [&mut [u8]; N]) {
            let len = outputs[0].len();
            let bad = self.0.min(len);
            for (n, output) in outputs.into_iter().enumerate() {
                output[..bad].fill(0xFF);
                output[bad..].fill(n as u8);
            }
            self.0 -= bad;
        }
    }

    struct Sample;

    impl Operation for Sample {
        type Output = ();

        fn run<B: Backend>(self, backend: B) {
            let unlucky = || <Unlucky as Stream<4>>::new(backend.level(), &[], [0; 4]);
            let mut a_hat = [NttPoly::ZERO; 3];
            reject_ntt_polys(backend, unlucky(), &mut [[0; UNIFORM_LEN]; 4], &mut a_hat);
            for (n, a_hat) in a_hat.iter().enumerate() {
                assert_eq!(a_hat.0, [n as i32 * 0x01_0101; N]);
            }
            let mut s = [Poly::ZERO, Poly::ZERO, Poly::ZERO];
            let mut polys: Vec<&mut Poly> = s.iter_mut().collect();
            reject_bounded_polys::<B, _, 4, 4>(backend, unlucky(), &mut polys);
            for (n, s) in s.iter().enumerate() {
                assert!((0..N).step_by(2).all(|i| s.0[i..i + 2] == [4 - n as i32, 4]), "stream {n}");
            }
        }
    }

    #[test]
    fn unlucky_streams_are_read_on() {
        Level::all().for_each(|level| dispatch_at(level, Sample));
    }

    #[test]
    fn the_nonces_of_masks_continue_from_attempt_to_attempt() {
        struct Next<'a>(&'a mut Masks, &'a mut [Poly]);

        impl Operation for Next<'_> {
            type Output = ();

            fn run<B: Backend>(self, backend: B) {
                self.0.next::<crate::params::P65, B>(backend, self.1);
            }
        }

        for level in Level::all() {
            let mut masks = Masks::new(Zeroizing::new([7; 64]));
            let mut y = [const { Poly::ZERO }; 5];
            for attempt in 0..5u16 {
                dispatch_at(level, Next(&mut masks, &mut y));
                for (r, y) in (0..).zip(&y) {
                    // y[r] ← BitUnpack(H(ρ″ ‖ IntegerToBytes(κ + r, 2), 32c), γ1 − 1, γ1)
                    let nonce = 5 * attempt + r;
                    let v = crate::hash::h::<640>(level, &[&[7; 64], &nonce.to_le_bytes()]);
                    let first = i32::from_le_bytes([v[0], v[1], v[2] & 15, 0]);
                    assert_eq!(y.0[0], (1 << 19) - first, "attempt {attempt}, polynomial {r}");
                }
            }
        }
    }
}
