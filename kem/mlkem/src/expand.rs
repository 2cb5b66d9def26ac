//! Expansion of the matrix, FIPS 203 Algorithm 13 lines 3 to 7, with other hashes in the same Keccak calls.
//!
//! Each of the k² entries of the matrix needs three Keccak calls. Hashes and noise use free lanes of the same
//! calls at almost no cost; see `keccak_schedule.rs`.

use crate::backend::Backend;
use crate::keccak_schedule::{CALLS, HashJob, LaneJob};
use crate::matrix_source::Source;
use crate::params::Params;
use crate::poly::{N, NttPoly};
use crate::sample::matrix_by_streams;
use crate::version::Version;
use core::ops::Range;
use grille_core::{Secret, erase};
use grille_hash::Level;
use grille_hash::lanes::{Chain, Function, Lanes};

/// The number of bytes in a SHAKE128 block. It holds 112 candidates, of which 91 are accepted on average.
const BLOCK: usize = Function::SHAKE128.rate();

/// The buffer for the output blocks of calls for up to eight states. An operation reuses one buffer for many
/// calls, so that it is zeroed only once.
#[repr(align(64))]
pub(crate) struct BlockBuffer<const W: usize = 8>([[u8; CALLS * BLOCK]; W]);

impl<const W: usize> BlockBuffer<W> {
    pub(crate) const fn new() -> Self {
        Self([[0; CALLS * BLOCK]; W])
    }
}

/// Entries of matrices that are sampled at the same time, one per lane.
pub(crate) trait Entries {
    /// Returns the number of entries.
    fn count(&self) -> usize;
    /// Absorbs the inputs of SampleNTT into the lanes starting at `first`. All lanes must be new: this call
    /// discards anything that other lanes have absorbed.
    fn absorb<const W: usize>(&self, lanes: &mut Lanes<W>, first: usize);
    /// Returns the entry with index `n`.
    fn entry(&mut self, n: usize) -> &mut NttPoly;
}

/// Consecutive entries of one matrix.
pub(crate) struct EntryRange<'a> {
    pub(crate) source: Source<'a>,
    pub(crate) numbers: Range<usize>,
    /// The storage for the whole matrix Âᵀ, row by row.
    pub(crate) a_hat_t: &'a mut [NttPoly],
}

impl Entries for EntryRange<'_> {
    fn count(&self) -> usize {
        self.numbers.len()
    }

    #[inline(always)]
    fn absorb<const W: usize>(&self, lanes: &mut Lanes<W>, first: usize) {
        lanes.absorb_words(0, self.source.rho);
        (first..)
            .zip(self.numbers.clone())
            .for_each(|(lane, n)| lanes.absorb(lane, 32, &self.source.indices(n)));
        lanes.pad_all(Function::SHAKE128, 34);
    }

    #[inline(always)]
    fn entry(&mut self, n: usize) -> &mut NttPoly {
        &mut self.a_hat_t[self.source.storage_index(self.numbers.start + n)]
    }
}

/// Expands all entries of the matrix, in \[0, q), and returns H(ek). The matrix belongs to the key `ek`.
#[inline(always)]
pub(crate) fn matrix_and_hash<P: Params, B: Backend>(
    backend: B,
    source: Source<'_>,
    a_hat_t: &mut [NttPoly],
    ek: &[u8],
) -> [u8; 32] {
    if !P::Version::USES_KECCAK {
        matrix_by_streams::<P, B>(backend, source.rho, a_hat_t);
        return P::Version::h(backend.level(), &[ek]);
    }
    let ek = [ek];
    let mut hash = HashJob::start(Chain::new(Function::SHA3_256, &ek));
    expand_with_job(backend, source, a_hat_t, &mut hash);
    hash.finish(backend.level()).digest()
}

