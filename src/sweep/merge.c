/* All chunks: checked, or written into one file. */
#include "platform/platform.h"
#include "sweep/sweep.h"

#include <stdlib.h>

enum { MOST_COUNTED = 1000 }; /* a manifest may claim any number of chunks */

bristle_fault_kind bristle_sweep_check(const bristle_sweep *s, const char *folder, bristle_fault *fault)
{
  unsigned long long wrong = 0;
  bristle_fault_kind first = BRISTLE_FAULT_NONE;
  bristle_fault other;
  for (unsigned long long k = 0; k < s->chunks && wrong <= MOST_COUNTED; k++) {
    char *bytes, digest[65];
    const double *rows;
    const bristle_fault_kind kind = sweep_chunk_read(s, folder, k, &bytes, &rows, digest, wrong ? &other : fault);
    free(bytes);
    if (kind && !wrong++) first = kind;
  }
  if (wrong > 1 && fault) {
    const size_t used = strlen(fault->what);
    snprintf(fault->what + used, sizeof fault->what - used, "; so are %s%llu more of %llu chunks",
             wrong > MOST_COUNTED ? "at least " : "", wrong - 1, s->chunks);
  }
  return first;
}

static void write_rows(const bristle_sweep *s, const double *rows, unsigned long long count, FILE *out)
{
  int scalars = 0;
  while ((size_t)scalars < s->columns && s->column[scalars].kind != BRISTLE_SWEEP_SERIES) scalars++;
  for (unsigned long long i = 0; i < count; i++) {
    for (int j = 0; j < scalars; j++) {
      char number[BRISTLE_NUMBER_SIZE];
      const bristle_sweep_column *c = &s->column[j];
      const double x = rows[i * s->width + (size_t)j];
      if (!c->text) bristle_number_write(x, number);
      if (j) putc(',', out);
      table_text(out, c->text ? c->text[(size_t)x] : number);
    }
    putc('\n', out);
  }
}

static void write_numbers(char *numbers, size_t count, FILE *out)
{
  sweep_file_order(numbers, count);
  fwrite(numbers, sizeof(double), count, out);
}

static void write_head(const bristle_sweep *s, int table, FILE *out)
{
  char *head;
  if (!table) {
    const size_t length = sweep_npy_head(s, s->runs, &head);
    if (head) fwrite(head, 1, length, out);
    free(head);
    return;
  }
  for (size_t i = 0; i < s->columns && s->column[i].kind != BRISTLE_SWEEP_SERIES; i++) {
    const bristle_sweep_column *c = &s->column[i];
    char name[sizeof c->name + sizeof c->unit + 4];
    snprintf(name, sizeof name, c->unit[0] ? "%s [%s]" : "%s", c->name, c->unit);
    if (i) putc(',', out);
    table_text(out, name);
  }
  putc('\n', out);
}

/* the merged file may not take the place of a chunk, under whatever name */
static bristle_fault_kind refuse_chunk(const char *folder, unsigned long long k, const char *path, bristle_fault *fault)
{
  char chunk[4200];
  platform_about one, other;
  sweep_chunk_path(folder, k, chunk);
  if (platform_look(chunk, &one) || platform_look(path, &other) || !platform_is_same_file(&one, &other))
    return BRISTLE_FAULT_NONE;
  fault_set(fault, BRISTLE_FAULT_FILE, "choose another name for the output",
            "this output would overwrite a chunk of the sweep");
  return fault_at(fault, path, 0, 0);
}

bristle_fault_kind bristle_sweep_merge(const bristle_sweep *s, const char *folder, const char *path,
                                       bristle_fault *fault)
{
  const size_t length = strlen(path);
  const int table = length > 4 && !strcmp(path + length - 4, ".csv");
  bristle_output *output;
  bristle_fault_kind kind = bristle_output_open(path, BRISTLE_OUTPUT_SWEEP, &output, fault);
  if (kind) return kind;
  FILE *out = bristle_output_stream(output);
  write_head(s, table, out);
  for (unsigned long long k = 0; k < s->chunks && !kind; k++) {
    char *bytes, digest[65];
    const double *rows;
    const unsigned long long count = sweep_chunk_runs(s, k);
    kind = refuse_chunk(folder, k, path, fault);
    if (kind) break;
    kind = sweep_chunk_read(s, folder, k, &bytes, &rows, digest, fault);
    if (!kind && table) write_rows(s, rows, count, out);
    else if (!kind) write_numbers(bytes + ((const char *)rows - bytes), (size_t)count * s->width, out);
    free(bytes);
  }
  if (!kind && !table) fprintf(out, "\nbristle sweep %s\n", s->digest);
  if (!kind) return bristle_output_commit(output, fault);
  bristle_output_discard(output);
  return kind;
}
