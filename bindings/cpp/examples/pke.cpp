// Public-key encryption with Kyber512, with the interface of github.com/itzmeanjan/kyber (2022).
//
//     g++ -std=c++20 -Wall -O3 -I include examples/pke.cpp $(pkg-config --cflags --libs grille) && ./a.out
#include <kyber_pke.hpp>

#include <cstdlib>
#include <iostream>

int main() {
    constexpr std::size_t k = 2, eta1 = 3, eta2 = 2, du = 10, dv = 4;

    std::array<std::uint8_t, kyber_utils::get_pke_public_key_len<k>()> pkey;
    std::array<std::uint8_t, kyber_utils::get_pke_secret_key_len<k>()> skey;
    std::array<std::uint8_t, kyber_utils::get_pke_cipher_len<k, du, dv>()> cipher;
    std::array<std::uint8_t, 32> text, coin, decrypted;
    kyber_utils::random_data<32>(text);
    kyber_utils::random_data<32>(coin);

    kyber_pke::keygen<k, eta1>(pkey, skey);
    kyber_pke::encrypt<k, eta1, eta2, du, dv>(pkey, text, coin, cipher);
    kyber_pke::decrypt<k, du, dv>(skey, cipher, decrypted);

    std::cout << "pubkey : " << kyber_utils::to_hex(pkey) << "\n";
    std::cout << "seckey : " << kyber_utils::to_hex(skey) << "\n";
    std::cout << "plain text : " << kyber_utils::to_hex(text) << "\n";
    std::cout << "cipher     : " << kyber_utils::to_hex(cipher) << "\n";
    std::cout << "decrypted  : " << kyber_utils::to_hex(decrypted) << "\n";
    return text == decrypted ? EXIT_SUCCESS : EXIT_FAILURE;
}
