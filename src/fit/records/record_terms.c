/* Terms that the user brings: "inertia12=ddq2*cos(q1-q2)". They are made of columns of the file, or of the channels,
   and of their derivatives, which the filter of the campaign makes again. */
#include "fit/records/motion.h"
#include "fit/records/record.h"
#include "io/recognise.h"
#include "maths/elementary.h"

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

/* the position as it is taken, which is repaired like no other column */
static int is_position(const log_choice *choice, size_t place)
{
  const log_column *x = &choice->column[BRISTLE_CHANNEL_POSITION];
  return x->place == place && x->factor == 1 && x->shift == 0;
}

static int find_value(void *context, const char *name, size_t length, int order)
{
  finder *f = context;
  record_terms *terms = f->terms;
  const size_t columns = f->table ? f->table->columns : 0, place = f->table ? place_of(f->table, name, length) : 0;
  if (place == columns) {
    int channel = channel_of(name, length, &order);
    if (channel < 0 || order > 2) return -1;
    if (channel == BRISTLE_CHANNEL_LOAD && (!f->choice || f->choice->column[channel].place == columns)) return -1;
    return value_of(terms, channel, order);
  }
  if (is_position(f->choice, place)) return value_of(terms, BRISTLE_CHANNEL_POSITION, order);
  int source = 0;
  while (source < terms->sources && terms->source[source] != place) source++;
  if (source == RECORD_SOURCES) {
    f->full = 1;
    return -1;
  }
  if (source == terms->sources) terms->source[terms->sources++] = place;
  return value_of(terms, BRISTLE_CHANNELS + source, order);
}

static int is_word(const char *text, size_t length)
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  return length && strspn(text, letters) >= length && !(*text >= '0' && *text <= '9');
}

/* Names go into files and tables: they are words, and none that is taken. */
static bristle_fault_kind check_name(const char *text, size_t length, bristle_fault *fault)
{
  if (length > 31 || !is_word(text, length))
    return fault_set(fault, BRISTLE_FAULT_VALUE, "write NAME=EXPRESSION: 'inertia12=ddq2*cos(q1-q2)', 'pull=#4'",
                     "a term is called '%.*s', expected a word of letters, digits and _", (int)length, text);
  for (int t = 0; t < BRISTLE_TERM_EXTRA; t++)
    if (same_name(bristle_term_name(t), text, length))
      return fault_set(fault, BRISTLE_FAULT_VALUE, "give it another name", "the term name '%s' is already used",
                       bristle_term_name(t));
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind add_term(bristle_log *log, finder *f, const char *text, bristle_fault *fault)
{
  const size_t k = log->extras;
  const char *equals = strchr(text, '='), *times = equals ? equals + 1 : text;
  const size_t length = equals ? (size_t)(equals - text) : strlen(text);
  bristle_fault_kind kind = check_name(text, length, fault);
  if (!kind && strlen(times) >= sizeof *log->extra_text)
    kind = fault_set(fault, BRISTLE_FAULT_VALUE, "store part of it in a column of the log",
                     "the term '%.*s' is too long", (int)length, text);
  if (!kind) kind = expression_read(times, find_value, f, &log->terms->program[k], fault);
  if (f->full) kind = fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "terms of more than %d columns", RECORD_SOURCES);
  if (kind) return fault_at(fault, log->file, 0, 0);
  snprintf(log->extra_name[k], sizeof log->extra_name[k], "%.*s", (int)length, text);
  snprintf(log->extra_text[k], sizeof log->extra_text[k], "%s", times);
  log->extras++;
  return kind;
}

/* ---- loads that are carried ---- */

/* the last number in a name: which axis of several a column belongs to; -1: it does not say */
static int axis_of(const char *name)
{
  int axis = -1, inside = 0;
  for (; *name; name++) {
    const int digit = *name >= '0' && *name <= '9';
    if (digit) axis = (inside && axis < 1000 ? 10 * axis : 0) + (*name - '0');
    inside = digit;
  }
  return axis;
}

