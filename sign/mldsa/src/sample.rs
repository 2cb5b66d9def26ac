//! Sampling of matrices and vectors, FIPS 204 section 7.3. An engine reads the streams of the samplers in
//! parallel.

use crate::backend::Backend;
use crate::encode::{gamma1_len, unpack_gamma1};
use crate::params::{Params, mask_capacity};
use crate::poly::{N, NttPoly, Poly, Zero};
use crate::streams::{H_RATE, Stream};
use core::marker::PhantomData;
use core::ops::Range;
use grille_core::erase;
use grille_hash::lanes::Function;
use zeroize::{Zeroize, Zeroizing};

/// The matrix of ExpandA, FIPS 204 Algorithm 32: Â, in [0, q), sampled row by row.
///
/// The rows are sampled in order. There may be space for fewer rows than the matrix has.
pub(crate) struct Matrix<'a, P: Params> {
    rho: &'a [u8; 32],
    /// The row buffer. Row r is stored at index r modulo the number of rows in the buffer.
    rows: &'a mut [P::NttVectorL],
    opened: usize,
    /// The number of coefficients of each polynomial that have been sampled.
    filled: [u16; 56],
    /// The number of rows that `next_row` has returned.
    returned_rows: usize,
}

impl<'a, P: Params> Matrix<'a, P> {
    /// The number of streams. Their ids start at 0.
    pub(crate) const STREAMS: usize = P::K * P::L;

    pub(crate) fn new(rho: &'a [u8; 32], rows: &'a mut [P::NttVectorL]) -> Self {
        Self { rho, rows, opened: 0, filled: [0; 56], returned_rows: 0 }
    }

    /// Returns the stream of the next polynomial, if the buffer has space for it.
    pub(crate) fn stream(&mut self) -> Option<Stream<'_>> {
        let (id, row) = (self.opened, self.opened / P::L);
        if id == Self::STREAMS || row >= self.returned_rows + self.rows.len() {
            return None;
        }
        self.opened += 1;
        // ρ ‖ IntegerToBytes(s, 1) ‖ IntegerToBytes(r, 1)
        let nonce = Some((id % P::L + 256 * row) as u16);
        Some(Stream { id, seed: self.rho, nonce, function: Function::SHAKE128, blocks: 5 })
    }

    /// Runs the loop of RejNTTPoly, FIPS 204 Algorithm 30, for polynomial `id` with the next `bytes` of its stream.
    /// Returns true if the polynomial needs more bytes.
    pub(crate) fn receive<B: Backend>(&mut self, backend: B, id: usize, bytes: &[u8]) -> bool {
        let row_count = self.rows.len();
        let a_hat = &mut self.rows[id / P::L % row_count].as_mut()[id % P::L];
        let filled = backend.reject_uniform(bytes, a_hat, usize::from(self.filled[id]));
        self.filled[id] = filled as u16;
        filled < N
    }

    /// Returns the index of the next row, if that row is complete.
    pub(crate) fn next_row(&mut self) -> Option<usize> {
        let row = self.returned_rows;
        let complete =
            row < P::K && self.filled[row * P::L..][..P::L].iter().all(|filled| *filled == N as u16);
        self.returned_rows += usize::from(complete);
        complete.then_some(row)
    }

    /// Returns row `row`, which must be the last one that `next_row` returned.
    pub(crate) fn row(&self, row: usize) -> &[NttPoly] {
        self.rows[row % self.rows.len()].as_ref()
    }

    /// Checks whether all rows are complete.
    pub(crate) fn is_complete(&self) -> bool {
        self.filled[..Self::STREAMS].iter().all(|filled| *filled == N as u16)
    }
}

/// Returns space for three rows of Â. One row is in use while eight polynomials of later rows are sampled.
pub(crate) fn row_window<P: Params>() -> [P::NttVectorL; 3] {
    Zero::ZERO
}

