//! The Falcon tree and its traversal, Falcon sections 3.8.3 and 3.9.2.
//!
//! The tree of degree n is stored in one array: first the n values of ℓ10, then the tree of d00 of degree
//! n/2, then the tree of d11. A leaf is the value 1/σ′. Each node with more than one leaf is a separate
//! operation, so that the recursion uses the CPU level's instructions.

use super::fft::{Complex, merge, merge_and_correct, root, set_value, split, split_self_adjoint, value};
use super::flr::{Number, Real};
use super::sampler::Sampler;
use crate::backend::{Operation, dispatch_at};
use crate::poly::Secrets;
use grille_hash::Level;

/// The operation ffLDL*, Falcon Algorithm 9, with normalised leaves: √d·(1/σ), which is 1/σ′.
///
/// All fields are secret.
pub(crate) struct BuildTree<'a, R: Real> {
    /// The self-adjoint g00: its n/2 real values, or its single value for n = 1.
    pub(crate) g00: &'a [R],
    /// The polynomial g01 with n values.
    pub(crate) g01: &'a [R],
    /// The self-adjoint g11, in the form of `g00`.
    pub(crate) g11: &'a [R],
    /// The value 1/σ.
    pub(crate) inverse_sigma: R,
    /// The output: the tree.
    pub(crate) tree: &'a mut [R],
    /// The working memory of 3n values.
    pub(crate) scratch: &'a mut [R],
}

impl<R: Real> Operation for BuildTree<'_, R> {
    type Output = ();

    #[inline(always)]
    fn run(self, level: Level) {
        let Self { g00, g01, g11, inverse_sigma, tree, scratch } = self;
        let n = g01.len();
        if n == 1 {
            tree[0] = g00[0].sqrt() * inverse_sigma;
            return;
        }
        let (l10, trees) = tree.split_at_mut(n);
        let (tree0, tree1) = trees.split_at_mut(trees.len() / 2);
        let (d11, scratch) = scratch.split_at_mut(n / 2);
        // ℓ10 ← g10/g00, d11 ← g11 − ℓ10·ℓ10*·g00
        let (g00, g11) = (&g00[..n / 2], &g11[..n / 2]);
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
            let node = BuildTree { g00: split0, g01: split1, g11: split0, inverse_sigma, tree, scratch };
            dispatch_at(level, node);
        }
    }
}

/// The function SamplerZ, Falcon Algorithm 15, for one signature or for several.
pub(crate) trait SampleZ: Sized {
    /// A double, or one double of each signature.
    type Value: Number;

    /// Samples an integer around `mu`. `inverse_sigma` is 1/σ′, in (1/2, 1).
    fn sample(&mut self, mu: Self::Value, inverse_sigma: Scalar<Self>) -> Self::Value;

    /// Traverses a part of the tree, compiled for the sampler's level.
    fn descend(node: Sample<'_, Self>);
}

/// The type of the values of the tree.
pub(crate) type Scalar<S> = <<S as SampleZ>::Value as Number>::Scalar;

/// The operation ffSampling, Falcon Algorithm 11, in place: replaces the target t by z.
///
/// All fields are secret.
pub(crate) struct Sample<'a, S: SampleZ> {
    pub(crate) sampler: &'a mut S,
    /// The polynomial t0 with n values, where n is at least 4.
    pub(crate) t0: &'a mut [S::Value],
    /// The polynomial t1 with n values.
    pub(crate) t1: &'a mut [S::Value],
    /// The tree; see [`BuildTree`].
    pub(crate) tree: &'a [Scalar<S>],
    /// The working memory of 2n values.
    pub(crate) scratch: &'a mut [S::Value],
}

