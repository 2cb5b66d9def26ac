//! The measured configurations: the command lines of openspdm-pqc, and configurations of SPDM 1.4.

use super::report::Table;
use super::suite::{Suite, suite_name};
use crate::error::Error;
use crate::spdm::algorithms::Choice;
use grille_spdm_codec::Version;
use grille_spdm_engine::config::{Binding, Config};
use grille_spdm_engine::pqc2021::Algorithms;

/// The 43 command lines of openspdm-pqc without the program's name, in the order of its two tables.
#[rustfmt::skip]
pub(super) const PROTOTYPE: &[(Table, &str)] = &[
    (Table::Signatures, "--dhe SECP_256_R1 --pqc_pub_key_mode RAW --hash SHA_256 --asym RSAPSS_3072"),
    (Table::Signatures, "--dhe SECP_256_R1 --pqc_pub_key_mode RAW --hash SHA_256 --asym ECDSA_P256"),
    (Table::Signatures, "--dhe SECP_256_R1 --pqc_kem KYBER_512 --pqc_pub_key_mode CERT --hash SHA_256 --asym RSAPSS_3072 --pqc_sig DILITHIUM_2"),
    (Table::Signatures, "--dhe SECP_256_R1 --pqc_kem KYBER_512 --pqc_pub_key_mode CERT --hash SHA_256 --asym ECDSA_P256 --pqc_sig DILITHIUM_2"),
    (Table::Signatures, "--dhe SECP_256_R1 --pqc_kem KYBER_512_90S --pqc_pub_key_mode CERT --hash SHA_256 --asym ECDSA_P256 --pqc_sig DILITHIUM_2_AES"),
    (Table::Signatures, "--dhe SECP_256_R1 --pqc_kem KYBER_512 --pqc_pub_key_mode CERT --hash SHA_256 --asym RSAPSS_3072 --pqc_sig FALCON_512"),
    (Table::Signatures, "--dhe SECP_256_R1 --pqc_kem KYBER_512 --pqc_pub_key_mode CERT --hash SHA_256 --asym ECDSA_P256 --pqc_sig FALCON_512"),
    (Table::Signatures, "--dhe SECP_256_R1 --pqc_kem KYBER_512 --pqc_pub_key_mode RAW --hash SHA_256 --asym RSAPSS_3072 --pqc_sig SPHINCS_HARAKA_128F_ROBUST"),
    (Table::Signatures, "--dhe SECP_256_R1 --pqc_kem KYBER_512 --pqc_pub_key_mode RAW --hash SHA_256 --asym RSAPSS_3072 --pqc_sig SPHINCS_SHA256_128F_ROBUST"),
    (Table::Signatures, "--dhe SECP_256_R1 --pqc_kem KYBER_512 --pqc_pub_key_mode RAW --hash SHA_256 --asym RSAPSS_3072 --pqc_sig SPHINCS_SHAKE256_128F_ROBUST"),
    (Table::Signatures, "--dhe SECP_256_R1 --pqc_kem KYBER_512 --pqc_pub_key_mode RAW --hash SHA_256 --asym ECDSA_P256 --pqc_sig SPHINCS_HARAKA_128F_ROBUST"),
    (Table::Signatures, "--dhe SECP_256_R1 --pqc_kem KYBER_512 --pqc_pub_key_mode RAW --hash SHA_256 --asym ECDSA_P256 --pqc_sig SPHINCS_SHA256_128F_ROBUST"),
    (Table::Signatures, "--dhe SECP_256_R1 --pqc_kem KYBER_512 --pqc_pub_key_mode RAW --hash SHA_256 --asym ECDSA_P256 --pqc_sig SPHINCS_SHAKE256_128F_ROBUST"),
    (Table::Signatures, "--dhe SECP_384_R1 --pqc_pub_key_mode RAW --hash SHA_384 --asym ECDSA_P384"),
    (Table::Signatures, "--dhe SECP_384_R1 --pqc_kem KYBER_768 --pqc_pub_key_mode CERT --hash SHA_384 --asym ECDSA_P384 --pqc_sig DILITHIUM_3"),
    (Table::Signatures, "--dhe SECP_384_R1 --pqc_kem KYBER_768_90S --pqc_pub_key_mode CERT --hash SHA_384 --asym ECDSA_P384 --pqc_sig DILITHIUM_3_AES"),
    (Table::Signatures, "--dhe SECP_384_R1 --pqc_kem KYBER_768 --pqc_pub_key_mode CERT --hash SHA_384 --asym ECDSA_P521 --pqc_sig FALCON_1024"),
    (Table::Signatures, "--dhe SECP_521_R1 --pqc_pub_key_mode RAW --hash SHA_512 --asym ECDSA_P521"),
    (Table::Signatures, "--dhe SECP_521_R1 --pqc_kem KYBER_1024 --pqc_pub_key_mode CERT --hash SHA_512 --asym ECDSA_P521 --pqc_sig DILITHIUM_5"),
    (Table::Signatures, "--dhe SECP_521_R1 --pqc_kem KYBER_1024_90S --pqc_pub_key_mode CERT --hash SHA_512 --asym ECDSA_P521 --pqc_sig DILITHIUM_5_AES"),
    (Table::Signatures, "--dhe SECP_521_R1 --pqc_kem KYBER_1024 --pqc_pub_key_mode CERT --hash SHA_512 --asym ECDSA_P521 --pqc_sig FALCON_1024"),
    (Table::KemAuthentication, "--dhe SECP_256_R1 --pqc_pub_key_mode RAW --hash SHA_256 --asym RSAPSS_3072"),
    (Table::KemAuthentication, "--dhe SECP_256_R1 --pqc_pub_key_mode RAW --hash SHA_256 --asym ECDSA_P256"),
    (Table::KemAuthentication, "--pqc_kem KYBER_512 --pqc_pub_key_mode RAW --hash SHA_256 --slot_id 0xFF --pqc_sig DILITHIUM_2"),
    (Table::KemAuthentication, "--pqc_kem KYBER_512_90S --pqc_pub_key_mode RAW --hash SHA_256 --slot_id 0xFF --pqc_sig DILITHIUM_2_AES"),
    (Table::KemAuthentication, "--pqc_kem KYBER_512 --pqc_pub_key_mode RAW --hash SHA_256 --slot_id 0xFF --pqc_sig FALCON_512"),
    (Table::KemAuthentication, "--pqc_kem KYBER_512 --pqc_pub_key_mode RAW --hash SHA_256 --slot_id 0xFF --pqc_sig SPHINCS_HARAKA_128F_ROBUST"),
    (Table::KemAuthentication, "--pqc_kem KYBER_512 --pqc_pub_key_mode RAW --hash SHA_256 --slot_id 0xFF --pqc_sig SPHINCS_SHA256_128F_ROBUST"),
    (Table::KemAuthentication, "--pqc_kem KYBER_512 --pqc_pub_key_mode RAW --hash SHA_256 --slot_id 0xFF --pqc_sig SPHINCS_SHAKE256_128F_ROBUST"),
    (Table::KemAuthentication, "--pqc_kem KYBER_512 --pqc_pub_key_mode RAW --hash SHA_256 --slot_id 0xFF --pqc_kem_auth KYBER_512"),
    (Table::KemAuthentication, "--pqc_kem KYBER_512_90S --pqc_pub_key_mode RAW --hash SHA_256 --slot_id 0xFF --pqc_kem_auth KYBER_512_90S"),
    (Table::KemAuthentication, "--dhe SECP_384_R1 --pqc_pub_key_mode RAW --hash SHA_384 --asym ECDSA_P384"),
    (Table::KemAuthentication, "--pqc_kem KYBER_768 --pqc_pub_key_mode RAW --hash SHA_384 --slot_id 0xFF --pqc_sig DILITHIUM_3"),
    (Table::KemAuthentication, "--pqc_kem KYBER_768_90S --pqc_pub_key_mode RAW --hash SHA_384 --slot_id 0xFF --pqc_sig DILITHIUM_3_AES"),
    (Table::KemAuthentication, "--pqc_kem KYBER_768 --pqc_pub_key_mode RAW --hash SHA_384 --slot_id 0xFF --pqc_sig FALCON_1024"),
    (Table::KemAuthentication, "--pqc_kem KYBER_768 --pqc_pub_key_mode RAW --hash SHA_384 --slot_id 0xFF --pqc_kem_auth KYBER_768"),
    (Table::KemAuthentication, "--pqc_kem KYBER_768_90S --pqc_pub_key_mode RAW --hash SHA_384 --slot_id 0xFF --pqc_kem_auth KYBER_768_90S"),
    (Table::KemAuthentication, "--dhe SECP_521_R1 --pqc_pub_key_mode RAW --hash SHA_512 --asym ECDSA_P521"),
    (Table::KemAuthentication, "--pqc_kem KYBER_1024 --pqc_pub_key_mode RAW --hash SHA_512 --slot_id 0xFF --pqc_sig DILITHIUM_5"),
    (Table::KemAuthentication, "--pqc_kem KYBER_1024_90S --pqc_pub_key_mode RAW --hash SHA_512 --slot_id 0xFF --pqc_sig DILITHIUM_5_AES"),
    (Table::KemAuthentication, "--pqc_kem KYBER_1024 --pqc_pub_key_mode RAW --hash SHA_512 --slot_id 0xFF --pqc_sig FALCON_1024"),
    (Table::KemAuthentication, "--pqc_kem KYBER_1024 --pqc_pub_key_mode RAW --hash SHA_512 --slot_id 0xFF --pqc_kem_auth KYBER_1024"),
    (Table::KemAuthentication, "--pqc_kem KYBER_1024_90S --pqc_pub_key_mode RAW --hash SHA_512 --slot_id 0xFF --pqc_kem_auth KYBER_1024_90S"),
];

