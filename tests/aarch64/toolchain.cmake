# SPDX-License-Identifier: BSD-3-Clause
#
# Builds for AArch64 with Debian's compiler and the libraries that `fetch` unpacked into
# AARCH64_CACHE.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES AARCH64_CACHE)

# A compiler that was unpacked finds its own headers below a root of files.
set(prefix aarch64-linux-gnu-)
if(EXISTS ${AARCH64_CACHE}/host/usr/bin/${prefix}g++)
  set(prefix ${AARCH64_CACHE}/host/usr/bin/${prefix})
  set(CMAKE_SYSROOT ${AARCH64_CACHE}/host)
endif()
set(CMAKE_C_COMPILER ${prefix}gcc)
set(CMAKE_CXX_COMPILER ${prefix}g++)

set(libraries ${AARCH64_CACHE}/arm64/usr/lib/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH ${AARCH64_CACHE}/arm64)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} ${libraries}/pkgconfig:${AARCH64_CACHE}/arm64/usr/share/pkgconfig)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${AARCH64_CACHE}/arm64)
# What libraries need of each other.
set(needed "-Wl,-rpath-link,${libraries}:${AARCH64_CACHE}/arm64/lib/aarch64-linux-gnu")
set(CMAKE_EXE_LINKER_FLAGS_INIT ${needed})
set(CMAKE_SHARED_LINKER_FLAGS_INIT ${needed})
set(CMAKE_MODULE_LINKER_FLAGS_INIT ${needed})