/* A column that says of which axis it is, while force and position are of another one. */
static int is_of_another_axis(const bristle_table *table, const log_choice *choice, size_t place)
{
  static const int telling[] = { BRISTLE_CHANNEL_FORCE, BRISTLE_CHANNEL_POSITION, BRISTLE_CHANNEL_VELOCITY };
  const int axis = axis_of(table->column[place].name);
  int told = 0;
  for (int k = 0; k < 3 && axis >= 0; k++) {
    const size_t own = choice->column[telling[k]].place;
    const int here = own < table->columns ? axis_of(table->column[own].name) : -1;
    if (here == axis) return 0;
    told |= here >= 0;
  }
  return told;
}

/* A force or torque beside the one that is fitted, as measured, without holes, growing and falling. It must be called
   what a drive carries or is pressed by: any other may be that of the next drive, which feels the same motion, explains
   a part of the force by that and takes the friction with it. */
static int may_be_load(const bristle_table *table, const log_choice *choice, size_t place)
{
  static const char carried[] = "load|clamp|output|extern|brake|transmitted|shaft|dyno|tension";
  static const char never[] = "reference|target|set|goal|desired|command|control|error|friction|model|estimate|limit|"
                              "pulse|normal|feed|cmd|_ref|noise|std";
  const bristle_column *column = &table->column[place];
  bristle_fault ignored;
  for (int c = 0; c < BRISTLE_CHANNELS; c++)
    if (choice->column[c].place == place) return 0;
  if (!column_has_word(column->name, carried) || column_has_word(column->name, never)) return 0;
  if (column->gaps || column->strange || strlen(column->name) > 40) return 0;
  if (is_of_another_axis(table, choice, place)) return 0;
  if (column->origin == BRISTLE_UNIT_ORIGIN_NONE) {
    if (!column_has_word(column->name, "torque|force|load|effort|tau")) return 0;
  } else if (column->origin == BRISTLE_UNIT_ORIGIN_UNKNOWN
             || unit_fits(&column->scale, column->unit, bristle_force_unit(choice->rotary), NULL, &ignored))
    return 0;
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (size_t i = 0; i < table->rows; i++) low = fmin(low, column->data[i]), high = fmax(high, column->data[i]);
  return high > low;
}

/* Each may be a part of the force, and make friction of its own. */
static bristle_fault_kind try_loads(bristle_log *log, finder *f, bristle_fault *fault)
{
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  if (column_has_word(log->column[BRISTLE_CHANNEL_FORCE], "friction")) return kind; /* the loads are off it already */
  for (size_t place = 0, found = 0; place < f->table->columns && log->extras + 2 <= BRISTLE_EXTRAS && !kind; place++) {
    char text[160], number[8] = "";
    const char *name = f->table->column[place].name, *quote = is_word(name, strlen(name)) ? "" : "`";
    if (!may_be_load(f->table, f->choice, place)) continue;
    if (found++) snprintf(number, sizeof number, "%zu", found);
    snprintf(text, sizeof text, "load%s=%s%s%s", number, quote, name, quote);
    kind = add_term(log, f, text, fault);
    snprintf(text, sizeof text, "load%s_friction=sign(v)*abs(%s%s%s)", number, quote, name, quote);
    if (!kind) kind = add_term(log, f, text, fault);
    log->tried += 2;
  }
  return kind;
}

bristle_fault_kind record_terms_read(record *r, const bristle_table *table, const log_choice *choice,
                                     const bristle_log_options *options, bristle_fault *fault)
{
  bristle_log *log = r->log;
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  if (!options->term[0] && !options->loads) return kind;
  log->terms = memory_take(&log->memory_list, sizeof *log->terms);
  if (!log->terms) return fault_memory(fault);
  finder f = { table, choice, log->terms, 0 };
  for (int k = 0; k < BRISTLE_EXTRAS && options->term[k] && !kind; k++)
    kind = add_term(log, &f, options->term[k], fault);
  return kind || log->extras ? kind : try_loads(log, &f, fault);
}

bristle_fault_kind log_extra_add(bristle_log *log, const char *text, bristle_fault *fault)
{
  finder f = { .terms = log->terms };
  if (!f.terms) f.terms = log->terms = memory_take(&log->memory_list, sizeof *log->terms);
  if (!f.terms) return fault_memory(fault);
  return add_term(log, &f, text, fault);
}

/* ---- making ---- */

/* A value of the programs, as it was measured and behind the filter; derivatives have the latter alone. */
typedef struct ingredient {
  const double *raw, *smooth;
  double *own; /* what of it is ours */
} ingredient;

