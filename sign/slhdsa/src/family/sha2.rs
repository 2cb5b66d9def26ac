//! The tweakable hash functions with SHA-2, FIPS 205 section 11.2, and the masks of the robust sets of
//! SPHINCS+.
//!
//! F and PRF hash one block after PK.seed, for 16 messages at a time. Since round 3.1, H and T_l use SHA-512
//! in categories 3 and 5, eight messages at a time. Otherwise, they use SHA-256.

use super::{Family, Node, SecretNode, T_LANES, follow, hasher_with, join};
use crate::address::Adrs;
use crate::backend::sha256::{self, Seed, WIDTH, node_word};
use crate::chains::Chain;
use crate::shape::Shape;
use crate::version::Version;
use core::marker::PhantomData;
use grille_core::erase;
use grille_hash::prehash::{HashFunction, Hasher, PreHash};
use grille_hash::sha2_lanes::{IV256, IV512, Sha256Lanes, Sha512Lanes};
use grille_hash::{Level, sha2};

/// The number of mask bytes that are computed together: 16 digests of SHA-256, or eight of SHA-512.
const MASK_PART_LEN: usize = 512;

/// The SHA-2 family: SHA-256, with SHA-512 if the version requires it. Robust sets mask the hash inputs.
pub struct Sha2<G, const ROBUST: bool> {
    level: Level,
    n: usize,
    pk_seed: Node,
    seed256: Seed,
    /// The state of SHA-512 after PK.seed ‖ toByte(0, 128 − n).
    midstate512: [u64; 8],
    version: PhantomData<fn() -> G>,
}

/// The hash state before the first absorbed byte.
#[derive(Clone, Copy)]
enum InitialState {
    Iv,
    /// The state after one whole block, which consists of PK.seed and zeros.
    AfterPkSeed,
}

impl<G: Version, const ROBUST: bool> Sha2<G, ROBUST> {
    /// Checks whether H, T_l, PRF_msg and H_msg use SHA-512.
    const fn uses_sha512(&self) -> bool {
        G::SHA512 && self.n > 16
    }

    /// Computes [`sha256::chain`] of at most 16 values of n bytes. `MASKED` may also be false in robust sets.
    fn chain<const MASKED: bool>(&self, adrs: &[Adrs], values: &mut [Node; WIDTH], steps: u32) {
        let (level, seed, words) = (self.level, &self.seed256, address_words(adrs));
        match self.n {
            16 => sha256::chain::<4, MASKED>(level, seed, &words, values, adrs.len(), steps),
            24 => sha256::chain::<6, MASKED>(level, seed, &words, values, adrs.len(), steps),
            _ => sha256::chain::<8, MASKED>(level, seed, &words, values, adrs.len(), steps),
        }
    }

    /// Computes MGF1-SHA-X(PK.seed ‖ ADRSᶜ), RFC 8017 appendix B.2.1, for each address, starting with the counter
    /// `first_counter`. The masks are stored one after the other. They consist of whole digests, at most
    /// [`Sha2::lane_count`] in total.
    fn masks(&self, adrs: &[&[u8]], first_counter: usize, masks: &mut [u8]) {
        let count = masks.len() / self.digest_len();
        let per_mask = count / adrs.len();
        let seeds = [&self.pk_seed[..self.n]; WIDTH];
        let addresses: [&[u8]; WIDTH] = core::array::from_fn(|i| adrs[i.min(count - 1) / per_mask]);
        let counters: [[u8; 4]; WIDTH] =
            core::array::from_fn(|i| ((first_counter + i % per_mask) as u32).to_be_bytes());
        let counters = counters.each_ref().map(<[u8; 4]>::as_slice);
        let digests = self.hash_lanes(InitialState::Iv, count, |absorb| {
            [&seeds[..count], &addresses[..count], &counters[..count]].into_iter().for_each(absorb);
        });
        for (out, digest) in masks.chunks_mut(self.digest_len()).zip(digests) {
            out.copy_from_slice(&digest[..out.len()]);
        }
    }

