//! FORS, FIPS 205 section 8. A signature reveals one leaf of each of k trees.

use crate::address::{Adrs, KeyPairPosition};
use crate::family::{Family, MAX_LANES, Node};
use crate::parallel;
use crate::progress::ProgressCounter;
use crate::shape::Shape;
use crate::tree::{Tree, roots_from_paths};
use crate::version::Version;

/// The largest number of trees, that of SLH-DSA-256f.
const MAX_TREES: usize = 35;

/// The indices of the leaves that a message selects, one in each tree. An index counts through the leaves of all trees.
pub(crate) struct Indices([u32; MAX_TREES]);

impl Indices {
    /// Reads the indices from the digest's first ⌈k·a / 8⌉ bytes: base_2b, FIPS 205 Algorithm 4. In rounds 2
    /// to 3.1, the lowest bits come first.
    pub(crate) fn new<G: Version>(shape: &Shape, digest: &[u8]) -> Self {
        let mut indices = [0; MAX_TREES];
        for (tree, index) in indices[..shape.k].iter_mut().enumerate() {
            let bits = (0..shape.a).map(|bit| {
                let at = tree * shape.a as usize + bit as usize;
                if G::HIGH_BITS_FIRST {
                    u32::from(digest[at / 8] >> (7 - at % 8) & 1) << (shape.a - 1 - bit)
                } else {
                    u32::from(digest[at / 8] >> (at % 8) & 1) << bit
                }
            });
            *index = (tree as u32) << shape.a | bits.sum::<u32>();
        }
        Self(indices)
    }
}

/// Runs fors_sign, FIPS 205 Algorithm 16. Returns the public key that fors_pkFromSig computes from the
/// signature.
pub(crate) fn sign<F: Family>(
    family: &F,
    secret: &F::Secret,
    shape: &Shape,
    key_pair: KeyPairPosition,
    indices: &Indices,
    signature: &mut [u8],
    work: &ProgressCounter<'_>,
) -> Node {
    let mut roots = [[0; 32]; MAX_TREES];
    let trees = signature.chunks_exact_mut(shape.fors_tree_len()).zip(&mut roots).enumerate();
    parallel::for_each(trees, |(i, (signature, root))| {
        *root = sign_in_tree(family, secret, shape, key_pair, i, indices.0[i], signature);
        work.finish_fors_tree(shape);
    });
    public_key(family, shape, key_pair, &roots[..shape.k])
}

/// Writes one tree's part of a signature, and returns the root of the tree.
fn sign_in_tree<F: Family>(
    family: &F,
    secret: &F::Secret,
    shape: &Shape,
    key_pair: KeyPairPosition,
    tree: usize,
    index: u32,
    signature: &mut [u8],
) -> Node {
    let first_leaf = (tree as u32) << shape.a;
    let (value, path) = signature.split_at_mut(shape.n);
    let mut revealed = [[0; 32]];
    family.prf(secret, &[key_pair.fors_secret(F::Version::PRF_ADDRESSES, index)], &mut revealed);
    value.copy_from_slice(&revealed[0][..shape.n]);
    let address = |height, index| key_pair.fors_node(height, (first_leaf >> height) + index);
    Tree { family, height: shape.a, address }.root(index - first_leaf, path, |first, out| {
        leaves(family, secret, key_pair, first_leaf + first, out);
    })
}

/// Runs fors_skGen, FIPS 205 Algorithm 14, and F: computes leaves, starting with the leaf `first`.
fn leaves<F: Family>(
    family: &F,
    secret: &F::Secret,
    key_pair: KeyPairPosition,
    first: u32,
    out: &mut [Node],
) {
    for (i, out) in out.chunks_mut(F::LANES).enumerate() {
        let index = |lane: usize| first + (i * F::LANES + lane) as u32;
        let secrets: [Adrs; MAX_LANES] =
            core::array::from_fn(|lane| key_pair.fors_secret(F::Version::PRF_ADDRESSES, index(lane)));
        let leaves: [Adrs; MAX_LANES] = core::array::from_fn(|lane| key_pair.fors_node(0, index(lane)));
        family.prf(secret, &secrets[..out.len()], out);
        family.f(&leaves[..out.len()], out, 1);
    }
}

/// Runs fors_pkFromSig, FIPS 205 Algorithm 17.
pub(crate) fn pk_from_sig<F: Family>(
    family: &F,
    shape: &Shape,
    key_pair: KeyPairPosition,
    indices: &Indices,
    signature: &[u8],
) -> Node {
    let (k, n) = (shape.k, shape.n);
    let mut indices = indices.0;
    let mut nodes = [[0; 32]; MAX_TREES];
    let mut paths = [&[][..]; MAX_TREES];
    for (i, signature) in signature.chunks_exact(shape.fors_tree_len()).enumerate() {
        nodes[i][..n].copy_from_slice(&signature[..n]);
        paths[i] = &signature[n..];
    }
    let adrs = indices.map(|index| key_pair.fors_node(0, index));
    for (adrs, nodes) in adrs[..k].chunks(F::LANES).zip(nodes[..k].chunks_mut(F::LANES)) {
        family.f(adrs, nodes, 1);
    }
    let address = |height, index| key_pair.fors_node(height, index);
    roots_from_paths(family, address, &mut indices[..k], &paths[..k], &mut nodes[..k], shape.a);
    public_key(family, shape, key_pair, &nodes[..k])
}

/// Computes T_k of the roots.
fn public_key<F: Family>(family: &F, shape: &Shape, key_pair: KeyPairPosition, roots: &[Node]) -> Node {
    let mut joined = [0; MAX_TREES * 32];
    joined.chunks_exact_mut(shape.n).zip(roots).for_each(|(out, root)| out.copy_from_slice(&root[..shape.n]));
    let mut key = [[0; 32]];
    family.t(&[key_pair.fors_roots()], &[&joined[..shape.k * shape.n]], &mut key);
    let [key] = key;
    key
}
