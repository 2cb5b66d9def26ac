//! The functions from SHA-2: FIPS 205 section 11.2, with the masks of the robust sets of SPHINCS+.
//!
//! F and PRF are one block behind the midstate of PK.seed, written word by word for 16 messages. H and T_l are hashed
//! by SHA-512, eight at a time, in categories 3 and 5 since round 3.1, and else by SHA-256.

use super::{Family, Node, SecretNode};
use crate::address::Adrs;
use crate::generation::Generation;
use crate::params::Shape;
use core::marker::PhantomData;
use grille_core::erase;
use grille_hash::sha2_lanes::{IV256, IV512, Sha256Lanes, Sha512Lanes, compress256};
use grille_hash::{Level, sha2};

/// Messages of SHA-256 that are hashed together.
const WIDTH: usize = 16;
/// One 32-bit word of all messages.
type Word = [u32; WIDTH];
/// The words of ADRSᶜ, 22 bytes; the lower half of the last is free.
type AdrsWords = [Word; 6];
/// The longest message of T_l in bytes.
const MAX_MESSAGE: usize = 67 * 32;

/// SHA-256, with SHA-512 where the generation says so; robust sets mask what they hash.
pub struct Sha2<G, const ROBUST: bool> {
    level: Level,
    n: usize,
    pk_seed: Node,
    /// SHA-256 after PK.seed ‖ toByte(0, 64 − n).
    midstate256: [u32; 8],
    /// SHA-512 after PK.seed ‖ toByte(0, 128 − n).
    midstate512: [u64; 8],
    generation: PhantomData<fn() -> G>,
}

impl<G: Generation, const ROBUST: bool> Sha2<G, ROBUST> {
    /// Whether H, T_l, PRF_msg and H_msg are of SHA-512.
    const fn is_large(&self) -> bool {
        G::BOUND_TO_SEED && self.n > 16
    }

    /// F ⊕ mask, as words: MGF1-SHA-256(PK.seed ‖ ADRSᶜ, n).
    fn mask(&self, adrs: &AdrsWords, message: &mut [Word]) {
        if !ROBUST {
            return;
        }
        let words = self.n / 4;
        let mut blocks = [[0; WIDTH]; 16];
        blocks[..words].copy_from_slice(&seed_words(&self.pk_seed)[..words]);
        blocks[words..words + 6].copy_from_slice(adrs);
        // the counter is 0; behind it the padding begins in the middle of a word
        blocks[words + 6] = [0x8000; WIDTH];
        let bits = [8 * (self.n as u32 + 26); WIDTH];
        let mut states = IV256.map(|word| [word; WIDTH]);
        if words + 6 < 14 {
            blocks[15] = bits;
        } else {
            compress256(self.level, &mut states, &blocks);
            blocks = [[0; WIDTH]; 16];
            blocks[15] = bits;
        }
        compress256(self.level, &mut states, &blocks);
        for (word, mask) in message.iter_mut().zip(states) {
            word.iter_mut().zip(mask).for_each(|(word, mask)| *word ^= mask);
        }
    }

    /// SHA-256(PK.seed ‖ toByte(0, 64 − n) ‖ ADRSᶜ ‖ message) of one block, into `message`.
    fn one_block(&self, adrs: &AdrsWords, message: &mut [Word]) {
        let mut blocks = [[0; WIDTH]; 16];
        blocks[..6].copy_from_slice(adrs);
        put_at_half_word(&mut blocks[5..], message);
        blocks[5 + message.len()].iter_mut().for_each(|word| *word |= 0x8000);
        blocks[15] = [8 * (64 + 22 + self.n as u32); WIDTH];
        let mut states = self.midstate256.map(|word| [word; WIDTH]);
        compress256(self.level, &mut states, &blocks);
        message.copy_from_slice(&states[..message.len()]);
    }

