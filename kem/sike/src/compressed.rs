//! The exchange with compressed public keys. A compressed key contains coordinates instead of points: those of
//! the images of a fixed basis, with respect to a basis that both sides compute.
//!
//! The static side uses isogenies of degree 2^e₂.

use crate::basis::{self, Basis, Elligator, Entangled, MAX_INDEX, evaluate_curve};
use crate::curve::{Point, a24, ladder_3_points};
use crate::exchange::Exchange;
use crate::field::Fp;
use crate::isogeny::{Curve3, Domain, Isogeny3, isogeny_chain};
use crate::limbs::Limbs;
use crate::logarithm::Logarithms;
use crate::order::{self, Order, integer};
use crate::pairing::{Affine, Pairing, tate};
use crate::params::Prime;
use crate::quadratic::Fp2;
use crate::sidh::{Side, Side2, Side3, derive_j_invariant, encode_element};
use crate::starting_basis::{compressed_basis_2, compressed_basis_3};
use alloc::vec;
use alloc::vec::Vec;
use grille_core::ct;
use subtle::Choice;
use zeroize::{Zeroize, Zeroizing};

/// Returns the point Q from P and the x-coordinates of Q and P − Q. All arguments and results are secret.
fn point_from_difference<P: Prime>(a: &Fp2<P>, p: &Affine<P>, x: &Fp2<P>, difference: &Fp2<P>) -> Affine<P> {
    // uses (y₀ + y₁)² = (x(P − Q) + A + x₀ + x₁)·(x₀ − x₁)²
    let square = difference.add(a).add(&p.x).add(x).mul(&p.x.sub(x).square());
    let twice = square.sub(&p.y.square()).sub(&evaluate_curve(a, x));
    Affine { x: *x, y: twice.mul(&p.y.double().invert()) }
}

/// Returns P and Q, or −P and −Q, from the x-coordinates of P, Q and P − Q. All arguments and results are
/// secret.
fn recover_y<P: Prime>(a: &Fp2<P>, [p, q, difference]: [&Fp2<P>; 3]) -> [Affine<P>; 2] {
    let p = Affine { x: *p, y: evaluate_curve(a, p).root() };
    [p, point_from_difference(a, &p, q, difference)]
}

/// The coordinates \[\[a₀, b₀\], \[a₁, b₁\]\] of two points with respect to a basis.
type Coordinates<P> = Zeroizing<[[<P as Prime>::Limbs; 2]; 2]>;

/// Returns the coordinates \[\[a₀, b₀\], \[a₁, b₁\]\] of two points of order ℓ^e with respect to a basis.
///
/// All coordinates are multiplied by one factor: the logarithm, to the base `root`, of the pairing of the two
/// points of the basis. Everything except `root` is secret.
fn coordinates<P: Prime, O: Pairing<P>>(
    a: &Fp2<P>,
    points: &[Affine<P>; 2],
    basis: &[Affine<P>; 2],
    root: &Fp2<P>,
) -> Coordinates<P> {
    let logarithms = Logarithms::<P, O>::new(root);
    // e(aP + bQ, P) = e(P, Q)^−b and e(aP + bQ, Q) = e(P, Q)^a
    let coordinates = tate::<P, O, 2, 2>(a, points, basis).map(|[with_p, with_q]| {
        let b = O::sub(&P::Limbs::ZERO, &logarithms.logarithm(&with_p));
        [logarithms.logarithm(&with_q), b]
    });
    Zeroizing::new(coordinates)
}

/// Divides (a₀, b₀) and (a₁, b₁) by a₀, or by b₀ if a₀ has no inverse.
///
/// Returns three of the four quotients, and whether the divisor was b₀. Omits the quotient of the divisor by
/// itself, which is 1. The coordinates are secret.
fn three_ratios<P: Prime, O: Order<P>>([[a0, b0], [a1, b1]]: &[[P::Limbs; 2]; 2]) -> ([P::Limbs; 3], bool) {
    // the selection is part of the public key
    let by_b = ct::public(bool::from(O::is_multiple(a0)));
    let (divisor, other) = if by_b { (b0, a0) } else { (a0, b0) };
    let inverse = O::invert(divisor);
    ([other, a1, b1].map(|coordinate| O::multiply(coordinate, &inverse)), by_b)
}

