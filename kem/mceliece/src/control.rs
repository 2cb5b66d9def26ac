//! Control bits of the Beneš network for a permutation, as defined in the standard (D. J. Bernstein,
//! "Verified fast formulas for control bits for permutation networks", 2020).
//!
//! The formulas are recursive. All networks of one recursion depth are computed at the same time. Their
//! permutations are stored one after the other.

use crate::backend::{Kernel, Lanes, at_level};
use crate::benes::control_len;
use crate::field::Field;
use crate::sort::{Narrow, sort_blocks};
use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;
use grille_core::ct;
use grille_hash::Level;
use zeroize::Zeroizing;

/// A vector of numbers below 2^16, which are secret.
type Numbers = Zeroizing<Vec<u32>>;

/// Returns the control bits of the permutation π of 2^m elements. `pi` and the result are secret.
///
/// The permutation leaves some control bits undetermined. The current version chooses them so that bits of the first
/// layer are zero. Round 3, which sets `in_both_outer_layers`, chooses them so that bits of the first or of the last
/// layer are zero.
pub(crate) fn control_bits<F: Field>(
    level: Level,
    pi: &[u16],
    in_both_outer_layers: bool,
) -> Zeroizing<Vec<u8>> {
    at_level(level, ControlBits::<F> { pi, in_both_outer_layers, field: PhantomData })
}

struct ControlBits<'a, F> {
    pi: &'a [u16],
    in_both_outer_layers: bool,
    field: PhantomData<fn() -> F>,
}

impl<F: Field> Kernel for ControlBits<'_, F> {
    type Output = Zeroizing<Vec<u8>>;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Self::Output {
        let n = 1 << F::M;
        let mut control = Zeroizing::new(vec![0; control_len::<F>()]);
        let mut pi: Numbers = Zeroizing::new(self.pi.iter().map(|x| u32::from(*x)).collect());
        for depth in 0..F::M - 1 {
            let size = n >> depth;
            let [mut first, mut last, pi_middle] = outer_layers(l, &pi, size, self.in_both_outer_layers);
            spread_bits(&mut control, &mut first, depth, depth, size);
            spread_bits(&mut control, &mut last, 2 * F::M - 2 - depth, depth, size);
            pi = split_even_and_odd(&pi_middle, size);
        }
        // the last depth has networks of two elements
        let mut middle: Numbers = Zeroizing::new(pi.iter().step_by(2).copied().collect());
        spread_bits(&mut control, &mut middle, F::M - 1, F::M - 1, 2);
        control
    }
}

/// Writes the control bits of one layer, one bit for each pair. Bit j of network b is at position j·2^depth + b of the
/// layer.
#[inline(always)]
fn spread_bits(control: &mut [u8], bits: &mut [u32], layer: usize, depth: usize, size: usize) {
    let bytes = bits.len() / 8;
    let layer = &mut control[layer * bytes..][..bytes];
    for (b, network) in bits.chunks_exact(size / 2).enumerate() {
        for (j, bit) in network.iter().enumerate() {
            let position = (j << depth) + b;
            layer[position / 8] |= (*bit as u8) << (position % 8);
        }
    }
}

/// Returns the control bits of the first and of the last layer of networks of `size` elements, and the
/// permutations between these layers.
#[inline(always)]
fn outer_layers<L: Lanes>(lanes: L, pi: &[u32], size: usize, in_both_outer_layers: bool) -> [Numbers; 3] {
    let identity = numbers(pi.len(), |x| (x % size) as u32);
    let inverse = compose_inverse(lanes, &identity, pi, size);
    let c = cycle_minima(lanes, pi, &identity, size);
    let mut f = numbers(pi.len() / 2, |j| c[2 * j] & 1);
    let first = numbers(pi.len(), |x| identity[x] ^ f[x / 2]);
    // applies π, then the first layer
    let mut middle = compose_inverse(lanes, &first, &inverse, size);
    let mut l = numbers(pi.len() / 2, |k| middle[2 * k] & 1);
    if in_both_outer_layers {
        let flips = round3_flips(lanes, pi, &inverse, &c, &l, size);
        let flips_of_f = compose_inverse(lanes, &numbers(pi.len(), |x| flips[x / 2]), pi, size);
        f.iter_mut().zip(flips_of_f.iter().step_by(2)).for_each(|(f, flip)| *f ^= flip);
        l.iter_mut().zip(flips.iter()).for_each(|(l, flip)| *l ^= flip);
    }
    for (pair, swap) in middle.as_chunks_mut::<2>().0.iter_mut().zip(l.iter()) {
        let difference = (pair[0] ^ pair[1]) & ct::mask(swap.wrapping_neg());
        *pair = [pair[0] ^ difference, pair[1] ^ difference];
    }
    [f, l, middle]
}