/// The vectors of ExpandS, FIPS 204 Algorithm 33: ℓ polynomials of s1 and k of s2, in [−η, η].
///
/// `rho_prime` and the polynomials are secret.
pub(crate) struct Secrets<'a, P: Params> {
    rho_prime: &'a [u8; 64],
    pub(crate) s1: P::VectorL,
    pub(crate) s2: P::VectorK,
    opened: usize,
    filled: [u16; 15],
}

impl<'a, P: Params> Secrets<'a, P> {
    /// The number of streams. Their ids start at 0.
    pub(crate) const STREAMS: usize = P::L + P::K;

    pub(crate) fn new(rho_prime: &'a [u8; 64]) -> Self {
        let (s1, s2) = (P::VectorL::ZERO, P::VectorK::ZERO);
        Self { rho_prime, s1, s2, opened: 0, filled: [0; 15] }
    }

    /// Marks the polynomials as complete, because the caller has set them.
    pub(crate) const fn mark_complete(&mut self) {
        self.opened = Self::STREAMS;
        self.filled = [N as u16; 15];
    }

    /// Returns the stream of the next polynomial, or `None` if all streams have been opened.
    pub(crate) fn stream(&mut self) -> Option<Stream<'_>> {
        let id = self.opened;
        if id == Self::STREAMS {
            return None;
        }
        self.opened += 1;
        // the first read has 544 candidates, of which 306 are accepted on average for η = 4, and 510 for η =
        // 2
        let nonce = Some(id as u16);
        Some(Stream { id, seed: self.rho_prime, nonce, function: Function::SHAKE256, blocks: 2 })
    }

    /// Runs the loop of RejBoundedPoly, FIPS 204 Algorithm 31, for polynomial `id` with the next `bytes` of its stream.
    /// Returns true if the polynomial needs more bytes.
    pub(crate) fn receive<B: Backend>(&mut self, backend: B, id: usize, bytes: &[u8]) -> bool {
        let (s1, s2) = (self.s1.as_mut(), self.s2.as_mut());
        let s = if id < P::L { &mut s1[id] } else { &mut s2[id - P::L] };
        let before = usize::from(self.filled[id]);
        let filled = if P::ETA == 2 {
            backend.reject_bounded::<2>(bytes, s, before)
        } else {
            backend.reject_bounded::<4>(bytes, s, before)
        };
        self.filled[id] = filled as u16;
        filled < N
    }

    /// Checks whether all polynomials are complete.
    pub(crate) fn is_complete(&self) -> bool {
        self.filled[..Self::STREAMS].iter().all(|filled| *filled == N as u16)
    }
}

impl<P: Params> Drop for Secrets<'_, P> {
    fn drop(&mut self) {
        self.s1.zeroize();
        self.s2.zeroize();
    }
}

/// The mask polynomials of ExpandMask, FIPS 204 Algorithm 34, sampled ahead of use. The next attempt uses the
/// polynomials that the current attempt did not need.
///
/// All fields are secret.
pub(crate) struct Masks<'a, P: Params> {
    /// The seed ρ″.
    seed: Zeroizing<[u8; 64]>,
    /// The encoded polynomials. Polynomial n, with the nonce κ + r = n, is stored at index n modulo the
    /// capacity.
    bytes: &'a mut P::MaskBytes,
    /// For each stored polynomial, whether it is complete.
    ready: [bool; 16],
    opened: usize,
    /// The number of polynomials that earlier attempts used.
    released: usize,
    params: PhantomData<P>,
}

const _: () = assert!(32 * 20 <= 5 * H_RATE, "five blocks hold an encoded polynomial of 18 or 20 bits each");

impl<'a, P: Params> Masks<'a, P> {
    /// Creates masks that start at κ = 0. `bytes` is space for the polynomials, which is erased on drop.
    pub(crate) fn new(seed: Zeroizing<[u8; 64]>, bytes: &'a mut P::MaskBytes) -> Self {
        Self { seed, bytes, ready: [false; 16], opened: 0, released: 0, params: PhantomData }
    }

    const CAPACITY: usize = mask_capacity(P::L);

    /// Returns the range of the bytes of polynomial `id`.
    fn slot(id: usize) -> Range<usize> {
        let at = id % Self::CAPACITY * gamma1_len::<P>();
        at..at + gamma1_len::<P>()
    }

