//! The table of composites: one row for each composite of a classical and a post-quantum part.

use crate::row::KeyFormat::{OqsConcatenated, Raw};
use crate::row::Status::{Candidate, Draft, Retired};
use crate::row::{Family, SignatureRow};
use crate::table::oid;
use grille_classical::{
    IETF_BP256_SHA256, IETF_BP384_SHA384, IETF_P256_SHA256, IETF_P384_SHA384, IETF_P521_SHA512, PART_ED448,
    PART_ED25519, PART_P256_SHA256, PART_P256_SHA384, PART_P384_SHA384, PART_P521_SHA512, PART_RSA_2048_PSS,
    PART_RSA_2048_SHA256, PART_RSA_3072_PSS, PART_RSA_3072_SHA256, PART_RSA_3072_SHA384, PART_RSA_4096_PSS,
    PART_RSA_4096_SHA384,
};
use grille_composite::{Composite, PreHash};
use grille_falcon::erased::{
    Falcon512, Falcon512Y2020, Falcon1024, Falcon1024Y2020, FalconPadded512, FalconPadded1024,
};
use grille_mldsa::erased::{
    Dilithium2, Dilithium2Aes, Dilithium3, Dilithium3Aes, Dilithium5, Dilithium5Aes, MlDsa44, MlDsa65,
    MlDsa87,
};
use grille_slhdsa::erased::{
    SphincsHaraka128fRobust, SphincsHaraka128fRobustRound2, SphincsHaraka128fSimple,
    SphincsHaraka128fSimpleRound2, SphincsHaraka128sRobust, SphincsHaraka128sRobustRound2,
    SphincsHaraka128sSimple, SphincsHaraka128sSimpleRound2, SphincsHaraka192fRobust,
    SphincsHaraka192fRobustRound2, SphincsHaraka192fSimple, SphincsHaraka192fSimpleRound2,
    SphincsHaraka192sRobust, SphincsHaraka192sRobustRound2, SphincsHaraka192sSimple,
    SphincsHaraka192sSimpleRound2, SphincsHaraka256fRobust, SphincsHaraka256fRobustRound2,
    SphincsHaraka256fSimple, SphincsHaraka256fSimpleRound2, SphincsHaraka256sRobust,
    SphincsHaraka256sRobustRound2, SphincsHaraka256sSimple, SphincsHaraka256sSimpleRound2,
    SphincsSha2_128fSimple, SphincsSha2_128sSimple, SphincsSha2_192fSimple, SphincsSha2_192sSimple,
    SphincsSha2_256fSimple, SphincsSha2_256sSimple, SphincsSha256_128fRobust, SphincsSha256_128fRobustRound2,
    SphincsSha256_128fSimple, SphincsSha256_128fSimpleRound2, SphincsSha256_128sRobust,
    SphincsSha256_128sRobustRound2, SphincsSha256_128sSimple, SphincsSha256_128sSimpleRound2,
    SphincsSha256_192fRobust, SphincsSha256_192fRobustRound2, SphincsSha256_192fSimple,
    SphincsSha256_192fSimpleRound2, SphincsSha256_192sRobust, SphincsSha256_192sRobustRound2,
    SphincsSha256_192sSimple, SphincsSha256_192sSimpleRound2, SphincsSha256_256fRobust,
    SphincsSha256_256fRobustRound2, SphincsSha256_256fSimple, SphincsSha256_256fSimpleRound2,
    SphincsSha256_256sRobust, SphincsSha256_256sRobustRound2, SphincsSha256_256sSimple,
    SphincsSha256_256sSimpleRound2, SphincsShake128fSimple, SphincsShake128sSimple, SphincsShake192fSimple,
    SphincsShake192sSimple, SphincsShake256_128fRobust, SphincsShake256_128fRobustRound2,
    SphincsShake256_128fSimple, SphincsShake256_128fSimpleRound2, SphincsShake256_128sRobust,
    SphincsShake256_128sRobustRound2, SphincsShake256_128sSimple, SphincsShake256_128sSimpleRound2,
    SphincsShake256_192fRobust, SphincsShake256_192fRobustRound2, SphincsShake256_192fSimple,
    SphincsShake256_192fSimpleRound2, SphincsShake256_192sRobust, SphincsShake256_192sRobustRound2,
    SphincsShake256_192sSimple, SphincsShake256_192sSimpleRound2, SphincsShake256_256fRobust,
    SphincsShake256_256fRobustRound2, SphincsShake256_256fSimple, SphincsShake256_256fSimpleRound2,
    SphincsShake256_256sRobust, SphincsShake256_256sRobustRound2, SphincsShake256_256sSimple,
    SphincsShake256_256sSimpleRound2, SphincsShake256fSimple, SphincsShake256sSimple,
};

