//! Bases of the torsion groups of any curve. Both sides compute the same basis, and compressed public keys
//! contain coordinates with respect to it.
//!
//! All curves and points here are public.

use crate::curve::Point;
use crate::field::Fp;
use crate::order::integer;
use crate::params::Prime;
use crate::quadratic::Fp2;
use subtle::Choice;

/// The x-coordinates of P, Q and P − Q. After multiplication by the cofactor, P and Q are a basis of the
/// points of order ℓ^e.
pub(crate) type Basis<P> = [Point<P>; 3];

/// The values from which a basis of the points of order 2^e₂ can be computed again.
#[derive(Clone, Copy)]
pub(crate) struct Entangled {
    /// 1 if A is a square, else 0.
    pub(crate) square: u8,
    /// The index of the candidate r; see [`candidates`].
    pub(crate) index: u8,
}

/// The number of candidates in the table of the specification. Candidates after the table are counted
/// differently; see [`candidates`].
const TABLE_LEN: u8 = 17;

/// An exclusive upper bound of the index, which limits the cost of crafted ciphertexts. An honest basis reaches
/// this index with a probability of 2⁻⁶⁴.
pub(crate) const MAX_INDEX: u8 = 64;

/// Returns 1 + 2i·r².
fn denominator<P: Prime>(r: u64) -> Fp2<P> {
    let r2 = Fp2::<P>::small(r).re.square();
    Fp2::new(Fp2::<P>::ONE.re, r2.add(&r2))
}

/// Returns each r for which 1/(1 + 2i·r²) is a square or, if `squares` is false, is not a square. Each r is
/// paired with its index.
///
/// Up to index 16, only the returned r are counted. After that, all r are counted.
fn candidates<P: Prime>(squares: bool) -> impl Iterator<Item = (u8, u64)> {
    let mut index = 0;
    let all = (1..).map(move |r| {
        let fits = bool::from(denominator::<P>(r).is_square()) == squares;
        let this = index;
        index += u8::from(fits || index >= TABLE_LEN);
        (fits, this, r)
    });
    all.take_while(|(_, index, _)| *index < MAX_INDEX)
        .filter(|(fits, ..)| *fits)
        .map(|(_, index, r)| (index, r))
}

/// Returns x³ + Ax² + x.
pub(crate) fn evaluate_curve<P: Prime>(a: &Fp2<P>, x: &Fp2<P>) -> Fp2<P> {
    x.add(a).mul(x).add(&Fp2::ONE).mul(x)
}

/// Returns the entangled points, whose x-coordinates are x = −A/(1 + 2i·r²) and −x − A, and their difference.
/// Also returns the value x³ + Ax² + x.
fn entangled_points<P: Prime>(a: &Fp2<P>, r: u64) -> (Basis<P>, Fp2<P>) {
    let x = a.mul(&denominator(r).invert()).neg();
    let other = x.add(a).neg();
    let right = evaluate_curve(a, &x);
    // computes (1 + (1 + i)·r)²·(x³ + Ax² + x)/(x₀ − x₁)²
    let factor = Fp2::new(Fp2::<P>::small(r + 1).re, Fp2::<P>::small(r).re).square();
    let difference = Point { x: right.mul(&factor), z: x.sub(&other).square() };
    ([Point::affine(x), Point::affine(other), difference], right)
}

/// Finds a basis of the points of order 2^e₂.
pub(crate) fn find_2<P: Prime>(a: &Fp2<P>) -> (Basis<P>, Entangled) {
    let square = bool::from(a.is_square());
    for (index, r) in candidates::<P>(!square) {
        let (basis, right) = entangled_points(a, r);
        if bool::from(right.is_square()) {
            return (basis, Entangled { square: u8::from(square), index });
        }
    }
    unreachable!("one candidate in two fits")
}

/// Computes the basis that [`find_2`] found. If no basis has these values, the result is an unrelated basis.
pub(crate) fn rebuild_2<P: Prime>(a: &Fp2<P>, found: Entangled) -> Basis<P> {
    let wanted = candidates::<P>(found.square == 0).find(|(index, _)| *index >= found.index);
    entangled_points(a, wanted.map_or(1, |(_, r)| r)).0
}

