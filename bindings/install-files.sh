# The files for pkg-config and CMake that `c/install.sh` and `oqs/install.sh` write. Both scripts read this file.

# write_pkg_config PREFIX PREFIX-IN-FILE NAME DESCRIPTION VERSION LIBRARY
# writes PREFIX/lib/pkgconfig/NAME.pc. PREFIX-IN-FILE is the prefix as pkg-config sees it: a folder, or one relative to ${pcfiledir}.
write_pkg_config() {
    mkdir -p "$1/lib/pkgconfig"
    cat > "$1/lib/pkgconfig/$3.pc" <<END
prefix=$2
libdir=\${prefix}/lib
includedir=\${prefix}/include

Name: $3
Description: $4
Version: $5
Cflags: -I\${includedir}
Libs: -L\${libdir} -l$6
Libs.private: -lpthread -ldl -lm
END
}

# write_cmake_version PREFIX PACKAGE VERSION CONDITION
# writes PREFIX/lib/cmake/PACKAGE/PACKAGEConfigVersion.cmake. CONDITION is the CMake condition under which the version is compatible.
write_cmake_version() {
    mkdir -p "$1/lib/cmake/$2"
    cat > "$1/lib/cmake/$2/$2ConfigVersion.cmake" <<END
set(PACKAGE_VERSION "$3")
if($4)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
  if(PACKAGE_VERSION VERSION_EQUAL PACKAGE_FIND_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
  endif()
else()
  set(PACKAGE_VERSION_COMPATIBLE FALSE)
endif()
END
}

# write_cmake_targets PREFIX PACKAGE SHARED-TARGET SHARED-FILE SONAME [STATIC-TARGET STATIC-FILE]
# writes PREFIX/lib/cmake/PACKAGE/PACKAGEConfig.cmake with the imported targets. The files lie in PREFIX/lib.
write_cmake_targets() {
    mkdir -p "$1/lib/cmake/$2"
    {
        cat <<END
if(NOT TARGET $3)
  get_filename_component(_$2_prefix "\${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
  add_library($3 SHARED IMPORTED)
  set_target_properties($3 PROPERTIES
    IMPORTED_LOCATION "\${_$2_prefix}/lib/$4"
    IMPORTED_SONAME "$5"
    INTERFACE_INCLUDE_DIRECTORIES "\${_$2_prefix}/include")
END
        [ $# -lt 7 ] || cat <<END
  add_library($6 STATIC IMPORTED)
  set_target_properties($6 PROPERTIES
    IMPORTED_LOCATION "\${_$2_prefix}/lib/$7"
    INTERFACE_LINK_LIBRARIES "pthread;dl;m"
    INTERFACE_INCLUDE_DIRECTORIES "\${_$2_prefix}/include")
END
        echo 'endif()'
    } > "$1/lib/cmake/$2/$2Config.cmake"
}
