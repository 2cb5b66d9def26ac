/* Tests how the library handles bad input. Every check prints its line number if it fails. */
#include <grille.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int failures;
#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            failures++; \
            fprintf(stderr, "line %d: %s (%s)\n", __LINE__, #condition, grille_last_error()); \
        } \
    } while (0)

static const grille_decaps_key *shared_key;
static unsigned char shared_ciphertext[1088];

/* Decapsulates in several threads with one shared key. */
static void *decapsulates(void *secret) {
    for (int i = 0; i < 100; i++) {
        size_t len = 32;
        if (grille_decapsulate(shared_key, shared_ciphertext, sizeof shared_ciphertext, secret, &len)) return NULL;
    }
    return secret;
}

/* The parts of round-3 Kyber. */
static void check_kyber(void) {
    unsigned char public_key[800], secret_key[1632], ciphertext[768], block[32] = {0}, stream_bytes[8];
    size_t public_len = sizeof public_key, secret_len = sizeof secret_key, len;
    grille_xof *stream = NULL;

    CHECK(grille_kyber_generate(5, public_key, &public_len, secret_key, &secret_len) == GRILLE_INVALID_ARGUMENT);
    CHECK(strstr(grille_last_error(), "2, 3 or 4") != NULL);
    CHECK(grille_kyber_generate(3, public_key, &public_len, secret_key, &secret_len) == GRILLE_BUFFER_TOO_SHORT);
    CHECK(public_len == 1184);
    public_len = sizeof public_key;
    CHECK(grille_kyber_generate(2, NULL, &public_len, NULL, &secret_len) == GRILLE_OK && public_len == 800 && secret_len == 768);
    CHECK(grille_kyber_generate(2, public_key, &public_len, secret_key, &secret_len) == GRILLE_OK);
    len = sizeof ciphertext;
    CHECK(grille_kyber_encrypt(2, public_key, public_len, block, 31, block, 32, ciphertext, &len) == GRILLE_WRONG_LENGTH);
    CHECK(grille_kyber_encrypt(2, public_key, 799, block, 32, block, 32, ciphertext, &len) == GRILLE_WRONG_LENGTH);
    CHECK(grille_kyber_encrypt(2, public_key, public_len, block, 32, NULL, 32, ciphertext, &len) == GRILLE_INVALID_ARGUMENT);
    CHECK(grille_kyber_encrypt(2, public_key, public_len, block, 32, block, 32, ciphertext, &len) == GRILLE_OK);
    len = 32;
    CHECK(grille_kyber_decrypt(2, secret_key, secret_len, ciphertext, 767, block, &len) == GRILLE_WRONG_LENGTH);

    memset(ciphertext, 7, sizeof ciphertext);
    len = sizeof ciphertext;
    CHECK(grille_kyber_encapsulate(2, public_key, public_len, ciphertext, &len, NULL) == GRILLE_INVALID_ARGUMENT);
    CHECK(ciphertext[0] == 7 && ciphertext[767] == 7);
    CHECK(grille_kyber_encapsulate(2, public_key, public_len, ciphertext, &len, &stream) == GRILLE_OK);
    CHECK(grille_xof_read(stream, NULL, 8) == GRILLE_OK && grille_xof_read(NULL, stream_bytes, 8) == GRILLE_INVALID_ARGUMENT);
    CHECK(grille_xof_read(stream, stream_bytes, 8) == GRILLE_OK);
    grille_xof_free(stream);
    grille_xof_free(NULL);
    CHECK(grille_kyber_decapsulate(2, secret_key, 768, ciphertext, len, &stream) == GRILLE_WRONG_LENGTH);
    memset(secret_key, 0xFF, sizeof secret_key);
    CHECK(grille_kyber_decapsulate(2, secret_key, sizeof secret_key, ciphertext, len, &stream) == GRILLE_INVALID_KEY);
}

