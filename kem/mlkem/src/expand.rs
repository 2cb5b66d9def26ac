//! Expansion of the matrix, FIPS 203 Algorithm 13 lines 3 to 7, with other hashes in the same calls of Keccak.
//!
//! A stream of the matrix takes three calls, and there are k² of them. H(ek) takes 6, 9 or 12 calls that wait for each
//! other: it has a lane in the calls that expand the matrix, and costs next to nothing there. In key generation the noise
//! takes the lanes that are left.

use crate::backend::Backend;
use crate::generation::Generation;
use crate::params::Params;
use crate::poly::{N, NttPoly, Poly};
use crate::sample::matrix_by_streams;
use grille_core::erase;
use grille_hash::Level;
use grille_hash::lanes::{Chain, Function, Lanes, State};

/// The bytes of a block of SHAKE128: 112 candidates, of which 91 are accepted on average.
const BLOCK: usize = Function::SHAKE128.rate();

/// Calls until most streams have filled their polynomial; the others take one more.
pub(crate) const CALLS: usize = 3;

/// Which entries of the matrix follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Those of Â row by row, as key generation multiplies.
    Rows,
    /// Those of Âᵀ row by row, as encryption multiplies.
    Columns,
}

/// Where the entries of the matrix come from.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) rho: &'a [u8; 32],
    pub(crate) k: usize,
    pub(crate) order: Order,
}

impl Source<'_> {
    /// What SampleNTT reads for entry `n`: rho ‖ j ‖ i for Â\[i, j\].
    pub(crate) fn seed(&self, n: usize) -> [u8; 34] {
        let (outer, inner) = ((n / self.k) as u8, (n % self.k) as u8);
        let mut seed = [0; 34];
        seed[..32].copy_from_slice(self.rho);
        seed[32..].copy_from_slice(&match self.order {
            Order::Rows => [inner, outer],
            Order::Columns => [outer, inner],
        });
        seed
    }
}

/// Who comes along in the first lanes of the calls that expand the matrix.
pub(crate) trait Rider {
    /// Lanes it takes, of those that the streams leave.
    fn lanes(&self) -> usize;
    /// Before call `call` of [`CALLS`].
    fn before<const W: usize>(&mut self, call: usize, lanes: &mut Lanes<W>);
    /// After it.
    fn after<const W: usize>(&mut self, call: usize, lanes: &mut Lanes<W>);
}

/// Nobody.
impl Rider for () {
    fn lanes(&self) -> usize {
        0
    }

    fn before<const W: usize>(&mut self, _call: usize, _lanes: &mut Lanes<W>) {}

    fn after<const W: usize>(&mut self, _call: usize, _lanes: &mut Lanes<W>) {}
}

/// A hash whose calls wait for each other.
pub(crate) struct Passenger<'a> {
    chain: Chain<'a>,
    state: State,
    aboard: bool,
}

impl<'a> Passenger<'a> {
    /// Goes on from `state`, which has absorbed what comes before the chain.
    #[inline(always)]
    pub(crate) const fn new(chain: Chain<'a>, state: State) -> Self {
        Self { chain, state, aboard: false }
    }

    /// The state with all absorbed, after the calls that are still missing.
    #[inline(always)]
    pub(crate) fn finish(mut self, level: Level) -> State {
        let mut alone = Lanes::<1>::new(level);
        alone.put(0, &self.state);
        while self.chain.absorb(&mut alone, 0) {
            alone.permute();
        }
        alone.take(0)
    }
}

impl Rider for Passenger<'_> {
    fn lanes(&self) -> usize {
        usize::from(!self.chain.is_done())
    }

    #[inline(always)]
    fn before<const W: usize>(&mut self, call: usize, lanes: &mut Lanes<W>) {
        self.aboard = !self.chain.is_done();
        if self.aboard && call == 0 {
            lanes.put(0, &self.state);
        }
        self.chain.absorb(lanes, 0);
    }

    #[inline(always)]
    fn after<const W: usize>(&mut self, call: usize, lanes: &mut Lanes<W>) {
        if self.aboard && (call == CALLS - 1 || self.chain.is_done()) {
            self.state = lanes.take(0);
        }
    }
}

/// SamplePolyCBD₂(PRF₂(s, b)) for b = 0, 1, …, one call each: in each call as many as there are lanes.
///
/// Secret: `s`, the result.
pub(crate) struct Noise<'a, B> {
    pub(crate) backend: B,
    pub(crate) s: &'a [u8; 32],
    pub(crate) polys: &'a mut [Poly],
    /// The polynomials that are there.
    pub(crate) done: usize,
    /// Lanes that the streams leave.
    pub(crate) lanes: usize,
}

