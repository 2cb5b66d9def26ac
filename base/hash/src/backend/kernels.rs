//! Tests of each SHA-2 and AES kernel against the `sha2` and `aes` crates. The tests include kernels that
//! this processor would not select.

use super::aes_ni::RoundKeys;
use super::sha2_portable::{portable256, portable512};
use super::tests::next_word;
use super::{sha_ni, sha2_avx2, sha2_avx512};
use crate::aes_ctr::Aes256Ctr;
use core::fmt::Debug;
use grille_cpu::{Avx2, Avx512, Level};

fn avx2() -> Option<Avx2> {
    Level::detect().avx2()
}

fn avx512() -> Option<Avx512> {
    match Level::detect() {
        Level::Avx512(token) => Some(token),
        _ => None,
    }
}

/// The type of the states of `N` messages: each row holds one word of all messages.
type States<W, const N: usize> = [[W; N]; 8];
type Blocks<W, const N: usize> = [[W; N]; 16];

/// A function that calls a check for each kernel. Its arguments are the number of messages, one block of each message,
/// and the check. The check receives the kernel's name and a closure that compresses the blocks into states.
type Kernels<W, const N: usize> = dyn Fn(usize, &Blocks<W, N>, &dyn Fn(&str, &dyn Fn(&mut States<W, N>)));

/// Checks `kernels` against `portable` on random states and blocks, for every number of messages.
fn check_compression<W: Copy + PartialEq + Debug, const N: usize>(
    inputs: u32,
    word: fn(&mut u64) -> W,
    portable: fn(&mut States<W, N>, &Blocks<W, N>, usize),
    kernels: &Kernels<W, N>,
) {
    let mut seed = N as u64;
    for round in 0..inputs {
        let count = 1 + round as usize % N;
        let mut words = || core::array::from_fn(|_| word(&mut seed));
        let states: States<W, N> = core::array::from_fn(|_| words());
        let blocks: Blocks<W, N> = core::array::from_fn(|_| words());
        let mut expected = states;
        portable(&mut expected, &blocks, count);
        kernels(count, &blocks, &|kernel, run| {
            let mut got = states;
            run(&mut got);
            for (got, expected) in got.iter().zip(&expected) {
                assert_eq!(got[..count], expected[..count], "{kernel}, {count} messages");
            }
        });
    }
}

fn check_sha256(inputs: u32) {
    check_compression(inputs, |seed| next_word(seed) as u32, portable256, &|count, blocks, check| {
        if let Some(token) = avx2() {
            check("AVX2", &|states| sha2_avx2::compress256(token, states, blocks, count));
        }
        if let Some(token) = avx2().and_then(Avx2::sha_ni) {
            check("SHA-NI", &|states| sha_ni::compress256(token, states, blocks, count));
        }
        if let Some(token) = avx512() {
            check("AVX-512", &|states| sha2_avx512::compress256(token, states, blocks));
        }
    });
}

fn check_sha512(inputs: u32) {
    check_compression(inputs, next_word, portable512, &|count, blocks, check| {
        if let Some(token) = avx2() {
            check("AVX2", &|states| sha2_avx2::compress512(token, states, blocks, count));
        }
        if let Some(token) = avx512() {
            check("AVX-512", &|states| sha2_avx512::compress512(token, states, blocks));
        }
    });
}

fn check_aes_streams(inputs: u32) {
    const LONGEST: usize = 700;
    let mut seed = 3;
    for _ in 0..inputs {
        let key = core::array::from_fn(|_| next_word(&mut seed) as u8);
        let nonce = core::array::from_fn(|_| next_word(&mut seed) as u8);
        let len = next_word(&mut seed) as usize % (LONGEST + 1);
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
fn every_kernel_matches_the_crate() {
    check_sha256(10_000);
    check_sha512(10_000);
    check_aes_streams(10_000);
}

#[test]
#[ignore = "takes a minute"]
fn every_kernel_matches_the_crate_on_a_million_inputs() {
    check_sha256(1_000_000);
    check_sha512(1_000_000);
    check_aes_streams(1_000_000);
}
