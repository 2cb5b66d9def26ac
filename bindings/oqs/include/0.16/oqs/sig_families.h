/* The headers of the families. Written by tests/generated: do not edit. */
#ifndef OQS_SIG_FAMILIES_H
#define OQS_SIG_FAMILIES_H

#ifdef OQS_ENABLE_SIG_CROSS
#include <oqs/sig_cross.h>
#endif
#ifdef OQS_ENABLE_SIG_DILITHIUM
#include <oqs/sig_dilithium.h>
#endif
#ifdef OQS_ENABLE_SIG_FALCON
#include <oqs/sig_falcon.h>
#endif
#ifdef OQS_ENABLE_SIG_MAYO
#include <oqs/sig_mayo.h>
#endif
#ifdef OQS_ENABLE_SIG_ML_DSA
#include <oqs/sig_ml_dsa.h>
#endif
#ifdef OQS_ENABLE_SIG_MQOM
#include <oqs/sig_mqom.h>
#endif
#ifdef OQS_ENABLE_SIG_SLH_DSA
#include <oqs/sig_slh_dsa.h>
#endif
#ifdef OQS_ENABLE_SIG_SNOVA
#include <oqs/sig_snova.h>
#endif
#ifdef OQS_ENABLE_SIG_SPHINCS
#include <oqs/sig_sphincs.h>
#endif
#ifdef OQS_ENABLE_SIG_UOV
#include <oqs/sig_uov.h>
#endif

#endif
