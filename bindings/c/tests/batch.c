/* Tests batches, and large public keys in pieces: results equal those of single calls, and bad input is refused. Every check prints its
 * line number if it fails. */
#include <grille.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 17 };

static int failures;
#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            failures++; \
            fprintf(stderr, "line %d: %s (%s)\n", __LINE__, #condition, grille_last_error()); \
        } \
    } while (0)

static int all_are(const unsigned char *bytes, size_t len, unsigned char value) {
    for (size_t i = 0; i < len; i++) {
        if (bytes[i] != value) return 0;
    }
    return 1;
}

/* A batch for COUNT keys, one of which occurs twice. */
static void check_kem(const char *name, int refuses) {
    const grille_kem *kem = NULL;
    grille_decaps_key *keys[COUNT] = {NULL};
    grille_encaps_key *public_keys[COUNT] = {NULL};
    const grille_decaps_key *const *private_list = (const grille_decaps_key *const *)keys;
    const grille_encaps_key *const *public_list = (const grille_encaps_key *const *)public_keys;

    CHECK(grille_kem_by_name(name, &kem) == GRILLE_OK);
    grille_kem_info info = grille_kem_get_info(kem);
    for (int i = 0; i < COUNT - 1; i++) {
        CHECK(grille_kem_generate(kem, &keys[i]) == GRILLE_OK);
        CHECK(grille_decaps_key_public(keys[i], &public_keys[i]) == GRILLE_OK);
    }
    keys[COUNT - 1] = keys[3], public_keys[COUNT - 1] = public_keys[3];

    size_t ciphertexts_len = 0, secrets_len = 0, received_len, one_len;
    CHECK(grille_encapsulate_many(public_list, COUNT, NULL, &ciphertexts_len, NULL, &secrets_len) == GRILLE_OK);
    CHECK(ciphertexts_len == COUNT * info.ciphertext_len && secrets_len == COUNT * info.shared_secret_len);
    unsigned char *ciphertexts = malloc(ciphertexts_len), *sent = malloc(secrets_len), *received = malloc(secrets_len);
    unsigned char *one = malloc(info.shared_secret_len);
    grille_status statuses[COUNT];
    if (!ciphertexts || !sent || !received || !one) abort();

    CHECK(grille_encapsulate_many(public_list, COUNT, ciphertexts, &ciphertexts_len, sent, &secrets_len) == GRILLE_OK);
    received_len = secrets_len;
    memset(statuses, 0xff, sizeof statuses);
    CHECK(grille_decapsulate_many(private_list, COUNT, ciphertexts, ciphertexts_len, received, &received_len, statuses) == GRILLE_OK);
    CHECK(received_len == secrets_len && memcmp(received, sent, secrets_len) == 0);
    for (int i = 0; i < COUNT; i++) {
        one_len = info.shared_secret_len;
        CHECK(grille_decapsulate(keys[i], ciphertexts + i * info.ciphertext_len, info.ciphertext_len, one, &one_len) == GRILLE_OK);
        CHECK(memcmp(one, sent + i * one_len, one_len) == 0 && statuses[i] == GRILLE_OK);
    }
    CHECK(memcmp(sent + 3 * info.shared_secret_len, sent + (COUNT - 1) * info.shared_secret_len, info.shared_secret_len) != 0);

    /* one altered ciphertext; a hybrid refuses a point that is not on its curve */
    memset(ciphertexts + 5 * info.ciphertext_len, 0xff, info.ciphertext_len);
    grille_status expected = refuses ? GRILLE_INVALID_KEY : GRILLE_OK;
    CHECK(grille_decapsulate_many(private_list, COUNT, ciphertexts, ciphertexts_len, received, &received_len, statuses) == expected);
    CHECK(!refuses || strstr(grille_last_error(), "ciphertext 5: ") != NULL);
    CHECK(grille_decapsulate_many(private_list, COUNT, ciphertexts, ciphertexts_len, received, &received_len, NULL) == expected);
    for (int i = 0; i < COUNT; i++) {
        unsigned char *secret = received + i * info.shared_secret_len;
        CHECK(statuses[i] == (i == 5 ? expected : GRILLE_OK));
        CHECK((memcmp(secret, sent + i * info.shared_secret_len, info.shared_secret_len) == 0) == (i != 5));
        CHECK(all_are(secret, info.shared_secret_len, 0) == (refuses && i == 5));
    }

    for (int i = 0; i < COUNT - 1; i++) {
        grille_decaps_key_free(keys[i]);
        grille_encaps_key_free(public_keys[i]);
    }
    free(ciphertexts), free(sent), free(received), free(one);
}

