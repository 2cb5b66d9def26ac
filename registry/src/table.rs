//! The algorithm table: one row per parameter set. Lengths and canonical names come from the implementations.
//!
//! Without features, the table has the rows of the post-quantum standards. The feature `post-quantum` adds earlier
//! versions and candidates; the feature `all` adds everything with a classical part.

use crate::row::KeyFormat::{Raw, SeedOrExpanded};
use crate::row::Status::Standard;
use crate::row::{Family, KemRow, SignatureRow};
use grille_mldsa::erased::{MlDsa44, MlDsa65, MlDsa87};
use grille_mlkem::erased::{MlKem512, MlKem768, MlKem1024};
use grille_slhdsa::erased::{
    HashSlhDsaSha2_128fWithSha256, HashSlhDsaSha2_128sWithSha256, HashSlhDsaSha2_192fWithSha512,
    HashSlhDsaSha2_192sWithSha512, HashSlhDsaSha2_256fWithSha512, HashSlhDsaSha2_256sWithSha512,
    HashSlhDsaShake128fWithShake128, HashSlhDsaShake128sWithShake128, HashSlhDsaShake192fWithShake256,
    HashSlhDsaShake192sWithShake256, HashSlhDsaShake256fWithShake256, HashSlhDsaShake256sWithShake256,
    SlhDsaSha2_128f, SlhDsaSha2_128s, SlhDsaSha2_192f, SlhDsaSha2_192s, SlhDsaSha2_256f, SlhDsaSha2_256s,
    SlhDsaShake128f, SlhDsaShake128s, SlhDsaShake192f, SlhDsaShake192s, SlhDsaShake256f, SlhDsaShake256s,
};
#[cfg(feature = "all")]
use {
    crate::composites::COMPOSITES,
    crate::row::KeyFormat::{self, Native},
    grille_classical::{
        ECDSA_P256_SHA256, ECDSA_P384_SHA384, ECDSA_P521_SHA512, ED448, ED25519, RSA_2048, RSA_3072,
        RSA_4096, SECP256R1, SECP384R1, SECP521R1, X25519,
    },
    grille_hybrid::{Hybrid, Order::ClassicalFirst, Order::PostQuantumFirst},
};
#[cfg(feature = "post-quantum")]
use {
    crate::row::KeyFormat::OqsConcatenated,
    crate::row::Status::{Candidate, Draft, Retired},
    grille_bike::erased::{
        Bike1L1Cpa, Bike1L1Fo, Bike1L3Cpa, Bike1L3Fo, BikeL1, BikeL1Round3, BikeL3, BikeL3Round3, BikeL5,
    },
    grille_falcon::erased::{
        Falcon512, Falcon512Y2020, Falcon1024, Falcon1024Y2020, FalconPadded512, FalconPadded1024,
    },
    grille_hqc::erased::{Hqc1, Hqc3, Hqc5, Hqc128, Hqc192, Hqc256},
    grille_mceliece::erased::{
        McEliece348864, McEliece348864Round3, McEliece348864f, McEliece348864fRound3, McEliece460896,
        McEliece460896Round3, McEliece460896f, McEliece460896fRound3, McEliece6688128, McEliece6688128Round3,
        McEliece6688128f, McEliece6688128fRound3, McEliece6960119, McEliece6960119Round3, McEliece6960119f,
        McEliece6960119fRound3, McEliece8192128, McEliece8192128Round3, McEliece8192128f,
        McEliece8192128fRound3,
    },
    grille_mldsa::erased::{Dilithium2, Dilithium2Aes, Dilithium3, Dilithium3Aes, Dilithium5, Dilithium5Aes},
    grille_mlkem::erased::{Kyber512, Kyber512_90s, Kyber768, Kyber768_90s, Kyber1024, Kyber1024_90s},
    grille_ntru::erased::{
        NtruHps2048509, NtruHps2048677, NtruHps4096821, NtruHps40961229, NtruHrss701, NtruHrss1373,
    },
    grille_saber::erased::{FireSaber, LightSaber, Saber},
    grille_slhdsa::erased::{
        SphincsHaraka128fRobust, SphincsHaraka128fRobustRound2, SphincsHaraka128fSimple,
        SphincsHaraka128fSimpleRound2, SphincsHaraka128sRobust, SphincsHaraka128sRobustRound2,
        SphincsHaraka128sSimple, SphincsHaraka128sSimpleRound2, SphincsHaraka192fRobust,
        SphincsHaraka192fRobustRound2, SphincsHaraka192fSimple, SphincsHaraka192fSimpleRound2,
        SphincsHaraka192sRobust, SphincsHaraka192sRobustRound2, SphincsHaraka192sSimple,
        SphincsHaraka192sSimpleRound2, SphincsHaraka256fRobust, SphincsHaraka256fRobustRound2,
        SphincsHaraka256fSimple, SphincsHaraka256fSimpleRound2, SphincsHaraka256sRobust,
        SphincsHaraka256sRobustRound2, SphincsHaraka256sSimple, SphincsHaraka256sSimpleRound2,
        SphincsSha2_128fRobust, SphincsSha2_128fSimple, SphincsSha2_128sRobust, SphincsSha2_128sSimple,
        SphincsSha2_192fRobust, SphincsSha2_192fSimple, SphincsSha2_192sRobust, SphincsSha2_192sSimple,
        SphincsSha2_256fRobust, SphincsSha2_256fSimple, SphincsSha2_256sRobust, SphincsSha2_256sSimple,
        SphincsSha256_128fRobust, SphincsSha256_128fRobustRound2, SphincsSha256_128fSimple,
        SphincsSha256_128fSimpleRound2, SphincsSha256_128sRobust, SphincsSha256_128sRobustRound2,
        SphincsSha256_128sSimple, SphincsSha256_128sSimpleRound2, SphincsSha256_192fRobust,
        SphincsSha256_192fRobustRound2, SphincsSha256_192fSimple, SphincsSha256_192fSimpleRound2,
        SphincsSha256_192sRobust, SphincsSha256_192sRobustRound2, SphincsSha256_192sSimple,
        SphincsSha256_192sSimpleRound2, SphincsSha256_256fRobust, SphincsSha256_256fRobustRound2,
        SphincsSha256_256fSimple, SphincsSha256_256fSimpleRound2, SphincsSha256_256sRobust,
        SphincsSha256_256sRobustRound2, SphincsSha256_256sSimple, SphincsSha256_256sSimpleRound2,
        SphincsShake128fRobust, SphincsShake128fSimple, SphincsShake128sRobust, SphincsShake128sSimple,
        SphincsShake192fRobust, SphincsShake192fSimple, SphincsShake192sRobust, SphincsShake192sSimple,
        SphincsShake256_128fRobust, SphincsShake256_128fRobustRound2, SphincsShake256_128fSimple,
        SphincsShake256_128fSimpleRound2, SphincsShake256_128sRobust, SphincsShake256_128sRobustRound2,
        SphincsShake256_128sSimple, SphincsShake256_128sSimpleRound2, SphincsShake256_192fRobust,
        SphincsShake256_192fRobustRound2, SphincsShake256_192fSimple, SphincsShake256_192fSimpleRound2,
        SphincsShake256_192sRobust, SphincsShake256_192sRobustRound2, SphincsShake256_192sSimple,
        SphincsShake256_192sSimpleRound2, SphincsShake256_256fRobust, SphincsShake256_256fRobustRound2,
        SphincsShake256_256fSimple, SphincsShake256_256fSimpleRound2, SphincsShake256_256sRobust,
        SphincsShake256_256sRobustRound2, SphincsShake256_256sSimple, SphincsShake256_256sSimpleRound2,
        SphincsShake256fRobust, SphincsShake256fSimple, SphincsShake256sRobust, SphincsShake256sSimple,
    },
};