impl<B: Backend> Rider for Noise<'_, B> {
    fn lanes(&self) -> usize {
        self.lanes
    }

    #[inline(always)]
    fn before<const W: usize>(&mut self, call: usize, lanes: &mut Lanes<W>) {
        for n in 0..self.lanes {
            if call > 0 {
                lanes.restart(n);
            }
            lanes.absorb(n, 0, self.s);
            lanes.absorb(n, 32, &[(self.done + n) as u8]);
            lanes.pad(n, Function::SHAKE256, 33);
        }
    }

    #[inline(always)]
    fn after<const W: usize>(&mut self, _call: usize, lanes: &mut Lanes<W>) {
        let mut bytes = [0; 128];
        for (n, poly) in self.polys[self.done..].iter_mut().take(self.lanes).enumerate() {
            lanes.copy(n, &mut bytes);
            self.backend.cbd::<2>(&bytes, poly);
        }
        erase(&mut bytes);
        self.done = self.polys.len().min(self.done + self.lanes);
    }
}

/// All entries of the matrix, in \[0, q), and H of the key `ek` that it belongs to.
#[inline(always)]
pub(crate) fn matrix_and_hash<P: Params, B: Backend>(
    backend: B,
    source: Source<'_>,
    entries: &mut [NttPoly],
    ek: &[u8],
) -> [u8; 32] {
    if !P::Generation::KECCAK {
        matrix_by_streams::<P, B>(backend, source, entries);
        return P::Generation::h(backend.level(), &[ek]);
    }
    let ek = [ek];
    let mut passenger = Passenger::new(Chain::new(Function::SHA3_256, &ek), State::new());
    ride_along(backend, source, entries, &mut passenger);
    passenger.finish(backend.level()).digest()
}

/// All entries of the matrix, in \[0, q).
#[inline(always)]
pub(crate) fn matrix<P: Params, B: Backend>(backend: B, source: Source<'_>, entries: &mut [NttPoly]) {
    if P::Generation::KECCAK {
        let nothing = Chain::beginning(Function::SHA3_256, &[]);
        ride_along(backend, source, entries, &mut Passenger::new(nothing, State::new()));
    } else {
        matrix_by_streams::<P, B>(backend, source, entries);
    }
}

/// All entries of the matrix, while `passenger` rides as far as that takes.
#[inline(always)]
fn ride_along<B: Backend>(
    backend: B,
    source: Source<'_>,
    entries: &mut [NttPoly],
    passenger: &mut Passenger<'_>,
) {
    let mut first = 0;
    while first < entries.len() {
        let left = entries.len() - first;
        // three streams beside the hash in each three calls for four, if they end before it does
        let suffices = 3 * passenger.chain.calls_left().div_ceil(CALLS).max(1);
        let width = Width::of(backend.level(), left > suffices.max(4 - passenger.lanes()));
        let streams = left.min(width.streams(passenger));
        calls_of(width, backend, source, first, &mut entries[first..first + streams], passenger);
        first += streams;
    }
}

/// How many states a call of the permutation is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    One,
    Two,
    Four,
    Eight,
}

impl Width {
    /// What the level does at the lowest price for each; eight only if it may be `wide`.
    pub(crate) const fn of(level: Level, wide: bool) -> Self {
        match level {
            Level::Portable => Self::One,
            Level::Neon(_) => Self::Two,
            Level::Avx512(_) if wide => Self::Eight,
            Level::Avx2(_) | Level::Avx512(_) => Self::Four,
        }
    }

    /// Streams that fit in beside a rider.
    pub(crate) fn streams(self, rider: &impl Rider) -> usize {
        // alone there is no beside
        self.lanes() - rider.lanes().min(self.lanes() - 1)
    }

    pub(crate) const fn lanes(self) -> usize {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Four => 4,
            Self::Eight => 8,
        }
    }
}

/// [`calls`] of this width for the `entries` from number `first` on, which fit.
#[inline(always)]
pub(crate) fn calls_of<B: Backend>(
    width: Width,
    backend: B,
    source: Source<'_>,
    first: usize,
    entries: &mut [NttPoly],
    rider: &mut impl Rider,
) {
    let mut seeds = [[0; 34]; 8];
    let seeds = &mut seeds[..entries.len()];
    (first..).zip(&mut *seeds).for_each(|(n, seed)| *seed = source.seed(n));
    match width {
        Width::One => calls::<B, 1>(backend, seeds, entries, &mut ()),
        Width::Two => calls::<B, 2>(backend, seeds, entries, rider),
        Width::Four => calls::<B, 4>(backend, seeds, entries, rider),
        Width::Eight => calls::<B, 8>(backend, seeds, entries, rider),
    }
}

