# The two libraries, each static and shared, from the objects in CMakeLists.txt and cmake/lab.cmake.
#
#   bristle_static, bristle_shared           libbristle: needs nothing, not even libc
#   bristle_lab_static, bristle_lab_shared   libbristle-lab: needs libbristle, libyaml, threads, libc
#   bristle_inside                           all objects under their own names, for the tool, tests and benchmarks

include(cmake/exports.cmake)
include(cmake/lab.cmake)

function(bristle_files out)
  list(TRANSFORM ARGN REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE files)
  set(${out} ${files} PARENT_SCOPE)
endfunction()

# Internal functions have plain names; in an archive they would meet those of its user. They get a prefix there.
function(bristle_prefix_symbols target)
  if(CMAKE_CROSSCOMPILING OR NOT CMAKE_NM OR NOT CMAKE_OBJCOPY)
    return()
  endif()
  add_custom_command(TARGET ${target} POST_BUILD VERBATIM
    COMMAND ${CMAKE_COMMAND} -DARCHIVE=$<TARGET_FILE:${target}> -DNM=${CMAKE_NM} -DOBJCOPY=${CMAKE_OBJCOPY}
            -DEXPORTS=${PROJECT_BINARY_DIR}/exports.txt -P ${PROJECT_SOURCE_DIR}/cmake/prefix.cmake)
endfunction()

set(soversion ${PROJECT_VERSION_MAJOR})
if(soversion EQUAL 0) # before 1.0 a minor version may change the interface
  set(soversion 0.${PROJECT_VERSION_MINOR})
endif()

function(bristle_library target kind output)
  add_library(${target} ${kind} ${ARGN})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${output} LINKER_LANGUAGE C)
  target_include_directories(${target} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  if(kind STREQUAL SHARED)
    set_target_properties(${target} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${soversion})
    if(WIN32) # bristle.dll, and libbristle.dll.a that names it to linkers
      set_target_properties(${target} PROPERTIES PREFIX "")
    endif()
    if(APPLE) # its linker leaves nothing open by itself
      target_link_options(${target} PRIVATE "LINKER:-exported_symbol,_bristle_*")
      set_target_properties(${target} PROPERTIES INSTALL_RPATH "@loader_path")
    else() # what is not needed is not linked, and nothing is left open
      # but a sanitizer's functions, which come with the program
      target_link_options(${target} PRIVATE -Wl,--as-needed -Wl,--version-script=${EXPORTS_MAP}
        $<$<NOT:$<OR:$<BOOL:${BRISTLE_SANITIZE}>,$<BOOL:${WIN32}>>>:-Wl,-z,defs>)
      set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN" LINK_DEPENDS ${EXPORTS_MAP})
    endif()
  elseif(NOT target STREQUAL bristle_inside)
    bristle_prefix_symbols(${target})
  endif()
endfunction()

bristle_files(core_files ${FREESTANDING})
bristle_library(bristle_static STATIC bristle ${core_files})
add_library(bristle::static ALIAS bristle_static)
set_target_properties(bristle_static PROPERTIES EXPORT_NAME static)
target_compile_definitions(bristle_static INTERFACE BRISTLE_STATIC) # no tables from a DLL, bristle/params.h
if(shared)
  bristle_library(bristle_shared SHARED bristle ${core_files})
  add_library(bristle::bristle ALIAS bristle_shared)
  set_target_properties(bristle_shared PROPERTIES EXPORT_NAME bristle)
endif()

if(BRISTLE_LAB)
  bristle_files(lab_files ${LAB})
  bristle_library(bristle_lab_static STATIC bristle-lab ${lab_files})
  target_link_libraries(bristle_lab_static INTERFACE bristle_static "$<BUILD_INTERFACE:${LAB_LINKS}>"
    $<INSTALL_INTERFACE:${YAML_INSTALLED}> $<INSTALL_INTERFACE:-pthread> $<INSTALL_INTERFACE:m>)
  add_library(bristle::lab_static ALIAS bristle_lab_static)
  set_target_properties(bristle_lab_static PROPERTIES EXPORT_NAME lab_static)
  if(shared)
    bristle_library(bristle_lab_shared SHARED bristle-lab ${lab_files})
    target_link_libraries(bristle_lab_shared PUBLIC bristle_shared PRIVATE ${LAB_LINKS})
    add_library(bristle::lab ALIAS bristle_lab_shared)
    set_target_properties(bristle_lab_shared PROPERTIES EXPORT_NAME lab)
  endif()
endif()

bristle_library(bristle_inside STATIC bristle_inside ${core_files} ${lab_files})
set_target_properties(bristle_inside PROPERTIES EXCLUDE_FROM_ALL ON)
target_link_libraries(bristle_inside INTERFACE ${LAB_LINKS})
