/* bristle loads: models identified at several normal loads, and how far one of them carries over. */
#include "loads.h"

#include "common/cli.h"
#include "common/model_argument.h"

#include "lab/study.h"
#include "lab/units.h"
#include "io/support.h"

#include "maths/elementary.h"

typedef struct measured {
  const char *path;
  double n;
  bristle_friction friction;
  double deviation[BRISTLE_LAW_SIZE]; /* 0: unknown */
} measured;

typedef struct request {
  const char *given[MOST_LOADS + 1], *report, *model;
  measured at[MOST_LOADS];
  int count, json;
} request;

/* ---- reading ---- */

/* `std` of the parameters that have one: plain numbers in the unit of the value */
static bristle_fault_kind read_deviations(measured *m, bristle_fault *fault)
{
  bristle_document *document;
  const bristle_node *model;
  bristle_fault_kind kind = bristle_model_document(m->path, &document, &model, fault);
  if (kind) return kind;
  const bristle_node *map = bristle_node_find(model, "parameters");
  for (const bristle_node *n = map && map->kind == BRISTLE_NODE_MAP ? map->child : NULL; n; n = n->next) {
    const bristle_row *row = bristle_param_find(m->friction.info, n->key);
    const bristle_node *std = n->kind == BRISTLE_NODE_MAP ? bristle_node_find(n, "std") : NULL;
    const bristle_node *value = std ? bristle_node_find(n, "value") : NULL;
    double deviation, as_written;
    if (!row || row->count != 1 || !std || !value || bristle_node_number(std, "1", &deviation, NULL, fault)
        || bristle_node_number(value, "1", &as_written, NULL, fault) || as_written == 0)
      continue;
    m->deviation[row->first] = fabs(deviation / as_written * m->friction.p[row->first]);
  }
  bristle_document_free(document);
  return BRISTLE_FAULT_NONE;
}

/* ---- logs ---- */

/* a measured log rather than a model */
static int is_log(const char *path)
{
  const char *end = strrchr(path, '.');
  return end && strcmp(end, ".yaml") && strcmp(end, ".yml") && strcmp(end, ".json");
}

/* The laws of the request, or the one that leads at the first load: all loads must have the same law. What it finds at
   this load, in forces. */
static bristle_fault_kind identify_at(measured *m, const char **model, bristle_fault *fault)
{
  bristle_study_request asked;
  bristle_study *study = NULL;
  bristle_study_begin(&asked);
  asked.log = &m->path, asked.logs = 1, asked.model = *model;
  bristle_fault_kind kind = bristle_study_run(&asked, &study, fault);
  if (kind) return kind;
  const bristle_identified *best = study->result[0];
  if (study->doubt[0]) {
    fault_set(fault, BRISTLE_FAULT_VALUE, "`bristle identify` says more", "no parameters from this log: %.250s",
              study->doubt);
    kind = fault_at(fault, m->path, 0, 0);
  } else {
    *model = best->law->name;
    m->friction = (bristle_friction){ .info = best->law->f64->info, .law = best->law, .load = best->load };
    m->friction.rotary = best->rotary;
    for (int k = 0; k < m->friction.info->nparam; k++) {
      m->friction.p[k] = best->p[k];
      if (best->estimate[k].free) m->deviation[k] = best->estimate[k].deviation;
    }
    fprintf(stderr, "%s: %s, missed by %.3g %s rms\n", m->path, best->law->name, best->rms,
            bristle_force_unit(best->rotary));
  }
  bristle_study_free(study);
  return kind;
}

/* "50 N=low.yaml" or "50 N=low.csv" */
static bristle_fault_kind read_argument(const char *argument, const char **model, measured *m, bristle_fault *fault)
{
  const char *equals = strchr(argument, '=');
  const size_t length = (size_t)(equals - argument);
  bristle_fault_kind kind = bristle_quantity_read(argument, length, "N", &m->n, NULL, fault);
  if (kind) {
    snprintf(fault->file, sizeof fault->file, "%.200s", argument);
    return kind;
  }
  m->path = equals + 1;
  if (is_log(m->path)) return identify_at(m, model, fault);
  kind = model_argument_read(m->path, NULL, &m->friction, fault);
  return kind ? kind : read_deviations(m, fault);
}

/* ---- the answer ---- */

static void judge(const request *q, const bristle_row *row, loads_column *c)
{
  int known = 1;
  bristle_fault fault;
  *c = (loads_column){ .row = row, .constant = 1 };
  for (int i = 0; i < q->count; i++) {
    c->n[i] = q->at[i].n;
    c->value[i] = q->at[i].friction.p[row->first];
    c->deviation[i] = q->at[i].deviation[row->first];
    known &= c->deviation[i] > 0;
    c->constant &= c->value[i] == c->value[0];
  }
  c->series = (bristle_load_series){ row->name, (size_t)q->count, c->n, c->value, known ? c->deviation : NULL };
  /* a parameter that is 0 somewhere has no rule; the others still have */
  if (!c->constant && bristle_load_law_find(&c->series, &c->law, &fault))
    snprintf(c->fault, sizeof c->fault, "%.199s", fault.what);
}

