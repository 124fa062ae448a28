# libyaml, which reads YAML: makes the target bristle_yaml, or sets BRISTLE_LAB to OFF where it is AUTO and there is none.
# Looked for by pkg-config (yaml-0.1), else as yaml.h and the library yaml, as vcpkg, conda and Homebrew have them. Or
# BRISTLE_LIBYAML_SOURCE names a folder with its sources (include/ and src/, or all in one folder), which are compiled into
# libbristle-lab: for cross builds.
set(YAML_INSTALLED "") # what users of an installed libbristle-lab.a link
set(YAML_PRIVATE "")
if(NOT BRISTLE_YAML)
  list(TRANSFORM IO_SOURCES REPLACE "/yaml\\.c$" "/yaml_none.c")
  if(BRISTLE_LAB STREQUAL AUTO)
    set(BRISTLE_LAB ON)
  endif()
  return()
endif()
add_library(bristle_yaml INTERFACE IMPORTED)

if(BRISTLE_LIBYAML_SOURCE)
  find_path(YAML_SOURCE_HEADER yaml.h PATHS ${BRISTLE_LIBYAML_SOURCE}/include ${BRISTLE_LIBYAML_SOURCE} NO_DEFAULT_PATH
            NO_CMAKE_FIND_ROOT_PATH)
  find_path(YAML_SOURCE_FILES yaml_private.h PATHS ${BRISTLE_LIBYAML_SOURCE}/src ${BRISTLE_LIBYAML_SOURCE} NO_DEFAULT_PATH
            NO_CMAKE_FIND_ROOT_PATH)
  if(NOT YAML_SOURCE_HEADER OR NOT YAML_SOURCE_FILES)
    message(FATAL_ERROR "bristle: ${BRISTLE_LIBYAML_SOURCE} (BRISTLE_LIBYAML_SOURCE) has no yaml.h and yaml_private.h; "
            "name the folder of libyaml's release, or leave it empty for the installed libyaml")
  endif()
  set(yaml_files api.c reader.c scanner.c parser.c) # what reads; the rest writes
  list(TRANSFORM yaml_files PREPEND ${YAML_SOURCE_FILES}/)
  add_library(bristle_libyaml OBJECT ${yaml_files})
  target_include_directories(bristle_libyaml PRIVATE ${YAML_SOURCE_HEADER} ${YAML_SOURCE_FILES})
  # its version belongs to a config.h that its own build makes; nothing here asks for it
  target_compile_definitions(bristle_libyaml PRIVATE YAML_DECLARE_STATIC YAML_VERSION_STRING="" YAML_VERSION_MAJOR=0
                             YAML_VERSION_MINOR=0 YAML_VERSION_PATCH=0)
  target_compile_options(bristle_libyaml PRIVATE -w) # not our text
  set_target_properties(bristle_libyaml PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
  target_include_directories(bristle_yaml SYSTEM INTERFACE ${YAML_SOURCE_HEADER})
  target_compile_definitions(bristle_yaml INTERFACE YAML_DECLARE_STATIC)
  list(APPEND LAB bristle_libyaml)
else()
  find_package(PkgConfig QUIET)
  if(BRISTLE_PORTABLE) # it goes inside
    set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
  elseif(PkgConfig_FOUND)
    pkg_check_modules(YAML QUIET IMPORTED_TARGET yaml-0.1)
  endif()
  if(YAML_FOUND)
    target_link_libraries(bristle_yaml INTERFACE PkgConfig::YAML)
  else()
    find_path(YAML_HEADER yaml.h)
    find_library(YAML_LIBRARY NAMES yaml libyaml)
    if(YAML_HEADER AND YAML_LIBRARY)
      target_include_directories(bristle_yaml SYSTEM INTERFACE ${YAML_HEADER})
      target_link_libraries(bristle_yaml INTERFACE ${YAML_LIBRARY})
      if(WIN32 AND YAML_LIBRARY MATCHES "\\.a$" AND NOT YAML_LIBRARY MATCHES "\\.dll\\.a$")
        target_compile_definitions(bristle_yaml INTERFACE YAML_DECLARE_STATIC)
      endif()
    elseif(BRISTLE_LAB STREQUAL AUTO)
      message(STATUS "bristle: no libyaml, so libbristle only, without libbristle-lab")
      set(BRISTLE_LAB OFF)
      return()
    else()
      message(FATAL_ERROR "bristle: libyaml is missing (yaml.h and the library yaml). Install libyaml-dev (Debian), libyaml-devel "
              "(Fedora) or libyaml (Homebrew, vcpkg, conda, Arch), or build without YAML files: -DBRISTLE_YAML=OFF")
    endif()
  endif()
  set(YAML_INSTALLED yaml)
  set(YAML_PRIVATE "-lyaml ")
endif()
list(APPEND LAB_LINKS bristle_yaml)
if(BRISTLE_LAB STREQUAL AUTO)
  set(BRISTLE_LAB ON)
endif()
