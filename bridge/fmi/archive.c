/* ZIP files, by libzip. */
#include "fmi/fmi.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zip.h>

static int add_entries(zip_t *zip, const fmi_entry *entry, int count)
{
  const char *epoch = getenv("SOURCE_DATE_EPOCH");
  for (int i = 0; i < count; i++) {
    zip_source_t *source = zip_source_buffer(zip, entry[i].data, entry[i].size, 0);
    const zip_int64_t at = source ? zip_file_add(zip, entry[i].path, source, ZIP_FL_ENC_UTF_8) : -1;
    if (at < 0) {
      zip_source_free(source);
      return 0;
    }
    zip_set_file_compression(zip, (zip_uint64_t)at, ZIP_CM_DEFLATE, 0);
    if (epoch) zip_file_set_mtime(zip, (zip_uint64_t)at, (time_t)strtoll(epoch, NULL, 10), 0);
  }
  return 1;
}

static char *read_back(zip_source_t *source, size_t *size)
{
  zip_stat_t about;
  char *data = NULL;
  if (zip_source_open(source)) return NULL;
  if (!zip_source_stat(source, &about) && (data = malloc(about.size + 1))) {
    *size = (size_t)about.size;
    if (zip_source_read(source, data, about.size) != (zip_int64_t)about.size) free(data), data = NULL;
  }
  zip_source_close(source);
  return data;
}

char *fmi_archive(const fmi_entry *entry, int count, size_t *size)
{
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t *source = zip_source_buffer_create(NULL, 0, 0, &error);
  zip_t *zip = source ? zip_open_from_source(source, ZIP_TRUNCATE, &error) : NULL;
  char *data = NULL;
  if (zip) {
    zip_source_keep(source);
    if (add_entries(zip, entry, count) && !zip_close(zip)) data = read_back(source, size);
    else zip_discard(zip);
  }
  zip_source_free(source);
  return data;
}
