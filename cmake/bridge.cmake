# What `bristle export` writes: the formats of bridge/, and the texts of the laws that they are made of. The
# preprocessor makes those of the laws' own files; bridge/text/embed.c tidies them and makes constants of them.
set(BRIDGE_SOURCES
    bridge/bridge.c
    bridge/parts.c
    bridge/origin.c
    bridge/text/find.c
    bridge/import/import.c
    bridge/plain/plain.c
    bridge/plain/reduce.c
    bridge/text/distil.c
    bridge/text/scan.c
    bridge/text/tidy.c
    bridge/c99/c99.c
    bridge/c99/banner.c
    bridge/c99/vectors.c)
# the formats of one file each
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS bridge/formats.def)
file(STRINGS bridge/formats.def formats REGEX "^BRIDGE_FORMAT\\([a-z0-9_]+\\)")
list(FILTER formats EXCLUDE REGEX "\\((c99|fmu2|fmu3)\\)")
list(TRANSFORM formats REPLACE "^BRIDGE_FORMAT\\(([a-z0-9_]+)\\).*" "bridge/plain/\\1.c")
list(APPEND BRIDGE_SOURCES ${formats})
set(FMI_SOURCES
    bridge/fmi/fmu.c
    bridge/fmi/variables.c
    bridge/fmi/describe.c
    bridge/fmi/source.c
    bridge/fmi/page.c
    bridge/fmi/reference.c
    bridge/fmi/compile.c
    bridge/fmi/archive.c)
set(BRIDGE_FRAMES
    frame_h=bridge/c99/frame.h.in
    frame_c=bridge/c99/frame.c.in
    compensate_h=bridge/c99/compensate.h.in
    compensate_c=bridge/c99/compensate.c.in
    compensation=src/sim/compensation.h
    test_c=bridge/c99/test.c.in
    fmi_model=bridge/fmi/model.c.in
    fmi_steps=bridge/fmi/steps.c.in
    fmi2=bridge/fmi/fmi2.c.in
    fmi3=bridge/fmi/fmi3.c.in)

add_executable(bridge_embed bridge/text/embed.c bridge/text/distil.c bridge/text/scan.c bridge/text/tidy.c)
set_target_properties(bridge_embed PROPERTIES C_STANDARD 11 C_EXTENSIONS ON)

set(text_folder ${PROJECT_BINARY_DIR}/bridge)
set(text_flags -E -P -C -nostdinc -DBRISTLE_BEGIN= -DBRISTLE_END= -I${PROJECT_SOURCE_DIR}/bridge/text/empty -I${PROJECT_SOURCE_DIR}/include
    -I${PROJECT_SOURCE_DIR}/src -I${PROJECT_SOURCE_DIR})
file(GLOB text_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/core/*.h ${PROJECT_SOURCE_DIR}/src/models/*.h
     ${PROJECT_SOURCE_DIR}/bridge/text/*.h ${PROJECT_SOURCE_DIR}/bridge/text/empty/*.h)
list(APPEND text_headers ${PROJECT_SOURCE_DIR}/include/bristle/bristle.h)
set(text_files "")
set(text_laws "")
set(skewed_laws ${LAWS}) # each once more, with its own friction for each direction
list(TRANSFORM skewed_laws APPEND "=skewed")
foreach(entry ${LAWS} ${skewed_laws})
  string(REPLACE "=skewed" "" law ${entry})
  set(folder ${text_folder}/${law})
  set(skew "")
  if(NOT law STREQUAL entry)
    set(folder ${text_folder}/skewed/${law})
    set(skew -DBRISTLE_SKEW)
  endif()
  file(MAKE_DIRECTORY ${folder})
  set(made "")
  set(commands "")
  foreach(flavour f64 f32)
    set(single 0)
    if(flavour STREQUAL f32)
      set(single 1)
    endif()
    list(APPEND commands COMMAND ${CMAKE_C_COMPILER} ${text_flags} ${skew} -DBRISTLE_F32=${single}
         "-DBRISTLE_NUMBERS=\"bridge/text/numbers.h\"" "-DBRISTLE_FINISH=\"bridge/text/end.h\""
         ${PROJECT_SOURCE_DIR}/src/models/${law}.c -o ${folder}/${flavour}.i)
    list(APPEND made ${folder}/${flavour}.i)
  endforeach()
  list(APPEND commands COMMAND ${CMAKE_C_COMPILER} ${text_flags} ${skew} -DBRISTLE_DIFF
       "-DBRISTLE_NUMBERS=\"bridge/text/slopes.h\"" "-DBRISTLE_FINISH=\"bridge/text/slopes_end.h\""
       ${PROJECT_SOURCE_DIR}/src/models/${law}.c -o ${folder}/slopes.i)
  list(APPEND made ${folder}/slopes.i)
  add_custom_command(OUTPUT ${made} ${commands} DEPENDS ${PROJECT_SOURCE_DIR}/src/models/${law}.c ${text_headers} VERBATIM)
  list(APPEND text_files ${made})
  if(skew AND NOT "SKEWED" IN_LIST text_laws)
    list(APPEND text_laws SKEWED)
  endif()
  list(APPEND text_laws ${law}=${folder})
endforeach()
set(frame_files "")
foreach(entry ${BRIDGE_FRAMES})
  string(REGEX REPLACE "^[^=]+=" "${PROJECT_SOURCE_DIR}/" path ${entry})
  list(APPEND frame_files ${path})
endforeach()
string(REPLACE "=" "=${PROJECT_SOURCE_DIR}/" frames "${BRIDGE_FRAMES}")
add_custom_command(OUTPUT ${text_folder}/texts.c
  COMMAND bridge_embed ${text_folder}/texts.c TEMPLATE ${frames} LAWS ${text_laws}
  DEPENDS bridge_embed ${text_files} ${frame_files} VERBATIM)

# FMUs are ZIP files; without libzip their formats are named as missing
pkg_check_modules(ZIP IMPORTED_TARGET libzip)
if(ZIP_FOUND)
  list(APPEND BRIDGE_SOURCES ${FMI_SOURCES})
  set_property(SOURCE cli/doctor/doctor.c APPEND PROPERTY COMPILE_DEFINITIONS BRISTLE_WITH_ZIP)
else()
  message(STATUS "bristle: no libzip; `bristle export` has no FMUs (libzip-dev brings it)")
  list(APPEND BRIDGE_SOURCES bridge/fmi/absent.c)
endif()

add_library(bristle_bridge STATIC ${BRIDGE_SOURCES} ${text_folder}/texts.c)
target_include_directories(bristle_bridge PRIVATE bridge PUBLIC include)
target_link_libraries(bristle_bridge PRIVATE bristle_warnings PUBLIC bristle_inside)
if(ZIP_FOUND)
  target_link_libraries(bristle_bridge PRIVATE PkgConfig::ZIP)
endif()
target_compile_options(bristle_bridge PRIVATE -ffp-contract=off)
set_target_properties(bristle_bridge PROPERTIES C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS ON)