#[cfg(feature = "broken")]
use crate::broken::*;

#[cfg(feature = "all")]
macro_rules! hybrids {
    ($($static:ident = $name:literal $classical:ident $post_quantum:ident $order:ident;)*) => {$(
        static $static: Hybrid =
            Hybrid::new($name, &$classical, &$post_quantum, $order);
    )*};
}

#[cfg(feature = "all")]
#[rustfmt::skip]
hybrids! {
    X25519_MLKEM768        = "X25519MLKEM768"           X25519    MlKem768      PostQuantumFirst;
    P256_MLKEM768          = "SecP256r1MLKEM768"        SECP256R1 MlKem768      ClassicalFirst;
    P384_MLKEM1024         = "SecP384r1MLKEM1024"       SECP384R1 MlKem1024     ClassicalFirst;
    P256_MLKEM512          = "p256_mlkem512"            SECP256R1 MlKem512      ClassicalFirst;
    X25519_MLKEM512        = "x25519_mlkem512"          X25519    MlKem512      PostQuantumFirst;
    P384_MLKEM768          = "p384_mlkem768"            SECP384R1 MlKem768      ClassicalFirst;
    P521_MLKEM1024         = "p521_mlkem1024"           SECP521R1 MlKem1024     ClassicalFirst;
    P256_KYBER512          = "p256_kyber512"            SECP256R1 Kyber512      ClassicalFirst;
    X25519_KYBER512        = "x25519_kyber512"          X25519    Kyber512      ClassicalFirst;
    P384_KYBER768          = "p384_kyber768"            SECP384R1 Kyber768      ClassicalFirst;
    P521_KYBER1024         = "p521_kyber1024"           SECP521R1 Kyber1024     ClassicalFirst;
    P256_KYBER512_90S      = "p256_kyber90s512"         SECP256R1 Kyber512_90s  ClassicalFirst;
    X25519_KYBER512_90S    = "x25519_kyber90s512"       X25519    Kyber512_90s  ClassicalFirst;
    P384_KYBER768_90S      = "p384_kyber90s768"         SECP384R1 Kyber768_90s  ClassicalFirst;
    P521_KYBER1024_90S     = "p521_kyber90s1024"        SECP521R1 Kyber1024_90s ClassicalFirst;
    X25519_KYBER768_DRAFT  = "X25519Kyber768Draft00"    X25519    Kyber768      ClassicalFirst;
    P256_KYBER768_DRAFT    = "SecP256r1Kyber768Draft00" SECP256R1 Kyber768      ClassicalFirst;
    P256_LIGHTSABER        = "p256_lightsaber"          SECP256R1 LightSaber    ClassicalFirst;
    P384_SABER             = "p384_saber"               SECP384R1 Saber         ClassicalFirst;
    P521_FIRESABER         = "p521_firesaber"           SECP521R1 FireSaber     ClassicalFirst;
    P256_HQC1              = "p256_hqc1"                SECP256R1 Hqc1          ClassicalFirst;
    X25519_HQC1            = "x25519_hqc1"              X25519    Hqc1          ClassicalFirst;
    P384_HQC3              = "p384_hqc3"                SECP384R1 Hqc3          ClassicalFirst;
    P521_HQC5              = "p521_hqc5"                SECP521R1 Hqc5          ClassicalFirst;
    P256_HQC128            = "p256_hqc128"              SECP256R1 Hqc128        ClassicalFirst;
    X25519_HQC128          = "x25519_hqc128"            X25519    Hqc128        ClassicalFirst;
    P384_HQC192            = "p384_hqc192"              SECP384R1 Hqc192        ClassicalFirst;
    P521_HQC256            = "p521_hqc256"              SECP521R1 Hqc256        ClassicalFirst;
    P256_BIKEL1            = "p256_bikel1"              SECP256R1 BikeL1        ClassicalFirst;
    X25519_BIKEL1          = "x25519_bikel1"            X25519    BikeL1        ClassicalFirst;
    P384_BIKEL3            = "p384_bikel3"              SECP384R1 BikeL3        ClassicalFirst;
    P521_BIKEL5            = "p521_bikel5"              SECP521R1 BikeL5        ClassicalFirst;
    P256_BIKEL1_ROUND3     = "p256_bikel1-round3"       SECP256R1 BikeL1Round3  ClassicalFirst;
    X25519_BIKEL1_ROUND3   = "x25519_bikel1-round3"     X25519    BikeL1Round3  ClassicalFirst;
    P384_BIKEL3_ROUND3     = "p384_bikel3-round3"       SECP384R1 BikeL3Round3  ClassicalFirst;
    P256_BIKE1L1CPA        = "p256_bike1l1cpa"          SECP256R1 Bike1L1Cpa    ClassicalFirst;
    P384_BIKE1L3CPA        = "p384_bike1l3cpa"          SECP384R1 Bike1L3Cpa    ClassicalFirst;
    P256_BIKE1L1FO         = "p256_bike1l1fo"           SECP256R1 Bike1L1Fo     ClassicalFirst;
    X25519_BIKE1L1FO       = "x25519_bike1l1fo"         X25519    Bike1L1Fo     ClassicalFirst;
    P384_BIKE1L3FO         = "p384_bike1l3fo"           SECP384R1 Bike1L3Fo     ClassicalFirst;
    P256_NTRU_HPS2048509   = "p256_ntru_hps2048509"     SECP256R1 NtruHps2048509 ClassicalFirst;
    P384_NTRU_HPS2048677   = "p384_ntru_hps2048677"     SECP384R1 NtruHps2048677 ClassicalFirst;
    P521_NTRU_HPS4096821   = "p521_ntru_hps4096821"     SECP521R1 NtruHps4096821 ClassicalFirst;
    P384_NTRU_HRSS701      = "p384_ntru_hrss701"        SECP384R1 NtruHrss701   ClassicalFirst;
}

macro_rules! kems {
    ($(#[$when:meta] {
        $($kem:expr, $category:literal $spec:literal $status:ident $oid:expr, $tls:expr, $spdm:expr, $aliases:expr;)*
    })*) => {
        /// Every KEM, hybrid and classical key agreement, in the order of `grille list`.
        pub static KEMS: &[KemRow] = &[$($(#[$when] KemRow {
            kem: &$kem,
            category: $category,
            spec: $spec,
            status: $status,
            oid: $oid,
            tls_group: $tls,
            spdm_bit: $spdm,
            aliases: &$aliases,
        },)*)*];
    };
}

