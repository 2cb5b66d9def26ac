/* Key exchange and signatures in the three ways that programs use: generic functions, function pointers, symbols. */
#include "check.h"
#include <oqs/oqs.h>

/* A key exchange through the generic functions; an altered ciphertext gives a different secret. */
static void exchange(const char *name) {
	OQS_KEM *kem = OQS_KEM_new(name);
	CHECK(kem != NULL);
	if (kem == NULL) {
		return;
	}
	uint8_t *public_key = malloc(kem->length_public_key);
	uint8_t *secret_key = malloc(kem->length_secret_key);
	uint8_t *ciphertext = malloc(kem->length_ciphertext);
	uint8_t sent[64] = {0}, received[64] = {1};
	CHECK(OQS_KEM_keypair(kem, public_key, secret_key) == OQS_SUCCESS);
	CHECK(OQS_KEM_encaps(kem, ciphertext, sent, public_key) == OQS_SUCCESS);
	CHECK(OQS_KEM_decaps(kem, received, ciphertext, secret_key) == OQS_SUCCESS);
	CHECK(memcmp(sent, received, kem->length_shared_secret) == 0);
	CHECK(kem->keypair(public_key, secret_key) == OQS_SUCCESS);
	CHECK(kem->encaps(ciphertext, sent, public_key) == OQS_SUCCESS);
	CHECK(kem->decaps(received, ciphertext, secret_key) == OQS_SUCCESS);
	CHECK(memcmp(sent, received, kem->length_shared_secret) == 0);
	ciphertext[0] ^= 1;
	CHECK(kem->decaps(received, ciphertext, secret_key) == OQS_SUCCESS);
	CHECK(memcmp(sent, received, kem->length_shared_secret) != 0);
	OQS_MEM_insecure_free(public_key);
	OQS_MEM_secure_free(secret_key, kem->length_secret_key);
	free(ciphertext);
	OQS_KEM_free(kem);
}

/* A signature through the generic functions and the function pointers. */
static void signature(const char *name) {
	OQS_SIG *sig = OQS_SIG_new(name);
	CHECK(sig != NULL);
	if (sig == NULL) {
		return;
	}
	uint8_t *public_key = malloc(sig->length_public_key);
	uint8_t *secret_key = malloc(sig->length_secret_key);
	uint8_t *signature = malloc(sig->length_signature);
	uint8_t message[] = "a message";
	size_t len;
	CHECK(OQS_SIG_keypair(sig, public_key, secret_key) == OQS_SUCCESS);
	CHECK(OQS_SIG_sign(sig, signature, &len, message, sizeof(message), secret_key) == OQS_SUCCESS);
	CHECK(len > 0 && len <= sig->length_signature);
	CHECK(sig->verify(message, sizeof(message), signature, len, public_key) == OQS_SUCCESS);
	message[0] ^= 1;
	CHECK(OQS_SIG_verify(sig, message, sizeof(message), signature, len, public_key) == OQS_ERROR);
	CHECK(sig->sign(signature, &len, NULL, 0, secret_key) == OQS_SUCCESS);
	CHECK(OQS_SIG_verify(sig, NULL, 0, signature, len, public_key) == OQS_SUCCESS);
	signature[len / 2] ^= 1;
	CHECK(OQS_SIG_verify(sig, NULL, 0, signature, len, public_key) == OQS_ERROR);
	free(public_key);
	OQS_MEM_secure_free(secret_key, sig->length_secret_key);
	free(signature);
	OQS_SIG_free(sig);
}

/* Symbols of one algorithm, with buffers whose lengths are constants, as in wolfSSL and OpenSSH. */
static void symbols(void) {
	uint8_t public_key[OQS_KEM_kyber_512_length_public_key];
	uint8_t secret_key[OQS_KEM_kyber_512_length_secret_key];
	uint8_t ciphertext[OQS_KEM_kyber_512_length_ciphertext];
	uint8_t sent[OQS_KEM_kyber_512_length_shared_secret], received[OQS_KEM_kyber_512_length_shared_secret];
	CHECK(OQS_KEM_kyber_512_keypair(public_key, secret_key) == OQS_SUCCESS);
	CHECK(OQS_KEM_kyber_512_encaps(ciphertext, sent, public_key) == OQS_SUCCESS);
	CHECK(OQS_KEM_kyber_512_decaps(received, ciphertext, secret_key) == OQS_SUCCESS);
	CHECK(memcmp(sent, received, sizeof(sent)) == 0);
}

