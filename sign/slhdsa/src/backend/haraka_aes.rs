//! Haraka with AES instructions: four states interleaved in 128-bit vectors, or eight states in two groups of 512-bit
//! vectors.
//!
//! A vector holds one column of one state or of four states. All operations except the AES rounds are
//! shuffles within 128 bits, so the same source is compiled for both widths.

use super::haraka_portable::{Constants, WIDTH};
use crate::node::Node;
use core::arch::x86_64::*;
use grille_cpu::{AesNi, Vaes};

/// Defines the kernels on `$groups` groups of `$vector`, each with `WIDTH / $groups` states.
macro_rules! kernels {
    ($features:literal, $token:ty, $vector:ty, $groups:literal,
        $permute512:ident, $haraka256:ident, $chain:ident, $module:ident,
        $aesenc:ident, $low32:ident, $high32:ident, $low64:ident, $high64:ident, $xor:ident, $and:ident, $add:ident, $broadcast:ident,
        $load:ident, $store:ident) => {
        pub(super) fn $permute512(
            _: $token,
            constants: &Constants,
            states: &mut [[u8; 64]; WIDTH],
            count: usize,
        ) {
            // SAFETY: the token proves that the processor has the features.
            unsafe { $module::permute512(constants, states, count) }
        }

        pub(super) fn $haraka256(_: $token, constants: &Constants, values: &mut [Node; WIDTH]) {
            // SAFETY: the token proves that the processor has the features.
            unsafe { $module::haraka256(constants, values) }
        }

        pub(super) fn $chain<const MASKED: bool>(
            _: $token,
            constants: &Constants,
            n: usize,
            adrs: &[[u8; 32]; WIDTH],
            values: &mut [Node; WIDTH],
            steps: u32,
        ) {
            // SAFETY: the token proves that the processor has the features.
            unsafe { $module::chain::<MASKED>(constants, n, adrs, values, steps) }
        }

        mod $module {
            use super::*;

            /// The number of states in one group.
            const STATES_PER_GROUP: usize = WIDTH / $groups;
            /// The number of groups that are processed together.
            const GROUPS_TOGETHER: usize = if $groups == WIDTH { 4 } else { $groups };

            /// Computes the AES layers and MIX of Haraka-512, Haraka v2 section 2.1.
            #[inline]
            #[target_feature(enable = $features)]
            fn rounds512<const T: usize>(constants: &Constants, s: &mut [[$vector; 4]; T]) {
                for round in constants.chunks_exact(8) {
                    for layer in round.chunks_exact(4) {
                        for (c, constant) in layer.iter().enumerate() {
                            let k = $broadcast(constant);
                            for s in &mut *s {
                                s[c] = $aesenc(s[c], k);
                            }
                        }
                    }
                    for s in &mut *s {
                        let [a, b, c, d] = *s;
                        let (ab_low, ab_high) = ($low32(a, b), $high32(a, b));
                        let (cd_low, cd_high) = ($low32(c, d), $high32(c, d));
                        *s = [
                            $high32(ab_high, cd_high),
                            $low32(cd_low, ab_low),
                            $high32(cd_low, ab_low),
                            $low32(ab_high, cd_high),
                        ];
                    }
                }
            }

            /// Computes the AES layers and MIX of Haraka-256.
            #[inline]
            #[target_feature(enable = $features)]
            fn rounds256(constants: &Constants, s: &mut [[$vector; 2]; GROUPS_TOGETHER]) {
                for round in constants[..20].chunks_exact(4) {
                    for layer in round.chunks_exact(2) {
                        for (c, constant) in layer.iter().enumerate() {
                            let k = $broadcast(constant);
                            for s in &mut *s {
                                s[c] = $aesenc(s[c], k);
                            }
                        }
                    }
                    for s in &mut *s {
                        let [a, b] = *s;
                        *s = [$low32(a, b), $high32(a, b)];
                    }
                }
            }

            #[target_feature(enable = $features)]
            pub(super) fn permute512(constants: &Constants, states: &mut [[u8; 64]; WIDTH], count: usize) {
                let together = STATES_PER_GROUP * GROUPS_TOGETHER;
                for states in states[..count.next_multiple_of(together)].chunks_exact_mut(together) {
                    permute512_groups::<GROUPS_TOGETHER>(constants, states);
                }
            }

            /// Permutes the states of `T` groups.
            #[inline]
            #[target_feature(enable = $features)]
            pub(super) fn permute512_groups<const T: usize>(constants: &Constants, states: &mut [[u8; 64]]) {
                let mut s = [[$load([&[0; 16]; STATES_PER_GROUP]); 4]; T];
                for (s, states) in s.iter_mut().zip(states.chunks_exact(STATES_PER_GROUP)) {
                    for (c, s) in s.iter_mut().enumerate() {
                        *s = $load(core::array::from_fn(|i| &states[i].as_chunks().0[c]));
                    }
                }
                rounds512(constants, &mut s);
                for (s, states) in s.iter().zip(states.chunks_exact_mut(STATES_PER_GROUP)) {
                    for (c, s) in s.iter().enumerate() {
                        let columns: [[u8; 16]; STATES_PER_GROUP] = $store(*s);
                        states.iter_mut().zip(columns).for_each(|(state, column)| {
                            state.as_chunks_mut().0[c] = column;
                        });
                    }
                }
            }

            /// Loads the values of the groups that are processed together, as two columns for each group.
            #[inline]
            #[target_feature(enable = $features)]
            fn load_values(values: &[[u8; 32]]) -> [[$vector; 2]; GROUPS_TOGETHER] {
                let mut s = [[$load([&[0; 16]; STATES_PER_GROUP]); 2]; GROUPS_TOGETHER];
                for (s, values) in s.iter_mut().zip(values.chunks_exact(STATES_PER_GROUP)) {
                    for (c, s) in s.iter_mut().enumerate() {
                        *s = $load(core::array::from_fn(|i| &values[i].as_chunks().0[c]));
                    }
                }
                s
            }

            #[inline]
            #[target_feature(enable = $features)]
            fn store_values(s: &[[$vector; 2]; GROUPS_TOGETHER], values: &mut [[u8; 32]]) {
                for (s, values) in s.iter().zip(values.chunks_exact_mut(STATES_PER_GROUP)) {
                    for (c, s) in s.iter().enumerate() {
                        let columns: [[u8; 16]; STATES_PER_GROUP] = $store(*s);
                        values.iter_mut().zip(columns).for_each(|(value, column)| {
                            value.as_chunks_mut().0[c] = column;
                        });
                    }
                }
            }

            #[target_feature(enable = $features)]
            pub(super) fn haraka256(constants: &Constants, values: &mut [Node; WIDTH]) {
                for values in values.chunks_exact_mut(STATES_PER_GROUP * GROUPS_TOGETHER) {
                    let before = load_values(values);
                    let mut s = before;
                    rounds256(constants, &mut s);
                    for (s, before) in s.iter_mut().zip(before) {
                        *s = [$xor(s[0], before[0]), $xor(s[1], before[1])];
                    }
                    store_values(&s, values);
                }
            }

            #[target_feature(enable = $features)]
            pub(super) fn chain<const MASKED: bool>(
                constants: &Constants,
                n: usize,
                adrs: &[[u8; 32]; WIDTH],
                values: &mut [Node; WIDTH],
                steps: u32,
            ) {
                // selects the n − 16 bytes of a value that are in its second half
                let mut kept = [0; 16];
                kept[..n - 16].fill(0xFF);
                let kept = $broadcast(&kept);
                let mut one = [0; 16];
                one[15] = 1;
                let one = $broadcast(&one);
                let together = STATES_PER_GROUP * GROUPS_TOGETHER;
                for (adrs, values) in adrs.chunks_exact(together).zip(values.chunks_exact_mut(together)) {
                    let mut adrs = load_values(adrs);
                    let mut m = load_values(values);
                    for _ in 0..steps {
                        if MASKED {
                            let mut masks = adrs;
                            rounds256(constants, &mut masks);
                            for ((m, mask), adrs) in m.iter_mut().zip(masks).zip(&adrs) {
                                m[0] = $xor(m[0], $xor(mask[0], adrs[0]));
                                m[1] = $xor(m[1], $and($xor(mask[1], adrs[1]), kept));
                            }
                        }
                        let mut s = [[kept; 4]; GROUPS_TOGETHER];
                        for ((s, adrs), m) in s.iter_mut().zip(&adrs).zip(&m) {
                            *s = [adrs[0], adrs[1], m[0], m[1]];
                        }
                        rounds512(constants, &mut s);
                        for ((s, adrs), m) in s.iter().zip(&mut adrs).zip(&mut m) {
                            let (a, b) = ($xor(s[0], adrs[0]), $xor(s[1], adrs[1]));
                            let (c, d) = ($xor(s[2], m[0]), $xor(s[3], m[1]));
                            *m = [$high64(a, b), $and($low64(c, d), kept)];
                            adrs[1] = $add(adrs[1], one);
                        }
                    }
                    store_values(&m, values);
                }
            }
        }
    };
}