#[rustfmt::skip]
kems! {
#[cfg(true)] {
    // implementation      cat spec                       status    OID                              TLS group     SPDM     aliases
    MlKem512,              1 "FIPS 203"                   Standard  Some("2.16.840.1.101.3.4.4.1"), Some(0x0200), Some(0), [];
    MlKem768,              3 "FIPS 203"                   Standard  Some("2.16.840.1.101.3.4.4.2"), Some(0x0201), Some(1), [];
    MlKem1024,             5 "FIPS 203"                   Standard  Some("2.16.840.1.101.3.4.4.3"), Some(0x0202), Some(2), [];
}
#[cfg(feature = "all")] {
    X25519_MLKEM768,       3 "RFC 10024"                  Standard  None,                           Some(0x11EC), None,    [];
    P256_MLKEM768,         3 "RFC 10024"                  Standard  None,                           Some(0x11EB), None,    ["p256_mlkem768"];
    P384_MLKEM1024,        5 "RFC 10024"                  Standard  None,                           Some(0x11ED), None,    ["p384_mlkem1024"];
    P256_MLKEM512,         1 "oqs-provider 0.7"           Candidate None,                           Some(0x2F4B), None,    [];
    X25519_MLKEM512,       1 "oqs-provider 0.7"           Candidate None,                           Some(0x2FB6), None,    [];
    P384_MLKEM768,         3 "oqs-provider 0.7"           Candidate None,                           Some(0x2F4C), None,    [];
    P521_MLKEM1024,        5 "oqs-provider 0.7"           Candidate None,                           Some(0x2F4D), None,    [];
}
#[cfg(feature = "post-quantum")] {
    Kyber512,              1 "Kyber, round 3"             Retired   None,                           Some(0x023A), None,    ["KYBER_LEVEL1"];
    Kyber768,              3 "Kyber, round 3"             Retired   None,                           Some(0x023C), None,    ["KYBER_LEVEL3"];
    Kyber1024,             5 "Kyber, round 3"             Retired   None,                           Some(0x023D), None,    ["KYBER_LEVEL5"];
}
#[cfg(feature = "all")] {
    P256_KYBER512,         1 "OQS-OpenSSL 1.1.1, 2021-08" Retired   None,                           Some(0x2F3A), None,    ["P256_KYBER_LEVEL1"];
    X25519_KYBER512,       1 "OQS-OpenSSL 1.1.1, 2021-08" Retired   None,                           Some(0x2F39), None,    ["X25519_KYBER_LEVEL1"];
    P384_KYBER768,         3 "OQS-OpenSSL 1.1.1, 2021-08" Retired   None,                           Some(0x2F3C), None,    ["P384_KYBER_LEVEL3"];
    P521_KYBER1024,        5 "OQS-OpenSSL 1.1.1, 2021-08" Retired   None,                           Some(0x2F3D), None,    ["P521_KYBER_LEVEL5"];
    X25519_KYBER768_DRAFT, 3 "draft-tls-westerbaan-xyber768d00"    Retired   None,                           Some(0x6399), None,    ["x25519_kyber768"];
    P256_KYBER768_DRAFT,   3 "draft-kwiatkowski-tls-ecdhe-kyber"   Retired   None,                           Some(0x639A), None,    ["p256_kyber768"];
}
#[cfg(feature = "post-quantum")] {
    Kyber512_90s,          1 "Kyber, round 3"             Retired   None,                           Some(0x023E), None,    ["kyber90s512", "KYBER_90S_LEVEL1"];
    Kyber768_90s,          3 "Kyber, round 3"             Retired   None,                           Some(0x023F), None,    ["kyber90s768", "KYBER_90S_LEVEL3"];
    Kyber1024_90s,         5 "Kyber, round 3"             Retired   None,                           Some(0x0240), None,    ["kyber90s1024", "KYBER_90S_LEVEL5"];
}
#[cfg(feature = "all")] {
    P256_KYBER512_90S,     1 "OQS-OpenSSL 1.1.1, 2021-08" Retired   None,                           Some(0x2F3E), None,    ["P256_KYBER90S_LEVEL1"];
    X25519_KYBER512_90S,   1 "oqs-provider 0.5"           Retired   None,                           Some(0x2FA9), None,    ["X25519_KYBER90S_LEVEL1"];
    P384_KYBER768_90S,     3 "OQS-OpenSSL 1.1.1, 2021-08" Retired   None,                           Some(0x2F3F), None,    ["P384_KYBER90S_LEVEL3"];
    P521_KYBER1024_90S,    5 "OQS-OpenSSL 1.1.1, 2021-08" Retired   None,                           Some(0x2F40), None,    ["P521_KYBER90S_LEVEL5"];
}
#[cfg(feature = "post-quantum")] {
    LightSaber,            1 "SABER, round 3"             Retired   None,                           Some(0x0218), None,    ["lightsaber", "SABER_LEVEL1"];
    Saber,                 3 "SABER, round 3"             Retired   None,                           Some(0x0219), None,    ["saber", "SABER_LEVEL3"];
    FireSaber,             5 "SABER, round 3"             Retired   None,                           Some(0x021A), None,    ["firesaber", "SABER_LEVEL5"];
}
#[cfg(feature = "all")] {
    P256_LIGHTSABER,       1 "OQS-OpenSSL 1.1.1, 2021-08" Retired   None,                           Some(0x2F18), None,    ["P256_SABER_LEVEL1"];
    P384_SABER,            3 "OQS-OpenSSL 1.1.1, 2021-08" Retired   None,                           Some(0x2F19), None,    ["P384_SABER_LEVEL3"];
    P521_FIRESABER,        5 "OQS-OpenSSL 1.1.1, 2021-08" Retired   None,                           Some(0x2F1A), None,    ["P521_SABER_LEVEL5"];
}
#[cfg(feature = "post-quantum")] {
    NtruHps2048509,        1 "NTRU, round 3"              Retired   None,                           Some(0x0214), None,    ["NTRU_HPS_LEVEL1"];
    NtruHps2048677,        3 "NTRU, round 3"              Retired   None,                           Some(0x0215), None,    ["NTRU_HPS_LEVEL3"];
    NtruHps4096821,        5 "NTRU, round 3"              Retired   None,                           Some(0x0216), None,    ["NTRU_HPS_LEVEL5"];
    NtruHrss701,           3 "NTRU, round 3"              Retired   None,                           Some(0x0217), None,    ["NTRU_HRSS_LEVEL3"];
    // OQS-OpenSSL of October and November 2022 used 0x0245 and 0x0246 for the next two rows and soon reassigned both to HQC, so these rows have no codepoint
    NtruHps40961229,       5 "liboqs 0.7.1"               Retired   None,                           None,         None,    [];
    NtruHrss1373,          5 "liboqs 0.7.1"               Retired   None,                           None,         None,    [];
}
#[cfg(feature = "all")] {
    P256_NTRU_HPS2048509,  1 "OQS-OpenSSL 1.1.1, 2021-08" Retired   None,                           Some(0x2F14), None,    ["P256_NTRU_HPS_LEVEL1"];
    P384_NTRU_HPS2048677,  3 "OQS-OpenSSL 1.1.1, 2021-08" Retired   None,                           Some(0x2F15), None,    ["P384_NTRU_HPS_LEVEL3"];
    P521_NTRU_HPS4096821,  5 "OQS-OpenSSL 1.1.1, 2021-08" Retired   None,                           Some(0x2F16), None,    ["P521_NTRU_HPS_LEVEL5"];
    P384_NTRU_HRSS701,     3 "OQS-OpenSSL 1.1.1, 2021-08" Retired   None,                           Some(0x2F17), None,    ["P384_NTRU_HRSS_LEVEL3"];
}
#[cfg(feature = "post-quantum")] {
    Hqc1,                  1 "HQC, August 2025"           Draft     None,                           Some(0xFE33), None,    [];
    Hqc3,                  3 "HQC, August 2025"           Draft     None,                           Some(0xFE36), None,    [];
    Hqc5,                  5 "HQC, August 2025"           Draft     None,                           Some(0xFE39), None,    [];
}
#[cfg(feature = "all")] {
    P256_HQC1,             1 "oqs-provider 0.12"          Candidate None,                           Some(0xFE34), None,    [];
    X25519_HQC1,           1 "oqs-provider 0.12"          Candidate None,                           Some(0xFE35), None,    [];
    P384_HQC3,             3 "oqs-provider 0.12"          Candidate None,                           Some(0xFE37), None,    [];
    P521_HQC5,             5 "oqs-provider 0.12"          Candidate None,                           Some(0xFE3A), None,    [];
}
#[cfg(feature = "post-quantum")] {
    Hqc128,                1 "HQC, round 3"               Retired   None,                           Some(0x022C), None,    [];
    Hqc192,                3 "HQC, round 3"               Retired   None,                           Some(0x022D), None,    [];
    Hqc256,                5 "HQC, round 3"               Retired   None,                           Some(0x022E), None,    [];
}
#[cfg(feature = "all")] {
    P256_HQC128,           1 "OQS-OpenSSL 1.1.1, 2021-08" Retired   None,                           Some(0x2F2C), None,    [];
    X25519_HQC128,         1 "oqs-provider 0.5"           Retired   None,                           Some(0x2FAC), None,    [];
    P384_HQC192,           3 "OQS-OpenSSL 1.1.1, 2021-08" Retired   None,                           Some(0x2F2D), None,    [];
    P521_HQC256,           5 "OQS-OpenSSL 1.1.1, 2021-08" Retired   None,                           Some(0x2F2E), None,    [];
}
#[cfg(feature = "post-quantum")] {
    BikeL1,                1 "BIKE, round 4"              Retired   None,                           Some(0xFE10), None,    [];
    BikeL3,                3 "BIKE, round 4"              Retired   None,                           Some(0xFE13), None,    [];
    BikeL5,                5 "BIKE, round 4"              Retired   None,                           Some(0xFE16), None,    [];
}
#[cfg(feature = "all")] {
    P256_BIKEL1,           1 "oqs-provider 0.5"           Retired   None,                           Some(0xFE11), None,    [];
    X25519_BIKEL1,         1 "oqs-provider 0.5"           Retired   None,                           Some(0xFE12), None,    [];
    P384_BIKEL3,           3 "oqs-provider 0.5"           Retired   None,                           Some(0xFE14), None,    [];
    P521_BIKEL5,           5 "oqs-provider 0.5"           Retired   None,                           Some(0xFE17), None,    [];
}
#[cfg(feature = "post-quantum")] {
    BikeL1Round3,          1 "BIKE, round 3"              Retired   None,                           Some(0x0238), None,    [];
    BikeL3Round3,          3 "BIKE, round 3"              Retired   None,                           Some(0x023B), None,    [];
}
#[cfg(feature = "all")] {
    P256_BIKEL1_ROUND3,    1 "OQS-OpenSSL 1.1.1, 2021-08" Retired   None,                           Some(0x2F38), None,    [];
    X25519_BIKEL1_ROUND3,  1 "OQS-OpenSSL 1.1.1, 2021-08" Retired   None,                           Some(0x2F37), None,    [];
    P384_BIKEL3_ROUND3,    3 "OQS-OpenSSL 1.1.1, 2021-08" Retired   None,                           Some(0x2F3B), None,    [];
}
#[cfg(feature = "post-quantum")] {
    Bike1L1Cpa,            1 "BIKE-1, round 2"            Retired   None,                           Some(0x0206), None,    [];
    Bike1L3Cpa,            3 "BIKE-1, round 2"            Retired   None,                           Some(0x0207), None,    [];
    Bike1L1Fo,             1 "BIKE-1, round 2"            Retired   None,                           Some(0x0223), None,    [];
    Bike1L3Fo,             3 "BIKE-1, round 2"            Retired   None,                           Some(0x0224), None,    [];
}
#[cfg(feature = "all")] {
    P256_BIKE1L1CPA,       1 "OQS-OpenSSL 1.1.1, 2021-02" Retired   None,                           Some(0x2F06), None,    [];
    P384_BIKE1L3CPA,       3 "OQS-OpenSSL 1.1.1, 2021-02" Retired   None,                           Some(0x2F07), None,    [];
    P256_BIKE1L1FO,        1 "OQS-OpenSSL 1.1.1, 2021-02" Retired   None,                           Some(0x2F23), None,    [];
    X25519_BIKE1L1FO,      1 "OQS-OpenSSL 1.1.1, 2021-02" Retired   None,                           Some(0x2F28), None,    [];
    P384_BIKE1L3FO,        3 "OQS-OpenSSL 1.1.1, 2021-02" Retired   None,                           Some(0x2F24), None,    [];
}
#[cfg(feature = "post-quantum")] {
    McEliece348864,        1 "Classic McEliece, round 4"  Candidate None,                           None,         None,    ["mceliece348864"];
    McEliece348864f,       1 "Classic McEliece, round 4"  Candidate None,                           None,         None,    ["mceliece348864f"];
    McEliece460896,        3 "Classic McEliece, round 4"  Candidate None,                           None,         None,    ["mceliece460896"];
    McEliece460896f,       3 "Classic McEliece, round 4"  Candidate None,                           None,         None,    ["mceliece460896f"];
    McEliece6688128,       5 "Classic McEliece, round 4"  Candidate None,                           None,         None,    ["mceliece6688128"];
    McEliece6688128f,      5 "Classic McEliece, round 4"  Candidate None,                           None,         None,    ["mceliece6688128f"];
    McEliece6960119,       5 "Classic McEliece, round 4"  Candidate None,                           None,         None,    ["mceliece6960119"];
    McEliece6960119f,      5 "Classic McEliece, round 4"  Candidate None,                           None,         None,    ["mceliece6960119f"];
    McEliece8192128,       5 "Classic McEliece, round 4"  Candidate None,                           None,         None,    ["mceliece8192128"];
    McEliece8192128f,      5 "Classic McEliece, round 4"  Candidate None,                           None,         None,    ["mceliece8192128f"];
    McEliece348864Round3,  1 "Classic McEliece, round 3"  Retired   None,                           None,         None,    ["mceliece348864-round3"];
    McEliece348864fRound3, 1 "Classic McEliece, round 3"  Retired   None,                           None,         None,    ["mceliece348864f-round3"];
    McEliece460896Round3,  3 "Classic McEliece, round 3"  Retired   None,                           None,         None,    ["mceliece460896-round3"];
    McEliece460896fRound3, 3 "Classic McEliece, round 3"  Retired   None,                           None,         None,    ["mceliece460896f-round3"];
    McEliece6688128Round3, 5 "Classic McEliece, round 3"  Retired   None,                           None,         None,    ["mceliece6688128-round3"];
    McEliece6688128fRound3,5 "Classic McEliece, round 3"  Retired   None,                           None,         None,    ["mceliece6688128f-round3"];
    McEliece6960119Round3, 5 "Classic McEliece, round 3"  Retired   None,                           None,         None,    ["mceliece6960119-round3"];
    McEliece6960119fRound3,5 "Classic McEliece, round 3"  Retired   None,                           None,         None,    ["mceliece6960119f-round3"];
    McEliece8192128Round3, 5 "Classic McEliece, round 3"  Retired   None,                           None,         None,    ["mceliece8192128-round3"];
    McEliece8192128fRound3,5 "Classic McEliece, round 3"  Retired   None,                           None,         None,    ["mceliece8192128f-round3"];
}
#[cfg(feature = "broken")] {
    SikeP434,              1 "SIKE, round 3"              Broken    None,                           Some(0x021F), None,    [];
    SikeP503,              2 "SIKE, round 3"              Broken    None,                           Some(0x0220), None,    [];
    SikeP610,              3 "SIKE, round 3"              Broken    None,                           Some(0x0221), None,    [];
    SikeP751,              5 "SIKE, round 3"              Broken    None,                           Some(0x0222), None,    [];
    SikeP434Compressed,    1 "SIKE, round 3"              Broken    None,                           None,         None,    [];
    SikeP503Compressed,    2 "SIKE, round 3"              Broken    None,                           None,         None,    [];
    SikeP610Compressed,    3 "SIKE, round 3"              Broken    None,                           None,         None,    [];
    SikeP751Compressed,    5 "SIKE, round 3"              Broken    None,                           None,         None,    [];
    SidhP434,              1 "SIKE, round 3"              Broken    None,                           Some(0x021B), None,    [];
    SidhP503,              2 "SIKE, round 3"              Broken    None,                           Some(0x021C), None,    [];
    SidhP610,              3 "SIKE, round 3"              Broken    None,                           Some(0x021D), None,    [];
    SidhP751,              5 "SIKE, round 3"              Broken    None,                           Some(0x021E), None,    [];
    SidhP434Compressed,    1 "SIKE, round 3"              Broken    None,                           None,         None,    [];
    SidhP503Compressed,    2 "SIKE, round 3"              Broken    None,                           None,         None,    [];
    SidhP610Compressed,    3 "SIKE, round 3"              Broken    None,                           None,         None,    [];
    SidhP751Compressed,    5 "SIKE, round 3"              Broken    None,                           None,         None,    [];
}
#[cfg(all(feature = "all", feature = "broken"))] {
    P256_SIKEP434,         1 "OQS-OpenSSL 1.1.1, 2021-08" Broken    None,                           Some(0x2F1F), None,    [];
    X25519_SIKEP434,       1 "OQS-OpenSSL 1.1.1, 2021-08" Broken    None,                           Some(0x2F27), None,    [];
    P256_SIKEP503,         2 "OQS-OpenSSL 1.1.1, 2021-08" Broken    None,                           Some(0x2F20), None,    [];
    P384_SIKEP610,         3 "OQS-OpenSSL 1.1.1, 2021-08" Broken    None,                           Some(0x2F21), None,    [];
    P521_SIKEP751,         5 "OQS-OpenSSL 1.1.1, 2021-08" Broken    None,                           Some(0x2F22), None,    [];
    P256_SIDHP434,         1 "OQS-OpenSSL 1.1.1, 2021-08" Broken    None,                           Some(0x2F1B), None,    [];
    P256_SIDHP503,         2 "OQS-OpenSSL 1.1.1, 2021-08" Broken    None,                           Some(0x2F1C), None,    [];
    P384_SIDHP610,         3 "OQS-OpenSSL 1.1.1, 2021-08" Broken    None,                           Some(0x2F1D), None,    [];
    P521_SIDHP751,         5 "OQS-OpenSSL 1.1.1, 2021-08" Broken    None,                           Some(0x2F1E), None,    [];
}
#[cfg(feature = "all")] {
    X25519,                0 "RFC 7748"                   Standard  Some("1.3.101.110"),            Some(0x001D), None,    ["ecdh_x25519"];
    SECP256R1,             0 "SP 800-56A"                 Standard  None,                           Some(0x0017), None,    ["P-256", "prime256v1", "ECC SECP256R1"];
    SECP384R1,             0 "SP 800-56A"                 Standard  None,                           Some(0x0018), None,    ["P-384"];
    SECP521R1,             0 "SP 800-56A"                 Standard  None,                           Some(0x0019), None,    ["P-521"];
}
}

