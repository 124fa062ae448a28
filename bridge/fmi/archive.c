/* ZIP files of stored entries: any reader of FMUs takes them, and no library is needed. Bytes are written one by one,
   in the order of the format, so that every machine writes the same. */
#include "fmi/fmi.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LOCAL_HEADER = 30, CENTRAL_HEADER = 46, END_RECORD = 22, UTF8_NAMES = 0x800, VERSION = 20 };
static const uint64_t LARGEST = 0xffffffff; /* what four bytes of the format hold */

typedef struct writer {
  unsigned char *p;
} writer;

static void put(writer *w, uint32_t value, int bytes)
{
  for (; bytes-- > 0; value >>= 8) *w->p++ = (unsigned char)(value & 0xff);
}

static void put_bytes(writer *w, const char *data, size_t size)
{
  if (size) memcpy(w->p, data, size);
  w->p += size;
}

static uint32_t crc32_of(const char *data, size_t size)
{
  uint32_t crc = 0xffffffff;
  for (size_t i = 0; i < size; i++) {
    crc ^= (unsigned char)data[i];
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc;
}

/* Date and time as MS-DOS has them, in UTC: from SOURCE_DATE_EPOCH, or now. They begin in 1980 and end in 2107. */
static uint32_t dos_time(void)
{
  const char *epoch = getenv("SOURCE_DATE_EPOCH");
  const time_t seconds = epoch ? (time_t)strtoll(epoch, NULL, 10) : time(NULL);
  const struct tm *t = gmtime(&seconds);
  if (!t || t->tm_year < 80 || t->tm_year > 207) return (uint32_t)(1 << 5 | 1) << 16;
  const uint32_t date = (uint32_t)((t->tm_year - 80) << 9 | (t->tm_mon + 1) << 5 | t->tm_mday);
  return date << 16 | (uint32_t)(t->tm_hour << 11 | t->tm_min << 5 | t->tm_sec / 2);
}

/* what the local and the central header share */
static void put_header(writer *w, const fmi_entry *entry, uint32_t when)
{
  put(w, VERSION, 2), put(w, UTF8_NAMES, 2), put(w, 0, 2), put(w, when, 4);
  put(w, crc32_of(entry->data, entry->size), 4), put(w, (uint32_t)entry->size, 4), put(w, (uint32_t)entry->size, 4);
  put(w, (uint32_t)strlen(entry->path), 2), put(w, 0, 2);
}

/* bytes of the whole file; 0 where the format cannot hold it */
static size_t archive_size(const fmi_entry *entry, int count)
{
  uint64_t size = END_RECORD;
  for (int i = 0; i < count; i++) {
    if (entry[i].size > LARGEST || strlen(entry[i].path) > 0xffff) return 0;
    size += LOCAL_HEADER + CENTRAL_HEADER + 2 * strlen(entry[i].path) + entry[i].size;
  }
  return size > LARGEST || size > SIZE_MAX || count > 0xffff ? 0 : (size_t)size;
}

char *fmi_archive(const fmi_entry *entry, int count, size_t *size)
{
  const uint32_t when = dos_time();
  *size = archive_size(entry, count);
  char *data = *size ? malloc(*size) : NULL;
  if (!data) return NULL;
  writer w = { (unsigned char *)data };
  for (int i = 0; i < count; i++) {
    put(&w, 0x04034b50, 4), put_header(&w, &entry[i], when);
    put_bytes(&w, entry[i].path, strlen(entry[i].path)), put_bytes(&w, entry[i].data, entry[i].size);
  }
  const uint32_t directory = (uint32_t)(w.p - (unsigned char *)data);
  uint32_t at = 0; /* of the local header */
  for (int i = 0; i < count; i++) {
    put(&w, 0x02014b50, 4), put(&w, VERSION, 2), put_header(&w, &entry[i], when);
    put(&w, 0, 2), put(&w, 0, 2), put(&w, 0, 2), put(&w, 0, 4), put(&w, at, 4);
    put_bytes(&w, entry[i].path, strlen(entry[i].path));
    at += (uint32_t)(LOCAL_HEADER + strlen(entry[i].path) + entry[i].size);
  }
  const uint32_t end = (uint32_t)(w.p - (unsigned char *)data);
  put(&w, 0x06054b50, 4), put(&w, 0, 2), put(&w, 0, 2), put(&w, (uint32_t)count, 2), put(&w, (uint32_t)count, 2);
  put(&w, end - directory, 4), put(&w, directory, 4), put(&w, 0, 2);
  return data;
}