static uint8_t counter;

/* A generator of the program: 0, 1, 2, … */
static void count(uint8_t *bytes, size_t len) {
	for (size_t i = 0; i < len; i++) {
		bytes[i] = counter++;
	}
}

/* All randomness comes from the program's generator, once it is set. */
static void randomness(void) {
	uint8_t one[2][OQS_KEM_kyber_512_length_public_key], secret_key[OQS_KEM_kyber_512_length_secret_key];
	OQS_randombytes_custom_algorithm(count);
	for (int i = 0; i < 2; i++) {
		counter = 7;
		CHECK(OQS_KEM_kyber_512_keypair(one[i], secret_key) == OQS_SUCCESS);
	}
	CHECK(memcmp(one[0], one[1], sizeof(one[0])) == 0);
	uint8_t bytes[3] = {9, 9, 9};
	counter = 1;
	OQS_randombytes(bytes, sizeof(bytes));
	CHECK(bytes[0] == 1 && bytes[1] == 2 && bytes[2] == 3);
	CHECK(OQS_randombytes_switch_algorithm("System") == OQS_SUCCESS);
	CHECK(OQS_KEM_kyber_512_keypair(one[0], secret_key) == OQS_SUCCESS);
	CHECK(memcmp(one[0], one[1], sizeof(one[0])) != 0);
	CHECK(OQS_randombytes_switch_algorithm(OQS_RAND_alg_openssl) == OQS_SUCCESS);
}

#if OQS_GRILLE_ERA >= 1500
/* Seeds and context strings. */
static void seeds_and_contexts(void) {
	uint8_t seed[OQS_KEM_ml_kem_768_length_keypair_seed] = {1}, coin[OQS_KEM_ml_kem_768_length_encaps_seed] = {2};
	uint8_t public_key[2][OQS_KEM_ml_kem_768_length_public_key], secret_key[OQS_KEM_ml_kem_768_length_secret_key];
	uint8_t ciphertext[2][OQS_KEM_ml_kem_768_length_ciphertext], sent[32], received[32];
	OQS_KEM *kem = OQS_KEM_new("ml-kem-768");
	CHECK(kem != NULL && kem->length_keypair_seed == 64 && kem->length_encaps_seed == 32);
	for (int i = 0; i < 2; i++) {
		CHECK(OQS_KEM_keypair_derand(kem, public_key[i], secret_key, seed) == OQS_SUCCESS);
		CHECK(OQS_KEM_encaps_derand(kem, ciphertext[i], sent, public_key[i], coin) == OQS_SUCCESS);
	}
	CHECK(memcmp(public_key[0], public_key[1], sizeof(public_key[0])) == 0);
	CHECK(memcmp(ciphertext[0], ciphertext[1], sizeof(ciphertext[0])) == 0);
	CHECK(OQS_KEM_decaps(kem, received, ciphertext[0], secret_key) == OQS_SUCCESS && memcmp(sent, received, 32) == 0);
	OQS_KEM_free(kem);

	uint8_t pk[OQS_SIG_ml_dsa_44_length_public_key], sk[OQS_SIG_ml_dsa_44_length_secret_key];
	uint8_t signature[OQS_SIG_ml_dsa_44_length_signature], context[256] = {0};
	size_t len;
	OQS_SIG *sig = OQS_SIG_new(OQS_SIG_alg_ml_dsa_44);
	CHECK(sig != NULL && sig->sig_with_ctx_support && sig->suf_cma && OQS_SIG_supports_ctx_str("ML-DSA-44"));
	CHECK(OQS_SIG_keypair(sig, pk, sk) == OQS_SUCCESS);
	CHECK(OQS_SIG_sign_with_ctx_str(sig, signature, &len, NULL, 0, context, 255, sk) == OQS_SUCCESS);
	CHECK(OQS_SIG_verify_with_ctx_str(sig, NULL, 0, signature, len, context, 255, pk) == OQS_SUCCESS);
	CHECK(OQS_SIG_verify_with_ctx_str(sig, NULL, 0, signature, len, context, 254, pk) == OQS_ERROR);
	CHECK(OQS_SIG_verify(sig, NULL, 0, signature, len, pk) == OQS_ERROR);
	CHECK(OQS_SIG_sign_with_ctx_str(sig, signature, &len, NULL, 0, context, 256, sk) == OQS_ERROR);
	CHECK(OQS_SIG_sign_with_ctx_str(sig, signature, &len, NULL, 0, NULL, 0, sk) == OQS_SUCCESS);
	CHECK(OQS_SIG_verify(sig, NULL, 0, signature, len, pk) == OQS_SUCCESS);
	OQS_SIG_free(sig);
	CHECK(!OQS_SIG_supports_ctx_str("Falcon-512"));
}
#endif

