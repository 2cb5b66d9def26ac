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

mkdir -p "$prefix/include" "$prefix/lib/pkgconfig" "$prefix/lib/cmake/grille"
cp "$here/include/grille.h" "$prefix/include/"
cp "$built/libgrille_capi.so" "$prefix/lib/libgrille.so.$version"
# without these files, `cargo build` and the tests link a library whose soname is the name of its file
rm -f "$built/libgrille_capi.so" "$built/deps/libgrille_capi.so"
ln -sf "libgrille.so.$version" "$prefix/lib/$soname"
ln -sf "$soname" "$prefix/lib/libgrille.so"
cp "$built/libgrille_capi.a" "$prefix/lib/libgrille.a"

cat > "$prefix/lib/pkgconfig/grille.pc" <<END
prefix=\${pcfiledir}/../..
libdir=\${prefix}/lib
includedir=\${prefix}/include

Name: grille
Description: Post-quantum KEMs and signatures, their keys and certificates
Version: $version
Cflags: -I\${includedir}
Libs: -L\${libdir} -lgrille
Libs.private: -lpthread -ldl -lm
END
cat > "$prefix/lib/cmake/grille/grilleConfig.cmake" <<END
if(NOT TARGET grille::grille)
  get_filename_component(_grille_prefix "\${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
  add_library(grille::grille SHARED IMPORTED)
  set_target_properties(grille::grille PROPERTIES
    IMPORTED_LOCATION "\${_grille_prefix}/lib/$soname"
    IMPORTED_SONAME "$soname"
    INTERFACE_INCLUDE_DIRECTORIES "\${_grille_prefix}/include")
  add_library(grille::static STATIC IMPORTED)
  set_target_properties(grille::static PROPERTIES
    IMPORTED_LOCATION "\${_grille_prefix}/lib/libgrille.a"
    INTERFACE_LINK_LIBRARIES "pthread;dl;m"
    INTERFACE_INCLUDE_DIRECTORIES "\${_grille_prefix}/include")
endif()
END
cat > "$prefix/lib/cmake/grille/grilleConfigVersion.cmake" <<END
set(PACKAGE_VERSION "$version")
if(PACKAGE_FIND_VERSION_MAJOR STREQUAL "${version%%.*}" AND NOT PACKAGE_VERSION VERSION_LESS PACKAGE_FIND_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
  if(PACKAGE_VERSION VERSION_EQUAL PACKAGE_FIND_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
  endif()
else()
  set(PACKAGE_VERSION_COMPATIBLE FALSE)
endif()
END
echo "installed grille $version in $prefix"
