//! The Black-Gray-Flip decoder: finds the error from its syndrome, in a fixed number of steps.

use crate::code::{Code, Vector};
use crate::counters::{Counters, Doubled};
use crate::parity::{Parity, compute_weight};
use grille_core::ct;
use grille_gf2x::Workspace;
use subtle::{Choice, ConstantTimeEq};

/// τ: a bit is gray if its counter is below the threshold by at most τ.
const TAU: u32 = 3;

/// The result of decoding, which is secret.
pub(crate) struct Decoded<P: Code> {
    /// The error (e₀, e₁).
    pub(crate) error: [Vector<P>; 2],
    /// Whether the syndrome of the error equals the given syndrome.
    pub(crate) is_complete: Choice,
}

/// Finds the error (e₀, e₁) whose syndrome e₀·h₀ + e₁·h₁ is `syndrome`. If this error has too many ones for the
/// decoder, returns arbitrary vectors. All arguments and results are secret.
pub(crate) fn decode<P: Code>(
    parity: &Parity<P>,
    syndrome: &Vector<P>,
    workspace: &mut Workspace<P>,
) -> Decoded<P> {
    let mut decoder = Decoder {
        parity,
        counters: Counters::new(workspace.level()),
        workspace,
        original: syndrome,
        syndrome: syndrome.clone(),
        error: [Vector::zeroed(), Vector::zeroed()],
    };
    for iteration in 0..P::ITERATIONS {
        let threshold = compute_threshold::<P>(&decoder.syndrome);
        let [black, gray] = decoder.flip(threshold);
        if iteration == 0 {
            decoder.flip_masked(&black);
            decoder.flip_masked(&gray);
        }
    }
    let rest = decoder.syndrome.words().iter().fold(0, |rest, word| rest | word);
    Decoded { error: decoder.error, is_complete: rest.ct_eq(&0) }
}

struct Decoder<'a, P: Code> {
    parity: &'a Parity<P>,
    counters: Counters<P>,
    workspace: &'a mut Workspace<P>,
    original: &'a Vector<P>,
    /// The syndrome of the difference between the sought error and `error`.
    syndrome: Vector<P>,
    error: [Vector<P>; 2],
}

impl<P: Code> Decoder<'_, P> {
    /// Runs BFIter: flips the black bits, whose counter reaches the threshold. Returns the black bits, and the gray
    /// bits, whose counter is at most τ below the threshold.
    fn flip(&mut self, threshold: u32) -> [[Vector<P>; 2]; 2] {
        let doubled = Doubled::new(&self.syndrome);
        let halves = [0, 1].map(|half| {
            self.counters.count(&doubled, &self.parity.supports[half]);
            let black = self.counters.bits_at_least(threshold);
            let mut gray = self.counters.bits_at_least(threshold - TAU);
            // black bits are not gray
            gray.add(&black);
            self.error[half].add(&black);
            [black, gray]
        });
        self.update_syndrome();
        let [[black_0, gray_0], [black_1, gray_1]] = halves;
        [[black_0, black_1], [gray_0, gray_1]]
    }

    /// Runs BFMaskedIter: flips each bit of the error that is set in `mask` and whose counter is at least ⌈d/2⌉ + 1.
    fn flip_masked(&mut self, mask: &[Vector<P>; 2]) {
        let doubled = Doubled::new(&self.syndrome);
        for half in [0, 1] {
            self.counters.count(&doubled, &self.parity.supports[half]);
            let mut flipped = self.counters.bits_at_least(P::D.div_ceil(2) as u32 + 1);
            for (word, mask) in flipped.words_mut().iter_mut().zip(mask[half].words()) {
                *word &= mask;
            }
            self.error[half].add(&flipped);
        }
        self.update_syndrome();
    }

    /// Updates `syndrome` to s + e₀·h₀ + e₁·h₁, where s is the original syndrome and (e₀, e₁) is `error`.
    fn update_syndrome(&mut self) {
        self.syndrome = self.original.clone();
        for half in [0, 1] {
            self.syndrome.add(&self.error[half].times(&self.parity.h[half], self.workspace));
        }
    }
}

/// Computes threshold(|s|): (BASE + SLOPE·|s|)/10⁸, rounded down, but at least MIN. The syndrome and the result are
/// secret.
fn compute_threshold<P: Code>(syndrome: &Vector<P>) -> u32 {
    let weight = compute_weight([syndrome]);
    // a multiplication by ⌈2⁶⁴/10⁸⌉ replaces the division and is exact for numbers below 2³⁶
    const RECIPROCAL: u128 = (1 << 64) / 100_000_000 + 1;
    let scaled = P::BASE + P::SLOPE * u64::from(weight);
    let threshold = ((u128::from(scaled) * RECIPROCAL) >> 64) as u32;
    let too_small = ct::mask((threshold.wrapping_sub(P::MIN) >> 31).wrapping_neg());
    threshold ^ (threshold ^ P::MIN) & too_small
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{L1, L1Cpa, L1Fo, L3, L3Cpa, L3Fo, L5};

    fn threshold_is_exact<P: Code>() {
        let mut syndrome = Vector::<P>::zeroed();
        for weight in 0..P::N {
            let expected = ((P::BASE + P::SLOPE * weight as u64) / 100_000_000).max(P::MIN.into());
            assert_eq!(u64::from(compute_threshold::<P>(&syndrome)), expected, "weight {weight}");
            syndrome.words_mut()[weight / 64] |= 1 << (weight % 64);
        }
    }

    #[test]
    fn thresholds_are_exact_for_every_weight() {
        threshold_is_exact::<L1>();
        threshold_is_exact::<L3>();
        threshold_is_exact::<L5>();
        threshold_is_exact::<L1Cpa>();
        threshold_is_exact::<L3Cpa>();
        threshold_is_exact::<L1Fo>();
        threshold_is_exact::<L3Fo>();
    }
}