kernels!(
    "avx2,aes",
    AesNi,
    __m128i,
    8,
    permute512_aes_ni,
    haraka256_aes_ni,
    chain_aes_ni,
    aes_ni,
    _mm_aesenc_si128,
    _mm_unpacklo_epi32,
    _mm_unpackhi_epi32,
    _mm_unpacklo_epi64,
    _mm_unpackhi_epi64,
    _mm_xor_si128,
    _mm_and_si128,
    _mm_add_epi8,
    broadcast1,
    load1,
    store1
);

kernels!(
    "avx512f,avx512bw,avx512vl,aes,vaes",
    Vaes,
    __m512i,
    2,
    permute512_vaes,
    haraka256_vaes,
    chain_vaes,
    vaes,
    _mm512_aesenc_epi128,
    _mm512_unpacklo_epi32,
    _mm512_unpackhi_epi32,
    _mm512_unpacklo_epi64,
    _mm512_unpackhi_epi64,
    _mm512_xor_si512,
    _mm512_and_si512,
    _mm512_add_epi8,
    broadcast4,
    load4,
    store4
);

/// Permutes one state.
#[target_feature(enable = "avx2,aes")]
fn permute512_alone(constants: &Constants, state: &mut [u8; 64]) {
    aes_ni::permute512_groups::<1>(constants, core::slice::from_mut(state));
}

