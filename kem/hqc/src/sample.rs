//! Sampling of vectors: uniform ones, and ones of a fixed weight, from their support.

use crate::xof::Stream;
use alloc::vec;
use grille_core::ct;
use grille_gf2x::{Element as Vector, Ring, support};
use grille_hash::Level;
use zeroize::Zeroizing;

/// The largest weight: ω_r of HQC-5.
const MAX_WEIGHT: usize = 149;

/// The positions of a vector's ones. Erased on drop.
struct Support(Zeroizing<[u32; MAX_WEIGHT]>);

/// The byte order in which three bytes become a candidate for a position, and what happens to leftover candidates.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Candidates {
    /// The little-endian order of the version of August 2025. No candidates are left over: the next vector starts with
    /// the next byte.
    LittleEndian,
    /// The big-endian order of round 3. Candidates are sampled for a whole vector at a time, and leftover ones are
    /// dropped.
    BigEndian,
}

/// Runs SampleVect: returns n random bits, which are not secret.
pub(crate) fn sample_uniform<R: Ring>(stream: &mut impl Stream) -> Vector<R> {
    let mut bytes = vec![0; Vector::<R>::BYTES];
    stream.squeeze(&mut bytes);
    Vector::from_bytes(&bytes)
}

/// Runs SampleFixedWeightVect$: samples a vector of weight `weight` uniformly, by rejection.
///
/// A candidate becomes a position by reduction modulo n. Rejects candidates that are not below the largest multiple of
/// n up to 2²⁴, and positions that are already taken. Which candidates are rejected may become public, because it
/// reveals nothing about the accepted ones.
pub(crate) fn sample_by_rejection<R: Ring>(
    level: Level,
    stream: &mut impl Stream,
    candidates: Candidates,
    weight: usize,
) -> Vector<R> {
    let mut support = Support(Zeroizing::new([0; MAX_WEIGHT]));
    let mut found = 0;
    while found < weight {
        let wanted = if candidates == Candidates::BigEndian { weight } else { weight - found };
        let mut bytes = Zeroizing::new([0; 3 * MAX_WEIGHT]);
        stream.squeeze(&mut bytes[..3 * wanted]);
        for three in bytes.as_chunks::<3>().0[..wanted].iter() {
            if found < weight {
                let candidate = read_candidate(*three, candidates);
                found += usize::from(accept::<R>(&mut support.0, found, candidate));
            }
        }
    }
    build_vector(level, &support.0[..weight])
}

fn read_candidate([a, b, c]: [u8; 3], candidates: Candidates) -> u32 {
    match candidates {
        Candidates::LittleEndian => u32::from_le_bytes([a, b, c, 0]),
        Candidates::BigEndian => u32::from_be_bytes([0, a, b, c]),
    }
}

/// Writes the position of a candidate after the `found` existing positions. Returns whether the candidate is accepted.
fn accept<R: Ring>(support: &mut [u32; MAX_WEIGHT], found: usize, candidate: u32) -> bool {
    let threshold = (1 << 24) / R::N as u32 * R::N as u32;
    let position = reduce::<R>(candidate);
    let taken = support::contains(&support[..found], position);
    let too_large = (threshold - 1).wrapping_sub(candidate) >> 31;
    support[found] = position;
    // public: that a candidate was rejected reveals nothing about the others
    ct::public(taken | too_large) == 0
}

/// Computes x modulo n, where x < 2²⁴. The quotient is ⌊x·μ/2³²⌋ or one more, with μ = ⌊2³²/n⌋.
fn reduce<R: Ring>(x: u32) -> u32 {
    let n = R::N as u32;
    let mu = (1u64 << 32) / u64::from(n);
    let quotient = ((u64::from(x) * mu) >> 32) as u32;
    let rest = x - quotient * n;
    let less = rest.wrapping_sub(n);
    // adds n again if the result became negative
    less.wrapping_add(n & ct::mask((less >> 31).wrapping_neg()))
}