/// Returns, for each element, the smallest element of its cycle. The cycles are those of the permutation that exchanges
/// the two elements of each pair, applies π⁻¹, exchanges the elements of each pair again, and applies π.
#[inline(always)]
fn cycle_minima<L: Lanes>(lanes: L, pi: &[u32], identity: &[u32], size: usize) -> Numbers {
    let mut p = numbers(pi.len(), |x| pi[x ^ 1]);
    let mut q = numbers(pi.len(), |x| pi[x] ^ 1);
    (p, q) = (compose_inverse(lanes, &p, &q, size), compose_inverse(lanes, &q, &p, size));
    // each round covers twice as many steps
    let mut c = elementwise_min(lanes, identity, &p);
    (p, q) = (compose_inverse(lanes, &p, &q, size), compose_inverse(lanes, &q, &p, size));
    for round in 1..size.ilog2() - 1 {
        let further = compose_inverse(lanes, &c, &q, size);
        c = elementwise_min(lanes, &c, &further);
        if round < size.ilog2() - 2 {
            (p, q) = (compose_inverse(lanes, &p, &q, size), compose_inverse(lanes, &q, &p, size));
        }
    }
    c
}

/// Returns 1 for each pair of the last layer whose control bit differs between round 3 and the current
/// version.
///
/// The permutation determines the control bits of a set of dependent pairs except for one bit. The current version
/// therefore sets the bit of the pair with the smallest number in the first layer to zero. Round 3 sets the bit of the
/// pair with the smallest number in both layers to zero. If the smallest numbers in the two layers are equal, round 3
/// sets the bit in the first layer to zero.
#[inline(always)]
fn round3_flips<L: Lanes>(
    lanes: L,
    pi: &[u32],
    inverse: &[u32],
    c: &[u32],
    l: &[u32],
    size: usize,
) -> Numbers {
    let identity = numbers(pi.len(), |x| (x % size) as u32);
    let last = cycle_minima(lanes, inverse, &identity, size);
    let first = compose_inverse(lanes, c, inverse, size);
    numbers(l.len(), |k| {
        let is_smaller = ct::mask((last[2 * k] >> 1).wrapping_sub(first[2 * k] >> 1) >> 31);
        is_smaller & ((last[2 * k] & 1) ^ l[k])
    })
}

#[inline(always)]
fn numbers(count: usize, number: impl Fn(usize) -> u32) -> Numbers {
    Zeroizing::new((0..count).map(number).collect())
}

/// Splits the permutations into those of the even and of the odd elements. Network b of k networks is split
/// into the networks b and b + k.
#[inline(always)]
fn split_even_and_odd(middle: &[u32], size: usize) -> Numbers {
    let half = |odd: usize| {
        let networks = middle.chunks_exact(size);
        networks.flat_map(move |network| network[odd..].iter().step_by(2).map(|x| x / 2))
    };
    Zeroizing::new(half(0).chain(half(1)).collect())
}

/// Computes c ∘ π⁻¹ for each network. All numbers are secret.
#[inline(always)]
fn compose_inverse<L: Lanes>(lanes: L, c: &[u32], pi: &[u32], size: usize) -> Numbers {
    let mut pairs = Zeroizing::new(vec![0; pi.len()]);
    for ((pair, pi), c) in pairs.iter_mut().zip(pi).zip(c) {
        *pair = pi << 16 | c;
    }
    sort_blocks::<L, Narrow>(lanes, &mut pairs, size);
    for pair in pairs.iter_mut() {
        *pair &= 0xFFFF;
    }
    pairs
}

/// Returns the smaller number at each position. The number of positions must be a multiple of the number of keys in a
/// vector. Does not use `min`, which compilers turn into a branch if the processor has no minimum instruction.
#[inline(always)]
fn elementwise_min<L: Lanes>(l: L, a: &[u32], b: &[u32]) -> Numbers {
    let mut smaller = Zeroizing::new(a.to_vec());
    for (a, b) in smaller.chunks_exact_mut(L::KEYS).zip(b.chunks_exact(L::KEYS)) {
        let [min, _] = l.order_keys(l.load_keys(a), l.load_keys(b));
        l.store_keys(min, a);
    }
    smaller
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benes::Network;
    use crate::field::{Gf12, Gf13, words};
    use grille_stream::Stream;

    fn check_routing<F: Field>(in_both_outer_layers: bool) {
        let n = 1 << F::M;
        let mut rng = Stream::new("permutation");
        let mut pi: Vec<u16> = (0..n as u16).collect();
        (1..n).for_each(|i| pi.swap(i, rng.below(i + 1)));
        let expected = control_bits::<F>(Level::Portable, &pi, in_both_outer_layers);
        for level in Level::all() {
            assert_eq!(*control_bits::<F>(level, &pi, in_both_outer_layers), *expected, "{}", level.name());
        }
        let network = Network::new::<F>(&expected);
        let bits: Vec<u64> = (0..words::<F>()).map(|_| u64::from_le_bytes(rng.bytes())).collect();
        let bit = |bits: &[u64], i: usize| bits[i / 64] >> (i % 64) & 1;
        let mut permuted = bits.clone();
        network.permute::<F>(&mut permuted);
        assert!((0..n).all(|i| bit(&permuted, i) == bit(&bits, pi[i].into())));
        network.permute_back::<F>(&mut permuted);
        assert_eq!(permuted, bits);
    }

    #[test]
    fn control_bits_route_as_the_permutation_says() {
        check_routing::<Gf12>(false);
        check_routing::<Gf13>(false);
        check_routing::<Gf12>(true);
        check_routing::<Gf13>(true);
    }
}
