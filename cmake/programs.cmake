# build/bristle, build/tests, build/bench, build/golden; on a microcontroller only build/conformance_f32
function(bristle_program name)
  add_executable(${name} ${ARGN})
  target_include_directories(${name} PRIVATE include src)
  target_link_libraries(${name} PRIVATE bristle_warnings m)
  target_compile_options(${name} PRIVATE -ffp-contract=off -Wstrict-prototypes)
  set_target_properties(${name} PROPERTIES C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS ON)
endfunction()

list(TRANSFORM FREESTANDING REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE FREESTANDING_FILES)

if(BRISTLE_LAB)
  set(tool_sources ${TOOL_SOURCES})
  if(NOT BRISTLE_HOST_RUNS AND NOT BRISTLE_HOST_TOOLS) # exports and imports need programs that run while this is built
    add_library(bristle_bridge INTERFACE)
    list(FILTER tool_sources EXCLUDE REGEX "^cli/(export|import)/")
    file(STRINGS cli/verbs.def verbs REGEX "^VERB")
    list(REMOVE_ITEM verbs "VERB(export)" "VERB(import)")
    list(JOIN verbs "\n" verbs)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/verbs.def CONTENT "${verbs}\n")
  else()
    include(cmake/bridge.cmake)
  endif()

  # SUNDIALS: another solver for comparison, and an independent one as oracle, where it is installed
  if(NOT BRISTLE_PORTABLE)
    find_package(SUNDIALS QUIET COMPONENTS cvode)
  endif()
  if(SUNDIALS_FOUND)
    add_library(bristle_cvode STATIC src/cvode/simulate.c)
    target_include_directories(bristle_cvode PRIVATE src PUBLIC include)
    target_compile_definitions(bristle_cvode PUBLIC BRISTLE_WITH_CVODE)
    target_compile_options(bristle_cvode PRIVATE -Wno-double-promotion)
    target_link_libraries(bristle_cvode PRIVATE bristle_warnings
      PUBLIC bristle_inside SUNDIALS::cvode SUNDIALS::nvecserial m)
    set_target_properties(bristle_cvode PROPERTIES C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS ON)
  endif()

  # the gallery works wherever the tool is: it carries its scenarios
  file(GLOB EXAMPLES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/*.yaml)
  add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/gallery_examples.c
    COMMAND ${CMAKE_COMMAND} -DOUT=${PROJECT_BINARY_DIR}/gallery_examples.c -DFOLDER=${PROJECT_SOURCE_DIR}/examples
            -P ${PROJECT_SOURCE_DIR}/cmake/examples.cmake
    DEPENDS ${EXAMPLES} ${PROJECT_SOURCE_DIR}/cmake/examples.cmake VERBATIM)
  bristle_program(bristle_tool ${tool_sources} ${PROJECT_BINARY_DIR}/gallery_examples.c)
  target_link_libraries(bristle_tool PRIVATE bristle_bridge bristle_inside)
  if(NOT BRISTLE_HOST_RUNS AND NOT BRISTLE_HOST_TOOLS)
    target_compile_definitions(bristle_tool PRIVATE VERBS_DEF="${PROJECT_BINARY_DIR}/verbs.def")
  endif()
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "wasm32")
    include(cmake/playground.cmake)
  endif()
  if(SUNDIALS_FOUND)
    target_link_libraries(bristle_tool PRIVATE bristle_cvode)
  endif()
  if(BRISTLE_PORTABLE)
    include(cmake/older_glibc.cmake)
    bristle_run_on_older_glibc(bristle_tool bristle_lab_shared)
  endif()
  if(BRISTLE_MPI AND NOT CMAKE_CROSSCOMPILING) # sweeps on many machines, where an MPI is installed
    find_package(MPI QUIET COMPONENTS C)
  endif()
  if(NOT CMAKE_CROSSCOMPILING)
    target_link_libraries(bristle_tool PRIVATE ${CMAKE_DL_LIBS}) # bristle-mpi.so and libbristle-cuda.so
  endif()
  if(MPI_C_FOUND)
    add_library(bristle_mpi MODULE cli/mpi/ranks.c)
    target_include_directories(bristle_mpi PRIVATE cli)
    target_link_libraries(bristle_mpi PRIVATE MPI::MPI_C)
    target_compile_options(bristle_mpi PRIVATE -fvisibility=hidden)
    set_target_properties(bristle_mpi PROPERTIES PREFIX "" OUTPUT_NAME bristle-mpi
      LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR} C_STANDARD 11)
    file(RELATIVE_PATH mpi_place ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR}/bristle/bristle-mpi.so)
    target_compile_definitions(bristle_tool PRIVATE BRISTLE_WITH_MPI="${mpi_place}")
    add_dependencies(bristle_tool bristle_mpi)
  endif()
  target_include_directories(bristle_tool PRIVATE cli bridge)
  set_target_properties(bristle_tool PROPERTIES OUTPUT_NAME bristle)
  bristle_optimise(bristle_tool -O1) # what waits for files and people is compiled more often than it computes
  if(BRISTLE_HOST_RUNS) # the manual page and the completions, from the tables of the verbs
    set(manual ${PROJECT_BINARY_DIR}/manual)
    set(manual_files ${manual}/bristle.1)
    file(MAKE_DIRECTORY ${manual})
    add_custom_command(OUTPUT ${manual}/bristle.1 COMMAND bristle_tool help --man > ${manual}/bristle.1 VERBATIM)
    foreach(shell bash zsh fish)
      list(APPEND manual_files ${manual}/bristle.${shell})
      add_custom_command(OUTPUT ${manual}/bristle.${shell}
        COMMAND bristle_tool help --completion ${shell} > ${manual}/bristle.${shell} VERBATIM)
    endforeach()
    add_custom_target(manual ALL DEPENDS ${manual_files})
  endif()

  # the laws once more in long double, as an oracle for the generated derivatives
  foreach(target tests_extended tests_extended_skewed)
    bristle_objects(${target} ${LAW_SOURCES})
    target_include_directories(${target} PRIVATE tests)
    target_compile_definitions(${target} PRIVATE
      BRISTLE_ONLY_SEARCH BRISTLE_SCALAR="support/extended.h" BRISTLE_FINISH="support/extended_end.h")
    target_compile_options(${target} PRIVATE -Wno-double-promotion)
  endforeach()
  target_compile_definitions(tests_extended_skewed PRIVATE BRISTLE_SKEW)

  # laws that write their coupled solution down, once more with the search, as an oracle for that solution
  bristle_laws_with("^#define CLOSED" closed)
  list(TRANSFORM closed REPLACE "(.+)" "CLOSED_LAW(\\1)" OUTPUT_VARIABLE closed_names)
  list(JOIN closed_names "\n" closed_names)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/closed.def CONTENT "${closed_names}\n")
  list(TRANSFORM closed REPLACE "(.+)" "src/models/\\1.c" OUTPUT_VARIABLE closed_laws)
  foreach(flavour f64 f32)
    bristle_objects(tests_searched_${flavour} ${closed_laws})
    target_include_directories(tests_searched_${flavour} PRIVATE tests)
    target_compile_definitions(tests_searched_${flavour} PRIVATE
      BRISTLE_ONLY_SEARCH BRISTLE_FINISH="support/searched_end.h")
  endforeach()
  target_compile_definitions(tests_searched_f32 PRIVATE BRISTLE_F32=1)
  set(SEARCHED $<TARGET_OBJECTS:tests_searched_f64> $<TARGET_OBJECTS:tests_searched_f32>)

  set_source_files_properties(tests/bridge/archive.c bridge/fmi/archive.c PROPERTIES INCLUDE_DIRECTORIES ${PROJECT_SOURCE_DIR}/bridge)
  if(WIN32) # processes, links and rights of POSIX, shell commands; complex functions in long double, which mingw-w64 has to 5 digits
    list(FILTER TEST_SOURCES EXCLUDE REGEX "tests/(fleet|sweep|io/write|fit/nist[a-z_]*)\\.c")
  endif()
  bristle_program(tests ${TEST_SOURCES} ${LAW_TESTS} $<TARGET_OBJECTS:tests_extended>
    $<TARGET_OBJECTS:tests_extended_skewed> ${SEARCHED})
  target_link_libraries(tests PRIVATE bristle_inside bristle_numerics)
  target_compile_options(tests PRIVATE -Wno-double-promotion)
  if(WIN32)
    target_compile_options(tests PRIVATE -include ${PROJECT_SOURCE_DIR}/tests/windows/posix.h)
  endif()
  bristle_optimise(tests -O0) # they are compiled more often than they run
  foreach(target tests_extended tests_extended_skewed)
    bristle_optimise(${target} -O1)
  endforeach()
  set_source_files_properties(tests/maths.c PROPERTIES COMPILE_OPTIONS -O3) # every float: seven times as fast in lanes
  target_include_directories(tests PRIVATE tests cli ${CMAKE_BINARY_DIR})
  enable_testing()
  add_test(NAME unit COMMAND tests)
  bristle_program(synthetic-axis tests/fit/synthetic_axis.c) # logs whose truth is known, for scripts/study-truth.py

  bristle_program(report-pages tests/report/pages.c) # sample pages for the browser test
  target_link_libraries(report-pages PRIVATE bristle_inside)

  bristle_program(playground-bits tests/wasm/bits.c playground/play.c) # what the playground must draw, to the bit
  target_link_libraries(playground-bits PRIVATE bristle_inside)
  target_include_directories(playground-bits PRIVATE playground)

  # what the site shows of each law and must be computed; the comparison of laws is checked with it (scripts/effects.sh)
  bristle_program(law-atlas tests/site/atlas.c tests/site/effects.c tests/site/probe.c tests/site/responses.c)
  target_link_libraries(law-atlas PRIVATE bristle_inside)

  # `make bench` builds what it measures
  add_custom_target(benches)
  function(bristle_bench name)
    bristle_program(${name} ${ARGN})
    target_link_libraries(${name} PRIVATE bristle_inside)
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    add_dependencies(benches ${name})
  endfunction()
  bristle_bench(bench ${BENCH_SOURCES})
  target_include_directories(bench PRIVATE bench)
  # the baseline as a careful user would build it, and the limit of the machine
  set_source_files_properties(bench/plain.c PROPERTIES COMPILE_OPTIONS -O2)
  set_source_files_properties(bench/limit.c PROPERTIES COMPILE_OPTIONS "-O2;-ffp-contract=fast")
  # The fast build of laws under names of its own (bristle_<law>_fast_model), to stand beside the exact one.
  function(bristle_fast_objects name)
    foreach(flavour f64 f32)
      bristle_objects(${name}_${flavour} ${ARGN})
      bristle_optimise(${name}_${flavour} ${loops})
      bristle_fuse(${name}_${flavour})
      target_compile_definitions(${name}_${flavour} PRIVATE BRISTLE_FINISH="core/lean_simd.h" BRISTLE_SET=fast)
      set_target_properties(${name}_${flavour} PROPERTIES EXCLUDE_FROM_ALL ON)
    endforeach()
    target_compile_definitions(${name}_f32 PRIVATE BRISTLE_F32=1)
  endfunction()
  bristle_fast_objects(bench_fast src/models/lugre.c)
  target_sources(bench PRIVATE $<TARGET_OBJECTS:bench_fast_f64> $<TARGET_OBJECTS:bench_fast_f32>)
  list(TRANSFORM LIGHT REPLACE "(.+)" "src/models/\\1.c" OUTPUT_VARIABLE fast_laws)
  list(TRANSFORM LIGHT REPLACE "(.+)" "FAST_LAW(\\1)" OUTPUT_VARIABLE fast_names)
  list(JOIN fast_names "\n" fast_names)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/fast.def CONTENT "${fast_names}\n")
  bristle_fast_objects(tests_fast ${fast_laws}) # for scripts/test-fast.sh
  bristle_program(fast-batches tests/fast/batches.c $<TARGET_OBJECTS:tests_fast_f64> $<TARGET_OBJECTS:tests_fast_f32>)
  target_link_libraries(fast-batches PRIVATE bristle_inside)
  target_include_directories(fast-batches PRIVATE ${PROJECT_BINARY_DIR})
  set_target_properties(fast-batches PROPERTIES EXCLUDE_FROM_ALL ON)
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64") # the same law built for AVX2 alone, to time it on any machine
    bristle_fast_objects(bench_avx2_fast src/models/lugre.c)
    bristle_objects(bench_avx2_f64 src/models/lugre.c)
    bristle_objects(bench_avx2_f32 src/models/lugre.c)
    target_compile_definitions(bench_avx2_f32 PRIVATE BRISTLE_F32=1)
    set(avx2 bench_avx2_f64 bench_avx2_f32 bench_avx2_fast_f64 bench_avx2_fast_f32)
    foreach(target bench_avx2_f64 bench_avx2_f32)
      bristle_optimise(${target} ${loops})
      set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
    endforeach()
    list(TRANSFORM avx2 REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE avx2_files)
    bristle_bench(bench-avx2 ${BENCH_SOURCES} ${avx2_files})
    target_include_directories(bench-avx2 PRIVATE bench)
    foreach(target ${avx2} tests_fast_f64 tests_fast_f32) # tests: in a third of the time
      target_compile_options(${target} PRIVATE -march=x86-64-v3 -UBRISTLE_DISPATCH)
    endforeach()
  endif()
  bristle_bench(bench-threads bench/threads.c)
  if(SUNDIALS_FOUND)
    bristle_bench(bench-solver bench/solver.c bench/solver_cvode.c)
    target_link_libraries(bench-solver PRIVATE SUNDIALS::cvode SUNDIALS::nvecserial)
    target_compile_definitions(bench-solver PRIVATE BENCH_FOLDER="${PROJECT_SOURCE_DIR}/bench")
    set_source_files_properties(bench/solver.c bench/solver_cvode.c PROPERTIES COMPILE_OPTIONS -O3)
  endif()
  bristle_bench(bench-page bench/page.c bench/plain.c) # points for the page of `make bench`
  target_include_directories(bench-page PRIVATE bench)
  bristle_bench(bench-identify bench/identify.c) # identify_scipy.py runs it beside SciPy
  bristle_bench(bench-planar bench/planar.c)
  bristle_bench(bench-coupled bench/coupled.c ${SEARCHED})
  bristle_bench(bench-chain bench/chain.c)
  bristle_bench(bench-network bench/network.c)

  if(SUNDIALS_FOUND)
    bristle_program(oracle tests/oracle/cvode.c tests/oracle/arm.c tests/support/test.c tests/support/law.c
      tests/support/arm.c)
    target_link_libraries(oracle PRIVATE bristle_inside SUNDIALS::cvode SUNDIALS::nvecserial)
    target_compile_options(oracle PRIVATE -Wno-double-promotion)
    target_include_directories(oracle PRIVATE tests)
  endif()

  bristle_program(first examples/first.c)
  target_link_libraries(first PRIVATE bristle_inside)
  bristle_program(arm examples/arm.c)
  target_link_libraries(arm PRIVATE bristle_inside)

  # for scripts/test.sh: the objects that may not need anything
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/freestanding.txt CONTENT "$<JOIN:${FREESTANDING_FILES},\n>\n")
  add_custom_target(freestanding)
  add_dependencies(freestanding ${FREESTANDING})
endif()

# one line of bits for each law, the same on every target
if(EXISTS ${PROJECT_SOURCE_DIR}/tests/golden.c AND NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "cortex-m4")
  set(golden_programs golden)
  if(BRISTLE_DISPATCH AND CMAKE_C_COMPILER_ID STREQUAL "GNU") # the same objects, as if on other processors
    list(APPEND golden_programs golden-baseline golden-avx2 golden-avx512)
  endif()
  foreach(program IN LISTS golden_programs)
    bristle_program(${program} tests/golden.c $<TARGET_OBJECTS:bristle_f64> $<TARGET_OBJECTS:bristle_f32>)
    target_include_directories(${program} PRIVATE tests)
    if(program MATCHES "-(.+)$")
      target_sources(${program} PRIVATE tests/golden/processor.c)
      target_compile_definitions(${program} PRIVATE PROCESSOR=${CMAKE_MATCH_1})
    endif()
  endforeach()
  # what every law promises, from its objects alone: for machines where a build of all tests takes too long
  bristle_program(conformance tests/support/test.c tests/conformance.c tests/conformance_f32.c src/core/check.c
    $<TARGET_OBJECTS:bristle_f64> $<TARGET_OBJECTS:bristle_f32>)
  target_include_directories(conformance PRIVATE tests)
  target_compile_options(conformance PRIVATE -Wno-double-promotion)
  set_target_properties(conformance PROPERTIES EXCLUDE_FROM_ALL ON)
endif()

# the single-precision laws alone, on the hardware or its emulator
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "cortex-m4")
  bristle_program(conformance_f32 tests/embedded/start.c tests/support/test.c tests/conformance_f32.c
    $<TARGET_OBJECTS:bristle_f32>)
  target_include_directories(conformance_f32 PRIVATE tests)
  target_link_options(conformance_f32 PRIVATE --specs=rdimon.specs -T ${PROJECT_SOURCE_DIR}/tests/embedded/mps2.ld)
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/f32.txt CONTENT "$<JOIN:$<TARGET_OBJECTS:bristle_f32>,\n>\n")
endif()
