/* Identifications as runs of a sweep: one law fitted to a log, with options that are keys, and noise that is added. */
#include "sweep/sweep.h"

#include "lab/identify.h"
#include "maths/counter.h"
#include "maths/elementary.h"

#include <stddef.h>
#include <stdlib.h>

enum { LOGS = 64, NOISE = 0x40000000 }; /* draws of keys stay below it */

/* the logs of a spec, read once; runs only look at them */
struct sweep_logs {
  int count, rotary;
  const char *name[LOGS];
  bristle_table *table[LOGS];
};

/* what a run is asked to do, from its tree */
typedef struct request {
  const bristle_table *table;
  const bristle_law *law;
  bristle_log_options reading;
  bristle_identify_options fitting;
  const bristle_node *noise, *factor; /* of columns; or NULL */
} request;

/* ---- the logs ---- */

static bristle_fault_kind add_log(bristle_sweep *s, const bristle_node *node, bristle_fault *fault)
{
  struct sweep_logs *logs = s->inside->logs;
  const char *name;
  bristle_fault_kind kind = bristle_node_text(node, &name, fault);
  if (!kind && logs->count == LOGS) kind = bristle_node_fault(node, fault, NULL, "more than %d logs", LOGS);
  char *path = kind ? NULL : path_beside(node, name);
  if (!kind && !path) kind = fault_memory(fault);
  if (!kind) kind = bristle_table_read(path, &logs->table[logs->count], fault);
  if (!kind) logs->name[logs->count++] = name;
  free(path);
  return kind;
}

bristle_fault_kind sweep_logs_open(bristle_sweep *s, const bristle_node *root, bristle_fault *fault)
{
  const bristle_node *map = bristle_node_find(root, "identification"), *keys = bristle_node_find(root, "keys");
  const bristle_node *file = bristle_node_find(map, "file"), *files = keys ? bristle_node_find(keys, "file") : NULL;
  bristle_fault_kind kind = bristle_node_expect(map, BRISTLE_NODE_MAP, fault);
  if (kind) return kind;
  if (!(s->inside->logs = memory_take(&s->inside->list, sizeof *s->inside->logs))) return fault_memory(fault);
  if (!file && !files) return bristle_node_need(map, "file", "file: LOG.csv", &file, fault);
  if (files) kind = bristle_node_expect(files, BRISTLE_NODE_LIST, fault);
  if (!kind && file) kind = add_log(s, file, fault);
  for (const bristle_node *n = files ? files->child : NULL; n && !kind; n = n->next) kind = add_log(s, n, fault);
  return kind;
}

void sweep_logs_close(struct sweep_logs *logs)
{
  for (int i = 0; logs && i < logs->count; i++) bristle_table_free(logs->table[i]);
}

/* ---- what is asked ---- */

static bristle_fault_kind read_quantity(const bristle_node *map, const char *key, const char *unit, double *value,
                                        bristle_fault *fault)
{
  const bristle_node *node = bristle_node_find(map, key);
  return node ? bristle_node_number(node, unit, value, NULL, fault) : BRISTLE_FAULT_NONE;
}

static bristle_fault_kind read_names(const struct sweep_logs *logs, const bristle_node *map, request *r,
                                     bristle_fault *fault)
{
  const bristle_node *file, *model;
  const char *name = NULL;
  bristle_fault_kind kind = bristle_node_need(map, "file", "file: LOG.csv", &file, fault);
  if (!kind) kind = bristle_node_text(file, &name, fault);
  for (int i = 0; i < logs->count && !kind; i++)
    if (!strcmp(logs->name[i], name)) r->table = logs->table[i];
  if (!kind && !r->table) kind = bristle_node_fault(file, fault, NULL, "'%.80s' is none of the logs", name);
  if (!kind) kind = bristle_node_need(map, "model", "model: stribeck", &model, fault);
  if (!kind) kind = bristle_node_text(model, &name, fault);
  if (!kind && !(r->law = bristle_law_find(name))) {
    char hint[80];
    snprintf(hint, sizeof hint, "did you mean '%s'?", bristle_law_nearest(name));
    kind = bristle_node_fault(model, fault, hint, "there is no law '%.40s'", name);
  }
  return kind;
}

