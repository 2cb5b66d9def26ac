//! Keys and certificates: SPKI, PKCS#8, PEM, X.509.
