//! The stream of the matrix, and the hashes that share its Keccak calls.
//!
//! The matrix is one stream of SHAKE128, which needs 10, 23 or 40 dependent calls. With AVX-512, a call for
//! four states costs as much as a call for one. With AVX2, a call for four states costs less than two calls
//! for one state. Other hashes therefore use free lanes of these calls. One lane computes the hashes that
//! yield the seed of the secret, and then the stream of the secret. Another lane absorbs the public key or
//! the ciphertext, which grows as rows of the matrix are processed. At other levels, each hash has its own
//! calls.

use grille_hash::lanes::{Chain, Function, Lanes, State};
use grille_hash::{Level, Sha3_256, Sha3_512, Shake128};

/// A source of the bytes of the matrix.
pub(crate) trait Source {
    /// Returns the bytes with indices from `from` to below `to` of SHAKE128(seed_A). `message` is the known
    /// part of a message that may be hashed in the same calls.
    fn bytes(&mut self, from: usize, to: usize, message: &[u8]) -> &[u8];
}

/// A source that already has all bytes.
impl Source for &[u8] {
    #[inline(always)]
    fn bytes(&mut self, from: usize, to: usize, _message: &[u8]) -> &[u8] {
        &self[from..to]
    }
}

impl Source for MatrixStream<'_> {
    fn bytes(&mut self, from: usize, to: usize, message: &[u8]) -> &[u8] {
        while self.filled < to {
            if self.uses_shared_calls() && message.len() >= self.absorbed + F_RATE {
                self.shared_call(message);
            } else {
                self.stream.permute();
                self.squeeze();
            }
        }
        &self.out[from..to]
    }
}

/// The computation of SHAKE128(seed_A) and F(message), which continues as bytes are needed.
pub(crate) struct MatrixStream<'a> {
    level: Level,
    /// The state of the stream.
    stream: Lanes<1>,
    /// The output buffer of the stream. Its first `filled` bytes are known.
    out: &'a mut [u8],
    filled: usize,
    /// The state of F, which has absorbed `absorbed` bytes of the message.
    message: State,
    absorbed: usize,
    /// The lanes of shared Keccak calls.
    lanes: Lanes<4>,
}

/// The lane of the stream.
const STREAM_LANE: usize = 0;
/// The lane of the hash that shares the calls.
const HASH_LANE: usize = 1;
/// The lane of a second hash that shares a call. This hash needs only one call.
const SECOND_HASH_LANE: usize = 2;
/// The lane of the message.
const MESSAGE_LANE: usize = 3;

impl<'a> MatrixStream<'a> {
    /// Creates the stream. No byte of `out` is known yet.
    pub(crate) fn new(level: Level, seed_a: &[u8], out: &'a mut [u8]) -> Self {
        let mut stream = Lanes::new(level);
        stream.absorb_last(0, Function::SHAKE128, seed_a);
        let (message, lanes) = (State::new(), Lanes::new(level));
        Self { level, stream, out, filled: 0, message, absorbed: 0, lanes }
    }

    /// Computes SHA3-256 of `short`, which is shorter than a block, and of `long`.
    pub(crate) fn sha3_256_pair(&mut self, short: &[u8], long: &[u8], digests: [&mut [u8]; 2]) {
        let [of_short, of_long] = digests;
        if !self.uses_shared_calls() {
            Sha3_256::hash(self.level, &[short], of_short);
            return Sha3_256::hash(self.level, &[long], of_long);
        }
        self.lanes.restart(SECOND_HASH_LANE);
        self.lanes.absorb_last(SECOND_HASH_LANE, Function::SHA3_256, short);
        let parts = [long];
        let mut chain = self.chain(Function::SHA3_256, &parts);
        chain.absorb(&mut self.lanes, HASH_LANE);
        self.shared_call(&[]);
        self.lanes.copy(SECOND_HASH_LANE, of_short);
        self.absorb(chain, &[]);
        self.lanes.copy(HASH_LANE, of_long);
    }

    /// Computes SHA3-512 of the concatenated `parts`. `message` is the known part of the message that F hashes in the
    /// same calls.
    pub(crate) fn sha3_512(&mut self, parts: &[&[u8]], message: &[u8], digest: &mut [u8; 64]) {
        if !self.uses_shared_calls() {
            return Sha3_512::hash(self.level, parts, digest);
        }
        let chain = self.chain(Function::SHA3_512, parts);
        self.absorb(chain, message);
        self.lanes.copy(HASH_LANE, digest);
    }

    /// Fills `out` with SHAKE128(seed). `message` is the known part of the message that F hashes in the same calls.
    pub(crate) fn shake128(&mut self, seed: &[u8], out: &mut [u8], message: &[u8]) {
        if !self.uses_shared_calls() {
            return Shake128::hash(self.level, &[seed], out);
        }
        self.lanes.restart(HASH_LANE);
        self.lanes.absorb_last(HASH_LANE, Function::SHAKE128, seed);
        for block in out.chunks_mut(Function::SHAKE128.rate()) {
            self.shared_call(message);
            self.lanes.copy(HASH_LANE, block);
        }
    }