/// Returns a generator of the secret kernel, from the numbers of [`three_ratios`] and their basis.
///
/// The generator is a multiple of (a₀ + m·a₁)·P + (b₀ + m·b₁)·Q. The caller must still multiply it by the
/// cofactor. The secret key m and the result are secret.
fn compute_kernel<P: Prime, O: Order<P>>(
    secret: &[u8],
    ([other, a1, b1], by_b): (&[P::Limbs; 3], bool),
    [p, q, difference]: Basis<P>,
    a: &Fp2<P>,
) -> Point<P> {
    let (own, others, points) =
        if by_b { (b1, a1, [q, p, difference]) } else { (a1, b1, [p, q, difference]) };
    let m = Zeroizing::new(order::from_bytes::<P>(secret));
    let divisor = O::add(&integer::<P>(1), &O::multiply(&m, own));
    let dividend = O::add(other, &O::multiply(&m, others));
    ladder_to::<P, O>(&O::multiply(&dividend, &O::invert(&divisor)), &points, a)
}

/// Returns P + \[m\]Q for any m below ℓ^e. The integer m and the result are secret.
fn ladder_to<P: Prime, O: Order<P>>(m: &P::Limbs, points: &Basis<P>, a: &Fp2<P>) -> Point<P> {
    let mut scalar = Zeroizing::new(vec![0; O::BYTES]);
    O::write_bytes(m, &mut scalar);
    ladder_3_points(&scalar, 8 * O::BYTES, points, &a24(a))
}

/// Returns \[2^e₂\]P. The point is secret.
fn times_order_2<P: Prime>(point: &Point<P>, a: &Fp2<P>) -> Point<P> {
    point.double_times(P::E2, &a.add(&Fp2::small(2)), &Fp2::small(4))
}

/// Returns \[3^e₃\]P. The point is secret.
fn times_order_3<P: Prime>(point: &Point<P>, a: &Fp2<P>) -> Point<P> {
    let (plus, minus) = (a.add(&Fp2::small(2)), a.sub(&Fp2::small(2)));
    (0..P::E3).fold(*point, |point, _| point.triple(&plus, &minus))
}

/// Splits bytes into `M` numbers, A and the remaining bytes. Also returns whether A and all numbers are
/// canonical.
fn split_numbers<P: Prime, O: Order<P>, const M: usize>(
    bytes: &[u8],
) -> ([P::Limbs; M], Fp2<P>, &[u8], Choice) {
    let (numbers, rest) = bytes.split_at(M * O::BYTES);
    let (a, rest) = rest.split_at(2 * P::BYTES);
    let (a, mut canonical) = Fp2::from_bytes(a);
    let mut numbers = numbers.chunks(O::BYTES).map(|bytes| {
        let (number, below) = O::from_bytes(bytes);
        canonical &= below;
        number
    });
    let numbers_read = [(); M].map(|()| numbers.next().expect("the key has M numbers"));
    drop(numbers);
    (numbers_read, a, rest, canonical)
}

/// Encodes numbers, A and the bytes `rest`.
fn encode<P: Prime, O: Order<P>>(numbers: &[&P::Limbs], a: &Fp2<P>, rest: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0; numbers.len() * O::BYTES + 2 * P::BYTES];
    let (first, last) = bytes.split_at_mut(numbers.len() * O::BYTES);
    first.chunks_mut(O::BYTES).zip(numbers).for_each(|(bytes, number)| O::write_bytes(number, bytes));
    a.write_bytes(last);
    bytes.extend_from_slice(rest);
    // public keys and ciphertexts are sent, so they are public
    ct::public_bytes(&mut bytes);
    bytes
}

/// The bit that is set if the coordinates were divided by b₀.
const DIVIDED_BY_B: u8 = 0x80;

/// A static public key: A of the isogeny's codomain, and the ratios of the coordinates of the images of P₃
/// and Q₃.
struct StaticKey<P: Prime> {
    ratios: [P::Limbs; 3],
    by_b: bool,
    a: Fp2<P>,
    found: Elligator,
}

