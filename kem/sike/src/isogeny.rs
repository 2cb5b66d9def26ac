//! Isogenies of degree 2, 3 and 4, and chains of isogenies, computed with optimal strategies.

use crate::curve::Point;
use crate::params::Prime;
use crate::quadratic::Fp2;
use alloc::vec::Vec;
use zeroize::Zeroize;

/// The length of the longest chain, which is e₃ of p751.
const MAX_HEIGHT: usize = 239;

/// A curve whose coefficients are stored in the form that isogenies of one degree need. The isogenies start on this
/// curve.
pub(crate) trait Domain<P: Prime>: Copy {
    /// The type of the isogenies of this degree.
    type Isogeny;
    /// For each height, the number of multiplications before the optimal strategy branches.
    const SPLITS: [u8; MAX_HEIGHT + 1];

    /// Multiplies a point by the degree. All arguments and results are secret.
    fn multiply(&self, point: &Point<P>) -> Point<P>;

    /// Returns the codomain of the isogeny whose kernel the point generates, and the isogeny. All arguments
    /// and results are secret.
    fn isogeny(&self, kernel: &Point<P>) -> (Self, Self::Isogeny);

    /// Returns the image of a point. All arguments and results are secret.
    fn image(isogeny: &Self::Isogeny, point: &Point<P>) -> Point<P>;
}

/// Computes a chain of `height` isogenies with the optimal strategy, and returns the last curve.
///
/// `kernel` generates the kernel of the whole chain. `visit` is called with each isogeny in order. All points
/// and isogenies are secret.
pub(crate) fn isogeny_chain<P: Prime, D: Domain<P>>(
    start: D,
    kernel: &Point<P>,
    height: usize,
    mut visit: impl FnMut(&D::Isogeny),
) -> D {
    let mut curve = start;
    // a point of height h has the order d^h, where d is the degree of each isogeny
    let mut stack: Stack<P> = Stack(Vec::with_capacity(MAX_DEPTH));
    stack.0.push((*kernel, height));
    while let Some((mut point, mut height)) = stack.0.pop() {
        while height > 1 {
            debug_assert!(stack.0.len() < MAX_DEPTH, "no reallocation leaves a copy");
            stack.0.push((point, height));
            let split = usize::from(D::SPLITS[height]);
            for _ in 0..split {
                point = curve.multiply(&point);
            }
            height -= split;
        }
        let (next, isogeny) = curve.isogeny(&point);
        visit(&isogeny);
        for (point, height) in &mut stack.0 {
            *point = D::image(&isogeny, point);
            *height -= 1;
        }
        curve = next;
    }
    curve
}

/// An upper bound of the number of points that a strategy stores.
const MAX_DEPTH: usize = 16;

/// Points with their heights. Erased on drop.
struct Stack<P: Prime>(Vec<(Point<P>, usize)>);

impl<P: Prime> Drop for Stack<P> {
    fn drop(&mut self) {
        self.0.iter_mut().for_each(|(point, _)| point.zeroize());
    }
}

/// Computes the strategy for each height: the number of multiplications before it branches.
///
/// The strategies are those of the specification. They are optimal if a multiplication costs 27 and an image
/// costs 25, except for `exceptions`, which lists heights and their splits. For points of the correct order,
/// any strategy leads to the same curves. Known answers of SIDH with an altered ciphertext depend on the
/// strategy.
const fn optimal_splits(exceptions: &[(u8, u8)]) -> [u8; MAX_HEIGHT + 1] {
    let (multiplication, image) = (27, 25);
    let mut costs = [0; MAX_HEIGHT + 1];
    let mut splits = [0; MAX_HEIGHT + 1];
    let mut height = 2;
    while height <= MAX_HEIGHT {
        costs[height] = u32::MAX;
        let mut split = 1;
        while split < height {
            let cost = costs[split]
                + costs[height - split]
                + split as u32 * multiplication
                + (height - split) as u32 * image;
            if cost < costs[height] {
                costs[height] = cost;
                splits[height] = split as u8;
            }
            split += 1;
        }
        height += 1;
    }
    let mut i = 0;
    while i < exceptions.len() {
        let (height, split) = exceptions[i];
        splits[height as usize] = split;
        i += 1;
    }
    splits
}

/// A curve, stored as (A + 2C : 4C) for isogenies of degree 4.
#[derive(Clone, Copy)]
pub(crate) struct Curve4<P: Prime> {
    pub(crate) a24_plus: Fp2<P>,
    pub(crate) c24: Fp2<P>,
}

/// An isogeny of degree 4, represented by the values X − Z, X + Z and 4Z² of a generator X/Z of its kernel.
pub(crate) struct Isogeny4<P: Prime> {
    pub(crate) difference: Fp2<P>,
    pub(crate) sum: Fp2<P>,
    pub(crate) z2_times_4: Fp2<P>,
}

impl<P: Prime> Curve4<P> {
    /// Returns the curve with this A, where C = 1.
    pub(crate) fn new(a: &Fp2<P>) -> Self {
        Self { a24_plus: a.add(&Fp2::small(2)), c24: Fp2::small(4) }
    }

    /// Returns (4A : 4C).
    pub(crate) fn coefficients(&self) -> (Fp2<P>, Fp2<P>) {
        (self.a24_plus.double().sub(&self.c24).double(), self.c24)
    }

