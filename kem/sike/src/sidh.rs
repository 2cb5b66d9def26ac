//! SIDH: the keys of both sides, and their shared secrets.

use crate::curve::{Point, a24, coefficient, j_invariant, ladder_3_points};
use crate::isogeny::{Curve3, Curve4, Domain, image_2, isogeny_chain};
use crate::params::Prime;
use crate::quadratic::Fp2;
use crate::starting_basis::{basis_2, basis_3};
use alloc::vec;
use alloc::vec::Vec;
use grille_core::ct;
use zeroize::Zeroizing;

/// One of the two sides: the side whose secret isogeny has degree 2^e₂, or the side whose secret isogeny has
/// degree 3^e₃.
pub(crate) trait Side<P: Prime>: Send + Sync + 'static {
    /// The number of bits of a secret key.
    const SECRET_BITS: usize;
    /// Returns the basis from which the secret kernel is computed, and the basis whose images are the public
    /// key.
    fn bases() -> [[Fp2<P>; 3]; 2];
    /// Applies the isogeny with this kernel to the curve with this A.
    ///
    /// Replaces the points by their images, and returns (A : C) of the last curve. All arguments and results
    /// are secret.
    fn apply(a: &Fp2<P>, kernel: &Point<P>, points: &mut [Point<P>]) -> (Fp2<P>, Fp2<P>);

    /// The number of bytes of a secret key.
    const SECRET_BYTES: usize = Self::SECRET_BITS.div_ceil(8);

    /// Clears the unused bits of the last byte.
    fn clamp(secret: &mut [u8]) {
        secret[Self::SECRET_BYTES - 1] &= Self::last_byte_mask();
    }

    /// Checks whether the unused bits are clear. The key is secret.
    fn is_clamped(secret: &[u8]) -> bool {
        // the validity of a key may become public
        ct::public(secret[Self::SECRET_BYTES - 1] & !Self::last_byte_mask() == 0)
    }

    /// Returns the mask of the used bits of the last byte.
    fn last_byte_mask() -> u8 {
        0xFF >> (8 * Self::SECRET_BYTES - Self::SECRET_BITS)
    }
}

/// The side whose isogeny has the degree 2^e₂.
pub struct Side2;

/// The side whose isogeny has the degree 3^e₃.
pub struct Side3;

impl<P: Prime> Side<P> for Side2 {
    const SECRET_BITS: usize = P::E2;

    fn bases() -> [[Fp2<P>; 3]; 2] {
        [basis_2::<P>(), basis_3::<P>()]
    }

    fn apply(a: &Fp2<P>, kernel: &Point<P>, points: &mut [Point<P>]) -> (Fp2<P>, Fp2<P>) {
        let mut kernel = Zeroizing::new(*kernel);
        let mut curve = Curve4::new(a);
        if P::E2 % 2 == 1 {
            let first = kernel.double_times(P::E2 - 1, &curve.a24_plus, &curve.c24);
            curve = Curve4::after_degree_2(&first);
            for point in points.iter_mut().chain([&mut *kernel]) {
                *point = image_2(&first, point);
            }
        }
        let last = isogeny_chain(curve, &kernel, P::E2 / 2, |isogeny| {
            points.iter_mut().for_each(|point| *point = Curve4::image(isogeny, point));
        });
        last.coefficients()
    }
}

impl<P: Prime> Side<P> for Side3 {
    const SECRET_BITS: usize = P::SECRET_BITS_3;

    fn bases() -> [[Fp2<P>; 3]; 2] {
        [basis_3::<P>(), basis_2::<P>()]
    }

    fn apply(a: &Fp2<P>, kernel: &Point<P>, points: &mut [Point<P>]) -> (Fp2<P>, Fp2<P>) {
        let last = isogeny_chain(Curve3::new(a), kernel, P::E3, |isogeny| {
            points.iter_mut().for_each(|point| *point = Curve3::image(isogeny, point));
        });
        last.coefficients()
    }
}

/// A public key: the x-coordinates of φ(P), φ(Q) and φ(P − Q).
pub(crate) struct PublicKey<P: Prime>(pub(crate) [Fp2<P>; 3]);

impl<P: Prime> PublicKey<P> {
    /// The number of bytes of an encoded public key.
    pub(crate) const LEN: usize = 6 * P::BYTES;

    /// Decodes a key. Also returns whether all its elements are below p.
    pub(crate) fn from_bytes(bytes: &[u8]) -> (Self, bool) {
        let mut canonical = true;
        let mut elements = bytes.chunks(2 * P::BYTES).map(|bytes| {
            let (element, is_canonical) = Fp2::from_bytes(bytes);
            canonical &= ct::public(bool::from(is_canonical));
            element
        });
        let key = Self([(); 3].map(|()| elements.next().expect("three elements")));
        drop(elements);
        (key, canonical)
    }

    /// Encodes the key.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; Self::LEN];
        for (bytes, element) in bytes.chunks_mut(2 * P::BYTES).zip(&self.0) {
            element.write_bytes(bytes);
        }
        bytes
    }
}

/// Runs isogen: returns the public key of a secret key. The secret key is secret.
pub(crate) fn isogen<P: Prime, S: Side<P>>(secret: &[u8]) -> PublicKey<P> {
    let [own, other] = S::bases();
    let a = Fp2::small(6);
    let kernel = Zeroizing::new(ladder_3_points(secret, S::SECRET_BITS, &own.map(Point::affine), &a24(&a)));
    let mut images = Zeroizing::new(other.map(Point::affine));
    S::apply(&a, &kernel, images.as_mut_slice());
    let [p, q, r] = &*images;
    let [p_z, q_z, r_z] = Fp2::invert_all([&p.z, &q.z, &r.z]);
    PublicKey([p.x.mul(&p_z), q.x.mul(&q_z), r.x.mul(&r_z)])
}

/// Runs isoex: returns the encoded j-invariant that both sides share. The secret key and the result are
/// secret.
pub(crate) fn isoex<P: Prime, S: Side<P>>(key: &PublicKey<P>, secret: &[u8]) -> Zeroizing<Vec<u8>> {
    let a = coefficient(&key.0);
    let points = key.0.map(Point::affine);
    let kernel = ladder_3_points(secret, S::SECRET_BITS, &points, &a24(&a));
    derive_j_invariant::<P, S>(&a, &Zeroizing::new(kernel))
}

/// Returns the encoded j-invariant of the codomain of the isogeny with this kernel. The isogeny starts at the
/// curve with this A. The kernel and the result are secret.
pub(crate) fn derive_j_invariant<P: Prime, S: Side<P>>(a: &Fp2<P>, kernel: &Point<P>) -> Zeroizing<Vec<u8>> {
    let (a, c) = S::apply(a, kernel, &mut []);
    encode_element(&Zeroizing::new(j_invariant(&a, &c)))
}

/// Encodes an element. The element is secret.
pub(crate) fn encode_element<P: Prime>(element: &Fp2<P>) -> Zeroizing<Vec<u8>> {
    let mut bytes = Zeroizing::new(vec![0; 2 * P::BYTES]);
    element.write_bytes(&mut bytes);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{P434, P503, P610, P751};

    fn agrees<P: Prime>() {
        let (one, other) = ([0x5A; 47], [0xC3; 48]);
        let public = [isogen::<P, Side2>(&one), isogen::<P, Side3>(&other)];
        assert_eq!(isoex::<P, Side2>(&public[1], &one), isoex::<P, Side3>(&public[0], &other));
    }

    #[test]
    fn both_sides_agree() {
        agrees::<P434>();
        agrees::<P503>();
        agrees::<P610>();
        agrees::<P751>();
    }
}
