// Keys, secrets, signatures and errors of grille.hpp, and the interface of github.com/itzmeanjan/kyber.
#include "check.hpp"

#include <grille.hpp>
#include <kyber_kem.hpp>
#include <kyber_pke.hpp>
#include <cstring>
#include <utility>

// A key exchange; keys survive their encoding.
template <typename Kem>
static void exchange() {
    const auto key = Kem::secret_key::generate();
    const auto encoded = key.public_key().to_bytes();
    static_assert(encoded.size() == Kem::public_key_length);
    auto sent = typename Kem::public_key(encoded).encapsulate();
    CHECK(key.decapsulate(sent.ciphertext) == sent.shared_secret);
    const auto again = typename Kem::secret_key(key.to_bytes().span());
    CHECK(again.decapsulate(sent.ciphertext) == sent.shared_secret);
    if constexpr (Kem::seed_length > 0) {
        const auto from_seed = Kem::secret_key::from_seed(key.seed().span());
        CHECK(from_seed.decapsulate(sent.ciphertext) == sent.shared_secret);
    }
    sent.ciphertext[0] ^= 1;
    CHECK(!(key.decapsulate(sent.ciphertext) == sent.shared_secret));
}

// A signature; keys survive their encoding.
template <typename Signature>
static void sign() {
    const std::uint8_t message[] = {1, 2, 3}, other[] = {1, 2, 4};
    const auto key = Signature::secret_key::generate();
    const auto signature = typename Signature::secret_key(key.to_bytes().span()).sign(message);
    CHECK(signature.size() <= Signature::signature_length);
    const auto verifier = typename Signature::public_key(key.public_key().to_bytes());
    CHECK(verifier.verify(message, signature));
    CHECK(!verifier.verify(other, signature));
    CHECK(!verifier.verify(message, grille::bytes(signature).first(10)));
    CHECK(verifier.verify({}, key.sign({})));
    if constexpr (Signature::context_length > 0) {
        CHECK(verifier.verify(message, key.sign(message, other), other));
        CHECK(!verifier.verify(message, key.sign(message, other)));
    }
    const std::vector<std::uint8_t> context(Signature::context_length + 1);
    CHECK_THROWS(GRILLE_UNSUPPORTED, (void)key.sign(message, context));
    CHECK_THROWS(GRILLE_UNSUPPORTED, (void)verifier.verify(message, signature, context));
    if constexpr (Signature::seed_length > 0) {
        const auto from_seed = Signature::secret_key::from_seed(key.seed().span());
        CHECK(from_seed.public_key().to_bytes() == verifier.to_bytes());
        const auto expanded = typename Signature::secret_key(key.to_bytes().span());
        CHECK_THROWS(GRILLE_UNSUPPORTED, (void)expanded.seed());
    }
    // a key of another pair
    CHECK(!Signature::secret_key::generate().public_key().verify(message, signature));
}

static void errors() {
    // an expanded key of ML-KEM has no seed
    const auto key = grille::ml_kem_768::secret_key::generate();
    const auto expanded = grille::ml_kem_768::secret_key(key.to_bytes().span());
    CHECK_THROWS(GRILLE_UNSUPPORTED, (void)expanded.seed());
    std::array<std::uint8_t, grille::ml_kem_768::public_key_length> bad;
    bad.fill(0xFF);
    CHECK_THROWS(GRILLE_INVALID_KEY, grille::ml_kem_768::public_key{bad});
    // the hash of the public key in the secret key is wrong
    auto damaged = key.to_bytes();
    damaged.span()[damaged.span().size() - 33] ^= 1;
    CHECK_THROWS(GRILLE_INVALID_KEY, grille::ml_kem_768::secret_key{damaged.span()});
    try {
        (void)grille::ml_kem_768::public_key{bad};
    } catch (const grille::error& error) {
        CHECK(std::strstr(error.what(), "public key") != nullptr);
    }
}

// Objects whose contents were moved away are refused, not dereferenced.
static void moved_objects() {
    auto key = grille::ml_kem_768::secret_key::generate();
    auto public_key = key.public_key();
    const auto sent = public_key.encapsulate();
    const auto owner = std::move(key);
    const auto sender = std::move(public_key);
    CHECK(owner.decapsulate(sent.ciphertext) == sent.shared_secret);
    CHECK_THROWS(GRILLE_INVALID_ARGUMENT, (void)key.decapsulate(sent.ciphertext));
    CHECK_THROWS(GRILLE_INVALID_ARGUMENT, (void)key.public_key());
    CHECK_THROWS(GRILLE_INVALID_ARGUMENT, (void)public_key.encapsulate());

    auto signer = grille::ml_dsa_44::secret_key::generate();
    auto verifier = signer.public_key();
    const auto signature = signer.sign({});
    const auto new_signer = std::move(signer);
    const auto new_verifier = std::move(verifier);
    CHECK(new_verifier.verify({}, signature));
    CHECK_THROWS(GRILLE_INVALID_ARGUMENT, (void)signer.sign({}));
    CHECK_THROWS(GRILLE_INVALID_ARGUMENT, (void)verifier.verify({}, signature));

    std::array<std::uint8_t, kyber_utils::get_kem_public_key_len<2>()> pkey;
    std::array<std::uint8_t, kyber_utils::get_kem_secret_key_len<2>()> skey;
    std::array<std::uint8_t, kyber_utils::get_kem_cipher_len<2, 10, 4>()> cipher;
    std::array<std::uint8_t, 8> read;
    kyber_kem::keygen<2, 3>(pkey, skey);
    auto kdf = kyber_kem::encapsulate<2, 3, 2, 10, 4>(pkey, cipher);
    auto moved = std::move(kdf);
    moved.squeeze(read);
    CHECK_THROWS(GRILLE_INVALID_ARGUMENT, kdf.squeeze(read));
    pkey.fill(0xFF);
    CHECK_THROWS(GRILLE_INVALID_KEY, ((void)kyber_kem::encapsulate<2, 3, 2, 10, 4>(pkey, cipher)));
    skey.fill(0xFF);
    CHECK_THROWS(GRILLE_INVALID_KEY, ((void)kyber_kem::decapsulate<2, 3, 2, 10, 4>(skey, cipher)));
}

