# The laws once more, for NVIDIA GPUs: libbristle-cuda, in two precisions and two builds (bristle/cuda.h).
# -DCMAKE_CUDA_ARCHITECTURES=... chooses the processors; otherwise those of this machine, or 90 where there is none.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  if(EXISTS /dev/nvidiactl)
    set(CMAKE_CUDA_ARCHITECTURES native)
  else()
    set(CMAKE_CUDA_ARCHITECTURES 90)
  endif()
endif()
enable_language(CUDA)
string(APPEND CMAKE_CUDA_FLAGS " -std=c++20")

foreach(law ${LAWS})
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/cuda/${law}.cu CONTENT "#include \"models/${law}.c\"\n")
  list(APPEND CUDA_LAWS ${PROJECT_BINARY_DIR}/cuda/${law}.cu)
endforeach()

# Exact: nothing is contracted, divided or rooted less than exactly, so that bits are those of the processor.
set(CUDA_FLAGS_exact -fmad=false -prec-div=true -prec-sqrt=true -ftz=false)
set(CUDA_FLAGS_fast -use_fast_math -DBRISTLE_SCALAR="cuda/fast.h")
foreach(build exact fast)
  foreach(precision 0 1)
    set(target bristle_cuda_${build}_${precision})
    add_library(${target} OBJECT ${CUDA_LAWS})
    target_include_directories(${target} PRIVATE include src)
    target_compile_definitions(${target} PRIVATE BRISTLE_F32=${precision} BRISTLE_CUDA_BUILD=_${build}
      BRISTLE_FINISH="cuda/kernels.h")
    target_compile_options(${target} PRIVATE ${CUDA_FLAGS_${build}} -Xcudafe --diag_suppress=177)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    list(APPEND CUDA_OBJECTS $<TARGET_OBJECTS:${target}>)
  endforeach()
endforeach()

# with derivatives, which exist in double precision only
add_library(bristle_cuda_slopes OBJECT ${CUDA_LAWS})
target_include_directories(bristle_cuda_slopes PRIVATE include src)
target_compile_definitions(bristle_cuda_slopes PRIVATE BRISTLE_SCALAR="cuda/dual.h" BRISTLE_FINISH="cuda/slopes.h")
target_compile_options(bristle_cuda_slopes PRIVATE ${CUDA_FLAGS_exact} -Xcudafe --diag_suppress=177)
set_target_properties(bristle_cuda_slopes PROPERTIES POSITION_INDEPENDENT_CODE ON)
list(APPEND CUDA_OBJECTS $<TARGET_OBJECTS:bristle_cuda_slopes>)

add_library(bristle_cuda SHARED src/cuda/registry.cu src/cuda/memory.cu ${CUDA_OBJECTS})
target_include_directories(bristle_cuda PRIVATE src PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
target_link_libraries(bristle_cuda PUBLIC bristle_shared)
set_target_properties(bristle_cuda PROPERTIES OUTPUT_NAME bristle-cuda VERSION ${PROJECT_VERSION}
  SOVERSION ${soversion} BUILD_RPATH "$ORIGIN" INSTALL_RPATH "$ORIGIN")

add_library(bristle_cuda_programs OBJECT tests/cuda/bits.cu bench/cuda.cu)
target_include_directories(bristle_cuda_programs PRIVATE include)
foreach(program bits bench)
  string(REPLACE bench cuda file ${program})
  add_executable(cuda-${program} $<FILTER:$<TARGET_OBJECTS:bristle_cuda_programs>,INCLUDE,/${file}\\.cu>)
  target_link_libraries(cuda-${program} PRIVATE bristle_cuda)
  set_target_properties(cuda-${program} PROPERTIES LINKER_LANGUAGE CUDA)
endforeach()

if(BRISTLE_INSTALL)
  install(TARGETS bristle_cuda)
  install(FILES include/bristle/cuda.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/bristle)
endif()
