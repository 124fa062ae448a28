# HTML reports, with the page's style, its script and uPlot embedded. Without uPlot (npm ci) the pictures are static.
set(BRISTLE_UPLOT ${PROJECT_SOURCE_DIR}/node_modules/uplot CACHE PATH "Folder of uPlot 1.6.32, as npm ci leaves it")
set(page_folder ${PROJECT_SOURCE_DIR}/src/report/page)
set(page_scripts numbers plot draw legend save page) # one script, in this order
list(TRANSFORM page_scripts REPLACE "(.+)" "${page_folder}/\\1.js")
list(JOIN page_scripts "+" page_script)
set(REPORT_FILES page_css=${page_folder}/page.css page_js=${page_script})
set(REPORT_INPUTS ${page_folder}/page.css ${page_scripts} cmake/embed.cmake)
if(EXISTS ${BRISTLE_UPLOT}/dist/uPlot.iife.min.js)
  list(APPEND REPORT_FILES uplot_css=${BRISTLE_UPLOT}/dist/uPlot.min.css
       uplot_js=${BRISTLE_UPLOT}/dist/uPlot.iife.min.js uplot_licence=${BRISTLE_UPLOT}/LICENSE)
  list(APPEND REPORT_INPUTS ${BRISTLE_UPLOT}/dist/uPlot.min.css ${BRISTLE_UPLOT}/dist/uPlot.iife.min.js
       ${BRISTLE_UPLOT}/LICENSE)
else()
  message(STATUS "bristle: no uPlot in ${BRISTLE_UPLOT}; reports get static pictures (npm ci brings it)")
  list(APPEND REPORT_FILES uplot_css= uplot_js= uplot_licence=)
endif()
list(JOIN REPORT_FILES "," REPORT_FILES)

add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/report/embedded.c
  COMMAND ${CMAKE_COMMAND} -DOUT=${PROJECT_BINARY_DIR}/report/embedded.c "-DFILES=${REPORT_FILES}"
          -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  DEPENDS ${REPORT_INPUTS} VERBATIM)
bristle_lab_objects(bristle_report ${REPORT_SOURCES} ${PROJECT_BINARY_DIR}/report/embedded.c)
