// Lengths and helpers for kyber_pke.hpp and kyber_kem.hpp.
#ifndef KYBER_UTILS_HPP
#define KYBER_UTILS_HPP

#include <grille.hpp>

#include <cerrno>
#include <string>
#include <system_error>

#if __has_include(<sys/random.h>)
#include <sys/random.h>
#else
#include <random>
#endif

namespace kyber_utils {

// Whether these are parameters of Kyber512, Kyber768 or Kyber1024: k and eta1.
template <std::size_t k, std::size_t eta1>
concept is_key_parameter = (k == 2 && eta1 == 3) || ((k == 3 || k == 4) && eta1 == 2);

// Whether these are parameters of Kyber512, Kyber768 or Kyber1024: k, du and dv.
template <std::size_t k, std::size_t du, std::size_t dv>
concept is_cipher_parameter = ((k == 2 || k == 3) && du == 10 && dv == 4) || (k == 4 && du == 11 && dv == 5);

// Lengths in bytes.
template <std::size_t k>
constexpr std::size_t get_pke_public_key_len() {
    return k * 12 * 32 + 32;
}

template <std::size_t k>
constexpr std::size_t get_pke_secret_key_len() {
    return k * 12 * 32;
}

template <std::size_t k, std::size_t du, std::size_t dv>
constexpr std::size_t get_pke_cipher_len() {
    return 32 * (k * du + dv);
}

template <std::size_t k>
constexpr std::size_t get_kem_public_key_len() {
    return get_pke_public_key_len<k>();
}

template <std::size_t k>
constexpr std::size_t get_kem_secret_key_len() {
    return k * 24 * 32 + 96;
}

template <std::size_t k, std::size_t du, std::size_t dv>
constexpr std::size_t get_kem_cipher_len() {
    return get_pke_cipher_len<k, du, dv>();
}

// Fills a buffer from the system's generator.
template <std::size_t length>
void random_data(std::span<std::uint8_t, length> data) {
    std::span<std::uint8_t> rest = data;
#if __has_include(<sys/random.h>)
    while (!rest.empty()) {
        // the most that one call returns
        const std::span<std::uint8_t> part = rest.first(std::min<std::size_t>(rest.size(), 256));
        if (getentropy(part.data(), part.size()) != 0) {
            throw std::system_error(errno, std::generic_category(), "cannot get random bytes");
        }
        rest = rest.subspan(part.size());
    }
#else
    std::random_device system;
    for (std::uint8_t& byte : rest) {
        byte = static_cast<std::uint8_t>(system());
    }
#endif
}

// Fills an array from the system's generator; the length is deduced.
template <std::size_t length>
void random_data(std::array<std::uint8_t, length>& data) {
    random_data<length>(std::span<std::uint8_t, length>(data));
}

// Returns bytes as hexadecimal digits.
inline std::string to_hex(grille::bytes data) {
    constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (const std::uint8_t byte : data) {
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

}  // namespace kyber_utils

#endif
