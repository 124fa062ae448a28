/* Any bytes as the spec of a sweep. */
#include "lab/sweep.h"
#include "fuzz/folder.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static fuzz_folder spec_folder;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  bristle_fault fault = { .kind = BRISTLE_FAULT_NONE };
  bristle_sweep *s;
  char sentence[1000], settings[200];
  fuzz_write(spec_folder, "spec.yaml", data, size);
  const bristle_fault_kind kind = bristle_sweep_read(fuzz_path(spec_folder, "spec.yaml"), &s, &fault);
  bristle_fault_text(&fault, sentence, sizeof sentence);
  if (!kind != (s != NULL)) abort();
  if (kind && (kind != fault.kind || !fault.what[0] || strpbrk(sentence, "\n\r"))) abort();
  if (!s) return 0;
  if (!s->runs || !s->chunk || s->chunk > s->runs || strlen(s->digest) != 64 || s->columns < 2) abort();
  double *row = calloc(s->width, sizeof *row);
  if (row) bristle_sweep_settings(s, row, settings, sizeof settings);
  free(row);
  bristle_sweep_free(s);
  return 0;
}