    /// PRF until round 3: SHA-256(SK.seed ‖ ADRSᶜ).
    fn prf_of_secret(&self, secret: &[Word], adrs: &AdrsWords) -> [Word; 8] {
        let mut blocks = [[0; WIDTH]; 16];
        blocks[..secret.len()].copy_from_slice(secret);
        blocks[secret.len()..secret.len() + 6].copy_from_slice(adrs);
        blocks[secret.len() + 5].iter_mut().for_each(|word| *word |= 0x8000);
        blocks[15] = [8 * (self.n as u32 + 22); WIDTH];
        let mut states = IV256.map(|word| [word; WIDTH]);
        compress256(self.level, &mut states, &blocks);
        erase(blocks.as_flattened_mut());
        states
    }

    /// T_l of up to 16 messages of equal length by SHA-256, up to eight by SHA-512.
    fn t_lanes(&self, adrs: &[Adrs], messages: &[&[u8]], out: &mut [Node]) {
        let len = messages[0].len();
        let mut masked = [[0; MAX_MESSAGE]; WIDTH];
        let mut inputs: [&[u8]; WIDTH] = core::array::from_fn(|i| messages[i.min(messages.len() - 1)]);
        if ROBUST {
            for ((masked, adrs), message) in masked.iter_mut().zip(adrs).zip(messages) {
                self.mgf1(&[&self.pk_seed[..self.n], &adrs.compressed()], &mut masked[..len]);
                masked.iter_mut().zip(*message).for_each(|(mask, byte)| *mask ^= byte);
            }
            inputs = core::array::from_fn(|i| &masked[i.min(messages.len() - 1)][..len]);
        }
        let adrs: [[u8; 22]; WIDTH] = core::array::from_fn(|i| adrs[i.min(adrs.len() - 1)].compressed());
        if self.is_large() {
            let mut lanes = Sha512Lanes::resume(self.level, &self.midstate512, 128);
            lanes.absorb(core::array::from_fn(|i| &adrs[i][..]));
            lanes.absorb(core::array::from_fn(|i| inputs[i]));
            out.iter_mut().zip(lanes.finish()).for_each(|(out, digest)| *out = self.first_n(&digest));
        } else {
            let mut lanes = Sha256Lanes::resume(self.level, &self.midstate256, 64);
            lanes.absorb(adrs.each_ref().map(<[u8; 22]>::as_slice));
            lanes.absorb(inputs);
            out.iter_mut().zip(lanes.finish()).for_each(|(out, digest)| *out = self.first_n(&digest));
        }
    }

    /// T_l of one message, masked already.
    fn t_one(&self, adrs: &Adrs, message: &[&[u8]]) -> Node {
        let (adrs, seed) = (adrs.compressed(), &self.pk_seed[..self.n]);
        let prefix = [seed, &[0; 128][..self.block() - self.n], &adrs];
        self.first_n(&self.digest(&prefix, message))
    }

    /// A block of the function of [`Sha2::is_large`].
    const fn block(&self) -> usize {
        if self.is_large() { 128 } else { 64 }
    }

    /// SHA-X of the concatenated parts: 64 bytes, of which SHA-256 fills 32.
    fn digest(&self, prefix: &[&[u8]], message: &[&[u8]]) -> [u8; 64] {
        let mut parts = [&[][..]; 8];
        parts.iter_mut().zip(prefix.iter().chain(message)).for_each(|(out, part)| *out = part);
        if self.is_large() {
            sha2::sha512(&parts)
        } else {
            let mut digest = [0; 64];
            digest[..32].copy_from_slice(&sha2::sha256(&parts));
            digest
        }
    }

    /// Bytes of a digest of SHA-X.
    const fn digest_len(&self) -> usize {
        self.block() / 2
    }

