//! The secret parity checks h₀ and h₁: their encoding, and the checks of an encoding.

use crate::code::{Code, Vector};
use crate::sample::{Support, SupportSize, build_vector};
use alloc::vec::Vec;
use grille_core::{Error, ct};
use grille_hash::Level;
use subtle::{Choice, ConstantTimeEq};
use zeroize::Zeroizing;

/// The parity checks, and the positions of their ones. They are secret and erased on drop.
pub(crate) struct Parity<P: Code> {
    pub(crate) h: [Vector<P>; 2],
    pub(crate) supports: [Support; 2],
}

impl<P: Code> Parity<P> {
    /// The length of an encoding in bytes: the supports as 32-bit numbers, and h₀ and h₁.
    pub(crate) const BYTES: usize = 8 * P::D + 2 * Vector::<P>::BYTES;
    /// The sizes of the two supports.
    pub(crate) const SIZES: [SupportSize; 2] = [SupportSize { weight: P::D, bound: P::N }; 2];

    /// Returns the parity checks with two supports of d positions each.
    pub(crate) fn from_supports(level: Level, supports: Vec<Support>) -> Self {
        let supports: [_; 2] = supports.try_into().expect("two supports");
        let h = supports.each_ref().map(|support| build_vector(level, support));
        Self { h, supports }
    }

    /// Parses the supports ‖ h₀ ‖ h₁, `BYTES` bytes.
    ///
    /// # Errors
    /// Returns [`Error::InvalidPrivateKey`] if the supports do not match h₀ and h₁ or do not have d distinct positions
    /// each, or if bits after the last bit of h₀ or h₁ are set.
    pub(crate) fn from_bytes(level: Level, bytes: &[u8]) -> Result<Self, Error> {
        let (supports, vectors) = bytes.split_at(8 * P::D);
        let (first, second) = supports.split_at(4 * P::D);
        let (h0, h1) = vectors.split_at(Vector::<P>::BYTES);
        let parity =
            Self { h: [h0, h1].map(Vector::from_bytes), supports: [first, second].map(parse_positions) };
        // public: whether a key is valid
        let is_canonical = [h0, h1].iter().all(|h| ct::public(Vector::<P>::is_canonical(h)));
        let is_valid = is_canonical && ct::public(bool::from(parity.is_consistent(level)));
        is_valid.then_some(parity).ok_or(INCONSISTENT)
    }

    /// Appends the encoding to `bytes`.
    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        for position in self.supports.iter().flat_map(|support| support.iter()) {
            bytes.extend_from_slice(&position.to_le_bytes());
        }
        for h in &self.h {
            write_vector(h, bytes);
        }
    }

    /// Returns whether the supports have d positions and are those of h₀ and h₁.
    fn is_consistent(&self, level: Level) -> Choice {
        let halves = self.h.iter().zip(&self.supports);
        halves.fold(Choice::from(1), |is_consistent, (h, support)| {
            is_consistent
                & are_equal(&build_vector::<P>(level, support), h)
                & compute_weight([h]).ct_eq(&(P::D as u32))
        })
    }
}

/// The error for a decapsulation key whose parts contradict each other.
pub(crate) const INCONSISTENT: Error =
    Error::InvalidPrivateKey { reason: "has parts that do not belong together" };

/// Appends an encoded vector to `bytes`.
pub(crate) fn write_vector<P: Code>(vector: &Vector<P>, bytes: &mut Vec<u8>) {
    let start = bytes.len();
    bytes.resize(start + Vector::<P>::BYTES, 0);
    vector.write_bytes(&mut bytes[start..]);
}

/// Returns whether two vectors are equal. All arguments and results are secret.
pub(crate) fn are_equal<P: Code>(a: &Vector<P>, b: &Vector<P>) -> Choice {
    a.words().ct_eq(b.words())
}

/// Returns the number of ones of all vectors together. All arguments and results are secret.
pub(crate) fn compute_weight<'a, P: Code>(vectors: impl IntoIterator<Item = &'a Vector<P>>) -> u32 {
    vectors.into_iter().flat_map(Vector::words).map(|word| count_ones(*word)).sum()
}

/// Returns the number of ones in a word, without a table or a loop over bits.
const fn count_ones(word: u64) -> u32 {
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (fours + (fours >> 4)) & 0x0F0F_0F0F_0F0F_0F0F;
    (bytes.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u32
}

/// Parses positions, which are 32-bit numbers, little-endian.
fn parse_positions(bytes: &[u8]) -> Support {
    Zeroizing::new(bytes.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_ones() {
        for word in [0, 1, !0, 0x8000_0000_0000_0001, 0x0123_4567_89AB_CDEF] {
            assert_eq!(count_ones(word), word.count_ones());
        }
    }
}