    /// Returns F(message), which is public. All bytes of the matrix must have been computed before.
    pub(crate) fn finish(&mut self, message: &[u8]) -> [u8; 32] {
        let parts = [&message[self.absorbed..]];
        let alone = &mut self.stream;
        alone.put(0, &self.message);
        let mut chain = Chain::new(Function::SHA3_256, &parts);
        while chain.absorb(alone, 0) {
            alone.permute();
        }
        alone.take(0).digest()
    }

    /// Checks whether shared calls are faster than separate calls at this level.
    const fn uses_shared_calls(&self) -> bool {
        match self.level {
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(_) | Level::Avx512(_) => true,
            _ => false,
        }
    }

    /// Starts a hash of the concatenated `parts` in [`HASH_LANE`].
    fn chain<'b>(&mut self, function: Function, parts: &'b [&'b [u8]]) -> Chain<'b> {
        self.lanes.restart(HASH_LANE);
        Chain::new(function, parts)
    }

    /// Absorbs the remaining input of `chain` in [`HASH_LANE`]. `message` is the known part of the message that F
    /// hashes in the same calls.
    fn absorb(&mut self, mut chain: Chain<'_>, message: &[u8]) {
        while chain.absorb(&mut self.lanes, HASH_LANE) {
            self.shared_call(message);
        }
    }

    /// Runs one batched Keccak permutation for the hashes, the stream and, if its next block is known, the message.
    fn shared_call(&mut self, message: &[u8]) {
        self.lanes.put(STREAM_LANE, &self.stream.take(0));
        let block = message.get(self.absorbed..self.absorbed + F_RATE);
        if let Some(block) = block {
            self.lanes.put(MESSAGE_LANE, &self.message);
            self.lanes.absorb(MESSAGE_LANE, 0, block);
        }
        self.lanes.permute();
        if block.is_some() {
            self.message = self.lanes.take(MESSAGE_LANE);
            self.absorbed += F_RATE;
        }
        self.stream.put(0, &self.lanes.take(STREAM_LANE));
        self.squeeze();
    }

    /// Squeezes the next block of the stream, or the last bytes that are needed.
    fn squeeze(&mut self) {
        let end = self.out.len().min(self.filled + Function::SHAKE128.rate());
        self.stream.copy(0, &mut self.out[self.filled..end]);
        self.filled = end;
    }
}

/// The number of bytes that F (SHA3-256) absorbs per call.
const F_RATE: usize = Function::SHA3_256.rate();

#[cfg(test)]
mod tests {
    use super::*;
    use grille_hash::{sha3_256, sha3_512};
    use std::vec;

    /// Tests all methods that share calls. The message has `len` bytes. Later calls receive a longer known part
    /// of it.
    fn check_shared_calls(level: Level, matrix_len: usize, len: usize) {
        let bytes: [u8; 1472] = core::array::from_fn(|i| (i * 7) as u8);
        let message = &bytes[..len];
        let (mut matrix, mut expected) = (vec![0; matrix_len], vec![0; matrix_len]);
        Shake128::hash(Level::Portable, &[b"seed"], &mut expected);
        let mut stream = MatrixStream::new(level, b"seed", &mut matrix);
        let [mut of_short, mut of_long] = [[0; 32]; 2];
        stream.sha3_256_pair(&bytes[..32], message, [&mut of_short, &mut of_long]);
        assert_eq!(of_short, sha3_256(Level::Portable, &[&bytes[..32]]), "{}", level.name());
        assert_eq!(of_long, sha3_256(Level::Portable, &[message]), "{len} bytes, {}", level.name());
        let (a, b) = message.split_at(len / 3);
        let mut digest = [0; 64];
        stream.sha3_512(&[a, b], &message[..len / 4], &mut digest);
        assert_eq!(digest, sha3_512(Level::Portable, &[message]), "{len} bytes, {}", level.name());
        let (mut out, mut alone) = ([0; 640], [0; 640]);
        stream.shake128(b"other", &mut out, &message[..len / 2]);
        Shake128::hash(Level::Portable, &[b"other"], &mut alone);
        assert_eq!(out, alone, "{}", level.name());
        for (n, expected) in expected.chunks(416).enumerate() {
            let known = &message[..len.min(len / 2 + 100 * n)];
            assert_eq!(stream.bytes(416 * n, 416 * (n + 1), known), expected, "{}", level.name());
        }
        assert_eq!(stream.finish(message), of_long, "{len} bytes, {}", level.name());
    }

    #[test]
    fn shared_calls_change_nothing() {
        for level in Level::all() {
            for matrix_len in [1664, 3744, 6656] {
                for len in [0, 135, 136, 137, 672, 1088, 1472] {
                    check_shared_calls(level, matrix_len, len);
                }
            }
        }
    }
}