    /// Computes SHA-X of `count` messages, at most [`Sha2::lane_count`]. Each result has 64 bytes. SHA-256 fills
    /// only the first 32 bytes. `parts` calls its argument with the first parts of all messages, then with
    /// their second parts, and so on.
    fn hash_lanes(
        &self,
        initial: InitialState,
        count: usize,
        parts: impl FnOnce(&mut dyn FnMut(&[&[u8]])),
    ) -> [[u8; 64]; WIDTH] {
        let mut out = [[0; 64]; WIDTH];
        if self.uses_sha512() {
            let (state, len) = match initial {
                InitialState::Iv => (&IV512, 0),
                InitialState::AfterPkSeed => (&self.midstate512, 128),
            };
            let mut lanes = Sha512Lanes::resume(self.level, state, len, count);
            parts(&mut |part| lanes.absorb(part));
            out.iter_mut().zip(lanes.finish()).for_each(|(out, digest)| *out = digest);
        } else {
            let (state, len) = match initial {
                InitialState::Iv => (&IV256, 0),
                InitialState::AfterPkSeed => (&self.seed256.midstate, 64),
            };
            let mut lanes = Sha256Lanes::resume(self.level, state, len, count);
            parts(&mut |part| lanes.absorb(part));
            out.iter_mut().zip(lanes.finish()).for_each(|(out, digest)| out[..32].copy_from_slice(&digest));
        }
        out
    }

    /// Returns the number of SHA-X messages that are hashed together.
    const fn lane_count(&self) -> usize {
        if self.uses_sha512() { 8 } else { WIDTH }
    }

    /// Returns the block length of the function that [`Sha2::uses_sha512`] selects.
    const fn block_len(&self) -> usize {
        if self.uses_sha512() { 128 } else { 64 }
    }

    /// Computes SHA-X of the concatenated parts. The result has 64 bytes. SHA-256 fills only the first 32
    /// bytes.
    fn digest(&self, prefix: &[&[u8]], message: &[&[u8]]) -> [u8; 64] {
        let mut parts = [&[][..]; 8];
        debug_assert!(prefix.len() + message.len() <= parts.len());
        parts.iter_mut().zip(prefix.iter().chain(message)).for_each(|(out, part)| *out = part);
        if self.uses_sha512() {
            sha2::sha512(&parts)
        } else {
            let mut digest = [0; 64];
            digest[..32].copy_from_slice(&sha2::sha256(&parts));
            digest
        }
    }

    /// Returns the number of bytes of a SHA-X digest.
    const fn digest_len(&self) -> usize {
        self.block_len() / 2
    }

    /// Computes MGF1-SHA-X, RFC 8017 appendix B.2.1, of the concatenated parts of `seed`.
    fn mgf1(&self, seed: &[&[u8]], mask: &mut [u8]) {
        for (counter, mask) in (0u32..).zip(mask.chunks_mut(self.digest_len())) {
            let digest = self.digest(seed, &[&counter.to_be_bytes()]);
            mask.copy_from_slice(&digest[..mask.len()]);
        }
    }

    /// Runs MGF1, the last step of H_msg, which computes the message digest from `hashed`.
    fn h_msg_mgf1(&self, r: &[u8], hashed: &[u8], digest: &mut [u8]) {
        match G::PK_SEED_IN_MGF1 {
            true => self.mgf1(&[r, &self.pk_seed[..self.n], hashed], digest),
            false => self.mgf1(&[hashed], digest),
        }
    }

    /// Returns the hash function SHA-X.
    const fn function(&self) -> HashFunction {
        if self.uses_sha512() { HashFunction::Sha512 } else { HashFunction::Sha256 }
    }

    /// Computes HMAC-SHA-X, FIPS 198-1, with a key shorter than a block.
    fn hmac(&self, key: &[u8], message: &[&[u8]]) -> [u8; 64] {
        let mut pad = [0x36; 128];
        pad.iter_mut().zip(key).for_each(|(pad, key)| *pad ^= key);
        let mut inner = self.digest(&[&pad[..self.block_len()]], message);
        pad.iter_mut().for_each(|pad| *pad ^= 0x36 ^ 0x5C);
        let outer = self.digest(&[&pad[..self.block_len()]], &[&inner[..self.digest_len()]]);
        erase(&mut pad);
        erase(&mut inner);
        outer
    }

