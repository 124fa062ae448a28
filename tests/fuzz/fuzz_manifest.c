/* Any bytes as the manifest of a sweep's folder, and as the list of a fleet. */
#include "lab/fleet.h"
#include "lab/sweep.h"
#include "fuzz/folder.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static fuzz_folder manifest_folder;

static void check_fault(bristle_fault_kind kind, const bristle_fault *fault)
{
  char sentence[1000];
  bristle_fault_text(fault, sentence, sizeof sentence);
  if (kind && (kind != fault->kind || !fault->what[0] || strpbrk(sentence, "\n\r"))) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  bristle_fault fault = { .kind = BRISTLE_FAULT_NONE };
  bristle_sweep *sweep;
  bristle_sweep_summary *sum;
  bristle_fleet *fleet;
  fuzz_write(manifest_folder, "manifest.json", data, size);
  bristle_fault_kind kind = bristle_sweep_folder(manifest_folder, &sweep, &fault);
  check_fault(kind, &fault);
  if (!kind != (sweep != NULL)) abort();
  if (sweep) { /* there is no chunk */
    if (!bristle_sweep_check(sweep, manifest_folder, &fault)) abort();
    check_fault(fault.kind, &fault);
    if (!bristle_sweep_sum(sweep, manifest_folder, &sum, &fault)) abort();
  }
  bristle_sweep_free(sweep);
  kind = bristle_fleet_read(fuzz_path(manifest_folder, "manifest.json"), &fleet, &fault);
  check_fault(kind, &fault);
  for (size_t i = 0; fleet && i < fleet->axes; i++)
    if (fleet->axis[i].first + fleet->axis[i].count > fleet->entries || !fleet->axis[i].name[0]) abort();
  bristle_fleet_free(fleet);
  return 0;
}
