/* grille: post-quantum KEMs and signatures, their keys and certificates.
 *
 * cbindgen wrote this file from bindings/c/src. Do not edit it: run
 *
 *     GRILLE_WRITE_HEADER=1 cargo test -p grille-capi --test header
 *
 * Rules for all functions:
 *
 * - A function that can fail returns a grille_status. grille_last_error() describes the last failure of the calling thread.
 * - Output goes into a buffer of the caller. `*len` holds its capacity in bytes before the call and the number of bytes written
 *   after it. With a null buffer the function only stores the number of bytes that it needs. If the buffer is too short, the
 *   function returns GRILLE_BUFFER_TOO_SHORT, stores the needed number in `*len` and writes nothing.
 * - If a function fails, it leaves the output buffers unchanged. Exception: if grille_decapsulate_many or grille_verify_many refuses an
 *   item, it still writes the results of all items, and returns the first refusal.
 * - A null pointer is allowed for input of length 0 and where a function says so. Elsewhere the function returns
 *   GRILLE_INVALID_ARGUMENT.
 * - Keys and certificates are immutable. Threads may share them. Each is freed once, by the function named `..._free`, which accepts
 *   a null pointer. Secrets are erased when they are freed.
 * - Randomness comes from the operating system.
 */


#ifndef GRILLE_H
#define GRILLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Result of a function. 0 is success; every failure is negative.
 */
enum grille_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Success.
   */
  GRILLE_OK = 0,
  /**
   * A pointer is null where data is needed, or a string is not UTF-8.
   */
  GRILLE_INVALID_ARGUMENT = -1,
  /**
   * No algorithm has this name.
   */
  GRILLE_UNKNOWN_ALGORITHM = -2,
  /**
   * A key, ciphertext or seed does not have the length that the algorithm requires.
   */
  GRILLE_WRONG_LENGTH = -3,
  /**
   * A key has the right length but is not a valid encoding.
   */
  GRILLE_INVALID_KEY = -4,
  /**
   * The signature does not match the message, context and key.
   */
  GRILLE_INVALID_SIGNATURE = -5,
  /**
   * The output buffer is too short; the length argument holds the needed number of bytes.
   */
  GRILLE_BUFFER_TOO_SHORT = -6,
  /**
   * The algorithm has no such operation, or the context string is too long for it.
   */
  GRILLE_UNSUPPORTED = -7,
  /**
   * A file is damaged or has an unexpected type, or the passphrase is missing or wrong.
   */
  GRILLE_INVALID_FILE = -8,
  /**
   * A certificate chain was refused.
   */
  GRILLE_UNTRUSTED = -9,
  /**
   * An internal error of the library. The operation had no effect.
   */
  GRILLE_INTERNAL = -10,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum grille_status grille_status;
#else
typedef int32_t grille_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Representation of a key in memory.
 */
enum grille_mode
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Prepared for many operations: the fastest mode. A lattice-based key takes up to 120 KiB more memory.
   */
  GRILLE_PREPARED = 0,
  /**
   * Least memory: each operation takes longer.
   */
  GRILLE_LOW_MEMORY = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum grille_mode grille_mode;
#else
typedef int32_t grille_mode;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The encoding of a written file.
 */
enum grille_encoding
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Text with BEGIN and END lines, RFC 7468.
   */
  GRILLE_PEM = 0,
  /**
   * Binary.
   */
  GRILLE_DER = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum grille_encoding grille_encoding;
#else
typedef int32_t grille_encoding;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Purpose of the first certificate of a chain.
 */
enum grille_purpose
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Any purpose: the caller checks key usages and extended key usages.
   */
  GRILLE_ANY_PURPOSE = 0,
  /**
   * Authentication of a TLS server.
   */
  GRILLE_TLS_SERVER = 1,
  /**
   * Authentication of a TLS client.
   */
  GRILLE_TLS_CLIENT = 2,
  /**
   * Encapsulation of shared secrets: the certificate has a KEM key.
   */
  GRILLE_KEY_ENCAPSULATION = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum grille_purpose grille_purpose;
#else
typedef int32_t grille_purpose;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The certificates of a file, in the file's order. Freed by `grille_certificates_free`.
 */
typedef struct grille_certificates grille_certificates;

/**
 * A decapsulation key: secret. Freed by `grille_decaps_key_free`, which erases it.
 */
typedef struct grille_decaps_key grille_decaps_key;

/**
 * An encapsulation key: public. Freed by `grille_encaps_key_free`.
 */
typedef struct grille_encaps_key grille_encaps_key;

