/* From a log to a report with the installed headers alone, on two threads at once; valid C99 and C++17.
   lab LOG.csv FOLDER: reads the log, identifies LuGre, writes and reads back the model, steps it, simulates a scenario
   with it. */
#include <bristle/lab.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

typedef struct job {
  const char *log, *folder;
  int number;
  char what[1000]; /* why it failed; or "" */
  double sigma0, force, last;
  size_t rows;
} job;

static int failed(job *j, const char *where, const bristle_fault *fault)
{
  char text[900];
  bristle_fault_text(fault, text, sizeof text);
  snprintf(j->what, sizeof j->what, "%s: %s", where, text);
  return 1;
}

/* ---- a log, a law fitted to it, and the page of that ---- */

static int identify(job *j, const char *model, const char *page)
{
  bristle_identification *fit = bristle_identification_open();
  bristle_fault fault;
  bristle_fault_kind kind;
  char log[500];
  if (!fit) return 1;
  snprintf(log, sizeof log, "%s", j->log);
  kind = bristle_identification_set(fit, "log", log, &fault);
  if (!kind) kind = bristle_identification_set(fit, "model", "lugre", &fault);
  if (!kind) kind = bristle_identification_set(fit, "settings", "lab", &fault);
  memset(log, 0, sizeof log); /* texts are copied */
  if (!kind) kind = bristle_identification_run(fit, &fault);
  if (!kind) kind = bristle_identification_number(fit, 0, "sigma0", &j->sigma0, NULL, &fault);
  if (!kind && *bristle_identification_doubt(fit))
    snprintf(j->what, sizeof j->what, "identify: %s", bristle_identification_doubt(fit));
  if (!kind) kind = bristle_identification_write(fit, BRISTLE_IDENTIFICATION_MODEL, model, &fault);
  if (!kind) kind = bristle_identification_write(fit, BRISTLE_IDENTIFICATION_PAGE, page, &fault);
  bristle_identification_close(fit);
  return kind ? failed(j, "identify", &fault) : j->what[0] != '\0';
}

/* a request that cannot be is refused, in the words of its fields */
static int refuse(job *j)
{
  static const char *const wrong[][2] = {
    { "mass", "3 m" }, { "mass", "-3" }, { "fix", "fc=a" }, { "free", "fc=2..1" }
  };
  bristle_fault fault;
  for (size_t i = 0; i <= sizeof wrong / sizeof *wrong; i++) { /* the last one: an identification of nothing */
    bristle_identification *fit = bristle_identification_open();
    int refused = fit && i == sizeof wrong / sizeof *wrong;
    if (fit && !refused)
      refused = !bristle_identification_set(fit, "log", j->log, &fault)
                && !bristle_identification_set(fit, wrong[i][0], wrong[i][1], &fault);
    refused = refused && bristle_identification_run(fit, &fault) == BRISTLE_FAULT_REQUEST
              && !bristle_identification_law(fit, 0) && *bristle_identification_doubt(fit);
    refused = refused && bristle_identification_set(fit, "masses", "3", &fault) == BRISTLE_FAULT_REQUEST
              && bristle_identification_set(fit, "threads", "1.5", &fault) == BRISTLE_FAULT_REQUEST
              && bristle_identification_set(fit, "load_form", "much", &fault) == BRISTLE_FAULT_REQUEST
              && bristle_identification_write(fit, BRISTLE_IDENTIFICATION_JSON, NULL, &fault) == BRISTLE_FAULT_REQUEST;
    bristle_identification_close(fit);
    if (refused) continue;
    snprintf(j->what, sizeof j->what, "wrong option %d is not refused", (int)i);
    return 1;
  }
  return 0;
}

/* ---- the model, read back and stepped ---- */