#if OQS_GRILLE_ERA < 1000
/* The generator of known answers repeats its output after the same seed. */
static void known_answers(void) {
	uint8_t seed[48] = {0}, bytes[2][20];
	CHECK(OQS_randombytes_switch_algorithm("nist-kat") == OQS_SUCCESS);
	for (int i = 0; i < 2; i++) {
		OQS_randombytes_nist_kat_init_256bit(seed, NULL);
		OQS_randombytes(bytes[i], sizeof(bytes[i]));
	}
	CHECK(memcmp(bytes[0], bytes[1], sizeof(bytes[0])) == 0);
	OQS_randombytes_nist_kat_init_256bit(seed, bytes[0]);
	CHECK(OQS_randombytes_switch_algorithm(OQS_RAND_alg_system) == OQS_SUCCESS);
}
#endif

static void memory(void) {
	uint8_t bytes[4] = {1, 2, 3, 4}, same[4] = {1, 2, 3, 4};
#if OQS_GRILLE_ERA >= 700
	CHECK(OQS_MEM_secure_bcmp(bytes, same, 4) == 0);
	same[3] = 5;
	CHECK(OQS_MEM_secure_bcmp(bytes, same, 4) == 1 && OQS_MEM_secure_bcmp(bytes, same, 3) == 0);
#endif
	OQS_MEM_cleanse(bytes, 3);
	CHECK(bytes[0] == 0 && bytes[1] == 0 && bytes[2] == 0 && bytes[3] == 4 && same[0] == 1);
	OQS_MEM_secure_free(malloc(10), 10);
#if OQS_GRILLE_ERA >= 1300
	char *copy = OQS_MEM_strdup("text");
	CHECK(copy != NULL && strcmp(copy, "text") == 0);
	free(copy);
	free(OQS_MEM_malloc(8));
	uint8_t *zeros = OQS_MEM_calloc(2, 4);
	CHECK(zeros != NULL && zeros[7] == 0);
	OQS_MEM_insecure_free(zeros);
#endif
}

int main(void) {
	OQS_init();
	exchange("Kyber1024");
	exchange("saber-kem");
	exchange("NTRU-HRSS-701");
	exchange("Classic-McEliece-348864f");
	signature("Dilithium3");
	signature("Falcon-1024");
	signature("SPHINCS+-SHA256-128f-simple");
	symbols();
	randomness();
	memory();
#if OQS_GRILLE_ERA >= 1500
	seeds_and_contexts();
	CHECK(OQS_CPU_has_extension(OQS_CPU_EXT_INIT) == 0 && OQS_CPU_has_extension(OQS_CPU_EXT_COUNT) == 0);
	OQS_thread_stop();
	OQS_destroy();
	OQS_destroy();
#else
	known_answers();
#endif
	return finish();
}