static void check_kem_errors(void) {
    const grille_kem *kem = NULL, *other = NULL;
    grille_decaps_key *keys[3] = {NULL};
    grille_encaps_key *public_keys[3] = {NULL};
    const grille_decaps_key *const *private_list = (const grille_decaps_key *const *)keys;
    const grille_encaps_key *const *public_list = (const grille_encaps_key *const *)public_keys;
    static unsigned char ciphertexts[3 * 1088], secrets[96];
    size_t len = sizeof ciphertexts, secrets_len = sizeof secrets;

    CHECK(grille_kem_by_name("ML-KEM-768", &kem) == GRILLE_OK && grille_kem_by_name("ML-KEM-512", &other) == GRILLE_OK);
    CHECK(grille_kem_generate(kem, &keys[0]) == GRILLE_OK && grille_kem_generate(kem, &keys[1]) == GRILLE_OK);
    CHECK(grille_kem_generate(other, &keys[2]) == GRILLE_OK);
    for (int i = 0; i < 3; i++) CHECK(grille_decaps_key_public(keys[i], &public_keys[i]) == GRILLE_OK);
    memset(ciphertexts, 9, sizeof ciphertexts);
    memset(secrets, 9, sizeof secrets);

    CHECK(grille_encapsulate_many(public_list, 3, ciphertexts, &len, secrets, &secrets_len) == GRILLE_INVALID_ARGUMENT);
    CHECK(strstr(grille_last_error(), "key 2 is for ML-KEM-512, but key 0 is for ML-KEM-768") != NULL);
    CHECK(grille_decapsulate_many(private_list, 3, ciphertexts, len, secrets, &secrets_len, NULL) == GRILLE_INVALID_ARGUMENT);
    grille_encaps_key *second = public_keys[1];
    public_keys[1] = NULL;
    CHECK(grille_encapsulate_many(public_list, 2, ciphertexts, &len, secrets, &secrets_len) == GRILLE_INVALID_ARGUMENT);
    CHECK(strstr(grille_last_error(), "key 1 is a null pointer") != NULL);
    public_keys[1] = second;
    CHECK(grille_encapsulate_many(NULL, 2, ciphertexts, &len, secrets, &secrets_len) == GRILLE_INVALID_ARGUMENT);
    CHECK(grille_encapsulate_many(public_list, SIZE_MAX, ciphertexts, &len, secrets, &secrets_len) == GRILLE_INVALID_ARGUMENT);
    secrets_len = 63;
    CHECK(grille_encapsulate_many(public_list, 2, ciphertexts, &len, secrets, &secrets_len) == GRILLE_BUFFER_TOO_SHORT);
    CHECK(secrets_len == 64);
    CHECK(grille_decapsulate_many(private_list, 2, ciphertexts, 2 * 1088 - 1, secrets, &secrets_len, NULL) == GRILLE_WRONG_LENGTH);
    CHECK(grille_decapsulate_many(private_list, 2, NULL, 2 * 1088, secrets, &secrets_len, NULL) == GRILLE_INVALID_ARGUMENT);
    secrets_len = 63;
    CHECK(grille_decapsulate_many(private_list, 2, ciphertexts, 2 * 1088, secrets, &secrets_len, NULL) == GRILLE_BUFFER_TOO_SHORT);
    CHECK(all_are(ciphertexts, sizeof ciphertexts, 9) && all_are(secrets, sizeof secrets, 9));

    /* nothing to do */
    len = sizeof ciphertexts;
    CHECK(grille_encapsulate_many(NULL, 0, ciphertexts, &len, secrets, &secrets_len) == GRILLE_OK && len == 0 && secrets_len == 0);
    CHECK(grille_decapsulate_many(NULL, 0, NULL, 0, secrets, &secrets_len, NULL) == GRILLE_OK);
    CHECK(grille_decapsulate_many(NULL, 0, ciphertexts, 5, secrets, &secrets_len, NULL) == GRILLE_WRONG_LENGTH);
    for (int i = 0; i < 3; i++) {
        grille_decaps_key_free(keys[i]);
        grille_encaps_key_free(public_keys[i]);
    }
}

