include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/bristle)
install(TARGETS ${LIBRARIES} EXPORT bristle)
install(DIRECTORY include/bristle DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h"
        PATTERN io.h EXCLUDE) # the tool's readers are not part of the library
if(TARGET bristle_tool)
  install(TARGETS bristle_tool)
endif()

install(EXPORT bristle NAMESPACE bristle:: FILE bristle-targets.cmake DESTINATION ${package_dir})
configure_package_config_file(cmake/bristle-config.cmake.in bristle-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/bristle-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/bristle-config.cmake ${PROJECT_BINARY_DIR}/bristle-config-version.cmake
        DESTINATION ${package_dir})

# pkg-config finds the installation from the place of its own file, so a moved prefix still works
file(RELATIVE_PATH PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" PC_PREFIX "${PC_PREFIX}")
configure_file(cmake/bristle.pc.in ${PROJECT_BINARY_DIR}/bristle.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/bristle.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
