/* Logs of MATLAB: variables, structures and signals with labels become columns, in both versions of the format. */
#include "support/test.h"

#include "lab/identify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TEST(mat_files_that_cannot_be_read_are_named)
{
  char text[200] = "MATLAB 5.0 MAT-file, and nothing behind it";
  bristle_table *table;
  bristle_fault fault = { .what = "" };
  CHECK(bristle_table_parse("log.mat", text, sizeof text, &table, &fault) && !table, "read");
  CHECK(strstr(fault.what, "MAT-file") || strstr(fault.what, "no two vectors"), "%s", fault.what);
  CHECK(!strcmp(fault.file, "log.mat"), "%s", fault.file);
}

#ifndef BRISTLE_WITH_MATIO
TEST(a_build_without_libmatio_says_what_to_do)
{
  char text[200] = "MATLAB 7.3 MAT-file, of any content", said[500];
  bristle_table *table;
  bristle_fault fault = { .what = "" };
  CHECK(bristle_table_parse("log.mat", text, sizeof text, &table, &fault) && !table, "read");
  bristle_fault_text(&fault, said, sizeof said);
  CHECK(!strcmp(said, "log.mat: this is a MAT-file of version 7.3, and this build cannot read them, because libmatio "
                      "was missing; save "
                      "it with -v7, or install libmatio-dev and build again, or write its columns as CSV"),
        "%s", said);
}
TEST(mat_files_become_tables) { test_skip("install libmatio-dev"); }
#else
#include <dlfcn.h>
#include <matio.h>

enum { ROWS = 400 };

static void put_path(char path[100], const char *name)
{
  snprintf(path, 100, "%s/bristle-%ld-%s", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", (long)getpid(), name);
}

typedef struct writer {
  mat_t *(*create)(const char *, const char *, enum mat_ft);
  int (*close)(mat_t *);
  matvar_t *(*make)(const char *, enum matio_classes, enum matio_types, int, size_t *, const void *, int);
  int (*write)(mat_t *, matvar_t *, enum matio_compression);
  void (*free)(matvar_t *);
} writer;

static int find_writer(writer *w)
{
  void *library = dlopen(BRISTLE_WITH_MATIO, RTLD_NOW);
  if (!library) return 1;
  *(void **)&w->create = dlsym(library, "Mat_CreateVer");
  *(void **)&w->close = dlsym(library, "Mat_Close");
  *(void **)&w->make = dlsym(library, "Mat_VarCreate");
  *(void **)&w->write = dlsym(library, "Mat_VarWrite");
  *(void **)&w->free = dlsym(library, "Mat_VarFree");
  return !w->create || !w->close || !w->make || !w->write || !w->free;
}

static matvar_t *numbers(const writer *w, const char *name, const double *x, size_t rows, size_t columns)
{
  size_t dims[2] = { rows, columns };
  return w->make(name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, dims, x, 0);
}

/* time and a position in mm as vectors, a structure with velocity and force, a matrix, a rate alone */
static void write_file(const writer *w, const char *path, enum mat_ft version, enum matio_compression packed)
{
  static double t[ROWS], x[ROWS], v[ROWS], f[ROWS], both[2 * ROWS];
  double rate = 100;
  size_t one[2] = { 1, 1 };
  for (size_t i = 0; i < ROWS; i++) {
    t[i] = (double)i / rate, x[i] = 50 * sin(3 * t[i]), v[i] = 0.15 * cos(3 * t[i]);
    f[i] = (v[i] > 0 ? 2 : -2) + 3 * v[i], both[i] = t[i], both[ROWS + i] = -t[i];
  }
  mat_t *file = w->create(path, NULL, version);
  CHECK(file != NULL, "%s", path);
  if (!file) return;
  matvar_t *fields[3] = { numbers(w, "v", v, ROWS, 1), numbers(w, "F", f, 1, ROWS), NULL };
  matvar_t *all[] = { numbers(w, "time", t, ROWS, 1), numbers(w, "position_mm", x, 1, ROWS),
                      w->make("run", MAT_C_STRUCT, MAT_T_STRUCT, 2, one, fields, 0), numbers(w, "both", both, ROWS, 2),
                      numbers(w, "rate", &rate, 1, 1) };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    CHECK(!w->write(file, all[i], packed), "variable %zu", i);
    w->free(all[i]);
  }
  w->close(file);
}

