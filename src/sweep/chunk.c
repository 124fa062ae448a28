/* Chunk files: an NPY array of rows with named columns, and a line behind it that NumPy does not look at, with the
   digests of the spec and of all bytes before. The name appears when the file is whole. */
#include "sweep/sweep.h"

#include "lab/digest.h"
#include "io/files.h"
#include "maths/elementary.h"

#include <stdlib.h>

enum { TAIL = 224 }; /* "\nbristle sweep SHA chunk N of M ... sha256 SHA\n" */

void sweep_chunk_path(const char *folder, unsigned long long k, char path[4200])
{
  snprintf(path, 4200, "%.4000s/chunk-%06llu.npy", folder, k);
}

unsigned long long sweep_chunk_runs(const bristle_sweep *s, unsigned long long k)
{
  return k + 1 < s->chunks ? s->chunk : s->runs - s->chunk * (s->chunks - 1);
}

size_t sweep_npy_head(const bristle_sweep *s, unsigned long long rows, char **head)
{
  platform_memory words;
  FILE *out = platform_memory_open(&words);
  *head = NULL;
  if (!out) return 0;
  fwrite("\x93NUMPY\1\0..", 1, 10, out);
  fputs("{'descr': [", out);
  for (size_t i = 0; i < s->columns; i++) {
    fprintf(out, "('%s', '<f8'", s->column[i].name);
    if (s->column[i].kind == BRISTLE_SWEEP_SERIES) fprintf(out, ", (%zu,)", s->column[i].count);
    fputs("), ", out);
  }
  fprintf(out, "], 'fortran_order': False, 'shape': (%llu,), }", rows);
  for (long size = ftell(out); (size + 1) % 64; size++) fputc(' ', out);
  fputc('\n', out);
  if (platform_memory_close(&words) || words.size - 10 > 65535) {
    free(words.text);
    return 0;
  }
  words.text[8] = (char)((words.size - 10) & 255), words.text[9] = (char)((words.size - 10) >> 8);
  *head = words.text;
  return words.size;
}

/* NPY says '<f8': least significant byte first. Turns numbers of the machine into those of the file, and back. */
void sweep_file_order(char *numbers, size_t count)
{
  const unsigned one = 1;
  if (*(const char *)&one) return;
  for (char *number = numbers; count--; number += sizeof(double))
    for (size_t i = 0, j = sizeof(double) - 1; i < j; i++, j--) {
      const char byte = number[i];
      number[i] = number[j];
      number[j] = byte;
    }
}

/* the line but for the digest of what is before */
static void write_tail(const bristle_sweep *s, unsigned long long k, char tail[TAIL + 1])
{
  static const char last[] = " sha256 ";
  const size_t room = TAIL - 65 - (sizeof last - 1);
  memset(tail, ' ', TAIL);
  tail[snprintf(tail, room, "\nbristle sweep %s chunk %llu of %llu", s->digest, k, s->chunks)] = ' ';
  memcpy(tail + room, last, sizeof last);
}

static size_t file_size(const bristle_sweep *s, size_t head, unsigned long long k)
{
  return head + (size_t)sweep_chunk_runs(s, k) * s->width * sizeof(double) + TAIL;
}

int sweep_chunk_there(const bristle_sweep *s, const char *folder, unsigned long long k)
{
  char path[4200], *head, tail[TAIL + 1], found[TAIL];
  platform_about about;
  sweep_chunk_path(folder, k, path);
  if (platform_look(path, &about)) return 0;
  if (about.kind != PLATFORM_REGULAR) return -1;
  const size_t size = file_size(s, sweep_npy_head(s, sweep_chunk_runs(s, k), &head), k);
  free(head);
  if (!head || (size_t)about.size != size) return -1;
  FILE *in = platform_open(path, "rb"); /* what this sweep wrote itself */
  if (!in) return -1;
  write_tail(s, k, tail);
  const int same = !platform_seek(in, (long long)(size - TAIL)) && fread(found, 1, TAIL, in) == TAIL
                   && !memcmp(found, tail, TAIL - 65) && found[TAIL - 1] == '\n';
  fclose(in);
  return same ? 1 : -1;
}

bristle_fault_kind sweep_chunk_replaceable(const char *folder, unsigned long long k, bristle_fault *fault)
{
  char path[4200];
  sweep_chunk_path(folder, k, path);
  return files_result(path, fault);
}

