/* The ZIP files of FMUs, field by field as the format (APPNOTE.TXT of PKWARE, 4.3) has them. */
#include "support/test.h"

#include "fmi/fmi.h"

#include <stdint.h>
#include <stdlib.h>

static unsigned long number_at(const char *data, int bytes)
{
  unsigned long value = 0;
  for (int i = bytes; i-- > 0;) value = value << 8 | (unsigned char)data[i];
  return value;
}

#define CHECK_FIELD(place, bytes, expected)                                                                  \
  CHECK(number_at(place, bytes) == (expected), "%lx at %s", number_at(place, bytes), #place)

TEST(archives_of_fmus_are_what_the_format_says)
{
  const fmi_entry entry[2] = { { "a.txt", "123456789", 9 }, { "b/\xc3\xa9", "", 0 } };
  size_t size = 0;
  setenv("SOURCE_DATE_EPOCH", "1700000000", 1); /* 2023-11-14 22:13:20 in UTC */
  char *data = fmi_archive(entry, 2, &size);
  unsetenv("SOURCE_DATE_EPOCH");
  const size_t second = 30 + 5 + 9, directory = second + 30 + 4, end = directory + 46 + 5 + 46 + 4;
  CHECK(data && size == end + 22, "%zu bytes", size);
  if (!data) return;
  CHECK_FIELD(data, 4, 0x04034b50);
  CHECK_FIELD(data + 6, 2, 0x800);                                  /* names in UTF-8 */
  CHECK_FIELD(data + 8, 2, 0);                                      /* stored */
  CHECK_FIELD(data + 10, 2, 22u << 11 | 13u << 5 | 10u);            /* time, in steps of 2 s */
  CHECK_FIELD(data + 12, 2, (2023u - 1980u) << 9 | 11u << 5 | 14u); /* date */
  CHECK_FIELD(data + 14, 4, 0xcbf43926);                            /* the check value of CRC-32 */
  CHECK(number_at(data + 18, 4) == 9 && number_at(data + 22, 4) == 9, "size");
  CHECK(number_at(data + 26, 2) == 5 && !memcmp(data + 30, "a.txt123456789", 14), "name and content");
  CHECK_FIELD(data + second, 4, 0x04034b50);
  CHECK_FIELD(data + second + 14, 4, 0);
  CHECK(!memcmp(data + second + 30, "b/\xc3\xa9", 4), "the name of the second");
  CHECK_FIELD(data + directory, 4, 0x02014b50);
  CHECK(!memcmp(data + directory + 6, data + 4, 26), "the directory differs from the header of the first");
  CHECK_FIELD(data + directory + 42, 4, 0);
  CHECK_FIELD(data + directory + 51, 4, 0x02014b50);
  CHECK(!memcmp(data + directory + 51 + 6, data + second + 4, 26),
        "the directory differs from the header of the second");
  CHECK_FIELD(data + directory + 51 + 42, 4, second);
  CHECK_FIELD(data + end, 4, 0x06054b50);
  CHECK(number_at(data + end + 8, 2) == 2 && number_at(data + end + 10, 2) == 2, "two entries");
  CHECK(number_at(data + end + 12, 4) == end - directory && number_at(data + end + 16, 4) == directory,
        "its directory");
  free(data);
}

TEST(archives_that_the_format_cannot_hold_are_refused)
{
  if (sizeof(size_t) < 8) return;
  const fmi_entry large = { "a", "", (size_t)((uint64_t)1 << 32) };
  const fmi_entry two[2] = { { "a", "", (size_t)((uint64_t)1 << 31) }, { "b", "", (size_t)((uint64_t)1 << 31) } };
  size_t size = 1;
  CHECK(!fmi_archive(&large, 1, &size) && size == 0, "an entry of 4 GB");
  size = 1;
  CHECK(!fmi_archive(two, 2, &size) && size == 0, "two of 2 GB");
}

TEST(dates_that_archives_cannot_hold_are_the_first)
{
  const fmi_entry entry = { "a", "", 0 };
  static const char *const epochs[] = { "0", "99999999999", "nonsense" };
  for (int i = 0; i < 3; i++) {
    size_t size;
    setenv("SOURCE_DATE_EPOCH", epochs[i], 1);
    char *data = fmi_archive(&entry, 1, &size);
    if (data) CHECK_FIELD(data + 10, 4, 0x210000ul); /* 1980-01-01 */
    free(data);
  }
  unsetenv("SOURCE_DATE_EPOCH");
}
