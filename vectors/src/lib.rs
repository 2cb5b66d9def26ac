//! Known answers of liboqs for the algorithms of grille: arrays of records in JSON, which `grille-kat` parses.
//!
//! ```
//! let (source, records) = grille_vectors::FILES[0];
//! assert_eq!(source, "liboqs-0.16.0");
//! assert!(records.contains("ML-KEM-768"));
//! ```
//!
//! Each record has the seed of NIST's generator and digests of what the algorithm then computes. `SOURCES.md` says how each file
//! was made. The package of this crate lacks the other vectors of the repository, which only tests read.
//!
//! # Features
//! `broken`: adds the algorithms with a known attack, SIKE and SIDH.
//!
//! # Without the standard library
//! The crate is `no_std`, and contains nothing but text.
#![no_std]
#![forbid(unsafe_code)]

/// The files by source; a new family adds its own. A source may have several files.
pub const FILES: &[(&str, &str)] = &[
    ("liboqs-0.16.0", include_str!("../mlkem/liboqs-0.16.0.json")),
    ("liboqs-0.16.0", include_str!("../mldsa/liboqs-0.16.0.json")),
    ("liboqs-0.16.0", include_str!("../falcon/liboqs-0.16.0.json")),
    ("liboqs-0.16.0", include_str!("../slhdsa/liboqs-0.16.0.json")),
    ("liboqs-0.16.0", include_str!("../ntru/liboqs-0.16.0.json")),
    ("liboqs-0.16.0", include_str!("../hqc/liboqs-0.16.0.json")),
    ("liboqs-0.16.0", include_str!("../bike/liboqs-0.16.0.json")),
    ("liboqs-0.16.0", include_str!("../mceliece/liboqs-0.16.0.json")),
    ("liboqs-ba5b61a", include_str!("../mceliece/liboqs-ba5b61a.json")),
    ("liboqs-ba5b61a", include_str!("../bike/liboqs-ba5b61a.json")),
    ("liboqs-ba5b61a", include_str!("../hqc/liboqs-ba5b61a.json")),
    #[cfg(feature = "broken")]
    ("liboqs-ba5b61a", include_str!("../sike/liboqs-ba5b61a.json")),
    ("liboqs-ba5b61a", include_str!("../kyber/liboqs-ba5b61a.json")),
    ("liboqs-ba5b61a", include_str!("../saber/liboqs-ba5b61a.json")),
    ("liboqs-ba5b61a", include_str!("../ntru/liboqs-ba5b61a.json")),
    ("liboqs-ba5b61a", include_str!("../dilithium/liboqs-ba5b61a.json")),
    ("liboqs-ba5b61a", include_str!("../falcon/liboqs-ba5b61a.json")),
    ("liboqs-ba5b61a", include_str!("../sphincs/liboqs-ba5b61a.json")),
    ("liboqs-0.8.0", include_str!("../sphincs/liboqs-0.8.0.json")),
    ("liboqs-0.5.0", include_str!("../sphincs/liboqs-0.5.0.json")),
    ("liboqs-0.5.0", include_str!("../bike/liboqs-0.5.0.json")),
];
