/* Callbacks that replace liboqs' own implementation. grille accepts and ignores them. */
#ifndef OQS_SHA2_OPS_H
#define OQS_SHA2_OPS_H

#include <oqs/common.h>

#if defined(__cplusplus)
extern "C" {
#endif

struct OQS_SHA2_callbacks;

/* Does nothing. */
OQS_API void OQS_SHA2_set_callbacks(struct OQS_SHA2_callbacks *new_callbacks);

#if defined(__cplusplus)
}
#endif

#endif
