//! Sets of bits with names: what a peer can do, and which algorithms it has.

/// A set of bits on the wire.
pub trait Bits: Copy {
    /// The bits that have a name, ascending.
    const ROWS: &'static [Row];
    /// The number on the wire.
    fn to_u64(self) -> u64;
    /// From the number on the wire; higher bits are dropped.
    fn from_u64(bits: u64) -> Self;
}

/// One bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its number, from 0 for the lowest.
    pub bit: u8,
    /// Its name in DSP0274, of an algorithm that of its own standard: DSP0274 has several for one.
    pub name: &'static str,
    /// Bytes on the wire of what the algorithm makes (signature, digest, exchange data of the request); 0 elsewhere.
    pub len: usize,
}

/// The row of a bit.
///
/// # Panics
/// If it has none: a constant does not compile then.
#[must_use]
pub const fn row(rows: &'static [Row], bit: u8) -> &'static Row {
    let mut at = 0;
    while rows[at].bit != bit {
        at += 1;
    }
    &rows[at]
}

/// A table of bits becomes a type: the row `/// doc, NAME = bit, "name of the standard", length` a constant of it.
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
            /// No bit.
            pub const NONE: Self = Self(0);

            /// Whether all bits of `other` are set.
            #[must_use]
            pub const fn contains(self, other: Self) -> bool {
                self.0 & other.0 == other.0
            }

            /// Whether any bit of `other` is set.
            #[must_use]
            pub const fn intersects(self, other: Self) -> bool {
                self.0 & other.0 != 0
            }

            /// Whether no bit is set.
            #[must_use]
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// The table row of the only bit; nothing if there are none or more, or if the bit has no name.
            #[must_use]
            pub fn row(self) -> Option<&'static $crate::bits::Row> {
                if self.0.count_ones() != 1 {
                    return None;
                }
                let rows = <Self as $crate::bits::Bits>::ROWS;
                rows.iter().find(|row| u32::from(row.bit) == self.0.trailing_zeros())
            }

            /// The rows of all bits that are set and have a name, ascending.
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
