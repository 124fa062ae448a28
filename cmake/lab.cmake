# The objects of libbristle-lab: simulation, files, identification, reports. Sets LAB, the list of them.
set(LAB "")
if(NOT BRISTLE_LAB)
  return()
endif()

set(LAB_LINKS m)
include(cmake/yaml.cmake)
if(NOT BRISTLE_LAB) # the project that brings us along has no libyaml
  return()
endif()
if(BRISTLE_THREADS)
  find_package(Threads REQUIRED)
  list(APPEND LAB_LINKS Threads::Threads)
else()
  add_compile_definitions(BRISTLE_NO_THREADS)
endif()

function(bristle_lab_objects name)
  bristle_objects(${name} ${ARGN})
  set_target_properties(${name} PROPERTIES C_VISIBILITY_PRESET hidden)
  target_include_directories(${name} PRIVATE ${PROJECT_BINARY_DIR})
  set(LAB ${LAB} ${name} PARENT_SCOPE)
endfunction()

# ---- the system ----

if(WIN32)
  set(PLATFORM_SOURCES src/platform/windows.c src/platform/windows_files.c)
elseif(CMAKE_SYSTEM_PROCESSOR STREQUAL "wasm32")
  list(TRANSFORM PLATFORM_SOURCES REPLACE "/posix\\.c$" "/wasi.c")
endif()
bristle_lab_objects(bristle_platform ${PLATFORM_SOURCES})

# ---- simulation ----

bristle_lab_objects(bristle_maths ${MATHS_SOURCES}) # what replaces libm
bristle_lab_objects(bristle_sim ${SIM_SOURCES})
bristle_lab_objects(axis_balance src/sim/axis_balance.c) # the equation of an axis with derivatives
bristle_with_derivatives(axis_balance)

# the native solver's lanes, once for each instruction set
macro(bristle_native_lanes name)
  bristle_lab_objects(${name} src/sim/native_lanes.c)
  bristle_with_derivatives(${name})
  target_compile_definitions(${name} PRIVATE NATIVE_ATTEMPT=${name})
  target_compile_options(${name} PRIVATE ${ARGN})
endmacro()
bristle_native_lanes(native_attempt)
if(BRISTLE_DISPATCH)
  bristle_native_lanes(native_attempt_avx2 -mavx2)
  bristle_native_lanes(native_attempt_avx512 -mavx512f -mavx512dq -mavx512vl)
endif()

# ---- files ----

bristle_lab_objects(bristle_io ${IO_SOURCES})
if(BRISTLE_YAML)
  target_link_libraries(bristle_io PRIVATE bristle_yaml)
endif()

# MAT-files, where libmatio-dev is there: its header now, the library itself when such a file is read
option(BRISTLE_MATIO "Read logs of MATLAB, where libmatio-dev is installed" ON)
if(BRISTLE_MATIO AND BRISTLE_YAML AND CMAKE_SYSTEM_NAME STREQUAL Linux)
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(MATIO QUIET matio)
  endif()
  find_library(MATIO_LIBRARY matio HINTS ${MATIO_LIBRARY_DIRS})
  if(MATIO_FOUND AND MATIO_LIBRARY)
    file(REAL_PATH ${MATIO_LIBRARY} MATIO_FILE)
    get_filename_component(MATIO_NAME ${MATIO_FILE} NAME)
    string(REGEX REPLACE "^(.*\\.so\\.[0-9]+).*$" "\\1" MATIO_NAME ${MATIO_NAME})
    set_source_files_properties(src/io/mat_seven.c tests/io/mat.c PROPERTIES COMPILE_DEFINITIONS
                                "BRISTLE_WITH_MATIO=\"${MATIO_NAME}\"" COMPILE_OPTIONS "${MATIO_CFLAGS}")
    set_property(SOURCE cli/doctor/doctor.c APPEND PROPERTY COMPILE_DEFINITIONS BRISTLE_WITH_MATIO)
  endif()
endif()

# ---- identification ----

bristle_lab_objects(bristle_fit ${FIT_SOURCES})

# The affine laws once more, with derivatives that vectorise over samples. Zeros known to the compiler may vanish from
# their sums; no other result changes.
bristle_laws_with("BRISTLE_TRAIT_AFFINE" affine)
list(TRANSFORM affine REPLACE "(.+)" "MAPS(\\1)" OUTPUT_VARIABLE affine_names)
list(JOIN affine_names "\n" affine_names)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/maps.def CONTENT "${affine_names}\n")
list(TRANSFORM affine REPLACE "(.+)" "src/models/\\1.c" OUTPUT_VARIABLE affine_laws)
bristle_lab_objects(bristle_fit_maps ${affine_laws})
bristle_with_derivatives(bristle_fit_maps)
target_compile_definitions(bristle_fit_maps PRIVATE BRISTLE_SCALAR="fit/fast/slopes.h"
  BRISTLE_FINISH="fit/fast/maps_end.h")
target_compile_options(bristle_fit_maps PRIVATE -fno-signed-zeros -ffinite-math-only)

# ---- sweeps and fleets ----

bristle_lab_objects(bristle_sweep ${SWEEP_SOURCES})
bristle_lab_objects(bristle_fleet ${FLEET_SOURCES})

# ---- reports ----

include(cmake/report.cmake)

# ---- whole identifications ----

bristle_lab_objects(bristle_study ${STUDY_SOURCES})
bristle_optimise(bristle_study -O1) # it words and prints what others compute

# ---- robots ----

bristle_lab_objects(bristle_robot ${ROBOT_SOURCES})
