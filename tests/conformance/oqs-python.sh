#!/bin/sh
# Runs the tests of liboqs-python (PyPI: liboqs-python) with the library of bindings/oqs.
# Needs python3 with venv and pip. OQS_PYTHON_TESTS names a checkout of the tests; otherwise the script clones one from GitHub.
set -eu
cd "$(dirname "$0")/../.."
work=${WORK:-target/conformance/oqs-python}
prefix=${OQS_INSTALL_PATH:-}
mkdir -p "$work"
work=$(cd "$work" && pwd)

skip() { echo "oqs-python: SKIPPED: $1"; [ "${STRICT:-}" != 1 ]; exit; }
command -v python3 > /dev/null || skip "python3 is missing"
if [ -z "$prefix" ]; then
    prefix=$work/prefix
    bindings/oqs/install.sh "$prefix"
fi
[ -x "$work/venv/bin/python" ] || python3 -m venv "$work/venv" || skip "python3 has no venv module"
"$work/venv/bin/pip" install --quiet liboqs-python==0.16.0.1 nose2 pyasn1 pyasn1-alt-modules || skip "liboqs-python cannot be installed from PyPI"
tests=${OQS_PYTHON_TESTS:-$work/liboqs-python}
[ -d "$tests/tests" ] ||
    git clone --quiet --depth 1 https://github.com/open-quantum-safe/liboqs-python "$tests" ||
    skip "the tests of liboqs-python cannot be cloned; set OQS_PYTHON_TESTS to a checkout"

# OQS_INSTALL_PATH keeps liboqs-python from building liboqs if the library cannot be loaded
export LD_LIBRARY_PATH="$prefix/lib" OQS_INSTALL_PATH="$prefix"
cd "$tests/tests"
"$work/venv/bin/python" -c 'import oqs; print("oqs-python: liboqs", oqs.oqs_version(), len(oqs.get_enabled_kem_mechanisms()), "KEMs", len(oqs.get_enabled_sig_mechanisms()), "signatures")'
"$work/venv/bin/python" -m nose2
echo "oqs-python: passed"
