/* The interface of liboqs, implemented by grille. */
#ifndef OQS_H
#define OQS_H

#include <oqs/oqsconfig.h>

#include <oqs/common.h>
#include <oqs/kem.h>
#include <oqs/rand.h>
#include <oqs/sig.h>
#if OQS_GRILLE_ERA >= 1600
#include <oqs/sig_stfl.h>
#include <oqs/aes_ops.h>
#include <oqs/sha2_ops.h>
#include <oqs/sha3_ops.h>
#include <oqs/sha3x4_ops.h>
#endif

#endif
