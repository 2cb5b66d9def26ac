//! WOTS+, FIPS 205 section 5, with w = 16. Several chains are computed at the same time.

use crate::address::{Adrs, ChainAdrs, KeyPairPosition, TreePosition};
use crate::chains::Chain;
use crate::family::{Family, MAX_LANES, Node, T_LANES};
use crate::parallel;
use crate::progress::ProgressCounter;
use crate::shape::Shape;
use crate::version::Version;
use grille_core::erase;

/// The number of steps in a whole chain, w − 1.
const STEPS: u8 = 15;
/// The largest number of chains of a key, with n = 32.
const MAX_CHAINS: usize = 67;
/// The number of keys that are computed together.
const KEYS_TOGETHER: usize = T_LANES;

/// A message and its checksum as WOTS+ digits: the number of steps in each chain.
pub(crate) struct Digits([u8; MAX_CHAINS]);

impl Digits {
    /// Computes base_2b and the checksum: FIPS 205 Algorithm 7, lines 1 to 7.
    pub(crate) fn new(shape: &Shape, message: &Node) -> Self {
        let mut digits = [0; MAX_CHAINS];
        for (pair, byte) in digits.chunks_exact_mut(2).zip(&message[..shape.n]) {
            pair.copy_from_slice(&[byte >> 4, byte & 15]);
        }
        // the checksum is at most 64 · 15, which has three digits
        let csum: u16 = digits[..2 * shape.n].iter().map(|digit| u16::from(STEPS - digit)).sum();
        for (i, digit) in digits[2 * shape.n..shape.chains()].iter_mut().enumerate() {
            *digit = (csum >> (8 - 4 * i)) as u8 & 15;
        }
        Self(digits)
    }

    /// Returns the numbers of the first `chains` chains in ascending order of their digits.
    fn chains_by_digit(&self, chains: usize) -> [u8; MAX_CHAINS] {
        let mut order = core::array::from_fn(|chain| chain as u8);
        order[..chains].sort_unstable_by_key(|chain| self.0[usize::from(*chain)]);
        order
    }
}

/// The generator of the WOTS+ keys of a hypertree.
pub struct Wots<'a, F: Family> {
    pub(crate) family: &'a F,
    pub(crate) secret: &'a F::Secret,
    pub(crate) shape: Shape,
    pub(crate) work: &'a ProgressCounter<'a>,
}

/// A signature that is computed in the same pass as the keys of a tree.
pub(crate) struct Signing<'a> {
    /// The leaf whose key signs.
    pub(crate) leaf: u32,
    pub(crate) digits: Digits,
    /// The output: the chain values of the signature, n bytes each.
    pub(crate) signature: &'a mut [u8],
}

