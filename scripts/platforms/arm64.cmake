# Builds for 64-bit Arm on another processor: with Debian's cross compiler, the libraries that
# `scripts/install --arm64` put under build/, and tests that run under qemu.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

get_filename_component(arm64_libraries "${CMAKE_CURRENT_LIST_DIR}/../../build/arm64-libraries" ABSOLUTE)
set(CMAKE_FIND_ROOT_PATH ${arm64_libraries})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${arm64_libraries})
set(ENV{PKG_CONFIG_LIBDIR} ${arm64_libraries}/usr/lib/aarch64-linux-gnu/pkgconfig)

set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L ${arm64_libraries})
