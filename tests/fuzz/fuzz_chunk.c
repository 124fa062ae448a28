/* Any bytes as a chunk of a sweep. The first byte says whether the rows are taken from the rest, behind the right head
   and before the right digests, or the file is the rest itself. */
#include "lab/digest.h"
#include "lab/sweep.h"
#include "fuzz/folder.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static fuzz_folder chunk_folder;

static char chunk[4096];
static size_t chunk_size;

/* a sweep with texts, a status, a quantity and a series, and its one chunk */
static void make_sweep(void)
{
  static const char spec[] =
      "scenario: {rig: mass, mass: 1 kg, initial: {v: 1 m/s}, time: {end: 0.2 s, output: 0.1 s}, friction: {model: "
      "coulomb}}\n"
      "keys: {title: [a, b], mass: {uniform: [1, 2]}}\nruns: 2\nquantities: [end.x]\nseries: [v]\n";
  bristle_sweep *s;
  bristle_sweep_state state;
  bristle_fault fault;
  fuzz_write(chunk_folder, "spec.yaml", spec, sizeof spec - 1);
  if (bristle_sweep_read(fuzz_path(chunk_folder, "spec.yaml"), &s, &fault)) abort();
  if (bristle_sweep_compute(s, chunk_folder, &(bristle_sweep_options){ .threads = 1 }, &state, &fault)) abort();
  bristle_sweep_free(s);
  FILE *in = fopen(fuzz_path(chunk_folder, "chunk-000000.npy"), "rb");
  chunk_size = in ? fread(chunk, 1, sizeof chunk, in) : 0;
  if (!in || !chunk_size || chunk_size == sizeof chunk) abort();
  fclose(in);
}

static void write_chunk(const uint8_t *data, size_t size)
{
  char copy[sizeof chunk];
  const size_t head = 10 + (size_t)(uint8_t)chunk[8] + 256 * (size_t)(uint8_t)chunk[9], tail = 224;
  const size_t room = chunk_size - head - tail;
  if (!size || !(data[0] & 1)) {
    fuzz_write(chunk_folder, "chunk-000000.npy", size ? data + 1 : data, size ? size - 1 : 0);
    return;
  }
  memcpy(copy, chunk, chunk_size);
  memcpy(copy + head, data + 1, size - 1 < room ? size - 1 : room);
  bristle_digest(copy, chunk_size - 65, copy + chunk_size - 65);
  copy[chunk_size - 1] = '\n';
  fuzz_write(chunk_folder, "chunk-000000.npy", copy, chunk_size);
}

/* the digest of the manifest is another way in: without it the rows are what is looked at */
static void forget_digests(void)
{
  static char text[8192];
  FILE *in = fopen(fuzz_path(chunk_folder, "manifest.json"), "rb");
  size_t size = in ? fread(text, 1, sizeof text - 1, in) : 0;
  if (in) fclose(in);
  text[size] = '\0';
  char *list = strstr(text, "\"sha256\": [");
  if (!list) abort();
  strcpy(list, "\"sha256\": []\n}\n");
  fuzz_write(chunk_folder, "manifest.json", text, strlen(text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  bristle_fault fault = { .kind = BRISTLE_FAULT_NONE };
  bristle_sweep *s;
  bristle_sweep_summary *sum = NULL;
  char merged[200];
  if (!chunk_size) make_sweep(), forget_digests();
  write_chunk(data, size);
  if (bristle_sweep_folder(chunk_folder, &s, &fault)) abort();
  const bristle_fault_kind kind = bristle_sweep_check(s, chunk_folder, &fault);
  if (!bristle_sweep_sum(s, chunk_folder, &sum, &fault) != !kind) abort();
  bristle_sweep_summary_free(sum);
  snprintf(merged, sizeof merged, "%s", fuzz_path(chunk_folder, "merged.csv"));
  if (!bristle_sweep_merge(s, chunk_folder, merged, &fault) != !kind) abort();
  unlink(merged);
  bristle_sweep_free(s);
  return 0;
}
