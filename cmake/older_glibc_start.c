/* How a program begins, for older_glibc.c: before glibc 2.34 a program brought the loop over its constructors along. */
#include "older_glibc.h"

typedef int program_main(int, char **, char **);
typedef void constructor(int, char **, char **);

extern constructor *__init_array_start[], *__init_array_end[];

static void construct(int argc, char **argv, char **environment)
{
  for (constructor **each = __init_array_start; each < __init_array_end; each++) (*each)(argc, argv, environment);
}

int older_start(program_main *main, int argc, char **argv, constructor *init, void (*fini)(void), void (*end)(void),
                void *stack);
OLDER(start, __libc_start_main);

int __wrap___libc_start_main(program_main *main, int argc, char **argv, constructor *init, void (*fini)(void),
                             void (*end)(void), void *stack);
int __wrap___libc_start_main(program_main *main, int argc, char **argv, constructor *init, void (*fini)(void),
                             void (*end)(void), void *stack)
{
  (void)init; /* none, where this is linked */
  return older_start(main, argc, argv, construct, fini, end, stack);
}
