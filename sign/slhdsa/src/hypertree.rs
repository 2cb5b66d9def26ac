//! XMSS trees, FIPS 205 section 6, and the hypertree of d layers of them, section 7.

use crate::address::{KeyPairAt, TreeAt};
use crate::family::{Family, Node};
use crate::params::Shape;
use crate::tree::{Tree, climb};
use crate::wots::{self, Digits, Signing, Wots};
use grille_core::ct;

/// A leaf of the lowest layer: idx_tree and idx_leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Leaf {
    pub(crate) tree: u64,
    pub(crate) leaf: u32,
}

impl Leaf {
    /// From the digest's last bytes, FIPS 205 Algorithm 19, lines 7 to 13: big-endian numbers, cut to their bits.
    pub(crate) fn new(shape: &Shape, digest: &[u8]) -> Self {
        let (tree, leaf) = digest[shape.fors_digest_len()..].split_at(shape.tree_digest_len());
        let number = |bytes: &[u8]| bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
        let mask = |bits: u32| u64::MAX >> (64 - bits);
        Self {
            tree: number(tree) & mask(shape.h - shape.tree_height()),
            leaf: (number(leaf) & mask(shape.tree_height())) as u32,
        }
    }

    /// The FORS key at this leaf.
    pub(crate) const fn key_pair(self) -> KeyPairAt {
        TreeAt { layer: 0, tree: self.tree }.key_pair(self.leaf)
    }

    /// The trees and leaves on the way up, from layer 0 on: FIPS 205 Algorithm 12, lines 6 and 7.
    fn way_up(self, shape: &Shape) -> impl Iterator<Item = (TreeAt, u32)> {
        let height = shape.tree_height();
        (0..shape.d).scan(self, move |at, layer| {
            let here = (TreeAt { layer, tree: at.tree }, at.leaf);
            at.leaf = (at.tree & ((1 << height) - 1)) as u32;
            at.tree = at.tree.checked_shr(height).unwrap_or(0);
            Some(here)
        })
    }
}

impl<F: Family> Wots<'_, F> {
    /// xmss_sign, FIPS 205 Algorithm 10: the signature and, in the same pass, the root that it leads to.
    fn sign_in_tree(&self, at: TreeAt, leaf: u32, message: &Node, signature: &mut [u8]) -> Node {
        let (signature, path) = signature.split_at_mut(self.shape.wots_len());
        let mut signing = Signing { leaf, digits: Digits::new(&self.shape, message), signature };
        self.tree(at).root(leaf, path, |first, out| self.public_keys(at, first, out, Some(&mut signing)))
    }

    fn tree(&self, at: TreeAt) -> Tree<'_, F, impl Fn(u32, u32) -> crate::address::Adrs> {
        let address = move |height, index| at.node(height, index);
        Tree { family: self.family, height: self.shape.tree_height(), address }
    }

    /// PK.root: the root of the highest tree, FIPS 205 Algorithm 18, line 3.
    pub(crate) fn root(&self) -> Node {
        let top = TreeAt { layer: self.shape.d - 1, tree: 0 };
        let mut path = [0; MAX_TREE_HEIGHT * 32];
        let path = &mut path[..self.shape.tree_height() as usize * self.shape.n];
        self.tree(top).root(0, path, |first, out| self.public_keys(top, first, out, None))
    }

    /// ht_sign, FIPS 205 Algorithm 12.
    pub(crate) fn sign(&self, message: &Node, leaf: Leaf, signature: &mut [u8]) {
        let mut message = *message;
        for ((tree, leaf), signature) in
            leaf.way_up(&self.shape).zip(signature.chunks_exact_mut(self.shape.xmss_len()))
        {
            message = self.sign_in_tree(tree, leaf, &message, signature);
            // the signature leads to it
            ct::public_bytes(&mut message);
        }
    }
}

/// The highest XMSS tree, of the sets `128s` and `192s`.
const MAX_TREE_HEIGHT: usize = 9;

/// The root that a signature leads to, FIPS 205 Algorithm 13: PK.root, if the signature is one of `message`.
pub(crate) fn root_from_signature<F: Family>(
    family: &F,
    shape: &Shape,
    message: &Node,
    leaf: Leaf,
    signature: &[u8],
) -> Node {
    let mut node = [*message];
    for ((tree, leaf), signature) in leaf.way_up(shape).zip(signature.chunks_exact(shape.xmss_len())) {
        let (chains, path) = signature.split_at(shape.wots_len());
        node = [wots::public_key_from_signature(family, shape, tree.key_pair(leaf), chains, &node[0])];
        let address = |height, index| tree.node(height, index);
        climb(family, address, &mut [leaf], &[path], &mut node, shape.tree_height());
    }
    let [root] = node;
    root
}