/// The configurations of SPDM 1.4: in each row the security level, the hash, the classical signature, the post-quantum
/// signature, the group and the KEM.
const STANDARD: &[(u8, &str, &str, &str, &str, &str)] = &[
    (1, "SHA_256", "ECDSA_P256", "NONE", "SECP_256_R1", "NONE"),
    (1, "SHA_256", "NONE", "ML_DSA_44", "NONE", "ML_KEM_512"),
    (1, "SHA_256", "NONE", "SLH_DSA_SHA2_128F", "NONE", "ML_KEM_512"),
    (1, "SHA_256", "NONE", "SLH_DSA_SHAKE_128F", "NONE", "ML_KEM_512"),
    (3, "SHA_384", "ECDSA_P384", "NONE", "SECP_384_R1", "NONE"),
    (3, "SHA_384", "NONE", "ML_DSA_65", "NONE", "ML_KEM_768"),
    (5, "SHA_512", "ECDSA_P521", "NONE", "SECP_521_R1", "NONE"),
    (5, "SHA_512", "NONE", "ML_DSA_87", "NONE", "ML_KEM_1024"),
];

/// Returns the configurations of SPDM 1.4.
///
/// # Errors
/// Returns an error if a name is unknown, which a test excludes.
pub(super) fn standard() -> Result<Vec<Suite>, Error> {
    let suite = |&(level, hash, asym, pqc_asym, dhe, kem): &(u8, _, _, _, _, _)| {
        let bits = Choice { hash, asym, pqc_asym, dhe, kem, aead: "AES_256_GCM" }.bits()?;
        Ok(Suite {
            level,
            name: suite_name(&bits, &Algorithms::default(), false),
            version: Version::V1_4,
            bits,
            dialect: None,
            slot: 0,
            summary: 0xFF,
            flags: None,
            is_mutual: false,
            slot_count: 1,
            binding: Binding::Mctp,
            secured: Config::default().secured_versions,
        })
    };
    STANDARD.iter().map(suite).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_standard_configurations_are_known() {
        let suites = standard().unwrap();
        assert_eq!((suites.len(), suites[1].name.as_str()), (8, "ML-KEM-512 + ML-DSA-44"));
        assert_eq!(suites[0].name, "p256 + p256");
    }
}