int main(void) {
    const grille_kem *kem = NULL;
    grille_decaps_key *key = NULL;
    grille_encaps_key *public_key = NULL;
    unsigned char buffer[4096], secret[32], ciphertext[1088];
    size_t len, secret_len;

    check_kyber();
    CHECK(strcmp(grille_version(), "") != 0);
    CHECK(grille_kem_by_name("ML-KEM-769", &kem) == GRILLE_UNKNOWN_ALGORITHM);
    CHECK(strstr(grille_last_error(), "ML-KEM-768") != NULL);
    CHECK(grille_kem_by_name(NULL, &kem) == GRILLE_INVALID_ARGUMENT);
    CHECK(grille_kem_by_name("\xff", &kem) == GRILLE_INVALID_ARGUMENT);
    CHECK(grille_kem_by_name("ml-kem-768", NULL) == GRILLE_INVALID_ARGUMENT);
    CHECK(grille_kem_by_name("ml-kem-768", &kem) == GRILLE_OK);
    CHECK(strcmp(grille_kem_name(kem), "ML-KEM-768") == 0);
    CHECK(grille_kem_get_info(kem).encaps_key_len == 1184 && grille_kem_get_info(NULL).encaps_key_len == 0);
    CHECK(grille_kem_at(grille_kem_count()) == NULL && grille_kem_at(0) != NULL);

    CHECK(grille_kem_generate(NULL, &key) == GRILLE_INVALID_ARGUMENT && key == NULL);
    CHECK(grille_kem_generate(kem, NULL) == GRILLE_INVALID_ARGUMENT);
    CHECK(grille_kem_generate(kem, &key) == GRILLE_OK);
    CHECK(grille_decaps_key_kem(key) == kem);
    CHECK(grille_decaps_key_public(key, &public_key) == GRILLE_OK);

    /* a null buffer gives the length, and a short buffer stays as it is */
    CHECK(grille_encaps_key_to_bytes(public_key, NULL, &len) == GRILLE_OK && len == 1184);
    memset(buffer, 7, sizeof buffer);
    len = 1183;
    CHECK(grille_encaps_key_to_bytes(public_key, buffer, &len) == GRILLE_BUFFER_TOO_SHORT);
    CHECK(len == 1184 && buffer[0] == 7);
    CHECK(grille_encaps_key_to_bytes(public_key, buffer, &len) == GRILLE_OK && len == 1184);
    CHECK(grille_encaps_key_to_bytes(public_key, buffer, NULL) == GRILLE_INVALID_ARGUMENT);

    /* wrong keys */
    grille_encaps_key *other = NULL;
    CHECK(grille_encaps_key_from_bytes(kem, buffer, 1183, &other) == GRILLE_WRONG_LENGTH);
    CHECK(strstr(grille_last_error(), "1184") != NULL);
    memset(buffer, 0xff, 1184);
    CHECK(grille_encaps_key_from_bytes(kem, buffer, 1184, &other) == GRILLE_INVALID_KEY && other == NULL);
    CHECK(grille_encaps_key_from_bytes(kem, NULL, 1184, &other) == GRILLE_INVALID_ARGUMENT);
    CHECK(grille_verifying_key_read((const unsigned char *)"nonsense", 8, NULL) == GRILLE_INVALID_FILE);

    /* neither buffer is written unless both fit */
    memset(ciphertext, 9, sizeof ciphertext);
    len = sizeof ciphertext, secret_len = 31;
    CHECK(grille_encapsulate(public_key, ciphertext, &len, secret, &secret_len) == GRILLE_BUFFER_TOO_SHORT);
    CHECK(secret_len == 32 && ciphertext[0] == 9 && ciphertext[1087] == 9);
    CHECK(grille_encapsulate(public_key, ciphertext, &len, secret, &secret_len) == GRILLE_OK);
    CHECK(grille_decapsulate(key, ciphertext, 5, secret, &secret_len) == GRILLE_WRONG_LENGTH);

    /* threads share a key */
    unsigned char received[4][32];
    pthread_t threads[4];
    memcpy(shared_ciphertext, ciphertext, sizeof ciphertext);
    shared_key = key;
    for (int i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, decapsulates, received[i]) == 0);
    for (int i = 0; i < 4; i++) {
        void *result = NULL;
        CHECK(pthread_join(threads[i], &result) == 0 && result && memcmp(result, secret, 32) == 0);
    }

    /* seeds and files */
    len = sizeof buffer;
    CHECK(grille_decaps_key_to_seed(key, buffer, &len) == GRILLE_OK && len == 64);
    grille_decaps_key *again = NULL;
    CHECK(grille_decaps_key_from_seed(kem, buffer, len, &again) == GRILLE_OK);
    len = sizeof ciphertext, secret_len = sizeof secret;
    CHECK(grille_decapsulate(again, ciphertext, len, buffer, &secret_len) == GRILLE_OK);
    CHECK(memcmp(buffer, secret, 32) == 0);
    grille_decaps_key_free(again), again = NULL;
    len = sizeof buffer;
    CHECK(grille_decaps_key_write(key, 7, NULL, 0, buffer, &len) == GRILLE_INVALID_ARGUMENT);
    CHECK(grille_decaps_key_write(key, GRILLE_DER, (const unsigned char *)"x", 1, buffer, &len) == GRILLE_OK);
    CHECK(grille_decaps_key_read(buffer, len, (const unsigned char *)"y", 1, &again) == GRILLE_INVALID_FILE);
    CHECK(grille_decaps_key_read(buffer, len, NULL, 0, &again) == GRILLE_INVALID_FILE && again == NULL);
    CHECK(grille_decaps_key_read(buffer, len, (const unsigned char *)"x", 1, &again) == GRILLE_OK);
    grille_decaps_key_free(again);

    /* every algorithm has a name, and is found by it */
    for (size_t i = 0; i < grille_signature_count(); i++) {
        const grille_signature *found = NULL;
        CHECK(grille_signature_by_name(grille_signature_name(grille_signature_at(i)), &found) == GRILLE_OK);
    }
    const grille_signature *falcon = NULL;
    grille_signing_key *signer = NULL;
    CHECK(grille_signature_by_name("ML-DSA-44", &falcon) == GRILLE_OK);
    memset(buffer, 1, 32);
    CHECK(grille_signing_key_from_seed(falcon, buffer, 32, 9, &signer) == GRILLE_INVALID_ARGUMENT);
    CHECK(grille_signing_key_from_seed(falcon, buffer, 32, GRILLE_LOW_MEMORY, &signer) == GRILLE_OK);
    memset(buffer, 0, sizeof buffer);
    len = sizeof buffer;
    CHECK(grille_sign(signer, NULL, 0, buffer, 256, buffer + 512, &len) == GRILLE_UNSUPPORTED);
    len = sizeof buffer;
    CHECK(grille_sign(signer, NULL, 0, NULL, 0, buffer, &len) == GRILLE_OK && len == 2420);
    grille_signing_key_free(signer);

    CHECK(strcmp(grille_status_text(GRILLE_UNTRUSTED), "untrusted certificate chain") == 0);
    CHECK(strcmp(grille_status_text(99), "unknown status") == 0);
    grille_encaps_key_free(public_key);
    grille_decaps_key_free(key);
    grille_decaps_key_free(NULL);
    printf("%d failed\n", failures);
    return failures != 0;
}
