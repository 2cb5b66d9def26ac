#!/usr/bin/env bash
# Runs BoGo, BoringSSL's TLS test suite, against rustls' own shim twice: with rustls' aws-lc-rs provider and with grille's.
#
#   tests/conformance/bogo.sh [RUNNER OPTION…]
#
# Every test must have the same result with both providers. bogo/differences.txt lists the exceptions with reasons.
#
# RUSTLS_SOURCE names a checkout of rustls; otherwise the script clones the tag of the version in Cargo.lock.
# BORINGSSL_SOURCE names a checkout of BoringSSL; otherwise the script clones the commit that rustls' bogo/fetch-and-build names.
# Exit codes: 0 if every difference has a reason; 1 if not; 77 if a tool or a source is missing, or 1 with STRICT=1.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=${BOGO_WORK:-$root/target/bogo}
mkdir -p "$work"

skip() { echo "SKIPPED  bogo: $1"; [ "${STRICT:-0}" = 1 ] && exit 1; exit 77; }

for tool in git go cpp python3; do
    command -v "$tool" >/dev/null || skip "$tool is not installed"
done

version=$(sed -n '/^name = "rustls"$/{n;s/version = "\(.*\)"/\1/p}' "$root/Cargo.lock")
rustls=${RUSTLS_SOURCE:-$work/rustls}
if [ ! -d "$rustls/bogo" ]; then
    git clone --quiet --depth 1 --branch "v/$version" https://github.com/rustls/rustls.git "$rustls" \
        || skip "cannot clone rustls $version; set RUSTLS_SOURCE to a checkout"
fi
boringssl=${BORINGSSL_SOURCE:-$work/boringssl}
if [ ! -d "$boringssl/ssl/test/runner" ]; then
    commit=$(sed -n 's/^COMMIT=//p' "$rustls/bogo/fetch-and-build")
    { git init --quiet "$boringssl" \
        && git -C "$boringssl" fetch --quiet --depth 1 https://github.com/rustls/boringssl.git "$commit" \
        && git -C "$boringssl" checkout --quiet FETCH_HEAD; } \
        || skip "cannot fetch BoringSSL $commit; set BORINGSSL_SOURCE to a checkout"
fi
runner=$work/runner.test
[ -x "$runner" ] || (cd "$boringssl/ssl/test/runner" && go test -c -o "$runner") || skip "cannot build the runner"
cp "$rustls"/bogo/keys/* "$work/" || exit 1
(cd "$rustls/bogo" && cpp -P -DAWS_LC_RS -DPOST_QUANTUM config.json.in) >"$work/config.json" || exit 1

# Builds the shim with one provider, in its own package, so that grille's dependencies enable no features in the stock shim:
# shim NAME
shim() {
    local name=$1 folder=$work/$1
    mkdir -p "$folder/src"
    cat >"$folder/Cargo.toml" <<TOML
[package]
name = "bogo-$name"
version = "0.0.0"
edition = "2021"

[workspace]

[features]
fips = []
post-quantum = []

[dependencies]
base64 = "0.22"
env_logger = "0.11"
nix = { version = "0.30", default-features = false, features = ["signal"] }
rustls = { version = "=$version", features = ["aws_lc_rs", "ring", "tls12", "zlib", "brotli"] }
webpki = { package = "rustls-webpki", version = "0.103" }
TOML
    cp "$rustls/bogo/src/main.rs" "$folder/src/main.rs"
    cp "$root/rust-toolchain.toml" "$folder/"
    if [ "$name" = grille ]; then
        cat >>"$folder/Cargo.toml" <<TOML
grille-registry = { path = "$root/registry", features = ["all"] }
grille-tls = { path = "$root/tls" }
TOML
        cp "$here/bogo/provider.rs" "$folder/src/grille.rs"
        sed -i 's/fn provider(&self) -> CryptoProvider {/fn provider(\&self) -> CryptoProvider {\n        grille::provider(\&self.stock())\n    }\n\n    fn stock(\&self) -> CryptoProvider {/' "$folder/src/main.rs"
        grep -q 'grille::provider' "$folder/src/main.rs" || { echo "bogo: rustls' shim has changed: no provider function"; return 1; }
        printf '\nmod grille;\n' >>"$folder/src/main.rs"
    fi
    (cd "$folder" && AWS_LC_SYS_NO_JITTER_ENTROPY=1 CARGO_TARGET_DIR="$work/target" cargo build --quiet)
}

# Runs the suite with one shim and writes one line per test, "RESULT NAME": suite NAME [RUNNER OPTION…]
suite() {
    local name=$1; shift
    echo "running BoGo with the $name provider …"
    # the shim looks for test-ca five folders up, as in rustls' source tree
    local deep=$work/run/bogo/ssl/test/runner
    mkdir -p "$deep"
    ln -sfn "$rustls/test-ca" "$work/test-ca"; ln -sfn "$rustls/test-ca" "$work/run/test-ca"
    cp "$work"/*.pem "$work/run/bogo/"
    (cd "$deep" && "$runner" -shim-path "$work/target/debug/bogo-$name" -shim-config "$work/config.json" \
        -pipe -allow-unimplemented -test.timeout 1200s -json-output "$work/$name.json" "$@") >"$work/$name.log" 2>&1
    python3 - "$work/$name.json" <<'PY' >"$work/$name.txt" || { tail -n 20 "$work/$name.log"; return 1; }
import json, sys
for name, result in sorted(json.load(open(sys.argv[1]))["tests"].items()):
    print(result["actual"], name)
PY
    cut -d' ' -f1 "$work/$name.txt" | sort | uniq -c
}

shim stock && shim grille || exit 1
suite stock "$@" && suite grille "$@" || exit 1

# Prints the differences that bogo/differences.txt does not explain.
python3 - "$work/stock.txt" "$work/grille.txt" "$here/bogo/differences.txt" <<'PY'
import fnmatch, sys
stock, grille = (dict(reversed(line.split(" ", 1)) for line in open(path).read().splitlines()) for path in sys.argv[1:3])
lines = [line.split(None, 3) for line in open(sys.argv[3]).read().splitlines() if line and not line.startswith("#")]
used, unexplained, explained = set(), 0, 0
for name in sorted(stock.keys() | grille.keys()):
    pair = (stock.get(name, "absent"), grille.get(name, "absent"))
    if pair[0] == pair[1]:
        continue
    row = next((row for row in lines if fnmatch.fnmatch(name, row[0]) and tuple(row[1:3]) == pair), None)
    if row:
        used.add(row[0]); explained += 1
    else:
        unexplained += 1
        print(f"UNEXPLAINED {name}: stock {pair[0]}, grille {pair[1]}")
print(f"bogo: {len(stock)} tests, {explained} explained differences, {unexplained} unexplained")
sys.exit(unexplained > 0)
PY
