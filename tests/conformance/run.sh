#!/usr/bin/env bash
# Interoperability with OpenSSL (3.5 or newer), Go's crypto/tls, BoringSSL and wolfSSL, over loopback.
#
#   tests/conformance/run.sh
#
# GRILLE names the program to test; without it, it is built in release. OPENSSL names an openssl program to test
# against; without it, one is built from the openssl-src crate (perl, make and a C compiler; minutes). BoringSSL and
# wolfSSL are built from their crates (cmake, libclang; autoconf, automake, libtool). A missing peer is
# skipped with a message; with STRICT=1 the script fails. Exit code 1 if a check failed.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1

passed=0 failed=0 skipped=0
check() { # NAME COMMAND…: the command must succeed
    local name=$1; shift
    if timeout 60 "$@" >"$work/log" 2>&1; then
        passed=$((passed + 1)); echo "ok       $name"
    else
        failed=$((failed + 1)); echo "FAILED   $name"; tail -n 5 "$work/log" | sed 's/^/         /'
    fi
}
skip() { skipped=$((skipped + 1)); echo "SKIPPED  $1: $2"; }

# Runs a server in the background and waits until it listens: serve LOGFILE PORT COMMAND…
serve() {
    local log=$1 port=$2; shift 2
    timeout 60 "$@" >"$log" 2>&1 &
    for _ in $(seq 100); do
        grep -q ":$(printf '%04X' "$port") 00000000:0000 0A" /proc/net/tcp /proc/net/tcp6 2>/dev/null && return 0
        sleep 0.05
    done
    return 1
}
# Sends hello through a client. The client's standard input stays open until the client prints a line that matches PATTERN, for at
# most 30 seconds: ask PATTERN COMMAND…
ask() {
    local pattern=$1 said; shift
    said=$(mktemp -p .)
    { echo hello; for _ in $(seq 300); do grep -q "$pattern" "$said" && break; sleep 0.1; done; } | "$@" >"$said"
    grep "$pattern" "$said"
}
export -f ask
port=$((20000 + RANDOM % 10000))
next_port() { port=$((port + 1)); }

grille=${GRILLE:-}
if [ -z "$grille" ]; then
    (cd "$root" && cargo build --quiet --release -p grille-cli) || exit 1
    grille=${CARGO_TARGET_DIR:-$root/target}/release/grille
fi

"$grille" cert chain --alg ECDSA-P256-SHA256 --out ecdsa >/dev/null || exit 1
echo message >message
# openssl req needs a configuration, and a fresh build has none
printf '[req]\ndistinguished_name = dn\n[dn]\n' >openssl.cnf
export OPENSSL_CONF=$work/openssl.cnf

# ---- OpenSSL --------------------------------------------------------------------------------------------------------

openssl=${OPENSSL:-}
if [ -z "$openssl" ]; then
    if command -v perl >/dev/null && command -v make >/dev/null; then
        echo "building OpenSSL from its source crate …"
        openssl=$(cargo run --quiet --manifest-path "$here/openssl/Cargo.toml" -- "$here/openssl/target/openssl" 2>"$work/build.log")
    else
        openssl=""
    fi
fi

# Tests TLS with grille as the client and as the server, with one group and one chain: tls_with_openssl NAME GROUP DIR
tls_with_openssl() {
    local name=$1 group=$2 dir=$3
    next_port
    serve "$work/server" "$port" "$grille" tls server --cert "$dir/entity_cert.pem" --key "$dir/entity_key.pem" \
        --groups "$group" --port "$port" --once
    check "openssl s_client → grille, $name" bash -c \
        "ask from.grille '$openssl' s_client -connect 127.0.0.1:$port -groups $group -CAfile $dir/root_cert.pem \
         -verify_return_error -verify_hostname localhost -tls1_3"
    next_port
    serve "$work/server" "$port" "$openssl" s_server -accept "$port" -groups "$group" -cert "$dir/entity_cert.pem" \
        -key "$dir/entity_key.pem" -tls1_3 -rev -naccept 1
    check "grille → openssl s_server, $name" sh -c \
        "echo hello | '$grille' tls client localhost:$port --ca $dir/root_cert.pem --groups $group --timeout 5 | grep -q olleh"
    wait
}

