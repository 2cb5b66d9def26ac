//! The Black-Gray-Flip decoder: finds the error from its syndrome, in a fixed number of steps.

use crate::counters::{Counters, Doubled};
use crate::params::{Params, Vector};
use alloc::vec::Vec;
use grille_gf2x::Workspace;
use zeroize::Zeroizing;

/// NbIter, the number of iterations.
const ITERATIONS: usize = 5;
/// τ. Bits whose counter is at most this far below the threshold are gray.
const TAU: u32 = 3;

/// The secret parity checks, as vectors and as supports.
pub(crate) struct Checks<'a, P: Params> {
    pub(crate) h: [&'a Vector<P>; 2],
    pub(crate) supports: [&'a Zeroizing<Vec<u32>>; 2],
}

/// Returns the error (e₀, e₁) whose syndrome e₀·h₀ + e₁·h₁ is `syndrome`, if it has few enough ones for the decoder;
/// otherwise arbitrary vectors. Secret: everything.
pub(crate) fn decode<P: Params>(
    checks: &Checks<'_, P>,
    syndrome: &Vector<P>,
    workspace: &mut Workspace<P>,
) -> [Vector<P>; 2] {
    let mut decoder = Decoder {
        checks,
        counters: Counters::new(workspace.level()),
        workspace,
        original: syndrome,
        syndrome: syndrome.clone(),
        error: [Vector::zeroed(), Vector::zeroed()],
    };
    for iteration in 0..ITERATIONS {
        let threshold = threshold::<P>(&decoder.syndrome);
        let [black, gray] = decoder.flip(threshold);
        if iteration == 0 {
            decoder.flip_masked(&black);
            decoder.flip_masked(&gray);
        }
    }
    decoder.error
}

struct Decoder<'a, P: Params> {
    checks: &'a Checks<'a, P>,
    counters: Counters<P>,
    workspace: &'a mut Workspace<P>,
    original: &'a Vector<P>,
    /// The syndrome of the remaining error.
    syndrome: Vector<P>,
    error: [Vector<P>; 2],
}

impl<P: Params> Decoder<'_, P> {
    /// Runs BFIter: flips the bits whose counter reaches the threshold. Returns these, the black ones, and those whose
    /// counter almost reaches it, the gray ones.
    fn flip(&mut self, threshold: u32) -> [[Vector<P>; 2]; 2] {
        let doubled = Doubled::new(&self.syndrome);
        let halves = [0, 1].map(|half| {
            self.counters.count(&doubled, self.checks.supports[half]);
            let black = self.counters.at_least(threshold);
            let mut gray = self.counters.at_least(threshold - TAU);
            // black bits are not gray
            gray.add(&black);
            self.error[half].add(&black);
            [black, gray]
        });
        self.update();
        let [[black_0, gray_0], [black_1, gray_1]] = halves;
        [[black_0, black_1], [gray_0, gray_1]]
    }

    /// Runs BFMaskedIter: flips those bits of `mask` whose counter is more than half of the checks.
    fn flip_masked(&mut self, mask: &[Vector<P>; 2]) {
        let doubled = Doubled::new(&self.syndrome);
        for half in [0, 1] {
            self.counters.count(&doubled, self.checks.supports[half]);
            let mut flipped = self.counters.at_least(P::MIN + 1);
            for (word, mask) in flipped.words_mut().iter_mut().zip(mask[half].words()) {
                *word &= mask;
            }
            self.error[half].add(&flipped);
        }
        self.update();
    }

    /// Computes the syndrome of the remaining error: s + e₀·h₀ + e₁·h₁.
    fn update(&mut self) {
        self.syndrome = self.original.clone();
        for half in [0, 1] {
            self.syndrome.add(&self.error[half].times(self.checks.h[half], self.workspace));
        }
    }
}

/// Computes threshold(|s|): (BASE + SLOPE·|s|)/10⁸, rounded down, but at least MIN. Secret: the syndrome and the
/// result.
fn threshold<P: Params>(syndrome: &Vector<P>) -> u32 {
    let weight: u32 = syndrome.words().iter().map(|word| ones(*word)).sum();
    // multiplied by ⌈2⁶⁴/10⁸⌉, not divided: exact for numbers below 2³⁶
    const RECIPROCAL: u128 = (1 << 64) / 100_000_000 + 1;
    let scaled = P::BASE + P::SLOPE * u64::from(weight);
    let threshold = ((u128::from(scaled) * RECIPROCAL) >> 64) as u32;
    let too_small = (threshold.wrapping_sub(P::MIN) >> 31).wrapping_neg();
    threshold ^ (threshold ^ P::MIN) & too_small
}

/// Returns the number of ones, without a table or a loop over bits.
const fn ones(word: u64) -> u32 {
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (fours + (fours >> 4)) & 0x0F0F_0F0F_0F0F_0F0F;
    (bytes.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{L1, L3, L5};

    fn threshold_is_exact<P: Params>() {
        let mut syndrome = Vector::<P>::zeroed();
        for weight in 0..P::N {
            let expected = ((P::BASE + P::SLOPE * weight as u64) / 100_000_000).max(P::MIN.into());
            assert_eq!(u64::from(threshold::<P>(&syndrome)), expected, "weight {weight}");
            syndrome.words_mut()[weight / 64] |= 1 << (weight % 64);
        }
    }

    #[test]
    fn thresholds_are_exact_for_every_weight() {
        threshold_is_exact::<L1>();
        threshold_is_exact::<L3>();
        threshold_is_exact::<L5>();
    }

    #[test]
    fn counts_ones() {
        for word in [0, 1, !0, 0x8000_0000_0000_0001, 0x0123_4567_89AB_CDEF] {
            assert_eq!(ones(word), word.count_ones());
        }
    }
}
