/* Files: quantities with units, tables (CSV), model files. Every hosted function that can fail returns a
 * bristle_fault_kind (0 = fine) and fills a bristle_fault with the file, the line, the column, what was found, what was
 * expected, and a hint. Hosted functions allocate (one call frees each object), never print and keep no state. Numbers
 * do not depend on the locale.
 *
 *   #include <bristle/io.h>
 *   #include <stdio.h>
 *   #include <string.h>
 *   int main(void)
 *   {
 *     const char *text = "{model: coulomb, parameters: {fc: 2 kN}}";
 *     bristle_friction friction;
 *     bristle_fault fault;
 *     char why[900];
 *     if (!bristle_friction_text_read("example", text, strlen(text), NULL, &friction, &fault))
 *       return printf("%s: %g N\n", friction.info->name, friction.p[0]) < 0;
 *     bristle_fault_text(&fault, why, sizeof why);
 *     return puts(why) >= 0;
 *   }
 * It prints "coulomb: 2000 N".
 */
#ifndef BRISTLE_IO_H
#define BRISTLE_IO_H

#include "bristle/api.h"
#include "bristle/vector.h"
#include "bristle/bristle.h"

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

/* ---- units ---- */

/* A unit in SI: value_SI = value * 10^decimal * numerator / denominator. The angle is a dimension of its own, so that
   N*m and N*m/rad, or Hz and rad/s, are told apart. */
enum {
  BRISTLE_DIMENSION_LENGTH,
  BRISTLE_DIMENSION_MASS,
  BRISTLE_DIMENSION_TIME,
  BRISTLE_DIMENSION_CURRENT,
  BRISTLE_DIMENSION_HEAT,
  BRISTLE_DIMENSION_ANGLE,
  BRISTLE_DIMENSIONS
};
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
  BRISTLE_UNIT_ORIGIN_NONE,    /* plain column: SI */
  BRISTLE_UNIT_ORIGIN_GIVEN,   /* "v [mm/s]", "t (s)", or a line of units under the header */
  BRISTLE_UNIT_ORIGIN_IN_NAME, /* "position_mm" */
  BRISTLE_UNIT_ORIGIN_UNKNOWN  /* given, but not understood */
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
  size_t skips, *skip;  /* where comments and blank lines are */
  /* Of a log that is too long to be read as a whole: how many rows it has, and which of them each block begins with.
     All zero: the table has every row. */
  size_t all_rows, block_rows, blocks, *block;
} bristle_table;

/* Reads any delimited table: comma, semicolon, tab or blanks; decimal point or comma; # comments; a header with or
   without units, or none; lines of an instrument above it are passed over. `path` "-" is the standard input. *table is
   NULL when the reading failed. */
bristle_fault_kind bristle_table_read(const char *path, bristle_table **table, bristle_fault *fault);
void bristle_table_free(bristle_table *table); /* NULL is fine */

/* ---- friction ---- */

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

/* Its contact, which points to the parameters where they are. */
bristle_contact bristle_friction_contact(const bristle_friction *friction);

/* A model file, as an identification leaves it or as people write it. `wanted` NULL is a scalar law, linear or
   rotary. Absent parameters have their defaults, except those that mean something else in the load form chosen. The set
   has passed bristle_check. */
bristle_fault_kind bristle_friction_file_read(const char *path, const bristle_friction_wanted *wanted,
                                              bristle_friction *friction, bristle_fault *fault);
/* The same of a block in memory, YAML or JSON: {"model": "lugre", "parameters": {"sigma0": "1e5 N/m"}}; `name` is for
   messages. */
bristle_fault_kind bristle_friction_text_read(const char *name, const char *text, size_t size,
                                              const bristle_friction_wanted *wanted, bristle_friction *friction,
                                              bristle_fault *fault);

BRISTLE_END
#endif