/// Expands all entries of the matrix, in \[0, q), and returns H(ek) and the message m. m is derived from `random`, the
/// 32 random bytes of an encapsulation. `random` and m are secret.
#[inline(always)]
pub(crate) fn matrix_hash_and_message<P: Params, B: Backend>(
    backend: B,
    source: Source<'_>,
    a_hat_t: &mut [NttPoly],
    ek: &[u8],
    random: Secret<[u8; 32]>,
) -> ([u8; 32], Secret<[u8; 32]>) {
    let calls = Function::SHA3_256.calls(ek.len());
    // H(ek) needs these calls for four states anyway, and the calls also have a free lane for H(random)
    let has_free_lane = 4 * calls > calls + CALLS * a_hat_t.len();
    if !P::Version::HASHES_RANDOM || !shares_calls::<P>(backend.level()) || !has_free_lane {
        let m = P::Version::derive_message(backend.level(), random);
        return (matrix_and_hash::<P, B>(backend, source, a_hat_t, ek), m);
    }
    let (ek, random) = ([ek], [random.as_ref()]);
    let hash = |message| HashJob::start(Chain::new(Function::SHA3_256, message));
    let mut hashes = (hash(&ek), hash(&random));
    expand_with_job(backend, source, a_hat_t, &mut hashes);
    let (h, m) = hashes;
    (h.finish(backend.level()).digest(), Secret::new(m.finish(backend.level()).digest()))
}

/// Checks whether hashing, noise and matrix sampling share Keccak calls. They do so with the Keccak-based
/// parameter sets, if a call permutes four states or more.
pub(crate) fn shares_calls<P: Params>(level: Level) -> bool {
    P::Version::USES_KECCAK && Width::for_level(level, false) == Width::Four
}

/// Expands all entries of the matrix, in \[0, q).
#[inline(always)]
pub(crate) fn matrix<P: Params, B: Backend>(backend: B, source: Source<'_>, a_hat_t: &mut [NttPoly]) {
    if P::Version::USES_KECCAK {
        expand_with_job(backend, source, a_hat_t, &mut ());
    } else {
        matrix_by_streams::<P, B>(backend, source.rho, a_hat_t);
    }
}

/// Expands all entries of the matrix and runs `job` in the same calls, for as many calls as the matrix needs.
#[inline(always)]
fn expand_with_job<B: Backend>(
    backend: B,
    source: Source<'_>,
    a_hat_t: &mut [NttPoly],
    job: &mut impl LaneJob,
) {
    let mut first = 0;
    while first < a_hat_t.len() {
        let left = a_hat_t.len() - first;
        // in calls for four states, three streams fit into each group of three calls that the hash needs
        // anyway
        let suffices = 3 * job.calls_left().div_ceil(CALLS).max(1);
        let width = Width::for_level(backend.level(), left > suffices.max(4 - job.lanes()));
        let numbers = first..first + left.min(width.streams(job));
        first = numbers.end;
        sample_at_width(width, backend, EntryRange { source, numbers, a_hat_t }, job, None);
    }
}

/// The number of states that one call of the permutation processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    One,
    Two,
    Four,
    Eight,
}

impl Width {
    /// Returns the width with the lowest cost per state at this level. Returns eight only if `wide` is true.
    pub(crate) const fn for_level(level: Level, wide: bool) -> Self {
        match level {
            Level::Portable => Self::One,
            Level::Neon(_) | Level::Simd128(_) => Self::Two,
            Level::Avx512(_) if wide => Self::Eight,
            Level::Avx2(_) | Level::Avx512(_) => Self::Four,
        }
    }

