/* The release, and the algorithms that the library implements. Written by tests/generated: do not edit. */
#ifndef OQS_CONFIG_H
#define OQS_CONFIG_H

/* The release of liboqs whose layouts and names these headers have: 1600 is 0.16.0. */
#define OQS_GRILLE_ERA 1600

#define OQS_VERSION_TEXT "0.16.0"
#define OQS_VERSION_MAJOR 0
#define OQS_VERSION_MINOR 16
#define OQS_VERSION_PATCH 0

#define OQS_COMPILE_BUILD_TARGET "grille"
#define OQS_DIST_BUILD 1
#if defined(__x86_64__) || defined(_M_X64)
#define ARCH_X86_64 1
#define OQS_DIST_X86_64_BUILD 1
#elif defined(__aarch64__) || defined(_M_ARM64)
#define ARCH_ARM64v8 1
#define OQS_DIST_ARM64_V8_BUILD 1
#endif

/* The library has SIKE and SIDH, which have a known attack. `install.sh --broken` defines this. */
/* #undef GRILLE_OQS_BROKEN */

#ifndef OQS_ENABLE_KEM_BIKE
#define OQS_ENABLE_KEM_BIKE 1
#endif
#define OQS_ENABLE_KEM_bike1_l1_cpa 1
#define OQS_ENABLE_KEM_bike1_l3_cpa 1
#define OQS_ENABLE_KEM_bike1_l1_fo 1
#define OQS_ENABLE_KEM_bike1_l3_fo 1
#ifndef OQS_ENABLE_KEM_CLASSIC_MCELIECE
#define OQS_ENABLE_KEM_CLASSIC_MCELIECE 1
#endif
#define OQS_ENABLE_KEM_classic_mceliece_348864 1
#define OQS_ENABLE_KEM_classic_mceliece_348864f 1
#define OQS_ENABLE_KEM_classic_mceliece_460896 1
#define OQS_ENABLE_KEM_classic_mceliece_460896f 1
#define OQS_ENABLE_KEM_classic_mceliece_6688128 1
#define OQS_ENABLE_KEM_classic_mceliece_6688128f 1
#define OQS_ENABLE_KEM_classic_mceliece_6960119 1
#define OQS_ENABLE_KEM_classic_mceliece_6960119f 1
#define OQS_ENABLE_KEM_classic_mceliece_8192128 1
#define OQS_ENABLE_KEM_classic_mceliece_8192128f 1
#ifndef OQS_ENABLE_KEM_KYBER
#define OQS_ENABLE_KEM_KYBER 1
#endif
#define OQS_ENABLE_KEM_kyber_512 1
#define OQS_ENABLE_KEM_kyber_768 1
#define OQS_ENABLE_KEM_kyber_1024 1
#define OQS_ENABLE_KEM_kyber_512_90s 1
#define OQS_ENABLE_KEM_kyber_768_90s 1
#define OQS_ENABLE_KEM_kyber_1024_90s 1
#ifndef OQS_ENABLE_KEM_NTRU
#define OQS_ENABLE_KEM_NTRU 1
#endif
#define OQS_ENABLE_KEM_ntru_hps2048509 1
#define OQS_ENABLE_KEM_ntru_hps2048677 1
#define OQS_ENABLE_KEM_ntru_hps4096821 1
#define OQS_ENABLE_KEM_ntru_hrss701 1
#ifndef OQS_ENABLE_KEM_SABER
#define OQS_ENABLE_KEM_SABER 1
#endif
#define OQS_ENABLE_KEM_saber_lightsaber 1
#define OQS_ENABLE_KEM_saber_saber 1
#define OQS_ENABLE_KEM_saber_firesaber 1
#ifndef OQS_ENABLE_KEM_BIKE
#define OQS_ENABLE_KEM_BIKE 1
#endif
#define OQS_ENABLE_KEM_bike_l1 1
#define OQS_ENABLE_KEM_bike_l3 1
#ifndef OQS_ENABLE_KEM_NTRU
#define OQS_ENABLE_KEM_NTRU 1
#endif
#define OQS_ENABLE_KEM_ntru_hps40961229 1
#define OQS_ENABLE_KEM_ntru_hrss1373 1
#ifndef OQS_ENABLE_KEM_BIKE
#define OQS_ENABLE_KEM_BIKE 1
#endif
#define OQS_ENABLE_KEM_bike_l5 1
#ifndef OQS_ENABLE_KEM_ML_KEM
#define OQS_ENABLE_KEM_ML_KEM 1
#endif
#define OQS_ENABLE_KEM_ml_kem_512 1
#define OQS_ENABLE_KEM_ml_kem_768 1
#define OQS_ENABLE_KEM_ml_kem_1024 1
#ifndef OQS_ENABLE_KEM_HQC
#define OQS_ENABLE_KEM_HQC 1
#endif
#define OQS_ENABLE_KEM_hqc_1 1
#define OQS_ENABLE_KEM_hqc_3 1
#define OQS_ENABLE_KEM_hqc_5 1
#ifdef GRILLE_OQS_BROKEN
#ifndef OQS_ENABLE_KEM_SIDH
#define OQS_ENABLE_KEM_SIDH 1
#endif
#define OQS_ENABLE_KEM_sidh_p434 1
#define OQS_ENABLE_KEM_sidh_p503 1
#define OQS_ENABLE_KEM_sidh_p610 1
#define OQS_ENABLE_KEM_sidh_p751 1
#define OQS_ENABLE_KEM_sidh_p434_compressed 1
#define OQS_ENABLE_KEM_sidh_p503_compressed 1
#define OQS_ENABLE_KEM_sidh_p610_compressed 1
#define OQS_ENABLE_KEM_sidh_p751_compressed 1
#ifndef OQS_ENABLE_KEM_SIKE
#define OQS_ENABLE_KEM_SIKE 1
#endif
#define OQS_ENABLE_KEM_sike_p434 1
#define OQS_ENABLE_KEM_sike_p503 1
#define OQS_ENABLE_KEM_sike_p610 1
#define OQS_ENABLE_KEM_sike_p751 1
#define OQS_ENABLE_KEM_sike_p434_compressed 1
#define OQS_ENABLE_KEM_sike_p503_compressed 1
#define OQS_ENABLE_KEM_sike_p610_compressed 1
#define OQS_ENABLE_KEM_sike_p751_compressed 1
#endif