impl<P: Prime> StaticKey<P> {
    const LEN: usize = 3 * <Side3 as Order<P>>::BYTES + 2 * P::BYTES + 3;

    /// Encodes the key.
    fn to_bytes(&self) -> Vec<u8> {
        let Elligator { counters: [first, second], bits: [bit, other] } = self.found;
        let rest = [if self.by_b { DIVIDED_BY_B } else { 0 } | first, second, bit | other << 1];
        encode::<P, Side3>(&self.ratios.each_ref(), &self.a, &rest)
    }

    /// Decodes a key. Also returns whether its encoding is canonical.
    fn from_bytes(bytes: &[u8]) -> (Self, bool) {
        let (ratios, a, rest, canonical) = split_numbers::<P, Side3, 3>(bytes);
        let counters = [rest[0] & !DIVIDED_BY_B, rest[1]];
        let found = Elligator { counters, bits: [rest[2] & 1, rest[2] >> 1 & 1] };
        let ordered = 0 < counters[0] && counters[0] < counters[1] && counters[1] <= 127 && rest[2] < 4;
        (Self { ratios, by_b: rest[0] & DIVIDED_BY_B != 0, a, found }, bool::from(canonical) && ordered)
    }
}

/// Clears the highest bits and multiplies by three. All bytes are secret.
fn format_ephemeral<P: Prime>(secret: &mut [u8]) {
    let (bytes, bits) = (P::COMPRESSED_BITS_3 / 8, P::COMPRESSED_BITS_3 % 8);
    secret[bytes..].iter_mut().enumerate().for_each(|(i, byte)| {
        *byte &= if i == 0 { (1 << bits) - 1 } else { 0 };
    });
    let mut carry = 0;
    for byte in secret {
        let product = 3 * u16::from(*byte) + carry;
        (*byte, carry) = (product as u8, product >> 8);
    }
}

/// Returns the static public key of a secret key, and the encoded x-coordinate of its kernel. The key and the
/// kernel are secret.
fn generate<P: Prime>(secret: &[u8]) -> (Vec<u8>, Zeroizing<Vec<u8>>) {
    let start = Fp2::small(6);
    let own = compressed_basis_2::<P>().map(Point::affine);
    let kernel = Zeroizing::new(ladder_3_points(secret, P::E2, &own, &a24(&start)));
    let mut images = Zeroizing::new(compressed_basis_3::<P>().map(Point::affine));
    let (a, c) = Side2::apply(&start, &kernel, images.as_mut_slice());
    let [p, q, difference] = &*images;
    let inverses = Fp2::invert_all([&kernel.z, &c, &p.z, &q.z, &difference.z]);
    let [kernel_z, c, p_z, q_z, difference_z] = &inverses;
    let a = declare_public(a.mul(c));
    let images = recover_y(&a, [&p.x.mul(p_z), &q.x.mul(q_z), &difference.x.mul(difference_z)]);
    let ([p, q, difference], found) = basis::find_3(&a);
    let basis = recover_y(&a, [&p.x, &q.x, &difference.x.mul(&difference.z.invert())]);
    let [.., re, im] = P::PAIRINGS.map(Fp);
    let coordinates = coordinates::<P, Side3>(&a, &images, &basis, &Fp2::new(re, im));
    let (ratios, by_b) = three_ratios::<P, Side3>(&coordinates);
    (StaticKey { ratios, by_b, a, found }.to_bytes(), encode_element(&kernel.x.mul(kernel_z)))
}

