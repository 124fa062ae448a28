/* Files: tables (CSV), documents (YAML, JSON), quantities with units, and output that is never half-written.
 *
 * This is the hosted layer: it allocates (one call frees each object) and reads files, but never prints and keeps no
 * state, but for the list of files of a guarded run. Every function that can fail returns a bristle_fault_kind (0 =
 * fine) and fills a bristle_fault with the file, the line, the column, what was found, what was expected, and a hint.
 * Numbers do not depend on the locale.
 */
#ifndef BRISTLE_IO_H
#define BRISTLE_IO_H

#include "bristle/api.h"
#include "bristle/contact.h"
#include "bristle/roles.h"

#include <stdio.h>

#ifdef __GNUC__ /* compilers that know how let their users check what follows a format */
#define BRISTLE_PRINTF(format_at, values_from) __attribute__((format(printf, format_at, values_from)))
#else
#define BRISTLE_PRINTF(format_at, values_from)
#endif

BRISTLE_BEGIN

/* ---- faults ---- */

typedef enum bristle_fault_kind {
  BRISTLE_FAULT_NONE,
  BRISTLE_FAULT_FILE,   /* cannot be opened, read or written */
  BRISTLE_FAULT_SYNTAX, /* not a table, not YAML, not a number */
  BRISTLE_FAULT_VALUE,  /* readable, but missing, unknown or not allowed */
  BRISTLE_FAULT_UNIT,   /* an unknown unit or the wrong dimension */
  BRISTLE_FAULT_MEMORY,
  BRISTLE_FAULT_REQUEST, /* what was asked for contradicts itself, or names what is not there */
  BRISTLE_FAULT_STOPPED  /* by the caller, on the way */
} bristle_fault_kind;

/* Where and what. Lines and columns count from 1; 0 means that the fault has no place. Texts hold no control
   characters, whatever the file held. */
typedef struct bristle_fault {
  bristle_fault_kind kind;
  char file[256];
  size_t line, column;
  char what[400], hint[240];
} bristle_fault;

/* "axis.csv:12:7: column 'v': found 'abc', expected a number; ...". Writes at most `size` bytes, terminated. */
void bristle_fault_text(const bristle_fault *fault, char *text, size_t size);

/* ---- numbers and units ---- */

/* Reads a whole text as a number times 10^shift, correctly rounded; `mark` is the decimal mark. Returns 0 unless all
   of the text is one finite number. */
int bristle_number_read(const char *text, size_t length, char mark, int shift, double *value);
/* Writes the shortest digits that read back as the same double ("0.1", "1e-5", "nan"); returns the length. */
enum { BRISTLE_NUMBER_SIZE = 32 };
int bristle_number_write(double value, char text[BRISTLE_NUMBER_SIZE]);

/* A unit in SI: value_SI = value * 10^decimal * numerator / denominator. The angle is a dimension of its own, so that
   N*m and N*m/rad, or Hz and rad/s, are told apart. */
enum { BRISTLE_LENGTH, BRISTLE_MASS, BRISTLE_TIME, BRISTLE_CURRENT, BRISTLE_HEAT, BRISTLE_ANGLE, BRISTLE_DIMENSIONS };
typedef struct bristle_unit_scale {
  signed char power[BRISTLE_DIMENSIONS];
  int decimal;
  double numerator, denominator;
} bristle_unit_scale;

/* "N/mm", "kg*m^2", "1/s", "rad/s", "Nm", "N m s/rad", "rpm"; an empty text is the unit 1. */
bristle_fault_kind bristle_unit_read(const char *text, size_t length, bristle_unit_scale *unit, bristle_fault *fault);
int bristle_unit_same_dimension(const bristle_unit_scale *a, const bristle_unit_scale *b);
/* "100 N/mm" -> 1e5 for the wanted unit "N/m"; a plain number is already in SI. `wanted` may list several units,
   "N*s/m|N*m*s/rad": *which (may be NULL) tells the one that fits, or -1 for a plain number. */
