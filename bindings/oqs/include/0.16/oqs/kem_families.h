/* The headers of the families. Written by tests/generated: do not edit. */
#ifndef OQS_KEM_FAMILIES_H
#define OQS_KEM_FAMILIES_H

#ifdef OQS_ENABLE_KEM_BIKE
#include <oqs/kem_bike.h>
#endif
#ifdef OQS_ENABLE_KEM_CLASSIC_MCELIECE
#include <oqs/kem_classic_mceliece.h>
#endif
#ifdef OQS_ENABLE_KEM_FRODOKEM
#include <oqs/kem_frodokem.h>
#endif
#ifdef OQS_ENABLE_KEM_HQC
#include <oqs/kem_hqc.h>
#endif
#ifdef OQS_ENABLE_KEM_KYBER
#include <oqs/kem_kyber.h>
#endif
#ifdef OQS_ENABLE_KEM_ML_KEM
#include <oqs/kem_ml_kem.h>
#endif
#ifdef OQS_ENABLE_KEM_NTRU
#include <oqs/kem_ntru.h>
#endif
#ifdef OQS_ENABLE_KEM_NTRUPRIME
#include <oqs/kem_ntruprime.h>
#endif
#ifdef OQS_ENABLE_KEM_SABER
#include <oqs/kem_saber.h>
#endif
#ifdef OQS_ENABLE_KEM_SIDH
#include <oqs/kem_sidh.h>
#endif
#ifdef OQS_ENABLE_KEM_SIKE
#include <oqs/kem_sike.h>
#endif

#endif
