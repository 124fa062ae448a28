# cmake -DARCHIVE=libx.a -DNM=... -DOBJCOPY=... -P prefix.cmake: every global name that does not begin with bristle_ does
# so afterwards (lugre_steps becomes bristle_inside_lugre_steps).
cmake_minimum_required(VERSION 3.22)
execute_process(COMMAND ${NM} -g -P --defined-only ${ARCHIVE} OUTPUT_VARIABLE lines COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "\n" ";" lines "${lines}")
list(FILTER lines INCLUDE REGEX "^[A-Za-z_][A-Za-z0-9_.$]* [A-Zi] ")
list(TRANSFORM lines REPLACE " .*" "")
list(FILTER lines EXCLUDE REGEX "^bristle_")
list(REMOVE_DUPLICATES lines)
list(TRANSFORM lines REPLACE "(.+)" "\\1 bristle_inside_\\1")
list(JOIN lines "\n" map)
file(WRITE ${ARCHIVE}.names "${map}\n")
execute_process(COMMAND ${OBJCOPY} --redefine-syms=${ARCHIVE}.names ${ARCHIVE} COMMAND_ERROR_IS_FATAL ANY)
