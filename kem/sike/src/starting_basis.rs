//! The given bases of the torsion groups of the starting curve y² = x³ + 6x² + x, as elements of GF(p²).

use crate::field::Fp;
use crate::params::Prime;
use crate::quadratic::Fp2;

/// Returns the x-coordinates of P₂, Q₂ and P₂ − Q₂.
pub(crate) fn basis_2<P: Prime>() -> [Fp2<P>; 3] {
    let [p0, p1, q0, q1, r0, r1] = P::BASIS_2.map(Fp);
    [Fp2::new(p0, p1), Fp2::new(q0, q1), Fp2::new(r0, r1)]
}

/// Returns the x-coordinates of P₃, Q₃ and P₃ − Q₃.
pub(crate) fn basis_3<P: Prime>() -> [Fp2<P>; 3] {
    let [p, q, r0, r1] = P::BASIS_3.map(Fp);
    [Fp2::new(p, Fp::ZERO), Fp2::new(q, Fp::ZERO), Fp2::new(r0, r1)]
}

/// Returns the x-coordinates of P₂, Q₂ and P₂ − Q₂ of the basis for compressed public keys.
pub(crate) fn compressed_basis_2<P: Prime>() -> [Fp2<P>; 3] {
    let [p0, p1, q0, q1, r0, r1] = P::COMPRESSED_BASIS_2.map(Fp);
    [Fp2::new(p0, p1), Fp2::new(q0, q1), Fp2::new(r0, r1)]
}

/// Returns the x-coordinates of P₃, Q₃ and P₃ − Q₃ of the basis for compressed public keys.
pub(crate) fn compressed_basis_3<P: Prime>() -> [Fp2<P>; 3] {
    let [p0, p1, r] = P::COMPRESSED_BASIS_3.map(Fp);
    let p = Fp2::new(p0, p1);
    [p, p.conjugate(), Fp2::new(r, Fp::ZERO)]
}