    /// Returns the number of streams that fit into a Keccak call together with a job.
    pub(crate) fn streams(self, job: &impl LaneJob) -> usize {
        // at width one, the job has no lane
        self.lanes() - job.lanes().min(self.lanes() - 1)
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

/// Samples the `entries` with [`sample_with_job`] of the given width, and runs the job in the first lanes. The entries
/// must fit into the other lanes. A call of width one has no lane for the job and does not run it.
#[inline(always)]
pub(crate) fn sample_at_width<B: Backend>(
    width: Width,
    backend: B,
    mut entries: EntryRange<'_>,
    job: &mut impl LaneJob,
    buffer: Option<&mut BlockBuffer>,
) {
    match width {
        Width::One => sample_with_job::<B, 1>(backend, &mut entries, &mut (), buffer),
        Width::Two => sample_with_job::<B, 2>(backend, &mut entries, job, buffer),
        Width::Four => sample_with_job::<B, 4>(backend, &mut entries, job, buffer),
        Width::Eight => sample_with_job::<B, 8>(backend, &mut entries, job, buffer),
    }
}

/// Runs SampleNTT, FIPS 203 Algorithm 7, for `entries` in the last of `W` lanes, and runs the job in the first lanes.
#[inline(always)]
pub(crate) fn sample_with_job<B: Backend, const W: usize>(
    backend: B,
    entries: &mut impl Entries,
    job: &mut impl LaneJob,
    buffer: Option<&mut BlockBuffer>,
) {
    match buffer {
        Some(buffer) => {
            let bytes = buffer.0.first_chunk_mut().expect("the buffer fits the widest call");
            sample_with_job_in::<B, W>(backend, entries, job, bytes);
        }
        None => sample_with_job_in::<B, W>(backend, entries, job, &mut BlockBuffer::new().0),
    }
}

/// Implements [`sample_with_job`] with `bytes` as the buffer for the output blocks.
#[inline(always)]
fn sample_with_job_in<B: Backend, const W: usize>(
    backend: B,
    entries: &mut impl Entries,
    job: &mut impl LaneJob,
    bytes: &mut [[u8; CALLS * BLOCK]; W],
) {
    let skipped = W - entries.count();
    debug_assert!(job.lanes() <= skipped);
    let mut lanes = Lanes::<W>::new(backend.level());
    entries.absorb(&mut lanes, skipped);
    job.assign_lanes(0);
    for call in 0..CALLS {
        job.before_call(call, &mut lanes);
        lanes.permute();
        lanes.copy_all(bytes.each_mut().map(|bytes| &mut bytes[call * BLOCK..][..BLOCK]));
        job.after_call(call, &mut lanes, bytes.each_ref().map(|bytes| &bytes[call * BLOCK..][..BLOCK]));
    }
    // the blocks of the job may be secret
    bytes[..skipped].iter_mut().for_each(|bytes| erase(bytes));
    let mut filled = [N; W];
    for (n, lane) in (skipped..W).enumerate() {
        filled[lane] = backend.reject_uniform(&bytes[lane], entries.entry(n), 0);
    }
    while filled.iter().any(|filled| *filled < N) {
        lanes.permute();
        for (n, lane) in (skipped..W).enumerate() {
            lanes.copy(lane, &mut bytes[lane][..BLOCK]);
            filled[lane] = backend.reject_uniform(&bytes[lane][..BLOCK], entries.entry(n), filled[lane]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::{Operation, dispatch_at, portable};
    use crate::matrix_source::Order;
    use crate::params::{P512, P768, P1024};
    use core::marker::PhantomData;
    use grille_hash::{Shake128, sha3_256};
    use std::vec::Vec;

    /// Samples one entry block by block, with SampleNTT. Also returns the number of blocks.
    fn sample_ntt_reference(seed: &[u8; 34]) -> (NttPoly, usize) {
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

    /// Checks that scheduling does not change the results. Returns the number of blocks of the longest stream.
    fn check_schedule<P: Params>() -> usize {
        let mut longest = 0;
        for seed in 0..60_u8 {
            let rho: [u8; 32] = core::array::from_fn(|i| (i as u8).wrapping_mul(seed) ^ seed);
            let message: Vec<u8> = (0..100 + 50 * usize::from(seed)).map(|i| (i * 7) as u8 ^ seed).collect();
            let order = if seed.is_multiple_of(2) { Order::Rows } else { Order::Columns };
            let source = Source { rho: &rho, k: P::K, order };
            let mut expected = [const { NttPoly::ZERO }; 16];
            for n in 0..P::K * P::K {
                let seed: [u8; 34] = [&rho[..], &source.indices(n)].concat().try_into().expect("34 bytes");
                let (poly, blocks) = sample_ntt_reference(&seed);
                expected[source.storage_index(n)] = poly;
                longest = longest.max(blocks);
            }
            let hash = sha3_256(Level::Portable, &[&message]);
            for level in Level::all() {
                let set = PhantomData::<P>;
                let (entries, got) = dispatch_at(level, Scheduled { source, message: &message, set });
                assert!(entries == expected[..P::K * P::K], "{}", level.name());
                assert_eq!(got, hash, "{}, {} bytes", level.name(), message.len());
            }
        }
        longest
    }

    #[test]
    fn shared_calls_change_neither_the_matrix_nor_the_hash() {
        let longest = [check_schedule::<P512>(), check_schedule::<P768>(), check_schedule::<P1024>()];
        assert!(longest.iter().any(|blocks| *blocks > CALLS), "some streams need one more call: {longest:?}");
    }
}
