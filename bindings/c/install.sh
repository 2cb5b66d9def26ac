#!/bin/sh
# Installs the C library without cargo-c.
#     ./install.sh PREFIX
# makes PREFIX/include/grille.h, PREFIX/lib/libgrille.so and libgrille.a, pkg-config and CMake files. The pkg-config file finds PREFIX
# from its own place, so that the folder may be moved. PROFILE selects the profile of cargo [default: release].
set -eu
case ${1--} in
    -*) echo "usage: install.sh PREFIX" >&2; exit 2 ;;
esac
mkdir -p "$1"
prefix=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../install-files.sh"
profile=${PROFILE:-release}
cargo=${CARGO:-cargo}
cd "$here/../.."
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -1)
# cargo-c gives the library the same soname; before 1.0.0, each minor version may change the interface
soname=libgrille.so.${version%.*}
# one build makes both libraries
$cargo rustc --profile "$profile" -p grille-capi --lib --crate-type cdylib,staticlib -- -C "link-arg=-Wl,-soname,$soname"
built=${CARGO_TARGET_DIR:-target}/$profile
[ "$profile" = dev ] && built=${CARGO_TARGET_DIR:-target}/debug

mkdir -p "$prefix/include" "$prefix/lib"
cp "$here/include/grille.h" "$prefix/include/"
cp "$built/libgrille_capi.so" "$prefix/lib/libgrille.so.$version"
# without these files, `cargo build` and the tests link a library whose soname is the name of its file
rm -f "$built/libgrille_capi.so" "$built/deps/libgrille_capi.so"
ln -sf "libgrille.so.$version" "$prefix/lib/$soname"
ln -sf "$soname" "$prefix/lib/libgrille.so"
cp "$built/libgrille_capi.a" "$prefix/lib/libgrille.a"

write_pkg_config "$prefix" '${pcfiledir}/../..' grille \
    'Post-quantum KEMs and signatures, their keys and certificates' "$version" grille
write_cmake_targets "$prefix" grille grille::grille "$soname" "$soname" grille::static libgrille.a
# programs may require the same major version, and an equal or older release of it
write_cmake_version "$prefix" grille "$version" \
    "PACKAGE_FIND_VERSION_MAJOR STREQUAL \"${version%%.*}\" AND NOT PACKAGE_VERSION VERSION_LESS PACKAGE_FIND_VERSION"
echo "installed grille $version in $prefix"
