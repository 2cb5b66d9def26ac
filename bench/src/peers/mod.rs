//! The peers: each maps an algorithm's name to its operations.

mod aws_lc;
mod fn_dsa;
mod libcrux;
mod liboqs;
mod rustcrypto;

use grille_bench_harness::cases::Peer;
use grille_bench_harness::report::locked_version;

/// Returns every peer that can be linked into this program.
pub fn all() -> Vec<Peer> {
    let versions = |packages: &[&str]| {
        let version = |&package: &&str| {
            format!("{package} {}", locked_version(include_str!("../../Cargo.lock"), package))
        };
        packages.iter().map(version).collect::<Vec<_>>().join(", ")
    };
    vec![
        Peer {
            name: "liboqs",
            version: versions(&["oqs-sys"]),
            build: liboqs::build(),
            operations: liboqs::operations,
        },
        Peer {
            name: "aws-lc-rs",
            version: versions(&["aws-lc-rs", "aws-lc-sys"]),
            build: "its own release build; chooses instructions at run time".into(),
            operations: aws_lc::operations,
        },
        Peer {
            name: "libcrux",
            version: versions(&["libcrux-ml-kem", "libcrux-ml-dsa"]),
            build: "cargo release build; chooses instructions at run time".into(),
            operations: libcrux::operations,
        },
        Peer {
            name: "RustCrypto",
            version: versions(&["ml-kem", "ml-dsa"]),
            build: "cargo release build for the baseline processor, its default".into(),
            operations: rustcrypto::operations,
        },
        Peer {
            name: "fn-dsa",
            version: versions(&["fn-dsa"]),
            build: "cargo release build; has AVX2 at most, chosen at run time".into(),
            operations: fn_dsa::operations,
        },
    ]
}
