//! Jobs that run in free lanes of the Keccak calls that expand the matrix. A job is either a hash, whose Keccak calls
//! must run one after another, or the sampling of noise.

use crate::backend::Backend;
use crate::poly::Poly;
use grille_core::erase;
use grille_hash::Level;
use grille_hash::lanes::{Chain, Function, Lanes, State};

/// The number of calls in a group. After these calls, most streams of SampleNTT have filled their polynomial. The other
/// streams need further calls, usually one.
pub(crate) const CALLS: usize = 3;

/// A job that uses the first lanes of the calls that expand the matrix.
pub(crate) trait LaneJob {
    /// Returns the number of lanes that the job uses, out of those that the matrix leaves free.
    fn lanes(&self) -> usize;
    /// Returns the minimum number of consecutive calls that the job still needs.
    fn calls_left(&self) -> usize {
        0
    }
    /// Assigns lanes to the job, starting at `first`, before the first call.
    fn assign_lanes(&mut self, first: usize);
    /// Prepares the lanes for call `call` of [`CALLS`].
    fn before_call<const W: usize>(&mut self, call: usize, lanes: &mut Lanes<W>);
    /// Takes the results of a call. `blocks` holds the output of each lane, at least 136 bytes.
    fn after_call<const W: usize>(&mut self, call: usize, lanes: &mut Lanes<W>, blocks: [&[u8]; W]);
}

/// A job that uses no lanes.
impl LaneJob for () {
    fn lanes(&self) -> usize {
        0
    }

    fn assign_lanes(&mut self, _first: usize) {}

    fn before_call<const W: usize>(&mut self, _call: usize, _lanes: &mut Lanes<W>) {}

    fn after_call<const W: usize>(&mut self, _call: usize, _lanes: &mut Lanes<W>, _blocks: [&[u8]; W]) {}
}

/// A pair of jobs that run at the same time.
impl<A: LaneJob, B: LaneJob> LaneJob for (A, B) {
    fn lanes(&self) -> usize {
        self.0.lanes() + self.1.lanes()
    }

    fn calls_left(&self) -> usize {
        self.0.calls_left().max(self.1.calls_left())
    }

    fn assign_lanes(&mut self, first: usize) {
        self.0.assign_lanes(first);
        self.1.assign_lanes(first + self.0.lanes());
    }

    #[inline(always)]
    fn before_call<const W: usize>(&mut self, call: usize, lanes: &mut Lanes<W>) {
        self.0.before_call(call, lanes);
        self.1.before_call(call, lanes);
    }

    #[inline(always)]
    fn after_call<const W: usize>(&mut self, call: usize, lanes: &mut Lanes<W>, blocks: [&[u8]; W]) {
        self.0.after_call(call, lanes, blocks);
        self.1.after_call(call, lanes, blocks);
    }
}

/// A hash as a job. Each of its calls depends on the previous one.
pub(crate) struct HashJob<'a> {
    chain: Chain<'a>,
    state: State,
    /// The lane of the hash in the current group of calls, if any.
    lane: Option<usize>,
}

impl<'a> HashJob<'a> {
    /// Starts a hash.
    #[inline(always)]
    pub(crate) const fn start(chain: Chain<'a>) -> Self {
        Self::new(chain, State::new())
    }

    /// Continues a hash from `state`, which has absorbed everything that precedes the chain.
    #[inline(always)]
    pub(crate) const fn new(chain: Chain<'a>, state: State) -> Self {
        Self { chain, state, lane: None }
    }

    /// Makes the remaining calls and returns the state that has absorbed the whole message.
    #[inline(always)]
    pub(crate) fn finish(mut self, level: Level) -> State {
        let mut alone = Lanes::<1>::new(level);
        alone.put(0, &self.state);
        self.chain.finish(&mut alone);
        alone.take(0)
    }
}

impl LaneJob for HashJob<'_> {
    fn lanes(&self) -> usize {
        usize::from(!self.chain.is_done())
    }

    /// Returns the number of calls until the whole message is absorbed.
    fn calls_left(&self) -> usize {
        self.chain.calls_left()
    }

    fn assign_lanes(&mut self, first: usize) {
        self.lane = (!self.chain.is_done()).then_some(first);
    }

    #[inline(always)]
    fn before_call<const W: usize>(&mut self, call: usize, lanes: &mut Lanes<W>) {
        let Some(lane) = self.lane else { return };
        if call == 0 {
            lanes.put(lane, &self.state);
        }
        self.chain.absorb(lanes, lane);
    }

    #[inline(always)]
    fn after_call<const W: usize>(&mut self, call: usize, lanes: &mut Lanes<W>, _blocks: [&[u8]; W]) {
        if let Some(lane) = self.lane
            && (call == CALLS - 1 || self.chain.is_done())
        {
            self.state = lanes.take(lane);
            self.lane = None;
        }
    }
}