# Tests mutual authentication with one algorithm on both sides: mutual_with_openssl DIR
mutual_with_openssl() {
    local dir=$1
    next_port
    serve "$work/server" "$port" "$grille" tls server --cert "$dir/entity_cert.pem" --key "$dir/entity_key.pem" \
        --ca "$dir/root_cert.pem" --port "$port" --once
    check "openssl s_client with a certificate → grille, $dir" bash -c \
        "ask from.grille '$openssl' s_client -connect 127.0.0.1:$port -CAfile $dir/root_cert.pem -verify_return_error \
         -cert $dir/entity_cert.pem -key $dir/entity_key.pem -tls1_3"
    next_port
    serve "$work/server" "$port" "$openssl" s_server -accept "$port" -cert "$dir/entity_cert.pem" -key "$dir/entity_key.pem" \
        -CAfile "$dir/root_cert.pem" -Verify 3 -verify_return_error -tls1_3 -rev -naccept 1
    check "grille with a certificate → openssl s_server, $dir" sh -c \
        "echo hello | '$grille' tls client localhost:$port --ca $dir/root_cert.pem --cert $dir/entity_cert.pem \
         --key $dir/entity_key.pem --timeout 5 | grep -q olleh"
    wait
}

# Tests raw public keys (RFC 7250) on both sides: raw_keys_with_openssl ALGORITHM
raw_keys_with_openssl() {
    local dir=raw-$1
    mkdir "$dir"
    for who in ours theirs; do
        "$grille" keygen --alg "$1" --out "$dir/$who.key" --pub "$dir/$who.pub" >/dev/null
    done
    local own="--raw-public-key --key $dir/ours.key --peer-key $dir/theirs.pub"
    # s_client and s_server need a certificate, and send its public key
    "$openssl" req -x509 -new -key "$dir/theirs.key" -out "$dir/theirs.crt" -subj /CN=theirs -days 30 2>/dev/null
    next_port
    serve "$work/server" "$port" "$grille" tls server $own --port "$port" --once
    check "openssl s_client → grille, raw public keys, $1" bash -c \
        "ask from.grille '$openssl' s_client -connect 127.0.0.1:$port -tls1_3 -enable_server_rpk -enable_client_rpk \
         -cert $dir/theirs.crt -key $dir/theirs.key"
    next_port
    serve "$work/server" "$port" "$openssl" s_server -accept "$port" -tls1_3 -enable_server_rpk -enable_client_rpk \
        -cert "$dir/theirs.crt" -key "$dir/theirs.key" -verify 1 -rev -naccept 1
    check "grille → openssl s_server, raw public keys, $1" sh -c \
        "echo hello | '$grille' tls client localhost:$port $own --timeout 5 | grep -q olleh"
    wait
}

# Tests early data in both directions.
early_data_with_openssl() {
    next_port
    serve "$work/server" "$port" "$grille" tls server --cert ecdsa/entity_cert.pem --key ecdsa/entity_key.pem --port "$port" \
        --early-data 100 --count 2
    ask from.grille "$openssl" s_client -connect "127.0.0.1:$port" -CAfile ecdsa/root_cert.pem -tls1_3 \
        -sess_out session >/dev/null 2>&1
    printf early >early
    check "openssl's early data → grille" bash -c \
        "ask 'Early data was accepted' '$openssl' s_client -connect 127.0.0.1:$port -CAfile ecdsa/root_cert.pem -tls1_3 \
         -sess_in session -early_data early"
    next_port
    # s_server accepts early data only while it sends its standard input as the answer
    serve "$work/server" "$port" sh -c \
        "while sleep 0.2; do echo answer; done | '$openssl' s_server -accept $port -cert ecdsa/entity_cert.pem \
         -key ecdsa/entity_key.pem -tls1_3 -naccept 2 -early_data -max_early_data 100"
    check "openssl accepts our early data" sh -c \
        "'$grille' tls client localhost:$port --ca ecdsa/root_cert.pem --resume --message hello --early-data early --timeout 5 -v \
         | grep -q 'early data 5 bytes, accepted'"
    wait
}