/// SampleNTT, FIPS 203 Algorithm 7, for `entries`, of a seed each, in the last lanes of `W`; the rider in the first ones.
pub(crate) fn calls<B: Backend, const W: usize>(
    backend: B,
    seeds: &[[u8; 34]],
    entries: &mut [NttPoly],
    rider: &mut impl Rider,
) {
    let skipped = W - entries.len();
    debug_assert!(rider.lanes() <= skipped);
    let mut lanes = Lanes::<W>::new(backend.level());
    for (lane, seed) in (skipped..).zip(seeds) {
        lanes.absorb_last(lane, Function::SHAKE128, seed);
    }
    let mut bytes = [[0; CALLS * BLOCK]; W];
    for call in 0..CALLS {
        rider.before(call, &mut lanes);
        lanes.permute();
        rider.after(call, &mut lanes);
        lanes.copy_all(bytes.each_mut().map(|bytes| &mut bytes[call * BLOCK..][..BLOCK]));
    }
    // the rider's may be secret
    bytes[..skipped].iter_mut().for_each(|bytes| erase(bytes));
    let mut filled = [N; W];
    for ((bytes, entry), filled) in bytes[skipped..].iter().zip(&mut *entries).zip(&mut filled[skipped..]) {
        *filled = backend.reject_uniform(bytes, entry, 0);
    }
    while filled.iter().any(|filled| *filled < N) {
        lanes.permute();
        for (n, entry) in (skipped..).zip(&mut *entries) {
            lanes.copy(n, &mut bytes[n][..BLOCK]);
            filled[n] = backend.reject_uniform(&bytes[n][..BLOCK], entry, filled[n]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::{Operation, dispatch_at, portable};
    use crate::params::{P512, P768, P1024};
    use core::marker::PhantomData;
    use grille_hash::{Shake128, sha3_256};
    use std::vec::Vec;

    /// SampleNTT of one entry, block by block, and how many blocks it took.
    fn one_by_one(seed: &[u8; 34]) -> (NttPoly, usize) {
        let mut xof = Shake128::<1>::new(Level::Portable);
        xof.absorb_all(seed);
        let (mut poly, mut filled, mut blocks) = (NttPoly::ZERO, 0, 0);
        while filled < N {
            let mut block = [[0; BLOCK]];
            xof.squeeze_blocks(&mut block);
            filled = portable::reject_uniform(&block[0], &mut poly, filled);
            blocks += 1;
        }
        (poly, blocks)
    }

    struct Scheduled<'a, P> {
        source: Source<'a>,
        message: &'a [u8],
        set: PhantomData<P>,
    }

    impl<P: Params> Operation for Scheduled<'_, P> {
        type Output = (Vec<NttPoly>, [u8; 32]);

        fn run<B: Backend>(self, backend: B) -> Self::Output {
            let mut entries = [const { NttPoly::ZERO }; 16];
            let entries = &mut entries[..P::K * P::K];
            let h = matrix_and_hash::<P, B>(backend, self.source, entries, self.message);
            let once = entries.to_vec();
            entries.iter_mut().for_each(|entry| *entry = NttPoly::ZERO);
            matrix::<P, B>(backend, self.source, entries);
            assert_eq!(entries, once, "alone");
            (once, h)
        }
    }

    /// Returns the blocks that the longest stream took.
    fn the_schedule_changes_nothing<P: Params>() -> usize {
        let mut longest = 0;
        for seed in 0..60_u8 {
            let rho: [u8; 32] = core::array::from_fn(|i| (i as u8).wrapping_mul(seed) ^ seed);
            let message: Vec<u8> = (0..100 + 50 * usize::from(seed)).map(|i| (i * 7) as u8 ^ seed).collect();
            let order = if seed.is_multiple_of(2) { Order::Rows } else { Order::Columns };
            let source = Source { rho: &rho, k: P::K, order };
            let expected: Vec<_> = (0..P::K * P::K).map(|n| one_by_one(&source.seed(n))).collect();
            longest = expected.iter().map(|(_, blocks)| *blocks).fold(longest, usize::max);
            let hash = sha3_256(Level::Portable, &[&message]);
            for level in Level::all() {
                let set = PhantomData::<P>;
                let (entries, got) = dispatch_at(level, Scheduled { source, message: &message, set });
                assert!(entries.iter().eq(expected.iter().map(|(poly, _)| poly)), "{}", level.name());
                assert_eq!(got, hash, "{}, {} bytes", level.name(), message.len());
            }
        }
        longest
    }

    #[test]
    fn riding_along_changes_neither_the_matrix_nor_the_hash() {
        let longest = [
            the_schedule_changes_nothing::<P512>(),
            the_schedule_changes_nothing::<P768>(),
            the_schedule_changes_nothing::<P1024>(),
        ];
        assert!(longest.iter().any(|blocks| *blocks > CALLS), "some streams take a call more: {longest:?}");
    }
}
