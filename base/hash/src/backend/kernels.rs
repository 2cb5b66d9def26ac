//! Tests: each kernel of SHA-2 and AES by itself, also those that this processor would not choose, against the `sha2` and `aes`
//! crates.

use super::aes_ni::RoundKeys;
use super::{sha_ni, sha2_avx2, sha2_avx512};
use crate::aes_ctr::Aes256Ctr;
use crate::sha2_lanes::{portable256, portable512};
use grille_cpu::{Avx2, Avx512, Level};

/// SplitMix64.
struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z ^ (z >> 31)
    }

    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        core::array::from_fn(|_| self.word() as u8)
    }
}

fn avx2() -> Option<Avx2> {
    Level::detect().avx2()
}

fn avx512() -> Option<Avx512> {
    match Level::detect() {
        Level::Avx512(token) => Some(token),
        _ => None,
    }
}

type Blocks256 = ([[u32; 16]; 8], [[u32; 16]; 16]);
type Blocks512 = ([[u64; 8]; 8], [[u64; 8]; 16]);

fn sha_256_is_the_crate_s(inputs: u32) {
    let mut random = Random(1);
    for round in 0..inputs {
        let count = 1 + round as usize % 16;
        let mut words = || core::array::from_fn(|_| random.word() as u32);
        let (states, blocks): Blocks256 =
            (core::array::from_fn(|_| words()), core::array::from_fn(|_| words()));
        let mut expected = states;
        portable256(&mut expected, &blocks, count);
        let check = |kernel: &str, run: &dyn Fn(&mut [[u32; 16]; 8])| {
            let mut got = states;
            run(&mut got);
            for (got, expected) in got.iter().zip(&expected) {
                assert_eq!(got[..count], expected[..count], "{kernel}, {count} messages");
            }
        };
        if let Some(token) = avx2() {
            check("AVX2", &|states| sha2_avx2::compress256(token, states, &blocks, count));
        }
        if let Some(token) = avx2().and_then(Avx2::sha_ni) {
            check("SHA-NI", &|states| sha_ni::compress256(token, states, &blocks, count));
        }
        if let Some(token) = avx512() {
            check("AVX-512", &|states| sha2_avx512::compress256(token, states, &blocks));
        }
    }
}

fn sha_512_is_the_crate_s(inputs: u32) {
    let mut random = Random(2);
    for round in 0..inputs {
        let count = 1 + round as usize % 8;
        let mut words = || core::array::from_fn(|_| random.word());
        let (states, blocks): Blocks512 =
            (core::array::from_fn(|_| words()), core::array::from_fn(|_| words()));
        let mut expected = states;
        portable512(&mut expected, &blocks, count);
        let check = |kernel: &str, run: &dyn Fn(&mut [[u64; 8]; 8])| {
            let mut got = states;
            run(&mut got);
            for (got, expected) in got.iter().zip(&expected) {
                assert_eq!(got[..count], expected[..count], "{kernel}, {count} messages");
            }
        };
        if let Some(token) = avx2() {
            check("AVX2", &|states| sha2_avx2::compress512(token, states, &blocks, count));
        }
        if let Some(token) = avx512() {
            check("AVX-512", &|states| sha2_avx512::compress512(token, states, &blocks));
        }
    }
}

fn streams_of_aes_are_the_crate_s(inputs: u32) {
    const LONGEST: usize = 700;
    let mut random = Random(3);
    for _ in 0..inputs {
        let (key, nonce, len) = (random.bytes(), random.bytes(), random.word() as usize % (LONGEST + 1));
        let mut expected = [0; LONGEST];
        Aes256Ctr::new(&key, &nonce).squeeze(&mut expected[..len]);
        let check = |kernel: &str, stream: &dyn Fn(&mut [u8])| {
            let mut got = [0; LONGEST];
            stream(&mut got[..len]);
            assert_eq!(got, expected, "{kernel}, {len} bytes");
        };
        if let Some(token) = avx2().and_then(Avx2::aes_ni) {
            check("AES-NI", &|out| RoundKeys::<grille_cpu::AesNi>::new(token, &key).keystream(&nonce, out));
        }
        if let Some(token) = avx2().and_then(Avx2::vaes256) {
            check("VAES", &|out| RoundKeys::<grille_cpu::Vaes256>::new(token, &key).keystream(&nonce, out));
        }
        if let Some(token) = avx512().and_then(Avx512::vaes) {
            check("VAES-512", &|out| RoundKeys::<grille_cpu::Vaes>::new(token, &key).keystream(&nonce, out));
        }
    }
}

#[test]
fn every_kernel_equals_the_crate_s_function() {
    sha_256_is_the_crate_s(10_000);
    sha_512_is_the_crate_s(10_000);
    streams_of_aes_are_the_crate_s(10_000);
}

#[test]
#[ignore = "takes a minute"]
fn every_kernel_equals_the_crate_s_function_on_a_million_inputs() {
    sha_256_is_the_crate_s(1_000_000);
    sha_512_is_the_crate_s(1_000_000);
    streams_of_aes_are_the_crate_s(1_000_000);
}
