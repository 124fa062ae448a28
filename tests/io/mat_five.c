/* MAT-files of version 5: made here byte by byte, so that they can be cut, damaged and made to lie. */
#include "support/test.h"

#include "lab/io.h"
#include "io/inflate.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- streams ---- */

/* "friction " 40 times, then 500 letters, some more often than others; level 9, and the first 400 bytes of it with the
 * fixed codes */
static const char own_codes[] =
    "\x78\xda\xed\x91\xd9\x69\x00\x41\x0c\x43\x5b\x49\x6b\x92\x6f\x1b\x12\x08\xe9\x9f\x68\x8a\xc8\x5f\x16\x76"
    "\x99\xf5\x25\xf9\x4d\x7e\x8f\xfd\xcc\xd7\xe7\x47\xfe\x1f\xfe\xf2\xd0\x9d\x19\x07\xd2\x8a\x95\xec\xf2\x35"
    "\xf3\xa8\x1c\xf6\x19\xf4\x63\x9e\x0a\x84\x33\x4b\x1f\x53\xa5\x2b\x81\x0b\x28\x43\x9c\xc3\x2b\xad\xa9\xda"
    "\x46\x5c\x71\xb3\x99\x66\x13\x05\x62\x54\x63\x6a\x69\x47\xe7\xac\x8d\x3b\x0b\x4f\xab\x4c\x7d\x89\x46\x77"
    "\xcc\xf9\xed\xd6\x6a\x7e\x75\x93\xa0\x5b\xef\x8c\x94\x9a\x61\x0b\xd9\x3a\x0d\xe1\x79\xd0\x34\xf4\x75\x5a"
    "\x44\xfa\x4c\xfb\xd3\x64\x8c\x34\x09\xf7\xaa\x5c\x0c\xa2\x21\xc9\x52\xba\x1b\x77\xce\xa3\xaf\x06\x76\x6d"
    "\x94\x63\x43\x9d\xef\x5d\x3b\x4b\x46\xb0\xe2\x68\x59\x1a\x93\xa7\x45\x64\x23\x3c\x31\x21\x95\x4d\x0f\x9b"
    "\xa9\x03\xc0\xb9\x36\x59\xd0\x92\xaa\x0f\x0a\xa0\xc4\x57\x62\x47\xad\x8a\x74\xcb\xa8\x96\xcf\x1d\xf9\x08"
    "\xd1\xd2\x13\xd8\x8e\x22\xda\x05\x25\x73\xe0\xe1\xb2\x2b\x18\x6a\xb1\x50\xac\x44\x7a\x75\x03\x23\x13\x42"
    "\xda\x46\x59\x88\xce\x7e\xe4\xf1\x38\x94\x5a\xc5\xc5\xe5\xba\xa6\x84\x58\x72\x32\x38\xa9\x2b\x4b\x3b\xc1"
    "\x1b\x5e\x4e\x5b\x09\xea\x48\xfa\x66\x0c\xa5\xa0\x96\x33\x47\x28\x21\xc1\xe6\x2f\x49\x39\x51\xb2";
static const char fixed_codes[] =
    "\x78\x01\x4b\x2b\xca\x4c\x2e\xc9\xcc\xcf\x53\x48\x1b\x65\xd0\x92\x91\x91\x91\x96\x96\x9a\x9d\x98\x94\x94"
    "\x9c\x9e\x94\x9e\x96\x94\x91\x9e\x92\x95\x9c\x9c\x92\x9a\x9e\x96\x99\x94\x91\x9d\x9c\x08\xe4\x24\xa7\xa4"
    "\x01\x05\x00\xc9\x5a\x9b\x81";

static size_t make_text(char *text)
{
  size_t n = 0;
  uint32_t x = 1;
  for (int i = 0; i < 40; i++) memcpy(text + n, "friction ", 9), n += 9;
  for (int i = 0; i < 500; i++) {
    x = (x * 1103515245 + 12345) & 0x7fffffff;
    const uint32_t one = (x >> 16) % 26, other = (x >> 20) % 11;
    text[n++] = (char)('a' + (one < other ? one : other));
  }
  return n;
}

