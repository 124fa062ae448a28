# BRISTLE_LEAN: libraries a third as large, for a package that is downloaded, and as fast where it counts. The loops over a
# batch are compiled for AVX2, steps in double precision for AVX-512 as well (core/lean_entry.h). Nothing in the package
# asks for vectors or skewed laws in single precision.
set(loops ${loops} -fno-asynchronous-unwind-tables -ffunction-sections -fdata-sections)
foreach(target ${FREESTANDING})
  if(target STREQUAL "bristle_skewed_f32")
    list(REMOVE_ITEM FREESTANDING ${target})
  elseif(target MATCHES "_f(64|32)$")
    bristle_optimise(${target} ${loops})
  endif()
endforeach()
target_compile_definitions(bristle_skewed_f64 PRIVATE BRISTLE_SCALAR="core/scalar_small.h")

# All derivatives but those of small laws share kernels and elementary functions (core/dual_small.h); those of small laws with
# their own friction for each direction are slower by half, and a third as large.
set(shared -fno-asynchronous-unwind-tables -ffunction-sections -fdata-sections)
if(BRISTLE_DERIVATIVES)
  target_compile_options(bristle_diff PRIVATE ${shared})
  target_compile_options(bristle_large_diff PRIVATE ${shared})
  bristle_share_kernels(bristle_skewed_diff)
  foreach(target bristle_skewed_diff bristle_skewed_large_diff bristle_vector2_diff bristle_vector3_diff)
    target_compile_options(${target} PRIVATE ${shared} $<$<CONFIG:Release>:-O2>)
  endforeach()
endif()
target_compile_definitions(bristle_core PRIVATE BRISTLE_LEAN)
if(NOT BRISTLE_DISPATCH)
  return()
endif()

bristle_laws_with("^#define HEAVY" heavy) # these have no loops
set(light ${LAWS})
list(REMOVE_ITEM light ${heavy})
list(TRANSFORM light REPLACE "(.+)" "src/models/\\1.c")
foreach(name f64_avx2 f64_avx512 f32_avx2)
  string(REGEX MATCH "^f[0-9]+" flavour ${name})
  string(REGEX MATCH "avx[0-9]+" instructions ${name})
  string(REPLACE avx512 avx512f flag ${instructions})
  bristle_objects(bristle_${name} ${light})
  bristle_optimise(bristle_${name} ${loops})
  target_compile_options(bristle_${name} PRIVATE -UBRISTLE_DISPATCH -m${flag})
  target_compile_definitions(bristle_${name} PRIVATE BRISTLE_FINISH="core/lean_simd.h" BRISTLE_SET=${instructions}
    $<$<STREQUAL:${flavour},f32>:BRISTLE_F32=1>)
  set_target_properties(bristle_${name} PROPERTIES C_VISIBILITY_PRESET hidden)
  target_compile_definitions(bristle_${flavour} PRIVATE BRISTLE_FINISH="core/lean_entry.h")
  list(APPEND FREESTANDING bristle_${name})
endforeach()
