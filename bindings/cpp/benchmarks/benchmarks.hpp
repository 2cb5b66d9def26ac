// The benchmarks of github.com/itzmeanjan/kyber of 2022, with the times that its README states.
#ifndef BENCHMARKS_HPP
#define BENCHMARKS_HPP

#include <kyber.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

// Components of the library that its C interface does not have; components.rs defines these functions.
extern "C" std::ptrdiff_t kyber_component(const char* name);
extern "C" void kyber_component_repeat(std::ptrdiff_t component, std::size_t n);

namespace bench_kyber {

// Runs an operation as often as the argument says.
using repeat = std::function<void(std::size_t)>;

// Returns a function that calls `operation` repeatedly.
template <typename Operation>
repeat repeated(Operation operation) {
    return [operation](std::size_t n) mutable {
        for (std::size_t i = 0; i < n; i++) {
            operation();
        }
    };
}

template <std::size_t length>
repeat random_data() {
    return repeated([data = std::array<std::uint8_t, length>()]() mutable { kyber_utils::random_data(data); });
}

// The buffers of public-key encryption. The operations share them; repeating an operation overwrites its outputs.
template <std::size_t k, std::size_t du = 10, std::size_t dv = 4>
struct pke_buffers {
    std::array<std::uint8_t, kyber_utils::get_pke_public_key_len<k>()> public_key;
    std::array<std::uint8_t, kyber_utils::get_pke_secret_key_len<k>()> secret_key;
    std::array<std::uint8_t, kyber_utils::get_pke_cipher_len<k, du, dv>()> cipher;
    std::array<std::uint8_t, 32> message, coins;
};

template <std::size_t k, std::size_t eta1>
repeat pke_keygen() {
    auto own = std::make_shared<pke_buffers<k>>();
    return repeated([own] { kyber_pke::keygen<k, eta1>(own->public_key, own->secret_key); });
}

// Returns buffers with keys and a ciphertext.
template <std::size_t k, std::size_t eta1, std::size_t eta2, std::size_t du, std::size_t dv>
std::shared_ptr<pke_buffers<k, du, dv>> encrypted() {
    auto own = std::make_shared<pke_buffers<k, du, dv>>();
    kyber_utils::random_data(own->message);
    kyber_utils::random_data(own->coins);
    kyber_pke::keygen<k, eta1>(own->public_key, own->secret_key);
    kyber_pke::encrypt<k, eta1, eta2, du, dv>(own->public_key, own->message, own->coins, own->cipher);
    return own;
}

template <std::size_t k, std::size_t eta1, std::size_t eta2, std::size_t du, std::size_t dv>
repeat encrypt() {
    return repeated([own = encrypted<k, eta1, eta2, du, dv>()] {
        kyber_pke::encrypt<k, eta1, eta2, du, dv>(own->public_key, own->message, own->coins, own->cipher);
    });
}

template <std::size_t k, std::size_t eta1, std::size_t eta2, std::size_t du, std::size_t dv>
repeat decrypt() {
    return repeated([own = encrypted<k, eta1, eta2, du, dv>()] {
        kyber_pke::decrypt<k, du, dv>(own->secret_key, own->cipher, own->message);
    });
}

// The buffers of key encapsulation.
template <std::size_t k, std::size_t du = 10, std::size_t dv = 4>
struct kem_buffers {
    std::array<std::uint8_t, kyber_utils::get_kem_public_key_len<k>()> public_key;
    std::array<std::uint8_t, kyber_utils::get_kem_secret_key_len<k>()> secret_key;
    std::array<std::uint8_t, kyber_utils::get_kem_cipher_len<k, du, dv>()> cipher;
    std::array<std::uint8_t, 32> secret;
};

template <std::size_t k, std::size_t eta1>
repeat kem_keygen() {
    auto own = std::make_shared<kem_buffers<k>>();
    return repeated([own] { kyber_kem::keygen<k, eta1>(own->public_key, own->secret_key); });
}

// Returns buffers with keys and a ciphertext.
template <std::size_t k, std::size_t eta1, std::size_t eta2, std::size_t du, std::size_t dv>
std::shared_ptr<kem_buffers<k, du, dv>> encapsulated() {
    auto own = std::make_shared<kem_buffers<k, du, dv>>();
    kyber_kem::keygen<k, eta1>(own->public_key, own->secret_key);
    kyber_kem::encapsulate<k, eta1, eta2, du, dv>(own->public_key, own->cipher).squeeze(own->secret);
    return own;
}

template <std::size_t k, std::size_t eta1, std::size_t eta2, std::size_t du, std::size_t dv>
repeat encapsulate() {
    return repeated([own = encapsulated<k, eta1, eta2, du, dv>()] {
        kyber_kem::encapsulate<k, eta1, eta2, du, dv>(own->public_key, own->cipher).squeeze(own->secret);
    });
}

template <std::size_t k, std::size_t eta1, std::size_t eta2, std::size_t du, std::size_t dv>
repeat decapsulate() {
    return repeated([own = encapsulated<k, eta1, eta2, du, dv>()] {
        kyber_kem::decapsulate<k, eta1, eta2, du, dv>(own->secret_key, own->cipher).squeeze(own->secret);
    });
}

struct row {
    // Name of the benchmark, without the namespace.
    const char* name;
    // CPU time in nanoseconds that the README states.
    double published;
    bench_kyber::repeat repeat;

