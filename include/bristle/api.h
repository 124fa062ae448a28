/* The version, and how names leave the libraries.
 *
 *   #include <bristle/api.h>
 *   #include <stdio.h>
 *   int main(void)
 *   {
 *     printf("header %d, library %c\n", BRISTLE_VERSION_MAJOR, bristle_version()[0]);
 *   }
 * It prints "header 0, library 0".
 *
 * The version stands here alone; the build, pkg-config and the packages of CMake and Python read these lines.
 *
 * A declaration between BRISTLE_BEGIN and BRISTLE_END has C linkage and is exported by the shared library; everything
 * else is hidden. A reader of headers that knows neither may define both as nothing beforehand.
 */
#ifndef BRISTLE_API_H
#define BRISTLE_API_H

#define BRISTLE_VERSION_MAJOR 0
#define BRISTLE_VERSION_MINOR 1
#define BRISTLE_VERSION_PATCH 0

#define BRISTLE_QUOTED_(text) #text
#define BRISTLE_DOTTED_(major, minor, patch)                                                                           \
  BRISTLE_QUOTED_(major) "." BRISTLE_QUOTED_(minor) "." BRISTLE_QUOTED_(patch)
#define BRISTLE_VERSION BRISTLE_DOTTED_(BRISTLE_VERSION_MAJOR, BRISTLE_VERSION_MINOR, BRISTLE_VERSION_PATCH)

#ifndef BRISTLE_BEGIN
#ifdef __GNUC__
#define BRISTLE_SHOW_ _Pragma("GCC visibility push(default)")
#define BRISTLE_SHOWN_ _Pragma("GCC visibility pop")
#else
#define BRISTLE_SHOW_
#define BRISTLE_SHOWN_
#endif
#ifdef __cplusplus
#define BRISTLE_BEGIN extern "C" { BRISTLE_SHOW_
#define BRISTLE_END                                                                                                    \
  BRISTLE_SHOWN_                                                                                                       \
  }
#else
#define BRISTLE_BEGIN BRISTLE_SHOW_
#define BRISTLE_END BRISTLE_SHOWN_
#endif
#endif

BRISTLE_BEGIN
const char *bristle_version(void); /* of the library that was linked: "0.1.0" */
BRISTLE_END

#endif
