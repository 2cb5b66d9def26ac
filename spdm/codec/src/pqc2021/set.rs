//! A set of post-quantum algorithms, as the tables 11 to 15 carry it.

/// A set of at most 96 post-quantum algorithms. Bit b is bit b mod 8 of byte b / 8 on the wire.
///
/// Bits without an algorithm stay in the set, so that a decoded set encodes to the same bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Set(u128);

impl Set {
    /// Length on the wire in bytes.
    pub const LEN: usize = 12;
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// Returns the set with only bit number `bit`; the empty set if `bit` is above 95.
    #[must_use]
    pub const fn from_bit(bit: u8) -> Self {
        if bit as usize >= 8 * Self::LEN { Self::NONE } else { Self(1 << bit) }
    }

    /// Converts from the bytes on the wire.
    #[must_use]
    pub const fn from_bytes(bytes: &[u8; Self::LEN]) -> Self {
        let [a, b, c, d, e, f, g, h, i, j, k, l] = *bytes;
        Self(u128::from_le_bytes([a, b, c, d, e, f, g, h, i, j, k, l, 0, 0, 0, 0]))
    }

    /// Returns the bytes on the wire.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; Self::LEN] {
        let [a, b, c, d, e, f, g, h, i, j, k, l, ..] = self.0.to_le_bytes();
        [a, b, c, d, e, f, g, h, i, j, k, l]
    }

    /// Returns the algorithms that are in at least one of the two sets.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the algorithms that are in both sets.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns whether all algorithms of `other` are in this set.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of set bits.
    #[must_use]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns the set with only the lowest bit of this set.
    #[must_use]
    pub const fn lowest(self) -> Self {
        Self(self.0 & self.0.wrapping_neg())
    }

    /// Returns the number of the only set bit; `None` if not exactly one bit is set.
    #[must_use]
    pub const fn single(self) -> Option<u8> {
        if self.0.count_ones() == 1 { Some(self.0.trailing_zeros() as u8) } else { None }
    }
}

/// Collects the algorithms of all sets into one set.
impl FromIterator<Set> for Set {
    fn from_iter<I: IntoIterator<Item = Self>>(sets: I) -> Self {
        sets.into_iter().fold(Self::NONE, Self::union)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_map_to_bytes() {
        for bit in 0..96 {
            let set = Set::from_bit(bit);
            let mut bytes = [0; Set::LEN];
            bytes[usize::from(bit) / 8] = 1 << (bit % 8);
            assert_eq!((set.to_bytes(), Set::from_bytes(&bytes), set.single()), (bytes, set, Some(bit)));
            assert_eq!(set.lowest(), set);
        }
        assert_eq!(Set::from_bit(96), Set::NONE);
        assert_eq!(Set::from_bit(u8::MAX), Set::NONE);
    }

    #[test]
    fn sets_combine() {
        let (one, two) = (Set::from_bit(5), Set::from_bit(95));
        let both = one.union(two);
        assert!(both.contains(one) && both.contains(Set::NONE) && !one.contains(both));
        assert_eq!((both.intersection(two), both.lowest(), both.count()), (two, one, 2));
        assert_eq!((both.single(), Set::NONE.single(), Set::NONE.lowest()), (None, None, Set::NONE));
        assert_eq!(([one, two].into_iter().collect::<Set>(), Set::from_iter([])), (both, Set::NONE));
        assert!(Set::NONE.is_empty() && !one.is_empty());
        assert_eq!(Set::from_bytes(&[0xff; 12]).to_bytes(), [0xff; 12]);
    }
}