macro_rules! composites {
    (oqs { $($name:literal, $part:ident $post_quantum:ident $classical:ident $family:ident $category:literal
        $spec:literal $status:ident $oid:literal $tls:expr;)* }
     ietf { $($ietf:literal, $ietf_part:ident $mldsa:ident $ietf_classical:ident $ietf_category:literal
        $ietf_oid:literal $hash:ident $label:literal;)* }) => {
        /// Every composite, in the order of `grille list`.
        pub(crate) static COMPOSITES: &[SignatureRow] = &[
            $(SignatureRow {
                signature: &Composite::ietf($ietf, $ietf_part.part(), &$mldsa, $label, PreHash::$hash),
                family: Family::MlDsa,
                classical_family: Some(Family::$ietf_classical),
                category: $ietf_category,
                spec: "draft-ietf-lamps-pq-composite-sigs",
                status: Draft,
                oid: oid($ietf_oid),
                key_format: Raw,
                tls_scheme: None,
                spdm_bit: None,
                aliases: &[],
            },)*
            $(SignatureRow {
                signature: &Composite::oqs($name, $part.part(), &$post_quantum),
                family: Family::$family,
                classical_family: Some(Family::$classical),
                category: $category,
                spec: $spec,
                status: $status,
                oid: oid($oid),
                key_format: OqsConcatenated,
                tls_scheme: $tls,
                spdm_bit: None,
                aliases: &[],
            },)*
        ];
    };
}

