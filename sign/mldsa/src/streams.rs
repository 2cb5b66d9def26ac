//! Hashing side by side: the streams that the samplers read, which are many and short, and the hashes whose calls
//! must wait for each other share the calls of the permutation.
//!
//! An operation says what it has to hash by implementing [`Work`]; an [`Engine`] does it. [`KeccakEngine`] gives
//! each stream a lane of its own for as long as it is read, and a lane to the serial hash while that can go on.

use grille_hash::Level;
use grille_hash::aes_ctr::Aes256Streams;
use grille_hash::lanes::{Function, Lanes};
use zeroize::{Zeroize, optimization_barrier};

/// What an operation has to hash: any number of streams, and one hash after the other.
pub trait Work {
    /// Whether nothing more is needed.
    fn is_done(&self) -> bool;

    /// The next stream to be opened, if there is one now.
    fn stream(&mut self) -> Option<Stream<'_>>;

    /// Takes the next bytes of the stream `id`, as many blocks as it said and then one at a time; returns whether it
    /// needs more.
    fn take(&mut self, id: usize, bytes: &[u8]) -> bool;

    /// Puts the serial hash into lane `n` and absorbs its next block; false if it has none (yet).
    fn resume<const N: usize>(&mut self, _lanes: &mut Lanes<N>, _n: usize) -> bool {
        false
    }

    /// After a call, absorbs the next block of the serial hash; false if it leaves the lane, for now or for good.
    fn proceed<const N: usize>(&mut self, _lanes: &mut Lanes<N>, _n: usize) -> bool {
        false
    }
}

/// An unlimited byte stream from a seed and a 16-bit nonce.
pub struct Stream<'a> {
    /// By what [`Work`] knows it.
    pub(crate) id: usize,
    pub(crate) seed: &'a [u8],
    pub(crate) nonce: u16,
    /// Which of the two SHAKEs it is, if it is one.
    pub(crate) function: Function,
    /// How many blocks will very probably be read, at most [`MAX_BLOCKS`].
    pub(crate) blocks: usize,
}

/// Runs [`Work`].
pub trait Engine {
    /// How many streams come at the price of one, where there are vector units.
    const STREAMS_PER_CALL: usize;

    /// Nothing begun.
    fn new(level: Level) -> Self;

    /// Goes on until the work is done, or no more than `floor` states have something to do.
    ///
    /// Streams that are not read to their end by then stay open.
    fn run<W: Work>(&mut self, work: &mut W, floor: usize);
}

/// G and H, FIPS 204 section 3.7: streams are SHAKE(seed ‖ nonce).
pub struct KeccakEngine<const N: usize> {
    lanes: Lanes<N>,
    uses: [Use; N],
    /// What has been read of each stream and not been handed out.
    bytes: [[u8; MAX_BLOCKS * MAX_RATE]; N],
}

/// The rate of SHAKE128.
const MAX_RATE: usize = 168;
const MAX_BLOCKS: usize = 5;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Free,
    Serial,
    Stream {
        id: usize,
        rate: usize,
        /// How many bytes it has, and with how many they are handed out.
        filled: usize,
        wanted: usize,
    },
}

impl<const N: usize> Engine for KeccakEngine<N> {
    const STREAMS_PER_CALL: usize = 4;

    fn new(level: Level) -> Self {
        Self { lanes: Lanes::new(level), uses: [Use::Free; N], bytes: [[0; MAX_BLOCKS * MAX_RATE]; N] }
    }

    fn run<W: Work>(&mut self, work: &mut W, floor: usize) {
        while !work.is_done() {
            self.occupy(work);
            if self.uses.iter().filter(|lane| **lane != Use::Free).count() <= floor {
                return;
            }
            self.lanes.permute();
            self.serve(work);
        }
    }
}

impl<const N: usize> KeccakEngine<N> {
    /// Gives the free lanes to the serial hash and to new streams.
    fn occupy<W: Work>(&mut self, work: &mut W) {
        let Self { lanes, uses, .. } = self;
        for n in 0..N {
            if uses[n] != Use::Free {
                continue;
            }
            if !uses.contains(&Use::Serial) && work.resume(lanes, n) {
                uses[n] = Use::Serial;
            } else if let Some(stream) = work.stream() {
                lanes.restart(n);
                lanes.absorb(n, 0, stream.seed);
                lanes.absorb(n, stream.seed.len(), &stream.nonce.to_le_bytes());
                lanes.pad(n, stream.function, stream.seed.len() + 2);
                let rate = stream.function.rate();
                uses[n] = Use::Stream { id: stream.id, rate, filled: 0, wanted: stream.blocks * rate };
            }
        }
    }