/**
 * Encapsulation with an encapsulation key that arrives in pieces: secret. Freed by `grille_encapsulation_free`, which erases it. It
 * changes with every call, so threads must not share it.
 */
typedef struct grille_encapsulation grille_encapsulation;

/**
 * A KEM of the registry. Static: never freed.
 */
typedef struct grille_kem grille_kem;

/**
 * A signature algorithm of the registry. Static: never freed.
 */
typedef struct grille_signature grille_signature;

/**
 * A signing key: secret. Freed by `grille_signing_key_free`, which erases it.
 */
typedef struct grille_signing_key grille_signing_key;

/**
 * A verifying key: public. Freed by `grille_verifying_key_free`.
 */
typedef struct grille_verifying_key grille_verifying_key;

/**
 * A stream of secret bytes: SHAKE256, the KDF of round 3. Freed by `grille_xof_free`, which erases it.
 */
typedef struct grille_xof grille_xof;

/**
 * Bytes of the caller, as an item of an array. `data` may be null if `len` is 0.
 */
typedef struct grille_bytes {
  /**
   * The first byte.
   */
  const uint8_t *data;
  /**
   * The number of bytes.
   */
  size_t len;
} grille_bytes;

/**
 * The lengths of a KEM in bytes, and its security category.
 */
typedef struct grille_kem_info {
  /**
   * Length of the encoded encapsulation key.
   */
  size_t encaps_key_len;
  /**
   * Length of the encoded decapsulation key.
   */
  size_t decaps_key_len;
  /**
   * Length of the seed from which a decapsulation key can be derived; 0 if the algorithm has no seeds.
   */
  size_t seed_len;
  /**
   * Length of the ciphertext.
   */
  size_t ciphertext_len;
  /**
   * Length of the shared secret.
   */
  size_t shared_secret_len;
  /**
   * NIST security category, 1 to 5; 0 for classical algorithms.
   */
  uint8_t category;
} grille_kem_info;

/**
 * The lengths of a signature algorithm in bytes, and its security category.
 */
typedef struct grille_signature_info {
  /**
   * Length of the encoded verifying key; for a composite, the maximum.
   */
  size_t verifying_key_len;
  /**
   * Length of the encoded signing key; for a composite, the maximum.
   */
  size_t signing_key_len;
  /**
   * Length of the seed from which a signing key can be derived; 0 if the algorithm has no seeds.
   */
  size_t seed_len;
  /**
   * Length of the longest signature.
   */
  size_t signature_len;
  /**
   * Length of the longest context string; 0 if the algorithm takes none.
   */
  size_t context_len;
  /**
   * NIST security category, 1 to 5; 0 for classical algorithms.
   */
  uint8_t category;
} grille_signature_info;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Returns the version of the library, such as "0.1.0". The string is static.
 */
const char *grille_version(void);

/**
 * Creates a fresh shared secret for each of `count` keys, which belong to one algorithm; a key may occur more than once.
 *
 * The ciphertext for key n begins at `n * ciphertext_len` of the algorithm, and the shared secret at
 * `n * shared_secret_len`. `ciphertexts_len` and `secrets_len` are the lengths of all together. Neither buffer is written
 * unless both are long enough. If a buffer is null, the function only stores the lengths.
 *
 * # Safety
 * `keys` is null or points to `count` pointers, each of which is null or a key of this library; the other arguments are buffers
 * and their lengths, as described at the top of `grille.h`.
 */
grille_status grille_encapsulate_many(const struct grille_encaps_key *const *keys,
                                      size_t count,
                                      uint8_t *ciphertexts,
                                      size_t *ciphertexts_len,
                                      uint8_t *secrets,
                                      size_t *secrets_len);

/**
 * Decapsulates `count` ciphertexts, each with its key. The keys belong to one algorithm; a key may occur more than once.
 *
 * The ciphertext for key n begins at `n * ciphertext_len` of the algorithm, and the shared secret at
 * `n * shared_secret_len`. `ciphertexts_len` must be `count * ciphertext_len`.
 *
 * A hybrid or classical KEM can refuse a ciphertext. It does not affect the others: the function still writes all shared secrets,
 * with zeros for refused ciphertexts, and returns the status of the first one. If `statuses` is not null, the function
 * stores the status of each ciphertext there. All other failures leave the buffers unchanged.
 *
 * # Safety
 * `keys` is null or points to `count` pointers, each of which is null or a key of this library; `ciphertexts` is null or points to
 * `ciphertexts_len` bytes; `secrets` and `secrets_len` are a buffer and its length, as described at the top of `grille.h`; `statuses`
 * is null or points to `count` writable statuses.
 */
