/* Results, memory, version and processor. */
#ifndef OQS_COMMON_H
#define OQS_COMMON_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <oqs/oqsconfig.h>

#if defined(_WIN32)
#define OQS_API __declspec(dllexport)
#else
#define OQS_API __attribute__((visibility("default")))
#endif

/* Ends the process if the pointer is null. */
#if OQS_GRILLE_ERA >= 800
#define OQS_EXIT_IF_NULLPTR(pointer, place)                                        \
	do {                                                                           \
		if ((pointer) == NULL) {                                                   \
			fprintf(stderr, "%s: null pointer\n", (place));                        \
			exit(EXIT_FAILURE);                                                    \
		}                                                                          \
	} while (0)
#else
#define OQS_EXIT_IF_NULLPTR(pointer)                                               \
	do {                                                                           \
		if ((pointer) == NULL) {                                                   \
			fprintf(stderr, "%s:%d: null pointer\n", __FILE__, __LINE__);          \
			exit(EXIT_FAILURE);                                                    \
		}                                                                          \
	} while (0)
#endif

#if defined(__cplusplus)
extern "C" {
#endif

/* The result of an operation. Functions of this library return OQS_SUCCESS or OQS_ERROR. */
typedef enum {
	OQS_ERROR = -1,
	OQS_SUCCESS = 0,
	OQS_EXTERNAL_LIB_ERROR_OPENSSL = 50,
} OQS_STATUS;

/* Prepares the library. It does nothing here. */
OQS_API void OQS_init(void);

#if OQS_GRILLE_ERA >= 702
/* Returns OQS_VERSION_TEXT. */
OQS_API const char *OQS_version(void);
#endif

#if OQS_GRILLE_ERA >= 800
/* Releases resources of the library. It does nothing here. */
OQS_API void OQS_destroy(void);
#endif

#if OQS_GRILLE_ERA >= 1200
/* Releases resources of the calling thread. It does nothing here. */
OQS_API void OQS_thread_stop(void);
#endif

#if OQS_GRILLE_ERA >= 600
/* Processor extensions. */
typedef enum {
	OQS_CPU_EXT_INIT,
	OQS_CPU_EXT_ADX,
	OQS_CPU_EXT_AES,
	OQS_CPU_EXT_AVX,
	OQS_CPU_EXT_AVX2,
	OQS_CPU_EXT_AVX512,
	OQS_CPU_EXT_BMI1,
	OQS_CPU_EXT_BMI2,
	OQS_CPU_EXT_PCLMULQDQ,
	OQS_CPU_EXT_VPCLMULQDQ,
	OQS_CPU_EXT_POPCNT,
	OQS_CPU_EXT_SSE,
	OQS_CPU_EXT_SSE2,
	OQS_CPU_EXT_SSE3,
	OQS_CPU_EXT_ARM_AES,
	OQS_CPU_EXT_ARM_SHA2,
	OQS_CPU_EXT_ARM_SHA3,
	OQS_CPU_EXT_ARM_NEON,
	OQS_CPU_EXT_COUNT,
} OQS_CPU_EXT;

/* Returns 1 if the processor has the extension, else 0. */
OQS_API int OQS_CPU_has_extension(OQS_CPU_EXT ext);
#endif

/* Overwrites len bytes with zeros; the compiler cannot remove it. ptr may be NULL. */
OQS_API void OQS_MEM_cleanse(void *ptr, size_t len);

/* Overwrites and frees memory of the C heap. ptr may be NULL. */
OQS_API void OQS_MEM_secure_free(void *ptr, size_t len);

/* Frees memory of the C heap. ptr may be NULL. */
OQS_API void OQS_MEM_insecure_free(void *ptr);

#if OQS_GRILLE_ERA >= 700
/* Compares in constant time: 0 if the bytes are equal, else 1. */
OQS_API int OQS_MEM_secure_bcmp(const void *a, const void *b, size_t len);
#endif

#if OQS_GRILLE_ERA >= 1300
/* The C heap: malloc, calloc and strdup. */
OQS_API void *OQS_MEM_malloc(size_t size);
OQS_API void *OQS_MEM_calloc(size_t num_elements, size_t element_size);
OQS_API char *OQS_MEM_strdup(const char *str);
#endif

#if defined(__cplusplus)
}
#endif

#endif
