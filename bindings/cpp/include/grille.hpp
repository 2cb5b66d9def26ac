// grille for C++20: post-quantum KEMs and signatures, header-only over the C library (grille.h).
//
// Algorithms are types: grille::ml_kem_768, grille::ml_dsa_65 and so on; grille_algorithms.hpp lists them. Keys, ciphertexts and
// shared secrets have fixed lengths, so a buffer of a wrong length does not compile. Failures are thrown as grille::error.
#ifndef GRILLE_HPP
#define GRILLE_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include <grille.h>

namespace grille {

// The failure of an operation; what() returns the library's error text.
class error : public std::runtime_error {
public:
    error(grille_status status, const char* text) : std::runtime_error(text), status_(status) {}

    // The result code of the C library.
    [[nodiscard]] grille_status status() const noexcept { return status_; }

private:
    grille_status status_;
};

// A read-only view of bytes.
using bytes = std::span<const std::uint8_t>;

namespace detail {

// Throws the last error of the C library unless the status is GRILLE_OK.
inline void check(grille_status status) {
    if (status != GRILLE_OK) {
        throw error(status, grille_last_error());
    }
}

template <auto Free>
struct deleter {
    template <typename T>
    void operator()(T* pointer) const noexcept {
        Free(pointer);
    }
};

// Owns an object of the C library.
template <typename T, auto Free>
using handle = std::unique_ptr<T, deleter<Free>>;

// The name of an algorithm, as a template argument.
template <std::size_t N>
struct name {
    char text[N];

    consteval name(const char (&literal)[N]) { std::copy_n(literal, N, text); }  // NOLINT: implicit, for template arguments
};

// Overwrites bytes with zeros in a way that the compiler cannot remove.
inline void erase(std::span<std::uint8_t> data) noexcept {
    volatile std::uint8_t* place = data.data();
    for (std::size_t i = 0; i < data.size(); i++) {
        place[i] = 0;
    }
}

// Calls a function that writes exactly `out.size()` bytes.
template <typename Function, typename Key>
void write(Function function, const Key* key, std::span<std::uint8_t> out) {
    std::size_t length = out.size();
    check(function(key, out.data(), &length));
    if (length != out.size()) {
        throw error(GRILLE_INTERNAL, "the library wrote a value of another length");
    }
}

}  // namespace detail

// A secret of fixed length. It is erased when it is destroyed.
template <std::size_t N>
class secret {
public:
    secret() = default;
    explicit secret(std::span<const std::uint8_t, N> bytes) { std::copy(bytes.begin(), bytes.end(), bytes_.begin()); }
    secret(const secret&) = default;
    secret& operator=(const secret&) = default;
    ~secret() { detail::erase(bytes_); }

    [[nodiscard]] std::span<const std::uint8_t, N> span() const noexcept { return bytes_; }
    [[nodiscard]] std::span<std::uint8_t, N> span() noexcept { return bytes_; }

    // Compares in constant time.
    friend bool operator==(const secret& a, const secret& b) noexcept {
        std::uint8_t difference = 0;
        for (std::size_t i = 0; i < N; i++) {
            difference = static_cast<std::uint8_t>(difference | (a.bytes_[i] ^ b.bytes_[i]));
        }
        return difference == 0;
    }

private:
    std::array<std::uint8_t, N> bytes_{};
};

// The lengths of a KEM in bytes. `seed` is 0 if the algorithm has no seeds.
struct kem_lengths {
    std::size_t public_key, secret_key, seed, ciphertext, shared_secret;
};

// A key encapsulation mechanism.
template <detail::name Name, kem_lengths Lengths>
class kem {
    // The algorithm of the C library, whose lengths are compared once with those of this type.
    static const grille_kem* algorithm() {
        static const grille_kem* const found = [] {
            const grille_kem* kem = nullptr;
            detail::check(grille_kem_by_name(Name.text, &kem));
            const grille_kem_info info = grille_kem_get_info(kem);
            if (info.encaps_key_len != Lengths.public_key || info.decaps_key_len != Lengths.secret_key ||
                info.seed_len != Lengths.seed || info.ciphertext_len != Lengths.ciphertext ||
                info.shared_secret_len != Lengths.shared_secret) {
                throw error(GRILLE_INTERNAL, "grille_algorithms.hpp belongs to another version of the library");
            }
            return kem;
        }();
        return found;
    }

public:
    static constexpr std::size_t public_key_length = Lengths.public_key;
    static constexpr std::size_t secret_key_length = Lengths.secret_key;
    static constexpr std::size_t seed_length = Lengths.seed;
    static constexpr std::size_t ciphertext_length = Lengths.ciphertext;
    static constexpr std::size_t shared_secret_length = Lengths.shared_secret;
    static constexpr const char* name = Name.text;

