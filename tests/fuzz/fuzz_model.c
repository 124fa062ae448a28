/* Any bytes as a model file: its law, its deviations, and how its records were read, which a fixed log then is. */
#include "lab/identify.h"
#include "fuzz/folder.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static fuzz_folder model_folder;

static void make_log(void)
{
  char text[8192];
  size_t used = (size_t)snprintf(text, sizeof text, "t [s],x [m],v [m/s],F [N]\n");
  for (int i = 0; i < 200; i++) {
    const double t = 0.01 * i, x = 0.05 * sin(9 * t), v = 0.45 * cos(9 * t);
    used += (size_t)snprintf(text + used, sizeof text - used, "%.2f,%.6f,%.5f,%.3f\n", t, x, v, 5 * tanh(v / 0.01));
  }
  fuzz_write(model_folder, "log.csv", text, used);
}

static void check_sentence(bristle_fault_kind kind, const bristle_fault *fault)
{
  char sentence[1000];
  bristle_fault_text(fault, sentence, sizeof sentence);
  if (kind && (kind != fault->kind || !fault->what[0] || strpbrk(sentence, "\n\r"))) abort();
}

static void read_log(const bristle_model_reading *reading)
{
  bristle_log_options options = { .rate = 0 };
  bristle_identify_options terms = { .threads = 1 };
  bristle_campaign campaign;
  bristle_log *log;
  bristle_fault fault = { .kind = BRISTLE_FAULT_NONE };
  char path[200];
  snprintf(path, sizeof path, "%s", fuzz_path(model_folder, "log.csv"));
  const bristle_fault_kind kind = bristle_model_log(path, reading, &options, &terms, &campaign, &log, &fault);
  check_sentence(kind, &fault);
  if (!kind != (log != NULL)) abort();
  for (size_t i = 0; log && i < log->count; i++)
    if (!isfinite(log->t[i]) || !isfinite(log->v[i]) || !isfinite(log->f[i])) abort();
  bristle_log_free(log);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  bristle_fault fault = { .kind = BRISTLE_FAULT_NONE };
  bristle_friction friction;
  bristle_model_reading reading;
  double deviation[BRISTLE_LAW_SIZE];
  char path[200];
  if (!model_folder[0]) make_log();
  snprintf(path, sizeof path, "%s", fuzz_path(model_folder, size && *data == '{' ? "model.json" : "model.yaml"));
  fuzz_write(model_folder, strrchr(path, '/') + 1, data, size);
  bristle_fault_kind kind = bristle_friction_file_read(path, NULL, &friction, &fault);
  check_sentence(kind, &fault);
  if (!kind && (!friction.info || (friction.law && bristle_check(friction.law->f64, friction.p, NULL)))) abort();
  if (!kind) check_sentence(bristle_model_deviations(path, friction.info, deviation, &fault), &fault);
  kind = bristle_model_reading_read(path, &reading, &fault);
  check_sentence(kind, &fault);
  if (!kind && reading.known) read_log(&reading);
  return 0;
}