// OQS uses SHA-256 if the post-quantum part has category 1, SHA-384 for categories 2 and 3, and SHA-512 for 4 and 5.
#[rustfmt::skip]
composites! {
oqs {
    // name                                        classical part        post-quantum part                 families of the parts     cat spec                        status     OID                    TLS scheme
    "p256_mldsa44",                                PART_P256_SHA384      MlDsa44                           EllipticCurve  MlDsa      2 "oqs-provider 0.8"            Candidate  "1.3.9999.7.5"         Some(0xFF06);
    "rsa3072_mldsa44",                             PART_RSA_3072_SHA384  MlDsa44                           Rsa            MlDsa      2 "oqs-provider 0.8"            Candidate  "1.3.9999.7.6"         Some(0xFF07);
    "p384_mldsa65",                                PART_P384_SHA384      MlDsa65                           EllipticCurve  MlDsa      3 "oqs-provider 0.8"            Candidate  "1.3.9999.7.7"         Some(0xFF08);
    "p521_mldsa87",                                PART_P521_SHA512      MlDsa87                           EllipticCurve  MlDsa      5 "oqs-provider 0.8"            Candidate  "1.3.9999.7.8"         Some(0xFF09);
    "p256_falcon512",                              PART_P256_SHA256      Falcon512                         EllipticCurve  Falcon     1 "oqs-provider 0.6"            Candidate  "1.3.9999.3.12"        Some(0xFED8);
    "rsa3072_falcon512",                           PART_RSA_3072_SHA256  Falcon512                         Rsa            Falcon     1 "oqs-provider 0.6"            Candidate  "1.3.9999.3.13"        Some(0xFED9);
    "p521_falcon1024",                             PART_P521_SHA512      Falcon1024                        EllipticCurve  Falcon     5 "oqs-provider 0.6"            Candidate  "1.3.9999.3.15"        Some(0xFEDB);
    "p256_falconpadded512",                        PART_P256_SHA256      FalconPadded512                   EllipticCurve  Falcon     1 "oqs-provider 0.6"            Candidate  "1.3.9999.3.17"        Some(0xFEDD);
    "rsa3072_falconpadded512",                     PART_RSA_3072_SHA256  FalconPadded512                   Rsa            Falcon     1 "oqs-provider 0.6"            Candidate  "1.3.9999.3.18"        Some(0xFEDE);
    "p521_falconpadded1024",                       PART_P521_SHA512      FalconPadded1024                  EllipticCurve  Falcon     5 "oqs-provider 0.6"            Candidate  "1.3.9999.3.20"        Some(0xFEE0);
    "p256_sphincssha2128fsimple",                  PART_P256_SHA256      SphincsSha2_128fSimple            EllipticCurve  HashFast   1 "oqs-provider 0.5"            Retired    "1.3.9999.6.4.14"      Some(0xFEB4);
    "rsa3072_sphincssha2128fsimple",               PART_RSA_3072_SHA256  SphincsSha2_128fSimple            Rsa            HashFast   1 "oqs-provider 0.5"            Retired    "1.3.9999.6.4.15"      Some(0xFEB5);
    "p256_sphincssha2128ssimple",                  PART_P256_SHA256      SphincsSha2_128sSimple            EllipticCurve  HashSmall  1 "oqs-provider 0.5"            Retired    "1.3.9999.6.4.17"      Some(0xFEB7);
    "rsa3072_sphincssha2128ssimple",               PART_RSA_3072_SHA256  SphincsSha2_128sSimple            Rsa            HashSmall  1 "oqs-provider 0.5"            Retired    "1.3.9999.6.4.18"      Some(0xFEB8);
    "p384_sphincssha2192fsimple",                  PART_P384_SHA384      SphincsSha2_192fSimple            EllipticCurve  HashFast   3 "oqs-provider 0.5"            Retired    "1.3.9999.6.5.11"      Some(0xFEBA);
    "p384_sphincssha2192ssimple",                  PART_P384_SHA384      SphincsSha2_192sSimple            EllipticCurve  HashSmall  3 "oqs-provider 0.5"            Retired    "1.3.9999.6.5.13"      Some(0xFEBC);
    "p521_sphincssha2256fsimple",                  PART_P521_SHA512      SphincsSha2_256fSimple            EllipticCurve  HashFast   5 "oqs-provider 0.5"            Retired    "1.3.9999.6.6.11"      Some(0xFEBE);
    "p521_sphincssha2256ssimple",                  PART_P521_SHA512      SphincsSha2_256sSimple            EllipticCurve  HashSmall  5 "oqs-provider 0.5"            Retired    "1.3.9999.6.6.13"      Some(0xFEC1);
    "p256_sphincsshake128fsimple",                 PART_P256_SHA256      SphincsShake128fSimple            EllipticCurve  HashFast   1 "oqs-provider 0.5"            Retired    "1.3.9999.6.7.14"      Some(0xFEC3);
    "rsa3072_sphincsshake128fsimple",              PART_RSA_3072_SHA256  SphincsShake128fSimple            Rsa            HashFast   1 "oqs-provider 0.5"            Retired    "1.3.9999.6.7.15"      Some(0xFEC4);
    "p256_sphincsshake128ssimple",                 PART_P256_SHA256      SphincsShake128sSimple            EllipticCurve  HashSmall  1 "oqs-provider 0.5"            Retired    "1.3.9999.6.7.17"      Some(0xFEC6);
    "rsa3072_sphincsshake128ssimple",              PART_RSA_3072_SHA256  SphincsShake128sSimple            Rsa            HashSmall  1 "oqs-provider 0.5"            Retired    "1.3.9999.6.7.18"      Some(0xFEC7);
    "p384_sphincsshake192fsimple",                 PART_P384_SHA384      SphincsShake192fSimple            EllipticCurve  HashFast   3 "oqs-provider 0.5"            Retired    "1.3.9999.6.8.11"      Some(0xFEC9);
    "p384_sphincsshake192ssimple",                 PART_P384_SHA384      SphincsShake192sSimple            EllipticCurve  HashSmall  3 "oqs-provider 0.5"            Retired    "1.3.9999.6.8.13"      Some(0xFECB);
    "p521_sphincsshake256fsimple",                 PART_P521_SHA512      SphincsShake256fSimple            EllipticCurve  HashFast   5 "oqs-provider 0.5"            Retired    "1.3.9999.6.9.11"      Some(0xFECD);
    "p521_sphincsshake256ssimple",                 PART_P521_SHA512      SphincsShake256sSimple            EllipticCurve  HashSmall  5 "oqs-provider 0.5"            Retired    "1.3.9999.6.9.13"      Some(0xFECF);
    "p256_dilithium2",                             PART_P256_SHA384      Dilithium2                        EllipticCurve  MlDsa      2 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.2.7.1"       Some(0xFEA1);
    "rsa3072_dilithium2",                          PART_RSA_3072_SHA384  Dilithium2                        Rsa            MlDsa      2 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.2.7.2"       Some(0xFEA2);
    "p384_dilithium3",                             PART_P384_SHA384      Dilithium3                        EllipticCurve  MlDsa      3 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.2.7.3"       Some(0xFEA4);
    "p521_dilithium5",                             PART_P521_SHA512      Dilithium5                        EllipticCurve  MlDsa      5 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.2.7.4"       Some(0xFEA6);
    "p256_dilithium2_aes",                         PART_P256_SHA384      Dilithium2Aes                     EllipticCurve  MlDsa      2 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.2.11.1"      Some(0xFEA8);
    "rsa3072_dilithium2_aes",                      PART_RSA_3072_SHA384  Dilithium2Aes                     Rsa            MlDsa      2 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.2.11.2"      Some(0xFEA9);
    "p384_dilithium3_aes",                         PART_P384_SHA384      Dilithium3Aes                     EllipticCurve  MlDsa      3 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.2.11.3"      Some(0xFEAB);
    "p521_dilithium5_aes",                         PART_P521_SHA512      Dilithium5Aes                     EllipticCurve  MlDsa      5 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.2.11.4"      Some(0xFEAD);
    "p256_falcon512_2020",                         PART_P256_SHA256      Falcon512Y2020                    EllipticCurve  Falcon     1 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.3.2"         Some(0xFE0C);
    "rsa3072_falcon512_2020",                      PART_RSA_3072_SHA256  Falcon512Y2020                    Rsa            Falcon     1 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.3.3"         Some(0xFE0D);
    "p521_falcon1024_2020",                        PART_P521_SHA512      Falcon1024Y2020                   EllipticCurve  Falcon     5 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.3.5"         Some(0xFE0F);
    "p256_sphincsharaka128frobust",                PART_P256_SHA256      SphincsHaraka128fRobust           EllipticCurve  HashFast   1 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.1.2"       Some(0xFE43);
    "rsa3072_sphincsharaka128frobust",             PART_RSA_3072_SHA256  SphincsHaraka128fRobust           Rsa            HashFast   1 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.1.3"       Some(0xFE44);
    "p256_sphincsharaka128fsimple",                PART_P256_SHA256      SphincsHaraka128fSimple           EllipticCurve  HashFast   1 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.1.5"       Some(0xFE46);
    "rsa3072_sphincsharaka128fsimple",             PART_RSA_3072_SHA256  SphincsHaraka128fSimple           Rsa            HashFast   1 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.1.6"       Some(0xFE47);
    "p256_sphincsharaka128srobust",                PART_P256_SHA256      SphincsHaraka128sRobust           EllipticCurve  HashSmall  1 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.1.8"       Some(0xFE49);
    "rsa3072_sphincsharaka128srobust",             PART_RSA_3072_SHA256  SphincsHaraka128sRobust           Rsa            HashSmall  1 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.1.9"       Some(0xFE4A);
    "p256_sphincsharaka128ssimple",                PART_P256_SHA256      SphincsHaraka128sSimple           EllipticCurve  HashSmall  1 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.1.11"      Some(0xFE4C);
    "rsa3072_sphincsharaka128ssimple",             PART_RSA_3072_SHA256  SphincsHaraka128sSimple           Rsa            HashSmall  1 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.1.12"      Some(0xFE4D);
    "p384_sphincsharaka192frobust",                PART_P384_SHA384      SphincsHaraka192fRobust           EllipticCurve  HashFast   3 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.2.2"       Some(0xFE4F);
    "p384_sphincsharaka192fsimple",                PART_P384_SHA384      SphincsHaraka192fSimple           EllipticCurve  HashFast   3 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.2.4"       Some(0xFE51);
    "p384_sphincsharaka192srobust",                PART_P384_SHA384      SphincsHaraka192sRobust           EllipticCurve  HashSmall  3 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.2.6"       Some(0xFE53);
    "p384_sphincsharaka192ssimple",                PART_P384_SHA384      SphincsHaraka192sSimple           EllipticCurve  HashSmall  3 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.2.8"       Some(0xFE55);
    "p521_sphincsharaka256frobust",                PART_P521_SHA512      SphincsHaraka256fRobust           EllipticCurve  HashFast   5 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.3.2"       Some(0xFE57);
    "p521_sphincsharaka256fsimple",                PART_P521_SHA512      SphincsHaraka256fSimple           EllipticCurve  HashFast   5 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.3.4"       Some(0xFE59);
    "p521_sphincsharaka256srobust",                PART_P521_SHA512      SphincsHaraka256sRobust           EllipticCurve  HashSmall  5 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.3.6"       Some(0xFE5B);
    "p521_sphincsharaka256ssimple",                PART_P521_SHA512      SphincsHaraka256sSimple           EllipticCurve  HashSmall  5 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.3.8"       Some(0xFE5D);
    "p256_sphincssha256128frobust",                PART_P256_SHA256      SphincsSha256_128fRobust          EllipticCurve  HashFast   1 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.4.2"       Some(0xFE5F);
    "rsa3072_sphincssha256128frobust",             PART_RSA_3072_SHA256  SphincsSha256_128fRobust          Rsa            HashFast   1 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.4.3"       Some(0xFE60);
    "p256_sphincssha256128fsimple",                PART_P256_SHA256      SphincsSha256_128fSimple          EllipticCurve  HashFast   1 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.4.5"       Some(0xFE62);
    "rsa3072_sphincssha256128fsimple",             PART_RSA_3072_SHA256  SphincsSha256_128fSimple          Rsa            HashFast   1 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.4.6"       Some(0xFE63);
    "p256_sphincssha256128srobust",                PART_P256_SHA256      SphincsSha256_128sRobust          EllipticCurve  HashSmall  1 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.4.8"       Some(0xFE65);
    "rsa3072_sphincssha256128srobust",             PART_RSA_3072_SHA256  SphincsSha256_128sRobust          Rsa            HashSmall  1 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.4.9"       Some(0xFE66);
    "p256_sphincssha256128ssimple",                PART_P256_SHA256      SphincsSha256_128sSimple          EllipticCurve  HashSmall  1 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.4.11"      Some(0xFE68);
    "rsa3072_sphincssha256128ssimple",             PART_RSA_3072_SHA256  SphincsSha256_128sSimple          Rsa            HashSmall  1 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.4.12"      Some(0xFE69);
    "p384_sphincssha256192frobust",                PART_P384_SHA384      SphincsSha256_192fRobust          EllipticCurve  HashFast   3 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.5.2"       Some(0xFE6B);
    "p384_sphincssha256192fsimple",                PART_P384_SHA384      SphincsSha256_192fSimple          EllipticCurve  HashFast   3 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.5.4"       Some(0xFE6D);
    "p384_sphincssha256192srobust",                PART_P384_SHA384      SphincsSha256_192sRobust          EllipticCurve  HashSmall  3 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.5.6"       Some(0xFE6F);
    "p384_sphincssha256192ssimple",                PART_P384_SHA384      SphincsSha256_192sSimple          EllipticCurve  HashSmall  3 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.5.8"       Some(0xFE71);
    "p521_sphincssha256256frobust",                PART_P521_SHA512      SphincsSha256_256fRobust          EllipticCurve  HashFast   5 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.6.2"       Some(0xFE73);
    "p521_sphincssha256256fsimple",                PART_P521_SHA512      SphincsSha256_256fSimple          EllipticCurve  HashFast   5 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.6.4"       Some(0xFE75);
    "p521_sphincssha256256srobust",                PART_P521_SHA512      SphincsSha256_256sRobust          EllipticCurve  HashSmall  5 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.6.6"       Some(0xFE77);
    "p521_sphincssha256256ssimple",                PART_P521_SHA512      SphincsSha256_256sSimple          EllipticCurve  HashSmall  5 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.6.8"       Some(0xFE79);
    "p256_sphincsshake256128frobust",              PART_P256_SHA256      SphincsShake256_128fRobust        EllipticCurve  HashFast   1 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.7.2"       Some(0xFE7B);
    "rsa3072_sphincsshake256128frobust",           PART_RSA_3072_SHA256  SphincsShake256_128fRobust        Rsa            HashFast   1 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.7.3"       Some(0xFE7C);
    "p256_sphincsshake256128fsimple",              PART_P256_SHA256      SphincsShake256_128fSimple        EllipticCurve  HashFast   1 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.7.5"       Some(0xFE7E);
    "rsa3072_sphincsshake256128fsimple",           PART_RSA_3072_SHA256  SphincsShake256_128fSimple        Rsa            HashFast   1 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.7.6"       Some(0xFE7F);
    "p256_sphincsshake256128srobust",              PART_P256_SHA256      SphincsShake256_128sRobust        EllipticCurve  HashSmall  1 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.7.8"       Some(0xFE81);
    "rsa3072_sphincsshake256128srobust",           PART_RSA_3072_SHA256  SphincsShake256_128sRobust        Rsa            HashSmall  1 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.7.9"       Some(0xFE82);
    "p256_sphincsshake256128ssimple",              PART_P256_SHA256      SphincsShake256_128sSimple        EllipticCurve  HashSmall  1 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.7.11"      Some(0xFE84);
    "rsa3072_sphincsshake256128ssimple",           PART_RSA_3072_SHA256  SphincsShake256_128sSimple        Rsa            HashSmall  1 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.7.12"      Some(0xFE85);
    "p384_sphincsshake256192frobust",              PART_P384_SHA384      SphincsShake256_192fRobust        EllipticCurve  HashFast   3 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.8.2"       Some(0xFE87);
    "p384_sphincsshake256192fsimple",              PART_P384_SHA384      SphincsShake256_192fSimple        EllipticCurve  HashFast   3 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.8.4"       Some(0xFE89);
    "p384_sphincsshake256192srobust",              PART_P384_SHA384      SphincsShake256_192sRobust        EllipticCurve  HashSmall  3 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.8.6"       Some(0xFE8B);
    "p384_sphincsshake256192ssimple",              PART_P384_SHA384      SphincsShake256_192sSimple        EllipticCurve  HashSmall  3 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.8.8"       Some(0xFE8D);
    "p521_sphincsshake256256frobust",              PART_P521_SHA512      SphincsShake256_256fRobust        EllipticCurve  HashFast   5 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.9.2"       Some(0xFE8F);
    "p521_sphincsshake256256fsimple",              PART_P521_SHA512      SphincsShake256_256fSimple        EllipticCurve  HashFast   5 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.9.4"       Some(0xFE91);
    "p521_sphincsshake256256srobust",              PART_P521_SHA512      SphincsShake256_256sRobust        EllipticCurve  HashSmall  5 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.9.6"       Some(0xFE93);
    "p521_sphincsshake256256ssimple",              PART_P521_SHA512      SphincsShake256_256sSimple        EllipticCurve  HashSmall  5 "OQS-OpenSSL 1.1.1, 2021-08"  Retired    "1.3.9999.6.9.8"       Some(0xFE95);
    "p256_sphincsshake256128ssimple_round2",       PART_P256_SHA256      SphincsShake256_128sSimpleRound2  EllipticCurve  HashSmall  1 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "rsa3072_sphincsshake256128ssimple_round2",    PART_RSA_3072_SHA256  SphincsShake256_128sSimpleRound2  Rsa            HashSmall  1 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "p256_sphincsshake256128fsimple_round2",       PART_P256_SHA256      SphincsShake256_128fSimpleRound2  EllipticCurve  HashFast   1 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "rsa3072_sphincsshake256128fsimple_round2",    PART_RSA_3072_SHA256  SphincsShake256_128fSimpleRound2  Rsa            HashFast   1 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "p384_sphincsshake256192ssimple_round2",       PART_P384_SHA384      SphincsShake256_192sSimpleRound2  EllipticCurve  HashSmall  3 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "p384_sphincsshake256192fsimple_round2",       PART_P384_SHA384      SphincsShake256_192fSimpleRound2  EllipticCurve  HashFast   3 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "p521_sphincsshake256256ssimple_round2",       PART_P521_SHA512      SphincsShake256_256sSimpleRound2  EllipticCurve  HashSmall  5 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "p521_sphincsshake256256fsimple_round2",       PART_P521_SHA512      SphincsShake256_256fSimpleRound2  EllipticCurve  HashFast   5 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "p256_sphincssha256128ssimple_round2",         PART_P256_SHA256      SphincsSha256_128sSimpleRound2    EllipticCurve  HashSmall  1 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "rsa3072_sphincssha256128ssimple_round2",      PART_RSA_3072_SHA256  SphincsSha256_128sSimpleRound2    Rsa            HashSmall  1 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "p256_sphincssha256128fsimple_round2",         PART_P256_SHA256      SphincsSha256_128fSimpleRound2    EllipticCurve  HashFast   1 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "rsa3072_sphincssha256128fsimple_round2",      PART_RSA_3072_SHA256  SphincsSha256_128fSimpleRound2    Rsa            HashFast   1 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "p384_sphincssha256192ssimple_round2",         PART_P384_SHA384      SphincsSha256_192sSimpleRound2    EllipticCurve  HashSmall  3 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "p384_sphincssha256192fsimple_round2",         PART_P384_SHA384      SphincsSha256_192fSimpleRound2    EllipticCurve  HashFast   3 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "p521_sphincssha256256ssimple_round2",         PART_P521_SHA512      SphincsSha256_256sSimpleRound2    EllipticCurve  HashSmall  5 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "p521_sphincssha256256fsimple_round2",         PART_P521_SHA512      SphincsSha256_256fSimpleRound2    EllipticCurve  HashFast   5 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "p256_sphincsharaka128ssimple_round2",         PART_P256_SHA256      SphincsHaraka128sSimpleRound2     EllipticCurve  HashSmall  1 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "rsa3072_sphincsharaka128ssimple_round2",      PART_RSA_3072_SHA256  SphincsHaraka128sSimpleRound2     Rsa            HashSmall  1 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "p256_sphincsharaka128fsimple_round2",         PART_P256_SHA256      SphincsHaraka128fSimpleRound2     EllipticCurve  HashFast   1 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "rsa3072_sphincsharaka128fsimple_round2",      PART_RSA_3072_SHA256  SphincsHaraka128fSimpleRound2     Rsa            HashFast   1 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "p384_sphincsharaka192ssimple_round2",         PART_P384_SHA384      SphincsHaraka192sSimpleRound2     EllipticCurve  HashSmall  3 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "p384_sphincsharaka192fsimple_round2",         PART_P384_SHA384      SphincsHaraka192fSimpleRound2     EllipticCurve  HashFast   3 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "p521_sphincsharaka256ssimple_round2",         PART_P521_SHA512      SphincsHaraka256sSimpleRound2     EllipticCurve  HashSmall  5 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "p521_sphincsharaka256fsimple_round2",         PART_P521_SHA512      SphincsHaraka256fSimpleRound2     EllipticCurve  HashFast   5 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "p256_sphincsshake256128srobust_round2",       PART_P256_SHA256      SphincsShake256_128sRobustRound2  EllipticCurve  HashSmall  1 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "rsa3072_sphincsshake256128srobust_round2",    PART_RSA_3072_SHA256  SphincsShake256_128sRobustRound2  Rsa            HashSmall  1 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "p256_sphincsshake256128frobust_round2",       PART_P256_SHA256      SphincsShake256_128fRobustRound2  EllipticCurve  HashFast   1 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "rsa3072_sphincsshake256128frobust_round2",    PART_RSA_3072_SHA256  SphincsShake256_128fRobustRound2  Rsa            HashFast   1 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "p384_sphincsshake256192srobust_round2",       PART_P384_SHA384      SphincsShake256_192sRobustRound2  EllipticCurve  HashSmall  3 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "p384_sphincsshake256192frobust_round2",       PART_P384_SHA384      SphincsShake256_192fRobustRound2  EllipticCurve  HashFast   3 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "p521_sphincsshake256256srobust_round2",       PART_P521_SHA512      SphincsShake256_256sRobustRound2  EllipticCurve  HashSmall  5 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "p521_sphincsshake256256frobust_round2",       PART_P521_SHA512      SphincsShake256_256fRobustRound2  EllipticCurve  HashFast   5 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "p256_sphincssha256128srobust_round2",         PART_P256_SHA256      SphincsSha256_128sRobustRound2    EllipticCurve  HashSmall  1 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "rsa3072_sphincssha256128srobust_round2",      PART_RSA_3072_SHA256  SphincsSha256_128sRobustRound2    Rsa            HashSmall  1 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "p256_sphincssha256128frobust_round2",         PART_P256_SHA256      SphincsSha256_128fRobustRound2    EllipticCurve  HashFast   1 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "rsa3072_sphincssha256128frobust_round2",      PART_RSA_3072_SHA256  SphincsSha256_128fRobustRound2    Rsa            HashFast   1 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "p384_sphincssha256192srobust_round2",         PART_P384_SHA384      SphincsSha256_192sRobustRound2    EllipticCurve  HashSmall  3 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "p384_sphincssha256192frobust_round2",         PART_P384_SHA384      SphincsSha256_192fRobustRound2    EllipticCurve  HashFast   3 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "p521_sphincssha256256srobust_round2",         PART_P521_SHA512      SphincsSha256_256sRobustRound2    EllipticCurve  HashSmall  5 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "p521_sphincssha256256frobust_round2",         PART_P521_SHA512      SphincsSha256_256fRobustRound2    EllipticCurve  HashFast   5 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "p256_sphincsharaka128srobust_round2",         PART_P256_SHA256      SphincsHaraka128sRobustRound2     EllipticCurve  HashSmall  1 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "rsa3072_sphincsharaka128srobust_round2",      PART_RSA_3072_SHA256  SphincsHaraka128sRobustRound2     Rsa            HashSmall  1 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "p256_sphincsharaka128frobust_round2",         PART_P256_SHA256      SphincsHaraka128fRobustRound2     EllipticCurve  HashFast   1 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "rsa3072_sphincsharaka128frobust_round2",      PART_RSA_3072_SHA256  SphincsHaraka128fRobustRound2     Rsa            HashFast   1 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "p384_sphincsharaka192srobust_round2",         PART_P384_SHA384      SphincsHaraka192sRobustRound2     EllipticCurve  HashSmall  3 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "p384_sphincsharaka192frobust_round2",         PART_P384_SHA384      SphincsHaraka192fRobustRound2     EllipticCurve  HashFast   3 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "p521_sphincsharaka256srobust_round2",         PART_P521_SHA512      SphincsHaraka256sRobustRound2     EllipticCurve  HashSmall  5 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
    "p521_sphincsharaka256frobust_round2",         PART_P521_SHA512      SphincsHaraka256fRobustRound2     EllipticCurve  HashFast   5 "OQS-OpenSSL 1.1.1, 2021-02"  Retired    ""                     None;
}
ietf {
    // name                            classical part        ML-DSA  family         cat OID           PH     label
    "MLDSA44-RSA2048-PSS-SHA256",     PART_RSA_2048_PSS     MlDsa44 Rsa            2 "1.3.6.1.5.5.7.6.37" Sha256 "COMPSIG-MLDSA44-RSA2048-PSS-SHA256";
    "MLDSA44-RSA2048-PKCS15-SHA256",  PART_RSA_2048_SHA256  MlDsa44 Rsa            2 "1.3.6.1.5.5.7.6.38" Sha256 "COMPSIG-MLDSA44-RSA2048-PKCS15-SHA256";
    "MLDSA44-Ed25519-SHA512",         PART_ED25519          MlDsa44 EllipticCurve  2 "1.3.6.1.5.5.7.6.39" Sha512 "COMPSIG-MLDSA44-Ed25519-SHA512";
    "MLDSA44-ECDSA-P256-SHA256",      IETF_P256_SHA256      MlDsa44 EllipticCurve  2 "1.3.6.1.5.5.7.6.40" Sha256 "COMPSIG-MLDSA44-ECDSA-P256-SHA256";
    "MLDSA65-RSA3072-PSS-SHA512",     PART_RSA_3072_PSS     MlDsa65 Rsa            3 "1.3.6.1.5.5.7.6.41" Sha512 "COMPSIG-MLDSA65-RSA3072-PSS-SHA512";
    "MLDSA65-RSA3072-PKCS15-SHA512",  PART_RSA_3072_SHA256  MlDsa65 Rsa            3 "1.3.6.1.5.5.7.6.42" Sha512 "COMPSIG-MLDSA65-RSA3072-PKCS15-SHA512";
    "MLDSA65-RSA4096-PSS-SHA512",     PART_RSA_4096_PSS     MlDsa65 Rsa            3 "1.3.6.1.5.5.7.6.43" Sha512 "COMPSIG-MLDSA65-RSA4096-PSS-SHA512";
    "MLDSA65-RSA4096-PKCS15-SHA512",  PART_RSA_4096_SHA384  MlDsa65 Rsa            3 "1.3.6.1.5.5.7.6.44" Sha512 "COMPSIG-MLDSA65-RSA4096-PKCS15-SHA512";
    "MLDSA65-ECDSA-P256-SHA512",      IETF_P256_SHA256      MlDsa65 EllipticCurve  3 "1.3.6.1.5.5.7.6.45" Sha512 "COMPSIG-MLDSA65-ECDSA-P256-SHA512";
    "MLDSA65-ECDSA-P384-SHA512",      IETF_P384_SHA384      MlDsa65 EllipticCurve  3 "1.3.6.1.5.5.7.6.46" Sha512 "COMPSIG-MLDSA65-ECDSA-P384-SHA512";
    "MLDSA65-ECDSA-brainpoolP256r1-SHA512", IETF_BP256_SHA256 MlDsa65 EllipticCurve 3 "1.3.6.1.5.5.7.6.47" Sha512 "COMPSIG-MLDSA65-ECDSA-BP256-SHA512";
    "MLDSA65-Ed25519-SHA512",         PART_ED25519          MlDsa65 EllipticCurve  3 "1.3.6.1.5.5.7.6.48" Sha512 "COMPSIG-MLDSA65-Ed25519-SHA512";
    "MLDSA87-ECDSA-P384-SHA512",      IETF_P384_SHA384      MlDsa87 EllipticCurve  5 "1.3.6.1.5.5.7.6.49" Sha512 "COMPSIG-MLDSA87-ECDSA-P384-SHA512";
    "MLDSA87-ECDSA-brainpoolP384r1-SHA512", IETF_BP384_SHA384 MlDsa87 EllipticCurve 5 "1.3.6.1.5.5.7.6.50" Sha512 "COMPSIG-MLDSA87-ECDSA-BP384-SHA512";
    "MLDSA87-Ed448-SHAKE256",         PART_ED448            MlDsa87 EllipticCurve  5 "1.3.6.1.5.5.7.6.51" Shake256 "COMPSIG-MLDSA87-Ed448-SHAKE256";
    "MLDSA87-RSA3072-PSS-SHA512",     PART_RSA_3072_PSS     MlDsa87 Rsa            5 "1.3.6.1.5.5.7.6.52" Sha512 "COMPSIG-MLDSA87-RSA3072-PSS-SHA512";
    "MLDSA87-RSA4096-PSS-SHA512",     PART_RSA_4096_PSS     MlDsa87 Rsa            5 "1.3.6.1.5.5.7.6.53" Sha512 "COMPSIG-MLDSA87-RSA4096-PSS-SHA512";
    "MLDSA87-ECDSA-P521-SHA512",      IETF_P521_SHA512      MlDsa87 EllipticCurve  5 "1.3.6.1.5.5.7.6.54" Sha512 "COMPSIG-MLDSA87-ECDSA-P521-SHA512";
}
}
