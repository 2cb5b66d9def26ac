# The target processor of liboqs, which `cargo xtask bench --level` sets.
set(OQS_OPT_TARGET "$ENV{GRILLE_BENCH_OQS_TARGET}" CACHE STRING "")
