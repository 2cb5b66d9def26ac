#!/bin/sh
# Tests SPDM between grille and DMTF's spdm-emu: both directions, every transport, classical and post-quantum.
#
#   tests/conformance/spdm-emu.sh DIRECTORY [GRILLE]
#
# DIRECTORY: the folder of spdm_requester_emu and spdm_responder_emu with their sample keys (build/bin).
# GRILLE: the program [default: target/release/grille].
# PRELOAD: a library for LD_PRELOAD that sets TCP_NODELAY on the emulators' sockets. The emulators send each field of a frame
# separately, so without TCP_NODELAY a case takes minutes.
# TIMEOUT: time limit of a case in seconds [default: 120].
# ONLY: an extended regular expression that selects cases by their lines.
# Each case prints one line; the exit code is 1 if a case fails.
set -u

[ $# -ge 1 ] || { sed -n '2,14s/^# \{0,1\}//p' "$0"; exit 2; }
directory=$(cd "$1" && pwd) || exit 2
root=$(cd "$(dirname "$0")/../.." && pwd)
grille=${2:-$root/target/release/grille}
grille=$(cd "$(dirname "$grille")" && pwd)/$(basename "$grille")
[ -x "$directory/spdm_responder_emu" ] || { echo "$directory: no spdm_responder_emu" >&2; exit 2; }
[ -x "$grille" ] || { echo "$grille: no such program; build it with cargo build --release" >&2; exit 2; }
logs=$(mktemp -d)
failed=0
cases=0
port=24000

# Runs the emulator in its own directory, which contains its keys.
emulator() {
    (cd "$directory" && LD_PRELOAD=${PRELOAD:-} timeout "${TIMEOUT:-120}" "./$1" --port "$port" $2)
}

# Waits until a program listens on the port.
listening() {
    entry=$(printf ':%04X 00000000:0000 0A' "$port")
    for _ in $(seq 100); do
        sleep 0.2
        grep -q "$entry" /proc/net/tcp 2>/dev/null && return
    done
}

# Succeeds if any local socket uses the port, whatever the socket's state.
used() {
    entry=$(printf '^ *[0-9]*: [0-9A-F]*:%04X ' "$1")
    cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | grep -q "$entry"
}

# Starts a case with this name: chooses the next free port and a log file. Fails if the case is not selected.
begin() {
    echo "$1" | grep -Eq -- "${ONLY:-}" || return
    port=$((port + 1))
    while used "$port"; do
        port=$((port + 1))
    done
    cases=$((cases + 1))
    log=$logs/$port
}

# Reports a case by its exit code and name.
tell() {
    if [ "$1" -eq 0 ]; then
        verdict=passed
    else
        verdict=FAILED
        failed=$((failed + 1))
    fi
    echo "$verdict  $2 (log $log)"
}

# Prints the option for the emulators' published pre-shared test key, if the given options open a session with that key.
test_psk() {
    case "$1" in
    *--exe_session*PSK*) echo --test-psk ;;
    esac
}

# Runs a case. Arguments: ours|theirs (whose requester), common options, requester options, responder options.
case_of() {
    begin "$1 as requester: $2 $3" || return
    if [ "$1" = ours ]; then
        emulator spdm_responder_emu "$2 $4" >"$log.responder" 2>&1 &
        listening
        timeout "${TIMEOUT:-120}" "$grille" spdm requester --port "$port" $2 $3 $(test_psk "$3") >"$log.requester" 2>&1
    else
        timeout "${TIMEOUT:-120}" "$grille" spdm responder --port "$port" $2 $4 --test-psk >"$log.responder" 2>&1 &
        listening
        emulator spdm_requester_emu "$2 $3" >"$log.requester" 2>&1 && ! grep -aq ERROR: "$log.requester"
    fi
    tell $? "$1 as requester: $2 $3"
    kill $! 2>/dev/null
    wait $! 2>/dev/null
}

