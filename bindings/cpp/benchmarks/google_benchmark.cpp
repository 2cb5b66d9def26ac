// Measures the benchmarks with google-benchmark; its command-line options work.
#include "benchmarks.hpp"

#include <benchmark/benchmark.h>

namespace {

// Prints the results as usual and keeps the shortest CPU time of each row.
class reporter : public benchmark::ConsoleReporter {
public:
    std::map<std::string, double> measured;

    void ReportRuns(const std::vector<Run>& runs) override {
        benchmark::ConsoleReporter::ReportRuns(runs);
        for (const Run& run : runs) {
            if (run.run_type == Run::RT_Iteration) {
                // functions that are registered by name have the name of the row
                const std::string name = run.run_name.function_name.substr(sizeof("bench_kyber::") - 1);
                const double time = run.GetAdjustedCPUTime();
                const auto [shortest, is_new] = measured.emplace(name, time);
                if (!is_new) {
                    shortest->second = std::min(shortest->second, time);
                }
            }
        }
    }
};

}  // namespace

int main(int count, char** arguments) {
    benchmark::Initialize(&count, arguments);
    if (benchmark::ReportUnrecognizedArguments(count, arguments)) {
        return 1;
    }
    const std::vector<bench_kyber::row> rows = bench_kyber::rows();
    for (const bench_kyber::row& row : rows) {
        benchmark::RegisterBenchmark((std::string("bench_kyber::") + row.name).c_str(), [&row](benchmark::State& state) {
            const std::size_t batch = row.batch();
            while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(batch))) {
                row.repeat(batch);
            }
            state.counters["published_ns"] = row.published;
        });
    }
    reporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    benchmark::Shutdown();
    bench_kyber::compare(rows, reporter.measured);
}