grille_status grille_decapsulate_many(const struct grille_decaps_key *const *keys,
                                      size_t count,
                                      const uint8_t *ciphertexts,
                                      size_t ciphertexts_len,
                                      uint8_t *secrets,
                                      size_t *secrets_len,
                                      grille_status *statuses);

/**
 * Signs `count` messages with one key and one context, with fresh randomness if the algorithm uses any.
 *
 * Signature n begins at `n * signature_len` of the algorithm, and `lens[n]` is its length; zeros follow a shorter signature.
 * `out_len` is the length of all together. `lens` may be null only if `out` is null or `count` is 0.
 *
 * # Safety
 * `key` is null or a key of this library; `messages` is null or points to `count` items, each of which is null or points to as many
 * bytes as its length says; `context` is null or points to `context_len` bytes; `out` and `out_len` are a buffer and its length, as
 * described at the top of `grille.h`; `lens` is null or points to `count` writable numbers.
 */
grille_status grille_sign_many(const struct grille_signing_key *key,
                               const struct grille_bytes *messages,
                               size_t count,
                               const uint8_t *context,
                               size_t context_len,
                               uint8_t *out,
                               size_t *out_len,
                               size_t *lens);

/**
 * Verifies `count` signatures of one key with one context: `signatures[n]` for `messages[n]`.
 *
 * Returns `GRILLE_OK` if all signatures match, or the status of the first one that does not. If `statuses` is not null, the function
 * stores the status of each signature there. All other failures leave `statuses` unchanged.
 *
 * # Safety
 * `key` is null or a key of this library; `messages` and `signatures` are null or point to `count` items, each of which is null or
 * points to as many bytes as its length says; `context` is null or points to `context_len` bytes; `statuses` is null or points to
 * `count` writable statuses.
 */
grille_status grille_verify_many(const struct grille_verifying_key *key,
                                 const struct grille_bytes *messages,
                                 const struct grille_bytes *signatures,
                                 size_t count,
                                 const uint8_t *context,
                                 size_t context_len,
                                 grille_status *statuses);

/**
 * Reads every certificate of a file: PEM, or DER.
 *
 * # Safety
 * `file` is null or points to `file_len` bytes; `certificates` is null or points to a writable pointer.
 */
grille_status grille_certificates_read(const uint8_t *file,
                                       size_t file_len,
                                       struct grille_certificates **certificates);

/**
 * Returns the number of certificates, or 0 if `certificates` is null.
 *
 * # Safety
 * `certificates` is null or came from this library.
 */
size_t grille_certificates_count(const struct grille_certificates *certificates);

/**
 * Writes the subject of a certificate in the format of RFC 4514, in UTF-8, without a terminating NUL.
 *
 * # Safety
 * `certificates` is null or came from this library; `out` and `out_len` are a buffer and its length, as described at the top of `grille.h`.
 */
grille_status grille_certificates_subject(const struct grille_certificates *certificates,
                                          size_t position,
                                          uint8_t *out,
                                          size_t *out_len);

/**
 * Writes a certificate as PEM or DER. `encoding`: a `grille_encoding`.
 *
 * # Safety
 * The requirements of `grille_certificates_subject` apply.
 */
grille_status grille_certificates_write(const struct grille_certificates *certificates,
                                        size_t position,
                                        int32_t encoding,
                                        uint8_t *out,
                                        size_t *out_len);

/**
 * Returns the public key of a certificate, which must be a key of a signature algorithm.
 *
 * # Safety
 * `certificates` is null or came from this library; `key` is null or points to a writable pointer.
 */
grille_status grille_certificates_verifying_key(const struct grille_certificates *certificates,
                                                size_t position,
                                                struct grille_verifying_key **key);

/**
 * Returns the public key of a certificate, which must be a KEM key.
 *
 * # Safety
 * The requirements of `grille_certificates_verifying_key` apply.
 */
grille_status grille_certificates_encaps_key(const struct grille_certificates *certificates,
                                             size_t position,
                                             struct grille_encaps_key **key);

/**
 * Verifies a chain, end entity first: signatures, validity, basic constraints, path lengths, key usages, purpose and name. Every
 * algorithm of the library is accepted.
 *
 * `name`: required host name or IP address of the end entity; null accepts any. `seconds`: the time of the
 * verification, in seconds since 1970. `purpose`: a `grille_purpose`. Returns `GRILLE_UNTRUSTED` for a refused chain;
 * `grille_last_error` has the reason.
 *
 * # Safety
 * `chain` and `roots` are null or came from this library; `name` is null or a string.
 */
