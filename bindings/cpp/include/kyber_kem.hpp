// Key encapsulation of round-3 Kyber, whose result is a KDF that gives secrets of any length.
#ifndef KYBER_KEM_HPP
#define KYBER_KEM_HPP

#include <kyber_utils.hpp>

namespace kyber_kem {

// The KEM of a parameter set, with secrets of 32 bytes.
template <std::size_t k>
struct parameters;

template <>
struct parameters<2> {
    using kem = grille::kyber512;
};

template <>
struct parameters<3> {
    using kem = grille::kyber768;
};

template <>
struct parameters<4> {
    using kem = grille::kyber1024;
};

// SHAKE256 after it has absorbed the secret of a key exchange: a stream of secret bytes of any length. The first 32 bytes are the
// shared secret of the KEM. The state is erased when it is destroyed.
class kdf {
public:
    explicit kdf(grille_xof* stream) : stream_(stream) {}

    // Reads the next bytes.
    void squeeze(std::span<std::uint8_t> out) { grille::detail::check(grille_xof_read(stream_.get(), out.data(), out.size())); }

    // Reads the next `length` bytes.
    void read(std::uint8_t* out, std::size_t length) { squeeze(std::span(out, length)); }

private:
    grille::detail::handle<grille_xof, grille_xof_free> stream_;
};

// Generates a key pair.
template <std::size_t k, std::size_t eta1>
    requires kyber_utils::is_key_parameter<k, eta1>
void keygen(std::span<std::uint8_t, kyber_utils::get_kem_public_key_len<k>()> public_key,
            std::span<std::uint8_t, kyber_utils::get_kem_secret_key_len<k>()> secret_key) {
    const auto key = parameters<k>::kem::secret_key::generate();
    const auto encoded = key.public_key().to_bytes();
    const auto secret = key.to_bytes();
    std::copy(encoded.begin(), encoded.end(), public_key.begin());
    std::copy(secret.span().begin(), secret.span().end(), secret_key.begin());
}

// Encapsulates to a public key: writes the ciphertext and returns the KDF.
template <std::size_t k, std::size_t eta1, std::size_t eta2, std::size_t du, std::size_t dv>
    requires(kyber_utils::is_key_parameter<k, eta1> && eta2 == 2 && kyber_utils::is_cipher_parameter<k, du, dv>)
[[nodiscard]] kdf encapsulate(std::span<const std::uint8_t, kyber_utils::get_kem_public_key_len<k>()> public_key,
                              std::span<std::uint8_t, kyber_utils::get_kem_cipher_len<k, du, dv>()> cipher) {
    std::size_t length = cipher.size();
    grille_xof* stream = nullptr;
    grille::detail::check(
        grille_kyber_encapsulate(k, public_key.data(), public_key.size(), cipher.data(), &length, &stream));
    return kdf(stream);
}

// Decapsulates a ciphertext. An altered ciphertext gives an unrelated KDF.
template <std::size_t k, std::size_t eta1, std::size_t eta2, std::size_t du, std::size_t dv>
    requires(kyber_utils::is_key_parameter<k, eta1> && eta2 == 2 && kyber_utils::is_cipher_parameter<k, du, dv>)
[[nodiscard]] kdf decapsulate(std::span<const std::uint8_t, kyber_utils::get_kem_secret_key_len<k>()> secret_key,
                              std::span<const std::uint8_t, kyber_utils::get_kem_cipher_len<k, du, dv>()> cipher) {
    grille_xof* stream = nullptr;
    grille::detail::check(
        grille_kyber_decapsulate(k, secret_key.data(), secret_key.size(), cipher.data(), cipher.size(), &stream));
    return kdf(stream);
}

}  // namespace kyber_kem

#endif