impl<S: SampleZ> Sample<'_, S> {
    #[inline(always)]
    pub(crate) fn run_ff_sampling(self) {
        let Self { sampler, t0, t1, tree, scratch } = self;
        let n = t0.len();
        if n == 4 {
            return sample_four(sampler, t0, t1, tree);
        }
        let (l10, trees) = tree.split_at(n);
        let (tree0, tree1) = trees.split_at(trees.len() / 2);
        let (halves, scratch) = scratch.split_at_mut(n);
        let (half0, half1) = halves.split_at_mut(n / 2);
        // z1 ← ffSampling(splitfft(t1), T1)
        split(t1, half0, half1);
        S::descend(Sample { sampler, t0: half0, t1: half1, tree: tree1, scratch });
        // t0′ ← t0 + (t1 − z1)·ℓ10
        merge_and_correct(half0, half1, l10, t0, t1);
        // z0 ← ffSampling(splitfft(t0′), T0)
        split(t0, half0, half1);
        S::descend(Sample { sampler, t0: half0, t1: half1, tree: tree0, scratch });
        merge(half0, half1, t0);
    }
}

impl<R: Real> SampleZ for Sampler<R> {
    type Value = R;

    #[inline(always)]
    fn sample(&mut self, mu: R, inverse_sigma: R) -> R {
        Self::sample(self, mu, inverse_sigma)
    }

    #[inline(always)]
    fn descend(node: Sample<'_, Self>) {
        dispatch_at(node.sampler.level(), node);
    }
}

impl<R: Real> Operation for Sample<'_, Sampler<R>> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: Level) {
        self.run_ff_sampling();
    }
}

/// The operations [`BuildTree`] and [`Sample`] combined, for one signature. A node is in memory only while
/// the traversal is at this node or at a node below it.
///
/// All fields are secret.
pub(crate) struct BuildAndSample<'a, R: Real> {
    pub(crate) sampler: &'a mut Sampler<R>,
    /// The polynomial t0, see [`Sample`]. n is at least [`WHOLE_TREE_DEGREE`].
    pub(crate) t0: &'a mut [R],
    pub(crate) t1: &'a mut [R],
    /// The polynomial g00, see [`BuildTree`]. It is later overwritten with the values that the child nodes
    /// need.
    pub(crate) g00: &'a mut [R],
    /// The polynomial g01, see [`BuildTree`]. It is later overwritten with ℓ10.
    pub(crate) g01: &'a mut [R],
    /// The polynomial g11, see [`BuildTree`]. It is later overwritten with d11, and then with the values that
    /// the child nodes need.
    pub(crate) g11: &'a mut [R],
    /// The value 1/σ.
    pub(crate) inverse_sigma: R,
    /// The working memory of 3n values.
    pub(crate) scratch: &'a mut [R],
}

/// The largest n for which the whole tree is built.
const WHOLE_TREE_DEGREE: usize = 16;
/// The base-2 logarithm of [`WHOLE_TREE_DEGREE`].
const LOG_SMALL: usize = 4;
const _: () = assert!(WHOLE_TREE_DEGREE == 1 << LOG_SMALL);

impl<R: Real> Operation for BuildAndSample<'_, R> {
    type Output = ();

    #[inline(always)]
    fn run(self, level: Level) {
        if self.t0.len() == WHOLE_TREE_DEGREE {
            return dispatch_at(level, BuildThenSample(self));
        }
        let Self { sampler, t0, t1, g00, g01, g11, inverse_sigma, scratch } = self;
        let n = t0.len();
        // ℓ10 ← g10/g00, d11 ← g11 − ℓ10·ℓ10*·g00
        for i in 0..n / 2 {
            let (inverse, g01_i) = (g00[i].inverse(), value(g01, i));
            set_value(g01, i, g01_i.conjugate().scale(inverse));
            g11[i] = g11[i] - g01_i.norm() * inverse;
        }
        let (halves, scratch) = scratch.split_at_mut(n);
        let (half0, half1) = halves.split_at_mut(n / 2);
        let (split1, scratch) = scratch.split_at_mut(n / 2);
        for (diagonal, is_first) in [(g11, true), (g00, false)] {
            split(if is_first { &*t1 } else { &*t0 }, half0, half1);
            split_self_adjoint(diagonal, &mut scratch[..n / 4], split1);
            // both diagonal elements of the child node are equal; stores both in the memory of this node's
            // diagonal element, which is no longer needed
            let (g00, g11) = diagonal.split_at_mut(n / 4);
            g00.copy_from_slice(&scratch[..n / 4]);
            g11.copy_from_slice(g00);
            let node = BuildAndSample {
                sampler: &mut *sampler,
                t0: &mut *half0,
                t1: &mut *half1,
                g00,
                g01: &mut *split1,
                g11,
                inverse_sigma,
                scratch: &mut *scratch,
            };
            dispatch_at(level, node);
            if is_first {
                // z1 ← ffSampling(splitfft(t1), T1), t0′ ← t0 + (t1 − z1)·ℓ10
                merge_and_correct(half0, half1, g01, t0, t1);
            } else {
                // z0 ← ffSampling(splitfft(t0′), T0)
                merge(half0, half1, t0);
            }
        }
    }
}

