//! Streams of AES-256-CTR.

use super::{Engine, EngineFamily, H_RATE, MAX_BLOCKS, MAX_RATE, Stream, Work};
use grille_core::erase;
use grille_hash::aes_ctr::Aes256Streams;
use grille_hash::lanes::{Function, Lanes};
use grille_hash::{Level, shake256};

/// The engine of Dilithium-AES: AES-256-CTR with the first 32 bytes of the seed as the key and the nonce at the start
/// of the counter block.
///
/// Serial hashes do not share calls with streams. All streams of a function must have the same seed, because
/// the key is expanded only once.
pub struct AesEngine {
    level: Level,
    serial: Lanes<1>,
    /// The AES keys for the streams that replace SHAKE128 and SHAKE256.
    keys: [Option<Aes256Streams>; 2],
    /// The bytes that have been read from the current stream.
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
            if work.resume_hash(&mut self.serial, 0) {
                self.serial.permute();
                while work.continue_hash(&mut self.serial, 0) {
                    self.serial.permute();
                }
            } else if !self.read_stream(work) {
                return;
            }
        }
    }
}

impl AesEngine {
    /// Reads the next stream to its end. Returns false if there is no next stream.
    fn read_stream<W: Work>(&mut self, work: &mut W) -> bool {
        let Some(Stream { id, seed, nonce, function, blocks }) = work.stream() else {
            return false;
        };
        let Some(nonce) = nonce else {
            let bytes = &mut self.bytes[..blocks * H_RATE];
            shake256(self.level, &[seed], bytes);
            work.receive(id, bytes);
            return true;
        };
        let key = seed.first_chunk().expect("seeds of streams have at least 32 bytes");
        let slot = &mut self.keys[usize::from(function == Function::SHAKE256)];
        let streams = slot.get_or_insert_with(|| Aes256Streams::new(self.level, key));
        let mut iv = [0; 12];
        iv[..2].copy_from_slice(&nonce.to_le_bytes());
        let bytes = &mut self.bytes;
        let (mut from, mut to) = (0, blocks * function.rate());
        streams.squeeze(&iv, &mut bytes[..to]);
        while work.receive(id, &bytes[from..to]) {
            // very rarely, more bytes are needed: read the stream again from the start
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

/// The family that contains only [`AesEngine`].
pub struct Aes;

impl EngineFamily for Aes {
    type Engine<const N: usize> = AesEngine;

    fn run_wide_then_narrow<const WIDE: usize, const NARROW: usize, W: Work>(level: Level, work: &mut W) {
        AesEngine::new(level).run(work, 0);
    }
}
