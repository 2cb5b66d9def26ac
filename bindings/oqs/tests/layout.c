/* Tests the layouts of the structures, which match the releases of liboqs on 64-bit systems. */
#include "check.h"
#include <oqs/oqs.h>
#include <stddef.h>

#define AT(type, field, offset) _Static_assert(offsetof(type, field) == (offset), #type " " #field)

AT(OQS_KEM, method_name, 0);
AT(OQS_KEM, alg_version, 8);
AT(OQS_KEM, claimed_nist_level, 16);
AT(OQS_KEM, ind_cca, 17);
AT(OQS_KEM, length_public_key, 24);
AT(OQS_KEM, length_secret_key, 32);
AT(OQS_KEM, length_ciphertext, 40);
AT(OQS_KEM, length_shared_secret, 48);
AT(OQS_SIG, method_name, 0);
AT(OQS_SIG, alg_version, 8);
AT(OQS_SIG, claimed_nist_level, 16);
AT(OQS_SIG, euf_cma, 17);
AT(OQS_SIG, length_public_key, 24);
AT(OQS_SIG, length_secret_key, 32);
AT(OQS_SIG, length_signature, 40);
AT(OQS_SIG, keypair, 48);
AT(OQS_SIG, sign, 56);
#if OQS_GRILLE_ERA >= 1500
AT(OQS_KEM, length_keypair_seed, 56);
AT(OQS_KEM, length_encaps_seed, 64);
AT(OQS_KEM, keypair_derand, 72);
AT(OQS_KEM, keypair, 80);
AT(OQS_KEM, encaps_derand, 88);
AT(OQS_KEM, encaps, 96);
AT(OQS_KEM, decaps, 104);
_Static_assert(sizeof(OQS_KEM) == 112, "OQS_KEM");
AT(OQS_SIG, suf_cma, 18);
AT(OQS_SIG, sig_with_ctx_support, 19);
AT(OQS_SIG, sign_with_ctx_str, 64);
AT(OQS_SIG, verify, 72);
AT(OQS_SIG, verify_with_ctx_str, 80);
_Static_assert(sizeof(OQS_SIG) == 88, "OQS_SIG");
#else
AT(OQS_KEM, keypair, 56);
AT(OQS_KEM, encaps, 64);
AT(OQS_KEM, decaps, 72);
_Static_assert(sizeof(OQS_KEM) == 80, "OQS_KEM");
AT(OQS_SIG, verify, 64);
_Static_assert(sizeof(OQS_SIG) == 72, "OQS_SIG");
#endif
_Static_assert(sizeof(OQS_STATUS) == 4 && OQS_ERROR == -1 && OQS_SUCCESS == 0, "OQS_STATUS");

/* The library fills the structure in the layout of the headers: lengths equal the macros, pointers are set. */
static void kem(void) {
	OQS_KEM *kem = OQS_KEM_new(OQS_KEM_alg_kyber_768);
	CHECK(kem != NULL);
	if (kem == NULL) {
		return;
	}
	CHECK(strcmp(kem->method_name, "Kyber768") == 0 && kem->alg_version != NULL);
	CHECK(kem->claimed_nist_level == 3 && kem->ind_cca);
	CHECK(kem->length_public_key == OQS_KEM_kyber_768_length_public_key);
	CHECK(kem->length_secret_key == OQS_KEM_kyber_768_length_secret_key);
	CHECK(kem->length_ciphertext == OQS_KEM_kyber_768_length_ciphertext);
	CHECK(kem->length_shared_secret == OQS_KEM_kyber_768_length_shared_secret);
	CHECK(kem->keypair == OQS_KEM_kyber_768_keypair);
	CHECK(kem->encaps == OQS_KEM_kyber_768_encaps && kem->decaps == OQS_KEM_kyber_768_decaps);
#if OQS_GRILLE_ERA >= 1500
	CHECK(kem->length_keypair_seed == 0 && kem->length_encaps_seed == 0);
	CHECK(kem->keypair_derand == OQS_KEM_kyber_768_keypair_derand);
	CHECK(kem->encaps_derand == OQS_KEM_kyber_768_encaps_derand);
#endif
	OQS_KEM_free(kem);
}

static void sig(void) {
	OQS_SIG *sig = OQS_SIG_new(OQS_SIG_alg_falcon_512);
	CHECK(sig != NULL);
	if (sig == NULL) {
		return;
	}
	CHECK(strcmp(sig->method_name, "Falcon-512") == 0 && sig->alg_version != NULL);
	CHECK(sig->claimed_nist_level == 1 && sig->euf_cma);
	CHECK(sig->length_public_key == OQS_SIG_falcon_512_length_public_key);
	CHECK(sig->length_secret_key == OQS_SIG_falcon_512_length_secret_key);
	CHECK(sig->length_signature == OQS_SIG_falcon_512_length_signature);
	CHECK(sig->length_signature == (OQS_GRILLE_ERA >= 1000 ? 752 : 690));
	CHECK(sig->keypair == OQS_SIG_falcon_512_keypair && sig->sign == OQS_SIG_falcon_512_sign);
	CHECK(sig->verify == OQS_SIG_falcon_512_verify);
#if OQS_GRILLE_ERA >= 1200
	CHECK(!sig->suf_cma && !sig->sig_with_ctx_support);
	CHECK(sig->sign_with_ctx_str == OQS_SIG_falcon_512_sign_with_ctx_str);
	CHECK(sig->verify_with_ctx_str == OQS_SIG_falcon_512_verify_with_ctx_str);
#endif
	OQS_SIG_free(sig);
}

/* Every enabled name makes an object with that name; every other name makes none. */
static void names(void) {
	CHECK(OQS_KEM_alg_count() == OQS_KEM_algs_length && OQS_SIG_alg_count() == OQS_SIG_algs_length);
	CHECK(OQS_KEM_alg_identifier(OQS_KEM_algs_length) == NULL);
	CHECK(OQS_SIG_alg_identifier(OQS_SIG_algs_length) == NULL);
	int kems = 0;
	for (size_t i = 0; i < OQS_KEM_algs_length; i++) {
		const char *name = OQS_KEM_alg_identifier(i);
		OQS_KEM *kem = OQS_KEM_new(name);
		CHECK((kem != NULL) == OQS_KEM_alg_is_enabled(name));
		CHECK(kem == NULL || strcmp(kem->method_name, name) == 0);
		kems += kem != NULL;
		OQS_KEM_free(kem);
	}
	int sigs = 0;
	for (size_t i = 0; i < OQS_SIG_algs_length; i++) {
		const char *name = OQS_SIG_alg_identifier(i);
		OQS_SIG *sig = OQS_SIG_new(name);
		CHECK((sig != NULL) == OQS_SIG_alg_is_enabled(name));
		CHECK(sig == NULL || strcmp(sig->method_name, name) == 0 || strcmp(name, "DEFAULT") == 0);
		sigs += sig != NULL;
		OQS_SIG_free(sig);
	}
	CHECK(kems >= 20 && sigs >= 40);
}

int main(void) {
	OQS_init();
	kem();
	sig();
	names();
#if OQS_GRILLE_ERA >= 702
	CHECK(strcmp(OQS_version(), OQS_VERSION_TEXT) == 0);
#endif
	return finish();
}