/// The values of η for several polynomials: `first` for the first `count` polynomials, and `others` for the
/// rest.
#[derive(Clone, Copy)]
pub(crate) struct Eta {
    pub(crate) count: usize,
    pub(crate) first: usize,
    pub(crate) others: usize,
}

impl Eta {
    /// Returns η of polynomial `n`.
    pub(crate) const fn for_polynomial(self, n: usize) -> usize {
        if n < self.count { self.first } else { self.others }
    }

    /// Returns the number of SHAKE256 calls for polynomial `n`, which takes 64·η bytes.
    const fn call_count(self, n: usize) -> usize {
        (64 * self.for_polynomial(n)).div_ceil(Function::SHAKE256.rate())
    }

    /// Returns the number of SHAKE256 calls for `polys` polynomials.
    pub(crate) fn calls(self, polys: usize) -> usize {
        (0..polys).map(|n| self.call_count(n)).sum()
    }
}

/// The job that computes SamplePolyCBD_η(PRF_η(s, b)) for b = 0, 1, …. Each polynomial takes one lane for one or two
/// calls. The job uses all lanes that are assigned to it.
///
/// `s` and the result are secret.
pub(crate) struct NoiseJob<'a, B> {
    backend: B,
    s: &'a [u8; 32],
    polys: &'a mut [Poly],
    eta: Eta,
    /// The number of polynomials that are complete or in a lane.
    started: usize,
    /// The state of each lane.
    slots: [Slot; 8],
    /// The number of lanes that the job uses.
    lanes: usize,
    /// The first of the lanes that the job uses.
    first: usize,
}

/// The polynomial that is sampled in a lane: its index b and its η. If η = 3, also the bytes read so far, because the
/// polynomial takes one and a half blocks.
#[derive(Clone, Copy)]
struct Slot {
    b: usize,
    eta: usize,
    bytes: [u8; 64 * 3],
    filled: usize,
}

impl<'a, B: Backend> NoiseJob<'a, B> {
    /// Creates a job for the polynomials of `polys` after the first `started`. The job has no lanes yet.
    #[inline(always)]
    pub(crate) const fn new(
        backend: B,
        s: &'a [u8; 32],
        polys: &'a mut [Poly],
        eta: Eta,
        started: usize,
    ) -> Self {
        let idle = Slot { b: 0, eta: 0, bytes: [0; 64 * 3], filled: 0 };
        Self { backend, s, polys, eta, started, slots: [idle; 8], lanes: 0, first: 0 }
    }

    /// Sets the number of lanes for the next and all later groups of calls.
    pub(crate) fn take_lanes(&mut self, lanes: usize) {
        debug_assert!(
            self.slots.iter().all(|slot| slot.eta == 0),
            "every started polynomial ends within its group of calls"
        );
        self.lanes = lanes;
    }

    /// Checks whether all polynomials are complete. Call it only between groups of calls.
    pub(crate) const fn is_done(&self) -> bool {
        self.started == self.polys.len()
    }

    /// Samples the remaining polynomials in separate calls.
    #[inline(always)]
    pub(crate) fn finish(self) {
        if !self.is_done() {
            self.run_separately::<4>();
        }
    }

    /// Samples the remaining polynomials in separate calls of `W` lanes.
    #[inline(always)]
    pub(crate) fn run_separately<const W: usize>(mut self) {
        self.take_lanes(W);
        self.assign_lanes(0);
        let mut lanes = Lanes::<W>::new(self.backend.level());
        // all lanes absorb their first inputs at once
        lanes.absorb_words(0, self.s);
        (0..W).for_each(|lane| lanes.absorb(lane, 32, &[(self.started + lane) as u8]));
        lanes.pad_all(Function::SHAKE256, 33);
        let first = W.min(self.polys.len() - self.started);
        (0..first).for_each(|lane| self.start(lane));
        let mut blocks = [[0; Function::SHAKE256.rate()]; W];
        while self.slots.iter().any(|slot| slot.eta > 0) {
            lanes.permute();
            lanes.copy_all(blocks.each_mut().map(|block| &mut block[..]));
            self.after_call(0, &mut lanes, blocks.each_ref().map(|block| &block[..]));
            self.before_call(0, &mut lanes);
        }
        erase(blocks.as_flattened_mut());
    }