    // The number of operations that take about 20 µs at the published speed.
    [[nodiscard]] std::size_t batch() const { return static_cast<std::size_t>(std::ceil(20000 / published)); }
};

// Returns the row of a component of the library.
inline row component(const char* name, double published) {
    const std::ptrdiff_t found = kyber_component(name);
    if (found < 0) {
        throw std::invalid_argument(std::string("the library has no component ") + name);
    }
    return {name, published, [found](std::size_t n) { kyber_component_repeat(found, n); }};
}

// Returns the rows in the order of the README. The published times are those of an Intel Core i5-8279U (Clang), the fastest x86-64
// processor there.
inline std::vector<row> rows() {
    return {
        component("ff_add", 3.98),
        component("ff_compound_add", 2.07),
        component("ff_sub", 4.35),
        component("ff_compound_sub", 2.18),
        component("ff_neg", 0.805),
        component("ff_mul", 6.74),
        component("ff_compound_mul", 4.47),
        component("ff_inv", 100),
        component("ff_div", 51.1),
        component("ff_exp", 410),
        component("parse", 2161),
        component("generate_matrix<2, true>", 9284),
        component("generate_matrix<2, false>", 9198),
        component("generate_matrix<3, true>", 20596),
        component("generate_matrix<3, false>", 20982),
        component("generate_matrix<4, true>", 36936),
        component("generate_matrix<4, false>", 37218),
        component("cbd<2>", 39.2),
        component("cbd<3>", 97.8),
        component("encode<1>", 44.4),
        component("decode<1>", 35.7),
        component("encode<4>", 17.9),
        component("decode<4>", 15.9),
        component("encode<5>", 78.1),
        component("decode<5>", 62.1),
        component("encode<10>", 398),
        component("decode<10>", 67.3),
        component("encode<11>", 127),
        component("decode<11>", 121),
        component("encode<12>", 192),
        component("decode<12>", 37.9),
        component("compress<1>", 3.48),
        component("decompress<1>", 4.23),
        component("compress<4>", 3.47),
        component("decompress<4>", 4.21),
        component("compress<5>", 3.48),
        component("decompress<5>", 4.21),
        component("compress<10>", 3.49),
        component("decompress<10>", 4.21),
        component("compress<11>", 3.53),
        component("decompress<11>", 4.21),
        component("ntt", 1482),
        component("intt", 1425),
        component("polymul", 369),
        {"random_data<32>", 11670, random_data<32>()},
        {"pke_keygen<2, 3>", 20958, pke_keygen<2, 3>()},
        {"encrypt<2, 3, 2, 10, 4>", 22705, encrypt<2, 3, 2, 10, 4>()},
        {"decrypt<2, 3, 2, 10, 4>", 5663, decrypt<2, 3, 2, 10, 4>()},
        {"pke_keygen<3, 2>", 37155, pke_keygen<3, 2>()},
        {"encrypt<3, 2, 2, 10, 4>", 41334, encrypt<3, 2, 2, 10, 4>()},
        {"decrypt<3, 2, 2, 10, 4>", 8071, decrypt<3, 2, 2, 10, 4>()},
        {"pke_keygen<4, 2>", 63625, pke_keygen<4, 2>()},
        {"encrypt<4, 2, 2, 11, 5>", 65201, encrypt<4, 2, 2, 11, 5>()},
        {"decrypt<4, 2, 2, 11, 5>", 10218, decrypt<4, 2, 2, 11, 5>()},
        {"kem_keygen<2, 3>", 23025, kem_keygen<2, 3>()},
        {"encapsulate<2, 3, 2, 10, 4>", 27768, encapsulate<2, 3, 2, 10, 4>()},
        {"decapsulate<2, 3, 2, 10, 4>", 30912, decapsulate<2, 3, 2, 10, 4>()},
        {"kem_keygen<3, 2>", 40506, kem_keygen<3, 2>()},
        {"encapsulate<3, 2, 2, 10, 4>", 47879, encapsulate<3, 2, 2, 10, 4>()},
        {"decapsulate<3, 2, 2, 10, 4>", 51902, decapsulate<3, 2, 2, 10, 4>()},
        {"kem_keygen<4, 2>", 63997, kem_keygen<4, 2>()},
        {"encapsulate<4, 2, 2, 11, 5>", 71930, encapsulate<4, 2, 2, 11, 5>()},
        {"decapsulate<4, 2, 2, 11, 5>", 77599, decapsulate<4, 2, 2, 11, 5>()},
    };
}

// Prints the measured and the published times in nanoseconds, and counts the faster rows.
inline void compare(const std::vector<row>& rows, const std::map<std::string, double>& measured) {
    std::size_t faster = 0, compared = 0;
    std::printf("\n%-42s %12s %12s %8s\n", "CPU time in ns", "grille", "published", "ratio");
    for (const row& row : rows) {
        const auto found = measured.find(row.name);
        if (found == measured.end()) {
            continue;
        }
        const double ratio = row.published / found->second;
        std::printf("bench_kyber::%-29s %12.2f %12.2f %7.1fx%s\n", row.name, found->second, row.published, ratio,
                    ratio > 1 ? "" : "  slower");
        compared++;
        faster += ratio > 1;
    }
    std::printf("\n%zu of %zu rows are faster than the README of github.com/itzmeanjan/kyber (November 2022) states for an Intel Core\n"
                "i5-8279U.\n",
                faster, compared);
}

}  // namespace bench_kyber

#endif
