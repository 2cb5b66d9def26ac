//! Sets of named bits: capabilities and algorithms.

/// A set of bits on the wire.
pub trait Bits: Copy {
    /// The named bits, ascending.
    const ROWS: &'static [Row];
    /// Returns the number on the wire.
    fn to_u64(self) -> u64;
    /// Converts from the number on the wire; excess bits are dropped.
    fn from_u64(bits: u64) -> Self;
}

/// A named bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The bit number; 0 is the lowest bit.
    pub bit: u8,
    /// The name in DSP0274. Algorithms have the name of their own standard, because DSP0274 uses several names for
    /// some.
    pub name: &'static str,
    /// Length in bytes of the algorithm's signature, digest, AEAD key or exchange data in the request; 0 for other
    /// bits.
    pub len: usize,
}

/// Returns the row of a bit.
///
/// # Panics
/// Panics if the bit has no row. In a constant, this is a compile error.
#[must_use]
pub const fn row(rows: &'static [Row], bit: u8) -> &'static Row {
    let mut at = 0;
    while rows[at].bit != bit {
        at += 1;
    }
    &rows[at]
}

/// Defines a type for a set of bits from a table. Each row `NAME = bit, "name of the standard", length;` becomes a
/// constant.
macro_rules! bits {
    ($(#[$about:meta])* $set:ident($int:ty); $($constant:ident = $bit:literal, $name:literal, $len:literal;)*) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $set(
            /// The number on the wire.
            pub $int
        );

        impl $set {
            $(#[doc = concat!($name, ", bit ", stringify!($bit), ".")] pub const $constant: Self = Self(1 << $bit);)*
            /// The empty set.
            pub const NONE: Self = Self(0);

            /// Returns whether all bits of `other` are set.
            #[must_use]
            pub const fn contains(self, other: Self) -> bool {
                self.0 & other.0 == other.0
            }

            /// Returns whether any bit of `other` is set.
            #[must_use]
            pub const fn intersects(self, other: Self) -> bool {
                self.0 & other.0 != 0
            }

            /// Returns whether no bit is set.
            #[must_use]
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// Returns the row of the only set bit; `None` if not exactly one bit is set, or it has no name.
            #[must_use]
            pub fn row(self) -> Option<&'static $crate::bits::Row> {
                if self.0.count_ones() != 1 {
                    return None;
                }
                let rows = <Self as $crate::bits::Bits>::ROWS;
                rows.iter().find(|row| u32::from(row.bit) == self.0.trailing_zeros())
            }

            /// Iterates over the rows of all set and named bits, ascending.
            pub fn rows(self) -> impl Iterator<Item = &'static $crate::bits::Row> {
                let rows = <Self as $crate::bits::Bits>::ROWS;
                rows.iter().filter(move |row| self.0 >> row.bit & 1 == 1)
            }
        }

        impl $crate::bits::Bits for $set {
            const ROWS: &'static [$crate::bits::Row] =
                &[$($crate::bits::Row { bit: $bit, name: $name, len: $len },)*];

            fn to_u64(self) -> u64 {
                u64::from(self.0)
            }

            fn from_u64(bits: u64) -> Self {
                Self(bits as $int)
            }
        }

        impl core::ops::BitOr for $set {
            type Output = Self;
            fn bitor(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
        }

        impl core::ops::BitAnd for $set {
            type Output = Self;
            fn bitand(self, other: Self) -> Self {
                Self(self.0 & other.0)
            }
        }
    };
}
pub(crate) use bits;