TEST(streams_of_zlib_are_unpacked_whole_or_refused)
{
  static const struct {
    const char *bytes;
    size_t size, holds;
  } stream[] = { { own_codes, sizeof own_codes - 1, 860 }, { fixed_codes, sizeof fixed_codes - 1, 400 } };
  char text[900];
  unsigned char out[900], broken[1000];
  int missed = 0;
  CHECK(make_text(text) == 860, "text");
  for (int s = 0; s < 2; s++) {
    const unsigned char *in = (const unsigned char *)stream[s].bytes;
    inflated got = inflate_zlib(in, stream[s].size, out, sizeof out);
    CHECK(got.whole && !got.wrong && got.size == stream[s].holds && !memcmp(out, text, got.size), "%zu %s", got.size,
          got.wrong ? got.wrong : "");
    got = inflate_zlib(in, stream[s].size, out, 8);
    CHECK(!got.whole && !got.wrong && got.size == 8, "%zu", got.size);
    for (size_t cut = 0; cut < stream[s].size; cut++) {
      got = inflate_zlib(in, cut, out, sizeof out);
      CHECK(!got.whole && got.wrong, "cut at %zu", cut);
    }
    for (size_t i = 0; i < 8 * stream[s].size; i++) {
      memcpy(broken, in, stream[s].size);
      broken[i / 8] ^= (unsigned char)(1 << i % 8);
      got = inflate_zlib(broken, stream[s].size, out, sizeof out);
      /* bits of the head that say nothing about the contents, and those that fill the last byte, change nothing */
      missed += !got.wrong && got.whole && memcmp(out, text, stream[s].holds);
    }
  }
  /* the checksum is weak for so few bytes: one flip changes three letters and keeps it, which zlib does not see either
   */
  CHECK(missed <= 1, "%d", missed);
}

/* ---- files ---- */

typedef struct writer {
  unsigned char bytes[8192];
  size_t size, start; /* of the variable, which may begin anywhere */
  int most_first;
} writer;

static void put(writer *w, uint64_t number, int size)
{
  for (int i = 0; i < size; i++)
    w->bytes[w->size++] = (unsigned char)(number >> 8 * (w->most_first ? size - 1 - i : i));
}

static void put_tag(writer *w, unsigned type, size_t size) { put(w, type, 4), put(w, size, 4); }

static void put_padding(writer *w)
{
  while ((w->size - w->start) % 8) w->bytes[w->size++] = 0;
}

static void set_size(writer *w, size_t tag)
{
  const size_t end = w->size;
  w->size = tag + 4;
  put(w, end - tag - 8, 4);
  w->size = end;
}

static writer head(int most_first)
{
  writer w = { .most_first = most_first };
  memset(w.bytes, ' ', 124);
  memcpy(w.bytes, "MATLAB 5.0 MAT-file", 19);
  w.size = 124;
  put(&w, 0x0100, 2), put(&w, 'M' << 8 | 'I', 2);
  return w;
}

/* flags, sizes and the name; returns where the tag is */
static size_t begin_matrix(writer *w, unsigned class, uint32_t tall, uint32_t wide, const char *name)
{
  const size_t tag = w->size, length = strlen(name);
  put_tag(w, 14, 0);
  put_tag(w, 6, 8), put(w, class, 4), put(w, 0, 4);
  put_tag(w, 5, 8), put(w, tall, 4), put(w, wide, 4);
  if (length && length <= 4) put(w, length << 16 | 1, 4); /* up to 4 bytes lie in the tag */
  else put_tag(w, 1, length);
  memcpy(w->bytes + w->size, name, length), w->size += length;
  put_padding(w);
  return tag;
}

static double value_of(const char *name, size_t i) { return (double)(name[0] == 't' ? i : 3 * i + 1); }

