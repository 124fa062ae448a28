/* Tables and files that are refused, and what is said about them. */
#include "io/tables.h"

#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

TEST(wrong_units_of_columns_are_refused)
{
  CHECK_SAYS("v [mm],t\n1,2\n", "v", "m/s",
             "data.csv: column 'v [mm]': found 'mm' (a length), expected a speed in m/s; check the value and its unit");
  CHECK_SAYS(
      "v [furlong],t\n1,2\n", "v", "m/s",
      "data.csv: column 'v [furlong]': 'furlong' is no unit; known are m, kg, s, N, A, V, K, rad, deg, rpm, Hz, min "
      "and others, with prefixes");
  CHECK_SAYS(
      "v_s,t\n1,2\n", "v", "m/s",
      "data.csv: column 'v_s': found 's' (a time), expected a speed in m/s; if 's' is no unit, write the unit in "
      "brackets: 'v_s [m/s]'");
  bristle_table *table = table_of("w [rpm],x [deg]\n60,180\n");
  CHECK_NEAR(at(table, "w", "m/s|rad/s", 0), 2 * 3.14159265358979323846, 1e-15);
  CHECK_NEAR(at(table, "x", "m|rad", 0), 3.14159265358979323846, 1e-15);
  bristle_table_free(table);
}

TEST(gaps_are_reported_or_accepted)
{
  const char *const text = "t,v\n0,1\n1,\n2,NaN\n3,NA\n";
  CHECK_SAYS(text, "v", "m/s",
             "data.csv:3:3: column 'v': found an empty cell, expected a number; fill the gap or delete the row");
  CHECK_SAYS("t,v\n0,1\n1,nan\n", "v", "m/s",
             "data.csv:3:3: column 'v': found 'nan', expected a number; fill the gap or delete the row");
  CHECK_SAYS(text, "t", "s", "accepted");
  bristle_table *table = table_of(text);
  const bristle_column *column;
  bristle_wanted wanted = { "v", "m/s", BRISTLE_GAPS };
  CHECK(!bristle_table_pick(table, &wanted, &column, NULL), "gaps are allowed");
  CHECK(column->gaps == 3 && column->data[0] == 1 && isnan(column->data[1]) && isnan(column->data[3]), "%zu",
        column->gaps);
  bristle_table_free(table);
}

TEST(cells_that_are_no_numbers_are_refused_where_they_are_used)
{
  const char *const text = "t,v,note\n0,1,a\n1,fast,b\n2,1e999,c\n";
  CHECK_SAYS(text, "t", "s", "accepted");
  CHECK_SAYS(text, "v", "m/s",
             "data.csv:3:3: column 'v': found 'fast', expected a finite number; delete the cell's text, or name "
             "another column");
  CHECK_SAYS("t,v\n0,1\n1,1e999\n", "v", "m/s",
             "data.csv:3:3: column 'v': found '1e999', expected a finite number; numbers end at 1.8e308");
  CHECK_SAYS("t,v\n0,1\n1,inf\n", "v", "m/s",
             "data.csv:3:3: column 'v': found 'inf', expected a finite number; delete the cell's text, or name another "
             "column");
  CHECK_SAYS("t;v\n0;1.5\n1;1,5\n", "v", "m/s",
             "data.csv:2:3: column 'v': found '1.5', expected a finite number; delete the cell's text, or name another "
             "column");
  CHECK_SAYS("t;v\n0;0x10\n", "v", "m/s",
             "data.csv:2:3: column 'v': found '0x10', expected a finite number; delete the cell's text, or name "
             "another column");
}

TEST(time_must_grow)
{
  CHECK_SAYS("t,v\n0,1\n1,1\n# pause\n\n1,2\n", "t", "s",
             "data.csv:6: column 't': found 1 twice, expected growing values; delete one of the two rows");
  CHECK_SAYS(
      "t,v\n0,1\n1.5,1\n0.5,2\n", "t", "s",
      "data.csv:4: column 't': found 0.5 after 1.5, expected growing values; sort the rows, or split the file where it "
      "starts again");
}

