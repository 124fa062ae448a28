# Toolchain: macOS, by clang, with the headers and the list of libSystem's symbols that the Python package ziglang brings
# (scripts/need.sh macos). BRISTLE_MACOS_ARCH is arm64 or x86_64, BRISTLE_MACOS_SDK that folder.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES BRISTLE_MACOS_ARCH BRISTLE_MACOS_SDK)
set(CMAKE_SYSTEM_NAME Darwin)
set(CMAKE_SYSTEM_PROCESSOR ${BRISTLE_MACOS_ARCH})
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_C_COMPILER_TARGET ${BRISTLE_MACOS_ARCH}-apple-macos11)
set(CMAKE_USER_MAKE_RULES_OVERRIDE_C ${CMAKE_CURRENT_LIST_DIR}/macos_rules.cmake)
set(CMAKE_OSX_SYSROOT ${BRISTLE_MACOS_SDK})
set(CMAKE_C_FLAGS_INIT "-Wno-incompatible-sysroot") # the folder has no description of itself
foreach(kind EXE SHARED MODULE)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT -fuse-ld=lld)
endforeach()
set(CMAKE_AR llvm-ar-19 CACHE FILEPATH "")
set(CMAKE_RANLIB llvm-ranlib-19 CACHE FILEPATH "")
set(CMAKE_INSTALL_NAME_TOOL llvm-install-name-tool-19 CACHE FILEPATH "")
set(CMAKE_FIND_ROOT_PATH ${BRISTLE_MACOS_SDK}) # what the build machine has is not for macOS
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} ${BRISTLE_MACOS_SDK}/usr/lib/pkgconfig)
