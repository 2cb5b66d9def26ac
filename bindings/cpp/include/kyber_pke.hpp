// Public-key encryption of round-3 Kyber (IND-CPA): messages of 32 bytes. Most programs need a KEM instead.
#ifndef KYBER_PKE_HPP
#define KYBER_PKE_HPP

#include <kyber_utils.hpp>

namespace kyber_pke {

// Generates a key pair.
template <std::size_t k, std::size_t eta1>
    requires kyber_utils::is_key_parameter<k, eta1>
void keygen(std::span<std::uint8_t, kyber_utils::get_pke_public_key_len<k>()> public_key,
            std::span<std::uint8_t, kyber_utils::get_pke_secret_key_len<k>()> secret_key) {
    std::size_t lengths[] = {public_key.size(), secret_key.size()};
    grille::detail::check(grille_kyber_generate(k, public_key.data(), &lengths[0], secret_key.data(), &lengths[1]));
}

// Encrypts a message. `coins` are random, secret, and used only once.
template <std::size_t k, std::size_t eta1, std::size_t eta2, std::size_t du, std::size_t dv>
    requires(kyber_utils::is_key_parameter<k, eta1> && eta2 == 2 && kyber_utils::is_cipher_parameter<k, du, dv>)
void encrypt(std::span<const std::uint8_t, kyber_utils::get_pke_public_key_len<k>()> public_key,
             std::span<const std::uint8_t, 32> message, std::span<const std::uint8_t, 32> coins,
             std::span<std::uint8_t, kyber_utils::get_pke_cipher_len<k, du, dv>()> cipher) {
    std::size_t length = cipher.size();
    grille::detail::check(grille_kyber_encrypt(k, public_key.data(), public_key.size(), message.data(), message.size(),
                                               coins.data(), coins.size(), cipher.data(), &length));
}

// Decrypts a ciphertext. An altered ciphertext gives a different message.
template <std::size_t k, std::size_t du, std::size_t dv>
    requires kyber_utils::is_cipher_parameter<k, du, dv>
void decrypt(std::span<const std::uint8_t, kyber_utils::get_pke_secret_key_len<k>()> secret_key,
             std::span<const std::uint8_t, kyber_utils::get_pke_cipher_len<k, du, dv>()> cipher,
             std::span<std::uint8_t, 32> message) {
    std::size_t length = message.size();
    grille::detail::check(grille_kyber_decrypt(k, secret_key.data(), secret_key.size(), cipher.data(), cipher.size(),
                                               message.data(), &length));
}

}  // namespace kyber_pke

#endif