bristle_fault_kind bristle_quantity_read(const char *text, size_t length, const char *wanted, double *value, int *which,
                                         bristle_fault *fault);

/* ---- tables ---- */

/* A cell that is not a number. */
typedef struct bristle_cell {
  size_t line, column;
  char text[48];
} bristle_cell;

typedef enum bristle_unit_origin {
  BRISTLE_UNIT_NONE,    /* plain column: SI */
  BRISTLE_UNIT_GIVEN,   /* "v [mm/s]", "t (s)", or a line of units under the header */
  BRISTLE_UNIT_IN_NAME, /* "position_mm" */
  BRISTLE_UNIT_UNKNOWN  /* given, but not understood */
} bristle_unit_origin;

typedef struct bristle_column {
  char header[80]; /* as the file has it */
  char name[80];   /* without the unit */
  char unit[32];
  bristle_unit_origin origin;
  bristle_unit_scale scale;
  double *data;               /* in SI; NaN where a cell is empty or no number */
  size_t gaps, strange;       /* empty or NaN cells; cells that are no finite number */
  bristle_cell gap, stranger; /* the first of each */
} bristle_column;

typedef struct bristle_table {
  char file[256];
  size_t rows, columns;
  bristle_column *column;
  char separator, mark; /* detected; separator ' ' is any run of blanks, 0 a single column */
  size_t preamble;      /* lines above the names: an instrument's title and settings */
  size_t skips, *skip;  /* where comments and blank lines are: bristle_table_line reads it */
} bristle_table;

/* Reads any delimited table: comma, semicolon, tab or blanks; decimal point or comma; # comments; a header with or
   without units, or none; lines of an instrument above it are passed over. `path` "-" is the standard input. *table is
   NULL when the reading failed. */
bristle_fault_kind bristle_table_read(const char *path, bristle_table **table, bristle_fault *fault);
bristle_fault_kind bristle_table_parse(const char *name, const char *text, size_t size, bristle_table **table,
                                       bristle_fault *fault);
void bristle_table_free(bristle_table *table); /* NULL is fine */
size_t bristle_table_line(const bristle_table *table, size_t row);

/* What a column must be. */
enum { BRISTLE_OPTIONAL = 1, BRISTLE_GAPS = 2 }; /* may be absent; may have gaps (NaN) */
typedef struct bristle_wanted {
  const char *names; /* "v|velocity|speed", best first; "#2" is the second column. One letter is matched exactly,
                        longer names in any case */
  const char *unit;  /* "m/s", or several: "m|rad" */
  int flags;
} bristle_wanted;

/* *column is NULL when an optional column is absent. A column with gaps (unless allowed), text, an unknown unit or the
   wrong dimension is refused with the line of its first offence. */
bristle_fault_kind bristle_table_pick(const bristle_table *table, const bristle_wanted *wanted,
                                      const bristle_column **column, bristle_fault *fault);
/* Does the column grow from row to row? Names the first line that repeats or goes back. */
bristle_fault_kind bristle_table_check_increasing(const bristle_table *table, const bristle_column *column,
                                                  bristle_fault *fault);
/* A fault at a row, for checks of the caller's own. */
bristle_fault_kind bristle_table_fault(const bristle_table *table, const bristle_column *column, size_t row,
                                       bristle_fault *fault, const char *hint, const char *format, ...)
    BRISTLE_PRINTF(6, 7);

/* ---- tables and JSON that are written ---- */

/* "t [s],mode" and a row of numbers, with the fewest digits that read back. The second returns 0 when it fails. */
void bristle_rows_head(FILE *out, int count, const char *const *name, const char *const *unit);
int bristle_rows_write(FILE *out, int count, const double *values);
/* Like fprintf: ' stands for a double quote; %s is a text in quotes (NULL: null), %g a number (null where it is not
   finite), %d, %zu and %% what they always are, %c a character or, of 0, nothing, %i true or false. Any other
   conversion is written as it stands, with all that follows it. */