/* free, none, or a number */
static bristle_fault_kind read_term(const bristle_node *map, int term, bristle_identify_options *o,
                                    bristle_fault *fault)
{
  const bristle_node *node = bristle_node_find(map, bristle_term_name(term));
  const char *unit = term == BRISTLE_TERM_MASS ? "kg|kg*m^2" : "N|N*m";
  if (!node) return BRISTLE_FAULT_NONE;
  const int word = node->kind == BRISTLE_NODE_SCALAR ? word_find("none|free", node->text, strlen(node->text)) : -1;
  o->term[term] = word < 0 ? BRISTLE_TERM_GIVEN : word ? BRISTLE_TERM_FREE : BRISTLE_TERM_NONE;
  return word < 0 ? bristle_node_number(node, unit, &o->term_value[term], NULL, fault) : BRISTLE_FAULT_NONE;
}

static bristle_fault_kind read_cutoff(const bristle_node *map, double *cutoff, bristle_fault *fault)
{
  const bristle_node *node = bristle_node_find(map, "cutoff");
  if (!node) return BRISTLE_FAULT_NONE;
  if (node->kind == BRISTLE_NODE_SCALAR && !strcmp(node->text, "none")) {
    *cutoff = -1;
    return BRISTLE_FAULT_NONE;
  }
  const bristle_fault_kind kind = bristle_node_number(node, "Hz", cutoff, NULL, fault);
  if (!kind && !(*cutoff > 0)) return bristle_node_fault(node, fault, NULL, "expected a cut-off above zero, or none");
  return kind;
}

static bristle_fault_kind read_objective(const bristle_node *map, bristle_objective *objective, bristle_fault *fault)
{
  const bristle_node *node = bristle_node_find(map, "objective");
  const char *name = "";
  bristle_fault_kind kind = node ? bristle_node_text(node, &name, fault) : BRISTLE_FAULT_NONE;
  for (int i = 0; node && !kind && bristle_objective_name(i); i++)
    if (!strcmp(bristle_objective_name(i), name)) {
      *objective = (bristle_objective)i;
      return kind;
    }
  return kind || !node ? kind
                       : bristle_node_fault(node, fault, "absolute, relative or robust", "no objective '%.40s'", name);
}

static bristle_fault_kind read_request(const bristle_sweep *s, const bristle_node *map, request *r,
                                       bristle_fault *fault)
{
  static const char *const channels[] = { "time", "position", "velocity", "acceleration", "force", "load" };
  bristle_fault_kind kind = bristle_node_allow(
      map,
      "file|model|cutoff|mass|offset|delay|rate|from|to|time|position|velocity|acceleration|force|load|objective|"
      "noise|factor|repeat",
      fault);
  *r = (request){ .noise = bristle_node_find(map, "noise"), .factor = bristle_node_find(map, "factor") };
  r->fitting = (bristle_identify_options){ .threads = 1, .folds = s->inside->needs_folds ? 0 : -1 };
  r->fitting.term[BRISTLE_TERM_OFFSET] = BRISTLE_TERM_FREE;
  r->fitting.term[BRISTLE_TERM_GRAVITY] = r->fitting.term[BRISTLE_TERM_GRAVITY_COSINE] = BRISTLE_TERM_CHOOSE;
  if (!kind) kind = read_names(s->inside->logs, map, r, fault);
  if (!kind) kind = read_cutoff(map, &r->reading.cutoff, fault);
  if (!kind) kind = read_term(map, BRISTLE_TERM_MASS, &r->fitting, fault);
  if (!kind) kind = read_term(map, BRISTLE_TERM_OFFSET, &r->fitting, fault);
  if (!kind) kind = read_quantity(map, "delay", "s", &r->reading.delay, fault);
  if (!kind) kind = read_quantity(map, "rate", "Hz", &r->reading.rate, fault);
  if (!kind) kind = read_quantity(map, "from", "s", &r->reading.from, fault);
  if (!kind) kind = read_quantity(map, "to", "s", &r->reading.to, fault);
  if (!kind) kind = read_objective(map, &r->fitting.objective, fault);
  for (int c = 0; c < (int)(sizeof channels / sizeof *channels) && !kind; c++) {
    const bristle_node *node = bristle_node_find(map, channels[c]);
    if (node) kind = bristle_node_text(node, &r->reading.column[c], fault);
  }
  r->reading.keep_delay = 1;
  r->reading.inverse = r->fitting.term[BRISTLE_TERM_MASS] != BRISTLE_TERM_NONE;
  if (r->law) r->reading.acceleration = (r->law->f64->info->traits & BRISTLE_TRAIT_ACCELERATION) != 0;
  return kind;
}

/* ---- columns that are changed ---- */

