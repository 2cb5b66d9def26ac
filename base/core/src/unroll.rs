//! Unrolled loops over vectors that must stay in registers.

/// Repeats `$text` once for each number in a list. In each copy, `$n` is the number.
///
/// In a loop, `v[n]` would have a variable index, so the compiler would keep all of `v` in memory.
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
