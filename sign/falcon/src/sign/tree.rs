//! The Falcon tree and the walk over it, Falcon sections 3.8.3 and 3.9.2.
//!
//! A tree of n is flat: ℓ10 with n values, then the tree of n/2 of d00, then that of d11. A leaf is one value, 1/σ′.

use super::fft::{merge, multiply, set_value, split, split_self_adjoint, value};
use super::flr::Real;
use super::sampler::Sampler;

/// ffLDL*, Falcon Algorithm 9, with leaves that are normalized: √d·(1/σ), which is 1/σ′.
///
/// `g00` and `g11`: self-adjoint, real values only; `g01`: n values. `scratch`: 3n values.
/// Secret: everything.
#[inline(always)]
pub(crate) fn ldl_tree<R: Real>(
    g00: &[R],
    g01: &[R],
    g11: &[R],
    inverse_sigma: R,
    tree: &mut [R],
    scratch: &mut [R],
) {
    ldl_node(g00, g01, g11, inverse_sigma, tree, scratch);
}

fn ldl_node<R: Real>(g00: &[R], g01: &[R], g11: &[R], inverse_sigma: R, tree: &mut [R], scratch: &mut [R]) {
    let n = g01.len();
    if n == 1 {
        tree[0] = g00[0].sqrt() * inverse_sigma;
        return;
    }
    let (l10, trees) = tree.split_at_mut(n);
    let (tree0, tree1) = trees.split_at_mut(trees.len() / 2);
    let (d11, scratch) = scratch.split_at_mut(n / 2);
    // ℓ10 ← g10/g00, d11 ← g11 − ℓ10·ℓ10*·g00
    for i in 0..n / 2 {
        let inverse = g00[i].inverse();
        let g01 = value(g01, i);
        set_value(l10, i, g01.conjugate().scale(inverse));
        d11[i] = g11[i] - g01.norm() * inverse;
    }
    let (split0, scratch) = scratch.split_at_mut((n / 4).max(1));
    let (split1, scratch) = scratch.split_at_mut(n / 2);
    for (diagonal, tree) in [(g00, tree0), (&*d11, tree1)] {
        split_self_adjoint(diagonal, split0, split1);
        ldl_node(split0, split1, split0, inverse_sigma, tree, scratch);
    }
}

/// ffSampling, Falcon Algorithm 11, in place: the target t becomes z. `scratch`: 4n values.
///
/// Secret: everything.
#[inline(always)]
pub(crate) fn sample<R: Real>(
    sampler: &mut Sampler<R>,
    t0: &mut [R],
    t1: &mut [R],
    tree: &[R],
    scratch: &mut [R],
) {
    sample_node(sampler, t0, t1, tree, scratch);
}

fn sample_node<R: Real>(sampler: &mut Sampler<R>, t0: &mut [R], t1: &mut [R], tree: &[R], scratch: &mut [R]) {
    let n = t0.len();
    if n == 1 {
        t0[0] = sampler.sample(t0[0], tree[0]);
        t1[0] = sampler.sample(t1[0], tree[0]);
        return;
    }
    let (l10, trees) = tree.split_at(n);
    let (tree0, tree1) = trees.split_at(trees.len() / 2);
    let (halves, scratch) = scratch.split_at_mut(n);
    let (half0, half1) = halves.split_at_mut(n / 2);
    // z1 ← ffSampling(splitfft(t1), T1)
    split(t1, half0, half1);
    sample_node(sampler, half0, half1, tree1, scratch);
    let (difference, _) = scratch.split_at_mut(n);
    difference.copy_from_slice(t1);
    merge(half0, half1, t1);
    // t0′ ← t0 + (t1 − z1)·ℓ10
    for (difference, z1) in difference.iter_mut().zip(&*t1) {
        *difference = *difference - *z1;
    }
    multiply(difference, l10);
    for (t0, product) in t0.iter_mut().zip(&*difference) {
        *t0 = *t0 + *product;
    }
    // z0 ← ffSampling(splitfft(t0′), T0)
    split(t0, half0, half1);
    sample_node(sampler, half0, half1, tree0, scratch);
    merge(half0, half1, t0);
}