/// The operation that builds the whole tree for n = [`WHOLE_TREE_DEGREE`], and then samples. It is a separate
/// operation, so that its tree is on the stack only once and not in the stack frame of each node above.
struct BuildThenSample<'a, R: Real>(BuildAndSample<'a, R>);

impl<R: Real> Operation for BuildThenSample<'_, R> {
    type Output = ();

    #[inline(always)]
    fn run(self, level: Level) {
        let BuildAndSample { sampler, t0, t1, g00, g01, g11, inverse_sigma, .. } = self.0;
        let mut tree = Secrets::<R, [R; (LOG_SMALL + 1) * WHOLE_TREE_DEGREE]>::zeroed();
        let mut scratch = Secrets::<R, [R; 3 * WHOLE_TREE_DEGREE]>::zeroed();
        BuildTree { g00, g01, g11, inverse_sigma, tree: &mut tree, scratch: &mut scratch }.run(level);
        Sample { sampler, t0, t1, tree: &tree, scratch: &mut scratch }.run_ff_sampling();
    }
}

/// Runs ffSampling for n = 4.
#[inline(always)]
fn sample_four<S: SampleZ>(sampler: &mut S, t0: &mut [S::Value], t1: &mut [S::Value], tree: &[Scalar<S>]) {
    let (l10, trees) = tree.split_at(4);
    let mut targets = [[value(t0, 0), value(t0, 1)], [value(t1, 0), value(t1, 1)]];
    for i in [1, 0] {
        let [a, b] = targets[i];
        let root = a.broadcast(root(2));
        let halves = [a.add(b).half(), a.sub(b).mul(root.conjugate()).half()];
        let [z0, z1] = sample_two(sampler, halves, &trees[4 * i..4 * i + 4]);
        let odd = z1.mul(root);
        let z = [z0.add(odd), z0.sub(odd)];
        for j in 0..2 {
            if i == 1 {
                let difference = targets[1][j].sub(z[j]);
                targets[0][j] = targets[0][j].add(difference.mul(difference.broadcast(value(l10, j))));
            }
            targets[i][j] = z[j];
        }
    }
    for (t, z) in [t0, t1].into_iter().zip(targets) {
        set_value(t, 0, z[0]);
        set_value(t, 1, z[1]);
    }
}

/// Runs ffSampling for n = 2, where one complex value is split into two real numbers.
#[inline(always)]
fn sample_two<S: SampleZ>(
    sampler: &mut S,
    t: [Complex<S::Value>; 2],
    tree: &[Scalar<S>],
) -> [Complex<S::Value>; 2] {
    let [t0, t1] = t;
    let z1 = sample_complex(sampler, t1, tree[3]);
    let difference = t1.sub(z1);
    let correction = difference.mul(difference.broadcast(value(&tree[..2], 0)));
    let z0 = sample_complex(sampler, t0.add(correction), tree[2]);
    [z0, z1]
}

/// Samples the real and the imaginary part with the same 1/σ′.
#[inline(always)]
fn sample_complex<S: SampleZ>(sampler: &mut S, mu: Complex<S::Value>, leaf: Scalar<S>) -> Complex<S::Value> {
    let mut z = [mu.re, mu.im];
    for z in &mut z {
        *z = sampler.sample(*z, leaf);
    }
    Complex::new(z[0], z[1])
}
