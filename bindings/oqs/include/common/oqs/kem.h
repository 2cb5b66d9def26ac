/* Key encapsulation. */
#ifndef OQS_KEM_H
#define OQS_KEM_H

#include <oqs/common.h>

/* OQS_KEM_alg_<algorithm>: the names, also of algorithms that the library does not implement. */
#include <oqs/kem_names.h>

#if defined(__cplusplus)
extern "C" {
#endif

/* An algorithm, its lengths in bytes, and its functions. */
typedef struct OQS_KEM {
	/* The name, as passed to OQS_KEM_new but in the library's spelling. */
	const char *method_name;
	/* The document that defines the algorithm. */
	const char *alg_version;
	/* NIST's security category, 1 to 5. */
	uint8_t claimed_nist_level;
	/* Whether the algorithm is secure against chosen ciphertexts. */
	bool ind_cca;
	size_t length_public_key;
	size_t length_secret_key;
	size_t length_ciphertext;
	size_t length_shared_secret;
#if OQS_GRILLE_ERA >= 1300
	/* 0 if key generation takes no seed. */
	size_t length_keypair_seed;
#endif
#if OQS_GRILLE_ERA >= 1500
	/* 0 if encapsulation takes no seed. */
	size_t length_encaps_seed;
#endif
#if OQS_GRILLE_ERA >= 1300
	OQS_STATUS (*keypair_derand)(uint8_t *public_key, uint8_t *secret_key, const uint8_t *seed);
#endif
	OQS_STATUS (*keypair)(uint8_t *public_key, uint8_t *secret_key);
#if OQS_GRILLE_ERA >= 1500
	OQS_STATUS (*encaps_derand)(uint8_t *ciphertext, uint8_t *shared_secret, const uint8_t *public_key, const uint8_t *seed);
#endif
	OQS_STATUS (*encaps)(uint8_t *ciphertext, uint8_t *shared_secret, const uint8_t *public_key);
	OQS_STATUS (*decaps)(uint8_t *shared_secret, const uint8_t *ciphertext, const uint8_t *secret_key);
} OQS_KEM;

/* Returns the name at position i, or NULL for positions from OQS_KEM_algs_length on. */
OQS_API const char *OQS_KEM_alg_identifier(size_t i);

/* Returns OQS_KEM_algs_length. */
OQS_API int OQS_KEM_alg_count(void);

/* Returns 1 if the library implements the algorithm, else 0. */
OQS_API int OQS_KEM_alg_is_enabled(const char *method_name);

/* Returns the algorithm, or NULL if the library does not implement it. Case does not matter. */
OQS_API OQS_KEM *OQS_KEM_new(const char *method_name);

/* Frees an algorithm. kem may be NULL. */
OQS_API void OQS_KEM_free(OQS_KEM *kem);

/* Generates a key pair. */
OQS_API OQS_STATUS OQS_KEM_keypair(const OQS_KEM *kem, uint8_t *public_key, uint8_t *secret_key);

#if OQS_GRILLE_ERA >= 1300
/* Derives a key pair from a seed; OQS_ERROR if the algorithm takes none. */
OQS_API OQS_STATUS OQS_KEM_keypair_derand(const OQS_KEM *kem, uint8_t *public_key, uint8_t *secret_key, const uint8_t *seed);
#endif

#if OQS_GRILLE_ERA >= 1500
/* Encapsulates with a seed; OQS_ERROR if the algorithm takes none. */
OQS_API OQS_STATUS OQS_KEM_encaps_derand(const OQS_KEM *kem, uint8_t *ciphertext, uint8_t *shared_secret, const uint8_t *public_key, const uint8_t *seed);
#endif

/* Creates a shared secret and the ciphertext that carries it. */
OQS_API OQS_STATUS OQS_KEM_encaps(const OQS_KEM *kem, uint8_t *ciphertext, uint8_t *shared_secret, const uint8_t *public_key);

/* Recovers the shared secret. An altered ciphertext gives another secret, not an error. */
OQS_API OQS_STATUS OQS_KEM_decaps(const OQS_KEM *kem, uint8_t *shared_secret, const uint8_t *ciphertext, const uint8_t *secret_key);

#if defined(__cplusplus)
}
#endif

/* Lengths and functions of each algorithm that the library implements. */
#include <oqs/kem_families.h>

/* Programs that include this header alone get the rest, too. */
#include <oqs/oqs.h>

#endif