pub(super) fn permute512_alone_aes_ni(_: AesNi, constants: &Constants, state: &mut [u8; 64]) {
    // SAFETY: the token proves that the processor has the features.
    unsafe { permute512_alone(constants, state) }
}

/// Permutes one state in 128-bit vectors, which are faster for a single state than 512-bit vectors.
pub(super) fn permute512_alone_vaes(_: Vaes, constants: &Constants, state: &mut [u8; 64]) {
    // SAFETY: the token proves AVX-512, which includes AVX2, and AES instructions of every width.
    unsafe { permute512_alone(constants, state) }
}

#[inline]
#[target_feature(enable = "avx2,aes")]
fn broadcast1(bytes: &[u8; 16]) -> __m128i {
    // SAFETY: the reference is valid for 16 bytes; the load needs no alignment.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2,aes")]
fn load1([bytes]: [&[u8; 16]; 1]) -> __m128i {
    broadcast1(bytes)
}

#[inline]
#[target_feature(enable = "avx2,aes")]
fn store1(vector: __m128i) -> [[u8; 16]; 1] {
    let mut bytes = [0; 16];
    // SAFETY: the reference is valid for 16 bytes; the store needs no alignment.
    unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), vector) };
    [bytes]
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,aes,vaes")]
fn broadcast4(bytes: &[u8; 16]) -> __m512i {
    // SAFETY: the reference is valid for 16 bytes; the load needs no alignment.
    unsafe { _mm512_broadcast_i32x4(_mm_loadu_si128(bytes.as_ptr().cast())) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,aes,vaes")]
fn load4(bytes: [&[u8; 16]; 4]) -> __m512i {
    let mut joined = [[0; 16]; 4];
    joined.iter_mut().zip(bytes).for_each(|(out, bytes)| *out = *bytes);
    // SAFETY: the reference is valid for 64 bytes; the load needs no alignment.
    unsafe { _mm512_loadu_si512(joined.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,aes,vaes")]
fn store4(vector: __m512i) -> [[u8; 16]; 4] {
    let mut bytes = [[0; 16]; 4];
    // SAFETY: the reference is valid for 64 bytes; the store needs no alignment.
    unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), vector) };
    bytes
}
