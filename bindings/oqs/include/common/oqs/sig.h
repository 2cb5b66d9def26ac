/* Signatures. */
#ifndef OQS_SIG_H
#define OQS_SIG_H

#include <oqs/common.h>

/* OQS_SIG_alg_<algorithm>: the names, also of algorithms that the library does not implement. */
#include <oqs/sig_names.h>

#if defined(__cplusplus)
extern "C" {
#endif

/* An algorithm, its lengths in bytes, and its functions. */
typedef struct OQS_SIG {
	/* The name, as passed to OQS_SIG_new but in the library's spelling. */
	const char *method_name;
	/* The document that defines the algorithm. */
	const char *alg_version;
	/* NIST's security category, 1 to 5. */
	uint8_t claimed_nist_level;
	/* Whether signatures cannot be forged for new messages. */
	bool euf_cma;
#if OQS_GRILLE_ERA >= 1300
	/* Whether signatures cannot be forged for signed messages either. */
	bool suf_cma;
#endif
#if OQS_GRILLE_ERA >= 1200
	/* Whether the algorithm takes context strings. */
	bool sig_with_ctx_support;
#endif
	size_t length_public_key;
	size_t length_secret_key;
	/* The length of the longest signature. */
	size_t length_signature;
	OQS_STATUS (*keypair)(uint8_t *public_key, uint8_t *secret_key);
	OQS_STATUS (*sign)(uint8_t *signature, size_t *signature_len, const uint8_t *message, size_t message_len, const uint8_t *secret_key);
#if OQS_GRILLE_ERA >= 1200
	OQS_STATUS (*sign_with_ctx_str)(uint8_t *signature, size_t *signature_len, const uint8_t *message, size_t message_len, const uint8_t *ctx, size_t ctxlen, const uint8_t *secret_key);
#endif
	OQS_STATUS (*verify)(const uint8_t *message, size_t message_len, const uint8_t *signature, size_t signature_len, const uint8_t *public_key);
#if OQS_GRILLE_ERA >= 1200
	OQS_STATUS (*verify_with_ctx_str)(const uint8_t *message, size_t message_len, const uint8_t *signature, size_t signature_len, const uint8_t *ctx, size_t ctxlen, const uint8_t *public_key);
#endif
} OQS_SIG;

/* Returns the name at position i, or NULL for positions from OQS_SIG_algs_length on. */
OQS_API const char *OQS_SIG_alg_identifier(size_t i);

/* Returns OQS_SIG_algs_length. */
OQS_API int OQS_SIG_alg_count(void);

/* Returns 1 if the library implements the algorithm, else 0. */
OQS_API int OQS_SIG_alg_is_enabled(const char *method_name);

#if OQS_GRILLE_ERA >= 1400
/* Returns whether the algorithm takes context strings. */
OQS_API bool OQS_SIG_supports_ctx_str(const char *method_name);
#endif

/* Returns the algorithm, or NULL if the library does not implement it. Case does not matter. */
OQS_API OQS_SIG *OQS_SIG_new(const char *method_name);

/* Frees an algorithm. sig may be NULL. */
OQS_API void OQS_SIG_free(OQS_SIG *sig);

/* Generates a key pair. */
OQS_API OQS_STATUS OQS_SIG_keypair(const OQS_SIG *sig, uint8_t *public_key, uint8_t *secret_key);

/* Signs a message into a buffer of length_signature bytes. */
OQS_API OQS_STATUS OQS_SIG_sign(const OQS_SIG *sig, uint8_t *signature, size_t *signature_len, const uint8_t *message, size_t message_len, const uint8_t *secret_key);

/* Verifies the signature of a message. */
OQS_API OQS_STATUS OQS_SIG_verify(const OQS_SIG *sig, const uint8_t *message, size_t message_len, const uint8_t *signature, size_t signature_len, const uint8_t *public_key);

#if OQS_GRILLE_ERA >= 1200
/* Signs a message with a context string of 0 to 255 bytes. */
OQS_API OQS_STATUS OQS_SIG_sign_with_ctx_str(const OQS_SIG *sig, uint8_t *signature, size_t *signature_len, const uint8_t *message, size_t message_len, const uint8_t *ctx, size_t ctxlen, const uint8_t *secret_key);

/* Verifies the signature of a message with a context string. */
OQS_API OQS_STATUS OQS_SIG_verify_with_ctx_str(const OQS_SIG *sig, const uint8_t *message, size_t message_len, const uint8_t *signature, size_t signature_len, const uint8_t *ctx, size_t ctxlen, const uint8_t *public_key);
#endif

#if defined(__cplusplus)
}
#endif

/* Lengths and functions of each algorithm that the library implements. */
#include <oqs/sig_families.h>

/* Programs that include this header alone get the rest, too. */
#include <oqs/oqs.h>

#endif
