#!/usr/bin/env bash
# Headless Chromium (Debian's package chromium) reads a page through `grille proxy` over X25519MLKEM768.
#
#   tests/conformance/chromium.sh
#
# GRILLE names the program to test; without it, it is built in release. CHROMIUM names the browser. Needs python3, which
# serves the page, openssl and curl. If a tool is missing, the script names it and tests nothing; with STRICT=1 it fails.
# Exit code 1 if a check failed.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; wait 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1

chromium=${CHROMIUM:-chromium}
for program in "$chromium" python3 openssl curl; do
    command -v "$program" >/dev/null || { echo "SKIPPED  $program is not installed"; [ "${STRICT:-}" != 1 ]; exit; }
done
grille=${GRILLE:-}
if [ -z "$grille" ]; then
    (cd "$root" && cargo build --quiet --release -p grille-cli) || exit 1
    grille=${CARGO_TARGET_DIR:-$root/target}/release/grille
fi

failed=0
check() { # NAME COMMAND…: the command must succeed
    local name=$1; shift
    if "$@"; then echo "ok       $name"; else failed=1; echo "FAILED   $name"; fi
}
# Waits for a line in a log and prints the matched group: said LOG SED-PATTERN-WITH-ONE-GROUP
said() {
    for _ in $(seq 100); do
        sed -nE "s/.*$2.*/\1/p" "$1" | grep -m 1 . && return
        sleep 0.1
    done
    echo "nothing like $2 in $1:" >&2
    cat "$1" >&2
    return 1
}

mkdir page
echo '<!doctype html><title>page</title><p>I hear you fa shizzle!' >page/index.html
python3 -u -m http.server 0 --bind 127.0.0.1 --directory page </dev/null >service.log 2>&1 &
service=$(said service.log 'port ([0-9]+)') || exit 1

"$grille" cert chain --alg ECDSA-P256-SHA256 --out chain >/dev/null || exit 1
"$grille" proxy --listen 127.0.0.1:0 --to "127.0.0.1:$service" --cert chain/entity_cert.pem --key chain/entity_key.pem \
    --metrics 127.0.0.1:0 --log json </dev/null >proxy.log 2>&1 &
port=$(said proxy.log '"address":"127.0.0.1:([0-9]+)') || exit 1
metrics=$(said proxy.log '"metrics":"127.0.0.1:([0-9]+)') || exit 1

# the browser trusts this key only; its root store is unchanged
key=$(openssl x509 -in chain/entity_cert.pem -noout -pubkey | openssl pkey -pubin -outform DER | openssl sha256 -binary | base64)
browse() { # URL: prints the page as the browser renders it
    timeout 60 "$chromium" --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$work/profile" \
        --ignore-certificate-errors-spki-list="$key" --dump-dom "$1" </dev/null 2>browser.log
}
# Prints the number of full handshakes with clients over the group: handshakes GROUP
handshakes() {
    curl -s "http://127.0.0.1:$metrics/metrics" |
        sed -nE "s/^grille_proxy_handshakes_total\{side=\"client\",group=\"$1\",kind=\"full\"\} //p"
}

"$chromium" --version 2>/dev/null
check "Chromium reads the page" sh -c 'grep -q "fa shizzle" "$1"' sh <(browse "https://localhost:$port/")
over=$(handshakes X25519MLKEM768)
check "${over:-0} full handshakes use X25519MLKEM768" [ "${over:-0}" -gt 0 ]
check "no handshake uses another group" [ "$(handshakes '[^"]*' | wc -l)" -eq 1 ]
[ "$failed" -eq 0 ] || tail -n 20 browser.log proxy.log
exit "$failed"