/// Computes the contents of a ciphertext from an ephemeral secret key: A of the isogeny's codomain, the
/// coordinates that represent the images of P₂ and Q₂, and the values that determine the basis of these
/// coordinates. The key and the coordinates are secret.
///
/// The dual isogeny maps the basis from the codomain to the starting curve. Coordinates are computed there,
/// because the signs in the known answers depend on a square root on the starting curve.
fn ephemeral<P: Prime>(secret: &[u8]) -> (Fp2<P>, Coordinates<P>, Entangled) {
    let start = Fp2::small(6);
    let own = compressed_basis_3::<P>().map(Point::affine);
    let kernel = Zeroizing::new(ladder_3_points(secret, P::SECRET_BITS_3, &own, &a24(&start)));
    let [re, im] = P::ORDER_3_POINT.map(Fp);
    let mut dual_kernel = Point::affine(Fp2::new(re, im));
    let mut duals = Zeroizing::new(Vec::with_capacity(P::E3));
    let last = isogeny_chain(Curve3::new(&start), &kernel, P::E3, |isogeny| {
        dual_kernel = Curve3::image(isogeny, &dual_kernel);
        duals.push(Isogeny3::new(&dual_kernel));
    });
    let (a, c) = last.coefficients();
    let a = declare_public(a.mul(&c.invert()));
    let (mut basis, found) = basis::find_2(&a);
    for dual in duals.iter().rev() {
        basis = basis.map(|point| Curve3::image(dual, &point));
    }
    let basis = basis_with_y(&start, &basis);
    let [p, q, difference] = compressed_basis_2::<P>();
    let y = evaluate_curve(&start, &p).root();
    let p = Affine { x: p, y: if P::NEGATIVE_Y { y.neg() } else { y } };
    let q = point_from_difference(&start, &p, &q, &difference);
    let [re, im, ..] = P::PAIRINGS.map(Fp);
    let coordinates = coordinates::<P, Side2>(&start, &[p, q], &basis, &Fp2::new(re, im));
    (a, coordinates, found)
}

/// Returns the points P and Q of a basis on this curve, with both coordinates. The sign of the y-coordinates
/// depends on both X and Z of the first point, not only on X/Z. All arguments and results are secret.
fn basis_with_y<P: Prime>(a: &Fp2<P>, [p, q, difference]: &Basis<P>) -> [Affine<P>; 2] {
    let product = p.x.mul(&p.z);
    let sum = p.x.square().add(&p.z.square()).add(&a.mul(&product));
    let y_zz = product.mul(&sum).root();
    let [p_z, q_z, difference_z] = Fp2::invert_all([&p.z, &q.z, &difference.z]);
    let p = Affine { x: p.x.mul(&p_z), y: y_zz.mul(&p_z.square()) };
    [p, point_from_difference(a, &p, &q.x.mul(&q_z), &difference.x.mul(&difference_z))]
}

/// Returns the secret that an ephemeral secret key shares with a static public key. The secret key and the
/// result are secret.
fn agree<P: Prime>(secret: &[u8], public: &[u8]) -> Zeroizing<Vec<u8>> {
    let (key, _) = StaticKey::<P>::from_bytes(public);
    let basis = basis::rebuild_3(&key.a, key.found);
    let kernel = compute_kernel::<P, Side3>(secret, (&key.ratios, key.by_b), basis, &key.a);
    derive_j_invariant::<P, Side3>(&key.a, &times_order_2(&kernel, &key.a))
}

/// Declares A public, because A is sent.
fn declare_public<P: Prime>(mut a: Fp2<P>) -> Fp2<P> {
    for half in [&mut a.re, &mut a.im] {
        half.0.as_mut().iter_mut().for_each(|word| *word = ct::public(*word));
    }
    a
}

/// The exchange of SIDH with compressed public keys. A ciphertext contains three ratios.
pub struct CompressedSidh;

/// The exchange of SIKE with compressed public keys. A ciphertext contains four coordinates. The receiver
/// confirms a ciphertext without computing its compressed form again.
pub struct CompressedSike;

macro_rules! common {
    () => {
        const STATIC_LEN: usize = <Side2 as Side<P>>::SECRET_BYTES;
        const EPHEMERAL_LEN: usize = <Side3 as Side<P>>::SECRET_BYTES;
        const PUBLIC_LEN: usize = StaticKey::<P>::LEN;

        /// Makes the secret key an even number.
        fn format_static(secret: &mut [u8]) {
            <Side2 as Side<P>>::clamp(secret);
            secret[0] &= 0xFE;
        }

        fn is_static_key(secret: &[u8]) -> bool {
            // the validity of a key may become public
            <Side2 as Side<P>>::is_clamped(secret) && ct::public(secret[0] & 1) == 0
        }

        fn format_ephemeral(secret: &mut [u8]) {
            format_ephemeral::<P>(secret);
        }

        fn generate(secret: &[u8]) -> (Vec<u8>, Zeroizing<Vec<u8>>) {
            generate::<P>(secret)
        }

        fn is_canonical_public_key(public: &[u8]) -> bool {
            StaticKey::<P>::from_bytes(public).1
        }
    };
}