# Tests keys, signatures and chains of one ML-DSA set; each side reads the other's files: files_with_openssl ALGORITHM
files_with_openssl() {
    local alg=$1
    for form in seed expanded both; do
        "$grille" keygen --alg "$alg" --form $form --out "ours-$form.key" --pub ours.pub --force >/dev/null
        check "openssl reads our $form key, $alg" "$openssl" pkey -in "ours-$form.key" -noout -text
        check "openssl signs with our $form key, $alg" \
            "$openssl" pkeyutl -sign -rawin -inkey "ours-$form.key" -in message -out theirs.sig
        check "we verify that, $alg" "$grille" verify --pub ours.pub --sig theirs.sig --in message
    done
    for form in seed-only priv-only seed-priv; do
        "$openssl" genpkey -algorithm "$alg" -provparam ml-dsa.output_formats=$form -out "theirs-$form.key" 2>/dev/null
        "$openssl" pkey -in "theirs-$form.key" -pubout -out theirs.pub 2>/dev/null
        check "we sign with openssl's $form key, $alg" \
            "$grille" sign --key "theirs-$form.key" --in message --out "ours-$form.sig" --force
        check "openssl verifies that, $alg" \
            "$openssl" pkeyutl -verify -rawin -pubin -inkey theirs.pub -in message -sigfile "ours-$form.sig"
    done
    "$grille" cert chain --alg "$alg" --out "ours-$alg" >/dev/null
    check "openssl verifies our chain, $alg" \
        "$openssl" verify -CAfile "ours-$alg/root_cert.pem" -verify_hostname localhost -purpose sslserver "ours-$alg/entity_cert.pem"
    openssl_chain "$alg" "theirs-$alg"
    check "we verify openssl's chain, $alg" \
        "$grille" cert verify --ca "theirs-$alg/root_cert.pem" --name localhost "theirs-$alg/entity_cert.pem"
    mutual_with_openssl "ours-$alg"
    mutual_with_openssl "theirs-$alg"
}

# Tests keys, signatures and chains of one SLH-DSA set; each side reads the other's files. Also tests TLS with an ECDSA key that an
# SLH-DSA root certified: slh_dsa_with_openssl ALGORITHM
slh_dsa_with_openssl() {
    local alg=$1 ours=ours-$1 theirs=theirs-$1
    "$grille" cert chain --alg "$alg" --out "$ours" >/dev/null
    openssl_chain "$alg" "$theirs"
    "$openssl" pkey -in "$theirs/entity_key.pem" -pubout -out "$theirs/entity.pub" 2>/dev/null
    check "openssl signs with our key, $alg" \
        "$openssl" pkeyutl -sign -rawin -inkey "$ours/entity_key.pem" -in message -out "$theirs.sig"
    check "we verify that, $alg" "$grille" verify --cert "$ours/entity_cert.pem" --sig "$theirs.sig" --in message
    check "we sign with openssl's key, $alg" \
        "$grille" sign --key "$theirs/entity_key.pem" --in message --out "$ours.sig"
    check "openssl verifies that, $alg" \
        "$openssl" pkeyutl -verify -rawin -pubin -inkey "$theirs/entity.pub" -in message -sigfile "$ours.sig"
    check "openssl verifies our chain, $alg" \
        "$openssl" verify -CAfile "$ours/root_cert.pem" -verify_hostname localhost -purpose sslserver "$ours/entity_cert.pem"
    check "we verify openssl's chain, $alg" \
        "$grille" cert verify --ca "$theirs/root_cert.pem" --name localhost "$theirs/entity_cert.pem"
    local mixed=mixed-$alg
    mkdir "$mixed"
    cp "$ours/root_cert.pem" "$mixed/"
    "$grille" keygen --alg ECDSA-P256-SHA256 --out "$mixed/entity_key.pem" >/dev/null
    "$grille" cert issue --key "$mixed/entity_key.pem" --ca "$ours/root_cert.pem" --ca-key "$ours/root_key.pem" \
        --san DNS:localhost --out "$mixed/entity_cert.pem" >/dev/null
    tls_with_openssl "X25519MLKEM768, ECDSA certified by $alg" X25519MLKEM768 "$mixed"
}

