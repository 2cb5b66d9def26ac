//! Runs Wycheproof's vectors of ML-KEM and ML-DSA, and two sets of CCTV: encapsulation keys with coefficients of q or
//! more, and ciphertexts that expose a comparison with an early exit. They come from the crate `wycheproof`; the
//! repository has no copy.

mod mldsa;
mod mlkem;
