//! KECCAK-p\[1600, 24\], FIPS 202 section 3, on one or several states at once.

mod constants;

use crate::backend;
use grille_cpu::Level;

pub use constants::States;
pub(crate) use constants::{RHO, ROUND_CONSTANTS};

/// Permutes all `N` states.
///
/// The backends accelerate `N` = 1, 4 and 8. Any other number also works.
#[inline]
pub fn permute<const N: usize>(level: Level, states: &mut States<N>) {
    backend::permute(level, states);
}

/// Working memory for any number of calls of [`first_lanes`]. Erased on drop.
pub use crate::backend::Scratch;

/// Computes the first four lanes (32 bytes) of each permuted state. The states themselves do not change.
#[inline]
pub fn first_lanes<const N: usize>(
    level: Level,
    states: &States<N>,
    first: &mut [[u64; N]; 4],
    scratch: &mut Scratch,
) {
    backend::first_lanes(level, states, first, scratch);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_state_permutes_to_the_known_state_at_every_level_and_width() {
        fn check<const N: usize>(level: Level) {
            let mut states = [[0; N]; 25];
            permute(level, &mut states);
            assert_eq!(states[0], [0xF125_8F79_40E1_DDE7; N], "{} x{N}", level.name());
            assert_eq!(states[24], [0xEAF1_FF7B_5CEC_A249; N], "{} x{N}", level.name());
        }
        for level in Level::all() {
            check::<1>(level);
            check::<2>(level);
            check::<4>(level);
            check::<8>(level);
        }
    }
}
