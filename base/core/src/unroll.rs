//! Loops over vectors that are to stay in registers.

/// A copy of `$text` for each of the numbers, which `$n` names: as a loop, `v[n]` would be an address, and all of `v` in memory
/// between its steps.
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