/// Runs SampleFixedWeightVect: samples a vector of weight `weight` from `weight` numbers of 32 bits, without rejection
/// (Sendrier's Algorithm 5). The distribution is not exactly uniform, but the difference is negligible.
pub(crate) fn sample_by_reduction<R: Ring>(
    level: Level,
    stream: &mut impl Stream,
    weight: usize,
) -> Vector<R> {
    let mut bytes = Zeroizing::new([0; 4 * MAX_WEIGHT]);
    stream.squeeze(&mut bytes[..4 * weight]);
    let mut support = Support(Zeroizing::new([0; MAX_WEIGHT]));
    for (i, bytes) in bytes.as_chunks::<4>().0[..weight].iter().enumerate() {
        let random = u64::from(u32::from_le_bytes(*bytes));
        // a position in [i, n), computed with a multiplication and a shift, without division
        support.0[i] = i as u32 + ((random * (R::N - i) as u64) >> 32) as u32;
    }
    support::make_distinct(level, &mut support.0[..weight]);
    build_vector(level, &support.0[..weight])
}

/// Returns the vector with ones at the positions in `support`.
fn build_vector<R: Ring>(level: Level, support: &[u32]) -> Vector<R> {
    let mut vector = Vector::<R>::zeroed();
    support::set_bits(level, support, &mut vector.words_mut()[..Vector::<R>::WORDS]);
    vector
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{Hqc1, Hqc3, Hqc5, Params};
    use std::vec::Vec;

    #[test]
    fn reduction_is_exact_everywhere() {
        fn check<P: Params>() {
            let n = P::N as u32;
            assert!((0..1 << 24).all(|x| reduce::<P>(x) == x % n), "{}", P::NAME);
        }
        check::<Hqc1>();
        check::<Hqc3>();
        check::<Hqc5>();
    }

    /// Tests that the sampler has no modulo bias: each position results from equally many 24-bit candidates.
    #[test]
    fn every_position_has_equally_many_candidates() {
        fn check<P: Params>() {
            let mut counts = vec![0; P::N];
            let mut support = [0; MAX_WEIGHT];
            for candidate in 0..1 << 24 {
                let is_accepted = accept::<P>(&mut support, 0, candidate);
                counts[support[0] as usize] += usize::from(is_accepted);
            }
            assert!(counts.iter().all(|count| *count == (1 << 24) / P::N), "{}", P::NAME);
        }
        check::<Hqc1>();
        check::<Hqc3>();
        check::<Hqc5>();
    }

    /// A stream that consists of the given bytes.
    struct FixedStream(Vec<u8>);

    impl Stream for FixedStream {
        fn squeeze(&mut self, out: &mut [u8]) {
            let rest = self.0.split_off(out.len());
            out.copy_from_slice(&core::mem::replace(&mut self.0, rest));
        }
    }

    fn positions<P: Params>(vector: &Vector<P>) -> Vec<usize> {
        (0..P::N).filter(|i| vector.words()[i / 64] >> (i % 64) & 1 == 1).collect()
    }

    #[test]
    fn rejects_repeated_and_too_large_candidates() {
        // 16767881 is the largest multiple of n below 2²⁴
        let candidates = [5, 16_767_881, 5, 17_669 + 5, 0xFF_FFFF, 16_767_880, 7];
        let bytes: Vec<u8> = candidates.iter().flat_map(|c: &u32| c.to_le_bytes()[..3].to_vec()).collect();
        for level in Level::all() {
            let mut stream = FixedStream(bytes.clone());
            let vector = sample_by_rejection::<Hqc1>(level, &mut stream, Candidates::LittleEndian, 3);
            assert_eq!(positions(&vector), [5, 7, 17_668]);
            assert!(stream.0.is_empty(), "no unused bytes remain");
        }
    }

    #[test]
    fn round_3_drops_leftover_candidates() {
        let mut bytes = Vec::new();
        for candidate in [1u32, 1, 2, 3, 4, 5] {
            bytes.extend(&candidate.to_be_bytes()[1..]);
        }
        let mut stream = FixedStream(bytes);
        let vector = sample_by_rejection::<Hqc1>(Level::Portable, &mut stream, Candidates::BigEndian, 3);
        assert_eq!(positions(&vector), [1, 2, 3]);
        assert!(stream.0.is_empty(), "two reads of three candidates");
    }

    /// Tests that the earlier of two equal positions is replaced with its index in the support, which no other position
    /// can equal.
    #[test]
    fn reduction_without_rejection_makes_positions_distinct() {
        for level in Level::all() {
            let mut stream = FixedStream([0u32, u32::MAX, u32::MAX, u32::MAX].map(u32::to_le_bytes).concat());
            let vector = sample_by_reduction::<Hqc1>(level, &mut stream, 4);
            assert_eq!(positions(&vector), [0, 1, 2, 17_668]);
        }
    }
}
