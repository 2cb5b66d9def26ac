//! Parallel hashing. Samplers read many short streams, and some hashes need many dependent calls. Streams and
//! hashes share the calls of the permutation.
//!
//! An operation describes its hashing by implementing [`Work`]. An [`Engine`] runs the work, with Keccak in
//! `keccak.rs` or with AES in `aes.rs`. The serial hash of an operation absorbs its message with a [`ResumableHash`].

mod aes;
mod chain;
mod keccak;

pub(crate) use aes::Aes;
pub(crate) use chain::{H_RATE, ResumableHash, Step};
use grille_hash::Level;
use grille_hash::lanes::{Function, Lanes};
pub(crate) use keccak::Keccak;

/// The hashing of an operation: any number of streams, and serial hashes, which are computed one after the
/// other.
pub trait Work {
    /// Checks whether all of the work is complete.
    fn is_done(&self) -> bool;

    /// Returns the next stream to open, or `None` if none can be opened now.
    fn stream(&mut self) -> Option<Stream<'_>>;

    /// Receives the next bytes of the stream `id`: first as many blocks as the stream requested, then one
    /// block at a time. Returns true if more bytes are needed.
    fn receive(&mut self, id: usize, bytes: &[u8]) -> bool;

    /// Puts the serial hash into lane `n` and absorbs its next block. Returns false if no block is left, or if the next
    /// block is not available yet.
    fn resume_hash<const N: usize>(&mut self, _lanes: &mut Lanes<N>, _n: usize) -> bool {
        false
    }

    /// Absorbs the next block of the serial hash after a permutation call. Returns false if the hash leaves the lane,
    /// because it must wait for data or is finished.
    fn continue_hash<const N: usize>(&mut self, _lanes: &mut Lanes<N>, _n: usize) -> bool {
        false
    }
}

/// An unlimited byte stream from a seed and a 16-bit nonce, or H of the seed alone.
pub struct Stream<'a> {
    /// The id that [`Work`] uses for the stream.
    pub(crate) id: usize,
    pub(crate) seed: &'a [u8],
    /// The nonce; `None` selects H, in all versions.
    pub(crate) nonce: Option<u16>,
    /// The SHAKE function of the stream, or the one that AES-256-CTR replaces.
    pub(crate) function: Function,
    /// The number of blocks that are almost always enough, at most [`MAX_BLOCKS`].
    pub(crate) blocks: usize,
}

/// An engine that executes [`Work`].
pub trait Engine {
    /// The number of streams that one call processes in the time of one stream, with vector instructions.
    const STREAMS_PER_CALL: usize;

    /// Creates an idle engine.
    fn new(level: Level) -> Self;

    /// Executes the work until it is complete, or until it uses at most `floor` Keccak states.
    ///
    /// Streams that were not read to their end stay open.
    fn run<W: Work>(&mut self, work: &mut W, floor: usize);
}

/// The rate of SHAKE128.
const MAX_RATE: usize = 168;
/// The largest number of blocks of a stream that are delivered at once.
const MAX_BLOCKS: usize = 5;

/// Executes work from start to end. Engines with Keccak use the number of parallel states that is fastest at this level.
pub(crate) fn run_all<E: EngineFamily, W: Work>(level: Level, work: &mut W) {
    match level {
        Level::Avx512(_) => E::run_wide_then_narrow::<8, 4, W>(level, work),
        Level::Avx2(_) => E::run_wide_then_narrow::<4, 1, W>(level, work),
        Level::Neon(_) | Level::Simd128(_) => E::run_wide_then_narrow::<2, 1, W>(level, work),
        Level::Portable => return run_alone::<E, W>(level, work),
    }
    debug_assert!(work.is_done());
}

/// Executes work from start to end with one Keccak state, which needs the least memory.
pub(crate) fn run_alone<E: EngineFamily, W: Work>(level: Level, work: &mut W) {
    E::Engine::<1>::new(level).run(work, 0);
    debug_assert!(work.is_done());
}

/// One kind of engine, Keccak or AES, for every number of parallel states.
pub trait EngineFamily {
    /// The engine with `N` parallel states.
    type Engine<const N: usize>: Engine;

    /// Executes work with `WIDE` parallel states, and switches to `NARROW` states as soon as at most `NARROW` are in
    /// use. With AVX-512, a call for four states costs as much as a call for one. With AVX2, a call for one state costs
    /// half as much as a call for four.
    fn run_wide_then_narrow<const WIDE: usize, const NARROW: usize, W: Work>(level: Level, work: &mut W);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::h;
    use grille_hash::aes_ctr::Aes256Ctr;
    use std::vec::Vec;

    /// Work with streams of different functions and lengths, and a hash of a message that grows whenever a stream ends.
    struct Mixed {
        opened: usize,
        read: Vec<Vec<u8>>,
        message: Vec<u8>,
        chain: ResumableHash,
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
            Self { opened: 0, read, message: Vec::new(), chain: ResumableHash::new(), digest: None }
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
                nonce: Some(id as u16),
                function: function(id),
                blocks: 2,
            })
        }

        fn receive(&mut self, id: usize, bytes: &[u8]) -> bool {
            self.read[id].extend(bytes);
            let more = self.read[id].len() < Self::len(id);
            if !more {
                self.message.extend([id as u8; 100]);
            }
            more
        }

        fn resume_hash<const N: usize>(&mut self, lanes: &mut Lanes<N>, n: usize) -> bool {
            let complete = self.message.len() == 100 * STREAMS;
            if !self.chain.can_absorb(&[&self.message], complete) {
                return false;
            }
            self.chain.copy_to_lane(lanes, n);
            self.continue_hash(lanes, n)
        }

        fn continue_hash<const N: usize>(&mut self, lanes: &mut Lanes<N>, n: usize) -> bool {
            let complete = self.message.len() == 100 * STREAMS;
            match self.chain.step(lanes, n, &[&self.message], complete) {
                Step::Absorbed => return true,
                Step::Waiting => self.chain.copy_from_lane(lanes, n),
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
    fn streams_and_a_growing_hash_match_separate_computation() {
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
    fn aes_engine_reads_streams_in_order() {
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