grille_status grille_certificates_verify(const struct grille_certificates *chain,
                                         const struct grille_certificates *roots,
                                         int32_t purpose,
                                         const char *name,
                                         uint64_t seconds);

/**
 * Frees certificates.
 *
 * # Safety
 * `certificates` is null or came from this library and was not freed; nothing uses it during or after the call.
 */
void grille_certificates_free(struct grille_certificates *certificates);

/**
 * Returns the number of KEMs.
 */
size_t grille_kem_count(void);

/**
 * Returns the KEM at a position from 0 to `grille_kem_count() - 1`, or null for any other position.
 */
const struct grille_kem *grille_kem_at(size_t position);

/**
 * Finds a KEM by any of its names, such as "ML-KEM-768" or "Kyber512". Case does not matter.
 *
 * # Safety
 * `name` is null or a string; `kem` is null or points to a writable pointer.
 */
grille_status grille_kem_by_name(const char *name, const struct grille_kem **kem);

/**
 * Returns the name of a KEM, or an empty string if `kem` is null. The string is static.
 *
 * # Safety
 * `kem` is null or an algorithm of this library.
 */
const char *grille_kem_name(const struct grille_kem *kem);

/**
 * Returns the lengths and the security category of a KEM. If `kem` is null, all values are 0.
 *
 * # Safety
 * `kem` is null or an algorithm of this library.
 */
struct grille_kem_info grille_kem_get_info(const struct grille_kem *kem);

/**
 * Generates a key pair. `grille_decaps_key_public` returns the encapsulation key.
 *
 * # Safety
 * `kem` is null or an algorithm of this library; `key` is null or points to a writable pointer.
 */
grille_status grille_kem_generate(const struct grille_kem *kem, struct grille_decaps_key **key);

/**
 * Reads a decapsulation key in the standard's expanded encoding.
 *
 * # Safety
 * `kem` is null or an algorithm of this library; `data` is null or points to `len` bytes; `key` is null or points to a writable
 * pointer.
 */
grille_status grille_decaps_key_from_bytes(const struct grille_kem *kem,
                                           const uint8_t *data,
                                           size_t len,
                                           struct grille_decaps_key **key);

/**
 * Derives the decapsulation key from a seed.
 *
 * # Safety
 * The requirements of `grille_decaps_key_from_bytes` apply.
 */
grille_status grille_decaps_key_from_seed(const struct grille_kem *kem,
                                          const uint8_t *seed,
                                          size_t len,
                                          struct grille_decaps_key **key);

/**
 * Reads an encapsulation key and checks it as the standard requires.
 *
 * # Safety
 * The requirements of `grille_decaps_key_from_bytes` apply.
 */
grille_status grille_encaps_key_from_bytes(const struct grille_kem *kem,
                                           const uint8_t *data,
                                           size_t len,
                                           struct grille_encaps_key **key);

/**
 * Returns the algorithm of a decapsulation key, or null if `key` is null.
 *
 * # Safety
 * `key` is null or a key of this library.
 */
const struct grille_kem *grille_decaps_key_kem(const struct grille_decaps_key *key);

/**
 * Returns the algorithm of an encapsulation key, or null if `key` is null.
 *
 * # Safety
 * `key` is null or a key of this library.
 */
const struct grille_kem *grille_encaps_key_kem(const struct grille_encaps_key *key);

/**
 * Returns the encapsulation key that belongs to a decapsulation key, as a separate object.
 *
 * # Safety
 * `key` is null or a key of this library; `public_key` is null or points to a writable pointer.
 */
grille_status grille_decaps_key_public(const struct grille_decaps_key *key,
                                       struct grille_encaps_key **public_key);

/**
 * Writes a decapsulation key in the standard's expanded encoding. The output is secret.
 *
 * # Safety
 * `key` is null or a key of this library; `out` and `out_len` are a buffer and its length, as described at the top of `grille.h`.
 */
grille_status grille_decaps_key_to_bytes(const struct grille_decaps_key *key,
                                         uint8_t *out,
                                         size_t *out_len);

/**
 * Writes the seed of a decapsulation key. The output is secret. Returns `GRILLE_UNSUPPORTED` if the key was not derived from a
 * seed.
 *
 * # Safety
 * The requirements of `grille_decaps_key_to_bytes` apply.
 */
grille_status grille_decaps_key_to_seed(const struct grille_decaps_key *key,
                                        uint8_t *out,
                                        size_t *out_len);

