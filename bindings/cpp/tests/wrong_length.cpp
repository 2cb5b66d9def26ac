// Must not compile: the ciphertext has one byte too many.
#include <grille.hpp>

int main() {
    const auto key = grille::ml_kem_768::secret_key::generate();
    std::array<std::uint8_t, grille::ml_kem_768::ciphertext_length + 1> ciphertext{};
    (void)key.decapsulate(ciphertext);
}
