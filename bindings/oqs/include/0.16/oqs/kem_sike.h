/* Lengths in bytes, and functions. Written by tests/generated: do not edit. */
#ifndef OQS_KEM_SIKE_FAMILY_H
#define OQS_KEM_SIKE_FAMILY_H

#include <oqs/oqs.h>

#if defined(__cplusplus)
extern "C" {
#endif

#ifdef OQS_ENABLE_KEM_sike_p434
#define OQS_KEM_sike_p434_length_public_key 330
#define OQS_KEM_sike_p434_length_secret_key 374
#define OQS_KEM_sike_p434_length_ciphertext 346
#define OQS_KEM_sike_p434_length_shared_secret 16
#define OQS_KEM_sike_p434_length_keypair_seed 0
#define OQS_KEM_sike_p434_length_encaps_seed 0
OQS_API OQS_STATUS OQS_KEM_sike_p434_keypair(uint8_t *public_key, uint8_t *secret_key);
OQS_API OQS_STATUS OQS_KEM_sike_p434_encaps(uint8_t *ciphertext, uint8_t *shared_secret, const uint8_t *public_key);
OQS_API OQS_STATUS OQS_KEM_sike_p434_decaps(uint8_t *shared_secret, const uint8_t *ciphertext, const uint8_t *secret_key);
OQS_API OQS_STATUS OQS_KEM_sike_p434_keypair_derand(uint8_t *public_key, uint8_t *secret_key, const uint8_t *seed);
OQS_API OQS_STATUS OQS_KEM_sike_p434_encaps_derand(uint8_t *ciphertext, uint8_t *shared_secret, const uint8_t *public_key, const uint8_t *seed);
#endif

#ifdef OQS_ENABLE_KEM_sike_p503
#define OQS_KEM_sike_p503_length_public_key 378
#define OQS_KEM_sike_p503_length_secret_key 434
#define OQS_KEM_sike_p503_length_ciphertext 402
#define OQS_KEM_sike_p503_length_shared_secret 24
#define OQS_KEM_sike_p503_length_keypair_seed 0
#define OQS_KEM_sike_p503_length_encaps_seed 0
OQS_API OQS_STATUS OQS_KEM_sike_p503_keypair(uint8_t *public_key, uint8_t *secret_key);
OQS_API OQS_STATUS OQS_KEM_sike_p503_encaps(uint8_t *ciphertext, uint8_t *shared_secret, const uint8_t *public_key);
OQS_API OQS_STATUS OQS_KEM_sike_p503_decaps(uint8_t *shared_secret, const uint8_t *ciphertext, const uint8_t *secret_key);
OQS_API OQS_STATUS OQS_KEM_sike_p503_keypair_derand(uint8_t *public_key, uint8_t *secret_key, const uint8_t *seed);
OQS_API OQS_STATUS OQS_KEM_sike_p503_encaps_derand(uint8_t *ciphertext, uint8_t *shared_secret, const uint8_t *public_key, const uint8_t *seed);
#endif

#ifdef OQS_ENABLE_KEM_sike_p610
#define OQS_KEM_sike_p610_length_public_key 462
#define OQS_KEM_sike_p610_length_secret_key 524
#define OQS_KEM_sike_p610_length_ciphertext 486
#define OQS_KEM_sike_p610_length_shared_secret 24
#define OQS_KEM_sike_p610_length_keypair_seed 0
#define OQS_KEM_sike_p610_length_encaps_seed 0
OQS_API OQS_STATUS OQS_KEM_sike_p610_keypair(uint8_t *public_key, uint8_t *secret_key);
OQS_API OQS_STATUS OQS_KEM_sike_p610_encaps(uint8_t *ciphertext, uint8_t *shared_secret, const uint8_t *public_key);
OQS_API OQS_STATUS OQS_KEM_sike_p610_decaps(uint8_t *shared_secret, const uint8_t *ciphertext, const uint8_t *secret_key);
OQS_API OQS_STATUS OQS_KEM_sike_p610_keypair_derand(uint8_t *public_key, uint8_t *secret_key, const uint8_t *seed);
OQS_API OQS_STATUS OQS_KEM_sike_p610_encaps_derand(uint8_t *ciphertext, uint8_t *shared_secret, const uint8_t *public_key, const uint8_t *seed);
#endif

#ifdef OQS_ENABLE_KEM_sike_p751
#define OQS_KEM_sike_p751_length_public_key 564
#define OQS_KEM_sike_p751_length_secret_key 644
#define OQS_KEM_sike_p751_length_ciphertext 596
#define OQS_KEM_sike_p751_length_shared_secret 32
#define OQS_KEM_sike_p751_length_keypair_seed 0
#define OQS_KEM_sike_p751_length_encaps_seed 0
OQS_API OQS_STATUS OQS_KEM_sike_p751_keypair(uint8_t *public_key, uint8_t *secret_key);
OQS_API OQS_STATUS OQS_KEM_sike_p751_encaps(uint8_t *ciphertext, uint8_t *shared_secret, const uint8_t *public_key);
OQS_API OQS_STATUS OQS_KEM_sike_p751_decaps(uint8_t *shared_secret, const uint8_t *ciphertext, const uint8_t *secret_key);
OQS_API OQS_STATUS OQS_KEM_sike_p751_keypair_derand(uint8_t *public_key, uint8_t *secret_key, const uint8_t *seed);
OQS_API OQS_STATUS OQS_KEM_sike_p751_encaps_derand(uint8_t *ciphertext, uint8_t *shared_secret, const uint8_t *public_key, const uint8_t *seed);
#endif

#ifdef OQS_ENABLE_KEM_sike_p434_compressed
#define OQS_KEM_sike_p434_compressed_length_public_key 197
#define OQS_KEM_sike_p434_compressed_length_secret_key 350
#define OQS_KEM_sike_p434_compressed_length_ciphertext 236
#define OQS_KEM_sike_p434_compressed_length_shared_secret 16
#define OQS_KEM_sike_p434_compressed_length_keypair_seed 0
#define OQS_KEM_sike_p434_compressed_length_encaps_seed 0
OQS_API OQS_STATUS OQS_KEM_sike_p434_compressed_keypair(uint8_t *public_key, uint8_t *secret_key);
OQS_API OQS_STATUS OQS_KEM_sike_p434_compressed_encaps(uint8_t *ciphertext, uint8_t *shared_secret, const uint8_t *public_key);
OQS_API OQS_STATUS OQS_KEM_sike_p434_compressed_decaps(uint8_t *shared_secret, const uint8_t *ciphertext, const uint8_t *secret_key);
OQS_API OQS_STATUS OQS_KEM_sike_p434_compressed_keypair_derand(uint8_t *public_key, uint8_t *secret_key, const uint8_t *seed);
OQS_API OQS_STATUS OQS_KEM_sike_p434_compressed_encaps_derand(uint8_t *ciphertext, uint8_t *shared_secret, const uint8_t *public_key, const uint8_t *seed);
#endif

#ifdef OQS_ENABLE_KEM_sike_p503_compressed
#define OQS_KEM_sike_p503_compressed_length_public_key 225
#define OQS_KEM_sike_p503_compressed_length_secret_key 407
#define OQS_KEM_sike_p503_compressed_length_ciphertext 280
#define OQS_KEM_sike_p503_compressed_length_shared_secret 24
#define OQS_KEM_sike_p503_compressed_length_keypair_seed 0
#define OQS_KEM_sike_p503_compressed_length_encaps_seed 0
OQS_API OQS_STATUS OQS_KEM_sike_p503_compressed_keypair(uint8_t *public_key, uint8_t *secret_key);
OQS_API OQS_STATUS OQS_KEM_sike_p503_compressed_encaps(uint8_t *ciphertext, uint8_t *shared_secret, const uint8_t *public_key);
OQS_API OQS_STATUS OQS_KEM_sike_p503_compressed_decaps(uint8_t *shared_secret, const uint8_t *ciphertext, const uint8_t *secret_key);
OQS_API OQS_STATUS OQS_KEM_sike_p503_compressed_keypair_derand(uint8_t *public_key, uint8_t *secret_key, const uint8_t *seed);
OQS_API OQS_STATUS OQS_KEM_sike_p503_compressed_encaps_derand(uint8_t *ciphertext, uint8_t *shared_secret, const uint8_t *public_key, const uint8_t *seed);
#endif

#ifdef OQS_ENABLE_KEM_sike_p610_compressed
#define OQS_KEM_sike_p610_compressed_length_public_key 274
#define OQS_KEM_sike_p610_compressed_length_secret_key 491
#define OQS_KEM_sike_p610_compressed_length_ciphertext 336
#define OQS_KEM_sike_p610_compressed_length_shared_secret 24
#define OQS_KEM_sike_p610_compressed_length_keypair_seed 0
#define OQS_KEM_sike_p610_compressed_length_encaps_seed 0
OQS_API OQS_STATUS OQS_KEM_sike_p610_compressed_keypair(uint8_t *public_key, uint8_t *secret_key);
OQS_API OQS_STATUS OQS_KEM_sike_p610_compressed_encaps(uint8_t *ciphertext, uint8_t *shared_secret, const uint8_t *public_key);
OQS_API OQS_STATUS OQS_KEM_sike_p610_compressed_decaps(uint8_t *shared_secret, const uint8_t *ciphertext, const uint8_t *secret_key);
OQS_API OQS_STATUS OQS_KEM_sike_p610_compressed_keypair_derand(uint8_t *public_key, uint8_t *secret_key, const uint8_t *seed);
OQS_API OQS_STATUS OQS_KEM_sike_p610_compressed_encaps_derand(uint8_t *ciphertext, uint8_t *shared_secret, const uint8_t *public_key, const uint8_t *seed);
#endif

#ifdef OQS_ENABLE_KEM_sike_p751_compressed
#define OQS_KEM_sike_p751_compressed_length_public_key 335
#define OQS_KEM_sike_p751_compressed_length_secret_key 602
#define OQS_KEM_sike_p751_compressed_length_ciphertext 410
#define OQS_KEM_sike_p751_compressed_length_shared_secret 32
#define OQS_KEM_sike_p751_compressed_length_keypair_seed 0
#define OQS_KEM_sike_p751_compressed_length_encaps_seed 0
OQS_API OQS_STATUS OQS_KEM_sike_p751_compressed_keypair(uint8_t *public_key, uint8_t *secret_key);
OQS_API OQS_STATUS OQS_KEM_sike_p751_compressed_encaps(uint8_t *ciphertext, uint8_t *shared_secret, const uint8_t *public_key);
OQS_API OQS_STATUS OQS_KEM_sike_p751_compressed_decaps(uint8_t *shared_secret, const uint8_t *ciphertext, const uint8_t *secret_key);
OQS_API OQS_STATUS OQS_KEM_sike_p751_compressed_keypair_derand(uint8_t *public_key, uint8_t *secret_key, const uint8_t *seed);
OQS_API OQS_STATUS OQS_KEM_sike_p751_compressed_encaps_derand(uint8_t *ciphertext, uint8_t *shared_secret, const uint8_t *public_key, const uint8_t *seed);
#endif

#if defined(__cplusplus)
}
#endif

#endif
