//! ML-KEM (FIPS 203), Kyber of round 3 and Kyber-90s.
