/* The tool's main under a name that a library may have. */
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif
int bristle_tool_main(int argc, char **argv);
#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#define main bristle_tool_main
#include "main.c"