/* a vector of doubles, as MATLAB stores them: small whole numbers as bytes */
static void put_vector(writer *w, const char *name, uint32_t claims, size_t rows, int as_bytes)
{
  const size_t tag = begin_matrix(w, 6, claims, 1, name);
  put_tag(w, as_bytes ? 2 : 9, as_bytes ? rows : 8 * rows);
  for (size_t i = 0; i < rows; i++) {
    const double x = value_of(name, i);
    uint64_t bits;
    memcpy(&bits, &x, 8);
    if (as_bytes) put(w, (uint64_t)x, 1);
    else put(w, bits, 8);
  }
  put_padding(w);
  set_size(w, tag);
}

static void put_structure(writer *w, const char *name, size_t rows)
{
  const size_t tag = begin_matrix(w, 2, 1, 1, name);
  put(w, 4U << 16 | 5, 4), put(w, 16, 4);
  put_tag(w, 1, 32);
  memcpy(w->bytes + w->size, "x_mm\0\0\0\0\0\0\0\0\0\0\0\0v\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 32), w->size += 32;
  put_vector(w, "", (uint32_t)rows, rows, 0);
  put_vector(w, "", (uint32_t)rows, rows, 1);
  set_size(w, tag);
}

/* what `from` holds behind `start`, packed without any codes */
static void pack(writer *w, size_t start)
{
  const size_t size = w->size - start;
  unsigned char copy[8192];
  uint32_t a = 1, b = 0;
  memcpy(copy, w->bytes + start, size);
  for (size_t i = 0; i < size; i++) a = (a + copy[i]) % 65521, b = (b + a) % 65521;
  w->size = start;
  put_tag(w, 15, size + 11);
  const unsigned char before[] = {
    0x78, 1, 1, (unsigned char)size, (unsigned char)(size >> 8), (unsigned char)~size, (unsigned char)(~size >> 8)
  };
  memcpy(w->bytes + w->size, before, 7), w->size += 7;
  memcpy(w->bytes + w->size, copy, size), w->size += size;
  for (int i = 3; i >= 0; i--) w->bytes[w->size++] = (unsigned char)((b << 16 | a) >> 8 * i);
}

enum { ROWS = 20, KINDS = 4 };

/* least or most significant byte first, packed or not */
static writer whole_file(int kind)
{
  writer w = head(kind & 1);
  for (int part = 0; part < 3; part++) {
    const size_t start = w.start = w.size;
    if (part == 0) put_vector(&w, "time", ROWS, ROWS, 1);
    if (part == 1) put_vector(&w, "F", ROWS, ROWS, 0);
    if (part == 2) put_structure(&w, "run", ROWS);
    if (kind & 2) pack(&w, start);
  }
  return w;
}

static bristle_table *parse(const unsigned char *bytes, size_t size, bristle_fault *fault)
{
  bristle_table *table;
  char *copy = malloc(size ? size : 1); /* the sanitizer sees what is read behind its end */
  memcpy(copy, bytes, size);
  fault->what[0] = '\0';
  bristle_table_parse("log.mat", copy, size, &table, fault);
  free(copy);
  return table;
}

TEST(mat_files_of_version_5_need_no_library)
{
  static const char *const headers[] = { "time", "F", "run.x_mm", "run.v" };
  for (int kind = 0; kind < KINDS; kind++) {
    const writer w = whole_file(kind);
    bristle_fault fault;
    bristle_table *table = parse(w.bytes, w.size, &fault);
    CHECK(table && table->columns == 4 && table->rows == ROWS, "kind %d: %s", kind, fault.what);
    for (size_t c = 0; table && c < table->columns; c++) {
      CHECK(!strcmp(table->column[c].header, headers[c]), "%s", table->column[c].header);
      for (size_t i = 0; i < ROWS; i++) {
        const double x = value_of(c ? "F" : "t", i) * (c == 2 ? 1e-3 : 1), off = table->column[c].data[i] - x;
        CHECK(off * off < 1e-30, "kind %d, %s[%zu]: %g", kind, headers[c], i, table->column[c].data[i]);
      }
    }
    bristle_table_free(table);
  }
}

/* ---- files that were cut, and files that lie ---- */

/* A file that was cut is refused, or what was read of it is what was in it: cut between two variables it has fewer of
 * them. */
TEST(mat_files_that_were_cut_are_refused_or_right)
{
  for (int kind = 0; kind < KINDS; kind++) {
    const writer w = whole_file(kind);
    bristle_fault fault;
    bristle_table *all = parse(w.bytes, w.size, &fault);
    size_t read = 0;
    for (size_t cut = 20; cut < w.size && all; cut++) {
      bristle_table *table = parse(w.bytes, cut, &fault);
      read += table != NULL;
      CHECK(table || !strcmp(fault.file, "log.mat"), "kind %d, cut at %zu: %s", kind, cut, fault.what);
      CHECK(table || strstr(fault.what, "MAT-file is") || strstr(fault.what, "no two vectors"), "cut at %zu: %s", cut,
            fault.what);
      for (size_t c = 0; table && c < table->columns; c++)
        CHECK(table->rows == all->rows && !strcmp(table->column[c].header, all->column[c].header)
                  && !memcmp(table->column[c].data, all->column[c].data, ROWS * sizeof(double)),
              "kind %d, cut at %zu: column %zu differs", kind, cut, c);
      bristle_table_free(table);
    }
    CHECK(read <= 8, "kind %d: %zu of %zu cuts were read", kind, read, w.size);
    bristle_table_free(all);
  }
}

static void check_refused(const writer *w, const char *expected)
{
  bristle_fault fault;
  char said[800];
  bristle_table *table = parse(w->bytes, w->size, &fault);
  bristle_fault_text(&fault, said, sizeof said);
  CHECK(!table && strstr(said, expected), "%s", said);
  CHECK(table || strstr(said, "CSV"), "what to do: %s", said);
  bristle_table_free(table);
}

TEST(mat_files_that_claim_more_than_they_hold_are_refused)
{
  for (int packed = 0; packed < 2; packed++) {
    writer w = head(0);
    put_vector(&w, "time", INT32_MAX, ROWS, 0);
    if (packed) pack(&w, 128);
    check_refused(&w, "'time' claims 2147483647 x 1 numbers, found 20");
    w = head(0);
    put_vector(&w, "time", ROWS, ROWS - 1, 0);
    if (packed) pack(&w, 128);
    check_refused(&w, "'time' claims 20 x 1 numbers, found 19");
    w = head(0);
    put_structure(&w, "run", ROWS);
    w.bytes[128 + 32] = w.bytes[128 + 33] = 255; /* 65535 structures */
    if (packed) pack(&w, 128);
    check_refused(&w, "'run' claims 65535 structures of 2 fields");
  }
  writer w = head(0);
  put_vector(&w, "time", ROWS, ROWS, 0);
  pack(&w, 128);
  w.bytes[128 + 8 + 7 + 7] = 0x7f; /* the packed element says that it has 2 GB */
  check_refused(&w, "cannot hold them");
  w = whole_file(2);
  w.bytes[300] ^= 4;
  check_refused(&w, "has another checksum than its contents");
  w = whole_file(0);
  w.bytes[126] = 'X';
  check_refused(&w, "at byte 126 'IM' or 'MI' was expected");
}

TEST(mat_files_with_any_byte_changed_are_read_or_refused)
{
  for (int kind = 0; kind < KINDS; kind++) {
    const writer w = whole_file(kind);
    for (size_t i = 124; i < w.size; i++)
      for (int how = 0; how < 3; how++) {
        writer other = w;
        bristle_fault fault;
        other.bytes[i] = (unsigned char)(how == 0 ? 0 : how == 1 ? 255 : other.bytes[i] ^ 1);
        bristle_table *table = parse(other.bytes, other.size, &fault);
        CHECK(table ? table->rows > 0 : fault.what[0], "byte %zu", i);
        bristle_table_free(table);
      }
  }
}
