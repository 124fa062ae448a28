# Programs and libraries that also run on systems with glibc 2.28 (manylinux_2_28), wherever they are linked: see
# older_glibc.c. Where the C library is as old, or another one, there is nothing to do.
include(CheckCSourceCompiles)
check_c_source_compiles("#include <features.h>
#if !(defined __GLIBC__ && __GLIBC_PREREQ(2, 34) && (defined __x86_64__ || defined __aarch64__))
#error
#endif
int main(void) { return 0; }" BRISTLE_NEW_GLIBC)

set_source_files_properties(cmake/older_glibc.c cmake/older_glibc_start.c PROPERTIES COMPILE_OPTIONS -fvisibility=hidden)

function(bristle_run_on_older_glibc)
  if(NOT BRISTLE_NEW_GLIBC)
    return()
  endif()
  foreach(target ${ARGN})
    set(names stat fstat pthread_create pthread_join dlopen dlsym dlerror)
    target_sources(${target} PRIVATE cmake/older_glibc.c)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL EXECUTABLE)
      target_sources(${target} PRIVATE cmake/older_glibc_start.c)
      list(APPEND names __libc_start_main)
    endif()
    list(TRANSFORM names PREPEND "-Wl,--wrap=")
    # an older system has threads and dlopen in libraries of their own; here they are empty, and the linker would drop them
    target_link_options(${target} PRIVATE ${names} -Wl,--push-state,--no-as-needed -l:libpthread.so.0 -l:libdl.so.2
      -Wl,--pop-state)
  endforeach()
endfunction()
