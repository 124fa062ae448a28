/* A whole identification, as `bristle identify` does it: records are read and judged, laws are fitted to all of them,
 * ranked, tested and doubted. Then a page, a model file, JSON or sentences are written from it.
 *
 *   bristle_study_request request;
 *   bristle_study_begin(&request);
 *   request.log = files, request.logs = 1;
 *   if (!bristle_study_run(&request, &study, &fault)) bristle_study_page(study, "page.html", &fault);
 *   bristle_study_free(study);
 *
 * A hosted layer like lab/identify.h, which has the parts: it allocates, never prints and keeps no state. The same
 * files and options give the same bytes, whatever the number of threads. Sentences name fields of the request as
 * options, "option load_form"; `reword` puts that into the words of your users.
 */
#ifndef BRISTLE_LAB_STUDY_H
#define BRISTLE_LAB_STUDY_H

#include "lab/decay.h"
#include "lab/report.h"
#include "lab/rig.h"

enum { BRISTLE_STUDY_LOGS = 64, BRISTLE_STUDY_LAWS = 64, BRISTLE_STUDY_PROFILE = 25 };

/* The texts must live as long as the study. */
typedef struct bristle_study_request {
  const char *const *log; /* files; "50 N=low.csv" gives the normal load of a whole file */
  size_t logs;            /* BRISTLE_STUDY_LOGS at most */
  const char *validate;   /* a file that is seen by neither fits nor ranking; or NULL */
  const char *model;      /* laws: "lugre,dahl" or "all"; NULL: the usual ones, or that of the rig */
  bristle_log_options reading;
  bristle_identify_options fitting; /* its progress is that of the whole study */
  int load_form;                    /* nonzero: fitting.load is your word; else a load is that of a coefficient */
  int skew_is_given;                /* the term is not tried where it was not asked for */
  int skewed_levels;                /* every law with levels of its own for each direction */
  const char *profile;              /* parameter of the best law whose profile likelihood is wanted; or NULL */
  /* a motion that nothing drives, without a force */
  int free_decay;
  bristle_decay_options decay;
  /* a scenario, or an experiment that lists its runs and unknowns, whose simulated motion is compared; or NULL */
  const char *rig;
  const char *const *set; /* these are those of bristle_rig_request, for scenarios only */
  const bristle_range *free;
  int frees, free_start;
  const char *compare;
  const char *settings; /* how all this was asked for, for page and model file; or NULL */
  /* Puts options that a sentence names ("option load_form force") into the caller's words, in place; or NULL. */
  void (*reword)(char *text, size_t size);
  const char *next, *next_doubtful; /* what the page says to do next, with a good result or a doubtful one; or NULL */
} bristle_study_request;

/* Options that are texts, as the tool and bristle/identify.h have them; NULL where nothing was said. */
typedef struct bristle_study_words {
  const char *mass, *inertia, *offset, *gravity, *stiffness; /* "free", "none" or a quantity */
  const char *skew;                                          /* the same, or "levels" */
  char *fix[BRISTLE_IDENTIFY_NAMES];                         /* "name" or "name=value", ended by NULL; cut at the = */
  char *free[BRISTLE_IDENTIFY_NAMES];                        /* "name" or "name=lo..hi", the same */
  bristle_range range[BRISTLE_IDENTIFY_NAMES];               /* room for what they say */
} bristle_study_words;

/* Puts them into a request whose other fields are set; both and the texts must live as long as the study. */
bristle_fault_kind bristle_study_ask(bristle_study_request *request, bristle_study_words *words, bristle_fault *fault);

/* What is usual: an offset is fitted, mass and gravity where the records ask for them, everything else zero. */
void bristle_study_begin(bristle_study_request *request);

typedef struct bristle_study {
  bristle_study_request request;
  bristle_log *log[BRISTLE_STUDY_LOGS], *validation; /* of simulated motion only names, digests and lengths */
  size_t logs;
  bristle_campaign campaign;
  bristle_identified *result[BRISTLE_STUDY_LAWS]; /* best first; there is at least one */
  int results;
  char failed[BRISTLE_STUDY_LAWS][240]; /* laws that could not be fitted, and why */
  int failures;
  char doubt[300];        /* why the best result is not to be used, as a sentence; or "" */
  int doubt_is_of_data;   /* because of the data, and not of what the laws make of them */
  int contradicted;       /* because of the validation record alone */
  bristle_decay *decay;   /* or NULL */
  bristle_motion *motion; /* or NULL */
  /* profile likelihood of the best law, or no points */
  int profile_count;
  double profile_value[BRISTLE_STUDY_PROFILE], profile_cost[BRISTLE_STUDY_PROFILE];
  /* of the study's own files */
  bristle_log_options reading;
  bristle_identify_options fitting, asked; /* asked: before the records had their say */
  const bristle_law *law[BRISTLE_STUDY_LAWS];
  int laws;
  int experiment;
  bristle_rig_request rigging;
  const char *rig_log[BRISTLE_STUDY_LOGS + 1];
  double *given_load[BRISTLE_STUDY_LOGS + 1];
  int given_loads;
  const char *profile_unit;
  struct study_view *view;
  double done;                 /* part of the work */
  double slow_before;          /* held_out_slow before the force was moved by a delay that was found; 0: it was not */
  double from, span, furthest; /* of all that is told of it: where it begins, what it covers, how far that was */
  int stopped;
} bristle_study;

/* What can be said before any record is read: bristle_study_run does it, too. BRISTLE_FAULT_REQUEST: the request. */
bristle_fault_kind bristle_study_check(const bristle_study_request *request, bristle_fault *fault);
/* Reads, fits, ranks and doubts. *study is NULL where there is no result at all; BRISTLE_FAULT_STOPPED: progress said
   so. A result with a doubt is none to use, and no fault. */
bristle_fault_kind bristle_study_run(const bristle_study_request *request, bristle_study **study, bristle_fault *fault);
void bristle_study_free(bristle_study *study); /* NULL is fine */

/* The best law as a file that `friction: {file: model.yaml}` reads. */
bristle_fault_kind bristle_study_model(const bristle_study *study, const char *path, bristle_fault *fault);
/* One HTML file that needs nothing else. */
bristle_fault_kind bristle_study_page(const bristle_study *study, const char *path, bristle_fault *fault);
void bristle_study_json(const bristle_study *study, FILE *out);
void bristle_study_text(const bristle_study *study, FILE *out); /* a summary for people */

#endif