    /// Collects the blocks that a call has given, and hands them out.
    fn serve<W: Work>(&mut self, work: &mut W) {
        self.collect();
        for (n, (lane, bytes)) in self.uses.iter_mut().zip(&self.bytes).enumerate() {
            let goes_on = match lane {
                Use::Free => continue,
                Use::Serial => work.proceed(&mut self.lanes, n),
                Use::Stream { id, rate, filled, wanted } => {
                    *filled += *rate;
                    if filled < wanted {
                        continue;
                    }
                    *wanted = *rate;
                    work.take(*id, &bytes[..core::mem::take(filled)])
                }
            };
            if !goes_on {
                *lane = Use::Free;
            }
        }
    }

    /// Copies a block of each stream behind what it has; of the other lanes, something.
    fn collect(&mut self) {
        let mut any = false;
        let mut at = self.uses.iter().map(|lane| match lane {
            Use::Stream { filled, .. } => {
                any = true;
                *filled
            }
            Use::Free | Use::Serial => 0,
        });
        // beyond the rate of SHAKE256 the next block overwrites what is not its output
        let blocks = self.bytes.each_mut().map(|bytes| {
            let at = at.next().expect("a use for each lane");
            &mut bytes[at..at + MAX_RATE]
        });
        if any {
            self.lanes.copy_all(blocks);
        }
    }

    /// The same with fewer lanes, of which there are enough for those in use.
    fn narrow<const M: usize>(&self, level: Level) -> KeccakEngine<M> {
        let mut narrow = KeccakEngine::new(level);
        let mut state = [0; 200];
        let in_use = self.uses.iter().enumerate().filter(|(_, lane)| **lane != Use::Free);
        for (m, (n, lane)) in in_use.enumerate() {
            self.lanes.copy(n, &mut state);
            narrow.lanes.absorb(m, 0, &state);
            narrow.uses[m] = *lane;
            narrow.bytes[m] = self.bytes[n];
        }
        erase(&mut state);
        narrow
    }
}

impl<const N: usize> Drop for KeccakEngine<N> {
    fn drop(&mut self) {
        erase(self.bytes.as_flattened_mut());
    }
}

/// Overwrites bytes that may be secret.
fn erase(bytes: &mut [u8]) {
    bytes.fill(0);
    optimization_barrier(bytes);
}

/// AES-256-CTR under the first 32 bytes of the seed; the nonce opens the counter block. Dilithium-AES.
///
/// Serial hashes run alone. All streams of a function must have one seed: its key is expanded once.
pub struct AesEngine {
    level: Level,
    serial: Lanes<1>,
    /// In place of SHAKE128 and of SHAKE256.
    keys: [Option<Aes256Streams>; 2],
    /// What has been read of a stream.
    bytes: [u8; 2 * MAX_BLOCKS * MAX_RATE],
}

impl Engine for AesEngine {
    const STREAMS_PER_CALL: usize = 1;

    fn new(level: Level) -> Self {
        let bytes = [0; 2 * MAX_BLOCKS * MAX_RATE];
        Self { level, serial: Lanes::new(level), keys: [None, None], bytes }
    }

    fn run<W: Work>(&mut self, work: &mut W, _floor: usize) {
        while !work.is_done() {
            if work.resume(&mut self.serial, 0) {
                self.serial.permute();
                while work.proceed(&mut self.serial, 0) {
                    self.serial.permute();
                }
            } else if !self.read_stream(work) {
                return;
            }
        }
    }
}

impl AesEngine {
    /// Reads the next stream to its end; false if there is none.
    fn read_stream<W: Work>(&mut self, work: &mut W) -> bool {
        let Some(Stream { id, seed, nonce, function, blocks }) = work.stream() else {
            return false;
        };
        let key = seed.first_chunk().expect("seeds of streams have at least 32 bytes");
        let slot = &mut self.keys[usize::from(function == Function::SHAKE256)];
        let streams = slot.get_or_insert_with(|| Aes256Streams::new(self.level, key));
        let mut iv = [0; 12];
        iv[..2].copy_from_slice(&nonce.to_le_bytes());
        let bytes = &mut self.bytes;
        let (mut from, mut to) = (0, blocks * function.rate());
        streams.squeeze(&iv, &mut bytes[..to]);
        while work.take(id, &bytes[from..to]) {
            // very rarely; the stream is read again from its beginning
            (from, to) = (to, to + function.rate());
            streams.squeeze(&iv, &mut bytes[..to]);
        }
        true
    }
}

