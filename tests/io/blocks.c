/* Tables of long logs, of which only blocks of rows are kept. */
#include "io/blocks.h"
#include "lab/io.h"
#include "support/test.h"
#include "maths/elementary.h"

enum { ROWS = 10000, BLOCK = 50, KEPT = 16, LONGEST = 1000 };
static const table_limit few = { .longest = LONGEST, .rows = BLOCK, .count = KEPT };

typedef double (*signal)(size_t row, size_t column);

/* the first column is the row; `often` a comment and an empty line stand above every so many rows */
static char *write_table(size_t rows, size_t columns, const char *end, size_t often, signal of)
{
  const size_t room = rows * (columns * 26 + 40) + 100 * columns;
  char *text = malloc(room);
  size_t used = 0;
  for (size_t c = 0; c < columns; c++) used += (size_t)snprintf(text + used, room - used, "%sc%zu", c ? "," : "", c);
  used += (size_t)snprintf(text + used, room - used, "%s", end);
  for (size_t k = 0; k < rows; k++) {
    if (often && k % often == 0) used += (size_t)snprintf(text + used, room - used, "# here%s%s", end, end);
    used += (size_t)snprintf(text + used, room - used, "%zu", k);
    for (size_t c = 1; c < columns; c++) used += (size_t)snprintf(text + used, room - used, ",%.15g", of(k, c));
    used += (size_t)snprintf(text + used, room - used, "%s", end);
  }
  return text;
}

static bristle_table *some_of(const char *text)
{
  bristle_table *t;
  bristle_fault fault = { .what = "" };
  const bristle_fault_kind kind = table_parse("long.csv", text, strlen(text), &few, &t, &fault);
  CHECK(!kind, "%s", fault.what);
  return t;
}

static int has_row(const bristle_table *t, size_t row)
{
  for (size_t k = 0; k < t->rows; k++)
    if (t->column[0].data[k] == (double)row) return 1;
  return 0;
}

static double wave(size_t row, size_t column) { return sin((double)(row * column) * 0.01); }
/* little happens but from row 7000 to 7200 */
static double short_motion(size_t row, size_t column)
{
  const double noise = 1e-4 * sin((double)(row * row % 1009));
  return column == 1 && row >= 7000 && row < 7200 ? (double)(row - 7000) : noise;
}
/* in four blocks cells are broken */
static double wrecked_motion(size_t row, size_t column)
{
  if (column == 1 && (row % 2500 == 11 || row % 2500 == 12)) return row % 2500 == 11 ? 1.7e308 : -1.7e308;
  return short_motion(row, column);
}

TEST(tables_up_to_the_limit_are_read_as_a_whole)
{
  static const char *const ends[] = { "\n", "\r\n", "\r" };
  for (int i = 0; i < 3; i++) {
    char *text = write_table(LONGEST, 3, ends[i], 7, wave);
    bristle_table *t = some_of(text), *whole;
    CHECK(!bristle_table_parse("long.csv", text, strlen(text), &whole, NULL) && t && whole, "case %d", i);
    CHECK(t->rows == LONGEST && !t->all_rows && !t->blocks, "%zu rows, case %d", t->rows, i);
    for (size_t c = 0; c < 3; c++)
      CHECK(!memcmp(t->column[c].data, whole->column[c].data, LONGEST * sizeof(double)), "column %zu", c);
    for (size_t k = 0; k < LONGEST; k++)
      CHECK(bristle_table_line(t, k) == bristle_table_line(whole, k) && table_row(t, k) == k, "row %zu", k);
    bristle_table_free(t);
    bristle_table_free(whole);
    free(text);
  }
}

TEST(rows_of_a_long_table_know_their_place)
{
  char *text = write_table(ROWS, 3, "\n", 70, wave);
  bristle_table *t = some_of(text);
  CHECK(t->rows == BLOCK * KEPT && t->all_rows == ROWS && t->blocks == KEPT, "%zu rows of %zu", t->rows, t->all_rows);
  for (size_t k = 0; k < t->rows; k++) {
    const size_t row = (size_t)t->column[0].data[k];
    CHECK(table_row(t, k) == row, "row %zu of the table is %zu", k, row);
    CHECK(bristle_table_line(t, k) == 2 + row + 2 * (row / 70 + 1), "row %zu: line %zu", row, bristle_table_line(t, k));
    CHECK_ABS(t->column[2].data[k], wave(row, 2), 1e-14);
    CHECK(k == 0 || t->column[0].data[k] > t->column[0].data[k - 1], "row %zu", k);
  }
  bristle_table_free(t);
  free(text);
}

