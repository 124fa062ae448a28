/* bristle fleet: one model for each log of many axes, and the axes whose friction has changed. */
#include "fleet.h"

#include "common/log_arguments.h"
#include "common/progress.h"
#include "platform/platform.h"

static int read_laws(const fleet_request *q, bristle_fleet_options *o)
{
  const char *list = q->model ? q->model : "coulomb,stribeck,lugre";
  while (*list) {
    char name[64];
    const size_t length = strcspn(list, ",");
    snprintf(name, sizeof name, "%.*s", (int)length, list);
    const bristle_law *law = bristle_law_find(name);
    if (!law) return usage_error("there is no law '%s'; did you mean '%s'?", name, bristle_law_nearest(name));
    if (o->laws == BRISTLE_FLEET_LAWS) return usage_error("at most %d laws", BRISTLE_FLEET_LAWS);
    o->law[o->laws++] = law;
    list += length + (list[length] == ',');
  }
  return o->laws ? DONE : usage_error("no laws given: use --model stribeck,lugre");
}

static int check(void *asked)
{
  fleet_request *q = asked;
  if (q->manifest && q->many) return usage_error("one manifest at a time; got '%s' and '%s'", q->manifest, q->many);
  if (!q->manifest) q->manifest = q->many;
  if (!q->manifest)
    return usage_error("no logs given: name a table with the columns file,axis,day, or a pattern in quotes");
  if (!q->folder || !*q->folder) return usage_error("no output folder given: use -o FOLDER");
  if (!(q->false_alarms > 0 && q->false_alarms < 1))
    return usage_error("--false-alarms %g: expected a probability", q->false_alarms);
  return log_check(&q->reading);
}

static int show(void *context, size_t done, size_t of)
{
  const int stop = progress_show(context, (double)done / (double)of);
  if (stop) progress_be_patient();
  return stop;
}

/* nothing was learned: that is no success */
static int judge(const bristle_fleet *f)
{
  size_t doubtful = 0, fine = 0;
  for (size_t i = 0; i < f->entries; i++) {
    fine += f->entry[i].status == BRISTLE_FLEET_FINE;
    doubtful += f->entry[i].status == BRISTLE_FLEET_DOUBTFUL;
  }
  if (fine) return DONE;
  return doubtful ? failure(UNCONVINCING, "no log could be used without doubt: the tables say why")
                  : failure(BAD_DATA, "no log could be used: the tables say why");
}

static int run(void *asked)
{
  const fleet_request *q = asked;
  bristle_fleet *f;
  bristle_fleet_state state;
  bristle_fault fault;
  bristle_fleet_options o = { .threads = q->threads ? (int)q->threads : platform_processors(),
                              .reading = q->reading,
                              .mass = q->mass ? BRISTLE_TERM_FREE : BRISTLE_TERM_NONE,
                              .false_alarms = q->false_alarms,
                              .least = q->least,
                              .progress = show };
  int code = read_laws(q, &o);
  if (code) return code;
  if (bristle_fleet_read(q->manifest, &f, &fault)) return fault_exit(&fault);
  progress bar = progress_start("identifying");
  o.context = &bar;
  code = make_folder(q->folder);
  if (!code && bristle_fleet_compute(f, q->folder, &o, &state, &fault)) code = fault_exit(&fault);
  progress_end(&bar);
  if (!code && state.missing)
    code = failure(STOPPED, "stopped; %zu of %zu axes are in %s, and the same command goes on from there",
                   f->axes - state.missing, f->axes, q->folder);
  if (!code) {
    bristle_fleet_watch(f, &o);
    code = fleet_write_axes(f, q->folder);
  }
  if (!code && q->report) code = fleet_page(f, &o, q->report);
  if (!code && q->json) fleet_json(f, stdout);
  else if (!code && !q->quiet) fleet_tell(f, &o, q->folder, stdout), tell_written(stdout, q->report);
  if (!code) code = finish_output(stdout);
  if (!code) code = judge(f);
  bristle_fleet_free(f);
  return code;
}

static const option options[] = {
  { "-o", "FOLDER", OPTION_FOLDER, IN(fleet_request, folder),
    .help =
        "where the tables go, made when it does not exist: axis-NAME.csv with a row for each log, and axes.csv with "
        "a row for each axis. Axes that are there, of the same logs and options, are not fitted again",
    .also = "--output" },
  { "--many", "MANIFEST.csv", OPTION_TEXT, IN(fleet_request, many), .help = "another way to write the argument",
    .noun = "manifest" },
  { "--model", "LAWS", OPTION_LAW, IN(fleet_request, model), .help = "laws, with commas between",
    "coulomb,stribeck,lugre" },
  { "--mass", NULL, OPTION_SWITCH, IN(fleet_request, mass), .help = "also fit a mass that the force moves" },
  { "--false-alarms", "P", OPTION_QUANTITY, IN(fleet_request, false_alarms),
    .help = "probability of a false alarm in a fleet without changes", "0.01", .unit = "1" },
  { "--least", "PART", OPTION_QUANTITY, IN(fleet_request, least), .help = "smaller changes are ignored", "0.05",
    .unit = "1", .range = "a fraction above zero" },
  { "--threads", "N", OPTION_WHOLE, IN(fleet_request, threads), .help = "number of threads; by default all processors",
    .least = 1 },
  OPTION_REPORT(fleet_request, "a page with the axes that changed, drift over time, and distributions over the fleet"),
  OPTION_JSON(fleet_request, "full result as JSON"),
  { "--quiet", NULL, OPTION_SWITCH, IN(fleet_request, quiet), .help = "no summary" },
  GROUP("how to read the logs"),
  TABLE(log_options, fleet_request, reading),
  OPTIONS_END
};

const verb verb_fleet = {
  .name = "fleet",
  .summary = "fit the logs of many axes over many days, and find the axes that change",
  .usage = "MANIFEST.csv -o FOLDER [--model LAWS] [--report OUT.html] [options]\n"
           "'logs/*_*.csv' -o FOLDER [options]",
  .about =
      "Fits one model for each log of many axes. The first log of an axis decides how its logs are filtered, which "
      "terms are in the balance and which law is followed; every log is then fitted by itself. An axis has changed "
      "where one of its numbers differs before and after a day by more than chance allows, and by at least 5 %. "
      "Histories of fewer than five usable days are too short to be judged. `bristle identify --many` is "
      "the same.",
  .argument = { "MANIFEST.csv", NULL, OPTION_TEXT, IN(fleet_request, manifest),
                .help =
                    "a table with the columns file, axis and day (2026-03-01, or a number), or a pattern in quotes: "
                    "axis3_2026-03-01.csv, axis3/2026-03-01.csv",
                .noun = "manifest" },
  .options = options,
  .examples = "bristle fleet examples/fleet/manifest.csv -o fleet --report fleet.html\n",
  .request = sizeof(fleet_request),
  .check = check,
  .run = run,
};
