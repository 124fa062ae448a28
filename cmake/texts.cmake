# The texts of the laws, bridge/texts.c: bridge_embed makes it, and must run here.
add_executable(bridge_embed bridge/text/embed.c bridge/text/distil.c bridge/text/items.c bridge/text/scan.c bridge/text/tidy.c)
set_target_properties(bridge_embed PROPERTIES C_STANDARD 11 C_EXTENSIONS ON)

set(text_folder ${PROJECT_BINARY_DIR}/bridge)
set(text_flags -E -P -C -nostdinc -DBRISTLE_BEGIN= -DBRISTLE_END= -I${PROJECT_SOURCE_DIR}/bridge/text/empty -I${PROJECT_SOURCE_DIR}/include
    -I${PROJECT_SOURCE_DIR}/src -I${PROJECT_SOURCE_DIR})
file(GLOB text_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/core/*.h ${PROJECT_SOURCE_DIR}/src/models/*.h
     ${PROJECT_SOURCE_DIR}/bridge/text/*.h ${PROJECT_SOURCE_DIR}/bridge/text/empty/*.h)
list(APPEND text_headers ${PROJECT_SOURCE_DIR}/include/bristle/bristle.h)
set(text_files "")
set(text_laws "")
set(skewed_laws ${LAWS}) # each once more, with its own friction for each direction
list(TRANSFORM skewed_laws APPEND "=skewed")
foreach(entry ${LAWS} ${skewed_laws})
  string(REPLACE "=skewed" "" law ${entry})
  set(folder ${text_folder}/${law})
  set(skew "")
  if(NOT law STREQUAL entry)
    set(folder ${text_folder}/skewed/${law})
    set(skew -DBRISTLE_SKEW)
  endif()
  file(MAKE_DIRECTORY ${folder})
  set(made "")
  set(commands "")
  foreach(flavour f64 f32)
    set(single 0)
    if(flavour STREQUAL f32)
      set(single 1)
    endif()
    list(APPEND commands COMMAND ${CMAKE_C_COMPILER} ${text_flags} ${skew} -DBRISTLE_F32=${single}
         "-DBRISTLE_SCALAR=\"bridge/text/numbers.h\"" "-DBRISTLE_FINISH=\"bridge/text/end.h\""
         ${PROJECT_SOURCE_DIR}/src/models/${law}.c -o ${folder}/${flavour}.i)
    list(APPEND made ${folder}/${flavour}.i)
  endforeach()
  list(APPEND commands COMMAND ${CMAKE_C_COMPILER} ${text_flags} ${skew} -DBRISTLE_DIFF
       "-DBRISTLE_SCALAR=\"bridge/text/slopes.h\"" "-DBRISTLE_FINISH=\"bridge/text/slopes_end.h\""
       ${PROJECT_SOURCE_DIR}/src/models/${law}.c -o ${folder}/slopes.i)
  list(APPEND made ${folder}/slopes.i)
  add_custom_command(OUTPUT ${made} ${commands} DEPENDS ${PROJECT_SOURCE_DIR}/src/models/${law}.c ${text_headers} VERBATIM)
  list(APPEND text_files ${made})
  if(skew AND NOT "SKEWED" IN_LIST text_laws)
    list(APPEND text_laws SKEWED)
  endif()
  list(APPEND text_laws ${law}=${folder})
endforeach()
set(frame_files "")
foreach(entry ${BRIDGE_FRAMES})
  string(REGEX REPLACE "^[^=]+=" "${PROJECT_SOURCE_DIR}/" path ${entry})
  list(APPEND frame_files ${path})
endforeach()
string(REPLACE "=" "=${PROJECT_SOURCE_DIR}/" frames "${BRIDGE_FRAMES}")
add_custom_command(OUTPUT ${text_folder}/texts.c
  COMMAND bridge_embed ${text_folder}/texts.c TEMPLATE ${frames} LAWS ${text_laws}
  DEPENDS bridge_embed ${text_files} ${frame_files} VERBATIM)