/**
 * Writes an encapsulation key.
 *
 * # Safety
 * The requirements of `grille_decaps_key_to_bytes` apply.
 */
grille_status grille_encaps_key_to_bytes(const struct grille_encaps_key *key, uint8_t *out, size_t *out_len);

/**
 * Creates a fresh shared secret and the ciphertext that carries it. Neither buffer is written unless both are long enough. If a
 * buffer is null, the function only stores the lengths.
 *
 * # Safety
 * `key` is null or a key of this library; `ciphertext` and `ciphertext_len`, `secret` and `secret_len` are buffers and their
 * lengths, as described at the top of `grille.h`.
 */
grille_status grille_encapsulate(const struct grille_encaps_key *key,
                                 uint8_t *ciphertext,
                                 size_t *ciphertext_len,
                                 uint8_t *secret,
                                 size_t *secret_len);

/**
 * Recovers the shared secret. An altered ciphertext gives an unrelated secret, not an error (implicit rejection).
 *
 * # Safety
 * `key` is null or a key of this library; `ciphertext` is null or points to `ciphertext_len` bytes; `secret` and `secret_len` are
 * a buffer and its length, as described at the top of `grille.h`.
 */
grille_status grille_decapsulate(const struct grille_decaps_key *key,
                                 const uint8_t *ciphertext,
                                 size_t ciphertext_len,
                                 uint8_t *secret,
                                 size_t *secret_len);

/**
 * Erases and frees a decapsulation key.
 *
 * # Safety
 * `key` is null or a key of this library that was not freed; nothing uses it during or after the call.
 */
void grille_decaps_key_free(struct grille_decaps_key *key);

/**
 * Frees an encapsulation key.
 *
 * # Safety
 * The requirements of `grille_decaps_key_free` apply.
 */
void grille_encaps_key_free(struct grille_encaps_key *key);

/**
 * Reads the private key of a signature algorithm from a file: PKCS#8, PKCS#12 or a traditional form, PEM or DER. The file names
 * the algorithm. `passphrase`: the passphrase of an encrypted file; ignored for other files.
 *
 * # Safety
 * `file` and `passphrase` are null or point to as many bytes as their lengths say; `key` is null or points to a writable pointer.
 */
grille_status grille_signing_key_read(const uint8_t *file,
                                      size_t file_len,
                                      const uint8_t *passphrase,
                                      size_t passphrase_len,
                                      struct grille_signing_key **key);

/**
 * Reads the public key of a signature algorithm: SubjectPublicKeyInfo, PEM or DER.
 *
 * # Safety
 * `file` is null or points to `file_len` bytes; `key` is null or points to a writable pointer.
 */
grille_status grille_verifying_key_read(const uint8_t *file,
                                        size_t file_len,
                                        struct grille_verifying_key **key);

/**
 * Reads the private key of a KEM: PKCS#8, PEM or DER.
 *
 * # Safety
 * The requirements of `grille_signing_key_read` apply.
 */
grille_status grille_decaps_key_read(const uint8_t *file,
                                     size_t file_len,
                                     const uint8_t *passphrase,
                                     size_t passphrase_len,
                                     struct grille_decaps_key **key);

/**
 * Reads the public key of a KEM: SubjectPublicKeyInfo, PEM or DER.
 *
 * # Safety
 * The requirements of `grille_verifying_key_read` apply.
 */
grille_status grille_encaps_key_read(const uint8_t *file, size_t file_len, struct grille_encaps_key **key);

/**
 * Writes a signing key as PKCS#8. `encoding`: a `grille_encoding`. The file is encrypted (PBES2, AES-256-CBC) unless the
 * passphrase is empty. The output is secret.
 *
 * # Safety
 * `key` is null or a key of this library; `passphrase` is null or points to `passphrase_len` bytes; `out` and `out_len` are a buffer
 * and its length, as described at the top of `grille.h`.
 */
grille_status grille_signing_key_write(const struct grille_signing_key *key,
                                       int32_t encoding,
                                       const uint8_t *passphrase,
                                       size_t passphrase_len,
                                       uint8_t *out,
                                       size_t *out_len);

/**
 * Writes a decapsulation key as PKCS#8. `encoding`: a `grille_encoding`. The file is encrypted (PBES2, AES-256-CBC) unless the
 * passphrase is empty. The output is secret.
 *
 * # Safety
 * The requirements of `grille_signing_key_write` apply.
 */
