/* A folder for fuzz targets whose readers take files. */
#ifndef TESTS_FUZZ_FOLDER_H
#define TESTS_FUZZ_FOLDER_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef char fuzz_folder[80]; /* empty until it is made; each target has its own */

static char *fuzz_folders[8];

static inline void fuzz_remove(void)
{
  for (int i = 0; i < 8 && fuzz_folders[i]; i++) {
    char command[100];
    snprintf(command, sizeof command, "rm -rf '%s'", fuzz_folders[i]);
    if (system(command)) abort();
  }
}

/* the path of a file in it; the folder goes with the process */
static inline const char *fuzz_path(fuzz_folder folder, const char *name)
{
  static char path[160];
  if (!folder[0]) {
    int at = 0;
    while (fuzz_folders[at]) at++;
    snprintf(folder, sizeof(fuzz_folder), "%s", "/tmp/bristle-fuzz-XXXXXX");
    if (!mkdtemp(folder) || (!at && atexit(fuzz_remove))) abort();
    fuzz_folders[at] = folder;
  }
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static inline void fuzz_write(fuzz_folder folder, const char *name, const void *data, size_t size)
{
  FILE *out = fopen(fuzz_path(folder, name), "wb");
  if (!out || fwrite(data, 1, size, out) != size || fclose(out)) abort();
}

#endif
