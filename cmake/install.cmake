include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/bristle)
set(header_dir ${CMAKE_INSTALL_INCLUDEDIR}/bristle)

# one library: its targets, its pkg-config file and its headers; pkg-config finds the installation from the place of its
# own file, so that a moved prefix works
file(RELATIVE_PATH PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" PC_PREFIX "${PC_PREFIX}")
function(bristle_install name static_target shared_target)
  set(targets ${static_target})
  if(TARGET ${shared_target})
    list(APPEND targets ${shared_target})
  endif()
  install(TARGETS ${targets} EXPORT ${name})
  install(EXPORT ${name} NAMESPACE bristle:: FILE ${name}-targets.cmake DESTINATION ${package_dir})
  configure_file(cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  foreach(header IN LISTS ARGN)
    install(FILES include/bristle/${header}.h DESTINATION ${header_dir})
  endforeach()
endfunction()

bristle_install(bristle bristle_static bristle_shared
  api bristle params vector mechanics network planar joint steprule ensemble)
if(BRISTLE_LAB)
  bristle_install(bristle-lab bristle_lab_static bristle_lab_shared
    lab sim text io scenario identify)
endif()
if(TARGET bristle_tool) # with the files that its help speaks of
  install(TARGETS bristle_tool)
  if(TARGET bristle_mpi)
    install(TARGETS bristle_mpi DESTINATION ${CMAKE_INSTALL_LIBDIR}/bristle)
  endif()
  set(manual ${PROJECT_BINARY_DIR}/manual)
  if(NOT BRISTLE_HOST_RUNS)
    set(manual ${BRISTLE_HOST_TOOLS}/manual)
  endif()
  install(FILES ${manual}/bristle.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${manual}/bristle.bash RENAME bristle
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${manual}/bristle.zsh RENAME _bristle
          DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${manual}/bristle.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/bristle)
  install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/bristle PATTERN dev EXCLUDE)
  install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/bristle)
endif()

configure_package_config_file(cmake/bristle-config.cmake.in bristle-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/bristle-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/bristle-config.cmake ${PROJECT_BINARY_DIR}/bristle-config-version.cmake
        DESTINATION ${package_dir})
