//! Products modulo xⁿ − 1: the algorithm and the working memory for each n.

use super::columns::{self, space_for};
use super::hankel::{self, Halves, Lanes, Space};
use crate::params::Params;

/// The plan for HRSS-1373. Its coefficients have 14 bits, so products must not lose three bits.
type Exact1536<L> = Halves<Halves<<L as Lanes>::Product384>>;

/// Implements [`Backend::multiply`](super::Backend::multiply). It is compiled for each parameter set, so that
/// no set reserves the stack space of the longest one.
#[inline(always)]
pub(super) fn multiply_by_length<P: Params, L: Lanes>(
    lanes: L,
    space: &mut Space,
    a: &P::Coefficients,
    b: &P::Coefficients,
    c: &mut P::Coefficients,
) {
    let (a, b, c) = (&a.as_ref()[..P::N], &b.as_ref()[..P::N], c.as_mut());
    match P::N {
        509 => columns::multiply::<16, { space_for(32) }, L>(lanes, space, a, b, c),
        677 | 701 => columns::multiply::<22, { space_for(44) }, L>(lanes, space, a, b, c),
        821 => columns::multiply::<26, { space_for(52) }, L>(lanes, space, a, b, c),
        1229 => columns::multiply::<40, { space_for(80) }, L>(lanes, space, a, b, c),
        1373 => hankel::multiply::<Exact1536<L>, 18016, L>(lanes, space, a, b, &mut c[..P::N]),
        n => unreachable!("no set has n = {n}"),
    }
}
