//! Products modulo 2 with PCLMULQDQ.

use crate::binary::MAX_WORDS;
use core::arch::x86_64::*;

/// See [`Backend::multiply_mod2`](super::Backend::multiply_mod2).
#[inline]
#[target_feature(enable = "sse2,pclmulqdq")]
pub(super) fn multiply_mod2(a: &[u64], b: &[u64], product: &mut [u64]) {
    assert!(a.len() == b.len() && a.len() <= MAX_WORDS && product.len() == 2 * a.len());
    let word = |x: u64| _mm_cvtsi64_si128(x.cast_signed());
    let len = a.len();
    let mut carry = 0;
    for sum in 0..2 * len - 1 {
        // Σ aᵢ·bⱼ with i + j = sum, of which the upper word goes to the next
        let mut column = _mm_setzero_si128();
        for i in sum.saturating_sub(len - 1)..len.min(sum + 1) {
            column = _mm_xor_si128(column, _mm_clmulepi64_si128::<0>(word(a[i]), word(b[sum - i])));
        }
        product[sum] = carry ^ _mm_cvtsi128_si64(column).cast_unsigned();
        carry = _mm_cvtsi128_si64(_mm_unpackhi_epi64(column, column)).cast_unsigned();
    }
    product[2 * len - 1] = carry;
}