void bristle_json_print(FILE *out, const char *format, ...) BRISTLE_PRINTF(2, 3);
/* Lists of numbers, and of texts that lie in a row, each with `size` bytes. */
void bristle_json_numbers(FILE *out, const double *value, size_t count);
void bristle_json_texts(FILE *out, const char *first, size_t size, size_t count);

/* ---- documents ---- */

typedef struct bristle_document bristle_document;
typedef enum bristle_node_kind { BRISTLE_NODE_SCALAR, BRISTLE_NODE_LIST, BRISTLE_NODE_MAP } bristle_node_kind;

/* A value in a document; read its fields freely. */
typedef struct bristle_node {
  bristle_node_kind kind;
  const char *key;  /* its key, or that of the list it is in; NULL at the root */
  const char *text; /* of a scalar */
  int quoted;
  size_t line, column;         /* of the value */
  size_t key_line, key_column; /* of its key */
  size_t count;                /* elements of a list, entries of a mapping */
  const struct bristle_node *child, *next;
  const bristle_document *document;
} bristle_node;

bristle_fault_kind bristle_document_read(const char *path, bristle_document **document, bristle_fault *fault);
bristle_fault_kind bristle_document_parse(const char *name, const char *text, size_t size, bristle_document **document,
                                          bristle_fault *fault);
void bristle_document_free(bristle_document *document);                      /* NULL is fine */
const bristle_node *bristle_document_root(const bristle_document *document); /* always a mapping */
const char *bristle_document_name(const bristle_document *document);

/* NULL when the key is absent. */
const bristle_node *bristle_node_find(const bristle_node *map, const char *key);
/* The same, but a missing key is a fault of the mapping. `meaning` says what to write: "mass: 1 kg". */
bristle_fault_kind bristle_node_need(const bristle_node *map, const char *key, const char *meaning,
                                     const bristle_node **node, bristle_fault *fault);
/* Every key must be one of "rig|mass|stiffness"; an unknown one is a fault that suggests the nearest. */
bristle_fault_kind bristle_node_allow(const bristle_node *map, const char *keys, bristle_fault *fault);
bristle_fault_kind bristle_node_expect(const bristle_node *node, bristle_node_kind kind, bristle_fault *fault);
/* A quantity in SI, as for bristle_quantity_read; also written {value: 2, unit: N/m, std: 0.1}. */
bristle_fault_kind bristle_node_number(const bristle_node *node, const char *unit, double *value, int *which,
                                       bristle_fault *fault);
bristle_fault_kind bristle_node_text(const bristle_node *node, const char **text, bristle_fault *fault);
/* One of "sum|max": its place in the list. */
bristle_fault_kind bristle_node_choice(const bristle_node *node, const char *choices, int *choice,
                                       bristle_fault *fault);
bristle_fault_kind bristle_node_flag(const bristle_node *node, int *flag, bristle_fault *fault); /* true or false */
/* A fault at a value, for checks of the caller's own. */
bristle_fault_kind bristle_node_fault(const bristle_node *node, bristle_fault *fault, const char *hint,
                                      const char *format, ...) BRISTLE_PRINTF(4, 5);

/* ---- friction blocks ---- */

enum { BRISTLE_LINEAR_OR_ROTARY = -1 };

/* What a model file may have found beside the law. */
enum {
  BRISTLE_BESIDE_MASS,
  BRISTLE_BESIDE_OFFSET,      /* a constant force on the body, against the positive direction */
  BRISTLE_BESIDE_GRAVITY,     /* against the positive direction, times sin x */
  BRISTLE_BESIDE_GRAVITY_COS, /* the same times cos x */
  BRISTLE_BESIDE_SKEW,        /* friction that has the same sign both ways, times |v| */
  BRISTLE_BESIDES
};

/* friction: {model: lugre, load: coefficient, parameters: {sigma0: 1e5 1/m, ...}}, or friction: {file: model.yaml}
   with the same keys in a file of its own, found beside the document. Every law on a line also takes level_skew and
   viscous_skew: then `law` is the one of bristle_law_skewed. */