impl Drop for AesEngine {
    fn drop(&mut self) {
        erase(&mut self.bytes);
    }
}

/// An engine's work from the beginning to the end, with as many states at once as pay at this level.
pub(crate) fn run_all<E: EngineFamily, W: Work>(level: Level, work: &mut W) {
    match level {
        Level::Avx512(_) => E::run_wide_then_narrow::<8, 4, W>(level, work),
        Level::Avx2(_) => E::run_wide_then_narrow::<4, 1, W>(level, work),
        Level::Neon(_) => E::run_wide_then_narrow::<2, 1, W>(level, work),
        Level::Portable => E::Engine::<1>::new(level).run(work, 0),
    }
    debug_assert!(work.is_done());
}

/// The engines of one kind.
pub trait EngineFamily {
    /// With `N` states at once.
    type Engine<const N: usize>: Engine;

    /// `WIDE` states at once, and `NARROW` when no more are in use: a call for four costs what one for one costs
    /// with AVX-512, one for one half of what one for four costs with AVX2.
    fn run_wide_then_narrow<const WIDE: usize, const NARROW: usize, W: Work>(level: Level, work: &mut W);
}

/// [`KeccakEngine`].
pub struct Keccak;

impl EngineFamily for Keccak {
    type Engine<const N: usize> = KeccakEngine<N>;

    fn run_wide_then_narrow<const WIDE: usize, const NARROW: usize, W: Work>(level: Level, work: &mut W) {
        let mut wide = KeccakEngine::<WIDE>::new(level);
        wide.run(work, NARROW);
        if !work.is_done() {
            wide.narrow::<NARROW>(level).run(work, 0);
        }
    }
}

/// [`AesEngine`].
pub struct Aes;

impl EngineFamily for Aes {
    type Engine<const N: usize> = AesEngine;

    fn run_wide_then_narrow<const WIDE: usize, const NARROW: usize, W: Work>(level: Level, work: &mut W) {
        AesEngine::new(level).run(work, 0);
    }
}

/// H of a message that may still grow, a block at a time; it leaves its lane while it waits.
pub(crate) struct Chain {
    /// Bytes of the message.
    absorbed: usize,
    padded: bool,
    /// While it waits.
    state: [u8; 200],
}

/// What became of the next step of a [`Chain`].
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// A block is absorbed; a call must follow.
    Absorbed,
    /// There is no whole block yet.
    Waits,
    /// Nothing was left: the lane holds the output.
    Finished,
}

impl Chain {
    pub(crate) const fn new() -> Self {
        Self { absorbed: 0, padded: false, state: [0; 200] }
    }

    /// Whether a step would absorb something.
    pub(crate) fn can_go_on(&self, parts: &[&[u8]], complete: bool) -> bool {
        let len: usize = parts.iter().map(|part| part.len()).sum();
        !self.padded && (complete || len - self.absorbed >= H_RATE)
    }

    /// Puts the state into lane `n`.
    pub(crate) fn enter<const N: usize>(&self, lanes: &mut Lanes<N>, n: usize) {
        lanes.restart(n);
        lanes.absorb(n, 0, &self.state);
    }

    /// Takes the state out of lane `n`.
    pub(crate) fn leave<const N: usize>(&mut self, lanes: &Lanes<N>, n: usize) {
        lanes.copy(n, &mut self.state);
    }

    /// The next block of the message `parts`, which is `complete` or will grow.
    pub(crate) fn step<const N: usize>(
        &mut self,
        lanes: &mut Lanes<N>,
        n: usize,
        parts: &[&[u8]],
        complete: bool,
    ) -> Step {
        if self.padded {
            return Step::Finished;
        }
        if !self.can_go_on(parts, complete) {
            return Step::Waits;
        }
        let (mut skip, mut position) = (self.absorbed, 0);
        for part in parts {
            let rest = &part[skip.min(part.len())..];
            skip -= part.len() - rest.len();
            let take = rest.len().min(H_RATE - position);
            lanes.absorb(n, position, &rest[..take]);
            position += take;
        }
        self.absorbed += position;
        if position < H_RATE {
            lanes.pad(n, Function::SHAKE256, position);
            self.padded = true;
        }
        Step::Absorbed
    }
}