    /// Computes H and T_l of one message in simple sets, from at most two concatenated parts. For one message, this
    /// function is faster than [`hash_lanes`](Self::hash_lanes).
    fn t_single(&self, adrs: &Adrs, message: &[&[u8]]) -> Node {
        let compressed = adrs.compressed();
        let mut parts = [&compressed[..], &[], &[]];
        parts[1..].iter_mut().zip(message).for_each(|(out, part)| *out = part);
        if self.uses_sha512() {
            self.first_n(&sha2::resume512(&self.midstate512, 128, &parts))
        } else {
            self.first_n(&sha2::resume256(&self.seed256.midstate, 64, &parts))
        }
    }

    fn first_n(&self, digest: &[u8]) -> Node {
        let mut node = [0; 32];
        node[..self.n].copy_from_slice(&digest[..self.n]);
        node
    }
}

/// Returns ADRSᶜ of each address, in words.
fn address_words(adrs: &[Adrs]) -> [[u32; 8]; WIDTH] {
    let mut words = [[0; 8]; WIDTH];
    words.iter_mut().zip(adrs).for_each(|(words, adrs)| *words = adrs.compressed_words());
    words
}

impl<G: Version, const ROBUST: bool> Family for Sha2<G, ROBUST> {
    type Version = G;
    type Secret = SecretNode;
    const LANES: usize = WIDTH;

    fn new(level: Level, shape: &Shape, pk_seed: &[u8]) -> Self {
        let mut seed = [0; 32];
        seed[..shape.n].copy_from_slice(pk_seed);
        let mut block = [0; 128];
        block[..shape.n].copy_from_slice(pk_seed);
        let (mut midstate, mut midstate512) = (IV256, IV512);
        sha2::compress256(&mut midstate, block.first_chunk().expect("64 of 128 bytes"));
        sha2::compress512(&mut midstate512, &block);
        let seed256 = Seed { words: core::array::from_fn(|i| node_word(&seed, i)), midstate };
        Self { level, n: shape.n, pk_seed: seed, seed256, midstate512, version: PhantomData }
    }

    fn secret(&self, sk_seed: &[u8]) -> SecretNode {
        SecretNode::new(sk_seed)
    }

    fn prf(&self, secret: &SecretNode, adrs: &[Adrs], out: &mut [Node]) {
        if G::PK_SEED_IN_PRF {
            let mut values = [secret.0; WIDTH];
            self.chain::<false>(adrs, &mut values, 1);
            out.copy_from_slice(&values[..out.len()]);
            erase(values.as_flattened_mut());
        } else {
            let (level, secret, words) = (self.level, &secret.0, address_words(adrs));
            match self.n {
                16 => sha256::prf_round3::<4>(level, secret, &words, out),
                24 => sha256::prf_round3::<6>(level, secret, &words, out),
                _ => sha256::prf_round3::<8>(level, secret, &words, out),
            }
        }
    }

    fn f(&self, adrs: &[Adrs], nodes: &mut [Node], steps: u32) {
        let mut values = [[0; 32]; WIDTH];
        values[..nodes.len()].copy_from_slice(nodes);
        self.chain::<ROBUST>(adrs, &mut values, steps);
        nodes.copy_from_slice(&values[..nodes.len()]);
        erase(values.as_flattened_mut());
    }

    fn follow(&self, chains: &mut [Chain]) {
        let (level, seed) = (self.level, &self.seed256);
        match self.n {
            16 => sha256::follow::<4, ROBUST>(level, seed, chains),
            24 => sha256::follow::<6, ROBUST>(level, seed, chains),
            _ => sha256::follow::<8, ROBUST>(level, seed, chains),
        }
        follow(self, chains);
    }

