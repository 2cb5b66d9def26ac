#!/bin/sh
# Does grille speak SPDM with DMTF's spdm-emu? Both directions, every transport, classical and post-quantum.
#
#   tests/conformance/spdm-emu.sh DIRECTORY [GRILLE]
#
# DIRECTORY: where spdm_requester_emu and spdm_responder_emu were built, with the sample keys beside them (build/bin).
# GRILLE: the command, `target/release/grille` unless given.
# The emulators send every number of a frame by itself: without TCP_NODELAY on their sockets a flow takes minutes.
# PRELOAD names a library that sets it, for LD_PRELOAD.
# Each case is one line; the exit code is 1 if one fails.
set -u

[ $# -ge 1 ] || { sed -n '2,12s/^# \{0,1\}//p' "$0"; exit 2; }
directory=$(cd "$1" && pwd) || exit 2
root=$(cd "$(dirname "$0")/../.." && pwd)
grille=${2:-$root/target/release/grille}
grille=$(cd "$(dirname "$grille")" && pwd)/$(basename "$grille")
[ -x "$directory/spdm_responder_emu" ] || { echo "$directory: no spdm_responder_emu" >&2; exit 2; }
[ -x "$grille" ] || { echo "$grille: no grille; cargo build --release makes it" >&2; exit 2; }
logs=$(mktemp -d)
failed=0
port=24000

# The emulator's side; its keys are in its own directory.
emulator() {
    (cd "$directory" && LD_PRELOAD=${PRELOAD:-} timeout 120 "./$1" --port "$port" $2)
}

# ours|theirs requester, options of both, those of the requester, those of the responder
case_of() {
    port=$((port + 1))
    log=$logs/$port
    if [ "$1" = ours ]; then
        emulator spdm_responder_emu "$2 $4" >"$log.responder" 2>&1 &
        sleep 2
        timeout 120 "$grille" spdm requester --port "$port" $2 $3 >"$log.requester" 2>&1
    else
        timeout 120 "$grille" spdm responder --port "$port" $2 $4 >"$log.responder" 2>&1 &
        sleep 2
        emulator spdm_requester_emu "$2 $3" >"$log.requester" 2>&1 && ! grep -aq ERROR: "$log.requester"
    fi
    if [ $? -eq 0 ]; then
        verdict=passed
    else
        verdict=FAILED
        failed=$((failed + 1))
    fi
    echo "$verdict  $1 as requester: $2 $3 (log $log)"
    kill $! 2>/dev/null
    wait $! 2>/dev/null
}

outside=DIGEST,CERT,CHAL,MEAS
inside=KEY_EX,PSK,KEY_UPDATE,HEARTBEAT,MEAS
steps="--exe_conn $outside --exe_session $inside"
classical="--pqc_asym NONE --kem NONE"
quantum_safe="--asym NONE --pqc_asym ML_DSA_87 --dhe NONE --kem ML_KEM_1024"

for requester in ours theirs; do
    for trans in MCTP PCI_DOE TCP; do
        case_of $requester "--trans $trans --ver 1.0" "--exe_conn $outside" ""
        for ver in 1.1 1.2 1.3; do
            case_of $requester "--trans $trans --ver $ver" "$steps" ""
        done
        case_of $requester "--trans $trans --ver 1.4 $classical" "$steps" ""
        case_of $requester "--trans $trans --ver 1.4 $quantum_safe" "$steps" ""
    done
done

echo "$failed failed"
[ "$failed" -eq 0 ]
