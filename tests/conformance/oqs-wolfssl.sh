#!/bin/sh
# Builds Debian's wolfSSL 5.5.4, which uses liboqs, with the library of bindings/oqs (era 0.7) in its place. Then makes TLS 1.3
# connections with post-quantum groups and certificates: wolfSSL with wolfSSL, and `grille tls` with wolfSSL on either side.
# Needs cmake, cc and a grille program. WOLFSSL_SOURCE is the unpacked source; without it, apt-get fetches the source from Debian 12.
# OQS_PREFIX is an installed library of era 0.7, GRILLE the program [default: both are built].
set -eu
cd "$(dirname "$0")/../.."
work=${WORK:-target/conformance/oqs-wolfssl}
mkdir -p "$work"
work=$(cd "$work" && pwd)

skip() { echo "oqs-wolfssl: SKIPPED: $1"; [ "${STRICT:-}" != 1 ]; exit; }
for tool in cmake cc make; do
    command -v $tool > /dev/null || skip "$tool is missing"
done

source=${WOLFSSL_SOURCE:-$work/wolfssl-5.5.4-stable}
if [ ! -d "$source" ]; then
    command -v apt-get > /dev/null || skip "apt-get is missing; set WOLFSSL_SOURCE to the source of wolfSSL 5.5.4"
    keys=/usr/share/keyrings/debian-archive-keyring.gpg
    mkdir -p "$work/apt/lists/partial" "$work/apt/cache/archives/partial"
    echo "deb-src [signed-by=$keys] http://deb.debian.org/debian bookworm main" > "$work/apt/sources"
    apt="apt-get -qq -o Dir::Etc::sourcelist=$work/apt/sources -o Dir::Etc::sourceparts=-"
    apt="$apt -o Dir::State::lists=$work/apt/lists -o Dir::Cache=$work/apt/cache"
    (cd "$work" && $apt update && $apt --download-only source wolfssl) || skip "Debian's source of wolfSSL cannot be fetched"
    tar -xf "$work"/wolfssl_5.5.4.orig.tar.gz -C "$work"
fi
prefix=${OQS_PREFIX:-}
if [ -z "$prefix" ]; then
    prefix=$work/prefix
    bindings/oqs/install.sh --era 0.7 "$prefix"
fi
grille=${GRILLE:-}
if [ -z "$grille" ]; then
    cargo build --release -p grille-cli
    grille=$PWD/target/release/grille
fi

# wolfSSL's CMake file omits the source files that call liboqs
grep -q ext_kyber "$source/CMakeLists.txt" || cat >> "$source/CMakeLists.txt" <<'END'
target_sources(wolfssl PRIVATE wolfcrypt/src/ext_kyber.c wolfcrypt/src/dilithium.c wolfcrypt/src/sphincs.c)
END
# -Wno-error: gcc 12 warns about a copy in tls.c
cmake -S "$source" -B "$work/build" -DWOLFSSL_OQS=yes -DWOLFSSL_OPENSSLEXTRA=yes -DCMAKE_C_FLAGS=-Wno-error \
    -DOQS_INCLUDE_DIR="$prefix/include" -DOQS_LIBRARY="$prefix/lib/liboqs.so" > "$work/cmake.log"
make -C "$work/build" -j "${JOBS:-2}" server client > "$work/make.log" 2>&1 || { tail -20 "$work/make.log"; exit 1; }
export LD_LIBRARY_PATH="$prefix/lib:$work/build"
certs=$work/certs
"$grille" cert chain --sig FALCON,DILITHIUM --out "$certs" > /dev/null 2>&1

port=${PORT:-12340} connections=0
# Connects with mutual authentication: connect SERVER CLIENT GROUP SERVER-CHAIN CLIENT-CHAIN
connect() {
    port=$((port + 1))
    common="-v 4 -l TLS_AES_256_GCM_SHA384 -p $port --pqc $3"
    (cd "$source" && timeout 30 $1 $common -A "$certs/$5_root_cert.pem" -c "$certs/$4_entity_cert.pem" \
        -k "$certs/$4_entity_key.pem" > "$work/server.log" 2>&1) &
    sleep 1.5
    (cd "$source" && timeout 30 $2 $common -A "$certs/$4_root_cert.pem" -c "$certs/$5_entity_cert.pem" \
        -k "$certs/$5_entity_key.pem" > "$work/client.log" 2>&1) || true
    wait
    if grep -q "SSL curve name is $3" "$work/client.log" && grep -q "I hear you fa shizzle" "$work/client.log"; then
        connections=$((connections + 1))
    else
        echo "oqs-wolfssl: FAILED: $1 with $2, $3, $4, $5"; cat "$work/server.log" "$work/client.log"; exit 1
    fi
}
server=$source/examples/server/server client=$source/examples/client/client
for chains in "falcon_level1 falcon_level5" "dilithium_level3 dilithium_aes_level3"; do
    for group in P521_KYBER_LEVEL5 KYBER_LEVEL1; do
        connect "$server" "$client" $group $chains
        connect "$grille tls server" "$client" $group $chains
        connect "$server" "$grille tls client" $group $chains
    done
done
echo "oqs-wolfssl: $connections of 12 connections completed"
