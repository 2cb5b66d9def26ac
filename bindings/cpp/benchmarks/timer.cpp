// Measures the benchmarks without google-benchmark. An argument selects the rows whose names contain it.
#include "benchmarks.hpp"

#include <ctime>
#include <string_view>

namespace {

// Returns the CPU time of this process in nanoseconds.
double cpu_time() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

// Returns the shortest mean time of one operation in 20 measurements of at least 5 ms each, in nanoseconds.
double measure(const bench_kyber::row& row) {
    double shortest = INFINITY;
    for (int measurement = 0; measurement < 20; measurement++) {
        const double start = cpu_time();
        double elapsed = 0;
        std::size_t n = 0;
        while (elapsed < 5e6) {
            row.repeat(row.batch());
            n += row.batch();
            elapsed = cpu_time() - start;
        }
        shortest = std::min(shortest, elapsed / static_cast<double>(n));
    }
    return shortest;
}

}  // namespace

int main(int count, char** arguments) {
    const std::string_view filter = count > 1 ? arguments[1] : "";
    const std::vector<bench_kyber::row> rows = bench_kyber::rows();
    std::map<std::string, double> measured;
    for (const bench_kyber::row& row : rows) {
        if (std::string_view(row.name).find(filter) != std::string_view::npos) {
            measured[row.name] = measure(row);
        }
    }
    bench_kyber::compare(rows, measured);
}
