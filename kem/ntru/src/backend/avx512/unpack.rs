//! Coefficients out of a string of bits, 32 at a time.

use core::arch::x86_64::*;

/// For each of eight groups of four coefficients: the eight bytes that hold them, and where in these 64 bits the two
/// bytes of each coefficient begin.
pub(super) struct Places {
    bytes: [u8; 64],
    bits: [u8; 64],
}

impl Places {
    /// Of coefficients of so many bits, at most 14.
    pub(super) const fn new(log_q: usize) -> Self {
        let mut places = Self { bytes: [0; 64], bits: [0; 64] };
        let mut i = 0;
        while i < 64 {
            let (group, byte) = (i / 8, i % 8);
            let start = 4 * log_q * group;
            places.bytes[i] = (start / 8 + byte) as u8;
            places.bits[i] = (start % 8 + log_q * (byte / 2) + 8 * (byte % 2)) as u8;
            i += 1;
        }
        places
    }
}

/// See [`Backend::unpack`](crate::backend::Backend::unpack).
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi2")]
pub(super) fn unpack(places: &Places, log_q: usize, bytes: &[u8], a: &mut [u16]) {
    // SAFETY: the references are valid for 64 bytes; the loads need no alignment.
    let [at, shifts] =
        [&places.bytes, &places.bits].map(|table| unsafe { _mm512_loadu_si512(table.as_ptr().cast()) });
    let mask = _mm512_set1_epi16((1 << log_q) - 1);
    for (a, bytes) in a.chunks_mut(32).zip(bytes.chunks(4 * log_q)) {
        // SAFETY: the mask covers the slice and no more; what it leaves out is not read.
        let packed = unsafe {
            _mm512_maskz_loadu_epi8(_bzhi_u64(u64::MAX, bytes.len() as u32), bytes.as_ptr().cast())
        };
        let groups = _mm512_permutexvar_epi8(at, packed);
        let coefficients = _mm512_and_si512(_mm512_multishift_epi64_epi8(shifts, groups), mask);
        let valid = _bzhi_u32(u32::MAX, a.len() as u32);
        // SAFETY: the mask covers the slice and no more; what it leaves out is not written.
        unsafe { _mm512_mask_storeu_epi16(a.as_mut_ptr().cast(), valid, coefficients) };
    }
}