impl<P: Prime> Exchange<P> for CompressedSidh {
    common!();
    const SENT_LEN: usize = 3 * <Side2 as Order<P>>::BYTES + 2 * P::BYTES + 3;
    const STORED_LEN: usize = 0;
    type Received = Choice;

    fn send(secret: &[u8], public: &[u8]) -> (Vec<u8>, Zeroizing<Vec<u8>>) {
        let (a, coordinates, found) = ephemeral::<P>(secret);
        let (ratios, by_b) = three_ratios::<P, Side2>(&coordinates);
        let rest = [if by_b { DIVIDED_BY_B } else { 0 } | found.square, found.index, 0];
        (encode::<P, Side2>(&ratios.each_ref(), &a, &rest), agree::<P>(secret, public))
    }

    fn receive(secret: &[u8], sent: &[u8]) -> (Zeroizing<Vec<u8>>, Choice) {
        let (ratios, a, rest, canonical) = split_numbers::<P, Side2, 3>(sent);
        let found = Entangled { square: rest[0] & 1, index: rest[1].min(MAX_INDEX - 1) };
        let small = rest[0] & !DIVIDED_BY_B <= 1 && rest[1] < MAX_INDEX && rest[2] == 0;
        let basis = basis::rebuild_2(&a, found);
        let kernel = compute_kernel::<P, Side2>(secret, (&ratios, rest[0] & DIVIDED_BY_B != 0), basis, &a);
        let agreed = derive_j_invariant::<P, Side2>(&a, &times_order_3(&kernel, &a));
        (agreed, canonical & Choice::from(u8::from(small)))
    }

    fn is_canonical(received: &Choice) -> Choice {
        *received
    }

    /// Accepts every canonical ciphertext, because SIDH has no confirmation.
    fn confirm(_secret: &[u8], _sent: &[u8], received: &Choice, _stored: &[u8]) -> Choice {
        *received
    }
}

/// A received ciphertext of [`CompressedSike`] before its confirmation.
pub struct Received<P: Prime> {
    /// Whether all numbers are canonical and the curve has all points of order 4.
    canonical: Choice,
    a: Fp2<P>,
    /// The image of the static kernel, multiplied by `factor`.
    image: Point<P>,
    /// The factor of `image`.
    factor: P::Limbs,
}

impl<P: Prime> Drop for Received<P> {
    fn drop(&mut self) {
        self.image.zeroize();
        self.factor.zeroize();
    }
}

impl<P: Prime> Exchange<P> for CompressedSike {
    common!();
    const SENT_LEN: usize = 4 * <Side2 as Order<P>>::BYTES + 2 * P::BYTES + 2;
    const STORED_LEN: usize = 2 * P::BYTES;
    type Received = Received<P>;

    fn send(secret: &[u8], public: &[u8]) -> (Vec<u8>, Zeroizing<Vec<u8>>) {
        let (a, coordinates, found) = ephemeral::<P>(secret);
        let [[a0, b0], [a1, b1]] = &*coordinates;
        let multiply = <Side2 as Order<P>>::multiply;
        // the coordinates have a common factor, which is a logarithm; division by the determinant turns this
        // factor into 1/3^e₃
        let determinant = <Side2 as Order<P>>::sub(&multiply(a0, b1), &multiply(a1, b0));
        let inverse = <Side2 as Order<P>>::invert(&determinant);
        let numbers = [a0, b0, a1, b1].map(|coordinate| multiply(coordinate, &inverse));
        let bytes = encode::<P, Side2>(&numbers.each_ref(), &a, &[found.square, found.index]);
        (bytes, agree::<P>(secret, public))
    }

