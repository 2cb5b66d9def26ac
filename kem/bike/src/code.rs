//! The code of a parameter set, and its vectors.

use grille_core::Bytes;
use grille_gf2x::{Element, Ring};
use zeroize::Zeroize;

/// A vector of r bits, an element of R.
pub(crate) type Vector<P> = Element<P>;

/// The code, the decoder and the lengths of a parameter set. R is the ring of its vectors, where 2 is a primitive root
/// of the prime r. `D`, `T` and the ring's `N` are d, t and r of the specification.
pub trait Code: Ring + Send + Sync {
    /// The name in liboqs. The names of parameter sets of round 3 have the additional suffix `-round3`.
    const NAME: &'static str;
    /// w/2, the number of ones of h₀ and of h₁.
    const D: usize;
    /// t, the number of ones of e₀ and e₁ together.
    const T: usize;
    /// NbIter, the number of iterations of the decoder.
    const ITERATIONS: usize;
    /// The constant term of the decoder's threshold. For a syndrome of weight S, the threshold is (BASE + SLOPE·S)/10⁸,
    /// but at least [`MIN`](Self::MIN).
    const BASE: u64;
    /// The slope of the decoder's threshold; see [`BASE`](Self::BASE).
    const SLOPE: u64;
    /// The smallest threshold of the decoder; 0 in round 2, which sets no minimum.
    const MIN: u32;
    /// An encoded encapsulation key.
    type EncapsKeyBytes: Bytes;
    /// An encoded decapsulation key.
    type DecapsKeyBytes: Bytes + Zeroize;
    /// A ciphertext.
    type CiphertextBytes: Bytes;
}
