#!/bin/sh
# Takes the place of perl in OpenSSL's build. OpenSSL then computes P-224, P-256 and P-521 with 64-bit limbs, as
# distributions build it; by default it computes P-521 several times slower.
case ${1-} in
./Configure) shift; exec perl ./Configure "$@" enable-ec_nistp_64_gcc_128 ;;
*) exec perl "$@" ;;
esac