# Runs a case in which the responder connects to the waiting requester and asks for its role. Arguments: ours|theirs (whose
# requester), common options, requester options.
inquiry_of() {
    begin "$1 as requester: $2 $3" || return
    if [ "$1" = ours ]; then
        timeout "${TIMEOUT:-120}" "$grille" spdm requester --port "$port" $2 $3 $(test_psk "$3") >"$log.requester" 2>&1 &
        listening
        emulator spdm_responder_emu "$2" </dev/null >"$log.responder" 2>&1
        wait $!
    else
        emulator spdm_requester_emu "$2 $3" >"$log.requester" 2>&1 &
        listening
        timeout "${TIMEOUT:-120}" "$grille" spdm responder --port "$port" $2 >"$log.responder" 2>&1
        wait $! && ! grep -aq ERROR: "$log.requester"
    fi
    tell $? "$1 as requester: $2 $3"
}

# Prints grille's options for the emulators' chain and key of an algorithm and a role.
proof() {
    folder=$directory/$1
    cat "$folder/ca.cert" "$folder/inter.cert" "$folder/end_$2.cert" >"$logs/$1-$2.pem"
    echo "--cert $logs/$1-$2.pem --key $folder/end_$2.key"
}

# Prints the paths of the emulators' roots for an algorithm; slots 0 and 1 have different roots.
roots() {
    echo "--ca $directory/$1/ca.cert --ca $directory/$1/ca1.cert"
}

# Runs a case in both directions. Arguments: common options, requester options, responder options, the responder's key folder, and
# the requester's key folder if the requester authenticates itself.
both_ways() {
    case_of ours "$1" "$2 $(roots "$4") ${5:+$(proof "$5" requester)}" "$3"
    case_of theirs "$1" "$2" "$3 $(proof "$4" responder) ${5:+$(roots "$5")}"
}

outside=DIGEST,CERT,CHAL,MEAS
inside=KEY_EX,PSK,KEY_UPDATE,HEARTBEAT,MEAS
steps="--exe_conn $outside --exe_session $inside"
p384="--pqc_asym NONE --kem NONE --asym ECDSA_P384"
classical="--pqc_asym NONE --kem NONE"
quantum_safe="--asym NONE --pqc_asym ML_DSA_87 --dhe NONE --kem ML_KEM_1024"

# every version on every transport
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

# authenticated requesters, with the emulators' certificates on both sides
mutual="--req_asym ECDSA_P384 --req_pqc_asym NONE"
for trans in MCTP PCI_DOE TCP; do
    for ver in 1.1 1.2 1.3 1.4; do
        for mode in W_ENCAP DIGESTS; do
            both_ways "--trans $trans --ver $ver $p384 $mutual" "$steps" \
                "--basic_mut_auth NO --mut_auth $mode" ecp384 ecp384
        done
        both_ways "--trans $trans --ver $ver $p384 $mutual" "$steps" \
            "--basic_mut_auth BASIC --mut_auth NO" ecp384 ecp384
        both_ways "--trans $trans --ver $ver $p384 $mutual" "$steps" \
            "--basic_mut_auth BASIC --mut_auth WO_ENCAP" ecp384 ecp384
    done
    both_ways "--trans $trans --ver 1.4 $quantum_safe --req_asym NONE --req_pqc_asym ML_DSA_87" "$steps" \
        "--basic_mut_auth NO --mut_auth W_ENCAP" mldsa87 mldsa87
done

# Tests public keys that the peers know beforehand. Arguments: common options, --basic_mut_auth, key folder. In KEY_EXCHANGE_RSP the
# emulators' responder requests slot 0 instead of 0xF, which even the emulators' requester refuses (85436d5). So with grille only
# CHALLENGE is mutual.
raw() {
    folder=$directory/$3
    responder="$1 --slot_id 0xFF --basic_mut_auth $2"
    peer="--peer_key $folder/end_responder.key.pub.der"
    case_of ours "$responder" "--exe_conn CHAL,MEAS --exe_session $inside $peer" ""
    both="$responder --req_slot_id 0xFF"
    case_of ours "$both" "--exe_conn CHAL,MEAS --exe_session PSK --key $folder/end_requester.key $peer" ""
    case_of theirs "$both" "--exe_conn CHAL,MEAS --exe_session $inside" \
        "--key $folder/end_responder.key --peer_key $folder/end_requester.key.pub.der"
}
for basic in NO BASIC; do
    for ver in 1.1 1.2 1.3 1.4; do
        raw "--ver $ver $p384 $mutual" $basic ecp384
    done
    raw "--ver 1.4 $quantum_safe --req_asym NONE --req_pqc_asym ML_DSA_87" $basic mldsa87
