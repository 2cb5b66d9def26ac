/* A shared secret between two programs: ML-KEM-768.
 *
 * cc kem.c $(pkg-config --cflags --libs grille) -o kem
 */
#include <grille.h>
#include <stdio.h>
#include <string.h>

static int failed(const char *what) {
    fprintf(stderr, "cannot %s: %s\n", what, grille_last_error());
    return 1;
}

int main(void) {
    const grille_kem *kem = NULL;
    grille_decaps_key *key = NULL;
    grille_encaps_key *public_key = NULL;
    unsigned char ciphertext[1088], sent[32], received[32];
    size_t ciphertext_len = sizeof ciphertext, sent_len = sizeof sent, received_len = sizeof received;

    if (grille_kem_by_name("ML-KEM-768", &kem) || grille_kem_generate(kem, &key)) return failed("generate a key");
    if (grille_decaps_key_public(key, &public_key)) return failed("get the public key");
    if (grille_encapsulate(public_key, ciphertext, &ciphertext_len, sent, &sent_len)) return failed("encapsulate");
    if (grille_decapsulate(key, ciphertext, ciphertext_len, received, &received_len)) return failed("decapsulate");
    if (sent_len != received_len || memcmp(sent, received, sent_len) != 0) return 1;
    printf("%s: both sides have the same %zu bytes\n", grille_kem_name(kem), sent_len);

    grille_encaps_key_free(public_key);
    grille_decaps_key_free(key);
    return 0;
}
