# The Python package: one library with laws, simulation, readers, fits, reports and the verbs of the tool; the tool, a
# few bytes that call it; libyaml beside them; what cffi makes of the public headers. pyproject.toml asks for these
# targets and installs the component `python`.
find_package(Python REQUIRED COMPONENTS Interpreter)

bristle_objects(bristle_each python/native/each.c python/native/run.c python/native/lines.c
  python/native/capsule.c)
set(verbs ${TOOL_SOURCES})
list(REMOVE_ITEM verbs cli/main.c)
add_library(bristle_python SHARED ${core_files} ${lab_files} $<TARGET_OBJECTS:bristle_each> python/native/verbs.c ${verbs}
  ${PROJECT_BINARY_DIR}/gallery_examples.c)
target_include_directories(bristle_python PRIVATE include src cli bridge)
target_link_libraries(bristle_python PRIVATE bristle_warnings bristle_bridge bristle_yaml Threads::Threads m
  ${CMAKE_DL_LIBS})
target_compile_options(bristle_python PRIVATE -ffp-contract=off)
if(BRISTLE_LEAN) # what waits for files and people is small rather than fast
  if(APPLE)
    target_link_options(bristle_python PRIVATE -Wl,-dead_strip)
  else()
    target_link_options(bristle_python PRIVATE -Wl,--gc-sections)
  endif()
  foreach(target bristle_study bristle_report bristle_sweep bristle_fleet bristle_bridge bristle_python)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Os> ${shared})
  endforeach()
endif()

# laws, joints, runs and files without fits and verbs: what random calls on sanitizers need, in half of the time
set(called ${LAB})
list(FILTER called EXCLUDE REGEX "_(fit|fit_maps|study|report|sweep|fleet)$")
bristle_files(called_files ${called})
add_library(bristle_python_calls SHARED EXCLUDE_FROM_ALL ${core_files} ${called_files} $<TARGET_OBJECTS:bristle_each>)
target_link_libraries(bristle_python_calls PRIVATE bristle_yaml Threads::Threads m)

add_executable(bristle_python_tool python/native/tool.c)
target_link_libraries(bristle_python_tool PRIVATE bristle_python)
set_target_properties(bristle_python_tool PROPERTIES OUTPUT_NAME bristle-tool)
set_target_properties(bristle_python PROPERTIES PREFIX lib) # the name that _library.py knows

set(beside $ORIGIN)
if(APPLE)
  set(beside @loader_path)
endif()
set_target_properties(bristle_python bristle_python_calls bristle_python_tool PROPERTIES LINKER_LANGUAGE C C_STANDARD 11 C_EXTENSIONS ON
  BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH ${beside} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/python
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/python)
include(cmake/older_glibc.cmake)
bristle_run_on_older_glibc(bristle_python bristle_python_tool)
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT APPLE)
  target_link_options(bristle_python PRIVATE -s)
  target_link_options(bristle_python_tool PRIVATE -s)
endif()

# declarations and types of the laws, from the headers and the tables
set(python_build ${PROJECT_SOURCE_DIR}/python/build)
file(GLOB public_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/bristle/*.h)
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/python/_abi.py
  COMMAND ${Python_EXECUTABLE} ${python_build}/declare.py ${CMAKE_C_COMPILER} ${PROJECT_SOURCE_DIR}
          ${PROJECT_BINARY_DIR}/python/_abi.py
  DEPENDS ${python_build}/declare.py ${public_headers} python/native/each.h python/native/run.h python/native/lines.h
          python/native/capsule.h VERBATIM)
add_custom_target(bristle_python_abi DEPENDS ${PROJECT_BINARY_DIR}/python/_abi.py)
add_dependencies(bristle_python_tool bristle_python_abi)
set(told_by $<TARGET_FILE:bristle_python_tool>)
if(CMAKE_CROSSCOMPILING) # it does not run here
  set(BRISTLE_NATIVE_TOOL "" CACHE FILEPATH "bristle of this machine: a cross build of the Python package asks it for the tables of the laws")
  if(NOT BRISTLE_NATIVE_TOOL)
    message(FATAL_ERROR "bristle: a cross build of the Python package needs a bristle that runs here: -DBRISTLE_NATIVE_TOOL=build/bristle")
  endif()
  set(told_by ${BRISTLE_NATIVE_TOOL})
endif()
add_custom_command(TARGET bristle_python_tool POST_BUILD
  COMMAND ${Python_EXECUTABLE} ${python_build}/stubs.py ${told_by} ${PROJECT_BINARY_DIR}/python/laws.pyi VERBATIM)

# libyaml travels along under the name that the linker wrote down, unless it was compiled into the library. On macOS and
# Windows what repairs wheels (delocate, delvewheel) does that.
if(BRISTLE_LIBYAML_SOURCE)
  find_file(YAML_SOURCE_LICENCE NAMES License LICENSE PATHS ${BRISTLE_LIBYAML_SOURCE} NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  install(FILES ${YAML_SOURCE_LICENCE} DESTINATION bristle RENAME libyaml-licence.txt COMPONENT python)
elseif(UNIX AND NOT APPLE)
  find_library(YAML_FILE yaml REQUIRED)
  file(REAL_PATH ${YAML_FILE} YAML_FILE)
  execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${YAML_FILE} OUTPUT_VARIABLE yaml_header)
  string(REGEX MATCH "SONAME +([^\n ]+)" ignored "${yaml_header}")
  set(yaml_name ${CMAKE_MATCH_1})
  install(FILES ${YAML_FILE} DESTINATION bristle RENAME ${yaml_name} COMPONENT python)
  find_file(YAML_LICENCE NAMES copyright LICENSE PATHS /usr/share/doc/libyaml-0-2 /usr/share/licenses/libyaml NO_DEFAULT_PATH)
  if(YAML_LICENCE)
    install(FILES ${YAML_LICENCE} DESTINATION bristle RENAME libyaml-licence.txt COMPONENT python)
  endif()
endif()
install(TARGETS bristle_python bristle_python_tool LIBRARY DESTINATION bristle COMPONENT python
        RUNTIME DESTINATION bristle COMPONENT python)
install(FILES ${PROJECT_BINARY_DIR}/python/_abi.py ${PROJECT_BINARY_DIR}/python/laws.pyi DESTINATION bristle
        COMPONENT python)

# the MuJoCo plugin travels as source: it fits one version of MuJoCo only, and is built against the user's own
file(GLOB mujoco_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bridge/mujoco/*.[ch])
install(FILES ${mujoco_sources} DESTINATION bristle/mujoco/plugin COMPONENT python)
install(FILES ${public_headers} DESTINATION bristle/mujoco/include/bristle COMPONENT python)
