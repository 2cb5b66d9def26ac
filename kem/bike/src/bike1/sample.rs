//! Uniform vectors from the stream of a seed.

use crate::code::{Code, Vector};
use crate::prf::Prf;
use alloc::vec;
use zeroize::Zeroizing;

/// Samples a vector of r uniform bits.
pub(crate) fn sample_uniform<P: Code>(prf: &mut Prf) -> Vector<P> {
    let mut bytes = Zeroizing::new(vec![0; Vector::<P>::BYTES]);
    prf.fill(&mut bytes);
    Vector::from_bytes(&bytes)
}
