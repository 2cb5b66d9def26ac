//! ML-DSA (FIPS 204), Dilithium of round 3 and Dilithium-AES.
