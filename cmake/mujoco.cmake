# The MuJoCo plugin `bristle.friction`: -DBRISTLE_MUJOCO=FOLDER names where libmujoco and include/mujoco are, which is the
# folder of the Python package `mujoco`. `python -m bristle.mujoco build` makes the same from an installed wheel.
file(GLOB mujoco_library ${BRISTLE_MUJOCO}/libmujoco.so.* ${BRISTLE_MUJOCO}/lib/libmujoco.so)
if(NOT mujoco_library OR NOT EXISTS ${BRISTLE_MUJOCO}/include/mujoco/mjplugin.h)
  message(FATAL_ERROR "BRISTLE_MUJOCO: ${BRISTLE_MUJOCO} has no libmujoco.so or no include/mujoco/mjplugin.h; it is the "
    "folder of the Python package mujoco, or of a release of MuJoCo 4.0 or later")
endif()
list(GET mujoco_library 0 mujoco_library)
add_library(bristle_mujoco MODULE
  bridge/mujoco/plugin.c
  bridge/mujoco/config.c
  bridge/mujoco/inertia.c
  bridge/mujoco/network.c
  bridge/mujoco/quick.c
  bridge/mujoco/refuse.c
  bridge/mujoco/solve.c)
target_include_directories(bristle_mujoco PRIVATE include)
target_include_directories(bristle_mujoco SYSTEM PRIVATE ${BRISTLE_MUJOCO}/include)
target_compile_options(bristle_mujoco PRIVATE -ffp-contract=off)
target_link_libraries(bristle_mujoco PRIVATE bristle_warnings bristle_inside ${mujoco_library} m)
target_link_options(bristle_mujoco PRIVATE -Wl,--exclude-libs,ALL)
set_target_properties(bristle_mujoco PROPERTIES C_STANDARD 11 C_EXTENSIONS ON LINKER_LANGUAGE C)
