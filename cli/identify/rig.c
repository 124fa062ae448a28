/* bristle identify --rig: the arguments and the fits. */
#include "rig.h"

#include "common/cli.h"
#include "common/progress.h"

#include "bristle/scenario.h"

#include <math.h>

/* ---- arguments ---- */

/* "mass", "mass=0.5..2" */
static int read_free(identification *id, const char *value)
{
  bristle_range *range = &id->rigging.ranges[id->rigging.frees];
  const char *equals = strchr(value, '='), *dots = equals ? strstr(equals, "..") : NULL;
  char *end;
  if (!strcmp(value, "start")) {
    id->rigging.free_start = 1;
    return DONE;
  }
  if (id->rigging.frees == IDENTIFY_FREES) return usage_error("at most %d --free", IDENTIFY_FREES);
  *range = (bristle_range){ value, (double)NAN, (double)NAN, (double)NAN };
  id->rigging.frees++;
  if (!equals) return DONE;
  if (dots) range->lo = strtod(equals + 1, &end);
  if (!dots || end != dots || end == equals + 1)
    return usage_error("--free %s: write a range as NAME=LO..HI, in the unit that the file has", value);
  range->hi = strtod(dots + 2, &end);
  if (*end || end == dots + 2 || !(range->lo < range->hi))
    return usage_error("--free %s: write a range as NAME=LO..HI, rising", value);
  *(char *)equals = '\0'; /* the text stays the caller's */
  return DONE;
}

/* a file with runs of its own is an experiment; everything else is a scenario */
static int look_at_file(const char *path, int *is_experiment)
{
  bristle_document *document;
  bristle_fault fault;
  if (bristle_document_read(path, &document, &fault)) return fault_exit(&fault);
  const bristle_node *root = bristle_document_root(document);
  *is_experiment = !bristle_node_find(root, "rig")
                   && (bristle_node_find(root, "runs") || bristle_node_find(root, "unknown"));
  bristle_document_free(document);
  return DONE;
}

int rig_check_arguments(identification *id, const identify_request *q)
{
  int code = look_at_file(id->rig, &id->rigging.experiment);
  if (code) return code;
  const struct {
    const char *given, *flag, *why;
  } others[] = { { q->input[0], q->input[0], "its file lists the runs" },
                 { q->validate, "--validate", "its file says which runs are held out" },
                 { q->free[0], "--free", "its file lists the unknowns" },
                 { q->set[0], "--set", "write it into the file" },
                 { q->compare, "--compare", "its file names the columns" } };
  for (size_t i = 0; id->rigging.experiment && i < sizeof others / sizeof *others; i++)
    if (others[i].given)
      return usage_error("%s does not go with --rig of an experiment: %s", others[i].flag, others[i].why);
  for (int k = 0; q->free[k] && !code; k++) code = read_free(id, q->free[k]);
  if (!code && !id->rigging.experiment && !q->inputs)
    return usage_error("which log? identify --rig %s LOG.csv", id->rig);
  return code;
}

/* ---- runs ---- */

static int open_motion(identification *id, const identify_request *q)
{
  bristle_fault fault;
  if (id->rigging.experiment) return bristle_experiment_open(id->rig, &id->motion, &fault) ? fault_exit(&fault) : DONE;
  for (size_t i = 0; i < q->inputs; i++) id->rigging.log[i] = q->input[i];
  if (q->validate) id->rigging.log[q->inputs] = q->validate;
  id->rigging.request = (bristle_rig_request){ .scenario = id->rig,
                                               .set = q->set,
                                               .free = id->rigging.ranges,
                                               .frees = id->rigging.frees,
                                               .free_start = id->rigging.free_start,
                                               .compare = q->compare,
                                               .reading = id->reading,
                                               .log = id->rigging.log,
                                               .logs = q->inputs + (q->validate != NULL),
                                               .held = q->validate != NULL };
  return bristle_rig_open(&id->rigging.request, &id->motion, &fault) ? fault_exit(&fault) : DONE;
}

/* what the other parts of the verb want to know of each record */
static int make_logs(identification *id)
{
  const bristle_motion *m = id->motion;
  for (size_t k = 0; k < m->count - m->held && id->logs < IDENTIFY_LOGS; k++) {
    bristle_log *log = calloc(1, sizeof *log);
    if (!log) return no_memory();
    snprintf(log->file, sizeof log->file, "%s", m->run[k].name);
    memcpy(log->digest, m->run[k].digest, sizeof log->digest);
    log->rotary = m->rotary, log->count = m->run[k].count, log->stretches = 1;
    log->summary.duration = m->run[k].t[m->run[k].count - 1] - m->run[k].t[0];
    log->summary.rate = (double)(m->run[k].count - 1) / log->summary.duration;
    id->log[id->logs++] = log;
  }
  return DONE;
}

/* ---- fits ---- */

typedef struct watched {
  progress bar;
  int done, count;
} watched;

static int watch(void *context, double fraction)
{
  watched *w = context;
  return progress_show(&w->bar, (w->done + fraction) / w->count);
}

static int fit_laws(identification *id)
{
  watched w = { progress_start("identifying"), 0, id->laws };
  bristle_identify_options options = id->fitting;
  options.progress = watch, options.context = &w;
  for (; w.done < id->laws && !progress_is_stopped(); w.done++) {
    bristle_fault fault;
    bristle_identified *result;
    const bristle_law *law = id->law[w.done];
    if (id->motion->fit(id->motion->self, law, NULL, &options, &result, &fault))
      snprintf(id->failed[id->failures++], sizeof id->failed[0], "%s: %.200s%s%.30s", law->name, fault.what,
               fault.hint[0] ? "; " : "", fault.hint);
    else {
      bristle_motion_check(id->motion, result);
      id->result[id->results++] = result;
    }
  }
  progress_end(&w.bar);
  if (progress_is_stopped()) return stopped_exit();
  bristle_identified_rank(id->result, id->results);
  if (id->results) return DONE;
  return identify_no_result(id);
}

int identify_rig(identification *id, const identify_request *q)
{
  int code = q->model ? identify_laws(id, q->model) : DONE;
  if (!code) code = open_motion(id, q);
  if (code) return code;
  if (!q->model) id->law[id->laws++] = id->motion->law;
  code = make_logs(id);
  return code ? code : fit_laws(id);
}

/* ---- doubts ---- */

void rig_doubt(identification *id)
{
  static const double USELESS = 0.25; /* of the motion: one that misses that much is not that of this rig */
  const bristle_identified *best = id->result[0];
  const char *what = strchr(best->unit, 'N') ? "force" : "motion";
  int found = 0;
  for (int k = 0; k < best->estimates; k++) found |= best->estimate[k].free && !best->estimate[k].reason[0];
  if (!(best->relative <= USELESS))
    snprintf(
        id->doubt, sizeof id->doubt,
        "even the best law, %s, misses %.0f %% of the %s: something acts that is not in %.100s, or one of its values "
        "is wrong that --free could find",
        best->law->name, 100 * best->relative, what, id->rig);
  else if (best->validation > 2 * USELESS)
    snprintf(id->doubt, sizeof id->doubt, "the best law, %s, misses %.0f %% of the %s of what was held out",
             best->law->name, 100 * best->validation, what);
  else if (!found)
    snprintf(id->doubt, sizeof id->doubt, "no parameter of %s is determined by these runs", best->law->name);
}
