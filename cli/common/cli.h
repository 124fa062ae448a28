/* What the verbs of the command line share. */
#ifndef CLI_H
#define CLI_H

#include "bristle/bristle.h"
#include "lab/io.h"
#include "lab/report.h"
#include "bristle/text.h"
#include "verb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* exit codes; exit_codes in usage.c says what they mean */
enum { DONE = 0, FAILED = 1, USAGE = 2, BAD_DATA = 3, UNCONVINCING = 4, FILE_TROUBLE = 5, STOPPED = 130 };

/* The verb that runs, for messages; "" before one does. */
extern const char *running_verb;
/* "bristle show: ..." on stderr with a hint at --help; returns USAGE. */
int usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* "bristle show: ..." on stderr; returns the code. */
int failure(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
int no_memory(void);
/* After Ctrl-C. */
int stopped_exit(void);
/* Options that a sentence of the library names, as flags: "option load_form" becomes "--load-form"; in the playground
   its controls. */
void words_as_flags(char *text, size_t size);
int is_in_browser(void); /* the playground: its users have buttons and lists instead of flags */
/* The same, where it is known; NULL: sentences stay as they are. */
extern void (*fault_words)(char *text, size_t size);
/* The one place where a fault becomes a message and an exit code. */
int fault_exit(const bristle_fault *fault);
/* The value of an option with a unit, and perhaps above zero. 0, or USAGE with a message. */
int read_quantity(const option *o, const char *value, double *to);
/* There is no such law: USAGE with the nearest name. 0 where it looks like a file. */
int check_law(const char *model);
/* Before the work: can this output (or NULL) be written without destroying anything? */
int reserve_output(const char *path, bristle_output_kind kind);
/* A folder with those above it, where they are not there. 0, or FILE_TROUBLE with a message. */
int make_folder(const char *path);
/* "wrote axis.yaml": a verb names each file that it has written. NULL, and "-", are none. */
void tell_written(FILE *out, const char *path);
/* May this stream have colours? It is a terminal that can show them, and NO_COLOR is not set. */
int shows_colours(FILE *out);
/* Did everything reach the file? Reports a full disk. */
int finish_output(FILE *out);
/* Writes a page and frees it. 0, or an exit code with a message on stderr. */
int finish_page(bristle_report *page, const char *path);

/* A stream for sentences: on a terminal that can show them, +- and um become their signs when it is closed. */
FILE *words_open(FILE *out);
void words_close(FILE *words, FILE *out);
/* A folder that came with the tool; NULL: it is not there. To be freed. */
typedef enum place_kind { PLACE_EXAMPLES, PLACE_DOCUMENTS } place_kind;
char *find_place(place_kind kind);
/* Where examples and documents are, a line each, where they are there. */
void print_places(FILE *out);

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