    using ciphertext = std::array<std::uint8_t, ciphertext_length>;
    using shared_secret = secret<shared_secret_length>;

    // The result of encapsulation.
    struct encapsulated {
        // Ciphertext for the owner of the secret key.
        typename kem::ciphertext ciphertext;
        // The caller's copy of the shared secret.
        typename kem::shared_secret shared_secret;
    };

    // A public key that was parsed and checked.
    class public_key {
    public:
        // Parses a key and checks it as the standard requires.
        explicit public_key(std::span<const std::uint8_t, public_key_length> encoded) {
            grille_encaps_key* key = nullptr;
            detail::check(grille_encaps_key_from_bytes(algorithm(), encoded.data(), encoded.size(), &key));
            key_.reset(key);
        }

        [[nodiscard]] std::array<std::uint8_t, public_key_length> to_bytes() const {
            std::array<std::uint8_t, public_key_length> encoded;
            detail::write(grille_encaps_key_to_bytes, key_.get(), encoded);
            return encoded;
        }

        // Creates a fresh shared secret and the ciphertext that carries it.
        [[nodiscard]] encapsulated encapsulate() const {
            encapsulated sent;
            std::size_t lengths[] = {ciphertext_length, shared_secret_length};
            detail::check(grille_encapsulate(key_.get(), sent.ciphertext.data(), &lengths[0],
                                             sent.shared_secret.span().data(), &lengths[1]));
            return sent;
        }

    private:
        friend class kem;
        explicit public_key(grille_encaps_key* key) : key_(key) {}

        detail::handle<grille_encaps_key, grille_encaps_key_free> key_;
    };

    // A secret key, with its public key. It is erased when it is destroyed.
    class secret_key {
    public:
        // Generates a key pair.
        static secret_key generate() {
            grille_decaps_key* key = nullptr;
            detail::check(grille_kem_generate(algorithm(), &key));
            return secret_key(key);
        }

        // Derives the key from a seed.
        static secret_key from_seed(std::span<const std::uint8_t, seed_length> seed)
            requires(seed_length > 0)
        {
            grille_decaps_key* key = nullptr;
            detail::check(grille_decaps_key_from_seed(algorithm(), seed.data(), seed.size(), &key));
            return secret_key(key);
        }

        // Parses a key in the standard's expanded encoding and checks it.
        explicit secret_key(std::span<const std::uint8_t, secret_key_length> encoded) {
            grille_decaps_key* key = nullptr;
            detail::check(grille_decaps_key_from_bytes(algorithm(), encoded.data(), encoded.size(), &key));
            key_.reset(key);
        }

        // Returns the standard's expanded encoding.
        [[nodiscard]] secret<secret_key_length> to_bytes() const {
            secret<secret_key_length> encoded;
            detail::write(grille_decaps_key_to_bytes, key_.get(), encoded.span());
            return encoded;
        }

        // Returns the seed. Throws if the key was parsed from its expanded encoding.
        [[nodiscard]] secret<seed_length> seed() const
            requires(seed_length > 0)
        {
            secret<seed_length> seed;
            detail::write(grille_decaps_key_to_seed, key_.get(), seed.span());
            return seed;
        }

        // Returns the public key.
        [[nodiscard]] kem::public_key public_key() const {
            grille_encaps_key* key = nullptr;
            detail::check(grille_decaps_key_public(key_.get(), &key));
            return typename kem::public_key(key);
        }

        // Returns the shared secret of a ciphertext. An altered ciphertext gives an unrelated secret.
        [[nodiscard]] kem::shared_secret decapsulate(std::span<const std::uint8_t, ciphertext_length> ciphertext) const {
            typename kem::shared_secret shared;
            std::size_t length = shared_secret_length;
            detail::check(grille_decapsulate(key_.get(), ciphertext.data(), ciphertext.size(), shared.span().data(), &length));
            return shared;
        }

    private:
        explicit secret_key(grille_decaps_key* key) : key_(key) {}

