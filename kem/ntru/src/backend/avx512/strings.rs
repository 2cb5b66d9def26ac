//! Packing and unpacking of coefficients, 32 at a time, and of keys, 16 at a time.

use core::arch::x86_64::*;

/// The tables for unpacking eight groups of four coefficients or of two keys. `bytes` holds the indices of
/// the eight bytes that contain each group. For each byte of the unpacked numbers, `bits` holds the position
/// of its first bit within the 64 bits of these eight bytes.
pub(super) struct UnpackTables {
    bytes: [u8; 64],
    bits: [u8; 64],
}

impl UnpackTables {
    /// The tables for 30-bit keys. If the last byte of a key extends beyond the 64 bits, it continues at their
    /// start.
    const KEYS: Self = {
        let (mut places, mut i) = (Self { bytes: [0; 64], bits: [0; 64] }, 0);
        while i < 64 {
            let (pair, byte) = (i / 8, i % 8);
            let start = 60 * pair;
            places.bytes[i] = (start / 8 + byte) as u8;
            places.bits[i] = (start % 8 + 30 * (byte / 4) + 8 * (byte % 4)) as u8;
            i += 1;
        }
        places
    };

    /// Returns the tables for coefficients of `log_q` bits, at most 14.
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

/// Implements [`Backend::unpack`](crate::backend::Backend::unpack).
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi2")]
pub(super) fn unpack(places: &UnpackTables, log_q: usize, bytes: &[u8], a: &mut [u16]) {
    // SAFETY: the references are valid for 64 bytes; the loads need no alignment.
    let [at, shifts] =
        [&places.bytes, &places.bits].map(|table| unsafe { _mm512_loadu_si512(table.as_ptr().cast()) });
    let mask = _mm512_set1_epi16((1 << log_q) - 1);
    for (a, bytes) in a.chunks_mut(32).zip(bytes.chunks(4 * log_q)) {
        // SAFETY: the mask covers exactly the slice; masked-out bytes are not read.
        let packed = unsafe {
            _mm512_maskz_loadu_epi8(_bzhi_u64(u64::MAX, bytes.len() as u32), bytes.as_ptr().cast())
        };
        let groups = _mm512_permutexvar_epi8(at, packed);
        let coefficients = _mm512_and_si512(_mm512_multishift_epi64_epi8(shifts, groups), mask);
        let valid = _bzhi_u32(u32::MAX, a.len() as u32);
        // SAFETY: the mask covers exactly the slice; masked-out numbers are not written.
        unsafe { _mm512_mask_storeu_epi16(a.as_mut_ptr().cast(), valid, coefficients) };
    }
}

/// Returns the indices of the bytes to keep: the first `log_q` of each 16 bytes, which hold eight coefficients
/// of `log_q` bits.
pub(super) const fn byte_positions(log_q: usize) -> [u8; 64] {
    let (mut places, mut i) = ([0; 64], 0);
    while i < 4 * log_q {
        places[i] = (16 * (i / log_q) + i % log_q) as u8;
        i += 1;
    }
    places
}

/// Implements [`Backend::pack`](crate::backend::Backend::pack). `places` is the result of
/// [`byte_positions`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi2")]
pub(super) fn pack(places: &[u8; 64], log_q: usize, a: &[u16], bytes: &mut [u8]) {
    // SAFETY: the reference is valid for 64 bytes; the load needs no alignment.
    let places = unsafe { _mm512_loadu_si512(places.as_ptr().cast()) };
    let mask = _mm512_set1_epi16((1 << log_q) - 1);
    let to_pairs = _mm512_set1_epi32(1 | 1 << (16 + log_q));
    let (pair, four) = (2 * log_q as i64, 4 * log_q as i64);
    let up = _mm512_set4_epi64(64, four, 64, four);
    let down = _mm512_set4_epi64(64 - four, 64, 64 - four, 64);
    for (a, bytes) in a.chunks(32).zip(bytes.chunks_mut(4 * log_q)) {
        let present = _bzhi_u32(u32::MAX, a.len() as u32);
        // SAFETY: the mask covers exactly the slice; masked-out numbers are not read.
        let a = unsafe { _mm512_maskz_loadu_epi16(present, a.as_ptr().cast()) };
        // signed products suffice: log₂ q is at most 14
        let pairs = _mm512_madd_epi16(_mm512_and_si512(a, mask), to_pairs);
        let second = _mm512_sllv_epi64(_mm512_srli_epi64::<32>(pairs), _mm512_set1_epi64(pair));
        let fours = _mm512_or_si512(_mm512_maskz_mov_epi32(0x5555, pairs), second);
        // moves the second half directly after the first half; the end of the second half goes into the next
        // word
        let second = _mm512_unpackhi_epi64(fours, fours);
        let seconds = _mm512_or_si512(_mm512_sllv_epi64(second, up), _mm512_srlv_epi64(second, down));
        let eights = _mm512_or_si512(_mm512_maskz_mov_epi64(0x55, fours), seconds);
        let present = _bzhi_u64(u64::MAX, bytes.len() as u32);
        let packed = _mm512_permutexvar_epi8(places, eights);
        // SAFETY: the mask covers exactly the slice; masked-out bytes are not written.
        unsafe { _mm512_mask_storeu_epi8(bytes.as_mut_ptr().cast(), present, packed) };
    }
}

/// The factors for the eight bytes of a group. The first five bytes are coefficients.
const POWERS_OF_3: i64 = i64::from_le_bytes([1, 3, 9, 27, 81, 0, 0, 0]);

/// Selects the lower bytes of the first forty of 64 coefficients, and places five of these bytes at the start
/// of each group of eight bytes.
const FIVES: [u8; 64] = {
    let (mut fives, mut i) = ([0; 64], 0);
    while i < 64 {
        fives[i] = 2 * (5 * (i / 8) + i % 8) as u8;
        i += 1;
    }
    fives
};

/// Implements [`Backend::pack_trits`](crate::backend::Backend::pack_trits).
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vnni,bmi2")]
pub(super) fn pack_trits(a: &[u16], bytes: &mut [u8]) {
    /// The mask of the first five bytes of each group of eight.
    const FIRST_FIVE: __mmask64 = 0x1F1F_1F1F_1F1F_1F1F;
    // SAFETY: the reference is valid for 64 bytes; the load needs no alignment.
    let fives = unsafe { _mm512_loadu_si512(FIVES.as_ptr().cast()) };
    let powers = _mm512_set1_epi64(POWERS_OF_3);
    for (a, bytes) in a.chunks(40).zip(bytes.chunks_mut(8)) {
        let (low, high) = a.split_at(a.len().min(32));
        debug_assert!(low.len() <= 32 && high.len() <= 8);
        // SAFETY: the masks cover exactly the slices' numbers, at most 32; masked-out numbers are not read.
        let [low, high] = [low, high].map(|part| unsafe {
            _mm512_maskz_loadu_epi16(_bzhi_u32(u32::MAX, part.len() as u32), part.as_ptr().cast())
        });
        let groups = _mm512_maskz_permutex2var_epi8(FIRST_FIVE, low, fives, high);
        // computes the sum of the first four products, and the fifth product
        let sums = _mm512_dpbusd_epi32(_mm512_setzero_si512(), groups, powers);
        let sums = _mm512_cvtepi64_epi8(_mm512_add_epi32(sums, _mm512_srli_epi64::<32>(sums)));
        let present = _bzhi_u32(u32::MAX, bytes.len() as u32) as __mmask16;
        debug_assert!(bytes.len() <= 8);
        // SAFETY: the mask covers exactly the slice's bytes, at most 8; masked-out bytes are not written.
        unsafe { _mm_mask_storeu_epi8(bytes.as_mut_ptr().cast(), present, sums) };
    }
}

/// Implements [`Backend::read_sort_keys`](crate::backend::Backend::read_sort_keys).
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi2")]
pub(super) fn read_sort_keys(bytes: &[u8], per_sign: usize, keys: &mut [i32]) {
    // SAFETY: the references are valid for 64 bytes; the loads need no alignment.
    let [at, shifts] = [const { &UnpackTables::KEYS.bytes }, const { &UnpackTables::KEYS.bits }]
        .map(|table| unsafe { _mm512_loadu_si512(table.as_ptr().cast()) });
    let [first, both] = [1, 2].map(|count| _mm512_set1_epi32((count * per_sign) as i32));
    let mut indices = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    for (keys, bytes) in keys.chunks_mut(16).zip(bytes.chunks(60)) {
        // SAFETY: the mask covers exactly the slice; masked-out bytes are not read.
        let string = unsafe {
            _mm512_maskz_loadu_epi8(_bzhi_u64(u64::MAX, bytes.len() as u32), bytes.as_ptr().cast())
        };
        let pairs = _mm512_multishift_epi64_epi8(shifts, _mm512_permutexvar_epi8(at, string));
        let signs = _mm512_maskz_mov_epi32(_mm512_cmplt_epi32_mask(indices, both), _mm512_set1_epi32(2));
        let signs =
            _mm512_mask_mov_epi32(signs, _mm512_cmplt_epi32_mask(indices, first), _mm512_set1_epi32(1));
        // bits beyond the 30 bits of a key are shifted out
        let signed = _mm512_or_si512(_mm512_slli_epi32::<2>(pairs), signs);
        indices = _mm512_add_epi32(indices, _mm512_set1_epi32(16));
        if let Ok(keys) = <&mut [i32; 16]>::try_from(&mut *keys) {
            // SAFETY: the reference is valid for 64 bytes; the store needs no alignment.
            unsafe { _mm512_storeu_si512(keys.as_mut_ptr().cast(), signed) };
        } else {
            let valid = _bzhi_u32(u32::MAX, keys.len() as u32) as __mmask16;
            // SAFETY: the mask covers exactly the slice; masked-out keys are not written.
            unsafe { _mm512_mask_storeu_epi32(keys.as_mut_ptr(), valid, signed) };
        }
    }
}
