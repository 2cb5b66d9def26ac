//! The hypertree of d layers of XMSS trees, FIPS 205 section 7.

use crate::address::{KeyPairPosition, TreePosition};
use crate::family::{Family, Node};
use crate::shape::Shape;
use crate::wots::Wots;
use crate::xmss;
use alloc::vec;
use alloc::vec::Vec;
use grille_core::ct;

/// The position of a leaf of the lowest layer: idx_tree and idx_leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Leaf {
    pub(crate) tree: u64,
    pub(crate) leaf: u32,
}

impl Leaf {
    /// Reads the position from the last bytes of the digest, FIPS 205 Algorithm 19, lines 7 to 10. Both
    /// numbers are big-endian and are truncated to the required number of bits.
    pub(crate) fn new(shape: &Shape, digest: &[u8]) -> Self {
        let (tree, leaf) = digest[shape.fors_digest_len()..].split_at(shape.tree_digest_len());
        let number = |bytes: &[u8]| bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
        let mask = |bits: u32| u64::MAX >> (64 - bits);
        Self {
            tree: number(tree) & mask(shape.h - shape.tree_height()),
            leaf: (number(leaf) & mask(shape.tree_height())) as u32,
        }
    }

    /// Returns the position of the FORS key that this leaf signs.
    pub(crate) const fn key_pair(self) -> KeyPairPosition {
        TreePosition { layer: 0, tree: self.tree }.key_pair(self.leaf)
    }

    /// Returns the position of each tree on the path to the root, with the index of the leaf, starting at layer 0: the
    /// loop of FIPS 205 Algorithm 12.
    fn path_to_root(self, shape: &Shape) -> impl Iterator<Item = (TreePosition, u32)> {
        let height = shape.tree_height();
        (0..shape.d).scan(self, move |at, layer| {
            let here = (TreePosition { layer, tree: at.tree }, at.leaf);
            at.leaf = (at.tree & ((1 << height) - 1)) as u32;
            at.tree = at.tree.checked_shr(height).unwrap_or(0);
            Some(here)
        })
    }
}

impl<F: Family> Wots<'_, F> {
    /// Returns the position of the top tree.
    const fn top_position(&self) -> TreePosition {
        TreePosition { layer: self.shape.d - 1, tree: 0 }
    }

    /// Computes PK.root, the root of the top tree: FIPS 205 Algorithm 18, line 3.
    pub(crate) fn root(&self) -> Node {
        self.tree_root(self.top_position())
    }

    /// Runs ht_sign, FIPS 205 Algorithm 12. If `top` is given, takes the nodes of the top tree from it instead of
    /// computing them again.
    pub(crate) fn ht_sign(&self, message: &Node, leaf: Leaf, signature: &mut [u8], top: Option<&TopTree>) {
        let trees = leaf.path_to_root(&self.shape).zip(signature.chunks_exact_mut(self.shape.xmss_len()));
        let mut message = *message;
        for ((tree, leaf), signature) in trees {
            message = match top {
                Some(top) if tree == self.top_position() => {
                    top.path(leaf, &mut signature[self.shape.wots_len()..]);
                    self.wots_sign(tree, leaf, &message, &mut signature[..self.shape.wots_len()]);
                    top.root()
                }
                _ => self.xmss_sign(tree, leaf, &message, signature),
            };
            // the value is public, because it can be computed from the signature
            ct::public_bytes(&mut message);
        }
    }
}

/// The top tree with all its nodes. The tree is public, because signatures reveal its nodes.
pub struct TopTree {
    n: usize,
    /// The leaves, their parents, and so on. The root is the last node.
    nodes: Vec<Node>,
}

impl TopTree {
    pub(crate) fn new<F: Family>(wots: &Wots<'_, F>) -> Self {
        let leaves = 1 << wots.shape.tree_height();
        let mut nodes = vec![[0; 32]; 2 * leaves - 1];
        wots.public_keys(wots.top_position(), 0, &mut nodes[..leaves], None);
        wots.tree(wots.top_position()).append_inner_nodes(&mut nodes);
        Self { n: wots.shape.n, nodes }
    }

    pub(crate) fn root(&self) -> Node {
        self.nodes[self.nodes.len() - 1]
    }

    /// Writes the authentication path of a leaf.
    fn path(&self, leaf: u32, path: &mut [u8]) {
        let (mut level, mut index) = (&self.nodes[..], leaf as usize);
        for sibling in path.chunks_exact_mut(self.n) {
            sibling.copy_from_slice(&level[index ^ 1][..self.n]);
            level = &level[level.len().div_ceil(2)..];
            index >>= 1;
        }
    }
}

/// Computes the root from a signature, FIPS 205 Algorithm 13. The root equals PK.root if the signature is
/// valid for `message`.
pub(crate) fn root_from_signature<F: Family>(
    family: &F,
    shape: &Shape,
    message: &Node,
    leaf: Leaf,
    signature: &[u8],
) -> Node {
    let mut node = *message;
    for ((tree, leaf), signature) in leaf.path_to_root(shape).zip(signature.chunks_exact(shape.xmss_len())) {
        node = xmss::pk_from_sig(family, shape, tree, leaf, signature, &node);
    }
    node
}
