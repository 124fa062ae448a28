/* An identification for users, bristle/identify.h: what they say is copied, what they get is asked for by name. */
#include "bristle/identify.h"
#include "bristle/text.h"
#include "io/memory.h"
#include "study/study.h"

#include "maths/elementary.h"

struct bristle_identification {
  bristle_study_request request;
  bristle_study_words words;
  const char *log[BRISTLE_STUDY_LOGS], *set[BRISTLE_IDENTIFY_NAMES + 1];
  double decimate, folds, seed, threads, free_decay; /* whole numbers */
  bristle_study *study;
  memory *texts;
};

bristle_identification *bristle_identification_open(void)
{
  bristle_identification *fit = calloc(1, sizeof *fit);
  if (!fit) return NULL;
  bristle_study_begin(&fit->request);
  fit->request.log = fit->log;
  return fit;
}

void bristle_identification_close(bristle_identification *fit)
{
  if (!fit) return;
  bristle_study_free(fit->study);
  memory_free(fit->texts);
  free(fit);
}

/* ---- options ---- */

typedef struct setting {
  const char *name;
  size_t place;     /* in a bristle_identification */
  const char *unit; /* of a number; NULL: a text */
  size_t most;      /* of a list of texts; 0: it is given once */
} setting;

#define TEXT(name, field) { name, offsetof(bristle_identification, field), NULL, 0 }
#define LIST(name, field, most) { name, offsetof(bristle_identification, field), NULL, most }
#define NUMBER(name, field, unit) { name, offsetof(bristle_identification, field), unit, 0 }
#define COLUMN(name, channel) TEXT(name, request.reading.column[BRISTLE_CHANNEL_##channel])

static const setting settings[] = {
  LIST("log", log, BRISTLE_STUDY_LOGS),
  TEXT("validate", request.validate),
  TEXT("model", request.model),
  TEXT("settings", request.settings),
  TEXT("mass", words.mass),
  TEXT("inertia", words.inertia),
  TEXT("offset", words.offset),
  TEXT("gravity", words.gravity),
  TEXT("stiffness", words.stiffness),
  TEXT("skew", words.skew),
  LIST("term", request.reading.term, BRISTLE_ASKED),
  LIST("fix", words.fix, BRISTLE_IDENTIFY_NAMES - 1),
  LIST("free", words.free, BRISTLE_IDENTIFY_NAMES - 1),
  LIST("set", set, BRISTLE_IDENTIFY_NAMES),
  TEXT("rig", request.rig),
  TEXT("compare", request.compare),
  COLUMN("time", TIME),
  COLUMN("position", POSITION),
  COLUMN("velocity", VELOCITY),
  COLUMN("acceleration", ACCELERATION),
  COLUMN("force", FORCE),
  COLUMN("load", LOAD),
  COLUMN("weight", WEIGHT),
  COLUMN("reference", REFERENCE),
  NUMBER("lead", request.reading.lead, "m"),
  NUMBER("radius", request.reading.radius, "m"),
  NUMBER("rate", request.reading.rate, "Hz"),
  NUMBER("from", request.reading.from, "s"),
  NUMBER("to", request.reading.to, "s"),
  NUMBER("cutoff", request.reading.cutoff, "Hz"),
  NUMBER("delay", request.reading.delay, "s"),
  NUMBER("floor", request.fitting.floor, "1"),
  NUMBER("decimate", decimate, "1"),
  NUMBER("folds", folds, "1"),
  NUMBER("seed", seed, "1"),
  NUMBER("threads", threads, "1"),
  NUMBER("free_decay", free_decay, "1"),
};

static bristle_fault_kind refuse(bristle_fault *fault, const char *option, const char *value, const char *why)
{
  return fault_set(fault, BRISTLE_FAULT_REQUEST, NULL, "option %s %.80s: %s", option, value, why);
}

/* "force|coefficient|level", and the names of the objectives */
static bristle_fault_kind set_choice(bristle_identification *fit, const char *option, const char *value,
                                     bristle_fault *fault)
{
  bristle_identify_options *o = &fit->request.fitting;
  const int is_load = !strcmp(option, "load_form");
  const char *name;
  if (!is_load && strcmp(option, "objective")) return refuse(fault, option, value, "there is no such option");
  for (int i = 0; (name = is_load ? i < 3 ? bristle_load_text((bristle_load)i) : NULL : bristle_objective_name(i)); i++)
    if (!strcmp(name, value)) {
      if (is_load) o->load = (bristle_load)i, fit->request.load_form = 1;
      else o->objective = (bristle_objective)i;
      return BRISTLE_FAULT_NONE;
    }
  return refuse(fault, option, value, is_load ? "expected force, coefficient or level" : "there is no such objective");
}