static int step(job *j, const char *model)
{
  bristle_friction friction;
  bristle_fault fault;
  bristle_error error;
  bristle_input in;
  double state[64] = { 0 };
  if (bristle_friction_file_read(model, NULL, &friction, &fault)) return failed(j, "model", &fault);
  memset(&in, 0, sizeof in);
  in.v = 0.01;
  in.n = 1;
  in.h = 1e-3;
  in.load = friction.load;
  if (bristle_check_input(friction.law->f64, &in, 1, &error)) return 1;
  for (int i = 0; i < 1000; i++) j->force = friction.law->f64->step(friction.p, state, &in, NULL);
  if (fabs(friction.p[0] - j->sigma0) > 1e-9 * j->sigma0) snprintf(j->what, sizeof j->what, "sigma0 is another one");
  return j->what[0] != '\0';
}

/* ---- a scenario with that model, as a file and as a text ---- */

typedef struct rows {
  size_t count;
  double t[4000], x[4000];
} rows;

static int keep(void *context, const double *values)
{
  rows *r = (rows *)context;
  if (r->count == sizeof r->t / sizeof *r->t) return 1;
  r->t[r->count] = values[0];
  r->x[r->count++] = values[1];
  return 0;
}

static int simulate(job *j, const char *scenario_path)
{
  static const char text[] = "rig: spring-pull\nmass: 1 kg\nstiffness: 2 N/m\nspeed: 0.1 m/s\n"
                             "friction: {file: model.yaml}\ntime: {end: 20 s, output: 10 ms}\n";
  bristle_scenario *scenario = NULL;
  bristle_sim_sink sink;
  bristle_sim_stats stats;
  bristle_sim_error error;
  bristle_fault fault;
  static const char *const changes[] = { "time.end=10 s", NULL };
  static rows kept[2][2];
  rows *r = kept[j->number];
  FILE *file = fopen(scenario_path, "w");
  if (!file || fputs(text, file) < 0 || fclose(file)) return 1;
  for (int in_memory = 0; in_memory < 2; in_memory++) {
    if (in_memory ? bristle_scenario_text_read(scenario_path, text, sizeof text - 1, changes, &scenario, &fault)
                  : bristle_scenario_file_read(scenario_path, changes[0], &scenario, &fault))
      return failed(j, "scenario", &fault);
    memset(&sink, 0, sizeof sink);
    sink.context = &r[in_memory];
    sink.row = keep;
    if (bristle_simulate(&scenario->rig, &scenario->options, &sink, &stats, &error))
      snprintf(j->what, sizeof j->what, "simulate: %s", error.what);
    bristle_scenario_free(scenario);
    if (j->what[0]) return 1;
  }
  j->rows = r->count;
  j->last = r->x[r->count - 1];
  if (memcmp(&r[0], &r[1], sizeof *r)) snprintf(j->what, sizeof j->what, "the text is not simulated like the file");
  return j->what[0] != '\0';
}

static void *work(void *context)
{
  job *j = (job *)context;
  char model[400], scenario[400], page[400];
  snprintf(model, sizeof model, "%s/%d/model.yaml", j->folder, j->number);
  snprintf(scenario, sizeof scenario, "%s/%d/pull.yaml", j->folder, j->number);
  snprintf(page, sizeof page, "%s/%d/page.html", j->folder, j->number);
  if (refuse(j) || identify(j, model, page) || step(j, model) || simulate(j, scenario)) {
    if (!j->what[0]) snprintf(j->what, sizeof j->what, "failed");
  }
  return NULL;
}

int main(int argc, char **argv)
{
  pthread_t thread;
  job j[2];
  if (argc < 3) return 2;
  memset(j, 0, sizeof j);
  for (int i = 0; i < 2; i++) j[i].log = argv[1], j[i].folder = argv[2], j[i].number = i;
  if (pthread_create(&thread, NULL, work, &j[1])) return 1;
  work(&j[0]);
  pthread_join(thread, NULL);
  for (int i = 0; i < 2; i++)
    if (j[i].what[0]) printf("%s\n", j[i].what);
  if (j[0].what[0] || j[1].what[0]) return 1;
  printf("sigma0 %.4g N/m, force %.4g N, %lu rows\n", j[0].sigma0, j[0].force, (unsigned long)j[0].rows);
  printf("the two threads agree: %s\n",
         j[0].sigma0 == j[1].sigma0 && j[0].force == j[1].force && j[0].last == j[1].last && j[0].rows == j[1].rows
             ? "yes"
             : "no");
  return 0;
}
