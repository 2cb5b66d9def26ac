//! The post-quantum algorithms of the dialect, with their bits and lengths on the wire.

use crate::pqc2021::Set;

/// A post-quantum signature algorithm of the tables 11 and 12.
#[derive(Debug, PartialEq, Eq)]
pub struct Signature {
    /// The number of the algorithm's bit in a [`Set`].
    pub bit: u8,
    /// The name in the documentation of openspdm-pqc.
    pub name: &'static str,
    /// The value that names the algorithm in the options of the openspdm-pqc emulators, such as `DILITHIUM_2`.
    pub option: &'static str,
    /// The largest length of a signature in bytes. Signatures of SPHINCS+ have the lengths of round 2.
    pub signature_len: usize,
}

/// A key encapsulation mechanism of the tables 13 to 15.
#[derive(Debug, PartialEq, Eq)]
pub struct Kem {
    /// The number of the algorithm's bit in a [`Set`].
    pub bit: u8,
    /// The name in the documentation of openspdm-pqc.
    pub name: &'static str,
    /// The value that names the algorithm in the options of the openspdm-pqc emulators, such as `KYBER_512_90S`.
    pub option: &'static str,
    /// Length of a public key in bytes.
    pub public_key_len: usize,
    /// Length of a ciphertext in bytes.
    pub ciphertext_len: usize,
    /// Length of a shared secret in bytes.
    pub shared_secret_len: usize,
}

impl Signature {
    /// Returns the set with only this algorithm.
    #[must_use]
    pub const fn set(&self) -> Set {
        Set::from_bit(self.bit)
    }

    /// Returns the only algorithm in `set`; `None` unless exactly one bit is set and an algorithm has it.
    #[must_use]
    pub fn from_set(set: Set) -> Option<&'static Self> {
        let bit = set.single()?;
        SIGNATURES.iter().find(|row| row.bit == bit)
    }

    /// Returns the algorithm with this name or option value, in any case.
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Self> {
        SIGNATURES.iter().find(|row| is_name(name, row.name, row.option))
    }
}

impl Kem {
    /// Returns the set with only this algorithm.
    #[must_use]
    pub const fn set(&self) -> Set {
        Set::from_bit(self.bit)
    }

    /// Returns the only algorithm in `set`; `None` unless exactly one bit is set and an algorithm has it.
    #[must_use]
    pub fn from_set(set: Set) -> Option<&'static Self> {
        let bit = set.single()?;
        KEMS.iter().find(|row| row.bit == bit)
    }

    /// Returns the algorithm with this name or option value, in any case. `SIKE_P510` is accepted for `SIKE_P503`,
    /// because the documentation of openspdm-pqc has this value in a command line.
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Self> {
        let name = if name.eq_ignore_ascii_case("SIKE_P510") { "SIKE_P503" } else { name };
        KEMS.iter().find(|row| is_name(name, row.name, row.option))
    }
}

fn is_name(given: &str, name: &str, option: &str) -> bool {
    given.eq_ignore_ascii_case(name) || given.eq_ignore_ascii_case(option)
}

macro_rules! signatures {
    ($($bit:literal $name:literal $option:literal $signature_len:literal;)*) => {
        /// The signature algorithms, in ascending order of their bits.
        pub const SIGNATURES: &[Signature] =
            &[$(Signature { bit: $bit, name: $name, option: $option, signature_len: $signature_len },)*];
    };
}

macro_rules! kems {
    (
        $($bit:literal $name:literal $option:literal
            $public_key_len:literal $ciphertext_len:literal $shared_secret_len:literal;)*
    ) => {
        /// The key encapsulation mechanisms, with ascending bits.
        pub const KEMS: &[Kem] = &[$(Kem {
            bit: $bit,
            name: $name,
            option: $option,
            public_key_len: $public_key_len,
            ciphertext_len: $ciphertext_len,
            shared_secret_len: $shared_secret_len,
        },)*];
    };
}

