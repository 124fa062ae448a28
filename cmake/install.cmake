include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/bristle)
install(TARGETS ${LIBRARIES} EXPORT bristle)
# the library's own headers; those of the tool's readers, reports and fits are not part of it
foreach(header bristle params network vector planar joint steprule ensemble sim text)
  install(FILES include/bristle/${header}.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/bristle)
endforeach()
if(TARGET bristle_tool)
  install(TARGETS bristle_tool)
  install(FILES ${PROJECT_BINARY_DIR}/manual/bristle.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${PROJECT_BINARY_DIR}/manual/bristle.bash RENAME bristle
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${PROJECT_BINARY_DIR}/manual/bristle.zsh RENAME _bristle
          DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${PROJECT_BINARY_DIR}/manual/bristle.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
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