typedef struct bristle_friction {
  const bristle_info *info;
  const bristle_law *law;           /* NULL for laws that exist as vector laws only */
  const bristle_vector_law *vector; /* NULL for laws that exist as scalar laws only */
  bristle_load load;
  int rotary; /* 1 when the parameters are those of torques and angles */
  double p[BRISTLE_LAW_SIZE];
  double found[BRISTLE_BESIDES]; /* what a model file found beside the law, 0 where nothing */
  int acts[BRISTLE_BESIDES];     /* a rig has taken it over */
  char beside[200];              /* the same in words: "mass 20.1 kg, offset 0.3 N"; or "" */
} bristle_friction;

/* What the host needs. */
typedef struct bristle_friction_wanted {
  int dim;                  /* 1 a scalar law, 2 or 3 a vector law, 0 either */
  int rotary;               /* 0, 1, or BRISTLE_LINEAR_OR_ROTARY: the units decide, linear when there are none */
  const bristle_load *load; /* the load form when the block names none; NULL is the law's own */
} bristle_friction_wanted;

/* Its contact (bristle/contact.h), which points to the parameters where they are. */
bristle_contact bristle_friction_contact(const bristle_friction *friction);
/* The same friction with skews: `law` and `info` change, both skews are 0. Nonzero: it cannot have any. */
int bristle_friction_skew(bristle_friction *friction);

/* Absent parameters have their defaults, except those that mean something else in the load form chosen. The set has
   passed bristle_check. */
bristle_fault_kind bristle_friction_read(const bristle_node *block, const bristle_friction_wanted *wanted,
                                         bristle_friction *friction, bristle_fault *fault);
/* A model file, as bristle_identified_write leaves it or as people write it. `wanted` NULL is a scalar law, linear or
   rotary. */
bristle_fault_kind bristle_friction_file_read(const char *path, const bristle_friction_wanted *wanted,
                                              bristle_friction *friction, bristle_fault *fault);

/* ---- output ---- */

/* A file that appears whole or not at all: it is written beside its place and renamed by commit; links stay links.
   `path` NULL or "-" is the standard output; devices and pipes are written directly. What is there already is replaced
   when its name is usual for the kind (.csv; .html; .yaml), or when this tool wrote it, and refused otherwise. */
typedef struct bristle_output bristle_output;
typedef enum bristle_output_kind {
  BRISTLE_OUTPUT_TABLE,
  BRISTLE_OUTPUT_PAGE,
  BRISTLE_OUTPUT_DOCUMENT,
  BRISTLE_OUTPUT_OWN_TABLE, /* under a name that the user did not give: only what this tool wrote is replaced */
  BRISTLE_OUTPUT_OWN_PAGE,
  BRISTLE_OUTPUT_EXPORT,  /* text for another tool: only what this tool wrote is replaced */
  BRISTLE_OUTPUT_ARCHIVE, /* .fmu */
  BRISTLE_OUTPUT_SWEEP    /* results of a sweep: .npy, .csv */
} bristle_output_kind;
bristle_fault_kind bristle_output_open(const char *path, bristle_output_kind kind, bristle_output **output,
                                       bristle_fault *fault);
FILE *bristle_output_stream(bristle_output *output);
bristle_fault_kind bristle_output_commit(bristle_output *output, bristle_fault *fault); /* frees it in any case */
void bristle_output_discard(bristle_output *output);                                    /* NULL is fine */
/* Removes what is half-written, for the handler of a signal that ends the program. */
void bristle_output_abandon(void);

/* From here on this process refuses to write a file that it reads, whatever links lead there, and to write one twice.
   A guarded process reads and writes files on one thread. */
void bristle_files_guard(void);
/* Says before the work which file will be written, so that nothing of it is lost: refused when it cannot be written or
   is taken, and from here on nobody reads it. `path` may be NULL. */
bristle_fault_kind bristle_output_reserve(const char *path, bristle_output_kind kind, bristle_fault *fault);

BRISTLE_END
#endif
