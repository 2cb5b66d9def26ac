//! The Beneš network: permutations of 2^m bits in constant time.
//!
//! Layer i of 2·m − 1 swaps pairs at a distance of 2^i, or of 2^(2·m−2−i) in the second half; one control bit for each pair.

use crate::field::{Field, words};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
use zeroize::Zeroizing;

/// Bytes of the control bits.
pub(crate) const fn control_len<F: Field>() -> usize {
    (2 * F::M - 1) * words::<F>() * 4
}

/// A permutation, ready to be applied: one mask for each word, in layers of short distance, or for each pair of words.
pub(crate) struct Network {
    masks: Zeroizing<Vec<u64>>,
}

/// log₂ of the distance in a layer.
const fn log_distance<F: Field>(layer: usize) -> usize {
    if layer < F::M { layer } else { 2 * F::M - 2 - layer }
}

/// Where the masks of a layer stand.
const fn range<F: Field>(layer: usize) -> Range<usize> {
    let (w, mut start, mut i) = (words::<F>(), 0, 0);
    while i < layer {
        start += if log_distance::<F>(i) < 6 { w } else { w / 2 };
        i += 1;
    }
    start..start + if log_distance::<F>(layer) < 6 { w } else { w / 2 }
}

impl Network {
    /// From the standard's control bits. Secret: control.
    #[inline(always)]
    pub(crate) fn new<F: Field>(control: &[u8]) -> Self {
        let mut masks = Zeroizing::new(vec![0; range::<F>(2 * F::M - 2).end]);
        let bytes = words::<F>() * 4;
        for (layer, control) in control.chunks_exact(bytes).enumerate() {
            let log = log_distance::<F>(layer);
            let masks = &mut masks[range::<F>(layer)];
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

    /// Moves bit π(i) to place i, for all i. Secret: all.
    #[inline(always)]
    pub(crate) fn permute<F: Field>(&self, bits: &mut [u64]) {
        for layer in 0..2 * F::M - 1 {
            self.swap::<F>(layer, bits);
        }
    }

    /// Moves bit i to place π(i), for all i. Secret: all.
    #[inline(always)]
    pub(crate) fn permute_back<F: Field>(&self, bits: &mut [u64]) {
        for layer in (0..2 * F::M - 1).rev() {
            self.swap::<F>(layer, bits);
        }
    }

    /// One layer.
    #[inline(always)]
    fn swap<F: Field>(&self, layer: usize, bits: &mut [u64]) {
        let masks = &self.masks[range::<F>(layer)];
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

/// Moves 32 control bits to the lower bits of the pairs that they swap, at a distance of 2^log.
const fn spread(bits: u64, log: usize) -> u64 {
    let mut bits = bits;
    let mut shift = 16;
    // as long as blocks are longer than the distance, their upper halves make room
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

/// The bits whose position has a zero at `log`.
const fn low_bits(log: usize) -> u64 {
    u64::MAX / ((1 << (1 << log)) + 1)
}
