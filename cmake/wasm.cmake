# Toolchain: WebAssembly with 128-bit vectors and the WASI C library.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_C_FLAGS_INIT "-msimd128 -D_WASI_EMULATED_SIGNAL") # sig_atomic_t; nobody sends signals
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,-z,stack-size=8388608") # fits need more than the usual 64 kB
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
