//! Which permutation runs at which level.

mod portable;

use crate::keccak::States;
use grille_cpu::Level;

#[inline]
pub(crate) fn permute<const N: usize>(level: Level, states: &mut States<N>) {
    let _ = level;
    portable::permute(states);
}
