//! Vectors of NIST's Automated Cryptographic Validation Protocol for FIPS 203, 204 and 205, from `vectors/acvp`: key
//! generation, encapsulation, decapsulation, signing and verification, including ciphertexts and signatures that must
//! be rejected.

mod file;
mod mldsa;
mod mlkem;
mod slhdsa;