static void check_signature(const char *name) {
    const grille_signature *signature = NULL;
    grille_signing_key *key = NULL;
    grille_verifying_key *public_key = NULL;
    unsigned char text[COUNT];
    grille_bytes messages[COUNT], signatures[COUNT];
    grille_status statuses[COUNT];
    size_t lens[COUNT], all_len = 0;

    CHECK(grille_signature_by_name(name, &signature) == GRILLE_OK);
    size_t max = grille_signature_get_info(signature).signature_len;
    CHECK(grille_signature_generate(signature, &key) == GRILLE_OK);
    /* a key that was read is prepared for many signatures */
    CHECK(grille_signing_key_to_bytes(key, NULL, &all_len) == GRILLE_OK);
    unsigned char *encoded = malloc(all_len);
    if (!encoded) abort();
    CHECK(grille_signing_key_to_bytes(key, encoded, &all_len) == GRILLE_OK);
    grille_signing_key_free(key);
    CHECK(grille_signing_key_from_bytes(signature, encoded, all_len, GRILLE_PREPARED, &key) == GRILLE_OK);
    free(encoded);
    CHECK(grille_signing_key_public(key, &public_key) == GRILLE_OK);
    for (int i = 0; i < COUNT; i++) {
        text[i] = (unsigned char)i;
        messages[i] = (grille_bytes){i ? text : NULL, (size_t)i};
    }
    CHECK(grille_sign_many(key, messages, COUNT, NULL, 0, NULL, &all_len, NULL) == GRILLE_OK && all_len == COUNT * max);
    unsigned char *all = malloc(all_len);
    if (!all) abort();

    memset(all, 7, all_len);
    CHECK(grille_sign_many(key, messages, COUNT, NULL, 0, all, &all_len, NULL) == GRILLE_INVALID_ARGUMENT);
    all_len--;
    CHECK(grille_sign_many(key, messages, COUNT, NULL, 0, all, &all_len, lens) == GRILLE_BUFFER_TOO_SHORT && all_len == COUNT * max);
    CHECK(grille_sign_many(key, NULL, COUNT, NULL, 0, all, &all_len, lens) == GRILLE_INVALID_ARGUMENT);
    messages[4].data = NULL;
    CHECK(grille_sign_many(key, messages, COUNT, NULL, 0, all, &all_len, lens) == GRILLE_INVALID_ARGUMENT);
    CHECK(strstr(grille_last_error(), "message 4 is a null pointer") != NULL);
    messages[4].data = text;
    CHECK(grille_sign_many(NULL, messages, COUNT, NULL, 0, all, &all_len, lens) == GRILLE_INVALID_ARGUMENT);
    CHECK(grille_sign_many(key, messages, COUNT, all, 256, all, &all_len, lens) == GRILLE_UNSUPPORTED);
    CHECK(all_are(all, all_len, 7));

    CHECK(grille_sign_many(key, messages, COUNT, NULL, 0, all, &all_len, lens) == GRILLE_OK);
    for (int i = 0; i < COUNT; i++) {
        signatures[i] = (grille_bytes){all + i * max, lens[i]};
        CHECK(grille_verify(public_key, messages[i].data, messages[i].len, NULL, 0, signatures[i].data, lens[i]) == GRILLE_OK);
        CHECK(lens[i] <= max && all_are(all + i * max + lens[i], max - lens[i], 0));
    }
    CHECK(grille_verify_many(public_key, messages, signatures, COUNT, NULL, 0, statuses) == GRILLE_OK);
    for (int i = 0; i < COUNT; i++) CHECK(statuses[i] == GRILLE_OK);
    all[6 * max + 50] ^= 1;
    signatures[9].len = 3;
    CHECK(grille_verify_many(public_key, messages, signatures, COUNT, NULL, 0, statuses) == GRILLE_INVALID_SIGNATURE);
    CHECK(strstr(grille_last_error(), "signature 6: ") != NULL);
    CHECK(grille_verify_many(public_key, messages, signatures, COUNT, NULL, 0, NULL) == GRILLE_INVALID_SIGNATURE);
    for (int i = 0; i < COUNT; i++) CHECK(statuses[i] == (i == 6 || i == 9 ? GRILLE_INVALID_SIGNATURE : GRILLE_OK));
    signatures[9].data = NULL;
    statuses[0] = GRILLE_INTERNAL;
    CHECK(grille_verify_many(public_key, messages, signatures, COUNT, NULL, 0, statuses) == GRILLE_INVALID_ARGUMENT);
    CHECK(grille_verify_many(public_key, messages, NULL, COUNT, NULL, 0, statuses) == GRILLE_INVALID_ARGUMENT);
    CHECK(statuses[0] == GRILLE_INTERNAL);
    CHECK(grille_verify_many(public_key, NULL, NULL, 0, NULL, 0, NULL) == GRILLE_OK);
    CHECK(grille_sign_many(key, NULL, 0, NULL, 0, all, &all_len, NULL) == GRILLE_OK && all_len == 0);

    free(all);
    grille_signing_key_free(key);
    grille_verifying_key_free(public_key);
}