TEST(blocks_of_a_steady_table_lie_evenly)
{
  char *text = write_table(ROWS, 4, "\n", 0, wave);
  bristle_table *t = some_of(text);
  size_t last = 0;
  for (size_t k = 0; k < t->blocks; k++) {
    CHECK(t->block[k] < last + 2 * ROWS / KEPT, "block %zu begins at %zu, behind %zu", k, t->block[k], last);
    CHECK(!k || t->block[k] >= last + 2 * BLOCK, "blocks %zu and %zu lie side by side", k - 1, k);
    last = t->block[k];
  }
  bristle_table_free(t);
  free(text);
}

TEST(a_short_motion_in_a_long_table_is_kept)
{
  static const signal of[] = { short_motion, wrecked_motion };
  for (int i = 0; i < 2; i++) {
    char *text = write_table(ROWS, 2, "\n", 0, of[i]);
    bristle_table *t = some_of(text);
    size_t moving = 0;
    for (size_t row = 7000; row < 7200; row += BLOCK) moving += (size_t)has_row(t, row);
    CHECK(moving == 4, "case %d: %zu of 4 blocks", i, moving);
    bristle_table_free(t);
    free(text);
  }
}

TEST(long_tables_of_odd_columns_are_shortened)
{
  char *text = write_table(2 * LONGEST, 1, "\n", 0, wave);
  bristle_table *t = some_of(text);
  CHECK(t->rows == BLOCK * KEPT, "%zu rows", t->rows);
  bristle_table_free(t);
  free(text);
  text = write_table(2 * LONGEST, 40, "\n", 0, short_motion); /* more columns than blocks */
  t = some_of(text);
  CHECK(t->rows == BLOCK * KEPT && t->blocks == KEPT, "%zu rows", t->rows);
  bristle_table_free(t);
  free(text);
}

TEST(what_is_wrong_in_a_row_that_is_left_out_is_told)
{
  bristle_table *t;
  bristle_fault fault;
  char *text = write_table(ROWS, 2, "\n", 0, wave), *at = strstr(text, "\n6011,");
  memcpy(at, "\n60,1,", 6);
  CHECK(table_parse("long.csv", text, strlen(text), &few, &t, &fault) == BRISTLE_FAULT_SYNTAX && !t, "is read");
  CHECK(fault.line == 6013, "line %zu", fault.line);
  free(text);
}

TEST(a_decimal_comma_may_come_late_in_a_long_table)
{
  char text[60000];
  size_t used = (size_t)snprintf(text, sizeof text, "t;x\n");
  for (int k = 0; k < 3000; k++)
    used += (size_t)snprintf(text + used, sizeof text - used, k < 500 ? "%d;%d\n" : "%d;%d,5\n", k, k % 97);
  bristle_table *t = some_of(text);
  CHECK(t->mark == ',' && t->rows == BLOCK * KEPT && !t->column[1].strange, "mark %c, %zu rows", t->mark, t->rows);
  bristle_table_free(t);
}

TEST(tables_in_memory_lose_the_same_rows)
{
  char *text = write_table(ROWS, 3, "\n", 0, short_motion);
  bristle_table *t = some_of(text), *whole;
  CHECK(!bristle_table_parse("long.csv", text, strlen(text), &whole, NULL) && blocks_keep(whole, &few), "no memory");
  CHECK(whole->rows == t->rows && whole->blocks == t->blocks && whole->all_rows == ROWS, "%zu rows", whole->rows);
  CHECK(!memcmp(whole->block, t->block, t->blocks * sizeof *t->block), "other blocks");
  for (size_t c = 0; c < 3; c++)
    CHECK(!memcmp(whole->column[c].data, t->column[c].data, t->rows * sizeof(double)), "column %zu", c);
  bristle_table_free(t);
  bristle_table_free(whole);
  free(text);
}