/// The values from which a basis of the points of order 3^e₃ can be computed again.
#[derive(Clone, Copy)]
pub(crate) struct Elligator {
    /// The counters of the two candidates, which start at 1.
    pub(crate) counters: [u8; 2],
    /// For each point, 1 if it has the second x-coordinate of its candidate, else 0.
    pub(crate) bits: [u8; 2],
}

/// The largest counter, which has seven bits.
const MAX_COUNTER: u8 = 127;

/// Runs Elligator 2: returns x = −A/(1 + U·r²).
fn elligator<P: Prime>(a: &Fp2<P>, counter: u8) -> Fp2<P> {
    // the specification has a table of 20 values; after the table, counting continues with 20
    let r = u64::from(if counter <= 20 { counter } else { counter - 1 });
    let factor = Fp2::<P>::new(Fp::from_integer(&integer::<P>(P::ELLIGATOR)), Fp2::<P>::ONE.re);
    let r2 = Fp::from_integer(&integer::<P>(r * r));
    a.mul(&factor.scale(&r2).add(&Fp2::ONE).invert()).neg()
}

/// Returns the second x-coordinate of Elligator 2, −x − A, if the bit is set, else x.
fn select_candidate<P: Prime>(a: &Fp2<P>, x: &Fp2<P>, bit: Choice) -> Fp2<P> {
    x.select(&x.add(a).neg(), bit)
}

/// Finds a basis of the points of order 3^e₃.
pub(crate) fn find_3<P: Prime>(a: &Fp2<P>) -> (Basis<P>, Elligator) {
    let two = Fp2::small(2);
    let (plus, minus, four) = (a.add(&two), a.sub(&two), Fp2::small(4));
    let mut candidates = (1..=MAX_COUNTER).map(|counter| {
        let x = elligator(a, counter);
        let bit = !evaluate_curve(a, &x).is_square();
        let x = select_candidate(a, &x, bit);
        let mut part = Point::affine(x).double_times(P::E2, &plus, &four);
        for _ in 1..P::E3 {
            part = part.triple(&plus, &minus);
        }
        (counter, x, bit.unwrap_u8(), part)
    });
    let full = |part: &Point<P>| !bool::from(part.z.is_zero());
    let first = candidates.find(|(.., part)| full(part)).expect("eight candidates in nine fit");
    let independent = |part: &Point<P>| !bool::from(part.x.mul(&first.3.z).equals(&first.3.x.mul(&part.z)));
    let second =
        candidates.find(|(.., part)| full(part) && independent(part)).expect("two candidates in three fit");
    let found = Elligator { counters: [first.0, second.0], bits: [first.2, second.2] };
    (with_difference(a, [first.1, second.1]), found)
}

/// Computes the basis that [`find_3`] found.
pub(crate) fn rebuild_3<P: Prime>(a: &Fp2<P>, found: Elligator) -> Basis<P> {
    let [first, second] = [0, 1].map(|i| {
        let x = elligator(a, found.counters[i]);
        select_candidate(a, &x, Choice::from(found.bits[i]))
    });
    with_difference(a, [first, second])
}

/// Returns the two points with these x-coordinates, and one of the two possible x-coordinates of their
/// difference. Both sides select the same difference.
fn with_difference<P: Prime>(a: &Fp2<P>, [first, second]: [Fp2<P>; 2]) -> Basis<P> {
    // the roots of αX² − 2βX + γ are the two possible x-coordinates
    let product = first.mul(&second);
    let alpha = first.sub(&second).square();
    let gamma = product.sub(&Fp2::ONE).square();
    let beta = product.add(&Fp2::ONE).mul(&first.add(&second)).add(&a.mul(&product).double());
    let root = canonical_sign(&beta.square().sub(&alpha.mul(&gamma)).double().double().root());
    [Point::affine(first), Point::affine(second), Point { x: beta.double().add(&root), z: alpha.double() }]
}

/// Returns whichever of a and −a has an even real part. If the real part is zero, returns whichever has an even
/// imaginary part.
fn canonical_sign<P: Prime>(a: &Fp2<P>) -> Fp2<P> {
    let is_real_zero = a.re.is_zero();
    let odd = (a.re.is_odd() & !is_real_zero) | (a.im.is_odd() & is_real_zero);
    a.select(&a.neg(), odd)
}
