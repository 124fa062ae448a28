# What programs of this build make by running: the texts of the laws (bridge/texts.c), the manual, completions, types for
# Python. A cross build cannot run them and takes these from a finished build for this machine: BRISTLE_HOST_TOOLS is its
# folder. Without it the cross-built tool has neither export nor import.
set(BRISTLE_HOST_TOOLS "" CACHE PATH "For cross builds: the folder of a build for this machine")
set(BRISTLE_HOST_RUNS ON)
if(NOT CMAKE_CROSSCOMPILING)
  return()
endif()
set(BRISTLE_HOST_RUNS OFF)
if(BRISTLE_HOST_TOOLS)
  get_filename_component(BRISTLE_HOST_TOOLS ${BRISTLE_HOST_TOOLS} ABSOLUTE BASE_DIR ${CMAKE_SOURCE_DIR})
  foreach(file bristle bridge/texts.c manual/bristle.1)
    if(NOT EXISTS ${BRISTLE_HOST_TOOLS}/${file})
      message(FATAL_ERROR "bristle: ${BRISTLE_HOST_TOOLS} (BRISTLE_HOST_TOOLS) has no ${file}; name the folder of a whole "
              "build for this machine, as `make` leaves it")
    endif()
  endforeach()
  set(BRISTLE_NATIVE_TOOL ${BRISTLE_HOST_TOOLS}/bristle CACHE FILEPATH "bristle of this machine")
endif()