    /// MGF1-SHA-X, RFC 8017 appendix B.2.1, of the concatenated seed.
    fn mgf1(&self, seed: &[&[u8]], mask: &mut [u8]) {
        for (counter, mask) in (0u32..).zip(mask.chunks_mut(self.digest_len())) {
            let digest = self.digest(seed, &[&counter.to_be_bytes()]);
            mask.copy_from_slice(&digest[..mask.len()]);
        }
    }

    /// HMAC-SHA-X, FIPS 198-1, with a key shorter than a block.
    fn hmac(&self, key: &[u8], message: &[&[u8]]) -> [u8; 64] {
        let mut pad = [0x36; 128];
        pad.iter_mut().zip(key).for_each(|(pad, key)| *pad ^= key);
        let inner = self.digest(&[&pad[..self.block()]], message);
        pad.iter_mut().for_each(|pad| *pad ^= 0x36 ^ 0x5C);
        let outer = self.digest(&[&pad[..self.block()]], &[&inner[..self.digest_len()]]);
        erase(&mut pad);
        outer
    }

    fn first_n(&self, digest: &[u8]) -> Node {
        let mut node = [0; 32];
        node[..self.n].copy_from_slice(&digest[..self.n]);
        node
    }
}

impl<G: Generation, const ROBUST: bool> Family for Sha2<G, ROBUST> {
    type Generation = G;
    type Secret = SecretNode;
    const LANES: usize = WIDTH;

    fn new(level: Level, shape: &Shape, pk_seed: &[u8]) -> Self {
        let mut seed = [0; 32];
        seed[..shape.n].copy_from_slice(pk_seed);
        let mut block = [0; 128];
        block[..shape.n].copy_from_slice(pk_seed);
        let (mut midstate256, mut midstate512) = (IV256, IV512);
        sha2::compress256(&mut midstate256, block.first_chunk().expect("64 of 128 bytes"));
        sha2::compress512(&mut midstate512, &block);
        Self { level, n: shape.n, pk_seed: seed, midstate256, midstate512, generation: PhantomData }
    }

    fn secret(&self, sk_seed: &[u8]) -> SecretNode {
        SecretNode::new(sk_seed)
    }

    fn prf(&self, secret: &SecretNode, adrs: &[Adrs], out: &mut [Node]) {
        let mut secret = seed_words(&secret.0);
        for (adrs, out) in adrs.chunks(WIDTH).zip(out.chunks_mut(WIDTH)) {
            let adrs = address_words(adrs);
            let secret = &secret[..self.n / 4];
            if G::BOUND_TO_SEED {
                let mut message = [[0; WIDTH]; 8];
                message[..secret.len()].copy_from_slice(secret);
                self.one_block(&adrs, &mut message[..secret.len()]);
                scatter(&message[..secret.len()], out);
            } else {
                scatter(&self.prf_of_secret(secret, &adrs)[..secret.len()], out);
            }
        }
        erase(secret.as_flattened_mut());
    }

    fn f(&self, adrs: &[Adrs], nodes: &mut [Node], steps: u32) {
        let mut message = [[0; WIDTH]; 8];
        for (adrs, nodes) in adrs.chunks(WIDTH).zip(nodes.chunks_mut(WIDTH)) {
            let mut adrs = address_words(adrs);
            let message = &mut message[..self.n / 4];
            gather(nodes, message);
            for _ in 0..steps {
                self.mask(&adrs, message);
                self.one_block(&adrs, message);
                // the hash address is below 16, or nothing follows
                adrs[5].iter_mut().for_each(|word| *word = word.wrapping_add(1 << 16));
            }
            scatter(message, nodes);
        }
        erase(message.as_flattened_mut());
    }

    fn h(&self, adrs: &[Adrs], children: &[[Node; 2]], parents: &mut [Node]) {
        let mut joined = [[0; 64]; WIDTH];
        for ((adrs, children), parents) in
            adrs.chunks(self.width()).zip(children.chunks(self.width())).zip(parents.chunks_mut(self.width()))
        {
            for (joined, [left, right]) in joined.iter_mut().zip(children) {
                joined[..self.n].copy_from_slice(&left[..self.n]);
                joined[self.n..2 * self.n].copy_from_slice(&right[..self.n]);
            }
            let messages = joined.each_ref().map(|joined| &joined[..2 * self.n]);
            self.t(adrs, &messages[..adrs.len()], parents);
        }
    }