#ifndef OQS_ENABLE_SIG_DILITHIUM
#define OQS_ENABLE_SIG_DILITHIUM 1
#endif
#define OQS_ENABLE_SIG_dilithium_2 1
#define OQS_ENABLE_SIG_dilithium_3 1
#define OQS_ENABLE_SIG_dilithium_5 1
#define OQS_ENABLE_SIG_dilithium_2_aes 1
#define OQS_ENABLE_SIG_dilithium_3_aes 1
#define OQS_ENABLE_SIG_dilithium_5_aes 1
#ifndef OQS_ENABLE_SIG_FALCON
#define OQS_ENABLE_SIG_FALCON 1
#endif
#define OQS_ENABLE_SIG_falcon_512 1
#define OQS_ENABLE_SIG_falcon_1024 1
#ifndef OQS_ENABLE_SIG_SPHINCS
#define OQS_ENABLE_SIG_SPHINCS 1
#endif
#define OQS_ENABLE_SIG_sphincs_haraka_128f_robust 1
#define OQS_ENABLE_SIG_sphincs_haraka_128f_simple 1
#define OQS_ENABLE_SIG_sphincs_haraka_128s_robust 1
#define OQS_ENABLE_SIG_sphincs_haraka_128s_simple 1
#define OQS_ENABLE_SIG_sphincs_haraka_192f_robust 1
#define OQS_ENABLE_SIG_sphincs_haraka_192f_simple 1
#define OQS_ENABLE_SIG_sphincs_haraka_192s_robust 1
#define OQS_ENABLE_SIG_sphincs_haraka_192s_simple 1
#define OQS_ENABLE_SIG_sphincs_haraka_256f_robust 1
#define OQS_ENABLE_SIG_sphincs_haraka_256f_simple 1
#define OQS_ENABLE_SIG_sphincs_haraka_256s_robust 1
#define OQS_ENABLE_SIG_sphincs_haraka_256s_simple 1
#define OQS_ENABLE_SIG_sphincs_sha256_128f_robust 1
#define OQS_ENABLE_SIG_sphincs_sha256_128f_simple 1
#define OQS_ENABLE_SIG_sphincs_sha256_128s_robust 1
#define OQS_ENABLE_SIG_sphincs_sha256_128s_simple 1
#define OQS_ENABLE_SIG_sphincs_sha256_192f_robust 1
#define OQS_ENABLE_SIG_sphincs_sha256_192f_simple 1
#define OQS_ENABLE_SIG_sphincs_sha256_192s_robust 1
#define OQS_ENABLE_SIG_sphincs_sha256_192s_simple 1
#define OQS_ENABLE_SIG_sphincs_sha256_256f_robust 1
#define OQS_ENABLE_SIG_sphincs_sha256_256f_simple 1
#define OQS_ENABLE_SIG_sphincs_sha256_256s_robust 1
#define OQS_ENABLE_SIG_sphincs_sha256_256s_simple 1
#define OQS_ENABLE_SIG_sphincs_shake256_128f_robust 1
#define OQS_ENABLE_SIG_sphincs_shake256_128f_simple 1
#define OQS_ENABLE_SIG_sphincs_shake256_128s_robust 1
#define OQS_ENABLE_SIG_sphincs_shake256_128s_simple 1
#define OQS_ENABLE_SIG_sphincs_shake256_192f_robust 1
#define OQS_ENABLE_SIG_sphincs_shake256_192f_simple 1
#define OQS_ENABLE_SIG_sphincs_shake256_192s_robust 1
#define OQS_ENABLE_SIG_sphincs_shake256_192s_simple 1
#define OQS_ENABLE_SIG_sphincs_shake256_256f_robust 1
#define OQS_ENABLE_SIG_sphincs_shake256_256f_simple 1
#define OQS_ENABLE_SIG_sphincs_shake256_256s_robust 1
#define OQS_ENABLE_SIG_sphincs_shake256_256s_simple 1
#define OQS_ENABLE_SIG_sphincs_sha2_128f_simple 1
#define OQS_ENABLE_SIG_sphincs_sha2_128s_simple 1
#define OQS_ENABLE_SIG_sphincs_sha2_192f_simple 1
#define OQS_ENABLE_SIG_sphincs_sha2_192s_simple 1
#define OQS_ENABLE_SIG_sphincs_sha2_256f_simple 1
#define OQS_ENABLE_SIG_sphincs_sha2_256s_simple 1
#define OQS_ENABLE_SIG_sphincs_shake_128f_simple 1
#define OQS_ENABLE_SIG_sphincs_shake_128s_simple 1
#define OQS_ENABLE_SIG_sphincs_shake_192f_simple 1
#define OQS_ENABLE_SIG_sphincs_shake_192s_simple 1
#define OQS_ENABLE_SIG_sphincs_shake_256f_simple 1
#define OQS_ENABLE_SIG_sphincs_shake_256s_simple 1
#ifndef OQS_ENABLE_SIG_ML_DSA
#define OQS_ENABLE_SIG_ML_DSA 1
#endif
#define OQS_ENABLE_SIG_ml_dsa_44 1
#define OQS_ENABLE_SIG_ml_dsa_65 1
#define OQS_ENABLE_SIG_ml_dsa_87 1
#ifndef OQS_ENABLE_SIG_FALCON
#define OQS_ENABLE_SIG_FALCON 1
#endif
#define OQS_ENABLE_SIG_falcon_padded_512 1
#define OQS_ENABLE_SIG_falcon_padded_1024 1
#ifndef OQS_ENABLE_SIG_SLH_DSA
#define OQS_ENABLE_SIG_SLH_DSA 1
#endif
#define OQS_ENABLE_SIG_slh_dsa_pure_sha2_128s 1
#define OQS_ENABLE_SIG_slh_dsa_pure_sha2_128f 1
#define OQS_ENABLE_SIG_slh_dsa_pure_sha2_192s 1
#define OQS_ENABLE_SIG_slh_dsa_pure_sha2_192f 1
#define OQS_ENABLE_SIG_slh_dsa_pure_sha2_256s 1
#define OQS_ENABLE_SIG_slh_dsa_pure_sha2_256f 1
#define OQS_ENABLE_SIG_slh_dsa_pure_shake_128s 1
#define OQS_ENABLE_SIG_slh_dsa_pure_shake_128f 1
#define OQS_ENABLE_SIG_slh_dsa_pure_shake_192s 1
#define OQS_ENABLE_SIG_slh_dsa_pure_shake_192f 1
#define OQS_ENABLE_SIG_slh_dsa_pure_shake_256s 1
#define OQS_ENABLE_SIG_slh_dsa_pure_shake_256f 1
#define OQS_ENABLE_SIG_slh_dsa_sha2_256_prehash_sha2_128s 1
#define OQS_ENABLE_SIG_slh_dsa_sha2_256_prehash_sha2_128f 1
#define OQS_ENABLE_SIG_slh_dsa_sha2_512_prehash_sha2_192s 1
#define OQS_ENABLE_SIG_slh_dsa_sha2_512_prehash_sha2_192f 1
#define OQS_ENABLE_SIG_slh_dsa_sha2_512_prehash_sha2_256s 1
#define OQS_ENABLE_SIG_slh_dsa_sha2_512_prehash_sha2_256f 1
#define OQS_ENABLE_SIG_slh_dsa_shake_128_prehash_shake_128s 1
#define OQS_ENABLE_SIG_slh_dsa_shake_128_prehash_shake_128f 1
#define OQS_ENABLE_SIG_slh_dsa_shake_256_prehash_shake_192s 1
#define OQS_ENABLE_SIG_slh_dsa_shake_256_prehash_shake_192f 1
#define OQS_ENABLE_SIG_slh_dsa_shake_256_prehash_shake_256s 1
#define OQS_ENABLE_SIG_slh_dsa_shake_256_prehash_shake_256f 1

#endif