// The parameter sets of round-3 Kyber, through the interface of github.com/itzmeanjan/kyber.
template <std::size_t k, std::size_t eta1, std::size_t eta2, std::size_t du, std::size_t dv>
static void kyber() {
    std::array<std::uint8_t, kyber_utils::get_kem_public_key_len<k>()> public_key;
    std::array<std::uint8_t, kyber_utils::get_kem_secret_key_len<k>()> secret_key;
    std::array<std::uint8_t, kyber_utils::get_kem_cipher_len<k, du, dv>()> cipher;
    kyber_kem::keygen<k, eta1>(public_key, secret_key);
    auto sender = kyber_kem::encapsulate<k, eta1, eta2, du, dv>(public_key, cipher);
    auto receiver = kyber_kem::decapsulate<k, eta1, eta2, du, dv>(secret_key, cipher);

    // any length, in any pieces
    std::array<std::uint8_t, 500> one, other;
    sender.read(one.data(), one.size());
    receiver.read(other.data(), 1);
    receiver.read(other.data() + 1, 200);
    receiver.squeeze(std::span(other).subspan(201));
    CHECK(one == other);

    // the first 32 bytes are Kyber's secret, even for an altered ciphertext
    using kem = typename kyber_kem::parameters<k>::kem;
    const auto key = typename kem::secret_key(secret_key);
    const auto secret = key.decapsulate(cipher);
    CHECK(std::memcmp(secret.span().data(), one.data(), 32) == 0);
    cipher[3] ^= 4;
    auto rejected = kyber_kem::decapsulate<k, eta1, eta2, du, dv>(secret_key, cipher);
    rejected.read(other.data(), 32);
    const auto expected = key.decapsulate(cipher);
    CHECK(std::memcmp(expected.span().data(), other.data(), 32) == 0);
    CHECK(std::memcmp(one.data(), other.data(), 32) != 0);
}

template <std::size_t k, std::size_t eta1, std::size_t eta2, std::size_t du, std::size_t dv>
static void encryption() {
    std::array<std::uint8_t, kyber_utils::get_pke_public_key_len<k>()> public_key;
    std::array<std::uint8_t, kyber_utils::get_pke_secret_key_len<k>()> secret_key;
    std::array<std::uint8_t, kyber_utils::get_pke_cipher_len<k, du, dv>()> cipher;
    std::array<std::uint8_t, 32> message, coins, decrypted;
    kyber_utils::random_data<32>(message);
    kyber_utils::random_data<32>(coins);
    kyber_pke::keygen<k, eta1>(public_key, secret_key);
    kyber_pke::encrypt<k, eta1, eta2, du, dv>(public_key, message, coins, cipher);
    kyber_pke::decrypt<k, du, dv>(secret_key, cipher, decrypted);
    CHECK(message == decrypted);
    public_key.fill(0xFF);
    CHECK_THROWS(GRILLE_INVALID_KEY, (kyber_pke::encrypt<k, eta1, eta2, du, dv>(public_key, message, coins, cipher)));
}

// Each part of a buffer is filled, also beyond the 256 bytes that one system call returns.
static void random_bytes() {
    std::array<std::uint8_t, 600> one{}, other{};
    kyber_utils::random_data(one);
    kyber_utils::random_data<600>(other);
    for (std::size_t i = 0; i < one.size(); i += 24) {
        const auto part = [i](auto& bytes) { return grille::bytes(bytes).subspan(i, 24); };
        CHECK(!std::ranges::equal(part(one), part(other)));
        CHECK(!std::ranges::all_of(part(one), [](std::uint8_t byte) { return byte == 0; }));
    }
    std::array<std::uint8_t, 0> none;
    kyber_utils::random_data(none);
}

int main() {
    random_bytes();
    exchange<grille::ml_kem_512>();
    exchange<grille::ml_kem_768>();
    exchange<grille::kyber1024>();
    exchange<grille::classic_mceliece_348864f>();
    exchange<grille::hqc_1>();
    sign<grille::ml_dsa_44>();
    sign<grille::falcon_512>();
    sign<grille::slh_dsa_sha2_128f>();
    errors();
    moved_objects();
    kyber<2, 3, 2, 10, 4>();
    kyber<3, 2, 2, 10, 4>();
    kyber<4, 2, 2, 11, 5>();
    encryption<2, 3, 2, 10, 4>();
    encryption<3, 2, 2, 10, 4>();
    encryption<4, 2, 2, 11, 5>();
    std::printf("%d failed\n", failed);
    return failed != 0;
}
