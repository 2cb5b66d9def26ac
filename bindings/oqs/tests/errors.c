/* Bad input: every failure is -1, and no output retains old bytes that a program could mistake for a result. */
#include "check.h"
#include <oqs/oqs.h>

static void kems(void) {
	uint8_t public_key[OQS_KEM_kyber_512_length_public_key], secret_key[OQS_KEM_kyber_512_length_secret_key];
	uint8_t ciphertext[OQS_KEM_kyber_512_length_ciphertext], shared[32];
	CHECK(OQS_KEM_new(NULL) == NULL && OQS_KEM_new("no such algorithm") == NULL && OQS_KEM_new("") == NULL);
	CHECK(OQS_KEM_new("FrodoKEM-640-AES") == NULL && OQS_KEM_alg_is_enabled("FrodoKEM-640-AES") == 0);
	CHECK(OQS_KEM_alg_is_enabled(NULL) == 0 && OQS_KEM_alg_identifier((size_t)-1) == NULL);
	OQS_KEM_free(NULL);
	CHECK(OQS_KEM_keypair(NULL, public_key, secret_key) == OQS_ERROR);
	OQS_KEM *kem = OQS_KEM_new("KYBER512");
	CHECK(kem != NULL);
	CHECK(OQS_KEM_keypair(kem, NULL, secret_key) == OQS_ERROR);
	CHECK(OQS_KEM_keypair(kem, public_key, NULL) == OQS_ERROR);
	CHECK(OQS_KEM_keypair(kem, public_key, secret_key) == OQS_SUCCESS);
	CHECK(OQS_KEM_encaps(kem, NULL, shared, public_key) == OQS_ERROR);
	CHECK(OQS_KEM_encaps(kem, ciphertext, NULL, public_key) == OQS_ERROR);
	CHECK(OQS_KEM_encaps(kem, ciphertext, shared, NULL) == OQS_ERROR);
	CHECK(OQS_KEM_encaps(kem, ciphertext, shared, public_key) == OQS_SUCCESS);
	CHECK(OQS_KEM_decaps(kem, NULL, ciphertext, secret_key) == OQS_ERROR);
	CHECK(OQS_KEM_decaps(kem, shared, NULL, secret_key) == OQS_ERROR);
	CHECK(OQS_KEM_decaps(kem, shared, ciphertext, NULL) == OQS_ERROR);
	OQS_KEM empty = *kem;
	empty.keypair = NULL;
	CHECK(OQS_KEM_keypair(&empty, public_key, secret_key) == OQS_ERROR);
	OQS_KEM_free(kem);
#if OQS_GRILLE_ERA >= 1500
	/* FIPS 203 refuses coefficients of 3329 and more */
	uint8_t bad[OQS_KEM_ml_kem_512_length_public_key];
	memset(bad, 0xFF, sizeof(bad));
	memset(shared, 7, sizeof(shared));
	CHECK(OQS_KEM_ml_kem_512_encaps(ciphertext, shared, bad) == OQS_ERROR && shared[0] == 0);
	CHECK(OQS_KEM_kyber_512_keypair_derand(public_key, secret_key, bad) == OQS_ERROR);
	CHECK(OQS_KEM_kyber_512_encaps_derand(ciphertext, shared, public_key, bad) == OQS_ERROR);
	/* the hash of the public key in the secret key is wrong */
	CHECK(OQS_KEM_ml_kem_512_keypair(public_key, secret_key) == OQS_SUCCESS);
	secret_key[sizeof(secret_key) - 33] ^= 1;
	memset(shared, 7, sizeof(shared));
	CHECK(OQS_KEM_ml_kem_512_decaps(shared, ciphertext, secret_key) == OQS_ERROR && shared[0] == 0);
#endif
}