/* of the motion, which is made already, but perhaps for its second derivative */
static bristle_fault_kind take_motion(const bristle_log *log, const log_motion *of, int order, ingredient *to,
                                      bristle_fault *fault)
{
  const double *const made[] = { of->x, of->v, of->a };
  const double *measured = log->raw[BRISTLE_CHANNEL_POSITION];
  to->smooth = made[order];
  to->raw = order == 0 && measured ? measured : to->smooth;
  if (to->smooth) return BRISTLE_FAULT_NONE;
  if (!(to->own = malloc(sizeof *to->own * (log->count + 1)))) return fault_memory(fault);
  motion_derivative(log, of->v, 1, to->own);
  to->raw = to->smooth = to->own;
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind take_column(const bristle_log *log, const log_motion *of, const double *raw, int order,
                                      ingredient *to, bristle_fault *fault)
{
  to->raw = to->smooth = raw;
  if (order == 0 && !of->filtered) return BRISTLE_FAULT_NONE;
  double *smooth = to->own = malloc(2 * sizeof *smooth * (log->count + 1));
  if (!smooth) return fault_memory(fault);
  memcpy(smooth, raw, sizeof *smooth * log->count);
  bristle_fault_kind kind = motion_filter(log, of->cutoff, smooth, fault);
  to->smooth = smooth;
  if (!order || kind) return kind;
  motion_derivative(log, smooth, order, smooth + log->count);
  to->raw = to->smooth = smooth + log->count;
  return kind;
}

/* Is the term filtered as a whole? */
static int is_filtered_late(const record_terms *terms, const expression *program)
{
  int highest = 0;
  for (int k = 0; k < program->steps; k++)
    if (program->step[k].what == 'x' && terms->value[program->step[k].place].order > highest)
      highest = terms->value[program->step[k].place].order;
  return highest == 0 || expression_jumps(program);
}

static bristle_fault_kind evaluate(const bristle_log *log, const log_motion *of, size_t k, const ingredient *value,
                                   double *out, bristle_fault *fault)
{
  const expression *program = &log->terms->program[k];
  const int late = of->filtered && is_filtered_late(log->terms, program);
  const double *column[RECORD_VALUES];
  for (int j = 0; j < log->terms->values; j++) column[j] = of->filtered && !late ? value[j].smooth : value[j].raw;
  for (size_t i = 0; i < log->count; i++) {
    out[i] = expression_value(program, column, i);
    if (isfinite(out[i])) continue;
    fault_set(fault, BRISTLE_FAULT_VALUE, "check its divisions, roots and powers",
              "the term '%s' is not finite at %g s", log->extra_name[k], log->t[i]);
    return fault_at(fault, log->file, 0, 0);
  }
  return late ? motion_filter(log, of->cutoff, out, fault) : BRISTLE_FAULT_NONE;
}

bristle_fault_kind log_extra_make(const bristle_log *log, const log_motion *of, double *const *out,
                                  bristle_fault *fault)
{
  ingredient value[RECORD_VALUES] = { 0 };
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  const record_terms *terms = log->terms;
  for (int k = 0; log->extras && k < terms->values && !kind; k++) {
    const int data = terms->value[k].data, order = terms->value[k].order;
    if (data == BRISTLE_CHANNEL_POSITION) kind = take_motion(log, of, order, &value[k], fault);
    else
      kind = take_column(log, of, data < BRISTLE_CHANNELS ? log->raw[data] : terms->data[data - BRISTLE_CHANNELS],
                         order, &value[k], fault);
  }
  for (size_t k = 0; k < log->extras && !kind; k++) kind = evaluate(log, of, k, value, out[k], fault);
  for (int k = 0; k < RECORD_VALUES; k++) free(value[k].own);
  return kind;
}

bristle_fault_kind log_extra_fill(bristle_log *log, bristle_fault *fault)
{
  const log_motion of = { log->x, log->v, log->a, log->cutoff, log->filtered };
  for (size_t k = 0; k < log->extras; k++)
    if (!(log->extra[k] = memory_take(&log->memory_list, sizeof(double) * (log->count + 1))))
      return fault_memory(fault);
  return log_extra_make(log, &of, log->extra, fault);
}
