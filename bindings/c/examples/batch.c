/* Many operations in one call: ML-KEM-768 and ML-DSA-65.
 *
 * cc batch.c $(pkg-config --cflags --libs grille) -o batch
 */
#include <grille.h>
#include <stdio.h>
#include <string.h>

enum { COUNT = 16, CIPHERTEXT_LEN = 1088, SECRET_LEN = 32, SIGNATURE_LEN = 3309 };

static int failed(const char *what) {
    fprintf(stderr, "cannot %s: %s\n", what, grille_last_error());
    return 1;
}

/* A server that decapsulates what COUNT clients sent to one key. */
static int decapsulate(void) {
    static unsigned char ciphertexts[COUNT * CIPHERTEXT_LEN], sent[COUNT * SECRET_LEN], received[COUNT * SECRET_LEN];
    size_t ciphertexts_len = sizeof ciphertexts, sent_len = sizeof sent, received_len = sizeof received;
    const grille_kem *kem = NULL;
    grille_decaps_key *key = NULL;
    grille_encaps_key *public_key = NULL;
    const grille_encaps_key *public_keys[COUNT];
    const grille_decaps_key *keys[COUNT];
    grille_status statuses[COUNT];

    if (grille_kem_by_name("ML-KEM-768", &kem) || grille_kem_generate(kem, &key)) return failed("generate a key");
    if (grille_decaps_key_public(key, &public_key)) return failed("get the public key");
    for (int i = 0; i < COUNT; i++) public_keys[i] = public_key, keys[i] = key;
    if (grille_encapsulate_many(public_keys, COUNT, ciphertexts, &ciphertexts_len, sent, &sent_len)) return failed("encapsulate");
    if (grille_decapsulate_many(keys, COUNT, ciphertexts, ciphertexts_len, received, &received_len, statuses)) return failed("decapsulate");
    if (sent_len != received_len || memcmp(sent, received, sent_len) != 0) return 1;
    grille_encaps_key_free(public_key);
    grille_decaps_key_free(key);
    return 0;
}

/* A signer of COUNT messages, and a recipient to whom one of them arrives damaged. */
static int sign(void) {
    static unsigned char all[COUNT * SIGNATURE_LEN];
    size_t all_len = sizeof all, lens[COUNT];
    unsigned char texts[COUNT][8];
    grille_bytes messages[COUNT], signatures[COUNT];
    grille_status statuses[COUNT];
    const grille_signature *signature = NULL;
    grille_signing_key *key = NULL;
    grille_verifying_key *public_key = NULL;

    if (grille_signature_by_name("ML-DSA-65", &signature) || grille_signature_generate(signature, &key)) return failed("generate a key");
    if (grille_signing_key_public(key, &public_key)) return failed("get the public key");
    for (int i = 0; i < COUNT; i++) {
        memset(texts[i], i, sizeof texts[i]);
        messages[i] = (grille_bytes){texts[i], sizeof texts[i]};
    }
    if (grille_sign_many(key, messages, COUNT, NULL, 0, all, &all_len, lens)) return failed("sign");
    for (int i = 0; i < COUNT; i++) signatures[i] = (grille_bytes){all + i * SIGNATURE_LEN, lens[i]};
    texts[3][0] ^= 1;
    if (grille_verify_many(public_key, messages, signatures, COUNT, NULL, 0, statuses) != GRILLE_INVALID_SIGNATURE) return 1;
    for (int i = 0; i < COUNT; i++) {
        if (statuses[i]) printf("message %d: %s\n", i, grille_status_text(statuses[i]));
    }
    grille_signing_key_free(key);
    grille_verifying_key_free(public_key);
    return 0;
}

int main(void) {
    if (decapsulate() || sign()) return 1;
    printf("%d shared secrets and %d signatures, each in two calls\n", COUNT, COUNT);
    return 0;
}
