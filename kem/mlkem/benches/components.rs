//! Benchmarks of each building block and each operation, with the names of the library github.com/itzmeanjan/kyber of 2022.
//! `encode` includes compression, and `decode` decompression, because the KEM operations use one kernel for both; `compress` and
//! `decompress` convert one coefficient in plain Rust.
//! `make benchmark` in `bindings/cpp` compares them with the times of that library's README.

use core::hint::black_box;
use criterion::{Criterion, criterion_group, criterion_main};
use grille_core::{CryptoRng, DecapsKey, EncapsKey, Kem, SystemRng};
use grille_mlkem::internals::ROWS;
use grille_mlkem::params::{K512, K768, K1024, Params};
use grille_mlkem::pke::KeyPair;
use grille_mlkem::{Kyber512, Kyber768, Kyber1024};
use std::time::Instant;

fn components(criterion: &mut Criterion) {
    for row in ROWS {
        criterion.bench_function(row.name, |bencher| {
            bencher.iter_custom(|n| {
                let start = Instant::now();
                (row.repeat)(n as usize);
                start.elapsed()
            });
        });
    }
    criterion.bench_function("random_data<32>", |bencher| {
        let mut bytes = [0; 32];
        bencher.iter(|| random(&mut SystemRng, black_box(&mut bytes)));
    });
}

fn random(rng: &mut dyn CryptoRng, bytes: &mut [u8]) {
    rng.fill_bytes(bytes);
}

/// Benchmarks K-PKE. `P` corresponds to the template arguments of the C++ library.
fn pke<P: Params>(criterion: &mut Criterion) {
    let (k, eta1, eta2, du, dv) = (P::K, P::ETA1, P::ETA2, P::DU, P::DV);
    criterion.bench_function(&format!("pke_keygen<{k}, {eta1}>"), |bencher| {
        bencher.iter(|| KeyPair::<P>::from_seed(black_box(&[7; 32])));
    });
    let keys = KeyPair::<P>::from_seed(&[7; 32]);
    let ciphertext = keys.encryption_key.encrypt(&[1; 32], &[2; 32]);
    criterion.bench_function(&format!("encrypt<{k}, {eta1}, {eta2}, {du}, {dv}>"), |bencher| {
        bencher.iter(|| keys.encryption_key.encrypt(black_box(&[1; 32]), black_box(&[2; 32])));
    });
    criterion.bench_function(&format!("decrypt<{k}, {eta1}, {eta2}, {du}, {dv}>"), |bencher| {
        bencher.iter(|| keys.decryption_key.decrypt(black_box(&ciphertext)));
    });
}

fn kem<K: Kem, P: Params>(criterion: &mut Criterion) {
    let (k, eta1, eta2, du, dv) = (P::K, P::ETA1, P::ETA2, P::DU, P::DV);
    criterion.bench_function(&format!("kem_keygen<{k}, {eta1}>"), |bencher| {
        bencher.iter(|| K::DecapsKey::from_seed(black_box(&[7; 64])).expect("64 bytes"));
    });
    let key = K::DecapsKey::from_seed(&[7; 64]).expect("64 bytes");
    let sent = key.encaps_key().encapsulate(&mut SystemRng);
    criterion.bench_function(&format!("encapsulate<{k}, {eta1}, {eta2}, {du}, {dv}>"), |bencher| {
        bencher.iter(|| key.encaps_key().encapsulate(&mut SystemRng));
    });
    criterion.bench_function(&format!("decapsulate<{k}, {eta1}, {eta2}, {du}, {dv}>"), |bencher| {
        bencher.iter(|| key.decapsulate(black_box(&sent.ciphertext)));
    });
}

criterion_group!(
    benches,
    components,
    pke::<K512>,
    pke::<K768>,
    pke::<K1024>,
    kem::<Kyber512, K512>,
    kem::<Kyber768, K768>,
    kem::<Kyber1024, K1024>
);
criterion_main!(benches);
