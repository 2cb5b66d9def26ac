//! Hashing side by side: the streams that the samplers read, which are many and short, and the hashes whose calls
//! must wait for each other share the calls of the permutation.
//!
//! An operation says what it has to hash by implementing [`Work`]; an [`Engine`] does it: with Keccak, `keccak.rs`,
//! or with AES, `aes.rs`. The serial hash of an operation absorbs its message by a [`Chain`].

mod aes;
mod chain;
mod keccak;

pub(crate) use aes::Aes;
pub(crate) use chain::{Chain, H_RATE, Step};
use grille_hash::Level;
use grille_hash::lanes::{Function, Lanes};
pub(crate) use keccak::Keccak;

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

/// An unlimited byte stream from a seed and a 16-bit nonce, or H of the seed alone.
pub struct Stream<'a> {
    /// By what [`Work`] knows it.
    pub(crate) id: usize,
    pub(crate) seed: &'a [u8],
    /// `None`: H, in all generations.
    pub(crate) nonce: Option<u16>,
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

/// The rate of SHAKE128.
const MAX_RATE: usize = 168;
/// The most blocks that a stream is handed out in at once.
const MAX_BLOCKS: usize = 5;

/// An engine's work from the beginning to the end, with as many states at once as pay at this level.
pub(crate) fn run_all<E: EngineFamily, W: Work>(level: Level, work: &mut W) {
    match level {
        Level::Avx512(_) => E::run_wide_then_narrow::<8, 4, W>(level, work),
        Level::Avx2(_) => E::run_wide_then_narrow::<4, 1, W>(level, work),
        Level::Neon(_) => E::run_wide_then_narrow::<2, 1, W>(level, work),
        Level::Portable => return run_alone::<E, W>(level, work),
    }
    debug_assert!(work.is_done());
}

/// The same with one state, which takes the least memory.
pub(crate) fn run_alone<E: EngineFamily, W: Work>(level: Level, work: &mut W) {
    E::Engine::<1>::new(level).run(work, 0);
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
                nonce: Some(id as u16),
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
