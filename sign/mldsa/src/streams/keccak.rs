//! The engine for SHAKE streams. A serial hash uses one lane while it can absorb.

use super::{Engine, EngineFamily, MAX_BLOCKS, MAX_RATE, Stream, Work};
use grille_core::erase;
use grille_hash::Level;
use grille_hash::lanes::Lanes;

/// The engine for G and H, FIPS 204 section 3.7. A stream is SHAKE(seed ‖ nonce), and uses one lane while it
/// is read.
pub struct KeccakEngine<const N: usize> {
    lanes: Lanes<N>,
    /// The lane of the serial hash, if it has one.
    serial: Option<usize>,
    /// The number of free lanes.
    free: usize,
    /// The stream id of each lane.
    ids: [usize; N],
    /// The number of bytes that a call adds to each stream; 0 if the lane has no stream.
    rates: [u32; N],
    /// The number of bytes of each stream that have not been delivered yet.
    filled: [u32; N],
    /// The number of bytes that each stream must have before it is delivered to the operation. If the lane has no
    /// stream, the value is too large to be reached.
    required: [u32; N],
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
            required: [u32::MAX; N],
            bytes: [[0; MAX_BLOCKS * MAX_RATE]; N],
        }
    }

    fn run<W: Work>(&mut self, work: &mut W, floor: usize) {
        while !work.is_done() {
            if self.free > 0 {
                self.assign_free_lanes(work);
            }
            if N - self.free <= floor {
                return;
            }
            self.lanes.permute();
            self.process_output(work);
        }
    }
}

impl<const N: usize> KeccakEngine<N> {
    /// Assigns the free lanes to the serial hash and to new streams.
    fn assign_free_lanes<W: Work>(&mut self, work: &mut W) {
        for n in 0..N {
            if self.rates[n] != 0 || self.serial == Some(n) {
                continue;
            }
            if self.serial.is_none() && work.resume_hash(&mut self.lanes, n) {
                self.serial = Some(n);
                self.free -= 1;
            } else if let Some(stream) = work.stream() {
                self.open(n, &stream);
            } else {
                return;
            }
        }
    }

    /// Starts a stream in lane `n`.
    fn open(&mut self, n: usize, stream: &Stream<'_>) {
        let Stream { id, seed, nonce, function, blocks } = *stream;
        self.lanes.restart(n);
        self.lanes.absorb(n, 0, seed);
        let mut len = seed.len();
        if let Some(nonce) = nonce {
            // the nonce has two bytes; the six zero bytes after it have no effect
            self.lanes.absorb(n, len, &u64::from(nonce).to_le_bytes());
            len += 2;
        }
        self.lanes.pad(n, function, len);
        let rate = function.rate() as u32;
        (self.ids[n], self.rates[n], self.filled[n]) = (id, rate, 0);
        self.required[n] = blocks as u32 * rate;
        self.free -= 1;
    }

    /// Collects the output blocks of a call, delivers streams with enough bytes, and continues the serial hash.
    fn process_output<W: Work>(&mut self, work: &mut W) {
        if self.free + usize::from(self.serial.is_some()) < N {
            self.collect();
            let mut due = false;
            for n in 0..N {
                self.filled[n] += self.rates[n];
                due |= self.filled[n] >= self.required[n];
            }
            if due {
                self.deliver_streams(work);
            }
        }
        if let Some(n) = self.serial
            && !work.continue_hash(&mut self.lanes, n)
        {
            self.serial = None;
            self.free += 1;
        }
    }

    /// Appends one output block to the bytes of each stream. Arbitrary bytes are written for lanes without a stream.
    fn collect(&mut self) {
        let mut each = self.bytes.iter_mut().zip(&self.filled);
        // bytes beyond the rate of SHAKE256 are not output; the next block overwrites them
        self.lanes.copy_all(core::array::from_fn(|_| {
            let (bytes, at) = each.next().expect("one item per lane");
            &mut bytes[*at as usize..][..MAX_RATE]
        }));
    }

    /// Delivers the streams with enough bytes to the operation.
    fn deliver_streams<W: Work>(&mut self, work: &mut W) {
        for n in 0..N {
            if self.filled[n] < self.required[n] {
                continue;
            }
            let len = core::mem::take(&mut self.filled[n]) as usize;
            self.required[n] = self.rates[n];
            if !work.receive(self.ids[n], &self.bytes[n][..len]) {
                (self.rates[n], self.required[n]) = (0, u32::MAX);
                self.free += 1;
            }
        }
    }

    /// Moves the state to an engine with `M` lanes, which must be enough for the lanes in use.
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
            narrow.required[m] = self.required[n];
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

/// Selects [`KeccakEngine`] for every number of states; see [`EngineFamily`].
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
