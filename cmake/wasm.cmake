# Toolchain: WebAssembly with 128-bit vectors and the WASI C library.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_C_FLAGS_INIT "-msimd128")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
