/* Randomness. All operations take their random bytes from here. */
#ifndef OQS_RANDOM_H
#define OQS_RANDOM_H

#include <oqs/common.h>

#if defined(__cplusplus)
extern "C" {
#endif

/* Names for OQS_randombytes_switch_algorithm. "OpenSSL" selects the system's generator, too. */
#define OQS_RAND_alg_system "system"
#define OQS_RAND_alg_openssl "OpenSSL"
#if OQS_GRILLE_ERA < 1000
/* The generator of NIST's known answers. It is predictable: for tests only. */
#define OQS_RAND_alg_nist_kat "NIST-KAT"
#endif

/* Selects a generator by its name. */
OQS_API OQS_STATUS OQS_randombytes_switch_algorithm(const char *algorithm);

/* Selects a generator of the program, which all threads may call. NULL selects the system's. */
OQS_API void OQS_randombytes_custom_algorithm(void (*algorithm_ptr)(uint8_t *, size_t));

/* Fills a buffer. Ends the process if the system has no random bytes. */
OQS_API void OQS_randombytes(uint8_t *random_array, size_t bytes_to_read);

#if OQS_GRILLE_ERA < 1000
/* Seeds the generator of known answers: 48 bytes, and 48 bytes or NULL. */
OQS_API void OQS_randombytes_nist_kat_init_256bit(const uint8_t *entropy_input, const uint8_t *personalization_string);
#endif

#if defined(__cplusplus)
}
#endif

#endif