    /// Assigns the next polynomial to a lane.
    fn start(&mut self, slot: usize) {
        let slot = &mut self.slots[slot];
        (slot.b, slot.eta, slot.filled) = (self.started, self.eta.for_polynomial(self.started), 0);
        self.started += 1;
    }
}

impl<B: Backend> LaneJob for NoiseJob<'_, B> {
    fn lanes(&self) -> usize {
        self.lanes
    }

    fn assign_lanes(&mut self, first: usize) {
        self.first = first;
    }

    #[inline(always)]
    fn before_call<const W: usize>(&mut self, call: usize, lanes: &mut Lanes<W>) {
        for slot in 0..self.lanes {
            // a polynomial is started only if it ends within this group of calls
            let next = self.started < self.polys.len() && call + self.eta.call_count(self.started) <= CALLS;
            if self.slots[slot].eta == 0 && next {
                let lane = self.first + slot;
                lanes.restart(lane);
                lanes.absorb(lane, 0, self.s);
                lanes.absorb(lane, 32, &[self.started as u8]);
                lanes.pad(lane, Function::SHAKE256, 33);
                self.start(slot);
            }
        }
    }

    #[inline(always)]
    fn after_call<const W: usize>(&mut self, _call: usize, _lanes: &mut Lanes<W>, blocks: [&[u8]; W]) {
        let slots = &mut self.slots[..self.lanes];
        for (block, Slot { b, eta, bytes, filled }) in blocks[self.first..].iter().zip(slots) {
            if *eta == 2 {
                self.backend.cbd::<2>(&block[..64 * 2], &mut self.polys[*b]);
                *eta = 0;
            } else if *eta == 3 {
                let left = &mut bytes[*filled..];
                let now = left.len().min(Function::SHAKE256.rate());
                left[..now].copy_from_slice(&block[..now]);
                *filled += now;
                if *filled == bytes.len() {
                    self.backend.cbd::<3>(bytes, &mut self.polys[*b]);
                    erase(bytes);
                    (*eta, *filled) = (0, 0);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::{Operation, dispatch_at};
    use crate::expand::{EntryRange, sample_with_job};
    use crate::matrix_source::{Order, Source};
    use crate::sample::cbd;
    use grille_hash::shake256;

    /// A test operation that runs two jobs, a hash and the sampling of nine noise polynomials, in three groups of
    /// Keccak calls. In group i, the sampling uses `lanes[i]` lanes. Polynomials that are not started by the end of the
    /// last group are sampled in separate calls.
    struct SharedCalls {
        eta: Eta,
        lanes: [usize; 3],
    }

    impl Operation for SharedCalls {
        type Output = ();

        fn run<B: Backend>(self, backend: B) {
            let (s, message) = ([7; 32], [3; 1000]);
            let (mut polys, parts) = ([const { Poly::ZERO }; 9], [&message[..]]);
            let hash = HashJob::new(Chain::new(Function::SHAKE256, &parts), State::new());
            let mut jobs = (hash, NoiseJob::new(backend, &s, &mut polys, self.eta, 0));
            for lanes in self.lanes {
                jobs.1.take_lanes(lanes);
                let source = Source { rho: &s, k: 0, order: Order::Rows };
                let mut nothing = EntryRange { source, numbers: 0..0, a_hat_t: &mut [] };
                sample_with_job::<B, 8>(backend, &mut nothing, &mut jobs, None);
            }
            let (hash, noise) = jobs;
            noise.finish();
            let mut expected = [0; 32];
            shake256(Level::Portable, &parts, &mut expected);
            assert_eq!(hash.finish(backend.level()).digest(), expected, "{:?}", self.lanes);
            for (b, poly) in polys.iter().enumerate() {
                let (mut bytes, mut expected) = ([0; 64 * 3], Poly::ZERO);
                shake256(Level::Portable, &[&s, &[b as u8]], &mut bytes);
                cbd(backend, self.eta.for_polynomial(b), &bytes, &mut expected);
                assert_eq!(poly.0, expected.0, "{b} with {:?}", self.lanes);
            }
        }
    }

    #[test]
    fn noise_does_not_depend_on_lanes() {
        for level in Level::all() {
            for (count, first) in [(0, 2), (2, 3), (9, 3)] {
                for n in 0..8_usize.pow(3) {
                    let lanes = [n % 8, n / 8 % 8, n / 64];
                    dispatch_at(level, SharedCalls { eta: Eta { count, first, others: 2 }, lanes });
                }
            }
        }
    }
}