# Checks that each side issues certificates for the requests of the other: requests_with_openssl OUR-ALGORITHM OPENSSL-KEY…
requests_with_openssl() {
    local alg=$1 dir=request-$1; shift
    mkdir "$dir"
    "$grille" cert chain --alg "$alg" --out "$dir/ca" >/dev/null
    local ca="$dir/ca/root_cert.pem" ca_key="$dir/ca/root_key.pem"
    "$grille" keygen --alg "$alg" --out "$dir/our.key" >/dev/null
    "$grille" cert request --key "$dir/our.key" --subject CN=ours --san DNS:localhost --out "$dir/our.csr" >/dev/null
    check "openssl verifies our request, $alg" "$openssl" req -verify -noout -in "$dir/our.csr"
    printf 'subjectAltName=DNS:localhost\n' >"$dir/ext"
    check "openssl issues a certificate for our request, $alg" "$openssl" x509 -req -in "$dir/our.csr" -CA "$ca" -CAkey "$ca_key" -days 30 \
        -extfile "$dir/ext" -out "$dir/our.crt"
    check "we verify openssl's certificate, $alg" "$grille" cert verify --ca "$ca" --name localhost "$dir/our.crt"
    "$openssl" req -newkey "$@" -nodes -keyout "$dir/their.key" -out "$dir/their.csr" -subj /CN=theirs \
        -addext subjectAltName=DNS:localhost 2>/dev/null
    check "we verify openssl's request, $alg" "$grille" cert request --show "$dir/their.csr"
    check "we issue a certificate for openssl's request, $alg" \
        "$grille" cert issue --csr "$dir/their.csr" --ca "$ca" --ca-key "$ca_key" --out "$dir/their.crt"
    check "openssl verifies our certificate, $alg" \
        "$openssl" verify -CAfile "$ca" -verify_hostname localhost -purpose sslserver "$dir/their.crt"
}

# Makes a chain with openssl alone: openssl_chain ALGORITHM DIR
openssl_chain() {
    mkdir -p "$2"
    "$openssl" req -x509 -newkey "$1" -nodes -keyout "$2/root_key.pem" -out "$2/root_cert.pem" -subj "/CN=root" -days 30 \
        -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign 2>/dev/null
    "$openssl" req -newkey "$1" -nodes -keyout "$2/entity_key.pem" -out "$2/entity.csr" -subj "/CN=localhost" 2>/dev/null
    printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n' >"$2/ext"
    "$openssl" x509 -req -in "$2/entity.csr" -CA "$2/root_cert.pem" -CAkey "$2/root_key.pem" -days 30 -extfile "$2/ext" \
        -out "$2/entity_cert.pem" 2>/dev/null
}

# Tests encapsulation in both directions.
kem_with_openssl() {
    local alg=$1
    "$grille" keygen --alg "$alg" --out our.key --pub our.pub --force >/dev/null
    check "openssl encapsulates to our key, $alg" \
        "$openssl" pkeyutl -encap -inkey our.pub -pubin -out their.ct -secret their.secret
    check "we decapsulate that, $alg" sh -c \
        "'$grille' decap --key our.key --ct their.ct --secret our.secret --force && cmp our.secret their.secret"
    "$openssl" genpkey -algorithm "$alg" -out their.key 2>/dev/null
    "$openssl" pkey -in their.key -pubout -out their.pub 2>/dev/null
    check "we encapsulate to openssl's key, $alg" \
        "$grille" encap --pub their.pub --ct our.ct --secret our.secret --force
    check "openssl decapsulates that, $alg" sh -c \
        "'$openssl' pkeyutl -decap -inkey their.key -in our.ct -secret their.secret && cmp our.secret their.secret"
}

if [ -n "$openssl" ] && "$openssl" list -signature-algorithms 2>/dev/null | grep -qi ml-dsa-65; then
    "$openssl" version
    for group in X25519MLKEM768 SecP256r1MLKEM768 SecP384r1MLKEM1024 MLKEM512 MLKEM768 MLKEM1024 X25519; do
        tls_with_openssl "$group" "$group" ecdsa
    done
    for alg in ML-DSA-44 ML-DSA-65 ML-DSA-87; do files_with_openssl $alg; done
    for alg in SLH-DSA-SHA2-128f SLH-DSA-SHAKE-192f SLH-DSA-SHA2-256f; do slh_dsa_with_openssl $alg; done
    for alg in ML-DSA-65 ECDSA-P256-SHA256; do raw_keys_with_openssl $alg; done
    early_data_with_openssl
    requests_with_openssl ML-DSA-65 ML-DSA-65
    requests_with_openssl ECDSA-P256-SHA256 ec -pkeyopt ec_paramgen_curve:P-256
    for alg in ML-KEM-512 ML-KEM-768 ML-KEM-1024; do kem_with_openssl $alg; done
