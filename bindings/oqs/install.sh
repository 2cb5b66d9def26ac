#!/bin/sh
# Installs the library with the C interface of liboqs.
#     ./install.sh [--era 0.16|0.7|0.5] [--broken] PREFIX
# makes PREFIX/include/oqs, PREFIX/lib/liboqs.so and liboqs.a, pkg-config and CMake files.
# --broken adds SIKE and SIDH, which have a known attack. PROFILE selects the profile of cargo [default: release].
set -eu
era=0.16 broken=
while [ $# -gt 1 ]; do
    case $1 in
        --era) era=$2; shift 2 ;;
        --broken) broken=yes; shift ;;
        *) echo "install.sh: unknown option $1" >&2; exit 2 ;;
    esac
done
case ${1--} in
    -*) echo "usage: install.sh [--era 0.16|0.7|0.5] [--broken] PREFIX" >&2; exit 2 ;;
esac
case $era in
    0.16) package=grille-oqs version=0.16.0 soname=9 ;;
    0.7) package=grille-oqs-0-7 version=0.7.2 soname=2 ;;
    0.5) package=grille-oqs-0-5 version=0.5.0 soname=0 ;;
    *) echo "install.sh: unknown era $era; the eras are 0.16, 0.7 and 0.5" >&2; exit 2 ;;
esac
mkdir -p "$1"
prefix=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../install-files.sh"
profile=${PROFILE:-release}
cargo=${CARGO:-cargo}
cd "$here/../.."
# one build makes both libraries: the shared one with its soname, and the static one
$cargo rustc --profile "$profile" -p "$package" --lib ${broken:+--features broken} --crate-type cdylib,staticlib
built=${CARGO_TARGET_DIR:-target}/$profile
[ "$profile" = dev ] && built=${CARGO_TARGET_DIR:-target}/debug
name=lib$(echo "$package" | tr - _)

mkdir -p "$prefix/include/oqs" "$prefix/lib"
cp "$here"/include/common/oqs/*.h "$here/include/$era"/oqs/*.h "$prefix/include/oqs/"
[ "$era" = 0.16 ] || rm -f "$prefix"/include/oqs/sig_stfl*.h "$prefix"/include/oqs/*_ops.h
if [ -n "$broken" ]; then
    sed -i 's,^/\* #undef GRILLE_OQS_BROKEN \*/$,#define GRILLE_OQS_BROKEN 1,' "$prefix"/include/oqs/oqsconfig*.h
fi
cp "$built/$name.so" "$prefix/lib/liboqs.so.$version"
[ "liboqs.so.$soname" = "liboqs.so.$version" ] || ln -sf "liboqs.so.$version" "$prefix/lib/liboqs.so.$soname"
# programs linked with 0.7.0 and 0.7.1 look for this name
[ "$era" != 0.7 ] || ln -sf liboqs.so.0.7.2 "$prefix/lib/liboqs.so.0"
ln -sf "liboqs.so.$soname" "$prefix/lib/liboqs.so"
cp "$built/$name.a" "$prefix/lib/liboqs.a"

write_pkg_config "$prefix" "$prefix" liboqs 'grille with the C interface of liboqs' "$version" oqs
write_cmake_targets "$prefix" liboqs OQS::oqs liboqs.so "liboqs.so.$soname"
write_cmake_version "$prefix" liboqs "$version" 'NOT PACKAGE_VERSION VERSION_LESS PACKAGE_FIND_VERSION'
echo "installed liboqs $version in $prefix"