macro_rules! signatures {
    ($(#[$when:meta] {
        $($signature:expr, $family:ident $category:literal $spec:literal $status:ident $oid:literal $format:expr,
            $tls:expr, $spdm:expr, $aliases:expr;)*
    })*) => {
        static SINGLE_SIGNATURES: &[SignatureRow] = &[$($(#[$when] SignatureRow {
            signature: &$signature,
            family: Family::$family,
            classical_family: None,
            category: $category,
            spec: $spec,
            status: $status,
            oid: oid($oid),
            key_format: $format,
            tls_scheme: $tls,
            spdm_bit: $spdm,
            aliases: &$aliases,
        },)*)*];
    };
}

#[cfg(not(feature = "all"))]
const COMPOSITES: &[SignatureRow] = &[];

/// Every signature algorithm, in the order of `grille list`: single algorithms, then composites.
pub static SIGNATURES: &[SignatureRow] = &{
    let mut rows = [SINGLE_SIGNATURES[0]; SINGLE_SIGNATURES.len() + COMPOSITES.len()];
    let (single, composites) = rows.split_at_mut(SINGLE_SIGNATURES.len());
    single.copy_from_slice(SINGLE_SIGNATURES);
    composites.copy_from_slice(COMPOSITES);
    rows
};

/// Converts an empty string, which marks an algorithm without an object identifier, to `None`.
pub(crate) const fn oid(dotted: &'static str) -> Option<&'static str> {
    if dotted.is_empty() { None } else { Some(dotted) }
}

/// Returns the key format of id-ecPublicKey with a named curve, RFC 5480.
#[cfg(feature = "all")]
const fn ec_key_format(curve_oid: &'static str) -> KeyFormat {
    Native { spki_oid: "1.2.840.10045.2.1", curve_oid: Some(curve_oid), null_parameters: false }
}

/// Returns the key format of Ed25519 and Ed448, RFC 8410.
#[cfg(feature = "all")]
const fn ed_key_format(oid: &'static str) -> KeyFormat {
    Native { spki_oid: oid, curve_oid: None, null_parameters: false }
}

/// The key format of RSA keys, whose identifier is rsaEncryption, RFC 8017.
#[cfg(feature = "all")]
const RSA_KEY_FORMAT: KeyFormat =
    Native { spki_oid: "1.2.840.113549.1.1.1", curve_oid: None, null_parameters: true };

#[rustfmt::skip]
signatures! {
#[cfg(true)] {
    // implementation                 family      cat spec                   status    OID of the signature       key format                 TLS scheme    SPDM      aliases
    MlDsa44,                          MlDsa         2 "FIPS 204"             Standard  "2.16.840.1.101.3.4.3.17"  SeedOrExpanded,            Some(0x0904), Some(0),  [];
    MlDsa65,                          MlDsa         3 "FIPS 204"             Standard  "2.16.840.1.101.3.4.3.18"  SeedOrExpanded,            Some(0x0905), Some(1),  [];
    MlDsa87,                          MlDsa         5 "FIPS 204"             Standard  "2.16.840.1.101.3.4.3.19"  SeedOrExpanded,            Some(0x0906), Some(2),  [];
}
#[cfg(feature = "post-quantum")] {
    Dilithium2,                       MlDsa         2 "Dilithium, round 3.1" Retired   "1.3.6.1.4.1.2.267.7.4.4"  OqsConcatenated,           Some(0xFEA0), None,     ["DILITHIUM_LEVEL2"];
    Dilithium3,                       MlDsa         3 "Dilithium, round 3.1" Retired   "1.3.6.1.4.1.2.267.7.6.5"  OqsConcatenated,           Some(0xFEA3), None,     ["DILITHIUM_LEVEL3"];
    Dilithium5,                       MlDsa         5 "Dilithium, round 3.1" Retired   "1.3.6.1.4.1.2.267.7.8.7"  OqsConcatenated,           Some(0xFEA5), None,     ["DILITHIUM_LEVEL5"];
    Dilithium2Aes,                    MlDsa         2 "Dilithium, round 3.1" Retired   "1.3.6.1.4.1.2.267.11.4.4" OqsConcatenated,           Some(0xFEA7), None,     ["DILITHIUM_AES_LEVEL2"];
    Dilithium3Aes,                    MlDsa         3 "Dilithium, round 3.1" Retired   "1.3.6.1.4.1.2.267.11.6.5" OqsConcatenated,           Some(0xFEAA), None,     ["DILITHIUM_AES_LEVEL3"];
    Dilithium5Aes,                    MlDsa         5 "Dilithium, round 3.1" Retired   "1.3.6.1.4.1.2.267.11.8.7" OqsConcatenated,           Some(0xFEAC), None,     ["DILITHIUM_AES_LEVEL5"];
    Falcon512,                        Falcon        1 "Falcon, version 1.2"  Candidate "1.3.9999.3.11"            OqsConcatenated,           Some(0xFED7), None,     [];
    Falcon1024,                       Falcon        5 "Falcon, version 1.2"  Candidate "1.3.9999.3.14"            OqsConcatenated,           Some(0xFEDA), None,     [];
    FalconPadded512,                  Falcon        1 "Falcon, version 1.2"  Candidate "1.3.9999.3.16"            OqsConcatenated,           Some(0xFEDC), None,     [];
    FalconPadded1024,                 Falcon        5 "Falcon, version 1.2"  Candidate "1.3.9999.3.19"            OqsConcatenated,           Some(0xFEDF), None,     [];
    Falcon512Y2020,                   Falcon        1 "Falcon, 2020-09"      Retired   "1.3.9999.3.1"             OqsConcatenated,           Some(0xFE0B), None,     ["FALCON_LEVEL1"];
    Falcon1024Y2020,                  Falcon        5 "Falcon, 2020-09"      Retired   "1.3.9999.3.4"             OqsConcatenated,           Some(0xFE0E), None,     ["FALCON_LEVEL5"];
}
#[cfg(true)] {
    SlhDsaSha2_128s,                  HashSmall     1 "FIPS 205"             Standard  "2.16.840.1.101.3.4.3.20"  Raw,                       Some(0x0911), Some(3),  ["SLH_DSA_PURE_SHA2_128S"];
    SlhDsaSha2_128f,                  HashFast      1 "FIPS 205"             Standard  "2.16.840.1.101.3.4.3.21"  Raw,                       Some(0x0912), Some(5),  ["SLH_DSA_PURE_SHA2_128F"];
    SlhDsaSha2_192s,                  HashSmall     3 "FIPS 205"             Standard  "2.16.840.1.101.3.4.3.22"  Raw,                       Some(0x0913), Some(7),  ["SLH_DSA_PURE_SHA2_192S"];
    SlhDsaSha2_192f,                  HashFast      3 "FIPS 205"             Standard  "2.16.840.1.101.3.4.3.23"  Raw,                       Some(0x0914), Some(9),  ["SLH_DSA_PURE_SHA2_192F"];
    SlhDsaSha2_256s,                  HashSmall     5 "FIPS 205"             Standard  "2.16.840.1.101.3.4.3.24"  Raw,                       Some(0x0915), Some(11), ["SLH_DSA_PURE_SHA2_256S"];
    SlhDsaSha2_256f,                  HashFast      5 "FIPS 205"             Standard  "2.16.840.1.101.3.4.3.25"  Raw,                       Some(0x0916), Some(13), ["SLH_DSA_PURE_SHA2_256F"];
    SlhDsaShake128s,                  HashSmall     1 "FIPS 205"             Standard  "2.16.840.1.101.3.4.3.26"  Raw,                       Some(0x0917), Some(4),  ["SLH_DSA_PURE_SHAKE_128S"];
    SlhDsaShake128f,                  HashFast      1 "FIPS 205"             Standard  "2.16.840.1.101.3.4.3.27"  Raw,                       Some(0x0918), Some(6),  ["SLH_DSA_PURE_SHAKE_128F"];
    SlhDsaShake192s,                  HashSmall     3 "FIPS 205"             Standard  "2.16.840.1.101.3.4.3.28"  Raw,                       Some(0x0919), Some(8),  ["SLH_DSA_PURE_SHAKE_192S"];
    SlhDsaShake192f,                  HashFast      3 "FIPS 205"             Standard  "2.16.840.1.101.3.4.3.29"  Raw,                       Some(0x091A), Some(10), ["SLH_DSA_PURE_SHAKE_192F"];
    SlhDsaShake256s,                  HashSmall     5 "FIPS 205"             Standard  "2.16.840.1.101.3.4.3.30"  Raw,                       Some(0x091B), Some(12), ["SLH_DSA_PURE_SHAKE_256S"];
    SlhDsaShake256f,                  HashFast      5 "FIPS 205"             Standard  "2.16.840.1.101.3.4.3.31"  Raw,                       Some(0x091C), Some(14), ["SLH_DSA_PURE_SHAKE_256F"];
    HashSlhDsaSha2_128sWithSha256,    HashSmall     1 "RFC 9909"             Standard  "2.16.840.1.101.3.4.3.35"  Raw,                       None,         None,     ["HashSLH-DSA-SHA2-128s"];
    HashSlhDsaSha2_128fWithSha256,    HashFast      1 "RFC 9909"             Standard  "2.16.840.1.101.3.4.3.36"  Raw,                       None,         None,     ["HashSLH-DSA-SHA2-128f"];
    HashSlhDsaSha2_192sWithSha512,    HashSmall     3 "RFC 9909"             Standard  "2.16.840.1.101.3.4.3.37"  Raw,                       None,         None,     ["HashSLH-DSA-SHA2-192s"];
    HashSlhDsaSha2_192fWithSha512,    HashFast      3 "RFC 9909"             Standard  "2.16.840.1.101.3.4.3.38"  Raw,                       None,         None,     ["HashSLH-DSA-SHA2-192f"];
    HashSlhDsaSha2_256sWithSha512,    HashSmall     5 "RFC 9909"             Standard  "2.16.840.1.101.3.4.3.39"  Raw,                       None,         None,     ["HashSLH-DSA-SHA2-256s"];
    HashSlhDsaSha2_256fWithSha512,    HashFast      5 "RFC 9909"             Standard  "2.16.840.1.101.3.4.3.40"  Raw,                       None,         None,     ["HashSLH-DSA-SHA2-256f"];
    HashSlhDsaShake128sWithShake128,  HashSmall     1 "RFC 9909"             Standard  "2.16.840.1.101.3.4.3.41"  Raw,                       None,         None,     ["HashSLH-DSA-SHAKE-128s"];
    HashSlhDsaShake128fWithShake128,  HashFast      1 "RFC 9909"             Standard  "2.16.840.1.101.3.4.3.42"  Raw,                       None,         None,     ["HashSLH-DSA-SHAKE-128f"];
    HashSlhDsaShake192sWithShake256,  HashSmall     3 "RFC 9909"             Standard  "2.16.840.1.101.3.4.3.43"  Raw,                       None,         None,     ["HashSLH-DSA-SHAKE-192s"];
    HashSlhDsaShake192fWithShake256,  HashFast      3 "RFC 9909"             Standard  "2.16.840.1.101.3.4.3.44"  Raw,                       None,         None,     ["HashSLH-DSA-SHAKE-192f"];
    HashSlhDsaShake256sWithShake256,  HashSmall     5 "RFC 9909"             Standard  "2.16.840.1.101.3.4.3.45"  Raw,                       None,         None,     ["HashSLH-DSA-SHAKE-256s"];
    HashSlhDsaShake256fWithShake256,  HashFast      5 "RFC 9909"             Standard  "2.16.840.1.101.3.4.3.46"  Raw,                       None,         None,     ["HashSLH-DSA-SHAKE-256f"];
}
#[cfg(feature = "post-quantum")] {
    SphincsSha2_128sSimple,           HashSmall     1 "SPHINCS+, round 3.1"  Retired   "1.3.9999.6.4.16"          OqsConcatenated,           Some(0xFEB6), None,     [];
    SphincsSha2_128fSimple,           HashFast      1 "SPHINCS+, round 3.1"  Retired   "1.3.9999.6.4.13"          OqsConcatenated,           Some(0xFEB3), None,     [];
    SphincsSha2_192sSimple,           HashSmall     3 "SPHINCS+, round 3.1"  Retired   "1.3.9999.6.5.12"          OqsConcatenated,           Some(0xFEBB), None,     [];
    SphincsSha2_192fSimple,           HashFast      3 "SPHINCS+, round 3.1"  Retired   "1.3.9999.6.5.10"          OqsConcatenated,           Some(0xFEB9), None,     [];
    SphincsSha2_256sSimple,           HashSmall     5 "SPHINCS+, round 3.1"  Retired   "1.3.9999.6.6.12"          OqsConcatenated,           Some(0xFEC0), None,     [];
    SphincsSha2_256fSimple,           HashFast      5 "SPHINCS+, round 3.1"  Retired   "1.3.9999.6.6.10"          OqsConcatenated,           Some(0xFEBD), None,     [];
    SphincsShake128sSimple,           HashSmall     1 "SPHINCS+, round 3.1"  Retired   "1.3.9999.6.7.16"          OqsConcatenated,           Some(0xFEC5), None,     [];
    SphincsShake128fSimple,           HashFast      1 "SPHINCS+, round 3.1"  Retired   "1.3.9999.6.7.13"          OqsConcatenated,           Some(0xFEC2), None,     [];
    SphincsShake192sSimple,           HashSmall     3 "SPHINCS+, round 3.1"  Retired   "1.3.9999.6.8.12"          OqsConcatenated,           Some(0xFECA), None,     [];
    SphincsShake192fSimple,           HashFast      3 "SPHINCS+, round 3.1"  Retired   "1.3.9999.6.8.10"          OqsConcatenated,           Some(0xFEC8), None,     [];
    SphincsShake256sSimple,           HashSmall     5 "SPHINCS+, round 3.1"  Retired   "1.3.9999.6.9.12"          OqsConcatenated,           Some(0xFECE), None,     [];
    SphincsShake256fSimple,           HashFast      5 "SPHINCS+, round 3.1"  Retired   "1.3.9999.6.9.10"          OqsConcatenated,           Some(0xFECC), None,     [];
    SphincsSha2_128sRobust,           HashSmall     1 "SPHINCS+, round 3.1"  Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsSha2_128fRobust,           HashFast      1 "SPHINCS+, round 3.1"  Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsSha2_192sRobust,           HashSmall     3 "SPHINCS+, round 3.1"  Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsSha2_192fRobust,           HashFast      3 "SPHINCS+, round 3.1"  Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsSha2_256sRobust,           HashSmall     5 "SPHINCS+, round 3.1"  Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsSha2_256fRobust,           HashFast      5 "SPHINCS+, round 3.1"  Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsShake128sRobust,           HashSmall     1 "SPHINCS+, round 3.1"  Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsShake128fRobust,           HashFast      1 "SPHINCS+, round 3.1"  Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsShake192sRobust,           HashSmall     3 "SPHINCS+, round 3.1"  Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsShake192fRobust,           HashFast      3 "SPHINCS+, round 3.1"  Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsShake256sRobust,           HashSmall     5 "SPHINCS+, round 3.1"  Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsShake256fRobust,           HashFast      5 "SPHINCS+, round 3.1"  Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsShake256_128sSimple,       HashSmall     1 "SPHINCS+, round 3"    Retired   "1.3.9999.6.7.10"          OqsConcatenated,           Some(0xFE83), None,     ["SPHINCS_SMALL_LEVEL1"];
    SphincsShake256_128fSimple,       HashFast      1 "SPHINCS+, round 3"    Retired   "1.3.9999.6.7.4"           OqsConcatenated,           Some(0xFE7D), None,     ["SPHINCS_FAST_LEVEL1"];
    SphincsShake256_192sSimple,       HashSmall     3 "SPHINCS+, round 3"    Retired   "1.3.9999.6.8.7"           OqsConcatenated,           Some(0xFE8C), None,     ["SPHINCS_SMALL_LEVEL3"];
    SphincsShake256_192fSimple,       HashFast      3 "SPHINCS+, round 3"    Retired   "1.3.9999.6.8.3"           OqsConcatenated,           Some(0xFE88), None,     ["SPHINCS_FAST_LEVEL3"];
    SphincsShake256_256sSimple,       HashSmall     5 "SPHINCS+, round 3"    Retired   "1.3.9999.6.9.7"           OqsConcatenated,           Some(0xFE94), None,     ["SPHINCS_SMALL_LEVEL5"];
    SphincsShake256_256fSimple,       HashFast      5 "SPHINCS+, round 3"    Retired   "1.3.9999.6.9.3"           OqsConcatenated,           Some(0xFE90), None,     ["SPHINCS_FAST_LEVEL5"];
    SphincsSha256_128sSimple,         HashSmall     1 "SPHINCS+, round 3"    Retired   "1.3.9999.6.4.10"          OqsConcatenated,           Some(0xFE67), None,     [];
    SphincsSha256_128fSimple,         HashFast      1 "SPHINCS+, round 3"    Retired   "1.3.9999.6.4.4"           OqsConcatenated,           Some(0xFE61), None,     [];
    SphincsSha256_192sSimple,         HashSmall     3 "SPHINCS+, round 3"    Retired   "1.3.9999.6.5.7"           OqsConcatenated,           Some(0xFE70), None,     [];
    SphincsSha256_192fSimple,         HashFast      3 "SPHINCS+, round 3"    Retired   "1.3.9999.6.5.3"           OqsConcatenated,           Some(0xFE6C), None,     [];
    SphincsSha256_256sSimple,         HashSmall     5 "SPHINCS+, round 3"    Retired   "1.3.9999.6.6.7"           OqsConcatenated,           Some(0xFE78), None,     [];
    SphincsSha256_256fSimple,         HashFast      5 "SPHINCS+, round 3"    Retired   "1.3.9999.6.6.3"           OqsConcatenated,           Some(0xFE74), None,     [];
    SphincsHaraka128sSimple,          HashSmall     1 "SPHINCS+, round 3"    Retired   "1.3.9999.6.1.10"          OqsConcatenated,           Some(0xFE4B), None,     [];
    SphincsHaraka128fSimple,          HashFast      1 "SPHINCS+, round 3"    Retired   "1.3.9999.6.1.4"           OqsConcatenated,           Some(0xFE45), None,     [];
    SphincsHaraka192sSimple,          HashSmall     3 "SPHINCS+, round 3"    Retired   "1.3.9999.6.2.7"           OqsConcatenated,           Some(0xFE54), None,     [];
    SphincsHaraka192fSimple,          HashFast      3 "SPHINCS+, round 3"    Retired   "1.3.9999.6.2.3"           OqsConcatenated,           Some(0xFE50), None,     [];
    SphincsHaraka256sSimple,          HashSmall     5 "SPHINCS+, round 3"    Retired   "1.3.9999.6.3.7"           OqsConcatenated,           Some(0xFE5C), None,     [];
    SphincsHaraka256fSimple,          HashFast      5 "SPHINCS+, round 3"    Retired   "1.3.9999.6.3.3"           OqsConcatenated,           Some(0xFE58), None,     [];
    SphincsShake256_128sRobust,       HashSmall     1 "SPHINCS+, round 3"    Retired   "1.3.9999.6.7.7"           OqsConcatenated,           Some(0xFE80), None,     [];
    SphincsShake256_128fRobust,       HashFast      1 "SPHINCS+, round 3"    Retired   "1.3.9999.6.7.1"           OqsConcatenated,           Some(0xFE7A), None,     [];
    SphincsShake256_192sRobust,       HashSmall     3 "SPHINCS+, round 3"    Retired   "1.3.9999.6.8.5"           OqsConcatenated,           Some(0xFE8A), None,     [];
    SphincsShake256_192fRobust,       HashFast      3 "SPHINCS+, round 3"    Retired   "1.3.9999.6.8.1"           OqsConcatenated,           Some(0xFE86), None,     [];
    SphincsShake256_256sRobust,       HashSmall     5 "SPHINCS+, round 3"    Retired   "1.3.9999.6.9.5"           OqsConcatenated,           Some(0xFE92), None,     [];
    SphincsShake256_256fRobust,       HashFast      5 "SPHINCS+, round 3"    Retired   "1.3.9999.6.9.1"           OqsConcatenated,           Some(0xFE8E), None,     [];
    SphincsSha256_128sRobust,         HashSmall     1 "SPHINCS+, round 3"    Retired   "1.3.9999.6.4.7"           OqsConcatenated,           Some(0xFE64), None,     [];
    SphincsSha256_128fRobust,         HashFast      1 "SPHINCS+, round 3"    Retired   "1.3.9999.6.4.1"           OqsConcatenated,           Some(0xFE5E), None,     [];
    SphincsSha256_192sRobust,         HashSmall     3 "SPHINCS+, round 3"    Retired   "1.3.9999.6.5.5"           OqsConcatenated,           Some(0xFE6E), None,     [];
    SphincsSha256_192fRobust,         HashFast      3 "SPHINCS+, round 3"    Retired   "1.3.9999.6.5.1"           OqsConcatenated,           Some(0xFE6A), None,     [];
    SphincsSha256_256sRobust,         HashSmall     5 "SPHINCS+, round 3"    Retired   "1.3.9999.6.6.5"           OqsConcatenated,           Some(0xFE76), None,     [];
    SphincsSha256_256fRobust,         HashFast      5 "SPHINCS+, round 3"    Retired   "1.3.9999.6.6.1"           OqsConcatenated,           Some(0xFE72), None,     [];
    SphincsHaraka128sRobust,          HashSmall     1 "SPHINCS+, round 3"    Retired   "1.3.9999.6.1.7"           OqsConcatenated,           Some(0xFE48), None,     [];
    SphincsHaraka128fRobust,          HashFast      1 "SPHINCS+, round 3"    Retired   "1.3.9999.6.1.1"           OqsConcatenated,           Some(0xFE42), None,     [];
    SphincsHaraka192sRobust,          HashSmall     3 "SPHINCS+, round 3"    Retired   "1.3.9999.6.2.5"           OqsConcatenated,           Some(0xFE52), None,     [];
    SphincsHaraka192fRobust,          HashFast      3 "SPHINCS+, round 3"    Retired   "1.3.9999.6.2.1"           OqsConcatenated,           Some(0xFE4E), None,     [];
    SphincsHaraka256sRobust,          HashSmall     5 "SPHINCS+, round 3"    Retired   "1.3.9999.6.3.5"           OqsConcatenated,           Some(0xFE5A), None,     [];
    SphincsHaraka256fRobust,          HashFast      5 "SPHINCS+, round 3"    Retired   "1.3.9999.6.3.1"           OqsConcatenated,           Some(0xFE56), None,     [];
    SphincsShake256_128sSimpleRound2, HashSmall     1 "SPHINCS+, round 2"    Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsShake256_128fSimpleRound2, HashFast      1 "SPHINCS+, round 2"    Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsShake256_192sSimpleRound2, HashSmall     3 "SPHINCS+, round 2"    Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsShake256_192fSimpleRound2, HashFast      3 "SPHINCS+, round 2"    Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsShake256_256sSimpleRound2, HashSmall     5 "SPHINCS+, round 2"    Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsShake256_256fSimpleRound2, HashFast      5 "SPHINCS+, round 2"    Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsSha256_128sSimpleRound2,   HashSmall     1 "SPHINCS+, round 2"    Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsSha256_128fSimpleRound2,   HashFast      1 "SPHINCS+, round 2"    Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsSha256_192sSimpleRound2,   HashSmall     3 "SPHINCS+, round 2"    Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsSha256_192fSimpleRound2,   HashFast      3 "SPHINCS+, round 2"    Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsSha256_256sSimpleRound2,   HashSmall     5 "SPHINCS+, round 2"    Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsSha256_256fSimpleRound2,   HashFast      5 "SPHINCS+, round 2"    Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsHaraka128sSimpleRound2,    HashSmall     1 "SPHINCS+, round 2"    Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsHaraka128fSimpleRound2,    HashFast      1 "SPHINCS+, round 2"    Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsHaraka192sSimpleRound2,    HashSmall     3 "SPHINCS+, round 2"    Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsHaraka192fSimpleRound2,    HashFast      3 "SPHINCS+, round 2"    Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsHaraka256sSimpleRound2,    HashSmall     5 "SPHINCS+, round 2"    Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsHaraka256fSimpleRound2,    HashFast      5 "SPHINCS+, round 2"    Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsShake256_128sRobustRound2, HashSmall     1 "SPHINCS+, round 2"    Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsShake256_128fRobustRound2, HashFast      1 "SPHINCS+, round 2"    Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsShake256_192sRobustRound2, HashSmall     3 "SPHINCS+, round 2"    Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsShake256_192fRobustRound2, HashFast      3 "SPHINCS+, round 2"    Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsShake256_256sRobustRound2, HashSmall     5 "SPHINCS+, round 2"    Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsShake256_256fRobustRound2, HashFast      5 "SPHINCS+, round 2"    Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsSha256_128sRobustRound2,   HashSmall     1 "SPHINCS+, round 2"    Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsSha256_128fRobustRound2,   HashFast      1 "SPHINCS+, round 2"    Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsSha256_192sRobustRound2,   HashSmall     3 "SPHINCS+, round 2"    Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsSha256_192fRobustRound2,   HashFast      3 "SPHINCS+, round 2"    Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsSha256_256sRobustRound2,   HashSmall     5 "SPHINCS+, round 2"    Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsSha256_256fRobustRound2,   HashFast      5 "SPHINCS+, round 2"    Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsHaraka128sRobustRound2,    HashSmall     1 "SPHINCS+, round 2"    Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsHaraka128fRobustRound2,    HashFast      1 "SPHINCS+, round 2"    Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsHaraka192sRobustRound2,    HashSmall     3 "SPHINCS+, round 2"    Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsHaraka192fRobustRound2,    HashFast      3 "SPHINCS+, round 2"    Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsHaraka256sRobustRound2,    HashSmall     5 "SPHINCS+, round 2"    Retired   ""                         OqsConcatenated,           None,         None,     [];
    SphincsHaraka256fRobustRound2,    HashFast      5 "SPHINCS+, round 2"    Retired   ""                         OqsConcatenated,           None,         None,     [];
}
#[cfg(feature = "all")] {
    ECDSA_P256_SHA256,                EllipticCurve 0 "FIPS 186-5"           Standard  "1.2.840.10045.4.3.2"      ec_key_format("1.2.840.10045.3.1.7"), Some(0x0403), None,     ["ecdsa_secp256r1_sha256", "ECDSA-P256"];
    ECDSA_P384_SHA384,                EllipticCurve 0 "FIPS 186-5"           Standard  "1.2.840.10045.4.3.3"      ec_key_format("1.3.132.0.34"),        Some(0x0503), None,     ["ecdsa_secp384r1_sha384", "ECDSA-P384"];
    ECDSA_P521_SHA512,                EllipticCurve 0 "FIPS 186-5"           Standard  "1.2.840.10045.4.3.4"      ec_key_format("1.3.132.0.35"),        Some(0x0603), None,     ["ecdsa_secp521r1_sha512", "ECDSA-P521"];
    ED25519,                          EllipticCurve 0 "RFC 8032"             Standard  "1.3.101.112"              ed_key_format("1.3.101.112"),         Some(0x0807), None,     ["EdDSA"];
    ED448,                            EllipticCurve 0 "RFC 8032"             Standard  "1.3.101.113"              ed_key_format("1.3.101.113"),         None,         None,     [];
    RSA_2048,                         Rsa           0 "RFC 8017"             Standard  "1.2.840.113549.1.1.11"    RSA_KEY_FORMAT,                       None,         None,     ["RSA"];
    RSA_3072,                         Rsa           0 "RFC 8017"             Standard  "1.2.840.113549.1.1.11"    RSA_KEY_FORMAT,                       None,         None,     [];
    RSA_4096,                         Rsa           0 "RFC 8017"             Standard  "1.2.840.113549.1.1.11"    RSA_KEY_FORMAT,                       None,         None,     [];
}
}