struct sweep_asked {
  request request;
  bristle_table table; /* as changed */
  bristle_column *column;
  memory *list;
};

/* The column of this name, with numbers of its own that may be changed. */
static bristle_fault_kind own_column(sweep_asked *c, const bristle_node *node, bristle_column **column,
                                     bristle_fault *fault)
{
  const bristle_column *found = NULL;
  for (size_t i = 0; i < c->table.columns && !found; i++)
    if (!strcmp(c->column[i].name, node->key) || !strcmp(c->column[i].header, node->key)) found = &c->column[i];
  if (!found)
    return bristle_node_fault(node, fault, "name a column of the log, without its unit",
                              "the log has no column '%.40s'", node->key);
  *column = &c->column[found - c->column];
  double *own = memory_take(&c->list, sizeof *own * (c->table.rows + 1));
  if (!own) return fault_memory(fault);
  memcpy(own, found->data, sizeof *own * c->table.rows);
  (*column)->data = own;
  return BRISTLE_FAULT_NONE;
}

/* noise of every sample by its place alone: of the run, of the row, of the column */
static void add_noise(const bristle_sweep *s, unsigned long long run, size_t which, double size, bristle_column *column,
                      size_t rows)
{
  for (size_t i = 0; i < rows; i++)
    column->data[i] += size * normal_quantile(counter_part(s->seed, run, NOISE + (uint32_t)which, (uint32_t)i));
}

static bristle_fault_kind change_columns(const bristle_sweep *s, unsigned long long run, sweep_asked *c,
                                         bristle_fault *fault)
{
  const request *r = &c->request;
  const bristle_node *const maps[2] = { r->factor, r->noise };
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  c->table = *r->table;
  c->column = c->table.column = memory_take(&c->list, sizeof *c->column * (c->table.columns + 1));
  if (!c->column) return fault_memory(fault);
  memcpy(c->column, r->table->column, sizeof *c->column * c->table.columns);
  for (int m = 0; m < 2 && !kind; m++) {
    if (maps[m]) kind = bristle_node_expect(maps[m], BRISTLE_NODE_MAP, fault);
    for (const bristle_node *n = maps[m] && !kind ? maps[m]->child : NULL; n && !kind; n = n->next) {
      bristle_column *column = NULL;
      double value;
      kind = own_column(c, n, &column, fault);
      if (kind) break;
      const char *unit = m && column->origin != BRISTLE_UNIT_ORIGIN_NONE ? column->unit : "1";
      kind = bristle_node_number(n, unit, &value, NULL, fault);
      if (!kind && m && value < 0) kind = bristle_node_fault(n, fault, NULL, "noise cannot be negative");
      if (!kind && m) add_noise(s, run, (size_t)(column - c->column), value, column, c->table.rows);
      for (size_t i = 0; i < c->table.rows && !kind && !m; i++) column->data[i] *= value;
    }
  }
  return kind;
}

/* ---- quantities ---- */

static const struct {
  const char *name, *unit;
  size_t offset;
} fitted[] = {
  { "error", "", offsetof(bristle_identified, relative) },     { "rms", "N", offsetof(bristle_identified, rms) },
  { "held_out", "N", offsetof(bristle_identified, held_out) }, { "bic", "", offsetof(bristle_identified, bic) },
  { "noise", "N", offsetof(bristle_identified, noise) },
};

/* the unit of a parameter or term; nonzero: no law of the sweep has it */
static int unit_of(const bristle_sweep *s, const char *name, size_t length, char unit[32])
{
  const int rotary = s->inside->logs->rotary;
  for (int t = 0; t < BRISTLE_TERM_EXTRA; t++)
    if (strlen(bristle_term_name(t)) == length && !strncmp(bristle_term_name(t), name, length)) {
      snprintf(unit, 32, "%s", bristle_term_unit(t, rotary));
      return 0;
    }
  for (int k = 0; k < bristle_law_count(); k++) {
    const bristle_info *info = bristle_law_at(k)->f64->info;
    for (int i = 0; i < info->param_rows; i++) {
      const size_t plain = strlen(info->param[i].name);
      const int is_it = plain == length || (plain < length && info->param[i].count > 1 && name[plain] == '[');
      if (!is_it || strncmp(info->param[i].name, name, plain)) continue;
      bristle_unit(&info->param[i], BRISTLE_LOAD_FORCE, rotary, unit, 32);
      return 0;
    }
  }
  return 1;
}

