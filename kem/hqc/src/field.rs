//! GF(2⁸) = GF(2)\[z\]/(z⁸ + z⁴ + z³ + z² + 1), many elements at a time.
//!
//! A word holds eight elements. Loops are written out and not passed to `array::from_fn`, whose code would not be
//! compiled with a level's instructions. Masks are computed by multiplying bits by 255, which no compiler turns into
//! branches.

/// A row of 64 elements. The first element is the lowest byte of the first word.
pub(crate) type Row = [u64; 8];

/// The lowest bit of each byte.
const ONES: u64 = 0x0101_0101_0101_0101;

/// Multiplies two words element by element: eight products in GF(2⁸).
#[inline(always)]
pub(crate) const fn multiply_word(mut a: u64, b: u64) -> u64 {
    let mut product = 0;
    let mut bit = 0;
    while bit < 8 {
        product ^= a & spread_bits(b >> bit & ONES);
        let carry = a >> 7 & ONES;
        // z⁸ = z⁴ + z³ + z² + 1
        a = (a & 0x7F7F_7F7F_7F7F_7F7F) << 1 ^ carry ^ carry << 2 ^ carry << 3 ^ carry << 4;
        bit += 1;
    }
    product
}

/// Returns 255 for each byte that is 1, and 0 for each that is 0.
#[inline(always)]
pub(crate) const fn spread_bits(bits: u64) -> u64 {
    (bits << 8).wrapping_sub(bits)
}

/// Returns 255 for each byte that is zero, and 0 for the others.
#[inline(always)]
pub(crate) const fn find_zero_bytes(x: u64) -> u64 {
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let nonzero = (((x & LOW) + LOW) | x) >> 7 & ONES;
    spread_bits(nonzero ^ ONES)
}

/// Returns the product of each pair of elements.
#[inline(always)]
pub(crate) fn multiply(a: &Row, b: &Row) -> Row {
    let mut product = [0; 8];
    for word in 0..8 {
        product[word] = multiply_word(a[word], b[word]);
    }
    product
}

/// Returns the sum of two rows.
#[inline(always)]
pub(crate) fn add(a: &Row, b: &Row) -> Row {
    let mut sum = [0; 8];
    for word in 0..8 {
        sum[word] = a[word] ^ b[word];
    }
    sum
}

/// Returns a word that repeats one element.
#[inline(always)]
pub(crate) const fn splat(element: u8) -> u64 {
    element as u64 * ONES
}

/// Computes α^exponent, where α = z generates all elements except zero.
#[inline]
pub(crate) const fn power(exponent: usize) -> u8 {
    let (mut result, mut n) = (1, 0);
    while n < exponent % 255 {
        result = multiply_word(result, 2);
        n += 1;
    }
    result as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Multiplies by the definition, bit by bit.
    fn slow_product(a: u8, b: u8) -> u8 {
        let mut product =
            (0..8).fold(0, |sum, bit| sum ^ if b >> bit & 1 == 1 { u16::from(a) << bit } else { 0 });
        for bit in (8..16).rev() {
            if product >> bit & 1 == 1 {
                product ^= 0x11D << (bit - 8);
            }
        }
        product as u8
    }

    #[test]
    fn products_match_the_definition() {
        for a in 0..=255 {
            for b in 0..=255 {
                let word = multiply_word(splat(a), splat(b));
                assert_eq!(word, splat(slow_product(a, b)), "{a}·{b}");
            }
        }
    }

    #[test]
    fn elements_of_a_word_do_not_interfere() {
        let (a, b) = (0x0123_4567_89AB_CDEF_u64, 0xFEDC_BA98_7654_3210_u64);
        let expected: [u8; 8] =
            core::array::from_fn(|i| slow_product(a.to_le_bytes()[i], b.to_le_bytes()[i]));
        assert_eq!(multiply_word(a, b).to_le_bytes(), expected);
    }

    #[test]
    fn finds_zero_bytes() {
        assert_eq!(find_zero_bytes(0x0001_8000_FF7F_0000), 0xFF00_00FF_0000_FFFF);
    }

    #[test]
    fn powers_repeat_after_255() {
        let mut seen = [false; 256];
        (0..255).for_each(|i| seen[usize::from(power(i))] = true);
        assert_eq!(seen.iter().filter(|seen| **seen).count(), 255);
        assert_eq!((power(0), power(8), power(255)), (1, 0x1D, 1));
    }
}
