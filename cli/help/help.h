/* Files that are made from the tables of the verbs. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdio.h>

void write_man_page(FILE *out);
enum { SHELL_BASH, SHELL_ZSH, SHELL_FISH };
void write_completion(int shell, FILE *out);

#endif