TEST(broken_tables_are_refused)
{
  CHECK_SAYS("", NULL, NULL,
             "data.csv: found an empty file, expected rows of numbers; was the recording stopped too early?");
  CHECK_SAYS("\n  \n\r\n", NULL, NULL,
             "data.csv: found only blank lines, expected rows of numbers; was the recording stopped too early?");
  CHECK_SAYS("# x\n#\n", NULL, NULL,
             "data.csv: found only comments, expected rows of numbers; was the recording stopped too early?");
  CHECK_SAYS("t,v\n", NULL, NULL,
             "data.csv: found a header and no rows, expected rows of numbers; was the recording stopped too early?");
  CHECK_SAYS("t,v\n0,1\n1\n2,3\n", NULL, NULL,
             "data.csv:3:2: found 1 cell, expected 2; every row must have as many cells as the first line");
  CHECK_SAYS("t,v\n0,1\n1", NULL, NULL,
             "data.csv:3:2: found 1 cell, expected 2; it is the last line: if the recording was cut off, delete it");
  CHECK_SAYS(
      "t,v\n0,1,5\n1,2,5\n2,3,5\n", NULL, NULL,
      "data.csv:2:5: found 3 cells, expected 2; decimal commas need ; or a tab between the cells, and text with commas "
      "needs quotes");
  CHECK_SAYS("t;v\n0;1;2\n", NULL, NULL,
             "data.csv:2:5: found 3 cells, expected 2; every row must have as many cells as the first line");
  CHECK_SAYS(
      "\"t,v\n0,1\n", NULL, NULL,
      "data.csv:1:1: found a quote that does not end in the header; close the name with a second one on the same line");
  CHECK_SAYS(
      "t,v\n0,\"1\n1,2\n", NULL, NULL,
      "data.csv:2:3: found a quote that does not end with its cell; close the cell with a second one on the same "
      "line, before the separator");
  CHECK_SAYS(
      "t,v\n0,1\n\"1,2\n", NULL, NULL,
      "data.csv:3:1: found a quote that does not end with its cell; close the cell with a second one on the same "
      "line, before the separator");
  CHECK_SAYS(
      "t,v\n0,1\n\"1\"5,2\n", NULL, NULL,
      "data.csv:3:1: found a quote that does not end with its cell; close the cell with a second one on the same "
      "line, before the separator");
  CHECK_SAYS("\xff\xfet\0,\0", NULL, NULL,
             "data.csv:1:1: found UTF-16 text, expected a table in UTF-8; save it as UTF-8 or plain text");
}

TEST(binary_junk_is_refused)
{
  static const char junk[] = "t,v\n0,\0\x01\x02";
  const char *said = complaint(junk, sizeof junk - 1, NULL, NULL, 0);
  CHECK(
      !strcmp(said,
              "data.csv:2:3: found the byte 0x00, expected text; is this a spreadsheet or another binary file? export "
              "it as CSV"),
      "%s", said);
  uint64_t state = 3;
  char noise[4096];
  for (int run = 0; run < 200; run++) {
    for (size_t i = 0; i < sizeof noise; i++) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      const char letters[] = "0123456789,;. \t\r\n\"#eE+-[]_mN";
      noise[i] = run % 2 ? (char)(state >> 56) : letters[(state >> 40) % (sizeof letters - 1)];
    }
    complaint(noise, (size_t)(state % sizeof noise), "t|#1", "s|m", 0);
  }
}

TEST(huge_cells_and_many_columns_are_survived)
{
  size_t size = 3000000;
  char *text = malloc(size + 1);
  memcpy(text, "v,w\n1.", 6);
  memset(text + 6, '0', size - 6);
  memcpy(text + size - 4, "1,2\n", 4);
  bristle_table *table;
  CHECK(!bristle_table_parse("data.csv", text, size, &table, NULL) && at(table, "v", "1", 0) == 1,
        "a number of 3e6 digits");
  bristle_table_free(table);
  memset(text + 4, 'x', size - 8);
  const char *said = complaint(text, size, "v", "1", 0);
  CHECK(!strcmp(said,
                "data.csv:2:1: column 'v': found 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...', expected a finite number; "
                "delete the cell's text, or name another column"),
        "%s", said);
  for (size_t i = 0; i < size; i++) text[i] = i % 2 ? ',' : '1';
  said = complaint(text, size, NULL, NULL, 0);
  CHECK(!strcmp(said,
                "data.csv:1:1: found 1500000 cells in the first line, expected at most 10000; one row per sample, one "
                "column per signal"),
        "%s", said);
  free(text);
}

static const char *read_complaint(const char *path)
{
  static char sentence[1000];
  bristle_table *table;
  bristle_fault fault = { .kind = BRISTLE_FAULT_NONE };
  bristle_table_read(path, &table, &fault);
  bristle_fault_text(&fault, sentence, sizeof sentence);
  bristle_table_free(table);
  return fault.kind ? sentence : "accepted";
}

TEST(files_that_cannot_be_read_are_named)
{
  const char *said = read_complaint("/nowhere/data.csv");
  CHECK(
      !strcmp(said,
              "/nowhere/data.csv: the file cannot be read (No such file or directory); check the name and the folder"),
      "%s", said);
  said = read_complaint("/tmp");
  CHECK(!strcmp(said, "/tmp: this is a folder, expected a file; name a file in it"), "%s", said);
  said = read_complaint("");
  CHECK(!strcmp(said, "(no name): the file cannot be read (No such file or directory); check the name and the folder"),
        "%s", said);
  char path[] = "/tmp/bristle-test-XXXXXX", expected[200];
  int file = mkstemp(path);
  fchmod(file, 0);
  snprintf(expected, sizeof expected,
           "%s: the file cannot be read (Permission denied); you may not read it: change its permissions", path);
  said = read_complaint(path);
  if (geteuid()) CHECK(!strcmp(said, expected), "%s", said); /* the superuser may read everything */
  unlink(path);
  close(file);
}