else
    skip "OpenSSL" "no openssl with ML-DSA is installed, and none could be built (needs perl, make and a C compiler); set OPENSSL"
fi

# ---- Go -------------------------------------------------------------------------------------------------------------

if command -v go >/dev/null && (cd "$here/go" && go build -o "$work/go-peer" . 2>"$work/log"); then
    go version
    for group in X25519MLKEM768 SecP256r1MLKEM768 SecP384r1MLKEM1024; do
        next_port
        serve "$work/server" "$port" "$grille" tls server --cert ecdsa/entity_cert.pem --key ecdsa/entity_key.pem \
            --groups "$group" --port "$port" --once
        check "Go → grille, $group" sh -c "./go-peer client 127.0.0.1:$port $group ecdsa/root_cert.pem | grep -q from.grille"
        next_port
        serve "$work/server" "$port" ./go-peer server "$port" "$group" ecdsa/entity_cert.pem ecdsa/entity_key.pem
        check "grille → Go, $group" sh -c \
            "'$grille' tls client localhost:$port --ca ecdsa/root_cert.pem --groups $group --timeout 5 <message | grep -q 'Go received: message'"
        wait
    done
else
    skip "Go" "no go program can build the peer (needs Go 1.26 or newer, which has the three hybrids)"
fi

# ---- BoringSSL and wolfSSL -------------------------------------------------------------------------------------------

# Builds one of the programs in peers/ and prints the program's path: built_peer FEATURE
built_peer() {
    cargo build --quiet --release --manifest-path "$here/peers/Cargo.toml" --features "$1" --bin "$1-peer" 2>"$work/build.log" &&
        echo "${CARGO_TARGET_DIR:-$here/peers/target}/release/$1-peer"
}

# Tests TLS with grille as the client and as the server: tls_with_peer NAME PROGRAM GROUP DIR [OPTION…]; OPTION is for grille
tls_with_peer() {
    local name=$1 program=$2 group=$3 dir=$4; shift 4
    next_port
    serve "$work/server" "$port" "$grille" tls server --cert "$dir/entity_cert.pem" --key "$dir/entity_key.pem" \
        --groups "$group" --port "$port" --once "$@"
    check "$name → grille, $group, $dir" sh -c \
        "'$program' client 127.0.0.1:$port $group $dir/root_cert.pem | grep -q from.grille"
    next_port
    serve "$work/server" "$port" "$program" server "$port" "$group" "$dir/entity_cert.pem" "$dir/entity_key.pem"
    check "grille → $name, $group, $dir" sh -c \
        "'$grille' tls client localhost:$port --ca $dir/root_cert.pem --groups $group --timeout 5 $* <message | grep -q 'received: message'"
    wait
}

if boring=$(built_peer boring); then
    for group in X25519MLKEM768 ML-KEM-1024 X25519 secp256r1; do
        tls_with_peer BoringSSL "$boring" "$group" ecdsa
    done
    for alg in Ed25519 ML-DSA-44 ML-DSA-65 ML-DSA-87; do
        "$grille" cert chain --alg $alg --out "boring-$alg" >/dev/null
        tls_with_peer BoringSSL "$boring" X25519MLKEM768 "boring-$alg"
    done
else
    skip "BoringSSL" "the build failed (needs cmake, a C++ compiler and libclang): $(tail -n 1 "$work/build.log")"
fi
if wolfssl=$(built_peer wolfssl); then
    for group in X25519MLKEM768 X25519 secp256r1; do
        tls_with_peer wolfSSL "$wolfssl" "$group" ecdsa
    done
    for group in p256_mlkem512 p384_mlkem768 p521_mlkem1024; do
        tls_with_peer wolfSSL "$wolfssl" "$group" ecdsa --profile provider-0.12
    done
else
    skip "wolfSSL" "the build failed (needs autoconf, automake, libtool and libclang): $(tail -n 1 "$work/build.log")"
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "${STRICT:-}" != 1 ] || failed=$((failed + skipped))
[ "$failed" -eq 0 ]
