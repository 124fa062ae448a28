/* A verb and its options as tables: parsing, --help, the man page and the completions of shells are made from them. */
#ifndef CLI_VERB_H
#define CLI_VERB_H

#include "lab/io.h"

#include <stddef.h>
#include <stdio.h>

/* What an option leaves in the request. An output is checked before the verb runs: nothing is destroyed by mistake. */
typedef enum option_kind {
  OPTION_SWITCH,   /* int: 1 when it is given */
  OPTION_TEXT,     /* const char * */
  OPTION_FILE,     /* const char *: a file that is read */
  OPTION_LAW,      /* const char *: the name of a law, or a model file */
  OPTION_TABLE,    /* const char *: an output: rows, */
  OPTION_PAGE,     /* a report, */
  OPTION_DOCUMENT, /* a model or a scenario, */
  OPTION_RESULT,   /* rows of a sweep */
  OPTION_FOLDER,   /* const char * */
  OPTION_QUANTITY, /* double, in SI; `unit` says of what */
  OPTION_WHOLE,    /* long long, at least `least` */
  OPTION_CHOICE,   /* int: 1 + the place of the value in `argument`, "force|coefficient|level"; 0: not given */
  OPTION_CALL      /* whatever `read` makes of it */
} option_kind;

typedef struct option {
  const char *name;     /* "--report"; "MODEL" for what needs no flag */
  const char *argument; /* "OUT.html"; NULL for a switch */
  option_kind kind;
  size_t place;      /* of its value in the request */
  const char *help;  /* a sentence, or several */
  const char *usual; /* the value without it, as a user would write it */
  const char *also;  /* another name */
  const char *with;  /* "--rig": another option without which this one says nothing */
  const char *ask;   /* must be given: what is said when it is not */
  const char *noun;  /* "scenario": what there may be one of, or `most` */
  int most;          /* of a list: const char *[most + 1], ending with NULL; 0: one value */
  const char *unit;  /* of a quantity */
  const char *range; /* of a quantity above zero: "a time above zero"; NULL: any */
  long long least;   /* of a whole number */
  int (*read)(void *request, const struct option *o, const char *value); /* 0 or an exit code, with a message */
  int repeats;                                                           /* of OPTION_CALL: may be given again */
  const char *group;                                                     /* a heading instead of an option */
  const struct option *table; /* the options of another table instead, whose places begin at `place` */
} option;

#define IN(type, field) offsetof(type, field)
#define GROUP(title) { .group = title }
#define TABLE(rows, type, field) { .table = rows, .place = offsetof(type, field) }
#define OPTIONS_END { .name = NULL }
/* options of nearly every verb */
#define OPTION_JSON(type, sentence) { "--json", NULL, OPTION_SWITCH, offsetof(type, json), .help = sentence }
#define OPTION_OUTPUT(type, kind, argument, sentence) \
  { "-o", argument, kind, offsetof(type, output), .help = sentence, .also = "--output" }
#define OPTION_REPORT(type, sentence) { "--report", "OUT.html", OPTION_PAGE, offsetof(type, report), .help = sentence }
#define OPTION_SET(type, sentence) { "--set", "NAME=VALUE", OPTION_TEXT, offsetof(type, set), .help = sentence, .most = MOST_SETS }

/* Two options that contradict each other. */
typedef struct option_conflict {
  const char *one, *other, *why; /* "--cutoff", "--rig", ": nothing is filtered" */
} option_conflict;

typedef struct verb {
  const char *name, *summary;
  const char *usage; /* lines after "bristle NAME "; NULL: made from the tables */
  const char *about;
  option argument; /* what needs no flag; no name: nothing */
  const option *options;
  const option_conflict *conflicts; /* ends with NULL; or NULL */
  const option *details;            /* more to explain in the same way, keys of files and the like; or NULL */
  const char *examples;             /* lines that a shell runs, with the tool as `bristle` */
  size_t request;                   /* size of what the options fill and the functions get, zero at the start */
  int (*check)(void *request);      /* may be NULL; before any file is touched */
  int (*run)(void *request);        /* these return exit codes */
  void (*clear)(void *request);     /* may be NULL; at the end, whatever happened */
} verb;

/* Reads the arguments after the verb, checks them and runs it. */
int verb_main(const verb *v, int argc, char **argv);
/* The command as a shell would take it, without the program. */
const char *verb_command(void);

enum { MOST_SETS = 64 }; /* --set may be given that often */

/* All options of a verb in their order, with the heading and the table that they belong to. */
enum { MOST_OPTIONS = 96 };
typedef struct listed_option {
  const option *row;
  size_t base;
  const char *group;
} listed_option;
int verb_options(const verb *v, listed_option list[MOST_OPTIONS]);

/* The verbs of verbs.def. */
extern const verb *const verbs[];
extern const int verb_count;

/* ---- what is printed about them ---- */

/* "[--name VALUE]" and the like: "bristle loop MODEL [options]", a line or several, each after `before`. */
void verb_usage(const verb *v, const char *before, FILE *out);
void print_verb_help(const verb *v, FILE *out);
void print_help(FILE *out);
/* "-o, --output FILE" */
void option_flags(const option *o, char *text, size_t size);
/* Its sentences, with the value that it has without being given. */
void option_help(const option *o, char *text, size_t size);
/* One line for each exit code: the code, then what it means. */
extern const char *const exit_codes[][2];
extern const int exit_code_count;

#endif