    fn t(&self, adrs: &[Adrs], messages: &[&[u8]], out: &mut [Node]) {
        for ((adrs, messages), out) in
            adrs.chunks(self.width()).zip(messages.chunks(self.width())).zip(out.chunks_mut(self.width()))
        {
            match (adrs, messages, &mut *out) {
                ([adrs], [message], [out]) if !ROBUST => *out = self.t_one(adrs, &[message]),
                _ => self.t_lanes(adrs, messages, out),
            }
        }
    }

    fn prf_msg(&self, sk_prf: &[u8], opt_rand: &[u8], message: &[&[u8]]) -> Node {
        let mut parts = [&[][..]; 5];
        parts[0] = opt_rand;
        parts[1..].iter_mut().zip(message).for_each(|(out, part)| *out = part);
        self.first_n(&self.hmac(sk_prf, &parts))
    }

    fn h_msg(&self, r: &[u8], pk_root: &[u8], message: &[&[u8]], digest: &mut [u8]) {
        let seed = &self.pk_seed[..self.n];
        let hashed = &self.digest(&[r, seed, pk_root], message)[..self.digest_len()];
        if G::BOUND_TO_SEED {
            self.mgf1(&[r, seed, hashed], digest);
        } else {
            self.mgf1(&[hashed], digest);
        }
    }
}

impl<G: Generation, const ROBUST: bool> Sha2<G, ROBUST> {
    /// Messages of T_l that are hashed together.
    const fn width(&self) -> usize {
        if self.is_large() { 8 } else { WIDTH }
    }
}

/// The same value in all messages.
fn seed_words(node: &Node) -> [Word; 8] {
    core::array::from_fn(|word| [word_of(node, word); WIDTH])
}

/// One value a message.
fn gather(nodes: &[Node], words: &mut [Word]) {
    for (i, word) in words.iter_mut().enumerate() {
        word.iter_mut().zip(nodes).for_each(|(word, node)| *word = word_of(node, i));
    }
}

/// Reads a value from each message.
fn scatter(words: &[Word], nodes: &mut [Node]) {
    for (i, node) in nodes.iter_mut().enumerate() {
        *node = [0; 32];
        node.chunks_exact_mut(4)
            .zip(words)
            .for_each(|(out, word)| out.copy_from_slice(&word[i].to_be_bytes()));
    }
}

/// A big-endian word of a value.
fn word_of(node: &Node, word: usize) -> u32 {
    let (words, _) = node.as_chunks::<4>();
    u32::from_be_bytes(words[word])
}

/// ADRSᶜ of each message.
fn address_words(adrs: &[Adrs]) -> AdrsWords {
    let mut words = [[0; WIDTH]; 6];
    for (i, adrs) in adrs.iter().enumerate() {
        let [layer, _, high, low, kind, a, b, c] = *adrs.words();
        words[0][i] = layer << 24 | high >> 8;
        words[1][i] = high << 24 | low >> 8;
        words[2][i] = low << 24 | kind << 16 | a >> 16;
        words[3][i] = a << 16 | b >> 16;
        words[4][i] = b << 16 | c >> 16;
        words[5][i] = c << 16;
    }
    words
}

/// Ors `message` into `blocks`, from the lower half of the first word on.
fn put_at_half_word(blocks: &mut [Word], message: &[Word]) {
    for (i, words) in message.iter().enumerate() {
        for (n, word) in words.iter().enumerate() {
            blocks[i][n] |= word >> 16;
            blocks[i + 1][n] = word << 16;
        }
    }
}