done

# without a transport there are no sessions
for requester in ours theirs; do
    case_of $requester "--trans NONE --ver 1.2" "--exe_conn $outside" ""
done

# the responder connects and asks for its role
for requester in ours theirs; do
    inquiry_of $requester "--trans TCP --tcp_sub RI --ver 1.2" "$steps"
done

# provisioning: the log, a certificate request, a chain written to a slot, key pairs; the emulators' requester rejects key
# pairs without a classical algorithm (85436d5)
factory=$outside,MEL,GET_CSR,SET_CERT
for ver in 1.2 1.3 1.4; do
    both_ways "--ver $ver $p384" "--exe_conn $factory,GET_KEY_PAIR_INFO --exe_session KEY_EX,MEAS" "" ecp384
done
both_ways "--ver 1.4 $quantum_safe" "--exe_conn $factory --exe_session KEY_EX,MEAS" "" mldsa87
# to change the first key pair, the requester removes the key pair from its slots and erases it: no authentication is possible
# afterwards
for ver in 1.3 1.4; do
    changed=DIGEST,CERT,GET_KEY_PAIR_INFO,SET_KEY_PAIR_INFO
    both_ways "--ver $ver $p384" "--exe_conn $changed --exe_session NO_END" "" ecp384
done

# both sides save the negotiated state, and the next connection starts from that state; the emulators' requester then ends with an
# error, even with the emulators' responder (85436d5)
caches="--cap CACHE,CERT,CHAL,MEAS_SIG,ENCRYPT,MAC,KEY_EX,HBEAT,KEY_UPD"
kept() {
    case_of "$1" "--ver 1.2 $p384" \
        "--exe_conn $outside --exe_session KEY_EX,HEARTBEAT $2 $logs/$1.requester --cap CERT,CHAL,ENCRYPT,MAC,KEY_EX,HBEAT,KEY_UPD" \
        "$caches $2 $logs/$1.responder"
}
kept ours --save_state
kept ours --load_state
kept theirs --save_state

# handshakes in the clear, and sessions with authentication only
base=CERT,CHAL,MAC,KEY_EX,HBEAT,KEY_UPD
for trans in MCTP PCI_DOE TCP; do
    for ver in 1.1 1.2 1.3 1.4; do
        for more in ENCRYPT,HANDSHAKE_IN_CLEAR ENCRYPT,CHUNK ""; do
            both_ways "--trans $trans --ver $ver $p384" "$steps --cap $base,PSK${more:+,$more}" \
                "--cap $base,PSK_WITH_CONTEXT,MEAS_SIG${more:+,$more}" ecp384
        done
        # mutual authentication without an encapsulated request in the session: CHALLENGE has already delivered the requester's chain
        for modes in "BASIC --mut_auth WO_ENCAP" "NO --mut_auth W_ENCAP" "NO --mut_auth DIGESTS"; do
            able=$base,ENCRYPT,HANDSHAKE_IN_CLEAR,MUT_AUTH,ENCAP
            both_ways "--trans $trans --ver $ver $p384 $mutual" "$steps --cap $able" \
                "--cap $able,MEAS_SIG --basic_mut_auth $modes" ecp384 ecp384
        done
    done
done

# key updates for one direction or both
for which in REQ ALL RSP; do
    for ver in 1.1 1.2 1.3 1.4; do
        both_ways "--ver $ver $p384 --key_upd $which" "--exe_conn CERT --exe_session KEY_EX,PSK,KEY_UPDATE,HEARTBEAT" \
            "" ecp384
    done
    both_ways "--ver 1.4 $quantum_safe --key_upd $which" "--exe_conn CERT --exe_session KEY_EX,KEY_UPDATE,HEARTBEAT" \
        "" mldsa87
