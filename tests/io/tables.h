/* Tables from text, for the tests of their reader. */
#ifndef TEST_TABLES_H
#define TEST_TABLES_H

#include "lab/io.h"
#include "support/test.h"

static inline bristle_table *table_of(const char *text)
{
  bristle_table *table;
  bristle_fault fault;
  char sentence[1000];
  if (!bristle_table_parse("data.csv", text, strlen(text), &table, &fault)) return table;
  bristle_fault_text(&fault, sentence, sizeof sentence);
  printf("  unexpected: %s\n", sentence);
  return NULL;
}

static inline double at(const bristle_table *table, const char *names, const char *unit, size_t row)
{
  const bristle_column *column;
  bristle_fault fault;
  bristle_wanted wanted = { names, unit, 0 };
  if (!table || row >= table->rows || bristle_table_pick(table, &wanted, &column, &fault)) return (double)NAN;
  return column->data[row];
}

/* the sentence for a bad table, or for a column of it */
static const char *complaint(const char *text, size_t size, const char *names, const char *unit, int flags)
{
  static char sentence[1000];
  bristle_table *table;
  const bristle_column *column;
  bristle_fault fault;
  bristle_wanted wanted = { names, unit, flags };
  strcpy(sentence, "accepted");
  if (bristle_table_parse("data.csv", text, size, &table, &fault)) {
    CHECK(table == NULL, "a table in spite of a fault");
    bristle_fault_text(&fault, sentence, sizeof sentence);
  } else if (names && bristle_table_pick(table, &wanted, &column, &fault)) {
    bristle_fault_text(&fault, sentence, sizeof sentence);
  } else if (names && column && bristle_table_check_increasing(table, column, &fault)) {
    bristle_fault_text(&fault, sentence, sizeof sentence);
  }
  bristle_table_free(table);
  return sentence;
}

#define CHECK_SAYS_FLAGS(text, names, unit, flags, expected)                                         \
  do {                                                                                               \
    const char *said_ = complaint(text, strlen(text), names, unit, flags);                           \
    CHECK(!strcmp(said_, expected), "says:\n    %s", said_);                                         \
  } while (0)
#define CHECK_SAYS(text, names, unit, expected) CHECK_SAYS_FLAGS(text, names, unit, 0, expected)

#endif