/// The bytes of a block of SHAKE256.
pub(crate) const H_RATE: usize = Function::SHAKE256.rate();

impl Drop for Chain {
    fn drop(&mut self) {
        self.state.zeroize();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::h;
    use grille_hash::aes_ctr::Aes256Ctr;
    use std::vec::Vec;

    /// Streams whose number and lengths differ, beside a hash of a message that grows with each stream that ends.
    struct Mixed {
        opened: usize,
        read: Vec<Vec<u8>>,
        message: Vec<u8>,
        chain: Chain,
        digest: Option<[u8; 64]>,
    }

    const SEED: [u8; 32] = [9; 32];
    const STREAMS: usize = 19;

    fn function(id: usize) -> Function {
        if id.is_multiple_of(3) { Function::SHAKE256 } else { Function::SHAKE128 }
    }

    impl Mixed {
        fn new() -> Self {
            let read = (0..STREAMS).map(|_| Vec::new()).collect();
            Self { opened: 0, read, message: Vec::new(), chain: Chain::new(), digest: None }
        }

        fn len(id: usize) -> usize {
            function(id).rate() * (2 + id % 5)
        }
    }

    impl Work for Mixed {
        fn is_done(&self) -> bool {
            self.digest.is_some()
        }

        fn stream(&mut self) -> Option<Stream<'_>> {
            let id = self.opened;
            self.opened += 1;
            (id < STREAMS).then(|| Stream {
                id,
                seed: &SEED,
                nonce: id as u16,
                function: function(id),
                blocks: 2,
            })
        }

        fn take(&mut self, id: usize, bytes: &[u8]) -> bool {
            self.read[id].extend(bytes);
            let more = self.read[id].len() < Self::len(id);
            if !more {
                self.message.extend([id as u8; 100]);
            }
            more
        }

        fn resume<const N: usize>(&mut self, lanes: &mut Lanes<N>, n: usize) -> bool {
            let complete = self.message.len() == 100 * STREAMS;
            if !self.chain.can_go_on(&[&self.message], complete) {
                return false;
            }
            self.chain.enter(lanes, n);
            self.proceed(lanes, n)
        }

        fn proceed<const N: usize>(&mut self, lanes: &mut Lanes<N>, n: usize) -> bool {
            let complete = self.message.len() == 100 * STREAMS;
            match self.chain.step(lanes, n, &[&self.message], complete) {
                Step::Absorbed => return true,
                Step::Waits => self.chain.leave(lanes, n),
                Step::Finished => {
                    let mut digest = [0; 64];
                    lanes.copy(n, &mut digest);
                    self.digest = Some(digest);
                }
            }
            false
        }
    }

    #[test]
    fn streams_and_a_growing_hash_come_out_as_if_alone() {
        for level in Level::all() {
            let mut work = Mixed::new();
            run_all::<Keccak, _>(level, &mut work);
            for (id, read) in work.read.iter().enumerate() {
                let mut expected = [0; 6 * 168];
                let parts = [SEED.as_slice(), &[id as u8, 0]];
                match function(id) {
                    Function::SHAKE256 => grille_hash::shake256(level, &parts, &mut expected),
                    _ => {
                        let mut xof = grille_hash::Shake128::<1>::new(level);
                        xof.absorb_all(&parts.concat());
                        xof.squeeze([&mut expected]);
                    }
                }
                assert_eq!(*read, expected[..Mixed::len(id)], "stream {id}, {}", level.name());
            }
            assert_eq!(work.digest, Some(h(level, &[&work.message])), "{}", level.name());
        }
    }

    #[test]
    fn aes_streams_are_read_in_the_same_order() {
        let mut work = Mixed::new();
        run_all::<Aes, _>(Level::detect(), &mut work);
        for (id, read) in work.read.iter().enumerate() {
            let mut expected = std::vec![0; read.len()];
            let iv = [id as u8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
            Aes256Ctr::new(&SEED, &iv).squeeze(&mut expected);
            assert_eq!(*read, expected, "stream {id}");
        }
        assert_eq!(work.digest, Some(h(Level::detect(), &[&work.message])));
    }
}