impl<F: Family> Wots<'_, F> {
    /// Runs wots_pkGen, FIPS 205 Algorithm 6, for the keys starting at `first`. If one of these keys signs,
    /// also runs wots_sign, Algorithm 7.
    pub(crate) fn public_keys(
        &self,
        tree: TreePosition,
        first: u32,
        out: &mut [Node],
        mut signing: Option<&mut Signing<'_>>,
    ) {
        let chunks =
            (first..).step_by(KEYS_TOGETHER).zip(out.chunks_mut(KEYS_TOGETHER)).map(|(first, out)| {
                let ours =
                    signing.take_if(|signing| (first..first + out.len() as u32).contains(&signing.leaf));
                (first, out, ours)
            });
        parallel::for_each(chunks, |(first, out, signing)| self.public_keys_chunk(tree, first, out, signing));
    }

    /// Implements [`public_keys`](Self::public_keys) for at most [`KEYS_TOGETHER`] keys.
    fn public_keys_chunk(
        &self,
        tree: TreePosition,
        first: u32,
        out: &mut [Node],
        signing: Option<&mut Signing<'_>>,
    ) {
        let len = self.shape.wots_len();
        let mut ends = [0; KEYS_TOGETHER * MAX_CHAINS * 32];
        let ends = &mut ends[..out.len() * len];
        self.chain_ends(tree, first, ends, signing);
        let adrs: [Adrs; KEYS_TOGETHER] = core::array::from_fn(|i| tree.key_pair(first + i as u32).wots_pk());
        let mut keys = [&[][..]; KEYS_TOGETHER];
        keys.iter_mut().zip(ends.chunks(len)).for_each(|(key, ends)| *key = ends);
        self.family.t(&adrs[..out.len()], &keys[..out.len()], out);
        self.work.finish_wots_keys(&self.shape, out.len());
    }

    /// Runs wots_sign, FIPS 205 Algorithm 7, with one key of a tree.
    pub(crate) fn wots_sign(&self, tree: TreePosition, leaf: u32, message: &Node, signature: &mut [u8]) {
        let mut ends = [0; MAX_CHAINS * 32];
        let mut signing = Signing { leaf, digits: Digits::new(&self.shape, message), signature };
        self.chain_ends(tree, leaf, &mut ends[..self.shape.wots_len()], Some(&mut signing));
    }

    /// Computes the last values of all chains of the keys starting at `first`. Processes `LANES` chains at a time,
    /// which may belong to different keys.
    ///
    /// The chains of the key that signs are processed in the order in which the signature stops them.
    fn chain_ends(
        &self,
        tree: TreePosition,
        first: u32,
        ends: &mut [u8],
        mut signing: Option<&mut Signing<'_>>,
    ) {
        let (n, chains) = (self.shape.n, self.shape.chains());
        let signs = signing.as_ref().map(|signing| (signing.leaf, signing.digits.chains_by_digit(chains)));
        let count = ends.len() / n;
        let mut nodes = [[0; 32]; MAX_LANES];
        for begin in (0..count).step_by(F::LANES) {
            let at: [_; MAX_LANES] = core::array::from_fn(|lane| {
                let (key, chain) = ((begin + lane) / chains, (begin + lane) % chains);
                let key = first + key as u32;
                match &signs {
                    Some((leaf, order)) if *leaf == key => (key, order[chain].into()),
                    _ => (key, chain),
                }
            });
            let at = &at[..F::LANES.min(count - begin)];
            let nodes = &mut nodes[..at.len()];
            self.secrets(tree, at, nodes);
            match &mut signing {
                Some(signing) if at.iter().any(|(key, _)| *key == signing.leaf) => {
                    self.compute_chains_and_sign(tree, at, nodes, signing);
                }
                _ => self.family.f(&addresses(tree, at, 0)[..at.len()], nodes, STEPS.into()),
            }
            for (node, (key, chain)) in nodes.iter().zip(at) {
                let job = (key - first) as usize * chains + chain;
                ends[job * n..][..n].copy_from_slice(&node[..n]);
            }
        }
        erase(&mut nodes);
    }

    /// Computes the secret values at the start of chains.
    fn secrets(&self, tree: TreePosition, at: &[(u32, usize)], nodes: &mut [Node]) {
        let mut adrs = [Adrs::default(); MAX_LANES];
        for (adrs, (key, chain)) in adrs.iter_mut().zip(at) {
            *adrs = tree.key_pair(*key).chain_secret(F::Version::PRF_ADDRESSES, *chain as u32);
        }
        self.family.prf(self.secret, &adrs[..at.len()], nodes);
    }

    /// Computes whole chains, in groups of steps. For each chain of the key that signs, writes the value at
    /// which the signature stops the chain.
    fn compute_chains_and_sign(
        &self,
        tree: TreePosition,
        at: &[(u32, usize)],
        nodes: &mut [Node],
        signing: &mut Signing<'_>,
    ) {
        let n = self.shape.n;
        let mut step = 0;
        loop {
            let mut next = STEPS;
            for (node, (key, chain)) in nodes.iter().zip(at) {
                let digit = signing.digits.0[*chain];
                if *key == signing.leaf && digit == step {
                    signing.signature[chain * n..][..n].copy_from_slice(&node[..n]);
                } else if *key == signing.leaf && digit > step {
                    next = next.min(digit);
                }
            }
            if step == STEPS {
                break;
            }
            self.family.f(&addresses(tree, at, step.into())[..at.len()], nodes, (next - step).into());
            step = next;
        }
    }
}

/// Returns the addresses of chains after `step` steps. A chain is identified by its key and its number.
fn addresses(tree: TreePosition, at: &[(u32, usize)], step: u32) -> [Adrs; MAX_LANES] {
    let mut adrs = [Adrs::default(); MAX_LANES];
    for (adrs, (key, chain)) in adrs.iter_mut().zip(at) {
        *adrs = tree.key_pair(*key).chain(*chain as u32, step).adrs();
    }
    adrs
}

/// Runs wots_pkFromSig, FIPS 205 Algorithm 8.
pub(crate) fn pk_from_sig<F: Family>(
    family: &F,
    shape: &Shape,
    key_pair: KeyPairPosition,
    signature: &[u8],
    message: &Node,
) -> Node {
    let (n, count) = (shape.n, shape.chains());
    let digits = Digits::new(shape, message);
    // the longest chains come first, so that the lanes become idle at the same time
    let order = digits.chains_by_digit(count);
    let mut chains = [Chain { adrs: ChainAdrs::default(), node: [0; 32], remaining_steps: 0 }; MAX_CHAINS];
    for (out, chain) in chains[..count].iter_mut().zip(order) {
        let (digit, at) = (digits.0[usize::from(chain)], usize::from(chain) * n);
        out.adrs = key_pair.chain(chain.into(), digit.into());
        out.node[..n].copy_from_slice(&signature[at..at + n]);
        out.remaining_steps = STEPS - digit;
    }
    family.follow(&mut chains[..count]);
    let mut ends = [0; MAX_CHAINS * 32];
    for (Chain { node, .. }, chain) in chains[..count].iter().zip(order) {
        ends[usize::from(chain) * n..][..n].copy_from_slice(&node[..n]);
    }
    let mut key = [[0; 32]];
    family.t(&[key_pair.wots_pk()], &[&ends[..shape.wots_len()]], &mut key);
    let [key] = key;
    key
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{Params, SlhDsaSha2_128s};

    #[test]
    fn checksum_matches_known_values() {
        let shape = SlhDsaSha2_128s::SHAPE;
        let Digits(digits) = Digits::new(&shape, &[0xF0; 32]);
        assert_eq!(digits[..32], [15, 0].repeat(16)[..]);
        // 16 · 15 = 0x0F0
        assert_eq!(digits[32..35], [0, 15, 0]);
        let Digits(digits) = Digits::new(&shape, &[0; 32]);
        // 32 · 15 = 0x1E0
        assert_eq!(digits[32..35], [1, 14, 0]);
    }
}