        detail::handle<grille_decaps_key, grille_decaps_key_free> key_;
    };
};

// The lengths of a signature algorithm in bytes. `seed` is 0 if the algorithm has no seeds; `signature` is the maximum.
struct signature_lengths {
    std::size_t public_key, secret_key, seed, signature, context;
};

// A signature algorithm.
template <detail::name Name, signature_lengths Lengths>
class signature {
    // The algorithm of the C library, whose lengths are compared once with those of this type.
    static const grille_signature* algorithm() {
        static const grille_signature* const found = [] {
            const grille_signature* signature = nullptr;
            detail::check(grille_signature_by_name(Name.text, &signature));
            const grille_signature_info info = grille_signature_get_info(signature);
            if (info.verifying_key_len != Lengths.public_key || info.signing_key_len != Lengths.secret_key ||
                info.seed_len != Lengths.seed || info.signature_len != Lengths.signature ||
                info.context_len != Lengths.context) {
                throw error(GRILLE_INTERNAL, "grille_algorithms.hpp belongs to another version of the library");
            }
            return signature;
        }();
        return found;
    }

public:
    static constexpr std::size_t public_key_length = Lengths.public_key;
    static constexpr std::size_t secret_key_length = Lengths.secret_key;
    static constexpr std::size_t seed_length = Lengths.seed;
    static constexpr std::size_t signature_length = Lengths.signature;
    static constexpr std::size_t context_length = Lengths.context;
    static constexpr const char* name = Name.text;

    // A public key that was parsed, checked and prepared for repeated verification.
    class public_key {
    public:
        explicit public_key(std::span<const std::uint8_t, public_key_length> encoded) {
            grille_verifying_key* key = nullptr;
            detail::check(grille_verifying_key_from_bytes(algorithm(), encoded.data(), encoded.size(), GRILLE_PREPARED, &key));
            key_.reset(key);
        }

        [[nodiscard]] std::array<std::uint8_t, public_key_length> to_bytes() const {
            std::array<std::uint8_t, public_key_length> encoded;
            detail::write(grille_verifying_key_to_bytes, key_.get(), encoded);
            return encoded;
        }

        // Returns whether the signature matches the message and the context. Throws if the context is too long.
        [[nodiscard]] bool verify(bytes message, bytes signature, bytes context = {}) const {
            const grille_status status = grille_verify(key_.get(), message.data(), message.size(), context.data(),
                                                       context.size(), signature.data(), signature.size());
            if (status == GRILLE_INVALID_SIGNATURE) {
                return false;
            }
            detail::check(status);
            return true;
        }

    private:
        friend class signature;
        explicit public_key(grille_verifying_key* key) : key_(key) {}

        detail::handle<grille_verifying_key, grille_verifying_key_free> key_;
    };

    // A secret key, with its public key. It is erased when it is destroyed.
    class secret_key {
    public:
        // Generates a key pair.
        static secret_key generate() {
            grille_signing_key* key = nullptr;
            detail::check(grille_signature_generate(algorithm(), &key));
            return secret_key(key);
        }

        // Derives the key from a seed.
        static secret_key from_seed(std::span<const std::uint8_t, seed_length> seed)
            requires(seed_length > 0)
        {
            grille_signing_key* key = nullptr;
            detail::check(grille_signing_key_from_seed(algorithm(), seed.data(), seed.size(), GRILLE_PREPARED, &key));
            return secret_key(key);
        }

        // Parses a key in the standard's expanded encoding and checks it.
        explicit secret_key(std::span<const std::uint8_t, secret_key_length> encoded) {
            grille_signing_key* key = nullptr;
            detail::check(grille_signing_key_from_bytes(algorithm(), encoded.data(), encoded.size(), GRILLE_PREPARED, &key));
            key_.reset(key);
        }

        // Returns the standard's expanded encoding.
        [[nodiscard]] secret<secret_key_length> to_bytes() const {
            secret<secret_key_length> encoded;
            detail::write(grille_signing_key_to_bytes, key_.get(), encoded.span());
            return encoded;
        }

        // Returns the seed. Throws if the key was parsed from its expanded encoding.
        [[nodiscard]] secret<seed_length> seed() const
            requires(seed_length > 0)
        {
            secret<seed_length> seed;
            detail::write(grille_signing_key_to_seed, key_.get(), seed.span());
            return seed;
        }

        // Returns the public key.
        [[nodiscard]] signature::public_key public_key() const {
            grille_verifying_key* key = nullptr;
            detail::check(grille_signing_key_public(key_.get(), &key));
            return typename signature::public_key(key);
        }

        // Signs a message with fresh randomness. Throws if the context is too long.
        [[nodiscard]] std::vector<std::uint8_t> sign(bytes message, bytes context = {}) const {
            std::vector<std::uint8_t> made(signature_length);
            std::size_t length = made.size();
            detail::check(grille_sign(key_.get(), message.data(), message.size(), context.data(), context.size(),
                                      made.data(), &length));
            made.resize(length);
            return made;
        }

    private:
        explicit secret_key(grille_signing_key* key) : key_(key) {}

        detail::handle<grille_signing_key, grille_signing_key_free> key_;
    };
};

}  // namespace grille

#include <grille_algorithms.hpp>

#endif
