// Key exchange with Kyber512, with the interface of github.com/itzmeanjan/kyber (2022).
//
//     g++ -std=c++20 -Wall -O3 -I include examples/kem.cpp $(pkg-config --cflags --libs grille) && ./a.out
#include <kyber_kem.hpp>

#include <cstdlib>
#include <iostream>

int main() {
    constexpr std::size_t k = 2, eta1 = 3, eta2 = 2, du = 10, dv = 4;

    std::array<std::uint8_t, kyber_utils::get_kem_public_key_len<k>()> pkey;
    std::array<std::uint8_t, kyber_utils::get_kem_secret_key_len<k>()> skey;
    std::array<std::uint8_t, kyber_utils::get_kem_cipher_len<k, du, dv>()> cipher;
    std::array<std::uint8_t, 32> sent, received;

    kyber_kem::keygen<k, eta1>(pkey, skey);
    auto sender = kyber_kem::encapsulate<k, eta1, eta2, du, dv>(pkey, cipher);
    auto receiver = kyber_kem::decapsulate<k, eta1, eta2, du, dv>(skey, cipher);
    sender.squeeze(sent);
    receiver.squeeze(received);

    std::cout << "pubkey : " << kyber_utils::to_hex(pkey) << "\n";
    std::cout << "seckey : " << kyber_utils::to_hex(skey) << "\n";
    std::cout << "shared secret 0 : " << kyber_utils::to_hex(sent) << "\n";
    std::cout << "shared secret 1 : " << kyber_utils::to_hex(received) << "\n";
    return sent == received ? EXIT_SUCCESS : EXIT_FAILURE;
}