grille_status grille_decaps_key_write(const struct grille_decaps_key *key,
                                      int32_t encoding,
                                      const uint8_t *passphrase,
                                      size_t passphrase_len,
                                      uint8_t *out,
                                      size_t *out_len);

/**
 * Writes a verifying key as SubjectPublicKeyInfo. `encoding`: a `grille_encoding`.
 *
 * # Safety
 * `key` is null or a key of this library; `out` and `out_len` are a buffer and its length, as described at the top of `grille.h`.
 */
grille_status grille_verifying_key_write(const struct grille_verifying_key *key,
                                         int32_t encoding,
                                         uint8_t *out,
                                         size_t *out_len);

/**
 * Writes an encapsulation key as SubjectPublicKeyInfo. `encoding`: a `grille_encoding`.
 *
 * # Safety
 * The requirements of `grille_verifying_key_write` apply.
 */
grille_status grille_encaps_key_write(const struct grille_encaps_key *key,
                                      int32_t encoding,
                                      uint8_t *out,
                                      size_t *out_len);

/**
 * Generates a key pair for `grille_kyber_encrypt`.
 *
 * # Safety
 * The buffers and their lengths are as described at the top of `grille.h`.
 */
grille_status grille_kyber_generate(uint32_t k,
                                    uint8_t *public_key,
                                    size_t *public_key_len,
                                    uint8_t *secret_key,
                                    size_t *secret_key_len);

/**
 * Encrypts a message of 32 bytes. `coins`: 32 random bytes, secret and used only once.
 *
 * # Safety
 * The pointers are null or point to as many bytes as their lengths say; `ciphertext` and `ciphertext_len` are a buffer and its
 * length, as described at the top of `grille.h`.
 */
grille_status grille_kyber_encrypt(uint32_t k,
                                   const uint8_t *public_key,
                                   size_t public_key_len,
                                   const uint8_t *message,
                                   size_t message_len,
                                   const uint8_t *coins,
                                   size_t coins_len,
                                   uint8_t *ciphertext,
                                   size_t *ciphertext_len);

/**
 * Decrypts a ciphertext to a message of 32 bytes. An altered ciphertext gives a different message.
 *
 * # Safety
 * The pointers are null or point to as many bytes as their lengths say; `message` and `message_len` are a buffer and its length,
 * as described at the top of `grille.h`.
 */
grille_status grille_kyber_decrypt(uint32_t k,
                                   const uint8_t *secret_key,
                                   size_t secret_key_len,
                                   const uint8_t *ciphertext,
                                   size_t ciphertext_len,
                                   uint8_t *message,
                                   size_t *message_len);

/**
 * Encapsulates to a public key of Kyber. The first 32 bytes of the stream are the shared secret of the KEM.
 *
 * # Safety
 * `public_key` is null or points to `public_key_len` bytes; `ciphertext` and `ciphertext_len` are a buffer and its length, as described at the
 * top of `grille.h`; `stream` is null or points to a writable pointer.
 */
grille_status grille_kyber_encapsulate(uint32_t k,
                                       const uint8_t *public_key,
                                       size_t public_key_len,
                                       uint8_t *ciphertext,
                                       size_t *ciphertext_len,
                                       struct grille_xof **stream);

/**
 * Decapsulates with a secret key of Kyber. An altered ciphertext gives an unrelated stream.
 *
 * # Safety
 * The pointers are null or point to as many bytes as their lengths say; `stream` is null or points to a writable pointer.
 */
grille_status grille_kyber_decapsulate(uint32_t k,
                                       const uint8_t *secret_key,
                                       size_t secret_key_len,
                                       const uint8_t *ciphertext,
                                       size_t ciphertext_len,
                                       struct grille_xof **stream);

/**
 * Reads the next `len` bytes of a stream. One thread at a time may read.
 *
 * # Safety
 * `stream` is null or a stream of this library that no other thread uses; `out` is null or points to `len` writable bytes.
 */
grille_status grille_xof_read(struct grille_xof *stream,
                              uint8_t *out,
                              size_t len);

/**
 * Erases and frees a stream.
 *
 * # Safety
 * `stream` is null or a stream of this library that was not freed; nothing uses it during or after the call.
 */
void grille_xof_free(struct grille_xof *stream);

/**
 * Returns the number of signature algorithms.
 */
size_t grille_signature_count(void);

/**
 * Returns the algorithm at a position from 0 to `grille_signature_count() - 1`, or null for any other position.
 */
const struct grille_signature *grille_signature_at(size_t position);

/**
 * Finds a signature algorithm by any of its names, such as "ML-DSA-65" or "Falcon-512". Case does not matter.
 *
 * # Safety
 * `name` is null or a string; `signature` is null or points to a writable pointer.
 */
