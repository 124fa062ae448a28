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
    bridge/text/items.c
    bridge/text/scan.c
    bridge/text/tidy.c
    bridge/c99/c99.c
    bridge/c99/banner.c
    bridge/c99/vectors.c
    bridge/library/library.c
    bridge/library/merge.c
    bridge/library/typed.c)
# the formats of one file each
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS bridge/formats.def)
file(STRINGS bridge/formats.def formats REGEX "^BRIDGE_FORMAT\\([a-z0-9_]+\\)")
list(FILTER formats EXCLUDE REGEX "\\((c99|library|fmu2|fmu3)\\)")
list(TRANSFORM formats REPLACE "^BRIDGE_FORMAT\\(([a-z0-9_]+)\\).*" "bridge/plain/\\1.c")
list(APPEND BRIDGE_SOURCES ${formats})
list(APPEND BRIDGE_SOURCES
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
    library_h=bridge/library/library.h.in
    library_c=bridge/library/library.c.in
    library_law_h=bridge/library/law.h.in
    library_law_c=bridge/library/law.c.in
    fmi_model=bridge/fmi/model.c.in
    fmi_steps=bridge/fmi/steps.c.in
    fmi_life=bridge/fmi/life.c.in
    fmi_calls=bridge/fmi/calls.c.in
    fmi2=bridge/fmi/fmi2.c.in
    fmi3=bridge/fmi/fmi3.c.in)

set(texts ${PROJECT_BINARY_DIR}/bridge/texts.c)
if(BRISTLE_HOST_RUNS)
  include(cmake/texts.cmake)
else()
  set(texts ${BRISTLE_HOST_TOOLS}/bridge/texts.c)
endif()

add_library(bristle_bridge STATIC ${BRIDGE_SOURCES} ${texts})
target_include_directories(bristle_bridge PRIVATE bridge src PUBLIC include)
target_link_libraries(bristle_bridge PRIVATE bristle_warnings PUBLIC bristle_inside)
target_compile_options(bristle_bridge PRIVATE -ffp-contract=off)
bristle_optimise(bristle_bridge -O1)
set_target_properties(bristle_bridge PROPERTIES C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS ON)
if(WIN32) # gmtime_r
  target_compile_definitions(bristle_bridge PRIVATE _POSIX_THREAD_SAFE_FUNCTIONS=200112L)
endif()
