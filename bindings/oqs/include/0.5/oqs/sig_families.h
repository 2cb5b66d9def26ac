/* The headers of the families. Written by tests/generated: do not edit. */
#ifndef OQS_SIG_FAMILIES_H
#define OQS_SIG_FAMILIES_H

#ifdef OQS_ENABLE_SIG_DILITHIUM
#include <oqs/sig_dilithium.h>
#endif
#ifdef OQS_ENABLE_SIG_FALCON
#include <oqs/sig_falcon.h>
#endif
#ifdef OQS_ENABLE_SIG_PICNIC
#include <oqs/sig_picnic.h>
#endif
#ifdef OQS_ENABLE_SIG_RAINBOW
#include <oqs/sig_rainbow.h>
#endif
#ifdef OQS_ENABLE_SIG_SPHINCS
#include <oqs/sig_sphincs.h>
#endif

#endif