bristle_fault_kind sweep_fitted_quantity(bristle_sweep *s, const bristle_node *node, const char *name, char unit[32],
                                         sweep_quantity *q, bristle_fault *fault)
{
  static const char deviation[] = ".std";
  const size_t length = strlen(name), tail = sizeof deviation - 1;
  const int is_deviation = length > tail && !strcmp(name + length - tail, deviation);
  *q = (sweep_quantity){ .measure = is_deviation ? MEASURE_DEVIATION : MEASURE_ESTIMATE, .event = -1 };
  for (size_t i = 0; i < sizeof fitted / sizeof *fitted; i++)
    if (!strcmp(fitted[i].name, name)) {
      *q = (sweep_quantity){ .measure = MEASURE_FIT, .event = -1, .offset = fitted[i].offset };
      snprintf(unit, 32, "%s", s->inside->logs->rotary && fitted[i].unit[0] ? "N*m" : fitted[i].unit);
      s->inside->needs_folds |= fitted[i].offset == offsetof(bristle_identified, held_out);
      return BRISTLE_FAULT_NONE;
    }
  if (!strcmp(name, "cutoff")) {
    q->measure = MEASURE_CUTOFF;
    snprintf(unit, 32, "Hz");
    return BRISTLE_FAULT_NONE;
  }
  snprintf(q->column, sizeof q->column, "%.*s", (int)(is_deviation ? length - tail : length), name);
  if (length - (is_deviation ? tail : 0) >= sizeof q->column || unit_of(s, q->column, strlen(q->column), unit))
    return bristle_node_fault(node, fault,
                              "there are the parameters of the laws, mass, offset, gravity, the same with .std, and "
                              "error, rms, held_out, bic, noise, cutoff",
                              "there is no quantity '%.40s' of an identification", name);
  return BRISTLE_FAULT_NONE;
}

static void measure(const bristle_sweep *s, const bristle_identified *r, double cutoff, double *row)
{
  const struct sweep_inside *in = s->inside;
  for (int i = 0; i < in->quantities; i++) {
    const sweep_quantity *q = &in->quantity[i];
    if (q->measure == MEASURE_FIT) row[i] = *(const double *)((const char *)r + q->offset);
    else if (q->measure == MEASURE_CUTOFF) row[i] = cutoff;
    for (int k = 0; k < r->estimates && (q->measure == MEASURE_ESTIMATE || q->measure == MEASURE_DEVIATION); k++)
      if (r->estimate[k].free && !strcmp(r->estimate[k].name, q->column))
        row[i] = q->measure == MEASURE_ESTIMATE ? r->estimate[k].value : r->estimate[k].deviation;
  }
}

/* ---- runs ---- */

void sweep_asked_free(sweep_asked *asked)
{
  if (asked) memory_free(asked->list);
  free(asked);
}

bristle_fault_kind sweep_ask(const bristle_sweep *s, const bristle_node *map, unsigned long long run,
                             sweep_asked **asked, bristle_fault *fault)
{
  *asked = NULL;
  sweep_asked *made = calloc(1, sizeof *made);
  if (!made) return fault_memory(fault);
  bristle_fault_kind kind = read_request(s, map, &made->request, fault);
  if (!kind) kind = change_columns(s, run, made, fault);
  if (kind) sweep_asked_free(made);
  else *asked = made;
  return kind;
}

bristle_fault_kind sweep_logs_look(bristle_sweep *s, const sweep_asked *asked, bristle_fault *fault)
{
  bristle_log *log;
  const bristle_fault_kind kind = bristle_log_from_table(&asked->table, &asked->request.reading, &log, fault);
  if (!kind) s->inside->logs->rotary = log->rotary;
  if (!kind) bristle_log_free(log);
  return kind;
}

bristle_fault_kind sweep_identify(const bristle_sweep *s, const sweep_asked *asked, double *row, bristle_fault *fault)
{
  const request *r = &asked->request;
  bristle_identify_options fitting = r->fitting;
  bristle_campaign campaign;
  bristle_identified *result = NULL;
  bristle_log *log;
  bristle_fault_kind kind = bristle_log_from_table(&asked->table, &r->reading, &log, fault);
  if (kind) return kind;
  kind = bristle_campaign_prepare(&log, 1, 1, &r->reading, &fitting, &campaign, fault);
  if (!kind) kind = bristle_identify(r->law, (const bristle_log *const *)&log, 1, NULL, &fitting, &result, fault);
  if (!kind) measure(s, result, campaign.cutoff, row);
  bristle_identified_free(result);
  bristle_log_free(log);
  return kind;
}