grille_status grille_signature_by_name(const char *name, const struct grille_signature **signature);

/**
 * Returns the name of a signature algorithm, or an empty string if `signature` is null. The string is static.
 *
 * # Safety
 * `signature` is null or an algorithm of this library.
 */
const char *grille_signature_name(const struct grille_signature *signature);

/**
 * Returns the lengths and the security category of a signature algorithm. If `signature` is null, all values are 0.
 *
 * # Safety
 * `signature` is null or an algorithm of this library.
 */
struct grille_signature_info grille_signature_get_info(const struct grille_signature *signature);

/**
 * Generates a key pair. `grille_signing_key_public` returns the verifying key.
 *
 * # Safety
 * `signature` is null or an algorithm of this library; `key` is null or points to a writable pointer.
 */
grille_status grille_signature_generate(const struct grille_signature *signature,
                                        struct grille_signing_key **key);

/**
 * Reads a signing key in the standard's expanded encoding. `mode` is a `grille_mode`.
 *
 * # Safety
 * `signature` is null or an algorithm of this library; `data` is null or points to `len` bytes; `key` is null or points to a
 * writable pointer.
 */
grille_status grille_signing_key_from_bytes(const struct grille_signature *signature,
                                            const uint8_t *data,
                                            size_t len,
                                            int32_t mode,
                                            struct grille_signing_key **key);

/**
 * Derives the signing key from a seed. `mode` is a `grille_mode`.
 *
 * # Safety
 * The requirements of `grille_signing_key_from_bytes` apply.
 */
grille_status grille_signing_key_from_seed(const struct grille_signature *signature,
                                           const uint8_t *seed,
                                           size_t len,
                                           int32_t mode,
                                           struct grille_signing_key **key);

/**
 * Reads a verifying key. `mode` is a `grille_mode`.
 *
 * # Safety
 * The requirements of `grille_signing_key_from_bytes` apply.
 */
grille_status grille_verifying_key_from_bytes(const struct grille_signature *signature,
                                              const uint8_t *data,
                                              size_t len,
                                              int32_t mode,
                                              struct grille_verifying_key **key);

/**
 * Returns the algorithm of a signing key, or null if `key` is null.
 *
 * # Safety
 * `key` is null or a key of this library.
 */
const struct grille_signature *grille_signing_key_signature(const struct grille_signing_key *key);

/**
 * Returns the algorithm of a verifying key, or null if `key` is null.
 *
 * # Safety
 * `key` is null or a key of this library.
 */
const struct grille_signature *grille_verifying_key_signature(const struct grille_verifying_key *key);

/**
 * Returns the verifying key that belongs to a signing key, as a separate object.
 *
 * # Safety
 * `key` is null or a key of this library; `public_key` is null or points to a writable pointer.
 */
grille_status grille_signing_key_public(const struct grille_signing_key *key,
                                        struct grille_verifying_key **public_key);

/**
 * Writes a signing key in the standard's expanded encoding. The output is secret.
 *
 * # Safety
 * `key` is null or a key of this library; `out` and `out_len` are a buffer and its length, as described at the top of `grille.h`.
 */
grille_status grille_signing_key_to_bytes(const struct grille_signing_key *key,
                                          uint8_t *out,
                                          size_t *out_len);

/**
 * Writes the seed of a signing key. The output is secret. Returns `GRILLE_UNSUPPORTED` if the key was not derived from a seed.
 *
 * # Safety
 * The requirements of `grille_signing_key_to_bytes` apply.
 */
grille_status grille_signing_key_to_seed(const struct grille_signing_key *key,
                                         uint8_t *out,
                                         size_t *out_len);

/**
 * Writes a verifying key.
 *
 * # Safety
 * The requirements of `grille_signing_key_to_bytes` apply.
 */
grille_status grille_verifying_key_to_bytes(const struct grille_verifying_key *key,
                                            uint8_t *out,
                                            size_t *out_len);

/**
 * Signs a message, with fresh randomness if the algorithm uses any. `context` binds the signature to a purpose; most programs
 * pass none. The buffer must have room for the longest signature of the algorithm.
 *
 * # Safety
 * `key` is null or a key of this library; `message` and `context` are null or point to as many bytes as their lengths say; `out` and
 * `out_len` are a buffer and its length, as described at the top of `grille.h`.
 */
grille_status grille_sign(const struct grille_signing_key *key,
                          const uint8_t *message,
                          size_t message_len,
                          const uint8_t *context,
                          size_t context_len,
                          uint8_t *out,
                          size_t *out_len);

