//! The degrees n of the ring, with the types whose sizes depend on n.

use grille_core::{Array, Bytes};
use zeroize::Zeroize;

/// A degree n of the ring, 512 or 1024, with the types whose sizes depend on it.
pub trait Degree: Sized + Send + Sync + 'static {
    /// log₂ n.
    const LOG_N: usize;
    /// n, the degree.
    const N: usize = 1 << Self::LOG_N;
    /// The number of bits of an encoded coefficient of f or g.
    const FG_BITS: usize;
    /// An array of n values.
    type Poly<T: Copy + Send + Sync + 'static>: Array<T>;
    /// An array of 3·n values as working memory.
    type Scratch<T: Copy + Send + Sync + 'static>: Array<T>;
    /// An array of (log₂ n + 1)·n values: a Falcon tree.
    type Tree<T: Copy + Send + Sync + 'static>: Array<T>;
    /// An encoded verifying key.
    type VerifyingKeyBytes: Bytes;
    /// An encoded signing key.
    type SigningKeyBytes: Bytes + Zeroize;
}

macro_rules! degrees {
    ($($degree:ident = $log_n:literal $fg_bits:literal $pk:literal $sk:literal;)*) => {$(
        #[doc = concat!("Degree 2 to the ", $log_n, ".")]
        pub struct $degree;

        impl Degree for $degree {
            const LOG_N: usize = $log_n;
            const FG_BITS: usize = $fg_bits;
            type Poly<T: Copy + Send + Sync + 'static> = [T; 1 << $log_n];
            type Scratch<T: Copy + Send + Sync + 'static> = [T; 3 << $log_n];
            type Tree<T: Copy + Send + Sync + 'static> = [T; ($log_n + 1) << $log_n];
            type VerifyingKeyBytes = [u8; $pk];
            type SigningKeyBytes = [u8; $sk];
        }

        const _: () = assert!($pk == 1 + (14 << $log_n) / 8, "a header, and h with 14 bits");
        const _: () = assert!($sk == 1 + ((2 * $fg_bits + 8) << $log_n) / 8, "a header, f, g, and F with 8 bits");
    )*};
}

degrees! {
    // log₂ n, bits of f and g, pk, sk
    N512 = 9 6 897 1281;
    N1024 = 10 5 1793 2305;
}