static void check_file(const char *path)
{
  static const char *const headers[] = { "time", "position_mm", "run.v", "run.F", "both_1", "both_2" };
  bristle_table *table;
  bristle_fault fault = { .what = "" };
  CHECK(!bristle_table_read(path, &table, &fault), "%s", fault.what);
  if (!table) return;
  CHECK(table->rows == ROWS && table->columns == 6, "%zu rows, %zu columns", table->rows, table->columns);
  for (size_t i = 0; i < 6; i++) {
    int there = 0; /* HDF5 has its own order */
    for (size_t c = 0; c < table->columns; c++) there += !strcmp(table->column[c].header, headers[i]);
    CHECK(there == 1, "%s: %d times", headers[i], there);
  }
  const bristle_column *column;
  CHECK(!bristle_table_pick(table, &(bristle_wanted){ "position", "m", 0 }, &column, &fault), "%s", fault.what);
  CHECK(fabs(column->data[7] - 0.05 * sin(0.21)) < 1e-15, "%.17g", column->data[7]);
  bristle_log_options reading = { .rate = 0 };
  bristle_log *log;
  CHECK(!bristle_log_from_table(table, &reading, &log, &fault), "%s", fault.what);
  if (log) CHECK(log->count == ROWS && !strcmp(log->column[BRISTLE_CHANNEL_FORCE], "run.F"), "%s", log->column[4]);
  bristle_log_free(log);
  bristle_table_free(table);
}

TEST(mat_files_become_tables)
{
  writer w;
  char path[100];
  CHECK(!find_writer(&w), "%s", BRISTLE_WITH_MATIO);
  put_path(path, "five.mat");
  write_file(&w, path, MAT_FT_MAT5, MAT_COMPRESSION_NONE);
  check_file(path);
  write_file(&w, path, MAT_FT_MAT5, MAT_COMPRESSION_ZLIB);
  check_file(path);
  remove(path);
  put_path(path, "seven.mat");
  write_file(&w, path, MAT_FT_MAT73, MAT_COMPRESSION_NONE);
  check_file(path);
  remove(path);
}

/* each file that was cut is refused, or has columns as they were written */
static void check_cuts(const char *text, size_t size, const bristle_table *whole)
{
  for (size_t n = 0; n < 300; n++) {
    const size_t cut = n < 40 ? size - 1 - n
                              : (size_t)((double)size
                                         * (0.005 + 0.99 * (double)(n - 40) / 260)); /* the end, and all along */
    bristle_table *table;
    bristle_fault fault = { .what = "" };
    bristle_table_parse("log.mat", text, cut, &table, &fault);
    CHECK(table || fault.what[0], "cut at %zu of %zu", cut, size);
    for (size_t c = 0; table && c < table->columns; c++) {
      size_t like = 0;
      for (size_t k = 0; k < whole->columns; k++)
        like += !strcmp(table->column[c].header, whole->column[k].header) && table->rows == whole->rows
                && !memcmp(table->column[c].data, whole->column[k].data, table->rows * sizeof(double));
      CHECK(like == 1, "cut at %zu of %zu: %s differs", cut, size, table->column[c].header);
    }
    bristle_table_free(table);
  }
}

TEST(mat_files_of_libmatio_that_were_cut_are_refused_or_right)
{
  static const enum mat_ft version[] = { MAT_FT_MAT5, MAT_FT_MAT5, MAT_FT_MAT73 };
  writer w;
  char path[100];
  CHECK(!find_writer(&w), "%s", BRISTLE_WITH_MATIO);
  put_path(path, "cut.mat");
  for (int i = 0; i < 3; i++) {
    static char text[200000];
    bristle_table *whole;
    bristle_fault fault = { .what = "" };
    write_file(&w, path, version[i], i == 1 ? MAT_COMPRESSION_ZLIB : MAT_COMPRESSION_NONE);
    FILE *in = fopen(path, "rb");
    const size_t size = fread(text, 1, sizeof text, in);
    fclose(in);
    CHECK(size < sizeof text && !bristle_table_parse("log.mat", text, size, &whole, &fault), "%s", fault.what);
    if (whole) check_cuts(text, size, whole);
    bristle_table_free(whole);
  }
  remove(path);
}
#endif