/**
 * Verifies a signature: `GRILLE_OK` if it matches, `GRILLE_INVALID_SIGNATURE` if not.
 *
 * # Safety
 * `key` is null or a key of this library; `message`, `context` and `signature` are null or point to as many bytes as their lengths say.
 */
grille_status grille_verify(const struct grille_verifying_key *key,
                            const uint8_t *message,
                            size_t message_len,
                            const uint8_t *context,
                            size_t context_len,
                            const uint8_t *signature,
                            size_t signature_len);

/**
 * Erases and frees a signing key.
 *
 * # Safety
 * `key` is null or a key of this library that was not freed; nothing uses it during or after the call.
 */
void grille_signing_key_free(struct grille_signing_key *key);

/**
 * Frees a verifying key.
 *
 * # Safety
 * The requirements of `grille_signing_key_free` apply.
 */
void grille_verifying_key_free(struct grille_verifying_key *key);

/**
 * Returns the text of the last failure in the calling thread, or an empty string. The text is UTF-8, has one line, and is valid
 * until the next call of a grille function in this thread.
 */
const char *grille_last_error(void);

/**
 * Returns a description of a status, for messages. The string is static. `status` may be any number: a number that is
 * not a status has a description, too.
 */
const char *grille_status_text(int32_t status);

/**
 * Writes bytes of an encapsulation key, starting with the byte at `offset`: as many as there are and as fit. So a short buffer is
 * not an error. At the end of the key, the function writes 0 bytes. With a null buffer, it stores the number of bytes from `offset` to
 * the end.
 *
 * # Safety
 * `key` is null or a key of this library; `out` and `out_len` are a buffer and its length, as described at the top of `grille.h`.
 */
grille_status grille_encaps_key_piece(const struct grille_encaps_key *key,
                                      size_t offset,
                                      uint8_t *out,
                                      size_t *out_len);

/**
 * Writes bytes of the encapsulation key that belongs to a decapsulation key, as `grille_encaps_key_piece` does. Unlike
 * `grille_decaps_key_public`, it makes no copy of a large key.
 *
 * # Safety
 * The requirements of `grille_encaps_key_piece` apply.
 */
grille_status grille_decaps_key_public_piece(const struct grille_decaps_key *key,
                                             size_t offset,
                                             uint8_t *out,
                                             size_t *out_len);

/**
 * Starts to encapsulate with an encoded encapsulation key that `grille_encapsulation_update` reads in pieces, so that the key need not be
 * in memory as a whole. Returns `GRILLE_UNSUPPORTED` unless the algorithm has large public keys, such as those of Classic McEliece.
 *
 * # Safety
 * `kem` is null or an algorithm of this library; `encapsulation` is null or points to a writable pointer.
 */
grille_status grille_encapsulation_begin(const struct grille_kem *kem,
                                         struct grille_encapsulation **encapsulation);

/**
 * Reads the next piece of the encapsulation key. A piece beyond the end of the key is ignored: `GRILLE_WRONG_LENGTH`. After
 * `GRILLE_INVALID_KEY`, all later calls except `grille_encapsulation_free` return the same.
 *
 * # Safety
 * `encapsulation` is null or came from this library; `piece` is null or points to `len` bytes.
 */
grille_status grille_encapsulation_update(struct grille_encapsulation *encapsulation,
                                          const uint8_t *piece,
                                          size_t len);

/**
 * Writes the shared secret and the ciphertext that carries it, after the last piece of the encapsulation key. Neither buffer is written
 * unless both are long enough. If a buffer is null, the function only stores the lengths. If a part of the key is missing, returns
 * `GRILLE_WRONG_LENGTH`; the missing part may still be passed. After success, only `grille_encapsulation_free` is allowed.
 *
 * # Safety
 * `encapsulation` is null or came from this library; `ciphertext` and `ciphertext_len`, `secret` and `secret_len` are buffers and
 * their lengths, as described at the top of `grille.h`.
 */
grille_status grille_encapsulation_finish(struct grille_encapsulation *encapsulation,
                                          uint8_t *ciphertext,
                                          size_t *ciphertext_len,
                                          uint8_t *secret,
                                          size_t *secret_len);

/**
 * Erases and frees an encapsulation.
 *
 * # Safety
 * `encapsulation` is null or came from this library and was not freed; nothing uses it during or after the call.
 */
void grille_encapsulation_free(struct grille_encapsulation *encapsulation);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* GRILLE_H */
