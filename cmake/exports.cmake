# What a library shows: the names that stand in the headers of its users, include/bristle. Internal names are nobody else's.
#   EXPORTS        these names
#   EXPORTS_MAP    a version script for the linker
file(GLOB public_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/bristle/*.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${public_headers})
set(EXPORTS "")
foreach(header IN LISTS public_headers)
  file(READ ${header} text)
  string(REGEX MATCHALL "bristle_[A-Za-z0-9_]+" names "${text}")
  list(APPEND EXPORTS ${names})
endforeach()
list(REMOVE_DUPLICATES EXPORTS)
list(SORT EXPORTS)
list(JOIN EXPORTS "\n" names)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/exports.txt CONTENT "${names}\n" @ONLY)
list(JOIN EXPORTS ";\n    " names)
set(EXPORTS_MAP ${PROJECT_BINARY_DIR}/exports.map)
file(CONFIGURE OUTPUT ${EXPORTS_MAP} CONTENT "{\n  global:\n    ${names};\n  local: *;\n};\n" @ONLY)
