//! Streams of SHAKE, and a lane for the serial hash while that can go on.

use super::{Engine, EngineFamily, MAX_BLOCKS, MAX_RATE, Stream, Work};
use grille_core::erase;
use grille_hash::Level;
use grille_hash::lanes::Lanes;

/// G and H, FIPS 204 section 3.7: streams are SHAKE(seed ‖ nonce), each in a lane of its own for as long as it is
/// read.
pub struct KeccakEngine<const N: usize> {
    lanes: Lanes<N>,
    /// The lane of the serial hash.
    serial: Option<usize>,
    /// How many lanes have nothing to do.
    free: usize,
    /// By what the operation knows the stream of each lane.
    ids: [usize; N],
    /// How many bytes a call adds to it: 0 where there is no stream.
    rates: [u32; N],
    /// How many bytes of it have not been handed out.
    filled: [u32; N],
    /// With how many they are; beyond reach where there is no stream.
    wanted: [u32; N],
    bytes: [[u8; MAX_BLOCKS * MAX_RATE]; N],
}

impl<const N: usize> Engine for KeccakEngine<N> {
    const STREAMS_PER_CALL: usize = 4;

    fn new(level: Level) -> Self {
        Self {
            lanes: Lanes::new(level),
            serial: None,
            free: N,
            ids: [0; N],
            rates: [0; N],
            filled: [0; N],
            wanted: [u32::MAX; N],
            bytes: [[0; MAX_BLOCKS * MAX_RATE]; N],
        }
    }

    fn run<W: Work>(&mut self, work: &mut W, floor: usize) {
        while !work.is_done() {
            if self.free > 0 {
                self.occupy(work);
            }
            if N - self.free <= floor {
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
        for n in 0..N {
            if self.rates[n] != 0 || self.serial == Some(n) {
                continue;
            }
            if self.serial.is_none() && work.resume(&mut self.lanes, n) {
                self.serial = Some(n);
                self.free -= 1;
            } else if let Some(stream) = work.stream() {
                self.open(n, &stream);
            } else {
                return;
            }
        }
    }

    /// Begins a stream in lane `n`.
    fn open(&mut self, n: usize, stream: &Stream<'_>) {
        let Stream { id, seed, nonce, function, blocks } = *stream;
        self.lanes.restart(n);
        self.lanes.absorb(n, 0, seed);
        let mut len = seed.len();
        if let Some(nonce) = nonce {
            // two bytes, and six zeroes, which change nothing
            self.lanes.absorb(n, len, &u64::from(nonce).to_le_bytes());
            len += 2;
        }
        self.lanes.pad(n, function, len);
        let rate = function.rate() as u32;
        (self.ids[n], self.rates[n], self.filled[n]) = (id, rate, 0);
        self.wanted[n] = blocks as u32 * rate;
        self.free -= 1;
    }

    /// Collects the blocks that a call has given, hands out those that suffice, and lets the serial hash go on.
    fn serve<W: Work>(&mut self, work: &mut W) {
        if self.free + usize::from(self.serial.is_some()) < N {
            self.collect();
            let mut due = false;
            for n in 0..N {
                self.filled[n] += self.rates[n];
                due |= self.filled[n] >= self.wanted[n];
            }
            if due {
                self.hand_out(work);
            }
        }
        if let Some(n) = self.serial
            && !work.proceed(&mut self.lanes, n)
        {
            self.serial = None;
            self.free += 1;
        }
    }

    /// Copies a block of each stream behind what it has; of the other lanes, something.
    fn collect(&mut self) {
        let mut each = self.bytes.iter_mut().zip(&self.filled);
        // beyond the rate of SHAKE256 the next block overwrites what is not its output
        self.lanes.copy_all(core::array::from_fn(|_| {
            let (bytes, at) = each.next().expect("as many as lanes");
            &mut bytes[*at as usize..][..MAX_RATE]
        }));
    }

    /// Gives the streams that have what they want to the operation.
    fn hand_out<W: Work>(&mut self, work: &mut W) {
        for n in 0..N {
            if self.filled[n] < self.wanted[n] {
                continue;
            }
            let len = core::mem::take(&mut self.filled[n]) as usize;
            self.wanted[n] = self.rates[n];
            if !work.take(self.ids[n], &self.bytes[n][..len]) {
                (self.rates[n], self.wanted[n]) = (0, u32::MAX);
                self.free += 1;
            }
        }
    }

    /// The same with fewer lanes, of which there are enough for those in use.
    fn narrow<const M: usize>(&self, level: Level) -> KeccakEngine<M> {
        let mut narrow = KeccakEngine::new(level);
        let in_use = (0..N).filter(|n| self.rates[*n] != 0 || self.serial == Some(*n));
        for (m, n) in in_use.enumerate() {
            narrow.lanes.put(m, &self.lanes.take(n));
            if self.serial == Some(n) {
                narrow.serial = Some(m);
            }
            narrow.ids[m] = self.ids[n];
            narrow.rates[m] = self.rates[n];
            narrow.filled[m] = self.filled[n];
            narrow.wanted[m] = self.wanted[n];
            narrow.bytes[m] = self.bytes[n];
            narrow.free -= 1;
        }
        narrow
    }
}

impl<const N: usize> Drop for KeccakEngine<N> {
    fn drop(&mut self) {
        erase(self.bytes.as_flattened_mut());
    }
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
