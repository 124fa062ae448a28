# HTML reports, with the page's style and its script embedded.
set(page_folder ${PROJECT_SOURCE_DIR}/src/report/page)
set(page_scripts numbers chart plot draw legend save page) # one script, in this order
list(TRANSFORM page_scripts REPLACE "(.+)" "${page_folder}/\\1.js")
list(JOIN page_scripts "+" page_script)
set(REPORT_FILES page_css=${page_folder}/page.css page_js=${page_script})
set(REPORT_INPUTS ${page_folder}/page.css ${page_scripts} cmake/embed.cmake)
list(JOIN REPORT_FILES "," REPORT_FILES)

add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/report/embedded.c
  COMMAND ${CMAKE_COMMAND} -DOUT=${PROJECT_BINARY_DIR}/report/embedded.c "-DFILES=${REPORT_FILES}"
          -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  DEPENDS ${REPORT_INPUTS} VERBATIM)
bristle_lab_objects(bristle_report ${REPORT_SOURCES} ${PROJECT_BINARY_DIR}/report/embedded.c)
