#!/bin/sh
# Builds and runs the benchmarks in C++: with google-benchmark if it is installed, otherwise with the timer of timer.cpp.
#     ./run.sh [OPTION…]
# passes its options to the program: those of google-benchmark, or a part of a row's name for the timer. TIMER=own selects the timer.
# CXX is the compiler [default: c++].
set -eu
cd "$(dirname "$0")/../../.."
target=${CARGO_TARGET_DIR:-$PWD/target}
compiler=${CXX:-c++}
source=timer
library=

${CARGO:-cargo} build --release -p grille-capi
${CARGO:-cargo} build --release --manifest-path bindings/cpp/benchmarks/Cargo.toml --target-dir "$target"

if [ "${TIMER-}" != own ]; then
    if printf '#include <benchmark/benchmark.h>\nBENCHMARK_MAIN();' |
        $compiler -std=c++20 -x c++ - -lbenchmark -lpthread -o "$target/release/probe" 2>/dev/null; then
        rm "$target/release/probe"
        source=google_benchmark
        library=-lbenchmark
    else
        echo "google-benchmark is not installed (Debian: libbenchmark-dev): measuring with timer.cpp" >&2
    fi
fi

program=$target/release/kyber-$source
$compiler -std=c++20 -O3 -Wall -Wextra -Wpedantic -Wconversion -I bindings/cpp/include -I bindings/c/include \
    "bindings/cpp/benchmarks/$source.cpp" -L "$target/release" "-Wl,-rpath,$target/release" \
    -lgrille_capi -lkyber_components $library -lpthread -o "$program"
exec "$program" "$@"
