/* Files inside the library: numbers as text, columns of tables, documents (YAML, JSON), friction blocks of documents,
 * and output that is never half-written. The list of files of a guarded run is the only state there is.
 */
#ifndef BRISTLE_LAB_IO_H
#define BRISTLE_LAB_IO_H

#include "bristle/io.h"

#include <stdio.h>

#ifdef __GNUC__ /* compilers that know how let their users check what follows a format */
#define BRISTLE_PRINTF(format_at, values_from) __attribute__((format(printf, format_at, values_from)))
#else
#define BRISTLE_PRINTF(format_at, values_from)
#endif

/* ---- numbers ---- */

/* Reads a whole text as a number times 10^shift, correctly rounded; `mark` is the decimal mark. Returns 0 unless all
   of the text is one finite number. */
int bristle_number_read(const char *text, size_t length, char mark, int shift, double *value);
/* Writes the shortest digits that read back as the same double ("0.1", "1e-5", "nan"); returns the length. */
enum { BRISTLE_NUMBER_SIZE = 32 };
int bristle_number_write(double value, char text[BRISTLE_NUMBER_SIZE]);

/* ---- tables ---- */

bristle_fault_kind bristle_table_parse(const char *name, const char *text, size_t size, bristle_table **table,
                                       bristle_fault *fault);
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

/* The same friction with skews: `law` and `info` change, both skews are 0. Nonzero: it cannot have any. */
int bristle_friction_skew(bristle_friction *friction);

/* Absent parameters have their defaults, except those that mean something else in the load form chosen. The set has
   passed bristle_check. */
bristle_fault_kind bristle_friction_read(const bristle_node *block, const bristle_friction_wanted *wanted,
                                         bristle_friction *friction, bristle_fault *fault);
/* The document of a model file, and the mapping in it that holds the model: the root, or of a robot's file the joint
   that the path names behind a '#' ("robot.yaml#elbow"). */
bristle_fault_kind bristle_model_document(const char *path, bristle_document **document, const bristle_node **model,
                                          bristle_fault *fault);

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

#endif
