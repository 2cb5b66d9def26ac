//! Arithmetic on single coefficients: modulo 3, and modulo q, which divides 2¹⁶.

/// Computes x mod 3, for x below 2¹⁵.
#[inline(always)]
pub(crate) const fn mod3(x: u16) -> u16 {
    /// The factor ⌈2¹⁶/3⌉. A test checks that it makes the division by 3 exact for all x below 2¹⁵.
    const RECIPROCAL: u32 = (1 << 16) / 3 + 1;
    x - 3 * ((x as u32 * RECIPROCAL) >> 16) as u16
}

/// Computes the inverse of an odd number modulo 2¹⁶.
pub(crate) const fn inverse_mod_q(a: u16) -> u16 {
    let (mut inverse, mut i) = (a, 0);
    while i < 4 {
        inverse = inverse.wrapping_mul(2u16.wrapping_sub(a.wrapping_mul(inverse)));
        i += 1;
    }
    inverse
}

const _: () = assert!(inverse_mod_q(3).wrapping_mul(3) == 1 && inverse_mod_q(1373).wrapping_mul(1373) == 1);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mod3_is_exact_below_two_to_the_fifteenth() {
        assert!((0..1 << 15).all(|x| mod3(x) == x % 3));
    }
}
