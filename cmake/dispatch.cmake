# Can this compiler and linker make several versions of a function and choose one at load time?
include(CheckCSourceCompiles)
set(BRISTLE_DISPATCH_WORKS OFF)
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  check_c_source_compiles("
    __attribute__((target_clones(\"avx512f\", \"avx2\", \"default\"))) static int twice(int x) { return 2 * x; }
    int (*volatile pointer)(int) = twice;
    int main(int argc, char **argv) { (void)argv; return pointer(argc); }" BRISTLE_TARGET_CLONES)
  if(BRISTLE_TARGET_CLONES)
    set(BRISTLE_DISPATCH_WORKS ON)
  endif()
endif()
