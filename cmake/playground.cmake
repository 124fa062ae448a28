# The playground, for WebAssembly: identification, exports and the live pictures as one module. Exports are made of the
# texts of the laws, which a build for this machine makes: BRISTLE_TEXTS is its bridge/texts.c.
if(NOT EXISTS "${BRISTLE_TEXTS}")
  return()
endif()
set(folder ${PROJECT_BINARY_DIR}/playground_lists)
file(CONFIGURE OUTPUT ${folder}/verbs.def CONTENT "VERB(models)\nVERB(identify)\n")
file(CONFIGURE OUTPUT ${folder}/formats.def CONTENT "BRIDGE_FORMAT(c99)\n")
file(GLOB playground_verbs RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS
  cli/models/*.c cli/identify/*.c)
list(FILTER TOOL_SOURCES INCLUDE REGEX "^cli/(main\\.c|common/)")

# no single precision, no vectors, no directions of their own: a page is small
set(parts bristle_core bristle_f64 bristle_diff bristle_large_diff bristle_mechanics ${LAB})
bristle_files(part_files ${parts})
add_library(playground_parts STATIC EXCLUDE_FROM_ALL ${part_files})
set_target_properties(playground_parts PROPERTIES LINKER_LANGUAGE C)

add_executable(playground EXCLUDE_FROM_ALL playground/play.c playground/export.c playground/laws.c src/models/registry.c
  ${TOOL_SOURCES} ${playground_verbs}
  bridge/bridge.c bridge/parts.c bridge/origin.c bridge/text/find.c bridge/text/distil.c
  bridge/text/items.c bridge/text/scan.c bridge/library/typed.c
  bridge/text/tidy.c bridge/c99/c99.c bridge/c99/banner.c bridge/c99/vectors.c ${BRISTLE_TEXTS})
target_include_directories(playground PRIVATE include src cli bridge)
target_compile_definitions(playground PRIVATE BRISTLE_NO_F32 main=play_main VERBS_DEF="${folder}/verbs.def"
  FORMATS_DEF="${folder}/formats.def")
target_compile_options(playground PRIVATE -ffp-contract=off -fno-math-errno)
target_link_libraries(playground PRIVATE bristle_warnings playground_parts m)
target_link_options(playground PRIVATE -mexec-model=reactor -Wl,--strip-all -Wl,--export=play_main -Wl,--export=malloc)
set_target_properties(playground PROPERTIES C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS ON SUFFIX .wasm)