bristle_fault_kind sweep_chunk_write(const bristle_sweep *s, const char *folder, unsigned long long k,
                                     const double *rows, bristle_fault *fault)
{
  char path[4200], *head, *bytes;
  bristle_output *out;
  const unsigned long long runs = sweep_chunk_runs(s, k);
  const size_t length = sweep_npy_head(s, runs, &head), size = file_size(s, length, k), data = size - TAIL - length;
  sweep_chunk_path(folder, k, path);
  bytes = head ? malloc(size + 1) : NULL;
  if (!bytes) {
    free(head);
    return fault_memory(fault);
  }
  memcpy(bytes, head, length);
  memcpy(bytes + length, rows, data);
  sweep_file_order(bytes + length, data / sizeof *rows);
  write_tail(s, k, bytes + length + data);
  bristle_digest(bytes, size - 65, bytes + size - 65);
  bytes[size - 1] = '\n';
  bristle_fault_kind kind = bristle_output_open(path, BRISTLE_OUTPUT_SWEEP, &out, fault);
  if (!kind) {
    fwrite(bytes, 1, size, bristle_output_stream(out));
    kind = bristle_output_commit(out, fault);
  }
  free(bytes);
  free(head);
  return kind;
}

static bristle_fault_kind damaged(const char *path, bristle_fault *fault, const char *what)
{
  fault_set(fault, BRISTLE_FAULT_SYNTAX, "delete it and run the sweep again: only this chunk is computed", "%s", what);
  return fault_at(fault, path, 0, 0);
}

/* Rows are what others index with: a text by its place, a status. Digests keep accidents out, not those who can write
   them. */
static int rows_are_sound(const bristle_sweep *s, const double *rows, unsigned long long count)
{
  for (size_t i = 0, at = 0; i < s->columns; at += s->column[i++].count) {
    const bristle_sweep_column *c = &s->column[i];
    const double most = c->text                            ? (double)c->values - 1
                        : c->kind == BRISTLE_SWEEP_STATUS  ? BRISTLE_SWEEP_FAILED
                        : c->kind == BRISTLE_SWEEP_REDRAWS ? 1e6
                                                           : -1;
    for (unsigned long long k = 0; k < count && most >= 0; k++) {
      const double x = rows[k * s->width + at];
      if (!(x >= 0 && x <= most) || x != floor(x)) return 0;
    }
  }
  return 1;
}

/* What is wrong with the bytes of a chunk, or NULL; rows are those of the machine afterwards. */
static const char *find_damage(const bristle_sweep *s, unsigned long long k, char *got, size_t count, char digest[65])
{
  const unsigned long long runs = sweep_chunk_runs(s, k);
  char *head, tail[TAIL + 1], *sums = (char *)s->inside->sums;
  const size_t length = sweep_npy_head(s, runs, &head), size = file_size(s, length, k);
  const char *what = NULL;
  write_tail(s, k, tail);
  if (!head) what = "there is not enough memory to look at this chunk";
  else if (count != size) what = "this chunk has another length than it was written with";
  else if (digest && (bristle_digest(got, size - 65, digest), memcmp(digest, got + size - 65, 64)))
    what = "this chunk is damaged: its bytes do not give the digest that it was written with";
  else if (memcmp(got, head, length) || memcmp(got + size - TAIL, tail, TAIL - 65))
    what = "this chunk belongs to another sweep, or to another place of it";
  else if (digest && sums && memcmp(sums + 65 * k, digest, 64))
    what = "this chunk is not the one that the manifest lists: its digest is another";
  free(head);
  if (what) return what;
  sweep_file_order(got + length, runs * s->width);
  if (rows_are_sound(s, (const double *)(got + length), runs)) return NULL;
  return "this chunk holds numbers that no run gives: a text, a status or a count out of its range";
}

bristle_fault_kind sweep_chunk_read(const bristle_sweep *s, const char *folder, unsigned long long k, char **bytes,
                                    const double **rows, char digest[65], bristle_fault *fault)
{
  char path[4200];
  size_t count;
  sweep_chunk_path(folder, k, path);
  bristle_fault_kind kind = read_own(path, bytes, &count, fault);
  if (kind == BRISTLE_FAULT_FILE && fault)
    snprintf(fault->hint, sizeof fault->hint, "run the sweep again: it computes what is missing");
  const char *what = kind ? NULL : find_damage(s, k, *bytes, count, digest);
  if (what) kind = damaged(path, fault, what);
  if (kind) {
    free(*bytes);
    *bytes = NULL;
    return kind;
  }
  const size_t data = (size_t)sweep_chunk_runs(s, k) * s->width * sizeof(double);
  *rows = (const double *)(*bytes + (count - TAIL - data)); /* the head is a multiple of 64 bytes */
  return kind;
}
