//! The algorithm numbers of DSP0274: one bit per algorithm, each with a name and a length, such as that of a signature.

use crate::bits::bits;

bits! {
    /// MeasurementSpecification: the formats of measurements.
    MeasurementSpecification(u8);
    DMTF = 0, "DMTF", 0;
}

bits! {
    /// OtherParamsSupport and OtherParamsSelection: the format of opaque data (1.2), and the use of several keys (1.3).
    OtherParams(u8);
    OPAQUE_DATA_FORMAT_0 = 0, "OpaqueDataFmt0", 0;
    OPAQUE_DATA_FORMAT_1 = 1, "OpaqueDataFmt1", 0;
    MULTI_KEY_CONN = 4, "MultiKeyConn", 0;
}

bits! {
    /// MELspecification (1.3): the formats of the measurement extension log.
    MelSpecification(u8);
    DMTF = 0, "DMTF", 0;
}

bits! {
    /// BaseAsymAlgo. ReqBaseAsymAlg of AlgStructure uses only the low 16 bits. `Row::len` is the length of a signature.
    BaseAsym(u32);
    RSASSA_2048 = 0, "RSASSA-2048", 256;
    RSAPSS_2048 = 1, "RSAPSS-2048", 256;
    RSASSA_3072 = 2, "RSASSA-3072", 384;
    RSAPSS_3072 = 3, "RSAPSS-3072", 384;
    ECDSA_P256 = 4, "ECDSA-P256", 64;
    RSASSA_4096 = 5, "RSASSA-4096", 512;
    RSAPSS_4096 = 6, "RSAPSS-4096", 512;
    ECDSA_P384 = 7, "ECDSA-P384", 96;
    ECDSA_P521 = 8, "ECDSA-P521", 132;
    SM2_P256 = 9, "SM2-P256", 64;
    ED25519 = 10, "Ed25519", 64;
    ED448 = 11, "Ed448", 114;
}

bits! {
    /// BaseHashAlgo. `Row::len` is the length of a digest.
    BaseHash(u32);
    SHA_256 = 0, "SHA-256", 32;
    SHA_384 = 1, "SHA-384", 48;
    SHA_512 = 2, "SHA-512", 64;
    SHA3_256 = 3, "SHA3-256", 32;
    SHA3_384 = 4, "SHA3-384", 48;
    SHA3_512 = 5, "SHA3-512", 64;
    SM3_256 = 6, "SM3-256", 32;
}

bits! {
    /// MeasurementHashAlgo. `Row::len` is the length of a digest.
    MeasurementHash(u32);
    RAW_BIT_STREAM = 0, "RAW_BIT_STREAM", 0;
    SHA_256 = 1, "SHA-256", 32;
    SHA_384 = 2, "SHA-384", 48;
    SHA_512 = 3, "SHA-512", 64;
    SHA3_256 = 4, "SHA3-256", 32;
    SHA3_384 = 5, "SHA3-384", 48;
    SHA3_512 = 6, "SHA3-512", 64;
    SM3_256 = 7, "SM3-256", 32;
}

bits! {
    /// DHE of AlgStructure. `Row::len` is the length of ExchangeData.
    Dhe(u16);
    FFDHE2048 = 0, "ffdhe2048", 256;
    FFDHE3072 = 1, "ffdhe3072", 384;
    FFDHE4096 = 2, "ffdhe4096", 512;
    SECP256R1 = 3, "secp256r1", 64;
    SECP384R1 = 4, "secp384r1", 96;
    SECP521R1 = 5, "secp521r1", 132;
    SM2_P256 = 6, "SM2-P256", 64;
}

bits! {
    /// AEAD of AlgStructure. `Row::len` is the length of a key. All have nonces of 12 and tags of 16 bytes.
    Aead(u16);
    AES_128_GCM = 0, "AES-128-GCM", 16;
    AES_256_GCM = 1, "AES-256-GCM", 32;
    CHACHA20_POLY1305 = 2, "ChaCha20-Poly1305", 32;
    SM4_128_GCM = 3, "SM4-GCM", 16;
}

bits! {
    /// KeySchedule of AlgStructure.
    KeySchedule(u16);
    HMAC_HASH = 0, "SPDM_KEY_SCHEDULE", 0;
}

bits! {
    /// PqcAsymAlgo and ReqPqcAsymAlg (1.4). `Row::len` is the length of a signature.
    PqcAsym(u32);
    ML_DSA_44 = 0, "ML-DSA-44", 2420;
    ML_DSA_65 = 1, "ML-DSA-65", 3309;
    ML_DSA_87 = 2, "ML-DSA-87", 4627;
    SLH_DSA_SHA2_128S = 3, "SLH-DSA-SHA2-128s", 7856;
    SLH_DSA_SHAKE_128S = 4, "SLH-DSA-SHAKE-128s", 7856;
    SLH_DSA_SHA2_128F = 5, "SLH-DSA-SHA2-128f", 17088;
    SLH_DSA_SHAKE_128F = 6, "SLH-DSA-SHAKE-128f", 17088;
    SLH_DSA_SHA2_192S = 7, "SLH-DSA-SHA2-192s", 16224;
    SLH_DSA_SHAKE_192S = 8, "SLH-DSA-SHAKE-192s", 16224;
    SLH_DSA_SHA2_192F = 9, "SLH-DSA-SHA2-192f", 35664;
    SLH_DSA_SHAKE_192F = 10, "SLH-DSA-SHAKE-192f", 35664;
    SLH_DSA_SHA2_256S = 11, "SLH-DSA-SHA2-256s", 29792;
    SLH_DSA_SHAKE_256S = 12, "SLH-DSA-SHAKE-256s", 29792;
    SLH_DSA_SHA2_256F = 13, "SLH-DSA-SHA2-256f", 49856;
    SLH_DSA_SHAKE_256F = 14, "SLH-DSA-SHAKE-256f", 49856;
}

bits! {
    /// KEM of AlgStructure (1.4). `Row::len` is the length of an encapsulation key.
    Kem(u16);
    ML_KEM_512 = 0, "ML-KEM-512", 800;
    ML_KEM_768 = 1, "ML-KEM-768", 1184;
    ML_KEM_1024 = 2, "ML-KEM-1024", 1568;
}

impl Kem {
    /// Returns the ciphertext length of the only KEM in this set, in bytes; `None` unless the set is exactly one KEM.
    #[must_use]
    pub const fn ciphertext_len(self) -> Option<usize> {
        match self {
            Self::ML_KEM_512 => Some(768),
            Self::ML_KEM_768 => Some(1088),
            Self::ML_KEM_1024 => Some(1568),
            _ => None,
        }
    }
}