    /// Returns the codomain of the isogeny of degree 2 whose kernel the point generates. All arguments and
    /// results are secret.
    pub(crate) fn after_degree_2(kernel: &Point<P>) -> Self {
        let (x2, z2) = (kernel.x.square(), kernel.z.square());
        Self { a24_plus: z2.sub(&x2), c24: z2 }
    }
}

/// Returns the image of a point under the isogeny of degree 2 whose kernel the point `kernel` generates. All
/// arguments and results are secret.
pub(crate) fn image_2<P: Prime>(kernel: &Point<P>, point: &Point<P>) -> Point<P> {
    let first = kernel.x.add_loose(&kernel.z).mul(&point.x.sub_loose(&point.z));
    let second = kernel.x.sub_loose(&kernel.z).mul(&point.x.add_loose(&point.z));
    Point { x: first.add_loose(&second).mul(&point.x), z: first.sub_loose(&second).mul(&point.z) }
}

impl<P: Prime> Domain<P> for Curve4<P> {
    type Isogeny = Isogeny4<P>;
    const SPLITS: [u8; MAX_HEIGHT + 1] = optimal_splits(P::SPLITS_4);

    fn multiply(&self, point: &Point<P>) -> Point<P> {
        point.double_times(2, &self.a24_plus, &self.c24)
    }

    fn isogeny(&self, kernel: &Point<P>) -> (Self, Isogeny4<P>) {
        let (x2, z2) = (kernel.x.square().double(), kernel.z.square().double());
        let curve = Self { a24_plus: x2.square(), c24: z2.square() };
        let isogeny = Isogeny4 {
            difference: kernel.x.sub(&kernel.z),
            sum: kernel.x.add(&kernel.z),
            z2_times_4: z2.double(),
        };
        (curve, isogeny)
    }

    fn image(isogeny: &Isogeny4<P>, point: &Point<P>) -> Point<P> {
        let (sum, difference) = (point.x.add_loose(&point.z), point.x.sub_loose(&point.z));
        let (x, z) = (sum.mul(&isogeny.difference), difference.mul(&isogeny.sum));
        let product = isogeny.z2_times_4.mul(&sum.mul(&difference));
        let (more, less) = (x.add_loose(&z).square(), x.sub_loose(&z).square());
        Point { x: more.add_loose(&product).mul(&more), z: less.sub_loose(&product).mul(&less) }
    }
}

/// A curve, stored as (A + 2C : A − 2C) for isogenies of degree 3.
#[derive(Clone, Copy)]
pub(crate) struct Curve3<P: Prime> {
    pub(crate) a24_plus: Fp2<P>,
    pub(crate) a24_minus: Fp2<P>,
}

/// An isogeny of degree 3, represented by the values X − Z and X + Z of a generator X/Z of its kernel.
#[derive(Clone, Copy)]
pub(crate) struct Isogeny3<P: Prime> {
    pub(crate) difference: Fp2<P>,
    pub(crate) sum: Fp2<P>,
}

impl<P: Prime> Isogeny3<P> {
    /// Returns the isogeny whose kernel the point of order 3 generates. All arguments and results are secret.
    pub(crate) fn new(kernel: &Point<P>) -> Self {
        Self { difference: kernel.x.sub(&kernel.z), sum: kernel.x.add(&kernel.z) }
    }
}

impl<P: Prime> Zeroize for Isogeny3<P> {
    fn zeroize(&mut self) {
        self.difference.zeroize();
        self.sum.zeroize();
    }
}

impl<P: Prime> Curve3<P> {
    /// Returns the curve with this A, where C = 1.
    pub(crate) fn new(a: &Fp2<P>) -> Self {
        let two = Fp2::small(2);
        Self { a24_plus: a.add(&two), a24_minus: a.sub(&two) }
    }

    /// Returns (4A : 4C).
    pub(crate) fn coefficients(&self) -> (Fp2<P>, Fp2<P>) {
        (self.a24_plus.add(&self.a24_minus).double(), self.a24_plus.sub(&self.a24_minus))
    }
}

impl<P: Prime> Domain<P> for Curve3<P> {
    type Isogeny = Isogeny3<P>;
    const SPLITS: [u8; MAX_HEIGHT + 1] = optimal_splits(P::SPLITS_3);

    fn multiply(&self, point: &Point<P>) -> Point<P> {
        point.triple(&self.a24_plus, &self.a24_minus)
    }

    fn isogeny(&self, kernel: &Point<P>) -> (Self, Isogeny3<P>) {
        let isogeny = Isogeny3::new(kernel);
        let (less, more) = (isogeny.difference.square(), isogeny.sum.square());
        let x2 = kernel.x.double().square();
        // (3X + Z)·(X − Z) and (3X − Z)·(X + Z), each multiplied by its factor
        let (first, second) = (x2.sub(&more), x2.sub(&less));
        let curve = Self {
            a24_plus: first.mul(&more.add(&second).double().add_loose(&less)),
            a24_minus: second.mul(&less.add(&first).double().add_loose(&more)),
        };
        (curve, isogeny)
    }

    fn image(isogeny: &Isogeny3<P>, point: &Point<P>) -> Point<P> {
        let first = isogeny.difference.mul(&point.x.add_loose(&point.z));
        let second = isogeny.sum.mul(&point.x.sub_loose(&point.z));
        Point {
            x: first.add_loose(&second).square().mul(&point.x),
            z: second.sub_loose(&first).square().mul(&point.z),
        }
    }
}