signatures! {
    0 "Dilithium2"                     "DILITHIUM_2"                    2420;
    1 "Dilithium3"                     "DILITHIUM_3"                    3293;
    2 "Dilithium5"                     "DILITHIUM_5"                    4595;
    3 "Dilithium2-AES"                 "DILITHIUM_2_AES"                2420;
    4 "Dilithium3-AES"                 "DILITHIUM_3_AES"                3293;
    5 "Dilithium5-AES"                 "DILITHIUM_5_AES"                4595;
    8 "Falcon-512"                     "FALCON_512"                     690;
    9 "Falcon-1024"                    "FALCON_1024"                    1330;
    32 "SPHINCS+-Haraka-128f-robust"    "SPHINCS_HARAKA_128F_ROBUST"     16976;
    33 "SPHINCS+-Haraka-128f-simple"    "SPHINCS_HARAKA_128F_SIMPLE"     16976;
    34 "SPHINCS+-Haraka-128s-robust"    "SPHINCS_HARAKA_128S_ROBUST"     8080;
    35 "SPHINCS+-Haraka-128s-simple"    "SPHINCS_HARAKA_128S_SIMPLE"     8080;
    36 "SPHINCS+-Haraka-192f-robust"    "SPHINCS_HARAKA_192F_ROBUST"     35664;
    37 "SPHINCS+-Haraka-192f-simple"    "SPHINCS_HARAKA_192F_SIMPLE"     35664;
    38 "SPHINCS+-Haraka-192s-robust"    "SPHINCS_HARAKA_192S_ROBUST"     17064;
    39 "SPHINCS+-Haraka-192s-simple"    "SPHINCS_HARAKA_192S_SIMPLE"     17064;
    40 "SPHINCS+-Haraka-256f-robust"    "SPHINCS_HARAKA_256F_ROBUST"     49216;
    41 "SPHINCS+-Haraka-256f-simple"    "SPHINCS_HARAKA_256F_SIMPLE"     49216;
    42 "SPHINCS+-Haraka-256s-robust"    "SPHINCS_HARAKA_256S_ROBUST"     29792;
    43 "SPHINCS+-Haraka-256s-simple"    "SPHINCS_HARAKA_256S_SIMPLE"     29792;
    44 "SPHINCS+-SHA256-128f-robust"    "SPHINCS_SHA256_128F_ROBUST"     16976;
    45 "SPHINCS+-SHA256-128f-simple"    "SPHINCS_SHA256_128F_SIMPLE"     16976;
    46 "SPHINCS+-SHA256-128s-robust"    "SPHINCS_SHA256_128S_ROBUST"     8080;
    47 "SPHINCS+-SHA256-128s-simple"    "SPHINCS_SHA256_128S_SIMPLE"     8080;
    48 "SPHINCS+-SHA256-192f-robust"    "SPHINCS_SHA256_192F_ROBUST"     35664;
    49 "SPHINCS+-SHA256-192f-simple"    "SPHINCS_SHA256_192F_SIMPLE"     35664;
    50 "SPHINCS+-SHA256-192s-robust"    "SPHINCS_SHA256_192S_ROBUST"     17064;
    51 "SPHINCS+-SHA256-192s-simple"    "SPHINCS_SHA256_192S_SIMPLE"     17064;
    52 "SPHINCS+-SHA256-256f-robust"    "SPHINCS_SHA256_256F_ROBUST"     49216;
    53 "SPHINCS+-SHA256-256f-simple"    "SPHINCS_SHA256_256F_SIMPLE"     49216;
    54 "SPHINCS+-SHA256-256s-robust"    "SPHINCS_SHA256_256S_ROBUST"     29792;
    55 "SPHINCS+-SHA256-256s-simple"    "SPHINCS_SHA256_256S_SIMPLE"     29792;
    56 "SPHINCS+-SHAKE256-128f-robust"  "SPHINCS_SHAKE256_128F_ROBUST"   16976;
    57 "SPHINCS+-SHAKE256-128f-simple"  "SPHINCS_SHAKE256_128F_SIMPLE"   16976;
    58 "SPHINCS+-SHAKE256-128s-robust"  "SPHINCS_SHAKE256_128S_ROBUST"   8080;
    59 "SPHINCS+-SHAKE256-128s-simple"  "SPHINCS_SHAKE256_128S_SIMPLE"   8080;
    60 "SPHINCS+-SHAKE256-192f-robust"  "SPHINCS_SHAKE256_192F_ROBUST"   35664;
    61 "SPHINCS+-SHAKE256-192f-simple"  "SPHINCS_SHAKE256_192F_SIMPLE"   35664;
    62 "SPHINCS+-SHAKE256-192s-robust"  "SPHINCS_SHAKE256_192S_ROBUST"   17064;
    63 "SPHINCS+-SHAKE256-192s-simple"  "SPHINCS_SHAKE256_192S_SIMPLE"   17064;
    64 "SPHINCS+-SHAKE256-256f-robust"  "SPHINCS_SHAKE256_256F_ROBUST"   49216;
    65 "SPHINCS+-SHAKE256-256f-simple"  "SPHINCS_SHAKE256_256F_SIMPLE"   49216;
    66 "SPHINCS+-SHAKE256-256s-robust"  "SPHINCS_SHAKE256_256S_ROBUST"   29792;
    67 "SPHINCS+-SHAKE256-256s-simple"  "SPHINCS_SHAKE256_256S_SIMPLE"   29792;
}

