/* Terms that the user brings: "inertia12=ddq2*cos(q1-q2)". They are made of columns of the file, or of the channels,
   and of their derivatives, which the filter of the campaign makes again. */
#include "fit/record.h"

#include <math.h>
#include <stdlib.h>

/* ---- reading ---- */

typedef struct finder {
  const bristle_table *table;
  const log_choice *choice;
  record_terms *terms;
  int full;
} finder;

static char small(char c) { return c >= 'A' && c <= 'Z' ? (char)(c | 32) : c; }

static int same_name(const char *a, const char *b, size_t length)
{
  if (strlen(a) != length) return 0;
  for (size_t i = 0; i < length; i++)
    if (length == 1 ? a[i] != b[i] : small(a[i]) != small(b[i])) return 0;
  return 1;
}

static size_t place_of(const bristle_table *table, const char *name, size_t length)
{
  size_t number = 0;
  for (size_t i = 0; i < table->columns; i++)
    if (same_name(table->column[i].name, name, length) || same_name(table->column[i].header, name, length)) return i;
  for (size_t i = 1; *name == '#' && i < length && number <= table->columns; i++)
    number = name[i] >= '0' && name[i] <= '9' ? number * 10 + (size_t)(name[i] - '0') : table->columns + 1;
  return number >= 1 && number <= table->columns ? number - 1 : table->columns;
}

/* the channel that a name stands for where no column has it, with the derivatives that are in the name */
static int channel_of(const char *name, size_t length, int *order)
{
  static const struct {
    const char *name;
    int channel, order;
  } names[] = { { "x", BRISTLE_CHANNEL_POSITION, 0 }, { "position", BRISTLE_CHANNEL_POSITION, 0 },
                { "v", BRISTLE_CHANNEL_POSITION, 1 }, { "velocity", BRISTLE_CHANNEL_POSITION, 1 },
                { "a", BRISTLE_CHANNEL_POSITION, 2 }, { "acceleration", BRISTLE_CHANNEL_POSITION, 2 },
                { "load", BRISTLE_CHANNEL_LOAD, 0 } };
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (same_name(names[k].name, name, length)) {
      *order += names[k].order;
      return names[k].channel;
    }
  return -1;
}

/* a value that the programs use: the same column with the same order once */
static int value_of(record_terms *terms, int data, int order)
{
  for (int k = 0; k < terms->values; k++)
    if (terms->value[k].data == data && terms->value[k].order == order) return k;
  if (terms->values == RECORD_VALUES) return -1;
  terms->value[terms->values].data = data, terms->value[terms->values].order = order;
  return terms->values++;
}

static int find_value(void *context, const char *name, size_t length, int order)
{
  finder *f = context;
  record_terms *terms = f->terms;
  const size_t place = place_of(f->table, name, length);
  if (place == f->table->columns) {
    int channel = channel_of(name, length, &order);
    if (channel < 0 || order > 2 || f->choice->column[channel].place == f->table->columns) return -1;
    return value_of(terms, channel, order);
  }
  int source = 0;
  while (source < terms->sources && terms->source[source] != place) source++;
  if (source == RECORD_SOURCES) {
    f->full = 1;
    return -1;
  }
  if (source == terms->sources) terms->source[terms->sources++] = place;
  return value_of(terms, BRISTLE_CHANNELS + source, order);
}

bristle_fault_kind record_terms_read(record *r, const bristle_table *table, const log_choice *choice,
                                     const bristle_log_options *options, bristle_fault *fault)
{
  bristle_log *log = r->log;
  if (!options->term[0]) return BRISTLE_FAULT_NONE;
  log->terms = memory_take(&log->memory_list, sizeof *log->terms);
  if (!log->terms) return fault_set(fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory for the record");
  finder f = { table, choice, log->terms, 0 };
  for (int k = 0; k < BRISTLE_EXTRAS && options->term[k]; k++) {
    const char *text = options->term[k], *equals = strchr(text, '=');
    const size_t length = equals ? (size_t)(equals - text) : strlen(text);
    snprintf(log->extra_name[k], sizeof log->extra_name[k], "%.*s", (int)length, text);
    bristle_fault_kind kind = expression_read(equals ? equals + 1 : text, find_value, &f, &log->terms->program[k],
                                              fault);
    if (f.full) kind = fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "terms of more than %d columns", RECORD_SOURCES);
    if (kind) return fault_at(fault, log->file, 0, 0);
    log->extras++;
  }
  return BRISTLE_FAULT_NONE;
}

/* ---- making ---- */

/* as measured: plain differences */
static bristle_fault_kind differences(void *context, const bristle_log *log, const double *raw, int order, double *out,
                                      bristle_fault *fault)
{
  (void)context;
  memcpy(out, raw, sizeof *out * log->count);
  double *from = order ? malloc(sizeof *from * (log->count + 1)) : NULL;
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  if (order && !from) return fault_set(fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory for the record");
  for (int k = 0; k < order && !kind; k++) {
    memcpy(from, out, sizeof *out * log->count);
    for (size_t s = 0; s < log->stretches && !kind; s++)
      kind = bristle_differentiate(NULL, 1 / log->summary.rate, from + log->first[s], log->first[s + 1] - log->first[s],
                                   out + log->first[s], fault);
  }
  free(from);
  return kind;
}

static bristle_fault_kind evaluate(bristle_log *log, size_t k, const double *const *value, bristle_fault *fault)
{
  for (size_t i = 0; i < log->count; i++) {
    log->extra[k][i] = expression_value(&log->terms->program[k], value, i);
    if (isfinite(log->extra[k][i])) continue;
    fault_set(fault, BRISTLE_FAULT_VALUE, "look at its divisions, roots and powers",
              "the term '%s' is no finite number at %g s", log->extra_name[k], log->t[i]);
    return fault_at(fault, log->file, 0, 0);
  }
  return BRISTLE_FAULT_NONE;
}

bristle_fault_kind log_extra_fill(bristle_log *log, log_smoother smooth, void *context, bristle_fault *fault)
{
  double *value[RECORD_VALUES] = { 0 };
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  record_terms *terms = log->terms;
  if (!log->extras) return kind;
  for (int k = 0; k < terms->values && !kind; k++) {
    const int data = terms->value[k].data;
    const double *raw = data < BRISTLE_CHANNELS ? log->raw[data] : terms->data[data - BRISTLE_CHANNELS];
    value[k] = malloc(sizeof(double) * (log->count + 1));
    if (!value[k]) kind = fault_set(fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory for the record");
    else kind = (smooth ? smooth : differences)(context, log, raw, terms->value[k].order, value[k], fault);
  }
  for (size_t k = 0; k < log->extras && !kind; k++) {
    if (!log->extra[k]) log->extra[k] = memory_take(&log->memory_list, sizeof(double) * (log->count + 1));
    if (!log->extra[k]) kind = fault_set(fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory for the record");
    else kind = evaluate(log, k, (const double *const *)value, fault);
  }
  for (int k = 0; k < RECORD_VALUES; k++) free(value[k]);
  return kind;
}
