/* Any bytes as a log that is identified, to its model file and, now and then, its page. The first byte says whether the
   rest is the file itself or numbers of two bytes, four in each row, behind a head. */
#include "lab/study.h"
#include "fuzz/folder.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static fuzz_folder log_folder;

static void write_numbers(const uint8_t *data, size_t size)
{
  static char text[1 << 16];
  size_t used = (size_t)snprintf(text, sizeof text, "t [s],x [mm],v [mm/s],F [N]\n");
  for (size_t i = 0; i + 8 <= size && used + 100 < sizeof text; i += 8) {
    short n[4];
    memcpy(n, data + i, sizeof n);
    /* time goes on by what is usual, and by something else where the first number is odd */
    const double t = 0.001 * (double)(i / 8) + (n[0] & 1 ? 1e-4 * n[0] : 0);
    used += (size_t)snprintf(text + used, sizeof text - used, "%.6g,%d,%d,%g\n", t, n[1], n[2], 0.01 * n[3]);
  }
  fuzz_write(log_folder, "log.csv", text, used);
}

static void check_study(bristle_study *study, int page)
{
  FILE *out = fopen("/dev/null", "w");
  bristle_fault fault;
  char path[200];
  if (!study->results || !out) abort();
  bristle_study_text(study, out);
  bristle_study_json(study, out);
  fclose(out);
  snprintf(path, sizeof path, "%s", fuzz_path(log_folder, "page.html"));
  if (page && bristle_study_page(study, path, &fault)) abort();
  snprintf(path, sizeof path, "%s", fuzz_path(log_folder, "model.yaml"));
  if (bristle_study_model(study, path, &fault)) abort();
  bristle_friction back; /* what it writes, it reads */
  if (bristle_friction_file_read(path, NULL, &back, &fault)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static char path[200];
  static const char *const files[] = { path };
  bristle_fault fault = { .kind = BRISTLE_FAULT_NONE };
  bristle_study_request request;
  bristle_study *study;
  char sentence[1000];
  const int form = size ? data[0] : 0;
  if (size && (form & 1)) write_numbers(data + 1, size - 1);
  else fuzz_write(log_folder, "log.csv", size ? data + 1 : data, size ? size - 1 : 0);
  snprintf(path, sizeof path, "%s", fuzz_path(log_folder, "log.csv"));
  bristle_study_begin(&request);
  request.log = files, request.logs = 1, request.model = form & 2 ? "coulomb" : "dahl";
  request.fitting.threads = 1, request.fitting.candidates = 20, request.fitting.refinements = 1;
  if (form & 4) request.reading.loads = 1;
  if (form & 8) request.reading.cutoff = form & 16 ? -1 : 40;
  if (form & 32) request.fitting.decimate = 3;
  const bristle_fault_kind kind = bristle_study_run(&request, &study, &fault);
  bristle_fault_text(&fault, sentence, sizeof sentence);
  if (kind && (study || kind != fault.kind || !fault.what[0] || strpbrk(sentence, "\n\r"))) abort();
  if (study) check_study(study, form & 64);
  bristle_study_free(study);
  return 0;
}
