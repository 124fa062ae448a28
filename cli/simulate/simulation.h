/* A run of a scenario as the command line needs it: rows as CSV, what the report draws, and the summary. */
#ifndef CLI_SIMULATION_H
#define CLI_SIMULATION_H

#include "noise.h"

#include "lab/report.h"
#include "lab/scenario.h"

#include <stdio.h>

/* Samples that came one by one. With a limit, every second one is dropped when they are too many. */
typedef struct samples {
  size_t count, room, limit;
  size_t stride, skipped; /* only every `stride`-th is kept */
  double *t, *y;
} samples;

enum { SIMULATION_OVER = 6 }; /* other runs on a page, at most */

typedef struct simulation {
  const bristle_scenario *scenario;
  const double *shown_times; /* written instead of t, one for each row; or NULL */
  FILE *out;                 /* rows as CSV; or NULL */
  int record;                /* keep rows, steps and events */
  noise noise;               /* added to the rows */

  int shows_step; /* the last column is dt, the length of the step that led to the row */
  double step;
  int width;
  bristle_sim_column columns[BRISTLE_SIM_COLUMNS];
  bristle_sim_stats stats;
  bristle_sim_error error;
  double first[BRISTLE_SIM_COLUMNS], last[BRISTLE_SIM_COLUMNS], least[BRISTLE_SIM_COLUMNS],
      largest[BRISTLE_SIM_COLUMNS];
  size_t rows, room;
  double *kept[BRISTLE_SIM_COLUMNS];        /* one array for each column */
  samples steps, rejected;                  /* time and length */
  samples events;                           /* time and kind */
  samples account[3];                       /* time and work put in, stored, dissipated so far */
  bristle_table *over[SIMULATION_OVER + 1]; /* rows of other runs, for the pictures */
  int no_memory;
  int write_error; /* errno of a failed write, or 0 */
} simulation;

/* Fills the results; 0 when the run reached its end. */
bristle_sim_status simulation_run(simulation *s, const char *progress_text);
void simulation_free(simulation *s);

/* The law of the contact, or those of the joints: "lugre", "lugre, coulomb". Returns text. */
const char *simulation_laws(const simulation *s, char *text, size_t size);
/* What a user should know about the parameters, in sentences; returns how many. */
enum { MOST_NOTES = 7 };
typedef char simulation_note[240];
int simulation_notes(const simulation *s, simulation_note list[MOST_NOTES]);
/* The same on stderr. */
void simulation_advise(const simulation *s);
/* Warnings, on stderr. */
void simulation_warn(const simulation *s);
/* Why the run did not reach its end, as a line on stderr. `output` may be NULL. */
int simulation_complain(const simulation *s, const char *file, const char *output);
void simulation_summary(const simulation *s, FILE *out, const char *output);
void simulation_json(const simulation *s, FILE *out, const char *input, const char *output, const char *report);

/* Is it a model, or that of a robot's joints, and no scenario? */
int simulation_is_model(const bristle_node *root);
/* A scenario that moves the model, on stderr; returns the exit code. */
int simulation_explain_model(const char *path);

/* ---- reports ---- */

/* The place of a column by its name, or -1; what people call it; its axis; a program at a time. */
int simulation_column(const simulation *s, const char *name);
const char *simulation_word(const char *name);
bristle_plot_axis simulation_axis(const simulation *s, int column);
double simulation_program_at(const bristle_program *p, double t);
/* Reads tables with a column t, whose other columns are found by the names of this run's. */
bristle_fault_kind simulation_read_over(simulation *s, const char *const *paths, bristle_fault *fault);
/* Those that have both columns, at most SIMULATION_OVER; returns how many. */
size_t simulation_over_series(const simulation *s, int x, int y, bristle_series *series);
/* Pictures of a run that was recorded: over time, loops, friction over the slip. */
void simulation_add_times(const simulation *s, bristle_report *report);
void simulation_add_loops(const simulation *s, bristle_report *report);
void simulation_add_stribeck(const simulation *s, bristle_report *report);
/* The picture of the first screen, half as wide as the page: of runs that have a column F. */
void simulation_add_first(const simulation *s, bristle_report *report);
/* The first screen: what happened, numbers, warnings and notes, and what to do next. */
void simulation_card(const simulation *s, bristle_report *report);
/* All of the page: what happened, pictures and tables. */
void simulation_add_to(const simulation *s, bristle_report *report);
/* Of an arm: angles, torques and who slides when, over time; the arm in a few poses. */
void arm_add_times(const simulation *s, bristle_report *report);
void arm_add_poses(const simulation *s, bristle_report *report);
/* Writes a page with them; 0, or FAILED with a message on stderr. */
int simulation_report(const simulation *s, const char *path);

#endif