    fn receive(secret: &[u8], sent: &[u8]) -> (Zeroizing<Vec<u8>>, Received<P>) {
        let ([a0, b0, a1, b1], a, rest, canonical) = split_numbers::<P, Side2, 4>(sent);
        let found = Entangled { square: rest[0] & 1, index: rest[1].min(MAX_INDEX - 1) };
        let small = rest[0] <= 1 && rest[1] < MAX_INDEX;
        let has_order_4 = a.square().sub(&Fp2::small(4)).is_square();
        let [p, q, difference] = basis::rebuild_2(&a, found);
        // computes (a₀ + m·a₁)·P + (b₀ + m·b₁)·Q, divided by its first factor or, if this factor has no
        // inverse, by its second one; a₀ determines which case applies, because m is even
        let by_b = bool::from(<Side2 as Order<P>>::is_multiple(&a0));
        let m = Zeroizing::new(order::from_bytes::<P>(secret));
        let at = |zeroth, first| <Side2 as Order<P>>::add(zeroth, &<Side2 as Order<P>>::multiply(&m, first));
        let (of_p, of_q) = (at(&a0, &a1), at(&b0, &b1));
        let (divisor, dividend, points) =
            if by_b { (of_q, of_p, [q, p, difference]) } else { (of_p, of_q, [p, q, difference]) };
        let factor = <Side2 as Order<P>>::invert(&divisor);
        let quotient = <Side2 as Order<P>>::multiply(&dividend, &factor);
        let image = times_order_3(&ladder_to::<P, Side2>(&quotient, &points, &a), &a);
        let agreed = derive_j_invariant::<P, Side2>(&a, &image);
        let canonical = canonical & Choice::from(u8::from(small)) & has_order_4;
        (agreed, Received { canonical, a, image, factor })
    }

    fn is_canonical(received: &Received<P>) -> Choice {
        received.canonical
    }

    fn confirm(secret: &[u8], _sent: &[u8], received: &Received<P>, stored: &[u8]) -> Choice {
        let Received { canonical, a, image, factor } = received;
        // computes the image of the static kernel under the ephemeral isogeny
        let own = compressed_basis_3::<P>();
        let start = Fp2::small(6);
        let bits = <Side3 as Side<P>>::SECRET_BITS;
        let kernel = Zeroizing::new(ladder_3_points(secret, bits, &own.map(Point::affine), &a24(&start)));
        let mut expected = Zeroizing::new([Point::affine(Fp2::from_bytes(stored).0)]);
        let (numerator, denominator) = Side3::apply(&start, &kernel, expected.as_mut_slice());
        let same_curve = a.mul(&denominator).equals(&numerator);
        let mut scalar = Zeroizing::new(vec![0; <Side2 as Order<P>>::BYTES]);
        <Side2 as Order<P>>::write_bytes(factor, &mut scalar);
        let expected = expected[0].times(&scalar, P::E2, &a24(a));
        let same_point = expected.x.mul(&image.z).equals(&expected.z.mul(&image.x));
        let none = |point: &Point<P>| point.x.is_zero() & point.z.is_zero();
        *canonical & same_curve & same_point & !none(image) & !none(&expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{P434, P503, P610, P751};

    /// Returns the pairing of P with Q, whose x-coordinates are the first two of `basis`.
    fn pairing<P: Prime, O: Pairing<P>>(basis: [Fp2<P>; 3]) -> Fp2<P> {
        let a = Fp2::small(6);
        let [p, q] = recover_y(&a, basis.each_ref());
        tate::<P, O, 1, 1>(&a, &[p], &[q])[0][0]
    }

    fn check_pairings<P: Prime>() {
        let pairings = [pairing::<P, Side2>(compressed_basis_2()), pairing::<P, Side3>(compressed_basis_3())];
        let [re, im, other_re, other_im] = P::PAIRINGS.map(Fp);
        for (pairing, stated) in pairings.into_iter().zip([Fp2::new(re, im), Fp2::new(other_re, other_im)]) {
            assert!(bool::from(pairing.equals(&stated)));
        }
    }

    #[test]
    fn the_bases_pair_as_stated() {
        check_pairings::<P434>();
        check_pairings::<P503>();
        check_pairings::<P610>();
        check_pairings::<P751>();
    }
}
