/* A log with fewer samples, for searches that only need the way there. */
#include "fit/records/thin.h"
#include "fit/records/log.h"
#include "io/memory.h"

bristle_log *log_thinned(const bristle_log *log, size_t stride, memory **list)
{
  bristle_log *thin = memory_take(list, sizeof *thin);
  size_t room = log->count / stride + log->stretches + 1;
  if (!thin) return NULL;
  *thin = *log;
  thin->memory_list = NULL;
  thin->count = 0;
  thin->summary.rate /= (double)stride;
  thin->drop = log->drop / stride;
  thin->fresh = NULL;
  thin->filtered = 0; /* the way there does without the filter of the law's force */
  if (log->phase && !(thin->phase = memory_take(list, room))) return NULL;
  enum { CHANNELS = 9, COLUMNS = CHANNELS + BRISTLE_EXTRAS };
  double **to[COLUMNS] = { &thin->t, &thin->x,     &thin->v, &thin->a,        &thin->f,
                           &thin->n, &thin->slide, &thin->w, &thin->direction };
  const double *from[COLUMNS] = { log->t, log->x, log->v, log->a, log->f, log->n, log->slide, log->w, log->direction };
  for (size_t k = 0; k < log->extras; k++) to[CHANNELS + k] = &thin->extra[k], from[CHANNELS + k] = log->extra[k];
  thin->first = memory_take(list, sizeof *thin->first * (log->stretches + 1));
  if (!thin->first) return NULL;
  for (size_t c = 0; c < COLUMNS; c++)
    if (from[c] && !(*to[c] = memory_take(list, sizeof(double) * room))) return NULL;
  for (size_t k = 0; k < log->stretches; k++) {
    size_t begin = log->first[k], at = thin->first[k] = thin->count;
    size_t count = (log->first[k + 1] - begin + stride - 1) / stride;
    for (size_t c = 0; c < COLUMNS; c++)
      for (size_t i = 0; from[c] && i < count; i++) (*to[c])[at + i] = from[c][begin + i * stride];
    for (size_t i = 0; log->phase && i < count; i++) thin->phase[at + i] = log->phase[begin + i * stride];
    for (size_t i = at + 1; i < at + count; i++)
      thin->slide[i] = (thin->x[i] - thin->x[i - 1]) / (thin->t[i] - thin->t[i - 1]);
    thin->count += count;
  }
  thin->first[log->stretches] = thin->count;
  return thin;
}

/* samples of stretches that are long enough to be thinned like that */
static size_t samples_left(const bristle_log *const *logs, size_t count, size_t stride)
{
  size_t left = 0;
  for (size_t l = 0; l < count; l++)
    for (size_t k = 0; k < logs[l]->stretches; k++) {
      const size_t length = logs[l]->first[k + 1] - logs[l]->first[k];
      if (length >= LOG_SHORTEST * stride) left += length;
    }
  return left;
}

const bristle_log *const *logs_thinned(const bristle_log *const *logs, size_t count, size_t rows, memory **list)
{
  size_t total = 0;
  const bristle_log **thin = memory_take(list, sizeof *thin * (count + 1));
  for (size_t l = 0; l < count; l++) total += logs[l]->count;
  size_t stride = total / rows + 1;
  while (stride > 1 && 2 * samples_left(logs, count, stride) < total) stride--; /* what is left must be a fair sample */
  for (size_t l = 0; thin && l < count; l++)
    if (!(thin[l] = stride > 1 ? log_thinned(logs[l], stride, list) : logs[l])) return NULL;
  return thin;
}