done

# all measurements at once, digests or raw
for att in HASH RAW; do
    for ver in 1.0 1.1 1.2 1.3 1.4; do
        both_ways "--ver $ver $p384 --meas_op ALL --meas_att $att" \
            "--exe_conn CERT,CHAL,MEAS --exe_session KEY_EX,MEAS" "" ecp384
    done
done

# endpoint information, and application messages in sessions; the emulators have no application messages over TCP
for ver in 1.3 1.4; do
    both_ways "--ver $ver $p384" "--exe_conn CERT,EP_INFO --exe_session KEY_EX,EP_INFO" "" ecp384
done
for ver in 1.1 1.4; do
    both_ways "--trans MCTP --ver $ver $p384" "--exe_conn CERT --exe_session KEY_EX,PSK,APP" "" ecp384
    # over PCI DOE the emulators' requester programs IDE keys and locks an interface (85436d5), which grille's device does not support
    case_of ours "--trans PCI_DOE --ver $ver $p384" "--exe_conn CERT --exe_session KEY_EX,PSK,APP $(roots ecp384)" ""
done

# every common group, hash, AEAD and key
for dhe in FFDHE_2048 FFDHE_3072 FFDHE_4096 SECP_256_R1 SECP_384_R1 SECP_521_R1; do
    both_ways "--ver 1.2 $p384 --dhe $dhe" "$steps" "" ecp384
done
for hash in SHA_256 SHA_384 SHA_512; do
    both_ways "--ver 1.2 $p384 --hash $hash" "$steps" "" ecp384
done
for hash in SHA3_256 SHA3_384 SHA3_512; do
    both_ways "--ver 1.2 $p384 $mutual --hash $hash" "$steps" "" ecp384 ecp384
    for key in RSASSA_2048:rsa2048 RSAPSS_3072:rsa3072; do
        both_ways "--ver 1.2 --asym ${key%:*} $classical --hash $hash" "$steps" "" "${key#*:}"
    done
done
for aead in AES_128_GCM AES_256_GCM CHACHA20_POLY1305; do
    both_ways "--ver 1.2 $p384 --aead $aead" "$steps" "" ecp384
done
for key in RSASSA_2048:rsa2048 RSASSA_3072:rsa3072 RSASSA_4096:rsa4096 RSAPSS_2048:rsa2048 RSAPSS_3072:rsa3072 \
    RSAPSS_4096:rsa4096 ECDSA_P256:ecp256 ECDSA_P521:ecp521; do
    for ver in 1.1 1.2; do
        both_ways "--ver $ver --asym ${key%:*} $classical" "$steps" "" "${key#*:}"
    done
done
# the emulators do not sign with EdDSA before 1.2 (85436d5)
for key in EDDSA_25519:ed25519 EDDSA_448:ed448; do
    both_ways "--ver 1.2 --asym ${key%:*} $classical" "$steps" "" "${key#*:}"
done
for set in ML_DSA_44:mldsa44:ML_KEM_512 ML_DSA_65:mldsa65:ML_KEM_768 ML_DSA_87:mldsa87:ML_KEM_1024; do
    rest=${set#*:}
    both_ways "--ver 1.4 --asym NONE --pqc_asym ${set%%:*} --dhe NONE --kem ${rest#*:}" "$steps" "" "${rest%:*}"
done
# The emulators' own signatures with SLH-DSA do not verify, not even in their own requester (85436d5 with OpenSSL 4.0.3),
# and the chains of the larger sets are too long for them.
for set in SLH_DSA_SHA2_128S:slh-dsa-sha2-128s SLH_DSA_SHAKE_128F:slh-dsa-shake-128f \
    SLH_DSA_SHAKE_192S:slh-dsa-shake-192s; do
    case_of theirs "--ver 1.4 --asym NONE --pqc_asym ${set%:*} --dhe NONE --kem ML_KEM_768" "$steps" \
        "$(proof "${set#*:}" responder)"
done

echo "$failed of $cases failed"
[ "$cases" -gt 0 ] && [ "$failed" -eq 0 ]