static void check_pieces(void) {
    const grille_kem *kem = NULL, *small = NULL;
    grille_decaps_key *key = NULL;
    grille_encaps_key *public_key = NULL;
    grille_encapsulation *encapsulation = NULL;
    unsigned char ciphertext[194], sent[32], received[32], piece[1000];
    size_t len, sent_len = sizeof sent, received_len = sizeof received;

    CHECK(grille_kem_by_name("ML-KEM-768", &small) == GRILLE_OK);
    CHECK(grille_encapsulation_begin(small, &encapsulation) == GRILLE_UNSUPPORTED && encapsulation == NULL);
    CHECK(strstr(grille_last_error(), "ML-KEM-768") != NULL);
    CHECK(grille_kem_by_name("Classic-McEliece-6960119f", &kem) == GRILLE_OK);
    CHECK(grille_encapsulation_begin(kem, NULL) == GRILLE_INVALID_ARGUMENT);
    CHECK(grille_encapsulation_begin(NULL, &encapsulation) == GRILLE_INVALID_ARGUMENT);
    CHECK(grille_kem_generate(kem, &key) == GRILLE_OK && grille_decaps_key_public(key, &public_key) == GRILLE_OK);
    size_t key_len = grille_kem_get_info(kem).encaps_key_len, whole_len = key_len;
    unsigned char *whole = malloc(key_len);
    if (!whole) abort();
    CHECK(grille_encaps_key_to_bytes(public_key, whole, &whole_len) == GRILLE_OK && whole_len == key_len);

    /* reads the key in pieces, and passes them on */
    CHECK(grille_encapsulation_begin(kem, &encapsulation) == GRILLE_OK);
    size_t offset = 0;
    for (;;) {
        len = sizeof piece;
        CHECK(grille_decaps_key_public_piece(key, offset, piece, &len) == GRILLE_OK);
        if (len == 0) break;
        CHECK(memcmp(piece, whole + offset, len) == 0);
        len = sizeof piece;
        CHECK(grille_encaps_key_piece(public_key, offset, piece, &len) == GRILLE_OK);
        CHECK(memcmp(piece, whole + offset, len) == 0);
        CHECK(grille_encapsulation_update(encapsulation, piece, len) == GRILLE_OK);
        offset += len;
        size_t ciphertext_len = sizeof ciphertext;
        if (offset < key_len && offset > key_len - 1000) {
            memset(ciphertext, 9, sizeof ciphertext);
            CHECK(grille_encapsulation_finish(encapsulation, ciphertext, &ciphertext_len, sent, &sent_len) == GRILLE_WRONG_LENGTH);
            CHECK(all_are(ciphertext, sizeof ciphertext, 9));
        }
    }
    CHECK(offset == key_len);
    CHECK(grille_encaps_key_piece(public_key, 1000, NULL, &len) == GRILLE_OK && len == key_len - 1000);
    CHECK(grille_encaps_key_piece(public_key, key_len + 1, piece, &len) == GRILLE_INVALID_ARGUMENT);
    CHECK(grille_decaps_key_public_piece(NULL, 0, piece, &len) == GRILLE_INVALID_ARGUMENT);
    CHECK(grille_encaps_key_piece(public_key, 0, piece, NULL) == GRILLE_INVALID_ARGUMENT);
    CHECK(grille_encapsulation_update(encapsulation, piece, 1) == GRILLE_WRONG_LENGTH);
    CHECK(grille_encapsulation_update(encapsulation, NULL, 1) == GRILLE_INVALID_ARGUMENT);
    CHECK(grille_encapsulation_update(NULL, piece, 1) == GRILLE_INVALID_ARGUMENT);
    CHECK(grille_encapsulation_finish(encapsulation, NULL, &len, NULL, &sent_len) == GRILLE_OK && len == 194 && sent_len == 32);
    sent_len = 31;
    CHECK(grille_encapsulation_finish(encapsulation, ciphertext, &len, sent, &sent_len) == GRILLE_BUFFER_TOO_SHORT && sent_len == 32);
    CHECK(grille_encapsulation_finish(encapsulation, ciphertext, &len, sent, &sent_len) == GRILLE_OK);
    CHECK(grille_decapsulate(key, ciphertext, len, received, &received_len) == GRILLE_OK);
    CHECK(memcmp(sent, received, 32) == 0);
    CHECK(grille_encapsulation_finish(encapsulation, ciphertext, &len, sent, &sent_len) == GRILLE_INVALID_ARGUMENT);
    CHECK(grille_encapsulation_update(encapsulation, piece, 0) == GRILLE_INVALID_ARGUMENT);
    grille_encapsulation_free(encapsulation), encapsulation = NULL;

    /* a key that is not canonical */
    whole[key_len - 1] |= 0x80;
    CHECK(grille_encapsulation_begin(kem, &encapsulation) == GRILLE_OK);
    CHECK(grille_encapsulation_update(encapsulation, whole, key_len) == GRILLE_INVALID_KEY);
    CHECK(grille_encapsulation_finish(encapsulation, ciphertext, &len, sent, &sent_len) == GRILLE_INVALID_KEY);
    CHECK(grille_encapsulation_update(encapsulation, whole, 0) == GRILLE_INVALID_KEY);
    grille_encapsulation_free(encapsulation);
    grille_encapsulation_free(NULL);

    free(whole);
    grille_encaps_key_free(public_key);
    grille_decaps_key_free(key);
}

int main(void) {
    check_kem("ML-KEM-768", 0);
    check_kem("LightSaber", 0);
    check_kem("SecP256r1MLKEM768", 1);
    check_kem_errors();
    check_signature("ML-DSA-65");
    check_signature("Falcon-512");
    check_pieces();
    printf("%d failed\n", failures);
    return failures != 0;
}
