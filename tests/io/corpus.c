/* The fuzz targets themselves, over their seeds and over seeds with a few bytes changed: always the same ones. */
#include "support/test.h"

#include <dirent.h>
#include <stdint.h>

#define LLVMFuzzerTestOneInput fuzz_csv
#include "fuzz/fuzz_csv.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_units
#include "fuzz/fuzz_units.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_document
#include "fuzz/fuzz_document.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_scenario
#include "fuzz/fuzz_scenario.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_mat
#include "fuzz/fuzz_mat.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_manifest
#include "fuzz/fuzz_manifest.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_chunk
#include "fuzz/fuzz_chunk.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_spec
#include "fuzz/fuzz_spec.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_model
#include "fuzz/fuzz_model.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_robot
#include "fuzz/fuzz_robot.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_log
#include "fuzz/fuzz_log.c"

static uint64_t next_random(uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 33;
}

static void change(uint8_t *data, size_t *size, uint64_t *state)
{
  static const char likely[] = ",;\n\r\t \"'#:{}[]-+.eE0123456789N/m*^%&*!|\xc2\xb0";
  for (int k = 0; k < 3 && *size; k++) {
    size_t at = next_random(state) % *size;
    switch (next_random(state) % 4) {
    case 0:
      data[at] = (uint8_t)next_random(state);
      break;
    case 1:
      memmove(data + at, data + at + 1, --*size - at);
      break;
    case 2:
      *size = at;
      break;
    default:
      data[at] = (uint8_t)likely[next_random(state) % (sizeof likely - 1)];
      break;
    }
  }
}

static void run_corpus(const char *folder, int (*target)(const uint8_t *, size_t), int changes)
{
  DIR *list = opendir(folder);
  int seeds = 0;
  uint64_t state = 20;
  CHECK(list != NULL, "%s is missing", folder);
  for (struct dirent *entry; list && (entry = readdir(list));) {
    char path[512];
    uint8_t data[4096], changed[4096];
    if (entry->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    FILE *file = fopen(path, "rb");
    if (!file) continue;
    size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    CHECK(target(data, size) == 0, "%s", path);
    for (int i = 0; i < changes; i++) {
      size_t length = size;
      memcpy(changed, data, size);
      change(changed, &length, &state);
      CHECK(target(changed, length) == 0, "%s, change %d", path, i);
    }
    seeds++;
  }
  if (list) closedir(list);
  CHECK(seeds >= 1, "there is no seed in %s", folder);
}

TEST(the_table_reader_survives_its_corpus) { run_corpus("tests/fuzz/corpus/csv", fuzz_csv, 2000); }
TEST(the_unit_reader_survives_its_corpus) { run_corpus("tests/fuzz/corpus/units", fuzz_units, 2000); }
TEST(the_document_reader_survives_its_corpus) { run_corpus("tests/fuzz/corpus/document", fuzz_document, 1000); }
TEST(the_scenario_reader_survives_its_corpus) { run_corpus("tests/fuzz/corpus/scenario", fuzz_scenario, 1000); }
TEST(the_matlab_reader_survives_its_corpus) { run_corpus("tests/fuzz/corpus/mat", fuzz_mat, 1000); }
TEST(manifests_survive_their_corpus) { run_corpus("tests/fuzz/corpus/manifest", fuzz_manifest, 500); }
TEST(chunks_survive_their_corpus) { run_corpus("tests/fuzz/corpus/chunk", fuzz_chunk, 500); }
TEST(specs_survive_their_corpus) { run_corpus("tests/fuzz/corpus/spec", fuzz_spec, 300); }
TEST(model_files_survive_their_corpus) { run_corpus("tests/fuzz/corpus/model", fuzz_model, 1000); }
TEST(robots_survive_their_corpus) { run_corpus("tests/fuzz/corpus/robot", fuzz_robot, 200); }
TEST(logs_survive_their_corpus) { run_corpus("tests/fuzz/corpus/log", fuzz_log, 100); }