static void print_json(const loads_answer *a)
{
  bristle_json_print(stdout, "{\n  'law': %s,\n  'parameters': [", a->info->name);
  for (int k = 0, written = 0; k < a->count; k++) {
    const loads_column *c = &a->column[k];
    if (c->constant || c->fault[0]) continue;
    bristle_json_print(stdout,
                       "%c\n    {'name': %s, 'rule': %s, 'exponent': %g, 'exponent_deviation': %g, "
                       "'unchanged_error': %g, 'scaled_error': %g, 'best_error': %g}",
                       written++ ? ',' : 0, c->row->name, bristle_load_rule_text(c->law.best), c->law.exponent,
                       c->law.exponent_deviation, c->law.unchanged_error, c->law.scaled_error, c->law.best_error);
  }
  printf("\n  ]\n}\n");
}

static void print_text(const loads_answer *a)
{
  char text[400];
  int differing = 0;
  for (int k = 0; k < a->count; k++) {
    const loads_column *c = &a->column[k];
    if (c->constant) continue;
    differing++;
    if (!c->fault[0]) bristle_load_law_text(&c->series, &c->law, text, sizeof text);
    if (c->fault[0]) printf("%s: %s.\n", c->row->name, c->fault);
    else printf("%s\n", text);
  }
  if (!differing) printf("No parameter differs between these models.\n");
}

static int answer(const request *q)
{
  loads_answer *a = calloc(1, sizeof *a);
  if (!a) return no_memory();
  a->info = q->at[0].friction.info, a->rotary = q->at[0].friction.rotary;
  for (int i = 0; i < a->info->param_rows; i++)
    if (a->info->param[i].count == 1 && a->info->param[i].kind != BRISTLE_ROW_OPTION)
      judge(q, &a->info->param[i], &a->column[a->count++]);
  const int code = q->report ? loads_report(a, q->report) : DONE;
  if (!code && q->json) print_json(a);
  else if (!code) print_text(a);
  if (!code && !q->json) tell_written(stdout, q->report);
  free(a);
  return code ? code : finish_output(stdout);
}

static int check_models(const request *q)
{
  for (int i = 1; i < q->count; i++) {
    for (int k = 0; k < i; k++)
      if (!strcmp(q->at[i].path, q->at[k].path))
        return usage_error("%s is given twice: it would count twice", q->at[i].path);
    if (q->at[i].friction.info != q->at[0].friction.info)
      return usage_error("the models are of different laws, %s and %s", q->at[0].friction.info->name,
                         q->at[i].friction.info->name);
    if (q->at[i].friction.load != BRISTLE_LOAD_FORCE || q->at[0].friction.load != BRISTLE_LOAD_FORCE)
      return usage_error("the models must have forces for parameters (load: force), one file for each load");
  }
  return DONE;
}

static int check(void *asked)
{
  const request *q = asked;
  for (int k = 0; q->given[k]; k++)
    if (!strchr(q->given[k], '=')) return usage_error("'%s': give the load too, '50 N=%s'", q->given[k], q->given[k]);
  return q->given[1] ? DONE : usage_error("give models of two loads or more: '50 N=low.yaml' '100 N=high.yaml'");
}

static int run(void *asked)
{
  request *q = asked;
  bristle_fault fault;
  for (; q->given[q->count]; q->count++)
    if (read_argument(q->given[q->count], &q->model, &q->at[q->count], &fault)) return fault_exit(&fault);
  const int code = check_models(q);
  return code ? code : answer(q);
}

static const option options[] = { { "--model", "LAW", OPTION_TEXT, IN(request, model),
                                    .help = "the law to fit to logs; by default the one that leads at the first load" },
                                  OPTION_REPORT(request, "a page with each parameter against the load"),
                                  OPTION_JSON(request, "full result as JSON"),
                                  OPTIONS_END };

const verb verb_loads = {
  .name = "loads",
  .summary = "how parameters depend on the normal load, and how far they can be extrapolated",
  .about = "Takes models of one law that were identified at different normal loads, or the logs themselves. For each "
           "parameter it finds the rule that the values follow (constant, proportional, a power of the load, or a "
           "straight line): the simplest that predicts each value from the others. It also says how wrong a value "
           "from one load is at another, unchanged and scaled with the load.",
  .argument = { "N=MODEL.yaml|N=LOG.csv", NULL, OPTION_FILE, IN(request, given),
                .help = "the load and the model file, '50 N=low.yaml', or a log that is identified first, '50 "
                        "N=low.csv'; values "
                        "with `std` count by their accuracy",
                .most = MOST_LOADS, .noun = "loads" },
  .options = options,
  .examples = "bristle loads '50 N=examples/loads/50.yaml' '100 N=examples/loads/100.yaml' "
              "'200 N=examples/loads/200.yaml'\n",
  .request = sizeof(request),
  .check = check,
  .run = run,
};
