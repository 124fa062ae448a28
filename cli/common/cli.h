/* What the verbs of the command line share. */
#ifndef CLI_H
#define CLI_H

#include "bristle/bristle.h"
#include "bristle/io.h"
#include "bristle/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BRISTLE_VERSION "0.1.0"

/* exit codes: all went well, the job failed, the call was wrong, a validation record speaks against the result */
enum { DONE = 0, FAILED = 1, USAGE = 2, UNCONVINCING = 3 };

/* One file per verb; main.c holds the table. */
typedef struct verb {
  const char *name, *summary, *help;
  int (*run)(int argc, char **argv); /* arguments after the verb */
} verb;
extern const verb verb_gallery;
extern const verb verb_models, verb_show, verb_joint, verb_simulate, verb_drive, verb_identify, verb_plan, verb_compare,
    verb_loads, verb_loop;

/* "bristle show: ..." on stderr with a hint at --help; returns USAGE. */
int usage_error(const char *verb_name, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same for an option that the verb could not read: one of its help has no value, another does not exist. */
int unknown_option(const verb *v, const char *argument);
/* Is argv[i] this flag? Or, with a value: the value of "--flag VALUE" or "--flag=VALUE", advancing *i; NULL if
   it is another argument. */
int is_flag(const char *argument, const char *flag);
const char *flag_value(int argc, char **argv, int *i, const char *flag);
/* Before the work: can this output (or NULL) be written without destroying anything? */
int reserve_output(const char *verb_name, const char *path, bristle_output_kind kind);
/* Did everything reach the file? Reports a full disk. */
int finish_output(FILE *out, const char *verb_name);

/* ---- JSON ---- */
void json_string(FILE *out, const char *text);
void json_number(FILE *out, double value);

/* ---- names ---- */
typedef struct trait_name {
  unsigned trait;
  const char *name, *meaning;
} trait_name;
extern const trait_name trait_names[];
extern const int trait_name_count;
/* "dynamic": small displacements at rest, whose memory flows; "static": everything derived from Coulomb's law. */
const char *family_name(const bristle_info *info);

/* Prints the generated files: the typed header, and the table of the README. */
void write_params_header(FILE *out);
void write_markdown_table(FILE *out);

#endif