kems! {
    0  "BIKE1-L1-CPA"               "BIKE1_L1_CPA"               2542    2542  32;
    1  "BIKE1-L3-CPA"               "BIKE1_L3_CPA"               4964    4964  32;
    2  "BIKE1-L1-FO"                "BIKE1_L1_FO"                2946    2946  32;
    3  "BIKE1-L3-FO"                "BIKE1_L3_FO"                6206    6206  32;
    8  "Classic-McEliece-348864"    "CLASSIC_MCELIECE_348864"    261120  128   32;
    9  "Classic-McEliece-348864f"   "CLASSIC_MCELIECE_348864F"   261120  128   32;
    10 "Classic-McEliece-460896"    "CLASSIC_MCELIECE_460896"    524160  188   32;
    11 "Classic-McEliece-460896f"   "CLASSIC_MCELIECE_460896F"   524160  188   32;
    12 "Classic-McEliece-6688128"   "CLASSIC_MCELIECE_6688128"   1044992 240   32;
    13 "Classic-McEliece-6688128f"  "CLASSIC_MCELIECE_6688128F"  1044992 240   32;
    14 "Classic-McEliece-6960119"   "CLASSIC_MCELIECE_6960119"   1047319 226   32;
    15 "Classic-McEliece-6960119f"  "CLASSIC_MCELIECE_6960119F"  1047319 226   32;
    16 "Classic-McEliece-8192128"   "CLASSIC_MCELIECE_8192128"   1357824 240   32;
    17 "Classic-McEliece-8192128f"  "CLASSIC_MCELIECE_8192128F"  1357824 240   32;
    24 "HQC-128"                    "HQC_128"                    2249    4481  64;
    25 "HQC-192"                    "HQC_192"                    4522    9026  64;
    26 "HQC-256"                    "HQC_256"                    7245    14469 64;
    32 "Kyber512"                   "KYBER_512"                  800     768   32;
    33 "Kyber768"                   "KYBER_768"                  1184    1088  32;
    34 "Kyber1024"                  "KYBER_1024"                 1568    1568  32;
    35 "Kyber512-90s"               "KYBER_512_90S"              800     768   32;
    36 "Kyber768-90s"               "KYBER_768_90S"              1184    1088  32;
    37 "Kyber1024-90s"              "KYBER_1024_90S"             1568    1568  32;
    72 "SIDH-p434"                  "SIDH_P434"                  330     330   110;
    73 "SIDH-p434-compressed"       "SIDH_P434_COMPRESSED"       197     197   110;
    74 "SIDH-p503"                  "SIDH_P503"                  378     378   126;
    75 "SIDH-p503-compressed"       "SIDH_P503_COMPRESSED"       225     225   126;
    76 "SIDH-p610"                  "SIDH_P610"                  462     462   154;
    77 "SIDH-p610-compressed"       "SIDH_P610_COMPRESSED"       274     274   154;
    78 "SIDH-p751"                  "SIDH_P751"                  564     564   188;
    79 "SIDH-p751-compressed"       "SIDH_P751_COMPRESSED"       335     335   188;
    80 "SIKE-p434"                  "SIKE_P434"                  330     346   16;
    81 "SIKE-p434-compressed"       "SIKE_P434_COMPRESSED"       197     236   16;
    82 "SIKE-p503"                  "SIKE_P503"                  378     402   24;
    83 "SIKE-p503-compressed"       "SIKE_P503_COMPRESSED"       225     280   24;
    84 "SIKE-p610"                  "SIKE_P610"                  462     486   24;
    85 "SIKE-p610-compressed"       "SIKE_P610_COMPRESSED"       274     336   24;
    86 "SIKE-p751"                  "SIKE_P751"                  564     596   32;
    87 "SIKE-p751-compressed"       "SIKE_P751_COMPRESSED"       335     410   32;
}