    /// Returns the number of streams opened so far. The first stream has the id 0, the next one the id 1, and so on.
    pub(crate) const fn opened_count(&self) -> usize {
        self.opened
    }

    /// Returns the stream of the next polynomial, if the buffer has space for it.
    pub(crate) fn stream(&mut self) -> Option<Stream<'_>> {
        let id = self.opened;
        if id == self.released + Self::CAPACITY {
            return None;
        }
        self.opened += 1;
        self.ready[id % Self::CAPACITY] = false;
        // the 16-bit nonce is enough: a signature never uses 2¹⁶ polynomials, which are thousands of attempts
        Some(Stream {
            id,
            seed: self.seed.as_slice(),
            nonce: Some(id as u16),
            function: Function::SHAKE256,
            blocks: 5,
        })
    }

    /// Stores polynomial `id`, which is at the start of the five blocks in `bytes`. Returns false, because the
    /// polynomial never needs more bytes.
    pub(crate) fn receive(&mut self, id: usize, bytes: &[u8]) -> bool {
        self.bytes.as_mut()[Self::slot(id)].copy_from_slice(&bytes[..gamma1_len::<P>()]);
        self.ready[id % Self::CAPACITY] = true;
        false
    }

    /// Checks whether all opened streams are complete.
    pub(crate) fn are_complete(&self) -> bool {
        (self.released..self.opened).all(|id| self.ready[id % Self::CAPACITY])
    }

    /// Checks whether the vector y of the next attempt is complete.
    pub(crate) fn has_next(&self) -> bool {
        let own = self.released..self.released + P::L;
        self.opened >= own.end && own.into_iter().all(|id| self.ready[id % Self::CAPACITY])
    }

    /// Decodes polynomial `i` of this attempt's vector y, in (−γ1, γ1].
    #[inline(always)]
    pub(crate) fn y<B: Backend>(&self, backend: B, i: usize, y: &mut Poly) {
        debug_assert!(self.has_next() && i < P::L);
        // y[r] ← BitUnpack(v, γ1 − 1, γ1)
        unpack_gamma1::<P, B>(backend, &self.bytes.as_ref()[Self::slot(self.released + i)], y);
    }

    /// Ends the current attempt and adds ℓ to κ.
    pub(crate) fn release(&mut self) {
        self.released += P::L;
    }
}

impl<P: Params> Drop for Masks<'_, P> {
    fn drop(&mut self) {
        erase(self.bytes.as_mut());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::{Operation, dispatch_at};
    use crate::params::P65;
    use crate::poly::Zero;
    use grille_hash::Level;

    struct ManyRejections;

    impl Operation for ManyRejections {
        type Output = ();

        fn run<B: Backend>(self, backend: B) {
            let mut rows = <P65 as Params>::Matrix::ZERO;
            let mut matrix = Matrix::<P65>::new(&[0; 32], rows.as_mut());
            assert!(matrix.receive(backend, 7, &[0xFF; 840]));
            assert!(matrix.receive(backend, 7, &[1; 168]));
            assert!(!matrix.receive(backend, 7, &[2; 840]));
            assert!(matrix.row(1)[2].0[..56].iter().all(|a| *a == 0x01_0101));
            assert!(matrix.row(1)[2].0[56..].iter().all(|a| *a == 0x02_0202));
            let mut secrets = Secrets::<P65>::new(&[0; 64]);
            assert!(secrets.receive(backend, 6, &[0xFF; 272]));
            assert!(secrets.receive(backend, 6, &[0x10; 120]));
            assert!(!secrets.receive(backend, 6, &[0x88; 136]));
            assert!((0..240).all(|i| secrets.s2[1].0[i] == 4 - (i as i32 & 1)));
            assert!(secrets.s2[1].0[240..].iter().all(|s| *s == -4));
            assert!(!secrets.is_complete() && !matrix.is_complete());
        }
    }

    #[test]
    fn streams_with_many_rejections_keep_being_read() {
        Level::all().for_each(|level| dispatch_at(level, ManyRejections));
    }
}
