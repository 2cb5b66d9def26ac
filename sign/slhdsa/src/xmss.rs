//! XMSS trees, whose leaves are WOTS+ keys, FIPS 205 section 6.

use crate::address::{Adrs, TreePosition};
use crate::family::{Family, Node};
use crate::shape::Shape;
use crate::tree::{Tree, roots_from_paths};
use crate::wots::{self, Digits, Signing, Wots};

/// The height of the highest XMSS tree, in the sets `128s` and `192s`.
const MAX_TREE_HEIGHT: usize = 9;

impl<F: Family> Wots<'_, F> {
    /// Runs xmss_sign, FIPS 205 Algorithm 10. In the same pass, computes the root, and returns it.
    pub(crate) fn xmss_sign(
        &self,
        at: TreePosition,
        leaf: u32,
        message: &Node,
        signature: &mut [u8],
    ) -> Node {
        let (signature, path) = signature.split_at_mut(self.shape.wots_len());
        let mut signing = Signing { leaf, digits: Digits::new(&self.shape, message), signature };
        self.tree(at).root(leaf, path, |first, out| self.public_keys(at, first, out, Some(&mut signing)))
    }

    /// Returns the hash tree whose leaves are the WOTS+ keys.
    pub(crate) fn tree(&self, at: TreePosition) -> Tree<'_, F, impl Fn(u32, u32) -> Adrs> {
        let address = move |height, index| at.node(height, index);
        Tree { family: self.family, height: self.shape.tree_height(), address }
    }

    /// Computes the root of a tree with xmss_node, FIPS 205 Algorithm 9.
    pub(crate) fn tree_root(&self, at: TreePosition) -> Node {
        let mut path = [0; MAX_TREE_HEIGHT * 32];
        let path = &mut path[..self.shape.tree_height() as usize * self.shape.n];
        self.tree(at).root(0, path, |first, out| self.public_keys(at, first, out, None))
    }
}

/// Runs xmss_pkFromSig, FIPS 205 Algorithm 11: computes the root from a signature of `message`.
pub(crate) fn pk_from_sig<F: Family>(
    family: &F,
    shape: &Shape,
    at: TreePosition,
    leaf: u32,
    signature: &[u8],
    message: &Node,
) -> Node {
    let (chains, path) = signature.split_at(shape.wots_len());
    let mut root = [wots::pk_from_sig(family, shape, at.key_pair(leaf), chains, message)];
    roots_from_paths(
        family,
        |height, index| at.node(height, index),
        &mut [leaf],
        &[path],
        &mut root,
        shape.tree_height(),
    );
    let [root] = root;
    root
}
