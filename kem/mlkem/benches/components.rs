//! Benchmarks of each building block and each operation, with the names of the C++ Kyber library that this crate
//! replaces. The benchmarks `encode` and `compress` measure plain Rust, because the KEM operations use one kernel that
//! does both.

use core::hint::black_box;
use criterion::{Bencher, Criterion, criterion_group, criterion_main};
use grille_core::{CryptoRng, DecapsKey, EncapsKey, Kem, SystemRng};
use grille_mlkem::internals::{Component, Workspace, Zq, matrix};
use grille_mlkem::params::{K512, K768, K1024, Params};
use grille_mlkem::pke::KeyPair;
use grille_mlkem::{Kyber512, Kyber768, Kyber1024};

fn field(criterion: &mut Criterion) {
    let mut bench = |name, text: &dyn Fn(Zq, Zq) -> Zq| {
        let (a, b) = (Zq::new(1234), Zq::new(2345));
        criterion.bench_function(name, |bencher| bencher.iter(|| text(black_box(a), black_box(b))));
    };
    bench("ff_add", &|a, b| a + b);
    bench("ff_compound_add", &|mut a, b| {
        a += b;
        a
    });
    bench("ff_sub", &|a, b| a - b);
    bench("ff_compound_sub", &|mut a, b| {
        a -= b;
        a
    });
    bench("ff_neg", &|a, _| -a);
    bench("ff_mul", &|a, b| a * b);
    bench("ff_compound_mul", &|mut a, b| {
        a *= b;
        a
    });
    bench("ff_inv", &|a, _| a.inverse());
    bench("ff_div", &|a, b| a / b);
    bench("ff_exp", &|a, _| a.pow(black_box(3000)));
}

/// Returns a benchmark of a component. `D` is the const parameter of [`Workspace::run`].
fn component<const D: usize>(component: Component) -> impl FnMut(&mut Bencher<'_>) {
    move |bencher| {
        let mut workspace = Workspace::new();
        bencher.iter(|| black_box(&mut workspace).run::<D>(component));
    }
}

macro_rules! components {
    ($criterion:ident: $($name:literal $component:ident [$($d:literal)*];)*) => {$($(
        $criterion.bench_function(
            concat!($name, "<", stringify!($d), ">"),
            component::<$d>(Component::$component),
        );
    )*)*};
}

fn polynomials(criterion: &mut Criterion) {
    criterion.bench_function("parse", component::<12>(Component::Parse));
    components! { criterion:
        "cbd" Cbd [2 3];
        "encode" Encode [1 4 5 10 11 12];
        "decode" Decode [1 4 5 10 11 12];
        "compress" Compress [1 4 5 10 11];
        "decompress" Decompress [1 4 5 10 11];
        "compress and encode" CompressAndEncode [1 4 5 10 11 12];
        "decode and decompress" DecodeAndDecompress [1 4 5 10 11 12];
    }
    criterion.bench_function("ntt", component::<12>(Component::Ntt));
    criterion.bench_function("intt", component::<12>(Component::InverseNtt));
    criterion.bench_function("polymul", component::<12>(Component::Multiply));
    criterion.bench_function("random_data<32>", |bencher| {
        let mut bytes = [0; 32];
        bencher.iter(|| random(&mut SystemRng, black_box(&mut bytes)));
    });
}

fn random(rng: &mut dyn CryptoRng, bytes: &mut [u8]) {
    rng.fill_bytes(bytes);
}

/// Benchmarks the matrix and K-PKE. `P` corresponds to the template arguments of the C++ library.
fn pke<P: Params>(criterion: &mut Criterion) {
    let (k, eta1, eta2, du, dv) = (P::K, P::ETA1, P::ETA2, P::DU, P::DV);
    for transposed in [true, false] {
        criterion.bench_function(&format!("generate_matrix<{k}, {transposed}>"), |bencher| {
            bencher.iter(|| matrix::<P>(black_box(&[7; 32])));
        });
    }
    criterion.bench_function(&format!("pke_keygen<{k}, {eta1}>"), |bencher| {
        bencher.iter(|| KeyPair::<P>::from_seed(black_box(&[7; 32])));
    });
    let keys = KeyPair::<P>::from_seed(&[7; 32]);
    let ciphertext = keys.encryption_key.encrypt(&[1; 32], &[2; 32]);
    criterion.bench_function(&format!("encrypt<{k}, {eta1}, {eta2}, {du}, {dv}>"), |bencher| {
        bencher.iter(|| keys.encryption_key.encrypt(black_box(&[1; 32]), black_box(&[2; 32])));
    });
    criterion.bench_function(&format!("decrypt<{k}, {du}, {dv}>"), |bencher| {
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
    field,
    polynomials,
    pke::<K512>,
    pke::<K768>,
    pke::<K1024>,
    kem::<Kyber512, K512>,
    kem::<Kyber768, K768>,
    kem::<Kyber1024, K1024>
);
criterion_main!(benches);
