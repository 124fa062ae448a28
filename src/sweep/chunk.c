/* Chunk files: an NPY array of rows with named columns, and a line behind it that NumPy does not look at, with the
   digests of the spec and of all bytes before. The name appears when the file is whole. */
#include "sweep/sweep.h"

#include "bristle/digest.h"
#include "io/files.h"

#include <errno.h>
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
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
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
  fflush(out);
  while ((size + 1) % 64) fputc(' ', out), fflush(out);
  fputc('\n', out);
  if (fclose(out) || size - 10 > 65535) {
    free(text);
    return 0;
  }
  text[8] = (char)((size - 10) & 255), text[9] = (char)((size - 10) >> 8);
  *head = text;
  return size;
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
  struct stat about;
  sweep_chunk_path(folder, k, path);
  if (stat(path, &about)) return 0;
  const size_t size = file_size(s, sweep_npy_head(s, sweep_chunk_runs(s, k), &head), k);
  free(head);
  if (!head || (size_t)about.st_size != size) return -1;
  FILE *in = fopen(path, "rb"); /* what this sweep wrote itself */
  if (!in) return -1;
  write_tail(s, k, tail);
  const int same = !fseeko(in, (off_t)(size - TAIL), SEEK_SET) && fread(found, 1, TAIL, in) == TAIL
                   && !memcmp(found, tail, TAIL - 65) && found[TAIL - 1] == '\n';
  fclose(in);
  return same ? 1 : -1;
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

bristle_fault_kind sweep_chunk_read(const bristle_sweep *s, const char *folder, unsigned long long k, char **bytes,
                                    const double **rows, char digest[65], bristle_fault *fault)
{
  char path[4200], *head, tail[TAIL + 1];
  const size_t length = sweep_npy_head(s, sweep_chunk_runs(s, k), &head), size = file_size(s, length, k);
  sweep_chunk_path(folder, k, path);
  *bytes = NULL;
  FILE *in = head ? fopen(path, "rb") : NULL; /* the guard of files would refuse what this process has written */
  if (!in) {
    free(head);
    fault_set(fault, BRISTLE_FAULT_FILE, "run the sweep again: it computes what is missing",
              "the chunk cannot be read (%s)", head ? strerror(errno) : "memory");
    return fault_at(fault, path, 0, 0);
  }
  char *got = malloc(size + 1);
  const size_t count = got ? fread(got, 1, size + 1, in) : 0;
  fclose(in);
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  write_tail(s, k, tail);
  if (!got) kind = fault_memory(fault);
  else if (count != size) kind = damaged(path, fault, "this chunk has another length than it was written with");
  else if (digest && (bristle_digest(got, size - 65, digest), memcmp(digest, got + size - 65, 64)))
    kind = damaged(path, fault, "this chunk is damaged: its bytes do not give the digest that it was written with");
  else if (memcmp(got, head, length) || memcmp(got + size - TAIL, tail, TAIL - 65))
    kind = damaged(path, fault, "this chunk belongs to another sweep, or to another place of it");
  free(head);
  if (kind) {
    free(got);
    return kind;
  }
  *bytes = got;
  *rows = (const double *)(got + length); /* the head is a multiple of 64 bytes */
  return kind;
}
