//! Unrolled loops over vectors that must stay in registers.

/// Repeats `$text` once for each of the numbers, as `$n`.
///
/// In a real loop, `v[n]` would be an address, and all of `v` would be in memory between the steps.
///
/// ```
/// let mut v = [1, 2, 3, 4];
/// grille_core::unroll!(n in 0 2 => v[n] += v[n + 1]);
/// assert_eq!(v, [3, 2, 7, 4]);
/// ```
#[macro_export]
macro_rules! unroll {
    ($n:ident in $($number:literal)* => $text:expr) => {
        $({
            let $n: usize = $number;
            $text;
        })*
    };
}