static bristle_fault_kind set_number(bristle_identification *fit, const setting *s, const char *value,
                                     bristle_fault *fault)
{
  bristle_fault inner;
  double number;
  const int is_cutoff = !strcmp(s->name, "cutoff"), is_delay = !strcmp(s->name, "delay");
  if ((is_cutoff || is_delay) && !strcmp(value, "none")) number = is_cutoff ? -1 : 0;
  else if (bristle_quantity_read(value, strlen(value), s->unit, &number, NULL, &inner))
    return refuse(fault, s->name, value, inner.what);
  else if (!(number >= 0) && !is_delay) return refuse(fault, s->name, value, "it must not be negative");
  const int is_whole = s->place >= offsetof(bristle_identification, decimate)
                       && s->place <= offsetof(bristle_identification, free_decay);
  if (is_whole && !(number == floor(number) && number <= 1e9))
    return refuse(fault, s->name, value, "expected a whole number");
  if (is_delay) fit->request.reading.keep_delay = 1;
  if (!strcmp(s->name, "folds") && number < 2) number = -1;
  *(double *)((char *)fit + s->place) = number;
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind set_text(bristle_identification *fit, const setting *s, const char *value,
                                   bristle_fault *fault)
{
  char **place = (char **)((char *)fit + s->place), *copy;
  size_t at = 0;
  while (at < s->most && place[at]) at++;
  if (s->most ? at == s->most : place[0] != NULL) return refuse(fault, s->name, value, "it is given too often");
  if (!(copy = memory_take(&fit->texts, strlen(value) + 1))) return fault_memory(fault);
  place[at] = strcpy(copy, value);
  if (!strcmp(s->name, "log")) fit->request.logs = at + 1;
  if (!strcmp(s->name, "set")) fit->request.set = fit->set;
  return BRISTLE_FAULT_NONE;
}

bristle_fault_kind bristle_identification_set(bristle_identification *fit, const char *option, const char *value,
                                              bristle_fault *fault)
{
  if (fit->study) return refuse(fault, option, value, "the identification has run already");
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
    if (strcmp(settings[i].name, option)) continue;
    return settings[i].unit ? set_number(fit, &settings[i], value, fault) : set_text(fit, &settings[i], value, fault);
  }
  return set_choice(fit, option, value, fault);
}

/* ---- the run ---- */

void bristle_identification_watch(bristle_identification *fit, int (*progress)(void *context, double part),
                                  void *context)
{
  fit->request.fitting.progress = progress;
  fit->request.fitting.context = context;
}

bristle_fault_kind bristle_identification_run(bristle_identification *fit, bristle_fault *fault)
{
  bristle_identify_options *o = &fit->request.fitting;
  if (fit->study) return fault_set(fault, BRISTLE_FAULT_REQUEST, NULL, "the identification has run already");
  o->decimate = (size_t)fit->decimate, o->folds = (int)fit->folds, o->threads = (int)fit->threads;
  o->seed = (unsigned long long)fit->seed;
  fit->request.free_decay = fit->free_decay > 0;
  const bristle_fault_kind kind = bristle_study_ask(&fit->request, &fit->words, fault);
  return kind ? kind : bristle_study_run(&fit->request, &fit->study, fault);
}

/* ---- results ---- */

static const bristle_identified *result_at(const bristle_identification *fit, int place)
{
  return fit->study && place >= 0 && place < fit->study->results ? fit->study->result[place] : NULL;
}

const char *bristle_identification_doubt(const bristle_identification *fit)
{
  return fit->study ? fit->study->doubt : "the identification has not run";
}

const bristle_law *bristle_identification_law(const bristle_identification *fit, int place)
{
  const bristle_identified *r = result_at(fit, place);
  return r ? r->law : NULL;
}

bristle_fault_kind bristle_identification_number(const bristle_identification *fit, int place, const char *name,
                                                 double *value, double *deviation, bristle_fault *fault)
{
  const bristle_identified *r = result_at(fit, place);
  for (int k = 0; r && k < r->estimates; k++) {
    const bristle_estimate *x = &r->estimate[k];
    if (strcmp(x->name, name)) continue;
    if (value) *value = x->value;
    if (deviation) *deviation = x->free ? x->deviation : 0;
    return BRISTLE_FAULT_NONE;
  }
  if (!r) return fault_set(fault, BRISTLE_FAULT_REQUEST, NULL, "there is no result at place %d", place);
  return fault_set(fault, BRISTLE_FAULT_REQUEST, NULL, "%s has no number '%.80s'", r->law->name, name);
}

bristle_fault_kind bristle_identification_write(const bristle_identification *fit, bristle_identification_format format,
                                                const char *path, bristle_fault *fault)
{
  bristle_output *output;
  if (!fit->study) return fault_set(fault, BRISTLE_FAULT_REQUEST, NULL, "the identification has no result to write");
  if (format == BRISTLE_IDENTIFICATION_MODEL) return bristle_study_model(fit->study, path, fault);
  if (format == BRISTLE_IDENTIFICATION_PAGE) return bristle_study_page(fit->study, path, fault);
  const bristle_fault_kind kind = bristle_output_open(path, BRISTLE_OUTPUT_DOCUMENT, &output, fault);
  if (kind) return kind;
  if (format == BRISTLE_IDENTIFICATION_JSON) bristle_study_json(fit->study, bristle_output_stream(output));
  else bristle_study_text(fit->study, bristle_output_stream(output));
  return bristle_output_commit(output, fault);
}
