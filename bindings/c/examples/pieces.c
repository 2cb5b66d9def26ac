/* A public key of 261,120 bytes through a buffer of 1,024 bytes: Classic McEliece.
 *
 * cc pieces.c $(pkg-config --cflags --libs grille) -o pieces
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
    grille_encapsulation *encapsulation = NULL;
    unsigned char piece[1024], ciphertext[96], sent[32], received[32];
    size_t ciphertext_len = sizeof ciphertext, sent_len = sizeof sent, received_len = sizeof received, len, offset = 0;

    if (grille_kem_by_name("Classic-McEliece-348864f", &kem) || grille_kem_generate(kem, &key)) return failed("generate a key");
    if (grille_encapsulation_begin(kem, &encapsulation)) return failed("begin the encapsulation");
    for (;;) {
        /* the receiver sends a piece of its public key; at its end, the piece is empty */
        len = sizeof piece;
        if (grille_decaps_key_public_piece(key, offset, piece, &len)) return failed("read the public key");
        if (len == 0) break;
        /* the sender never has more than this piece in memory */
        if (grille_encapsulation_update(encapsulation, piece, len)) return failed("use the public key");
        offset += len;
    }
    if (grille_encapsulation_finish(encapsulation, ciphertext, &ciphertext_len, sent, &sent_len)) return failed("encapsulate");
    if (grille_decapsulate(key, ciphertext, ciphertext_len, received, &received_len)) return failed("decapsulate");
    if (sent_len != received_len || memcmp(sent, received, sent_len) != 0) return 1;
    printf("%s: both sides have the same %zu bytes; the public key has %zu\n", grille_kem_name(kem), sent_len, offset);

    grille_encapsulation_free(encapsulation);
    grille_decaps_key_free(key);
    return 0;
}
