/* Signs a message with ML-DSA-65, writes the key encrypted, reads it again and verifies.
 *
 * cc sign.c $(pkg-config --cflags --libs grille) -o sign
 */
#include <grille.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failed(const char *what) {
    fprintf(stderr, "cannot %s: %s\n", what, grille_last_error());
    return 1;
}

int main(void) {
    const unsigned char message[] = "hello", passphrase[] = "correct horse";
    const grille_signature *algorithm = NULL;
    grille_signing_key *key = NULL, *again = NULL;
    grille_verifying_key *public_key = NULL;
    size_t file_len = 0, signature_len;

    if (grille_signature_by_name("ML-DSA-65", &algorithm) || grille_signature_generate(algorithm, &key)) {
        return failed("generate a key");
    }

    /* with a null buffer, the function only stores the length */
    if (grille_signing_key_write(key, GRILLE_PEM, passphrase, sizeof passphrase, NULL, &file_len)) {
        return failed("ask for the length");
    }
    unsigned char *file = malloc(file_len);
    if (!file || grille_signing_key_write(key, GRILLE_PEM, passphrase, sizeof passphrase, file, &file_len)) {
        return failed("write the key");
    }
    if (grille_signing_key_read(file, file_len, passphrase, sizeof passphrase, &again)) return failed("read the key");
    free(file);

    signature_len = grille_signature_get_info(algorithm).signature_len;
    unsigned char *signature = malloc(signature_len);
    if (!signature || grille_sign(again, message, sizeof message, NULL, 0, signature, &signature_len)) {
        return failed("sign");
    }
    if (grille_signing_key_public(key, &public_key)) return failed("get the public key");
    if (grille_verify(public_key, message, sizeof message, NULL, 0, signature, signature_len)) return failed("verify");
    signature[0] ^= 1;
    if (grille_verify(public_key, message, sizeof message, NULL, 0, signature, signature_len)
        != GRILLE_INVALID_SIGNATURE) {
        return 1;
    }
    printf("%s: the signature of %zu bytes is valid, an altered one is not\n", grille_signature_name(algorithm),
           signature_len);

    free(signature);
    grille_verifying_key_free(public_key);
    grille_signing_key_free(again);
    grille_signing_key_free(key);
    return 0;
}
