# Read after CMake's own rules: it asks a program of macOS whether linkers know rpaths, and elsewhere takes silence for no.
set(CMAKE_SHARED_LIBRARY_RUNTIME_C_FLAG "-Wl,-rpath,")