    fn h(&self, adrs: &[Adrs], children: &[[Node; 2]], parents: &mut [Node]) {
        if let ([adrs], [[left, right]], [parent], false) = (adrs, children, &mut *parents, ROBUST) {
            *parent = self.t_single(adrs, &[&left[..self.n], &right[..self.n]]);
            return;
        }
        if !self.uses_sha512() {
            let (level, seed, words) = (self.level, &self.seed256, address_words(adrs));
            return match self.n {
                16 => sha256::hash_pairs::<4, ROBUST>(level, seed, &words, children, parents),
                24 => sha256::hash_pairs::<6, ROBUST>(level, seed, &words, children, parents),
                _ => sha256::hash_pairs::<8, ROBUST>(level, seed, &words, children, parents),
            };
        }
        let joined = join::<WIDTH>(self.n, children);
        let messages = joined.each_ref().map(|joined| &joined[..2 * self.n]);
        for (i, parents) in parents.chunks_mut(T_LANES).enumerate() {
            let these = i * T_LANES..i * T_LANES + parents.len();
            self.t(&adrs[these.clone()], &messages[these], parents);
        }
    }

    fn t(&self, adrs: &[Adrs], messages: &[&[u8]], out: &mut [Node]) {
        if let ([adrs], [_], [out], false) = (adrs, messages, &mut *out, ROBUST) {
            *out = self.t_single(adrs, messages);
            return;
        }
        let (count, len) = (messages.len(), messages[0].len());
        let mut compressed = [[0; 22]; WIDTH];
        compressed.iter_mut().zip(adrs).for_each(|(out, adrs)| *out = adrs.compressed());
        let compressed = compressed.each_ref().map(<[u8; 22]>::as_slice);
        let digests = self.hash_lanes(InitialState::AfterPkSeed, count, |absorb| {
            absorb(&compressed[..count]);
            if !ROBUST {
                return absorb(messages);
            }
            // the part of each mask that is computed in one pass
            let part = (self.lane_count() / count) * self.digest_len();
            for begin in (0..len).step_by(part) {
                let mut masked = [0; MASK_PART_LEN];
                let end = len.min(begin + part);
                self.masks(&compressed[..count], begin / self.digest_len(), &mut masked[..count * part]);
                let mut parts = [&[][..]; WIDTH];
                for ((masked, message), out) in masked.chunks_mut(part).zip(messages).zip(&mut parts) {
                    masked.iter_mut().zip(&message[begin..end]).for_each(|(mask, byte)| *mask ^= byte);
                    *out = &masked[..end - begin];
                }
                absorb(&parts[..count]);
            }
        });
        out.iter_mut().zip(digests).for_each(|(out, digest)| *out = self.first_n(&digest));
    }

    fn prf_msg(&self, sk_prf: &[u8], opt_rand: &[u8], message: &[&[u8]]) -> Node {
        let mut parts = [&[][..]; 5];
        debug_assert!(message.len() < parts.len());
        parts[0] = opt_rand;
        parts[1..].iter_mut().zip(message).for_each(|(out, part)| *out = part);
        self.first_n(&self.hmac(sk_prf, &parts))
    }

    fn h_msg(&self, r: &[u8], pk_root: &[u8], message: &[&[u8]], digest: &mut [u8]) {
        let hashed = &self.digest(&[r, &self.pk_seed[..self.n], pk_root], message)[..self.digest_len()];
        self.h_msg_mgf1(r, hashed, digest);
    }

    fn begin_prf_msg(&self, sk_prf: &[u8], opt_rand: &[u8]) -> Option<Hasher> {
        let mut pad = [0x36; 128];
        pad.iter_mut().zip(sk_prf).for_each(|(pad, key)| *pad ^= key);
        let hasher = hasher_with(self.function(), &[&pad[..self.block_len()], opt_rand]);
        erase(&mut pad);
        Some(hasher)
    }

    /// Computes the outer hash of HMAC.
    fn end_prf_msg(&self, sk_prf: &[u8], hashed: &PreHash) -> Node {
        let mut pad = [0x5C; 128];
        pad.iter_mut().zip(sk_prf).for_each(|(pad, key)| *pad ^= key);
        let outer = self.digest(&[&pad[..self.block_len()]], &[hashed.digest()]);
        erase(&mut pad);
        self.first_n(&outer)
    }

    fn begin_h_msg(&self, r: &[u8], pk_root: &[u8]) -> Option<Hasher> {
        Some(hasher_with(self.function(), &[r, &self.pk_seed[..self.n], pk_root]))
    }

    fn end_h_msg(&self, r: &[u8], hashed: &PreHash, digest: &mut [u8]) {
        self.h_msg_mgf1(r, hashed.digest(), digest);
    }
}
