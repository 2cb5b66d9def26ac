#!/bin/sh
# Builds oqs-provider, which adds the algorithms of liboqs to OpenSSL 3, with the library of bindings/oqs in the place of liboqs, and
# runs the tests of oqs-provider. They test every algorithm that oqs-provider and the library both have.
# Needs cmake, cc, make and the headers of OpenSSL 3. OQS_PROVIDER_SOURCE is a checkout of oqs-provider; without it, the script clones
# the commit below from GitHub. OQS_PREFIX is an installed library of era 0.16 [default: it is built].
set -eu
cd "$(dirname "$0")/../.."
work=${WORK:-target/conformance/oqs-provider}
commit=00fde3373e466043ee30ed31e32c56f6964ee5f4
mkdir -p "$work"
work=$(cd "$work" && pwd)

skip() { echo "oqs-provider: SKIPPED: $1"; [ "${STRICT:-}" != 1 ]; exit; }
for tool in cmake cc make ctest openssl; do
    command -v $tool > /dev/null || skip "$tool is missing"
done
echo '#include <openssl/provider.h>' | cc -fsyntax-only -x c - 2> /dev/null || skip "the headers of OpenSSL 3 are missing; Debian: libssl-dev"

source=${OQS_PROVIDER_SOURCE:-$work/oqs-provider}
if [ ! -d "$source/oqsprov" ]; then
    rm -rf "$source"
    git init --quiet "$source"
    git -C "$source" fetch --quiet --depth 1 https://github.com/open-quantum-safe/oqs-provider "$commit" ||
        skip "oqs-provider cannot be cloned; set OQS_PROVIDER_SOURCE to a checkout"
    git -C "$source" checkout --quiet FETCH_HEAD
fi
prefix=${OQS_PREFIX:-}
if [ -z "$prefix" ]; then
    prefix=$work/prefix
    bindings/oqs/install.sh "$prefix"
fi

cmake -S "$source" -B "$work/build" -Dliboqs_DIR="$prefix/lib/cmake/liboqs" > "$work/cmake.log"
make -C "$work/build" -j "${JOBS:-2}" > "$work/make.log" 2>&1 || { tail -20 "$work/make.log"; exit 1; }
export LD_LIBRARY_PATH="$prefix/lib"
ldd "$work/build/lib/oqsprovider.so" | grep -q "$prefix/lib/liboqs.so" || { echo "oqs-provider: FAILED: it uses another liboqs"; exit 1; }
algorithms() {
    openssl list -provider-path "$work/build/lib" -provider oqsprovider -provider default "$1" | grep -c '@ oqsprovider'
}
echo "oqs-provider: $(algorithms -kem-algorithms) KEMs and hybrids, $(algorithms -signature-algorithms) signatures and hybrids"
(cd "$work/build" && ctest --output-on-failure)
echo "oqs-provider: passed"
