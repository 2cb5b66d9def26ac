//! Benchmarks of key generation, signing (the mean over changing messages) and verification, for each parameter set.

use core::hint::black_box;
use criterion::{Criterion, criterion_group, criterion_main};
use grille_core::{Signature, SigningKey, VerifyingKey};
use grille_mldsa::{
    Dilithium2, Dilithium2Aes, Dilithium3, Dilithium3Aes, Dilithium5, Dilithium5Aes, MlDsa44, MlDsa65,
    MlDsa87,
};

fn operations<S: Signature>(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group(S::INFO.name);
    let key = S::SigningKey::from_seed(&[7; 32]).expect("32 bytes");
    let verifying_key = key.verifying_key();
    let encoded = verifying_key.to_bytes();
    let signature = key.sign_deterministic(b"message", b"").expect("an empty context is short enough");
    let mut counter = 0u64;
    group.bench_function("keygen", |bencher| {
        bencher.iter(|| S::SigningKey::from_seed(black_box(&[7; 32])).expect("32 bytes"));
    });
    group.bench_function("sign", |bencher| {
        bencher.iter(|| {
            counter += 1;
            key.sign_deterministic(&counter.to_le_bytes(), b"").expect("an empty context is short enough")
        });
    });
    group.bench_function("parse and verify", |bencher| {
        bencher.iter(|| {
            let key = S::VerifyingKey::from_bytes(black_box(&encoded)).expect("the length is right");
            key.verify(b"message", b"", signature.as_ref()).expect("valid");
        });
    });
    group.bench_function("verify", |bencher| {
        bencher.iter(|| verifying_key.verify(b"message", b"", black_box(signature.as_ref())).expect("valid"));
    });
    group.finish();
}

criterion_group!(
    benches,
    operations::<MlDsa44>,
    operations::<MlDsa65>,
    operations::<MlDsa87>,
    operations::<Dilithium2>,
    operations::<Dilithium3>,
    operations::<Dilithium5>,
    operations::<Dilithium2Aes>,
    operations::<Dilithium3Aes>,
    operations::<Dilithium5Aes>
);
criterion_main!(benches);
