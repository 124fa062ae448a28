/* Which column of a table is which, by the names and units that people give them; not installed. */
#ifndef BRISTLE_IO_RECOGNISE_H
#define BRISTLE_IO_RECOGNISE_H

#include "io/support.h"

typedef struct column_role {
  const char *exact; /* names, best first */
  const char *words; /* a name that contains one of these is taken when nothing better is there */
  const char *never; /* unless it contains one of these */
  const char *unit;
} column_role;

enum { ROLE_TIME, ROLE_POSITION, ROLE_VELOCITY, ROLE_ACCELERATION, ROLE_FORCE, ROLE_LOAD, COLUMN_ROLES };
extern const column_role column_roles[COLUMN_ROLES];

/* The place of the column that plays this part, or the number of columns. taken[place] != 0: not that one; or NULL. */
size_t column_by_name(const bristle_table *table, const column_role *role, const char *taken);
/* Does the name contain one of the words? */
int column_has_word(const char *name, const char *words);
/* Is one of the words a whole word of the name? Digits and underscores stand between words. */
int column_name_has_one_of(const char *name, const char *words);
/* Does a name, or its last word, stand for something that has this dimension? */
int column_name_asks(const char *name, const bristle_unit_scale *scale);
/* The only column with the right unit that nobody else wants. */
size_t column_by_unit(const bristle_table *table, const column_role *role, const char *taken);

/* Cells that are no numbers. The first one, NULL where there is none; and what to say of it: "column 'v': found 'n/a',
   expected a number". */
const bristle_cell *column_first_bad(const bristle_column *column);
void column_say_bad(const bristle_table *table, const bristle_column *column, char text[200]);
/* Refuses text, and empty cells unless they are allowed, with line and column of the first. */
bristle_fault_kind column_check_cells(const bristle_table *table, const bristle_column *column, int gaps_allowed,
                                      bristle_fault *fault);

#endif
