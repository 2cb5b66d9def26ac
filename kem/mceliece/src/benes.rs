//! The Beneš network: permutations of 2^m bits in constant time.
//!
//! Layer i of the 2·m − 1 layers swaps pairs at a distance of 2^i, or of 2^(2·m−2−i) in the second half. Each
//! pair has one control bit.

use crate::field::{Field, words};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
use zeroize::Zeroizing;

/// Returns the number of bytes of the control bits.
pub(crate) const fn control_len<F: Field>() -> usize {
    (2 * F::M - 1) * words::<F>() * 4
}

/// A network whose control bits are expanded to masks. A layer with a distance below 64 has one mask per
/// word, and any other layer has one mask per pair of words.
pub(crate) struct Network {
    masks: Zeroizing<Vec<u64>>,
}

/// Returns log₂ of the distance in a layer.
const fn log_distance<F: Field>(layer: usize) -> usize {
    if layer < F::M { layer } else { 2 * F::M - 2 - layer }
}

/// Returns the range of the masks of a layer.
const fn mask_range<F: Field>(layer: usize) -> Range<usize> {
    let (w, mut start, mut i) = (words::<F>(), 0, 0);
    while i < layer {
        start += if log_distance::<F>(i) < 6 { w } else { w / 2 };
        i += 1;
    }
    start..start + if log_distance::<F>(layer) < 6 { w } else { w / 2 }
}

impl Network {
    /// Expands the control bits of the standard. `control` is secret.
    #[inline(always)]
    pub(crate) fn new<F: Field>(control: &[u8]) -> Self {
        let mut masks = Zeroizing::new(vec![0; mask_range::<F>(2 * F::M - 2).end]);
        let bytes = words::<F>() * 4;
        for (layer, control) in control.chunks_exact(bytes).enumerate() {
            let log = log_distance::<F>(layer);
            let masks = &mut masks[mask_range::<F>(layer)];
            if log < 6 {
                for (mask, bits) in masks.iter_mut().zip(control.as_chunks::<4>().0) {
                    *mask = spread(u64::from(u32::from_le_bytes(*bits)), log);
                }
            } else {
                for (mask, bits) in masks.iter_mut().zip(control.as_chunks::<8>().0) {
                    *mask = u64::from_le_bytes(*bits);
                }
            }
        }
        Self { masks }
    }

    /// Moves bit π(i) to position i, for all i. All bits are secret.
    #[inline(always)]
    pub(crate) fn permute<F: Field>(&self, bits: &mut [u64]) {
        for layer in 0..2 * F::M - 1 {
            self.swap::<F>(layer, bits);
        }
    }

    /// Moves bit i to position π(i), for all i. All bits are secret.
    #[inline(always)]
    pub(crate) fn permute_back<F: Field>(&self, bits: &mut [u64]) {
        for layer in (0..2 * F::M - 1).rev() {
            self.swap::<F>(layer, bits);
        }
    }

    /// Applies one layer.
    #[inline(always)]
    fn swap<F: Field>(&self, layer: usize, bits: &mut [u64]) {
        let masks = &self.masks[mask_range::<F>(layer)];
        let log = log_distance::<F>(layer);
        if log < 6 {
            for (word, mask) in bits.iter_mut().zip(masks) {
                let difference = (*word >> (1 << log) ^ *word) & mask;
                *word ^= difference | difference << (1 << log);
            }
            return;
        }
        let distance = 1 << (log - 6);
        for (block, masks) in bits.chunks_exact_mut(2 * distance).zip(masks.chunks_exact(distance)) {
            let (low, high) = block.split_at_mut(distance);
            for ((low, high), mask) in low.iter_mut().zip(high).zip(masks) {
                let difference = (*low ^ *high) & mask;
                *low ^= difference;
                *high ^= difference;
            }
        }
    }
}

/// Spreads 32 control bits: moves each one to the position of the lower bit of the pair that it swaps. The two bits of
/// a pair are 2^log apart.
const fn spread(bits: u64, log: usize) -> u64 {
    let mut bits = bits;
    let mut shift = 16;
    // while blocks are longer than the distance, the upper half of each block moves up
    let mut level = 4;
    while level >= log {
        bits = (bits | bits << shift) & low_bits(level);
        if level == 0 {
            break;
        }
        shift /= 2;
        level -= 1;
    }
    bits
}

/// Returns the mask of the bits whose position has bit `log` unset.
const fn low_bits(log: usize) -> u64 {
    u64::MAX / ((1 << (1 << log)) + 1)
}
