# The processor that liboqs is compiled for: `cargo xtask bench --level` sets it.
set(OQS_OPT_TARGET "$ENV{GRILLE_BENCH_OQS_TARGET}" CACHE STRING "")