static void sigs(void) {
	uint8_t public_key[OQS_SIG_dilithium_2_length_public_key], secret_key[OQS_SIG_dilithium_2_length_secret_key];
	uint8_t signature[OQS_SIG_dilithium_2_length_signature], message[3] = {1, 2, 3};
	size_t len = 1;
	CHECK(OQS_SIG_new(NULL) == NULL && OQS_SIG_new("Dilithium4") == NULL && OQS_SIG_alg_is_enabled(NULL) == 0);
	OQS_SIG_free(NULL);
	OQS_SIG *sig = OQS_SIG_new("dilithium2");
	CHECK(sig != NULL);
	CHECK(OQS_SIG_keypair(NULL, public_key, secret_key) == OQS_ERROR);
	CHECK(OQS_SIG_keypair(sig, NULL, secret_key) == OQS_ERROR && OQS_SIG_keypair(sig, public_key, NULL) == OQS_ERROR);
	CHECK(OQS_SIG_keypair(sig, public_key, secret_key) == OQS_SUCCESS);
	CHECK(OQS_SIG_sign(NULL, signature, &len, message, 3, secret_key) == OQS_ERROR);
	CHECK(OQS_SIG_sign(sig, NULL, &len, message, 3, secret_key) == OQS_ERROR);
	CHECK(OQS_SIG_sign(sig, signature, NULL, message, 3, secret_key) == OQS_ERROR);
	CHECK(OQS_SIG_sign(sig, signature, &len, NULL, 3, secret_key) == OQS_ERROR);
	CHECK(OQS_SIG_sign(sig, signature, &len, message, 3, NULL) == OQS_ERROR);
	CHECK(OQS_SIG_sign(sig, signature, &len, message, 3, secret_key) == OQS_SUCCESS);
	CHECK(OQS_SIG_verify(NULL, message, 3, signature, len, public_key) == OQS_ERROR);
	CHECK(OQS_SIG_verify(sig, NULL, 3, signature, len, public_key) == OQS_ERROR);
	CHECK(OQS_SIG_verify(sig, message, 3, NULL, len, public_key) == OQS_ERROR);
	CHECK(OQS_SIG_verify(sig, message, 3, signature, len, NULL) == OQS_ERROR);
	CHECK(OQS_SIG_verify(sig, message, 3, signature, 0, public_key) == OQS_ERROR);
	CHECK(OQS_SIG_verify(sig, message, 3, signature, len - 1, public_key) == OQS_ERROR);
	CHECK(OQS_SIG_verify(sig, message, 2, signature, len, public_key) == OQS_ERROR);
#if OQS_GRILLE_ERA >= 1200
	CHECK(OQS_SIG_sign_with_ctx_str(sig, signature, &len, message, 3, message, 1, secret_key) == OQS_ERROR);
	CHECK(OQS_SIG_sign_with_ctx_str(sig, signature, &len, message, 3, NULL, 0, secret_key) == OQS_SUCCESS);
	CHECK(OQS_SIG_verify_with_ctx_str(sig, message, 3, signature, len, message, 1, public_key) == OQS_ERROR);
	CHECK(OQS_SIG_verify_with_ctx_str(sig, message, 3, signature, len, NULL, 0, public_key) == OQS_SUCCESS);
#endif
	OQS_SIG_free(sig);
}

int main(void) {
	kems();
	sigs();
	CHECK(OQS_randombytes_switch_algorithm(NULL) == OQS_ERROR);
	CHECK(OQS_randombytes_switch_algorithm("no such generator") == OQS_ERROR);
	OQS_MEM_cleanse(NULL, 3);
	OQS_MEM_secure_free(NULL, 3);
#if OQS_GRILLE_ERA >= 1500
	CHECK(OQS_MEM_strdup(NULL) == NULL && OQS_MEM_secure_bcmp(NULL, "a", 1) == 1);
	CHECK(OQS_SIG_STFL_alg_count() == OQS_SIG_STFL_algs_length && OQS_SIG_STFL_algs_length == 70);
	CHECK(OQS_SIG_STFL_alg_identifier(70) == NULL && OQS_SIG_STFL_alg_identifier(69) != NULL);
	CHECK(OQS_SIG_STFL_new(OQS_SIG_STFL_alg_identifier(0)) == NULL);
	CHECK(OQS_SIG_STFL_alg_is_enabled(OQS_SIG_STFL_alg_identifier(0)) == 0 && OQS_SIG_STFL_alg_is_enabled(NULL) == 0);
	CHECK(OQS_SIG_STFL_keypair(NULL, NULL, NULL) == OQS_ERROR && OQS_SIG_STFL_SECRET_KEY_new(NULL) == NULL);
#endif
	return finish();
}
