//! Hash trees: the root and the authentication path of one leaf, FIPS 205 Algorithms 9 and 15, computed
//! height by height.

use crate::address::Adrs;
use crate::family::{Family, MAX_LANES, Node};

/// The height of the subtrees whose leaves are in memory at the same time.
const LOW_HEIGHT: u32 = 8;
/// The number of levels above the subtrees of height [`LOW_HEIGHT`] in the highest trees: the FORS trees of round 2,
/// which have height 16.
const HIGH_HEIGHT: u32 = 16 - LOW_HEIGHT;

/// The hash function and the addresses of a tree.
pub(crate) struct Tree<'a, F, A> {
    pub(crate) family: &'a F,
    pub(crate) height: u32,
    /// The function that returns the address of a node, given its height and its index from the left.
    pub(crate) address: A,
}

impl<F: Family, A: Fn(u32, u32) -> Adrs> Tree<'_, F, A> {
    /// Computes the root. Writes to `path` the siblings of the nodes from the leaf `target` to the root. Each sibling
    /// has n bytes.
    ///
    /// `leaves` computes leaves, starting at a given index.
    ///
    /// This function is not inlined, because its nodes are most of the memory that signing uses, and they
    /// would occupy the caller's frame twice.
    #[inline(never)]
    pub(crate) fn root(
        &self,
        target: u32,
        path: &mut [u8],
        mut leaves: impl FnMut(u32, &mut [Node]),
    ) -> Node {
        let low = self.height.min(LOW_HEIGHT);
        let n = path.len() / self.height as usize;
        let (low_path, high_path) = path.split_at_mut(low as usize * n);
        let (mut nodes, mut roots) = ([[0; 32]; 1 << LOW_HEIGHT], [[0; 32]; 1 << HIGH_HEIGHT]);
        let (nodes, roots) = (&mut nodes[..1 << low], &mut roots[..1 << (self.height - low)]);
        for (i, root) in roots.iter_mut().enumerate() {
            let first = (i as u32) << low;
            leaves(first, nodes);
            *root = self.reduce(nodes, 0, first, target, low_path);
        }
        self.reduce(roots, low, 0, target >> low, high_path)
    }

    /// Hashes the nodes of one height, starting at index `first`, up to their common ancestor.
    ///
    /// If the node of this height with the index `target` is among them, writes its authentication path to the
    /// ancestor.
    fn reduce(&self, nodes: &mut [Node], height: u32, first: u32, target: u32, path: &mut [u8]) -> Node {
        let levels = nodes.len().trailing_zeros();
        let n = path.len().checked_div(levels as usize).unwrap_or(0);
        let mut level = &mut *nodes;
        for up in 0..levels {
            let (first, target) = (first >> up, target >> up);
            if let Some(sibling) = (target ^ 1).checked_sub(first).and_then(|i| level.get(i as usize)) {
                path[up as usize * n..][..n].copy_from_slice(&sibling[..n]);
            }
            self.parents(level, height + up + 1, first >> 1);
            let half = level.len() / 2;
            level = &mut level[..half];
        }
        nodes[0]
    }

    /// Overwrites the first half of the nodes with the parents of all nodes. The first parent has the index `first`.
    fn parents(&self, nodes: &mut [Node], height: u32, first: u32) {
        for begin in (0..nodes.len() / 2).step_by(F::LANES) {
            let count = F::LANES.min(nodes.len() / 2 - begin);
            let pairs = &nodes.as_chunks().0[begin..begin + count];
            let parents = self.hash_pairs(pairs, height, first + begin as u32);
            nodes[begin..begin + count].copy_from_slice(&parents[..count]);
        }
    }

    /// Returns the parents of up to `LANES` pairs. The first parent has the index `first`.
    fn hash_pairs(&self, pairs: &[[Node; 2]], height: u32, first: u32) -> [Node; MAX_LANES] {
        let adrs: [Adrs; MAX_LANES] = core::array::from_fn(|i| (self.address)(height, first + i as u32));
        let mut parents = [[0; 32]; MAX_LANES];
        self.family.h(&adrs[..pairs.len()], pairs, &mut parents[..pairs.len()]);
        parents
    }

    /// Writes all inner nodes after the leaves in `nodes`, height by height, up to the root.
    pub(crate) fn append_inner_nodes(&self, nodes: &mut [Node]) {
        let mut rest = nodes;
        for height in 1..=self.height {
            let (below, above) = rest.split_at_mut(2 << (self.height - height));
            let pairs = below.as_chunks::<2>().0.chunks(F::LANES);
            for (i, (pairs, out)) in pairs.zip(above.chunks_mut(F::LANES)).enumerate() {
                let parents = self.hash_pairs(pairs, height, (i * F::LANES) as u32);
                out[..pairs.len()].copy_from_slice(&parents[..pairs.len()]);
            }
            rest = above;
        }
    }
}

/// Computes roots from leaves and their authentication paths: FIPS 205 Algorithms 11 and 17, for several
/// trees of equal height at the same time.
///
/// `nodes` holds the leaves with the given indices, and is overwritten with the roots. `paths` holds the authentication
/// paths of the leaves.
pub(crate) fn roots_from_paths<F: Family>(
    family: &F,
    address: impl Fn(u32, u32) -> Adrs,
    indices: &mut [u32],
    paths: &[&[u8]],
    nodes: &mut [Node],
    height: u32,
) {
    let (mut adrs, mut pairs) = ([Adrs::default(); MAX_LANES], [[[0; 32]; 2]; MAX_LANES]);
    for up in 0..height {
        for ((indices, paths), nodes) in
            indices.chunks_mut(F::LANES).zip(paths.chunks(F::LANES)).zip(nodes.chunks_mut(F::LANES))
        {
            for (i, index) in indices.iter_mut().enumerate() {
                let n = paths[i].len() / height as usize;
                let side = (*index & 1) as usize;
                pairs[i][side] = nodes[i];
                pairs[i][1 - side][..n].copy_from_slice(&paths[i][up as usize * n..][..n]);
                *index >>= 1;
                adrs[i] = address(up + 1, *index);
            }
            family.h(&adrs[..nodes.len()], &pairs[..nodes.len()], nodes);
        }
    }
}
